"""Which clues determine a tour uniquely, and whether an instance has exactly one tour."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.count.enumeration import enumerate_tours
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import LOOP, Clock, OutOfTimeError
from kt_cp.problem.tour_graph import needs_steps
from kt_cp.puzzles.clues import Clue, ClueGroup, Waypoint, clues_of
from kt_cp.puzzles.cores import CoreSolver, fixed_literals
from kt_cp.sat.positions import Given, NumberedTours
from kt_cp.tour.tour import Tour

# The most squares of a board whose tours are found by the position formula, not by the circuit.
_MAX_SQUARES_BY_STEPS = 256

# Fractions of the stretches between clues that may be changed, tried in this order.
_FRACTIONS = (0.25, 0.5, 0.75)


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
        by_literal = {self._group_literal(group): group for group in groups}
        self._groups |= by_literal
        subset = self._cores.minimal_subset(
            list(by_literal), self._finds_near_tour_without, add_needed=True
        )
        return None if subset is None else [by_literal[literal] for literal in subset]

    def _group_literal(self, group: ClueGroup) -> int:
        """Return a literal that is true if all clues of a group hold."""
        literals = [self._clue_literal(clue) for clue in group]
        return literals[0] if len(literals) == 1 else self._formula.conjunction(literals)

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
        stretches = self._stretches(self._index_of_clue(clue) for clue in kept)
        indexes_left_out = {self._index_of_clue(clue) for clue in left_out}
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
        is_closing_move = high - low > 1
        return high if is_closing_move else low

    def _stretches(self, indexes: Iterable[int]) -> list[range]:
        """Return the stretches of the tour between indexes, as ranges.

        Each begins at an index and ends before the next one.
        """
        bounds = [0, *sorted(set(indexes) - {0}), len(self._step_literals)]
        return [range(*pair) for pair in itertools.pairwise(bounds)]


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
    try:
        for tour in itertools.islice(_all_tours(instance, time_limit), 2):
            tours.append(tour)  # kept even if the time limit is reached before the next
    except OutOfTimeError:
        return Uniqueness(tours, None)
    return Uniqueness(tours, len(tours) == 1)


def _all_tours(instance: Instance, time_limit: float | None) -> Iterator[Tour]:
    """Yield all tours: by the position formula if steps are given, or else by the circuit model."""
    graph = instance.graph
    is_small_board = isinstance(graph, Board) and len(graph) <= _MAX_SQUARES_BY_STEPS
    if is_small_board and needs_steps(instance) and not instance.constrain:
        return tours_by_steps(instance, Clock(time_limit))
    return enumerate_tours(instance, time_limit=time_limit)
