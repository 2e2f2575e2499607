"""Which clues contradict each other, and why an instance has no tour."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import LOOP, Clock, OutOfTimeError
from kt_cp.proof.reasons import refute
from kt_cp.puzzles.clues import clues_of
from kt_cp.puzzles.cores import CoreSolver
from kt_cp.sat.positions import NumberedTours
from kt_cp.solving import solve
from kt_dfs import Status

# The number of random orders that are tried to find few clues that contradict each other.
_ORDERS = 5


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
    clues = _described_clues(formula, instance)
    solver, random = CoreSolver(formula, [], clock), Random(0)
    shortest: list[int] = []
    for _ in range(_ORDERS):
        subset = solver.minimal_subset(random.sample([*clues], len(clues)))
        if subset is None:
            return []
        if not shortest or len(subset) < len(shortest):
            shortest = subset
    return [words for literal, words in clues.items() if literal in shortest]


def _described_clues(formula: NumberedTours, instance: Instance) -> dict[int, str]:
    """Return the clues of an instance in words, by their literals in the formula."""
    board = instance.board
    clues: dict[int, str] = {}
    for clue in clues_of(instance):
        role = " is required" if isinstance(clue, Move) else ""
        clues[formula.literal(clue)] = clue.describe(board) + role
    for move in instance.forbid:
        clues[-formula.literal(move)] = f"{move.describe(board)} is forbidden"
    return clues


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
            return _describe_conflict(instance, clues)
        result = solve(instance, time_limit=clock.remaining_limit())
        if result.status is not Status.UNKNOWN:
            return result.reason
    return "there is no tour"


def _describe_conflict(instance: Instance, clues: list[str]) -> str:
    """Return a sentence that names clues in conflict, with a reason if there is a short one."""
    verb = "these contradict each other" if len(clues) > 1 else "this clue cannot be met"
    words = f"{verb}: {', '.join(clues)}"
    reason = refute(instance)
    return f"{words} ({reason})" if reason else words
