"""The method ``cuts``: 2-factors by a SAT solver, and clauses that join their cycles.

A tour is a 2-factor of one cycle. Where a solution has more, exchanges of two edges join what they
can, and then a clause for each cycle says that some edge leaves it (Dantzig, Fulkerson and Johnson
1954). The search goes on until a solution has one cycle, or none is left.

A solver with a variable for each edge has the first turn, which is enough for sparse random graphs.
Then solvers with a variable for each arc take turns, each turn longer than the one before, and each
solver with its variables in another order and with all clauses found before. They also state that a
tour crosses the borders of certain parts an even number of times (`kt_cp.methods.regions`), and an
undirected graph that was made of a directed one is searched as the directed graph. If a tour has to
have a symmetry, there is a variable for each orbit of edges.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints, Mask, edge_keys
from kt_cp.messages import pluralize
from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.methods.regions import find_small_cuts
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, complete_orbits, tour_symmetries
from kt_cp.problem.task import SECONDS_PER_EDGE, Clock, OutOfTimeError, Task
from kt_cp.sat.edges import (
    ArcSolver,
    EdgeGraph,
    EdgeSolver,
    cycle_neighbors,
    cycles,
    directed_form,
    edge_graph,
    propagate,
)
from kt_cp.sat.formula import OutOfConflictsError
from kt_cp.sat.two_factors import CycleCover, tighten

# The work of the first turn, and how much longer the next one is. The unit is a propagation of
# CaDiCaL, about a quarter of a microsecond, so that the result does not depend on the speed of the
# machine.
_FIRST_TURN = 1_000_000
_GROWTH = 1.5

# The work of joining and cutting a solution, for each node and edge.
_SOLUTION_WORK = 4

# The turns that each solver of arcs has.
_TURNS_PER_SOLVER = 3

# The most 2-factors whose cuts a new solver gets.
_MAX_SHARED = 2_000

_PROVED = "CaDiCaL proved that there is none"


def answer(task: Task) -> Answer:
    """Return a tour, or the answer that every 2-factor has several cycles."""
    return CutSearch(task).run() if task.instance.symmetry is None else symmetric_answer(task)


class CutSearch:
    """A search in turns, which can stop and go on later.

    The counters are the conflicts of CaDiCaL, the 2-factors of several cycles, the clauses
    added against them, and the turns. The instance asks for no symmetry.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.counters = dict.fromkeys(("conflicts", "two_factors", "cuts", "turns"), 0.0)
        self._turns = self._take_turns()  # shared by all calls of `run`
        self._partitions: list[Ints] = []  # for each 2-factor the labels of its cycles
        self._cover: CycleCover | None = None
        self._random = np.random.default_rng(task.seed)

    @cached_property
    def graph(self) -> EdgeGraph | None:
        """The graph without edges that no tour uses, or None where no tour is left."""
        return _reduced_graph(self.task.instance, self.task.clock)

    def run(self, turns: int | None = None) -> Answer:
        """Search to the end or for some turns, and go on where the last call stopped."""
        instance = self.task.instance
        try:
            for answer in itertools.islice(self._turns, turns):
                if answer is not None:
                    return answer
        except OutOfTimeError:
            return out_of_time(instance, self.task.clock, self.counters)
        conflicts = pluralize(int(self.counters["conflicts"]), "conflict")
        return gave_up(instance, f"no tour after {conflicts} of CaDiCaL", self.counters)

    def _take_turns(self) -> Iterator[Answer | None]:
        """Take turns. Yield None after each, or the answer, which ends the search."""
        graph = whole = self.graph
        directed = None if whole is None else directed_form(whole)
        if directed is not None:
            graph = _reduced_graph(Instance(directed.graph, closed=True), self.task.clock)
        if whole is None or graph is None:
            yield exhausted(self.task.instance, _PROVED, self.counters)
            return
        for solver, work in self._solvers(graph):
            self.counters["turns"] += 1
            answer = self._search(graph, solver, work)
            if directed and answer and answer.squares is not None:
                cycle = directed.expanded(answer.squares)
                answer = replace(answer, squares=whole.tour(cycle))
            yield answer

    def _solvers(self, graph: EdgeGraph) -> Iterator[tuple[EdgeSolver, float]]:
        """Yield for each turn the solver that has it, and its work, without end."""
        clock = self.task.clock
        seed = self.task.seed
        if not graph.is_split:
            yield EdgeSolver.of(graph, clock, seed), _FIRST_TURN
        work: float = _FIRST_TURN
        small_cuts: list[list[int]] = []
        for first in itertools.count(1, _TURNS_PER_SOLVER):
            solver = ArcSolver(graph, clock, seed + first)
            for labels in self._partitions:
                solver.cut(labels)
            for turn in range(first, first + _TURNS_PER_SOLVER):
                if turn == 2 and not graph.is_split:  # it takes time; turn 1 solves many graphs
                    small_cuts = find_small_cuts(graph.edges, clock, seed)
                if turn == max(2, first):  # each solver once, but none before turn 2
                    for nodes in small_cuts:
                        solver.require_even_crossing(nodes)
                yield solver, work
                work *= _GROWTH

    def _search(self, graph: EdgeGraph, solver: EdgeSolver, work: float) -> Answer | None:
        """Return a tour of the graph, the answer that there is none, or None if work has run out.

        The cycles of each solution are joined as far as exchanges of two edges do it.
        """
        conflicts = solver.formula.conflicts
        cuts = solver.cuts
        cover = self._cover
        max_propagations = solver.formula.propagations + work
        try:
            while is_found := solver.formula.solve_within(self.task.clock, max_propagations):
                if cover is None:
                    cover = self._cover = CycleCover(graph, solver.two_factor())
                else:
                    cover.use(solver.two_factor())
                if not graph.undirected_requirements():  # such a move might be exchanged away
                    cover.join(self._random, self.task.clock)
                if len(cover.sizes) == 1:
                    return found(graph.tour(cover.order), self.counters)
                self.counters["two_factors"] += 1
                solver.cut(cover.label_of)
                if len(self._partitions) < _MAX_SHARED:
                    self._partitions.append(cover.label_of)
                max_propagations -= _SOLUTION_WORK * (graph.node_count + len(graph.edges))
        finally:
            self.counters["conflicts"] += solver.formula.conflicts - conflicts
            self.counters["cuts"] += solver.cuts - cuts
        return None if is_found is None else exhausted(self.task.instance, _PROVED, self.counters)


def _reduced_graph(instance: Instance, clock: Clock) -> EdgeGraph | None:
    """Return the graph without edges that no tour uses, or None where no tour is left."""
    graph = instance.graph
    clock.check(SECONDS_PER_EDGE * len(graph))
    reduced = propagate(edge_graph(instance))
    if reduced is not None and len(graph) < graph.area:  # full rectangles need no tightening
        reduced = tighten(reduced, clock)
    return reduced


# -- with a symmetry ------------------------------------------------------------------------------


def symmetric_answer(task: Task, max_conflicts: float = math.inf) -> Answer:
    """Return a tour with the symmetry asked for, or the answer that there is none.

    There is a solver for each way in which a tour can have the symmetry. The search gives up after
    ``max_conflicts`` of each. The counters are the conflicts of CaDiCaL and the clauses added
    against cycles.
    """
    instance = task.instance
    clock = task.clock
    counters = {"conflicts": 0, "cuts": 0}
    has_given_up = False
    try:
        graph = _reduced_graph(instance, clock)
        clock.check(SECONDS_PER_EDGE * len(instance.graph))  # for the symmetry, and the orbits
        ways = [] if graph is None else tour_symmetries(instance)
        for tour_map in ways:
            if graph is None or tour_map is None:
                continue
            solver = _symmetric_solver(graph, tour_map, clock, task.seed)
            if solver is None:
                continue
            try:
                if solver.solve(max_conflicts):
                    [cycle] = cycles(cycle_neighbors(graph.node_count, solver.two_factor()))
                    return found(graph.tour(cycle), counters)
            except OutOfConflictsError:
                has_given_up = True
            finally:
                counters["conflicts"] += solver.formula.conflicts
                counters["cuts"] += solver.cuts
    except OutOfTimeError:
        return out_of_time(instance, clock, counters)
    if has_given_up:
        why = f"no tour after {max_conflicts:,} conflicts of CaDiCaL"
        return gave_up(instance, why, counters)
    return exhausted(instance, _PROVED, counters)


def _symmetric_solver(
    graph: EdgeGraph, tour_map: TourMap, clock: Clock, seed: int
) -> EdgeSolver | None:
    """Return a solver with a variable for each orbit of edges under a symmetry of the tour.

    Returns None if the orbit of a required edge is not complete.
    """
    powers = tour_map.powers(graph.form.images(tour_map))
    images = np.stack([np.sort(power[graph.edges], axis=1) for power in powers])
    numbers = edge_keys(images, graph.node_count)
    is_complete, orbits = complete_orbits(numbers)
    required = np.isin(orbits, orbits[graph.required])
    clock.check()
    if not is_complete[required].all():
        return None
    kept = replace(graph, edges=graph.edges[is_complete], required=required[is_complete])
    _, groups = np.unique(orbits[is_complete & ~required], return_inverse=True)
    solver = EdgeSolver.of(kept, clock, seed, groups)
    # A map that turns a cycle fixes none of its places, which are its nodes and edges, and neither
    # do the powers of the map; one that runs it backwards fixes two. The cycle passes all fixed
    # nodes, so that the other fixed places are edges. (On a board of one column a reflection may
    # fix every square.)
    if not np.array_equal(powers[1], powers[0]):
        fixed_nodes: Mask = np.logical_or.reduce(np.stack(powers[1:]) == powers[0])
        fixed_edges: Mask = np.logical_or.reduce(numbers[1:] == numbers[0])
        places = (2 if tour_map.reverse else 0) - int(fixed_nodes.sum())
        solver.use_exactly(places, graph.edges[fixed_edges])
    return solver
