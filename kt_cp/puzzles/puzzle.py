"""The puzzle: an instance with exactly one solution, and how it is saved and read again.

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
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.graph import Pictured
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED
from kt_cp.puzzles.level import MAX_EFFORT, Level
from kt_cp.tour.tour import InvalidTourError, Tour

# Bytes of the checksum of a puzzle's clues, which guards against an edited map, not against malice.
_CHECKSUM = 4


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
    def grade(self) -> Level | None:
        """The level, by its name in version 1.0, which is deprecated."""
        warnings.warn("Puzzle.grade is now Puzzle.level", DeprecationWarning, stacklevel=2)
        return self.level

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
    >>> from kt_cp.problem.constraints import parse_map
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
    effort = None
    if "level" in notes:  # a file that has a grade in its place has an effort of another scale
        effort = _noted_number(notes, "effort", MAX_EFFORT)
    seed = _noted_number(notes, "seed", MAX_SEED)
    return Puzzle(instance, solution, effort=effort, seed=seed, title=notes.get("title"))


def _noted_number(notes: Mapping[str, str], name: str, largest: int) -> int | None:
    """Return the number from 0 to ``largest`` that a note holds, or None if it holds none."""
    text = notes.get(name, "")
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > largest:
        return None
    return int(text)


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
