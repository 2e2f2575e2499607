"""Moves as vectors: which pairs of moves meet at a given angle, and which pairs cross.

Moves are an array of shape (n, 2, 2): for each of n moves the (row, column) of its two ends. Pairs
are found by looking up, for two vectors and an offset, where both moves exist. This takes time
proportional to the number of pairs found, not to the number of all pairs of moves.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, both_directions, coordinates
from kt_cp.board import Board, Jump

AngleTest = Callable[[Jump, Jump], bool]


def ends_of(board: Board, edges: npt.NDArray[np.integer]) -> Ints:
    """Return (row, column) of both ends of edges, given as rows of two ids."""
    return coordinates(edges.astype(np.int64), board.columns)


def cross_product(one: Any, other: Any) -> Any:
    """Return the cross product of two vectors, or of two arrays with a vector in each column."""
    return one[0] * other[1] - one[1] * other[0]


def scalar_product(one: Jump, other: Jump) -> int:
    """Return the scalar product of two vectors."""
    return one[0] * other[0] + one[1] * other[1]


def is_straight(one: Jump, other: Jump) -> bool:
    """Return whether two vectors that leave a square have opposite directions, of any lengths.

    >>> is_straight((0, 1), (0, -2)), is_straight((0, 1), (0, 2)), is_straight((1, 2), (-1, 2))
    (True, False, False)
    """
    return cross_product(one, other) == 0 and scalar_product(one, other) < 0


@dataclass(frozen=True, eq=False)
class MovePairs:
    """The moves of one or several tours, with methods that find pairs of them.

    ``ends`` are the moves, and ``tour_numbers`` the number of the tour to which each belongs, or
    one number for all. Moves of different tours are never paired.
    """

    ends: Ints
    tour_numbers: Ints | int = 0

    def meeting(self, is_wanted: AngleTest) -> Ints:
        """Return the pairs of moves that meet at a wanted angle, as rows of two indices.

        ``is_wanted`` is called with the two vectors that leave the square.
        """
        return self._joined(
            (one, other, (0, 0))
            for one, other in itertools.combinations(self._moves_by_vector, 2)
            if is_wanted(one, other)
        )

    @cached_property
    def crossing(self) -> Ints:
        """The pairs of moves that cross between their ends, as rows of two indices."""
        down = [vector for vector in self._moves_by_vector if vector > (0, 0)]
        return self._joined(
            (one, other, offset)
            for one, other in itertools.combinations(down, 2)
            for offset in crossing_offsets(one, other)
        )

    def crossing_points(self) -> npt.NDArray[np.float64]:
        """Return where the moves of each crossing pair cross, as rows (row, column)."""
        one, other = np.moveaxis(self.ends[self.crossing], 1, 0)
        along, across = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0]
        apart = other[:, 0] - one[:, 0]
        share = cross_product(apart.T, across.T) / cross_product(along.T, across.T)
        points: npt.NDArray[np.float64] = one[:, 0] + share[:, None] * along
        return points

    def within(self, pairs: Ints) -> Mask:
        """Return a mask of the moves that occur in these pairs."""
        return np.bincount(pairs.ravel(), minlength=len(self.ends)) > 0

    def _joined(self, wanted: Iterable[tuple[Jump, Jump, Jump]]) -> Ints:
        """Return the pairs of moves for triples (vector, other vector, offset).

        The first move leaves a square along the vector, the second leaves the square at the offset
        from it along the other vector.
        """
        parts = [np.empty((0, 2), dtype=np.int64)]
        for one, other, offset in wanted:
            down, right = offset
            moves, places = self._moves_by_vector[one]
            partners, partner_places = self._moves_by_vector[other]
            wanted_places = places + down * self._span + right
            found = np.searchsorted(partner_places, wanted_places)
            exists = np.take(partner_places, found, mode="clip") == wanted_places
            parts.append(np.stack([moves[exists], partners[found[exists]]], axis=1))
        return np.concatenate(parts)

    @property
    def _span(self) -> int:
        """The number of places per row: three sides of the board.

        A crossing offset is at most two sides, so a square and an offset from it to the left or to
        the right never give the place of a square in another row.
        """
        side = int(self.ends.max(initial=0)) + 1
        return 3 * side

    @cached_property
    def _moves_by_vector(self) -> dict[Jump, tuple[Ints, Ints]]:
        """For each vector, the moves that leave a square along it and the places of these squares.

        A place is a number that is unique for each square of each tour; places are ascending. A
        move leaves both of its ends, so it occurs under two vectors.
        """
        span = self._span
        ends = both_directions(self.ends)  # every move, then every reverse
        tails, heads = ends[:, 0], ends[:, 1]
        tour_numbers = np.resize(self.tour_numbers, len(ends))
        places = (tour_numbers * span + tails[:, 0]) * span + tails[:, 1]
        vector_keys = (heads - tails) @ [span, 1]
        moves_by_vector: dict[Jump, tuple[Ints, Ints]] = {}
        for key in np.unique(vector_keys):
            chosen = np.flatnonzero(vector_keys == key)
            chosen = chosen[np.argsort(places[chosen])]
            down, right = (heads[chosen[0]] - tails[chosen[0]]).tolist()
            moves_by_vector[down, right] = chosen % len(self.ends), places[chosen]
        return moves_by_vector


@cache
def crossing_offsets(one: Jump, other: Jump) -> tuple[Jump, ...]:
    """Return the offsets between the starts of two moves at which they cross between their ends.

    Let p be the cross product of the moves. They cross at the fractions ``offset x other / p`` of
    the first move and ``offset x one / p`` of the second, both of which must lie strictly between
    0 and 1. Multiplied by p squared, the test is one on integers.
    """
    p = cross_product(one, other)

    def is_between_ends(offset: Jump, vector: Jump) -> bool:
        """Return whether ``offset x vector / p`` is strictly between 0 and 1."""
        return bool(0 < cross_product(offset, vector) * p < p**2)

    # Two moves that cross start no further apart than both are long.
    longest = max(map(abs, one + other))
    reach = range(-2 * longest, 2 * longest + 1)
    return tuple(
        offset
        for offset in itertools.product(reach, reach)
        if is_between_ends(offset, one) and is_between_ends(offset, other)
    )
