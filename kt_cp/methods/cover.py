"""Walks by Warnsdorff's rule that cover a board."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from kt_cp.board import Squares
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_dfs import Budget, Graph, search, strategy

# A walk is recursive and one Python object a square.
MAX_WALKED = 50_000

# A board that takes more walks is none for walks.
_MOST_WALKS = 200

# Roth breaks ties by the distance from the centre: with holes that takes half as many walks as the
# textbook's order. The others serve where the start is given, so that walks differ.
_RULES = ("roth", "warnsdorff", "pohl")


def supports(instance: Instance) -> bool:
    """Tell whether walks can be like the tours asked for: they know a start and forbidden moves.

    >>> from kt_cp.board import Board
    >>> supports(Instance(Board(8, 8), start=5)), supports(Instance(Board(8, 8), end=5))
    (True, False)
    """
    unknown = (instance.end, instance.symmetry, *instance.require, *instance.givens)
    return len(instance.board) <= MAX_WALKED and not any(
        constraint is not None for constraint in unknown
    )


def covers(instance: Instance, clock: Clock, seed: int) -> Iterator[list[Squares]]:
    """Yield covers of a board by walks: from random squares, without an end.

    Where an open tour's start is given, the first walk begins there, and there are three covers, by
    as many rules. None are left when one would take more than 200 walks. Raises `OutOfTime` when
    the clock's limit is reached.

    >>> from kt_cp.board import Board
    >>> instance = Instance(Board(3, 5), start=0)
    >>> [[len(walk) for walk in walks] for walks in covers(instance, Clock(), seed=0)]
    [[11, 4], [11, 4], [11, 4]]
    """
    squares, choice = instance.board.squares.tolist(), random.Random(seed)
    ways: Iterable[tuple[int, str]] = ((choice.choice(squares), "roth") for _ in itertools.count())
    if instance.start is not None and not instance.closed:
        ways = ((instance.start, rule) for rule in _RULES)
    for start, rule in ways:
        walks = list(itertools.islice(_cover(instance, start, rule, clock), _MOST_WALKS + 1))
        if len(walks) > _MOST_WALKS:
            return
        yield walks


def _cover(instance: Instance, start: int, rule: str, clock: Clock) -> Iterator[Squares]:
    """Walk from a start until stuck, then through what is left, until all squares are on a walk.

    Every further walk begins on a square with the fewest moves left.
    """
    board = instance.board
    plan = replace(strategy(rule, board.rows, board.columns), backtracks=False)
    left, arcs = np.array(board.mask), instance.arcs
    while left.any():
        arcs = arcs[left[arcs].all(axis=1)]
        onward: dict[int, list[int]] = {square: [] for square in np.flatnonzero(left).tolist()}
        for source, target in arcs.tolist():
            onward[source].append(target)
        if start not in onward:
            start = min(onward, key=lambda square: len(onward[square]))
        budget = Budget(seconds=clock.remaining)
        path = search(Graph.from_neighbors(onward), start, plan, budget=budget).path
        clock.check()
        walk = np.array(path, dtype=np.int32)
        left[walk] = False
        yield walk
