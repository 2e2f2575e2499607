"""Features of a tour as linear expressions over 0/1 variables of the circuit model.

An edge is used if one of its two arcs is. At every square of a tour just one pair of edges is used,
so the variables of the pairs that contain an edge sum to the variable of that edge. These equations
define the pairs and tighten the linear relaxation. The variable of a crossing, and that of a pair
at a square that may be left out, is defined by implications, of which an objective needs only one
direction.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from kt_cp.board import Board
from kt_cp.model.backend import Linear
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Bound
from kt_cp.problem.task import FLOW, Objective, Sense, Weights
from kt_cp.tour.features import Counted, Feature, MovePairs, angle_count, ends_of, feature_named


class FeatureSums:
    """The features of a model's tours, as expressions over variables that are added once.

    With a ``sense``, only the inequalities are stated that this direction of optimization needs,
    and the value of an expression may be wrong for tours that are not best. Without one, as for
    bounds, it is right for every tour.
    """

    def __init__(self, model: CircuitModel) -> None:
        self.model, self.cp, self.clock = model, model.cp, model.clock
        # A pair of edges is defined by implications (`_defined_pair`; the set has those stated) or,
        # at angles, by the equations of its square.
        self._pairs: dict[tuple[int, int], int] = {}
        self._stated: set[tuple[int, Sense]] = set()
        self._has_equations = False

    @cached_property
    def board(self) -> Board:
        """The board of the instance. Raises `InputError` for a graph that is no board."""
        return self.model.instance.board

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
            expression = self.expression_of(feature_named(objective.feature), objective.sense)
        expression.optimize(self.cp, objective.sense)

    def _weighted(self, weights: Weights) -> Linear:
        """Return the sum of the scaled weights of the arcs in use, without those of the depot."""
        pairs = self.model.graph.vertices(self.model.arcs.pairs).tolist()
        terms: Counter[int] = Counter()
        for literal, pair in zip(self.model.arcs.literals.tolist(), pairs, strict=True):
            terms[literal] += round(weights.scale * weights.by_arc.get(tuple(pair), 0))
        return Linear(terms)

    def expression_of(self, feature: Feature, sense: Sense | None = None) -> Linear:
        """Return a feature as an expression, after adding variables for what it counts."""
        if len(self.board) == 1:
            return Linear()
        edges, _ = self.model.edges
        moves, variables = self.model.moves
        ends = ends_of(self.board, self.model.graph.vertices(moves))
        if feature.counted is Counted.MOVES:
            return Linear(Counter(variables[feature.counted_edges(ends)].tolist()))
        self.clock.check(FLOW * 2 * len(edges))
        pairs = np.sort(variables[feature.counted_pairs(ends)], axis=1).tolist()
        match feature.counted:
            case Counted.CROSSINGS:
                crossings = (self._defined_pair(one, other, sense) for one, other in pairs)
                return Linear(Counter(crossings))
            case Counted.UNCROSSED_MOVES:
                return Linear(self._uncrossed(pairs))
            case Counted.OTHER_ANGLES if self.model.instance.allows_partial:
                others = np.sort(variables[feature.other_pairs(ends)], axis=1).tolist()
                return Linear(self._angles(others, sense))
            case Counted.OTHER_ANGLES:
                # To maximize the other angles is to minimize these. The converse has no shortcut.
                opposite = Sense.MINIMIZE if sense is Sense.MAXIMIZE else None
                angles = self._angles(pairs, opposite)
                terms = Counter({variable: -number for variable, number in angles.items()})
                return Linear(terms, angle_count(len(self.board), self.model.instance.closed))
        return Linear(self._angles(pairs, sense))

    def forbid_crossings(self) -> None:
        """Ensure that no two moves cross: at most one of each clique of crossing moves is used."""
        moves, used = self.model.moves
        crossing = MovePairs(ends_of(self.board, self.model.graph.vertices(moves))).crossing
        one, other = used[crossing].T
        self.cp.add_all((~one[one == other]).tolist())  # symmetric moves share a variable
        pairs = np.stack([one, other], axis=1)[one != other]
        for clique in clique_cover(map(tuple, pairs.tolist())):
            self.cp.add_at_most_one(clique)

    def _angles(self, pairs: list[list[int]], sense: Sense | None) -> Counter[int]:
        """Return the variables of pairs of edges that meet at an angle, with multiplicities."""
        is_faster_without = sense is Sense.MINIMIZE and not self._has_equations
        if is_faster_without or self.model.instance.allows_partial:
            return Counter(self._defined_pair(one, other, sense) for one, other in pairs)
        self._add_equations()
        return Counter(self._pair_variable(one, other) for one, other in pairs)

    def _add_equations(self) -> None:
        """Add the equations that define the variables of pairs at all squares, once.

        Just one pair of a square's edges is used, and its two edges with it.
        """
        if self._has_equations:
            return
        self._has_equations = True
        edges, variables = self.model.edges
        for node in range(len(self.board)):  # there is no angle at the depot
            around = variables[(edges == node).any(axis=1)].tolist()
            all_pairs = Linear()
            # For each edge: its pairs, minus the edge.
            surpluses = [Linear(Counter({used: -1})) for used in around]
            for one, other in itertools.combinations(range(len(around)), 2):
                pair = self._pair_variable(around[one], around[other])
                for expression in (all_pairs, surpluses[one], surpluses[other]):
                    expression.terms[pair] += 1
            all_pairs.bound(self.cp, 1, 1)
            for surplus in surpluses:
                surplus.bound(self.cp, 0, 0)

    def _pair_variable(self, one: int, other: int) -> int:
        """Return the variable, without constraints, of a pair of edges given by their variables."""
        key = min(one, other), max(one, other)
        if key not in self._pairs:
            self.clock.check()
            self._pairs[key] = one if one == other else self.cp.new_literal()
        return self._pairs[key]

    def _defined_pair(self, one: int, other: int, sense: Sense | None) -> int:
        """Return the variable of a pair of edges, which tells whether both are used.

        With a ``sense``, only the implication that it needs is stated: both edges used imply the
        variable if it is minimized, the converse if it is maximized.
        """
        pair = self._pair_variable(one, other)
        if one == other:
            return pair
        for needed, clauses in (
            (Sense.MINIMIZE, ([~one, ~other, pair],)),
            (Sense.MAXIMIZE, ([one, ~pair], [other, ~pair])),
        ):
            if sense in (None, needed) and (pair, needed) not in self._stated:
                self._stated.add((pair, needed))
                for clause in clauses:
                    self.cp.add_clause(clause)
        return pair

    def _uncrossed(self, pairs: list[list[int]]) -> Counter[int]:
        """Return for each edge a variable: it is used, and none that crosses it is."""
        _, variables = self.model.moves
        crossing: dict[int, set[int]] = {used: set() for used in variables.tolist()}
        for one, other in pairs:
            crossing[one].add(other)
            crossing[other].add(one)
        uncrossed = {}
        for used, others in crossing.items():
            self.clock.check()
            literal = self.cp.new_literal()
            uncrossed[used] = literal
            self.cp.add_clause([~used, *others, literal])
            for excluding in (~used, *others):
                self.cp.add_clause([~excluding, ~literal])
        return Counter(uncrossed[used] for used in variables.tolist())


def clique_cover(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return cliques that together contain all of some pairs, and only pairs that are given.

    Each is grown from a pair that is not covered yet, by the member that covers most new pairs. On
    8x8 the crossing moves of a knight have 188 cliques.

    >>> clique_cover([(1, 2), (2, 3), (1, 3), (3, 4)])
    [[1, 2, 3], [3, 4]]
    """
    partners: dict[int, set[int]] = {}
    uncovered: dict[tuple[int, int], None] = {}  # a set that keeps its order
    for one, other in sorted({(min(pair), max(pair)) for pair in pairs}):
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
        uncovered[one, other] = None

    def gain(candidate: int, clique: list[int]) -> int:
        return sum((min(candidate, each), max(candidate, each)) in uncovered for each in clique)

    cliques = []
    while uncovered:
        clique = list(next(iter(uncovered)))
        candidates = partners[clique[0]] & partners[clique[1]]
        while candidates:
            best = max(sorted(candidates), key=lambda each: gain(each, clique))
            clique.append(best)
            candidates &= partners[best]
        for pair in itertools.combinations(sorted(clique), 2):
            uncovered.pop(pair, None)
        cliques.append(sorted(clique))
    return cliques
