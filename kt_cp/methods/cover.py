"""Find the fewest paths that visit every vertex once, and a bound that a separator proves.

Walks find a cover to begin with. Removing k vertices cuts p paths into at
most p + k pieces, each of which is in one component of what is left. So where c components are
left, every cover has at least c - k paths. CP-SAT closes the gap between that bound and the walks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kt_cp.graph import Graph
from kt_cp.graph_algorithms import adjacency
from kt_cp.model.backend import Solver
from kt_cp.model.cover import Paths, build_cover_model, hint_paths, paths_of
from kt_cp.model.parameters import PARTIAL_TOURS
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.proof.separators import candidate_separators, component_count, greedy_separators
from kt_dfs import Status

# The most vertices among which separators are looked for: about a second.
_MOST_SEPARATED = 20_000


@dataclass(frozen=True)
class Separator:
    """Vertices, as ids, whose removal leaves so many components. There may be none of them."""

    removed: tuple[int, ...]
    components: int

    @property
    def bound(self) -> int:
        """The number of paths that every cover has at least."""
        return max(1, self.components - len(self.removed))


def fewest_paths(
    graph: Graph, separator: Separator, clock: Clock, workers: int, seed: int
) -> tuple[Paths, int]:
    """Return the best cover found before the clock's limit, and the proven bound on all covers."""
    paths, bound = walked_cover(graph), separator.bound
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


def best_separator(graph: Graph) -> Separator:
    """Return the separator that proves the highest bound, of those that are found."""
    separators = (_without(graph, removed) for removed in _candidates(graph))
    return max(separators, key=lambda separator: separator.bound)


def _candidates(graph: Graph) -> Iterator[list[int]]:
    """Yield sets of vertices to remove, the empty one first."""
    yield []
    edges = Instance(graph).edges
    if len(edges) and 3 <= len(graph) <= _MOST_SEPARATED:
        yield from candidate_separators(edges, graph.mask, graph.sides, ends=())
        yield from greedy_separators(adjacency(edges))


def _without(graph: Graph, removed: list[int]) -> Separator:
    """Return a separator of these vertices, with the number of components that are left."""
    kept = np.array(graph.mask)
    kept[removed] = False
    return Separator(tuple(removed), component_count(Instance(graph).edges, kept))


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
