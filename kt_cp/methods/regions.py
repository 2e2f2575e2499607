"""Solve a graph by regions: sets of vertices that every tour passes in one piece.

Where two vertices separate a graph, a Hamiltonian cycle enters a side from one of them, visits all
of it, and leaves it to the other. So the side is a graph of its own, with the two vertices and a
new one that stands for everything else and is adjacent to both; and in the rest of the graph, a new
vertex in place of the side is adjacent to the two. Where two edges separate a graph, two of their
ends do.

Pairs of vertices are found by sampling the cycle space (D. Pritchard, R. Thurimella, Fast
computation of small cuts via cycle space sampling, 2011). Edges get random keys such that the keys
of all edges across the border of any set cancel: their exclusive or is 0. Two vertices separate the
graph if some edges at the one have the same key as some edges at the other. Other keys agree only
by chance, so every separation is verified.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels, divided_edges
from kt_cp.methods.method import Answer, Function, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Task
from kt_cp.proof.reason import ReasonKind
from kt_cp.sat.edges import EdgeGraph
from kt_dfs import Status

# The fewest vertices of a side: the separation of a smaller one costs more than it saves.
_SMALLEST = 12

# How many separations are compared, of which the most balanced one is used, and the work of looking
# for them: each pair that is tried goes through all edges.
_MAX_COMPARED, _MAX_EDGES_TRIED = 8, 2**20

# Of the vertices whose edges share a key, at most this number are paired. And the most sets of
# edges whose keys are listed: of vertices with more neighbors, each edge by itself.
_MAX_PAIRED, _MAX_SETS = 16, 2**20


@dataclass(frozen=True, eq=False)
class Region:
    """A graph whose Hamiltonian cycle is asked for: rows of two vertices, with any numbers."""

    edges: Ints

    @cached_property
    def vertices(self) -> Ints:
        """The numbers of the vertices, ascending."""
        return np.unique(self.edges)

    @cached_property
    def indexed(self) -> Ints:
        """The edges as rows of two indices into ``vertices``."""
        return np.searchsorted(self.vertices, self.edges)


@dataclass(frozen=True, eq=False)
class Division:
    """A region ``whole`` that is divided into a ``side`` and the ``rest``.

    In the rest, the vertex ``inside`` stands for the side; in the side, the vertex ``outside``
    stands for the rest.
    """

    whole: Region
    side: Region
    rest: Region
    inside: int
    outside: int

    def cycle(self, of_side: list[int], of_rest: list[int]) -> list[int]:
        """Return a Hamiltonian cycle of the whole, given those of both parts."""
        place, own_place = of_rest.index(self.inside), of_side.index(self.outside)
        path = of_side[own_place + 1 :] + of_side[:own_place]
        if path[0] != of_rest[place - 1]:
            path.reverse()
        return of_rest[:place] + path[1:-1] + of_rest[place + 1 :]


class Regions:
    """The ``regions`` into which separations by two vertices divide a graph.

    A required edge becomes two, with a new vertex between them. Raises `OutOfTimeError`.

    >>> from kt_cp.sat.edges import edge_graph
    >>> two_grids = [(a, a + 6) for a in range(12)] + [(a, a + 1) for a in range(17) if a % 6 < 5]
    >>> two_grids += [(a + 18, b + 18) for a, b in two_grids] + [(0, 18), (5, 23)]
    >>> whole = edge_graph(Instance.of(two_grids, closed=True))
    >>> sorted(len(region.vertices) for region in Regions(whole, Clock()).regions)
    [20, 20]
    """

    def __init__(self, graph: EdgeGraph, clock: Clock, seed: int = 0) -> None:
        degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
        is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
        dividing = graph.nodes + np.arange(np.count_nonzero(is_divided))
        self._vertices = graph.nodes
        self._next = graph.nodes + len(dividing)
        self._random = np.random.default_rng(seed)
        self._whole = Region(divided_edges(graph.edges, is_divided, dividing))
        self._divisions: list[Division] = []
        self.regions: list[Region] = []
        undivided = [self._whole]
        while undivided:
            clock.check()
            region = undivided.pop()
            division = self._best_division(region)
            if division is None:
                self.regions.append(region)
            else:
                self._divisions.append(division)
                undivided += [division.side, division.rest]

    def _best_division(self, whole: Region) -> Division | None:
        """Return the most balanced of some divisions, or None if none is found."""
        edges, count = whole.indexed, len(whole.vertices)
        keys = random_keys(edges, self._random)
        if keys is None or not keys.all():  # no tour, as the search of the region will find
            return None
        best, best_size, compared = None, _SMALLEST - 1, 0
        pairs = self._random.permutation(_pairs(edges, keys, self._random))
        for pair in pairs[: max(_MAX_COMPARED, _MAX_EDGES_TRIED // len(edges))]:
            at_pair = np.isin(edges, pair).any(axis=1)
            labels = component_labels(count, edges[~at_pair])
            sides, sizes = np.unique(np.delete(labels, pair), return_counts=True)
            if len(sides) == 2 and sizes.min() >= _SMALLEST:
                compared += 1
                if sizes.min() > best_size:
                    is_side = (labels == sides[sizes.argmin()]) & ~np.isin(np.arange(count), pair)
                    best, best_size = (pair, is_side[edges].any(axis=1)), sizes.min()
                if compared == _MAX_COMPARED:
                    break
        if best is None:
            return None
        pair, is_of_side = best
        self._next += 2
        inside, outside = self._next - 2, self._next - 1
        ends = whole.vertices[pair][:, None]
        of_side, of_rest = whole.edges[is_of_side], whole.edges[~is_of_side]
        side = Region(np.concatenate([of_side, np.insert(ends, 1, outside, axis=1)]))
        rest = Region(np.concatenate([of_rest, np.insert(ends, 1, inside, axis=1)]))
        return Division(whole, side, rest, inside, outside)

    def cycle(self, cycles: dict[Region, list[int]]) -> Ints:
        """Return a Hamiltonian cycle of the graph, given one for each of the ``regions``."""
        known = dict(cycles)
        for each in reversed(self._divisions):
            known[each.whole] = each.cycle(known[each.side], known[each.rest])
        return np.array([vertex for vertex in known[self._whole] if vertex < self._vertices])


def random_keys(edges: Ints, random: np.random.Generator) -> Ints | None:
    """Return a random key for each edge such that the keys of the edges at each vertex cancel.

    The vertices are numbered from 0. Returns None if the graph is not connected.

    >>> path_and_triangle = np.array([[0, 1], [1, 2], [2, 3], [1, 3]])
    >>> keys = random_keys(path_and_triangle, np.random.default_rng(0))
    >>> int(keys[0]), bool(keys[1] == keys[2] == keys[3])
    (0, True)
    """
    around: list[list[tuple[int, int]]] = [[] for _ in range(edges.max() + 1)]
    for number, (low, high) in enumerate(edges.tolist()):
        around[low].append((high, number))
        around[high].append((low, number))
    tree, is_reached = [(0, -1, -1)], {0}  # vertices by a breadth-first search: parent, its edge
    for vertex, _, _ in tree:  # which grows meanwhile
        for neighbor, number in around[vertex]:
            if neighbor not in is_reached:
                is_reached.add(neighbor)
                tree.append((neighbor, vertex, number))
    if len(tree) < len(around):
        return None
    keys = random.integers(1, 2**63 - 1, len(edges))
    keys[[number for _, _, number in tree[1:]]] = 0
    key_at_vertex: Ints = np.zeros(len(tree), dtype=np.int64)
    for ends in edges.T:
        np.bitwise_xor.at(key_at_vertex, ends, keys)
    # From the leaves to the root: the edge to the parent cancels the other edges at the vertex.
    to_cancel = key_at_vertex.tolist()
    for vertex, parent, number in reversed(tree[1:]):
        keys[number] = to_cancel[vertex]
        to_cancel[parent] ^= to_cancel[vertex]
    return keys


def _pairs(edges: Ints, keys: Ints, random: np.random.Generator) -> Ints:
    """Return pairs of vertices, as rows, of which some edges at the one have the key of others.

    Both ends of an edge, or of a path of vertices of degree 2, have the same key: it counts as a
    half at either end, and pairs are made where the sets of edges of a key add up to two.
    """
    vertices, set_keys, weights = _sets_of_edges(edges, keys)
    order = np.argsort(set_keys, kind="stable")
    vertices, set_keys, weights = vertices[order], set_keys[order], weights[order]
    firsts = np.flatnonzero(np.append(True, set_keys[1:] != set_keys[:-1]))
    lasts = np.append(firsts[1:], len(set_keys))
    is_shared = np.add.reduceat(weights, firsts) >= 4
    pairs = set[tuple[int, int]]()
    for first, last in zip(firsts[is_shared].tolist(), lasts[is_shared].tolist(), strict=True):
        chosen = random.permutation(np.unique(vertices[first:last]))[:_MAX_PAIRED]
        pairs.update(itertools.combinations(sorted(chosen.tolist()), 2))
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _sets_of_edges(edges: Ints, keys: Ints) -> tuple[Ints, Ints, Ints]:
    """Return sets of edges at a vertex: the vertex of each, its key, and its weight.

    The weight is 1 for a single edge, and 2 for several. Of a set and its complement, which have
    the same key, one is listed. Vertices of degree 2 are left out.
    """
    ends = edges.T.ravel()
    degrees = np.bincount(ends)
    keys_by_vertex = np.tile(keys, 2)[np.argsort(ends, kind="stable")]
    starts = np.cumsum(degrees) - degrees
    parts: list[tuple[Ints, Ints, Ints]] = [(np.zeros(1, int), np.zeros(1, int), np.zeros(1, int))]
    count = 0
    for degree in np.unique(degrees[degrees > 2]).tolist():
        at = np.flatnonzero(degrees == degree)
        own_keys = keys_by_vertex[starts[at, None] + np.arange(degree)]
        count += len(at) * 2 ** min(degree - 1, 60)
        sums, sizes = own_keys, np.ones(degree, dtype=np.int64)
        if count <= _MAX_SETS:
            sums, sizes = np.zeros((len(at), 1), dtype=np.int64), np.zeros(1, dtype=np.int64)
            for key in own_keys.T[:-1]:  # each set is continued without and with an edge
                sums = np.concatenate([sums, sums ^ key[:, None]], axis=1)
                sizes = np.concatenate([sizes, sizes + 1])
            sums, sizes = sums[:, 1:], sizes[1:]
        weights = np.where((sizes == 1) | (sizes == degree - 1), 1, 2)
        parts.append((np.repeat(at, len(sizes)), sums.ravel(), np.tile(weights, len(at))))
    vertices, set_keys, all_weights = (np.concatenate(each) for each in zip(*parts, strict=True))
    return vertices, set_keys, all_weights


def answer(task: Task, graph: EdgeGraph, answer_region: Function) -> Answer:
    """Answer by ``answer_region`` for each region of a graph, the smallest first.

    Every vertex has two edges or more, as `kt_cp.sat.edges.propagate` makes sure.
    The answer is UNKNOWN if there is a single region, or if there is no answer for one. Raises
    `OutOfTimeError`.
    """
    division = Regions(graph, task.clock, task.seed)
    if len(division.regions) == 1:
        return gave_up(task.instance, "no two vertices were found that separate the graph")
    cycles = dict[Region, list[int]]()
    method = None
    for region in sorted(division.regions, key=lambda region: len(region.edges)):
        part = Graph(range(len(region.vertices)), region.indexed)
        result = answer_region(replace(task, instance=Instance(part, closed=True)))
        method = result.method  # of the largest region in the end
        if result.squares is None:
            words = f"a part of {len(region.vertices):,} vertices that two vertices separate"
            if result.status is Status.IMPOSSIBLE:
                whole = exhausted(task.instance, f"no tour passes {words}")
            elif result.reason_kind is ReasonKind.TIME_LIMIT:
                whole = out_of_time(task.instance, task.clock)
            else:
                whole = gave_up(task.instance, f"no answer for {words}")
            return replace(whole, method=method)
        cycles[region] = region.vertices[result.squares].tolist()
    tour = graph.tour(division.cycle(cycles))
    return replace(found(tour, {"parts": len(cycles)}), method=method)
