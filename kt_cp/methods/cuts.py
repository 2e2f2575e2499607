"""The method ``cuts``: undirected edges, degrees by clauses, and cuts for what falls apart.

One 0/1 variable for each edge or, where the tour has to have a symmetry, for each orbit of edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from kt_cp.board import Mask
from kt_cp.board.symmetry import images_under, is_symmetric
from kt_cp.methods.answer import Answer, UnsupportedError, exhausted, found, gave_up, out_of_time
from kt_cp.model.edges import (
    EdgeGraph,
    cycles,
    edge_graph,
    is_undirected,
    mates,
    propagate,
    tour_of,
)
from kt_cp.model.lazy_cuts import EdgeSolver
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_symmetry import TourMap, tour_symmetries


def answer(
    instance: Instance, clock: Clock, workers: int, seed: int, most: float = math.inf
) -> Answer:
    """Return a tour, or the answer that every set of edges with the right degrees falls apart.

    After so many conflicts at most it gives up.
    """
    if not is_undirected(instance):
        raise UnsupportedError(
            "method cuts: for moves and constraints without a direction; "
            "method circuit supports every constraint"
        )
    alone = instance.board.squares
    if len(alone) == 1 and not instance.closed and instance.satisfied_by(alone):
        return found(alone)
    counters = {"conflicts": 0, "cuts": 0}
    try:
        for graph, solver in _solvers(instance, seed):
            try:
                used = solver.solve(clock, most)
            finally:
                counters["conflicts"] += solver.conflicts
                counters["cuts"] += len(solver.cuts)
            if used is not None:
                edges = np.concatenate([solver.edges[used], solver.links])
                [cycle] = cycles(mates(graph.nodes, edges))
                return found(tour_of(graph, cycle), counters)
    except OutOfTime:
        if clock.remaining:
            return gave_up(instance, f"no tour after {most:,} conflicts of CaDiCaL", counters)
        return out_of_time(instance, clock, counters)
    return exhausted(instance, "exhausted by CaDiCaL", counters)


def _solvers(instance: Instance, seed: int) -> Iterator[tuple[EdgeGraph, EdgeSolver]]:
    """Yield a solver, or one for each way in which a tour can have the symmetry asked for."""
    board, graph = instance.board, propagate(edge_graph(instance))
    if graph is None:
        return
    if instance.symmetry is None:
        free, links = graph.edges[~graph.required], graph.edges[graph.required]
        yield graph, EdgeSolver(graph.nodes, free, links, seed=seed)
    elif is_symmetric(board, images_under(board, instance.symmetry)):
        for way in tour_symmetries(board, instance.symmetry, instance.closed):
            if solver := _symmetric_solver(graph, way, seed):
                yield graph, solver


def _symmetric_solver(graph: EdgeGraph, way: TourMap, seed: int) -> EdgeSolver | None:
    """Return a solver with a variable for each orbit of edges; None where one of them is cut short.

    A symmetry of order 2 that reverses a cycle fixes just two of its nodes and edges. One that
    turns it fixes none, and neither do its repetitions.
    """
    squares = graph.instance.board.squares
    images = np.append(np.searchsorted(squares, way.images[squares]), graph.depot)[: graph.nodes]
    turns = [np.arange(graph.nodes)]
    for _ in range(way.order - 1):
        turns.append(images[turns[-1]])
    keys = np.stack([np.sort(turn[graph.edges], axis=1) @ [graph.nodes, 1] for turn in turns])
    _, groups = np.unique(keys.min(axis=0), return_inverse=True)
    required = np.isin(groups, groups[graph.required])
    whole: Mask = np.logical_and.reduce(np.isin(keys, keys[0]))
    if not whole[required].all():
        return None
    free = whole & ~required
    solver = EdgeSolver(
        graph.nodes,
        graph.edges[free],
        graph.edges[required],
        np.unique(groups[free], return_inverse=True)[1],
        seed,
    )
    if not np.array_equal(images, turns[0]):  # on a board of one column all squares may be fixed
        fixed: Mask = np.logical_or.reduce(keys[1:] == keys[0])
        fixed_nodes: Mask = np.logical_or.reduce(np.stack(turns[1:]) == turns[0])
        number = 2 * way.reverse - fixed_nodes.sum() - (fixed & required).sum()
        solver.use_exactly(int(number), fixed[free])
    return solver
