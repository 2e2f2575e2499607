"""Solvers that are no methods of the package, as custom methods for `compare`.

Each states the model that its own community would write. A comparison imports this module before it
measures a run, so that the second that OR-tools takes to import is not part of it.
"""

from __future__ import annotations

import numpy as np
from ortools.sat.python import cp_model

from kt_cp import Instance
from kt_cp.methods.method import Answer, exhausted, found, gave_up
from kt_cp.methods.peers import CircuitArcs
from kt_cp.problem.task import Task


def _circuit_arcs(instance: Instance) -> CircuitArcs:
    """Return the arcs of the circuit that an instance asks for."""
    problem = CircuitArcs(instance)
    assert not problem.has_no_tour
    return problem


def add_circuit(task: Task) -> Answer:
    """Answer by OR-tools' circuit constraint, with default parameters but for the workers."""
    instance = task.instance
    problem = _circuit_arcs(instance)
    model = cp_model.CpModel()
    arcs = {(tail, head): model.new_bool_var("") for tail, head in problem.arcs}
    model.add_circuit([(*arc, literal) for arc, literal in arcs.items()])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = task.workers
    solver.parameters.random_seed = task.seed
    solver.parameters.max_time_in_seconds = task.clock.remaining
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return exhausted(instance, "CP-SAT proved that there is none", {})
    if status == cp_model.UNKNOWN:
        return gave_up(instance, "no tour within the time limit")
    successors = dict(arc for arc, literal in arcs.items() if solver.boolean_value(literal))
    return found(problem.tour(successors))


def lkh(task: Task) -> Answer:
    """Answer by LKH: a shortest round trip, where a move costs 0 and any other step 1.

    It takes no seed and proves nothing.
    """
    import elkai

    problem = _circuit_arcs(task.instance)
    distances = np.ones((len(problem.graph),) * 2, dtype=np.int64)
    distances[tuple(np.array(problem.arcs).T)] = 0
    trip = elkai.DistanceMatrix(distances.tolist())
    for runs in (1, 10):  # LKH makes all its runs even when the first cannot be bettered
        order = trip.solve_tsp(runs)[:-1]
        following = order[1:] + order[:1]
        if not distances[order, following].any():
            return found(problem.tour(dict(zip(order, following, strict=True))))
    return gave_up(task.instance, "the shortest round trip has steps that are no moves")
