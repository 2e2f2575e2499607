"""The five levels of difficulty: ranges of one number, the effort."""

from __future__ import annotations

from enum import StrEnum

_RANGE = 100  # how many efforts a level has; the last level has no upper end


class Level(StrEnum):
    """How hard a puzzle is for a person: one of five ranges of its effort."""

    CHILDREN = "children"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    MASTERS = "masters"

    @classmethod
    def of(cls, effort: int) -> Level:
        """Return the level in whose range an effort is.

        >>> Level.of(99), Level.of(100), Level.of(4000)
        (<Level.CHILDREN: 'children'>, <Level.EASY: 'easy'>, <Level.MASTERS: 'masters'>)
        """
        levels = list(cls)
        return levels[min(effort // _RANGE, len(levels) - 1)]

    @property
    def number(self) -> int:
        """The place of the level among the five, from 1: the number of circles in a book."""
        return list(Level).index(self) + 1

    @property
    def least_effort(self) -> int:
        """The least effort of the level."""
        return _RANGE * (self.number - 1)
