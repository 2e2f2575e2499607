"""The controls of the page: named fields and buttons, and what can be chosen in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nicegui import ui

from kt_cp.board import Topology
from kt_cp.play.scene import Scene
from kt_cp.tour.feature_table import FEATURES
from kt_dfs import METHODS

BOARDS = {
    "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##": "Cross without a tour",
    ".##..##.\n........\n........\n........\n#......#\n##....##\n###..###": "Heart",
    ".......\n.......\n..###..\n..###..\n..###..\n.......\n.......": "Ring",
    ".....\n.....\n.....\n.....\n.....\n; kind: closed\n; topology: torus": "Torus",
}
"""Maps of boards to begin with, and how they are called."""

GRAPHS = {
    "a-b b-c c-d d-e e-a a-c": "A graph: paste its edges",
    "a-b b-c c-d d-e e-a a-v b-w c-x d-y e-z v-x x-z z-w w-y y-v": "Graph of Petersen, no cycle",
    "a-b b-c c-d d-e e-a a-f b-g c-h d-i e-j f-k k-g g-l l-h h-m m-i i-n n-j j-o o-f k-p l-q m-r "
    "n-s o-t p-q q-r r-s s-t t-p": "Dodecahedron, Hamilton's game",
}
"""Edges of graphs to begin with, and how they are called."""

TOOLS = {
    "visit": "draws a path",
    "hole": "makes a hole",
    "start": "sets the start",
    "end": "sets the end",
    "require": "requires a move",
    "forbid": "forbids a move",
}
PIECES = ["knight", "camel", "zebra", "giraffe", "wazir", "ferz", "king", "horse"]
GOALS = {"": "any tour"} | {
    f"{sense} {feature}": f"{word} {feature}"
    for feature in FEATURES
    for sense, word in (("minimize", "fewest"), ("maximize", "most"))
}
"""What to look for: the sense and the feature, and how it is called."""

SEARCHES = [*METHODS, "circuit"]


class Shape(NamedTuple):
    """What the fields tell of the board and the kind of tour; a graph has no rows and columns."""

    rows: int
    columns: int
    closed: bool
    piece: str
    topology: str


class Controls:
    """Fields and buttons by their names."""

    def __init__(self) -> None:
        """Begin without any; `select`, `button` and their kin build them where they are called."""
        self._fields: dict[str, Any] = {}
        self._buttons: dict[str, ui.button] = {}
        self.is_showing = False  # then a change of a field is no wish of the visitor

    def value(self, name: str) -> Any:
        """Return what a field holds."""
        return self._fields[name].value

    def set_value(self, name: str, value: Any) -> None:
        """Set a field."""
        self._fields[name].set_value(value)

    def select(
        self, label: str, options: Any, value: Any, changed: Callable[..., Any] | None = None
    ) -> ui.select:
        """Build a field with options."""
        made = ui.select(options, label=label, value=value, on_change=changed)
        self._fields[label] = made.props("dense options-dense outlined").classes("choice")
        return made

    def text(self, label: str, placeholder: str, most: int, changed: Callable[..., Any]) -> None:
        """Build a field for several lines of text, of at most ``most`` characters."""
        made = ui.textarea(label, placeholder=placeholder, on_change=changed)
        self._fields[label] = made.props(f"outlined autogrow maxlength={most}")

    def shape(self, changed: Callable[..., Any]) -> None:
        """Build the fields for the sides of a board and the kind of tour."""
        for side in ("Rows", "Columns"):
            number = ui.number(side, format="%.0f", on_change=changed)
            self._fields[side] = number.props("dense outlined debounce=400").classes("side")
        self._fields["Closed"] = ui.checkbox("Closed", on_change=changed)

    def piece(self, changed: Callable[..., Any]) -> None:
        """Build the fields for the piece and the joined edges."""
        self.select("Piece", PIECES, "knight", changed)
        self.select("Joined edges", [*Topology], "flat", changed)

    def button(self, name: str, action: Callable[..., Any], filled: bool = False) -> ui.button:
        """Build a button; one in each tab is filled."""
        made = ui.button(name, on_click=action, color=None).props("unelevated no-caps")
        self._buttons[name] = made
        self.fill(name, filled)
        return made

    def fill(self, name: str, is_filled: bool) -> None:
        """Fill a button or outline it."""
        self._buttons[name].classes(
            add="filled" if is_filled else "outlined",
            remove="outlined" if is_filled else "filled",
        )

    def read_shape(self) -> Shape:
        """Return what the fields tell of the board; an empty side is 0."""
        sides = [int(self.value(name) or 0) for name in ("Rows", "Columns")]
        rows, columns = sides
        others = (self.value(name) for name in ("Closed", "Piece", "Joined edges"))
        return Shape(rows, columns, *others)

    def show_shape(self, scene: Scene) -> None:
        """Set the fields to the board of a scene; the sides are empty for a graph."""
        self.is_showing = True
        self.set_value("Closed", scene.closed)
        board = scene.board
        self.set_value("Rows", None if board is None else board.rows)
        self.set_value("Columns", None if board is None else board.columns)
        if scene.graph is not None:
            self.set_value("Edges of the graph", scene.graph.text)
        if board is not None:
            self._fields["Piece"].set_options([*dict.fromkeys([*PIECES, board.piece])])
            self.set_value("Piece", board.piece)
            self.set_value("Joined edges", board.topology)
        self.is_showing = False

    def enable(self, enabled: dict[str, bool]) -> None:
        """Enable or disable buttons by their names."""
        for name, is_enabled in enabled.items():
            self._buttons[name].set_enabled(is_enabled)
