"""How notations name squares, by numbers in the text, and which ids these are on a board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kt_cp.board import Board
from kt_cp.board.square_names import file_letters
from kt_cp.graph import chunks
from kt_cp.notation.likely_boards import boards_around, boards_of_ids, sizes
from kt_cp.notation.notations import Notation
from kt_cp.notation.text import Integers

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
        """Return the ids, `NO_ID` for a pair off the board, computed chunk by chunk."""
        ids = np.empty(len(numbers), dtype=np.int32)
        for start, part in chunks(numbers):
            rows, columns = self._rows_and_columns(part)
            inside = (rows >= 0) & (columns >= 0) & (rows < board.rows) & (columns < board.columns)
            rows, columns = np.where(inside, rows, 0), np.where(inside, columns, 0)
            if self.chess:
                rows = board.rows - 1 - rows
            on_board = rows * board.columns + columns
            ids[start : start + len(part)] = np.where(inside, on_board, NO_ID)
        return ids

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
