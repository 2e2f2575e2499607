"""All tours as a propositional formula in which every square has a step, for a SAT solver.

There is a variable for each square at each step, and one for each pair of squares that moves join.
Constraints are assumptions, so that one solver answers for many sets of them, and names those from
which a contradiction follows (Eén and Sörensson 2003, Temporal induction by incremental SAT
solving).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from pysat.card import CardEnc, EncType
from pysat.solvers import Glucose4

from kt_cp.arrays import Squares
from kt_cp.board.symmetry import Symmetry, images_under, is_symmetric
from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.sat.formula import satisfiable
from kt_cp.tour.feature_table import Counted, Feature, angle_count, feature_named
from kt_cp.tour.move_pairs import ends_of


class Given(NamedTuple):
    """The step at which a square is visited."""

    square: int
    step: int

    def describe(self, board: Graph) -> str:
        """Return the given in words, such as ``5 on c3``."""
        return f"{self.step} on {board.name(self.square)}"


Clue = Given | Move

# The formula has a variable for each square and step.
_MOST_POSITIONED = 1_024


class NumberedTours:
    """The tours of an instance's board, kind, symmetry and bounds, without its other constraints.

    `literal` turns a clue into a literal; `solve` takes literals, or their opposites. The clauses
    go to Glucose, or to the ``solver`` given. Raises `InputError` for boards of too many squares.
    """

    def __init__(self, instance: Instance, solver: Any = None) -> None:
        board = instance.graph
        self.instance = replace(instance, start=None, end=None, require=(), forbid=(), givens=())
        self.graph, self.count = TourGraph(self.instance), len(board)
        if self.count > _MOST_POSITIONED:
            raise InputError(f"puzzles can be made on boards of up to {_MOST_POSITIONED:,} squares")
        self._top = self.count**2
        self._solver = Glucose4() if solver is None else solver
        self._arcs = self.graph.nodes(board.arcs).tolist()
        self._edges = {pair: self._new() for pair in sorted({(min(a), max(a)) for a in self._arcs})}
        self._directed: dict[tuple[int, int], int] = {}
        self._place_once()
        self._follow_moves()
        self._use_two_moves()
        if instance.symmetry is not None:
            self._keep_symmetry(instance.symmetry)
        for bound in instance.having:
            self._keep_bound(bound)

    def literal(self, clue: Clue) -> int:
        """Return the literal of a step on a square, or of a move."""
        source, target = self.graph.nodes(clue[:2]).tolist()
        if isinstance(clue, Given):
            return self._at(source, clue.step - 1)
        if not clue.directed:
            return self._edge(source, target)
        if (source, target) not in self._directed:
            literal = self._directed[source, target] = self._new()
            for here, there in self._steps():
                self._add(-literal, -self._at(source, here), self._at(target, there))
                self._add(literal, -self._at(source, here), -self._at(target, there))
            if not self.instance.closed:
                self._add(-literal, -self._at(source, self.count - 1))
        return self._directed[source, target]

    def exclude(self, tour: Squares, as_moves: bool = False) -> None:
        """Exclude a tour, or with ``as_moves`` all closed tours that make the same moves."""
        nodes = self.graph.nodes(tour).tolist()
        if as_moves:
            pairs = itertools.pairwise([*nodes, nodes[0]])
            self._add(*(-self._edge(*pair) for pair in pairs))
        else:
            self._add(*(-self._at(node, step) for step, node in enumerate(nodes)))

    def solve(self, literals: Sequence[int], clock: Clock) -> Squares | None:
        """Return a tour with these literals, as ids in visiting order, or None: see `core`.

        Raises `OutOfTime` when the clock's limit is reached.
        """
        while satisfiable(self._solver, clock, literals):
            values = np.array(self._solver.get_model()[: self.count**2]) > 0
            places = values.reshape(self.count, self.count).argmax(axis=0)
            tour: Squares = self.graph.vertices(places)
            if self.instance.satisfied_by(tour):
                return tour
            self.exclude(tour)  # a half-turn that keeps, or one that changes, the direction
        return None

    @property
    def core(self) -> set[int]:
        """The literals of the last call of `solve` that already rule out every tour."""
        return set(self._solver.get_core() or ())

    def _new(self) -> int:
        self._top += 1
        return self._top

    def _add(self, *literals: int) -> None:
        self._solver.add_clause(literals)

    def _edge(self, one: int, other: int) -> int:
        return self._edges[min(one, other), max(one, other)]

    def _at(self, node: int, place: int) -> int:
        """Return the literal of a place in the order, from 0, or from the end if negative."""
        return 1 + node * self.count + place % self.count

    def _steps(self) -> Iterator[tuple[int, int]]:
        """Return each place in the order with the next one, which may be the first."""
        places = range(self.count)
        return itertools.pairwise([*places, *places[: self.instance.closed]])

    def _count(self, encode: Any, literals: list[int], value: int, encoding: int) -> None:
        """State how many literals are true, by an encoding with additional variables."""
        clauses = encode(literals, value, self._top, encoding=encoding)
        self._top = max(self._top, clauses.nv)
        self._solver.append_formula(clauses.clauses)

    def _place_once(self) -> None:
        """State that each square has one step, and each step one square."""
        everywhere = 1 + np.arange(self.count**2).reshape(self.count, self.count)
        for literals in (*everywhere.tolist(), *everywhere.T.tolist()):
            self._count(CardEnc.equals, literals, 1, EncType.seqcounter)
        board = self.instance.graph
        if board.sides is not None:  # without this, puzzles of 10x10 take twice as long
            parity, dark = self._new(), board.dark(board.vertices).tolist()
            for node, place in itertools.product(range(self.count), repeat=2):
                sign = 1 if (dark[node] + place) % 2 else -1
                self._add(-self._at(node, place), sign * parity)

    def _follow_moves(self) -> None:
        """State that one step further is a move away, and which steps a move in use joins."""
        after, before, near = (defaultdict[int, list[int]](list) for _ in range(3))
        for source, target in self._arcs:
            after[source].append(target)
            before[target].append(source)
        for here, there in self._steps():
            near[here].append(there)
            near[there].append(here)
            for node in range(self.count):
                at = -self._at(node, here)
                self._add(at, *(self._at(each, there) for each in after[node]))
                self._add(-self._at(node, there), *(self._at(each, here) for each in before[node]))
                for each in after[node]:
                    self._add(at, -self._at(each, there), self._edge(node, each))
        for pair, edge in self._edges.items():
            for (one, other), place in itertools.product((pair, pair[::-1]), range(self.count)):
                beside = (self._at(other, each) for each in near[place])
                self._add(-edge, -self._at(one, place), *beside)

    def _use_two_moves(self) -> None:
        """State that a tour uses two moves at each square, and one at the ends of an open tour."""
        around = defaultdict[int, list[int]](list)
        for (low, high), edge in self._edges.items():
            around[low].append(edge)
            around[high].append(edge)
        for node, edges in around.items():
            ends = [] if self.instance.closed else [self._at(node, 0), self._at(node, -1)]
            for three in itertools.combinations(edges, 3):
                self._add(*(-edge for edge in three))
            for edge in edges:
                self._add(*ends, *(other for other in edges if other != edge))

    def _keep_symmetry(self, symmetry: Symmetry) -> None:
        """State that the image of a move in use is in use."""
        board = self.instance.board
        images = images_under(board, symmetry)
        if not is_symmetric(board, images):
            self._add()
            return
        nodes = self.graph.nodes(images[board.vertices])
        for pair, edge in self._edges.items():
            self._add(-edge, self._edge(*nodes[list(pair)].tolist()))

    def _keep_bound(self, bound: Bound) -> None:
        """State a bound on a feature, by as many literals as it counts (Sinz 2005, totalizers)."""
        feature = feature_named(bound.feature)
        counted = self._counted(feature)
        least = 0 if bound.relation == "<=" else bound.value
        most = self._top if bound.relation == ">=" else bound.value
        if feature.counted is Counted.OTHER_ANGLES:
            angles = angle_count(self.count, self.instance.closed)
            least, most = angles - most, angles - least
        if most < 0 or least > len(counted):
            self._add()
        elif most < len(counted):
            self._count(CardEnc.atmost, counted, most, EncType.totalizer)
        if 0 < least <= len(counted):
            self._count(CardEnc.atleast, counted, least, EncType.totalizer)

    def _counted(self, feature: Feature) -> list[int]:
        """Return a literal for everything that a feature counts.

        Of a feature that counts other angles, these are the angles that it does not count.
        """
        edges = np.array([*self._edges.values()])
        if not len(edges):
            return []
        ends = ends_of(self.instance.board, self.graph.vertices([*self._edges]))
        if feature.counted is Counted.MOVES:
            found: list[int] = edges[feature.counted_edges(ends)].tolist()
            return found
        together = edges[feature.counted_pairs(ends)].tolist()
        if feature.counted is not Counted.UNCROSSED_MOVES:
            return [self._all(pair) for pair in together]
        alone: dict[int, list[int]] = {edge: [edge] for edge in edges.tolist()}
        for one, other in together:
            alone[one].append(-other)
            alone[other].append(-one)
        return [self._all(literals) for literals in alone.values()]

    def _all(self, literals: list[int]) -> int:
        """Return a literal that is true just when all these are."""
        both = self._new()
        for literal in literals:
            self._add(-both, literal)
        self._add(both, *(-literal for literal in literals))
        return both
