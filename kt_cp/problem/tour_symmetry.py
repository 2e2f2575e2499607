"""Symmetries that map a tour onto itself, run the same way or backwards."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.board import Board
from kt_cp.board.symmetry import Ints, Permutation, Symmetry, images_under


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
        """Return the arcs whose images are all among them, and the number of the orbit of each.

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
    """Return a symmetry that keeps the board as it acts on the squares numbered without holes."""
    images = np.searchsorted(board.squares, symmetry.images[board.squares]).astype(np.int32)
    return replace(symmetry, images=images)


def has_symmetry(board: Board, arcs: AbstractSet[tuple[int, int]], symmetry: Symmetry) -> bool:
    """Tell whether a tour, as the set of the arcs it uses, is mapped onto itself.

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
