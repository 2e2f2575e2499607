"""Solve a graph by regions: sets of vertices that every tour passes in one piece.

Where two vertices separate a graph, a Hamiltonian cycle enters a side from one of them, visits all
of it, and leaves it to the other. So the side is a graph of its own, with the two vertices and a
new one that stands for everything else and is adjacent to both; and in the rest of the graph, a new
vertex in place of the side is adjacent to the two. Where two edges separate a graph, two of their
ends do. The sides are among the sets with small borders of `kt_cp.sat.small_cuts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import NamedGraph
from kt_cp.graph_algorithms import divided_edges
from kt_cp.methods.method import Answer, Function, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.proof.reason import ReasonKind
from kt_cp.sat.edges import EdgeGraph
from kt_dfs import Status

# The fewest vertices of a side and of the rest: a smaller one costs more than it saves.
_SMALLEST = 12


class Region(NamedTuple):
    """A graph whose Hamiltonian cycle is asked for: rows of two vertices, with any numbers.

    In the graph without the region the vertex ``inside`` stands for it, and in the region the
    vertex ``outside`` for everything else. The last region is all that is left, and has neither.
    """

    edges: Ints
    inside: int = -1
    outside: int = -1


def regions_of(graph: EdgeGraph, sets: Iterable[list[int]]) -> list[Region]:
    """Return the regions into which two vertices around some sets of nodes divide a graph.

    Any two of the sets are disjoint or nested. A required edge becomes two, with a new vertex
    between them. The regions of the earlier sets are divided off first.

    >>> from kt_cp.sat.edges import edge_graph
    >>> two_grids = [(a, a + 6) for a in range(12)] + [(a, a + 1) for a in range(17) if a % 6 < 5]
    >>> two_grids += [(a + 18, b + 18) for a, b in two_grids] + [(0, 18), (5, 23)]
    >>> graph = edge_graph(Instance.of(two_grids, closed=True))
    >>> [len(np.unique(region.edges)) for region in regions_of(graph, [list(range(18))])]
    [21, 19]
    """
    degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
    is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
    # Each new vertex is in the sets of two old ones: the ends of its edge, or one of its region.
    stands_for = graph.edges[is_divided].tolist()
    edges = divided_edges(graph.edges, is_divided, graph.nodes + np.arange(len(stands_for)))
    regions = list[Region]()
    for nodes in sorted(sets, key=len):
        is_in = np.isin(np.arange(graph.nodes), nodes)
        is_in = np.append(is_in, is_in[np.array(stands_for, dtype=int).reshape(-1, 2)].all(axis=1))
        within = is_in[edges]
        crossing = edges[within[:, 0] != within[:, 1]]
        ends = np.unique(crossing[~is_in[crossing]])
        if len(ends) != 2:
            ends = np.unique(crossing[is_in[crossing]])
            is_in[ends] = False
        is_of_side = is_in[edges].any(axis=1)
        sizes = [len(np.unique(edges[mask])) for mask in (is_of_side, ~is_of_side)]
        if len(ends) == 2 and min(sizes) >= _SMALLEST + 2:
            inside = graph.nodes + len(stands_for)
            stands_for += 2 * [2 * [int(np.flatnonzero(is_in[: graph.nodes])[0])]]
            to_outside = np.insert(ends[:, None], 1, inside + 1, axis=1)
            side = np.concatenate([edges[is_of_side], to_outside])
            regions.append(Region(side, inside, inside + 1))
            to_inside = np.insert(ends[:, None], 1, inside, axis=1)
            edges = np.concatenate([edges[~is_of_side], to_inside])
    return [*regions, Region(edges)]


def answer(
    task: Task, graph: EdgeGraph, sets: Iterable[list[int]], answer_region: Function
) -> Answer:
    """Answer by ``answer_region`` for each region of a graph, the smallest first.

    Every node has two edges or more, as `kt_cp.sat.edges.propagate` makes sure. The answer is
    UNKNOWN if there is a single region, or if there is no answer for one. Raises `OutOfTimeError`.
    """
    regions = regions_of(graph, sets)
    if len(regions) == 1:
        return gave_up(task.instance, "no two vertices were found that separate the graph")
    cycles = dict[int, list[int]]()  # by what stands for the region in the others
    method = None
    for region in sorted(regions, key=lambda region: len(region.edges)):
        vertices, indexed = np.unique(region.edges, return_inverse=True)
        part = NamedGraph(range(len(vertices)), indexed.reshape(-1, 2))
        result = answer_region(replace(task, instance=Instance(part, closed=True)))
        method = result.method  # of the largest region in the end
        if result.squares is None:
            words = f"a part of {len(vertices):,} vertices that two vertices separate"
            if result.status is Status.IMPOSSIBLE:
                whole = exhausted(task.instance, f"no tour passes {words}")
            elif result.reason_kind is ReasonKind.TIME_LIMIT:
                whole = out_of_time(task.instance, task.clock)
            else:
                whole = gave_up(task.instance, f"no answer for {words}")
            return replace(whole, method=method)
        cycles[region.inside] = vertices[result.squares].tolist()
    cycle = cycles[-1]
    for region in reversed(regions[:-1]):
        side, place = cycles[region.inside], cycle.index(region.inside)
        own = side.index(region.outside)
        path = side[own + 1 :] + side[:own]
        cycle[place : place + 1] = path[1:-1] if path[0] == cycle[place - 1] else path[-2:0:-1]
    tour = graph.tour(np.array([vertex for vertex in cycle if vertex < graph.nodes]))
    return replace(found(tour, {"parts": len(regions)}), method=method)
