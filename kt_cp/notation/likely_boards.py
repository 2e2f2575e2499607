"""Guessing the board of a path for which none is given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from kt_cp.board import Board
from kt_cp.board.piece import KNIGHT
from kt_cp.errors import InputError
from kt_cp.notation.text import Integers

# A board so much larger than its path cannot be meant; the path has a mistake.
_SQUARES_PER_ENTRY = 4
_ALWAYS_ALLOWED = 10**6

# No smaller rectangle than 3x4 has a tour, so a shorter path is no tour with a slip.
_FEWEST = 12

_SAMPLE = 1000
_BEST = 3


def boards_around(rows: Integers, columns: Integers) -> list[Board]:
    """Return the boards that may be meant by squares in these rows and columns, counted from 0.

    These are the smallest rectangle that holds all squares and the smallest square board; and the
    same without the last row or column that occurs, in case it is a slip.
    """
    pairs = [(height, width) for height in sizes(rows) for width in sizes(columns)]
    squares = [(max(pair), max(pair)) for pair in pairs]
    return _boards([*pairs, *squares], len(rows))


def boards_of_ids(moves: Integers, areas: Iterable[int], entries: int) -> list[Board]:
    """Return the boards that may be meant by moves, which are rows of two ids from 0.

    ``areas`` are the numbers of ids that the board may have, ``entries`` is the number of squares
    in the path. The moves determine the width: of the widths at which most of them are legal, those
    that make the smallest boards come first, then the smallest square board.
    """
    sides: list[tuple[int, int]] = []
    for area in dict.fromkeys(areas):
        inside = moves[((moves >= 0) & (moves < area)).all(axis=1)].astype(np.int64)
        side = math.isqrt(area - 1) + 1
        widths = sorted({side, *(width for width in _likely_widths(inside) if width <= area)})
        boards = []
        for pair in _allowed([(-(-area // width), width) for width in widths], entries):
            legal = int(Board(*pair).are_moves(*inside.T).sum())
            boards.append((-legal, math.prod(pair), abs(pair[0] - pair[1]), pair))
        sides += [*(pair for *_, pair in sorted(boards)[:_BEST]), (side, side)]
    return _boards(sides, entries)


def sizes(values: Integers) -> list[int]:
    """Return how many values from 0 on may be meant: all up to the highest, or all but it.

    The highest may be a slip if it occurs once, in a path that is long enough.

    >>> sizes(np.array([0, 7, 8, 1, 6, 11, 4, 9, 900, 5, 10, 3]))
    [901, 12]
    """
    top = int(values.max())
    slip = len(values) >= _FEWEST and np.count_nonzero(values == top) == 1
    second = int(values.max(where=values < top, initial=-1)) if slip else -1
    return [value + 1 for value in (top, second) if value >= 0]


def sample(length: int) -> Integers:
    """Return places in a list, all of a short one; the same at each call, but not periodic.

    >>> sample(4), len(sample(10**6))
    (array([0, 1, 2, 3]), 1000)
    """
    if length <= _SAMPLE:
        return np.arange(max(0, length))
    return np.sort(np.random.default_rng(length).integers(length, size=_SAMPLE))


def _likely_widths(moves: Integers) -> Iterator[int]:
    """Yield the widths that explain the most frequent differences between the ids of a move.

    A jump of r rows and c columns changes the id by r * width + c.
    """
    distances, counts = np.unique(np.abs(moves[:, 1] - moves[:, 0]), return_counts=True)
    frequent = distances[np.argsort(-counts, kind="stable")][: len(KNIGHT.jumps)]
    for distance in frequent.tolist():
        for down, right in KNIGHT.jumps:
            if down > 0 and distance > right and (distance - right) % down == 0:
                yield (distance - right) // down


def _allowed(sides: Iterable[tuple[int, int]], entries: int) -> list[tuple[int, int]]:
    """Return the sides of boards that are not too large for so many entries."""
    most = _SQUARES_PER_ENTRY * entries + _ALWAYS_ALLOWED
    return [pair for pair in dict.fromkeys(sides) if math.prod(pair) <= most]


def _boards(sides: Iterable[tuple[int, int]], entries: int) -> list[Board]:
    boards = [Board(*pair) for pair in _allowed(sides, entries)]
    if not boards:
        raise InputError(
            "the board cannot be detected: some squares are too far off for so short a path; "
            "give the board, such as 8x8"
        )
    return boards
