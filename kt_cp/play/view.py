"""The board side of the page: the status card, and below it a board, a graph or a puzzle."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from nicegui import ui

from kt_cp.board.names import file_letters
from kt_cp.play.scene import BoardView, Scene

_HOW_TO_DRAW = (
    "Tap a square to begin; dots show where the path can go on.",
    "A tap on the last square takes it back, a tap on an earlier one goes back to it.",
    "Drag from square to square for several moves.",
    "Type a number on a square to ask for it there; Delete takes it away.",
    "Arrows go from square to square, Enter is a tap, Ctrl+Z undoes.",
)
_HOW_TO_DRAW_ON_GRAPHS = (
    "Tap a vertex to begin; dashed rings show where the path can go on.",
    "A tap on the last vertex takes it back, a tap on an earlier one goes back to it.",
    "Change the edges above, and show the graph anew.",
)
ABOUT_PUZZLES = (
    "A puzzle gives some numbers of a tour of this board. Write the others, so that each is one "
    "move from the next: there is exactly one way."
)
ABOUT_RACES = (
    "Two searches go through this board side by side, step by step. The circuit is no search: it "
    "joins cycles through all squares until one is left."
)
"""What the tabs of puzzles and races say before there is one."""

_WHAT_TO_PASTE = (
    "Squares in their order: a1 b3 c5",
    "A board of numbers, row by row: 1 6 3 and so on",
    "A map of squares and holes, in rows of '.' and '#'",
    "Edges of a graph: a-b b-c c-a, or a->b for one direction",
)

_LONG = 90  # letters of a sentence that fit the card on a phone


class StatusCard:
    """The card that says what is going on, with the seconds of a search and two buttons."""

    def __init__(self) -> None:
        """Build the card; buttons are put into its element ``history``."""
        with ui.element("div").classes("card own-card"):
            with ui.element("div").classes("told"):
                self._status = ui.label("").props("role=status")
                self._elapsed = ui.label("").props("aria-live=off").classes("clock")
            self.history = ui.element("div").classes("history")
        ui.element("div").classes("puzzle-card")

    @property
    def is_deleted(self) -> bool:
        """Whether the visitor has left the page."""
        return self._status.is_deleted

    def say(self, words: str) -> None:
        """Show a sentence, which is read out; on a phone a long one is smaller."""
        self._status.set_text(words)
        self._status.classes(replace="long" if len(words) > _LONG else "")

    def show_elapsed(self, words: str) -> None:
        """Show for how long a search has run."""
        self._elapsed.set_text(words)


class Stage:
    """Where a board, a graph or a puzzle is shown; the script ``play.js`` draws the latter two."""

    def __init__(
        self,
        on_pick: Callable[[int], Any],
        on_drag: Callable[[int, int], Any],
        on_type: Callable[[int, int | None], Any],
    ) -> None:
        """Build the elements.

        ``on_pick`` is called with the square or vertex that was tapped, ``on_drag`` with the
        squares from and to which the pointer was dragged, and ``on_type`` with a square and the
        step that was typed there, None to erase it.
        """
        self._on_pick, self._on_drag, self._on_type = on_pick, on_drag, on_type
        self._squares: list[ui.element] = []
        with ui.element("div").classes("frame"):
            self._ranks = ui.element("div").classes("ranks").props("aria-hidden=true")
            with ui.element("div").classes("board") as self._board:
                self._picture = ui.html("", sanitize=False).props("aria-hidden=true")
                self._picture.classes("picture-of-board")
                self._grid = ui.element("div").classes("squares")
                self._grid.props('role=group aria-label="Board"')
                self._grid.on("dragged", self._dragged, ["detail"])
                self._grid.on("typed", self._typed, ["detail"])
                ui.element("div").classes("puzzle-board")
            self._files = ui.element("div").classes("files").props("aria-hidden=true")
        graph = ui.element("div").classes("graph-board")
        graph.on("picked", self._picked_vertex, ["detail"])

    def show(self, scene: Scene, chosen: int | None) -> None:
        """Show the board or the graph of a scene; ``chosen`` is the first square of a move."""
        graph = None
        if scene.graph is not None:
            graph = {**asdict(scene.graph), "labels": scene.labels}
        ui.run_javascript(f"showGraph({json.dumps(graph)})")
        if scene.board is not None:
            self._show_picture(scene.board)
            self._show_squares(scene, scene.board, chosen)
            self._show_names(scene.board)

    def _show_picture(self, board: BoardView) -> None:
        """Show the part of the picture that is the board."""
        left, top, width, height = board.box
        self._picture.set_content(board.svg)
        self._picture.style(
            f"width:{100 * board.width / width:.3f}%;left:{-100 * left / width:.3f}%;"
            f"top:{-100 * top / height:.3f}%"
        )
        self._board.style(f"aspect-ratio:{board.columns}/{board.rows}")
        self._board.style(f"--columns:{board.columns};--rows:{board.rows}")
        self._grid.style(f"grid-template:repeat({board.rows},1fr)/repeat({board.columns},1fr)")

    def _show_squares(self, scene: Scene, board: BoardView, chosen: int | None) -> None:
        """Put a control with its accessible name over every square."""
        if len(self._squares) != len(scene.labels):
            self._make_squares(len(scene.labels))
        self._grid.props(f"data-columns={board.columns} data-count={scene.size}")
        for square, (button, label) in enumerate(zip(self._squares, scene.labels, strict=True)):
            if button.props.get("aria-label") != label:  # others need not be sent again
                button.props["aria-label"] = label
                button.update()
            state = "lost" if square in board.lost else ""
            button.classes(replace="chosen" if square == chosen else state)

    def _make_squares(self, count: int) -> None:
        self._grid.clear()
        with self._grid:
            self._squares = [ui.element("button") for _ in range(count)]
        for square, button in enumerate(self._squares):
            button.props(f"type=button data-square={square} tabindex={-1 if square else 0}")
            button.on("click", lambda square=square: self._on_pick(square))

    def _show_names(self, board: BoardView) -> None:
        """Write the names of files and ranks beside the board."""
        ranks = [str(rank) for rank in range(board.rows, 0, -1)]
        lines = [file_letters(column) for column in range(board.columns)]
        for element, names in ((self._ranks, ranks), (self._files, lines)):
            element.clear()
            with element:
                for name in names:
                    ui.label(name)

    async def _dragged(self, event: Any) -> None:
        await self._on_drag(event.args["detail"]["from"], event.args["detail"]["to"])

    async def _typed(self, event: Any) -> None:
        await self._on_type(event.args["detail"]["square"], event.args["detail"]["step"])

    async def _picked_vertex(self, event: Any) -> None:
        await self._on_pick(event.args["detail"]["vertex"])


def legend_html(scene: Scene) -> str:
    """Return the lines of a scene's legend, each with its mark."""
    lines = scene.board.legend if scene.board is not None else ()
    items = [
        f"<li><span aria-hidden=true>{line.mark}</span>{escape(line.text)}</li>" for line in lines
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def path_html(scene: Scene) -> str:
    """Return the path as a numbered list, or how to begin one."""
    if not scene.path:
        lines = _HOW_TO_DRAW if scene.board is not None else _HOW_TO_DRAW_ON_GRAPHS
        return f"<h2>How to draw</h2>{_list_html(lines)}"
    names = "".join(f"<li>{escape(name)}</li>" for name in scene.path)
    title = f"Path, {len(scene.path)} of {scene.size}"
    return f'<h2>{title}</h2><ol class="route">{names}</ol>'


def details_html(scene: Scene) -> str:
    """Return what a check found, line by line, or what can be checked."""
    if scene.details:
        return f"<h2>In detail</h2>{_list_html(scene.details)}"
    return f"<h2>What can be pasted</h2>{_list_html(_WHAT_TO_PASTE)}"


def _list_html(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
