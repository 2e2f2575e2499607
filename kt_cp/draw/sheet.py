"""The sheet of a picture: its options, the board, what is drawn on it, caption and legend."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Topology
from kt_cp.board.board import file_letters
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes, Texts
from kt_cp.errors import InputError, checked_choice, checked_flag, checked_number, printable

MAX_SQUARES, MAX_SIDE = 1_000_000, 3_000

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
CAPTION_SIZE, _TEXT_SIZE, _LINE = 15, 13, 1.55  # the height of a line, for a size of 1
_MARK, _MARK_ROOM = 5, 30  # radius of a mark in the legend, and what is left free for it
# In squares: the room for a number, and the radius of the mark of an end and of a number's disc.
ROOM, DOT, DISC = 0.85, 0.14, 0.3


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

    ``style`` is for tours only; ``heat`` is another name for ``order``. ``title`` replaces the
    usual caption, and an empty one omits it. ``first`` is the number that is written for step 1.
    Raises `InputError` for a value of another kind, such as an unknown style.
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


# Marks: functions of their middles and a radius, on the board as in the legend.

Mark = Callable[[Points, float], list[Layer]]
Entry = tuple[Mark | None, str]  # of a legend

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def filled(role: str) -> Mark:
    """Return a mark that is a square of a color."""
    return shape(SQUARE, "faint", 0.12, role)


def swatch(*fills: str) -> Mark:
    """Return a mark that is a row of patches in these colors."""
    patches = [
        shape(0.7 * SQUARE + [1.4 * place - 0.7 * (len(fills) - 1), 0], fill=fill)
        for place, fill in enumerate(fills)
    ]
    return lambda points, radius: [layer for patch in patches for layer in patch(points, radius)]


def shape(
    corners: npt.ArrayLike,
    stroke: str | None = None,
    width: float = 0.0,
    fill: str | None = None,
    dashes: tuple[float, float] | None = None,
) -> Mark:
    """Return a mark that is a polygon, or a line; corners and width are in radii."""

    def draw(points: Points, radius: float) -> list[Layer]:
        places = points[:, None] + radius * np.asarray(corners)
        return [Shapes("mark", places, stroke, width * radius, fill, dashes)]

    return draw


def line(stroke: str, width: float = 0.4, dashes: tuple[float, float] | None = None) -> Mark:
    """Return the mark of a move."""
    return shape([(-2, 0), (2, 0)], stroke, width, dashes=dashes)


def disc(fill: str | None, stroke: str | None = None, width: float = 0.0) -> Mark:
    """Return a mark that is a disc; the width is in radii."""
    return lambda points, radius: [Discs(points, radius, fill, stroke, width * radius)]


START_MARK, END_MARK = disc("start"), shape(SQUARE * 0.85, fill="end")


class Sheet:
    """A board to draw on, layer above layer; the larger it is, the smaller are its squares.

    If possible, squares have room for words of ``letters`` letters; ``beside`` and ``below`` are
    room for more, in squares. The caption is for a look without a title. Lengths are in pixels:
    ``cell`` is the side of a square; ``left`` and ``top`` are the board's corner. ``zoom`` enlarges
    what is not on the board, so that it is legible beside a large one. Raises `InputError` as
    `check_size`.
    """

    def __init__(
        self,
        board: Board,
        caption: str,
        look: Look = USUAL,
        letters: int = 0,
        beside: float = 0,
        below: float = 0,
    ) -> None:
        check_size(board)
        side = max(board.rows, board.columns)
        least, most = map(float, _CELL_SIDES)
        if letters:
            least = max(least, min((_LEGIBLE + 1) / _share(letters) / ROOM, _LARGEST / side))
        self.cell = max(least, min(most, _BOARD_SIDE // side))
        self.zoom = max(1.0, side * self.cell / _BOARD_SIDE)
        self.board, self.look = board, look
        self.has_names = look.coordinates and self.cell >= _NAMED
        margin = _MARGIN * self.zoom
        self.left, self.top = margin + _NAMES_ROOM * self.has_names, margin
        self.corner = self.left, self.top
        drawn = self.left + (board.columns + beside) * self.cell + margin
        self.width, self.below = max(_MIN_WIDTH * self.zoom, drawn), below
        text = sentence(caption) if look.title is None else look.title
        self.caption = wrap(text, (self.width - self.left) / self.zoom - _MARGIN, CAPTION_SIZE)
        self.layers: list[Layer] = []
        self.legend: list[Entry] = []

    @property
    def fine(self) -> bool:
        """Whether squares are large enough for details."""
        return self.cell >= _FINE

    @property
    def line_width(self) -> float:
        """The width of the line of a path."""
        return min(2.0, 0.04 * self.cell + 0.8) if self.fine else max(0.6, 0.13 * self.cell)

    def at(self, places: npt.ArrayLike) -> Points:
        """Return points in pixels; ``places`` are (column, row), in squares from the corner."""
        return np.asarray(np.asarray(places) * self.cell + [self.left, self.top])

    def centers(self, squares: npt.ArrayLike) -> Points:
        """Return the middle of each square; (x, y) is one more dimension than those of the ids."""
        return self.at(_middles(self.board, squares))

    def segments(self, pairs: npt.ArrayLike) -> Points:
        """Return the ends of each move, n x 2 ends x (x, y); the moves are rows of two ids.

        A move across a glued edge is two segments: to the edge, and from the opposite edge.
        """
        board, moves = self.board, np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
        ends = _middles(board, moves)
        if board.topology is Topology.FLAT or len(moves) == 0:
            return self.at(ends)
        across = ~replace(board, topology=Topology.FLAT).are_moves(*moves.T)
        tails, heads = ends[across, 0], ends[across, 1]
        jumps = _jumps(board, heads - tails)
        there, back = _to_the_edge(board, tails, jumps), _to_the_edge(board, heads, -jumps)
        ends = np.repeat(ends, 1 + across, axis=0)
        halves = np.stack([tails, there, back, heads], axis=1)
        ends[np.repeat(across, 1 + across)] = halves.reshape(-1, 2, 2)
        return self.at(ends)

    def squares(
        self, fills: Mapping[str, Sequence[int] | Ids] | None = None, grid: bool = False
    ) -> None:
        """Draw the squares, some of them in a color, the outline and the names of the lines.

        ``fills`` maps roles of the palette to squares. Holes are left blank. On a large board no
        square is dark, as a fine checkered pattern is only noise. A ``grid`` separates squares.
        """
        board = self.board
        kinds = np.where(board.dark(np.arange(board.area)) & self.fine & (not grid), 1, 0)
        for number, ids in enumerate((fills or {}).values(), start=2):
            kinds[np.asarray(ids, dtype=np.int64)] = number
        kinds[~board.mask] = -1
        corners, kinds = _rectangles(kinds.reshape(board.rows, board.columns), apart=grid)
        stroke, width = ("faint", 0.8) if grid else (None, 0)
        for number, role in enumerate(["light", "dark", *(fills or ())]):
            if (kinds == number).any():
                chosen = self.at(corners[kinds == number])
                self.layers.append(Shapes("squares", chosen, stroke, width, role))
        self.layers.append(Shapes("outline", self.at(_outline(board)), "faint", self.zoom))
        if self.has_names:
            columns, rows, apart = range(board.columns), range(board.rows), _NAMES_ROOM / 2
            files = self.at([(column + 0.5, board.rows) for column in columns])
            ranks = self.at([(0, row + 0.5) for row in rows])
            files[:, 1] += apart + 2
            ranks[:, 0] -= apart
            words = (*map(file_letters, columns), *(str(board.rows - row) for row in rows))
            self.layers.append(Texts(np.concatenate([files, ranks]), words, 11, "muted"))

    def moves(
        self,
        pairs: npt.ArrayLike,
        stroke: str = "line",
        times: float = 1.0,
        name: str = "move",
        dashes: tuple[float, float] | None = None,
    ) -> None:
        """Draw moves, rows of two ids, ``times`` as wide as the usual line."""
        width = times * self.line_width
        self.layers.append(Shapes(name, self.segments(pairs), stroke, width, dashes=dashes))

    def chevrons(self, pairs: npt.ArrayLike, stroke: str = "line") -> None:
        """Draw a small chevron on each move, a little behind its middle."""
        tails, heads = self.segments(pairs).transpose(1, 0, 2)
        along = (heads - tails) / np.linalg.norm(heads - tails, axis=1, keepdims=True)
        along *= max(0.1 * self.cell, 3)
        across = along[:, ::-1] * [0.8, -0.8]
        tip = tails + 0.6 * (heads - tails) + along / 2
        sides = [np.stack([tip - along + side, tip], axis=1) for side in (across, -across)]
        self.layers.append(Shapes("head", np.concatenate(sides), stroke, self.line_width))

    def mark(
        self, mark: Mark, squares: Sequence[int] | Ids, radius: float = DOT, text: str | None = None
    ) -> None:
        """Draw a mark, whose radius is in squares, and in the legend if there is a text."""
        self.layers += mark(self.centers(squares), max(radius * self.cell, 4 * self.zoom))
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
        ``room`` that is part of the square's side. ``blank`` hides lines below the words.
        """
        texts = tuple(map(str, words))
        size = self.cell * room * _share(max([letters, *map(len, texts)]))
        if size < _LEGIBLE:
            return False
        if texts and blank:
            self.mark(disc("light"), squares, DISC)
        if texts:
            self.layers.append(Texts(self.centers(squares), texts, size, fill, bold=bold))
        return True

    def tell(self, text: str, mark: Mark | None = None) -> None:
        """Add a line to the legend, with the mark that it explains."""
        self.legend.append((mark, text))

    def step(self, place: int) -> str:
        """Name the step at a place of the path, counted from 1, by its own number."""
        return f"step {place - 1 + self.look.first:,}"

    def finish(self, text: str) -> Picture:
        """Return the picture, with caption and legend, and a text for those who cannot see it."""
        zoom, left = self.zoom, self.corner[0]
        y = self.top + (self.board.rows + self.below) * self.cell
        y += _NAMES_ROOM * self.has_names + 8 * zoom
        self.lines(self.caption, (left, y), CAPTION_SIZE, "ink")
        if self.caption:
            y += (len(self.caption) * _LINE * CAPTION_SIZE + 4) * zoom
        room = (self.width - left) / zoom - _MARGIN
        entries = self.legend if self.look.legend else []
        longest = max((len(told) for _, told in entries), default=0)
        column = _MARK_ROOM + _MARGIN + longest * _TEXT_SIZE * _PROSE  # its width
        columns = max(1, min(len(entries), int(room / column)))
        for place, (mark, told) in enumerate(entries):
            x, indent = left + place % columns * column * zoom, _MARK_ROOM if mark else 0
            lines = wrap(told, room - indent, _TEXT_SIZE)
            if mark:
                middle = np.array([[x + 10 * zoom, y + _TEXT_SIZE * _LINE / 2 * zoom]])
                self.layers += mark(middle, _MARK * zoom)
            self.lines(lines, (x + indent * zoom, y), _TEXT_SIZE, "muted")
            if place % columns == columns - 1 or place == len(entries) - 1:
                y += len(lines) * _LINE * _TEXT_SIZE * zoom
        height, caption = y + _MARGIN / 2 * zoom, " ".join(self.caption)
        layers, theme = tuple(self.layers), self.look.theme
        return Picture(self.width, height, caption, text, layers, theme, self.corner, self.cell)

    def lines(self, lines: tuple[str, ...], begin: npt.ArrayLike, size: int, fill: str) -> None:
        """Write lines of text below a point, in a size to be zoomed."""
        steps = np.outer(np.arange(len(lines)) + 0.5, [0, _LINE * size * self.zoom])
        if lines:
            points = np.asarray(begin) + steps
            self.layers.append(Texts(points, lines, size * self.zoom, fill, centered=False))


def check_size(board: Board) -> None:
    """Raise `InputError` for a board too large to be drawn."""
    if board.area > MAX_SQUARES or max(board.rows, board.columns) > MAX_SIDE:
        most = f"{MAX_SQUARES:,} squares and {MAX_SIDE:,} in a row or column"
        raise InputError(f"board {board.size}: a picture shows at most {most}")


def _share(letters: int) -> float:
    """Return the size of a font by the side of a square in which it writes ``letters``."""
    return min(0.45, 0.8 / (_LETTER * max(letters, 1)))


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


def wrap(text: str, room: float, size: float) -> tuple[str, ...]:
    """Break a text into lines that fit the room; Chinese and similar letters are wide."""
    is_wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    letters = int(room / (size if is_wide else size * _PROSE))
    return tuple(textwrap.wrap(printable(" ".join(text.split())), letters))


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


def _middles(board: Board, squares: npt.ArrayLike) -> Points:
    ids = np.asarray(squares, dtype=np.int64)
    return np.stack(np.divmod(ids, board.columns)[::-1], axis=-1) + 0.5


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
