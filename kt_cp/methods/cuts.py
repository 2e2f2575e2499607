"""The method ``cuts``: 2-factors by a SAT solver, and clauses that join their components.

A solver with a variable for each edge has the first turn, which is enough for sparse random graphs.
Then one with a variable for each arc takes turns, each longer than the one before. After the first,
clauses about sets with small borders are added, and in every third turn the model is stated anew,
with its variables in another order and all cuts. An undirected graph that was made of a directed
one is searched as the directed graph. If a tour has to have a symmetry, there is a variable for
each orbit of edges.

A cycle crosses the border of any set an even number of times. Clauses about the nodes of a large
set imply this only through proofs of exponential length (A. Urquhart, Hard examples for resolution,
1987), so that a SAT solver does not learn it by itself. Where a graph has parts with small borders,
stating it for these parts makes the difference between seconds and hours.

The sets grow from single nodes. In each step the node joins that keeps the border smallest, and
whenever the border has shrunk and begins to grow again, the set with the smallest border is noted
(compare the sweeps of R. Andersen, F. Chung, K. Lang, Local graph partitioning using PageRank
vectors, 2006). The border is the number of visits that a tour can make to nodes outside along the
edges that leave the set: at most two for each node, so that a hub that is adjacent to everything
adds only two.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask, edge_numbers
from kt_cp.graph_algorithms import adjacency
from kt_cp.messages import pluralize
from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, complete_orbits, tour_symmetries
from kt_cp.problem.task import EDGE, Clock, OutOfTimeError, Task
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
_FIRST_TURN, _GROWTH = 1_000_000, 1.5

# The work of joining and cutting a solution, for each node and edge.
_SOLUTION_WORK = 4

# The turns after which the model of arcs is stated anew.
_REBUILD_INTERVAL = 3

# Sets with small borders are looked for on graphs of at least this many nodes.
_MIN_NODES_FOR_SMALL_CUTS = 100

# Sets with a larger border, or fewer nodes, are not noted: a SAT solver learns enough about small
# sets by itself.
_MAX_BORDER, _MIN_SET_SIZE = 12, 6

# The amount by which the border must shrink, and then grow again, for a set to be noted.
_MIN_DIP = 3

# The limit on the steps by which sets are grown, for each node of the graph.
_STEPS_PER_NODE = 20

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
        return _reduced_graph(self.task.instance, self.task.clock)

    @cached_property
    def small_cuts(self) -> list[list[int]]:
        """Sets of nodes with small borders; none if an edge has a direction."""
        graph = self.graph
        if graph is None or graph.is_split or graph.node_count < _MIN_NODES_FOR_SMALL_CUTS:
            return []
        neighbors = adjacency(graph.edges)
        rows = [neighbors[node] for node in range(graph.node_count)]
        return find_small_cuts(rows, self.task.clock, self.task.seed)

    def _take_turns(self) -> Iterator[Answer | None]:
        """Take turns. Yield None after each, or the answer, which ends the search."""
        whole, task = self.graph, self.task
        graph, paths = whole, None
        if whole is not None and (form := directed_form(whole)) is not None:
            directed, paths = form
            graph = _reduced_graph(Instance(directed, closed=True), task.clock)
        if whole is None or graph is None:
            yield exhausted(task.instance, _PROVED, self.counters)
            return
        for turn in _schedule(chooses_edges_first=not graph.is_split):
            if turn.chooses_edges:
                solver = EdgeSolver.of(graph, task.clock, task.seed)
            elif turn.is_new:
                solver = ArcSolver(graph, task.clock, task.seed + turn.number)
                for labels in self._partitions:
                    solver.cut(labels)
            if turn.adds_small_cuts and paths is None and isinstance(solver, ArcSolver):
                for nodes in self.small_cuts:
                    solver.require_even_crossing(np.isin(np.arange(graph.node_count), nodes))
            self.counters["turns"] += 1
            cycle = self._search(graph, solver, solver.formula.propagations + turn.work)
            if cycle is None:
                yield None
            elif not len(cycle):
                yield exhausted(task.instance, _PROVED, self.counters)
            else:
                if paths is not None:  # each vertex stands for a path
                    cycle = np.concatenate([paths[each] for each in graph.tour(cycle).tolist()])
                yield found(whole.tour(cycle), self.counters)

    def _search(self, graph: EdgeGraph, solver: EdgeSolver, max_propagations: float) -> Ints | None:
        """Search for a cycle until the solver has made ``max_propagations`` in all.

        The cycles of each solution are joined as far as exchanges of two edges do it. Returns an
        empty array if there is provably no cycle, and None if nothing is known.
        """
        conflicts, cuts, cover = solver.formula.conflicts, solver.cuts, self._cover
        try:
            while is_found := solver.formula.solve_within(self.task.clock, max_propagations):
                if cover is None:
                    cover = self._cover = CycleCover(graph, solver.two_factor())
                else:
                    cover.use(solver.two_factor())
                if not graph.undirected_requirements():  # such a move might be exchanged away
                    cover.join(self._random, self.task.clock)
                if len(cover.sizes) == 1:
                    return cover.order
                self.counters["two_factors"] += 1
                solver.cut(cover.label_of)
                if len(self._partitions) < _MAX_SHARED:
                    self._partitions.append(cover.label_of)
                max_propagations -= _SOLUTION_WORK * (graph.node_count + len(graph.edges))
            return None if is_found is None else np.empty(0, dtype=np.int64)
        finally:
            self.counters["conflicts"] += solver.formula.conflicts - conflicts
            self.counters["cuts"] += solver.cuts - cuts


class _Turn(NamedTuple):
    """A turn of a search, and how its solver differs from that of the turn before."""

    number: int
    work: float
    chooses_edges: bool
    is_new: bool
    adds_small_cuts: bool


def _schedule(chooses_edges_first: bool) -> Iterator[_Turn]:
    """Yield the turns, without end.

    Turn 0 chooses edges, and all others choose arcs; a solver of arcs is new in turns 1, 4, 7 and
    so on. The first one gets small cuts, which take time to find, only if it has not found a tour
    in its first turn, so in turn 2; all later ones get them at once.
    """
    for number in itertools.count(0 if chooses_edges_first else 1):
        is_new = number % _REBUILD_INTERVAL == 1
        yield _Turn(
            number,
            work=_FIRST_TURN * _GROWTH ** max(0, number - 1),
            chooses_edges=number == 0,
            is_new=is_new,
            adds_small_cuts=number == 2 or (is_new and number > 1),
        )


def _reduced_graph(instance: Instance, clock: Clock) -> EdgeGraph | None:
    """Return the graph without edges that no tour uses, or None where no tour is left."""
    graph = instance.graph
    clock.check(EDGE * len(graph))
    reduced = propagate(edge_graph(instance))
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
        graph = _reduced_graph(instance, clock)
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
                counters["conflicts"] += solver.formula.conflicts
                counters["cuts"] += solver.cuts
            if used is not None:
                [cycle] = cycles(cycle_neighbors(graph.node_count, solver.two_factor()))
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
    numbers = edge_numbers(images, graph.node_count)
    is_complete, orbits = complete_orbits(numbers)
    required = np.isin(orbits, orbits[graph.required])
    clock.check()
    if not is_complete[required].all():
        return None
    free = is_complete & ~required
    _, groups = np.unique(orbits[free], return_inverse=True)
    edges, links = graph.edges[free], graph.edges[required]
    solver = EdgeSolver(graph.node_count, edges, links, clock, groups, seed)
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


# -- small cuts -----------------------------------------------------------------------------------


def find_small_cuts(neighbors: list[list[int]], clock: Clock, seed: int = 0) -> list[list[int]]:
    """Return sets of nodes with small borders, of which any two are disjoint or nested.

    ``neighbors`` lists the neighbors of each node. Raises `OutOfTimeError`.

    >>> ring = [[(node - 1) % 20, (node + 1) % 20] for node in range(20)]
    >>> find_small_cuts(ring, Clock())
    []
    """
    random = Random(seed)
    keys = [random.getrandbits(62) for _ in neighbors]
    small_cuts: dict[int, tuple[int, list[int]]] = {}  # borders and nodes, by a hash of the set
    for prefers_latest in (True, False):
        covered, steps = set[int](), 0  # from covered nodes no set is grown: it adds little
        for start in random.sample(range(len(neighbors)), len(neighbors)):
            if steps > _STEPS_PER_NODE * len(neighbors):
                break
            if start in covered:
                continue
            clock.check()
            # The nodes in the order in which they join, and after each the border and a Zobrist
            # hash, the exclusive or of the keys of the nodes.
            order, borders, hashes = list[int](), list[int](), [0]
            for node, border in _growth(neighbors, start, prefers_latest):
                order.append(node)
                borders.append(border)
                hashes.append(hashes[-1] ^ keys[node])
                if hashes[-1] in small_cuts or len(order) > len(neighbors) // 2:
                    break
            steps += len(order)
            is_known = hashes[-1] in small_cuts
            sizes = [size for size in _dips(borders) if size >= _MIN_SET_SIZE]
            for size in sizes:
                if borders[size - 1] <= _MAX_BORDER:
                    small_cuts.setdefault(hashes[size], (borders[size - 1], order[:size]))
            covered.update(order[: sizes[0] if sizes else len(order) if is_known else 1])
    return _nested(small_cuts.values())


def _growth(
    neighbors: list[list[int]], start: int, prefers_latest: bool
) -> Iterator[tuple[int, int]]:
    """Yield the nodes of a growing set as they join, each with the border of the set so far.

    Of nodes that would change the border equally, the one whose change was updated last joins first
    if ``prefers_latest``, and otherwise the one updated first. The change of a node is: its
    neighbors outside that have fewer than two visits, minus the visits to itself, at most two. The
    visits to a node are its neighbors inside.
    """
    inside, border = set[int](), 0
    visits = [0] * len(neighbors)
    changes = {start: len(neighbors[start])}  # of each node that was ever next to the set
    queue = [(changes[start], 0, start)]  # entries of another change than now are out of date
    order = itertools.count(-1, -1) if prefers_latest else itertools.count(1)

    def change(node: int, amount: int) -> None:
        changes[node] += amount
        heappush(queue, (changes[node], next(order), node))

    while queue:
        value, _, node = heappop(queue)
        if node in inside or value != changes[node]:
            continue
        inside.add(node)
        border += value
        yield node, border
        was_open = visits[node] < 2
        for other in neighbors[node]:
            if other in inside:
                continue
            visits[other] += 1
            if visits[other] == 1:
                changes[other] = -1
                outside = (far for far in neighbors[other] if far not in inside)
                change(other, sum(visits[far] < 2 for far in outside))
                continue
            if visits[other] == 2:  # it now ends two visits, not one, and gets no third
                for far in neighbors[other]:
                    if far in changes and far not in inside:
                        change(far, -1)
            change(other, -was_open - (visits[other] == 2))


def _dips(borders: list[int]) -> list[int]:
    """Return the sizes at which the border had a local minimum of depth `_MIN_DIP` or more."""
    sizes = list[int]()
    lowest, highest_border = None, borders[0]
    for index, border in enumerate(borders):
        if lowest is None:
            highest_border = max(highest_border, border)
            if border <= highest_border - _MIN_DIP:
                lowest = index
        elif border < borders[lowest]:
            lowest = index
        elif border >= borders[lowest] + _MIN_DIP:
            sizes.append(lowest + 1)
            lowest, highest_border = None, border
    return sizes if lowest is None else [*sizes, lowest + 1]


def _nested(small_cuts: Iterable[tuple[int, list[int]]]) -> list[list[int]]:
    """Return sets in the order of their borders, without those that cross an earlier set."""
    kept: list[list[int]] = []
    masks: list[int] = []  # the nodes of each set that is kept, as the bits of a number
    for _, nodes in sorted(small_cuts, key=lambda cut: (cut[0], len(cut[1]))):
        mask = sum(1 << node for node in nodes)
        if all((mask & other) in (0, mask, other) for other in masks):
            masks.append(mask)
            kept.append(nodes)
    return kept
