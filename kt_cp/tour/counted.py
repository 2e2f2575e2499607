"""What a feature counts, among edges: some of them by themselves, and pairs of them.

A search changes a tour edge by edge; so it can tell what changes without counting again. Edges are
given by their ends: an array of shape (edges, 2, 2) that holds two places (row, column) of each.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from kt_cp.board import Board, Jump, Mask
from kt_cp.board.symmetry import Ints
from kt_cp.tour.feature_table import ANGLES, Feature, crossing_offsets, window


def ends_of(board: Board, edges: Ints) -> Ints:
    """Return the ends of edges that are rows of two squares."""
    return np.stack(np.divmod(edges.astype(np.int64), board.columns), axis=-1)


def counted_edges(ends: Ints, feature: Feature) -> Mask:
    """Return which edges a feature counts by themselves: those of its slopes."""
    vectors = ends[:, 1] - ends[:, 0]
    counted = [vectors @ (right, -down) == 0 for down, right in feature.slopes]
    return np.asarray(np.logical_or.reduce([np.zeros(len(ends), np.bool_), *counted]))


def counted_pairs(ends: Ints, feature: Feature) -> Ints:
    """Return the pairs of edges that a feature looks at, as rows of two indices, each pair once.

    They cross, or meet at an angle that it counts; for turns, at one that is straight.

    >>> from kt_cp.tour.feature_table import FEATURES
    >>> ends = ends_of(Board(3, 4), np.array([[0, 6], [1, 8], [4, 6]]))
    >>> counted_pairs(ends, FEATURES["crossings"]).tolist()
    [[0, 1], [1, 2]]
    >>> counted_pairs(ends, FEATURES["angle-37"]).tolist()
    [[0, 2]]
    """
    found = list(_crossing(ends) if feature.crosses else _meeting(ends, feature))
    pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *found])
    return np.unique(np.sort(pairs, axis=1), axis=0)


def _meeting(ends: Ints, feature: Feature) -> Iterator[Ints]:
    """Yield pairs of edges that meet at an angle, for each two vectors that leave a square."""
    products = {ANGLES[angle] for angle in feature.angles}
    is_straight = feature.name in ("turns", "straight")
    leaving = _leaving(np.concatenate([ends, ends[:, ::-1]]))
    for one, other in itertools.combinations(leaving, 2):
        opposite = one == (-other[0], -other[1])
        if opposite if is_straight else one[0] * other[0] + one[1] * other[1] in products:
            both = (leaving[one] >= 0) & (leaving[other] >= 0)
            yield np.stack([leaving[one][both], leaving[other][both]], axis=1) % len(ends)


def _crossing(ends: Ints) -> Iterator[Ints]:
    """Yield pairs of edges that cross, for each two vectors and each offset between them."""
    leaving = _leaving(ends)
    for one, other in itertools.product(leaving, repeat=2):
        for down, right in crossing_offsets(one, other):
            first = window(leaving[one], -down, -right)
            second = window(leaving[other], down, right)
            both = (first >= 0) & (second >= 0)
            yield np.stack([first[both], second[both]], axis=1)


def _leaving(ends: Ints) -> dict[Jump, Ints]:
    """Return by vector a grid that holds which edge leaves each square along it, or -1."""
    if not len(ends):
        return {}
    places = ends[:, 0] - ends.min(axis=(0, 1))
    vectors = ends[:, 1] - ends[:, 0]
    leaving = {}
    for vector in map(tuple, np.unique(vectors, axis=0).tolist()):
        chosen = np.flatnonzero((vectors == vector).all(axis=1))
        leaving[vector] = np.full(places.max(axis=0) + 1, -1)
        leaving[vector][*places[chosen].T] = chosen
    return leaving
