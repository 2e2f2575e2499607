"""Where a board, its title and its legend lie on a sheet, and the marks used on both."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.square_names import file_letters
from kt_cp.draw import palette
from kt_cp.draw.picture import (
    Anchor,
    Discs,
    Layer,
    Lines,
    Picture,
    Points,
    Polygons,
    Texts,
    Tiles,
)

Mark = Callable[[Points, float], list[Layer]]  # at these points, of this radius
Entry = tuple[Mark, str]

_BOARD_SIDE = 1000  # pixels that a board aims at
_CELL_SIDES = 3, 64  # and the least and most that a square gets
_FINE = 12  # pixels a square needs for arrows, marks and a path of one colour
_NAMED = 20  # and for the names of files and ranks
_MARGIN = 12
_NAMES_ROOM = 18
_MIN_WIDTH = 360
_TITLE_SIZE, _TITLE_LINE = 16, 22
_TEXT_SIZE, _TEXT_LINE = 13, 22
_MARK = 6  # radius of a mark in the legend
_LEGIBLE = 6.5  # the least size of a letter
_LETTER = 0.6  # width of a letter, for a size of 1


@dataclass(frozen=True)
class Sheet:
    """A board laid out: the side of a square and the place of the top left corner.

    ``zoom`` enlarges all that is not on the board, so that it stays legible beside a large one.
    """

    board: Board
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
    def named(self) -> bool:
        """Whether there is room for the names of files and ranks."""
        return self.cell >= _NAMED

    @property
    def bottom(self) -> float:
        """The lower edge of the board."""
        return self.top + self.board.rows * self.cell

    def centres(self, squares: npt.NDArray[np.integer]) -> Points:
        """Return the middle of each square, as rows (x, y)."""
        rows, columns = np.divmod(squares, self.board.columns)
        corner = np.array([self.left, self.top])
        return np.asarray((np.stack([columns, rows], axis=-1) + 0.5) * self.cell + corner)

    def font_size(self, letters: int, room: float = 1.0) -> float:
        """Return the size at which a word of so many letters fits a square, 0 where illegible.

        ``room`` is the part of the square's side that there is.
        """
        side = room * self.cell
        size = min(0.5 * side, 0.88 * side / (_LETTER * letters))
        return size if size >= _LEGIBLE else 0.0


def lay_out(board: Board, title: str) -> Sheet:
    """Lay a board out on a sheet: small boards with large squares, large ones with small."""
    least, most = _CELL_SIDES
    cell = float(max(least, min(most, _BOARD_SIDE // max(board.rows, board.columns))))
    zoom = max(1.0, max(board.rows, board.columns) * cell / _BOARD_SIDE)
    beside = _MARGIN * zoom + (_NAMES_ROOM if cell >= _NAMED else 0)
    width = max(_MIN_WIDTH * zoom, board.columns * cell + 2 * beside)
    letters = int((width / zoom - 2 * _MARGIN) / (_TITLE_SIZE * _LETTER))
    lines = tuple(textwrap.wrap(" ".join(title.split()), letters))
    left = (width - board.columns * cell) / 2
    top = (_MARGIN + len(lines) * _TITLE_LINE + 4) * zoom
    return Sheet(board, lines, cell, zoom, width, left, top)


def finish(
    sheet: Sheet, layers: Sequence[Layer], legend: Sequence[Entry], description: str
) -> Picture:
    """Add frame, names, title and legend to what was drawn on the board."""
    below = sheet.bottom + _MARGIN * sheet.zoom + (_NAMES_ROOM if sheet.named else 0)
    every = [*layers, _frame(sheet), *_names(sheet), *_title(sheet), *_legend(sheet, legend, below)]
    height = below + (len(legend) * _TEXT_LINE + _MARGIN / 2) * sheet.zoom
    return Picture(sheet.width, height, " ".join(sheet.title), description, tuple(every))


def empty(sheet: Sheet) -> npt.NDArray[np.uint8]:
    """Return the colours of an empty board, one per id: light, dark and holes.

    Where squares are small none is dark; that would only be noise.
    """
    board = sheet.board
    dark = board.dark(np.arange(board.area)) & sheet.fine
    colours = np.where(dark[:, None], palette.rgb(palette.DARK), palette.rgb(palette.LIGHT))
    colours[~board.mask] = palette.rgb(palette.HOLE)
    return colours.astype(np.uint8)


def tiles(sheet: Sheet, colours: npt.NDArray[np.uint8]) -> Tiles:
    """Colour the squares of the board, one colour per id."""
    shape = sheet.board.rows, sheet.board.columns, 3
    return Tiles(sheet.left, sheet.top, sheet.cell, colours.reshape(shape))


def start_mark(points: Points, radius: float) -> list[Layer]:
    """Draw discs."""
    return [Discs(points, radius, palette.START)]


def end_mark(points: Points, radius: float) -> list[Layer]:
    """Draw squares."""
    return [Polygons(points[:, None] + radius * _CORNERS, palette.END)]


def stroke(colour: str, width: float, dashes: tuple[float, float] | None = None) -> Mark:
    """Draw short lines of this kind."""
    ends = np.array([(-1.5, 0.0), (1.5, 0.0)])
    return lambda points, radius: [
        Lines("sample", points[:, None] + radius * ends, colour, width, dashes)
    ]


def swatch(colours: npt.NDArray[np.uint8]) -> Mark:
    """Draw patches of a colour, or of several side by side."""
    row = colours.reshape(1, -1, 3)
    corner = np.array([row.shape[1], 1]) / 2

    def draw(points: Points, radius: float) -> list[Layer]:
        side = 1.5 * radius if row.shape[1] == 1 else radius
        return [Tiles(x, y, side, row) for x, y in (points - side * corner).tolist()]

    return draw


_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def _frame(sheet: Sheet) -> Layer:
    half = np.array([sheet.board.columns, sheet.board.rows]) / 2
    middle = np.array([sheet.left, sheet.top]) + half * sheet.cell
    corners = middle + half * sheet.cell * _CORNERS
    return Lines(
        "frame", np.stack([corners, np.roll(corners, -1, axis=0)], axis=1), palette.FAINT_INK, 1
    )


def _names(sheet: Sheet) -> list[Layer]:
    """Name the files below and the ranks to the left."""
    if not sheet.named:
        return []
    board = sheet.board
    files = sheet.centres(np.arange(board.columns))
    files[:, 1] = sheet.bottom + _NAMES_ROOM / 2
    ranks = sheet.centres(np.arange(board.rows) * board.columns)
    ranks[:, 0] = sheet.left - _NAMES_ROOM / 2
    words = [file_letters(column) for column in range(board.columns)]
    words += [str(board.rows - row) for row in range(board.rows)]
    return [Texts(np.concatenate([files, ranks]), tuple(words), 11, palette.FAINT_INK)]


def _title(sheet: Sheet) -> list[Layer]:
    if not sheet.title:
        return []
    heights = _MARGIN + (np.arange(len(sheet.title)) + 0.5) * _TITLE_LINE
    points = np.stack([np.full(len(heights), sheet.width / 2), heights * sheet.zoom], axis=1)
    return [Texts(points, sheet.title, _TITLE_SIZE * sheet.zoom, palette.INK, bold=True)]


def _legend(sheet: Sheet, entries: Sequence[Entry], top: float) -> list[Layer]:
    layers: list[Layer] = []
    for place, (mark, text) in enumerate(entries):
        y = top + (place + 0.5) * _TEXT_LINE * sheet.zoom
        at_mark, at_text = (np.array([[x * _MARGIN * sheet.zoom, y]]) for x in (2.5, 5))
        layers += mark(at_mark, _MARK * sheet.zoom)
        size = _TEXT_SIZE * sheet.zoom
        layers.append(Texts(at_text, (text,), size, palette.INK, Anchor.START))
    return layers
