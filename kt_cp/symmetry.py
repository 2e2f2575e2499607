"""Symmetries of the board, and of a tour under them.

A symmetry of the board is an array that holds the image of every id.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board

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


@dataclass(frozen=True, eq=False)
class TourSymmetry:
    """A symmetry of the board that maps a tour onto itself, run the same way or backwards."""

    name: str
    images: Permutation
    reverse: bool

    @property
    def order(self) -> int:
        """How often it must be repeated to bring every square back."""
        return 4 if self.name == Symmetry.QUARTER_TURN else 2

    def orbits(self, arcs: Ints) -> tuple[Ints, Ints]:
        """Give the arcs whose images are all among them, and the number of the orbit of each.

        Arcs are rows (from, to); the id after the last, which is the depot, stays.
        """
        depot = len(self.images)
        images = np.append(self.images, depot)
        turns = [arcs]
        for _ in range(self.order - 1):
            image = images[turns[-1]]
            turns.append(image[:, ::-1] if self.reverse else image)
        keys = np.stack([turn @ [depot + 1, 1] for turn in turns])
        whole = np.isin(keys, keys[0]).all(axis=0)
        _, numbers = np.unique(keys.min(axis=0)[whole], return_inverse=True)
        return arcs[whole], numbers


def images_under(board: Board, symmetry: Symmetry) -> Permutation:
    """Give the image of every id; for a quarter-turn the board must be square.

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


def tour_symmetries(board: Board, symmetry: Symmetry, closed: bool) -> list[TourSymmetry]:
    """List the ways in which a tour can have a symmetry; every tour that has it has one of them.

    An open tour can only be reversed, so its ends change places. A closed one that is mapped onto
    itself by a quarter-turn runs the same way, as running backwards is undone by repeating it.
    """
    images = images_under(board, symmetry)
    if (images[board.squares] == board.squares).all():
        return [TourSymmetry(symmetry, images, reverse=False)]  # as any tour of one column has
    same, reverse = (TourSymmetry(symmetry, images, flag) for flag in (False, True))
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.QUARTER_TURN):
        return [same] if closed else []
    if symmetry is Symmetry.HALF_TURN_REVERSE or not closed:
        return [reverse]
    return [same, reverse]


def on_nodes(board: Board, symmetry: TourSymmetry) -> TourSymmetry:
    """Give a symmetry that keeps the board as it acts on the squares numbered without holes."""
    images = np.searchsorted(board.squares, symmetry.images[board.squares]).astype(np.int32)
    return replace(symmetry, images=images)


def has_symmetry(board: Board, arcs: AbstractSet[tuple[int, int]], symmetry: Symmetry) -> bool:
    """Tell whether a tour, as the set of the arcs it uses, is mapped onto itself.

    >>> has_symmetry(Board(1, 2), {(0, 1)}, Symmetry.HALF_TURN)
    True
    """
    if not arcs:
        return True
    images = images_under(board, symmetry).tolist()
    turned = {(images[source], images[target]) for source, target in arcs}
    same, reverse = turned == arcs, {(b, a) for a, b in turned} == arcs
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.HALF_TURN_REVERSE):
        return same if symmetry is Symmetry.HALF_TURN_SAME else reverse
    return same or reverse
