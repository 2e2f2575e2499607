"""Jobs of the page, run in worker processes with limits of time, memory and number.

Everything that a visitor asks for is computed in a worker process, so that the server stays free
for others. Workers are started ahead and kept, so that answers come soon.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from kt_cp.messages import InputError
from kt_cp.play.work import SEARCH_SECONDS, Scene
from kt_cp.problem.task import OutOfTimeError
from kt_cp.workers import OverMemoryError, OverTimeError, WorkerError, WorkerPool

MAX_SEARCHES = max(2, os.cpu_count() or 1)
"""The largest number of searches at a time; further visitors are told that the server is busy."""

BRIEF_SECONDS = 10.0
"""The time limit of a job that is no search."""

_MAX_BRIEF_JOBS = 2  # at a time
_MEMORY_MIB = 2048  # of a worker
_GRACE_SECONDS = 3.0  # after the time limit, in which a search may end by itself


class JobError(Exception):
    """A job without an answer; the message tells the visitor why."""


class JobRunner:
    """Runs the jobs of all visitors in worker processes. A server has one."""

    def __init__(self, max_searches: int = MAX_SEARCHES) -> None:
        """Start no worker yet; from the first job on, two idle workers are kept."""
        self.pool = WorkerPool("kt_cp.play.work:prepare", ahead=2)
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
            raise JobError(
                f"busy: {self.max_searches} searches are running here; try again in a moment"
            )
        self.searches += 1
        seconds = SEARCH_SECONDS + _GRACE_SECONDS
        try:
            scene: Scene = await self._run(seconds, on_improvement, work, *arguments)
            return scene
        finally:
            self.searches -= 1

    async def run_brief(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run a job that should end at once in a worker, for up to `BRIEF_SECONDS`.

        Return its result. Only a few such jobs run at a time; others wait. Raises `JobError` if the
        job fails.
        """
        async with self._brief_jobs:
            return await self._run(BRIEF_SECONDS, lambda scene: None, work, *arguments)

    async def _run(self, seconds: float, on_report: Callable[[Scene], None], *call: Any) -> Any:
        """Make a call in a worker, which a thread waits for, and return its result.

        Raises `JobError` if it fails. If this task is canceled, it ends when the worker has.
        """
        loop = asyncio.get_running_loop()
        stop = threading.Event()

        def report(scene: Scene) -> None:
            """Hand a scene to the event loop."""
            loop.call_soon_threadsafe(on_report, scene)

        call_in_thread = asyncio.to_thread(
            self.pool.call,
            call_with_plain_errors,
            *call,
            on_report=report,
            seconds=seconds,
            memory=_MEMORY_MIB,
            stop=stop,
        )
        waiting = asyncio.create_task(call_in_thread)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            stop.set()
            with suppress(Exception):
                await waiting
            raise
        except Exception as error:
            raise JobError(_describe(error, seconds)) from None


def call_with_plain_errors(work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, and raise its input errors as plain `InputError`, which can be pickled."""
    try:
        return work(*arguments)
    except InputError as error:
        raise InputError(str(error)) from None


def _describe(error: Exception, seconds: float) -> str:
    """Return why a job with a limit of ``seconds`` has failed, in words for the visitor."""
    match error:
        case InputError():
            return str(error)
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
            return f"a bug: {type(error).__name__}: {error}; please report what you did"
