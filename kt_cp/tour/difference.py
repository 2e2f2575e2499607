"""The squares on which two tours differ."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from kt_cp.tour.tour import Tour


def differing_squares(one: Tour, other: Tour, by_steps: bool) -> list[int]:
    """Return the ids of the squares that two tours visit at different steps, in ascending order.

    Without ``by_steps`` they are the squares at which the tours make different moves.

    >>> from kt_cp import Board
    >>> one = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> differing_squares(one, one, by_steps=True)
    []
    """
    if by_steps:
        differing: list[int] = np.sort(one.squares[one.squares != other.squares]).tolist()
        return differing
    neighbors, others = _neighbors(one), _neighbors(other)
    return [square for square in sorted(neighbors) if neighbors[square] != others[square]]


def _neighbors(tour: Tour) -> dict[int, set[int]]:
    """Return for each square those before and after it."""
    neighbors = defaultdict[int, set[int]](set)
    for source, target in tour.moves.tolist():
        neighbors[source].add(target)
        neighbors[target].add(source)
    return neighbors
