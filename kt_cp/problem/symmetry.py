"""Symmetries of tours: which map a tour onto itself, and the orbits of tours under them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares, unique
from kt_cp.board import Board
from kt_cp.board.symmetry import (
    Symmetry,
    board_symmetries,
    board_translations,
    images_under,
    is_symmetric,
)
from kt_cp.graph import Graph
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.tour.feature_table import SLOPES, feature_named
from kt_cp.tour.move_pairs import ends_of


@dataclass(frozen=True, eq=False)
class TourMap:
    """A map from tours to tours: a symmetry of the board, perhaps followed by reversal."""

    images: Ints
    reverse: bool

    @property
    def order(self) -> int:
        """The order of the map: 2 or 4."""
        return 2 if np.array_equal(self.images[self.images], np.arange(len(self.images))) else 4

    def orbits(self, arcs: Ints, images: Ints) -> tuple[Ints, Ints]:
        """Return the arcs whose whole orbits are among the given ones, and the orbit of each.

        Arcs are rows (from, to) of nodes; ``images`` are the images of all nodes. Orbits are
        numbered from 0.
        """
        turns = [arcs]
        for _ in range(self.order - 1):
            turned = images[turns[-1]]
            turns.append(turned[:, ::-1] if self.reverse else turned)
        keys = np.stack([turn @ [len(images), 1] for turn in turns])
        whole, numbers = orbits_of(keys)
        return arcs[whole], np.unique(numbers[whole], return_inverse=True)[1]


def orbits_of(keys: npt.NDArray[Any]) -> tuple[Mask, Ints]:
    """Return which arcs or edges have their whole orbit among the given ones, and its lowest key.

    Row 0 of ``keys`` holds the keys of the arcs or edges, and every further row those of their
    images under one more repetition of a symmetry.
    """
    is_whole = np.isin(keys, keys[0]).all(axis=0)
    return np.asarray(is_whole), keys.min(axis=0)


def tour_symmetries(board: Board, symmetry: Symmetry, closed: bool) -> list[TourMap]:
    """Return the maps of a tour onto itself by which it can have a symmetry.

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


Tours = npt.NDArray[np.int32]  # rows of ids in visiting order

_HIGH_BYTE_FIRST = np.dtype(">i4")


def tour_maps(instance: Instance, translations: bool = False) -> list[TourMap]:
    """Return the maps that take tours of an instance to tours of it, the identity first.

    They are rotations and reflections and, with ``translations``, the translations of a torus or a
    cylinder. Reversal counts for open tours, and for closed ones whose direction matters.
    """
    if instance.constrain:  # the symmetries of a custom constraint are unknown
        return [TourMap(np.arange(instance.graph.area, dtype=np.int32), False)]
    undirected = instance.closed and not instance.directed
    directions = (False,) if undirected or instance.graph.directed else (False, True)
    images = list(board_symmetries(instance.graph).values())
    if translations:
        moved = [each[shift] for shift in board_translations(instance.graph) for each in images]
        _, first = np.unique(moved, axis=0, return_index=True)  # a small torus repeats some
        images = [moved[place] for place in sorted(first)]
    maps = [TourMap(each, reverse) for each in images for reverse in directions]
    return [candidate for candidate in maps if _keeps_constraints(instance, candidate)]


def has_translations(instance: Instance) -> bool:
    """Return whether the board has translations other than the identity."""
    return len(board_translations(instance.graph)) > 1


def orbits(instance: Instance, maps: list[TourMap], tours: Tours) -> Iterator[list[bytes]]:
    """Yield the orbit, in ascending order, of each of the tours that leads its orbit.

    The leader has the earliest edges in `edge_order`; among tours with the same edges it is the
    lowest. So no record of earlier orbits is needed. A tour is yielded as the bytes of its ids,
    high byte first, which compare as tours do (see `decode`). A closed tour begins at its lowest
    id and, unless its direction matters, continues to the lower of its two neighbors there.
    """
    mapped = np.stack([tour_map.images for tour_map in maps]).astype(np.int32)[:, tours]
    reverse = np.array([tour_map.reverse for tour_map in maps])
    mapped[reverse] = mapped[reverse, :, ::-1]
    if instance.closed and not instance.givens:
        starts = mapped.argmin(axis=-1, keepdims=True)
        places = (starts + np.arange(mapped.shape[-1])) % mapped.shape[-1]
        mapped = np.take_along_axis(mapped, places, axis=-1)
        if not instance.directed:
            turn = mapped[..., 1] > mapped[..., -1]
            mapped[turn, 1:] = mapped[turn, :0:-1]
    mapped = mapped[:, _leads(instance, mapped)]
    for images in mapped.astype(_HIGH_BYTE_FIRST).swapaxes(0, 1):
        yield sorted({image.tobytes() for image in images})


def edge_order(board: Graph) -> Ints:
    """Return the keys of the edges: of a board from the middle outwards, of a graph ascending.

    Squares near the rim have few moves, so that tours differ little there.
    """
    keys = unique(board.pair_keys(np.sort(board.arcs, axis=1)))
    if not board.has_places:
        return keys
    height, width = board.shape
    rows, columns = np.divmod(np.arange(board.area), width)
    rim_distance = np.minimum.reduce([rows, columns, height - 1 - rows, width - 1 - columns])
    ends = np.stack(np.divmod(keys, board.area))
    depth = rim_distance[ends].min(axis=0)
    return keys[np.argsort(-depth, kind="stable")]


def _leads(instance: Instance, mapped: Tours) -> Mask:
    """Return for each tour whether it leads its orbit.

    ``mapped`` has a row of tours for each map: row 0 holds the tours, the others their images.
    """
    links = np.sort(np.stack([mapped, np.roll(mapped, -1, axis=-1)], axis=-1), axis=-1)
    edges = instance.graph.pair_keys(links)
    if not instance.closed:
        edges = edges[..., :-1]
    order = edge_order(instance.graph)
    by_key = np.argsort(order)
    ranks = np.sort(by_key[np.searchsorted(order, edges, sorter=by_key)], axis=-1)
    keys = np.concatenate([ranks, mapped], axis=-1)
    places = (keys != keys[0]).argmax(axis=-1)[..., None]  # where each first differs, if it does
    own = np.take_along_axis(np.broadcast_to(keys[0], keys.shape), places, axis=-1)
    ahead = own <= np.take_along_axis(keys, places, axis=-1)
    return np.asarray(ahead[..., 0].all(axis=0))


def decode(tour: bytes) -> Squares:
    """Return the ids of a tour that `orbits` yields."""
    return np.frombuffer(tour, dtype=_HIGH_BYTE_FIRST).astype(np.int32)


def _keeps_constraints(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether the images of all tours of an instance meet its constraints too."""
    images, reverse, steps = tour_map.images.tolist(), tour_map.reverse, instance.steps
    if steps and reverse and instance.closed:
        return False

    def mapped(arcs: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        if reverse:
            return frozenset((images[b], images[a]) for a, b in arcs)
        return frozenset((images[a], images[b]) for a, b in arcs)

    after = len(instance.graph) + 1
    mapped_steps = {}
    for step, square in steps.items():
        mapped_steps[after - step if reverse else step] = images[square]
    required = {frozenset(move.arcs()) for move in instance.require}
    return (
        mapped_steps == steps
        and set(map(mapped, required)) == required
        and mapped(instance.forbidden_arcs) == instance.forbidden_arcs
        and _keeps_symmetry(instance, tour_map.images)
        and {_mapped_bound(bound, instance.board, tour_map.images) for bound in instance.having}
        == set(instance.having)
    )


def _mapped_bound(bound: Bound, board: Board, images: Ints) -> Bound:
    """Return the bound that the images of tours meet; only slopes change under a map."""
    arcs = board.arcs[feature_named(bound.feature).counted_edges(ends_of(board, board.arcs))]
    ends = ends_of(board, images[arcs])
    slopes = [name for name in SLOPES if feature_named(name).counted_edges(ends).all()]
    return replace(bound, feature=slopes[0]) if len(arcs) else bound


def _keeps_symmetry(instance: Instance, images: Ints) -> bool:
    """Return whether images of tours have the required symmetry too: it equals its conjugate."""
    if instance.symmetry is None:
        return True
    symmetry = images_under(instance.board, instance.symmetry)
    conjugate = images[symmetry[np.argsort(images)]]
    return any(np.array_equal(conjugate, each) for each in (symmetry, np.argsort(symmetry)))
