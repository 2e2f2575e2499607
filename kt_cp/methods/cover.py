"""Find the fewest paths that visit every vertex once, and a bound that a separator proves.

A greedy walk finds the first cover. Removing k vertices cuts p paths into at most p + k pieces,
each of which is in one component of what is left. So if c components are left, every cover has at
least c - k paths. CP-SAT closes the gap between that bound and the first cover: its multiple
circuit constraint lets circuits share the depot, and no other node. Without the depot they are
paths that visit every vertex once, and the arcs that leave the depot number them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.graph import Graph
from kt_cp.model.backend import Linear, Solver
from kt_cp.model.parameters import PARTIAL_TOURS
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.task import OutOfTimeError, Sense, Task

Paths = list[list[int]]
"""The paths of a cover, each as ids in visiting order."""


@dataclass(frozen=True)
class BoundedCover:
    """The best cover found, a bound on all, and whether Ctrl-C ended the search."""

    paths: Paths
    bound: int
    interrupted: bool = False


def fewest_paths(task: Task, least: int) -> BoundedCover:
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
    follower = {source: target for source, target in used if source != depot}
    paths: Paths = []
    for source, node in used:
        if source == depot:
            paths.append([])
            while node != depot:
                paths[-1].append(int(model.graph.ids[node]))
                node = follower[node]
    return BoundedCover(paths, max(least, round(response.best_objective_bound)), interrupted)


def cover_model(task: Task, least: int, first: Paths) -> CircuitModel:
    """Return the model of the covers of at least ``least`` paths, with the fewest wanted.

    The first cover is hinted, and others have no more paths. Raises `OutOfTimeError`.
    """
    model = CircuitModel(task.instance, clock=task.clock)
    graph, arcs = model.graph, model.arcs
    # For CP-SAT the depot, here the last node, is node 0.
    model.cp.add_multiple_circuit((arcs.pairs + 1) % len(graph), arcs.literals)
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
