"""The sheet of a picture: its options, the layout of its board, marks, frame, title and legend."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask
from kt_cp.board.square_names import file_letters
from kt_cp.draw import palette
from kt_cp.draw.picture import Discs, Layer, Picture, Points, Shapes, Texts, Tiles
from kt_cp.errors import InputError, checked_choice, checked_flag, checked_number, printable

MAX_SQUARES, MAX_SIDE = 1_000_000, 3_000

Ids = npt.NDArray[np.integer]

# In pixels: the side of a board, unless its squares would be smaller or larger than these; the
# smallest squares for details such as arrows, and for the names of files and ranks.
_BOARD_SIDE = 1000
_CELL_SIDES = 3, 64
_FINE = 12
_NAMED = 20
MARGIN = 12
NAMES_ROOM = 18
_MIN_WIDTH = 360
TITLE_SIZE, TITLE_LINE = 16, 22
_LEGIBLE, _READABLE = 6.5, 12  # the smallest size of a letter, and of one that matters
_LARGEST = 8000  # side of a board on which letters matter
LETTER = 0.6  # width of a letter, for a size of 1


class Style(StrEnum):
    """What a picture of a tour shows: the order of its squares, or its features."""

    NUMBERS = "numbers"
    LINES = "lines"
    ARROWS = "arrows"
    HEAT = "heat"
    CROSSINGS = "crossings"
    ANGLES = "angles"


@dataclass(frozen=True)
class Look:
    """The options of a picture, whatever it shows.

    ``style`` is for tours only. ``title`` replaces the usual title, and an empty one omits it.
    ``first`` is the number that is written for step 1. Raises `InputError` for a value of another
    kind, such as an unknown style.
    """

    style: Style = Style.LINES
    title: str | None = None
    legend: bool = True
    coordinates: bool = True
    monochrome: bool = False
    first: int = 1

    def __post_init__(self) -> None:
        """Accept the name of a style too."""
        object.__setattr__(self, "style", checked_choice("style", self.style, Style))
        if not isinstance(self.title, str | None):
            raise InputError(f"title {self.title!r}: give text, or None for the usual title")
        for name in ("legend", "coordinates", "monochrome"):
            checked_flag(name, getattr(self, name))
        checked_number("first", self.first, 0)


USUAL = Look()


@dataclass(frozen=True)
class Sheet:
    """A board laid out: the side of a square and the place of the top left corner, in pixels.

    ``zoom`` enlarges everything that is not on the board: beside a large board, letters of the
    usual size would be too small to read.
    """

    board: Board
    look: Look
    title: tuple[str, ...]
    cell: float
    zoom: float
    width: float
    left: float
    top: float

    @property
    def fine(self) -> bool:
        """Whether squares are large enough for details."""
        return self.cell >= _FINE

    @property
    def bottom(self) -> float:
        """The lower edge of the board."""
        return self.top + self.board.rows * self.cell

    def centres(self, squares: Ids) -> Points:
        """Return the middle of each square; (x, y) is one more dimension than those of the ids."""
        places = np.stack(np.divmod(squares, self.board.columns)[::-1], axis=-1) + 0.5
        return np.asarray(places * self.cell + [self.left, self.top])

    def font_size(self, letters: int, room: float) -> float:
        """Return the font size at which so many letters fit a square, or 0 if that is illegible.

        ``room`` is the part of the square's side that there is.
        """
        size = self.cell * room * _share(letters)
        return size if size >= _LEGIBLE else 0.0

    def words(
        self, squares: Ids, words: Iterable[object], room: float = 1.0, dark: Mask | None = None
    ) -> list[Layer]:
        """Write a word into each square, in white where that is dark, or nothing if illegible."""
        texts = tuple(map(str, words)) if self.fine else ()
        size = self.font_size(max(map(len, texts), default=0), room)
        if not texts or not size:
            return []
        if dark is None:
            return [Texts(self.centres(squares), texts, size, palette.INK)]
        array = np.array(texts)
        return [
            Texts(self.centres(squares[chosen]), tuple(array[chosen].tolist()), size, colour)
            for colour, chosen in ((palette.INK, ~dark), (palette.LIGHT, dark))
        ]

    def steps(self, squares: Ids, room: float = 1.0, dark: Mask | None = None) -> list[Layer]:
        """Write the steps of a path into its squares, as `words` does."""
        first = self.look.first
        return self.words(squares, range(first, first + len(squares)), room, dark)

    def step(self, place: int) -> str:
        """Name the step at a place of the path, counted from 1, by its own number."""
        return f"step {place - 1 + self.look.first:,}"


def check_size(board: Board) -> None:
    """Raise `InputError` for a board too large to be drawn."""
    if board.area > MAX_SQUARES or max(board.rows, board.columns) > MAX_SIDE:
        most = f"{MAX_SQUARES:,} squares and {MAX_SIDE:,} in a row or column"
        raise InputError(f"board {board.size}: a picture shows at most {most}")


def _share(letters: int) -> float:
    """Return the size of a font by the side of a square in which it writes so many letters."""
    return min(0.5, 0.8 / (LETTER * max(letters, 1)))


def lay_out(
    board: Board, title: str, look: Look, cell: float | None = None, letters: int = 0
) -> Sheet:
    """Lay out a board: the larger it is, the smaller are its squares, unless ``cell`` is given.

    If possible, squares have room for so many ``letters``. The title is for a look that has none.
    Raises `InputError` as `check_size` does.
    """
    check_size(board)
    side = max(board.rows, board.columns)
    if cell is None:
        least, most = map(float, _CELL_SIDES)
        if letters:
            least = max(least, min(_READABLE / _share(letters), _LARGEST / side))
        cell = max(least, min(most, _BOARD_SIDE // side))
    zoom = max(1.0, max(board.rows, board.columns) * cell / _BOARD_SIDE)
    look = replace(look, coordinates=look.coordinates and cell >= _NAMED)
    beside = MARGIN * zoom + NAMES_ROOM * look.coordinates
    width = max(_MIN_WIDTH * zoom, board.columns * cell + 2 * beside)
    title = _capital(title) if look.title is None else look.title
    lines = _balanced(title, width / zoom - 2 * MARGIN)
    left = (width - board.columns * cell) / 2
    top = (MARGIN + len(lines) * TITLE_LINE + 4) * zoom
    return Sheet(board, look, lines, cell, zoom, width, left, top)


def _capital(text: str) -> str:
    """Begin a text with a capital letter, unless it begins with the name of a square."""
    return re.sub(r"^[a-z](?![a-z]*\d)", lambda first: first[0].upper(), text)


def _balanced(title: str, room: float) -> tuple[str, ...]:
    """Break a title into as few lines as fit the room, of about the same length."""
    lines = wrapped(title, room, TITLE_SIZE)
    while len(fewer := wrapped(title, room - TITLE_SIZE, TITLE_SIZE)) == len(lines) > 1:
        lines, room = fewer, room - TITLE_SIZE
    return lines


def empty(sheet: Sheet) -> palette.Colours:
    """Return the colours of an empty board, one per id: light, dark and holes.

    On a large board no square is dark, as a fine chequered pattern is only noise.
    """
    board = sheet.board
    dark = board.dark(np.arange(board.area)) & sheet.fine
    colours = np.where(dark[:, None], palette.rgb(palette.DARK), palette.rgb(palette.LIGHT))
    colours[~board.mask] = palette.rgb(palette.HOLE)
    return colours.astype(np.uint8)


def tiles(sheet: Sheet, colours: palette.Colours | None = None) -> Tiles:
    """Return the squares of the board in these colours, one per id, or as `empty` has them."""
    colours = empty(sheet) if colours is None else colours
    shape = sheet.board.rows, sheet.board.columns, 3
    return Tiles(sheet.left, sheet.top, sheet.cell, colours.reshape(shape))


def wrapped(text: str, room: float, size: float, letter: float = LETTER) -> tuple[str, ...]:
    """Break a text into lines that fit the room; Chinese and similar letters are wide."""
    is_wide = any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    letters = int(room / (size if is_wide else size * letter))
    return tuple(textwrap.wrap(printable(" ".join(text.split())), letters))


Mark = Callable[[Points, float], list[Layer]]

SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def swatch(*colours: npt.NDArray[np.uint8]) -> Mark:
    """Return a mark that is a row of patches in these colours."""
    row = np.array([colours])
    corner = np.array([len(colours), 1]) / 2

    def draw(points: Points, radius: float) -> list[Layer]:
        side = 1.5 * radius if len(colours) == 1 else radius
        return [Tiles(x, y, side, row) for x, y in (points - side * corner).tolist()]

    return draw


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


def disc(fill: str | None, stroke: str | None = None, width: float = 0.0) -> Mark:
    """Return a mark that is a disc; the width is in radii."""
    return lambda points, radius: [Discs(points, radius, fill, stroke, width * radius)]


START_MARK, END_MARK = disc(palette.START), shape(SQUARE, fill=palette.END)


def unmarked(points: Points, radius: float) -> list[Layer]:
    """Draw nothing: the mark of a line of text."""
    return []


def hatched_holes(sheet: Sheet) -> list[Layer]:
    """Draw the holes of a board, if it has any, as `hatched` does."""
    holes = np.array(sheet.board.holes, dtype=np.int64)
    return hatched(sheet.centres(holes), sheet.cell / 2) if sheet.fine and len(holes) else []


def hatched(points: Points, radius: float) -> list[Layer]:
    """Draw hatched squares, which no shade can be mistaken for."""
    lines = [[(-1, 1), (1, -1)], [(-1, 0), (0, -1)], [(0, 1), (1, 0)]]
    ends = (points[:, None, None] + radius * np.array(lines)).reshape(-1, 2, 2)
    width = min(1.5, 0.2 * radius)
    return [
        Shapes("hole", points[:, None] + radius * SQUARE, palette.INK, width, palette.LIGHT),
        Shapes("hatch", ends, palette.INK, width),
    ]


Entry = tuple[Mark, str]
Parts = tuple[list[Layer], list[Entry]]  # what lies on the board, and the legend

_TEXT_SIZE, _TEXT_LINE = 13, 22
_MARK = 6  # radius of a mark in the legend
_PROSE = 0.54  # width of a letter on average, for a size of 1
_BEFORE_TEXT = 52  # from the left edge of an entry of the legend


def finish(
    sheet: Sheet, layers: Sequence[Layer], legend: Sequence[Entry], description: str
) -> Picture:
    """Return the picture: what was drawn on the board, with frame, names, title and legend."""
    entries, lines = _legend(sheet, legend if sheet.look.legend else ())
    height = _legend_top(sheet) + (lines * _TEXT_LINE + MARGIN / 2) * sheet.zoom
    every = [*layers, _frame(sheet), *_names(sheet), *_title(sheet), *entries]
    if sheet.look.monochrome:
        every = [_in_grey(layer) for layer in every]
    return Picture(sheet.width, height, " ".join(sheet.title), description, tuple(every))


def _frame(sheet: Sheet) -> Layer:
    half = np.array([sheet.board.columns, sheet.board.rows]) * sheet.cell / 2
    corners = half * (SQUARE + 1) + [sheet.left, sheet.top]
    return Shapes("frame", corners[None], palette.FAINT_INK, 1)


def _names(sheet: Sheet) -> list[Layer]:
    """Write the names of the files below the board and those of the ranks on its left."""
    if not sheet.look.coordinates:
        return []
    board = sheet.board
    files = sheet.centres(np.arange(board.columns))
    files[:, 1] = sheet.bottom + NAMES_ROOM / 2
    ranks = sheet.centres(np.arange(board.rows) * board.columns)
    ranks[:, 0] = sheet.left - NAMES_ROOM / 2
    words = [file_letters(column) for column in range(board.columns)]
    words += [str(board.rows - row) for row in range(board.rows)]
    return [Texts(np.concatenate([files, ranks]), tuple(words), 11, palette.FAINT_INK)]


def _title(sheet: Sheet) -> list[Layer]:
    if not sheet.title:
        return []
    heights = MARGIN + (np.arange(len(sheet.title)) + 0.5) * TITLE_LINE
    points = np.stack([np.full(len(heights), sheet.width / 2), heights * sheet.zoom], axis=1)
    return [Texts(points, sheet.title, TITLE_SIZE * sheet.zoom, palette.INK, bold=True)]


def _legend_top(sheet: Sheet) -> float:
    return sheet.bottom + MARGIN * sheet.zoom + NAMES_ROOM * sheet.look.coordinates


def _legend(sheet: Sheet, entries: Sequence[Entry]) -> tuple[list[Layer], int]:
    """Write the legend, in columns if its texts are short; return its number of lines too."""
    room = sheet.width / sheet.zoom - MARGIN
    longest = max((len(text) for _, text in entries), default=0) * _TEXT_SIZE * _PROSE
    columns = max(1, min(len(entries), int(room / (_BEFORE_TEXT + longest))))
    layers: list[Layer] = []
    line = 0
    for place, (mark, text) in enumerate(entries):
        before = MARGIN if mark is unmarked and columns == 1 else _BEFORE_TEXT
        lines = wrapped(text, room - before, _TEXT_SIZE, _PROSE)
        x = place % columns * room / columns
        ys = (line + 0.5 + np.arange(len(lines))) * _TEXT_LINE
        points = np.stack([np.full(len(ys), x + before), ys], 1)
        points = points * sheet.zoom + [0, _legend_top(sheet)]
        layers += mark(points[:1] - [_BEFORE_TEXT / 2 * sheet.zoom, 0], _MARK * sheet.zoom)
        size = _TEXT_SIZE * sheet.zoom
        layers.append(Texts(points, lines, size, palette.INK, centred=False))
        if place % columns == columns - 1 or place == len(entries) - 1:
            line += len(lines)
    return layers, line


def _in_grey(layer: Layer) -> Layer:
    """Return a layer in shades of grey."""
    if isinstance(layer, Tiles):
        return replace(layer, colours=palette.grey(layer.colours))
    colours = {name: getattr(layer, name, None) for name in ("fill", "stroke")}
    greys: Any = {name: palette.printed(colour) for name, colour in colours.items() if colour}
    return replace(layer, **greys)
