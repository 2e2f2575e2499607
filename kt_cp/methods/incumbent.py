"""The best tour so far, which searches improve, and the proven bound on all tours."""

from __future__ import annotations

import math
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import SolutionCallback

from kt_cp.arrays import Ints, Squares
from kt_cp.methods.method import Answer, exhausted, out_of_time
from kt_cp.model.backend import Model, Solver
from kt_cp.problem.task import (
    BoundProof,
    Improvement,
    Objective,
    Optimum,
    OutOfTimeError,
    Sense,
    Task,
    Weights,
)
from kt_cp.tour.tour import Tour
from kt_dfs import Status


class Incumbent:
    """The best tour so far, how its value improved, and the proven bound on all tours.

    There is a model for each way in which a tour can have the symmetry asked for; until
    `expect_models` is called, there is one. Bounds are on the values of tours, from below if less
    of the feature is better, and otherwise from above. ``bound_proof`` is what the bound rests on.

    Threads may offer tours and tighten bounds side by side.
    """

    def __init__(self, task: Task, objective: Objective) -> None:
        self.task = task
        self.objective = objective
        self.squares: Squares | None = None
        self.trace: list[Improvement] = []
        self.bound_proof = BoundProof.CP_SAT
        # For each model a lower bound on the cost of its tours: minus infinity if nothing is known,
        # and infinity if it has no tour.
        self._cost_bounds = [-math.inf]
        self._lock = Lock()

    def _cost(self, value: float) -> float:
        """Return the cost of a value, of which less is always better.

        It is the value or, if more of the feature is better, its negative.
        """
        return value if self.objective.sense is Sense.MINIMIZE else -value

    def _value_of(self, cost: float) -> float:
        """Return the value that has a cost: taking the cost is its own inverse."""
        return self._cost(cost)

    @property
    def value(self) -> float:
        """The value of the best tour; there must be a tour."""
        return self.trace[-1].value

    @property
    def bound(self) -> float | None:
        """The proven bound on the values of all tours, or None as long as there is none."""
        least = min(self._cost_bounds)
        return None if math.isinf(least) else _as_int_if_whole(self._value_of(least))

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no tour is better than the best so far."""
        return bool(self.trace) and self.value == self.bound

    @property
    def has_no_tour(self) -> bool:
        """Whether it is proven that no model has a tour."""
        return min(self._cost_bounds) == math.inf

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to search: the best is optimal, or no model has a tour."""
        return self.is_optimal or self.has_no_tour

    def offer(self, squares: Squares, value: float | None = None) -> None:
        """Take a tour, given as ids in visiting order, if it is better than the best so far.

        ``value`` is needed for a custom objective only; a feature is counted here.
        """
        instance = self.task.instance
        if not callable(self.objective.feature):
            tour = Tour.from_ids(instance.graph, squares, instance.closed, instance.allows_partial)
            value = self.objective.value_of(tour)
        assert value is not None
        with self._lock:
            if self.trace and self._cost(value) >= self._cost(self.value):
                return
            seconds = round(self.task.clock.seconds, 3)
            better = Improvement(seconds, _as_int_if_whole(value), self.bound)
            self.squares = squares
            self.trace.append(better)
            if self.task.progress is not None:
                self.task.progress(better._replace(squares=squares))

    def expect_models(self, number: int, bound: float | None = None) -> None:
        """Start with so many models, and with a bound on the values of all their tours, if any."""
        self._cost_bounds = [-math.inf if bound is None else self._cost(bound)] * number

    def tighten(
        self, model_index: int, bound: float, proof: BoundProof = BoundProof.CP_SAT
    ) -> None:
        """Keep a bound on the values of a model's tours, and what proves it, if it is better.

        A bound on the number of squares is rounded to a possible one.
        """
        if self.objective.feature == "squares" and math.isfinite(bound):
            bound = self.task.instance.possible_length(bound)
        with self._lock:
            if self._cost(bound) > self._cost_bounds[model_index]:
                self._cost_bounds[model_index] = self._cost(bound)
                self.bound_proof = proof

    def exclude(self, model_index: int, proof: BoundProof = BoundProof.CP_SAT) -> None:
        """Note that a model has no tour, and what proves it."""
        self.tighten(model_index, self._value_of(math.inf), proof)

    def search(
        self, model_index: int, solver: Solver, model: Model, tour_of: Callable[[Ints], Squares]
    ) -> None:
        """Search one of the models by CP-SAT; keep its better tours and its bounds.

        ``tour_of`` returns the tour of a solution as ids in visiting order. If Ctrl-C ends the
        search, what it has found until then is kept.
        """

        offer = self.offer

        class OfferSolution(SolutionCallback):
            def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
                response: Any = self.Response()  # type: ignore[no-untyped-call]
                squares = tour_of(np.fromiter(response.solution, np.int64))
                offer(squares, response.objective_value)

        def note_bound(bound: float) -> None:
            self.tighten(model_index, self._unscaled(bound))

        try:
            solver.solve(model, OfferSolution(), note_bound)
        finally:
            status = "" if solver.response is None else solver.response.status.name
            if status == "INFEASIBLE":
                self.exclude(model_index)
            elif status in ("OPTIMAL", "FEASIBLE"):
                bound = self._unscaled(solver.response.best_objective_bound)
                self.tighten(model_index, bound)
                # Custom objectives and weights are rounded, and CP-SAT's usual gap is 1e-4.
                is_close = math.isclose(bound, self.value, rel_tol=1e-6, abs_tol=1e-4)
                if status == "OPTIMAL" and is_close:
                    self._cost_bounds[model_index] = self._cost(self.value)

    def _unscaled(self, bound: float) -> float:
        """Return CP-SAT's bound as one on the values of tours.

        For weights it has a bound on whole numbers, the scaled and rounded weights. It is divided
        by the scale, and loosened by what rounding can change.
        """
        weights = self.objective.feature
        if not isinstance(weights, Weights):
            return bound
        moves = len(self.task.instance.graph)
        return bound / weights.scale - self._cost(moves * weights.slack)

    def answer_after(self, search: Callable[[], None], method: str, none_exists: str) -> Answer:
        """Return the answer with the best tour after a search, which the clock or Ctrl-C may end.

        ``none_exists`` is a clause for the reason why there is no tour.
        """
        interrupted = False
        try:
            search()
        except OutOfTimeError:
            pass
        except KeyboardInterrupt:
            if self.squares is None:
                raise
            interrupted = True
        instance = self.task.instance
        proof = self.bound_proof
        if self.has_no_tour and self.squares is None:
            return exhausted(instance, f"{proof} proved that {none_exists}")
        if self.squares is None:
            return out_of_time(instance, self.task.clock)
        optimum = Optimum(
            self.objective.name,
            self.objective.sense,
            self.value,
            self.bound,
            self.is_optimal,
            tuple(self.trace),
            None if self.bound is None else proof,
        )
        return Answer(
            Status.FOUND, self.squares, method=method, objective=optimum, interrupted=interrupted
        )


def _as_int_if_whole(number: float) -> float:
    """Return a number as an integer if it is a whole number.

    >>> _as_int_if_whole(3.0), _as_int_if_whole(2.5)
    (3, 2.5)
    """
    nearest = round(number)
    return nearest if abs(number - nearest) < 1e-6 else number
