"""Solve the circuit model: which CP-SAT parameters, for how long, and what came out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import CircuitModel, build_models, tours_in_order
from kt_cp.model.enumeration import break_symmetry, solutions
from kt_cp.model.parameters import CLAUSES, CUTS, LIMITS, PARALLEL, VARIETY, Parameters
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, Tours
from kt_dfs import Status

# No setting serves every board, so they take turns, each turn longer than the one before. Measured
# in CP-SAT's deterministic time, so that the same seed gives the same tour on any machine.
FIRST_TURN = 0.1
GROWTH = 4.0

COUNTERS = ("branches", "conflicts", "turns")


def answer(
    instance: Instance,
    clock: Clock,
    workers: int = 1,
    seed: int = 0,
    parameters: Parameters | None = None,
) -> Answer:
    """State the instance as circuits, and search them until it is decided.

    ``parameters`` of the user replace those of each turn.
    """
    try:
        models = build_models(instance, clock)
    except OutOfTime:
        return out_of_time(instance, clock, dict.fromkeys(COUNTERS, 0))
    return solve_models(instance, models, clock, workers, seed, parameters or {})


def solve_models(
    instance: Instance,
    models: list[CircuitModel],
    clock: Clock,
    workers: int = 1,
    seed: int = 0,
    given: Parameters = MappingProxyType({}),
) -> Answer:
    """Search models until one is solved, all are exhausted, or the clock's limit is reached."""
    counters: dict[str, float] = dict.fromkeys(COUNTERS, 0)
    try:
        for parameters in _turns(workers):
            for model in list(models):
                clock.check()
                solver = Solver({**parameters, **given}, clock, workers, seed)
                status = solver.solve(model.cp)
                counters["branches"] += solver.response.num_branches
                counters["conflicts"] += solver.response.num_conflicts
                counters["turns"] += 1
                if status is Status.IMPOSSIBLE:
                    models.remove(model)
                elif status is Status.FOUND:
                    used = solver.true(model.arcs.literals)
                    return found(tours_in_order(model, used[None])[0], counters)
            if not models:
                break
            if limits := LIMITS & given.keys():
                clock.check()
                why = f"CP-SAT had no answer when it reached {' or '.join(sorted(limits))}"
                return gave_up(instance, why, counters)
    except OutOfTime:
        return out_of_time(instance, clock, counters)
    return exhausted(instance, exhausted_by(instance), counters)


def exhausted_by(instance: Instance) -> str:
    """Return what the search went through, as the text of a reason."""
    how = "exhausted by CP-SAT" + " with the constraints added" * (instance.constrain is not None)
    if not instance.having:
        return how
    others = replace(instance, having=()) != Instance(instance.graph, closed=instance.closed)
    tour = f"{instance.kind} tour" + " that meets the other constraints" * others
    return f"{how}: no {tour} has {' and '.join(map(str, instance.having))}"


def all_solutions(instance: Instance, maps: list[TourMap], clock: Clock) -> Iterator[Tours]:
    """Yield tours, some at a time as they are found, of which the maps make all there are.

    Some may be made of one another. Raises `OutOfTime` when the clock's limit is reached.
    """
    for model in build_models(instance, clock):
        break_symmetry(model, maps)
        clock.check()
        for batch in solutions(model.cp, 1 + int(model.arcs.literals.max()), clock):
            used = np.array(batch, dtype=np.bool_)[:, model.arcs.literals]
            yield tours_in_order(model, used)


def _turns(workers: int) -> Iterator[Parameters]:
    turn = FIRST_TURN
    while workers == 1:
        for parameters in (CLAUSES, CUTS):
            yield {**parameters, **VARIETY, "max_deterministic_time": turn}
        turn *= GROWTH
    while True:
        yield PARALLEL
