"""Features of a tour as linear expressions over 0/1 variables of the circuit model.

An edge is used if one of its two arcs is. A pair of edges, such as two that cross or two that meet
at an angle, has a variable too, which tells whether both are used. At every square of a tour just
one pair of edges is used, so the variables of the pairs that contain an edge sum to the variable of
that edge: these equations tighten the linear relaxation.
"""

from __future__ import annotations

import itertools
from collections import Counter

from kt_cp.model.backend import Linear
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Bound
from kt_cp.problem.task import SECONDS_IN_FLOWS, Objective, Weights
from kt_cp.tour.features import Counted, Feature, MovePairs, angle_count, ends_of, feature_named


class FeatureSums:
    """The features of a model's tours, as expressions over variables that are added once."""

    def __init__(self, model: CircuitModel) -> None:
        self.model = model
        self.cp = model.cp
        self._pairs: dict[tuple[int, int], int] = {}
        self._has_equations = False

    def bound(self, bound: Bound) -> None:
        """Ensure that a bound on a feature is kept."""
        if bound.feature == "crossings" and bound.limits[1] == 0:
            self.forbid_crossings()
        else:
            self.expression_of(feature_named(bound.feature)).bound(self.cp, *bound.limits)

    def optimize(self, objective: Objective) -> None:
        """Add a feature or weights as the objective."""
        if isinstance(objective.feature, Weights):
            expression = self._weighted(objective.feature)
        else:
            assert isinstance(objective.feature, str)
            expression = self.expression_of(feature_named(objective.feature))
        expression.optimize(self.cp, objective.sense)

    def _weighted(self, weights: Weights) -> Linear:
        """Return the sum of the scaled weights of the arcs in use, without those of the depot."""
        pairs = self.model.graph.vertices(self.model.arcs.pairs).tolist()
        terms: Counter[int] = Counter()
        for literal, pair in zip(self.model.arcs.literals.tolist(), pairs, strict=True):
            terms[literal] += round(weights.scale * weights.by_arc.get(tuple(pair), 0))
        return Linear(terms)

    def expression_of(self, feature: Feature) -> Linear:
        """Return a feature as an expression, after adding variables for what it counts.

        Raises `InputError` for a graph that is no board, and `OutOfTimeError`.
        """
        instance = self.model.instance
        board = instance.board
        if len(board) == 1:
            return Linear()
        moves, variables = self.model.moves
        ends = ends_of(board, self.model.graph.vertices(moves))
        if feature.counted is Counted.MOVES:
            return Linear(Counter(variables[feature.counted_edges(ends)].tolist()))
        self.model.clock.check(SECONDS_IN_FLOWS * 2 * len(moves))
        pairs = variables[feature.determining_pairs(ends)].tolist()
        match feature.counted:
            case Counted.CROSSINGS:
                return self._sum_of_pairs(pairs)
            case Counted.UNCROSSED_MOVES:
                return self._uncrossed(pairs)
            case Counted.OTHER_ANGLES if instance.allows_partial:
                return self._sum_of_pairs(variables[feature.other_pairs(ends)].tolist())
        if not instance.allows_partial:
            self._add_equations()
        angles = self._sum_of_pairs(pairs)
        if feature.counted is Counted.OTHER_ANGLES:
            terms = Counter({variable: -number for variable, number in angles.terms.items()})
            return Linear(terms, angle_count(len(board), instance.closed))
        return angles

    def forbid_crossings(self) -> None:
        """Ensure that no two moves cross."""
        moves, used = self.model.moves
        ends = ends_of(self.model.instance.board, self.model.graph.vertices(moves))
        for pair in used[MovePairs(ends).crossing]:  # symmetric moves share a variable
            self.cp.add_clause((~pair).tolist())

    def _sum_of_pairs(self, pairs: list[list[int]]) -> Linear:
        """Return how many pairs of edges, given by their variables, are used."""
        return Linear(Counter(self._pair(one, other) for one, other in pairs))

    def _pair(self, one: int, other: int) -> int:
        """Return the variable of a pair of edges, which tells whether both are used."""
        if one == other:
            return one
        key = min(one, other), max(one, other)
        if key not in self._pairs:
            self.model.clock.check()
            pair = self._pairs[key] = self.cp.new_literal()
            for clause in ([~one, ~other, pair], [one, ~pair], [other, ~pair]):
                self.cp.add_clause(clause)
        return self._pairs[key]

    def _add_equations(self) -> None:
        """Add the equations of all squares, once: one pair of edges is used, and both of them."""
        if self._has_equations:
            return
        self._has_equations = True
        edges, variables = self.model.edges
        for node in range(len(self.model.instance.graph)):  # there is no angle at the depot
            around = variables[(edges == node).any(axis=1)].tolist()
            all_pairs = Linear()
            # For each edge: its pairs, minus the edge.
            surpluses = [Linear(Counter({used: -1})) for used in around]
            for one, other in itertools.combinations(range(len(around)), 2):
                pair = self._pair(around[one], around[other])
                for expression in (all_pairs, surpluses[one], surpluses[other]):
                    expression.terms[pair] += 1
            all_pairs.bound(self.cp, 1, 1)
            for surplus in surpluses:
                surplus.bound(self.cp, 0, 0)

    def _uncrossed(self, pairs: list[list[int]]) -> Linear:
        """Return how many edges are used and not crossed; the pairs are those that cross."""
        _, variables = self.model.moves
        crossing: dict[int, set[int]] = {used: set() for used in variables.tolist()}
        for one, other in pairs:
            crossing[one].add(other)
            crossing[other].add(one)
        uncrossed = {}
        for used, others in crossing.items():
            self.model.clock.check()
            literal = uncrossed[used] = self.cp.new_literal()
            self.cp.add_clause([~used, *others, literal])
            for excluding in (~used, *others):
                self.cp.add_clause([~excluding, ~literal])
        return Linear(Counter(uncrossed[used] for used in variables.tolist()))
