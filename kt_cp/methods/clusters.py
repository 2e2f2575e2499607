"""Search for a tour that visits each cluster contiguously: each part of a graph that has a hub.

First each cluster becomes a single node, and a tour of this condensed graph says in which order the
clusters are visited. Then each of them is passed by itself, from the node before it to the node
after it. So one search in thousands of vertices becomes many in some hundreds. (The clustered
traveling salesman problem asks for such tours: J. A. Chisman, 1975.) There may be tours of other
kinds only, so that this search finds tours, but never proves that there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import NamedGraph
from kt_cp.graph_algorithms import adjacency, divided_edges
from kt_cp.methods.answers import Answer, found, gave_up, out_of_time
from kt_cp.methods.cuts import CutSearch
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError, Task
from kt_cp.sat.clusters import find_clusters
from kt_cp.sat.edges import EdgeGraph
from kt_dfs import Status

# The turns of subtour elimination for the condensed graph, and for each cluster.
_TURNS = 6

# If a cluster could not be passed in the order of one tour of the condensed graph, another seed may
# give an order in which each cluster can be passed.
_ATTEMPTS = 3

# The search is worth its time where clusters have at least this share of the nodes. Clusters of the
# graphs of the FHCP challenge set have either two thirds and more, or less than a fifth.
_MIN_SHARE = 0.5

CycleFinder = Callable[[Ints], list[int] | None]
"""A function that returns a Hamiltonian cycle of the graph with these edges (rows of two nodes), or
None if it finds none."""


def answer(search: CutSearch) -> Answer:
    """Return a tour that visits each cluster contiguously, or UNKNOWN if none is found.

    ``search`` is a search of the whole graph, in which moves have no direction.
    """
    task, graph = search.task, search.graph
    if graph is None:
        return gave_up(task.instance, "no edges are left for a tour")
    try:
        clusters = find_clusters(search.neighbors, search.small_cuts)
        if not _are_worth_it(clusters, graph.nodes):
            return gave_up(task.instance, "few vertices are in parts that have hubs")
        edges, clusters = _with_required_edges_divided(graph, clusters)
        for seed in range(task.seed, task.seed + _ATTEMPTS):
            find_cycle = partial(_find_cycle, replace(task, seed=seed))
            cycle = _contiguous_cycle(edges, clusters, find_cycle)
            if cycle is not None:
                break
    except OutOfTimeError:
        return out_of_time(task.instance, task.clock)
    if cycle is None:
        return gave_up(task.instance, "no tour was found that visits each cluster contiguously")
    nodes = np.array([node for node in cycle if node < graph.nodes])
    return found(graph.tour(nodes), {"clusters": len(clusters)})


def _are_worth_it(clusters: Iterable[set[int]], nodes: int) -> bool:
    """Return whether clusters have a sufficient share of ``nodes`` nodes."""
    return sum(len(cluster) for cluster in clusters) >= _MIN_SHARE * nodes


def _find_cycle(task: Task, edges: Ints) -> list[int] | None:
    """Return a Hamiltonian cycle of the graph with these edges, or None if none is found.

    It is searched for by some turns of subtour elimination and then, if the graph has clusters
    itself, by these. Raises `OutOfTimeError`.
    """
    nodes, numbered = np.unique(edges, return_inverse=True)
    graph = NamedGraph(range(len(nodes)), numbered.reshape(-1, 2))
    search = CutSearch(replace(task, instance=Instance(graph, closed=True)))
    result = search.run(_TURNS)
    if result.status is Status.UNKNOWN:
        task.clock.check()
        result = answer(search)
    task.clock.check()
    if result.squares is None:
        return None
    cycle: list[int] = nodes[result.squares].tolist()
    return cycle


def _with_required_edges_divided(
    graph: EdgeGraph, clusters: list[set[int]]
) -> tuple[Ints, list[set[int]]]:
    """Return the edges and the clusters of a graph with a new node on each required edge.

    So every Hamiltonian cycle uses these edges. A required edge of a cluster stays as it is where
    one of its nodes has degree 2. Otherwise the new node belongs to the cluster, too.
    """
    outside = -1
    cluster_of = np.full(graph.nodes, outside)
    for number, cluster in enumerate(clusters):
        cluster_of[list(cluster)] = number
    degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
    is_at_degree_2 = (degrees[graph.edges] == 2).any(axis=1)
    is_across = cluster_of[graph.edges[:, 0]] != cluster_of[graph.edges[:, 1]]
    is_divided = graph.required & (is_across | ~is_at_degree_2)
    new = graph.nodes + np.arange(np.count_nonzero(is_divided))
    edges = divided_edges(graph.edges, is_divided, new)
    cluster_of_new = np.where(is_across, outside, cluster_of[graph.edges[:, 0]])[is_divided]
    larger_clusters = [
        cluster | set(new[cluster_of_new == number].tolist())
        for number, cluster in enumerate(clusters)
    ]
    return edges, larger_clusters


def _contiguous_cycle(
    edges: Ints, clusters: list[set[int]], find_cycle: CycleFinder
) -> list[int] | None:
    """Return a Hamiltonian cycle that visits each cluster contiguously; None if none is found.

    A cluster that cannot be passed as the tour of the condensed graph asks for is given up: in the
    next condensed graph its nodes stay as they are.
    """
    nodes = len(np.unique(edges))
    while _are_worth_it(clusters, nodes):
        condensed = _CondensedGraph(edges, clusters, find_cycle)
        outline = find_cycle(condensed.edges())
        if outline is None:
            return None
        failed = condensed.expand(outline)
        if not failed:
            return [node for name in outline for node in condensed.paths[name]]
        clusters = [cluster for cluster in clusters if min(cluster) not in failed]
    return None


class _CondensedGraph:
    """A graph in which each cluster is a single node, which has the number of its lowest node.

    ``paths`` maps nodes of the condensed graph to paths of the whole graph: a node outside the
    clusters to itself. `expand` adds the paths through clusters.
    """

    def __init__(self, edges: Ints, clusters: list[set[int]], find_cycle: CycleFinder) -> None:
        self._edges, self._find_cycle = edges, find_cycle
        self._neighbors = adjacency(edges)
        self._clusters = {min(cluster): cluster for cluster in clusters}
        in_clusters = set[int]().union(*clusters)
        self.paths = {node: [node] for node in self._neighbors if node not in in_clusters}

    def edges(self) -> Ints:
        """Return the edges between different nodes of the condensed graph."""
        names = np.arange(self._edges.max() + 1)
        for name, cluster in self._clusters.items():
            names[list(cluster)] = name
        edges = np.sort(names[self._edges], axis=1)
        return np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0)

    def expand(self, outline: list[int]) -> set[int]:
        """Find paths through the clusters; return the clusters for which none is found.

        ``outline`` is a Hamiltonian cycle of the condensed graph.
        """
        failed = set[int]()
        for place, name in enumerate(outline):
            if name in self.paths:
                continue
            entries = self._neighbors_of_last(outline[place - 1])
            ways_out = self._neighbors_of_first(outline[(place + 1) % len(outline)])
            path = self._path(self._clusters[name], entries, ways_out)
            if path is None:
                failed.add(name)
            else:
                self.paths[name] = path
        return failed

    def _neighbors_of_last(self, name: int) -> set[int]:
        """Return the neighbors of the node that is visited last in a node of the condensed graph.

        A path through a cluster that is not known yet may end at any of its nodes.
        """
        if name in self.paths:
            return set(self._neighbors[self.paths[name][-1]])
        return self._neighbors_of_any(self._clusters[name])

    def _neighbors_of_first(self, name: int) -> set[int]:
        """Return the neighbors of the node that is visited first, in the same way."""
        if name in self.paths:
            return set(self._neighbors[self.paths[name][0]])
        return self._neighbors_of_any(self._clusters[name])

    def _neighbors_of_any(self, nodes: set[int]) -> set[int]:
        """Return all neighbors of some nodes."""
        return {neighbor for node in nodes for neighbor in self._neighbors[node]}

    def _path(self, cluster: set[int], entries: set[int], ways_out: set[int]) -> list[int] | None:
        """Return a path through a cluster, from one of the entries to one of the ways out.

        With three more nodes that join its ends it is a Hamiltonian cycle.
        """
        highest = int(self._edges.max())
        before, between, after = highest + 1, highest + 2, highest + 3
        edges = [(before, between), (between, after)]
        edges += [(before, node) for node in entries & cluster]
        edges += [(after, node) for node in ways_out & cluster]
        for node in cluster:
            inner = cluster.intersection(self._neighbors[node])
            edges += [(node, other) for other in inner if node < other]
        in_order = np.unique(np.sort(edges, axis=1), axis=0)
        cycle = self._find_cycle(in_order)
        if cycle is None:
            return None
        place = cycle.index(between)
        path = cycle[place + 1 :] + cycle[:place]
        if path[0] != before:
            path.reverse()
        return path[1:-1]
