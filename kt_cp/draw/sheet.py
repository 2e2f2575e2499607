"""The options of a picture, and the layout of its board and its title."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask
from kt_cp.draw import palette
from kt_cp.draw.picture import Layer, Points, Texts, Tiles
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
