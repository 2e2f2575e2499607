"""The five levels of difficulty: ranges of one number, the effort."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from kt_cp.messages import InputError, checked_number

EFFORTS_PER_LEVEL = 100
"""The number of effort values of each level; the first level has 0 to 99."""


class Level(StrEnum):
    """How hard a puzzle is for a person: one of five ranges of its effort.

    Levels are compared by difficulty.

    >>> Level.EASY < Level.MEDIUM < Level.MASTERS
    True
    >>> max(Level.HARD, Level.CHILDREN)
    <Level.HARD: 'hard'>
    """

    CHILDREN = "children"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    MASTERS = "masters"

    @classmethod
    def of(cls, effort: int) -> Level:
        """Return the level in whose range an effort is.

        Raises `InputError` for an effort that is not from 0 to 499.

        >>> Level.of(99), Level.of(100), Level.of(499)
        (<Level.CHILDREN: 'children'>, <Level.EASY: 'easy'>, <Level.MASTERS: 'masters'>)
        """
        checked_number("effort", effort, 0, MAX_EFFORT)
        return list(cls)[effort // EFFORTS_PER_LEVEL]

    @property
    def number(self) -> int:
        """The rank of the level, from 1 (children) to 5 (masters)."""
        return list(Level).index(self) + 1

    @property
    def efforts(self) -> EffortRange:
        """The efforts of the puzzles of this level."""
        low = EFFORTS_PER_LEVEL * (self.number - 1)
        return EffortRange(low, low + EFFORTS_PER_LEVEL - 1)

    # A string enumeration would otherwise compare the names in alphabetical order.

    def __lt__(self, other: str) -> bool:
        return self.number < Level(other).number

    def __le__(self, other: str) -> bool:
        return self.number <= Level(other).number

    def __gt__(self, other: str) -> bool:
        return self.number > Level(other).number

    def __ge__(self, other: str) -> bool:
        return self.number >= Level(other).number


MAX_EFFORT = EFFORTS_PER_LEVEL * len(Level) - 1
"""The largest effort."""


class EffortRange(NamedTuple):
    """The efforts from ``low`` to ``high``, both included."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> EffortRange:
        """Return the range that is written ``LOW..HIGH``. Raises `InputError` for other text.

        >>> EffortRange.parse("200..400")
        EffortRange(low=200, high=400)
        """
        ends = re.fullmatch(r"\s*(\d{1,3})\s*\.\.\s*(\d{1,3})\s*", text)
        if ends is None or not int(ends[1]) <= int(ends[2]) <= MAX_EFFORT:
            wanted = f"LOW..HIGH with numbers from 0 to {MAX_EFFORT}, such as 200..400"
            raise InputError(f"effort {text!r}: give {wanted}")
        return cls(int(ends[1]), int(ends[2]))

    def distance(self, effort: int) -> int:
        """Return how far an effort is outside the range, or 0 if it is in the range."""
        return max(self.low - effort, effort - self.high, 0)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"
