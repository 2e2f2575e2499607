"""Which clues determine a tour, whether there is exactly one, and which contradict each other.

The position formula has a variable for each square at each step, and one for each edge; its models
are the tours of a board. Constraints are passed as assumptions, so that one solver answers for many
sets of them and returns an unsatisfiable core: literals that rule out every tour (Eén and Sörensson
2003, Temporal induction by incremental SAT solving).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple

import numpy as np
from pysat.card import CardEnc, EncType

from kt_cp.arrays import Squares
from kt_cp.board import Board, Symmetry
from kt_cp.board.pieces import images_under, is_symmetric
from kt_cp.count.counting import enumerate_tours
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Bound, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import SECONDS_IN_LOOP, Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph, needs_steps
from kt_cp.proof.refutation import refute
from kt_cp.puzzles.puzzle import Clue, ClueGroup, Given, Waypoint, clues_in, clues_of
from kt_cp.sat.formula import ClauseSink, Formula
from kt_cp.solving import solve
from kt_cp.tour.features import MEASURES, Counted, Feature, angle_count, ends_of, feature_named
from kt_cp.tour.tour import Tour
from kt_dfs import Status

# The most squares of a board whose tours are found by the position formula, not by the circuit.
_MAX_SQUARES_BY_STEPS = 256

# The number of random orders that are tried to find few clues that contradict each other.
_ORDERS = 5
# More squares would be too many variables: there is one for each square and step.
_MAX_SQUARES = 1_024


class Core(NamedTuple):
    """Literals that no tour has together.

    If ``unfinished``, the time limit was reached before each of them was tried, so that some may
    not be needed.
    """

    literals: list[int]
    unfinished: bool


class PositionFormula:
    """A formula whose models are the tours of a board, open or closed as an instance asks for.

    They have its symmetry and keep its bounds. Its other constraints are left out: `literal`
    translates a clue into a literal, and `solve` takes such literals, possibly negated. The
    ``solver`` gets the ``clauses``, see `Formula`. Raises `InputError` for boards with too many
    squares.
    """

    def __init__(self, instance: Instance, solver: str | ClauseSink = "Glucose4") -> None:
        graph = instance.graph
        self.instance = Instance(
            graph, instance.closed, symmetry=instance.symmetry, having=instance.having
        )
        self.graph = TourGraph(self.instance)
        self.count = len(graph)
        if self.count > _MAX_SQUARES:
            raise InputError(
                f"puzzles have at most {_MAX_SQUARES:,} squares; this board has {self.count:,}"
            )
        self.clauses = Formula(self.count**2, solver)
        self._arcs = self.graph.nodes(graph.arcs).tolist()
        edges = {(min(arc), max(arc)) for arc in self._arcs}
        self._edges = {edge: self.clauses.new_variable() for edge in sorted(edges)}
        # Each position with the next one; in a closed tour the first follows the last.
        self._consecutive = [*itertools.pairwise(range(self.count))]
        if instance.closed:
            self._consecutive.append((self.count - 1, 0))
        self._add_permutation()
        self._add_coloring()
        self._add_moves()
        self._add_degrees()
        if instance.symmetry is not None:
            self._add_symmetry(instance.symmetry)
        for bound in instance.having:
            self._add_bound(bound)

    def literal(self, clue: Given | Move) -> int:
        """Return the literal of a step on a square, or of a move; with a direction it is new."""
        if isinstance(clue, Given):
            [node] = self.graph.nodes([clue.square]).tolist()
            return self._at(node, clue.step - 1)
        source, target = self.graph.nodes([clue.source, clue.target]).tolist()
        if not clue.directed:
            return self._edge(source, target)
        literal = self.clauses.new_variable()
        for position, next_position in self._consecutive:
            here, there = self._at(source, position), self._at(target, next_position)
            self.clauses.add([-literal, -here, there])
            self.clauses.add([literal, -here, -there])
        if not self.instance.closed:
            self.clauses.add([-literal, -self._at(source, self.count - 1)])
        return literal

    def literals_of(self, instance: Instance) -> list[int]:
        """Return the literals of the steps, the moves and the order of an instance."""
        literals = [self.literal(Given(square, step)) for step, square in instance.steps.items()]
        literals += [self.literal(move) for move in instance.require]
        literals += [-self.literal(move) for move in instance.forbid]
        return [*literals, *self.waypoints(instance.order)]

    def waypoints(self, squares: Sequence[int]) -> list[int]:
        """Return a literal for each of some squares: a tour visits them in order if they are true.

        Squares of false literals are left out of the order. For square i, whose literal is
        ``is_waypoint[i]``, and position p let ``by_now[i, p]`` say that the square is visited by
        then, and ``any_by_now[i, p]`` that a waypoint is, which is this square or a later one:

        - ``by_now[i, p] <=> by_now[i, p-1] or at[i, p]``
        - ``(is_waypoint[i] and by_now[i, p]) or any_by_now[i+1, p] => any_by_now[i, p]``
        - ``is_waypoint[i] and any_by_now[i+1, p] => by_now[i, p-1]``

        The clauses are proportional to squares times positions, not to pairs of squares times
        positions. One more is redundant: a square is not at a position if it is visited before.
        """
        add = self.clauses.add
        new_variable = self.clauses.new_variable
        never = new_variable()
        add([-never])
        waypoint_literals = [new_variable() for _ in squares]
        nodes = self.graph.nodes(squares).tolist()
        later = [never] * self.count  # any_by_now[i+1], by position
        for node, is_waypoint in zip(reversed(nodes), reversed(waypoint_literals), strict=True):
            before = never  # by_now[i, p-1]
            now: list[int] = []  # any_by_now[i]
            for position, later_by_now in enumerate(later):
                at = self._at(node, position)
                by_now, any_by_now = new_variable(), new_variable()
                for clause in ([-at, by_now], [-before, by_now], [-at, -before]):
                    add(clause)
                add([-by_now, before, at])
                add([-is_waypoint, -by_now, any_by_now])
                add([-later_by_now, any_by_now])
                add([-is_waypoint, -later_by_now, before])
                before = by_now
                now.append(any_by_now)
            later = now
        return waypoint_literals

    def conjunction(self, literals: list[int]) -> int:
        """Return a literal that is true if and only if all of these are."""
        conjunction = self.clauses.new_variable()
        for literal in literals:
            self.clauses.add([-conjunction, literal])
        self.clauses.add([conjunction, *(-literal for literal in literals)])
        return conjunction

    def exclude(self, tour: Squares, as_moves: bool = False) -> None:
        """Exclude a tour, or with ``as_moves`` every closed tour with the same moves."""
        nodes = self.graph.nodes(tour).tolist()
        literals = [self._at(node, step) for step, node in enumerate(nodes)]
        if as_moves:
            literals = [self._edge(*pair) for pair in itertools.pairwise([*nodes, nodes[0]])]
        self.clauses.add(-literal for literal in literals)

    def solve(self, literals: Sequence[int], clock: Clock) -> Squares | None:
        """Return a tour under these assumptions, as ids in visiting order, or None.

        Raises `OutOfTimeError` when the clock's limit is reached.
        """
        while self.clauses.solve(clock, assumptions=literals):
            values = self.clauses.values()[: self.count**2]
            # A row for each node, a column for each position: the node at each position.
            nodes = values.reshape(self.count, self.count).argmax(axis=0)
            tour: Squares = self.graph.vertices(nodes)
            if self.instance.satisfied_by(tour):
                return tour
            # The formula cannot distinguish half-turns that keep the direction from those that
            # reverse it, so such a tour is excluded.
            self.exclude(tour)
        return None

    def minimal_core(
        self,
        literals: list[int],
        clock: Clock,
        assumed: Sequence[int] = (),
        adds_needed: bool = False,
        progress: Callable[[int], None] = lambda left: None,
    ) -> Core | None:
        """Return a minimal subset of literals that no tour has, or None if some tour has all.

        Only tours that have the ``assumed`` literals too are considered. If ``adds_needed``, each
        literal of the subset is added to the formula: the solver propagates it once, instead of in
        every search, but answers afterwards only for sets that contain the subset. ``progress`` is
        called with the number of literals still to be tried. Raises `OutOfTimeError` if there is
        too little time for the first search.
        """
        if self.solve([*assumed, *literals], clock) is not None:
            return None
        core = self.clauses.core
        needed_literals: list[int] = []
        candidates = [literal for literal in literals if literal in core]
        while candidates:
            progress(len(candidates))
            literal = candidates.pop()
            try:
                tour = self.solve([*assumed, *needed_literals, *candidates], clock)
            except OutOfTimeError:
                return Core([*needed_literals, *candidates, literal], unfinished=True)
            if tour is None:
                core = self.clauses.core
                candidates = [literal for literal in candidates if literal in core]
            else:
                needed_literals.append(literal)
                if adds_needed:
                    self.clauses.add([literal])
        return Core(needed_literals, unfinished=False)

    # -- clauses ----------------------------------------------------------------------------------

    def _edge(self, one: int, other: int) -> int:
        """Return the literal of the edge between two nodes."""
        return self._edges[min(one, other), max(one, other)]

    def _at(self, node: int, position: int) -> int:
        """Return the literal of a node at a position in the order, from 0."""
        return 1 + node * self.count + position

    def _add_permutation(self) -> None:
        """Add clauses: each node has one position, and each position one node."""
        at = 1 + np.arange(self.count**2).reshape(self.count, self.count)  # by node and position
        for literals in (*at.tolist(), *at.T.tolist()):
            self.clauses.add_encoded(CardEnc.equals, literals, 1, EncType.seqcounter)

    def _add_coloring(self) -> None:
        """Add clauses: on a bipartite graph, the positions alternate between the two colors.

        The clauses are redundant. Without them, puzzles of 10x10 take twice as long.
        """
        graph = self.instance.graph
        if graph.first_part is None:
            return
        first_is_light = self.clauses.new_variable()
        dark = graph.dark(graph.vertices).tolist()
        for node, position in itertools.product(range(self.count), repeat=2):
            is_odd = position % 2 == 1
            starts_on_dark = dark[node] != is_odd  # a tour with the node at this position
            parity = -first_is_light if starts_on_dark else first_is_light
            self.clauses.add([-self._at(node, position), parity])

    def _add_moves(self) -> None:
        """Add clauses: a move joins nodes at consecutive positions, and its edge is used."""
        after = defaultdict[int, list[int]](list)
        before = defaultdict[int, list[int]](list)
        for source, target in self._arcs:
            after[source].append(target)
            before[target].append(source)
        for position, next_position in self._consecutive:
            for node in range(self.count):
                here, there = self._at(node, position), self._at(node, next_position)
                self.clauses.add([-here, *(self._at(each, next_position) for each in after[node])])
                self.clauses.add([-there, *(self._at(each, position) for each in before[node])])
                for each in after[node]:
                    self.clauses.add(
                        [-here, -self._at(each, next_position), self._edge(node, each)]
                    )
        self._add_positions_of_edges()

    def _add_positions_of_edges(self) -> None:
        """Add clauses: the two nodes of an edge that is used are at consecutive positions."""
        adjacent_positions = defaultdict[int, list[int]](list)
        for position, next_position in self._consecutive:
            adjacent_positions[position].append(next_position)
            adjacent_positions[next_position].append(position)
        for (low, high), edge in self._edges.items():
            for one, other in ((low, high), (high, low)):
                for position in range(self.count):
                    adjacent = (self._at(other, each) for each in adjacent_positions[position])
                    self.clauses.add([-edge, -self._at(one, position), *adjacent])

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
                self.clauses.add(-edge for edge in three)
            for edge in edges:
                self.clauses.add([*ends, *(other for other in edges if other != edge)])

    def _add_symmetry(self, symmetry: Symmetry) -> None:
        """Add clauses: the image of an edge that is used is used, too."""
        board = self.instance.board
        images = images_under(board, symmetry)
        if not is_symmetric(board, images):
            self.clauses.add([])
            return
        nodes = self.graph.nodes(images[board.vertices])  # the image of each node
        for (low, high), edge in self._edges.items():
            self.clauses.add([-edge, self._edge(int(nodes[low]), int(nodes[high]))])

    def _add_bound(self, bound: Bound) -> None:
        """Add clauses that bound a feature: at least and at most so many literals are true.

        There is a literal for each thing that the feature counts or, for some features of angles,
        for each angle that it does not count. The encoding is the totalizer (Bailleux and Boufkhad
        2003). Measures are the same for all tours.
        """
        if bound.feature in MEASURES:
            if not bound.allows(self.instance.measures[bound.feature]):
                self.clauses.add([])
            return
        feature = feature_named(bound.feature)
        literals = self._counted_literals(feature)
        low, high = bound.limits
        if feature.counted is Counted.OTHER_ANGLES:
            # Of 10 angles, at most 3 are counted if at least 7 have a true literal.
            angles = angle_count(self.count, self.instance.closed)
            least = 0 if high is None else angles - high
            most = angles if low is None else angles - low
        else:
            least = 0 if low is None else low
            most = len(literals) if high is None else high
        if most < 0 or least > len(literals):
            self.clauses.add([])
            return
        if most < len(literals):
            self.clauses.add_encoded(CardEnc.atmost, literals, most, EncType.totalizer)
        if least > 0:
            self.clauses.add_encoded(CardEnc.atleast, literals, least, EncType.totalizer)

    def _counted_literals(self, feature: Feature) -> list[int]:
        """Return a literal for each thing that a feature counts.

        For a feature that counts the other angles (`Counted.OTHER_ANGLES`), the literals are those
        of the angles that it does not count.
        """
        literals = np.array([*self._edges.values()])  # one for each edge, in the order of `ends`
        if not len(literals):
            return []
        ends = ends_of(self.instance.board, self.graph.vertices([*self._edges]))
        if feature.counted is Counted.MOVES:
            of_moves: list[int] = literals[feature.counted_edges(ends)].tolist()
            return of_moves
        pairs = literals[feature.determining_pairs(ends)].tolist()  # two columns: pairs of edges
        if feature.counted is Counted.UNCROSSED_MOVES:
            # An edge is used, and none of the edges that cross it is.
            conditions = {edge: [edge] for edge in literals.tolist()}
            for one, other in pairs:
                conditions[one].append(-other)
                conditions[other].append(-one)
            return [self.conjunction(condition) for condition in conditions.values()]
        return [self.conjunction(pair) for pair in pairs]


# -- clues that determine a tour ------------------------------------------------------------------


class Selection(NamedTuple):
    """Clues that determine a tour; if ``unfinished``, not each of them was tried to be left out."""

    clues: list[Clue]
    unfinished: bool


def minimal_clues(
    instance: Instance,
    tour: Squares,
    groups: Sequence[ClueGroup],
    clock: Clock,
    *,
    numbered: bool,
    progress: Callable[[int], None] = lambda left: None,
) -> Selection | None:
    """Return the clues of a minimal set of groups that fix a tour, with the clues of an instance.

    It is None if all groups together do not. The ``tour`` holds ids in visiting order. If
    ``numbered``, a closed tour is distinguished from the same cycle in the other direction, or from
    another first square. ``progress`` is called with the number of groups still to be tried.
    Raises `OutOfTimeError` if there is too little time for the first search.
    """
    clock.check(SECONDS_IN_LOOP * len(instance.board) ** 2)
    formula = PositionFormula(instance)
    path = tour.tolist()
    assumed = formula.literals_of(instance)
    # The formula counts steps, so that a first square must be known. Without numbers, any square
    # of the closed tour will do. A start that was asked for need not be among the clues.
    if not numbered or (instance.closed and instance.first is not None):
        assumed.append(formula.literal(Given(path[0], 1)))
    formula.exclude(tour, as_moves=not numbered and not instance.direction_matters)
    on_the_way = {}  # by square: a tour visits the squares whose literals are true in this order
    if any(isinstance(clue, Waypoint) for group in groups for clue in group):
        on_the_way = dict(zip(path, formula.waypoints(path), strict=True))
    by_literal = dict[int, ClueGroup]()  # of literals that are true if all clues of it hold
    for group in groups:
        literals = [
            on_the_way[clue.square] if isinstance(clue, Waypoint) else formula.literal(clue)
            for clue in group
        ]
        by_literal[literals[0] if len(literals) == 1 else formula.conjunction(literals)] = group
    core = formula.minimal_core(
        [*by_literal], clock, assumed=assumed, adds_needed=True, progress=progress
    )
    if core is None:
        return None
    return Selection(clues_in(by_literal[each] for each in core.literals), core.unfinished)


def tours_by_steps(instance: Instance, clock: Clock) -> Iterator[Tour]:
    """Yield all tours of an instance, whose constraints count steps (see `needs_steps`).

    The position formula finds the second tour of a puzzle, or proves that there is none, faster
    than the circuit model. Raises `OutOfTimeError` when the clock's limit is reached, and
    `InputError` for boards with too many squares.

    >>> instance = Instance.of("3x4", givens={"a3": 1, "a1": 3})
    >>> sorted(tour.names[-1] for tour in tours_by_steps(instance, Clock()))
    ['a2', 'd1']
    """
    board = instance.board
    clock.check(SECONDS_IN_LOOP * len(board) ** 2)
    formula = PositionFormula(instance)
    clue_literals = formula.literals_of(instance)
    while (squares := formula.solve(clue_literals, clock)) is not None:
        yield Tour(board, squares, instance.closed)
        formula.exclude(squares)


# -- questions about an instance ------------------------------------------------------------------


class Uniqueness(NamedTuple):
    """Up to two tours of an instance, and whether there is exactly one.

    ``is_unique`` is None if the time limit was reached before that was known.
    """

    tours: list[Tour]
    is_unique: bool | None


def check_uniqueness(instance: Instance, time_limit: float | None = None) -> Uniqueness:
    """Return whether an instance has exactly one tour, and up to two tours as the proof.

    The limit is in seconds. Raises `InputError` for a limit that is not above 0.

    >>> check_uniqueness(Instance.of("3x4", givens={"a3": 1, "a1": 3})).is_unique
    False
    """
    tours: list[Tour] = []
    graph = instance.graph
    is_small_board = isinstance(graph, Board) and len(graph) <= _MAX_SQUARES_BY_STEPS
    try:
        every_tour = enumerate_tours(instance, time_limit=time_limit)
        if is_small_board and needs_steps(instance) and not instance.constrain:
            every_tour = tours_by_steps(instance, Clock(time_limit))
        for tour in itertools.islice(every_tour, 2):
            tours.append(tour)  # kept even if the time limit is reached before the next
    except OutOfTimeError:
        return Uniqueness(tours, None)
    return Uniqueness(tours, len(tours) == 1)


def conflicting_clues(instance: Instance, time_limit: float | None = None) -> list[str]:
    """Return a minimal set of clues that contradict each other, each in words.

    Clues are steps, and moves that are required or forbidden. The list is empty if the board has no
    tour even without them, or if clues alone do not contradict each other. Of several such lists
    the shortest found is returned. Raises `OutOfTimeError` when the limit in seconds is reached
    before there is one.

    >>> conflicting_clues(Instance.of("3x4", givens={"a3": 1, "b3": 2}))
    ['1 on a3', '2 on b3']
    """
    board = instance.board
    clock = Clock(time_limit)
    clock.check(SECONDS_IN_LOOP * len(board) ** 2)
    formula = PositionFormula(Instance(board, closed=instance.closed, symmetry=instance.symmetry))
    clues: dict[int, str] = {}  # in words, by their literals in the formula
    for clue in clues_of(instance):
        role = " is required" if isinstance(clue, Move) else ""
        clues[formula.literal(clue)] = clue.describe(board) + role
    for move in instance.forbid:
        clues[-formula.literal(move)] = f"{move.describe(board)} is forbidden"
    random = Random(0)
    cores: list[list[int]] = []
    for _ in range(_ORDERS):
        core = formula.minimal_core(random.sample([*clues], len(clues)), clock)
        if core is None:
            return []
        cores.append(core.literals)
    shortest = min(cores, key=len)
    return [words for literal, words in clues.items() if literal in shortest]


def why_impossible(instance: Instance, time_limit: float | None = None) -> str | None:
    """Return why there is no tour, naming clues that are in conflict; None if there is a tour.

    When the limit in seconds is reached first, the text does not say why. Raises `InputError` for a
    limit that is not above 0.

    >>> why_impossible(Instance.of("3x4", givens={"a3": 1, "b3": 2}))
    'these contradict each other: 1 on a3, 2 on b3 (steps 1 and 2: no walk of 1 move from a3 to b3)'
    """
    clock = Clock(time_limit)
    with suppress(OutOfTimeError):
        clues = conflicting_clues(instance, clock.remaining_limit())
        if clues:
            verb = "these contradict each other" if len(clues) > 1 else "this clue cannot be met"
            words = f"{verb}: {', '.join(clues)}"
            reason = refute(instance)
            return f"{words} ({reason})" if reason else words
        result = solve(instance, time_limit=clock.remaining_limit())
        if result.status is not Status.UNKNOWN:
            return result.reason
    return "there is no tour"
