"""The process that starts runs: ``python -m kt_cp.compare.host``, started by `kt_cp.compare.runs`.

It imports what the methods need, once. For each task it then forks (on Linux; elsewhere it spawns)
a process that does this run and nothing else, watches it, and answers with its record. So a run
starts at once and yet shares nothing with another.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import IO, Any

import psutil

from kt_cp.board import Board
from kt_cp.compare.log import SOLVED, Record, RunStatus, machine, versions
from kt_cp.compare.settings import Task
from kt_cp.errors import InputError
from kt_cp.methods import apart
from kt_cp.methods.apart import DeathError
from kt_cp.methods.table import METHODS
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import ReasonKind
from kt_cp.solving import solve

# Seconds after the time limit in which a run may still stop by itself, and in which it must begin.
GRACE, STARTUP_LIMIT = 1.0, 120.0

_WARM_UP, _WARM_UP_LIMIT = Instance(Board(3, 4)), 0.2
_POLL = 0.05
_CONTEXT: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def perform(task: Task, spawned: float, answers: Connection) -> None:
    """Do a run and send two messages: one when its clock starts, one with its outcome.

    ``spawned`` is a time of `time.monotonic`, the same clock in all processes of a machine.
    """
    os.setpgid(0, 0)  # so that what the run starts can be ended with it
    threading.Thread(target=_end_with_host, daemon=True).start()
    apart.inside = True
    method = pickle.loads(task.method)
    warm_up(method)
    answers.send({"startup": time.monotonic() - spawned, "startup_memory": _peak_memory()})
    answers.send({**_outcome(task, method), "memory": _peak_memory()})


def warm_up(method: Any) -> None:
    """Solve a small board, which loads what a method loads when it is first used."""
    with suppress(InputError):
        solve(_WARM_UP, method=method, time_limit=_WARM_UP_LIMIT)


def _outcome(task: Task, method: Any) -> dict[str, Any]:
    """Return what `solve` says, which validates every tour, and what it took."""
    wall, cpu, limit = time.perf_counter(), time.process_time(), task.time_limit
    outcome: dict[str, Any] = {}
    try:
        result = solve(task.instance, time_limit=limit, seed=task.run.seed, method=method)
        status, reason = RunStatus(result.status.value), result.reason
        outcome["counters"] = dict(result.counters)
        outcome["timed_out"] = result.reason_kind is ReasonKind.TIME_LIMIT
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
    import resource  # which Windows has not

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _end_with_host() -> None:
    """Wait for the end of the process that started this one, and do not outlive it."""
    host = parent_process()
    assert host is not None
    host.join()
    os.killpg(0, signal.SIGKILL)


def preload() -> None:
    """Import and set up what every run needs."""
    for method in METHODS.values():
        if not method.package:  # such a package may end the process that loads it
            method.load()
    for name in ("circuit", "patch"):  # these load more when they are first used
        warm_up(name)
    versions(), machine()
    gc.freeze()  # the collector then leaves the pages alone that processes share


def supervise(task: Task, parent: int, errors: IO[bytes]) -> Record:
    """Do a run in a process of its own; whatever happens there, it is one record.

    The process is killed when it is still at work `GRACE` seconds after the limit, and when its
    resident memory passes the memory limit. (A limit of addresses would not do: OR-tools reserves
    far more than it uses.) When the file descriptor ``parent`` becomes readable, whoever gave the
    task is gone, and this process ends. ``errors`` is standard error, to which the run prints.
    """
    errors.seek(0)
    errors.truncate()
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=perform, args=(task, time.monotonic(), sender))
    with receiver:
        process.start()
        try:
            sender.close()  # so that the receiver sees the end of the process
            known = _watch(task, psutil.Process(process.pid), receiver, parent)
        finally:
            with suppress(ProcessLookupError):  # it is no group yet, or no more
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.join()
    if "status" not in known:
        death = DeathError(process.exitcode, errors)
        reason = f"{'ran out of memory' if death.out_of_memory else 'crashed'} {death}"
        known |= {"status": RunStatus.ERROR, "reason": reason}
    squares = len(task.instance.board)
    return Record(task.run, squares, versions=versions(), machine=machine(), **known)


def _watch(
    task: Task, process: psutil.Process, receiver: Connection, parent: int
) -> dict[str, Any]:
    """Wait until the run ends or passes a limit; return what it said, or what was seen of it."""
    known: dict[str, Any] = {"memory": 0.0, "seconds": 0.0, "cpu_seconds": 0.0}
    reason = f"was not ready after {STARTUP_LIMIT:g} s"
    late: dict[str, Any] = {"status": RunStatus.ERROR, "reason": reason}
    began, limit, startup_cpu = time.monotonic(), STARTUP_LIMIT, 0.0
    while "status" not in known:
        ready = wait([receiver, parent], _POLL)
        if parent in ready:
            sys.exit("whoever gave the task is gone")
        with suppress(psutil.Error):  # it has just ended
            known["memory"] = max(known["memory"], process.memory_info().rss / 2**20)
            known["cpu_seconds"] = sum(process.cpu_times()[:2]) - startup_cpu
        if receiver in ready:
            try:
                known |= receiver.recv()
            except EOFError:
                return known
            if "status" not in known:  # its clock has started
                began, limit = time.monotonic(), task.time_limit + GRACE
                startup_cpu = known["cpu_seconds"]
                reason = f"did not stop at the time limit of {task.time_limit:g} s and was killed"
                late = {"status": RunStatus.UNKNOWN, "timed_out": True, "reason": reason}
        if task.memory_limit is not None and known["memory"] > task.memory_limit:
            reason = f"took more than {task.memory_limit:g} MiB of memory"
            known |= {"status": RunStatus.ERROR, "reason": reason, "validated": None}
        elif "status" not in known:
            seconds = time.monotonic() - began
            known["seconds"] = seconds if "startup" in known else 0.0
            known |= late if seconds > limit else {}
    return known


def main() -> None:
    """Do the runs that come on standard input, until it is closed."""
    preload()
    with os.fdopen(2, "r+b", closefd=False) as errors:
        apart.serve(lambda task: supervise(task, sys.stdin.fileno(), errors))


if __name__ == "__main__":
    main()
