"""Tiles: how a rectangle is divided into small ones, and their tours with links at the sides.

The circuit model solves each tile once.
A link is an edge near a side. It faces the link of the neighboring tile so that the two can be
swapped for the two moves that cross the border, which joins what runs through the tiles.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Squares
from kt_cp.methods.circuit import answer as circuit_answer
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_dfs import Status

Shape = tuple[int, int]


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


VARIANTS = 5  # tours of each tile

# Tours of tiles by what was asked, None where there is none; so many are kept, the last ones.
_KEPT = 1000
_solved: dict[tuple[Shape, bool, Place | None, tuple[Side, ...], int], Places | None] = {}


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


class Tiles:
    """Tours of tiles, each solved once. Raises `OutOfTime` when the clock's limit is reached."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self.clock = clock
        self.seed = seed

    def cycle(self, height: int, width: int, variant: int = 0) -> Places:
        """Return a closed tour of a tile with a link on every side, as places in order.

        Each of `VARIANTS` is another tour, so that a large board is not the same everywhere.
        """
        return self._tour((height, width), True, None, tuple(Side), variant)

    def path(self, height: int, width: int, start: Place | None, links: Iterable[Side]) -> Places:
        """Return an open tour of a tile with these links from a start, or raise `NoTile`."""
        return self._tour((height, width), False, start, tuple(links))

    def _tour(
        self,
        shape: Shape,
        closed: bool,
        start: Place | None,
        links: tuple[Side, ...],
        variant: int = 0,
    ) -> Places:
        seed = self.seed + variant
        key = shape, closed, start, links, seed
        if key not in _solved:
            require = [ports(*shape, side) for side in links]
            board = Board(*shape)
            instance = Instance.of(board, closed=closed, start=start, require=require)
            answer = circuit_answer(instance, self.clock, seed=seed)
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


Place = tuple[int, int]
Places = npt.NDArray[np.int32]

# Tiles are solved in milliseconds up to this side. From 5 to here every even tile has a cycle with
# a link on each side; the longer the sides, the fewer the kinds of tiles that a large board needs.
LONGEST = 11

# Where no division will do, a short side stays whole.
LONGEST_ALONE = 14


def composable(instance: Instance) -> bool:
    """Return whether an instance is one for `compose`: a full rectangle with sides from 5 on.

    One end may be given, and nothing else.

    >>> composable(Instance(Board(5, 100), start=7)), composable(Instance(Board(5, 5, [12])))
    (True, False)
    """
    board = instance.graph
    if not isinstance(board, Board) or min(board.rows, board.columns) < 5:
        return False
    bare = Instance(
        Board(board.rows, board.columns),
        closed=instance.closed,
        start=instance.start,
        end=instance.end,
    )
    return len(instance.ends) < 2 and instance == bare


@dataclass(frozen=True)
class Frame:
    """A full rectangle of two columns or more, seen from a corner along a side.

    Places are (row, column) as seen; ``corner`` is the id of (0, 0), ``down`` and ``right`` are
    what a step adds to an id.
    """

    rows: int
    columns: int
    corner: int
    down: int
    right: int

    def ids(self, places: Places) -> Squares:
        """Return what the places add to the id of the corner.

        >>> flipped = next(itertools.islice(frames(Board(3, 4)), 1, None))
        >>> (flipped.corner + flipped.ids(np.array([(0, 0), (1, 0)], dtype=np.int32))).tolist()
        [3, 7]
        """
        return places @ np.array([self.down, self.right], dtype=np.int32)

    def place(self, square: int) -> Place:
        """Return the place at which a square is seen."""
        columns = max(abs(self.down), abs(self.right))
        row, column = divmod(square, columns)
        corner_row, corner_column = divmod(self.corner, columns)
        row, column = abs(row - corner_row), abs(column - corner_column)
        return (row, column) if abs(self.down) == columns else (column, row)


def frames(board: Board) -> Iterator[Frame]:
    """Yield the eight ways to look at a board, beginning with the usual one."""
    rows, columns = board.rows, board.columns
    for turned, upside_down, mirrored in itertools.product((False, True), repeat=3):
        corner = upside_down * (rows - 1) * columns + mirrored * (columns - 1)
        down, right = columns * (1 - 2 * upside_down), 1 - 2 * mirrored
        if turned:
            yield Frame(columns, rows, corner, right, down)
        else:
            yield Frame(rows, columns, corner, down, right)


def divisions(side: int, odd_at: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield ways to divide a side from 5 on into parts of 5 or more, at most one of them odd.

    An odd side's odd part covers the row or column ``odd_at``, if given. The first way has few
    kinds of parts; the others put the borders elsewhere, for ends that a tile of the first way
    cannot have.

    >>> next(divisions(28)), next(divisions(23)), next(divisions(23, odd_at=15))
    ((8, 8, 6, 6), (7, 8, 8), (6, 11, 6))
    """
    if side <= LONGEST:
        yield (side,)
    first = 0 if odd_at is None else max(0, odd_at - LONGEST) // 2 * 2
    for before in range(first, side, 2):
        for middle in (7, 9, 11, 5) if side % 2 else (0, 10, 12, 14):
            after = side - middle - before
            fits = {2, 4}.isdisjoint((before, after)) and after >= 0 and max(before, after) >= 6
            if fits and (odd_at is None or before <= odd_at < before + middle):
                parts = (*_even_parts(before), middle, *_even_parts(after))
                yield tuple(part for part in parts if part)
    if LONGEST < side <= LONGEST_ALONE:
        yield (side,)


def _even_parts(length: int) -> tuple[int, ...]:
    """Divide 0 or an even length from 6 on into eights and at most three sixes, or one ten."""
    if length == 10:
        return (10,)
    sixes = -length % 8 // 2
    eights = (length - 6 * sixes) // 8
    return (8,) * eights + (6,) * sixes
