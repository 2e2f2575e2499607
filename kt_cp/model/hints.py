"""Walks of the reference as hints: the circuit model begins where Warnsdorff's rule left off."""

from __future__ import annotations

import random

import numpy as np

from kt_cp.clock import Clock
from kt_cp.instance import Instance
from kt_cp.model.circuit import CircuitModel
from kt_cp.searches import board_graph
from kt_dfs import Budget, Strategy, search
from kt_dfs.strategies import onward_moves

# A walk is recursive and one Python object a square.
MAX_SQUARES = 50_000

# Walks to choose the longest of; one that visits all squares is taken at once.
WALKS = 3


def takes_hints(instance: Instance) -> bool:
    """Tell whether walks are like the tours wished for: they know a start and forbidden moves."""
    unknown = (instance.end, instance.symmetry, *instance.require, *instance.givens)
    return len(instance.board) <= MAX_SQUARES and not any(wish is not None for wish in unknown)


def hint_walk(model: CircuitModel, clock: Clock, seed: int) -> None:
    """Hint which arcs a walk by Warnsdorff's rule uses; another seed, another walk.

    It starts where the tour does, if that is known. Raises `OutOfTime` when the clock's limit is
    reached.
    """
    instance = model.instance
    squares = instance.board.squares.tolist()
    graph, choice = board_graph(instance), random.Random(seed)
    path: tuple[int, ...] = ()
    for _ in range(WALKS):
        clock.check()
        start = instance.start if instance.start is not None else choice.choice(squares)
        rule = Strategy(rank=onward_moves, backtracks=False)
        walk = search(graph, start, rule, budget=Budget(seconds=clock.remaining)).path
        path = max(path, walk, key=len)
        if len(path) == len(squares) or instance.start is not None:
            break
    clock.check()
    model.cp.clear_hints()
    nodes = np.searchsorted(instance.board.squares, path)
    if not instance.closed:
        nodes = np.concatenate([[model.depot], nodes, [model.depot]])
    arcs = model.arcs.indices_of(np.stack([nodes[:-1], nodes[1:]], axis=1))
    hint = model.cp.proto.solution_hint
    hint.vars.extend(arcs.tolist())
    hint.values.extend([1] * len(arcs))
