"""Unsatisfiable cores of literals that rule out every tour of a formula.

One incremental SAT solver answers for many sets of literals, which are its assumptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.sat.positions import Given, NumberedTours

# A function of a literal and others: whether a quick search finds a tour that has the others.
FindTourWithout = Callable[[int, Sequence[int]], bool]


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
        progress: Callable[[int], None] = lambda left: None,
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
