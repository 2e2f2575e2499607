"""Which boards are composed, how they are divided, and from which corner they are seen."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Squares
from kt_cp.problem.instance import Instance

Place = tuple[int, int]
Places = npt.NDArray[np.int32]

# Tiles are solved in milliseconds up to this side. From 5 to here every even tile has a cycle with
# a link on each side; the longer the sides, the fewer the kinds of tiles that a large board needs.
LONGEST = 11

# Where no division will do, a short side stays whole.
LONGEST_ALONE = 14


def composable(instance: Instance) -> bool:
    """Return whether an instance is one for `compose`: a full rectangle, no constraints but ends.

    >>> composable(Instance(Board(5, 100), start=7)), composable(Instance(Board(5, 5, [12])))
    (True, False)
    """
    board = instance.graph
    if not isinstance(board, Board):
        return False
    return min(board.rows, board.columns) >= 3 and instance == Instance(
        Board(board.rows, board.columns),
        closed=instance.closed,
        start=instance.start,
        end=instance.end,
    )


def worth_composing(instance: Instance) -> bool:
    """Return whether composing is faster than one model: from about 12 x 12 on, or a long strip."""
    if not composable(instance):
        return False
    return max(instance.board.rows, instance.board.columns) > LONGEST


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
