"""Solve the circuit model: which CP-SAT parameters, for how long, and what came out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ortools.sat.python import cp_model

from kt_cp.board import Squares
from kt_cp.clock import Clock, OutOfTime
from kt_cp.cover import covers, knows_wishes
from kt_cp.instance import Instance
from kt_cp.model.circuit import CircuitModel, build_models, tours_in_order
from kt_cp.model.hints import hint_walks
from kt_cp.model.solutions import solutions
from kt_cp.model.symmetry_breaking import break_symmetry
from kt_cp.orbits import TourMap, Tours

Parameters = dict[str, Any]

# Plain clause learning on the arcs: the fastest where tours abound. Presolve costs more than it
# gains on a model that is one circuit, the LP slows every node down, and probing and inprocessing
# would first try every arc both ways, which takes longer than all the rest.
CLAUSES: Parameters = {
    "linearization_level": 0,
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "inprocessing_probing_dtime": 0.0,
    "inprocessing_dtime_ratio": 0.0,
}

# Follow a hint, and repair it up to so many conflicts: where the hint is a good one that is enough,
# and where it is not another one is better.
HINTED: Parameters = {
    **CLAUSES,
    "hint_conflict_limit": 1500,
    "max_number_of_conflicts": 1,
}

# For so long, in deterministic time: a good hint takes half of it on any board from 8x8 to 80x80.
HINT_TIME_PER_SQUARE = 5e-6

# So many hints are tried in every round before the search goes without.
HINTS = 4

# With the LP and its cuts: sees at once what counting tells (colours, degrees, narrow strips),
# where clause learning alone would count for ever.
CUTS: Parameters = {"linearization_level": 2, "cp_model_presolve": False}

# Branch against the heuristic now and then: without it every seed gives the same tour, and a search
# that has gone astray stays there.
VARIETY: Parameters = {"random_polarity_ratio": 0.05}

# Enumeration takes one worker. Taking the arcs in order, square by square, halves the time against
# the default search, which jumps about: all of the tree must be seen anyway.
ENUMERATION: Parameters = {
    **CLAUSES,
    "enumerate_all_solutions": True,
    "search_branching": cp_model.FIXED_SEARCH,
}

# No setting serves every board, so they take turns, each turn longer than the one before. Measured
# in CP-SAT's deterministic time, so that the same seed gives the same tour on any machine.
FIRST_TURN = 0.1
GROWTH = 4.0

# With several workers CP-SAT runs its own portfolio side by side; these lead it.
PARALLEL: Parameters = {"cp_model_presolve": False}
SUBSOLVERS = ("no_lp", "max_lp", "quick_restart_no_lp", "default_lp")

COUNTERS = ("branches", "conflicts", "turns")


@dataclass(frozen=True)
class Answer:
    """What CP-SAT said: squares in order when found, else whether it exhausted the search."""

    squares: Squares | None
    exhausted: bool
    counters: dict[str, float]


def solve_circuit(instance: Instance, clock: Clock, workers: int = 1, seed: int = 0) -> Answer:
    """Build the model and search it until it is decided or the clock's limit is reached."""
    try:
        models = build_models(instance, clock)
    except OutOfTime:
        return Answer(None, False, dict.fromkeys(COUNTERS, 0))
    return solve_models(models, clock, workers, seed, hints=True)


def solve_models(
    models: list[CircuitModel],
    clock: Clock,
    workers: int = 1,
    seed: int = 0,
    hints: bool = False,
) -> Answer:
    """Search models until one is solved, all are exhausted, or the clock's limit is reached.

    With hints, walks of the reference show the way where they can.
    """
    counters: dict[str, float] = dict.fromkeys(COUNTERS, 0)
    walks: Iterator[list[Squares]] = iter(())
    if hints and models and knows_wishes(models[0].instance):
        walks = covers(models[0].instance, clock, seed)
    try:
        for parameters in _turns(workers):
            for model in list(models):
                clock.check()
                model.cp.clear_hints()
                settings = parameters
                if parameters is HINTED:
                    if (cover := next(walks, None)) is None:
                        continue
                    hint_walks(model, cover)
                    short = HINT_TIME_PER_SQUARE * len(model.instance.board)
                    settings = {**HINTED, "max_deterministic_time": short}
                solver = make_solver(settings, clock, workers, seed)
                status = run(solver, model.cp)
                counters["branches"] += solver.num_branches
                counters["conflicts"] += solver.num_conflicts
                counters["turns"] += 1
                if status == cp_model.INFEASIBLE:
                    models.remove(model)
                elif status != cp_model.UNKNOWN:
                    solution = list(solver.response_proto.solution)
                    return Answer(tours_in_order(model, [solution])[0], False, counters)
            if not models:
                break
    except OutOfTime:
        return Answer(None, False, counters)
    return Answer(None, True, counters)


def all_solutions(instance: Instance, maps: list[TourMap], clock: Clock) -> Iterator[Tours]:
    """Yield tours, some at a time as they are found, of which the maps make all there are.

    Some may be made of one another. Raises `OutOfTime` when the clock's limit is reached.
    """
    for model in build_models(instance, clock):
        break_symmetry(model, maps)
        clock.check()
        solver = make_solver(ENUMERATION, clock, workers=1, seed=0)
        for batch in solutions(solver, model.cp, 1 + int(model.arcs.indices.max())):
            yield tours_in_order(model, batch)
        if solver.response_proto.status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            raise OutOfTime


def _turns(workers: int) -> Iterator[Parameters]:
    turn = FIRST_TURN
    while workers == 1:
        yield from itertools.repeat(HINTED, HINTS)
        for parameters in (CLAUSES, CUTS):
            yield {**parameters, **VARIETY, "max_deterministic_time": turn}
        turn *= GROWTH
    while True:
        yield PARALLEL


def make_solver(parameters: Parameters, clock: Clock, workers: int, seed: int) -> cp_model.CpSolver:
    """Give a solver with these parameters, that ends when the clock's limit is reached."""
    solver = cp_model.CpSolver()
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed
    if workers > 1:
        solver.parameters.subsolvers.extend(SUBSOLVERS)
    if clock.limit is not None:
        solver.parameters.max_time_in_seconds = clock.remaining
    # CP-SAT's own handler would swallow Ctrl-C.
    solver.parameters.catch_sigint_signal = False
    return solver


def run(solver: cp_model.CpSolver, model: cp_model.CpModel) -> cp_model.CpSolverStatus:
    """Solve in a thread of its own, so that Ctrl-C reaches this one and stops the search."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        future = thread.submit(solver.solve, model)
        try:
            return future.result()
        except BaseException:
            solver.stop_search()
            raise
