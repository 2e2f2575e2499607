"""The method ``compose``: large full rectangles from small solved ones, in linear time.

The rectangle is divided into tiles of sides 5 to 11, which follow each other as a snake. Every tile
of an even number of squares is a closed tour with a link to each neighbor; exchanging two facing
links for the moves between them joins the two tours (Parberry 1997, for his tiles). On boards of
odd sides one tile is odd: an open tour, from the start if one is given.

Every even tile has a closed tour with links on all four sides, and every odd tile has an open one,
from any square of the corners' color in one of the first ways to divide the board, as seen from one
of the corners. `tests/methods/test_compose_complete.py` checks this for the tiles and for all
odd boards with sides of up to 21; a longer board has more even tiles. So a rectangle with sides
from 5 on is composed whenever the colors allow a tour. That closed tours exist is Schwenk's
theorem; that open ones do from sides of 5 on is a theorem of Cull and De Curtins (Knight's tour
revisited, Fibonacci Quarterly 16, 1978).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from kt_cp.board import Squares
from kt_cp.methods.answers import Answer, UnsupportedError, found, gave_up, out_of_time, refuted
from kt_cp.methods.compose.snake import Snake
from kt_cp.methods.compose.tiles import (
    Frame,
    NoTile,
    Place,
    Tiles,
    composable,
    divisions,
    frames,
    index_of,
)
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import SHORT_REASONS, refute

# About how many seconds a square takes to be written and validated, which cannot be interrupted.
_SECONDS = 6e-8

# Nearly always the first way to cut the board will do, and by the argument above one of the first
# 48 as seen from one of the corners along one of its sides.
MOST_WAYS = 400


def compose_rectangle(instance: Instance, clock: Clock, seed: int = 0) -> Squares | None:
    """Return a tour as ids in visiting order, or None when no composition of it was found.

    Raises `OutOfTime` when the clock's limit is reached.

    >>> from kt_cp.board import Board
    >>> tour = compose_rectangle(Instance(Board(12, 100), start=0), Clock())
    >>> len(tour), int(tour[0])
    (1200, 0)
    """
    tiles = Tiles(clock, seed)
    for snake in itertools.islice(_snakes(instance, tiles), MOST_WAYS):
        clock.check()
        try:
            order = np.ascontiguousarray(_order(instance, snake))
        except NoTile:
            continue
        order.flags.writeable = False  # so that a tour keeps it without a copy
        return order
    return None


def _snakes(instance: Instance, tiles: Tiles) -> Iterator[Snake]:
    """Yield ways to cut the board into tiles, in turn from each corner along each side."""
    views = [_divided(frame, instance, tiles) for frame in frames(instance.board)]
    while views:
        for view in list(views):
            if snake := next(view, None):
                yield snake
            else:
                views.remove(view)


def _divided(frame: Frame, instance: Instance, tiles: Tiles) -> Iterator[Snake]:
    """Yield ways to cut the board as seen; the tile of an odd board holds one of its ends."""
    ends = instance.ends if len(instance.board) % 2 else ()
    for row, column in map(frame.place, ends) if ends else [(None, None)]:
        for heights in divisions(frame.rows, row):
            for widths in divisions(frame.columns, column):
                if len(widths) > 1 or len(heights) == 1:  # a snake goes along rows
                    yield Snake(frame, heights, widths, tiles)


def _order(instance: Instance, snake: Snake) -> Squares:
    given = instance.start if instance.end is None else instance.end
    start = None if given is None else snake.frame.place(given)
    if len(snake.squares) % 2:
        _write_odd(snake, start)
    else:
        _write_cycle(snake, start or (0, 0))
    return snake.squares if instance.end is None else snake.squares[::-1]


def _write_cycle(snake: Snake, start: Place) -> None:
    """Write a closed tour from a square on; opened, it is an open tour from there."""
    tile, place = snake.find(start)
    cycle = snake.tiles.cycle(*snake.shape(tile))
    from_start = np.roll(cycle, -index_of(cycle, place), axis=0)
    snake.write_path(tile, from_start, snake.hanging(tile))


def _write_odd(snake: Snake, start: Place | None) -> None:
    """Write an open tour whose ends are both in the odd tile."""
    if start is None:
        odd_row = [height % 2 for height in snake.heights].index(1)
        odd_column = [width % 2 for width in snake.widths].index(1)
        tile, _ = snake.find((snake.tops[odd_row], snake.lefts[odd_column]))
        place = None
    else:
        tile, place = snake.find(start)
    tails = snake.hanging(tile)
    path = snake.tiles.path(*snake.shape(tile), place, tails)
    snake.write_path(tile, path, tails)


def answer(instance: Instance, clock: Clock, workers: int, seed: int) -> Answer:
    """Return a composed tour of a full rectangle, or a reason why there is none."""
    if not composable(instance):
        raise UnsupportedError(
            "method compose: for a knight on a full rectangle with sides from 5 on, and no "
            "constraint but a start or an end; method patch takes the others"
        )
    if reason := refute(instance, clock, SHORT_REASONS):
        return refuted(reason)
    try:
        clock.check(_SECONDS * len(instance.graph))
        squares = compose_rectangle(instance, clock, seed)
    except OutOfTime:
        return out_of_time(instance, clock)
    if squares is not None:
        return found(squares)
    if reason := refute(instance, clock):
        return refuted(reason)
    return gave_up(instance, "no composition of small tours was found; method circuit may find one")
