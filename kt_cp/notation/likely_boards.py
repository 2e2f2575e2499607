"""Which boards may be meant where none is told."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from kt_cp.board import Board
from kt_cp.board.piece import KNIGHT
from kt_cp.errors import InputError
from kt_cp.notation.text import Integers

# A board this much larger than its path is not meant: the path holds a slip.
_SQUARES_PER_ENTRY = 4
_ALWAYS_ALLOWED = 10**6

# No smaller rectangle than 3x4 has a tour, so a shorter path is no tour with a slip.
_FEWEST = 12

_SAMPLE = 1000
_BEST = 3


def boards_around(rows: Integers, columns: Integers) -> list[Board]:
    """Return the boards that may be meant by squares at these rows and columns, counted from 0.

    They are the smallest rectangle that holds all and the smallest square; and the same without
    the lowest row and the rightmost column that occur, in case these are slips.
    """
    heights, widths = _highest_two(rows), _highest_two(columns)
    pairs = [(height, width) for height in heights for width in widths]
    sides = [max(pair) for pair in pairs]
    return _allowed([*pairs, *((side, side) for side in sides)], len(rows))


def boards_of_ids(moves: Integers, highest: Iterable[int], entries: int) -> list[Board]:
    """Return the boards that may be meant by moves, a sample of them: rows of two ids from 0.

    ``highest`` are the ids that may be the last one of the board, ``entries`` says how many squares
    were named. The ids fix how wide it is: of the widths at which most moves are legal the smallest
    boards are taken, then the smallest square.
    """
    a, b = moves.astype(np.int64).T
    sides = []
    for area in {int(value) + 1 for value in highest}:
        inside = (a >= 0) & (b >= 0) & (a < area) & (b < area)
        square = math.isqrt(area - 1) + 1
        scored = []
        for width in sorted({square, *_likely_widths(a[inside], b[inside])}):
            if width > area:
                continue
            height = -(-area // width)
            if _is_allowed(height, width, entries):
                legal = int(Board(height, width).are_moves(a[inside], b[inside]).sum())
                scored.append((-legal, height * width, abs(height - width), height, width))
        sides += [pair[3:] for pair in sorted(scored)[:_BEST]]
        sides.append((square, square))
    return _allowed(sides, entries)


def highest_ids(ids: Integers) -> list[int]:
    """Return the ids that may be the last of the board: the highest, or the next if that is a slip.

    >>> highest_ids(np.array([0, 7, 8, 1, 6, 11, 4, 9, 900, 5, 10, 3]))
    [900, 11]
    """
    return [side - 1 for side in _highest_two(ids)]


def sample(length: int) -> Integers:
    """Return places spread over a list, all of a short one; always the same, but in no rhythm.

    >>> sample(4), len(sample(10**6))
    (array([0, 1, 2, 3]), 1000)
    """
    if length <= _SAMPLE:
        return np.arange(max(0, length))
    return np.sort(np.random.default_rng(length).integers(length, size=_SAMPLE))


def _likely_widths(sources: Integers, targets: Integers) -> Iterator[int]:
    """Turn the most frequent differences between the ids of a move into widths.

    A jump of r rows and c columns changes the id by r * width + c.
    """
    distances, counts = np.unique(np.abs(targets - sources), return_counts=True)
    frequent = distances[np.argsort(-counts, kind="stable")][: len(KNIGHT.jumps)]
    for distance in frequent.tolist():
        for down, right in KNIGHT.jumps:
            if down > 0 and distance > right and (distance - right) % down == 0:
                yield (distance - right) // down


def _highest_two(values: Integers) -> list[int]:
    """Return how many values there may be from 0 on: to the highest, or without it if it is a slip.

    It may be a slip where it occurs once in a path that is long enough.
    """
    top = int(values.max())
    slip = len(values) >= _FEWEST and np.count_nonzero(values == top) == 1
    second = int(values.max(where=values < top, initial=-1)) if slip else -1
    return [value + 1 for value in (top, second) if value >= 0]


def _allowed(sides: Iterable[tuple[int, int]], entries: int) -> list[Board]:
    boards = [
        Board(*pair) for pair in dict.fromkeys(sides) if _is_allowed(pair[0], pair[1], entries)
    ]
    if not boards:
        raise InputError(
            "the board cannot be found out: squares too far out for so short a path; "
            "give the board, such as 8x8"
        )
    return boards


def _is_allowed(rows: int, columns: int, entries: int) -> bool:
    return rows * columns <= _SQUARES_PER_ENTRY * entries + _ALWAYS_ALLOWED
