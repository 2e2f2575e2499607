"""The five levels of difficulty: ranges of one number, the effort."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from kt_cp.errors import InputError

EFFORTS = 100
"""How many efforts a level has: the first one has those from 0 to 99."""


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

        >>> Level.of(99), Level.of(100), Level.of(499)
        (<Level.CHILDREN: 'children'>, <Level.EASY: 'easy'>, <Level.MASTERS: 'masters'>)
        """
        return list(cls)[effort // EFFORTS]

    @property
    def number(self) -> int:
        """The place of the level among the five, from 1: the number of circles in a book."""
        return list(Level).index(self) + 1

    @property
    def efforts(self) -> EffortRange:
        """The efforts of the puzzles of this level."""
        low = EFFORTS * (self.number - 1)
        return EffortRange(low, low + EFFORTS - 1)


MOST_EFFORT = EFFORTS * len(Level) - 1
"""The greatest effort of all."""


class EffortRange(NamedTuple):
    """The efforts from ``low`` to ``high``, both included."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> EffortRange:
        """Return the range that is written LOW..HIGH. Raises `InputError` for other text.

        >>> EffortRange.parse("200..400")
        EffortRange(low=200, high=400)
        """
        ends = re.fullmatch(r"\s*(\d{1,3})\s*\.\.\s*(\d{1,3})\s*", text)
        if ends is None or not int(ends[1]) <= int(ends[2]) <= MOST_EFFORT:
            wanted = f"LOW..HIGH with numbers from 0 to {MOST_EFFORT}, such as 200..400"
            raise InputError(f"effort {text!r}: give {wanted}")
        return cls(int(ends[1]), int(ends[2]))

    def distance(self, effort: int) -> int:
        """Return how far an effort is from the range: 0 inside of it."""
        return max(self.low - effort, effort - self.high, 0)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"
