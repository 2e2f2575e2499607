"""The parts of the page that show a scene: the status card, the stage below it, and lists."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from nicegui import ui

from kt_cp.board.board import file_letters
from kt_cp.play.scene import BoardView, Scene

_HOW_TO_DRAW = (
    "Tap a square to begin; dots show where the path can go on.",
    "A tap on the last square takes it back, a tap on an earlier one goes back to it.",
    "Drag from a square to another to draw the move between them.",
    "Type a number on a square to ask for it there; Delete takes it away.",
    "Arrows go from square to square, Enter is a tap, Ctrl+Z undoes.",
)
_HOW_TO_DRAW_ON_GRAPHS = (
    "Tap a vertex to begin; dashed rings show where the path can go on.",
    "A tap on the last vertex takes it back, a tap on an earlier one goes back to it.",
    "Change the edges above, and show the graph again.",
)

ABOUT_PUZZLES = (
    "A puzzle gives some numbers of a tour of this board. Write the others, so that each is one "
    "move from the next: there is exactly one way."
)
"""The text in the tab of puzzles before there is one."""

ABOUT_RACES = (
    "Two searches go through this board side by side, step by step. The circuit is no search: it "
    "joins cycles through all squares until one is left."
)
"""The text in the tab of races before there is one."""

_WHAT_TO_PASTE = (
    "Squares in their order: a1 b3 c5",
    "A board of numbers, row by row: 1 6 3 and so on",
    "A map of squares and holes, in rows of '.' and '#'",
    "Edges of a graph: a-b b-c c-a, or a->b for one direction",
)

_MOST_COLUMNS_ON_PHONE = 11  # whose numbers can be read on a phone

_LONG_MESSAGE = 90  # characters; a longer message is written smaller on a phone


class StatusCard:
    """The card with the status, the seconds of a search, and the buttons to undo and redo."""

    def __init__(self) -> None:
        """Build the card; its element ``history`` is for the buttons."""
        with ui.element("div").classes("card status-card"):
            with ui.element("div").classes("messages"):
                self._status = ui.label("").props("role=status")
                self._elapsed = ui.label("").props("aria-live=off").classes("clock")
            self.history = ui.element("div").classes("history")
        ui.element("div").classes("puzzle-card")

    def say(self, message: str) -> None:
        """Show a message, which screen readers read out; on a phone a long one is smaller."""
        self._status.set_text(message)
        self._status.classes(replace="long" if len(message) > _LONG_MESSAGE else "")

    def show_elapsed(self, text: str) -> None:
        """Show for how long a search has run."""
        self._elapsed.set_text(text)


class Stage:
    """The place of a board, a graph or a puzzle; scripts draw the latter two."""

    def __init__(self) -> None:
        """Build the elements."""
        self._on_tap: Callable[[int], Any] = lambda square: None
        self._squares: list[ui.element] = []
        with ui.element("div").classes("frame"):
            self._ranks = ui.element("div").classes("ranks").props("aria-hidden=true")
            with ui.element("div").classes("board") as self._board:
                self._picture = ui.html("", sanitize=False).props("aria-hidden=true")
                self._picture.classes("picture-of-board")
                self._grid = ui.element("div").classes("squares")
                self._grid.props('role=group aria-label="Board"')
                ui.element("div").classes("puzzle-board")
            self._files = ui.element("div").classes("files").props("aria-hidden=true")
        self._graph = ui.element("div").classes("graph-board")

    def listen(
        self,
        *,
        on_tap: Callable[[int], Any],
        on_drag: Callable[[int, int], Any],
        on_type: Callable[[int, int | None], Any],
        on_take_back: Callable[[], Any],
    ) -> None:
        """Call functions when something happens to a square or a vertex.

        ``on_tap`` gets the square or vertex that was tapped, ``on_drag`` the squares from and to
        which the pointer was dragged, and ``on_type`` a square and the step that was typed there,
        or None if it was erased. ``on_take_back`` is called before a longer step replaces one that
        was typed.
        """

        def send_vertex(event: Any) -> Any:
            return on_tap(event.args["detail"]["vertex"])

        def send_drag(event: Any) -> Any:
            detail = event.args["detail"]
            return on_drag(detail["source"], detail["target"])

        def send_step(event: Any) -> Any:
            detail = event.args["detail"]
            return on_type(detail["square"], detail["step"])

        self._on_tap = on_tap
        self._graph.on("tapped", send_vertex, ["detail"])
        self._grid.on("dragged", send_drag, ["detail"])
        self._grid.on("typed", send_step, ["detail"])
        self._grid.on("taken-back", on_take_back, [])

    def show(self, scene: Scene, move_start: int | None) -> None:
        """Show the board or the graph of a scene.

        ``move_start`` is the first square of a move to require or forbid.
        """
        graph = None
        if scene.graph is not None:
            graph = {**asdict(scene.graph), "labels": scene.labels}
        ui.run_javascript(f"showGraph({json.dumps(graph)})")
        if scene.board is not None:
            self._show_picture(scene.board)
            self._show_squares(scene, scene.board, move_start)
            self._show_names(scene.board)

    def _show_picture(self, board: BoardView) -> None:
        """Show the part of the picture that is the board."""
        left, top, width, height = board.box
        self._picture.set_content(board.svg)
        self._picture.style(
            f"width:{100 * board.width / width:.3f}%;left:{-100 * left / width:.3f}%;"
            f"top:{-100 * top / height:.3f}%"
        )
        if board.columns > _MOST_COLUMNS_ON_PHONE:
            self._board.classes("crowded")
        else:
            self._board.classes(remove="crowded")
        self._board.style(f"aspect-ratio:{board.columns}/{board.rows}")
        self._board.style(f"--columns:{board.columns};--rows:{board.rows}")
        self._grid.style(f"grid-template:repeat({board.rows},1fr)/repeat({board.columns},1fr)")

    def _show_squares(self, scene: Scene, board: BoardView, move_start: int | None) -> None:
        """Update the control over every square, its accessible name and its mark."""
        if len(self._squares) != len(scene.labels):
            self._make_squares(len(scene.labels))
        self._grid.props(f"data-columns={board.columns} data-count={scene.size}")
        for square, (button, label) in enumerate(zip(self._squares, scene.labels, strict=True)):
            if button.props.get("aria-label") != label:  # others need not be sent again
                button.props["aria-label"] = label
                button.update()
            button.classes(replace=_square_class(square, board, move_start))

    def _make_squares(self, count: int) -> None:
        """Put as many controls over the board as it has squares and holes."""
        self._grid.clear()
        with self._grid:
            self._squares = [ui.element("button") for _ in range(count)]
        for square, button in enumerate(self._squares):
            button.props(f"type=button data-square={square} tabindex={-1 if square else 0}")
            button.on("click", lambda square=square: self._on_tap(square))

    def _show_names(self, board: BoardView) -> None:
        """Write the names of files and ranks beside the board."""
        ranks = [str(rank) for rank in range(board.rows, 0, -1)]
        files = [file_letters(column) for column in range(board.columns)]
        for element, names in ((self._ranks, ranks), (self._files, files)):
            element.clear()
            with element:
                for name in names:
                    ui.label(name)


def _square_class(square: int, board: BoardView, move_start: int | None) -> str:
    """Return the class by which a square is marked, or an empty text."""
    if square == move_start:
        return "move-start"
    if square == board.hinted:
        return "hinted"
    if square in board.unreachable:
        return "unreachable"
    return ""


def legend_html(scene: Scene) -> str:
    """Return the legend of a scene as a list, each line with its mark; empty if there is none."""
    lines = scene.board.legend if scene.board is not None else ()
    items = [
        f"<li><span aria-hidden=true>{line.mark}</span>{escape(line.text)}</li>" for line in lines
    ]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def path_html(scene: Scene) -> str:
    """Return the path as a numbered list, or the instructions for drawing one."""
    if not scene.path_names:
        lines = _HOW_TO_DRAW if scene.board is not None else _HOW_TO_DRAW_ON_GRAPHS
        return f"<h2>How to draw</h2>{_list_html(lines)}"
    names = "".join(f"<li>{escape(name)}</li>" for name in scene.path_names)
    title = f"Path, {len(scene.path_names)} of {scene.size}"
    return f'<h2>{title}</h2><ol class="route">{names}</ol>'


def details_html(scene: Scene) -> str:
    """Return the details of an answer as a list, or what can be pasted."""
    if scene.details:
        return f"<h2>In detail</h2>{_list_html(scene.details)}"
    return f"<h2>What can be pasted</h2>{_list_html(_WHAT_TO_PASTE)}"


def _list_html(lines: Sequence[str]) -> str:
    """Return lines of text as a list."""
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
