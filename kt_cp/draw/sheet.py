"""The sheet of a picture: a board or graph, what is drawn on it, the caption and the legend."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.names import file_letters
from kt_cp.draw.geometry import Ids, bends, centers, check_size, outline, rectangles, segments
from kt_cp.draw.look import USUAL, Look, plain, sentence
from kt_cp.draw.picture import (
    SQUARE,
    Mark,
    Picture,
    Points,
    disc,
    filled,
    hatch,
    hatched,
    line,
    shape,
    shapes,
    texts,
)
from kt_cp.graph import Graph

# Lengths in pixels.
_BOARD_SIDE = 1000  # of a board whose squares are neither too small nor too large for that
_SHOWN_WIDTH = 800  # of a picture on a page, at which no text is smaller than 12 pixels
_SMALLEST_CELL, _LARGEST_CELL = 3.0, 64.0  # side of a square
_FINE = 12  # smallest square for details such as chevrons
_NAMED = 27  # smallest square for which files and ranks are named
_MARGIN = 16
_NAMES_ROOM = 20  # beside the board, for the names of files and ranks
_NAME_SIZE = 12.0
_TIP = 0.88  # where a chevron is, as part of its move
_CURVE = 16  # lines that draw a bent move
_MIN_WIDTH = 360  # of a picture
_LEGIBLE = 11  # smallest size of a letter on the board
_LARGEST = 8000  # side to which a board may grow to make its letters legible
_CAPTION_SIZE, _TEXT_SIZE = 15, 13
_MARK, _MARK_ROOM = 5, 30  # radius of a mark in the legend, and the room for it
_SMALLEST_MARK = 4  # radius of a mark on the board

# In multiples of the size of the font.
_LETTER = 0.6  # width of a wide letter
_PROSE = 0.54  # mean width of a letter in a sentence

# Chinese, Japanese and Korean letters, between which a line may end; and their punctuation, of
# which brackets that open do not end a line, and everything else does not begin one.
_WIDE = "[\u1100-\u11ff\u2e80-\uffef\U0001f000-\U0003ffff]"
_OPENING = "[\uff08\u300c]"
_CLOSING = "[\u3001\u3002\u300d\u30fc\uff01\uff09\uff0c\uff1a\uff1b\uff1f]"
_LINE = 1.55  # height of a line

# In squares: the room for a number, and the radius of the mark of an end and of a number's disc.
ROOM, DOT, DISC = 0.85, 0.14, 0.3
_HEAVY = 0.05  # in squares, the outline of a board to write on

# The radius of a vertex in pixels, if its name has at most so many letters, and otherwise.
_VERTEX, _LETTERS, _SMALL_VERTEX = 12.0, 3, 5.0


class LegendEntry(NamedTuple):
    """A line of the legend, and the mark that it explains, if any."""

    mark: Mark | None
    text: str


class Sheet:
    """A board or graph to draw on; the larger a board is, the smaller are its squares.

    The colors of squares lie below what is drawn, in the order of the calls, and the vertices of a
    graph with their names above it. If possible, squares have room for words of ``letters``
    letters; a ``grid`` separates them. A ``cycle`` through all vertices of a graph is drawn as a
    circle, unless the graph has a usual drawing. Lengths are in pixels: ``cell`` is the side of a
    square; ``left`` and ``top`` are the board's corner. ``zoom`` enlarges what is not on the board,
    so that it is legible beside a large one. Raises `InputError` as `check_size`.
    """

    def __init__(
        self,
        graph: Graph,
        caption: str,
        look: Look = USUAL,
        letters: int = 0,
        grid: bool = False,
        cycle: Sequence[int] = (),
    ) -> None:
        check_size(graph)
        self.graph, self.caption, self.look = graph, caption, look
        self.is_board = isinstance(graph, Board)
        self.middles = centers(graph, cycle)
        side = math.ceil(self.middles.max() + 0.5)
        self.cell = _cell_side(side, letters)
        self.zoom = max(1.0, (side * self.cell + 2 * _MARGIN) / _SHOWN_WIDTH)
        self.fine = self.cell >= _FINE  # squares are large enough for details
        self.grid = grid and self.fine
        self.line_width = min(2.0, 0.04 * self.cell + 0.8) if self.fine else 0.13 * self.cell
        self.has_names = look.coordinates and self.cell >= _NAMED and self.is_board
        self.left = self.top = _MARGIN * self.zoom
        if self.has_names:
            self.left += _NAMES_ROOM * self.zoom
        self.fills: list[tuple[str, Ids]] = []
        self.elements: list[str] = []
        self.legend: list[LegendEntry] = []
        self.parts = [self]
        self.bends: dict[tuple[int, int], Points] = {}  # of moves drawn as curves, see `bends`

    def bend(self, moves: Ids) -> None:
        """Draw those of some moves as curves, from now on, that lie on others of them."""
        if isinstance(self.graph, Board) and self.fine:
            self.bends = bends(self.graph, moves)

    def beside(self, board: Board, right: float, down: float) -> Sheet:
        """Return a sheet for a further board, at a corner in squares from that of this one."""
        part = copy(self)
        part.graph, part.fills, part.middles = board, [], centers(board)
        part.left, part.top = self.at([right, down]).tolist()
        self.parts.append(part)
        return part

    # -- places ------------------------------------------------------------------------------------

    def at(self, points: npt.ArrayLike) -> Points:
        """Return points in pixels; ``points`` are (x, y), in squares from the board's corner."""
        return np.asarray(np.asarray(points) * self.cell + [self.left, self.top])

    def centers(self, squares: npt.ArrayLike) -> Points:
        """Return the center of each square in pixels: the shape of the ids x (x, y)."""
        return self.at(self.middles[np.asarray(squares, dtype=np.int64)])

    def segments(self, moves: npt.ArrayLike) -> Points:
        """Return the ends of each move in pixels, n x 2 x (x, y); moves are rows of two ids.

        A move across a glued edge is two segments.
        """
        rows = np.asarray(moves, dtype=np.int64).reshape(-1, 2)
        return self.at(segments(self.graph, self.middles, rows))

    # -- drawing -----------------------------------------------------------------------------------

    def fill(self, role: str, squares: Collection[int] | Ids, text: str | None = None) -> None:
        """Color squares; with a text, the legend counts them if there are any."""
        ids = np.array([*squares], dtype=np.int64)
        self.fills.append((role, ids))
        if text is not None and len(ids):
            self.tell(f"{text}: {self.graph.vocabulary.count_vertices(len(ids))}", filled(role))

    def hatch(self, squares: Collection[int] | Ids, text: str) -> None:
        """Color squares as removed and hatch them, so that they stand out in gray print too.

        The vertices of a graph become squares. The legend counts them, if there are any.
        """
        self.fill("removed", squares)
        ids = self.fills[-1][1]
        if self.is_board:
            self.elements.append(hatch(self.centers(ids), self.cell / 2))
        if len(ids):
            count = self.graph.vocabulary.count_vertices(len(ids))
            mark = hatched("removed") if self.is_board else filled("removed")
            self.tell(f"{text}: {count}", mark)

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
        rows = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        corners = self.segments(rows)
        if not len(corners):
            return
        if self.bends:
            corners = self._curves(corners, rows)
        width = times * self.line_width
        self.elements.append(shapes(name, corners, stroke, width, dashes=dashes))
        if text is not None:
            self.tell(text, line(stroke, dashes=dashes))

    def _asides(self, rows: Ids) -> Points:
        """Return for each move by how many pixels its middle is aside: (x, y)."""
        straight = np.zeros(2)
        ends = np.sort(rows, axis=1).tolist()
        asides = [self.bends.get((low, high), straight) for low, high in ends]
        return np.array(asides).reshape(-1, 2) * self.cell

    def _curves(self, corners: Points, rows: Ids) -> Points:
        """Return lines that draw moves, n x 2 ends x (x, y): one for a straight move."""
        share = np.linspace(0, 1, _CURVE + 1)[:, None]
        chains: list[Points] = []
        for (tail, head), aside in zip(corners, self._asides(rows), strict=True):
            if not aside.any():
                chains.append(np.array([[tail, head]]))
                continue
            points = tail + share * (head - tail) + 4 * share * (1 - share) * aside
            chains.append(np.stack([points[:-1], points[1:]], axis=1))
        return np.concatenate(chains)

    def chevrons(self, pairs: npt.ArrayLike, stroke: str = "line") -> None:
        """Draw a small chevron on each move, near its end, where no other move crosses it."""
        tails, heads = self.segments(pairs).transpose(1, 0, 2)
        if self.bends:  # then no move is two segments
            asides = self._asides(np.asarray(pairs))
            heads = heads + 4 * _TIP * (1 - _TIP) * asides
            tails = tails + 4 * _TIP * (1 - _TIP) * asides
        along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
        along *= max(0.1 * self.cell, 3)
        across = along[:, ::-1] * [0.8, -0.8]
        tip = tails + _TIP * (heads - tails) + along / 2
        sides = [np.stack([tip - along + side, tip], axis=1) for side in (across, -across)]
        self.elements.append(shapes("head", np.concatenate(sides), stroke, self.line_width))

    def mark(
        self, mark: Mark, squares: Sequence[int] | Ids, radius: float = DOT, text: str | None = None
    ) -> None:
        """Draw a mark, whose radius is in squares; with a text, in the legend too.

        On a vertex of a graph it is a ring around the vertex.
        """
        size = max(radius * self.cell, _SMALLEST_MARK * self.zoom)
        if not self.is_board:
            size = max(size, _VERTEX + _SMALLEST_MARK)
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
        ``room`` that is part of the square's side. ``blank`` hides lines below the words. On
        graphs nothing is written, as names stand in the vertices.
        """
        if not self.is_board:
            return True
        told = [str(word) for word in words]
        longest = max([letters, *map(len, told)])
        size = self.cell * room * self.look.number_scale * font_share(longest)
        if size < _LEGIBLE:
            return False
        if told and blank:
            self.mark(disc("light"), squares, DISC)
        if told:
            self.elements.append(texts(self.centers(squares), told, size, fill, bold=bold))
        return True

    def letter(self, vertices: Sequence[int], letter: str, room: float) -> None:
        """Write a letter into each square, or beside each vertex of a graph."""
        if self.is_board:
            self.words(vertices, [letter] * len(vertices), room, bold=True)
            return
        points = self.centers(vertices) + np.array([1.3, -1.3]) * _VERTEX
        letters = [letter] * len(vertices)
        self.elements.append(texts(points, letters, _TEXT_SIZE, "ink", bold=True))

    def tell(self, text: str, mark: Mark | None = None) -> None:
        """Add a line to the legend, with the mark that it explains."""
        self.legend.append(LegendEntry(mark, text))

    def step(self, step: int) -> str:
        """Return the name of a step of the path, from 1, with the number that is shown for it."""
        return f"step {step - 1 + self.look.first:,}"

    # -- the whole picture -------------------------------------------------------------------------

    def finish(self, text: str = "") -> Picture:
        """Return the picture, with a text for those who cannot see it, by default the legend."""
        description = text or "; ".join([self.caption, *(entry.text for entry in self.legend)])
        caption = sentence(self.caption) if self.look.title is None else self.look.title
        self._enlarge_text()
        ground = [element for part in self.parts for element in part._ground()]
        self.elements = [*ground, *self.elements, *self._vertices()]
        corners = [part.at(part.middles.max(axis=0) + 0.5) for part in self.parts]
        right, bottom = np.max(corners, axis=0).tolist()
        width = max(_MIN_WIDTH * self.zoom, right + _MARGIN * self.zoom)
        room = (width - self.left) / self.zoom - _MARGIN
        y = bottom + 8 * self.zoom
        if self.has_names:
            y += _NAMES_ROOM * self.zoom
        y = self._write(caption, self.left, y, room, _CAPTION_SIZE, "ink") + 4 * self.zoom
        if self.look.legend:
            y = self._write_legend(y, room)
        return Picture(
            width,
            y + _MARGIN / 2 * self.zoom,
            plain(caption),
            description,
            tuple(self.elements),
            self.look.theme,
            corner=(self.left, self.top),
            cell=self.cell,
            legend=tuple(self.legend),
            faces=self.look.words.faces,
        )

    def _enlarge_text(self) -> None:
        """Enlarge the text, if boards beside the first one make the picture wider."""
        right = max(float(part.at(part.middles.max(axis=0) + 0.5)[0]) for part in self.parts)
        zoom = max(self.zoom, (right + _MARGIN) / _SHOWN_WIDTH)
        for part in self.parts:
            part.zoom = zoom

    def _write_legend(self, y: float, room: float) -> float:
        """Write the legend in as many columns as fit the room; return the height below it."""
        longest = max((_text_width(entry.text) for entry in self.legend), default=0)
        fitting = int(room / (_MARK_ROOM + _MARGIN + longest * _TEXT_SIZE))
        columns = max(1, min(len(self.legend), fitting))
        for first in range(0, len(self.legend), columns):
            row = self.legend[first : first + columns]
            below = [
                self._write_entry(entry, self.left + column / columns * room * self.zoom, y, room)
                for column, entry in enumerate(row)
            ]
            y = below[-1]
        return y

    def _write_entry(self, entry: LegendEntry, x: float, y: float, room: float) -> float:
        """Write a line of the legend, and return the height below it."""
        indent = 0
        if entry.mark is not None:
            indent = _MARK_ROOM
            middle = np.array([[x + 10 * self.zoom, y + _TEXT_SIZE * _LINE / 2 * self.zoom]])
            self.elements.append(entry.mark(middle, _MARK * self.zoom))
        left = x + indent * self.zoom
        return self._write(entry.text, left, y, room - indent, _TEXT_SIZE, "muted")

    def _write(self, text: str, x: float, y: float, room: float, size: float, fill: str) -> float:
        """Write text, broken into lines that fit the room, and return the height below it."""
        lines = _wrapped(plain(text), room / size)
        height = _LINE * size * self.zoom
        if lines:
            points = np.array([(x, y + (index + 0.5) * height) for index in range(len(lines))])
            self.elements.append(texts(points, lines, size * self.zoom, fill, centered=False))
        return float(y + len(lines) * height)

    def _ground(self) -> Iterator[str]:
        """Yield the squares, the outline of the board and the names of its lines, or the edges.

        Holes are left blank.
        """
        board = self.graph
        if not isinstance(board, Board):
            yield shapes("edge", self.centers(board.arcs), "faint", 0.8)
            return
        yield from self._squares(board)
        role, width = ("ink", _HEAVY * self.cell) if self.grid else ("faint", self.zoom)
        yield shapes("outline", self.at(outline(board)), role, width)
        if self.has_names:
            yield self._line_names(board)

    def _squares(self, board: Board) -> Iterator[str]:
        """Yield the squares of each color.

        On a large board no square is dark, as a fine checkered pattern is only noise.
        """
        roles = list(dict.fromkeys(["light", "dark", *(role for role, _ in self.fills)]))
        kinds: Ids = np.zeros(board.area, dtype=np.int64)
        if self.fine and not self.grid:
            kinds[board.dark(np.arange(board.area))] = roles.index("dark")
        for role, ids in self.fills:
            kinds[ids] = roles.index(role)
        kinds[~board.mask] = -1
        corners, kinds = rectangles(kinds.reshape(board.rows, board.columns), apart=self.grid)
        stroke, width = ("faint", 0.8) if self.grid else (None, 0)
        for kind in np.unique(kinds[kinds >= 0]).tolist():
            chosen = self.at(corners[kinds == kind])
            yield shapes("squares", chosen, stroke, width, roles[kind])

    def _line_names(self, board: Board) -> str:
        """Return the names of the files, below the board, and of the ranks, at its left."""
        columns, rows = range(board.columns), range(board.rows)
        files = self.at([(column + 0.5, board.rows) for column in columns])
        ranks = self.at([(0, row + 0.5) for row in rows])
        files[:, 1] += (_NAMES_ROOM / 2 + 2) * self.zoom
        ranks[:, 0] -= _NAMES_ROOM / 2 * self.zoom
        names = [*map(file_letters, columns), *(str(board.rows - row) for row in rows)]
        return texts(np.concatenate([files, ranks]), names, _NAME_SIZE * self.zoom, "muted")

    def _vertices(self) -> Iterator[str]:
        """Yield the vertices of a graph, with short names inside or longer ones above them."""
        if self.is_board:
            return
        names = [self.graph.name(vertex) for vertex in self.graph.vertices.tolist()]
        has_short_names = max(map(len, names)) <= _LETTERS
        radius = _VERTEX if has_short_names else _SMALL_VERTEX
        for role, ids in [("paper", self.graph.vertices), *self.fills]:
            mark = disc(role, "line", 0.12)
            if role == "removed":
                mark = shape(SQUARE, "line", 0.12, role)
            yield mark(self.centers(ids), radius)
        points = self.at(self.middles)
        if not has_short_names:
            points[:, 1] -= 2 * _VERTEX
        yield texts(points, names, _NAME_SIZE, "ink")


def _wrapped(text: str, width: float) -> list[str]:
    """Return the lines of a text that have at most a width, in heights of its letters.

    A line ends at a blank, or between two Chinese or Japanese letters, but not before their
    punctuation.
    """
    lines: list[str] = []
    line = ""
    longest = max(1, int(width / _PROSE))
    word = f"{_OPENING}*(?:{_WIDE}|[^ {_WIDE[1:-1]}]{{1,{longest}}}){_CLOSING}* *"
    for piece in re.findall(word, text):
        if line and _text_width(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()] if line else lines


def _text_width(text: str) -> float:
    """Return about how wide a text is, in heights of its letters."""
    return sum(1 if unicodedata.east_asian_width(each) in "WF" else _PROSE for each in text)


def _cell_side(side: int, letters: int) -> float:
    """Return the side of a square, in pixels, of a board of ``side`` squares.

    It has room for words of so many ``letters``, unless the board would be too large.
    """
    least = _SMALLEST_CELL
    if letters:
        legible = (_LEGIBLE + 1) / font_share(letters) / ROOM
        least = max(least, min(legible, _LARGEST / side))
    return max(least, min(_LARGEST_CELL, _BOARD_SIDE // side))


def font_share(letters: int) -> float:
    """Return the size of a font, by the side of a square in which it writes so many letters."""
    return min(0.45, 0.8 / (_LETTER * max(letters, 1)))
