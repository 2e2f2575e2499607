"""Walks by Warnsdorff's rule that cover a board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kt_cp.board import Squares
from kt_cp.clock import Clock
from kt_cp.instance import Instance
from kt_dfs import Budget, Graph, search, strategy

# A walk is recursive and one Python object a square.
MAX_SQUARES = 50_000


def knows_wishes(instance: Instance) -> bool:
    """Tell whether walks can be like the tours wished for: they know a start and forbidden moves.

    >>> from kt_cp.board import Board
    >>> knows_wishes(Instance(Board(8, 8), start=5)), knows_wishes(Instance(Board(8, 8), end=5))
    (True, False)
    """
    unknown = (instance.end, instance.symmetry, *instance.require, *instance.givens)
    return len(instance.board) <= MAX_SQUARES and not any(wish is not None for wish in unknown)


def cover(instance: Instance, start: int, clock: Clock) -> list[Squares]:
    """Walk from a start until stuck, then through what is left, until all squares are on a walk.

    Ties are broken as Roth does, by the distance from the centre: with holes that takes half as
    many walks as the textbook's order. Every further walk begins on a square with the fewest moves
    left. Raises `OutOfTime` when the clock's limit is reached.

    >>> from kt_cp.board import Board
    >>> [len(walk) for walk in cover(Instance(Board(3, 5)), 0, Clock())]
    [11, 4]
    """
    board = instance.board
    rule = replace(strategy("roth", board.rows, board.columns), backtracks=False)
    left, arcs = np.array(board.mask), instance.arcs
    walks: list[Squares] = []
    while left.any():
        arcs = arcs[left[arcs].all(axis=1)]
        onward: dict[int, list[int]] = {square: [] for square in np.flatnonzero(left).tolist()}
        for source, target in arcs.tolist():
            onward[source].append(target)
        if walks:
            start = min(onward, key=lambda square: len(onward[square]))
        budget = Budget(seconds=clock.remaining)
        walk = search(Graph.from_neighbors(onward), start, rule, budget=budget).path
        clock.check()
        walks.append(np.array(walk, dtype=np.int32))
        left[walks[-1]] = False
    return walks
