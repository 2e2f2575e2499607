"""Pools of worker processes, which are kept for the next calls.

For example::

    pool = WorkerPool()
    try:
        answer = pool.call(function, argument, seconds=10, memory=500)
    except OverTimeError:
        ...
"""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from kt_cp.workers import Interpreter, StartError

T = TypeVar("T")

_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


def _forget_workers() -> None:
    """Empty the pools of a new fork, which must not use the workers of its parent."""
    for pool in _pools:
        pool.idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


class WorkerPool:
    """A pool of Python processes, each of which answers one call at a time.

    Workers are kept for the next calls, so that modules are imported once; without ``reuse`` each
    answers a single call. ``ahead`` is the number of idle workers that are started before they are
    needed, from the first call or `start_ahead` on. ``prepare`` and ``shows_output`` are those of
    `Interpreter`.
    """

    def __init__(
        self,
        prepare: str = "",
        ahead: int = 0,
        reuse: bool = True,
        shows_output: bool = False,
    ) -> None:
        self.prepare, self.ahead, self.reuse = prepare, ahead, reuse
        self.shows_output = shows_output
        self.idle: list[Interpreter] = []
        self.busy: set[Interpreter] = set()
        _pools.add(self)

    def call(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float = math.inf,
        memory: float | None = None,
        on_report: Callable[[Any], None] | None = None,
    ) -> Any:
        """Call a function in a worker; return what it returns, or raise what it raises.

        ``seconds`` count from when the worker is ready; ``memory`` is in MiB. ``on_report`` is
        called with each value that the function reports. Raises `WorkerError` if the worker passes
        a limit or dies, and `StartError` if none can be started.
        """
        with self.asking(function, *arguments, seconds=seconds, memory=memory) as worker:
            outcome = worker.outcome(on_report)
        return outcome.result()

    @contextmanager
    def asking(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float = math.inf,
        memory: float | None = None,
    ) -> Iterator[Interpreter]:
        """Send a call to a worker, and yield the worker.

        The block must receive the answer (`Worker.outcome`). If the block raises an exception, the
        worker is ended.
        """
        try:
            worker = self.idle.pop()
        except IndexError:
            worker = self._start()
        self.busy.add(worker)
        is_kept = False
        try:
            worker.limit(seconds, memory)
            worker.ask(function, arguments)
            yield worker
            is_kept = self.reuse
        finally:
            self.busy.discard(worker)
            if is_kept:
                self.idle.append(worker)
            else:
                worker.end()
            with suppress(StartError):
                self.start_ahead()

    def start_ahead(self) -> None:
        """Start workers until ``ahead`` are idle; the new ones are used last."""
        while len(self.idle) < self.ahead:
            self.idle.insert(0, self._start())

    def end(self, *, busy: bool = False) -> None:
        """End the workers that are idle and, if asked for, kill those that are busy."""
        if busy:
            for worker in list(self.busy):
                worker.kill()
        while self.idle:
            with suppress(IndexError):  # another thread was faster
                self.idle.pop().end()

    def _start(self) -> Interpreter:
        """Start a worker, and return it."""
        return Interpreter(self.prepare, self.shows_output)


class WorkerExecutor(ThreadPoolExecutor):
    """An executor whose calls run in worker processes, at most ``jobs`` at a time.

    The result of a future is that of `WorkerPool.call`.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._pool = WorkerPool()

    def submit(self, function: Callable[..., T], /, *arguments: Any, **options: Any) -> Future[T]:
        """Call a function in a worker, and return the future result."""
        return super().submit(self._pool.call, partial(function, *arguments, **options))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers: once their calls are done or, without ``wait``, at once."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._pool.end(busy=not wait)
