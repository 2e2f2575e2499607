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
    find_root,
    strong_components,
)
from kt_cp.sat.two_factors import flow_between

MAX_SEPARATED = 20_000
"""Separators are sought in graphs of at most this many vertices, which takes about a second."""

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
        # With edges that carry as much as a square needs, a minimum cut consists of squares only:
        # it is a separator.
        is_deficient = deficient(edges, color & squares, needed, per_edge=2)
        yield np.flatnonzero(is_deficient & ~color).tolist()


def greedy_separators(neighbors: Adjacency, ends: tuple[int, ...] = ()) -> Iterator[list[int]]:
    """Yield separators that leave many components for their size, one for each round.

    A round begins with all vertices removed. They come back one after the other, as long as the
    number of components minus the number of removed vertices does not fall: first those that join
    no two components, and among these the ones of low degree. Rounds differ in the noise that is
    added to the degrees. The ``ends`` of an open tour do not count as removed.

    >>> two_hubs = {0: [2, 3, 4], 1: [2, 3, 4], 2: [0, 1], 3: [0, 1], 4: [0, 1]}
    >>> next(greedy_separators(two_hubs))
    [0, 1]
    """
    random = Random(0)
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

    def roots_of(self, vertices: Iterable[int]) -> set[int]:
        """Return the roots of the components of vertices, without those not in the graph."""
        parents = self._parents
        return {find_root(parents, vertex) for vertex in vertices if vertex in parents}

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
    edges: npt.NDArray[np.integer],
    color: Mask,
    moves_per_square: npt.NDArray[np.integer],
    per_edge: int = 1,
) -> Mask:
    """Return a mask of the squares of one color that lack most moves, and of their neighbors.

    The moves that these squares can have are a maximum flow from the squares of the ``color`` to
    their neighbors; the result is the source side of a minimum cut. ``color`` is a mask of the
    squares of that color, ``moves_per_square`` the number of moves that each of them needs, or that
    each other square allows, and ``per_edge`` how many moves one edge may carry.
    """
    arcs = _color_first(edges, color)
    is_across = color[arcs[:, 0]] & ~color[arcs[:, 1]]
    _, _, source_side = flow_between(arcs[is_across], color, moves_per_square, per_edge)
    return source_side


def _color_first(edges: npt.NDArray[np.integer], color: Mask) -> npt.NDArray[np.integer]:
    """Return the edges as rows whose first end has a color, if either end has it."""
    has_color = color[edges[:, 0]]
    return np.where(has_color[:, None], edges, edges[:, ::-1])


def _matching_separator(edges: npt.NDArray[np.integer], dark: Mask, squares: Mask) -> list[int]:
    """Return half of the squares whose removal isolates the other half, or an empty list.

    Take a set of dark squares that has equally many light neighbors. Removing these neighbors and
    the other dark squares isolates all remaining squares. With a perfect matching, such a set is
    closed under steps along an edge and back along the matching: a strong component that no such
    step leaves (Dulmage and Mendelsohn 1958).
    """
    edges = _color_first(edges, dark)
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
    labels = strong_components(len(squares), steps)
    tails, heads = labels[steps].T
    leaving = tails[tails != heads]
    closed_label = np.setdiff1d(labels[darks], leaving)[0]  # a component that no step leaves
    isolated = darks[labels[darks] == closed_label]
    if len(isolated) == len(darks):
        return []
    # The lights next to the closed set, and all darks outside of it.
    return sorted([*light_of[isolated].tolist(), *np.setdiff1d(darks, isolated).tolist()])
