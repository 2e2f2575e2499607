"""Find the best tour by an objective: any tour first, then better ones, and a bound on all.

Simulated annealing finds good tours. CP-SAT, on the circuit model of the whole board, proves bounds
and finds tours too, by large neighborhood search. The best tour is called optimal only if CP-SAT
has proven that no tour is better. Tours of large boards are annealed window by window, and nothing
is proven. The longest path is sought with the same `Incumbent` (`kt_cp.methods.longest`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import SolutionCallback

from kt_cp.arrays import Ints, Squares
from kt_cp.methods import auto
from kt_cp.methods.annealing import WINDOW_SQUARES, Annealer, straight_tours
from kt_cp.methods.method import (
    MOVES_AND_ENDS,
    Answer,
    UnsupportedError,
    exhausted,
    out_of_time,
    used_constraints,
)
from kt_cp.model.backend import Model, Solver
from kt_cp.model.circuit import build_models, hint_cycles, tours_in_order
from kt_cp.model.custom import custom_value
from kt_cp.model.parameters import BRIEF_SEARCH, OPTIMIZATION, OPTIMIZATION_BY_CLAUSES
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.task import (
    EDGE,
    BoundProof,
    Clock,
    Improvement,
    Objective,
    Optimum,
    OutOfTimeError,
    Parameters,
    Sense,
    Task,
    Weights,
)
from kt_cp.proof.separators import possible_length
from kt_cp.sat.edges import edge_graph
from kt_cp.tour.tour import Tour
from kt_dfs import Status

# Boards with more squares are only annealed: a model of the whole board would take too long.
_MAX_MODELED = 400

# The shares of the remaining time for a brief search by CP-SAT, and then for annealing.
_BRIEF_SHARE, _ANNEALING_SHARE = 0.25, 0.5


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
            if self.trace and self.sign * value >= self.sign * self.value:
                return
            seconds = round(self.task.clock.seconds, 3)
            better = Improvement(seconds, _as_int_if_whole(value), self.bound)
            self.squares = squares
            self.trace.append(better)
            if self.task.progress is not None:
                self.task.progress(better._replace(squares=squares))

    def tighten(
        self, model_index: int, cost_bound: float, proof: BoundProof = BoundProof.CP_SAT
    ) -> None:
        """Keep a bound on the cost of a model's tours, and what proves it, if it is better.

        A bound on the number of squares is rounded to a possible one.
        """
        if self.objective.feature == "squares" and math.isfinite(cost_bound):
            cost_bound = -possible_length(self.task.instance, -cost_bound)
        with self._lock:
            if cost_bound > self.cost_bounds[model_index]:
                self.cost_bounds[model_index] = cost_bound
                self.bound_proof = proof

    def _unscaled(self, bound: float) -> float:
        """Return CP-SAT's bound as one on the weights of tours, or unchanged for another objective.

        CP-SAT minimizes or maximizes whole numbers, the rounded weights.
        """
        weights = self.objective.feature
        if not isinstance(weights, Weights):
            return bound
        moves = len(self.task.instance.graph)
        return bound / weights.scale - self.sign * moves * weights.slack

    def search(
        self, model_index: int, solver: Solver, model: Model, tour_of: Callable[[Ints], Squares]
    ) -> None:
        """Search one of the models by CP-SAT; keep its better tours and its bounds.

        ``tour_of`` returns the tour of a solution as ids in visiting order. If Ctrl-C ends the
        search, what it has found until then is kept.
        """

        class Offer(SolutionCallback):
            def OnSolutionCallback(callback) -> None:  # noqa: N802, N805 - CP-SAT's name
                response: Any = callback.Response()  # type: ignore[no-untyped-call]
                squares = tour_of(np.fromiter(response.solution, np.int64))
                self.offer(squares, response.objective_value)

        def note_bound(bound: float) -> None:
            self.tighten(model_index, self.sign * self._unscaled(bound))

        try:
            solver.solve(model, Offer(), note_bound)
        finally:
            status = "" if solver.response is None else solver.response.status.name
            if status == "INFEASIBLE":
                self.tighten(model_index, math.inf)
            elif status in ("OPTIMAL", "FEASIBLE"):
                bound = self._unscaled(solver.response.best_objective_bound)
                self.tighten(model_index, self.sign * bound)
                # Custom objectives and weights are rounded, and CP-SAT's usual gap is 1e-4.
                is_close = math.isclose(bound, self.value, rel_tol=1e-6, abs_tol=1e-4)
                if status == "OPTIMAL" and is_close:
                    self.cost_bounds[model_index] = self.sign * self.value

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
        instance, proof = self.task.instance, self.bound_proof
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


def answer(task: Task) -> Answer:
    """Return the best tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    The task must have an objective. Its parameters replace those of this module.
    """
    assert task.objective is not None
    return _Search(task, task.objective).answer()


def anneal(task: Task) -> Answer:
    """Return the best tour that annealing alone finds: the method ``anneal``.

    Raises `UnsupportedError` without an objective, and for objectives that annealing does not take.
    """
    if task.objective is None:
        raise UnsupportedError("method anneal makes a tour better: give minimize or maximize")
    search = _Search(task, task.objective, only_anneals=True)
    if not search.can_anneal:
        what = "moves in one direction" if task.instance.one_way else "custom objectives"
        raise UnsupportedError(f"method anneal does not support {what}; method circuit does")
    return search.answer()


@dataclass
class _Search:
    """A search for the best tour; with ``only_anneals`` CP-SAT has no part in it."""

    task: Task
    objective: Objective
    only_anneals: bool = False

    def __post_init__(self) -> None:
        instance = self.task.instance
        self.best = Incumbent(self.task, self.objective)
        is_counted = not instance.one_way and isinstance(self.objective.feature, str)
        self.can_anneal = is_counted and used_constraints(instance) <= MOVES_AND_ENDS
        is_large = len(instance.graph) > _MAX_MODELED
        self.searches_no_model = self.only_anneals or (self.can_anneal and is_large)

    def answer(self) -> Answer:
        """Find a tour, and improve it until the limit, or until it is proven optimal."""
        first = auto.answer(self.task)
        if first.squares is None:
            return first
        method = "anneal" if self.searches_no_model else "circuit"
        none_exists = "there is none with the constraints of the objective"
        return self.best.answer_after(partial(self._improve, first.squares), method, none_exists)

    def _improve(self, first: Squares) -> None:
        """Anneal, if the constraints allow it, and search the whole model, if it is not too large.

        The first tour may violate constraints that a custom objective adds. Raises
        `OutOfTimeError`.
        """
        task, best = self.task, self.best
        if not callable(self.objective.feature):
            best.offer(first)
        else:
            with task.clock.stopped():  # it imports the public API of OR-tools
                value = custom_value(task.instance, first, self.objective)
            if value is not None:
                best.offer(first, value)
        if self.searches_no_model:
            self._anneal(task.clock)
            return
        models = build_models(task.instance, task.clock, self.objective)
        best.cost_bounds = [-math.inf] * len(models)
        # Uncrossed moves are stated by clauses, without linear equations.
        is_by_clauses = self.objective.feature == "uncrossed"
        parameters = OPTIMIZATION_BY_CLAUSES if is_by_clauses else OPTIMIZATION
        if self.can_anneal and len(task.instance.graph) <= WINDOW_SQUARES:
            self._search(models, first, {**parameters, **BRIEF_SEARCH}, _BRIEF_SHARE)
        if self.can_anneal and not best.is_optimal:
            self._anneal(task.clock.for_share(_ANNEALING_SHARE))
        if not best.is_optimal:
            self._search(models, first, parameters)

    def _anneal(self, clock: Clock) -> None:
        """Anneal until the clock's limit, until nothing improves, or until the bound is reached."""
        squares = len(self.task.instance.graph)
        self.task.clock.check(EDGE * squares)
        graph, seed = edge_graph(self.task.instance), self.task.seed

        def better_tours() -> Iterator[Squares]:
            if squares > WINDOW_SQUARES:
                yield from straight_tours(graph, clock, seed)
            assert self.best.squares is not None
            yield from Annealer(graph, self.best.squares, self.objective, clock, seed).anneal()

        with suppress(OutOfTimeError):
            for tour in better_tours():
                self.best.offer(tour)
                if self.best.is_optimal:
                    return

    def _search(
        self, models: list[CircuitModel], first: Squares, parameters: Parameters, share: float = 1
    ) -> None:
        """Search every model; they divide a share of the remaining time equally."""
        task, best = self.task, self.best
        for number, model in enumerate(models):
            task.clock.check()
            tour = first if best.squares is None else best.squares
            hint_cycles(model, [model.graph.cycle(tour)])
            clock = task.clock.for_share(share / (len(models) - number))
            solver = Solver({**parameters, **task.parameters}, clock, task.workers, task.seed)

            def tour_of(solution: Ints, model: CircuitModel = model) -> Squares:
                used = solution[model.arcs.literals] == 1
                squares: Squares = tours_in_order(model, used[None])[0]
                return squares

            best.search(number, solver, model.cp, tour_of)
