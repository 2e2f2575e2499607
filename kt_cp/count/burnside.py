"""Count classes of tours by Burnside's lemma: the mean number of tours that a map fixes.

The maps are the rotations and reflections of the board, and reversal where it makes another tour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kt_cp.board.symmetry import Symmetry, board_symmetries
from kt_cp.count.enumeration import tour_classes
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_maps


@dataclass(frozen=True)
class FixedTours:
    """How many tours the maps of a group fix.

    ``identical`` maps of all ``maps`` fix every tour; the others fix ``symmetric`` tours in all.
    """

    identical: int
    symmetric: int
    maps: int

    def classes(self, tours: int) -> int:
        """Return the number of classes, given the number of tours."""
        return (self.identical * tours + self.symmetric) // self.maps


def fixed_tours(instance: Instance, clock: Clock) -> FixedTours | None:
    """Return how many tours the maps of an instance fix, by enumerating the symmetric tours.

    Return None if a map that may fix some tours is not a symmetry that `Symmetry` names. Raises
    `OutOfTimeError`.
    """
    maps = tour_maps(instance)
    identical = symmetric = 0
    squares = instance.graph.vertices
    for each in maps:
        in_place = int((each.images[squares] == squares).sum())
        if in_place == len(squares) and (not each.reverse or in_place == 1):
            identical += 1
        elif in_place <= _most_in_place(instance, each):
            symmetry = _symmetry_of(instance, each)
            if symmetry is None:
                return None
            asked = replace(instance, symmetry=symmetry)
            for tours in tour_classes(asked, tour_maps(asked), clock):
                symmetric += len(tours)
    return FixedTours(identical, symmetric, len(maps))


def _most_in_place(instance: Instance, tour_map: TourMap) -> int:
    """Return how many squares a map other than the identity can leave in place if it fixes a tour.

    A map that turns a closed tour or reverses it leaves at most two of its squares in place, one
    that reverses an open tour at most one. An open tour that is not reversed is not fixed at all.
    """
    if instance.closed:
        return 2
    return 1 if tour_map.reverse else -1


def _symmetry_of(instance: Instance, tour_map: TourMap) -> Symmetry | None:
    """Return the symmetry of a tour that a map fixes, or None if it cannot be asked for."""
    images = board_symmetries(instance.graph)
    name = next(n for n, each in images.items() if np.array_equal(each, tour_map.images))
    name = name.removesuffix(" back")  # both quarter-turns fix the same tours
    return Symmetry(name) if name in list(Symmetry) else None
