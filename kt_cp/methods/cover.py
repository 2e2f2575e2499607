"""Find the fewest paths that visit every vertex once, and a bound that a separator proves.

Walks find a cover to begin with. Removing k vertices cuts p paths into at
most p + k pieces, each of which is in one component of what is left. So where c components are
left, every cover has at least c - k paths. CP-SAT closes the gap between that bound and the walks.
"""

from __future__ import annotations

import numpy as np

from kt_cp.graph import Graph
from kt_cp.model.backend import Solver
from kt_cp.model.cover import Paths, build_cover_model, hint_paths, paths_of
from kt_cp.model.parameters import PARTIAL_TOURS
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_dfs import Status


def fewest_paths(
    graph: Graph, least: int, clock: Clock, workers: int, seed: int
) -> tuple[Paths, int]:
    """Return the best cover found before the clock's limit, and the proven bound on all covers.

    Every cover is known to have at least ``least`` paths.
    """
    paths, bound = walked_cover(graph), least
    if len(paths) == bound:
        return paths, bound
    try:
        clock.check()
        model = build_cover_model(graph, bound, len(paths))
        hint_paths(model, paths)
        clock.check()
    except OutOfTimeError:
        return paths, bound
    solver = Solver(PARTIAL_TOURS, clock, workers, seed)
    if solver.solve(model.cp) is Status.UNKNOWN:
        return paths, bound
    paths = paths_of(model, np.array(solver.response.solution))
    return paths, max(bound, round(solver.response.best_objective_bound))


def walked_cover(graph: Graph) -> list[list[int]]:
    """Return a cover from walks to the neighbor with the fewest free neighbors, one after another.

    A walk begins at a vertex with the fewest free neighbors, and ends where none is free.
    """
    free = dict.fromkeys(graph.vertices.tolist())
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
