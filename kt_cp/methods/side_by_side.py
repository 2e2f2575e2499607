"""Searches side by side, each in a process of its own; the first that decides is the answer.

Threads would not do: PySAT holds Python's global lock while CaDiCaL searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kt_cp.methods.answers import Answer, out_of_time
from kt_cp.methods.method import Function
from kt_cp.problem.task import Task
from kt_cp.workers import Interpreter, OverTimeError, WorkerError
from kt_dfs import Status

# Seconds after the time limit in which a search may still stop by itself.
_GRACE = 1.0

# Seconds between two looks at a worker.
_PAUSE = 0.02


def first_answer(functions: Sequence[Function], task: Task) -> Answer | None:
    """Return the first answer that decides, else the last one, or None if all processes died.

    Every function is one that a module defines, and is called with the task, but for its
    ``progress``, which tells of improvements and may not be known to another process. Raises
    `StartError` if the system has no room for the processes.
    """
    sent = replace(task, progress=None)
    workers: list[Interpreter] = []
    try:
        for function in functions:
            worker = Interpreter()
            workers.append(worker)
            worker.limit(task.clock.remaining + _GRACE)
            worker.ask(function, (sent,))
        return _first_answer_of(list(workers), task)
    finally:
        for worker in workers:
            worker.end()


def _first_answer_of(waiting: list[Interpreter], task: Task) -> Answer | None:
    """Wait for workers, each of which was sent a call, until one has decided the instance."""
    answer: Answer | None = None
    while waiting:
        for worker in list(waiting):
            try:
                if not worker.wait(_PAUSE):
                    continue
                answer = worker.outcome().result()
            except OverTimeError:
                answer = out_of_time(task.instance, task.clock)
            except WorkerError:  # it died, for instance for lack of memory: the other goes on
                pass
            waiting.remove(worker)
            if answer is not None and answer.status is not Status.UNKNOWN:
                return answer
    return answer
