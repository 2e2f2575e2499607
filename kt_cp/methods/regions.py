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
from collections import defaultdict
from dataclasses import replace
from functools import reduce
from operator import xor
from random import Random

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels, divided_edges
from kt_cp.methods.method import Answer, Function, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.proof.reasons import ReasonKind
from kt_cp.sat.edges import EdgeGraph
from kt_dfs import Status

# The fewest vertices of a side: the separation of a smaller one costs more than it saves.
_SMALLEST = 12

# The work of looking for a separation: each pair that is tried goes through all edges.
_MIN_PAIRS_TRIED, _MAX_EDGES_TRIED = 8, 2**20

# Of the vertices whose edges share a key, at most so many are paired; and of vertices with more
# neighbors only single edges are compared.
_MAX_PAIRED = 16


def answer(task: Task, graph: EdgeGraph, answer_region: Function) -> Answer:
    """Answer by ``answer_region`` for each region of a graph.

    Every vertex has two edges or more, as `kt_cp.sat.edges.propagate` makes sure. A required edge
    becomes two, with a new vertex between them. The answer is UNKNOWN if there is a single region,
    or if there is no answer for one. Raises `OutOfTimeError`.
    """
    degrees = np.bincount(graph.edges.ravel(), minlength=graph.node_count)
    is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
    new = graph.node_count + np.arange(np.count_nonzero(is_divided))
    edges = divided_edges(graph.edges, is_divided, new)
    regions = _Regions(task, answer_region, graph.node_count + len(new))
    division = regions.division(edges)
    if division is None:
        return gave_up(task.instance, "no two vertices were found that separate the graph")
    try:
        cycle = regions.joined(edges, *division)
    except _NoCycleError as error:
        return error.answer
    tour = graph.tour(np.array([vertex for vertex in cycle if vertex < graph.node_count]))
    return replace(found(tour, {"parts": regions.parts}), method=regions.method)


class _NoCycleError(Exception):
    """Some region has no cycle, or no answer; ``answer`` is that to the whole."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


class _Regions:
    """The regions of a graph, whose edges are rows of two vertices with any numbers.

    ``parts`` is the number of regions that have been solved, and ``method`` solved the last one.
    """

    def __init__(self, task: Task, answer_region: Function, unused: int) -> None:
        self.task, self.answer_region = task, answer_region
        self.parts = 0
        self.method: str | None = None
        self._unused = itertools.count(unused)  # the numbers of new vertices
        self._random = Random(task.seed)

    def cycle(self, edges: Ints) -> list[int]:
        """Return a Hamiltonian cycle of a graph. Raises `_NoCycleError` and `OutOfTimeError`."""
        division = self.division(edges)
        return self.joined(edges, *division) if division else self._cycle_of_region(edges)

    def joined(self, edges: Ints, pair: Ints, is_of_side: Ints) -> list[int]:
        """Return a Hamiltonian cycle of a graph that is divided, from those of both parts."""
        outside, inside = next(self._unused), next(self._unused)
        side, rest = (
            self.cycle(np.concatenate([own, np.stack([pair, [new, new]], axis=1)]))
            for own, new in ((edges[is_of_side], outside), (edges[~is_of_side], inside))
        )
        own, place = side.index(outside), rest.index(inside)
        path = side[own + 1 :] + side[:own]  # between the two vertices of the pair
        if path[0] != rest[place - 1]:
            path.reverse()
        return rest[:place] + path[1:-1] + rest[place + 1 :]

    def _cycle_of_region(self, edges: Ints) -> list[int]:
        vertices, indexed = np.unique(edges, return_inverse=True)
        part = Graph(range(len(vertices)), indexed.reshape(-1, 2))
        task = self.task
        result = self.answer_region(replace(task, instance=Instance(part, closed=True)))
        self.parts += 1
        self.method = result.method
        if result.squares is None:
            words = f"a part of {len(vertices):,} vertices that two vertices separate"
            if result.status is Status.IMPOSSIBLE:
                whole = exhausted(task.instance, f"no tour passes {words}")
            elif result.reason_kind is ReasonKind.TIME_LIMIT:
                whole = out_of_time(task.instance, task.clock)
            else:
                whole = gave_up(task.instance, f"no answer for {words}")
            raise _NoCycleError(replace(whole, method=result.method))
        cycle: list[int] = vertices[result.squares].tolist()
        return cycle

    def division(self, edges: Ints) -> tuple[Ints, Ints] | None:
        """Return two vertices that separate a graph, and a mask of the edges of the smaller side.

        Returns None if none are found.
        """
        self.task.clock.check()
        vertices, indexed = np.unique(edges, return_inverse=True)
        indexed = indexed.reshape(-1, 2)
        pairs = separating_pairs(indexed, self._random)
        for pair in pairs[: max(_MIN_PAIRS_TRIED, _MAX_EDGES_TRIED // len(edges))]:
            at_pair = np.isin(indexed, pair).any(axis=1)
            labels = component_labels(len(vertices), indexed[~at_pair])
            labels[[*pair]] = -1
            sides, sizes = np.unique(labels[labels >= 0], return_counts=True)
            if len(sides) == 2 and sizes.min() >= _SMALLEST:
                is_of_side = (labels == sides[sizes.argmin()])[indexed].any(axis=1)
                return vertices[[*pair]], is_of_side
        return None


def separating_pairs(edges: Ints, random: Random) -> list[tuple[int, int]]:
    """Return pairs of vertices, in a random order, that may separate a graph.

    ``edges`` are rows of two vertices, which are numbered from 0. Of a pair, some edges at the one
    have the key of some edges at the other. There are none if the graph is not connected, or if an
    edge separates it by itself.

    >>> ladder = [[low, low + 2] for low in range(6)] + [[low, low + 1] for low in range(0, 8, 2)]
    >>> (2, 3) in separating_pairs(np.array(ladder), Random(0))
    True
    """
    around: list[list[tuple[int, int]]] = [[] for _ in range(edges.max() + 1)]
    for number, (low, high) in enumerate(edges.tolist()):
        around[low].append((high, number))
        around[high].append((low, number))
    keys = _random_keys(around, random)
    # The vertices at which one or two edges have a key. Both ends of an edge, or of a path of
    # vertices of degree 2, have the same key: it counts as a half at either end.
    vertices_of = defaultdict[int, dict[int, int]](dict)
    for vertex, at_vertex in enumerate(around if keys else []):
        degree = len(at_vertex)
        for size in range(1, 3 if 3 < degree <= _MAX_PAIRED else min(2, degree - 1)):
            for some in itertools.combinations(at_vertex, size):
                key = reduce(xor, (keys[number] for _, number in some))
                vertices_of[key][vertex] = size
    pairs = set[tuple[int, int]]()
    for halves in vertices_of.values():
        if sum(halves.values()) >= 4:
            chosen = sorted(random.sample(sorted(halves), min(len(halves), _MAX_PAIRED)))
            pairs.update(itertools.combinations(chosen, 2))
    return random.sample(sorted(pairs), len(pairs))


def _random_keys(around: list[list[tuple[int, int]]], random: Random) -> list[int]:
    """Return a key for each edge: of the edges at each vertex, given with neighbors, they cancel.

    The list is empty if the graph is not connected, or an edge separates it: then there is no tour.
    """
    tree, is_reached = [(0, -1)], {0}  # vertices by a breadth-first search, each with its edge back
    for vertex, _ in tree:  # which grows meanwhile
        for neighbor, number in around[vertex]:
            if neighbor not in is_reached:
                is_reached.add(neighbor)
                tree.append((neighbor, number))
    keys = [random.getrandbits(62) for _ in range(sum(map(len, around)) // 2)]
    for _, number in tree[1:]:
        keys[number] = 0
    for vertex, number in reversed(tree[1:]):  # the edge back cancels the others at the vertex
        keys[number] = reduce(xor, (keys[each] for _, each in around[vertex]))
    return keys if len(tree) == len(around) and all(keys) else []
