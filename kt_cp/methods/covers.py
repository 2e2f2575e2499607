"""Several tours or paths at once: tours of which no two share a move, and covers by paths.

Walecki (1890) decomposed complete graphs into Hamiltonian cycles, Ringel (1956) hypercubes, Kotzig
(1973) and Foregger (1978) products of cycles, and D. E. Knuth (Claude's Cycles, 2026) the directed
graph of the cube modulo m. Here each tour has a circuit model of its own, these share one CP-SAT
model, and reasons that a person can check come before it.

A cover is a set of paths that visit every vertex once. A greedy walk finds the first one. Removing
k vertices cuts p paths into at most p + k pieces, each of which is in one component of what is
left. So if c components are left, every cover has at least c - k paths. CP-SAT closes the gap
between that bound and the first cover: its multiple circuit constraint lets circuits share the
depot, and no other node. Without the depot they are paths, and the arcs that leave the depot number
them.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.messages import pluralize
from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time, refuted
from kt_cp.model.backend import Linear, Model, Solver
from kt_cp.model.circuit import add_constraints, tours_in_order
from kt_cp.model.parameters import LIMITS, PARTIAL_TOURS
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError, Sense, Task
from kt_cp.proof.reasons import Reason, ReasonKind
from kt_cp.proof.refutation import refute
from kt_dfs import Status


def decomposition(task: Task, count: int | None) -> Answer:
    """Return ``count`` tours of which no two share a move, as rows.

    Without ``count`` they are tours that together use every move.
    """
    instance = task.instance
    clock = task.clock
    per_tour = 1 if instance.graph.directed else 2
    number = count or math.ceil(_moves_at_vertices(instance).max(initial=0) / per_tour)
    too_few = _too_few_moves(instance, number, needed=per_tour * number, uses_all=count is None)
    if reason := refute(instance, clock) or too_few:
        return refuted(reason)
    try:
        cp = Model()
        models = [
            add_constraints(CircuitModel(instance, clock=clock, cp=cp)) for _ in range(number)
        ]
        share_moves(models, uses_all=count is None)
        solver = Solver(task.parameters, clock, task.workers, task.seed)
        status = solver.solve(cp)
    except OutOfTimeError:
        return out_of_time(instance, clock)
    if status is Status.FOUND:
        used = np.array(solver.response.solution, dtype=np.bool_)
        rows = [tours_in_order(each, used[None, each.arcs.literals]) for each in models]
        return found(np.concatenate(rows))
    if status is Status.IMPOSSIBLE:
        tours = pluralize(number, f"{instance.kind} tour")
        return exhausted(instance, f"CP-SAT proved that no {tours} are without a common move")
    if LIMITS & task.parameters.keys():
        return gave_up(instance, "a limit of CP-SAT was reached")
    return out_of_time(instance, clock)


def share_moves(models: list[CircuitModel], uses_all: bool) -> None:
    """Ensure that each move is made by at most one of the tours or, with ``uses_all``, by one."""
    cp = models[0].cp
    instance = models[0].instance
    moves = instance.arcs if instance.graph.directed else instance.edges
    for move in moves.tolist():
        ways = [move] if instance.graph.directed else [move, move[::-1]]
        choices = [literal for model in models for literal in model.literals_of_moves(ways)]
        cp.add_at_most_one(choices)
        if uses_all:
            cp.add_clause(choices)


def _moves_at_vertices(instance: Instance) -> Ints:
    """Return how many moves leave each vertex, and how many enter it, as two rows."""
    graph = instance.graph
    ends = [np.bincount(each, minlength=graph.area) for each in instance.arcs.T]
    return np.array(ends)[:, graph.vertices]


def _too_few_moves(instance: Instance, number: int, needed: int, uses_all: bool) -> Reason | None:
    """Return the reason that some vertex has too few moves for a number of tours, or None.

    They need ``needed`` moves from each vertex and to it, but none from the ends of open tours and
    none to their starts.
    """
    graph = instance.graph
    moves = _moves_at_vertices(instance)
    # By direction: how many of the moves needed are lacking at all vertices together.
    lacking = (needed - moves).clip(0).sum(axis=1)
    allowed = 0 if instance.closed else needed
    if (lacking <= allowed).all():
        return None
    few = graph.vertices[moves.min(axis=0).argmin()]
    many = graph.vertices[moves.max(axis=0).argmax()]
    tours = f"{pluralize(number, f'{instance.kind} tour')} without a common move"
    text = f"{{few}} has only {pluralize(int(moves.min()), 'move')}, and {tours} need {needed}"
    if uses_all:
        text += f"; to use all {moves.max()} of {{many}}, it takes as many tours"
    elif not instance.closed:
        text += ", but for their ends, which are too few for all such vertices"
    return Reason.of(ReasonKind.DEAD_END, instance, text, few=few, many=many)


# -- covers ---------------------------------------------------------------------------------------

Paths = list[list[int]]
"""The paths of a cover, each as ids in visiting order."""


@dataclass(frozen=True)
class BoundedCover:
    """The best cover by paths found, a bound on all, and whether Ctrl-C ended the search."""

    paths: Paths
    bound: int
    interrupted: bool = False


def best_cover(task: Task, least: int) -> BoundedCover:
    """Return the best cover found before the clock's limit or Ctrl-C, with the proven bound.

    The instance of the task has no constraints, and every cover is known to have at least ``least``
    paths.
    """
    first = BoundedCover(greedy_cover(task.instance.graph), least)
    if len(first.paths) == least:
        return first
    try:
        model = cover_model(task, least, first.paths)
        task.clock.check()
    except OutOfTimeError:
        return first
    parameters = {**PARTIAL_TOURS, **task.parameters}
    solver = Solver(parameters, task.clock, task.workers, task.seed)
    interrupted = False
    try:
        solver.solve(model.cp)
    except KeyboardInterrupt:
        interrupted = True
    response = solver.response  # None if Ctrl-C ended the search before it began
    if response is None or response.status.name not in ("OPTIMAL", "FEASIBLE"):
        return replace(first, interrupted=interrupted)
    depot = model.graph.depot
    used = model.arcs.used_in(np.array(response.solution))
    follower = dict(used)  # of the depot, which several nodes follow, it has one
    paths: Paths = []
    for node in (target for source, target in used if source == depot):
        path = list[int]()
        while node != depot:
            path.append(int(model.graph.ids[node]))
            node = follower[node]
        paths.append(path)
    return BoundedCover(paths, max(least, round(response.best_objective_bound)), interrupted)


def cover_model(task: Task, least: int, first: Paths) -> CircuitModel:
    """Return the model of the covers of at least ``least`` paths, with the fewest wanted.

    The first cover is hinted, and others have no more paths. Raises `OutOfTimeError`.
    """
    model = CircuitModel(task.instance, clock=task.clock)
    graph = model.graph
    arcs = model.arcs
    # For CP-SAT the depot, here the last node, is node 0.
    model.cp.add_circuit((arcs.pairs + 1) % len(graph), arcs.literals, is_multiple=True)
    starts = arcs.literals[arcs.pairs[:, 0] == graph.depot]
    number = Linear(Counter(starts.tolist()))
    number.bound(model.cp, least, len(first))
    number.optimize(model.cp, Sense.MINIMIZE)
    cycle = np.concatenate([graph.cycle(path) for path in first])  # the depot after each path
    along = np.stack([np.roll(cycle, 1), cycle], axis=1)
    model.cp.hint_all(arcs.literals, chosen=arcs.literals_of(along))
    return model


def greedy_cover(graph: Graph) -> Paths:
    """Return a cover by paths that are extended to the neighbor with the fewest free neighbors.

    A path begins at a vertex with the fewest free neighbors, and ends when it has no free neighbor.
    """
    free = dict.fromkeys(graph.vertices.tolist())  # a set that keeps its order
    onward = {vertex: len(graph.neighbors(vertex)) for vertex in free}
    entered_from: dict[int, list[int]] = {vertex: [] for vertex in free}
    for source, target in graph.arcs.tolist():
        entered_from[target].append(source)
    paths = []
    while free:
        vertex: int | None = min(free, key=onward.__getitem__)
        path = []
        while vertex is not None:
            path.append(vertex)
            del free[vertex]
            for other in entered_from[vertex]:
                onward[other] -= 1
            following = [each for each in graph.neighbors(vertex) if each in free]
            vertex = min(following, key=onward.__getitem__, default=None)
        paths.append(path)
    return paths
