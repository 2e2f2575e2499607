"""Several tours at once: circuits over the same arcs, each move in at most one or exactly one.

A decomposition of a graph into Hamiltonian cycles uses every edge once, whichever the direction,
and that of a directed graph every arc once. Each tour has a circuit model of its own, and these
share one CP-SAT model.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np

from kt_cp.model.backend import Linear, Model
from kt_cp.model.circuit import state
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock


def build_decomposition(
    instance: Instance, count: int, uses_all: bool, clock: Clock
) -> list[CircuitModel]:
    """Return models of ``count`` tours of an instance that share no move, over one CP-SAT model.

    With ``uses_all``, some tour makes each move. Raises `OutOfTimeError`.

    >>> models = build_decomposition(Instance.of("8x8", closed=True), 2, False, Clock())
    >>> len(models), models[0].cp is models[1].cp
    (2, True)
    """
    cp = Model()
    models = [state(CircuitModel(instance, clock=clock, cp=cp)) for _ in range(count)]
    share_moves(models, uses_all)
    put_in_order(models)
    return models


def share_moves(models: list[CircuitModel], uses_all: bool) -> None:
    """Ensure that each move is made by at most one of the tours or, with ``uses_all``, by one."""
    literals: dict[tuple[int, ...], list[int]] = {}
    for model in models:
        is_move = (model.arcs.pairs != model.graph.depot).all(axis=1)
        moves = model.arcs.pairs[is_move]
        if not model.instance.graph.directed:
            moves = np.sort(moves, axis=1)
        made = model.arcs.literals[is_move].tolist()
        for move, literal in zip(map(tuple, moves.tolist()), made, strict=True):
            literals.setdefault(move, []).append(literal)
    for choices in literals.values():
        models[0].cp.add_at_most_one(choices)
        if uses_all:
            models[0].cp.add_clause(choices)


def put_in_order(models: list[CircuitModel]) -> None:
    """Break the symmetry between tours: order them by the nodes that follow one node.

    That is the depot of open tours, whose starts may agree, and node 0 of closed ones.
    """
    closed = models[0].instance.closed
    first = 0 if closed else models[0].graph.depot
    for one, other in pairwise(models):
        terms: Counter[int] = Counter()
        for model, sign in ((one, -1), (other, 1)):
            leaves = model.arcs.pairs[:, 0] == first
            nodes, literals = model.arcs.pairs[leaves, 1], model.arcs.literals[leaves]
            for node, literal in zip(nodes.tolist(), literals.tolist(), strict=True):
                terms[literal] += sign * node
        Linear(terms).bound(one.cp, 1 if closed else 0, None)
