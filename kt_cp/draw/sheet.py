"""The sheet of a picture: its options, the layout of its board, marks, outline, caption, legend."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.board import file_letters
from kt_cp.draw.palette import Theme
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes, Texts, Tiles
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
_CAPTION_SIZE, _CAPTION_LINE = 15, 22
_TEXT_SIZE, _TEXT_LINE = 13, 21
_MARK, _MARK_ROOM = 5, 30  # radius of a mark in the legend, and what is left free for it
ROOM = 0.85  # of a square for a number in it
DOT = 0.14  # radius of the mark of a start or end, in squares
DISC = 0.3  # radius of a disc that holds a number, in squares


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
        """Accept the name of a style or a theme too."""
        style = checked_choice("style", self.style, Style)
        object.__setattr__(self, "style", Style.ORDER if style is Style.HEAT else style)
        object.__setattr__(self, "theme", checked_choice("theme", self.theme, Theme))
        if not isinstance(self.title, str | None):
            raise InputError(f"title {self.title!r}: give text, or None for the usual caption")
        checked_flag("legend", self.legend)
        checked_flag("coordinates", self.coordinates)
        checked_number("first", self.first, 0)


USUAL = Look()


@dataclass(frozen=True)
class Sheet:
    """A board laid out: the side of a square and the place of the top left corner, in pixels.

    ``zoom`` enlarges everything that is not on the board: beside a large board, letters of the
    usual size would be too small to read. ``below`` is free for more below the board.
    """

    board: Board
    look: Look
    caption: tuple[str, ...]
    cell: float
    zoom: float
    width: float
    left: float
    top: float
    below: float

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
        ids = np.asarray(squares, dtype=np.int64)
        return self.at(np.stack(np.divmod(ids, self.board.columns)[::-1], axis=-1) + 0.5)

    def font_size(self, letters: int, room: float = 1.0) -> float:
        """Return the font size at which ``letters`` fit a square, or 0 if that is illegible.

        ``room`` is the part of the square's side that there is.
        """
        size = self.cell * room * _share(letters)
        return size if size >= _LEGIBLE else 0.0

    def words(
        self,
        squares: Sequence[int] | Ids,
        words: Iterable[object],
        room: float = 1.0,
        fill: str = "ink",
        bold: bool = False,
        letters: int = 0,
    ) -> list[Layer]:
        """Write a word into each square, or nothing if the words are illegible.

        The size is the one for the longest word, or for ``letters`` if those are more.
        """
        texts = tuple(map(str, words)) if self.fine else ()
        size = self.font_size(max([letters, *map(len, texts)]), room)
        if not texts or not size:
            return []
        return [Texts(self.centers(squares), texts, size, fill, bold=bold)]

    def mark(self, mark: Mark, squares: Sequence[int] | Ids, radius: float = DOT) -> list[Layer]:
        """Draw a mark on squares; the radius is in squares, and never too small to be seen."""
        return mark(self.centers(squares), max(radius * self.cell, 4 * self.zoom))

    def step(self, place: int) -> str:
        """Name the step at a place of the path, counted from 1, by its own number."""
        return f"step {place - 1 + self.look.first:,}"


def check_size(board: Board) -> None:
    """Raise `InputError` for a board too large to be drawn."""
    if board.area > MAX_SQUARES or max(board.rows, board.columns) > MAX_SIDE:
        most = f"{MAX_SQUARES:,} squares and {MAX_SIDE:,} in a row or column"
        raise InputError(f"board {board.size}: a picture shows at most {most}")


def _share(letters: int) -> float:
    """Return the size of a font by the side of a square in which it writes ``letters``."""
    return min(0.45, 0.8 / (_LETTER * max(letters, 1)))


def lay_out(
    board: Board,
    caption: str,
    look: Look,
    letters: int = 0,
    beside: float = 0,
    below: float = 0,
) -> Sheet:
    """Lay out a board: the larger it is, the smaller are its squares.

    If possible, squares have room for so many ``letters``. The caption is for a look that has no
    title. ``beside`` and ``below`` are room for more, in squares. Raises `InputError` as
    `check_size` does.
    """
    check_size(board)
    side = max(board.rows, board.columns)
    least, most = map(float, _CELL_SIDES)
    if letters:
        least = max(least, min((_LEGIBLE + 1) / _share(letters) / ROOM, _LARGEST / side))
    cell = max(least, min(most, _BOARD_SIDE // side))
    zoom = max(1.0, side * cell / _BOARD_SIDE)
    look = replace(look, coordinates=look.coordinates and cell >= _NAMED)
    left = _MARGIN * zoom + _NAMES_ROOM * look.coordinates
    width = max(_MIN_WIDTH * zoom, left + (board.columns + beside) * cell + _MARGIN * zoom)
    text = sentence(caption) if look.title is None else look.title
    lines = wrap(text, (width - left) / zoom - _MARGIN, _CAPTION_SIZE)
    return Sheet(board, look, lines, cell, zoom, width, left, _MARGIN * zoom, below * cell)


def sentence(text: str) -> str:
    """Return a text as a caption: it begins with a capital letter unless with a name.

    >>> sentence("closed tour of 8x8"), sentence("a1 to b3")
    ('Closed tour of 8 × 8', 'a1 to b3')
    """
    text = re.sub(r"(?<![\w.])(\d+)x(\d+)(?![\w.])", r"\1 × \2", text)
    text = re.sub(r"\b\d{5,}(?= )", lambda number: f"{int(number[0]):,}", text)
    return re.sub(r"^[a-z](?=[a-z])(?![a-z]*\d)", lambda first: first[0].upper(), text)


def wrap(text: str, room: float, size: float) -> tuple[str, ...]:
    """Break a text into lines that fit the room; Chinese and similar letters are wide."""
    is_wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    letters = int(room / (size if is_wide else size * _PROSE))
    return tuple(textwrap.wrap(printable(" ".join(text.split())), letters))


# Marks: functions of their middles and a radius, on the board as in the legend.

Mark = Callable[[Points, float], list[Layer]]
Entry = tuple[Mark, str]

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def filled(role: str) -> Mark:
    """Return a mark that is a square of a color."""
    return shape(SQUARE, "faint", 0.12, role)


def swatch(*fills: str) -> Mark:
    """Return a mark that is a row of patches in these colors."""
    places = np.arange(len(fills)) - (len(fills) - 1) / 2
    patches = [
        shape(0.7 * SQUARE + [1.4 * place, 0], fill=fill)
        for place, fill in zip(places, fills, strict=True)
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


def unmarked(points: Points, radius: float) -> list[Layer]:
    """Draw nothing: the mark of a line of text."""
    return []


START_MARK, END_MARK = disc("start"), shape(SQUARE * 0.85, fill="end")


def board_layers(
    sheet: Sheet, fills: Mapping[str, Sequence[int] | Ids] | None = None, grid: bool = False
) -> list[Layer]:
    """Draw the squares, some of them in a color, and the outline of the board.

    ``fills`` maps roles of the palette to squares. Holes are left blank. On a large board no square
    is dark, as a fine checkered pattern is only noise. With a ``grid``, lines separate squares.
    """
    board, roles = sheet.board, ("light", "dark", *(fills or ()))
    kinds = np.where(board.dark(np.arange(board.area)) & sheet.fine & (not grid), 1, 0)
    for number, squares in enumerate((fills or {}).values(), start=2):
        kinds[np.asarray(squares, dtype=np.int64)] = number
    kinds[~board.mask] = -1
    shaped = kinds.astype(np.int8).reshape(board.rows, board.columns)
    layers: list[Layer] = [Tiles(sheet.left, sheet.top, sheet.cell, shaped, roles)]
    if grid:
        layers.append(Shapes("grid", sheet.at(_sides(board, inner=True)), "faint", 0.8))
    width = 1.0 * sheet.zoom
    return [*layers, Shapes("outline", sheet.at(_sides(board, inner=False)), "faint", width)]


def _sides(board: Board, inner: bool) -> Points:
    """Return the sides between two squares, or between a square and a hole or the outside."""
    mask = np.pad(board.mask.reshape(board.rows, board.columns), 1)
    ends: list[Points] = []
    for cells, along in ((mask, (1, 0)), (mask.T, (0, 1))):
        above, under = cells[:-1, 1:-1], cells[1:, 1:-1]
        places = np.argwhere((above & under) if inner else (above != under))
        tails = places[:, ::-1] if along == (1, 0) else places
        ends.append(np.stack([tails, tails + along], axis=1))
    return np.concatenate(ends).astype(np.float64)


def finish(
    sheet: Sheet, layers: Sequence[Layer], legend: Sequence[Entry], description: str
) -> Picture:
    """Return the picture: what was drawn on the board, with names, caption and legend."""
    look, zoom = sheet.look, sheet.zoom
    y = sheet.top + sheet.board.rows * sheet.cell + sheet.below
    y += _NAMES_ROOM * look.coordinates + 8 * zoom
    words = line_names(sheet)
    if sheet.caption:
        line, size = _CAPTION_LINE * zoom, _CAPTION_SIZE * zoom
        words.append(text_lines(sheet.caption, sheet.left, y + line / 2, size, line, "ink"))
        y += len(sheet.caption) * line + 4 * zoom
    line, size = _TEXT_LINE * zoom, _TEXT_SIZE * zoom
    room = sheet.width - sheet.left - _MARGIN * zoom
    entries = legend if look.legend else ()
    longest = max((len(text) for _, text in entries), default=0)
    column = (_MARK_ROOM + _MARGIN) * zoom + longest * size * _PROSE  # its width
    columns = max(1, min(len(entries), int(room / column)))
    for place, (mark, text) in enumerate(entries):
        indent = 0 if mark is unmarked else _MARK_ROOM * zoom
        x, middle = sheet.left + place % columns * column, y + line / 2
        lines = wrap(text, (room - indent) / zoom, _TEXT_SIZE)
        words += mark(np.array([[x + 10 * zoom, middle]]), _MARK * zoom)
        words.append(text_lines(lines, x + indent, middle, size, line, "muted"))
        if place % columns == columns - 1 or place == len(entries) - 1:
            y += len(lines) * line
    return Picture(
        sheet.width,
        y + _MARGIN / 2 * zoom,
        " ".join(sheet.caption),
        description,
        (*layers, *words),
        look.theme,
        (sheet.left, sheet.top),
        sheet.cell,
    )


def text_lines(
    lines: tuple[str, ...], x: float, y: float, size: float, height: float, fill: str
) -> Texts:
    """Return lines of text that begin at x, the middle of the first one at y."""
    points = np.array([(x, y + place * height) for place in range(len(lines))]).reshape(-1, 2)
    return Texts(points, lines, size, fill, centered=False)


def line_names(sheet: Sheet) -> list[Layer]:
    """Write the names of the files below the board and those of the ranks on its left."""
    if not sheet.look.coordinates:
        return []
    board = sheet.board
    files = sheet.centers(np.arange(board.columns))
    files[:, 1] = sheet.top + board.rows * sheet.cell + _NAMES_ROOM / 2 + 2
    ranks = sheet.centers(np.arange(board.rows) * board.columns)
    ranks[:, 0] = sheet.left - _NAMES_ROOM / 2
    words = [file_letters(column) for column in range(board.columns)]
    words += [str(board.rows - row) for row in range(board.rows)]
    return [Texts(np.concatenate([files, ranks]), tuple(words), 11, "muted")]
