"""The notations: their names, how each names squares, and which boards the squares may mean."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import numpy as np

from kt_cp.board import Board
from kt_cp.board.piece import KNIGHT
from kt_cp.board.square_names import file_letters
from kt_cp.errors import InputError
from kt_cp.notation.text import Integers


class Notation(StrEnum):
    """A notation in which tours are written and read.

    Where a notation may count from 0 or from 1, or name the row or the column first, the plain
    name is the way in which ``kt solve`` writes it, and longer names are the other ways.
    ``description`` is what the notation is called, ``first`` the number with which it counts.

    >>> Notation.IDS_FROM_1.description, Notation.IDS_FROM_1.first
    ('ids from 1', 1)
    """

    GRID = "grid", "numbered board from 1", 1
    GRID_FROM_0 = "grid-from-0", "numbered board from 0"
    IDS = "ids", "ids from 0"
    IDS_FROM_1 = "ids-from-1", "ids from 1", 1
    SQUARES = "squares", "chess names"
    COORDS = "coords", "coordinates from 0"
    COORDS_FROM_1 = "coords-from-1", "coordinates from 1", 1
    COORDS_COLUMN_FIRST = "coords-column-first", "coordinates from 0, column first"
    COORDS_COLUMN_FIRST_FROM_1 = (
        "coords-column-first-from-1",
        "coordinates from 1, column first",
        1,
    )
    MOVES = "moves", "moves"
    FACTS = "facts", "facts from 1", 1
    FACTS_FROM_0 = "facts-from-0", "facts from 0"
    FACTS_COLUMN_FIRST = "facts-column-first", "facts from 1, column first", 1
    FACTS_COLUMN_FIRST_FROM_0 = "facts-column-first-from-0", "facts from 0, column first"
    SUCCESSORS = "successors", "successors from 0"
    SUCCESSORS_FROM_1 = "successors-from-1", "successors from 1", 1
    TSPLIB = "tsplib", "TSPLIB tour", 1
    JSON = "json", "JSON"
    NPY = "npy", "NumPy array"

    description: str
    first: int

    def __new__(cls, name: str, description: str = "", first: int = 0) -> Self:
        """Make a member of its name, the usual words, and the number with which it counts."""
        member = str.__new__(cls, name)
        member._value_, member.description, member.first = name, description, first
        return member

    @classmethod
    def parse(cls, name: Notation | str) -> Notation:
        """Return the notation of this name. Raises `InputError`, with all names, if there is none.

        >>> Notation.parse("squares")
        <Notation.SQUARES: 'squares'>
        """
        try:
            return cls(name)
        except ValueError:
            raise InputError(f"notation {name!r}: give one of {', '.join(cls)}") from None

    @property
    def base(self) -> Notation:
        """The plain notation, regardless of what it counts from and names first.

        >>> Notation("coords-column-first-from-1").base
        <Notation.COORDS: 'coords'>
        """
        return Notation(self.value.partition("-")[0])

    @property
    def ways(self) -> list[Notation]:
        """The notations with this base, the plain one first."""
        return [each for each in Notation if each.base is self.base]

    @property
    def column_first(self) -> bool:
        """Whether a pair of numbers names the column before the row."""
        return "column-first" in self.value

    @property
    def words(self) -> str:
        """The usual words for the base, such as ``chess names``."""
        return self.description.partition(" from ")[0]


# A board so much larger than its path cannot be meant; the path has a mistake.
_SQUARES_PER_ENTRY = 4
_ALWAYS_ALLOWED = 20**2

# No smaller rectangle than 3x4 has a tour, so a shorter path is no tour with a slip.
_FEWEST = 12

_LEGAL = 2 / 3  # of the moves on a board that they determine
_SAMPLE = 1000
_BEST = 3


def boards_around(rows: Integers, columns: Integers) -> list[Board]:
    """Return the boards that may be meant by squares in these rows and columns, counted from 0.

    These are the smallest rectangle that holds all squares and the smallest square board; and the
    same without the last row or column that occurs, in case it is a slip.
    """
    pairs = [(height, width) for height in sizes(rows) for width in sizes(columns)]
    squares = [(max(pair), max(pair)) for pair in pairs]
    return _boards([*pairs, *squares], len(rows))


def boards_of_ids(moves: Integers, areas: Iterable[int], entries: int) -> list[Board]:
    """Return the boards that may be meant by moves, which are rows of two ids from 0.

    ``areas`` are the numbers of ids that the board may have, ``entries`` is the number of squares
    in the path. The moves determine the width: of the widths at which most of them are legal, those
    that make the smallest boards come first, then the smallest square board. If most of them are
    legal at no width, only the square board may be meant.
    """
    sides: list[tuple[int, int]] = []
    for area in dict.fromkeys(areas):
        inside = moves[((moves >= 0) & (moves < area)).all(axis=1)].astype(np.int64)
        side = math.isqrt(area - 1) + 1
        widths = sorted({side, *(width for width in _likely_widths(inside) if width <= area)})
        boards = []
        for pair in _allowed([(-(-area // width), width) for width in widths], entries):
            legal = int(Board(*pair).are_moves(*inside.T).sum())
            if legal >= _LEGAL * len(inside):
                boards.append((-legal, math.prod(pair), abs(pair[0] - pair[1]), pair))
        sides += [*(pair for *_, pair in sorted(boards)[:_BEST]), (side, side)]
    return _boards(sides, entries)


def sizes(values: Integers) -> list[int]:
    """Return how many values from 0 on may be meant: all up to the highest, or all but it.

    The highest may be a slip if it occurs once, in a path that is long enough.

    >>> sizes(np.array([0, 7, 8, 1, 6, 11, 4, 9, 900, 5, 10, 3]))
    [901, 12]
    """
    top = int(values.max())
    slip = len(values) >= _FEWEST and np.count_nonzero(values == top) == 1
    second = int(values.max(where=values < top, initial=-1)) if slip else -1
    return [value + 1 for value in (top, second) if value >= 0]


def sample(length: int) -> Integers:
    """Return places in a list, all of a short one; the same at each call, but not periodic.

    >>> sample(4), len(sample(10**6))
    (array([0, 1, 2, 3]), 1000)
    """
    if length <= _SAMPLE:
        return np.arange(max(0, length))
    return np.sort(np.random.default_rng(length).integers(length, size=_SAMPLE))


def _likely_widths(moves: Integers) -> Iterator[int]:
    """Yield the widths that explain the most frequent differences between the ids of a move.

    A jump of r rows and c columns changes the id by r * width + c.
    """
    distances, counts = np.unique(np.abs(moves[:, 1] - moves[:, 0]), return_counts=True)
    frequent = distances[np.argsort(-counts, kind="stable")][: len(KNIGHT.jumps)]
    for distance in frequent.tolist():
        for down, right in KNIGHT.jumps:
            if down > 0 and distance > right and (distance - right) % down == 0:
                yield (distance - right) // down


def _allowed(sides: Iterable[tuple[int, int]], entries: int) -> list[tuple[int, int]]:
    """Return the sides of boards that are not too large for so many entries."""
    most = _SQUARES_PER_ENTRY * entries + _ALWAYS_ALLOWED
    return [pair for pair in dict.fromkeys(sides) if math.prod(pair) <= most]


def _boards(sides: Iterable[tuple[int, int]], entries: int) -> list[Board]:
    boards = [Board(*pair) for pair in _allowed(sides, entries)]
    if not boards:
        raise InputError(
            "the board cannot be detected: some squares are too far off for so short a path; "
            "give the board, such as 8x8"
        )
    return boards


NO_ID = -1  # stands for a square that is off the board


@dataclass(frozen=True)
class IdNaming:
    """Ids, counted from 0 or from 1; TSPLIB counts the squares alone, without the holes."""

    first: int = 0
    skips_holes: bool = False
    dimension: int | None = None

    def names(self, board: Board, squares: Integers) -> list[str]:
        """Return the names of squares of a board."""
        if self.skips_holes and board.holes:
            squares = squares - np.searchsorted(board.holes, squares)
        return list(map(str, (squares + self.first).tolist()))

    def entry(self, numbers: Integers) -> str:
        """Return the number as it stands in the text."""
        return str(numbers[0])

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, also those off the board; if counted from 0, without a copy."""
        ids = _from_0(numbers[:, 0], self.first)
        if not (self.skips_holes and board.holes):
            return ids
        inside = (ids >= 0) & (ids < len(board))
        return np.where(inside, board.squares[np.where(inside, ids, 0)], NO_ID)

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the boards without holes on which most moves are legal."""
        ids = _from_0(numbers[:, 0], self.first)
        areas = [self.dimension] if self.dimension else sizes(ids)
        return boards_of_ids(ids[moves], areas, len(ids))


@dataclass(frozen=True)
class PairNaming:
    """Row and column, or column and row, from 0 or from 1; ``form`` is a format for the two.

    A chess name is the column, written in letters, and the row, counted from the bottom.
    """

    first: int = 0
    column_first: bool = False
    form: str = "{},{}"
    chess: bool = False

    def names(self, board: Board, squares: Integers) -> list[str]:
        """Return the names of squares of a board."""
        rows, columns = np.divmod(squares, board.columns)
        if self.chess:
            rows = board.rows - 1 - rows
        pairs = (columns, rows) if self.column_first else (rows, columns)
        return self._written(*((part + self.first).tolist() for part in pairs))

    def entry(self, numbers: Integers) -> str:
        """Return the pair as it stands in the text, a chess name in lower case."""
        return self._written(*numbers[:, None].tolist())[0]

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, `NO_ID` for a pair off the board."""
        rows, columns = self._rows_and_columns(numbers)
        inside = (rows >= 0) & (columns >= 0) & (rows < board.rows) & (columns < board.columns)
        rows, columns = np.where(inside, rows, 0), np.where(inside, columns, 0)
        if self.chess:
            rows = board.rows - 1 - rows
        return np.where(inside, rows * board.columns + columns, NO_ID)

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the smallest boards that hold the pairs, with row and column 0 or with a1."""
        return boards_around(*self._rows_and_columns(numbers))

    def _rows_and_columns(self, numbers: Integers) -> tuple[Integers, Integers]:
        rows, columns = _from_0(numbers, self.first).T
        return (columns, rows) if self.column_first else (rows, columns)

    def _written(self, first: list[int], second: list[int]) -> list[str]:
        columns = [file_letters(number - 1) for number in first] if self.chess else first
        return list(map(self.form.format, columns, second))


# A way to name squares. In its methods ``numbers`` has a row for each square that the text names,
# and ``moves`` are pairs of rows between which there is a move.
Naming = IdNaming | PairNaming


def _from_0(numbers: Integers, first: int) -> Integers:
    """Return numbers counted from 0, without a copy if they are already."""
    return numbers - first if first else numbers


def naming(notation: Notation) -> Naming:
    """Return the way in which a notation names squares, ids unless it has one of its own."""
    match notation.base:
        case Notation.SQUARES | Notation.MOVES:
            return PairNaming(1, column_first=True, form="{}{}", chess=True)
        case Notation.COORDS | Notation.FACTS:
            return PairNaming(notation.first, notation.column_first)
        case Notation.TSPLIB:
            return IdNaming(1, skips_holes=True)
        case _:
            return IdNaming(notation.first)
