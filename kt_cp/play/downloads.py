"""The files that a visitor can take away: tours, maps, puzzles and certificates."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from kt_cp.notation.notations import Notation
from kt_cp.play import actions
from kt_cp.play.jobs import JobError, JobRunner
from kt_cp.play.scene import Scene

NOTATIONS = [each.value for each in Notation if each is not Notation.NPY]
"""The notations that are text."""


class Downloads:
    """The items of a menu, each of which sends a file to the visitor."""

    def __init__(
        self, jobs: JobRunner, now: Callable[[], Scene], say: Callable[[str], None]
    ) -> None:
        """Build the items where this is called.

        ``now`` returns the scene that is shown, and ``say`` tells the visitor a sentence.
        """
        self._jobs, self._now, self._say = jobs, now, say
        self._tours = [
            ui.menu_item(f"Tour: {notation}", partial(self._send_tour, notation))
            for notation in NOTATIONS
        ]
        ui.menu_item("Map of the board", self._send_map)
        self._puzzle = ui.menu_item("Puzzle to play offline", self._send_puzzle)

    def enable(self) -> None:
        """Disable the items for what is not there."""
        scene = self._now()
        for item in self._tours:
            _enable(item, len(scene.path) == scene.size)
        _enable(self._puzzle, scene.puzzle is not None)

    def send_certificate(self) -> None:
        """Send the certificate of what is shown."""
        ui.download.content(f"{self._now().certificate}\n".encode(), "proof.json")

    async def _send_tour(self, notation: str) -> None:
        await self._send("tour.txt", actions.path_text, notation)

    async def _send_map(self) -> None:
        await self._send("board.txt", actions.board_map)

    async def _send_puzzle(self) -> None:
        await self._send("puzzle.html", actions.puzzle_file)

    async def _send(self, name: str, work: Callable[..., str], *arguments: Any) -> None:
        """Send what a worker makes of the position that is shown."""
        try:
            content = await self._jobs.briefly(work, self._now().position, *arguments)
        except JobError as error:
            self._say(f"nothing to download: {error}")
            return
        ui.download.content(f"{content}\n".encode(), name)


def _enable(item: ui.menu_item, is_enabled: bool) -> None:
    if is_enabled:
        item.props(remove="disable")
    else:
        item.props(add="disable")
