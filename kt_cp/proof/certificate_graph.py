"""The graph of a certificate: its numbered edges, and the components that a separator leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.checker import Edge, State


def numbered_edges(instance: Instance) -> list[Edge]:
    """Return the edges of a certificate in the order of their numbers, which begin with 1."""
    graph = TourGraph(instance)
    return sorted(map(tuple, graph.vertices(graph.edges).tolist()))


def edges_without(edges: Sequence[Edge], removed: Iterable[int], settled: State) -> list[Edge]:
    """Return the edges between vertices that are not removed, without those settled as unused."""
    gone = set(removed)
    return [edge for edge in edges if settled.get(edge) is not False and gone.isdisjoint(edge)]


def connectable_components(removed: Iterable[int], settled: State) -> int:
    """Return how many components a tour can connect through the removed vertices.

    A tour returns to a removed vertex between two components; an edge that it uses between two
    removed vertices costs one of these returns. There is always one component.

    >>> connectable_components([3, 4, 8], {(3, 8): True})
    2
    """
    gone = set(removed)
    used = [edge for edge, is_used in settled.items() if is_used and gone.issuperset(edge)]
    return max(1, len(gone) - len(used))


def components_without(
    instance: Instance, removed: Iterable[int], edges: Sequence[Edge]
) -> list[list[int]]:
    """Return the components that are left after removing some vertices, the largest first.

    ``edges`` are those of `edges_without`. The vertices include the depot of an open tour.
    """
    graph = TourGraph(instance)
    kept = np.zeros(graph.depot_id + 1, dtype=np.bool_)
    kept[graph.ids] = True
    kept[list(removed)] = False
    labels = component_labels(len(kept), np.array(edges, dtype=np.int32).reshape(-1, 2))
    groups: dict[int, list[int]] = {}
    for vertex in np.flatnonzero(kept).tolist():
        groups.setdefault(int(labels[vertex]), []).append(vertex)
    return sorted(groups.values(), key=len, reverse=True)
