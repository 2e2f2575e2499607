"""Parts of a graph with small borders: solve them by themselves, or state what a border implies.

Where two vertices separate a graph, a Hamiltonian cycle enters a side from one of them, visits all
of it, and leaves it to the other. So the side is a graph of its own, with the two vertices and a
new one that stands for everything else and is adjacent to both; and in the rest of the graph, the
new vertex stands for the side. Where two edges separate a graph, two of their ends do.

Pairs of vertices are found by sampling the cycle space (D. Pritchard, R. Thurimella, Fast
computation of small cuts via cycle space sampling, 2011). Edges get random keys such that the keys
of all edges across the border of any set cancel: their exclusive or is 0. Two vertices separate the
graph if some edges at the one have the same key as some edges at the other. Other keys agree only
by chance, so every separation is verified.

A cycle crosses the border of any set an even number of times. Clauses about the nodes of a large
set imply this only through proofs of exponential length (A. Urquhart, Hard examples for resolution,
1987), so that a SAT solver does not learn it by itself. Where a graph has parts with small borders,
stating it for these parts makes the difference between seconds and hours.

These sets grow from single nodes. In each step the node joins that keeps the border smallest, and
whenever the border has shrunk and begins to grow again, the set with the smallest border is noted
(compare the sweeps of R. Andersen, F. Chung, K. Lang, Local graph partitioning using PageRank
vectors, 2006). The border is the number of visits that a tour can make to nodes outside along the
edges that leave the set: at most two for each node, so that a hub that is adjacent to everything
adds only two.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from heapq import heappop, heappush
from operator import xor
from random import Random
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import adjacency, component_labels, divided_edges
from kt_cp.methods.method import Answer, AnswerFunction, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Task
from kt_cp.proof.reasons import ReasonKind
from kt_cp.sat.edges import EdgeGraph
from kt_dfs import Status

# The fewest vertices of a side: the separation of a smaller one costs more than it saves.
_SMALLEST = 12

# The work of looking for a separation: each pair that is tried goes through all edges.
_MIN_PAIRS_TRIED = 8
_MAX_EDGES_TRIED = 2**20

# Of the vertices whose edges share a key, at most so many are paired; and of vertices with more
# neighbors only single edges are compared.
_MAX_PAIRED = 16

# Sets with a larger border, or fewer nodes, are not noted: a SAT solver learns enough about small
# sets by itself.
_MAX_BORDER = 12
_MIN_SET_SIZE = 6

# The amount by which the border must shrink, and then grow again, for a set to be noted.
_MIN_DIP = 3

# The limit on the steps by which sets are grown, for each node of the graph.
_STEPS_PER_NODE = 20


# -- regions that are solved by themselves --------------------------------------------------------


def answer_by_regions(task: Task, graph: EdgeGraph, answer_region: AnswerFunction) -> Answer:
    """Answer by ``answer_region`` for each region of a graph that pairs of vertices separate.

    Every vertex has two edges or more, as `kt_cp.sat.edges.propagate` makes sure. A required edge
    becomes two, with a new vertex between them. The answer is unknown if there is a single region,
    or if there is no answer for one. Its method is that of the last region, and its counter is the
    number of regions. Raises `OutOfTimeError`.
    """
    degrees = np.bincount(graph.edges.ravel(), minlength=graph.node_count)
    is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
    new = graph.node_count + np.arange(np.count_nonzero(is_divided))
    edges = divided_edges(graph.edges, is_divided, new)
    regions, seams = _regions(edges, graph.node_count + len(new), task.clock, Random(task.seed))
    if not seams:
        return gave_up(task.instance, "no two vertices were found that separate the graph")
    cycles: list[list[int]] = []
    for region in regions:
        vertices, indexed = np.unique(region, return_inverse=True)
        part = Instance(Graph(range(len(vertices)), indexed.reshape(-1, 2)), closed=True)
        result = answer_region(replace(task, instance=part))
        if result.squares is None:
            return replace(_unsolved(task, result, len(vertices)), method=result.method)
        cycles.append(vertices[result.squares].tolist())
    for seam in seams:
        side, rest = (cycle for cycle in cycles if seam in cycle)
        cycles = [cycle for cycle in cycles if seam not in cycle]
        cycles.append(_joined(side, rest, seam))
    [cycle] = cycles
    tour = graph.tour(np.array([node for node in cycle if node < graph.node_count]))
    return replace(found(tour, {"parts": len(regions)}), method=result.method)


def _regions(
    edges: Ints, unused: int, clock: Clock, random: Random
) -> tuple[list[Ints], list[int]]:
    """Return the edges of each region, and the *seams*: the new vertices, from ``unused`` on.

    A seam is in two regions. In each it stands for all that lies beyond the two vertices that are
    adjacent to it.
    """
    regions = list[Ints]()
    seams = list[int]()
    undivided = [edges]
    while undivided:
        clock.check()
        edges = undivided.pop()
        separation = _find_separation(edges, random)
        if separation is None:
            regions.append(edges)
            continue
        seam = unused + len(seams)
        seams.append(seam)
        at_seam = np.array([[vertex, seam] for vertex in separation.pair])
        for is_kept in (~separation.is_of_side, separation.is_of_side):
            undivided.append(np.concatenate([edges[is_kept], at_seam]))
    return regions, seams


def _unsolved(task: Task, result: Answer, size: int) -> Answer:
    """Return the answer to a task of which a region of ``size`` vertices was not solved."""
    words = f"a part of {size:,} vertices that two vertices separate"
    if result.status is Status.IMPOSSIBLE:
        return exhausted(task.instance, f"no tour passes {words}")
    if result.reason_kind is ReasonKind.TIME_LIMIT:
        return out_of_time(task.instance, task.clock)
    return gave_up(task.instance, f"no answer for {words}")


def _joined(side: list[int], rest: list[int], seam: int) -> list[int]:
    """Return the cycle that follows two cycles, but for the vertex that they share, the seam.

    >>> _joined([1, 2, 3, 9], [3, 9, 1, 4], seam=9)
    [1, 2, 3, 4]
    """
    one, other = (
        cycle[cycle.index(seam) + 1 :] + cycle[: cycle.index(seam)] for cycle in (side, rest)
    )
    if one[0] == other[0]:
        other.reverse()
    return one + other[1:-1]


class Separation(NamedTuple):
    """Two vertices that separate a graph, and a mask of the edges of the smaller side."""

    pair: list[int]
    is_of_side: Mask


def _find_separation(edges: Ints, random: Random) -> Separation | None:
    """Return a separation of a graph, whose vertices have any numbers; None if none is found."""
    vertices, indexed = np.unique(edges, return_inverse=True)
    indexed = indexed.reshape(-1, 2)
    pairs = separating_pairs(indexed, random)
    for pair in pairs[: max(_MIN_PAIRS_TRIED, _MAX_EDGES_TRIED // len(edges))]:
        at_pair = np.isin(indexed, pair).any(axis=1)
        labels = component_labels(len(vertices), indexed[~at_pair])
        labels[[*pair]] = -1
        sides, sizes = np.unique(labels[labels >= 0], return_counts=True)
        if len(sides) == 2 and sizes.min() >= _SMALLEST:
            is_of_side = (labels == sides[sizes.argmin()])[indexed].any(axis=1)
            return Separation(vertices[[*pair]].tolist(), is_of_side)
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
    # The vertices at which one or two edges have a key, and how many. A key separates with two such
    # edges at each of two vertices, where a single edge is at both of its ends: four in all.
    vertices_of = defaultdict[int, dict[int, int]](dict)
    for vertex, at_vertex in enumerate(around if keys else []):
        degree = len(at_vertex)
        if degree < 3:
            combined = 0  # the keys of both edges are equal
        elif degree == 3 or degree > _MAX_PAIRED:
            combined = 1
        else:
            combined = 2
        for size in range(1, combined + 1):
            for some in itertools.combinations(at_vertex, size):
                key = reduce(xor, (keys[number] for _, number in some))
                vertices_of[key][vertex] = size
    pairs = set[tuple[int, int]]()
    for sizes in vertices_of.values():
        if sum(sizes.values()) >= 4:
            chosen = sorted(random.sample(sorted(sizes), min(len(sizes), _MAX_PAIRED)))
            pairs.update(itertools.combinations(chosen, 2))
    return random.sample(sorted(pairs), len(pairs))


def _random_keys(around: list[list[tuple[int, int]]], random: Random) -> list[int]:
    """Return a key for each edge: of the edges at each vertex, given with neighbors, they cancel.

    The list is empty if the graph is not connected, or an edge separates it: then there is no tour.
    """
    tree = [(0, -1)]  # vertices by a breadth-first search, each with its edge back
    is_reached = {0}
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


# -- sets with small borders ----------------------------------------------------------------------


def find_small_cuts(edges: Ints, clock: Clock, seed: int = 0) -> list[list[int]]:
    """Return sets of nodes with small borders, of which any two are disjoint or nested.

    Such a set is called a *cut*, for the edges of its border.

    ``edges`` are rows of two nodes, which are numbered from 0. Raises `OutOfTimeError`.

    >>> ring = np.array([[node, node + 1] for node in range(20)] + [[0, 20]])
    >>> find_small_cuts(ring, Clock())
    []
    """
    random = Random(seed)
    around = adjacency(edges)
    neighbors = [around[node] for node in range(len(around))]
    keys = [random.getrandbits(62) for _ in neighbors]
    # The border and the nodes of each set, by its Zobrist hash: the exclusive or of their keys.
    small_cuts: dict[int, tuple[int, list[int]]] = {}
    for prefers_latest in (True, False):
        covered = set[int]()  # from these nodes no set is grown: it adds little
        steps = 0
        for start in random.sample(range(len(neighbors)), len(neighbors)):
            if steps > _STEPS_PER_NODE * len(neighbors):
                break
            if start in covered:
                continue
            clock.check()
            nodes = list[int]()
            borders = list[int]()
            hashes = [0]
            for node, border in _growth(neighbors, start, prefers_latest):
                nodes.append(node)
                borders.append(border)
                hashes.append(hashes[-1] ^ keys[node])
                if hashes[-1] in small_cuts or len(nodes) > len(neighbors) // 2:
                    break
            steps += len(nodes)
            newly_covered = len(nodes) if hashes[-1] in small_cuts else 1
            sizes = [size for size in _dips(borders) if size >= _MIN_SET_SIZE]
            if sizes:
                newly_covered = sizes[0]
            for size in sizes:
                if borders[size - 1] <= _MAX_BORDER:
                    small_cuts.setdefault(hashes[size], (borders[size - 1], nodes[:size]))
            covered.update(nodes[:newly_covered])
    return _nested(small_cuts.values())


def _growth(
    neighbors: list[list[int]], start: int, prefers_latest: bool
) -> Iterator[tuple[int, int]]:
    """Yield the nodes of a growing set as they join, each with the border of the set so far.

    With visits[v], the number of neighbors of v inside, the border is the sum of min(visits[v], 2)
    over all v outside. When v joins, its own visits no longer count, and its neighbors outside that
    are *open*, with fewer than two visits, get one more. So v changes the border by

        changes[v] = (the number of open neighbors of v outside) - min(visits[v], 2)

    and the node with the least change joins. Of equals, that whose change was updated last joins
    first if ``prefers_latest``, and otherwise that updated first. Changes are kept for the start
    and, from its first visit on, for every other node.
    """
    inside = set[int]()
    border = 0
    visits = [0] * len(neighbors)
    changes = {start: len(neighbors[start])}
    queue = [(changes[start], 0, start)]  # an entry with another change than now is out of date
    ranks = itertools.count(-1, -1) if prefers_latest else itertools.count(1)

    def lower_change(node: int, amount: int) -> None:
        changes[node] -= amount
        heappush(queue, (changes[node], next(ranks), node))

    while queue:
        change, _, node = heappop(queue)
        if node in inside or change != changes[node]:
            continue
        inside.add(node)
        border += change
        yield node, border
        was_open = visits[node] < 2  # and counted in the changes of its neighbors, until it joined
        for other in neighbors[node]:
            if other in inside:
                continue
            visits[other] += 1
            if visits[other] == 1:
                beyond = (far for far in neighbors[other] if far not in inside)
                changes[other] = sum(visits[far] < 2 for far in beyond)
                lower_change(other, 1)
                continue
            amount = 1 if was_open else 0
            if visits[other] == 2:  # it is open no longer, and has one more visit that counts
                amount += 1
                for far in neighbors[other]:
                    if far in changes and far not in inside:
                        lower_change(far, 1)
            lower_change(other, amount)


def _dips(borders: list[int]) -> list[int]:
    """Return the sizes at which the border had a local minimum of depth `_MIN_DIP` or more."""
    sizes = list[int]()
    lowest, highest_border = None, borders[0]
    for index, border in enumerate(borders):
        if lowest is None:
            highest_border = max(highest_border, border)
            if border <= highest_border - _MIN_DIP:
                lowest = index
        elif border < borders[lowest]:
            lowest = index
        elif border >= borders[lowest] + _MIN_DIP:
            sizes.append(lowest + 1)
            lowest, highest_border = None, border
    return sizes if lowest is None else [*sizes, lowest + 1]


def _nested(small_cuts: Iterable[tuple[int, list[int]]]) -> list[list[int]]:
    """Return sets in the order of their borders, without those that cross an earlier set."""
    kept: list[list[int]] = []
    masks: list[int] = []  # the nodes of each set that is kept, as the bits of a number
    for _, nodes in sorted(small_cuts, key=lambda cut: (cut[0], len(cut[1]))):
        mask = sum(1 << node for node in nodes)
        if all((mask & other) in (0, mask, other) for other in masks):
            masks.append(mask)
            kept.append(nodes)
    return kept
