"""The method ``compose``: large full rectangles from small solved ones, in linear time.

The rectangle is divided into tiles with sides from 5 to 16, which follow each other as a snake:
along one row of tiles and back along the next. Every tile has a closed tour with a *link* on each
side: an edge that faces the link of the neighboring tile. Exchanging the two links for the two
moves that cross the border between them joins both tours (Parberry 1997, for his tiles). On a board
of odd sides the first tile is odd, and its tour open. The circuit model solves each kind of tile
once.

The composed tour crosses all tiles by one strand of each, *away*, and returns by the other, *back*:
a tile's tour is divided into them at its links.

`tests/methods/test_compose.py` checks that every tile there can be has such a tour. So a rectangle
with sides from 5 on is composed whenever the colors allow a tour. That closed tours exist is
Schwenk's theorem; that open ones do from sides of 5 on is a theorem of Cull and De Curtins
(Knight's tour revisited, 1978).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares, coordinates, rotated
from kt_cp.board import Board
from kt_cp.methods.circuit import answer as circuit_answer
from kt_cp.methods.method import Answer, UnsupportedError, found, out_of_time, refuted
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.proof.reasons import RECTANGLE_REASONS, refute

# The seconds that a square of a composed tour takes, with its validation.
_COMPOSED_SQUARE = 1e-7

Place = tuple[int, int]
"""A row and a column."""

Shape = tuple[int, int]
"""A height and a width."""

Places = npt.NDArray[np.int32]
"""Rows of places: the squares of a tile in visiting order."""

Side = tuple[int, int]
"""A side of a tile: the rows and columns from the tile to its neighbor on that side."""

TOP: Side = (-1, 0)
BOTTOM: Side = (1, 0)
LEFT: Side = (0, -1)
RIGHT: Side = (0, 1)
SIDES = (TOP, BOTTOM, LEFT, RIGHT)

VARIANTS = 5
"""How many tours of each kind of tile are used, so that a large tour has no visible pattern."""

# The most tiles whose tours are cached.
_MAX_KEPT_TILES = 1_000


def is_composable(instance: Instance) -> bool:
    """Return whether this method applies: a full rectangle with sides from 5 on, and no constraint.

    One end may be given if the number of squares is even.

    >>> is_composable(Instance(Board(5, 100), start=7)), is_composable(Instance(Board(4, 7)))
    (True, False)
    """
    board = instance.graph
    if not isinstance(board, Board) or min(board.rows, board.columns) < 5:
        return False
    plain, start, end = Board(board.rows, board.columns), instance.first, instance.last
    if (start is not None or end is not None) and (len(board) % 2 == 1 or None not in (start, end)):
        return False
    return instance == Instance(plain, closed=instance.closed, start=start, end=end)


def has_tour_unless_short_reason(instance: Instance) -> bool:
    """Return whether the instance has a tour if none of the `RECTANGLE_REASONS` applies to it.

    That holds for those that are composed, with sides from 6 on.
    """
    return is_composable(instance) and min(instance.board.rows, instance.board.columns) >= 6


def answer(task: Task) -> Answer:
    """Return a composed tour of a full rectangle, or a reason why there is none.

    Raises `UnsupportedError` for an instance for which `is_composable` is false.
    """
    instance, clock = task.instance, task.clock
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


@dataclass(frozen=True)
class _Strands:
    """The strands of a tile, or of a row of tiles, as ids relative to its first square.

    ``away`` runs to the next tile, and ``back`` returns from there. ``port`` (0 or 1, an index into
    `ports`) is the end of the next tile's link at which the away strand arrives.
    """

    away: Squares
    back: Squares
    port: int


def compose_rectangle(rows: int, columns: int, seed: int) -> Squares:
    """Return a tour of a rectangle as ids, a closed one if the number of squares is even."""
    heights, widths = tile_sides(rows), tile_sides(columns)
    squares = np.empty(rows * columns, dtype=np.int32)
    first, last = 0, len(squares)  # the squares between these indices are not written yet
    first_square, port = 0, 0  # of the row of tiles
    strands_by_kind: dict[tuple[int, ...], _Strands] = {}
    for row, height in enumerate(heights):
        is_last = row == len(heights) - 1
        # The direction and the choice of variants repeat with this period.
        key = (height, row == 0, is_last, row % (2 * VARIANTS), port)
        if key not in strands_by_kind:
            strands_by_kind[key] = _row_of_tiles(row, height, widths, is_last, port, seed)
        strands = strands_by_kind[key]
        np.add(strands.away, first_square, out=squares[first : first + len(strands.away)])
        np.add(strands.back, first_square, out=squares[last - len(strands.back) : last])
        first += len(strands.away)
        last -= len(strands.back)
        first_square += height * columns
        port = strands.port
    return squares


def _row_of_tiles(
    row: int,
    height: int,
    widths: tuple[int, ...],
    is_last: bool,
    port: int,
    seed: int,
) -> _Strands:
    """Return the strands of a row of tiles, which is entered at a port from the row above.

    The first row is not entered. ``is_last`` tells whether there is no row below.
    """
    corners = [0, *itertools.accumulate(widths)]
    ahead, behind = (RIGHT, LEFT) if row % 2 == 0 else (LEFT, RIGHT)
    order = list(range(len(widths)))
    if ahead == LEFT:
        order.reverse()
    away: list[Squares] = []
    back: list[Squares] = []
    for position, tile in enumerate(order):
        enter: Side | None = behind
        if position == 0:
            enter = None if row == 0 else TOP
        leave: Side | None = ahead
        if position == len(order) - 1:
            leave = None if is_last else BOTTOM
        # A quadratic form gives neighboring tiles different tours in no simple pattern.
        variant = (row * row + 3 * row * tile + 2 * tile * tile) % VARIANTS
        shape = height, widths[tile]
        strands = _tile_strands(shape, enter, port, leave, corners[-1], seed + variant)
        away.append(strands.away + np.int32(corners[tile]))
        back.append(strands.back + np.int32(corners[tile]))
        port = strands.port
    return _Strands(np.concatenate(away), np.concatenate(back[::-1]), port)


def tile_sides(length: int) -> tuple[int, ...]:
    """Return the sides of the tiles along a side of the board: one from 5 to 16, and then twelves.

    >>> tile_sides(29), tile_sides(12)
    ((5, 12, 12), (12,))
    """
    twelves, rest = divmod(length - 5, 12)
    return (5 + rest, *[12] * twelves)


@lru_cache(_MAX_KEPT_TILES)
def _tile_strands(
    shape: Shape, enter: Side | None, port: int, leave: Side | None, columns: int, seed: int
) -> _Strands:
    """Return the strands of a tile, which is entered at a port and left by the link of a side.

    Its tour is opened at the port and divided at the link. ``columns`` is that of the board.
    """
    places = tile_tour(shape, leave, seed)
    if enter is not None:
        link = ports(*shape, enter)
        places = _opened(places, link[port], link[1 - port])
    ids = places @ np.array([columns, 1], dtype=np.int32)
    if leave is None:
        return _Strands(ids, ids[:0], port)
    first, second = (_index(places, place) for place in ports(*shape, leave))
    last = len(ids) - 1
    # The away strand ends where the tour meets the link; the link may also close the tour.
    away_end = last if {first, second} == {0, last} else min(first, second)
    next_port = 0 if away_end == first else 1
    return _Strands(ids[: away_end + 1], ids[away_end + 1 :], next_port)


def _opened(places: Places, first: Place, last: Place) -> Places:
    """Return a closed tour from one place to a place next to it on the tour, the long way."""
    places = np.roll(places, -_index(places, first), axis=0)
    if tuple(places[-1].tolist()) == last:
        return places
    return np.roll(places[::-1], 1, axis=0)


def _index(places: Places, place: Place) -> int:
    """Return the index of a place in a tour."""
    return int(np.flatnonzero((places == place).all(axis=1))[0])


def ports(height: int, width: int, side: Side) -> tuple[Place, Place]:
    """Return the two ends of a side's link.

    The first end is a move away from the first end of the facing link, and the second from the
    second. The ends have opposite colors. No end is a square to which a corner has a move: a path
    that ends there would leave the corner with one move. On sides of 7 the links are shifted for
    that.
    """
    row = 1 if height == 7 else 2
    column = 5 if width == 7 else 3
    links = {
        TOP: ((0, column), (1, column - 2)),
        BOTTOM: ((height - 2, column + 1), (height - 1, column - 1)),
        LEFT: ((row, 0), (row + 2, 1)),
        RIGHT: ((row - 1, width - 2), (row + 1, width - 1)),
    }
    return links[side]


@lru_cache(_MAX_KEPT_TILES)
def tile_tour(shape: Shape, leave: Side | None, seed: int) -> Places:
    """Return a tour of a tile: its places, a row each, in visiting order.

    A tile with an even number of squares has a closed tour with a link on every side. The tour of
    an odd tile is open, with a link only on the side where it is left.
    """
    closed = shape[0] * shape[1] % 2 == 0
    if closed and leave is not None:  # the same tour serves all sides
        return tile_tour(shape, None, seed)
    sides: tuple[Side, ...] = ()
    if closed:
        sides = SIDES
    elif leave is not None:
        sides = (leave,)
    require = [ports(*shape, side) for side in sides]
    instance = Instance.of(Board(*shape), closed=closed, require=require)
    answer = circuit_answer(Task(instance, seed=seed))
    assert answer.squares is not None
    return coordinates(answer.squares, shape[1])
