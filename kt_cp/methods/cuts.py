"""The method ``cuts``: 2-factors by a SAT solver, and clauses that cut what falls apart.

There are two models, undirected edges and directed arcs. Either solves in a moment what the other
does not in an hour, so they take turns, each longer than the one before, and share their cuts. If
neither is lucky soon, both are told of parts with small borders. Where a tour has to have a
symmetry there is one model, with a variable for each orbit of edges.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.errors import pluralize
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.methods.rotations import cycle_by_rotations
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.costs import EDGE_GRAPH_VERTEX
from kt_cp.problem.symmetry import TourMap, complete_orbits, tour_symmetries
from kt_cp.problem.task import Task
from kt_cp.sat.directed import ArcSolver
from kt_cp.sat.edges import EdgeGraph, EdgeSolver, beside, cycles, edge_graph, propagate
from kt_cp.sat.joining import CycleJoiner
from kt_cp.sat.small_cuts import find_small_cuts
from kt_cp.sat.two_factors import CycleCover, maximum_flow, tighten
from kt_cp.tour.kinds import FEWEST_CLOSED

# Conflicts of the first try, with the vertices numbered as they are given: most graphs take fewer.
_FIRST_TRY = 500

# The work of a turn in the first round, and how much longer the turns of the next round are. The
# unit is a propagation of CaDiCaL, about a quarter of a microsecond, so that no machine changes
# which model finds a tour.
_FIRST_TURN, _GROWTH = 1_000_000, 1.5

# The work of looking at a solution and cutting it, for each node and edge.
_LOOKING = 4

# In every so many rounds the models are stated anew, with their variables in another order.
_ANEW = 3

# On fewer nodes a SAT solver does not need to be told of small borders.
_LARGE = 100

# The cuts of so many 2-factors are shared.
_SHARED = 2_000

# Where every node has so many neighbors, rotations of a path find most cycles at once.
_MANY_NEIGHBORS = 16

_PROVED = "CaDiCaL proved that there is none"


def answer(task: Task, max_conflicts: float = math.inf) -> Answer:
    """Return a tour, or the answer that every set of edges with the right degrees falls apart.

    It gives up after ``max_conflicts``.
    """
    if task.instance.symmetry is None:
        return CutSearch(task).run(max_conflicts=max_conflicts)
    return _answer_with_symmetry(task, max_conflicts)


Solver = ArcSolver | EdgeSolver


@dataclass
class CutSearch:
    """A search of both models in turns, which can stop and go on later.

    The counters are the conflicts of CaDiCaL, the 2-factors that fell apart, the clauses that cut
    them, and the turns. The instance asks for no symmetry.
    """

    task: Task
    counters: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(("conflicts", "two_factors", "cuts", "turns"), 0)
    )

    def __post_init__(self) -> None:
        self._turns = self._take_turns()
        self._partitions: list[Ints] = []  # for each 2-factor the labels of its components

    def run(self, turns: int | None = None, max_conflicts: float = math.inf) -> Answer:
        """Search to the end, for some turns, or until there were so many conflicts."""
        instance = self.task.instance
        try:
            for answer in itertools.islice(self._turns, turns):
                if answer is not None:
                    return answer
                if self.counters["conflicts"] >= max_conflicts:
                    break
        except OutOfTimeError:
            return out_of_time(instance, self.task.clock, self.counters)
        conflicts = pluralize(int(self.counters["conflicts"]), "conflict")
        return gave_up(instance, f"no tour after {conflicts} of CaDiCaL", self.counters)

    @cached_property
    def _graph(self) -> EdgeGraph | None:
        return _reduced_graph(self.task)

    @cached_property
    def _joiner(self) -> CycleJoiner:
        assert self._graph is not None
        return CycleJoiner(self._graph)

    @cached_property
    def _small_cuts(self) -> list[list[int]]:
        """Sets of nodes with small borders; none if an edge has a direction."""
        if self._graph is None or self._graph.is_split or self._graph.nodes < _LARGE:
            return []
        return find_small_cuts(self._joiner.neighbors, self.task.clock, self.task.seed)

    def _take_turns(self) -> Iterator[Answer | None]:
        """Take turns for ever; yield after each the answer, or None."""
        graph = self._graph
        if graph is None:
            yield exhausted(self.task.instance, _PROVED, self.counters)
            return
        yield self._without_search(graph)
        solver = EdgeSolver.of(graph, self.task.clock, self.task.seed, is_renumbered=False)
        yield self._try(graph, solver)
        kept: dict[type[Solver], _Turns] = {}
        if self.task.instance.graph.has_places:  # squares are numbered well, so it goes on
            kept[EdgeSolver] = _Turns(solver)
        del solver  # which frees its memory, unless it is kept
        yield from self._growing_turns(graph, kept)

    def _growing_turns(
        self, graph: EdgeGraph, kept: dict[type[Solver], _Turns]
    ) -> Iterator[Answer | None]:
        """Let the models take turns, longer in each round; ``kept`` are those stated before.

        In every third round they are stated anew, and forgotten after it.
        """
        work = float(_FIRST_TURN)
        for number in itertools.count():
            for model in _models(graph):
                if number % _ANEW == _ANEW - 1:
                    turns = _Turns(self._stated(model, graph, number))
                else:
                    if model not in kept:
                        kept[model] = _Turns(self._stated(model, graph, number))
                    turns = kept[model]
                yield self._take_turn(turns, work, knows_borders=number > 0)
            work *= _GROWTH

    def _stated(self, model: type[Solver], graph: EdgeGraph, number: int) -> Solver:
        """State a model of the graph, with its variables in another order for each number."""
        clock, seed = self.task.clock, self.task.seed + number
        if model is ArcSolver:
            return ArcSolver(graph, clock, seed)
        return EdgeSolver.of(graph, clock, seed)

    def _without_search(self, graph: EdgeGraph) -> Answer | None:
        """Rotate a path if every node has many neighbors, or join the cycles of a flow.

        Boards have better methods for that, which the schedule asks before.
        """
        if self.task.instance.graph.has_places:
            return None
        degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
        if degrees.min() >= _MANY_NEIGHBORS:
            cycle = cycle_by_rotations(graph, Random(self.task.seed), self.task.clock)
            if cycle is not None:
                return found(graph.tour(cycle), self.counters)
        return self._join_flow(graph)

    def _join_flow(self, graph: EdgeGraph) -> Answer | None:
        """Join the cycles of a 2-factor by maximum flow, if the graph is bipartite."""
        clock, seed = self.task.clock, self.task.seed
        flow = maximum_flow(graph, clock, seed)
        if flow is None or graph.either_way():
            return None
        if not flow.complete:
            return exhausted(self.task.instance, "no set of cycles covers the graph", self.counters)
        cover = CycleCover(graph, flow.two_factor)
        cover.join(np.random.default_rng(seed), clock)
        if len(cover.sizes) == 1:
            return found(graph.tour(cover.order), self.counters)
        self._partitions.append(cover.label)
        return None

    def _try(self, graph: EdgeGraph, solver: EdgeSolver) -> Answer | None:
        """Cut without joining, and give up soon."""
        try:
            used = solver.solve(_FIRST_TRY)
        except OutOfTimeError:
            self.task.clock.check()
            return None
        finally:
            self.counters["conflicts"] += solver.conflicts
            self.counters["cuts"] += solver.cuts
            self.counters["turns"] += 1
        if used is None:
            return exhausted(self.task.instance, _PROVED, self.counters)
        [cycle] = cycles(beside(graph.nodes, solver.two_factor()))
        return found(graph.tour(cycle), self.counters)

    def _take_turn(self, turns: _Turns, work: float, knows_borders: bool) -> Answer | None:
        """Let one model search for some work; return the answer, or None."""
        solver, formula = turns.solver, turns.solver.formula
        conflicts, cuts = formula.conflicts, solver.cuts
        self.counters["turns"] += 1
        try:
            turns.learn(self._partitions, self._small_cuts if knows_borders else [])
            return self._search(turns, formula.propagations + work)
        finally:
            self.counters["conflicts"] += formula.conflicts - conflicts
            self.counters["cuts"] += solver.cuts - cuts

    def _search(self, turns: _Turns, limit: float) -> Answer | None:
        """Search until the answer is known or the solver has made so many propagations."""
        assert self._graph is not None
        solver, instance = turns.solver, self.task.instance
        while (is_found := solver.formula.solve_within(self.task.clock, limit)) is not None:
            if not is_found:
                return exhausted(instance, _PROVED, self.counters)
            two_factor = solver.two_factor()
            cycles = self._joiner.joined(two_factor)
            if len(cycles.sizes) == 1:
                return found(self._graph.tour(cycles.order()), self.counters)
            self.counters["two_factors"] += 1
            labels = np.array(cycles.labels, dtype=np.int32)
            solver.cut(labels)
            if len(self._partitions) < _SHARED:
                self._partitions.append(labels)
                turns.skip(len(self._partitions))
            limit -= _LOOKING * (self._graph.nodes + len(self._graph.edges))
        return None


class _Turns:
    """A solver, and what it has been told of what others found."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self._partitions = 0
        self._knows_borders = False

    def learn(self, partitions: list[Ints], borders: list[list[int]]) -> None:
        """Add the cuts of further partitions, and once what is known of sets with small borders."""
        for labels in partitions[self._partitions :]:
            self.solver.cut(labels)
        self.skip(len(partitions))
        if borders and not self._knows_borders:
            self._knows_borders = True
            for nodes in borders:
                inside = np.zeros(self.solver.nodes, dtype=np.bool_)
                inside[nodes] = True
                self.solver.cross_evenly(inside)

    def skip(self, partitions: int) -> None:
        """Take so many partitions as known."""
        self._partitions = partitions


def _models(graph: EdgeGraph) -> list[type[Solver]]:
    """Return the models that take turns."""
    if graph.nodes < FEWEST_CLOSED:  # the two arcs between two nodes would lead back and forth
        return [EdgeSolver]
    return [EdgeSolver, ArcSolver]


def _reduced_graph(task: Task) -> EdgeGraph | None:
    """Return the graph without edges that no tour uses, or None where no tour is left."""
    graph, clock = task.instance.graph, task.clock
    clock.check(EDGE_GRAPH_VERTEX * len(graph))
    reduced = propagate(edge_graph(task.instance))
    if reduced is not None and len(graph) < graph.area:  # on full rectangles clauses see it as soon
        reduced = tighten(reduced, clock)
    return reduced


def _answer_with_symmetry(task: Task, max_conflicts: float) -> Answer:
    """Return a tour with the symmetry asked for, or the answer that there is none."""
    instance, clock = task.instance, task.clock
    counters = {"conflicts": 0, "cuts": 0}
    try:
        for graph, solver in _symmetric_solvers(task):
            try:
                used = solver.solve(max_conflicts)
            finally:
                counters["conflicts"] += solver.conflicts
                counters["cuts"] += solver.cuts
            if used is not None:
                edges = np.concatenate([solver.edges[used], solver.links])
                [cycle] = cycles(beside(graph.nodes, edges))
                return found(graph.tour(cycle), counters)
    except OutOfTimeError:
        if counters["conflicts"] >= max_conflicts:
            why = f"no tour after {max_conflicts:,} conflicts of CaDiCaL"
            return gave_up(instance, why, counters)
        return out_of_time(instance, clock, counters)
    return exhausted(instance, _PROVED, counters)


def _symmetric_solvers(task: Task) -> Iterator[tuple[EdgeGraph, EdgeSolver]]:
    """Yield a solver for each way in which a tour can have the symmetry asked for."""
    instance, clock = task.instance, task.clock
    assert instance.symmetry is not None
    graph = _reduced_graph(task)
    clock.check(EDGE_GRAPH_VERTEX * len(instance.graph))  # for the symmetry, and the orbits
    for way in tour_symmetries(instance.board, instance.symmetry, instance.closed):
        if graph and (solver := _solver(graph, way, clock, task.seed)):
            yield graph, solver


def _solver(graph: EdgeGraph, way: TourMap, clock: Clock, seed: int) -> EdgeSolver | None:
    """Return a solver with a variable for each orbit of edges; None where one is not complete."""
    turns: list[Ints] = [np.arange(graph.nodes)]
    while len(turns) < way.order:
        turns.append(graph.form.images(way)[turns[-1]])
    keys = np.stack([np.sort(turn[graph.edges], axis=1) @ [graph.nodes, 1] for turn in turns])
    whole, groups = complete_orbits(keys)
    required = np.isin(groups, groups[graph.required])
    clock.check()
    if not whole[required].all():
        return None
    free = whole & ~required
    _, groups = np.unique(groups[free], return_inverse=True)
    edges, links = graph.edges[free], graph.edges[required]
    solver = EdgeSolver(graph.nodes, edges, links, clock, groups, seed)

    for either in graph.either_way():
        solver.use_exactly(1, graph.edges[either])
    if not np.array_equal(turns[1], turns[0]):  # one column may be its own image
        # A symmetry that turns a cycle fixes none of its nodes and edges, and neither do its
        # repetitions; one that runs it backwards fixes two.
        fixed: Mask = np.logical_or.reduce(keys[1:] == keys[0])
        fixed_nodes: Mask = np.logical_or.reduce(np.stack(turns[1:]) == turns[0])
        at_axis = 2 if way.reverse else 0
        solver.use_exactly(at_axis - int(fixed_nodes.sum()), graph.edges[fixed])
    return solver
