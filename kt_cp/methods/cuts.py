"""The method ``cuts``: undirected edges, degrees by clauses, and cuts for what falls apart.

There is one 0/1 variable for each edge or, where the tour has to have a symmetry, for each orbit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, orbits_of, tour_symmetries
from kt_cp.problem.task import Task
from kt_cp.sat.edges import STATING, EdgeGraph, EdgeSolver, beside, cycles, edge_graph, propagate
from kt_cp.sat.two_factors import tighten


def answer(task: Task, max_conflicts: float = math.inf) -> Answer:
    """Return a tour, or the answer that every set of edges with the right degrees falls apart.

    It gives up after ``max_conflicts``.
    """
    instance, clock = task.instance, task.clock
    counters = {"conflicts": 0, "cuts": 0}
    try:
        for graph, solver in _solvers(instance, clock, task.seed):
            try:
                used = solver.solve(max_conflicts)
            finally:
                counters["conflicts"] += solver.conflicts
                counters["cuts"] += solver.cuts
            if used is not None:
                edges = np.concatenate([solver.edges[used], solver.links])
                [cycle] = cycles(beside(graph.nodes, edges))
                return found(graph.tour(cycle), counters)
    except OutOfTime:
        if counters["conflicts"] >= max_conflicts:
            why = f"no tour after {max_conflicts:,} conflicts of CaDiCaL"
            return gave_up(instance, why, counters)
        return out_of_time(instance, clock, counters)
    return exhausted(instance, "CaDiCaL proved that there is none", counters)


def _solvers(instance: Instance, clock: Clock, seed: int) -> Iterator[tuple[EdgeGraph, EdgeSolver]]:
    """Yield a solver, or one for each way in which a tour can have the symmetry asked for."""
    whole = instance.graph
    clock.check(STATING * len(whole))
    graph = propagate(edge_graph(instance))
    if len(whole) < whole.area and graph:  # on full rectangles clauses see it as soon
        graph = tighten(graph, clock)
    clock.check(STATING * len(whole))  # for the symmetry, and the orbits
    ways: list[TourMap | None] = [None]
    if instance.symmetry is not None:
        ways = [*tour_symmetries(instance.board, instance.symmetry, instance.closed)]
    for way in ways:
        if graph and (solver := _solver(graph, way, clock, seed)):
            yield graph, solver


def _solver(graph: EdgeGraph, way: TourMap | None, clock: Clock, seed: int) -> EdgeSolver | None:
    """Return a solver with a variable for each orbit of edges; None where one is not complete."""
    turns: list[Ints] = [np.arange(graph.nodes)]
    while way and len(turns) < way.order:
        turns.append(graph.form.images(way)[turns[-1]])
    keys = np.stack([np.sort(turn[graph.edges], axis=1) @ [graph.nodes, 1] for turn in turns])
    required = graph.required
    groups: Ints = np.arange(len(required))
    whole = np.ones_like(required)
    if way:
        whole, groups = orbits_of(keys)
        required = np.isin(groups, groups[required])
    clock.check()
    if not whole[required].all():
        return None
    free = whole & ~required
    _, groups = np.unique(groups[free], return_inverse=True)
    edges, links = graph.edges[free], graph.edges[required]
    solver = EdgeSolver(graph.nodes, edges, links, clock, groups, seed)

    def use_exactly(number: int, edges: Mask) -> None:
        literals = solver.variables[edges[free]].tolist()
        solver.exactly(number - int((edges & required).sum()), literals)

    for either in graph.either_way():
        use_exactly(1, either)
    if way and not np.array_equal(turns[1], turns[0]):  # one column may be its own image
        # A symmetry that turns a cycle fixes none of its nodes and edges, and neither do its
        # repetitions; one that runs it backwards fixes two.
        fixed: Mask = np.logical_or.reduce(keys[1:] == keys[0])
        fixed_nodes: Mask = np.logical_or.reduce(np.stack(turns[1:]) == turns[0])
        use_exactly(2 * way.reverse - int(fixed_nodes.sum()), fixed)
    return solver
