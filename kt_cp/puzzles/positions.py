"""The position formula: a propositional formula whose models are the tours of a board.

There is a variable for each square at each step, and one for each edge. Constraints are passed as
assumptions, so that one solver answers for many sets of them and returns an unsatisfiable core
(Eén and Sörensson 2003, Temporal induction by incremental SAT solving).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from pysat.card import CardEnc, EncType

from kt_cp.arrays import Squares
from kt_cp.board.pieces import Symmetry, images_under, is_symmetric
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Bound, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.sat.formula import ClauseSink, Formula
from kt_cp.tour.features import MEASURES, Counted, Feature, angle_count, ends_of, feature_named

# More squares would be too many variables: there is one for each square and step.
_MAX_SQUARES = 1_024


class Given(NamedTuple):
    """The step at which a square is visited."""

    square: int
    step: int

    def describe(self, graph: Graph) -> str:
        """Return the given in words, such as ``5 on c3``."""
        return f"{self.step} on {graph.name(self.square)}"


class NumberedTours:
    """The tours of a board of one kind, with the symmetry and the bounds of an instance.

    The other constraints of the instance are left out: `literal` translates a clue into a literal,
    and `solve` takes such literals, possibly negated. The ``solver`` gets the clauses of the
    ``formula``, see `Formula`. Raises `InputError` for boards with too many squares.
    """

    def __init__(self, instance: Instance, solver: str | ClauseSink = "Glucose4") -> None:
        graph = instance.graph
        self.instance = Instance(
            graph, instance.closed, symmetry=instance.symmetry, having=instance.having
        )
        self.graph, self.count = TourGraph(self.instance), len(graph)
        if self.count > _MAX_SQUARES:
            most = f"puzzles have at most {_MAX_SQUARES:,} squares"
            raise InputError(f"{most}; this board has {self.count:,}")
        self.formula = Formula(self.count**2, solver)
        self._arcs = self.graph.nodes(graph.arcs).tolist()
        edges = {(min(arc), max(arc)) for arc in self._arcs}
        self._edges = {edge: self.formula.new_variable() for edge in sorted(edges)}
        self._directed: dict[tuple[int, int], int] = {}
        self._add_permutation()
        self._add_coloring()
        self._add_moves()
        self._add_degrees()
        if instance.symmetry is not None:
            self._add_symmetry(instance.symmetry)
        for bound in instance.having:
            self._add_bound(bound)

    def literal(self, clue: Given | Move) -> int:
        """Return the literal of a step on a square, or of a move."""
        if isinstance(clue, Given):
            [node] = self.graph.nodes([clue.square]).tolist()
            return self._at(node, clue.step - 1)
        source, target = self.graph.nodes([clue.source, clue.target]).tolist()
        if not clue.directed:
            return self._edge(source, target)
        if (source, target) not in self._directed:
            self._directed[source, target] = self._new_arc(source, target)
        return self._directed[source, target]

    def waypoints(self, squares: Sequence[int]) -> list[int]:
        """Return a literal for each of some squares: a tour visits them in order if they are true.

        Squares of false literals are left out of the order. Clauses say for each position whether
        a waypoint or a later one is visited by then. So their number is proportional to squares
        times positions, not to pairs of squares times positions.
        """
        add, new_variable = self.formula.add, self.formula.new_variable
        chosen = [new_variable() for _ in squares]
        nodes = self.graph.nodes(squares).tolist()
        later: list[int] = []  # by position: whether a later waypoint is visited by then
        for node, is_waypoint in zip(reversed(nodes), reversed(chosen), strict=True):
            visited = [new_variable() for _ in range(self.count)]  # whether this one is, by then
            for position, by_now in enumerate(visited):
                at = self._at(node, position)
                add([-at, by_now])
                if position:
                    before = visited[position - 1]
                    add([-before, by_now])
                    add([-at, -before])
                    add([-by_now, before, at])
                else:
                    add([-by_now, at])
            now = [new_variable() for _ in range(self.count)]  # whether this one or a later one is
            for position in range(self.count):
                # A waypoint that is visited by then counts, and so does a later one.
                add([-is_waypoint, -visited[position], now[position]])
                if later:
                    add([-later[position], now[position]])
                    # A later waypoint is visited by then only if this one is visited before.
                    earlier = [visited[position - 1]] if position else []
                    add([-is_waypoint, -later[position], *earlier])
            later = now
        return chosen

    def _new_arc(self, source: int, target: int) -> int:
        """Add a variable for a move in one direction, and return its literal."""
        literal = self.formula.new_variable()
        for position, next_position in self._consecutive_positions():
            here, there = self._at(source, position), self._at(target, next_position)
            self.formula.add([-literal, -here, there])
            self.formula.add([literal, -here, -there])
        if not self.instance.closed:
            self.formula.add([-literal, -self._at(source, self.count - 1)])
        return literal

    def exclude(self, tour: Squares, as_moves: bool = False) -> None:
        """Exclude a tour, or with ``as_moves`` every closed tour with the same moves."""
        nodes = self.graph.nodes(tour).tolist()
        if as_moves:
            pairs = itertools.pairwise([*nodes, nodes[0]])
            self.formula.add(-self._edge(*pair) for pair in pairs)
        else:
            self.formula.add(-self._at(node, step) for step, node in enumerate(nodes))

    def assert_literal(self, literal: int) -> None:
        """Add a literal for good, so that it need not be assumed again."""
        self.formula.add([literal])

    def solve(self, literals: Sequence[int], clock: Clock) -> Squares | None:
        """Return a tour under these assumptions, as ids in visiting order, or None: see `core`.

        Raises `OutOfTimeError` when the clock's limit is reached.
        """
        while self.formula.solve(clock, assumptions=literals):
            values = self.formula.values()[: self.count**2]
            positions = values.reshape(self.count, self.count).argmax(axis=0)
            tour: Squares = self.graph.vertices(positions)
            if self.instance.satisfied_by(tour):
                return tour
            # The formula cannot distinguish half-turns that keep the direction from those that
            # reverse it, so such a tour is excluded.
            self.exclude(tour)
        return None

    @property
    def core(self) -> set[int]:
        """The unsatisfiable core of the last call of `solve`: literals that rule out every tour."""
        return self.formula.core

    def _edge(self, one: int, other: int) -> int:
        """Return the literal of the edge between two nodes."""
        return self._edges[min(one, other), max(one, other)]

    def _at(self, node: int, position: int) -> int:
        """Return the literal of a node at a position in the order, from 0."""
        return 1 + node * self.count + position

    def _consecutive_positions(self) -> Iterator[tuple[int, int]]:
        """Yield each position with the next one; in a closed tour the first follows the last."""
        yield from itertools.pairwise(range(self.count))
        if self.instance.closed:
            yield self.count - 1, 0

    def _add_permutation(self) -> None:
        """Add clauses: each node has one position, and each position one node."""
        positions = 1 + np.arange(self.count**2).reshape(self.count, self.count)
        for literals in (*positions.tolist(), *positions.T.tolist()):
            self.formula.add_encoded(CardEnc.equals, literals, 1, EncType.seqcounter)

    def _add_coloring(self) -> None:
        """Add clauses: on a bipartite graph, the positions alternate between the two colors.

        The clauses are redundant. Without them, puzzles of 10x10 take twice as long.
        """
        graph = self.instance.graph
        if graph.sides is None:
            return
        first_is_light = self.formula.new_variable()
        dark = graph.dark(graph.vertices).tolist()
        for node, position in itertools.product(range(self.count), repeat=2):
            is_odd = position % 2 == 1
            starts_on_dark = dark[node] != is_odd  # a tour with the node at this position
            parity = -first_is_light if starts_on_dark else first_is_light
            self.formula.add([-self._at(node, position), parity])

    def _add_moves(self) -> None:
        """Add clauses: a move joins nodes at consecutive positions, and its edge is used."""
        after = defaultdict[int, list[int]](list)
        before = defaultdict[int, list[int]](list)
        for source, target in self._arcs:
            after[source].append(target)
            before[target].append(source)
        for position, next_position in self._consecutive_positions():
            for node in range(self.count):
                here, there = self._at(node, position), self._at(node, next_position)
                self.formula.add([-here, *(self._at(each, next_position) for each in after[node])])
                self.formula.add([-there, *(self._at(each, position) for each in before[node])])
                for each in after[node]:
                    self.formula.add(
                        [-here, -self._at(each, next_position), self._edge(node, each)]
                    )
        self._add_positions_of_edges()

    def _add_positions_of_edges(self) -> None:
        """Add clauses: the two nodes of an edge that is used are at consecutive positions."""
        adjacent_positions = defaultdict[int, list[int]](list)
        for position, next_position in self._consecutive_positions():
            adjacent_positions[position].append(next_position)
            adjacent_positions[next_position].append(position)
        for (low, high), edge in self._edges.items():
            for one, other in ((low, high), (high, low)):
                for position in range(self.count):
                    adjacent = (self._at(other, each) for each in adjacent_positions[position])
                    self.formula.add([-edge, -self._at(one, position), *adjacent])

    def _add_degrees(self) -> None:
        """Add clauses: a tour uses two edges at each node, but one at each end of an open tour."""
        around = defaultdict[int, list[int]](list)
        for (low, high), edge in self._edges.items():
            around[low].append(edge)
            around[high].append(edge)
        for node, edges in around.items():
            ends = []
            if not self.instance.closed:
                ends = [self._at(node, 0), self._at(node, self.count - 1)]
            for three in itertools.combinations(edges, 3):
                self.formula.add(-edge for edge in three)
            for edge in edges:
                self.formula.add([*ends, *(other for other in edges if other != edge)])

    def _add_symmetry(self, symmetry: Symmetry) -> None:
        """Add clauses: the image of an edge that is used is used, too."""
        board = self.instance.board
        images = images_under(board, symmetry)
        if not is_symmetric(board, images):
            self.formula.add([])
            return
        nodes = self.graph.nodes(images[board.vertices])
        for (low, high), edge in self._edges.items():
            self.formula.add([-edge, self._edge(int(nodes[low]), int(nodes[high]))])

    def _add_bound(self, bound: Bound) -> None:
        """Add clauses that bound a feature: how many of the literals of what it counts are true.

        The encoding is the totalizer (Bailleux and Boufkhad 2003). If the literals are those of the
        angles that the feature does not count, the bounds become bounds on them. Measures are the
        same for all tours.
        """
        if bound.feature in MEASURES:
            if not bound.allows(self.instance.measures[bound.feature]):
                self.formula.add([])
            return
        feature = feature_named(bound.feature)
        counted = self._counted_literals(feature)
        is_of_others = feature.counted is Counted.OTHER_ANGLES
        most_possible = len(counted)
        if is_of_others:
            most_possible = angle_count(self.count, self.instance.closed)
        low, high = bound.limits
        least = 0 if low is None else low
        most = most_possible if high is None else high
        if is_of_others:
            least, most = most_possible - most, most_possible - least
        if most < 0 or least > len(counted):
            self.formula.add([])
            return
        if most < len(counted):
            self.formula.add_encoded(CardEnc.atmost, counted, most, EncType.totalizer)
        if least > 0:
            self.formula.add_encoded(CardEnc.atleast, counted, least, EncType.totalizer)

    def _counted_literals(self, feature: Feature) -> list[int]:
        """Return a literal for each thing that a feature counts.

        For a feature that counts the other angles (`Counted.OTHER_ANGLES`), the literals are those
        of the angles that it does not count.
        """
        literals = np.array([*self._edges.values()])
        if not len(literals):
            return []
        ends = ends_of(self.instance.board, self.graph.vertices([*self._edges]))
        if feature.counted is Counted.MOVES:
            found: list[int] = literals[feature.counted_edges(ends)].tolist()
            return found
        pairs = literals[feature.counted_pairs(ends)].tolist()
        if feature.counted is Counted.UNCROSSED_MOVES:
            # An edge is used, and none of the edges that cross it is.
            conditions = {edge: [edge] for edge in literals.tolist()}
            for one, other in pairs:
                conditions[one].append(-other)
                conditions[other].append(-one)
            return [self.conjunction(condition) for condition in conditions.values()]
        return [self.conjunction(pair) for pair in pairs]

    def conjunction(self, literals: list[int]) -> int:
        """Return a literal that is true if and only if all of these are."""
        conjunction = self.formula.new_variable()
        for literal in literals:
            self.formula.add([-conjunction, literal])
        self.formula.add([conjunction, *(-literal for literal in literals)])
        return conjunction
