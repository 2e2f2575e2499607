"""Candidates for separators: sets of vertices whose removal may leave too many components."""

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

# The most rounds of `greedy_separators`, and the most vertices that all rounds together visit,
# which takes some 0.3 s. The rounds cycle through the amounts of noise added to the degrees.
_MAX_ROUNDS, _MAX_VISITS = 12, 10_000
_NOISE = (0.0, 0.2, 1.0, 5.0)


def candidate_separators(
    edges: npt.NDArray[np.integer], squares: Mask, sides: Mask | None, ends: tuple[int, ...]
) -> Iterator[list[int]]:
    """Yield candidates for a separator: single squares, and neighbors of squares of low degree.

    In a bipartite graph, squares that a matching or a maximum flow finds are candidates too.
    ``edges`` are those that a tour may still use, ``squares`` a mask of the vertices, ``sides`` a
    mask of one part of a bipartite graph, None for others, and ``ends`` the known ends of the tour.
    """
    graph = adjacency(edges)
    articulation = articulation_components(graph)
    if articulation:
        yield [max(articulation, key=articulation.__getitem__)]
    for end in ends:
        yield [end]
    for degree in (2, 3, 4):
        low_degree = [square for square, others in graph.items() if len(others) <= degree]
        yield sorted({other for square in low_degree for other in graph[square]})
    if sides is None:
        return
    yield _matching_separator(edges, sides, squares)
    # Hall's condition for a tour: every square of a color needs two moves, and an end needs one.
    needed = np.where(squares, 2, 0)
    needed[list(ends)] = 1
    for color in (sides, ~sides):
        is_deficient = deficient(edges, color & squares, needed, shared_moves=2)
        yield np.flatnonzero(is_deficient & ~color).tolist()


def greedy_separators(
    neighbors: Adjacency, ends: tuple[int, ...] = (), seed: int = 0
) -> Iterator[list[int]]:
    """Yield separators that leave many components for their size, one for each round.

    A round begins with all vertices removed. They come back one after the other, as long as the
    number of components minus the number of removed vertices does not fall: first those that join
    no two components, and among these the ones of low degree. Rounds differ in the noise that is
    added to the degrees. The ``ends`` of an open tour do not count as removed.

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
        yield _greedy_separator(neighbors, ends, priority)


def greedy_rounds(count: int) -> int:
    """Return how many rounds `greedy_separators` makes in a graph of ``count`` vertices."""
    return min(_MAX_ROUNDS, _MAX_VISITS // max(1, count))


def _greedy_separator(
    neighbors: Adjacency, ends: tuple[int, ...], priority: Mapping[int, float]
) -> list[int]:
    """Return the vertices that stay removed; those with low values of ``priority`` come back first.

    The round ends as soon as there are more components than a closed tour connects, and no vertex
    can come back without joining two of them.
    """
    graph = _Regrowth(neighbors, ends)
    queue = [(1, priority[vertex], vertex) for vertex in neighbors]
    while queue:
        heapq.heapify(queue)
        while queue:
            expected, _, vertex = heapq.heappop(queue)
            joined = graph.joined_by(vertex)
            if joined > graph.most_joined_by(vertex):
                continue
            if joined > expected:
                heapq.heappush(queue, (joined, priority[vertex], vertex))
                continue
            if joined == 2 and graph.excess > 0:
                return sorted(graph.removed)
            graph.bring_back(vertex)
        # Since components were joined, some vertices may come back that could not before.
        for vertex in graph.removed:
            joined = graph.joined_by(vertex)
            if joined <= graph.most_joined_by(vertex):
                queue.append((joined, priority[vertex], vertex))
    return sorted(graph.removed)


class _Regrowth:
    """A graph whose vertices are all removed at first, and come back one by one.

    ``excess`` is the number of components minus that of the removed vertices other than ``ends``.
    """

    def __init__(self, neighbors: Adjacency, ends: tuple[int, ...]) -> None:
        self.neighbors, self.ends = neighbors, ends
        self.removed = set(neighbors)
        self.excess = -len(self.removed - set(ends))
        self._forest = _Forest()

    def joined_by(self, vertex: int) -> int:
        """Return how many components a vertex would join if it came back, at least 1."""
        return max(1, len(self._forest.roots_of(self.neighbors[vertex])))

    def most_joined_by(self, vertex: int) -> int:
        """Return how many components a vertex may join when it comes back."""
        return 1 if vertex in self.ends else 2

    def bring_back(self, vertex: int) -> None:
        """Add a removed vertex to the graph again."""
        self.removed.remove(vertex)
        joined = self._forest.add(vertex, self.neighbors[vertex])
        self.excess += 1 - joined
        if vertex not in self.ends:
            self.excess += 1


class _Forest:
    """The components of a growing graph, as trees of vertices (union-find)."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}

    def __contains__(self, vertex: int) -> bool:
        return vertex in self._parents

    def root(self, vertex: int) -> int:
        """Return the vertex that represents the component of a vertex (with path halving)."""
        parents = self._parents
        while parents[vertex] != vertex:
            parents[vertex] = vertex = parents[parents[vertex]]
        return vertex

    def roots_of(self, vertices: Iterable[int]) -> set[int]:
        """Return the roots of the components of vertices, without those not in the graph."""
        return {self.root(vertex) for vertex in vertices if vertex in self._parents}

    def add(self, vertex: int, neighbors: Iterable[int]) -> int:
        """Add a vertex, and return how many components it joins through its neighbors."""
        roots = self.roots_of(neighbors)
        self._parents[vertex] = vertex
        for root in roots:
            self._parents[root] = vertex
        return len(roots)


def component_count(edges: npt.NDArray[np.integer], kept: Mask) -> int:
    """Return the number of components of the graph of the kept vertices."""
    labels = component_labels(len(kept), edges[kept[edges].all(axis=1)])
    return len(np.unique(labels[kept]))


def deficient(
    edges: npt.NDArray[np.integer], left: Mask, room: npt.NDArray[np.integer], shared_moves: int = 1
) -> Mask:
    """Return a mask of the squares of one color that lack most moves, and of their neighbors.

    They are one side of a minimum cut. ``left`` is a mask of the squares of that color, ``room``
    the number of moves that each square needs or can give, and ``shared_moves`` the
    number of moves between two squares.
    """
    arcs = np.where(left[edges[:, :1]], edges, edges[:, ::-1])  # left end first, if there is one
    is_across = left[arcs[:, 0]] & ~left[arcs[:, 1]]
    _, _, side_of_cut = flow_between(arcs[is_across], left, room, shared_moves)
    return side_of_cut


def _matching_separator(edges: npt.NDArray[np.integer], dark: Mask, squares: Mask) -> list[int]:
    """Return half of the squares whose removal isolates the other half, or an empty list.

    Take a set of dark squares that has equally many light neighbors. Removing these neighbors and
    the other dark squares isolates all remaining squares. With a perfect matching, such a set is
    closed under steps along an edge and back along the matching: a strong component that no such
    step leaves (Dulmage and Mendelsohn 1958).
    """
    edges = np.where(dark[edges[:, :1]], edges, edges[:, ::-1])
    darks = np.flatnonzero(dark & squares)
    lights = np.flatnonzero(~dark & squares)
    matching_size, flows, _ = flow_between(edges, dark, squares.astype(np.int64))
    if not matching_size == len(darks) == len(lights):
        return []
    light_of = np.zeros(len(squares), dtype=np.int64)  # the square matched with each dark square
    dark_of = np.zeros(len(squares), dtype=np.int64)
    matched = edges[flows == 1]
    light_of[matched[:, 0]] = matched[:, 1]
    dark_of[matched[:, 1]] = matched[:, 0]
    steps = np.stack([edges[:, 0], dark_of[edges[:, 1]]], axis=1)
    component = strong_components(len(squares), steps)
    tails, heads = component[steps].T
    left = tails[tails != heads]
    closed = np.setdiff1d(component[darks], left)[0]  # a component that no step leaves
    isolated = darks[component[darks] == closed]
    if len(isolated) == len(darks):
        return []
    return sorted([*light_of[isolated].tolist(), *np.setdiff1d(darks, isolated).tolist()])
