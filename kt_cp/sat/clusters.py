"""Clusters: disjoint sets of nodes, each with a hub outside and a small border.

Some graphs are made of parts within parts, and each part has a hub, a node that is adjacent to all
of its nodes. A tour passes such a part in one piece and its hub from outside, since a hub has only
two edges on a tour. So a cluster is a set with a small border, without its hubs, and without nodes
of which half of the neighbors or more are outside.

Without hubs, clauses about small borders are enough for a SAT solver, and clusters only cost time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

# A tour that visits a cluster once crosses its border twice. Where the border is larger than this,
# most tours visit the set several times.
_MAX_BORDER = 6

# Smaller clusters are left to the SAT solver.
_MIN_SIZE = 12

Neighbors = Sequence[Sequence[int]]


def find_clusters(neighbors: Neighbors, small_cuts: Iterable[Iterable[int]]) -> list[set[int]]:
    """Return disjoint clusters, those with the smallest borders first.

    ``neighbors`` lists the neighbors of each node, and ``small_cuts`` has the sets of nodes from
    which clusters are made, such as those of `kt_cp.sat.small_cuts.find_small_cuts`.

    >>> wheel = [[(node - 1) % 40, (node + 1) % 40, 40] for node in range(40)] + [[*range(40)]]
    >>> [cluster == {*range(1, 19)} for cluster in find_clusters(wheel, [range(20)])]
    [True]
    """
    candidates = list[tuple[int, int, set[int]]]()
    for nodes in small_cuts:
        cluster = _without_hubs(neighbors, set(nodes))
        touching = _neighbors_outside(neighbors, cluster)
        has_hub = 2 * max(touching.values(), default=0) >= len(cluster)
        border = sum(min(count, 2) for count in touching.values())
        if has_hub and border <= _MAX_BORDER and len(cluster) >= _MIN_SIZE:
            candidates.append((border, -len(cluster), cluster))
    clusters = list[set[int]]()
    covered = set[int]()
    for _, _, cluster in sorted(candidates, key=lambda candidate: candidate[:2]):
        if covered.isdisjoint(cluster):
            clusters.append(cluster)
            covered |= cluster
    return clusters


def _without_hubs(neighbors: Neighbors, nodes: set[int]) -> set[int]:
    """Return a set of nodes without its hubs and without the nodes that belong rather to others."""
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
