"""A search that a worker runs for a visitor of the page, and its outcome."""

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
    """The outcome of a search: the scene of its answer, or None and a problem as the reason."""

    scene: Scene | None
    problem: str = ""


class Search:
    """A running search, with the best scene that it has sent so far."""

    def __init__(self, jobs: JobRunner, work: Callable[..., Scene], *arguments: Any) -> None:
        """Begin the search: a worker calls ``work``, a function that returns a scene."""
        self.best: Scene | None = None
        self.drawn: Scene | None = None  # the last improvement that the page has shown
        self._began = time.monotonic()
        self._task = asyncio.create_task(
            jobs.run_search(work, *arguments, on_improvement=self._improve)
        )

    @property
    def seconds(self) -> float:
        """The seconds since the search began."""
        return time.monotonic() - self._began

    def is_drawn(self, scene: Scene) -> bool:
        """Return whether the page shows the position of a scene as the last improvement."""
        return self.drawn is not None and self.drawn.position == scene.position

    async def outcome(self) -> Outcome:
        """Wait until the search ends, and return its outcome."""
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
        """Keep a better scene that the worker has sent."""
        self.best = scene
