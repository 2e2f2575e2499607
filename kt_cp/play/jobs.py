"""Jobs of the page, run in worker processes with limits of time, memory and number.

Everything that a visitor asks for is computed in a worker process, so that the server stays free
for others. Workers are started ahead and kept, so that answers come soon.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from kt_cp.messages import InputError
from kt_cp.play import actions
from kt_cp.play.scene import Scene
from kt_cp.play.search_actions import SEARCH_SECONDS
from kt_cp.problem.task import OutOfTimeError
from kt_cp.workers import (
    Interpreter,
    Message,
    MessageKind,
    OverMemoryError,
    OverTimeError,
    WorkerError,
    WorkerPool,
)

MAX_SEARCHES = max(2, os.cpu_count() or 1)
"""The largest number of searches at a time; further visitors are told that the server is busy."""

BRIEF_SECONDS = 10.0
"""The time limit of a job that is no search."""

_MAX_BRIEF_JOBS = 2  # at a time
_MEMORY_MIB = 2048  # of a worker
_GRACE_SECONDS = 3.0  # in which a search may end by itself after its time limit

# Seconds between two checks for a message of a worker: at first, and after a while.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.004, 0.05
_PAUSE_GROWTH = 1.05

_INVALID = "invalid: "  # the beginning of messages on input errors


class JobError(Exception):
    """A job without an answer; the message tells the visitor why, in the words of a search."""

    @property
    def reason(self) -> str:
        """The message without the word ``invalid``, which only the answers of searches have."""
        return str(self).removeprefix(_INVALID)


class JobRunner:
    """Runs the jobs of all visitors in worker processes. A server has one."""

    def __init__(self, max_searches: int = MAX_SEARCHES) -> None:
        """Start no worker yet; from the first job on, two idle workers are kept."""
        self.pool = WorkerPool("kt_cp.play.search_actions:prepare", ahead=2)
        self.max_searches = max_searches
        self.searches = 0  # running now
        self._brief_jobs = asyncio.Semaphore(_MAX_BRIEF_JOBS)

    async def run_search(
        self, work: Callable[..., Scene], *arguments: Any, on_improvement: Callable[[Scene], None]
    ) -> Scene:
        """Run a search in a worker, for up to `SEARCH_SECONDS`, and return its scene.

        ``on_improvement`` is called with each scene that the search sends before it ends. If this
        task is canceled, the worker is ended. Raises `JobError` if too many searches are running,
        or if this one fails.
        """
        if self.searches >= self.max_searches:
            most = self.max_searches
            raise JobError(f"busy: {most} searches are running here; try again in a moment")
        self.searches += 1
        try:
            scene = await self._run(
                work, arguments, SEARCH_SECONDS + _GRACE_SECONDS, on_improvement
            )
        finally:
            self.searches -= 1
        assert isinstance(scene, Scene)
        return scene

    async def run_brief(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run a job that should end at once in a worker, for up to `BRIEF_SECONDS`.

        Return its result. Only a few such jobs run at a time; others wait. Raises `JobError` if the
        job fails.
        """
        async with self._brief_jobs:
            return await self._run(work, arguments, BRIEF_SECONDS, lambda scene: None)

    async def _run(
        self,
        work: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        on_report: Callable[[Scene], None],
    ) -> Any:
        """Run a function in a worker, and return its result. Raises `JobError` if it fails."""
        limits = {"seconds": seconds, "memory": _MEMORY_MIB}
        try:
            with self.pool.asking(
                actions.call_with_plain_errors, work, *arguments, **limits
            ) as worker:
                message = await _wait_for_last_message(worker, on_report)
            return message.result()  # outside the block, in which an error would end the worker
        except Exception as error:
            raise JobError(_describe(error, seconds)) from None


async def _wait_for_last_message(
    worker: Interpreter, on_report: Callable[[Scene], None]
) -> Message:
    """Wait for the last message of a worker without blocking the event loop, and return it.

    ``on_report`` is called with each scene that the worker sends before.
    """
    pause = _FIRST_PAUSE
    while True:
        while not worker.wait(0):
            await asyncio.sleep(pause)
            pause = min(_LONGEST_PAUSE, _PAUSE_GROWTH * pause)
        message = worker.receive()
        if message.kind is not MessageKind.REPORTED:
            return message
        on_report(message.value)


def _describe(error: Exception, seconds: float) -> str:
    """Return why a job with a limit of ``seconds`` has failed, in words for the visitor."""
    match error:
        case InputError():
            return f"{_INVALID}{error}"
        case OverMemoryError():
            return f"unknown: it took more than {_MEMORY_MIB:,} MiB of memory"
        case OverTimeError():
            return f"unknown: it took more than {seconds:g} s"
        case MemoryError():
            return "unknown: the search ran out of memory"
        case OutOfTimeError():
            return "unknown: the search ran out of time"
        case WorkerError():
            return "a bug: the search crashed; please report what you did"
        case _:
            shown = f"{type(error).__name__}: {error}"
            return f"a bug: {shown}; please report what you did"
