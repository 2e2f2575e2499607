"""Patterns of clues: on which squares the numbers of a puzzle stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from kt_cp.board import Board
from kt_cp.board.board import SquareLike
from kt_cp.board.maps import marked_cells
from kt_cp.board.symmetry import Symmetry, images_under
from kt_cp.messages import InputError, pluralize


class PatternName(StrEnum):
    """The patterns that have a name."""

    SYMMETRIC = "symmetric"
    BORDER = "border"
    DIAGONAL = "diagonal"


@dataclass(frozen=True)
class Pattern:
    """Where the numbers of a puzzle stand.

    Each group of squares shows its numbers together. Of the named patterns, the groups of
    ``symmetric`` are the pairs of squares that a half-turn maps onto each other; a puzzle shows
    only those that it needs. Any other pattern is ``whole``: all squares of its one group show
    their numbers, and other squares show numbers only where these do not determine the tour (see
    `Puzzle.off_pattern`).
    """

    groups: tuple[frozenset[int], ...]
    whole: bool

    @classmethod
    def of(cls, board: Board, pattern: PatternName | Iterable[SquareLike]) -> Pattern:
        """Return the pattern of a name, or that of some squares.

        Raises `InputError` if the board has no such pattern.

        >>> len(Pattern.of(Board(4, 4), PatternName.SYMMETRIC).groups)
        8
        >>> sorted(Pattern.of(Board(3, 3, holes=[4]), PatternName.DIAGONAL).squares)
        [0, 2, 6, 8]
        """
        if pattern == PatternName.SYMMETRIC:
            return cls(_pairs_by_half_turn(board), whole=False)
        if pattern == PatternName.BORDER:
            squares = _border(board)
        elif pattern == PatternName.DIAGONAL:
            squares = _diagonals(board)
        else:
            squares = {board.vertex(square, "clue") for square in pattern}
        if not squares:
            raise InputError(f"clues: the pattern has no square of {board.title}")
        return cls((frozenset(squares),), whole=True)

    @classmethod
    def parse(cls, board: Board, text: str) -> Pattern:
        """Return the pattern that a map of the size of the board marks.

        Marks are those of `marked_cells`. Raises `InputError` for a map of another size, and for a
        mark on a hole of the board.

        >>> sorted(Pattern.parse(Board(2, 3), "X.X\\n.o.").squares)
        [0, 2, 4]
        """
        rows, columns, marked = marked_cells(text)
        if (rows, columns) != (board.rows, board.columns):
            drawn = f"the pattern of clues has {pluralize(rows, 'row')} of {columns}"
            raise InputError(f"{drawn}; {board.title} needs {board.rows} of {board.columns}")
        return cls.of(board, marked)

    @property
    def squares(self) -> frozenset[int]:
        """All squares on which numbers may stand."""
        return frozenset().union(*self.groups)


def _pairs_by_half_turn(board: Board) -> tuple[frozenset[int], ...]:
    """Return each square with its image under the half-turn.

    Raises `InputError` if the holes of the board are not symmetric.
    """
    images = images_under(board, Symmetry.HALF_TURN).tolist()
    pairs = {frozenset((square, images[square])) for square in board.squares.tolist()}
    if any(square in board.holes for pair in pairs for square in pair):
        raise InputError(f"clues symmetric: no half-turn maps {board.title} onto itself")
    return tuple(sorted(pairs, key=min))


def _border(board: Board) -> set[int]:
    """Return the squares beside the outside or a hole, in rows and columns."""
    mask = np.pad(board.grid(board.mask), 1)
    inside = mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
    is_border = board.grid(board.mask) & ~inside
    return set(np.flatnonzero(is_border).tolist())


def _diagonals(board: Board) -> set[int]:
    """Return the squares on lines from corner to corner, as near as the rows allow."""
    rows = np.arange(board.rows)
    columns = np.rint(rows * (board.columns - 1) / max(1, board.rows - 1)).astype(int)
    falling = rows * board.columns + columns
    rising = rows * board.columns + columns[::-1]
    return {*falling.tolist(), *rising.tolist()} - set(board.holes)
