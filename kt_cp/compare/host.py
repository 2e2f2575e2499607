"""The worker process that starts runs.

It imports the packages of the methods once. For each run it then makes a fork of itself, which does
only this run; it watches the fork, and returns the record of the run. So runs start at once and
yet share nothing with one another.
"""

from __future__ import annotations

import gc
import pickle
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace

import psutil

from kt_cp.board import Board
from kt_cp.compare.environment import machine, versions
from kt_cp.compare.records import Record, RunStatus
from kt_cp.compare.settings import RunRequest
from kt_cp.messages import InputError
from kt_cp.methods.custom import MethodError
from kt_cp.methods.table import METHODS, Method, method_of
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import ReasonKind
from kt_cp.solving import solve
from kt_cp.workers import (
    STARTUP_LIMIT,
    DeathError,
    Fork,
    OverMemoryError,
    OverTimeError,
    send_report,
)

GRACE = 1.0
"""Seconds after the time limit in which a run may still stop by itself."""

_WARM_UP = Instance(Board(3, 4))
_WARM_UP_LIMIT = 0.2  # seconds


@dataclass(frozen=True)
class Startup:
    """The seconds that the start of a run took, and its peak resident memory in MiB after that."""

    seconds: float
    memory: float


def perform(request: RunRequest, started: float) -> Record:
    """Do a run in this process and return its record, after reporting a `Startup`.

    ``started`` is the time of `time.monotonic`, a clock that all processes of a machine share, at
    which the process was started.
    """
    method = method_of(pickle.loads(request.pickled_method))
    warm_up(method)
    send_report(Startup(time.monotonic() - started, _peak_memory()))
    return replace(_measured(request, method), memory=_peak_memory())


def warm_up(method: Method) -> None:
    """Solve a small board, so that the modules that a method loads on first use are loaded.

    A custom method is not called: all that it does belongs to its run.
    """
    if not method.is_custom:
        with suppress(InputError):
            solve(_WARM_UP, method=method, time_limit=_WARM_UP_LIMIT)


def _measured(request: RunRequest, method: Method) -> Record:
    """Return a record of the answer of `solve`, which validates every tour, and of its time."""
    blank = _blank_record(request)
    limit = request.time_limit
    wall_start = time.perf_counter()
    cpu_start = time.process_time()
    try:
        result = solve(request.instance, time_limit=limit, seed=request.run.seed, method=method)
        record = replace(
            blank,
            status=RunStatus(result.status.value),
            reason=result.reason,
            counters=dict(result.counters),
            timed_out=result.reason_kind is ReasonKind.TIME_LIMIT,
        )
    except MethodError as error:
        record = replace(blank, reason=str(error))
    except InputError as error:
        record = replace(blank, status=RunStatus.UNSUPPORTED, reason=str(error))
    except Exception as error:
        record = replace(blank, reason=f"{type(error).__name__}: {error}")
    seconds = time.perf_counter() - wall_start
    cpu_seconds = time.process_time() - cpu_start
    if record.solved and seconds > limit:
        reason = f"the time limit of {limit:g} s was reached"
        record = replace(record, status=RunStatus.UNKNOWN, timed_out=True, reason=reason)
    validated = True if record.status is RunStatus.FOUND else None
    return replace(record, seconds=seconds, cpu_seconds=cpu_seconds, validated=validated)


def _blank_record(request: RunRequest) -> Record:
    """Return the record of a run that has not begun, as an error without a reason."""
    squares = len(request.instance.board)
    return Record(
        request.run,
        squares,
        RunStatus.ERROR,
        seconds=0.0,
        cpu_seconds=0.0,
        versions=versions(),
        machine=machine(),
    )


def _peak_memory() -> float:
    """Return the peak resident memory of this process in MiB."""
    memory = psutil.Process().memory_info()
    if hasattr(memory, "peak_wset"):  # Windows, which has no resource module
        return float(memory.peak_wset / 2**20)
    import resource

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


def supervise(request: RunRequest) -> Record:
    """Do a run in a process of its own and return its record, whatever happens there.

    The process is killed when it is still at work `GRACE` seconds after the limit, and when its
    resident memory passes the memory limit. (A limit of addresses would not do: OR-tools reserves
    far more than it uses.)
    """
    worker = Fork(perform, request, time.monotonic())
    try:
        return _watched(worker, request)
    finally:
        worker.end()


def _watched(worker: Fork, request: RunRequest) -> Record:
    """Wait until a run ends or passes a limit, and return its record.

    If its process ends without a record, the record says what was observed from here.
    """
    blank = _blank_record(request)
    worker.limit(STARTUP_LIMIT, request.memory_limit)
    try:
        startup: Startup = worker.receive().result()
    except OverTimeError:
        reason = f"was not ready after {STARTUP_LIMIT:g} s"
        return replace(blank, memory=worker.peak_memory, reason=reason)
    except Exception as error:
        return replace(blank, memory=worker.peak_memory, reason=_failure(error, request))
    record = _watched_after_startup(worker, request)
    return replace(record, startup=startup.seconds, startup_memory=startup.memory)


def _watched_after_startup(worker: Fork, request: RunRequest) -> Record:
    """Wait until a run that has started ends or passes a limit, and return its record."""
    blank = _blank_record(request)
    began, startup_cpu = time.monotonic(), worker.cpu_seconds
    worker.limit(request.time_limit + GRACE, request.memory_limit)
    try:
        record: Record = worker.receive().result()
        return record
    except OverTimeError:
        reason = f"did not stop at the time limit of {request.time_limit:g} s and was killed"
        observed = replace(blank, status=RunStatus.UNKNOWN, timed_out=True, reason=reason)
    except Exception as error:
        observed = replace(blank, reason=_failure(error, request))
    return replace(
        observed,
        memory=worker.peak_memory,
        seconds=time.monotonic() - began,
        cpu_seconds=max(0.0, worker.cpu_seconds - startup_cpu),
    )


def _failure(error: Exception, request: RunRequest) -> str:
    """Return the reason that the process of a run ended without a record."""
    if isinstance(error, OverMemoryError):
        return f"took more than {request.memory_limit:g} MiB of memory"
    if isinstance(error, DeathError):
        return f"{'ran out of memory' if error.out_of_memory else 'crashed'} {error}"
    return f"{type(error).__name__}: {error}"
