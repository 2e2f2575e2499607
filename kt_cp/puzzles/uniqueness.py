"""Which clues determine a tour uniquely, and which clues contradict each other.

Both are unsatisfiable cores: the clues rule out every tour but the solution, or every tour. One
incremental SAT solver answers for many sets of clues, which are its assumptions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from kt_cp.arrays import Squares
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.costs import ADD_POSITION
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move
from kt_cp.puzzles.clues import clues_of
from kt_cp.sat.positions import Clue, Given, NumberedTours

# How many random orders are tried for a short list of clues that contradict each other.
_ORDERS = 5


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
        self.formula, self.fixed, self.clock, self.progress = formula, fixed, clock, progress
        self.is_cut_short = False

    def core(self, literals: Sequence[int]) -> list[int] | None:
        """Return an unsatisfiable core, or None if some tour has all the literals.

        Raises `OutOfTimeError` when the clock's limit is reached.
        """
        if self.formula.solve([*self.fixed, *literals], self.clock) is not None:
            return None
        core = self.formula.core
        return [literal for literal in literals if literal in core]

    def minimal_subset(self, literals: Sequence[int]) -> list[int] | None:
        """Return a minimal unsatisfiable subset, or None if some tour has all the literals.

        When the clock's limit is reached first, the subset may not be minimal.
        """
        candidates = self.core(literals)
        if candidates is None:
            return None
        needed: list[int] = []
        while candidates:
            self.progress(len(candidates))
            tried = candidates.pop()
            try:
                core = self.core([*needed, *candidates])
            except OutOfTimeError:
                self.is_cut_short = True
                return [*needed, *candidates, tried]
            if core is None:
                needed.append(tried)
            else:
                candidates = [literal for literal in core if literal not in needed]
        return needed


class UniquenessSolver:
    """Finds clues which, added to those of an instance, determine a tour uniquely.

    The ``tour`` holds ids in visiting order. With ``numbered`` a closed tour is distinguished from
    the same cycle in the other direction, or from another first square.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Squares,
        numbered: bool,
        clock: Clock,
        progress: Callable[[int], None] = _ignore,
    ) -> None:
        clock.check(ADD_POSITION * len(instance.board) ** 2)
        self._formula = NumberedTours(instance)
        own = clues_of(instance)
        if not numbered or (instance.closed and instance.start is not None):
            own.append(Given(int(tour[0]), 1))
        fixed = [self._formula.literal(clue) for clue in own]
        fixed += [-self._formula.literal(move) for move in instance.forbid]
        self._formula.exclude(tour, as_moves=not numbered and not instance.directed)
        self._solver = CoreSolver(self._formula, fixed, clock, progress)

    @property
    def is_cut_short(self) -> bool:
        """Whether the clock's limit was reached before every clue was tried."""
        return self._solver.is_cut_short

    def determine(self, clues: Sequence[Clue]) -> bool:
        """Return whether the clues determine the tour.

        Raises `OutOfTimeError` when the clock's limit is reached.
        """
        return self._solver.core([*self._by_literal(clues)]) is not None

    def minimal_clues(self, clues: Sequence[Clue]) -> list[Clue] | None:
        """Return clues none of which can be left out, or None if all do not determine the tour.

        When the clock's limit is reached first, some of them might be left out.
        """
        by_literal = self._by_literal(clues)
        subset = self._solver.minimal_subset([*by_literal])
        return None if subset is None else [by_literal[literal] for literal in subset]

    def _by_literal(self, clues: Sequence[Clue]) -> dict[int, Clue]:
        """Map the literal of each clue to the clue."""
        return {self._formula.literal(clue): clue for clue in clues}


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
