"""Is this sequence a tour? Yes or no, in little memory: the way to judge huge ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.board.chunks import chunks

# A closed tour has at least so many squares: with two it would only go there and back.
FEWEST_CLOSED = 3


def is_tour(board: Board, path: npt.NDArray[Any], closed: bool) -> bool:
    """Tell whether an array of integers is a tour, a chunk at a time.

    Beside the path it takes two bytes a square. It stops at the first fault and does not say which.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> is_tour(Board(3, 4), tour, closed=False), is_tour(Board(3, 4), tour, closed=True)
    (True, False)
    """
    if (
        len(path) != len(board)
        or (closed and len(path) < FEWEST_CLOSED)
        or path.dtype.kind not in "iu"
    ):
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for _, chunk in chunks(path, overlap=1):
        if chunk.min() < 0 or chunk.max() >= board.area:
            return False
        ids = chunk.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    ends = path[[-1, 0]].astype(np.int32)
    if closed and not board.are_moves(ends[:1], ends[1:])[0]:
        return False
    # As many visits as squares, and every square visited: once each.
    return bool(np.array_equal(visited, board.mask))
