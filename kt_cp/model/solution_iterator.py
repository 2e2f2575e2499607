"""The solutions of a CP-SAT model as a lazy iterator."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

from kt_cp.model.backend import STOP_AGAIN, Model, SolutionCallback, Solver
from kt_cp.model.parameters import ENUMERATION
from kt_cp.problem.clock import Clock, OutOfTime

Batch = list[list[int]]

# Solutions travel in batches, as there may be thousands a second; none waits long (seconds).
_BATCH = 64
_PATIENCE = 0.02
_WAITING_BATCHES = 16


class _Collector(SolutionCallback):
    """Puts solutions into a queue, and stops the search when nobody wants them any more."""

    def __init__(self, variables: int) -> None:
        super().__init__()
        self.variables = variables
        self.batches: queue.Queue[Batch | None] = queue.Queue(_WAITING_BATCHES)
        self.unwanted = threading.Event()
        self.batch: Batch = []
        self.flushed = 0.0

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        self.batch.append(list(itertools.islice(response.solution, self.variables)))
        if len(self.batch) == _BATCH or time.monotonic() > self.flushed + _PATIENCE:
            self.flush()
        if self.unwanted.is_set():
            self.StopSearch()

    def flush(self) -> None:
        batch, self.batch = self.batch, []
        self.flushed = time.monotonic()
        if batch:
            self.offer(batch)

    def offer(self, batch: Batch | None) -> None:
        """Wait for room in the queue, unless nobody wants the batch any more."""
        while not self.unwanted.is_set():
            try:
                return self.batches.put(batch, timeout=0.1)
            except queue.Full:
                continue


def solutions(model: Model, variables: int, clock: Clock) -> Iterator[Batch]:
    """Yield the solutions of a model, each as the values of its first variables, in batches.

    The solver works in a thread of its own, at most some thousand solutions ahead, and is stopped
    when the iterator is closed. Raises `OutOfTime` when the clock's limit is reached.
    """
    collector, solver = _Collector(variables), Solver(ENUMERATION, clock)

    def work() -> None:
        try:
            solver.search(model, collector)
            collector.flush()
        finally:
            collector.offer(None)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (batch := collector.batches.get()) is not None:
            yield batch
    finally:
        collector.unwanted.set()
        while thread.is_alive():
            solver.stop()
            thread.join(STOP_AGAIN)
    if not solver.exhausted:
        raise OutOfTime
