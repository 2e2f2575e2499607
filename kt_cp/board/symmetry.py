"""Symmetries of the board, each as an array that holds the image of every id."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from enum import StrEnum

import numpy as np

from kt_cp.arrays import Permutation
from kt_cp.board.board import Board, Topology
from kt_cp.graph import Graph


class Symmetry(StrEnum):
    """The symmetries that can be required of a tour: the map takes the tour to itself.

    The image may run in either direction; for the half-turn, the direction can be required too.
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
    name = Symmetry.HALF_TURN if symmetry.startswith(Symmetry.HALF_TURN) else symmetry
    return _grids(board)[name].ravel()


def is_symmetric(board: Board, images: Permutation) -> bool:
    """Return whether the images preserve the holes and the moves of a board."""
    keeps_holes = np.array_equal(board.mask[images], board.mask)
    return keeps_holes and board.are_same_pairs(board.arcs, images[board.arcs])


def board_symmetries(board: Graph) -> dict[str, Permutation]:
    """Return the rotations and reflections that preserve a board by name, the identity first.

    >>> list(board_symmetries(Board(5, 6))), list(board_symmetries(Board(5, 6, [0])))
    (['identity', 'half-turn', 'left-right', 'top-bottom'], ['identity'])
    """
    if not isinstance(board, Board):
        return {"identity": np.arange(board.area, dtype=np.int32)}
    images = {name: grid.ravel() for name, grid in _grids(board).items()}
    return {name: each for name, each in images.items() if is_symmetric(board, each)}


def board_translations(board: Graph) -> list[Permutation]:
    """Return the translations that preserve a board (torus or cylinder), the identity first.

    >>> len(board_translations(Board(3, 4, topology="torus"))), len(board_translations(Board(3, 4)))
    (12, 1)
    """
    if not isinstance(board, Board):
        return [np.arange(board.area, dtype=np.int32)]
    grid = board.grid(np.arange(board.area, dtype=np.int32))
    rows = range(board.rows) if board.topology is Topology.TORUS else range(1)
    columns = range(board.columns) if board.topology is not Topology.FLAT else range(1)
    images = [np.roll(grid, (down, right), axis=(0, 1)) for down in rows for right in columns]
    return [each.ravel() for each in images if is_symmetric(board, each.ravel())]


def has_symmetry(
    board: Board, first: int, arcs: AbstractSet[tuple[int, int]], symmetry: Symmetry
) -> bool:
    """Return whether a symmetry maps a tour to itself, given as the set of its arcs.

    ``first`` is the id of its first square, which has no arcs if it is the only one.
    """
    images = images_under(board, symmetry).tolist()
    if not arcs:
        return bool(images[first] == first)
    image = {(images[source], images[target]) for source, target in arcs}
    runs_same = image == arcs
    runs_reverse = {(target, source) for source, target in image} == arcs
    if symmetry is Symmetry.HALF_TURN_SAME:
        return runs_same
    if symmetry is Symmetry.HALF_TURN_REVERSE:
        return runs_reverse
    return runs_same or runs_reverse


def _grids(board: Board) -> dict[str, Permutation]:
    """Return the images of all ids under each rotation and reflection, in rows and columns."""
    grid = board.grid(np.arange(board.area, dtype=np.int32))
    grids = {
        "identity": grid,
        "half-turn": grid[::-1, ::-1],
        "left-right": grid[:, ::-1],
        "top-bottom": grid[::-1],
    }
    if board.rows == board.columns:
        grids |= {"quarter-turn": np.rot90(grid), "quarter-turn back": np.rot90(grid, 3)}
        grids |= {"falling diagonal": grid.T, "rising diagonal": grid[::-1, ::-1].T}
    return grids
