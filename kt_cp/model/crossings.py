"""Forbidding that moves cross: at most one of each clique of mutually crossing moves is used."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.model.backend import Model
from kt_cp.tour.features import MovePairs, ends_of


def forbid_crossings(cp: Model, board: Board, edges: Ints, used: Ints) -> None:
    """Ensure that no two edges cross, given as rows of two ids, with the variable of each."""
    crossing = MovePairs(ends_of(board, edges)).crossing
    one, other = used[crossing].T
    cp.add_all((~one[one == other]).tolist())  # symmetric moves share a variable
    pairs = np.stack([one, other], axis=1)[one != other]
    for clique in clique_cover(map(tuple, pairs.tolist())):
        cp.add_at_most_one(clique)


def clique_cover(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return cliques that together contain all of some pairs, and only pairs that are given.

    Each is grown from a pair that is not covered yet, by the member that covers most new pairs. On
    8x8 the crossing moves of a knight have 188 cliques.

    >>> clique_cover([(1, 2), (2, 3), (1, 3), (3, 4)])
    [[1, 2, 3], [3, 4]]
    """
    partners: dict[int, set[int]] = {}
    uncovered: dict[tuple[int, int], None] = {}  # a set that keeps its order
    for one, other in sorted({(min(pair), max(pair)) for pair in pairs}):
        partners.setdefault(one, set()).add(other)
        partners.setdefault(other, set()).add(one)
        uncovered[one, other] = None
    cliques = []
    while uncovered:
        clique = list(next(iter(uncovered)))
        candidates = partners[clique[0]] & partners[clique[1]]
        while candidates:
            gains = {each: _count_uncovered(each, clique, uncovered) for each in sorted(candidates)}
            best = max(gains, key=gains.__getitem__)
            clique.append(best)
            candidates &= partners[best]
        for pair in itertools.combinations(sorted(clique), 2):
            uncovered.pop(pair, None)
        cliques.append(sorted(clique))
    return cliques


def _count_uncovered(
    candidate: int, clique: list[int], uncovered: Container[tuple[int, int]]
) -> int:
    """Return how many pairs of a candidate and a member of the clique are not covered yet."""
    pairs = [(min(candidate, member), max(candidate, member)) for member in clique]
    return sum(pair in uncovered for pair in pairs)
