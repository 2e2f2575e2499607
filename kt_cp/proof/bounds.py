"""Bounds that separators, blocks or degrees prove: on paths, cycles and covers.

Removing k vertices cuts p paths into at most p + k pieces, and a cycle into at most k: see
`kt_cp.proof.separators.Separator`.

A path passes a vertex once, so where a single vertex separates the graph it does not come back: it
visits a chain of blocks, and a cycle one block.

The bound from the degrees alone is one of linear programming. A path has two ends, which may be one
vertex. Each visited vertex has two edges in use, or ends in their place, and an edge in use has two
visited vertices. The relaxation admits fractions, as that of 2-matchings does (Balinski 1965). In
sparse graphs it proves much: of three chains of vertices that meet in one, a path uses two, and the
third has to be left out. It does not rest on the linear solver: by weak duality, any multipliers of
the constraints give a bound. Those of the solver are rounded, and the bound is computed in integers
(for the idea see Neumaier and Shcherbina, Safe bounds in linear and mixed-integer linear
programming, 2004).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import (
    adjacency,
    blocks_of,
    component_labels,
    most_on_cycle,
    most_on_path,
)
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.proof.separators import (
    MAX_SEPARATED,
    ProofGraph,
    Separator,
    candidate_separators,
    greedy_separators,
)

# The most edges of a graph for which the program is solved, and for each vertex: with more, nearly
# every vertex has two edges to spare, and the bound is the number of vertices.
_MAX_EDGES = 5_000
_MAX_EDGES_PER_VERTEX = 3

# Multipliers are rounded to multiples of one divided by this number.
_SCALE = 2**20

# The share of the time that is left which a program may take, under a time limit, and the most
# seconds: the solver takes no infinite limit.
_TIME_SHARE = 0.1
_MAX_SECONDS = 1_000_000


def separator_of_cover(instance: Instance, clock: Clock | None = None) -> Separator:
    """Return the found separator with the largest lower bound on the paths of a cover.

    The search for separators ends at the clock's limit, but one is always found: none.
    """
    return max(_separators(instance, clock), key=lambda each: each.fewest_paths)


def separator_of_longest(instance: Instance, clock: Clock | None = None) -> Separator:
    """Return the found separator with the smallest upper bound on the squares of a path or cycle.

    Ties are broken in favor of a bound that does not rest on parity. The search for separators ends
    at the clock's limit, but one is always found: none.
    """
    separators = _separators(instance, clock)
    return min(separators, key=lambda each: (each.most_squares, each.most_reachable))


def most_by_blocks(instance: Instance) -> int:
    """Return the most squares of a path or cycle that the blocks of the graph allow.

    Of the constraints only forbidden moves are taken into account.
    """
    graph = adjacency(instance.edges)
    most = most_on_cycle(graph) if instance.closed else most_on_path(graph)
    return instance.possible_length(most)


def _separators(instance: Instance, clock: Clock | None) -> Iterator[Separator]:
    """Yield separators until the clock's limit, the one without vertices first."""
    proof = ProofGraph(instance)
    graph = instance.graph
    yield proof.separator(())
    if not len(instance.edges) or not 3 <= len(graph) <= MAX_SEPARATED:
        return
    candidates = itertools.chain(candidate_separators(proof), greedy_separators(proof))
    for removed in candidates:
        if clock is not None and clock.remaining <= 0:
            return
        yield proof.separator(removed)


def most_by_degrees(instance: Instance, clock: Clock) -> int:
    """Return the most vertices of a path, or cycle, that the degrees of the vertices allow.

    Of the constraints only forbidden moves are taken into account. The bound of a graph with many
    edges is the number of its vertices.
    """
    vertices = len(instance.graph)
    edges = instance.edges
    if not len(edges) or len(edges) > min(_MAX_EDGES, _MAX_EDGES_PER_VERTEX * vertices):
        return vertices
    if instance.closed:  # a cycle stays in a block, and a path in a component
        blocks = blocks_of(adjacency(edges))
        parts: list[Ints] = [np.array(sorted([block.cut, *block.inner])) for block in blocks]
    else:
        labels = component_labels(instance.graph.area, edges)
        parts = [np.flatnonzero(labels == label) for label in np.unique(labels[edges])]
    most = 1
    for part in sorted(parts, key=len, reverse=True):
        if len(part) > most:
            inner = np.searchsorted(part, edges[np.isin(edges, part).all(axis=1)])
            multipliers = _multipliers(inner, len(part), instance.closed, clock)
            bound = len(part)
            if multipliers is not None:
                bound = min(bound, _proven_by(*multipliers, inner, instance.closed))
            most = max(most, bound)
    return most


def _multipliers(
    edges: Ints, vertices: int, closed: bool, clock: Clock
) -> tuple[Ints, Ints] | None:
    """Return multipliers of the constraints of the linear program, or None if time is too short.

    The sum of the visits is maximized. The multipliers are those of the degree of each vertex and,
    as rows, of both ends of each edge.
    """
    pywraplp: Any = import_module("ortools.linear_solver.pywraplp")  # loaded only when used

    solver = pywraplp.Solver.CreateSolver("GLOP")
    visits = [solver.NumVar(0, 1, "") for _ in range(vertices)]
    uses = [solver.NumVar(0, 1, "") for _ in edges]
    ends = [solver.NumVar(0, 0 if closed else 2, "") for _ in range(vertices)]
    used_at: list[list[Any]] = [[end] for end in ends]  # the edges and ends at each vertex
    are_visited = []
    for use, edge in zip(uses, edges.tolist(), strict=True):
        for vertex in edge:
            used_at[vertex].append(use)
            are_visited.append(solver.Add(use <= visits[vertex]))
    degrees = [
        solver.Add(solver.Sum(used) == 2 * visit)
        for used, visit in zip(used_at, visits, strict=True)
    ]
    solver.Add(solver.Sum(ends) <= 2)
    solver.Maximize(solver.Sum(visits))
    if clock.limit is not None:
        seconds = min(_TIME_SHARE * clock.remaining, _MAX_SECONDS)
        solver.SetTimeLimit(1 + int(1000 * seconds))
    if solver.Solve() != pywraplp.Solver.OPTIMAL:
        return None
    at_vertices, at_uses = (
        np.rint(_SCALE * np.array([each.dual_value() for each in constraints])).astype(np.int64)
        for constraints in (degrees, are_visited)
    )
    return at_vertices, np.maximum(at_uses, 0).reshape(-1, 2)


def _proven_by(at_vertices: Ints, at_uses: Ints, edges: Ints, closed: bool) -> int:
    """Return the bound on the visits that multipliers prove, whatever they are.

    A tour meets the constraints, so the multiples of these can be added to its visits. In that sum
    each variable is at its best value, and the two ends are at the best vertex.
    """
    visits = _SCALE + 2 * at_vertices
    np.add.at(visits, edges, at_uses)
    used = -at_vertices[edges].sum(axis=1) - at_uses.sum(axis=1)
    total = np.maximum(visits, 0).sum() + np.maximum(used, 0).sum()
    if not closed:
        total += 2 * max(0, -at_vertices.min())
    return int(total) // _SCALE


def most_allowed(instance: Instance) -> int:
    """Return the most vertices that the graph has and that the bounds of the instance allow.

    >>> most_allowed(Instance.of("5x5")), most_allowed(Instance.of("5x5", having=["squares<=9"]))
    (25, 9)
    """
    return int(min(len(instance.graph), instance.upper_bound("squares")))
