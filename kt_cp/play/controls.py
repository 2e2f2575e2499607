"""The controls of the page: fields and buttons by their names, and the choices in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from nicegui import ui

from kt_cp.board import Topology
from kt_cp.play.scene import Scene
from kt_cp.tour.features import FEATURES
from kt_dfs import METHODS


class Field(StrEnum):
    """The fields, by the labels that visitors see."""

    ROWS = "Rows"
    COLUMNS = "Columns"
    CLOSED = "Closed"
    TOOL = "A tap"
    EDGES = "Edges of the graph"
    PRESET = "Begin with"
    PIECE = "Piece"
    TOPOLOGY = "Glued edges"
    GOAL = "Look for"
    LEVEL = "Level"
    FIRST_SEARCH = "Search"
    SECOND_SEARCH = "Against"
    PATH = "Path"


class Button(StrEnum):
    """The buttons, by the labels that visitors see."""

    UNDO = "Undo"
    REDO = "Redo"
    HINT = "Hint"
    SHOW_GRAPH = "Show the graph"
    CLEAR = "Clear the board"
    SOLVE = "Solve"
    ANOTHER = "Another"
    STOP = "Stop"
    DOWNLOAD = "Download"
    CERTIFICATE = "Certificate"
    PUZZLE = "New puzzle"
    RACE = "Race"
    CHECK = "Check"
    CHECK_COMPLETABLE = "Can it be completed?"
    OPEN_FILE = "Open a file"


BOARDS = {
    "##...##\n##...##\n.......\n.......\n.......\n##...##\n##...##": "Cross without a tour",
    ".##..##.\n........\n........\n........\n#......#\n##....##\n###..###": "Heart",
    ".......\n.......\n..###..\n..###..\n..###..\n.......\n.......": "Ring",
    ".....\n.....\n.....\n.....\n.....\n; kind: closed\n; topology: torus": "Torus",
}
"""Boards to begin with: {map: label}."""

GRAPHS = {
    "a-b b-c c-d d-e e-a a-c": "A graph: paste its edges",
    "a-b b-c c-d d-e e-a a-v b-w c-x d-y e-z v-x x-z z-w w-y y-v": "Graph of Petersen, no cycle",
    "a-b b-c c-d d-e e-a a-f b-g c-h d-i e-j f-k k-g g-l l-h h-m m-i i-n n-j j-o o-f k-p l-q m-r "
    "n-s o-t p-q q-r r-s s-t t-p": "Dodecahedron, Hamilton's game",
}
"""Graphs to begin with: {edges: label}."""

TOOLS = {
    "visit": "draws a path",
    "hole": "makes a hole",
    "start": "sets the start",
    "end": "sets the end",
    "require": "requires a move",
    "forbid": "forbids a move",
}
"""What a tap on a square does: {tool: label}."""

PIECES = ["knight", "camel", "zebra", "giraffe", "wazir", "ferz", "king", "horse"]
"""The pieces to choose from: the named ones that have tours of many boards."""

LONGEST = "longest"
"""The goal of a longest path or cycle, which may leave squares out."""

GOALS = {"": "any tour", LONGEST: "longest path or cycle"} | {
    f"{sense} {feature}": f"{word} {feature}"
    for feature in FEATURES
    for sense, word in (("minimize", "fewest"), ("maximize", "most"))
}
"""What to look for: {goal: label}; a goal is `LONGEST` or a sense and a feature."""

RACERS = [*METHODS, "circuit"]
"""The searches that can race against each other."""


class Shape(NamedTuple):
    """The board and the kind of tour in the fields; an empty side is 0, as both are for a graph."""

    rows: int
    columns: int
    closed: bool
    piece: str
    topology: str


class Controls:
    """The fields and buttons of the page."""

    def __init__(self) -> None:
        """Create no field yet; the ``add_…`` methods do, where they are called."""
        self._fields: dict[Field, Any] = {}
        self._buttons: dict[Button, ui.button] = {}
        self.is_updating = False
        """Whether the page itself changes fields, so that a change is not the visitor's."""

    # -- fields

    def value(self, field: Field) -> Any:
        """Return the value of a field."""
        return self._fields[field].value

    def set_value(self, field: Field, value: Any) -> None:
        """Set the value of a field."""
        self._fields[field].set_value(value)

    def on_change(self, field: Field, action: Callable[..., Any]) -> None:
        """Call a function, with the event if it takes one, when a field changes."""
        self._fields[field].on_value_change(action)

    def add_select(self, field: Field, options: Any, value: Any) -> ui.select:
        """Add a field with options, a list or {value: label}."""
        added = ui.select(options, label=field, value=value)
        self._fields[field] = added.props("dense options-dense outlined").classes("choice")
        return added

    def add_text(self, field: Field, placeholder: str, most: int) -> None:
        """Add a field for several lines of text, of at most ``most`` characters."""
        added = ui.textarea(field, placeholder=placeholder)
        self._fields[field] = added.props(f"outlined autogrow maxlength={most}")

    def add_shape(self) -> None:
        """Add the fields for the sides of a board and the kind of tour."""
        for side in (Field.ROWS, Field.COLUMNS):
            number = ui.number(side, format="%.0f")
            self._fields[side] = number.props("dense outlined debounce=400").classes("side-length")
        self._fields[Field.CLOSED] = ui.checkbox(Field.CLOSED)

    def add_piece(self) -> None:
        """Add the fields for the piece and the glued edges."""
        self.add_select(Field.PIECE, [*PIECES], "knight")
        self.add_select(Field.TOPOLOGY, [*Topology], "flat")

    def read_shape(self) -> Shape:
        """Return the board and the kind of tour in the fields."""
        return Shape(
            rows=int(self.value(Field.ROWS) or 0),
            columns=int(self.value(Field.COLUMNS) or 0),
            closed=self.value(Field.CLOSED),
            piece=self.value(Field.PIECE),
            topology=self.value(Field.TOPOLOGY),
        )

    def show_shape(self, scene: Scene) -> None:
        """Set the fields to the board or the graph of a scene; a graph has no sides."""
        self.is_updating = True
        self.set_value(Field.CLOSED, scene.closed)
        if scene.graph is not None:
            self.set_value(Field.EDGES, scene.graph.text)
        board = scene.board
        if board is None:
            self.set_value(Field.ROWS, None)
            self.set_value(Field.COLUMNS, None)
        else:
            self.set_value(Field.ROWS, board.rows)
            self.set_value(Field.COLUMNS, board.columns)
            pieces = [*dict.fromkeys([*PIECES, board.piece])]  # a map may have a piece of its own
            self._fields[Field.PIECE].set_options(pieces)
            self.set_value(Field.PIECE, board.piece)
            self.set_value(Field.TOPOLOGY, board.topology)
        self.is_updating = False

    # -- buttons

    def add_button(self, name: Button, filled: bool = False) -> ui.button:
        """Add a button; one in each tab is filled."""
        added = ui.button(name, color=None).props("unelevated no-caps")
        self._buttons[name] = added
        self.fill(name, filled)
        return added

    def on_press(self, name: Button, action: Callable[..., Any]) -> None:
        """Call a function when a button is pressed."""
        self._buttons[name].on_click(action)

    def fill(self, name: Button, is_filled: bool) -> None:
        """Fill a button or outline it."""
        if is_filled:
            self._buttons[name].classes(add="filled", remove="outlined")
        else:
            self._buttons[name].classes(add="outlined", remove="filled")

    def enable(self, enabled: Mapping[Button, bool]) -> None:
        """Enable or disable buttons."""
        for name, is_enabled in enabled.items():
            self._buttons[name].set_enabled(is_enabled)
