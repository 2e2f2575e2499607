"""A tour that runs through a grid of tiles as a snake does: along one row and back the next.

The tiles beyond a link are one cycle, cut open: away along one strand of each tile, and back along
the other. All of that is slices of a few small orders, shifted; no square is looked at on its own.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from kt_cp.board import Squares
from kt_cp.methods.compose.tiles import (
    VARIANTS,
    Frame,
    Place,
    Places,
    Shape,
    Side,
    Tiles,
    between,
    index_of,
    ports,
)


@dataclass(frozen=True)
class Leg:
    """Neighboring tiles of one row of the grid, in the order in which they are passed.

    ``first`` and ``last`` are columns of the grid, and ``row`` is its row modulo `VARIANTS`.
    ``enter`` and ``leave`` are the sides of the first and the last tile by which the leg is
    connected; without ``leave`` the last tile closes the strands.
    """

    height: int
    row: int
    first: int
    last: int
    enter: Side
    leave: Side | None


@dataclass(frozen=True)
class Strands:
    """What runs through tiles, as ids beside a corner: away, and back.

    ``port`` is the one of the link by which the way away ends.
    """

    away: Squares
    back: Squares
    port: int

    def joined(self, following: Strands, distance: int) -> Strands:
        """Return what runs through these tiles and those that follow, ``distance`` away."""
        away = np.concatenate([self.away, following.away + np.int32(distance)])
        back = np.concatenate([following.back + np.int32(distance), self.back])
        return Strands(away, back, following.port)


@dataclass
class Snake:
    """The visiting order of a rectangle, written tile by tile.

    Tiles are numbered in the snake's order: the even rows of the grid to the right, the odd ones to
    the left.
    """

    frame: Frame
    heights: tuple[int, ...]
    widths: tuple[int, ...]
    tiles: Tiles

    def __post_init__(self) -> None:
        self.tops = [0, *itertools.accumulate(self.heights)]
        self.lefts = [0, *itertools.accumulate(self.widths)]
        self.squares = np.empty(self.frame.rows * self.frame.columns, dtype=np.int32)
        self.written = 0
        self._leg = functools.cache(self._build_leg)

    def __len__(self) -> int:
        return len(self.heights) * len(self.widths)

    def shape(self, tile: int) -> tuple[int, int]:
        """Return the height and width of a tile."""
        row, column = self._grid_place(tile)
        return self.heights[row], self.widths[column]

    def find(self, place: Place) -> tuple[int, Place]:
        """Return the tile that holds a place, and the place within it."""
        row = int(np.searchsorted(self.tops, place[0], side="right")) - 1
        column = int(np.searchsorted(self.lefts, place[1], side="right")) - 1
        tile = row * len(self.widths) + (column if row % 2 == 0 else len(self.widths) - 1 - column)
        return tile, (place[0] - self.tops[row], place[1] - self.lefts[column])

    def side(self, tile: int, neighbor: int) -> Side:
        """Return the side of a tile that faces the one after or before it."""
        row, column = self._grid_place(tile)
        other_row, other_column = self._grid_place(neighbor)
        return Side((other_row - row, other_column - column))

    def hanging(self, tile: int, before: bool = True, after: bool = True) -> dict[Side, range]:
        """List what hangs on a tile's links: all tiles before it, all tiles after it."""
        tails = {}
        if before and tile > 0:
            tails[self.side(tile, tile - 1)] = range(tile - 1, -1, -1)
        if after and tile < len(self) - 1:
            tails[self.side(tile, tile + 1)] = range(tile + 1, len(self))
        return tails

    def write_path(self, tile: int, path: Places, tails: Mapping[Side, range]) -> None:
        """Write a path or cycle through a tile, with what hangs on its links."""
        shape = self.shape(tile)
        row, column = self._grid_place(tile)
        ids = self.frame.ids(path) + self._corner(row, column)
        links = {}
        for side, tail in tails.items():
            index, port = _find_link(path, *ports(*shape, side))
            links[index] = tail, side, port
        done = 0
        for index in sorted(links):
            self._write(ids[done : index + 1])
            self._write_tail(*links[index])
            done = index + 1
        self._write(ids[done:])

    def _write_tail(self, tail: range, side: Side, port: int) -> None:
        """Write the cycle beyond a link: away from the front of its room, back from the end."""
        legs = list(self._legs(tail, side.opposite))
        after = end = self.written + sum(self._area(leg) for _, leg in legs)
        for row, leg in legs:
            self.tiles.clock.check()
            strands = self._leg(leg, port)
            self._write(strands.away, self._corner(row))
            start = end - len(strands.back)
            np.add(strands.back, self._corner(row), out=self.squares[start:end])
            end, port = start, strands.port
        self.written = after

    def _write(self, ids: Squares, corner: int = 0) -> None:
        end = self.written + len(ids)
        np.add(ids, corner, out=self.squares[self.written : end])
        self.written = end

    def _area(self, leg: Leg) -> int:
        left, right = sorted((leg.first, leg.last))
        return leg.height * (self.lefts[right + 1] - self.lefts[left])

    def _legs(self, tiles: range, enter: Side) -> Iterator[tuple[int, Leg]]:
        """Split consecutive tiles into legs, each with its row of the grid."""
        place = 0
        while place < len(tiles):
            row, first = self._grid_place(tiles[place])
            room = len(self.widths) - 1 - first if (row % 2 == 0) == (tiles.step > 0) else first
            place = min(place + room, len(tiles) - 1)
            _, last = self._grid_place(tiles[place])
            following = tiles[place + 1] if place + 1 < len(tiles) else None
            out = None if following is None else self.side(tiles[place], following)
            yield row, Leg(self.heights[row], row % VARIANTS, first, last, enter, out)
            if out:
                enter = out.opposite
            place += 1

    def _build_leg(self, leg: Leg, port: int) -> Strands:
        """Return the strands of a leg, as ids beside the left end of its row of the grid."""
        step = 1 if leg.first <= leg.last else -1
        ahead = Side.RIGHT if step > 0 else Side.LEFT
        columns = np.arange(leg.first, leg.last + step, step)
        widths = np.array(self.widths)[columns]
        changes = (np.flatnonzero(np.diff(widths)) + 1).tolist()
        runs = sorted({0, 1, len(columns) - 1, len(columns), *changes})
        away, back = [], []
        for begin, end in itertools.pairwise(runs):
            enter = leg.enter if begin == 0 else ahead.opposite
            leave = leg.leave if end == len(columns) else ahead
            width = int(widths[begin])
            while begin < end:
                shape, sides, turn = (leg.height, width), (enter, leave), leg.row
                unit, size = self._tile(shape, sides, port, _variant(turn, begin)), 1
                # A unit can be repeated when all variants have come, and the port is the same.
                while size < end - begin and not (size % VARIANTS == 0 and unit.port == port):
                    following = self._tile(shape, sides, unit.port, _variant(turn, begin + size))
                    unit = unit.joined(following, size * step * width * self.frame.right)
                    size += 1
                several = slice(begin, begin + (end - begin) // size * size, size)
                corners = np.array(self.lefts, dtype=np.int32)[columns[several]] * self.frame.right
                away.append(np.add.outer(corners, unit.away).ravel())
                back.append(np.add.outer(corners[::-1], unit.back).ravel())
                begin, port = several.stop, unit.port
        return Strands(np.concatenate(away), np.concatenate(back[::-1]), port)

    def _tile(
        self, shape: Shape, sides: tuple[Side, Side | None], port: int, variant: int
    ) -> Strands:
        """Return the strands of one tile, entered on the first of two sides by a port."""
        enter, leave = sides
        entry = ports(*shape, enter)
        cycle = between(self.tiles.cycle(*shape, variant), entry[port], entry[1 - port])
        ids = self.frame.ids(cycle)
        if leave is None:
            return Strands(ids, ids[:0], port)
        index, out = _find_link(cycle, *ports(*shape, leave))
        return Strands(ids[: index + 1], ids[index + 1 :], out)

    def _grid_place(self, tile: int) -> tuple[int, int]:
        row, column = divmod(tile, len(self.widths))
        return row, column if row % 2 == 0 else len(self.widths) - 1 - column

    def _corner(self, row: int, column: int = 0) -> int:
        """Return the id of a tile's first place."""
        frame = self.frame
        return frame.corner + self.tops[row] * frame.down + self.lefts[column] * frame.right


def _variant(row: int, column: int) -> int:
    """Return which tour a tile has; those around it have others, in no simple pattern."""
    return (row * row + 3 * row * column + 2 * column * column) % VARIANTS


def _find_link(path: Places, first: Place, second: Place) -> tuple[int, int]:
    """Return the index after which a path or cycle uses a link, and the port it comes to first."""
    one, other = index_of(path, first), index_of(path, second)
    last = len(path) - 1
    if {one, other} == {0, last}:
        return last, int(other == last)
    return min(one, other), int(other < one)
