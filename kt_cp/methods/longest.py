"""Find the longest path or cycle.

Random walks find a long path to begin with. In a large graph it becomes longer within one window
after the other: a window has the nodes around a vertex that the tour leaves out, or around an end
of a path, and the rest of the tour is contracted (`kt_cp.methods.rotations`). That is a large
neighborhood search (P. Shaw, Using constraint programming and local search methods to solve vehicle
routing problems, 1998). Then CP-SAT makes the tour longer still and proves the bound. For uncrossed
and induced tours CaDiCaL chooses edges beside it: it proves most bounds first.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from random import Random
from threading import Event

import numpy as np

from kt_cp.arrays import Mask, Squares, both_directions, rotated
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import adjacency
from kt_cp.methods.incumbent import Incumbent
from kt_cp.methods.method import Answer, refuted
from kt_cp.methods.rotations import ContractedCycle, grow_paths
from kt_cp.model.backend import Solver
from kt_cp.model.parameters import (
    PARTIAL_TOURS,
    PARTIAL_TOURS_BY_CORES,
    WINDOW,
)
from kt_cp.model.partial import PartialModel, build_partial_model, hint_tour, tour_of
from kt_cp.problem.constraints import Bound, Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, distinct_symmetries, tour_symmetries
from kt_cp.problem.task import MAX_SEED, BoundProof, Clock, Objective, OutOfTimeError, Sense, Task
from kt_cp.problem.tour_graph import Nodes, TourGraph
from kt_cp.proof.bounds import most_allowed, most_by_blocks, most_by_degrees, separator_of_longest
from kt_cp.proof.reasons import no_symmetric_tour
from kt_cp.sat.partial import FEWEST_SQUARES, PartialSolver, can_choose_edges
from kt_cp.tour.validator import FEWEST_CLOSED

VISIT_MOST = Objective("squares", Sense.MAXIMIZE)
"""The objective of the longest path or cycle: visit the most squares."""

# How many long paths are sought, and how often each may get stuck: the larger of a number and one
# for each vertex.
_LONG_PATHS = 8
_FEWEST_DEAD_ENDS = 200
_DEAD_ENDS_PER_VERTEX = 3

# The propagations of CaDiCaL in the first turn of choosing edges, about half a second of processor
# time, and the growth of the turns.
_FIRST_PROPAGATIONS = 2_000_000
_GROWTH = 1.5

# Symmetric tours are sought on larger boards only, as on smaller ones the proof takes a few
# seconds, and in a share of the propagations of those for all tours.
_FEWEST_FOR_SYMMETRY = 80
_SYMMETRIC_SHARE = 1 / 2

# The vertices of a window; at most half of the graph.
_WINDOW_SIZE = 100

# The windows without a longer tour after which the search ends, for each vertex and at least.
_PATIENCE_PER_VERTEX = 0.1
_MIN_PATIENCE = 30

# The share of the windows of a path that are around one of its ends, and the share of the time
# that is left, under a time limit, in which windows are changed.
_END_SHARE = 0.2
_WINDOWS_SHARE = 0.75

# Smaller graphs are left to CP-SAT as a whole, and larger ones take too long for each window.
_MIN_VERTICES = 150
_MAX_VERTICES = 100_000


def answer(task: Task) -> Answer:
    """Return the longest tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    The instance of the task is partial. With an objective, weights, the heaviest tour is returned.
    """
    instance = task.instance
    clock = task.clock
    if reason := no_symmetric_tour(instance):
        return refuted(reason)
    best = Incumbent(task, task.objective or VISIT_MOST)
    models = len(tour_symmetries(instance))
    none_exists = (
        f"no {instance.graph.vocabulary.partial_tour(instance.closed)} meets the constraints"
    )
    if task.objective is not None:
        best.expect_models(models)
        return best.answer_after(partial(_search, task, best, instance), "circuit", none_exists)
    separator = separator_of_longest(instance, clock)
    fewest = fewest_squares(instance)
    if fewest > separator.most_squares:
        return refuted(separator.reason_for_no_more(fewest))
    # Bounds that need no search, the easiest to check first: that of the instance needs no proof.
    bounds: dict[BoundProof | None, int] = {
        None: most_allowed(instance),
        BoundProof.SEPARATOR: separator.most_squares,
        BoundProof.BLOCKS: most_by_blocks(instance),
        BoundProof.DEGREES: instance.possible_length(most_by_degrees(instance, clock)),
    }
    most_squares = instance.possible_length(min(bounds.values()))
    best.expect_models(models, most_squares)
    bounded = replace(instance, having=(*instance.having, Bound("squares", "<=", most_squares)))
    result = best.answer_after(partial(_search, task, best, bounded), "circuit", none_exists)
    if result.objective is None:
        return result
    proof = next((each for each, bound in bounds.items() if bound == best.bound), best.bound_proof)
    return replace(result, objective=replace(result.objective, proof=proof))


def fewest_squares(instance: Instance) -> int:
    """Return the fewest squares that the bounds of a partial instance allow."""
    lows = [each.limits[0] for each in instance.having if each.feature == "squares"]
    return max([FEWEST_CLOSED if instance.closed else 1, *(low or 0 for low in lows)])


def _search(task: Task, best: Incumbent, bounded: Instance) -> None:
    """Offer long paths, change windows, and search the models of an instance with a bound.

    There is a model for each way in which a tour can have the symmetry asked for. Under a time
    limit each has an equal share of the time that is left. Raises `OutOfTimeError`.
    """
    if task.objective is None:
        _search_locally(task, best)
    ways = tour_symmetries(bounded)
    for index, tour_map in enumerate(ways):
        if best.is_finished:
            return
        clock = task.clock if len(ways) == 1 else task.clock.for_share(1 / (len(ways) - index))
        # Where there are several ways, one that is out of time leaves it to the others.
        with suppress(OutOfTimeError) if len(ways) > 1 else nullcontext():
            model = build_partial_model(bounded, clock, tour_map, task.objective)
            if task.objective is None and can_choose_edges(task.instance):
                _solve_beside_edges(task, best, model)
            else:
                _solve(replace(task, clock=clock), best, model, index)


def _search_locally(task: Task, best: Incumbent) -> None:
    """Offer long paths, and longer tours within windows."""
    instance = task.instance
    if not instance.constrain:
        for path in long_paths(instance, task.seed):
            best.offer(path)
    if best.squares is None or best.is_finished or not can_use_windows(instance):
        return
    with suppress(OutOfTimeError):
        clock = task.clock.for_share(_WINDOWS_SHARE)
        for squares in WindowSearch(instance, task.seed).longer_tours(best.squares, clock):
            best.offer(squares)
            if best.is_finished:
                return


def _solve_beside_edges(task: Task, best: Incumbent, model: PartialModel) -> None:
    """Search the model by CP-SAT while a thread beside it chooses edges by CaDiCaL.

    Both end as soon as the longest tour meets the bound. Raises `OutOfTimeError`.
    """
    solved = Event()

    def is_over() -> bool:
        return best.is_finished or task.clock.remaining <= 0

    solver_clock = replace(task.clock, is_interrupted=is_over)
    edges_clock = replace(task.clock, is_interrupted=lambda: solved.is_set() or is_over())
    with ThreadPoolExecutor(max_workers=1) as executor:
        edges = executor.submit(choose_edges, task.instance, best, edges_clock)
        try:
            workers = max(1, task.workers - 1)
            _solve(replace(task, clock=solver_clock, workers=workers), best, model)
        finally:
            solved.set()
    edges.result()


def _solve(task: Task, best: Incumbent, model: PartialModel, index: int = 0) -> None:
    """Search the model with this index by CP-SAT, from the best tour so far.

    Raises `OutOfTimeError`.
    """
    # The tours of a later model have the symmetry in another way.
    if best.squares is not None and index == 0:
        hint_tour(model, best.squares)
    task.clock.check()
    by_cores = task.instance.excludes_many_edges and task.objective is None
    parameters = PARTIAL_TOURS_BY_CORES if by_cores else PARTIAL_TOURS
    solver = Solver({**parameters, **task.parameters}, task.clock, task.workers, task.seed)
    best.search(index, solver, model.cp, partial(tour_of, model))


def choose_edges(instance: Instance, best: Incumbent, clock: Clock) -> None:
    """Offer longer and longer tours that CaDiCaL finds, and note the bound that it proves.

    Tours that a symmetry maps onto themselves take a fraction of the time, and among the longest
    induced tours is often one of these, so they are sought in turns with all tours; that proves
    nothing about other tours. Each turn is longer than the one before.
    """
    symmetries: list[TourMap | None] = [None]
    if len(instance.graph) >= _FEWEST_FOR_SYMMETRY and instance.has_no("chords"):
        symmetries = [*distinct_symmetries(instance), None]
    work: float = _FIRST_PROPAGATIONS
    with suppress(OutOfTimeError):
        solvers = [PartialSolver(instance, clock, symmetry=each) for each in symmetries]
        while solvers and not best.is_finished:
            for solver in solvers:
                share = 1 if solver.symmetry is None else _SYMMETRIC_SHARE
                most_work = solver.propagations + share * work
                while not best.is_finished and solver.propagations < most_work:
                    squares = solver.search(_next_length(best, instance), most_work)
                    if squares is None:
                        break
                    best.offer(squares)
                if solver.is_exhausted and solver.symmetry is None:
                    fewest = _next_length(best, instance)
                    if fewest == fewest_squares(instance):  # fewer are not allowed
                        best.exclude(0, BoundProof.CADICAL)
                    else:
                        best.tighten(0, fewest - 1, BoundProof.CADICAL)
            solvers = [solver for solver in solvers if not solver.is_exhausted]
            work *= _GROWTH


def _next_length(best: Incumbent, instance: Instance) -> int:
    """Return the least number of squares that a tour longer than the best one can have."""
    if best.squares is None:
        return max(FEWEST_SQUARES, fewest_squares(instance))
    length = len(best.squares) + 1
    return length if instance.possible_length(length) == length else length + 1


# -- long paths -----------------------------------------------------------------------------------


def long_paths(instance: Instance, seed: int) -> Iterator[Squares]:
    """Yield long paths, or cycles, that meet the constraints of a partial instance, as ids.

    Each is the longest of a random walk, which goes to a square with few free neighbors, as in
    Warnsdorff's rule, but avoids dead ends.

    >>> from dataclasses import replace
    >>> instance = replace(Instance.of("5x5"), allows_partial=True)
    >>> max(map(len, long_paths(instance, seed=0)))
    25
    """
    random = Random(seed)
    neighbors: dict[int, list[int]] = {each: [] for each in instance.graph.vertices.tolist()}
    for source, target in instance.arcs.tolist():
        neighbors[source].append(target)

    def onward(around: list[int], free: set[int]) -> int:
        counts = [sum(far in free for far in neighbors[each]) for each in around]
        fewest = min((count for count in counts if count > 0), default=0)
        return random.choice([each for each, n in zip(around, counts, strict=True) if n == fewest])

    most_dead_ends = max(_FEWEST_DEAD_ENDS, _DEAD_ENDS_PER_VERTEX * len(neighbors))
    for _ in range(_LONG_PATHS):
        path: list[int] = []
        grown = grow_paths(neighbors, random, onward, instance.first, not instance.one_way)
        for each in itertools.islice(grown, most_dead_ends):
            path = max(path, list(each), key=len)
            if len(path) == len(neighbors):
                break
        tour = np.array(_part_of(path, instance, neighbors), dtype=np.int32)
        if len(tour) and instance.satisfied_by(tour):
            yield tour


def _part_of(path: list[int], instance: Instance, neighbors: Mapping[int, list[int]]) -> list[int]:
    """Return the longest part of a path that may meet the constraints of an instance.

    It is a cycle that an arc closes, the part that leads to the end, or a beginning: each beginning
    of an induced path is induced, too, and has no more crossings than the path.
    """
    if instance.closed:
        place = {vertex: index for index, vertex in enumerate(path)}
        longest: list[int] = []
        for last, vertex in enumerate(path):
            first = min((place[each] for each in neighbors[vertex] if each in place), default=last)
            if last - first + 1 >= max(FEWEST_CLOSED, len(longest) + 1):
                longest = path[first : last + 1]
        return longest
    if instance.excludes_many_edges:
        squares = np.array(path, dtype=np.int32)
        lengths = range(2, len(path) + 1)
        kept = bisect_left(lengths, True, key=lambda n: not instance.satisfied_by(squares[:n]))
        return path[: 1 + kept]  # the first length that fails is 2 + kept
    return path[: path.index(instance.last) + 1] if instance.last in path else path


# -- windows --------------------------------------------------------------------------------------


def can_use_windows(instance: Instance) -> bool:
    """Return whether a tour of a partial instance can be made longer within windows.

    What a constraint says of a move or a square must not depend on the rest of the tour, so only
    bounds on the fewest squares are supported, no symmetry and no functions of the caller.
    """
    is_kept = all(
        bound.feature == "squares" and bound.limits[1] is None for bound in instance.having
    )
    fits = _MIN_VERTICES <= len(instance.graph) <= _MAX_VERTICES
    return fits and is_kept and not instance.symmetry and not instance.constrain


class WindowSearch:
    """A search for longer tours of a partial instance, each from a tour before."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self.instance = instance
        self.random = Random(seed)
        self.graph = graph = TourGraph(instance)
        self._must_visit = graph.with_depot(graph.nodes(sorted(instance.must_visit)))
        self._neighbors = adjacency(graph.edges[~graph.at_depot])
        self._arcs = graph.arcs if instance.one_way else both_directions(graph.edges)
        self._required = graph.required_moves if instance.one_way else graph.required_pairs[:, None]

    def longer_tours(self, tour: Squares, clock: Clock) -> Iterator[Squares]:
        """Yield tours, each longer than the last, as ids in visiting order.

        It ends if a tour visits all that it can reach, or if many windows in a row had no longer
        one. Raises `OutOfTimeError` at the clock's limit.
        """
        cycle = self.graph.cycle(tour)
        reachable = self._nodes_around(int(cycle[0]), len(self.graph))
        vertices = len(self.instance.graph)
        patience = max(_MIN_PATIENCE, _PATIENCE_PER_VERTEX * vertices)
        size = min(_WINDOW_SIZE, vertices // 2)
        idle = 0
        while idle < patience and len(cycle) < np.count_nonzero(reachable):
            clock.check()
            idle += 1
            is_inside = self._nodes_around(self._center(cycle, reachable), size)
            if np.count_nonzero(is_inside[cycle]) < FEWEST_CLOSED:
                continue  # there is just one cycle
            contracted = ContractedCycle(cycle, is_inside)
            seed = self.random.randrange(MAX_SEED)
            order = longest_in_window(self.window(contracted), len(contracted), seed)
            cycle = contracted.expand(order)
            if len(order) > len(contracted):
                idle = 0
                yield self.graph.tour(cycle)

    def _center(self, cycle: Nodes, reachable: Mask) -> int:
        """Return a random reachable node that is not on the cycle, or an end of the path."""
        if not self.instance.closed and self.random.random() < _END_SHARE:
            return int(self.random.choice(rotated(cycle, self.graph.depot)[[1, -1]]))
        is_left_out = np.array(reachable)
        is_left_out[cycle] = False
        return int(self.random.choice(np.flatnonzero(is_left_out)))

    def _nodes_around(self, center: int, size: int) -> Mask:
        """Return a mask of about ``size`` nodes around one, found breadth first, and the depot."""
        is_inside = np.zeros(len(self.graph), dtype=np.bool_)
        is_inside[self.graph.vertex_count :] = True
        is_inside[center] = True
        nearest = [center]
        for node in nearest:  # the list grows in the loop
            if len(nearest) >= size:
                break
            around = [each for each in self._neighbors.get(node, ()) if not is_inside[each]]
            is_inside[around] = True
            nearest += around
        return is_inside

    def window(self, contracted: ContractedCycle) -> Instance:
        """Return the instance of a window: the cycles through its runs that keep the links.

        Its vertices are the runs, and each link is a required move. An arc between the two runs of
        a link is no longer in the graph: it would close a cycle with the link.
        """
        one_way = self.instance.one_way
        links = contracted.links
        arcs = contracted.within(self._arcs)
        keys = np.array([len(contracted.inside), 1])
        is_link = np.isin(arcs @ keys, np.concatenate([links, links[:, ::-1]]) @ keys)
        edges = np.concatenate([links, arcs[~is_link]])
        required = [Move(source, target, one_way) for source, target in links.tolist()]
        for allowed in map(contracted.within, self._required):
            if len(allowed):
                source, target = allowed[0].tolist()
                required.append(Move(source, target, directed=one_way and len(allowed) == 1))
        return Instance(
            Graph(range(len(contracted.inside)), edges, directed=one_way),
            closed=True,
            require=tuple(required),
            allows_partial=True,
            visit=tuple(contracted.within(self._must_visit[:, None]).ravel().tolist()),
        )


def longest_in_window(window: Instance, present: int, seed: int) -> list[int]:
    """Return the longest cycle that a brief search finds.

    The present cycle visits the first ``present`` vertices, in order; the result is no shorter.

    >>> graph = Graph(range(4), np.array([(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)]))
    >>> link = Move(0, 1)
    >>> window = Instance(graph, closed=True, require=(link,), allows_partial=True)
    >>> longest_in_window(window, 3, seed=0)
    [0, 1, 2, 3]
    """
    cycle: Nodes = np.arange(present)
    at_least = Bound("squares", ">=", present)
    model = build_partial_model(replace(window, having=(at_least,)), Clock())
    hint_tour(model, cycle)
    solver = Solver(WINDOW, Clock(), 1, seed)
    solver.solve(model.cp)
    if len(solver.response.solution):
        cycle = tour_of(model, np.array(solver.response.solution))
    order: list[int] = cycle.tolist()
    return order
