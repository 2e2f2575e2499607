"""Names of squares: ids, chess names and coordinates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kt_cp.board.board import Board
from kt_cp.errors import InputError

_ID = re.compile(r"\d+", re.ASCII)
_COORDINATES = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*\)?", re.ASCII)
_CHESS = re.compile(r"([a-z]+)(\d+)", re.ASCII)

# Longer digit strings are no square of any board that fits into memory.
_MAX_DIGITS = 18

# So many squares are listed in a sentence.
MAX_NAMES = 12


def chess_name(board: Board, square: int) -> str:
    """Name a square as chess does: file a, b, … z, aa, …, then the rank, 1 at the bottom.

    >>> chess_name(Board(8, 8), 0), chess_name(Board(1, 30), 27)
    ('a8', 'ab1')
    """
    row, column = divmod(int(square), board.columns)
    return f"{file_letters(column)}{board.rows - row}"


def chess_names(board: Board, squares: Sequence[int], most: int | None = MAX_NAMES) -> str:
    """List squares in a sentence, by default the first dozen of many; with None, all of them.

    >>> chess_names(Board(8, 8), [0, 1, 2])
    'a8, b8 and c8'
    """
    names = [chess_name(board, square) for square in squares[:most]]
    if len(names) < len(squares):
        names.append(f"{len(squares) - len(names)} more")
    return ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]


def parse_square(board: Board, text: str) -> int:
    """Read a square: an id (``0``), a chess name (``a8``) or ``row,column`` (``0,0``).

    Raises `InputError` when it is none of these, off the board, or a hole.

    >>> [parse_square(Board(8, 8), name) for name in ("0", "a8", "0,0", "h1")]
    [0, 0, 0, 63]
    """
    word = text.strip().lower()
    if len(word) > _MAX_DIGITS:
        raise InputError(f"square {text[:_MAX_DIGITS] + '…'!r}: too long for a square's name")
    if _ID.fullmatch(word):
        square, on_board = int(word), int(word) < board.area
    elif pair := _COORDINATES.fullmatch(word):
        row, column = int(pair[1]), int(pair[2])
        square, on_board = row * board.columns + column, row < board.rows and column < board.columns
    elif name := _CHESS.fullmatch(word):
        row, column = board.rows - int(name[2]), file_index(name[1])
        square, on_board = row * board.columns + column, _within(board, row, column)
    else:
        raise InputError(
            f"square {text!r}: give an id (0), a chess name (a1) or row,column from 0 (0,0)"
        )
    if not on_board:
        raise InputError(f"square {text!r} is off the board: {describe_range(board)}")
    if square not in board:
        raise InputError(f"square {text!r} is a hole of the board")
    return square


def describe_range(board: Board) -> str:
    """Say which names the squares of a board have."""
    last_file = file_letters(board.columns - 1)
    return (
        f"{board.size} has ids 0 to {board.area - 1}, "
        f"files a to {last_file} and ranks 1 to {board.rows}"
    )


def _within(board: Board, row: int, column: int) -> bool:
    return 0 <= row < board.rows and 0 <= column < board.columns


@lru_cache(maxsize=2**16)
def file_letters(column: int) -> str:
    """Name a file, counted from 0: a, b, … z, aa, …."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def file_index(letters: str) -> int:
    """Read the name of a file, counted from 0: `file_letters` backwards."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("a") + 1
    return index - 1
