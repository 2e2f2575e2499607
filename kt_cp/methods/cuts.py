"""The method ``cuts``: 2-factors by a SAT solver, and clauses that join their components.

After a brief try with a variable for each edge, a solver with a variable for each arc takes turns,
each longer than the one before. After the first, clauses about sets with
small borders are added, and in every third turn the model is stated anew, with its variables in
another order and all cuts. An undirected graph that was made of a directed one is searched as the
directed graph. If a tour has to have a symmetry, there is a variable for each orbit of edges.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints, Mask, edge_numbers
from kt_cp.graph_algorithms import adjacency
from kt_cp.messages import pluralize
from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, complete_orbits, tour_symmetries
from kt_cp.problem.task import EDGE, Clock, OutOfTimeError, Task
from kt_cp.sat.cycle_cover import CycleCover
from kt_cp.sat.directed import ArcSolver, DirectedForm, directed_form
from kt_cp.sat.edges import EdgeGraph, EdgeSolver, cycle_neighbors, cycles, edge_graph, propagate
from kt_cp.sat.formula import OutOfConflictsError
from kt_cp.sat.small_cuts import find_small_cuts
from kt_cp.sat.two_factors import tighten

# The work of the first turn, and how much longer the next one is. The unit is a propagation of
# CaDiCaL, about a quarter of a microsecond, so that the result does not depend on the speed of the
# machine.
_FIRST_TURN, _GROWTH = 1_000_000, 1.5

# The work of joining and cutting a solution, for each node and edge.
_SOLUTION_WORK = 4

# The conflicts of the first turn, with a variable for each edge: sparse graphs that are no puzzles
# take fewer (cubic ones of 1,200 vertices 0.1 s, where the model of arcs takes up to a minute).
_FIRST_TRY = 500

# The turns after which the model is stated anew.
_REBUILD_INTERVAL = 3

# Sets with small borders are looked for on graphs of at least this many nodes.
_MIN_NODES_FOR_SMALL_CUTS = 100

# The most 2-factors whose cuts a new solver gets.
_MAX_SHARED = 2_000

_PROVED = "CaDiCaL proved that there is none"


def answer(task: Task, max_conflicts: float = math.inf) -> Answer:
    """Return a tour, or the answer that every 2-factor has several cycles.

    With a symmetry, the search gives up after ``max_conflicts`` of each model.
    """
    if task.instance.symmetry is None:
        return CutSearch(task).run()
    return _answer_with_symmetry(task, max_conflicts)


class CutSearch:
    """A search in turns, which can stop and go on later.

    The counters are the conflicts of CaDiCaL, the 2-factors of several cycles, the clauses
    added against them, and the turns. The instance asks for no symmetry.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self.counters = dict.fromkeys(("conflicts", "two_factors", "cuts", "turns"), 0.0)
        self._turns = self._take_turns()
        self._partitions: list[Ints] = []  # for each 2-factor the labels of its components
        self._cover: CycleCover | None = None
        self._random = np.random.default_rng(task.seed)

    def run(self, turns: int | None = None) -> Answer:
        """Search to the end or for some turns."""
        instance = self.task.instance
        try:
            for answer in itertools.islice(self._turns, turns):
                if answer is not None:
                    return answer
        except OutOfTimeError:
            return out_of_time(instance, self.task.clock, self.counters)
        conflicts = pluralize(int(self.counters["conflicts"]), "conflict")
        return gave_up(instance, f"no tour after {conflicts} of CaDiCaL", self.counters)

    @cached_property
    def graph(self) -> EdgeGraph | None:
        """The graph without edges that no tour uses, or None where no tour is left."""
        return reduced_graph(self.task)

    @cached_property
    def small_cuts(self) -> list[list[int]]:
        """Sets of nodes with small borders; none if an edge has a direction."""
        graph = self.graph
        if graph is None or graph.is_split or graph.nodes < _MIN_NODES_FOR_SMALL_CUTS:
            return []
        neighbors = adjacency(graph.edges)
        rows = [neighbors[node] for node in range(graph.nodes)]
        return find_small_cuts(rows, self.task.clock, self.task.seed)

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
        if not graph.is_split:
            yield self._try_briefly(graph)
        work = float(_FIRST_TURN)
        for turn in itertools.count():
            is_new = turn % _REBUILD_INTERVAL == 0
            if is_new:
                solver = ArcSolver(graph, self.task.clock, self.task.seed + turn)
                for labels in self._partitions:
                    solver.cut(labels)
            if turn == 1 or (turn > 1 and is_new):
                for nodes in self.small_cuts:
                    inside = np.zeros(solver.nodes, dtype=np.bool_)
                    inside[nodes] = True
                    solver.require_even_crossing(inside)
            self.counters["turns"] += 1
            yield self._search(graph, solver, solver.formula.propagations + work)
            work *= _GROWTH

    def _try_briefly(self, graph: EdgeGraph) -> Answer | None:
        """Search with a variable for each edge, for at most `_FIRST_TRY` conflicts."""
        free, links = graph.edges[~graph.required], graph.edges[graph.required]
        solver = EdgeSolver(graph.nodes, free, links, self.task.clock, seed=self.task.seed)
        for edges_of_move in graph.undirected_requirements():
            solver.use_exactly(1, graph.edges[edges_of_move])
        self.counters["turns"] += 1
        try:
            used = solver.solve(_FIRST_TRY)
        except OutOfConflictsError:
            return None
        finally:
            self.counters["conflicts"] += solver.conflicts
            self.counters["cuts"] += solver.cuts
        if used is None:
            return exhausted(self.task.instance, _PROVED, self.counters)
        [cycle] = cycles(cycle_neighbors(graph.nodes, solver.two_factor()))
        return found(graph.tour(cycle), self.counters)

    def _turns_with_directions(
        self, graph: EdgeGraph, form: DirectedForm
    ) -> Iterator[Answer | None]:
        """Take the turns of a search of the directed graph that the graph was made of."""
        search = CutSearch(replace(self.task, instance=Instance(form.graph, closed=True)))
        search.counters = self.counters
        for answer in search._turns:
            if answer is None:
                yield None
            elif answer.squares is None:
                yield exhausted(self.task.instance, _PROVED, self.counters)
            else:
                yield found(graph.tour(form.cycle(answer.squares.tolist())), self.counters)

    def _joined(self, graph: EdgeGraph, two_factor: Ints) -> CycleCover:
        """Return the cycles of a 2-factor, joined as far as exchanges of two edges do it."""
        if self._cover is None:
            self._cover = CycleCover(graph, two_factor)
        else:
            self._cover.use(two_factor)
        if not graph.undirected_requirements():  # such a move might be exchanged away
            self._cover.join(self._random, self.task.clock)
        return self._cover

    def _search(
        self, graph: EdgeGraph, solver: ArcSolver, max_propagations: float
    ) -> Answer | None:
        """Search until the answer is known or the solver has made ``max_propagations`` in all."""
        instance, clock = self.task.instance, self.task.clock
        conflicts, cuts = solver.conflicts, solver.cuts
        try:
            while (is_found := solver.formula.solve_within(clock, max_propagations)) is not None:
                if not is_found:
                    return exhausted(instance, _PROVED, self.counters)
                cover = self._joined(graph, solver.two_factor())
                if len(cover.sizes) == 1:
                    return found(graph.tour(cover.order), self.counters)
                self.counters["two_factors"] += 1
                solver.cut(cover.label_of)
                if len(self._partitions) < _MAX_SHARED:
                    self._partitions.append(cover.label_of)
                max_propagations -= _SOLUTION_WORK * (graph.nodes + len(graph.edges))
            return None
        finally:
            self.counters["conflicts"] += solver.conflicts - conflicts
            self.counters["cuts"] += solver.cuts - cuts


def reduced_graph(task: Task) -> EdgeGraph | None:
    """Return the graph without edges that no tour uses, or None where no tour is left."""
    graph, clock = task.instance.graph, task.clock
    clock.check(EDGE * len(graph))
    reduced = propagate(edge_graph(task.instance))
    if reduced is not None and len(graph) < graph.area:  # full rectangles need no tightening
        reduced = tighten(reduced, clock)
    return reduced


def _answer_with_symmetry(task: Task, max_conflicts: float) -> Answer:
    """Return a tour with the symmetry asked for, or the answer that there is none.

    There is a solver for each way in which a tour can have the symmetry.
    """
    instance, clock = task.instance, task.clock
    counters = {"conflicts": 0, "cuts": 0}
    has_given_up = False
    try:
        graph = reduced_graph(task)
        clock.check(EDGE * len(instance.graph))  # for the symmetry, and the orbits
        for tour_map in filter(None, tour_symmetries(instance)):
            solver = _symmetric_solver(graph, tour_map, clock, task.seed) if graph else None
            if graph is None or solver is None:
                continue
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


def _symmetric_solver(
    graph: EdgeGraph, tour_map: TourMap, clock: Clock, seed: int
) -> EdgeSolver | None:
    """Return a solver with a variable for each orbit of edges under a symmetry of the tour.

    Returns None if the orbit of a required edge is not complete.
    """
    powers = tour_map.powers(graph.form.images(tour_map))
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
