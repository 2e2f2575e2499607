"""Tours of which no two share a move, and graphs as unions of such cycles.

Walecki (1890) decomposed complete graphs into Hamiltonian cycles, Ringel (1956) hypercubes, Kotzig
(1973) and Foregger (1978) products of cycles, and D. E. Knuth (Claude's Cycles, 2026) the directed
graph of the cube modulo m. Here each tour has a circuit model of its own, these share one CP-SAT
model, and reasons that a person can check come before it.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import pluralize
from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time, refuted
from kt_cp.model.backend import Model, Solver
from kt_cp.model.circuit import state, tours_in_order
from kt_cp.model.parameters import LIMITS
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError, Task
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.proof.refutation import refute
from kt_dfs import Status


def answer(task: Task, count: int | None) -> Answer:
    """Return ``count`` tours without a common move, as rows or, without it, that use every move."""
    instance, clock = task.instance, task.clock
    needed, reason = _needed(instance, count)
    if reason := refute(instance) or reason or (None if count else _odd_cycles(instance)):
        return refuted(reason)
    try:
        models = build_decomposition(instance, needed, count is None, clock)
        solver = Solver(task.parameters, clock, task.workers, task.seed)
        status = solver.solve(models[0].cp)
    except OutOfTimeError:
        return out_of_time(instance, clock)
    if status is Status.FOUND:
        used = np.array(solver.response.solution, dtype=np.bool_)
        rows = [tours_in_order(each, used[None, each.arcs.literals]) for each in models]
        return found(np.concatenate(rows))
    if status is Status.IMPOSSIBLE:
        tours = pluralize(needed, f"{instance.kind} tour")
        return exhausted(instance, f"CP-SAT proved that no {tours} are without a common move")
    if LIMITS & task.parameters.keys():
        return gave_up(instance, "a limit of CP-SAT was reached")
    return out_of_time(instance, clock)


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
    cp, instance = models[0].cp, models[0].instance
    for move in (instance.arcs if instance.graph.directed else instance.edges).tolist():
        ways = [move] if instance.graph.directed else [move, move[::-1]]
        choices = [literal for model in models for literal in model.literals(ways)]
        cp.add_at_most_one(choices)
        if uses_all:
            cp.add_clause(choices)


def put_in_order(models: list[CircuitModel]) -> None:
    """Break the symmetry between tours: order them by the nodes that follow one node.

    That is the depot of open tours, whose starts may agree, and node 0 of closed ones.
    """
    closed, graph, pairs = models[0].instance.closed, models[0].graph, models[0].arcs.pairs
    leaves = pairs[:, 0] == (0 if closed else graph.depot)
    nodes = pairs[leaves, 1]
    weights = np.concatenate([-nodes, nodes]).tolist()
    for one, other in pairwise(models):
        literals = [*one.arcs.literals[leaves].tolist(), *other.arcs.literals[leaves].tolist()]
        one.cp.add_linear(literals, weights, int(closed), len(graph))


def _needed(instance: Instance, count: int | None) -> tuple[int, Reason | None]:
    """Return how many tours are wanted, and the reason that some vertex has too few moves for them.

    Without ``count``, the vertex with the most moves tells how many closed tours use them all.
    """
    graph, uses = instance.graph, 1 if instance.graph.directed else 2
    ends = [np.bincount(each, minlength=graph.area)[graph.vertices] for each in instance.arcs.T]
    moves = np.array(ends)  # that leave each vertex, and that enter it
    most = int(moves.max(initial=0))
    number = count or math.ceil(most / uses)
    needed = uses * number
    if ((needed - moves).clip(0).sum(axis=1) <= (0 if instance.closed else needed)).all():
        return number, None
    few, many = graph.vertices[np.array([moves.argmin(), moves.argmax()]) % len(graph)].tolist()
    tours = f"{pluralize(number, f'{instance.kind} tour')} without a common move"
    text = f"{{few}} has only {pluralize(int(moves.min()), 'move')}, and {tours} need {needed}"
    if count is None:
        text += f"; to use all {most} of {{many}}, it takes as many tours"
    elif not instance.closed:
        text += ", but for their ends, which are too few for all such vertices"
    return number, Reason.of(ReasonKind.DEAD_END, instance, text, few=few, many=many)


def _odd_cycles(instance: Instance) -> Reason | None:
    """Return the reason that the parity of a directed graph with two arcs at each vertex is wrong.

    The two arcs out of a vertex are in different cycles, and so are the two into one, so arcs
    alternate along closed sequences. Of the permutations by two cycles of n vertices, one after the
    inverse of the other is even, and it has a cycle for each of these sequences.
    """
    graph, size = instance.graph, len(instance.graph)
    if not graph.directed or len(instance.arcs) != 2 * size:
        return None
    labels = component_labels(2 * graph.area, instance.arcs + np.array([0, graph.area]))
    number = len(np.unique(labels[graph.vertices]))
    if (size - number) % 2 == 0:
        return None
    parity = "even" if size % 2 == 0 else "odd"
    text = f"arcs alternate between two cycles along {pluralize(number, 'closed sequence')}"
    return Reason(ReasonKind.COLORS, graph, f"{text}, and that number has to be {parity}")
