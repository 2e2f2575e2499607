"""The squares on which two tours differ."""

from __future__ import annotations

from collections.abc import Mapping

from kt_cp.tour.tour import Tour


def differing_squares(one: Tour, other: Tour, by_steps: bool) -> list[int]:
    """Return the ids, ascending, of the squares that two tours visit at different steps.

    Without ``by_steps``, return those that they leave and enter by different moves, whatever the
    direction. A square that only one of two partial tours visits is among them in both cases.

    >>> from kt_cp import Board
    >>> one = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> differing_squares(one, one, by_steps=True)
    []
    """
    if by_steps:
        return _differing_keys(_step_by_square(one), _step_by_square(other))
    return _differing_keys(_neighbors_by_square(one), _neighbors_by_square(other))


def _differing_keys(one: Mapping[int, object], other: Mapping[int, object]) -> list[int]:
    """Return the keys, ascending, that have different values or are in one mapping only."""
    keys = one.keys() | other.keys()
    return sorted(key for key in keys if one.get(key) != other.get(key))


def _step_by_square(tour: Tour) -> dict[int, int]:
    """Return for each square that a tour visits the step, from 0."""
    return {square: step for step, square in enumerate(tour.squares.tolist())}


def _neighbors_by_square(tour: Tour) -> dict[int, set[int]]:
    """Return for each square that a tour visits those before and after it."""
    neighbors: dict[int, set[int]] = {square: set() for square in tour.squares.tolist()}
    for source, target in tour.moves.tolist():
        neighbors[source].add(target)
        neighbors[target].add(source)
    return neighbors
