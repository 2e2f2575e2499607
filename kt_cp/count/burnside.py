"""Count classes of tours by Burnside's lemma: the mean number of tours that a map fixes.

The maps are the rotations and reflections of the board, and reversal where it makes another tour.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Squares, cycle_arcs
from kt_cp.board.symmetry import Symmetry, board_symmetries
from kt_cp.count.enumeration import tour_classes
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, decode_tour, tour_maps
from kt_cp.problem.task import Clock


@dataclass(frozen=True)
class FixedTours:
    """How many tours the maps of a group fix.

    Of ``maps`` maps, ``trivial_maps`` fix every tour; the other maps together fix
    ``fixed_by_others``, where a tour counts once for each map that fixes it.
    """

    trivial_maps: int
    fixed_by_others: int
    maps: int

    def classes(self, tours: int) -> int:
        """Return the number of classes, given the number of tours."""
        return (self.trivial_maps * tours + self.fixed_by_others) // self.maps


def fixed_tours(instance: Instance, clock: Clock) -> FixedTours | None:
    """Return how many tours the maps of an instance fix, by enumerating the symmetric tours.

    Return None if a map that may fix some tours is not one of the symmetries in `Symmetry`. Raises
    `OutOfTimeError`.
    """
    maps = tour_maps(instance)
    trivial_maps = fixed_by_others = 0
    squares = instance.graph.vertices
    for tour_map in maps:
        fixed_squares = int((tour_map.images[squares] == squares).sum())
        fixes_all_squares = fixed_squares == len(squares)
        is_trivial = fixes_all_squares and (not tour_map.reverse or len(squares) == 1)
        if is_trivial:
            trivial_maps += 1
        elif fixed_squares <= _most_fixed_squares(instance, tour_map):
            symmetry = _symmetry_of(instance, tour_map)
            if symmetry is None:
                return None
            fixed_by_others += _count_fixed(replace(instance, symmetry=symmetry), tour_map, clock)
    return FixedTours(trivial_maps, fixed_by_others, len(maps))


def _count_fixed(symmetric_instance: Instance, tour_map: TourMap, clock: Clock) -> int:
    """Return how many tours a map fixes; all of them are tours of the symmetric instance.

    If the direction of a closed tour matters, some tours of that instance are fixed by the other
    map with the same images: the one that reverses if ``tour_map`` does not, and vice versa.
    """
    direction_matters = symmetric_instance.closed and symmetric_instance.direction_matters
    fixed = 0
    for tours in tour_classes(symmetric_instance, tour_maps(symmetric_instance), clock):
        # A map fixes all tours of such a class or none of them.
        if not direction_matters or _fixes_cycle(tour_map, decode_tour(tours[0])):
            fixed += len(tours)
    return fixed


def _fixes_cycle(tour_map: TourMap, tour: Squares) -> bool:
    """Return whether a map takes a closed tour to itself, in the same direction."""
    arcs = frozenset((source, target) for source, target in cycle_arcs(tour).tolist())
    return tour_map.images_of(arcs) == arcs


def _most_fixed_squares(instance: Instance, tour_map: TourMap) -> int:
    """Return how many squares a map other than the identity can fix if it fixes a tour.

    Return -1 if it fixes none: a map of open tours that does not reverse them. A rotation or
    reversal of a closed tour fixes at most two squares, a reversal of an open tour at most one.
    """
    if instance.closed:
        return 2
    return 1 if tour_map.reverse else -1


def _symmetry_of(instance: Instance, tour_map: TourMap) -> Symmetry | None:
    """Return the symmetry of the tours that a map fixes, or None if `Symmetry` has none such.

    Tours that the map takes to themselves in the other direction have this symmetry, too.
    """
    images = board_symmetries(instance.graph)
    name = next(n for n, each in images.items() if np.array_equal(each, tour_map.images))
    name = name.removesuffix(" back")  # both quarter-turns fix the same tours
    return Symmetry(name) if name in list(Symmetry) else None
