"""A companion: a search in a process of its own, beside the search of this process.

A thread would not do: PySAT holds Python's global lock while CaDiCaL searches.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

from kt_cp.methods.answers import Answer
from kt_cp.methods.method import Function
from kt_cp.problem.task import Task
from kt_cp.workers import Interpreter, WorkerError
from kt_dfs import Status

# Minimum seconds between two checks of the companion; the clock is checked far more often.
_INTERVAL = 0.02


class Companion:
    """A search in another process for the answer to a task.

    It ends when it has decided the instance, or by `end`. The function that answers the task is one
    that a module defines. The task has neither ``objective`` nor ``progress``, which may be
    functions of the caller. A task that cannot be pickled, such as one on a graph with vertices of
    a local class, is not answered. Raises `StartError` if the system has no room for the process.
    """

    def __init__(self, function: Function, task: Task) -> None:
        self.answer: Answer | None = None
        self.is_running = True
        self._looked = time.monotonic()
        self._worker = Interpreter()
        self._worker.limit(task.clock.remaining)
        try:
            self._worker.ask(function, (replace(task, objective=None, progress=None, workers=1),))
        except Exception:  # whatever pickling the caller's objects raises
            self.end()

    def has_decided(self) -> bool:
        """Return whether there is an answer that decides the instance, which is then `answer`."""
        now = time.monotonic()
        if self.is_running and now > self._looked + _INTERVAL:
            self._looked = now
            self._look()
        return self.answer is not None and self.answer.status is not Status.UNKNOWN

    def end(self) -> None:
        """End the process. It may be called again."""
        if self.is_running:
            self.is_running = False
            self._worker.end()

    def _look(self) -> None:
        """Take the answer if there is one; end a process that died or has no time left."""
        try:
            if not self._worker.wait(0):
                return
            with suppress(Exception):  # an error of the companion is not an error of this search
                self.answer = self._worker.outcome().result()
        except WorkerError:
            pass
        self.end()
