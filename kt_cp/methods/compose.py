"""The method ``compose``: large full rectangles from small solved ones, in linear time.

The rectangle is divided into tiles with sides from 5 to 16, which follow each other as a snake:
along one row of tiles and back along the next. Every tile has a closed tour with a *link* on each
side: an edge that faces the link of the neighboring tile. Exchanging the two links for the two
moves that cross the border between them joins both tours (Parberry 1997, for his tiles). On a board
of odd sides the first tile is odd, and its tour open. The circuit model solves each kind of tile
once.

The composed tour crosses all tiles by one strand of each, *away*, and returns by the other, *back*:
a tile's tour is divided into them at its links, and so is a row of tiles.

The tests check that every possible tile has such a tour. So a rectangle with sides from 5 on
is composed whenever the colors allow a tour (Schwenk 1991; Cull and De Curtins, Knight's tour
revisited, 1978).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Squares, coordinates, rotated
from kt_cp.board import Board
from kt_cp.methods.circuit import answer as circuit_answer
from kt_cp.methods.method import (
    Answer,
    UnsupportedError,
    found,
    is_composable,
    out_of_time,
    refuted,
)
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.proof.refutation import RECTANGLE_REASONS, refute

# The seconds that a square of a composed tour takes, with its validation.
_COMPOSED_SQUARE = 1e-7

SIDES = TOP, BOTTOM, LEFT, RIGHT = range(4)
"""The sides of a tile."""

VARIANTS = 5
"""How many tours of each kind of tile are used, so that a large tour has no visible pattern."""

# The most tiles, and rows of tiles, whose tours are cached.
_MAX_KEPT_TILES = 1_000
_MAX_KEPT_ROWS = 50


def answer(task: Task) -> Answer:
    """Return a composed tour of a full rectangle, or a reason why there is none.

    Raises `UnsupportedError` for an instance for which `is_composable` is false.
    """
    instance = task.instance
    clock = task.clock
    if not is_composable(instance):
        raise UnsupportedError(
            "method compose: for a knight on a full rectangle with sides from 5 on, and no "
            "constraint but one end if the number of squares is even; method patch takes the others"
        )
    if clock.remaining <= _COMPOSED_SQUARE * len(instance.graph):
        return out_of_time(instance, clock)
    # Without a clock, which would skip reasons: these take no time, and an odd number of squares
    # would be composed to a path that does not close.
    if reason := refute(instance, reasons=RECTANGLE_REASONS):
        return refuted(reason)
    squares = compose_rectangle(instance.board.rows, instance.board.columns, task.seed)
    if instance.first is not None:
        squares = rotated(squares, instance.first)
    elif instance.last is not None:
        squares = rotated(squares, instance.last)[::-1]
    squares.flags.writeable = False  # so that a tour keeps it without a copy
    return found(squares)


class Strands(NamedTuple):
    """The strands of a tile, a row of tiles or the board, as ids relative to its first square.

    ``away`` runs to the next tile, and ``back`` returns from there. ``port`` (0 or 1, an index into
    `ports`) is the end of the next tile's link at which the away strand arrives.
    """

    away: Squares
    back: Squares
    port: int


def compose_rectangle(rows: int, columns: int, seed: int) -> Squares:
    """Return a tour of a rectangle as ids, a closed one if the number of squares is even."""
    heights, widths = tile_sides(rows), tile_sides(columns)
    away, back = list[Squares](), list[Squares]()
    first_square = port = 0
    for row, height in enumerate(heights):
        is_last = row == len(heights) - 1
        # Rows with the same pattern share a cached row: the direction and the choice of variants
        # repeat with this period. Row 0 alone is not entered.
        pattern_row = 0 if row == 0 else 2 * VARIANTS + row % (2 * VARIANTS)
        strands = _row_of_tiles(pattern_row, height, widths, is_last, port, seed)
        away.append(strands.away + np.int32(first_square))
        back.append(strands.back + np.int32(first_square))
        port = strands.port
        first_square += height * columns
    return np.concatenate([*away, *back[::-1]])


@lru_cache(_MAX_KEPT_ROWS)
def _row_of_tiles(
    row: int, height: int, widths: tuple[int, ...], is_last: bool, port: int, seed: int
) -> Strands:
    """Return the strands of a row of tiles, which is entered at a port from the row above.

    Row 0 is not entered. ``is_last`` tells whether there is no row below.
    """
    corners = [0, *itertools.accumulate(widths)]
    order = range(len(widths))
    ahead = RIGHT
    behind = LEFT
    if row % 2:  # the tiles of every other row are passed from right to left
        order = order[::-1]
        ahead = LEFT
        behind = RIGHT
    away, back = list[Squares](), list[Squares]()
    for tile in order:
        enter = leave = None
        if tile != order[0]:
            enter = behind
        elif row:
            enter = TOP
        if tile != order[-1]:
            leave = ahead
        elif not is_last:
            leave = BOTTOM
        # A quadratic form gives neighboring tiles different tours in no simple pattern.
        variant = (row * row + 3 * row * tile + 2 * tile * tile) % VARIANTS
        shape = height, widths[tile]
        strands = _tile_strands(shape, enter, port, leave, corners[-1], seed + variant)
        away.append(strands.away + np.int32(corners[tile]))
        back.append(strands.back + np.int32(corners[tile]))
        port = strands.port
    return Strands(np.concatenate(away), np.concatenate(back[::-1]), port)


def tile_sides(length: int) -> tuple[int, ...]:
    """Return the sides of the tiles along a side of the board: one from 5 to 16, and then twelves.

    >>> tile_sides(29), tile_sides(12)
    ((5, 12, 12), (12,))
    """
    twelves, rest = divmod(length - 5, 12)
    return (5 + rest, *[12] * twelves)


@lru_cache(_MAX_KEPT_TILES)
def _tile_strands(
    shape: tuple[int, int], enter: int | None, port: int, leave: int | None, columns: int, seed: int
) -> Strands:
    """Return the strands of a tile, which is entered at a port and left by the link of a side."""
    per_row = np.array([columns, 1], dtype=np.int32)
    ids = tile_tour(shape, leave, seed) @ per_row
    if enter is not None:  # the long way from one end of the link to the other
        link = ports(*shape, enter) @ per_row
        ids = rotated(ids, link[port])
        if ids[-1] != link[1 - port]:
            ids = rotated(ids[::-1], link[port])
    if leave is None:
        return Strands(ids, ids[:0], port)
    first, second = (int(np.flatnonzero(ids == end)[0]) for end in ports(*shape, leave) @ per_row)
    last = len(ids) - 1
    # The away strand ends where the tour meets the link; the link may also close the tour.
    away_end = last if {first, second} == {0, last} else min(first, second)
    return Strands(ids[: away_end + 1], ids[away_end + 1 :], 0 if away_end == first else 1)


def ports(height: int, width: int, side: int) -> Ints:
    """Return the two ends of a side's link, as rows (row, column).

    The first end is a move away from the first end of the facing link, and the second from the
    second. The ends have opposite colors. No end is a square to which a corner has a move: a path
    that ends there would leave the corner with one move. On sides of 7 the links are shifted for
    that.
    """
    row = 1 if height == 7 else 2
    column = 5 if width == 7 else 3
    links = (
        ((0, column), (1, column - 2)),
        ((height - 2, column + 1), (height - 1, column - 1)),
        ((row, 0), (row + 2, 1)),
        ((row - 1, width - 2), (row + 1, width - 1)),
    )
    return np.array(links[side], dtype=np.int32)


@lru_cache(_MAX_KEPT_TILES)
def tile_tour(shape: tuple[int, int], leave: int | None, seed: int) -> Ints:
    """Return a tour of a tile: the row and column of its squares in visiting order.

    A tile with an even number of squares has a closed tour with a link on every side. The tour of
    an odd tile is open, with a link only on the side where it is left.
    """
    closed = shape[0] * shape[1] % 2 == 0
    if closed and leave is not None:  # the same tour serves all sides
        return tile_tour(shape, None, seed)
    sides: Sequence[int] = ()
    if closed:
        sides = SIDES
    elif leave is not None:
        sides = (leave,)
    require = [tuple(map(tuple, ports(*shape, side).tolist())) for side in sides]
    instance = Instance.of(Board(*shape), closed=closed, require=require)
    answer = circuit_answer(Task(instance, seed=seed))
    assert answer.squares is not None
    return coordinates(answer.squares, shape[1])
