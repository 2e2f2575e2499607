"""Find the fewest paths that visit every vertex once, and a bound that a separator proves.

A greedy walk finds the first cover. Removing k vertices cuts p paths into at most p + k pieces,
each of which is in one component of what is left. So if c components are left, every cover has at
least c - k paths. CP-SAT closes the gap between that bound and the first cover.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from kt_cp.graph import Graph
from kt_cp.model.backend import Solver
from kt_cp.model.cover import Paths, build_cover_model, hint_paths, paths_of
from kt_cp.model.parameters import PARTIAL_TOURS, Parameters
from kt_cp.problem.task import Clock, OutOfTimeError


@dataclass(frozen=True)
class SearchSettings:
    """How CP-SAT searches: the clock, the number of threads, the seed and other parameters."""

    clock: Clock
    workers: int = 1
    seed: int = 0
    parameters: Parameters = field(default_factory=dict)


@dataclass(frozen=True)
class BoundedCover:
    """The best cover found, a bound on all, and whether Ctrl-C ended the search."""

    paths: Paths
    bound: int
    interrupted: bool = False


def fewest_paths(graph: Graph, least: int, settings: SearchSettings) -> BoundedCover:
    """Return the best cover found before the clock's limit or Ctrl-C, with the proven bound.

    Every cover is known to have at least ``least`` paths.
    """
    first = BoundedCover(greedy_cover(graph), least)
    if len(first.paths) == least:
        return first
    try:
        settings.clock.check()
        model = build_cover_model(graph, least, len(first.paths))
        hint_paths(model, first.paths)
        settings.clock.check()
    except OutOfTimeError:
        return first
    parameters = {**PARTIAL_TOURS, **settings.parameters}
    solver = Solver(parameters, settings.clock, settings.workers, settings.seed)
    interrupted = False
    try:
        solver.solve(model.cp)
    except KeyboardInterrupt:
        interrupted = True
    response = solver.response  # None if Ctrl-C ended the search before it began
    if response is None or response.status.name not in ("OPTIMAL", "FEASIBLE"):
        return replace(first, interrupted=interrupted)
    paths = paths_of(model, np.array(response.solution))
    return BoundedCover(paths, max(least, round(response.best_objective_bound)), interrupted)


def greedy_cover(graph: Graph) -> list[list[int]]:
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
