"""Run a comparison on any executor, and store each record as soon as its run ends.

A worker process, the host, imports the packages of the methods once. For each run it then makes a
fork of itself, which does only this run; it watches the fork, and returns the record of the run. So
runs start at once and yet share nothing with one another.
"""

from __future__ import annotations

import gc
import itertools
import math
import os
import pickle
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kt_cp.board import Board
from kt_cp.compare.log import (
    AddRecord,
    Log,
    Record,
    RunStatus,
    machine,
    new_log,
    open_log,
    versions,
)
from kt_cp.compare.settings import (
    AnyMethods,
    Run,
    RunRequest,
    Settings,
    named_methods,
    settings_of,
)
from kt_cp.files import import_optional
from kt_cp.messages import InputError, checked_number
from kt_cp.methods.method import MethodError
from kt_cp.methods.table import METHODS, Method, method_of
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import ReasonKind
from kt_cp.solving import solve
from kt_cp.workers import (
    STARTUP_LIMIT,
    DeathError,
    Fork,
    OverMemoryError,
    OverTimeError,
    StartError,
    WorkerPool,
    send_report,
)

HOSTS = WorkerPool("kt_cp.compare.runs:preload")
"""The processes that start runs; each thread keeps one, so that its imports are done once.

All comparisons of a Python process share them, since `run_in_host` has to reach them by name on a
cluster. A comparison that is interrupted ends the hosts of all others in this process too.
"""

_PATIENCE = 10  # seconds for a scheduler to answer

# Errors after which no other run will work either.
_HOPELESS = (RuntimeError, CancelledError, StartError, MemoryError)

# Enough to keep a cluster busy; `wait` takes longer the more futures there are.
_MAX_SUBMITTED = 1000


def run_in_host(request: RunRequest) -> Record:
    """Let a host do a run in a fork of itself, and return its record.

    Raises `StartError` if no process can be started, and `MemoryError` if memory is short.
    """
    if not hasattr(os, "killpg"):
        raise StartError("comparisons need Linux or macOS; on Windows, use WSL")
    try:
        record: Record = HOSTS.call(run_in_fork, request)
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
        return _do_missing_runs(new_log(settings), lambda record: None, executor, jobs, observer)
    with open_log(out, settings) as (log, add_record):
        return _do_missing_runs(log, add_record, executor, jobs, observer)


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
    with open_log(path) as (log, add_record):
        given = {name: custom.get(name, row) for name, row in log.settings.methods.items()}
        settings = replace(log.settings, methods=given)
        log = replace(log, settings=settings)
        return _do_missing_runs(log, add_record, executor, jobs, observer)


def _do_missing_runs(
    log: Log,
    add_record: AddRecord,
    executor: Executor | None,
    jobs: int,
    observer: Observer | None,
) -> Log:
    """Do the runs that have no record yet, and return the whole log."""
    records = {record.run: record for record in log.records}
    missing = [run for run in log.settings.runs() if run not in records]
    total = len(records) + len(missing)
    with (
        nullcontext(executor) if executor else ThreadPoolExecutor(jobs) as pool,
        closing(
            _batches_of_ended(pool, log.settings, missing, has_own_hosts=executor is None)
        ) as batches,
    ):
        try:
            for batch in batches:
                new: dict[Run, Record] = {}
                lost: list[tuple[Run, str]] = []
                for run, future in batch:
                    try:
                        new[run] = future.result()
                    except _HOPELESS:
                        raise
                    except Exception as error:
                        lost.append((run, f"{type(error).__name__}: {error}"))
                    else:
                        add_record(new[run])
                records |= new
                if observer:
                    observer(Progress(total, len(records), tuple(new.values()), tuple(lost)))
        except (RuntimeError, CancelledError) as error:
            name = type(error).__name__
            raise InputError(f"the executor broke down ({name}); what is done is kept") from error
    return replace(log, records=tuple(records.values()))


def _batches_of_ended(
    pool: Executor, settings: Settings, runs: Iterable[Run], has_own_hosts: bool
) -> Generator[list[tuple[Run, Future[Record]]], None, None]:
    """Do runs on an executor, and yield those that have ended since, those with a record first.

    Closing the iterator stops the runs that have not ended, as `_stop` does.
    """
    waiting = iter(runs)
    futures: dict[Future[Record], Run] = {}
    try:
        while True:
            for run in itertools.islice(waiting, _MAX_SUBMITTED - len(futures)):
                futures[pool.submit(run_in_host, settings.request(run))] = run
            if not futures:
                return
            ended = wait(futures, return_when=FIRST_COMPLETED).done
            without_record = {each for each in ended if each.cancelled() or each.exception()}
            in_order = sorted(ended, key=without_record.__contains__)
            yield [(futures.pop(future), future) for future in in_order]
    finally:
        _stop(futures, has_own_hosts)


def _stop(futures: Iterable[Future[Record]], has_own_hosts: bool) -> None:
    """Cancel the runs that have not begun, kill the others if the hosts are ours; end the hosts.

    After success no run is left, and only the idle hosts are ended.
    """
    for future in futures:
        future.cancel()
    while has_own_hosts and wait(futures, timeout=0.05).not_done:
        HOSTS.end(busy=True)  # repeated: a thread may be just about to start its host
    HOSTS.end()


# -- in a host, and in the fork that does a run --------------------------------------------------

GRACE = 1.0
"""Seconds after the time limit in which a run may still stop by itself."""

_WARM_UP_INSTANCE = Instance(Board(3, 4))
_WARM_UP_SECONDS = 0.2


def measure(request: RunRequest, started: float) -> Record:
    """Do a run in this process, and return the record of its answer and its time.

    Reports the seconds that the start took, and the peak memory in MiB after that. ``started`` is
    the time of `time.monotonic`, a clock that all processes of a machine share, at which the
    process was started. `solve` validates every tour.
    """
    method = method_of(pickle.loads(request.pickled_method))
    warm_up(method)
    send_report((time.monotonic() - started, _peak_memory()))
    status = RunStatus.ERROR
    reason = None
    counters = {}
    timed_out = False
    limit = request.time_limit
    wall_start = time.perf_counter()
    cpu_start = time.process_time()
    try:
        result = solve(request.instance, time_limit=limit, seed=request.run.seed, method=method)
        reason = result.reason
        status = RunStatus(result.status.value)
        counters = dict(result.counters)
        timed_out = result.reason_kind is ReasonKind.TIME_LIMIT
    except MethodError as error:
        reason = str(error)
    except InputError as error:
        status = RunStatus.UNSUPPORTED
        reason = str(error)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    seconds = time.perf_counter() - wall_start
    cpu_seconds = time.process_time() - cpu_start
    if status in (RunStatus.FOUND, RunStatus.IMPOSSIBLE) and seconds > limit:
        status = RunStatus.UNKNOWN
        timed_out = True
        reason = f"the time limit of {limit:g} s was reached"
    return _record_of(
        request,
        status,
        reason,
        counters=counters,
        timed_out=timed_out,
        seconds=seconds,
        cpu_seconds=cpu_seconds,
        memory=_peak_memory(),
        validated=True if status is RunStatus.FOUND else None,
    )


def warm_up(method: Method) -> None:
    """Solve a small board, so that the modules that a method loads on first use are loaded.

    A custom method is not called: all that it does belongs to its run.
    """
    if not method.is_custom:
        with suppress(InputError):
            solve(_WARM_UP_INSTANCE, method=method, time_limit=_WARM_UP_SECONDS)


def _record_of(
    request: RunRequest, status: RunStatus, reason: str | None, **measured: Any
) -> Record:
    """Return the record of a run that ended here, with what was measured."""
    squares = len(request.instance.board)
    return Record(
        request.run,
        squares,
        status,
        reason=reason,
        versions=versions(),
        machine=machine(),
        **measured,
    )


def _peak_memory() -> float:
    """Return the peak resident memory of this process in MiB."""
    import resource  # Windows, which has no comparisons, has no such module

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def preload() -> None:
    """Import and set up everything that all runs need."""
    for method in METHODS.values():
        if not method.package:  # an optional package may end the process that loads it
            warm_up(method)
    versions()  # fill their caches
    machine()
    gc.freeze()  # the collector then leaves the pages alone that processes share


def run_in_fork(request: RunRequest) -> Record:
    """Do a run in a process of its own and return its record, whatever happens there.

    The process is killed when it is still at work `GRACE` seconds after the limit, and when its
    resident memory passes the memory limit. (A limit of addresses would not do: OR-tools reserves
    far more than it uses.) If it ends without a record, the record says what was observed from
    here.
    """
    worker = Fork(measure, request, time.monotonic())
    startup: float | None = None
    startup_memory: float | None = None
    status = RunStatus.ERROR
    began = startup_cpu = math.inf
    try:
        worker.limit(STARTUP_LIMIT, request.memory_limit)
        startup, startup_memory = worker.receive().result()
        began = time.monotonic()
        startup_cpu = worker.cpu_seconds
        worker.limit(request.time_limit + GRACE, request.memory_limit)
        record: Record = worker.receive().result()
        return replace(record, startup=startup, startup_memory=startup_memory)
    except OverTimeError:
        if startup is None:
            reason = f"was not ready after {STARTUP_LIMIT:g} s"
        else:
            status = RunStatus.UNKNOWN
            reason = f"did not stop at the time limit of {request.time_limit:g} s and was killed"
    except OverMemoryError:
        reason = f"took more than {request.memory_limit:g} MiB of memory"
    except DeathError as error:
        reason = f"{'ran out of memory' if error.out_of_memory else 'crashed'} {error}"
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    finally:
        worker.end()
    return _record_of(
        request,
        status,
        reason,
        timed_out=status is RunStatus.UNKNOWN,
        startup=startup,
        startup_memory=startup_memory,
        memory=worker.peak_memory,
        seconds=max(0.0, time.monotonic() - began),
        cpu_seconds=max(0.0, worker.cpu_seconds - startup_cpu),
    )
