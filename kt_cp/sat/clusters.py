"""Clusters: disjoint sets of nodes, each with a hub outside and a small border.

Some graphs are made of parts within parts, and each part has a hub, a node that is adjacent to most
of its nodes. A tour passes such a part in one piece and its hub from outside, since a hub has only
two edges on a tour. So a cluster is a set with a small border, without its hubs, and without nodes
of which half of the neighbors or more are outside.

Without hubs, clauses about small borders are enough for a SAT solver, and clusters only cost time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# A tour that visits a cluster once crosses its border twice. Where the border is larger than this,
# most tours visit the set several times.
_MAX_BORDER = 6

# Smaller clusters are left to the SAT solver.
_MIN_SIZE = 12

Neighbors = Sequence[Sequence[int]]
"""The neighbors of each node."""


class _Candidate(NamedTuple):
    """A set of nodes that may become a cluster; at most ``border`` edges of a tour leave it."""

    border: int
    nodes: set[int]


def find_clusters(neighbors: Neighbors, small_cuts: Iterable[Iterable[int]]) -> list[set[int]]:
    """Return disjoint clusters, those with the smallest borders first.

    A hub is adjacent to at least half of its cluster. ``neighbors`` lists the neighbors of each
    node, and ``small_cuts`` has the sets of nodes from which clusters are made, such as those of
    `kt_cp.sat.small_cuts.find_small_cuts`.

    >>> wheel = [[(node - 1) % 40, (node + 1) % 40, 40] for node in range(40)] + [[*range(40)]]
    >>> [cluster] = find_clusters(wheel, [range(20)])
    >>> min(cluster), max(cluster), len(cluster)
    (1, 18, 18)
    """
    candidates = list[_Candidate]()
    for small_cut in small_cuts:
        nodes = _core(neighbors, set(small_cut))
        contacts = _neighbors_outside(neighbors, nodes)
        most_contacts = max(contacts.values(), default=0)
        border = sum(min(count, 2) for count in contacts.values())
        has_hub = 2 * most_contacts >= len(nodes)
        if has_hub and border <= _MAX_BORDER and len(nodes) >= _MIN_SIZE:
            candidates.append(_Candidate(border, nodes))
    candidates.sort(key=lambda candidate: (candidate.border, -len(candidate.nodes)))
    clusters = list[set[int]]()
    covered = set[int]()
    for candidate in candidates:
        if covered.isdisjoint(candidate.nodes):
            clusters.append(candidate.nodes)
            covered |= candidate.nodes
    return clusters


def _core(neighbors: Neighbors, nodes: set[int]) -> set[int]:
    """Return a set without its hubs, and without nodes with half of their neighbors outside.

    A hub of the set is adjacent to at least half of it.
    """
    inner = {
        node
        for node in nodes
        if 2 * len(nodes.intersection(neighbors[node])) > len(neighbors[node])
    }
    return {node for node in inner if 2 * len(inner.intersection(neighbors[node])) < len(inner)}


def _neighbors_outside(neighbors: Neighbors, cluster: set[int]) -> Counter[int]:
    """Return the nodes outside with neighbors in a cluster, and how many each of them has there.

    A tour can visit each of them at most twice along edges that leave the cluster.
    """
    return Counter(other for node in cluster for other in neighbors[node] if other not in cluster)
