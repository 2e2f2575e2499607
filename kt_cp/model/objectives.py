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
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.model.backend import Arcs, Linear, Model
from kt_cp.model.crossings import forbid_crossings
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.task import ARC, FLOW, Sense
from kt_cp.tour.features import Counted, Feature, angle_count, ends_of


class FeatureSums:
    """The features of a model's tours, as expressions over variables that are added once.

    With a ``sense``, only the inequalities are stated that this direction of optimization needs,
    and the value of an expression may be wrong for tours that are not best. Without one, as for
    bounds, it is right for every tour.
    """

    def __init__(self, model: CircuitModel) -> None:
        self.model, self.cp, self.clock = model, model.cp, model.clock
        self.closed = model.instance.closed
        # A pair is defined by implications (`_defined_pair`; the two sets record which are stated)
        # or, at angles, by the equations of its square.
        self._pairs: dict[tuple[int, int], int] = {}
        self._true_if_both: set[int] = set()  # pairs that are true if both edges are used
        self._true_only_if_both: set[int] = set()  # pairs that are true only if both are
        self._has_equations = False

    @cached_property
    def board(self) -> Board:
        """The board of the instance. Raises `InputError` for a graph that is no board."""
        return self.model.instance.board

    @cached_property
    def _edges(self) -> tuple[Ints, Ints]:
        """The edges, as rows (lower node, higher node), and the variable of each."""
        arcs = self.model.arcs
        self.clock.check(ARC * len(arcs.pairs))
        if self._may_visit_one_square:  # it then comes from the depot and goes back to it
            is_move = (arcs.pairs != self.model.graph.depot).all(axis=1)
            arcs = Arcs(arcs.pairs[is_move], arcs.literals[is_move])
        return edge_variables(self.cp, arcs)

    @property
    def _may_visit_one_square(self) -> bool:
        """Whether a tour may have a single square."""
        return self.model.instance.allows_partial or len(self.board) == 1

    @cached_property
    def _moves(self) -> tuple[Ints, Ints]:
        """The edges that are moves, as rows of two ids, and the variable of each."""
        edges, variables = self._edges
        graph = self.model.graph
        is_move = edges[:, 1] != graph.depot
        return graph.vertices(edges[is_move]), variables[is_move]

    def expression_of(self, feature: Feature, sense: Sense | None = None) -> Linear:
        """Return a feature as an expression, after adding variables for what it counts."""
        if len(self.board) == 1:
            return Linear()
        edges, _ = self._edges
        squares, variables = self._moves
        ends = ends_of(self.board, squares)
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
                return Linear(terms, angle_count(len(self.board), self.closed))
        return Linear(self._angles(pairs, sense))

    def forbid_crossings(self) -> None:
        """Ensure that no two moves cross."""
        forbid_crossings(self.cp, self.board, *self._moves)

    def _angles(self, pairs: list[list[int]], sense: Sense | None) -> Counter[int]:
        """Return the variables of pairs of edges that meet at an angle, with multiplicities."""
        is_faster_without = sense is Sense.MINIMIZE and not self._has_equations
        if is_faster_without or self.model.instance.allows_partial:
            return Counter(self._defined_pair(one, other, sense) for one, other in pairs)
        self._add_equations()
        return Counter(self._pair_variable(one, other) for one, other in pairs)

    def _add_equations(self) -> None:
        """Add the equations that define the variables of pairs at all squares, once."""
        if self._has_equations:
            return
        self._has_equations = True
        edges, variables = self._edges
        for node in range(len(self.board)):  # there is no angle at the depot
            self._add_equations_of_square(variables[(edges == node).any(axis=1)].tolist())

    def _add_equations_of_square(self, variables: list[int]) -> None:
        """Ensure that just one pair of a square's edges is used, and its two edges with it."""
        all_pairs = Linear()
        surpluses = [Linear(Counter({used: -1})) for used in variables]  # its pairs, minus the edge
        for one, other in itertools.combinations(range(len(variables)), 2):
            pair = self._pair_variable(variables[one], variables[other])
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
        if sense is not Sense.MAXIMIZE and pair not in self._true_if_both:
            self._true_if_both.add(pair)
            self.cp.add_clause([~one, ~other, pair])
        if sense is not Sense.MINIMIZE and pair not in self._true_only_if_both:
            self._true_only_if_both.add(pair)
            self.cp.add_clause([one, ~pair])
            self.cp.add_clause([other, ~pair])
        return pair

    def _uncrossed(self, pairs: list[list[int]]) -> Counter[int]:
        """Return for each edge a variable: it is used, and none that crosses it is."""
        _, variables = self._moves
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


def edge_variables(cp: Model, arcs: Arcs) -> tuple[Ints, Ints]:
    """Return the edges, as rows (lower node, higher node), and the variable of each.

    Edges with the same two literals, as under a symmetry, share a variable: the sum of the two.
    """
    edges, edge_of_arc = np.unique(np.sort(arcs.pairs, axis=1), axis=0, return_inverse=True)
    edge_of_arc = edge_of_arc.ravel()
    is_upward = arcs.pairs[:, 0] < arcs.pairs[:, 1]
    literals = np.full((len(edges), 2), -1)  # of both arcs of each edge; -1 where there is no arc
    literals[edge_of_arc[is_upward], 0] = arcs.literals[is_upward]
    literals[edge_of_arc[~is_upward], 1] = arcs.literals[~is_upward]
    pairs, pair_of_edge = np.unique(np.sort(literals, axis=1), axis=0, return_inverse=True)
    used = cp.new_literals(len(pairs))
    for variable, pair in zip(used.tolist(), pairs.tolist(), strict=True):
        terms = Counter({variable: -1})
        terms.update(literal for literal in pair if literal >= 0)
        Linear(terms).bound(cp, 0, 0)
    return edges, used[pair_of_edge.ravel()]
