"""Which clues determine a tour, whether there is exactly one, and which contradict each other.

One incremental SAT solver answers for many sets of literals, which are its assumptions, with
unsatisfiable cores: literals that rule out every tour.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import NamedTuple

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.count.classes import enumerate_tours
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import LOOP, Clock, OutOfTimeError
from kt_cp.problem.tour_graph import needs_steps
from kt_cp.proof.reasons import refute
from kt_cp.puzzles.clues import Clue, ClueGroup, Waypoint, clues_of
from kt_cp.puzzles.positions import Given, NumberedTours
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour
from kt_dfs import Status

# The most squares of a board whose tours are found by the position formula, not by the circuit.
_MAX_SQUARES_BY_STEPS = 256

# Fractions of the stretches between clues that may be changed, tried in this order.
_FRACTIONS = (0.25, 0.5, 0.75)

# The number of random orders that are tried to find few clues that contradict each other.
_ORDERS = 5


class CoreSolver:
    """Finds literals that rule out every tour of a formula, together with some that are ``fixed``.

    ``progress`` is called with the number of literals still to be tried. ``is_cut_short`` tells
    whether the clock's limit was reached before `minimal_subset` had tried all of them.
    """

    def __init__(
        self,
        formula: NumberedTours,
        fixed: Sequence[int],
        clock: Clock,
        progress: Callable[[int], None] = lambda left: None,
    ) -> None:
        self.formula, self.fixed = formula, fixed
        self.clock, self.progress = clock, progress
        self.is_cut_short = False

    def core(self, literals: Sequence[int]) -> list[int] | None:
        """Return an unsatisfiable core, or None if some tour has all the literals.

        Raises `OutOfTimeError` when the clock's limit is reached.
        """
        if self.formula.solve([*self.fixed, *literals], self.clock) is not None:
            return None
        core = self.formula.core
        return [literal for literal in literals if literal in core]

    def minimal_subset(
        self,
        literals: Sequence[int],
        finds_tour_without: Callable[[int, Sequence[int]], bool] | None = None,
        *,
        add_needed: bool = False,
    ) -> list[int] | None:
        """Return a minimal unsatisfiable subset, or None if some tour has all the literals.

        Where ``finds_tour_without`` a literal, but with others, finds a tour, the solver is not
        asked. With ``add_needed``,
        each literal of the subset is added to the formula: the solver propagates it once, instead
        of in every search, but answers afterwards only for sets that contain the subset. When the
        clock's limit is reached first, the subset may not be minimal.
        """
        candidates = self.core(literals)
        if candidates is None:
            return None
        needed: list[int] = []
        while candidates:
            self.progress(len(candidates))
            tried = candidates.pop()
            others = [*needed, *candidates]
            try:
                has_tour = finds_tour_without is not None and finds_tour_without(tried, others)
                core = None if has_tour else self.core(others)
            except OutOfTimeError:
                self.is_cut_short = True
                return [*needed, *candidates, tried]
            if core is None:  # some tour has the others
                needed.append(tried)
                if add_needed:
                    self.formula.assert_literal(tried)
            else:
                candidates = [literal for literal in core if literal not in needed]
        return needed


def fixed_literals(
    formula: NumberedTours, instance: Instance, clues: Iterable[Given | Move]
) -> list[int]:
    """Return the literals of clues, and of the forbidden moves and the order of an instance."""
    known = [formula.literal(clue) for clue in clues]
    forbidden = [-formula.literal(move) for move in instance.forbid]
    return [*known, *forbidden, *formula.waypoints(instance.order)]


class UniquenessSolver:
    """Finds clues which, added to those of an instance, determine a tour uniquely.

    The ``tour`` holds ids in visiting order. If ``numbered``, a closed tour is distinguished from
    the same cycle in the other direction, or from another first square. ``progress`` is called with
    the number of clues still to be tried.

    Most of the time goes into finding another tour that has all clues but one. There is often one
    that differs from the given tour only between a few of its clues: it is looked for first.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Squares,
        *,
        numbered: bool,
        clock: Clock,
        progress: Callable[[int], None] = lambda left: None,
    ) -> None:
        clock.check(LOOP * len(instance.board) ** 2)
        formula = NumberedTours(instance)
        known: list[Given | Move] = clues_of(instance)
        # The formula counts steps, so that a first square must be known. Without numbers, any
        # square of the closed tour will do. A start that was asked for need not be among the clues.
        has_closed_start = instance.closed and instance.first is not None
        if not numbered or has_closed_start:
            known.append(Given(int(tour[0]), 1))
        self._fixed = fixed_literals(formula, instance, known)
        formula.exclude(tour, as_moves=not numbered and not instance.direction_matters)
        self._formula, self._clock = formula, clock
        self._cores = CoreSolver(formula, self._fixed, clock, progress)
        self._path: list[int] = tour.tolist()
        self._near_tours = _NearTours(formula, self._path, clock)
        self._groups: dict[int, ClueGroup] = {}  # by their literals

    @property
    def is_cut_short(self) -> bool:
        """Whether the clock's limit was reached before `minimal_groups` had tried all of them."""
        return self._cores.is_cut_short

    def determines(self, clues: Sequence[Clue]) -> bool:
        """Return whether the clues determine the tour.

        Raises `OutOfTimeError` when the clock's limit is reached.
        """
        return self._cores.core([self._clue_literal(clue) for clue in clues]) is not None

    def minimal_groups(self, groups: Sequence[ClueGroup]) -> list[ClueGroup] | None:
        """Return a minimal set of groups that determines the tour.

        Returns None if the groups together do not determine the tour. When the clock's limit is
        reached first, some groups may not be needed. Afterwards the solver answers only for sets of
        clues that contain those returned.
        """
        by_literal = dict[int, ClueGroup]()  # of literals that are true if all clues of it hold
        for group in groups:
            literals = [self._clue_literal(clue) for clue in group]
            one = literals[0] if len(literals) == 1 else self._formula.conjunction(literals)
            by_literal[one] = group
        self._groups |= by_literal
        subset = self._cores.minimal_subset(
            list(by_literal), self._finds_near_tour_without, add_needed=True
        )
        return None if subset is None else [by_literal[literal] for literal in subset]

    def _clue_literal(self, clue: Clue) -> int:
        """Return the literal of a clue."""
        if isinstance(clue, Waypoint):
            return self._waypoint_literals[clue.square]
        return self._formula.literal(clue)

    @cached_property
    def _waypoint_literals(self) -> dict[int, int]:
        """A literal for each square; the squares of true literals are visited in tour order."""
        return dict(zip(self._path, self._formula.waypoints(self._path), strict=True))

    def _finds_near_tour_without(self, tried: int, others: Sequence[int]) -> bool:
        """Return whether a tour is found that has the other clues and differs in few places."""
        kept = itertools.chain.from_iterable(self._groups[literal] for literal in others)
        return self._near_tours.finds_one([*self._fixed, *others], self._groups[tried], kept)


class _NearTours:
    """Looks for tours that differ from a given one only between a few of its clues.

    The ``path`` holds the ids of the given tour in visiting order. The ``formula`` excludes it.
    """

    def __init__(self, formula: NumberedTours, path: list[int], clock: Clock) -> None:
        self._formula, self._clock = formula, clock
        self._step_literals = [
            formula.literal(Given(square, step)) for step, square in enumerate(path, start=1)
        ]
        self._index_of = {square: index for index, square in enumerate(path)}
        self._random = Random(0)

    def finds_one(self, fixed: list[int], left_out: ClueGroup, kept: Iterable[Clue]) -> bool:
        """Return whether a tour is found that makes the ``fixed`` literals true.

        It may differ from the given tour around the clues that are ``left_out``, and in a growing
        fraction of the other stretches between the clues that are ``kept``, drawn at random.
        """
        starts = {self._index_of_clue(clue) for clue in kept}
        bounds = [0, *sorted(starts - {0}), len(self._step_literals)]
        indexes_left_out = {self._index_of_clue(clue) for clue in left_out}
        stretches = [range(*pair) for pair in itertools.pairwise(bounds)]
        far = [stretch for stretch in stretches if indexes_left_out.isdisjoint(stretch)]
        self._random.shuffle(far)
        for fraction in _FRACTIONS:
            changeable = round(fraction * len(far))
            unchanged = [index for stretch in far[changeable:] for index in stretch]
            steps = [self._step_literals[index] for index in unchanged]
            if self._formula.solve([*fixed, *steps], self._clock) is not None:
                return True
        return False

    def _index_of_clue(self, clue: Clue) -> int:
        """Return the index of a clue in the tour: for a move, that of the square before it."""
        if isinstance(clue, Given | Waypoint):
            return clue.step - 1
        low, high = sorted((self._index_of[clue.source], self._index_of[clue.target]))
        # The squares of a move are adjacent in the tour, unless it closes the tour.
        return high if high - low > 1 else low


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
    clock.check(LOOP * len(board) ** 2)
    formula = NumberedTours(instance)
    fixed = fixed_literals(formula, instance, clues_of(instance))
    while (squares := formula.solve(fixed, clock)) is not None:
        yield Tour(board, squares, instance.closed)
        formula.exclude(squares)


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
        found = enumerate_tours(instance, time_limit=time_limit)
        if is_small_board and needs_steps(instance) and not instance.constrain:
            found = tours_by_steps(instance, Clock(time_limit))
        for tour in itertools.islice(found, 2):
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
    board, clock = instance.board, Clock(time_limit)
    clock.check(LOOP * len(board) ** 2)
    formula = NumberedTours(Instance(board, closed=instance.closed, symmetry=instance.symmetry))
    clues: dict[int, str] = {}  # in words, by their literals in the formula
    for clue in clues_of(instance):
        role = " is required" if isinstance(clue, Move) else ""
        clues[formula.literal(clue)] = clue.describe(board) + role
    for move in instance.forbid:
        clues[-formula.literal(move)] = f"{move.describe(board)} is forbidden"
    solver, random = CoreSolver(formula, [], clock), Random(0)
    shortest: list[int] = []
    for _ in range(_ORDERS):
        subset = solver.minimal_subset(random.sample([*clues], len(clues)))
        if subset is None:
            return []
        if not shortest or len(subset) < len(shortest):
            shortest = subset
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
            words, reason = f"{verb}: {', '.join(clues)}", refute(instance)
            return f"{words} ({reason})" if reason else words
        result = solve(instance, time_limit=clock.remaining_limit())
        if result.status is not Status.UNKNOWN:
            return result.reason
    return "there is no tour"
