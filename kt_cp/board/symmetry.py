"""Symmetries of the board: for each an array with the image of every id."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board.board import Board

Permutation = npt.NDArray[np.int32]
Ints = npt.NDArray[np.integer]


class Symmetry(StrEnum):
    """The symmetries that a tour can be asked to have: it is mapped onto itself.

    The image may run in the same direction or backwards; for the half-turn one of the two can be
    asked for.
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
    grid = board.grid(np.arange(board.area, dtype=np.int32))
    images = {
        Symmetry.QUARTER_TURN: np.rot90(grid),
        Symmetry.LEFT_RIGHT: grid[:, ::-1],
        Symmetry.TOP_BOTTOM: grid[::-1],
    }
    return images.get(symmetry, grid[::-1, ::-1]).ravel()


def is_symmetric(board: Board, images: Permutation) -> bool:
    """Return whether the images preserve the holes and the moves of a board."""
    keeps_holes = np.array_equal(board.mask[images], board.mask)
    return keeps_holes and board.are_same_pairs(board.arcs, images[board.arcs])


def board_symmetries(board: Board) -> list[Permutation]:
    """Return the rotations and reflections that preserve a board, the identity first.

    >>> [len(board_symmetries(board)) for board in (Board(6, 6), Board(5, 6), Board(5, 6, [0]))]
    [8, 4, 1]
    """
    grid = board.grid(np.arange(board.area, dtype=np.int32))
    candidates = [grid, grid[::-1, ::-1], grid[:, ::-1], grid[::-1]]
    if board.rows == board.columns:
        candidates += [np.rot90(grid), np.rot90(grid, 3), grid.T, grid[::-1, ::-1].T]
    flat = [candidate.ravel() for candidate in candidates]
    return [images for images in flat if is_symmetric(board, images)]
