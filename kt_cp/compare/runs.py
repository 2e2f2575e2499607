"""Run a comparison on any executor, and store each record as soon as its run ends."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from kt_cp.compare.environment import machine, versions
from kt_cp.compare.host import supervise
from kt_cp.compare.log import Log
from kt_cp.compare.log_file import AddRecord, continued_log, new_log
from kt_cp.compare.reading import AnyMethods, named_methods
from kt_cp.compare.records import Record
from kt_cp.compare.settings import Run, RunRequest, Settings, settings_of
from kt_cp.files import import_optional
from kt_cp.messages import InputError, checked_number
from kt_cp.workers import DeathError, StartError, WorkerPool

HOSTS = WorkerPool("kt_cp.compare.host:preload")
"""The processes that start runs; each thread keeps one, so that its imports are done once.

All comparisons of a Python process share them, since `execute` has to reach them by name on a
cluster. A comparison that is interrupted ends those of all others in this process.
"""

_PATIENCE = 10  # seconds for a scheduler to answer

# Errors after which no other run will work either.
_HOPELESS = (RuntimeError, CancelledError, StartError, MemoryError)

# Enough to keep a cluster busy; `wait` takes longer the more futures there are.
_MAX_SUBMITTED = 1000


def execute(request: RunRequest) -> Record:
    """Do a run in a process of its own, and return its record.

    Raises `StartError` if no process can be started, and `MemoryError` if memory is short.
    """
    if not hasattr(os, "killpg"):
        raise StartError("comparisons need Linux or macOS; on Windows, use WSL")
    try:
        record: Record = HOSTS.call(supervise, request)
    except DeathError as error:
        message = f"the process that starts runs ended {error}"
        raise (MemoryError if error.out_of_memory else StartError)(message) from None
    return record


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Yield the executor of the cluster whose scheduler is at an address such as tcp://host:8786.

    The workers must have this package. Raises `InputError` when nothing answers there, or Dask is
    not installed.
    """
    dask = import_optional("distributed", "clusters", "pip install 'knights-tours[distributed]'")
    try:
        client = dask.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError, RuntimeError) as error:  # by protocol
        raise InputError(f"Dask {address}: no scheduler answers there ({error})") from None
    with client:
        yield client.get_executor()


@dataclass(frozen=True)
class Progress:
    """The progress of a comparison: its totals, and the runs that ended since the last report."""

    total: int
    done: int
    new: tuple[Record, ...]
    lost: tuple[tuple[Run, str], ...]
    """Runs that the executor failed to do, and why: they have no record; `resume` repeats them."""


Observer = Callable[[Progress], None]


def compare(
    settings: Settings | None = None,
    *,
    out: str | Path | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
    **given: Any,
) -> Log:
    """Run every method on every instance of the settings, each run in a process of its own.

    Instead of settings the keyword arguments of `settings_of` may be given. At most ``jobs`` runs
    go on at once here, or those of any `concurrent.futures.Executor`, which stays open. With
    ``out`` every record is in that file as soon as its run ends, and `resume` continues it. Raises
    `InputError` for a file that exists already, for an executor that breaks down, and if no process
    can be started, and `MemoryError` if memory is short.

    >>> log = compare(boards="5x5", methods=["warnsdorff"], kinds="open")
    >>> log, log.records[0].status.value
    (<comparison on 1 board: 1 run>, 'found')
    """
    checked_number("jobs", jobs, 1)
    if settings is not None and given:
        raise TypeError(f"give settings, or keyword arguments such as {min(given)}, not both")
    settings = settings or settings_of(**given)
    if out is None:
        log = Log(settings, versions(), machine(), date=date.today())
        return _complete(log, lambda record: None, executor, jobs, observer)
    with new_log(out, settings) as (log, add_record):
        return _complete(log, add_record, executor, jobs, observer)


def resume(
    path: str | Path,
    *,
    methods: AnyMethods = (),
    executor: Executor | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
) -> Log:
    """Continue a log: do the runs of its settings that have no record yet, as `compare` does.

    ``methods`` are the custom methods of the log, which stores only their names. Raises
    `InputError` for a file that is not a log, was made with other versions, or is being written by
    another process.
    """
    checked_number("jobs", jobs, 1)
    custom = named_methods(methods)
    with continued_log(path) as (log, add_record):
        given = {name: custom.get(name, row) for name, row in log.settings.methods.items()}
        settings = replace(log.settings, methods=given)
        return _complete(replace(log, settings=settings), add_record, executor, jobs, observer)


def _complete(
    log: Log,
    add_record: AddRecord,
    executor: Executor | None,
    jobs: int,
    observer: Observer | None,
) -> Log:
    """Do the runs that have no record yet, and return the whole log."""
    records = list(log.records)
    done = {record.run for record in records}
    missing = [run for run in log.settings.runs() if run not in done]
    waiting, total = iter(missing), len(done) + len(missing)
    futures: dict[Future[Record], Run] = {}
    with nullcontext(executor) if executor else ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                for run in itertools.islice(waiting, _MAX_SUBMITTED - len(futures)):
                    futures[pool.submit(execute, log.settings.request(run))] = run
                if not futures:
                    return replace(log, records=tuple(records))
                new, lost = _collect_finished(futures, add_record)
                records += new
                if observer:
                    observer(Progress(total, len(records), new, lost))
        except (RuntimeError, CancelledError) as error:
            name = type(error).__name__
            raise InputError(f"the executor broke down ({name}); what is done is kept") from error
        finally:
            _stop(futures, has_own_hosts=executor is None)


def _stop(futures: Iterable[Future[Record]], has_own_hosts: bool) -> None:
    """Cancel the runs that have not begun, kill the others if their hosts are ours, and end these.

    After success no run is left, and only the idle hosts are ended.
    """
    for future in futures:
        future.cancel()
    while has_own_hosts and wait(futures, timeout=0.05).not_done:
        HOSTS.end(busy=True)  # repeated: a thread may be just about to start its host
    HOSTS.end()


def _collect_finished(
    futures: dict[Future[Record], Run], add_record: AddRecord
) -> tuple[tuple[Record, ...], tuple[tuple[Run, str], ...]]:
    """Wait until some runs end, remove them from the futures, and store their records.

    Return the records, and the runs without one, each with the reason. Raises one of `_HOPELESS` if
    no other run will work either, after the records are stored.
    """
    new: list[Record] = []
    lost: list[tuple[Run, str]] = []
    broken: BaseException | None = None
    for future in wait(futures, return_when=FIRST_COMPLETED).done:
        run = futures.pop(future)  # a cluster keeps results while a reference to the future exists
        try:
            record = future.result()
        except _HOPELESS as error:
            broken = error
        except Exception as error:
            lost.append((run, f"{type(error).__name__}: {error}"))
        else:
            add_record(record)
            new.append(record)
    if broken is not None:
        raise broken
    return tuple(new), tuple(lost)
