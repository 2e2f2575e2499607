"""Calls of workers for the page: with limits, canceled by the visitor, a few at a time.

Whatever a visitor sends is computed in a worker process, which is started ahead and kept, so that
an answer comes soon, and the server stays free for others.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from kt_cp.errors import InputError
from kt_cp.play import actions
from kt_cp.play.scene import Scene
from kt_cp.problem.clock import OutOfTimeError
from kt_cp.worker_process import Kind, Message
from kt_cp.workers import (
    Interpreter,
    OverMemoryError,
    OverTimeError,
    WorkerError,
    WorkerPool,
)

MAX_SEARCHES = max(2, os.cpu_count() or 1)
"""The most searches at a time; a visitor who comes later is told that the playground is busy."""

MEMORY = 2048
"""The memory, in MiB, that a worker may take."""

SECONDS, GRACE = actions.SECONDS, 3.0
"""The seconds of a search, and those that it may take to end by itself after them."""

BRIEF = 10.0
"""The seconds of any other call."""

# The most other calls at a time.
_MAX_BRIEF = 2

# Seconds between two looks at a worker: at first, and when it has been at work for a while.
_POLL, _LONGEST_POLL = 0.004, 0.05


class JobError(Exception):
    """A job has no answer; the message says why, in words for the visitor."""


class JobRunner:
    """Has worker processes do what visitors ask for. A server has one."""

    def __init__(self, max_searches: int = MAX_SEARCHES) -> None:
        """Start no worker yet; two are kept idle, and ready, from the first call on."""
        self.pool = WorkerPool("kt_cp.play.actions:prepare", ahead=2)
        self.max_searches = max_searches
        self.searches = 0  # that run now
        self._brief_calls = asyncio.Semaphore(_MAX_BRIEF)

    async def search(
        self, work: Callable[..., Scene], *arguments: Any, tell: Callable[[Scene], None]
    ) -> Scene:
        """Run a function in a worker for up to `SECONDS`, and return its scene.

        ``tell`` is called with each scene on the way. When this task is canceled, the worker is
        ended. Raises `JobError` if too many searches are running, or if there is no result.
        """
        if self.searches >= self.max_searches:
            most = self.max_searches
            raise JobError(f"busy: {most} searches are running here; try again in a moment")
        self.searches += 1
        try:
            answer = await self._call(work, arguments, SECONDS + GRACE, tell)
        finally:
            self.searches -= 1
        assert isinstance(answer, Scene)
        return answer

    async def briefly(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function in a worker for up to `BRIEF` seconds, and return its result.

        Only a few such calls run at a time; others wait. Raises `JobError` if there is no result.
        """
        async with self._brief_calls:
            return await self._call(work, arguments, BRIEF, lambda scene: None)

    async def _call(
        self,
        work: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        tell: Callable[[Scene], None],
    ) -> Any:
        limits = {"seconds": seconds, "memory": MEMORY}
        try:
            with self.pool.asked(actions.attempt, work, *arguments, **limits) as worker:
                outcome = await _outcome(worker, tell)
            return outcome.result()  # out of the block, as an error in it would end the worker
        except Exception as error:
            raise JobError(_describe(error, seconds)) from None


async def _outcome(worker: Interpreter, tell: Callable[[Scene], None]) -> Message:
    """Wait for the answer of a worker without holding up the event loop."""
    pause = _POLL
    while True:
        while not worker.wait(0):
            await asyncio.sleep(pause)
            pause = min(_LONGEST_POLL, 1.05 * pause)
        message = worker.receive()
        if message.kind is not Kind.TOLD:
            return message
        tell(message.value)


def _describe(error: Exception, seconds: float) -> str:
    """Say in words for the visitor why a call, limited to ``seconds``, has no answer."""
    match error:
        case InputError():
            return f"invalid: {error}"
        case OverMemoryError():
            return f"unknown: it took more than {MEMORY:,} MiB of memory"
        case OverTimeError():
            return f"unknown: it took more than {seconds:g} s"
        case MemoryError():
            return "unknown: the search ran out of memory"
        case OutOfTimeError():
            return f"unknown: the search ran out of time, {SECONDS:g} s"
        case WorkerError():
            return "a bug: the search crashed; please report what you did"
        case _:
            shown = f"{type(error).__name__}: {error}"
            return f"a bug: {shown}; please report what you did"
