"""Symmetries of tours: maps from tours to tours, and those that preserve an instance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Permutation
from kt_cp.board import Board
from kt_cp.board.symmetry import (
    Symmetry,
    board_symmetries,
    board_translations,
    images_under,
    is_symmetric,
)
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.tour.features import SLOPES, ends_of, feature_named

Arc = tuple[int, int]


@dataclass(frozen=True, eq=False)
class TourMap:
    """A map from tours to tours: a symmetry of the board, perhaps followed by reversal.

    ``images`` holds the image of every id.
    """

    images: Permutation
    reverse: bool

    @property
    def order(self) -> int:
        """The order of the map: 2, or 4 for a quarter-turn. Not defined for translations."""
        twice = self.images[self.images]
        return 2 if np.array_equal(twice, np.arange(len(twice))) else 4

    def images_of(self, arcs: Iterable[Arc]) -> frozenset[Arc]:
        """Return the images of arcs, given as pairs of ids; reversal exchanges their ends."""
        images = self.images.tolist()
        mapped = ((images[source], images[target]) for source, target in arcs)
        if self.reverse:
            return frozenset((target, source) for source, target in mapped)
        return frozenset(mapped)

    def arc_orbits(self, arcs: Ints, images: Ints) -> tuple[Ints, Ints]:
        """Return the arcs whose orbits are complete, and the number, from 0, of the orbit of each.

        Arcs are rows (from, to) of nodes; ``images`` are the images of all nodes, where the number
        after the last node stands for a hole.
        """
        images = np.append(images, len(images))  # the image of a hole does not matter
        images_of_arcs = [arcs]
        for _ in range(self.order - 1):
            image = images[images_of_arcs[-1]]
            images_of_arcs.append(image[:, ::-1] if self.reverse else image)
        # A number for each pair of nodes, of 64 bits.
        keys = np.stack([image @ [len(images), 1] for image in images_of_arcs])
        is_complete, lowest_keys = complete_orbits(keys)
        _, numbers = np.unique(lowest_keys[is_complete], return_inverse=True)
        return arcs[is_complete], numbers


def complete_orbits(keys: npt.NDArray[Any]) -> tuple[Mask, Ints]:
    """Return a mask of the arcs or edges whose whole orbit is given, and the orbits' lowest keys.

    Row 0 of ``keys`` holds the keys of the arcs or edges, and every further row those of their
    images under one more repetition of a symmetry.
    """
    is_complete = np.isin(keys, keys[0]).all(axis=0)
    return np.asarray(is_complete), keys.min(axis=0)


def tour_symmetries(board: Board, symmetry: Symmetry, closed: bool) -> list[TourMap]:
    """Return the maps of a tour to itself by which it can have a symmetry.

    An open tour can only be reversed. A closed tour keeps its direction under a quarter-turn: if it
    were reversed, the quarter-turn applied twice would fix every square. The list is empty if the
    board does not have the symmetry.
    """
    images = images_under(board, symmetry)
    same = TourMap(images, reverse=False)
    reverse = TourMap(images, reverse=True)
    if not is_symmetric(board, images):
        return []
    if (images[board.squares] == board.squares).all():
        return [same]  # such as a board of one column
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.QUARTER_TURN):
        return [same] if closed else []
    if symmetry is Symmetry.HALF_TURN_REVERSE or not closed:
        return [reverse]
    return [same, reverse]


def partial_tour_symmetries(board: Board, symmetry: Symmetry) -> list[TourMap]:
    """Return the maps by which a tour that leaves squares out can have a symmetry.

    The board need not have the symmetry: a tour then leaves out the squares whose images are holes.
    A quarter-turn that reversed a tour would fix every square of it if applied twice, and the only
    such square is the center, which a quarter-turn fixes anyway.
    """
    images = images_under(board, symmetry)
    same = TourMap(images, reverse=False)
    reverse = TourMap(images, reverse=True)
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.QUARTER_TURN):
        return [same]
    if symmetry is Symmetry.HALF_TURN_REVERSE:
        return [reverse]
    return [same, reverse]


def tour_maps(instance: Instance, translations: bool = False) -> list[TourMap]:
    """Return the maps that take tours of an instance to tours of it, the identity first.

    They are rotations and reflections and, with ``translations``, the translations of a torus or a
    cylinder, each with and without reversal. A closed tour whose direction does not matter is not
    reversed. Only the identity is returned if there are custom constraints, whose symmetries are
    unknown.
    """
    if instance.constrain:
        return [TourMap(np.arange(instance.graph.area, dtype=np.int32), reverse=False)]
    is_undirected_cycle = instance.closed and not instance.direction_matters
    can_reverse = not is_undirected_cycle and not instance.graph.directed
    directions = (False, True) if can_reverse else (False,)
    images = list(board_symmetries(instance.graph).values())
    if translations:
        moved = [each[shift] for shift in board_translations(instance.graph) for each in images]
        _, first = np.unique(moved, axis=0, return_index=True)  # a small torus repeats some
        images = [moved[index] for index in sorted(first)]
    candidates = [TourMap(each, reverse) for each in images for reverse in directions]
    return [each for each in candidates if _keeps_constraints(instance, each)]


def distinct_symmetries(instance: Instance) -> list[TourMap]:
    """Return the symmetries that preserve an instance but for the identity, one of those alike.

    A symmetry and its inverse are alike, and so are two that a third one takes to each other, such
    as the reflections of a square in its diagonals: each tour with one of them has an image with
    the other. Whether a tour is reversed is not looked at.

    >>> len(distinct_symmetries(Instance.of("8x8"))), len(distinct_symmetries(Instance.of("5x6")))
    (4, 3)
    """
    maps = {tuple(each.images.tolist()): each for each in tour_maps(instance)}
    identity = tuple(range(instance.graph.area))
    distinct = []
    for images, tour_map in maps.items():
        if images != identity and images == min(_alike(tour_map, maps.values())):
            distinct.append(tour_map)
    return distinct


def _alike(tour_map: TourMap, maps: Iterable[TourMap]) -> Iterator[tuple[int, ...]]:
    """Yield the images under the conjugates of a symmetry and of its inverse by some maps."""
    inverse = np.argsort(tour_map.images)
    for other in maps:
        back = np.argsort(other.images)
        for images in (tour_map.images, inverse):
            yield tuple(other.images[images[back]].tolist())


def has_translations(instance: Instance) -> bool:
    """Return whether the board has translations other than the identity."""
    return len(board_translations(instance.graph)) > 1


# -- whether the images of all tours of an instance meet its constraints too ----------------------


def _keeps_constraints(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether the images of all tours of an instance are tours of it."""
    return (
        _keeps_steps(instance, tour_map)
        and _keeps_partial_tours(instance, tour_map)
        and _keeps_moves(instance, tour_map)
        and _keeps_order(instance, tour_map)
        and _keeps_symmetry(instance, tour_map)
        and _keeps_bounds(instance, tour_map)
    )


def _keeps_steps(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether a map takes the known squares with their steps to themselves."""
    if tour_map.reverse and instance.closed and instance.steps:
        return False
    images = {step: int(tour_map.images[square]) for step, square in instance.steps.items()}
    if tour_map.reverse:
        last = len(instance.graph)
        images = {last + 1 - step: square for step, square in images.items()}
    return images == instance.steps


def _keeps_partial_tours(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether a map takes to themselves the ends and the squares of ``must_visit``.

    This concerns only instances of partial tours.
    """
    if not instance.allows_partial:
        return True
    images = tour_map.images
    ends = (instance.start, instance.end)
    images_of_ends = tuple(None if end is None else int(images[end]) for end in ends)
    if tour_map.reverse:
        images_of_ends = images_of_ends[::-1]
    visits = instance.must_visit
    return images_of_ends == ends and {int(images[square]) for square in visits} == visits


def _keeps_order(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether a map takes the order of squares to itself."""
    images = tuple(int(tour_map.images[square]) for square in instance.order)
    if tour_map.reverse:
        images = images[::-1]
    return images == instance.order


def _keeps_moves(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether a map takes the required moves to themselves, and the forbidden ones too."""
    required = {frozenset(move.arcs()) for move in instance.require}
    keeps_required = {tour_map.images_of(arcs) for arcs in required} == required
    forbidden = instance.forbidden_arcs
    return keeps_required and tour_map.images_of(forbidden) == forbidden


def _keeps_symmetry(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether images of tours have the required symmetry.

    The symmetry must equal its conjugate by the map, or the inverse of that.
    """
    if instance.symmetry is None:
        return True
    images = tour_map.images
    symmetry = images_under(instance.board, instance.symmetry)
    conjugate = images[symmetry[np.argsort(images)]]
    return any(np.array_equal(conjugate, each) for each in (symmetry, np.argsort(symmetry)))


def _keeps_bounds(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether images of tours meet the bounds on features."""
    having = {bound for bound in instance.having if bound.feature in SLOPES}
    images = {_image_of_bound(bound, instance.board, tour_map) for bound in having}
    return images == having


def _image_of_bound(bound: Bound, board: Board, tour_map: TourMap) -> Bound:
    """Return the bound that the images of tours meet; a map changes only the names of slopes."""
    is_counted = feature_named(bound.feature).counted_edges(ends_of(board, board.arcs))
    if not is_counted.any():
        return bound
    ends = ends_of(board, tour_map.images[board.arcs[is_counted]])
    # A symmetry of a flat board maps all moves of one slope to moves of one slope.
    [slope] = [name for name in SLOPES if feature_named(name).counted_edges(ends).all()]
    return replace(bound, feature=slope)
