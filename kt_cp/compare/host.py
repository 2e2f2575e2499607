"""The worker process that starts runs.

It imports what the methods need, once. For each run it then makes a fork of itself, which does this
run and nothing else, watches it, and answers with its record. So a run starts at once and yet
shares nothing with another.
"""

from __future__ import annotations

import gc
import pickle
import sys
import time
from contextlib import suppress
from typing import Any

import psutil

from kt_cp.board import Board
from kt_cp.compare.log import SOLVED, Record, RunStatus, machine, versions
from kt_cp.compare.settings import RunRequest
from kt_cp.errors import InputError
from kt_cp.methods.custom import MethodError
from kt_cp.methods.table import METHODS, Method, method_of
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import ReasonKind
from kt_cp.solving import solve
from kt_cp.worker_process import tell
from kt_cp.workers import DeathError, Fork, OverMemoryError, OverTimeError

GRACE = 1.0
"""Seconds after the time limit in which a run may still stop by itself."""

STARTUP_LIMIT = 120.0
"""Seconds in which a run must have begun."""

_WARM_UP, _WARM_UP_LIMIT = Instance(Board(3, 4)), 0.2


def perform(request: RunRequest, started: float) -> dict[str, Any]:
    """Do a run in this process and return its outcome; report first what the start-up took.

    ``started`` is a time of `time.monotonic`, the same clock in all processes of a machine.
    """
    method = method_of(pickle.loads(request.pickled_method))
    warm_up(method)
    tell({"startup": time.monotonic() - started, "startup_memory": _peak_memory()})
    return {**_outcome(request, method), "memory": _peak_memory()}


def warm_up(method: Method) -> None:
    """Solve a small board, which loads what a method loads when it is first used.

    A custom method is not called: whatever it does belongs to its run.
    """
    if not method.is_custom:
        with suppress(InputError):
            solve(_WARM_UP, method=method, time_limit=_WARM_UP_LIMIT)


def _outcome(request: RunRequest, method: Method) -> dict[str, Any]:
    """Return the answer of `solve`, which validates every tour, and the time that it took."""
    wall, cpu, limit = time.perf_counter(), time.process_time(), request.time_limit
    outcome: dict[str, Any] = {}
    try:
        result = solve(request.instance, time_limit=limit, seed=request.run.seed, method=method)
        status, reason = RunStatus(result.status.value), result.reason
        outcome["counters"] = dict(result.counters)
        outcome["timed_out"] = result.reason_kind is ReasonKind.TIME_LIMIT
    except MethodError as error:
        status, reason = RunStatus.ERROR, str(error)
    except InputError as error:
        status, reason = RunStatus.UNSUPPORTED, str(error)
    except Exception as error:
        status, reason = RunStatus.ERROR, f"{type(error).__name__}: {error}"
    seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    if status in SOLVED and seconds > limit:
        status, reason = RunStatus.UNKNOWN, f"the time limit of {limit:g} s was reached"
        outcome["timed_out"] = True
    outcome |= {"status": status, "reason": reason, "seconds": seconds, "cpu_seconds": cpu_seconds}
    return {**outcome, "validated": True if status is RunStatus.FOUND else None}


def _peak_memory() -> float:
    """Return the peak resident memory of this process in MiB."""
    memory = psutil.Process().memory_info()
    if hasattr(memory, "peak_wset"):  # Windows, which has no resource module
        return float(memory.peak_wset / 2**20)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def preload() -> None:
    """Import and set up what every run needs."""
    for method in METHODS.values():
        if not method.package:  # such a package may end the process that loads it
            method.load()
    for name in ("circuit", "patch"):  # these load more when they are first used
        warm_up(METHODS[name])
    versions(), machine()
    gc.freeze()  # the collector then leaves the pages alone that processes share


def supervise(request: RunRequest) -> Record:
    """Do a run in a process of its own; whatever happens there, it is one record.

    The process is killed when it is still at work `GRACE` seconds after the limit, and when its
    resident memory passes the memory limit. (A limit of addresses would not do: OR-tools reserves
    far more than it uses.)
    """
    worker = Fork(perform, request, time.monotonic())
    known: dict[str, Any] = {"memory": 0.0, "seconds": 0.0, "cpu_seconds": 0.0}
    try:
        known |= _watched(worker, request)
    finally:
        worker.end()
    squares = len(request.instance.board)
    return Record(request.run, squares, versions=versions(), machine=machine(), **known)


def _watched(worker: Fork, request: RunRequest) -> dict[str, Any]:
    """Wait until the run ends or passes a limit; return what it reported, or what was observed."""
    known: dict[str, Any] = {}
    began, startup_cpu = None, 0.0
    try:
        worker.limit(STARTUP_LIMIT, request.memory_limit)
        known |= worker.receive().result()
        began, startup_cpu = time.monotonic(), worker.cpu_seconds
        worker.limit(request.time_limit + GRACE, request.memory_limit)
        known |= worker.receive().result()
        return known
    except OverTimeError:
        if began is None:
            seen = _failed(f"was not ready after {STARTUP_LIMIT:g} s")
        else:
            reason = f"did not stop at the time limit of {request.time_limit:g} s and was killed"
            seen = {"status": RunStatus.UNKNOWN, "timed_out": True, "reason": reason}
    except OverMemoryError:
        seen = _failed(f"took more than {request.memory_limit:g} MiB of memory")
    except DeathError as error:
        seen = _failed(f"{'ran out of memory' if error.out_of_memory else 'crashed'} {error}")
    except Exception as error:  # the run could not even begin
        seen = _failed(f"{type(error).__name__}: {error}")
    seen |= {"memory": worker.memory}
    if began is not None:
        seen["seconds"] = time.monotonic() - began
        seen["cpu_seconds"] = max(0.0, worker.cpu_seconds - startup_cpu)
    return known | seen


def _failed(reason: str) -> dict[str, Any]:
    """Return the outcome of a run that crashed or was killed."""
    return {"status": RunStatus.ERROR, "reason": reason}
