"""From which clues a tour follows, as the only one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from kt_cp.board import Squares
from kt_cp.count.counting import enumerate_tours
from kt_cp.problem.clock import Clock
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
    constraints: dict[str, Any] = {**instance.constraints}
    constraints["givens"] = {**dict(instance.givens), **givens}
    constraints["require"] = [*instance.require, *moves]
    return Instance(instance.board, **constraints)


class Determined:
    """Tells from which further clues a tour follows that meets an instance.

    A SAT solver that looks for another tour names the clues that its proof used. Bounds on features
    and constraints of one's own are for CP-SAT, which is slower. With ``numbered`` a closed tour is
    told from the same cycle in the other direction or with another first square.
    """

    def __init__(
        self,
        instance: Instance,
        tour: Squares,
        numbered: bool,
        clock: Clock,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """State that another tour is wanted."""
        self.instance, self.clock = instance, clock
        self.progress = progress or (lambda left: None)
        self._formula = None
        if instance.having or instance.constrain is not None:
            return
        self._formula = NumberedTours(instance)
        own = clues_of(instance)
        if numbered and instance.closed and instance.start is not None:
            own.append(Given(instance.start, 1))
        if not numbered:
            own.append(Given(int(tour[0]), 1))
        self._own = [self._formula.literal(clue) for clue in own]
        self._own += [-self._formula.literal(move) for move in instance.forbid]
        self._formula.exclude(tour, as_moves=not numbered and not instance.one_way)

    def needed(self, clues: Sequence[Clue]) -> list[Clue] | None:
        """Return those of the clues from which the tour follows, or None if there is another.

        Raises `OutOfTime` when the clock's limit is reached.
        """
        if self._formula is None:
            asked = with_clues(self.instance, clues)
            tours = enumerate_tours(asked.board, **asked.constraints)
            self.clock.check()
            return list(clues) if len(list(itertools.islice(tours, 2))) == 1 else None
        literals = [self._formula.literal(clue) for clue in clues]
        if self._formula.solve([*self._own, *literals], self.clock) is not None:
            return None
        core = self._formula.core
        return [clue for clue, literal in zip(clues, literals, strict=True) if literal in core]

    def least(self, clues: Sequence[Clue], fixed: Sequence[Clue] = ()) -> list[Clue] | None:
        """Return clues of which none can be left out, or None if all of them are not enough.

        The tour follows from them and the ``fixed`` ones.
        """
        given = set(fixed)
        rest, kept = self.needed([*fixed, *clues]), list[Clue]()
        if rest is None:
            return None
        rest = [clue for clue in rest if clue not in given]
        while rest:
            self.progress(len(rest))
            tried = rest.pop()
            fewer = self.needed([*fixed, *kept, *rest])
            if fewer is None:
                kept.append(tried)
            else:
                rest = [clue for clue in fewer if clue not in given and clue not in kept]
        return kept


def conflicting_clues(instance: Instance, seed: int = 0) -> list[str]:
    """Return in words constraints that contradict each other, none of which can be left out.

    The list is empty if the board has no tour without any, or if steps and moves alone do not
    contradict each other. Of several such lists the shortest found is returned.
    """
    formula, clock = NumberedTours(instance), Clock()
    board, names = instance.board, dict[int, str]()
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
