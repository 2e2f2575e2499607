"""The method ``compose``: large full rectangles from small solved ones, in linear time.

The rectangle is divided into tiles with sides from 5 to 16, which follow each other as a snake:
along one row and back the next. Every tile is a closed tour with a link on each side, an edge that
faces the link of the neighboring tile; exchanging the two for the moves that cross the border joins
the two tours (Parberry 1997, for his tiles). On a board of odd sides the first tile is odd, and an
open tour. The circuit model solves each kind of tile once.

`tests/methods/test_compose.py` checks that every tile there can be has such a tour. So a rectangle
with sides from 5 on is composed whenever the colors allow a tour. That closed tours exist is
Schwenk's theorem; that open ones do from sides of 5 on is a theorem of Cull and De Curtins
(Knight's tour revisited, 1978).
"""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.methods.answers import Answer, UnsupportedError, found, out_of_time, refuted
from kt_cp.methods.circuit import answer as circuit_answer
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.reasons import SHORT_REASONS, refute

Place = tuple[int, int]
Places = npt.NDArray[np.int32]
Side = tuple[int, int]
"""A side of a tile, by the rows and columns to the neighbor there."""

TOP, BOTTOM, LEFT, RIGHT = SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))

# How many tours each kind of tile has, so that a large board is not the same everywhere.
VARIANTS = 5

# The tiles whose tours are kept for the next time.
_KEPT = 1_000

# About how many seconds a square takes to be written and validated, which cannot be interrupted.
_SECONDS = 1e-7


def composable(instance: Instance, shortest: int = 5) -> bool:
    """Return whether an instance is one for `compose`: a full rectangle without short sides.

    Where the number of squares is even, one end may be given.

    >>> composable(Instance(Board(5, 100), start=7)), composable(Instance(Board(5, 5), start=0))
    (True, False)
    """
    board = instance.graph
    if not isinstance(board, Board) or min(board.rows, board.columns) < shortest:
        return False
    start, end = instance.start, instance.end
    bare = Instance(Board(board.rows, board.columns), closed=instance.closed, start=start, end=end)
    most = 1 - len(board) % 2
    return (start is not None) + (end is not None) <= most and instance == bare


def answer(task: Task) -> Answer:
    """Return a composed tour of a full rectangle, or a reason why there is none."""
    instance, clock = task.instance, task.clock
    if not composable(instance):
        raise UnsupportedError(
            "method compose: for a knight on a full rectangle with sides from 5 on, and no "
            "constraint but, on an even number of squares, an end; method patch takes the others"
        )
    if reason := refute(instance, clock, SHORT_REASONS):
        return refuted(reason)
    if clock.remaining <= _SECONDS * len(instance.graph):
        return out_of_time(instance, clock)
    squares = compose_rectangle(instance.board.rows, instance.board.columns, task.seed)
    if (instance.start, instance.end) != (None, None):  # on an even board the tour is closed
        graph = TourGraph(instance)
        squares = graph.tour(graph.nodes(squares))
    squares.flags.writeable = False  # so that a tour keeps it without a copy
    return found(squares)


def compose_rectangle(rows: int, columns: int, seed: int) -> Squares:
    """Return a tour of a rectangle as ids, a closed one if the number of squares is even.

    The tour goes away through all tiles, and back through what it has left of each.
    """
    heights, widths = divided(rows), divided(columns)
    tops, lefts = ([0, *itertools.accumulate(parts)] for parts in (heights, widths))
    squares = np.empty(rows * columns, dtype=np.int32)
    first, last = 0, len(squares)  # between them nothing is written yet
    snake = [
        (row, column)
        for row in range(len(heights))
        for column in range(len(widths))[:: -1 if row % 2 else 1]
    ]
    enter, port = None, 0
    for (row, column), following in itertools.zip_longest(snake, snake[1:]):
        leave = following and (following[0] - row, following[1] - column)
        # Neighbors have other tours, in no simple pattern.
        variant = (row * row + 3 * row * column + 2 * column * column) % VARIANTS
        shape, corner = (heights[row], widths[column]), tops[row] * columns + lefts[column]
        away, back, port = _strands(shape, enter, port, leave, columns, seed + variant)
        end, begin = first + len(away), last - len(back)
        np.add(away, corner, out=squares[first:end])
        np.add(back, corner, out=squares[begin:last])
        first, last = end, begin
        enter = leave and (-leave[0], -leave[1])
    return squares


def divided(side: int) -> tuple[int, ...]:
    """Return the parts of a side: one from 5 to 16, and then twelves.

    >>> divided(29), divided(12)
    ((5, 12, 12), (12,))
    """
    twelves, more = divmod(side - 5, 12)
    return (5 + more, *[12] * twelves)


@lru_cache(_KEPT)
def _strands(
    shape: Place, enter: Side | None, port: int, leave: Side | None, columns: int, seed: int
) -> tuple[Squares, Squares, int]:
    """Open the tour of a tile where it is entered, and divide it where it is left.

    Return what runs away to the next tile and what runs back, as ids beside the tile's corner, and
    the end of the link at which the way away arrives.
    """
    places = tile_tour(shape, leave, seed)
    if enter:
        entry = ports(*shape, enter)
        places = np.roll(places, -_index(places, entry[port]), axis=0)
        if tuple(places[-1].tolist()) != entry[1 - port]:
            places = np.roll(places[::-1], 1, axis=0)
    ids = places @ np.array([columns, 1], dtype=np.int32)
    if leave is None:
        return ids, ids[:0], port
    one, other = (_index(places, place) for place in ports(*shape, leave))
    last = len(ids) - 1
    if {one, other} == {0, last}:
        return ids, ids[:0], int(other == last)
    seam = min(one, other) + 1
    return ids[:seam], ids[seam:], int(other < one)


def _index(places: Places, place: Place) -> int:
    return int(np.flatnonzero((places == place).all(axis=1))[0])


def ports(height: int, width: int, side: Side) -> tuple[Place, Place]:
    """Return the ends of a side's link. The first is a move from the neighbor's first, and so on.

    The two are of opposite colors. No link is near enough to a corner to take one of the only two
    moves that the corner has from it when a path ends on the link; on sides of 7 it has to be moved
    for that.
    """
    row = 1 if height == 7 else 2
    column = 5 if width == 7 else 3
    return {
        TOP: ((0, column), (1, column - 2)),
        BOTTOM: ((height - 2, column + 1), (height - 1, column - 1)),
        LEFT: ((row, 0), (row + 2, 1)),
        RIGHT: ((row - 1, width - 2), (row + 1, width - 1)),
    }[side]


@lru_cache(_KEPT)
def tile_tour(shape: Place, leave: Side | None, seed: int) -> Places:
    """Return a tour of a tile as places in order.

    A closed tour has a link on every side. An open one, of an odd tile, has a link where it is to
    be left.
    """
    closed = shape[0] * shape[1] % 2 == 0
    if closed and leave:  # a tour for any side
        return tile_tour(shape, None, seed)
    require = [ports(*shape, side) for side in (SIDES if closed else [leave] if leave else [])]
    instance = Instance.of(Board(*shape), closed=closed, require=require)
    answer = circuit_answer(Task(instance, seed=seed))
    assert answer.squares is not None
    return np.stack(np.divmod(answer.squares, shape[1]), 1)
