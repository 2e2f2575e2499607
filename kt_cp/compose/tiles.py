"""Tiles: small rectangles with links at their sides, solved by the circuit model and kept.

A link is an edge near a side. It faces the link of the neighbouring tile so that the two can be
swapped for the two moves that cross the border, which joins what runs through the tiles.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from enum import Enum

import numpy as np

from kt_cp.board import Board
from kt_cp.clock import Clock, OutOfTime
from kt_cp.compose.parts import Place, Places
from kt_cp.instance import Instance
from kt_cp.model.portfolio import solve_circuit


class Side(Enum):
    """A side of a tile."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"

    @property
    def opposite(self) -> Side:
        """The side that a neighbour turns to this one."""
        return _OPPOSITES[self]


_OPPOSITES = {
    Side.TOP: Side.BOTTOM,
    Side.BOTTOM: Side.TOP,
    Side.LEFT: Side.RIGHT,
    Side.RIGHT: Side.LEFT,
}

# Tours of tiles by what was asked, None where there is none.
_solved: dict[tuple[Instance, int], Places | None] = {}


class NoTile(Exception):  # noqa: N818 - an answer, not an error
    """A tile has no tour with these ends and links."""


def ports(height: int, width: int, side: Side) -> tuple[Place, Place]:
    """Give the ends of a side's link. The first is a move from the neighbour's first, and so on.

    The two are of opposite colours.
    """
    return {
        Side.TOP: ((0, 2), (1, 4)),
        Side.BOTTOM: ((height - 2, 1), (height - 1, 3)),
        Side.LEFT: ((1, 0), (3, 1)),
        Side.RIGHT: ((0, width - 2), (2, width - 1)),
    }[side]


def way_out(height: int, width: int, entry: Place, side: Side) -> int:
    """Tell which port of a side a path through the whole tile from ``entry`` can end on."""
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
        """Give a closed tour of a tile with a link on every side, as places in order.

        Who enters it by the first port of the left link comes to the first port of the right link
        before the second, so that in a row of such tiles one looks like the other.
        """
        board = Board(height, width)
        require = [_move(board, ports(height, width, side)) for side in Side]
        instance = Instance(board, closed=True, require=require)
        for seed in itertools.count(self.seed):
            places = self._solve(instance, seed)
            if places is None:
                raise NoTile
            if width % 2 or _is_straight(places):
                return places
        raise AssertionError

    def path(
        self,
        height: int,
        width: int,
        start: Place | None,
        end: Place | None,
        links: Iterable[Side] = (),
    ) -> Places:
        """Give an open tour of a tile with these ends and links. Raises `NoTile`: there is none."""
        board = Board(height, width)
        if start == end is not None:
            raise NoTile
        require = [_move(board, ports(height, width, side)) for side in links]
        first, last = (None if place is None else _square(board, place) for place in (start, end))
        instance = Instance(board, start=first, end=last, require=require)
        places = self._solve(instance, self.seed)
        if places is None:
            raise NoTile
        return places

    def _solve(self, instance: Instance, seed: int) -> Places | None:
        key = instance, seed
        if key not in _solved:
            answer = solve_circuit(instance, self.clock, seed=seed)
            if answer.squares is None and not answer.exhausted:
                raise OutOfTime
            columns = instance.board.columns
            squares = answer.squares
            _solved[key] = None if squares is None else np.stack(np.divmod(squares, columns), 1)
        return _solved[key]


def between(places: Places, first: Place, last: Place) -> Places:
    """Turn a cycle that uses the edge between two places into the path from one to the other."""
    start = index_of(places, first)
    path = np.roll(places, -start, axis=0)
    if tuple(path[-1].tolist()) == last:
        return path
    return np.roll(path[::-1], 1, axis=0)


def index_of(places: Places, place: Place) -> int:
    """Tell at which index a place is visited."""
    return int(np.flatnonzero((places == place).all(axis=1))[0])


def _is_straight(places: Places) -> bool:
    height, width = (places.max(axis=0) + 1).tolist()
    path = between(places, *ports(height, width, Side.LEFT))
    first, second = ports(height, width, Side.RIGHT)
    return index_of(path, first) < index_of(path, second)


def _move(board: Board, ends: tuple[Place, Place]) -> tuple[int, int]:
    return _square(board, ends[0]), _square(board, ends[1])


def _square(board: Board, place: Place) -> int:
    return place[0] * board.columns + place[1]
