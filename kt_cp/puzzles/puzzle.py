"""The puzzle: an instance with exactly one solution, its level, and how it is saved and read again.

A saved puzzle is a map that every command reads. Two of its notes say what was proven, so that
nobody proves it again: ``solution`` holds the tour, folded so that nobody reads it by accident, and
``unique`` a checksum of the clues for which it is the only one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.graph import Pictured
from kt_cp.messages import InputError, checked_number
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED
from kt_cp.tour.tour import InvalidTourError, Tour

# Bytes of the checksum of a puzzle's clues, which guards against an edited map, not against malice.
_CHECKSUM = 4


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

    def distance(self, effort: float) -> float:
        """Return how far an effort is outside the range, or 0 if it is in the range."""
        return max(self.low - effort, effort - self.high, 0)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Puzzle(Pictured):
    """An instance with exactly one solution, and that solution; as text, a map that `kt` reads.

    The clues are the given steps and the required moves of the ``instance``. The ``effort`` tells
    how hard the puzzle is for a person (see `rate`), and ``seed`` from which random choices it was
    made, if known. A puzzle is ``unfinished`` if the time limit was reached before every clue was
    tried, so that some may be left out. ``title`` is its heading in a book. ``off_pattern`` has the
    squares of clues outside of the pattern that was asked for.
    """

    instance: Instance
    solution: Tour
    effort: int | None = None
    seed: int | None = None
    unfinished: bool = False
    title: str | None = None
    off_pattern: tuple[int, ...] = ()

    @property
    def level(self) -> Level | None:
        """The level in whose range the effort is."""
        return None if self.effort is None else Level.of(self.effort)

    @property
    def givens(self) -> dict[int, int]:
        """The steps shown, by square: with the start and the end of an open tour if asked for."""
        return {square: step for step, square in self.instance.steps.items()}

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves shown."""
        return self.instance.require

    def __str__(self) -> str:
        notes = {
            "title": self.title,
            "level": self.level,
            "effort": self.effort,
            "seed": self.seed,
            "solution": fold(self.solution),
            "unique": checksum(self.instance),
        }
        known = {name: note for name, note in notes.items() if note is not None}
        return "\n".join(self.instance.map_lines(**known))


def saved_puzzle(instance: Instance, notes: Mapping[str, str]) -> Puzzle | None:
    """Return the puzzle that a map was saved from, or None if its notes do not prove one.

    The solution counts as unique if it meets all constraints and the checksum matches them.

    >>> from kt_cp import make_puzzle
    >>> from kt_cp.problem.instance import parse_map
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> board, constraints, contents = parse_map(str(puzzle), {})
    >>> saved_puzzle(Instance.of(board, **constraints), contents.notes) == puzzle
    True
    >>> saved_puzzle(Instance.of("5x5"), contents.notes) is None
    True
    """
    if notes.get("unique") != checksum(instance):
        return None
    solution = unfold(instance.board, notes.get("solution", ""), instance.closed)
    if solution is None or not instance.satisfied_by(solution.squares):
        return None
    numbers = list[int | None]()
    for name, largest in (("effort", MAX_EFFORT), ("seed", MAX_SEED)):
        text = notes.get(name, "")
        is_number = re.fullmatch(r"[0-9]{1,10}", text) and int(text) <= largest
        numbers.append(int(text) if is_number else None)
    effort, seed = numbers
    return Puzzle(instance, solution, effort=effort, seed=seed, title=notes.get("title"))


def checksum(instance: Instance) -> str:
    """Return the checksum of a board and its constraints, as eight hexadecimal digits."""
    lines = "\n".join(instance.map_lines())
    return hashlib.sha256(lines.encode()).hexdigest()[: 2 * _CHECKSUM]


def fold(tour: Tour) -> str:
    """Return a tour as a short text that does not give it away at a glance; `unfold` reads it.

    The text is a number in Base64, written in mixed radix. Its lowest digit is the index of the
    first square among all squares; each further digit is the index of the next square among the
    neighbors of the one before. The radix of a digit is the number of possible values.
    """
    path, board = tour.squares.tolist(), tour.board
    digits = [(board.squares.tolist().index(path[0]), len(board))]
    for square, following in itertools.pairwise(path):
        neighbors = board.neighbors(square)
        digits.append((neighbors.index(following), len(neighbors)))
    number = 0
    for digit, base in reversed(digits):
        number = number * base + digit
    folded = number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")
    return base64.urlsafe_b64encode(folded).decode().rstrip("=")


def unfold(board: Board, text: str, closed: bool) -> Tour | None:
    """Return the tour that `fold` made a text of, or None for any other text.

    >>> from kt_cp import solve
    >>> tour = solve("5x5").tour
    >>> unfold(tour.board, fold(tour), closed=False) == tour
    True
    """
    try:
        padded = text + "=" * (-len(text) % 4)
        folded = base64.b64decode(padded, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    rest, first = divmod(int.from_bytes(folded, "big"), len(board))
    path = [int(board.squares[first])]
    while len(path) < len(board):
        neighbors = board.neighbors(path[-1])
        if not neighbors:
            return None
        rest, index = divmod(rest, len(neighbors))
        path.append(neighbors[index])
    if rest:
        return None
    squares: Squares = np.array(path, dtype=np.int32)
    try:
        return Tour.from_ids(board, squares, closed)
    except InvalidTourError:
        return None
