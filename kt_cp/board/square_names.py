"""Names of squares: ids, chess names and coordinates."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeGuard

import numpy as np

from kt_cp.errors import InputError, join_words

# A square as users write it: an id, a chess name, "row,column" or (row, column).
SquareLike = int | str | Sequence[int]
StepBySquare = Mapping[int, int] | Mapping[str, int] | Mapping[tuple[int, int], int]

_ID = re.compile(r"\d+", re.ASCII)
_COORDINATES = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*\)?", re.ASCII)
_CHESS = re.compile(r"([a-z]+)(\d+)", re.ASCII)

# Longer words name no square of a board that fits into memory.
_MAX_DIGITS = 18
MAX_NAMES = 12


class _Board(Protocol):
    """What is needed of a board; a board itself reads the names of its holes here."""

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    def __contains__(self, square: object) -> bool: ...


def chess_name(board: _Board, square: int) -> str:
    """Return the chess name of a square: the file a, b, … z, aa, …, then the rank from the bottom.

    >>> from kt_cp.board import Board
    >>> chess_name(Board(8, 8), 0), chess_name(Board(1, 30), 27)
    ('a8', 'ab1')
    """
    row, column = divmod(int(square), board.columns)
    return f"{file_letters(column)}{board.rows - row}"


def chess_names(board: _Board, squares: Sequence[int], most: int | None = MAX_NAMES) -> str:
    """Return the names of squares as part of a sentence, at most the first dozen (None: all).

    >>> from kt_cp.board import Board
    >>> chess_names(Board(8, 8), [0, 1, 2])
    'a8, b8 and c8'
    """
    names = [chess_name(board, square) for square in squares[:most]]
    if len(names) < len(squares):
        names.append(f"{len(squares) - len(names)} more")
    return join_words(names)


def parse_square(board: _Board, square: SquareLike, role: str = "") -> int:
    """Return the id of a square given as id, chess name, ``row,column`` or (row, column).

    Raises `InputError` if it is none of these, off the board, or a hole; the message begins with
    its ``role``, such as ``start``.

    >>> from kt_cp.board import Board
    >>> [parse_square(Board(8, 8), name) for name in (0, "0", "a8", "0,0", (0, 0), "h1")]
    [0, 0, 0, 0, 0, 63]
    """
    number = locate(board, square, role)
    place = f"{role}: square {square!r}" if role else f"square {square!r}"
    if number is None:
        raise InputError(f"{place} is off the board: {describe_range(board)}")
    if number not in board:
        raise InputError(f"{place} is a hole of the board")
    return number


def locate(board: _Board, square: SquareLike, role: str = "") -> int | None:
    """Return the id of a square or hole, or None if it is off the board.

    Raises `InputError` if it is not written as `parse_square` reads it.
    """
    row, column = _row_and_column(board, square, role)
    inside = 0 <= row < board.rows and 0 <= column < board.columns
    return row * board.columns + column if inside else None


def _row_and_column(board: _Board, square: SquareLike, role: str) -> tuple[int, int]:
    if isinstance(square, str):
        word = square.strip().lower()
        if len(word) > _MAX_DIGITS:
            shown = square[:_MAX_DIGITS] + "…"
            raise InputError(f"square {shown!r}: too long for a square's name")
        if name := _CHESS.fullmatch(word):
            return board.rows - int(name[2]), file_index(name[1])
        if pair := _COORDINATES.fullmatch(word):
            return int(pair[1]), int(pair[2])
        if _ID.fullmatch(word):
            return divmod(int(word), board.columns)
    elif _is_integer(square):
        return divmod(int(square), board.columns)
    elif isinstance(square, tuple | list | np.ndarray) and len(square) == 2:
        row, column = square
        if _is_integer(row) and _is_integer(column):
            return int(row), int(column)
    place = (
        f"{role}: {reprlib.repr(square)} is not a square"
        if role
        else f"square {reprlib.repr(square)}"
    )
    wanted = "an id (0), a chess name (a1) or row,column from 0 (0,0)"
    raise InputError(f"{place}: give {wanted}")


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def describe_range(board: _Board) -> str:
    """Return which ids, files and ranks a board has."""
    return (
        f"{board.rows}x{board.columns} has ids 0 to {board.rows * board.columns - 1}, "
        f"files a to {file_letters(board.columns - 1)} and ranks 1 to {board.rows}"
    )


@lru_cache(maxsize=2**16)
def file_letters(column: int) -> str:
    """Return the name of a file, counted from 0: a, b, … z, aa, …."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def file_index(letters: str) -> int:
    """Return the number of a file from 0, the inverse of `file_letters`."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("a") + 1
    return index - 1
