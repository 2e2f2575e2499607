"""Symmetries that map a tour onto itself, in the same direction or backwards."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.board import Board
from kt_cp.board.symmetry import Ints, Permutation, Symmetry, images_under


@dataclass(frozen=True, eq=False)
class TourMap:
    """A map from tours to tours: a symmetry of the board, perhaps followed by reversal."""

    images: Permutation
    reverse: bool

    @property
    def is_identity_on_squares(self) -> bool:
        """Whether every square is mapped to itself."""
        return bool((self.images == np.arange(len(self.images))).all())

    @property
    def order(self) -> int:
        """How often to repeat it until every square is mapped to itself: 4 times, or twice."""
        return 2 if np.array_equal(self.images[self.images], np.arange(len(self.images))) else 4

    def orbits(self, arcs: Ints) -> tuple[Ints, Ints]:
        """Return the arcs whose orbits lie among them, and the number of the orbit of each.

        Arcs are rows (from, to). The depot, which is the id after the last, is mapped to itself.
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


def tour_symmetries(board: Board, symmetry: Symmetry, closed: bool) -> list[TourMap]:
    """Return the ways in which a tour can have a symmetry, as maps of the tour onto itself.

    An open tour is reversed, and its ends are exchanged. A closed tour that a quarter-turn maps
    onto itself keeps its direction: reversed twice, every square would be mapped to itself.
    """
    images = images_under(board, symmetry)
    if (images[board.squares] == board.squares).all():
        return [TourMap(images, reverse=False)]  # such as a board of one column
    same, reverse = (TourMap(images, flag) for flag in (False, True))
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.QUARTER_TURN):
        return [same] if closed else []
    if symmetry is Symmetry.HALF_TURN_REVERSE or not closed:
        return [reverse]
    return [same, reverse]


def on_nodes(board: Board, symmetry: TourMap) -> TourMap:
    """Return a symmetry of the board in terms of nodes, which number the squares without holes."""
    images = np.searchsorted(board.squares, symmetry.images[board.squares]).astype(np.int32)
    return replace(symmetry, images=images)


def has_symmetry(board: Board, arcs: AbstractSet[tuple[int, int]], symmetry: Symmetry) -> bool:
    """Return whether a symmetry maps a tour, given as the set of its arcs, onto itself.

    >>> has_symmetry(Board(1, 2), {(0, 1)}, Symmetry.HALF_TURN)
    True
    """
    images = images_under(board, symmetry).tolist()
    if not arcs:  # one square alone
        [square] = board.squares.tolist()
        return bool(images[square] == square)
    turned = {(images[source], images[target]) for source, target in arcs}
    same, reverse = turned == arcs, {(b, a) for a, b in turned} == arcs
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.HALF_TURN_REVERSE):
        return same if symmetry is Symmetry.HALF_TURN_SAME else reverse
    return same or reverse
