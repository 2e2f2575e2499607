"""Large boards from small solved ones: full rectangles, in time linear in their squares.

The rectangle is cut into tiles of sides 5 to 11, joined as a snake. Every tile of an even number of
squares is a closed tour with a link to each neighbor; swapping facing links joins them into one
(Parberry 1997, for his tiles). The tile that holds an end of an open tour is a path instead, and
the tiles between two ends are passed once. On boards of odd sides one tile is odd, and holds an
end. Strips with a side below 5 are lengthened instead.

Compositions are complete for sides from 5 on; a board of sides up to 11 is one tile. What follows
is proven for the tiles by `tests/test_compose_complete.py`, with CP-SAT's word where a tile has no
tour; no theorem is relied on.

With both sides at least 6 there is an open tour between any two squares that the colours allow:
of opposite colours on an even board, both of the corners' colour on an odd one.

- Every tile of sides 6 to 11 has a tour between any two such squares with links on all four sides,
  but for the two squares of one link (with that link), and on odd tiles one pair that are both in
  links. Even ones have a closed tour too. So every way to cut the board into such tiles will do,
  except that the ends are the two squares of one link, or that the tile of an odd board has a link
  at the end which it holds.
- Two squares joined like a link are not so joined when seen upside down, from another corner.
- On odd boards one of the first ways leaves the end free of links, from some corner.

On 5 x n a square next to two corners of the same side, as an end, leaves both with one move: the
other end is one of them. All other ends that the colours allow are composed. Where 41 columns or
more hold no end, before, between or after the ends, 8 more are one more tile among eights, in a way
found as soon. So it suffices to try stretches of up to 48 columns, with all tiles 5 x 5 to 5 x 14.

An end anywhere follows; a closed tour needs tiles with closed tours only, and starts anywhere.

For squares n x n, n at least 6, tours between any two squares are the theorem of Conrad, Hindrichs,
Morsy and Wegener (Solution of the knight's Hamiltonian path problem on chessboards, Discrete
Applied Mathematics 50, 1994), as we read it; that open tours exist from sides of 5 on is that of
Cull and De Curtins (Knight's tour revisited, Fibonacci Quarterly 16, 1978). Closed tours exist as
Schwenk's theorem says, see `kt_cp.proof.reasons`. Strips of sides 3 and 4 are not known to be
complete.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from kt_cp.board import Squares
from kt_cp.methods.compose.parts import Frame, Place, divisions, frames
from kt_cp.methods.compose.snake import Snake
from kt_cp.methods.compose.strip import compose_strip
from kt_cp.methods.compose.tiles import NoTile, Tiles, index_of, ports, way_out
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance

# Nearly always the first way to cut the board will do, and by the argument above one of the first
# 48 as seen from one of the corners along one of its sides.
MOST_WAYS = 400


def compose_rectangle(instance: Instance, clock: Clock, seed: int = 0) -> Squares | None:
    """Return a tour as ids in visiting order, or None when no composition of it was found.

    Raises `OutOfTime` when the clock's limit is reached.

    >>> from kt_cp.board import Board
    >>> tour = compose_rectangle(Instance(Board(12, 100), start=0, end=1199), Clock())
    >>> len(tour), int(tour[0]), int(tour[-1])
    (1200, 0, 1199)
    """
    if min(instance.board.rows, instance.board.columns) < 5:
        return compose_strip(instance, clock, seed)
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
    ends = [snake.frame.place(end) for end in instance.ends]
    if instance.closed and instance.start is not None:
        ends = [snake.frame.place(instance.start)]
    if len(ends) == 2:
        return _between_ends(snake, *ends)
    if len(snake.squares) % 2:
        _write_odd(snake, *ends)
    else:
        _write_cycle(snake, *(ends or [(0, 0)]))
    return snake.squares if instance.end is None else snake.squares[::-1]


def _write_cycle(snake: Snake, start: Place) -> None:
    """Write a closed tour from a square on; opened, it is an open tour from there."""
    tile, place = snake.find(start)
    cycle = snake.tiles.cycle(*snake.shape(tile))
    from_start = np.roll(cycle, -index_of(cycle, place), axis=0)
    snake.write_path(tile, from_start, snake.hanging(tile))


def _write_odd(snake: Snake, start: Place | None = None) -> None:
    """Write an open tour whose ends are both in the odd tile."""
    if start is None:
        odd_row = [height % 2 for height in snake.heights].index(1)
        odd_column = [width % 2 for width in snake.widths].index(1)
        tile, _ = snake.find((snake.tops[odd_row], snake.lefts[odd_column]))
        place = None
    else:
        tile, place = snake.find(start)
    tails = snake.hanging(tile)
    path = snake.tiles.path(*snake.shape(tile), place, None, tails)
    snake.write_path(tile, path, tails)


def _between_ends(snake: Snake, start: Place, end: Place) -> Squares:
    """Write an open tour between two squares, from the first to the second."""
    (first, entry), (last, goal) = sorted([snake.find(start), snake.find(end)])
    swapped = (first, entry) != snake.find(start)
    if first == last:
        tails = snake.hanging(first)
        path = snake.tiles.path(*snake.shape(first), entry, goal, tails)
        snake.write_path(first, path, tails)
    else:
        _write_ends_apart(snake, (first, entry), (last, goal))
    return snake.squares[::-1] if swapped else snake.squares


def _write_ends_apart(snake: Snake, start: tuple[int, Place], end: tuple[int, Place]) -> None:
    """Write a path from a place in one tile to a place in a later one.

    What lies before the first tile hangs on it, what lies after the last on that; the tiles between
    them are passed once. Colours alternate, so at every border one of the two moves fits.
    """
    (first, entry), (last, goal) = start, end
    leave, enter = snake.side(first, first + 1), snake.side(last, last - 1)
    shape, last_shape = snake.shape(first), snake.shape(last)
    port = way_out(*shape, entry, leave)
    last_port = way_out(*last_shape, goal, enter)
    before, after = snake.hanging(first, after=False), snake.hanging(last, before=False)
    path = snake.tiles.path(*shape, entry, ports(*shape, leave)[port], before)
    last_path = snake.tiles.path(*last_shape, ports(*last_shape, enter)[last_port], goal, after)
    snake.write_path(first, path, before)
    snake.write_passage(range(first + 1, last), leave.opposite, enter.opposite, port)
    snake.write_path(last, last_path, after)
