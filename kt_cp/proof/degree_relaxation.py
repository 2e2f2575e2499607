"""A bound on the vertices of a path or cycle from the degrees alone, by linear programming.

A path has two ends, which may be one vertex. Each visited vertex has two edges in use, or ends in
their place, and an edge in use has two visited vertices. The relaxation admits fractions, as that
of 2-matchings does (Balinski 1965). In sparse graphs it proves much: of three chains of vertices
that meet in one, a path uses two, and the third has to be left out.

The bound does not rest on the linear solver. By weak duality, any multipliers of the constraints
give a bound; those of the solver are rounded, and the bound is computed in integers (for the idea
see Neumaier and Shcherbina, Safe bounds in linear and mixed-integer linear programming, 2004).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import adjacency, blocks_of, component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock

# The most edges of a graph for which the program is solved, and for each vertex: with more, nearly
# every vertex has two edges to spare, and the bound is the number of vertices.
_MAX_EDGES, _MAX_EDGES_PER_VERTEX = 5_000, 3

# Multipliers are rounded to multiples of one divided by this number.
_SCALE = 2**20

# The share of the time that is left which a program may take, under a time limit, and the most
# seconds: the solver takes no infinite limit.
_TIME_SHARE, _MAX_SECONDS = 0.1, 1_000_000


def most_by_degrees(instance: Instance, clock: Clock) -> int:
    """Return the most vertices of a path, or cycle, that the degrees of the vertices allow.

    Of the constraints only forbidden moves are taken into account. The bound of a graph with many
    edges is the number of its vertices.
    """
    vertices, edges = len(instance.graph), instance.edges
    if not len(edges) or len(edges) > min(_MAX_EDGES, _MAX_EDGES_PER_VERTEX * vertices):
        return vertices
    most = 1
    for part in sorted(_parts(instance), key=len, reverse=True):
        if len(part) <= most:
            break
        inner = edges[np.isin(edges, part).all(axis=1)]
        program = _Program(np.searchsorted(part, inner), len(part), instance.closed)
        most = max(most, min(len(part), program.bound(clock)))
    return most


def _parts(instance: Instance) -> list[Ints]:
    """Return the vertices, ascending, of each component for paths, and of each block for cycles."""
    edges = instance.edges
    if instance.closed:
        _, blocks = blocks_of(adjacency(edges))
        return [np.array(sorted([block.cut, *block.inner])) for block in blocks]
    labels = component_labels(instance.graph.area, edges)
    return [np.flatnonzero(labels == label) for label in np.unique(labels[edges])]


class _Program:
    """The linear program of a graph whose vertices are numbered from 0.

    Variables are the use of each edge and the visit of each vertex, from 0 to 1, and for paths the
    number of ends at each vertex. The sum of the visits is maximized.
    """

    def __init__(self, edges: Ints, vertices: int, closed: bool) -> None:
        pywraplp: Any = import_module("ortools.linear_solver.pywraplp")  # loaded only when used

        self.edges, self.vertices, self.closed = edges, vertices, closed
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._optimal = pywraplp.Solver.OPTIMAL
        used = [self._solver.NumVar(0, 1, "") for _ in edges]
        visits = [self._solver.NumVar(0, 1, "") for _ in range(vertices)]
        # At each vertex the edges in use, and the ends, are two if it is visited.
        self._degrees = [self._solver.Constraint(0, 0) for _ in visits]
        # Of each end of an edge: the edge is used only if that is visited.
        self._uses: list[Any] = []
        for degree, visit in zip(self._degrees, visits, strict=True):
            degree.SetCoefficient(visit, -2)
        for use, ends in zip(used, edges.tolist(), strict=True):
            for vertex in ends:
                self._degrees[vertex].SetCoefficient(use, 1)
                only_if_visited = self._at_most(0)
                only_if_visited.SetCoefficient(use, 1)
                only_if_visited.SetCoefficient(visits[vertex], -1)
                self._uses.append(only_if_visited)
        if not closed:
            self._add_ends()
        objective = self._solver.Objective()
        for visit in visits:
            objective.SetCoefficient(visit, 1)
        objective.SetMaximization()

    def _at_most(self, limit: int) -> Any:
        """Return a new constraint that a sum, which is still empty, is at most ``limit``."""
        return self._solver.Constraint(-self._solver.infinity(), limit)

    def _add_ends(self) -> None:
        """Admit two ends, each of which counts as an edge in use."""
        end_count = self._at_most(2)
        for degree in self._degrees:
            ends = self._solver.NumVar(0, 2, "")
            degree.SetCoefficient(ends, 1)
            end_count.SetCoefficient(ends, 1)

    def bound(self, clock: Clock) -> int:
        """Return an upper bound on the visits; the number of vertices if time is too short."""
        if clock.limit is not None:
            seconds = min(_TIME_SHARE * clock.remaining, _MAX_SECONDS)
            self._solver.SetTimeLimit(1 + int(1000 * seconds))
        if self._solver.Solve() != self._optimal:
            return self.vertices
        at_vertices = _rounded_duals(self._degrees)
        at_uses = np.maximum(_rounded_duals(self._uses), 0).reshape(-1, 2)
        return self.bound_from(at_vertices, at_uses)

    def bound_from(self, at_vertices: Ints, at_uses: Ints) -> int:
        """Return the bound that multipliers of the constraints prove, whatever they are.

        A tour meets the constraints, so the multiples of these can be added to its visits. In that
        sum each variable is at its best value, and the two ends are at the best vertex.
        """
        visits = _SCALE + 2 * at_vertices
        np.add.at(visits, self.edges, at_uses)
        used = -at_vertices[self.edges].sum(axis=1) - at_uses.sum(axis=1)
        total = np.maximum(visits, 0).sum() + np.maximum(used, 0).sum()
        if not self.closed:
            total += 2 * max(0, -at_vertices.min())
        return int(total) // _SCALE


def _rounded_duals(constraints: list[Any]) -> Ints:
    """Return the dual values of constraints, as multiples of one divided by the scale."""
    values = np.array([each.dual_value() for each in constraints])
    rounded: Ints = np.rint(_SCALE * values).astype(np.int64)
    return rounded
