"""Symmetries of tours: the maps that preserve an instance, and the orbits of its tours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import (
    Ints,
    Mask,
    Permutation,
    Squares,
    Tours,
    cycle_arcs,
    edge_keys,
    edges_of_keys,
    unique,
)
from kt_cp.board import Board, Symmetry, Topology
from kt_cp.board.pieces import board_symmetries, images_under, is_symmetric
from kt_cp.graph import Arc, Graph
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.tour.features import SLOPES, ends_of, feature_named


def translations_of(board: Graph) -> list[Permutation]:
    """Return the translations that preserve a board (torus or cylinder), the identity first.

    >>> len(translations_of(Board(3, 4, topology="torus"))), len(translations_of(Board(3, 4)))
    (12, 1)
    """
    if not isinstance(board, Board):
        return [np.arange(board.area, dtype=np.int32)]
    grid = board.grid(np.arange(board.area, dtype=np.int32))
    rows = range(board.rows) if board.topology is Topology.TORUS else range(1)
    columns = range(board.columns) if board.topology is not Topology.FLAT else range(1)
    images = [np.roll(grid, (down, right), axis=(0, 1)) for down in rows for right in columns]
    return [each.ravel() for each in images if is_symmetric(board, each.ravel())]


@dataclass(frozen=True, eq=False)
class TourMap:
    """A map from tours to tours: a symmetry of the board, perhaps followed by reversal.

    ``images`` holds the image of every id; that of a square may be a hole only where tours may
    leave squares out.
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

    def powers(self, images: Ints) -> list[Ints]:
        """Return the images of all ids, or nodes, after no application of the map, after one, …

        ``images`` are those after one.
        """
        powers: list[Ints] = [np.arange(len(images))]
        while len(powers) < self.order:
            powers.append(images[powers[-1]])
        return powers

    def arc_orbits(self, arcs: Ints) -> tuple[Mask, Ints]:
        """Return a mask of the arcs all of whose images are given too, and the orbit of each arc.

        Arcs are rows (from, to) of ids, where the number after the last id is the depot. Orbits are
        numbers in no particular order.
        """
        images = np.append(self.images, len(self.images))  # the depot is fixed
        weights = np.array([len(images), 1])
        keys = []
        image = arcs
        for _ in range(self.order):
            keys.append(image @ weights)
            image = images[image]
            if self.reverse:
                image = image[:, ::-1]
        return complete_orbits(np.stack(keys))


def complete_orbits(keys: npt.NDArray[Any]) -> tuple[Mask, Ints]:
    """Return a mask of the arcs or edges whose whole orbit is given, and the orbits' lowest keys.

    Row 0 of ``keys`` holds the keys of the arcs or edges, and every further row those of their
    images under one more application of a symmetry.
    """
    is_complete = np.isin(keys, keys[0]).all(axis=0)
    return np.asarray(is_complete), keys.min(axis=0)


def tour_symmetries(instance: Instance) -> Sequence[TourMap | None]:
    """Return the maps that may take a tour with the required symmetry to itself.

    An open tour can only be reversed. A closed tour keeps its direction under a quarter-turn: if it
    were reversed, the quarter-turn applied twice would fix every square. The list is empty if the
    board does not have the symmetry, and [None] if none is asked for.

    A tour that leaves squares out may do without those whose images are holes, so that the board
    need not have the symmetry; and a path that keeps its direction may be a single square.
    """
    if instance.symmetry is None:
        return [None]
    board = instance.board
    symmetry = instance.symmetry
    partial = instance.allows_partial
    images = images_under(board, symmetry)
    same = TourMap(images, reverse=False)
    reverse = TourMap(images, reverse=True)
    if not partial:
        if not is_symmetric(board, images):
            return []
        if (images[board.squares] == board.squares).all():
            return [same]  # such as a board of one column
    if symmetry in (Symmetry.HALF_TURN_SAME, Symmetry.QUARTER_TURN):
        ways = [same]
    elif symmetry is Symmetry.HALF_TURN_REVERSE:
        ways = [reverse]
    else:
        ways = [same, reverse]
    return [way for way in ways if way.reverse or instance.closed or partial]


def tour_maps(instance: Instance, translations: bool = False) -> list[TourMap]:
    """Return the maps that take tours of an instance to tours of it, the identity first.

    They are rotations and reflections and, with ``translations``, the translations of a torus or a
    cylinder, each with and without reversal. A closed tour whose direction does not matter, or that
    has given steps, is not reversed. Only the identity is returned if there are custom constraints,
    whose symmetries are unknown.
    """
    identity = TourMap(np.arange(instance.graph.area, dtype=np.int32), reverse=False)
    if instance.constrain:
        return [identity]
    keeps_direction = instance.closed and (instance.steps or not instance.direction_matters)
    can_reverse = not keeps_direction and not instance.graph.directed
    directions = (False, True) if can_reverse else (False,)
    images = list(board_symmetries(instance.graph).values())
    if translations:
        moved = [each[shift] for shift in translations_of(instance.graph) for each in images]
        _, first = np.unique(moved, axis=0, return_index=True)  # a small torus repeats some
        images = [moved[index] for index in sorted(first)]
    candidates = [TourMap(each, reverse) for each in images for reverse in directions]
    constraints = _constraints_on_images(instance, identity)
    return [each for each in candidates if _constraints_on_images(instance, each) == constraints]


def distinct_symmetries(instance: Instance) -> list[TourMap]:
    """Return a symmetry of each class of conjugates that preserve an instance, but the identity.

    Two symmetries belong to one class if a third maps one to the other or to its inverse, such as
    the reflections of a square in its diagonals: each tour with one of them has an image with the
    other. Reversal is ignored.

    >>> len(distinct_symmetries(Instance.of("8x8"))), len(distinct_symmetries(Instance.of("5x6")))
    (4, 3)
    """
    maps = {tuple(each.images.tolist()): each for each in tour_maps(instance)}

    def lowest_alike(images: Permutation) -> tuple[int, ...]:
        conjugates = (
            other.images[each[np.argsort(other.images)]]
            for other in maps.values()
            for each in (images, np.argsort(images))
        )
        return min(tuple(each.tolist()) for each in conjugates)

    identity = tuple(range(instance.graph.area))
    return [
        tour_map
        for images, tour_map in maps.items()
        if images != identity and images == lowest_alike(tour_map.images)
    ]


def has_translations(instance: Instance) -> bool:
    """Return whether the board has translations other than the identity."""
    return len(translations_of(instance.graph)) > 1


def _constraints_on_images(instance: Instance, tour_map: TourMap) -> tuple[object, ...]:
    """Return the constraints that the images of tours of an instance meet, to be compared."""
    images: list[int] = tour_map.images.tolist()
    turn, last = (-1, len(instance.graph) + 1) if tour_map.reverse else (1, 0)
    steps = {last + turn * step: images[square] for step, square in instance.steps.items()}
    order = tuple(images[square] for square in instance.order)[::turn]
    ends: tuple[int | None, ...] = ()
    visits = set()
    if instance.allows_partial:  # the ends of other tours are among their steps
        both_ends = (instance.first, instance.last)
        ends = tuple(None if end is None else images[end] for end in both_ends)[::turn]
        visits = {images[square] for square in instance.must_visit}
    symmetry = set()
    if instance.symmetry is not None:  # its conjugate, or the inverse of that
        of_squares = images_under(instance.board, instance.symmetry)
        conjugate = tour_map.images[of_squares[np.argsort(tour_map.images)]]
        symmetry = {tuple(each.tolist()) for each in (conjugate, np.argsort(conjugate))}
    required = {tour_map.images_of(move.arcs()) for move in instance.require}
    forbidden = tour_map.images_of(instance.forbidden_arcs)
    slopes = [bound for bound in instance.having if bound.feature in SLOPES]
    bounds = {_image_of_bound(bound, instance.board, tour_map) for bound in slopes}
    return steps, order, ends, visits, symmetry, required, forbidden, bounds


def _image_of_bound(bound: Bound, board: Board, tour_map: TourMap) -> Bound:
    """Return the bound that the images of tours meet; a map changes only the names of slopes."""
    is_counted = feature_named(bound.feature).counted_edges(ends_of(board, board.arcs))
    if not is_counted.any():
        return bound
    ends = ends_of(board, tour_map.images[board.arcs[is_counted]])
    # A symmetry of a flat board maps all moves of one slope to moves of one slope.
    [slope] = [name for name in SLOPES if feature_named(name).counted_edges(ends).all()]
    return replace(bound, feature=slope)


# In this byte order, tours as bytes compare as their ids do.
_HIGH_BYTE_FIRST = np.dtype(">i4")


def orbits(instance: Instance, maps: list[TourMap], tours: Tours) -> Iterator[list[bytes]]:
    """Yield the orbit, in ascending order, of each of the ``tours`` that is a leader.

    The leader of an orbit is the tour with the earliest edges in `edge_keys_in_order`, and the
    lowest of those with the same edges. Every orbit has one leader, so none is yielded twice,
    without a record of earlier orbits. A tour is yielded as the bytes of its ids, high byte first,
    which compare as tours do (see `decode_tour`). A closed tour begins at its lowest id and, unless
    its direction matters, continues to the lower of its two neighbors there.
    """
    # The axes are the map, the tour, and the place on it.
    images = np.stack([tour_map.images[tours] for tour_map in maps]).astype(np.int32)
    is_reversed = np.array([tour_map.reverse for tour_map in maps])
    images[is_reversed] = images[is_reversed, :, ::-1]
    if instance.closed and not (instance.givens or instance.order):
        images = _from_lowest_id(images, instance.direction_matters)
    leaders_with_images = images[:, _is_leader(instance, images)]
    for orbit in leaders_with_images.astype(_HIGH_BYTE_FIRST).swapaxes(0, 1):
        yield sorted({tour.tobytes() for tour in orbit})


def decode_tour(tour: bytes) -> Squares:
    """Return the ids of a tour that `orbits` yields."""
    return np.frombuffer(tour, dtype=_HIGH_BYTE_FIRST).astype(np.int32)


def edge_keys_in_order(graph: Graph) -> Ints:
    """Return the keys of the edges: of a board from the middle outwards, of a graph ascending.

    Squares near the rim have few moves, so tours differ little there.
    """
    keys = unique(edge_keys(np.sort(graph.arcs, axis=1), graph.area))
    if not graph.has_places:
        return keys
    height, width = graph.shape
    rows, columns = np.divmod(np.arange(graph.area), width)
    rim_distance = np.minimum.reduce([rows, columns, height - 1 - rows, width - 1 - columns])
    depth = rim_distance[edges_of_keys(keys, graph.area)].min(axis=1)
    return keys[np.argsort(-depth, kind="stable")]


def _from_lowest_id(tours: Tours, direction_matters: bool) -> Tours:
    """Rotate closed tours to begin at their lowest id.

    Unless the direction matters, reverse those that then continue to the higher neighbor.
    """
    length = tours.shape[-1]
    starts = tours.argmin(axis=-1, keepdims=True)
    rotated = np.take_along_axis(tours, (starts + np.arange(length)) % length, axis=-1)
    if not direction_matters:
        ends_lower = rotated[..., 1] > rotated[..., -1]
        rotated[ends_lower, 1:] = rotated[ends_lower, :0:-1]
    return rotated


def _is_leader(instance: Instance, images: Tours) -> Mask:
    """Return for each tour whether it is the leader of its orbit.

    ``images`` has a row of tours for each map: row 0 holds the tours, the others their images.
    """
    # The axes are the map, the tour, and the entry: first ranks of edges, and then ids.
    keys = np.concatenate([_edge_ranks(instance, images), images], axis=-1)
    differences = keys - keys[0]
    first_different = (differences != 0).argmax(axis=-1, keepdims=True)
    first_difference = np.take_along_axis(differences, first_different, axis=-1)[..., 0]
    return np.asarray((first_difference >= 0).all(axis=0))


def _edge_ranks(instance: Instance, tours: Tours) -> Ints:
    """Return the indices in `edge_keys_in_order` of the edges of each tour, in ascending order."""
    links = cycle_arcs(tours)
    if not instance.closed:
        links = links[..., :-1, :]
    keys = edge_keys(np.sort(links, axis=-1), instance.graph.area)
    ordered_keys = edge_keys_in_order(instance.graph)
    by_key = np.argsort(ordered_keys)
    ranks = by_key[np.searchsorted(ordered_keys, keys, sorter=by_key)]
    return np.sort(ranks, axis=-1)
