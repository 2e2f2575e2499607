"""The process that starts runs: ``python -m kt_cp.compare.host``, started by `kt_cp.compare.runs`.

It imports what the methods need, once. For each task that comes on standard input it then forks
(on Linux; elsewhere it spawns) a process that does this run and nothing else, watches it, and
writes its record to standard output. So a run starts at once and yet shares nothing with another.
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

from kt_cp.board import Board
from kt_cp.compare.records import Record, RunStatus, machine, peak_memory, versions
from kt_cp.compare.settings import Task
from kt_cp.errors import InputError, printable
from kt_cp.methods import apart
from kt_cp.methods.apart import DeathError, describe_exit, last_line
from kt_cp.methods.table import METHODS
from kt_cp.notation.detect import validate
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import ReasonKind
from kt_cp.solving import Result, solve_instance

_WARM_UP = Instance(Board(3, 4))
_WARM_UP_LIMIT = 0.2


def perform(task: Task, spawned: float, answers: Connection, printed: Connection) -> None:
    """Do a run and send two messages: one when its clock starts, one with its outcome.

    ``spawned`` is a time of `time.monotonic`, the same clock in all processes of a machine.
    Whatever the run prints goes to the file that ``printed`` stands for.
    """
    os.setpgid(0, 0)  # so that what the run starts can be ended with it
    os.dup2(printed.fileno(), 1)
    os.dup2(printed.fileno(), 2)
    threading.Thread(target=_end_with_host, daemon=True).start()
    apart.inside = True
    method = pickle.loads(task.method) if task.method else task.run.method
    warm_up(method)
    cpu = time.process_time()
    startup = time.monotonic() - spawned
    answers.send({"startup": startup, "startup_memory": peak_memory(), "startup_cpu": cpu})
    answers.send({**_outcome(task, method), "memory": peak_memory()})


def warm_up(method: Any) -> None:
    """Solve a small board, which loads what a method loads when it is first used."""
    with suppress(InputError):
        solve_instance(_WARM_UP, method=method, time_limit=_WARM_UP_LIMIT)


def _outcome(task: Task, method: Any) -> dict[str, Any]:
    result: Result | Exception
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        result = solve_instance(
            task.instance, time_limit=task.time_limit, seed=task.run.seed, method=method
        )
    except Exception as error:
        result = error
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    outcome = {"seconds": wall, "cpu_seconds": cpu}
    if isinstance(result, Result):
        return outcome | _answer(task, result, wall)
    if isinstance(result, InputError):
        return outcome | {"status": RunStatus.UNSUPPORTED, "reason": str(result)}
    return outcome | {"status": RunStatus.ERROR, "reason": f"{type(result).__name__}: {result}"}


def _answer(task: Task, result: Result, seconds: float) -> dict[str, Any]:
    """Validate an answer before it is recorded."""
    answer = {"counters": dict(result.counters), "reason": result.reason}
    if seconds > task.time_limit:
        reason = f"the time limit of {task.time_limit:g} s was reached"
        return {**answer, "status": RunStatus.UNKNOWN, "timed_out": True, "reason": reason}
    if not result:
        timed_out = result.reason_kind is ReasonKind.TIME_LIMIT
        return {**answer, "status": RunStatus(result.status.value), "timed_out": timed_out}
    instance, tour = task.instance, result.tour
    path = [] if tour is None else list(tour)
    valid = validate(instance.board, path, closed=instance.closed).valid
    if valid and tour is not None and instance.satisfied_by(tour.squares):
        return {**answer, "status": RunStatus.FOUND, "validated": True}
    reason = "the answer is not such a tour"
    return {**answer, "status": RunStatus.ERROR, "validated": False, "reason": reason}


def _end_with_host() -> None:
    """Wait for the end of the process that started this one, and do not outlive it."""
    host = parent_process()
    assert host is not None
    host.join()
    os.killpg(0, signal.SIGKILL)


GRACE = 1.0
"""Seconds after the time limit in which a run may still stop by itself."""

STARTUP_LIMIT = 120.0
"""Seconds in which a run must be ready to start its clock."""

_POLL = 0.05

if sys.platform == "linux":
    _CONTEXT = multiprocessing.get_context("fork")
else:
    _CONTEXT = multiprocessing.get_context("spawn")


def main() -> None:
    """Do the runs that come on standard input, until it is closed."""
    with os.fdopen(os.dup(1), "wb") as answers, os.fdopen(2, "r+b", closefd=False) as errors:
        os.dup2(2, 1)  # whatever a library prints is no record
        for method in METHODS.values():
            if not method.package:  # such a package may end the process that loads it
                method.load()
        for name in ("circuit", "patch"):  # these load more when they are first used
            warm_up(name)
        versions(), machine()
        gc.freeze()  # the collector then leaves the pages alone that processes share
        while True:
            try:
                task = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            pickle.dump(supervise(task, sys.stdin.fileno(), errors), answers)
            answers.flush()


def supervise(task: Task, parent: int, errors: IO[bytes]) -> Record:
    """Do a run in a process of its own; whatever happens there, it is one record.

    The process is killed when it is still at work `GRACE` seconds after the limit, and when its
    resident memory passes the memory limit. (Resident memory is watched, rather than the address
    space limited: OR-tools reserves far more addresses than it uses, and its C++ would abort on a
    refused allocation without a message.) When the file descriptor ``parent`` becomes readable,
    whoever gave the task is gone, and this process ends with the run. ``errors`` is a file for
    what the run prints.
    """
    errors.seek(0)
    errors.truncate()
    cpu = _cpu_of_children()
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    printed = Connection(os.dup(errors.fileno()))  # which a process that is spawned gets too
    arguments = (task, time.monotonic(), sender, printed)
    process = _CONTEXT.Process(target=perform, args=arguments)
    with receiver, printed:
        process.start()
        assert process.pid is not None
        try:
            sender.close()  # so that the receiver sees the end of the process
            known = _watch(task, process.pid, receiver, parent)
        finally:
            with suppress(ProcessLookupError):  # it is no group yet, or no more
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            process.join()
    if _takes_too_much(task, known):
        reason = f"took more than {task.memory_limit:g} MiB of memory"
        known |= {"status": RunStatus.ERROR, "reason": reason, "validated": None}
    elif "status" not in known:
        death = DeathError(f"({describe_exit(process.exitcode or 0)}){last_line(errors)}")
        reason = f"{'ran out of memory' if death.out_of_memory else 'crashed'} {death}"
        known |= {"status": RunStatus.ERROR, "reason": reason}
    startup_cpu = known.pop("startup_cpu", 0.0)
    known.setdefault("cpu_seconds", max(0.0, _cpu_of_children() - cpu - startup_cpu))
    known["reason"] = printable(known["reason"]) if known.get("reason") else None
    return Record(
        task.run, len(task.instance.board), versions=versions(), machine=machine(), **known
    )


def _watch(task: Task, pid: int, receiver: Connection, parent: int) -> dict[str, Any]:
    """Wait until the run ends or passes a limit; return what it said, or what was seen of it."""
    deadline = time.monotonic() + STARTUP_LIMIT
    known: dict[str, Any] = {"memory": None, "seconds": 0.0}
    started, peak = None, 0.0
    while True:
        ready = wait([receiver, parent], _POLL)
        if parent in ready:
            sys.exit("whoever gave the task is gone")
        news: dict[str, Any] = {}
        if receiver in ready:
            try:
                news = receiver.recv()
            except EOFError:
                return known
        # Where the system counts no peak, it is the most that was seen.
        peak = max(peak, news.get("memory") or 0, peak_memory(pid) or 0)
        known |= {**news, "memory": peak or None}
        if "status" in known:
            return known
        if news:
            started = time.monotonic()
            deadline = started + task.time_limit + GRACE
        if started is not None:
            known["seconds"] = time.monotonic() - started
        if _takes_too_much(task, known):
            return known
        if time.monotonic() > deadline and started is None:
            reason = f"was not ready after {STARTUP_LIMIT:g} s"
            return known | {"status": RunStatus.ERROR, "reason": reason}
        if time.monotonic() > deadline:
            reason = f"did not stop at the time limit of {task.time_limit:g} s and was killed"
            return known | {"status": RunStatus.UNKNOWN, "timed_out": True, "reason": reason}


def _cpu_of_children() -> float:
    """Return the seconds of processor time of all processes that have ended here."""
    times = os.times()
    return times.children_user + times.children_system


def _takes_too_much(task: Task, known: dict[str, Any]) -> bool:
    return task.memory_limit is not None and (known["memory"] or 0) > task.memory_limit


if __name__ == "__main__":
    main()
