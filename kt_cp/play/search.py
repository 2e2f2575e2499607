"""A search that runs for a visitor of the page, and how it ended."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kt_cp.play.jobs import JobError, JobRunner
from kt_cp.play.scene import Scene


@dataclass(frozen=True)
class Outcome:
    """How a search ended: the scene that answers, or None and the reason why there is none."""

    scene: Scene | None
    problem: str = ""


class Search:
    """A search that a worker does for a visitor, with the best scene that it has told so far."""

    def __init__(self, jobs: JobRunner, work: Callable[..., Scene], *arguments: Any) -> None:
        """Begin the search, which calls a function of `kt_cp.play.actions`."""
        self.best: Scene | None = None
        self.drawn: Scene | None = None  # the last of the best scenes that the page has shown
        self._began = time.monotonic()
        self._task = asyncio.create_task(jobs.search(work, *arguments, tell=self._improve))

    @property
    def seconds(self) -> float:
        """The seconds since the search began."""
        return time.monotonic() - self._began

    async def outcome(self) -> Outcome:
        """Wait until the search ends, and return how."""
        try:
            return Outcome(await self._task)
        except JobError as error:
            return Outcome(None, str(error))
        except asyncio.CancelledError:
            return Outcome(None, "stopped")

    def stop(self) -> None:
        """End the search."""
        self._task.cancel()

    def _improve(self, scene: Scene) -> None:
        self.best = scene
