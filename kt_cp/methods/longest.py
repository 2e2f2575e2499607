"""Find the longest path or cycle: a long one first, then longer ones, and a bound on all.

Walks find a long path to begin with. In a large graph it becomes longer within one window after the
other, and in others by replacing segments, if the constraints allow it. CP-SAT makes it longer
still and proves the bound. For uncrossed and induced tours, segments are also replaced while
CP-SAT searches, and CaDiCaL chooses edges: it proves most bounds first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event

from kt_cp.methods.answers import Answer, exhausted, out_of_time, refuted
from kt_cp.methods.incumbent import Incumbent, search_better_tours
from kt_cp.methods.longer import LongerTours, fewest_squares, note_most_squares
from kt_cp.methods.walks import random_walks
from kt_cp.methods.windows import can_use_windows
from kt_cp.model.backend import Solver
from kt_cp.model.parameters import (
    ONE_WORKER_BY_CORES,
    PARTIAL_TOURS,
    PARTIAL_TOURS_BY_CORES,
    Parameters,
)
from kt_cp.model.partial import (
    PartialModel,
    build_partial_model,
    hint_tour,
    tour_of,
)
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, partial_tour_symmetries
from kt_cp.problem.task import BoundProof, Objective, OutOfTimeError, Sense, Task
from kt_cp.proof.bounds import (
    Separator,
    most_allowed,
    most_by_blocks,
    possible_length,
    separator_of_longest,
)
from kt_cp.proof.degree_relaxation import most_by_degrees
from kt_cp.proof.symmetry_reasons import no_symmetric_partial_tour
from kt_dfs import Status

VISIT_MOST = Objective("squares", Sense.MAXIMIZE)
"""The objective of the longest path or cycle: visit the most squares."""

# Steps of the segment search for each square, before CP-SAT's search of the model.
_STEPS_PER_SQUARE = 20


def answer(task: Task) -> Answer:
    """Return the longest tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    The instance of the task is partial.
    """
    if reason := no_symmetric_partial_tour(task.instance):
        return refuted(reason)
    separator = separator_of_longest(task.instance, task.clock)
    wanted = fewest_squares(task.instance)
    if wanted > separator.most_squares:
        return refuted(separator.reason_for_no_more(wanted))
    upper_bounds = _upper_bounds(task, separator)
    allowed = possible_length(task.instance, most_allowed(task.instance))
    upper_bound = min(allowed, *upper_bounds.values())
    best = Incumbent(task, VISIT_MOST)
    interrupted = False
    best.cost_bounds = [-upper_bound] * len(_tour_maps(task.instance))
    try:
        _search(task, best, upper_bound)
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        if best.squares is None:
            raise
        interrupted = True
    if best.squares is None:
        return _answer_without_tour(best)
    return Answer(
        Status.FOUND,
        best.squares,
        method="circuit",
        objective=replace(best.optimum, proof=_proof(best, upper_bounds)),
        interrupted=interrupted,
    )


def _answer_without_tour(best: Incumbent) -> Answer:
    """Return the answer of a search that found no tour: whether it proved that there is none."""
    instance, clock = best.task.instance, best.task.clock
    if not best.has_no_tour:
        return out_of_time(instance, clock)
    kind = instance.graph.vocabulary.partial_tour(instance.closed)
    return exhausted(instance, f"{best.bound_proof} proved that no {kind} meets the constraints")


def _tour_maps(instance: Instance) -> Sequence[TourMap | None]:
    """Return the maps by which a tour can have the symmetry asked for; [None] if none is."""
    if instance.symmetry is None:
        return [None]
    return partial_tour_symmetries(instance.board, instance.symmetry)


def _upper_bounds(task: Task, separator: Separator) -> dict[BoundProof, int]:
    """Return bounds on the squares of a tour that need no search, the easiest to check first."""
    degrees_bound = most_by_degrees(task.instance, task.clock)
    return {
        BoundProof.SEPARATOR: separator.most_squares,
        BoundProof.BLOCKS: most_by_blocks(task.instance),
        BoundProof.DEGREES: possible_length(task.instance, degrees_bound),
    }


def _proof(best: Incumbent, upper_bounds: Mapping[BoundProof, int]) -> BoundProof | None:
    """Return what the best bound rests on, given those that were proven without a search."""
    if best.bound == most_allowed(best.task.instance):
        return None  # no proof is needed
    for proof, upper_bound in upper_bounds.items():
        if best.bound == upper_bound:
            return proof
    return best.bound_proof


def _search(task: Task, best: Incumbent, upper_bound: int) -> None:
    """Offer walks, replace segments, and search the model for tours up to the bound.

    Raises `OutOfTimeError`.
    """
    if not task.instance.constrain:
        for path in random_walks(task.instance, task.seed):
            best.offer(path)
    if best.is_finished:
        return
    at_most = Bound("squares", "<=", upper_bound)
    bounded = replace(task.instance, having=(*task.instance.having, at_most))
    if task.instance.symmetry is not None:
        _search_models(task, best, bounded)
    else:
        _improve(task, best, bounded)


def _improve(task: Task, best: Incumbent, bounded: Instance) -> None:
    """Make the best tour longer, and then search the model of the bounded instance.

    Large graphs are searched within windows, and in others segments are replaced. Other searches
    may take turns beside CP-SAT.

    Raises `OutOfTimeError`.
    """
    longer = LongerTours(task, best)
    if can_use_windows(task.instance):
        longer.change_windows(task.clock)
    else:
        longer.replace_segments(_STEPS_PER_SQUARE * len(task.instance.graph), task.clock)
    if best.is_finished:
        return
    model = build_partial_model(bounded, task.clock)
    if longer.can_take_turns:
        _solve_while_others_take_turns(task, best, model, longer)
    else:
        _solve(task, best, model, task.workers)


def _search_models(task: Task, best: Incumbent, bounded: Instance) -> None:
    """Search a model for each way in which a tour can have the symmetry asked for.

    Under a time limit each has an equal share of the time that is left. Raises `OutOfTimeError`.
    """
    tour_maps = _tour_maps(bounded)
    for index, tour_map in enumerate(tour_maps):
        clock = task.clock.for_share(1 / (len(tour_maps) - index))
        with suppress(OutOfTimeError):
            model = build_partial_model(bounded, clock, tour_map)
            _solve(replace(task, clock=clock), best, model, task.workers, index)
        if best.is_finished:
            return


def _solve_while_others_take_turns(
    task: Task, best: Incumbent, model: PartialModel, longer: LongerTours
) -> None:
    """Search the model by CP-SAT while a thread beside it looks for longer tours in other ways.

    Both end as soon as the longest tour meets the bound. Raises `OutOfTimeError`.
    """
    solved = Event()

    def is_over() -> bool:
        return best.is_finished or task.clock.remaining <= 0

    solver_clock = replace(task.clock, is_interrupted=is_over)
    turns_clock = replace(task.clock, is_interrupted=lambda: solved.is_set() or is_over())
    with ThreadPoolExecutor(max_workers=1) as executor:
        turns = executor.submit(longer.take_turns, turns_clock)
        try:
            _solve(replace(task, clock=solver_clock), best, model, max(1, task.workers - 1))
        finally:
            solved.set()
    turns.result()


def _solve(task: Task, best: Incumbent, model: PartialModel, workers: int, index: int = 0) -> None:
    """Search the model by CP-SAT, from the best tour so far. Raises `OutOfTimeError`.

    ``workers`` is the number of CP-SAT's threads, and ``index`` that of the model.
    """
    # The tours of a later model have the symmetry in another way.
    if best.squares is not None and index == 0:
        hint_tour(model, best.squares)
    task.clock.check()
    given = {**_parameters(task.instance, workers), **task.parameters}
    solver = Solver(given, task.clock, workers, task.seed)

    def note_bound(bound: float) -> None:
        note_most_squares(best, index, bound, BoundProof.CP_SAT)

    read_tour = partial(tour_of, model)
    try:
        search_better_tours(best, index, solver, model.circuit.cp, read_tour, note_bound)
    finally:  # CP-SAT's last bound is rounded down to a possible length
        cost_bound = best.cost_bounds[index]
        if math.isfinite(cost_bound):
            note_bound(-cost_bound)


def _parameters(instance: Instance, workers: int) -> Parameters:
    """Return the parameters with which CP-SAT proves most: cores where edges exclude each other."""
    if not (instance.has_few_crossings or instance.has_no("chords")):
        return PARTIAL_TOURS
    return ONE_WORKER_BY_CORES if workers == 1 else PARTIAL_TOURS_BY_CORES
