"""CP-SAT's parameters, each with its reason, and how a model is solved with them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ortools.sat.python import cp_model

from kt_cp.problem.clock import Clock

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

# With several workers CP-SAT runs its own portfolio side by side; these lead it.
PARALLEL: Parameters = {"cp_model_presolve": False}
SUBSOLVERS = ("no_lp", "max_lp", "quick_restart_no_lp", "default_lp")


def make_solver(parameters: Parameters, clock: Clock, workers: int, seed: int) -> cp_model.CpSolver:
    """Return a solver with these parameters, that ends when the clock's limit is reached."""
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
