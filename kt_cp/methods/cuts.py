"""The method ``cuts``: 2-factors by a SAT solver, and clauses that join their components.

There are two models, undirected edges and directed arcs. Each of them solves some graphs in a
moment that take the other hours, so they take turns, each longer than the one before, and share
their cuts. After the first round, clauses about sets with small borders are added to both. An
undirected graph that was made of a directed one is searched as the directed graph, and if this
consists of gadgets, their passages are searched as well. If a tour has to have a symmetry, there is
one model, with a variable for each orbit of edges.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask, edge_numbers
from kt_cp.messages import pluralize
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.methods.rotations import MANY_NEIGHBORS, cycle_by_rotations
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.costs import EDGE_GRAPH_VERTEX
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, complete_orbits, tour_symmetries
from kt_cp.problem.task import Task
from kt_cp.sat.cycle_cover import CycleCover
from kt_cp.sat.directed import ArcSolver
from kt_cp.sat.directions import DirectedForm, directed_form
from kt_cp.sat.edges import EdgeGraph, EdgeSolver, cycle_neighbors, cycles, edge_graph, propagate
from kt_cp.sat.formula import OutOfConflictsError
from kt_cp.sat.gadgets import passage_graph
from kt_cp.sat.joining import CycleJoiner
from kt_cp.sat.passages import PassageSearch
from kt_cp.sat.small_cuts import find_small_cuts
from kt_cp.sat.two_factors import maximum_flow, tighten
from kt_cp.tour.validator import FEWEST_CLOSED

# The conflicts of the first try, with the vertices numbered as given. Most graphs take fewer.
_FIRST_TRY = 500

# The work of a turn in the first round, and how much longer the turns of the next round are. The
# unit is a propagation of CaDiCaL, about a quarter of a microsecond, so that the result does not
# depend on the speed of the machine.
_FIRST_TURN, _GROWTH = 1_000_000, 1.5

# The work of joining and cutting a solution, for each node and edge.
_SOLUTION_WORK = 4

# In every third round the models are stated anew, with their variables in another order.
_REBUILD_INTERVAL = 3

# Sets with small borders are looked for on graphs of at least this many nodes.
_MIN_NODES_FOR_SMALL_CUTS = 100

# The most 2-factors whose cuts are shared.
_MAX_SHARED = 2_000

_PROVED = "CaDiCaL proved that there is none"


def answer(task: Task, max_conflicts: float = math.inf) -> Answer:
    """Return a tour, or the answer that every 2-factor has several cycles.

    The search gives up after ``max_conflicts``; with a symmetry, each model does.
    """
    if task.instance.symmetry is None:
        return CutSearch(task).run(max_conflicts=max_conflicts)
    return _answer_with_symmetry(task, max_conflicts)


CutSolver = ArcSolver | EdgeSolver


class CutSearch:
    """A search of both models in turns, which can stop and go on later.

    The counters are the conflicts of CaDiCaL, the 2-factors of several cycles, the clauses
    added against them, and the turns. The instance asks for no symmetry.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.counters = dict.fromkeys(("conflicts", "two_factors", "cuts", "turns"), 0.0)
        self._turns = self._take_turns()
        self._partitions: list[Ints] = []  # for each 2-factor the labels of its components

    def run(self, turns: int | None = None, max_conflicts: float = math.inf) -> Answer:
        """Search to the end or for some turns.

        The search stops after the turn in which the conflicts of all calls reach ``max_conflicts``.
        """
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
    def graph(self) -> EdgeGraph | None:
        """The graph without edges that no tour uses, or None where no tour is left."""
        return reduced_graph(self.task)

    @cached_property
    def _joiner(self) -> CycleJoiner:
        assert self.graph is not None
        return CycleJoiner(self.graph)

    @property
    def neighbors(self) -> list[list[int]]:
        """The neighbors of each node of the graph, which must not be None."""
        return self._joiner.neighbors

    @cached_property
    def small_cuts(self) -> list[list[int]]:
        """Sets of nodes with small borders; none if an edge has a direction."""
        graph = self.graph
        if graph is None or graph.is_split or graph.nodes < _MIN_NODES_FOR_SMALL_CUTS:
            return []
        return find_small_cuts(self.neighbors, self.task.clock, self.task.seed)

    def _take_turns(self) -> Iterator[Answer | None]:
        """Take turns. Yield None after each, or the answer, which ends the search."""
        graph = self.graph
        if graph is None:
            yield exhausted(self.task.instance, _PROVED, self.counters)
            return
        form = directed_form(graph)
        if form is not None:
            yield from self._turns_with_directions(graph, form)
            return
        yield self._by_rotations_or_flow(graph)
        solver = EdgeSolver.of(graph, self.task.clock, self.task.seed, is_renumbered=False)
        yield self._try_briefly(graph, solver)
        continuing: dict[type[CutSolver], _SharedSolver] = {}
        if self.task.instance.graph.has_places:  # squares are numbered well, so it is used further
            continuing[EdgeSolver] = _SharedSolver(solver)
        del solver  # which frees its memory, unless it continues
        yield from self._growing_turns(graph, continuing)

    def _turns_with_directions(
        self, graph: EdgeGraph, form: DirectedForm
    ) -> Iterator[Answer | None]:
        """Take the turns of a search of the directed graph that the graph was made of.

        If it consists of gadgets, a search of their passages follows each turn.
        """
        search = CutSearch(replace(self.task, instance=Instance(form.graph, closed=True)))
        search.counters = self.counters
        passages = passage_graph(form.graph.arcs, len(form.graph), self.task.clock)
        passage_search = None
        if passages is not None:
            passage_search = PassageSearch(passages, self.task.clock, self.task.seed)
        work = float(_FIRST_TURN)
        for answer in search._turns:
            if answer is None:
                cycle = None if passage_search is None else passage_search.search(work)
                yield None if cycle is None else found(graph.tour(form.cycle(cycle)), self.counters)
            elif answer.squares is None:
                yield exhausted(self.task.instance, _PROVED, self.counters)
            else:
                yield found(graph.tour(form.cycle(answer.squares.tolist())), self.counters)
            work *= _GROWTH

    def _growing_turns(
        self, graph: EdgeGraph, continuing: dict[type[CutSolver], _SharedSolver]
    ) -> Iterator[Answer | None]:
        """Let the models take turns, which are longer in each round.

        ``continuing`` has the solvers that go on from round to round. In every third round there
        are new ones, for that round only.
        """
        work = float(_FIRST_TURN)
        for round_number in itertools.count():
            is_fresh_round = (round_number + 1) % _REBUILD_INTERVAL == 0
            for solver_class in _solver_classes(graph):
                shared = continuing.get(solver_class)
                if shared is None or is_fresh_round:
                    shared = _SharedSolver(self._new_solver(solver_class, graph, round_number))
                if not is_fresh_round:
                    continuing[solver_class] = shared
                yield self._take_turn(shared, work, with_small_cuts=round_number > 0)
            work *= _GROWTH

    def _new_solver(
        self, solver_class: type[CutSolver], graph: EdgeGraph, round_number: int
    ) -> CutSolver:
        """Return a new solver of a model, with another order of variables in each round."""
        clock, seed = self.task.clock, self.task.seed + round_number
        if solver_class is ArcSolver:
            return ArcSolver(graph, clock, seed)
        return EdgeSolver.of(graph, clock, seed)

    def _by_rotations_or_flow(self, graph: EdgeGraph) -> Answer | None:
        """Rotate a path if every node has many neighbors; otherwise join the cycles of a flow.

        Boards are left out: the schedule has better methods for them, which come first.
        """
        if self.task.instance.graph.has_places:
            return None
        degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
        if degrees.min() >= MANY_NEIGHBORS:
            cycle = cycle_by_rotations(graph, Random(self.task.seed), self.task.clock)
            if cycle is not None:
                return found(graph.tour(cycle), self.counters)
        return self._join_flow(graph)

    def _join_flow(self, graph: EdgeGraph) -> Answer | None:
        """Join the cycles of a 2-factor by maximum flow, if the graph is bipartite."""
        clock, seed = self.task.clock, self.task.seed
        flow = maximum_flow(graph, clock, seed)
        if flow is None or graph.undirected_requirements():
            return None
        if not flow.complete:
            return exhausted(self.task.instance, "no set of cycles covers the graph", self.counters)
        cover = CycleCover(graph, flow.two_factor)
        cover.join(np.random.default_rng(seed), clock)
        if len(cover.sizes) == 1:
            return found(graph.tour(cover.order), self.counters)
        self._partitions.append(cover.label_of)
        return None

    def _try_briefly(self, graph: EdgeGraph, solver: EdgeSolver) -> Answer | None:
        """Solve without joining cycles, for at most `_FIRST_TRY` conflicts."""
        try:
            used = solver.solve(_FIRST_TRY)
        except OutOfConflictsError:
            return None
        finally:
            self.counters["conflicts"] += solver.conflicts
            self.counters["cuts"] += solver.cuts
            self.counters["turns"] += 1
        if used is None:
            return exhausted(self.task.instance, _PROVED, self.counters)
        [cycle] = cycles(cycle_neighbors(graph.nodes, solver.two_factor()))
        return found(graph.tour(cycle), self.counters)

    def _take_turn(
        self, shared: _SharedSolver, work: float, with_small_cuts: bool
    ) -> Answer | None:
        """Let one model search for some work; return the answer, or None."""
        solver, formula = shared.solver, shared.solver.formula
        conflicts, cuts = formula.conflicts, solver.cuts
        self.counters["turns"] += 1
        try:
            shared.learn(self._partitions, self.small_cuts if with_small_cuts else [])
            return self._search(shared, formula.propagations + work)
        finally:
            self.counters["conflicts"] += formula.conflicts - conflicts
            self.counters["cuts"] += solver.cuts - cuts

    def _search(self, shared: _SharedSolver, max_propagations: float) -> Answer | None:
        """Search until the answer is known or the solver has made ``max_propagations`` in all."""
        assert self.graph is not None
        solver, instance, clock = shared.solver, self.task.instance, self.task.clock
        while (is_found := solver.formula.solve_within(clock, max_propagations)) is not None:
            if not is_found:
                return exhausted(instance, _PROVED, self.counters)
            joined = self._joiner.joined(solver.two_factor())
            if len(joined.sizes) == 1:
                return found(self.graph.tour(joined.order()), self.counters)
            self.counters["two_factors"] += 1
            labels = np.array(joined.labels, dtype=np.int32)
            solver.cut(labels)
            if len(self._partitions) < _MAX_SHARED:
                self._partitions.append(labels)
                shared.known_partitions = len(self._partitions)
            max_propagations -= _SOLUTION_WORK * (self.graph.nodes + len(self.graph.edges))
        return None


class _SharedSolver:
    """A solver that learns from the cuts of others.

    It already has the cuts of the first ``known_partitions`` of the partitions that are shared.
    """

    def __init__(self, solver: CutSolver) -> None:
        self.solver = solver
        self.known_partitions = 0
        self._has_small_cuts = False

    def learn(self, partitions: list[Ints], small_cuts: list[list[int]]) -> None:
        """Add the cuts of the partitions that are new to it, and once clauses for small cuts."""
        for labels in partitions[self.known_partitions :]:
            self.solver.cut(labels)
        self.known_partitions = len(partitions)
        if small_cuts and not self._has_small_cuts:
            self._has_small_cuts = True
            for nodes in small_cuts:
                inside = np.zeros(self.solver.nodes, dtype=np.bool_)
                inside[nodes] = True
                self.solver.require_even_crossing(inside)


def _solver_classes(graph: EdgeGraph) -> list[type[CutSolver]]:
    """Return the solvers of the models that take turns."""
    if graph.nodes < FEWEST_CLOSED:  # `ArcSolver` forbids both arcs of an edge, the only cycle of 2
        return [EdgeSolver]
    return [EdgeSolver, ArcSolver]


def reduced_graph(task: Task) -> EdgeGraph | None:
    """Return the graph without edges that no tour uses, or None where no tour is left."""
    graph, clock = task.instance.graph, task.clock
    clock.check(EDGE_GRAPH_VERTEX * len(graph))
    reduced = propagate(edge_graph(task.instance))
    if reduced is not None and len(graph) < graph.area:  # full rectangles need no tightening
        reduced = tighten(reduced, clock)
    return reduced


def _answer_with_symmetry(task: Task, max_conflicts: float) -> Answer:
    """Return a tour with the symmetry asked for, or the answer that there is none."""
    instance, clock = task.instance, task.clock
    counters = {"conflicts": 0, "cuts": 0}
    has_given_up = False
    try:
        for graph, solver in _symmetric_solvers(task):
            used = None
            try:
                used = solver.solve(max_conflicts)
            except OutOfConflictsError:
                has_given_up = True
            finally:
                counters["conflicts"] += solver.conflicts
                counters["cuts"] += solver.cuts
            if used is not None:
                [cycle] = cycles(cycle_neighbors(graph.nodes, solver.two_factor()))
                return found(graph.tour(cycle), counters)
    except OutOfTimeError:
        return out_of_time(instance, clock, counters)
    if has_given_up:
        why = f"no tour after {max_conflicts:,} conflicts of CaDiCaL"
        return gave_up(instance, why, counters)
    return exhausted(instance, _PROVED, counters)


def _symmetric_solvers(task: Task) -> Iterator[tuple[EdgeGraph, EdgeSolver]]:
    """Yield a solver for each way in which a tour can have the symmetry asked for."""
    instance, clock = task.instance, task.clock
    assert instance.symmetry is not None
    graph = reduced_graph(task)
    clock.check(EDGE_GRAPH_VERTEX * len(instance.graph))  # for the symmetry, and the orbits
    for tour_map in tour_symmetries(instance.board, instance.symmetry, instance.closed):
        if graph and (solver := _symmetric_solver(graph, tour_map, clock, task.seed)):
            yield graph, solver


def _symmetric_solver(
    graph: EdgeGraph, tour_map: TourMap, clock: Clock, seed: int
) -> EdgeSolver | None:
    """Return a solver with a variable for each orbit of edges under a symmetry of the tour.

    Returns None if the orbit of a required edge is not complete.
    """
    powers = _powers(graph, tour_map)
    images = np.stack([np.sort(power[graph.edges], axis=1) for power in powers])
    numbers = edge_numbers(images, graph.nodes)
    is_complete, orbits = complete_orbits(numbers)
    required = np.isin(orbits, orbits[graph.required])
    clock.check()
    if not is_complete[required].all():
        return None
    free = is_complete & ~required
    _, groups = np.unique(orbits[free], return_inverse=True)
    edges, links = graph.edges[free], graph.edges[required]
    solver = EdgeSolver(graph.nodes, edges, links, clock, groups, seed)
    for edges_of_move in graph.undirected_requirements():
        solver.use_exactly(1, graph.edges[edges_of_move])
    # On a board of one column a reflection may fix every square.
    if not np.array_equal(powers[1], powers[0]):
        fixed_nodes: Mask = np.logical_or.reduce(np.stack(powers[1:]) == powers[0])
        fixed_edges: Mask = np.logical_or.reduce(numbers[1:] == numbers[0])
        _fix_places(solver, tour_map, int(fixed_nodes.sum()), graph.edges[fixed_edges])
    return solver


def _fix_places(solver: EdgeSolver, tour_map: TourMap, fixed_nodes: int, fixed_edges: Ints) -> None:
    """Ensure that a tour uses as many edges that the symmetry fixes as there must be.

    A map that turns a cycle fixes none of its places, which are its nodes and edges, and neither do
    the powers of the map; one that runs it backwards fixes two. The cycle passes all fixed nodes,
    so that the other fixed places are edges.
    """
    places = 2 if tour_map.reverse else 0
    solver.use_exactly(places - fixed_nodes, fixed_edges)


def _powers(graph: EdgeGraph, tour_map: TourMap) -> list[Ints]:
    """Return the images of all nodes when a symmetry is applied 0, 1, 2 and so on times."""
    images = graph.form.images(tour_map)
    powers: list[Ints] = [np.arange(graph.nodes)]
    while len(powers) < tour_map.order:
        powers.append(images[powers[-1]])
    return powers
