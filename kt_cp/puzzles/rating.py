"""How hard a puzzle is for a person, as one number: the effort.

The effort is 100 for each level below that of the puzzle, and less than 100 for the work that is
done there. The work adds up the rounds of deductions: what each deduction takes, and in addition
how long a person has to look for the first of the round, which is the longer, the more squares are
unknown and the fewer deductions there are (R. Pelánek, Difficulty rating of Sudoku puzzles by a
computational model, FLAIRS 2011).
"""

from __future__ import annotations

from typing import NamedTuple

from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.deduction import Round, rounds
from kt_cp.puzzles.facts import ContradictionError, Facts
from kt_cp.puzzles.level import EFFORTS, Level

# The work of a puzzle in the middle of the range of its level.
_MIDDLE = {
    Level.CHILDREN: 100,
    Level.EASY: 300,
    Level.MEDIUM: 1000,
    Level.HARD: 3000,
    Level.MASTERS: 10000,
}

# The work for a square that is left when the rules below the last level do not suffice.
_UNDECIDED = 200


class Rating(NamedTuple):
    """How hard a puzzle is: its ``effort``, from 0 to 499, and the level in whose range it is.

    ``is_solved`` tells whether the rules that were applied lead to the tour.
    """

    effort: int
    is_solved: bool

    @property
    def level(self) -> Level:
        """The level."""
        return Level.of(self.effort)


def rate(instance: Instance, most: Level = Level.HARD, clock: Clock | None = None) -> Rating:
    """Return how hard it is to find the tour; symmetries of the board do not change it.

    What the rules up to the level ``most`` do not solve is for masters. The rules ignore bounds on
    features, symmetries, directions, and ``constrain``. Raises `OutOfTimeError` when the clock's
    limit is reached.

    >>> rate(Instance.of("3x4", givens={0: 1, 6: 2, 11: 12})).level
    <Level.EASY: 'easy'>
    """
    level, work = Level.CHILDREN, 0
    undecided = len(instance.board)  # as long as no tour is found
    try:
        facts = Facts.of(instance)
        for each in rounds(facts, most, clock):
            work += _work(each)
            if each.level.number > level.number:
                level = each.level
        undecided = 0 if facts.complete else facts.unknown
    except ContradictionError:
        pass
    if undecided:
        level = Level.MASTERS
        work += _UNDECIDED * undecided
    effort = level.efforts.low + EFFORTS * work // (work + _MIDDLE[level])
    return Rating(effort, is_solved=not undecided)


def _work(found: Round) -> int:
    """Return the work of a round of deductions."""
    count = len(found.deductions)
    looks = found.unknown // (count + 1)
    ahead = sum(len(deduction.chain) for deduction in found.deductions)
    return found.rule.weight * (count + looks) + ahead
