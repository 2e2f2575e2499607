"""How notations name squares: the numbers that stand in the text, and the ids on a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kt_cp.board import Board
from kt_cp.board.chunks import chunks
from kt_cp.board.square_names import chess_name, file_letters
from kt_cp.notation.names import Notation
from kt_cp.notation.shapes import boards_around, boards_of_ids, highest_ids
from kt_cp.notation.text import Integers

NO_ID = -1  # what a pair of numbers off the board stands for


class Naming(Protocol):
    """One way to name squares. ``numbers`` has a row for each square named in the text."""

    def name(self, board: Board, square: int) -> str:
        """Write a square of the board."""

    def entry(self, numbers: Integers) -> str:
        """Write one row of numbers as it stood in the text, on whatever board."""

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids of the squares named; off the board, something that is no id."""

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the boards that may be meant; ``moves`` are pairs of places, a sample of them."""


@dataclass(frozen=True)
class IdNaming:
    """The id of a square, counted from 0 or from 1."""

    first: int = 0

    def name(self, board: Board, square: int) -> str:
        """Write a square of the board."""
        return str(square + self.first)

    def entry(self, numbers: Integers) -> str:
        """Write the number as it stood in the text."""
        return str(numbers[0])

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, those off the board too; counted from 0, they are not copied."""
        return _from_0(numbers[:, 0], self.first)

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the boards on which most moves are legal."""
        ids = _from_0(numbers[:, 0], self.first)
        return boards_of_ids(ids[moves], highest_ids(ids), len(ids))


@dataclass(frozen=True)
class PlaceNaming:
    """The place of a square among the squares of the board, holes left out, from 1: TSPLIB."""

    dimension: int | None = None

    def name(self, board: Board, square: int) -> str:
        """Write a square of the board."""
        return str(square + 1 - int(np.searchsorted(board.holes, square)))

    def entry(self, numbers: Integers) -> str:
        """Write the number as it stood in the text."""
        return str(numbers[0])

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids of the squares at these places."""
        places = numbers[:, 0] - 1
        if not board.holes:
            return places
        inside = (places >= 0) & (places < len(board))
        ids = np.full(len(places), NO_ID, dtype=np.int64)
        ids[inside] = board.squares[places[inside]]
        return ids

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the boards without holes on which most moves are legal."""
        ids = numbers[:, 0] - 1
        highest = [self.dimension - 1] if self.dimension else highest_ids(ids)
        return boards_of_ids(ids[moves], highest, len(ids))


@dataclass(frozen=True)
class CoordinateNaming:
    """Row and column, or column and row, from 0 or from 1; ``form`` has ``{}`` for each."""

    first: int = 0
    column_first: bool = False
    form: str = "{},{}"

    def name(self, board: Board, square: int) -> str:
        """Write a square of the board."""
        row, column = divmod(square, board.columns)
        pair = (column, row) if self.column_first else (row, column)
        return self.form.format(*(number + self.first for number in pair))

    def entry(self, numbers: Integers) -> str:
        """Write the pair as it stood in the text."""
        return self.form.format(*numbers)

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, `NO_ID` for a pair off the board."""
        return _ids(board, numbers, self._rows_and_columns)

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the rectangle and the square around the pairs."""
        return boards_around(*self._rows_and_columns(numbers))

    def _rows_and_columns(self, numbers: Integers) -> tuple[Integers, Integers]:
        rows, columns = _from_0(numbers, self.first).T
        return (columns, rows) if self.column_first else (rows, columns)


@dataclass(frozen=True)
class ChessNaming:
    """File and rank; the numbers are the file from 0 and the rank from 1."""

    def name(self, board: Board, square: int) -> str:
        """Write a square of the board."""
        return chess_name(board, square)

    def entry(self, numbers: Integers) -> str:
        """Write the name as it stood in the text, in lower case."""
        return f"{file_letters(int(numbers[0]))}{numbers[1]}"

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, `NO_ID` for a name off the board."""
        return _ids(board, numbers, lambda part: (board.rows - part[:, 1], part[:, 0]))

    def boards(self, numbers: Integers, moves: Integers) -> list[Board]:
        """Return the rectangle and the square that hold the files and ranks, a1 in the corner."""
        files, ranks = numbers.T
        return boards_around(ranks - 1, files)


def _from_0(numbers: Integers, first: int) -> Integers:
    """Count from 0, without a copy where that is so."""
    return numbers - first if first else numbers


def _ids(
    board: Board,
    numbers: Integers,
    rows_and_columns: Callable[[Integers], tuple[Integers, Integers]],
) -> Integers:
    """Return the ids, a chunk at a time to spare memory."""
    ids = np.empty(len(numbers), dtype=np.int32)
    for first, part in chunks(numbers):
        rows, columns = rows_and_columns(part)
        inside = (rows >= 0) & (columns >= 0) & (rows < board.rows) & (columns < board.columns)
        on_board = np.where(inside, rows, 0) * board.columns + columns
        ids[first : first + len(part)] = np.where(inside, on_board, NO_ID)
    return ids


def naming(notation: Notation) -> Naming:
    """Return the way in which a notation names squares; those without one of their own use ids."""
    match notation.base:
        case Notation.SQUARES | Notation.MOVES:
            return ChessNaming()
        case Notation.COORDS | Notation.FACTS:
            return CoordinateNaming(notation.first, notation.column_first)
        case Notation.TSPLIB | Notation.HCP:
            return PlaceNaming()
        case Notation.IDS | Notation.SUCCESSORS:
            return IdNaming(notation.first)
        case _:
            return IdNaming()
