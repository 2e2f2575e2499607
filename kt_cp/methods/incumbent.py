"""The best tour that a search for the optimum has found, and the bound that it has proven."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import SolutionCallback

from kt_cp.arrays import Ints, Squares
from kt_cp.model.backend import Model, Solver
from kt_cp.problem.task import BoundProof, Improvement, Objective, Optimum, Sense, Task
from kt_cp.tour.features import feature_named
from kt_cp.tour.tour import Tour


class Incumbent:
    """The best tour so far, how its value improved, and the proven bound on all tours.

    There is a model for each way in which a tour can have the symmetry asked for. ``cost_bounds``
    holds for each model a lower bound on the cost of its tours: minus infinity if nothing is known,
    and infinity if it has no tour. The cost of a tour is its value if less of the feature is
    better, and otherwise the negative value. ``bound_proof`` is what the bound rests on.

    Threads may offer tours and tighten bounds side by side.
    """

    def __init__(self, task: Task, objective: Objective) -> None:
        self.task, self.objective = task, objective
        self.sign = 1 if objective.sense is Sense.MINIMIZE else -1
        self.squares: Squares | None = None
        self.trace: list[Improvement] = []
        self.cost_bounds = [-math.inf]
        self.bound_proof = BoundProof.CP_SAT
        self._lock = Lock()

    @property
    def value(self) -> float:
        """The value of the best tour; there must be a tour."""
        return self.trace[-1].value

    @property
    def bound(self) -> float | None:
        """The proven bound on the values of all tours, or None as long as there is none."""
        least = min(self.cost_bounds)
        return None if math.isinf(least) else _as_int_if_whole(self.sign * least)

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no tour is better than the best so far."""
        return bool(self.trace) and self.value == self.bound

    @property
    def has_no_tour(self) -> bool:
        """Whether it is proven that no model has a tour."""
        return min(self.cost_bounds) == math.inf

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to search: the best is optimal, or no model has a tour."""
        return self.is_optimal or self.has_no_tour

    @property
    def optimum(self) -> Optimum:
        """The value of the best tour with the proven bound; there must be a tour."""
        name, sense, value = self.objective.name, self.objective.sense, self.value
        proof = None if self.bound is None else self.bound_proof
        return Optimum(name, sense, value, self.bound, self.is_optimal, tuple(self.trace), proof)

    def offer(
        self, squares: Squares, value: float | None = None, bound: float | None = None
    ) -> None:
        """Take a tour, given as ids in visiting order, if it is better than the best so far.

        ``value`` is needed for a custom objective only; a feature is counted here. ``bound`` is the
        bound that was proven with it, by default that of all models.
        """
        if not callable(self.objective.feature):
            value = self._count_feature(self.objective.feature, squares)
        assert value is not None
        with self._lock:
            self._keep_if_better(squares, value, bound)

    def _count_feature(self, feature: str, squares: Squares) -> int:
        """Return the value of a feature of a tour."""
        instance = self.task.instance
        tour = Tour.from_ids(instance.graph, squares, instance.closed, instance.allows_partial)
        return feature_named(feature).count(tour)

    def _keep_if_better(self, squares: Squares, value: float, bound: float | None) -> None:
        """Keep a tour and report it if it is better than the best so far."""
        if self.trace and self.sign * value >= self.sign * self.value:
            return
        proven = self.bound if bound is None else _as_int_if_whole(bound)
        better = Improvement(round(self.task.clock.seconds, 3), _as_int_if_whole(value), proven)
        self.squares = squares
        self.trace.append(better)
        if self.task.progress is not None:
            self.task.progress(better._replace(squares=squares))

    def tighten(
        self, model_index: int, cost_bound: float, proof: BoundProof = BoundProof.CP_SAT
    ) -> None:
        """Keep a bound on the cost of a model's tours, and what proves it, if it is better."""
        with self._lock:
            if cost_bound > self.cost_bounds[model_index]:
                self.cost_bounds[model_index] = cost_bound
                self.bound_proof = proof

    def learn(self, model_index: int, response: Any) -> None:
        """Keep the bound that CP-SAT's response proves for the tours of a model."""
        status = response.status.name
        if status == "INFEASIBLE":
            self.tighten(model_index, math.inf)
        elif status == "UNKNOWN":
            self._learn_without_solution(model_index, response.best_objective_bound)
        elif status in ("OPTIMAL", "FEASIBLE"):
            bound = response.best_objective_bound
            # Custom objectives are rounded to six digits, and CP-SAT's usual gap is 1e-4.
            if status == "OPTIMAL" and math.isclose(bound, self.value, rel_tol=1e-6, abs_tol=1e-4):
                bound = self.value
            self.tighten(model_index, self.sign * bound)

    def _learn_without_solution(self, model_index: int, bound: float) -> None:
        """Keep the bound of a search that found no tour itself, while another search has one.

        CP-SAT returns 0 before its search begins, which is no bound. One that is worse than the
        best tour holds only for the other tours of this model, and is dropped.
        """
        if bound == 0 or not self.trace:
            return
        if self.sign * bound <= self.sign * self.value:
            self.tighten(model_index, self.sign * bound)


def search_better_tours(
    best: Incumbent,
    model_index: int,
    solver: Solver,
    model: Model,
    tour_of: Callable[[Ints], Squares],
    note_bound: Callable[[float], None] | None = None,
) -> None:
    """Search one of the models by CP-SAT; keep its better tours and its bound.

    ``tour_of`` returns the tour of a solution as ids in visiting order. ``note_bound`` is called
    with each better bound on the objective during the search. If Ctrl-C ends the search, what it
    has found until then is kept.
    """
    try:
        solver.solve(model, _TourCallback(best, tour_of), note_bound)
    finally:
        if solver.response is not None:
            best.learn(model_index, solver.response)


class _TourCallback(SolutionCallback):
    """Offers the tours of a model to the incumbent as CP-SAT finds them."""

    def __init__(self, best: Incumbent, tour_of: Callable[[Ints], Squares]) -> None:
        super().__init__()
        self.best, self.tour_of = best, tour_of

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        squares = self.tour_of(np.fromiter(response.solution, np.int64))
        is_only_model = len(self.best.cost_bounds) == 1
        bound = response.best_objective_bound if is_only_model else None
        self.best.offer(squares, response.objective_value, bound)


def _as_int_if_whole(number: float) -> float:
    """Return a number as an integer if it is a whole number.

    >>> _as_int_if_whole(3.0), _as_int_if_whole(2.5)
    (3, 2.5)
    """
    nearest = round(number)
    return nearest if abs(number - nearest) < 1e-6 else number
