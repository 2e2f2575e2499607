"""Orbits of tours under the symmetries of an instance, each computed from its leader."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, Tours, cycle_arcs, edges_of_numbers, unique
from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap

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
    keys = unique(graph.pair_keys(np.sort(graph.arcs, axis=1)))
    if not graph.has_places:
        return keys
    height, width = graph.shape
    rows, columns = np.divmod(np.arange(graph.area), width)
    rim_distance = np.minimum.reduce([rows, columns, height - 1 - rows, width - 1 - columns])
    depth = rim_distance[edges_of_numbers(keys, graph.area)].min(axis=1)
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
    keys = instance.graph.pair_keys(np.sort(links, axis=-1))
    ordered_keys = edge_keys_in_order(instance.graph)
    by_key = np.argsort(ordered_keys)
    ranks = by_key[np.searchsorted(ordered_keys, keys, sorter=by_key)]
    return np.sort(ranks, axis=-1)
