"""Separators: sets of vertices worth removing, as too many components may be left without them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from random import Random

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Mask
from kt_cp.graph_algorithms import (
    Adjacency,
    adjacency,
    articulation_components,
    component_labels,
    strong_components,
)
from kt_cp.sat.two_factors import flow_between

# How often `greedy_separators` begins anew, at most, and how many vertices all rounds take up:
# some 0.3 s. Each of these rounds adds other noise to the degrees.
_ROUNDS, _VISITS = 12, 10_000
_NOISE = (0.0, 0.2, 1.0, 5.0)


def candidate_separators(
    edges: npt.NDArray[np.integer], squares: Mask, sides: Mask | None, ends: tuple[int, ...]
) -> Iterator[list[int]]:
    """Yield sets of squares worth removing: single ones, and those that keep many others apart.

    ``edges`` are those that a tour may still use; ``sides`` tell for each id on which of two sides
    it is, if all edges run between these; ``ends`` are those of the tour.
    """
    graph = adjacency(edges)
    articulation = articulation_components(graph)
    if articulation:
        yield [max(articulation, key=articulation.__getitem__)]
    for end in ends:
        yield [end]
    for degree in (2, 3, 4):
        lonely = [square for square, others in graph.items() if len(others) <= degree]
        yield sorted({other for square in lonely for other in graph[square]})
    if sides is None:
        return
    yield _matched_apart(edges, sides, squares)
    # Hall's condition for a tour: every square of a color needs two moves, and an end one.
    for left in (sides, ~sides):
        room = 2 * squares
        room[list(ends)] = 1
        yield np.flatnonzero(deficient(edges, left & squares, room, most=2) & ~left).tolist()


def greedy_separators(
    neighbors: Adjacency, ends: tuple[int, ...] = (), seed: int = 0
) -> Iterator[list[int]]:
    """Yield sets of vertices without which a graph falls into many components for their number.

    At first all vertices are removed. Then they come back one after the other, as long as the
    number of components less that of the vertices removed does not fall: those that join no two
    components first, and of these the ones of low degree. Rounds differ in how far noise changes
    the degrees. The ``ends`` of an open tour do not count as removed.

    >>> two_hubs = {0: [2, 3, 4], 1: [2, 3, 4], 2: [0, 1], 3: [0, 1], 4: [0, 1]}
    >>> next(greedy_separators(two_hubs))
    [0, 1]
    """
    random = Random(seed)
    for number in range(greedy_rounds(len(neighbors))):
        noise = _NOISE[number % len(_NOISE)]
        priority = {
            vertex: len(others) * (1 + noise * random.random())
            for vertex, others in neighbors.items()
        }
        yield _left_out(neighbors, ends, priority)


def greedy_rounds(count: int) -> int:
    """Return how many rounds `greedy_separators` makes in a graph of ``count`` vertices."""
    return min(_ROUNDS, _VISITS // max(1, count))


def _left_out(
    neighbors: Adjacency, ends: tuple[int, ...], priority: Mapping[int, float]
) -> list[int]:
    """Return the vertices that stay removed; those of low priority come back first.

    It ends as soon as the components are more than a closed tour connects, and no vertex can come
    back without joining two of them.
    """
    forest = _Forest()
    removed = set(neighbors)
    excess = -len(removed - set(ends))  # the components, less the removed vertices that count

    def joined(vertex: int) -> int:
        """Return how many components a vertex joins when it comes back, at least 1."""
        return max(1, len(forest.roots_of(neighbors[vertex])))

    def most(vertex: int) -> int:
        """Return how many components a vertex may join when it comes back."""
        return 1 if vertex in ends else 2

    heap = [(1, priority[vertex], vertex) for vertex in neighbors]
    while heap:
        heapq.heapify(heap)
        while heap:
            expected, _, vertex = heapq.heappop(heap)
            now = joined(vertex)
            if now > most(vertex):
                continue
            if now > expected:
                heapq.heappush(heap, (now, priority[vertex], vertex))
                continue
            if now == 2 and excess > 0:
                return sorted(removed)
            removed.remove(vertex)
            excess += 1 - forest.add(vertex, neighbors[vertex]) + (vertex not in ends)
        # Components that were joined since may let vertices come back that could not before.
        counts = ((joined(vertex), vertex) for vertex in removed)
        heap = [(count, priority[each], each) for count, each in counts if count <= most(each)]
    return sorted(removed)


class _Forest:
    """The components of a growing graph: trees of vertices, joined at their roots (union-find)."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def __contains__(self, vertex: int) -> bool:
        return vertex in self._parents

    def root(self, vertex: int) -> int:
        """Return the vertex that stands for the component of another (with path halving)."""
        parents = self._parents
        while parents[vertex] != vertex:
            parents[vertex] = vertex = parents[parents[vertex]]
        return vertex

    def roots_of(self, vertices: Iterable[int]) -> set[int]:
        """Return the roots of those vertices that are in the graph."""
        return {self.root(vertex) for vertex in vertices if vertex in self._parents}

    def add(self, vertex: int, neighbors: Iterable[int]) -> int:
        """Add a vertex, and return how many components it joins with its neighbors."""
        roots = self.roots_of(neighbors)
        self._parents[vertex] = vertex
        for root in roots:
            self._parents[root] = vertex
        return len(roots)


def component_count(edges: npt.NDArray[np.integer], kept: Mask) -> int:
    """Return the number of components among the vertices that are kept."""
    labels = component_labels(len(kept), edges[kept[edges].all(axis=1)])
    return len(np.unique(labels[kept]))


def deficient(
    edges: npt.NDArray[np.integer], left: Mask, room: npt.NDArray[np.integer], most: int = 1
) -> Mask:
    """Return squares of one color that most lack moves, and their neighbors, by a minimum cut.

    ``left`` tells which squares have that color, ``room`` how many moves each square needs or can
    give, and ``most`` how many a pair can share.
    """
    arcs = np.where(left[edges[:, :1]], edges, edges[:, ::-1])
    return flow_between(arcs[left[arcs[:, 0]] & ~left[arcs[:, 1]]], left, room, most)[2]


def _matched_apart(edges: npt.NDArray[np.integer], dark: Mask, squares: Mask) -> list[int]:
    """Return squares whose removal leaves as many squares alone, if there are such.

    Dark squares with just as many neighbors, and the light squares beside none of them, are left
    alone by removing the others. With a perfect matching they are those that one of them reaches
    over an edge and then over the matching (Dulmage and Mendelsohn 1958), unless that is all.
    """
    edges = np.where(dark[edges[:, :1]], edges, edges[:, ::-1])
    darks = np.flatnonzero(dark & squares)
    size, flows, _ = flow_between(edges, dark, squares.astype(np.int64))
    if not 2 * size == 2 * len(darks) == np.count_nonzero(squares):
        return []
    light_of, dark_of = np.zeros((2, len(squares)), dtype=np.int64)
    matched = edges[flows == 1]
    light_of[matched[:, 0]] = matched[:, 1]
    dark_of[matched[:, 1]] = matched[:, 0]
    steps = np.stack([edges[:, 0], dark_of[edges[:, 1]]], axis=1)
    labels = strong_components(len(squares), steps)
    tails, heads = labels[steps].T
    last = np.setdiff1d(labels[darks], tails[tails != heads])[0]  # a component that no step leaves
    reached = darks[labels[darks] == last]
    if len(reached) == len(darks):
        return []
    return sorted([*light_of[reached].tolist(), *np.setdiff1d(darks, reached).tolist()])
