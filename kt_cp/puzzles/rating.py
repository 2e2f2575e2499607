"""How hard a puzzle is for a person, as one number: the effort.

The effort is 100 for each level below that of the puzzle, plus less than 100 for the work. The unit
of work is one look at a square (see `Rule.weight`). The work adds up the rounds of deductions: what
each deduction takes, and how long a person looks for the first one of the round. That takes longer
the more squares are unknown and the fewer deductions there are (R. Pelánek, Difficulty rating of
Sudoku puzzles by a computational model, FLAIRS 2011).
"""

from __future__ import annotations

from typing import NamedTuple

from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.puzzles.conclusions import ContradictionError
from kt_cp.puzzles.deduction import Round, rounds
from kt_cp.puzzles.facts import Facts
from kt_cp.puzzles.level import EFFORTS_PER_LEVEL, Level

# The work, in looks at a square, of a puzzle in the middle of the effort range of its level.
_MIDDLE = {
    Level.CHILDREN: 100,
    Level.EASY: 300,
    Level.MEDIUM: 1000,
    Level.HARD: 3000,
    Level.MASTERS: 10000,
}

# The work for each square that is left unknown by the rules that were applied.
_WORK_PER_UNKNOWN = 200


class Rating(NamedTuple):
    """How hard a puzzle is: its ``effort``, from 0 to 499.

    ``is_solved`` tells whether the rules that were applied lead to the tour.
    """

    effort: int
    is_solved: bool

    @property
    def level(self) -> Level:
        """The level in whose range the effort is."""
        return Level.of(self.effort)


def rate(instance: Instance, hardest: Level = Level.HARD, clock: Clock | None = None) -> Rating:
    """Return how hard it is to find the tour; symmetries of the board do not change it.

    The rules up to the ``hardest`` level are applied. A puzzle that they do not solve is rated as
    one for masters, and so are clues that contradict each other. The rules ignore bounds on
    features, symmetries, directions, and ``constrain``. Raises `OutOfTimeError` when the clock's
    limit is reached.

    >>> rate(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12})).level
    <Level.EASY: 'easy'>
    """
    level, work = Level.CHILDREN, 0
    try:
        facts = Facts(instance)
        for each in rounds(facts, hardest, clock):
            level = max(level, each.level)
            work += _work(each)
        unknown = 0 if facts.is_complete else facts.unknown_count
    except ContradictionError:
        unknown = len(instance.board)
    if unknown:
        level = Level.MASTERS
        work += _WORK_PER_UNKNOWN * unknown
    # This grows from 0 towards 100 with the work, and is 50 at the work of `_MIDDLE`.
    within_level = EFFORTS_PER_LEVEL * work // (work + _MIDDLE[level])
    return Rating(level.efforts.low + within_level, is_solved=not unknown)


def _work(applied: Round) -> int:
    """Return the work of a round of deductions, in looks at a square."""
    count = len(applied.deductions)
    looks_for_first = applied.unknown_before // (count + 1)
    looks_ahead = sum(len(deduction.chain) for deduction in applied.deductions)
    return applied.rule.weight * (count + looks_for_first) + looks_ahead
