"""Which squares a path visits, and where it visits each for the first time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Squares
from kt_cp.board.chunks import chunks

Path = npt.NDArray[Any]  # of integers, or of Python integers where one fits no integer type
Places = npt.NDArray[np.integer]

# Above this many squares per step of the path, memory goes by the path and not by the board.
_SPARSE = 4


def board_ids(board: Board, path: Path) -> Squares:
    """Return a part of a path as ids; what is off the board is -1."""
    inside = (path >= 0) & (path < board.area)
    ids = np.full(len(path), -1, dtype=np.int32)
    ids[inside] = path[inside]
    return ids


class FirstVisits:
    """The place of the first visit to each square, for a path that is told part by part.

    >>> visits = FirstVisits(Board(2, 2), np.array([3, 1, 3]))
    >>> visits.tell(np.array([3, 1, 3]), np.array([0, 1, 2])).tolist()
    [0, 1, 0]
    >>> visits.squares.tolist()
    [1, 3]
    """

    def __init__(self, board: Board, path: Path) -> None:
        """Make room for all squares of the board, or for those of a path that is much shorter."""
        self._known: Squares | None = None
        if board.area > _SPARSE * len(path):
            self._known = np.empty(len(path), dtype=np.int32)
            for start, chunk in chunks(path):
                self._known[start : start + len(chunk)] = board_ids(board, chunk)
            self._known.sort()
        size = board.area if self._known is None else len(self._known)
        self._places = np.full(size, -1, dtype=place_type(path))

    def tell(self, squares: Squares, places: Places) -> Places:
        """Take the next visits, and give for each the place of the first visit to its square."""
        # A square known several times has the slot where it comes first.
        slots = squares if self._known is None else np.searchsorted(self._known, squares)
        new = self._places[slots] < 0
        # Of several visits to a square the one written last stays: the first.
        self._places[slots[new][::-1]] = places[new][::-1]
        return np.asarray(self._places[slots])

    @property
    def squares(self) -> Squares:
        """The squares visited, ascending."""
        slots = np.empty(np.count_nonzero(self._places >= 0), dtype=np.int32)
        filled = 0
        for start, chunk in chunks(self._places):
            found = np.flatnonzero(chunk >= 0)
            slots[filled : filled + len(found)] = found + start
            filled += len(found)
        return slots if self._known is None else self._known[slots]


def place_type(path: Path) -> type[np.signedinteger[Any]]:
    """Return the smaller type that holds every place of the path."""
    return np.int32 if len(path) <= np.iinfo(np.int32).max else np.int64
