"""Symmetries of the board.

A symmetry of the board is an array that holds the image of every id.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board.board import Board

Permutation = npt.NDArray[np.int32]
Ints = npt.NDArray[np.integer]


class Symmetry(StrEnum):
    """What may map a tour onto itself.

    The turned or reflected tour may run the same way round as before, or backwards; for the
    half-turn either can be asked for.
    """

    HALF_TURN = "half-turn"
    HALF_TURN_SAME = "half-turn-same"
    HALF_TURN_REVERSE = "half-turn-reverse"
    QUARTER_TURN = "quarter-turn"
    LEFT_RIGHT = "left-right"
    TOP_BOTTOM = "top-bottom"


def images_under(board: Board, symmetry: Symmetry) -> Permutation:
    """Return the image of every id; for a quarter-turn the board must be square.

    >>> images_under(Board(2, 2), Symmetry.QUARTER_TURN).tolist()  # clockwise
    [1, 3, 0, 2]
    """
    grid = np.arange(board.area, dtype=np.int32).reshape(board.rows, board.columns)
    if symmetry is Symmetry.LEFT_RIGHT:
        return grid[:, ::-1].ravel()
    if symmetry is Symmetry.TOP_BOTTOM:
        return grid[::-1].ravel()
    if symmetry is Symmetry.QUARTER_TURN:
        return np.rot90(grid, 1).ravel()
    return grid.ravel()[::-1]


def is_symmetric(board: Board, images: Permutation) -> bool:
    """Tell whether the images keep the holes and the moves of a board."""
    if not np.array_equal(board.mask[images], board.mask):
        return False
    before = np.sort(board.arcs.astype(np.int64) @ [board.area, 1])
    after = np.sort(images[board.arcs].astype(np.int64) @ [board.area, 1])
    return bool(np.array_equal(before, after))


def board_symmetries(board: Board) -> list[Permutation]:
    """List the rotations and reflections that keep a board, the identity first.

    >>> [len(board_symmetries(board)) for board in (Board(6, 6), Board(5, 6), Board(5, 6, [0]))]
    [8, 4, 1]
    """
    grid = np.arange(board.area, dtype=np.int32).reshape(board.rows, board.columns)
    candidates = [grid, grid[::-1, ::-1], grid[:, ::-1], grid[::-1]]
    if board.rows == board.columns:
        candidates += [np.rot90(grid), np.rot90(grid, 3), grid.T, grid[::-1, ::-1].T]
    flat = [candidate.ravel() for candidate in candidates]
    return [images for images in flat if is_symmetric(board, images)]
