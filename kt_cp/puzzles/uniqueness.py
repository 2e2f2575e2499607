"""Which clues determine a tour uniquely, and which contradict each other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from kt_cp.board import Squares
from kt_cp.count.counting import enumerate_tours
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.sat.positions import Clue, Given, NumberedTours


def clues_of(instance: Instance) -> list[Clue]:
    """Return the clues that an instance has: its steps, and the moves required."""
    steps = dict(instance.steps)
    return [*(Given(square, step) for step, square in steps.items()), *instance.require]


def with_clues(instance: Instance, clues: Sequence[Clue]) -> Instance:
    """Return the instance with further clues."""
    givens = {clue.square: clue.step for clue in clues if isinstance(clue, Given)}
    moves = [clue for clue in clues if isinstance(clue, Move)]
    steps = {**dict(instance.givens), **givens}
    require = tuple(dict.fromkeys([*instance.require, *moves]))
    return replace(instance, givens=tuple(steps.items()), require=require)


class Determined:
    """Finds out which further clues determine a tour that meets an instance.

    A SAT solver that looks for another tour names the clues that its proof used. What ``constrain``
    adds is known to CP-SAT only, which is slower. With ``numbered`` a closed tour is distinguished
    from the same cycle in the other direction, or with another first square. ``is_cut_short`` says
    whether the clock's limit came before every clue was tried.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Squares,
        numbered: bool,
        clock: Clock,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.instance, self.clock = instance, clock
        self.progress = progress or (lambda left: None)
        self.is_cut_short = False
        self._formula = None
        if instance.constrain is not None:
            return
        self._formula = numbered_tours(instance, clock)
        own = clues_of(instance)
        if numbered and instance.closed and instance.start is not None:
            own.append(Given(instance.start, 1))
        if not numbered:
            own.append(Given(int(tour[0]), 1))
        self._own = [self._formula.literal(clue) for clue in own]
        self._own += [-self._formula.literal(move) for move in instance.forbid]
        self._formula.exclude(tour, as_moves=not numbered and not instance.directed)

    def needed(self, clues: Sequence[Clue]) -> list[Clue] | None:
        """Return those of the clues that determine the tour, or None if there is another.

        Raises `OutOfTime` when the clock's limit is reached.
        """
        if self._formula is None:
            self.clock.check()
            asked, limit = with_clues(self.instance, clues), self.clock.limit
            tours = enumerate_tours(asked, time_limit=limit and self.clock.remaining)
            return list(clues) if len(list(itertools.islice(tours, 2))) == 1 else None
        literals = [self._formula.literal(clue) for clue in clues]
        if self._formula.solve([*self._own, *literals], self.clock) is not None:
            return None
        core = self._formula.core
        return [clue for clue, literal in zip(clues, literals, strict=True) if literal in core]

    def least(self, clues: Sequence[Clue], fixed: Sequence[Clue] = ()) -> list[Clue] | None:
        """Return clues none of which can be left out, or None if all of them are not enough.

        Together with the ``fixed`` ones they determine the tour. When the clock's limit is reached
        first, some of them may be left out.
        """
        given = set(fixed)
        rest, kept = self.needed([*fixed, *clues]), list[Clue]()
        if rest is None:
            return None
        rest = [clue for clue in rest if clue not in given]
        while rest:
            self.progress(len(rest))
            tried = rest.pop()
            try:
                fewer = self.needed([*fixed, *kept, *rest])
            except OutOfTime:
                self.is_cut_short = True
                return [*kept, *rest, tried]
            if fewer is None:
                kept.append(tried)
            else:
                rest = [clue for clue in fewer if clue not in given and clue not in kept]
        return kept


# About how many seconds it takes to state the formula, for each pair of a square and a step.
_STATING = 4e-5


def numbered_tours(instance: Instance, clock: Clock) -> NumberedTours:
    """Return the formula of an instance; raise `OutOfTime` if it takes longer than is left."""
    clock.check(_STATING * len(instance.board) ** 2)
    return NumberedTours(instance)


def conflicting_clues(
    instance: Instance, seed: int = 0, time_limit: float | None = None
) -> list[str]:
    """Return in words constraints that contradict each other, none of which can be left out.

    The list is empty if the board has no tour even without them, or if steps and moves alone do
    not contradict each other. Of several such lists the shortest found is returned. Raises
    `OutOfTime` when the limit in seconds is reached.
    """
    board, names, clock = instance.board, dict[int, str](), Clock(time_limit)
    formula = NumberedTours(Instance(board, closed=instance.closed, symmetry=instance.symmetry))
    for clue in clues_of(instance):
        role = " is required" if isinstance(clue, Move) else ""
        names[formula.literal(clue)] = clue.describe(board) + role
    for move in instance.forbid:
        names[-formula.literal(move)] = f"{move.describe(board)} is forbidden"
    random, best = Random(seed), list(names)
    if formula.solve(best, clock) is not None:
        return []
    for _ in range(_ORDERS):
        rest, kept = random.sample(list(names), len(names)), list[int]()
        while rest:
            tried = rest.pop()
            if formula.solve([*kept, *rest], clock) is not None:
                kept.append(tried)
            else:
                rest = [literal for literal in rest if literal in formula.core]
        best = min(best, kept, key=len)
    return [names[literal] for literal in names if literal in best]


# How many orders of removal are tried.
_ORDERS = 5
