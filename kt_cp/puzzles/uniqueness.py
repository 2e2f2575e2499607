"""Which clues determine a tour uniquely, and which clues contradict each other.

Both are unsatisfiable cores: the clues rule out every tour but the solution, or every tour. One
incremental SAT solver answers for many sets of clues, which are its assumptions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from random import Random

from kt_cp.arrays import Squares
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.costs import ADD_POSITION
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move
from kt_cp.puzzles.clues import Clue, ClueGroup, Waypoint, clues_of
from kt_cp.sat.positions import Given, NumberedTours
from kt_cp.tour.tour import Tour

# The number of random orders that are tried to find few clues that contradict each other.
_ORDERS = 5

# Fractions of the stretches between clues that may be changed, tried in this order.
_FRACTIONS = (0.25, 0.5, 0.75)

# Takes a literal and others. Returns whether a quick search finds a tour that has the others.
FindTourWithout = Callable[[int, Sequence[int]], bool]


def _ignore(count: int) -> None:
    """Report nothing."""


class CoreSolver:
    """Finds literals that rule out every tour of a formula, together with some that are fixed.

    ``progress`` is called with the number of literals still to be tried. ``is_cut_short`` tells
    whether the clock's limit was reached before `minimal_subset` had tried all of them.
    """

    def __init__(
        self,
        formula: NumberedTours,
        fixed: Sequence[int],
        clock: Clock,
        progress: Callable[[int], None] = _ignore,
    ) -> None:
        self.formula = formula
        self.fixed = fixed
        self.clock = clock
        self.progress = progress
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
        finds_tour_without: FindTourWithout | None = None,
        *,
        add_needed: bool = False,
    ) -> list[int] | None:
        """Return a minimal unsatisfiable subset, or None if some tour has all the literals.

        Where ``finds_tour_without`` finds a tour, the solver is not asked. With ``add_needed``,
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
                core = None
                if finds_tour_without is None or not finds_tour_without(tried, others):
                    core = self.core(others)
            except OutOfTimeError:
                self.is_cut_short = True
                return [*needed, *candidates, tried]
            if core is None:
                needed.append(tried)
                if add_needed:
                    self.formula.add(tried)
            else:
                candidates = [literal for literal in core if literal not in needed]
        return needed


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
        progress: Callable[[int], None] = _ignore,
    ) -> None:
        clock.check(ADD_POSITION * len(instance.board) ** 2)
        formula = NumberedTours(instance)
        own: list[Given | Move] = clues_of(instance)
        # The formula counts steps. Without numbers, any square may be the first; the start of a
        # closed tour, which may have no step among the clues, is the first.
        if not numbered or (instance.closed and instance.start is not None):
            own.append(Given(int(tour[0]), 1))
        self._fixed = _fixed_literals(formula, instance, own)
        formula.exclude(tour, as_moves=not numbered and not instance.directed)
        self._formula, self._clock = formula, clock
        self._cores = CoreSolver(formula, self._fixed, clock, progress)
        path = tour.tolist()
        self._steps = [formula.literal(Given(square, step)) for step, square in enumerate(path, 1)]
        self._index = {square: index for index, square in enumerate(path)}
        self._groups: dict[int, ClueGroup] = {}  # by their literals
        self._random = Random(0)

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
        """Return groups none of which can be left out.

        Returns None if the groups together do not determine the tour. When the clock's limit is
        reached first, some groups may not be needed. Afterwards the solver answers only for sets of
        clues that contain those returned.
        """
        by_literal = {self._literal(group): group for group in groups}
        self._groups |= by_literal
        subset = self._cores.minimal_subset(
            list(by_literal), self._finds_near_tour_without, add_needed=True
        )
        return None if subset is None else [by_literal[literal] for literal in subset]

    def _literal(self, group: ClueGroup) -> int:
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
        return dict(zip(self._index, self._formula.waypoints(list(self._index)), strict=True))

    def _finds_near_tour_without(self, tried: int, others: Sequence[int]) -> bool:
        """Return whether a tour is found that has the other clues and differs in few places.

        It may differ around the clue that was tried, and in a growing fraction of the other
        stretches between clues, which are drawn at random.
        """
        clues = itertools.chain.from_iterable(self._groups[literal] for literal in others)
        stretches = self._stretches(self._position(clue) for clue in clues)
        own = {self._position(clue) for clue in self._groups[tried]}
        far = [stretch for stretch in stretches if own.isdisjoint(stretch)]
        self._random.shuffle(far)
        for fraction in _FRACTIONS:
            unchanged = far[round(fraction * len(far)) :]
            steps = [self._steps[index] for stretch in unchanged for index in stretch]
            if self._formula.solve([*self._fixed, *others, *steps], self._clock) is not None:
                return True
        return False

    def _position(self, clue: Clue) -> int:
        """Return the index of a clue in the tour: for a move, that of the square before it."""
        if isinstance(clue, Given | Waypoint):
            return clue.step - 1
        low, high = sorted((self._index[clue.source], self._index[clue.target]))
        is_closing_move = high - low > 1  # from the last square to the first
        return high if is_closing_move else low

    def _stretches(self, positions: Iterable[int]) -> list[range]:
        """Return the stretches of the tour between positions, as ranges of indexes.

        Each begins at a position and ends before the next one.
        """
        bounds = [0, *sorted(set(positions) - {0}), len(self._steps)]
        return [range(*pair) for pair in itertools.pairwise(bounds)]


def _fixed_literals(
    formula: NumberedTours, instance: Instance, clues: Iterable[Given | Move]
) -> list[int]:
    """Return the literals of clues, and of the forbidden moves and the order of an instance."""
    known = [formula.literal(clue) for clue in clues]
    forbidden = [-formula.literal(move) for move in instance.forbid]
    return [*known, *forbidden, *formula.waypoints(instance.order)]


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
    clock.check(ADD_POSITION * len(board) ** 2)
    formula = NumberedTours(instance)
    fixed = _fixed_literals(formula, instance, clues_of(instance))
    while (squares := formula.solve(fixed, clock)) is not None:
        yield Tour(board, squares, instance.closed)
        formula.exclude(squares)


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
    clock.check(ADD_POSITION * len(board) ** 2)
    formula = NumberedTours(Instance(board, closed=instance.closed, symmetry=instance.symmetry))
    words: dict[int, str] = {}
    for clue in clues_of(instance):
        role = " is required" if isinstance(clue, Move) else ""
        words[formula.literal(clue)] = clue.describe(board) + role
    for move in instance.forbid:
        words[-formula.literal(move)] = f"{move.describe(board)} is forbidden"
    solver, random = CoreSolver(formula, [], clock), Random(0)
    shortest: list[int] = []
    for _ in range(_ORDERS):
        subset = solver.minimal_subset(random.sample([*words], len(words)))
        if subset is None:
            return []
        if not shortest or len(subset) < len(shortest):
            shortest = subset
    return [text for literal, text in words.items() if literal in shortest]
