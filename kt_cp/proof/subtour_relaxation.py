"""Separators from the dual values of the subtour relaxation.

A tour gives every edge the value 0 or 1, so that the values at a vertex sum to 2, and those of the
edges that leave a set of vertices to at least 2. The subtour relaxation admits fractions (Dantzig,
Fulkerson and Johnson 1954). If it has no solution either, the vertices with the largest dual values
are a separator in most graphs (for the relation to toughness, see Chvátal 1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from kt_cp.arrays import Ints, Mask, both_directions
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.task import Clock

# The most rounds in which violated sets are added, in a full and in a brief attempt.
ROUNDS, FEW_ROUNDS = 200, 30

# Once the solution is connected, violated sets are found by flows for at most this many nodes.
_MAX_FLOW_NODES = 1_000

# The number of thresholds for the dual values that are tried.
_MAX_LEVELS = 20

# A sum violates a constraint if it is below 2 by more than this tolerance.
_TOLERANCE = 1e-6

# The capacities of flows are integers: the values of edges times this factor.
_CAPACITY_SCALE = 10**6


def relaxation_separator(
    nodes: int, edges: Ints, required: Mask, clock: Clock, rounds: int = ROUNDS
) -> list[int] | None:
    """Return a separator: without it the graph has more components than a cycle can connect.

    ``edges`` are rows of two nodes, and ``required`` is a mask of those that the cycle uses.
    Returns None if no separator is found, which proves nothing. Raises `OutOfTimeError` at the
    clock's limit.

    >>> hubs = np.array([[hub, other] for hub in (0, 1) for other in (2, 3, 4)])
    >>> relaxation_separator(5, hubs, np.zeros(6, dtype=bool), Clock())
    [0, 1]
    """
    relaxation = _Relaxation(nodes, edges, required)
    for node in range(nodes):
        relaxation.add_set(np.arange(nodes) == node)
    for _ in range(rounds):
        clock.check()
        if not relaxation.solve():
            return None
        if relaxation.shortage > _TOLERANCE:
            removed = _scarcest(nodes, edges, required, relaxation.scarcity)
            if removed is not None:
                return removed
        violated = relaxation.violated_sets()
        if not violated:
            return None
        for side in violated:
            relaxation.add_set(side)
    return None


class _Relaxation:
    """The linear program.

    Edges have values from 0 to 1. The lack of a set is the amount by which the values of the edges
    that leave it fall below 2; the sum of all lacks is minimized.
    """

    def __init__(self, nodes: int, edges: Ints, required: Mask) -> None:
        pywraplp: Any = import_module("ortools.linear_solver.pywraplp")  # loaded only when used

        self.nodes, self.edges = nodes, edges
        self._solver = pywraplp.Solver.CreateSolver("GLOP")
        self._optimal = pywraplp.Solver.OPTIMAL
        self._values = [self._solver.NumVar(float(each), 1, "") for each in required]
        self._degrees = [self._solver.Constraint(0, 2) for _ in range(nodes)]
        for value, (low, high) in zip(self._values, edges.tolist(), strict=True):
            self._degrees[low].SetCoefficient(value, 1)
            self._degrees[high].SetCoefficient(value, 1)
        self._objective = self._solver.Objective()
        self._objective.SetMinimization()

    def add_set(self, side: Mask) -> None:
        """Add the constraint that the edges that leave a set, and its lack, sum to at least 2."""
        constraint = self._solver.Constraint(2, self._solver.infinity())
        for edge in np.flatnonzero(side[self.edges[:, 0]] != side[self.edges[:, 1]]).tolist():
            constraint.SetCoefficient(self._values[edge], 1)
        lack = self._solver.NumVar(0, 2, "")
        constraint.SetCoefficient(lack, 1)
        self._objective.SetCoefficient(lack, 1)

    def solve(self) -> bool:
        """Solve the program; return whether that succeeded."""
        return bool(self._solver.Solve() == self._optimal)

    @property
    def shortage(self) -> float:
        """The sum of the lacks of all sets; if it is above 0, there is no tour."""
        return float(self._objective.Value())

    @property
    def scarcity(self) -> list[float]:
        """For each node the dual value: how much one more edge there would reduce the shortage."""
        return [-float(each.dual_value()) for each in self._degrees]

    def violated_sets(self) -> list[Mask]:
        """Return sets of nodes whose constraint the present solution violates."""
        values = np.array([each.solution_value() for each in self._values])
        labels = component_labels(self.nodes, self.edges[values > _TOLERANCE])
        distinct_labels = np.unique(labels)
        if len(distinct_labels) > 1:
            return [labels == label for label in distinct_labels]
        if self.nodes > _MAX_FLOW_NODES:
            return []
        return self._violated_by_flow((values * _CAPACITY_SCALE).astype(np.int64))

    def _violated_by_flow(self, capacities: Ints) -> list[Mask]:
        """Return violated sets that a minimum cut separates from a node."""
        from ortools.graph.python.max_flow import SimpleMaxFlow

        tails, heads = both_directions(self.edges).T
        rounding_loss = len(self.edges)  # each capacity is rounded down by less than 1
        least_flow = 2 * _CAPACITY_SCALE * (1 - _TOLERANCE) - rounding_loss
        found: list[Mask] = []
        unseparated = np.arange(self.nodes) > 0
        while unseparated.any():
            target = int(unseparated.argmax())
            solver = SimpleMaxFlow()
            solver.add_arcs_with_capacity(tails, heads, np.tile(capacities, 2))
            solver.solve(0, target)
            unseparated[target] = False
            if solver.optimal_flow() < least_flow:
                side = np.isin(np.arange(self.nodes), solver.get_source_side_min_cut())
                unseparated &= side
                found.append(side)
        return found


def _scarcest(
    nodes: int, edges: Ints, required: Mask, scarcity: Sequence[float]
) -> list[int] | None:
    """Return the smallest set of scarcest nodes whose removal leaves too many components, or None.

    ``scarcity`` is the dual value of each node. Removing n nodes splits a cycle into at most n
    components, one fewer for each required edge between two of these nodes.
    """
    values = np.round(np.array(scarcity), 9)
    levels = np.unique(values)[::-1]
    for level in levels[:_MAX_LEVELS]:
        removed = values >= level
        kept = edges[~removed[edges].any(axis=1)]
        components = len(np.unique(component_labels(nodes, kept)[~removed]))
        used_inside = removed[edges].all(axis=1) & required
        if components > max(1, removed.sum() - used_inside.sum()):
            return np.flatnonzero(removed).tolist()
    return None
