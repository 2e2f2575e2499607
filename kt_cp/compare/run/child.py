"""One run, in a process of its own that `host` starts and watches."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from kt_cp.board import Board
from kt_cp.compare.run.environment import peak_memory
from kt_cp.compare.run.log_format import RunStatus
from kt_cp.compare.run.settings import Task
from kt_cp.errors import InputError
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import ReasonKind
from kt_cp.solving import Result, solve_instance
from kt_cp.tour.validator import validate

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
