"""Run a comparison on any executor, and write each record as soon as it is known."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
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
from pathlib import Path
from typing import Any

from kt_cp.compare.host import supervise
from kt_cp.compare.log import Log, Record, opened_log
from kt_cp.compare.reading import AnyMethods, named_methods
from kt_cp.compare.settings import Run, RunRequest, Settings, settings_of
from kt_cp.errors import InputError, checked_number
from kt_cp.files import import_optional
from kt_cp.workers import DeathError, StartError, WorkerPool

HOSTS = WorkerPool("kt_cp.compare.host:preload")
"""The processes that start runs; their imports are paid for once for each thread."""

_PATIENCE = 10  # seconds for a scheduler to answer

# Errors after which no other run will work either.
_HOPELESS = (RuntimeError, CancelledError, StartError, MemoryError)

# Enough to keep a cluster busy; `wait` takes longer the more futures there are.
_MAX_SUBMITTED = 1000


def execute(request: RunRequest) -> Record:
    """Do a run in a process of its own and wait for its record.

    Raises `StartError` where none can be started, and `MemoryError` where memory is short.
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
        raise InputError(f"--dask {address}: no scheduler answers there ({error})") from None
    with client:
        yield client.get_executor()


@dataclass(frozen=True)
class Progress:
    """The progress of a comparison: its totals, and what is new since the last report."""

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
    ``out`` every record is in that file as soon as it is known, and `resume` continues it. Raises
    `InputError` for a file that exists already, for an executor that breaks down, and where no
    process can be started.

    >>> log = compare(boards="5x5", methods=["warnsdorff"], kinds="open")
    >>> log, log.records[0].status.value
    (<comparison on 1 board: 1 run>, 'found')
    """
    checked_number("jobs", jobs, 1)
    if settings is not None and given:
        raise TypeError(f"give settings, or keyword arguments such as {min(given)}, not both")
    settings = settings or settings_of(**given)
    with opened_log(out, settings) as (log, keep):
        return _complete(log, keep, executor, jobs, observer)


def resume(
    path: str | Path,
    *,
    methods: AnyMethods = (),
    executor: Executor | None = None,
    jobs: int = 1,
    observer: Observer | None = None,
) -> Log:
    """Continue a log: do the runs of its settings that have no record yet, as `compare` does.

    ``methods`` are the custom ones that the log names: it does not hold them. Raises `InputError`
    for a file that is no log, was made with other versions, or is being written by another process.
    """
    checked_number("jobs", jobs, 1)
    own = named_methods(methods)
    with opened_log(path) as (log, keep):
        known = {name: own.get(name, row) for name, row in log.settings.methods.items()}
        settings = replace(log.settings, methods=known)
        return _complete(replace(log, settings=settings), keep, executor, jobs, observer)


def _complete(
    log: Log,
    keep: Callable[[Record], None],
    executor: Executor | None,
    jobs: int,
    observer: Observer | None,
) -> Log:
    """Do the runs that have no record yet, and report each to the observer."""
    records, futures = list(log.records), dict[Future[Record], Run]()
    done = {record.run for record in records}
    runs = [run for run in log.settings.runs() if run not in done]
    waiting, total = iter(runs), len(done) + len(runs)
    with nullcontext(executor) if executor else ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                for run in itertools.islice(waiting, _MAX_SUBMITTED - len(futures)):
                    futures[pool.submit(execute, log.settings.request(run))] = run
                if not futures:
                    return replace(log, records=tuple(records))
                new, lost = _ended(futures, keep)
                records += new
                if observer:
                    observer(Progress(total, len(records), new, lost))
        except (RuntimeError, CancelledError) as error:
            name = type(error).__name__
            raise InputError(f"the executor broke down ({name}); what is done is kept") from error
        finally:  # if anything goes wrong, the hosts here are ended at once
            for future in futures:
                future.cancel()
            while executor is None and wait(futures, timeout=0.05).not_done:
                HOSTS.end(busy=True)  # repeated: a thread may be just about to start its host
            HOSTS.end()


def _ended(
    futures: dict[Future[Record], Run], keep: Callable[[Record], None]
) -> tuple[tuple[Record, ...], tuple[tuple[Run, str], ...]]:
    """Wait until some runs end; return their records, and the runs that failed to have one."""
    new, lost = list[Record](), list[tuple[Run, str]]()
    broken: BaseException | None = None
    for future in wait(futures, return_when=FIRST_COMPLETED).done:
        run = futures.pop(future)  # a cluster keeps what somebody still refers to
        try:
            record = future.result()
        except _HOPELESS as error:
            broken = error  # raised when everything is kept that there is to keep
        except Exception as error:
            lost.append((run, f"{type(error).__name__}: {error}"))
        else:
            keep(record)
            new.append(record)
    if broken is not None:
        raise broken
    return tuple(new), tuple(lost)
