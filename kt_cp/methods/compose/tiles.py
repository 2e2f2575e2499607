"""Tiles: small rectangles with links at their sides, solved by the circuit model and kept.

A link is an edge near a side. It faces the link of the neighboring tile so that the two can be
swapped for the two moves that cross the border, which joins what runs through the tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import numpy as np

from kt_cp.board import Board
from kt_cp.methods.circuit import answer as circuit_answer
from kt_cp.methods.compose.parts import Place, Places
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_dfs import Status

Shape = tuple[int, int]
Ends = tuple[Place | None, Place | None]


class Side(Enum):
    """A side of a tile, by the rows and columns to the neighbor there."""

    TOP = (-1, 0)
    BOTTOM = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)

    @property
    def opposite(self) -> Side:
        """The side that a neighbor turns to this one."""
        down, right = self.value
        return Side((-down, -right))


# Tours of tiles by what was asked, None where there is none; so many are kept, the last ones.
_KEPT = 1000
_solved: dict[tuple[Shape, bool, Ends, tuple[Side, ...], int], Places | None] = {}


class NoTile(Exception):  # noqa: N818 - an answer, not an error
    """A tile has no tour with these ends and links."""


def ports(height: int, width: int, side: Side) -> tuple[Place, Place]:
    """Return the ends of a side's link. The first is a move from the neighbor's first, and so on.

    The two are of opposite colours. No link is near enough to a corner to take one of the only two
    moves that the corner has from it when a path ends on the link; on sides of 7 it has to be moved
    for that.
    """
    row = 1 if height == 7 else 2
    column = 5 if width == 7 else 3
    return {
        Side.TOP: ((0, column), (1, column - 2)),
        Side.BOTTOM: ((height - 2, column + 1), (height - 1, column - 1)),
        Side.LEFT: ((row, 0), (row + 2, 1)),
        Side.RIGHT: ((row - 1, width - 2), (row + 1, width - 1)),
    }[side]


def way_out(height: int, width: int, entry: Place, side: Side) -> int:
    """Return the port of a side on which a path through the whole tile from ``entry`` can end."""
    colour = (sum(entry) + height * width - 1) % 2
    first, _ = ports(height, width, side)
    return int(sum(first) % 2 != colour)


class Tiles:
    """Tours of tiles, each solved once. Raises `OutOfTime` when the clock's limit is reached."""

    def __init__(self, clock: Clock, seed: int) -> None:
        """Solve within a clock's limit; another seed gives other tours."""
        self.clock = clock
        self.seed = seed

    def cycle(self, height: int, width: int) -> Places:
        """Return a closed tour of a tile with a link on every side, as places in order."""
        return self._tour((height, width), True, (None, None), tuple(Side))

    def path(
        self,
        height: int,
        width: int,
        start: Place | None,
        end: Place | None,
        links: Iterable[Side] = (),
    ) -> Places:
        """Return an open tour of a tile with these ends and links, or raise `NoTile`."""
        if start == end is not None:
            raise NoTile
        return self._tour((height, width), False, (start, end), tuple(links))

    def _tour(self, shape: Shape, closed: bool, ends: Ends, links: tuple[Side, ...]) -> Places:
        key = shape, closed, ends, links, self.seed
        if key not in _solved:
            require = [ports(*shape, side) for side in links]
            start, end = ends
            board = Board(*shape)
            instance = Instance.of(board, closed=closed, start=start, end=end, require=require)
            answer = circuit_answer(instance, self.clock, seed=self.seed)
            if answer.status is Status.UNKNOWN:
                raise OutOfTime
            squares = answer.squares
            if len(_solved) >= _KEPT:
                del _solved[next(iter(_solved))]
            _solved[key] = None if squares is None else np.stack(np.divmod(squares, shape[1]), 1)
        places = _solved[key]
        if places is None:
            raise NoTile
        return places


def between(places: Places, first: Place, last: Place) -> Places:
    """Turn a cycle that uses the edge between two places into the path from one to the other."""
    start = index_of(places, first)
    path = np.roll(places, -start, axis=0)
    if tuple(path[-1].tolist()) == last:
        return path
    return np.roll(path[::-1], 1, axis=0)


def index_of(places: Places, place: Place) -> int:
    """Return the index at which a place is visited."""
    return int(np.flatnonzero((places == place).all(axis=1))[0])
