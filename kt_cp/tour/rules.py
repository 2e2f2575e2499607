"""The rules of a tour, checked with little memory and without a report of faults."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.graph import chunks

# The least number of squares of a closed tour: with two it would use one move there and back.
FEWEST_CLOSED = 3


def is_tour(board: Board, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour.

    It needs two bytes for each id beside the path, and stops at the first fault.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> is_tour(Board(3, 4), tour, closed=False), is_tour(Board(3, 4), tour, closed=True)
    (True, False)
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for _, chunk in chunks(path, overlap=1):
        if chunk.min() < 0 or chunk.max() >= board.area:
            return False
        ids = chunk.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares, so every square is visited once.
    return np.array_equal(visited, board.mask) and (not closed or leads_back(board, path))


def leads_back(board: Board, path: npt.NDArray[Any]) -> bool:
    """Return whether a path is long enough to be closed, and a move leads back to its start."""
    ends = path[[-1, 0]] if len(path) >= FEWEST_CLOSED else np.array([-1])
    if (ends < 0).any() or (ends >= board.area).any():
        return False
    return bool(board.are_moves(*ends.astype(np.int32)[:, None])[0])
