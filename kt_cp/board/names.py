"""Names of squares: ids, chess names such as ``a1``, and pairs of row and column from 0."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeGuard

import numpy as np

# A square as users write it: an id, a chess name, "row,column" or (row, column).
SquareLike = int | str | Sequence[int]
StepBySquare = Mapping[int, int] | Mapping[str, int] | Mapping[tuple[int, int], int]

# Longer numbers and names exceed any board that fits into memory.
_NUMBERS = re.compile(r"\(?\s*(\d{1,18})(?:\s*,\s*(\d{1,18}))?\s*\)?", re.ASCII)
_CHESS = re.compile(r"([a-z]{1,9})(\d{1,9})", re.ASCII)


@lru_cache(maxsize=2**16)
def file_letters(column: int) -> str:
    """Return the name of a file, counted from 0: a, b, … z, aa, …."""
    before, letter = divmod(column, 26)
    letters = chr(ord("a") + letter)
    return file_letters(before - 1) + letters if before else letters


def file_index(letters: str) -> int:
    """Return the number of a file from 0, the inverse of `file_letters`.

    >>> file_index("a"), file_index("z"), file_index("aa")
    (0, 25, 26)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def read_square(given: object, rows: int, columns: int) -> tuple[int, int] | None:
    """Return the row and the column of a `SquareLike`, which may be off the board.

    Return None for anything else.

    >>> read_square("a1", 8, 8), read_square("7, 0", 8, 8), read_square(56, 8, 8)
    ((7, 0), (7, 0), (7, 0))
    """
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, str):
        return _read_text(given.strip().lower(), rows, columns)
    if isinstance(given, tuple | list) and len(given) == 2:
        row, column = given
        return (int(row), int(column)) if _is_whole(row) and _is_whole(column) else None
    return divmod(int(given), columns) if _is_whole(given) else None


def _read_text(word: str, rows: int, columns: int) -> tuple[int, int] | None:
    """Return the row and the column of a square given as text, or None."""
    if name := _CHESS.fullmatch(word):
        return rows - int(name[2]), file_index(name[1])
    numbers = _NUMBERS.fullmatch(word)
    if numbers is None:
        return None
    if numbers[2] is None:
        return divmod(int(numbers[1]), columns)
    return int(numbers[1]), int(numbers[2])


def _is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer, but not a bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
