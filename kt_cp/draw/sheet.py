"""The sheet of a picture: its options, a board or graph, what is drawn there, and the legend."""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board import KNIGHT, Board, Topology
from kt_cp.board.board import file_letters
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import Mark, Picture, Points, disc, filled, line, shapes, texts
from kt_cp.errors import (
    InputError,
    checked_choice,
    checked_flag,
    checked_number,
    pluralize,
    printable,
)
from kt_cp.files import optional
from kt_cp.graph import Graph

MAX_SQUARES, MAX_SIDE, MAX_VERTICES = 1_000_000, 3_000, 100

Ids = npt.NDArray[np.integer]

# In pixels: the side of a board, unless its squares would be smaller or larger than these; the
# smallest squares for details such as chevrons, and for the names of files and ranks.
_BOARD_SIDE = 1000
_CELL_SIDES = 3, 64
_FINE, _NAMED = 12, 20
_MARGIN, _NAMES_ROOM = 16, 20
_MIN_WIDTH = 360
_LEGIBLE = 11  # the smallest size of a letter
_LARGEST = 8000  # side of a board on which letters matter
_LETTER, _PROSE = 0.6, 0.54  # width of a letter, and on average in a sentence, for a size of 1
_CAPTION_SIZE, _TEXT_SIZE, _LINE = 15, 13, 1.55  # the height of a line, for a size of 1
_MARK, _MARK_ROOM = 5, 30  # radius of a mark in the legend, and what is left free for it
# In squares: the room for a number, and the radius of the mark of an end and of a number's disc.
ROOM, DOT, DISC = 0.85, 0.14, 0.3
# Of a graph: its side in squares, the radius of vertices and, with more letters, of small ones.
_GRAPH_SIDE, _VERTEX, _LETTERS, _SMALL_VERTEX = 10, 12.0, 3, 5.0


class Style(StrEnum):
    """What a picture of a tour shows: its line, the order of its squares, or its features."""

    LINES = "lines"
    NUMBERS = "numbers"
    ARROWS = "arrows"
    ORDER = "order"
    HEAT = "heat"
    FILLED = "filled"
    CROSSINGS = "crossings"
    ANGLES = "angles"


@dataclass(frozen=True)
class Look:
    """The options of a picture, whatever it shows.

    ``style`` is for tours of boards only; ``heat`` is another name for ``order``. ``title``
    replaces the usual caption, and an empty one omits it. ``first`` is the number that is written
    for step 1. Raises `InputError` for a value of another kind, such as an unknown style.
    """

    style: Style = Style.LINES
    title: str | None = None
    legend: bool = True
    coordinates: bool = True
    first: int = 1
    theme: Theme = Theme.AUTO

    def __post_init__(self) -> None:
        style = checked_choice("style", self.style, Style)
        object.__setattr__(self, "style", Style.ORDER if style is Style.HEAT else style)
        object.__setattr__(self, "theme", checked_choice("theme", self.theme, Theme))
        if not isinstance(self.title, str | None):
            raise InputError(f"title {self.title!r}: give text, or None for the usual caption")
        checked_flag("legend", self.legend)
        checked_flag("coordinates", self.coordinates)
        checked_number("first", self.first, 0)


USUAL = Look()


class Sheet:
    """A board or graph to draw on; the larger a board is, the smaller are its squares.

    The colors of squares lie below what is drawn, in the order of the calls, and the vertices of a
    graph with their names above it. If possible, squares have room for words of ``letters``
    letters; a ``grid`` separates them. Lengths are in pixels: ``cell`` is the side of a square;
    ``left`` and ``top`` are the board's corner. ``zoom`` enlarges what is not on the board, so that
    it is legible beside a large one. Raises `InputError` as `check_size`.
    """

    def __init__(
        self, graph: Graph, caption: str, look: Look = USUAL, letters: int = 0, grid: bool = False
    ) -> None:
        check_size(graph)
        self.graph, self.caption, self.look = graph, caption, look
        self.is_board, self.places = isinstance(graph, Board), _places(graph)
        side = math.ceil(self.places.max() + 0.5)
        least, most = map(float, _CELL_SIDES)
        if letters:
            least = max(least, min((_LEGIBLE + 1) / _share(letters) / ROOM, _LARGEST / side))
        self.cell = max(least, min(most, _BOARD_SIDE // side))
        self.zoom = max(1.0, side * self.cell / _BOARD_SIDE)
        self.fine = self.cell >= _FINE  # squares are large enough for details
        self.grid = grid and self.fine
        self.line_width = min(2.0, 0.04 * self.cell + 0.8) if self.fine else 0.13 * self.cell
        self.has_names = look.coordinates and self.cell >= _NAMED and self.is_board
        margin = _MARGIN * self.zoom
        self.left, self.top = margin + _NAMES_ROOM * self.has_names, margin
        self.fills: list[tuple[str, Ids]] = []
        self.elements: list[str] = []
        self.legend: list[tuple[Mark | None, str]] = []
        self.parts = [self]

    def beside(self, board: Board, right: float, down: float) -> Sheet:
        """Return a sheet for a further board, at a corner in squares from that of this one."""
        part = copy(self)
        part.graph, part.fills, part.places = board, [], _places(board)
        part.left, part.top = self.at([right, down]).tolist()
        self.parts.append(part)
        return part

    def at(self, places: npt.ArrayLike) -> Points:
        """Return points in pixels; ``places`` are (column, row), in squares from the corner."""
        return np.asarray(np.asarray(places) * self.cell + [self.left, self.top])

    def centers(self, squares: npt.ArrayLike) -> Points:
        """Return the middle of each square; (x, y) is one more dimension than those of the ids."""
        return self.at(self.places[np.asarray(squares, dtype=np.int64)])

    def segments(self, pairs: npt.ArrayLike) -> Points:
        """Return the ends of each move, n x 2 ends x (x, y); the moves are rows of two ids.

        A move across a glued edge is two segments: to the edge, and from the opposite edge.
        """
        board, moves = self.graph, np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        ends = self.places[moves]
        if not isinstance(board, Board) or board.topology is Topology.FLAT:
            return self.at(ends)
        across = ~replace(board, topology=Topology.FLAT).are_moves(*moves.T)
        tails, heads = ends[across, 0], ends[across, 1]
        jumps = _jumps(board, heads - tails)
        there, back = _to_the_edge(board, tails, jumps), _to_the_edge(board, heads, -jumps)
        ends = np.repeat(ends, 1 + across, axis=0)
        halves = np.stack([tails, there, back, heads], axis=1)
        ends[np.repeat(across, 1 + across)] = halves.reshape(-1, 2, 2)
        return self.at(ends)

    def fill(self, role: str, squares: Collection[int] | Ids, text: str | None = None) -> None:
        """Color squares, which the legend counts if there is a text and any of them."""
        ids = np.array([*squares], dtype=np.int64)
        self.fills.append((role, ids))
        if text is not None and len(ids):
            self.tell(f"{text}: {pluralize(len(ids), 'square')}", filled(role))

    def moves(
        self,
        pairs: npt.ArrayLike,
        stroke: str = "line",
        times: float = 1.0,
        name: str = "move",
        dashes: tuple[float, float] | None = None,
        text: str | None = None,
    ) -> None:
        """Draw moves, rows of two ids, ``times`` as wide as the usual line, if there are any."""
        if len(corners := self.segments(pairs)):
            width = times * self.line_width
            self.elements.append(shapes(name, corners, stroke, width, dashes=dashes))
            if text is not None:
                self.tell(text, line(stroke, dashes=dashes))

    def chevrons(self, pairs: npt.ArrayLike, stroke: str = "line") -> None:
        """Draw a small chevron on each move, a little behind its middle."""
        tails, heads = self.segments(pairs).transpose(1, 0, 2)
        along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
        along *= max(0.1 * self.cell, 3)
        across = along[:, ::-1] * [0.8, -0.8]
        tip = tails + 0.6 * (heads - tails) + along / 2
        sides = [np.stack([tip - along + side, tip], axis=1) for side in (across, -across)]
        self.elements.append(shapes("head", np.concatenate(sides), stroke, self.line_width))

    def mark(
        self, mark: Mark, squares: Sequence[int] | Ids, radius: float = DOT, text: str | None = None
    ) -> None:
        """Draw a mark, whose radius is in squares, and in the legend if there is a text.

        On a vertex of a graph it looks out from below.
        """
        size = max(radius * self.cell, 4 * self.zoom, 0 if self.is_board else _VERTEX + 4)
        self.elements.append(mark(self.centers(squares), size))
        if text is not None:
            self.tell(text, mark)

    def words(
        self,
        squares: Sequence[int] | Ids,
        words: Iterable[object],
        room: float = 1.0,
        fill: str = "ink",
        bold: bool = False,
        letters: int = 0,
        blank: bool = False,
    ) -> bool:
        """Write a word into each square; return False, and write nothing, if they are illegible.

        The size is the one for the longest word, or for ``letters`` if those are more, in a
        ``room`` that is part of the square's side. ``blank`` hides lines below the words. In the
        vertices of a graph stand their names only.
        """
        if not self.is_board:
            return True
        told = list(map(str, words))
        size = self.cell * room * _share(max([letters, *map(len, told)]))
        if size < _LEGIBLE:
            return False
        if told and blank:
            self.mark(disc("light"), squares, DISC)
        if told:
            self.elements.append(texts(self.centers(squares), told, size, fill, bold=bold))
        return True

    def tell(self, text: str, mark: Mark | None = None) -> None:
        """Add a line to the legend, with the mark that it explains."""
        self.legend.append((mark, self.graph.words(text)))

    def step(self, place: int) -> str:
        """Name the step at a place of the path, counted from 1, by its own number."""
        return f"step {place - 1 + self.look.first:,}"

    def finish(self, text: str = "") -> Picture:
        """Return the picture, with a text for those who cannot see it, by default the legend."""
        text = text or "; ".join([self.caption, *(told for _, told in self.legend)])
        zoom, left, parts = self.zoom, self.left, self.parts
        self.elements[:0] = [each for part in parts for each in part._ground()]
        self.elements += self._vertices()
        ends = [part.at(part.places.max(axis=0) + 0.5) for part in parts]
        right, bottom = np.max(ends, axis=0).tolist()
        width = max(_MIN_WIDTH * zoom, right + _MARGIN * zoom)
        room = (width - left) / zoom - _MARGIN
        y = bottom + _NAMES_ROOM * self.has_names + 8 * zoom
        caption = sentence(self.caption) if self.look.title is None else self.look.title
        y = self._write(caption, left, y, room, _CAPTION_SIZE, "ink") + 4 * zoom
        entries = self.legend if self.look.legend else []
        longest = max((len(told) for _, told in entries), default=0)
        fitting = int(room / (_MARK_ROOM + _MARGIN + longest * _TEXT_SIZE * _PROSE))
        columns = max(1, min(len(entries), fitting))
        for place, (mark, told) in enumerate(entries):
            x = left + place % columns / columns * room * zoom
            indent = _MARK_ROOM if mark else 0
            if mark:
                middle = np.array([[x + 10 * zoom, y + _TEXT_SIZE * _LINE / 2 * zoom]])
                self.elements.append(mark(middle, _MARK * zoom))
            below = self._write(told, x + indent * zoom, y, room - indent, _TEXT_SIZE, "muted")
            if place % columns == columns - 1 or place == len(entries) - 1:
                y = below
        height, elements = y + _MARGIN / 2 * zoom, tuple(self.elements)
        picture = Picture(width, height, plain(caption), text, elements, self.look.theme)
        return replace(picture, corner=(left, self.top), cell=self.cell)

    def _write(self, text: str, x: float, y: float, room: float, size: float, fill: str) -> float:
        """Write text, broken into lines that fit the room, and return the height below it."""
        is_wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
        letters = int(room / (size if is_wide else size * _PROSE))
        lines = tuple(textwrap.wrap(plain(text), letters))
        step = _LINE * size * self.zoom
        points = np.array([(x, y + (number + 0.5) * step) for number in range(len(lines))])
        if lines:
            self.elements.append(texts(points, lines, size * self.zoom, fill, centered=False))
        return float(y + len(lines) * step)

    def _ground(self) -> Iterator[str]:
        """Yield the squares, the outline of the board and the names of its lines, or the edges.

        Holes are left blank. On a large board no square is dark, as a fine checkered pattern is
        only noise.
        """
        board = self.graph
        if not isinstance(board, Board):
            yield shapes("edge", self.centers(board.arcs), "faint", 0.8)
            return
        roles = list(dict.fromkeys(["light", "dark", *(role for role, _ in self.fills)]))
        kinds = np.where(board.dark(np.arange(board.area)) & self.fine & (not self.grid), 1, 0)
        for role, ids in self.fills:
            kinds[ids] = roles.index(role)
        kinds[~board.mask] = -1
        corners, kinds = _rectangles(kinds.reshape(board.rows, board.columns), apart=self.grid)
        stroke, width = ("faint", 0.8) if self.grid else (None, 0)
        for number in np.unique(kinds[kinds >= 0]).tolist():
            chosen = self.at(corners[kinds == number])
            yield shapes("squares", chosen, stroke, width, roles[number])
        yield shapes("outline", self.at(_outline(board)), "faint", self.zoom)
        if self.has_names:
            columns, rows, apart = range(board.columns), range(board.rows), _NAMES_ROOM / 2
            files = self.at([(column + 0.5, board.rows) for column in columns])
            ranks = self.at([(0, row + 0.5) for row in rows])
            files[:, 1] += apart + 2
            ranks[:, 0] -= apart
            words = (*map(file_letters, columns), *(str(board.rows - row) for row in rows))
            yield texts(np.concatenate([files, ranks]), words, 11, "muted")

    def _vertices(self) -> Iterator[str]:
        """Yield the vertices of a graph, with short names inside or longer ones above them."""
        if self.is_board:
            return
        names = [self.graph.name(vertex) for vertex in self.graph.vertices.tolist()]
        fits = max(map(len, names)) <= _LETTERS
        radius = _VERTEX if fits else _SMALL_VERTEX
        for role, ids in [("paper", self.graph.vertices), *self.fills]:
            yield disc(role, "line", 0.12)(self.centers(ids), radius)
        yield texts(self.at(self.places) - [0, 0 if fits else 2 * _VERTEX], names, 11.0, "ink")


def check_size(graph: Graph) -> None:
    """Raise `InputError` for too large a board or graph, or a graph without the extra."""
    if isinstance(graph, Board):
        if graph.area > MAX_SQUARES or max(graph.rows, graph.columns) > MAX_SIDE:
            most = f"{MAX_SQUARES:,} squares and {MAX_SIDE:,} in a row or column"
            raise InputError(f"board {graph.size}: a picture shows at most {most}")
        return
    if len(graph) > MAX_VERTICES:
        raise InputError(f"graphs are drawn up to {MAX_VERTICES} vertices; this is a {graph.title}")
    for package in ("scipy", "networkx"):
        optional(package, "pictures of graphs", "pip install 'knights-tours[graphs]'")


def _places(graph: Graph) -> Points:
    """Return the middles of squares in squares, or those of vertices, as far apart as in the graph.

    Source: Kamada and Kawai 1989, for graphs.
    """
    if isinstance(graph, Board):
        rows, columns = np.divmod(np.arange(graph.area), graph.columns)
        return np.stack([columns, rows], axis=1) + 0.5
    import networkx as nx

    drawn = nx.Graph(graph.to_networkx())
    layout = nx.circular_layout(drawn)  # as a start it makes the layout the same every time
    if nx.is_connected(drawn):
        layout = nx.kamada_kawai_layout(drawn, pos=layout)
    places = np.array([layout[vertex] for vertex in graph.vertices.tolist()], dtype=np.float64)
    spread = np.ptp(places, axis=0).max() or 1.0
    return np.asarray(0.5 + (places - places.min(axis=0)) / spread * (_GRAPH_SIDE - 1))


def _share(letters: int) -> float:
    """Return the size of a font by the side of a square in which it writes ``letters``."""
    return min(0.45, 0.8 / (_LETTER * max(letters, 1)))


def glyph(board: Board) -> str:
    """Return what stands for the piece of a board."""
    return "♞" if board.piece == KNIGHT else "●"


def plain(text: str) -> str:
    """Return a text on one line, with control characters escaped."""
    return printable(" ".join(text.split()))


def printed(text: str) -> str:
    """Return a text with its sizes and numbers as in print.

    >>> printed("dfs on 5x5"), printed("a tour of 1600 squares")
    ('dfs on 5 × 5', 'a tour of 1,600 squares')
    """
    text = re.sub(r"(?<![\w.])(\d+)x(\d+)(?![\w.])", r"\1 × \2", text)
    return re.sub(r"\b\d{4,}(?= [a-z])", lambda number: f"{int(number[0]):,}", text)


def sentence(text: str) -> str:
    """Return a text as a caption: it begins with a capital letter unless with a name.

    >>> sentence("closed tour of 8x8"), sentence("a1 to b3")
    ('Closed tour of 8 × 8', 'a1 to b3')
    """
    return re.sub(r"^[a-z](?=[a-z])(?![a-z]*\d)", lambda first: first[0].upper(), printed(text))


def _rectangles(kinds: Ids, apart: bool) -> tuple[Points, Ids]:
    """Return rectangles, of neighbors in a row of one kind unless ``apart``, and their kinds."""
    changes = (np.diff(kinds, axis=1, prepend=-2) != 0) | apart
    starts = np.flatnonzero(changes)
    (top, left), lengths = np.divmod(starts, kinds.shape[1]), np.diff(starts, append=kinds.size)
    right, bottom = left + lengths, top + 1
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return np.array(corners, dtype=np.float64).transpose(2, 0, 1), kinds[changes]


def _outline(board: Board) -> Points:
    """Return the sides between a square and a hole or the outside."""
    mask = np.pad(board.mask.reshape(board.rows, board.columns), 1)
    level, upright = np.diff(mask[:, 1:-1], axis=0), np.diff(mask[1:-1], axis=1)
    sides = [(np.argwhere(level)[:, ::-1], (1, 0)), (np.argwhere(upright)[:, ::-1], (0, 1))]
    ends = [np.stack([tails, tails + along], axis=1) for tails, along in sides]
    return np.concatenate(ends).astype(np.float64)


def _jumps(board: Board, straight: Points) -> Points:
    """Return the jumps, as (right, down), that have the same effect modulo the glued sides."""
    sides = np.array([board.columns, board.rows if board.topology is Topology.TORUS else np.inf])
    jumps = np.array([(right, down) for down, right in board.piece.jumps], dtype=np.float64)
    leads = ((jumps - straight[:, None]) % sides == 0).all(axis=2)
    return np.where(leads.any(axis=1)[:, None], jumps[leads.argmax(axis=1)], straight)


def _to_the_edge(board: Board, places: Points, jumps: Points) -> Points:
    """Return the point where each jump leaves the board, or its end if it stays on the board."""
    room = np.where(jumps > 0, [board.columns, board.rows] - places, places)
    with np.errstate(divide="ignore"):
        share = (room / np.abs(jumps)).min(axis=1, keepdims=True)
    return np.asarray(places + np.minimum(share, 1) * jumps)
