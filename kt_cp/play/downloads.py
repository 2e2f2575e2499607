"""The files that a visitor can download: tours, maps, puzzles and certificates."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from kt_cp.notation.notations import Notation
from kt_cp.play import actions, puzzle_actions
from kt_cp.play.jobs import JobError, JobRunner
from kt_cp.play.scene import Scene

NOTATIONS = [each.value for each in Notation if each is not Notation.NPY]
"""The notations of tours that are text."""


class Downloads:
    """The items of a menu, each of which sends a file to the visitor."""

    def __init__(
        self, jobs: JobRunner, current_scene: Callable[[], Scene], say: Callable[[str], None]
    ) -> None:
        """Build the items where this is called.

        ``current_scene`` returns the scene that is shown, and ``say`` shows a sentence.
        """
        self._jobs = jobs
        self._current_scene = current_scene
        self._say = say
        self._tours = [
            ui.menu_item(f"Tour: {notation}", partial(self._send_tour, notation))
            for notation in NOTATIONS
        ]
        ui.menu_item("Map of the board", self._send_map)
        self._puzzle = ui.menu_item("Puzzle to play offline", self._send_puzzle)

    def update(self) -> None:
        """Enable the items for which there is something to download."""
        scene = self._current_scene()
        for item in self._tours:
            _enable(item, len(scene.path_names) == scene.size)
        _enable(self._puzzle, scene.puzzle is not None)

    def send_certificate(self) -> None:
        """Send the certificate of the scene."""
        ui.download.content(f"{self._current_scene().certificate}\n".encode(), "proof.json")

    async def _send_tour(self, notation: str) -> None:
        """Send the tour in a notation."""
        await self._send("tour.txt", actions.path_text, notation)

    async def _send_map(self) -> None:
        """Send the board with its constraints as a map."""
        await self._send("board.txt", actions.board_text)

    async def _send_puzzle(self) -> None:
        """Send the page on which the puzzle is played."""
        await self._send("puzzle.html", puzzle_actions.puzzle_file)

    async def _send(self, name: str, work: Callable[..., str], *arguments: Any) -> None:
        """Send the text that a worker makes of the position."""
        try:
            content = await self._jobs.run_brief(work, self._current_scene().position, *arguments)
        except JobError as error:
            self._say(f"nothing to download: {error.reason}")
            return
        ui.download.content(f"{content}\n".encode(), name)


def _enable(item: ui.menu_item, is_enabled: bool) -> None:
    """Enable or disable an item of a menu, which has no method for that."""
    if is_enabled:
        item.props(remove="disable")
    else:
        item.props(add="disable")
