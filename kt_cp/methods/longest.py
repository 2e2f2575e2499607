"""Find the longest path or cycle: a long one first, then longer ones, and a bound on all.

A walk that prefers vertices with few free neighbors, and Pósa rotations where it cannot go on, find
a long path to begin with, and replacing segments makes it longer, if no constraint bars it. CP-SAT
makes it longer still and proves the bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import SolutionCallback

from kt_cp.arrays import Squares
from kt_cp.graph_algorithms import adjacency, most_on_cycle, most_on_path
from kt_cp.methods.answers import Answer, exhausted, out_of_time, refuted
from kt_cp.methods.incumbent import Incumbent
from kt_cp.methods.segments import SegmentSearch, can_replace_segments
from kt_cp.model.backend import Solver
from kt_cp.model.parameters import (
    BRIEFLY,
    ONE_WORKER_BY_CORES,
    PARTIAL_TOURS,
    PARTIAL_TOURS_BY_CORES,
    Parameters,
)
from kt_cp.model.partial import PartialModel, build_partial_model, hint_tour, tour_of
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import BoundProof, Objective, Sense
from kt_cp.problem.task import Task
from kt_cp.proof.bounds import possible_length, separator_of_longest
from kt_cp.tour.kinds import FEWEST_CLOSED
from kt_dfs import Status

SQUARES = Objective("squares", Sense.MAXIMIZE)
"""What the longest path or cycle has the most of."""

# Walks, and rotations of each, before CP-SAT takes over.
_WALKS, _ROTATIONS = 8, 200

# Steps of the search by segments: for each square before CP-SAT's first look at the model, and
# altogether before its second (a second of processor time takes some 20,000 on 8x8).
_FEW_STEPS, _MOST_STEPS = 20, 300_000


def answer(task: Task) -> Answer:
    """Return the longest tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    The instance of the task is partial.
    """
    best = Incumbent(task, SQUARES)
    interrupted = False
    separator = separator_of_longest(task.instance)
    most = separator.most_squares
    wanted = fewest_squares(task.instance)
    if wanted > most:
        return refuted(separator.reason_for_no_more(wanted))
    possible = min(most, _most_by_blocks(task.instance))
    best.costs = [-possible]
    try:
        _search(task, best, possible)
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        if best.squares is None:
            raise
        interrupted = True
    if best.squares is not None:
        return Answer(
            Status.FOUND,
            best.squares,
            method="circuit",
            objective=replace(best.optimum, proof=_proof(best, most)),
            interrupted=interrupted,
        )
    if min(best.costs) < math.inf:
        return out_of_time(task.instance, task.clock)
    words = task.instance.graph.vocabulary
    kind = words.partial_tour(task.instance.closed)
    return exhausted(task.instance, f"CP-SAT proved that no {kind} meets the constraints")


def fewest_squares(instance: Instance) -> int:
    """Return how many squares a tour of a partial instance has at least, by its bounds."""
    fewest = [FEWEST_CLOSED if instance.closed else 1]
    for bound in instance.having:
        low, _ = bound.limits
        if bound.feature == "squares" and low is not None:
            fewest.append(low)
    return max(fewest)


def _proof(best: Incumbent, most: int) -> BoundProof | None:
    """Return what the bound rests on; a separator proves that ``most`` squares are visited."""
    if best.bound == len(best.task.instance.graph):
        return None
    return BoundProof.SEPARATOR if best.bound == most else BoundProof.SOLVER


def _most_by_blocks(instance: Instance) -> int:
    """Return the most squares that the blocks of the graph allow."""
    graph = adjacency(Instance(instance.graph).edges)
    return most_on_cycle(graph) if instance.closed else most_on_path(graph)


def _search(task: Task, best: Incumbent, most: int) -> None:
    """Offer walks, and search the model for tours of ``most`` squares. Raises `OutOfTimeError`."""
    if not task.instance.having and not task.instance.constrain:
        for path in walks(task.instance, task.seed):
            best.offer(path)
    if task.hint is not None and task.instance.satisfied_by(task.hint):
        best.offer(task.hint)
    if best.is_settled:
        return
    at_most = Bound("squares", "<=", most)
    bounded = replace(task.instance, having=(*task.instance.having, at_most))
    model = build_partial_model(bounded, task.clock)
    if can_replace_segments(task.instance):
        squares = len(task.instance.graph)
        _replace_segments(task, best, _FEW_STEPS * squares)
        if task.instance.is_uncrossed_or_induced and not best.is_settled:
            _solve(task, best, model, BRIEFLY)
            if not best.is_settled:
                _replace_segments(task, best, min(squares**3 // 2, _MOST_STEPS))
    if not best.is_settled:
        _solve(task, best, model)


def _replace_segments(task: Task, best: Incumbent, steps: int) -> None:
    """Offer paths from so many steps of a search by segments, in a third of the time at most."""
    share = None if task.clock.limit is None else max(task.clock.remaining / 3, 0.001)
    begin = None if best.squares is None else best.squares.tolist()
    search = SegmentSearch(task.instance, task.seed)
    with suppress(OutOfTimeError):
        for tour in search.longer_tours(steps, begin, Clock(share)):
            squares = np.array(tour, dtype=np.int32)
            if task.instance.satisfied_by(squares):
                best.offer(squares)
            if best.is_settled:
                return


def _solve(
    task: Task, best: Incumbent, model: PartialModel, limits: Parameters | None = None
) -> None:
    """Search the model by CP-SAT, from the best tour so far. Raises `OutOfTimeError`."""
    if best.squares is not None:
        hint_tour(model, best.squares)
    task.clock.check()
    given = {**_parameters(task), **(limits or {}), **task.parameters}
    solver = Solver(given, task.clock, task.workers, task.seed)
    try:
        solver.solve(model.circuit.cp, _TourCallback(best, model))
    finally:
        response = getattr(solver, "response", None)
        if response is not None:  # otherwise Ctrl-C came first
            best.learn(0, response)
            if math.isfinite(best.costs[0]):
                best.costs = [-possible_length(task.instance, -best.costs[0])]


def _parameters(task: Task) -> Parameters:
    """Return the parameters with which CP-SAT proves most: cores where edges exclude each other."""
    if not task.instance.is_uncrossed_or_induced:
        return PARTIAL_TOURS
    return ONE_WORKER_BY_CORES if task.workers == 1 else PARTIAL_TOURS_BY_CORES


class _TourCallback(SolutionCallback):
    """Offers the tours of a model as CP-SAT finds them."""

    def __init__(self, best: Incumbent, model: PartialModel) -> None:
        super().__init__()
        self.best, self.model = best, model

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        solution = np.fromiter(response.solution, np.int64)
        bound = response.best_objective_bound
        self.best.offer(tour_of(self.model, solution), bound=bound)


def walks(instance: Instance, seed: int) -> Iterator[Squares]:
    """Yield paths, or cycles, that meet the constraints of an instance, from walks in its graph.

    >>> import kt_cp
    >>> from dataclasses import replace
    >>> instance = replace(Instance.of("5x5"), allows_partial=True)
    >>> max(map(len, walks(instance, seed=0)))
    25
    """
    random = Random(seed)
    around: dict[int, list[int]] = {vertex: [] for vertex in instance.graph.vertices.tolist()}
    for source, target in instance.arcs.tolist():
        around[source].append(target)
    for _ in range(_WALKS):
        first = random.choice(list(around)) if instance.start is None else instance.start
        path = _walk(around, first, random, may_rotate=not instance.one_way)
        tour = _longest_cycle_of(path, around) if instance.closed else path
        if tour and instance.satisfied_by(np.array(tour)):
            yield np.array(tour, dtype=np.int32)


def _walk(around: dict[int, list[int]], first: int, random: Random, may_rotate: bool) -> list[int]:
    """Return a path from a vertex, to the neighbor with the fewest free neighbors at each step.

    Where no neighbor is free, an edge from the last vertex to one in the middle of the path changes
    the last vertex, if edges run both ways.
    """
    path, visited = [first], {first}
    rotations = 0
    while True:
        free = [each for each in around[path[-1]] if each not in visited]
        if free:
            onward = {each: sum(far not in visited for far in around[each]) for each in free}
            fewest = min(onward.values())
            path.append(random.choice([each for each in free if onward[each] == fewest]))
            visited.add(path[-1])
            continue
        inner = [each for each in around[path[-1]] if each != path[-2:][0]]
        if not inner or not may_rotate or rotations == _ROTATIONS:
            return path
        rotations += 1
        pivot = path.index(random.choice(inner)) + 1
        path[pivot:] = path[pivot:][::-1]


def _longest_cycle_of(path: list[int], around: dict[int, list[int]]) -> list[int]:
    """Return the longest part of a path that an arc from its last to its first vertex closes."""
    place = {vertex: index for index, vertex in enumerate(path)}
    longest: list[int] = []
    for last, vertex in enumerate(path):
        first = min((place[each] for each in around[vertex] if each in place), default=last)
        length = last - first + 1
        if length >= max(FEWEST_CLOSED, len(longest) + 1):
            longest = path[first : last + 1]
    return longest
