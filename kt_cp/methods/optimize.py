"""The best tour by an objective: some tour first, then ever better ones, and a bound on them all.

Simulated annealing finds good tours, CP-SAT on the whole circuit model proves bounds, and finds
tours too, by large neighborhoods. Only where CP-SAT has proven that no tour is better is the best
one found called optimal. On large boards tours are annealed window by window, and nothing is
proven.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import SolutionCallback

from kt_cp.arrays import Squares
from kt_cp.methods import auto
from kt_cp.methods.annealing import WINDOW, Annealer, straight_tours
from kt_cp.methods.answers import Answer, UnsupportedError, exhausted, out_of_time
from kt_cp.methods.method import MOVES_AND_ENDS, used_constraints
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import build_models, hint_cycles, tours_in_order
from kt_cp.model.custom import custom_value
from kt_cp.model.parameters import BRIEFLY, OPTIMIZATION, OPTIMIZATION_BY_CLAUSES, Parameters
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.constraints import Improvement, Objective, Optimum, Sense
from kt_cp.problem.task import Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.sat.edges import STATING, edge_graph
from kt_cp.tour.feature_table import Counted, feature_named
from kt_cp.tour.tour import Tour
from kt_dfs import Status

# Boards with more squares are annealed only: a model of the whole would take too long.
_ANNEALED = 400

# The parts of the time left that go to a brief search by CP-SAT, and then to annealing.
_BRIEF_PART, _ANNEALING_PART = 0.25, 0.5


def answer(task: Task) -> Answer:
    """Return the best tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    The parameters of the task, which must have an objective, replace those of this module.
    """
    assert task.objective is not None
    return _Search(task, task.objective).answer()


def anneal(task: Task) -> Answer:
    """Return the best tour that annealing alone finds: the method ``anneal``."""
    if task.objective is None:
        raise UnsupportedError("method anneal makes a tour better: give minimize or maximize")
    search = _Search(task, task.objective, only_anneals=True)
    if not search.can_anneal:
        what = "moves in one direction" if task.instance.one_way else "custom objectives"
        raise UnsupportedError(f"method anneal does not support {what}; method circuit does")
    return search.answer()


@dataclass
class _Search:
    """A search for the best tour: the best so far, and what is known of the others.

    ``method`` is the method that is searching. There is a model for each way in which a tour can
    have the symmetry asked for. ``bounds`` holds what is proven of the tours of each model, times
    ``sign``, so that less is better: minus infinity where nothing is known, and infinity where it
    has no tour.
    """

    task: Task
    objective: Objective
    only_anneals: bool = False
    method: str = "circuit"
    best: Squares | None = None
    trace: list[Improvement] = field(default_factory=list)
    bounds: list[float] = field(default_factory=lambda: [-math.inf])

    @property
    def sign(self) -> int:
        """1 if less is better, otherwise -1."""
        return 1 if self.objective.sense is Sense.MINIMIZE else -1

    @property
    def can_anneal(self) -> bool:
        """Whether annealing knows the objective and keeps to the constraints."""
        instance = self.task.instance
        if instance.one_way or callable(self.objective.feature):
            return False
        return used_constraints(instance) <= MOVES_AND_ENDS

    @property
    def bound(self) -> float | None:
        """What no tour is better than, as far as proven."""
        least = min(self.bounds)
        return None if math.isinf(least) else _plain(self.sign * least)

    @property
    def is_optimal(self) -> bool:
        """Whether it is proven that no tour is better than the best so far."""
        return self.best is not None and self.trace[-1].value == self.bound

    def answer(self) -> Answer:
        """Find a tour, and improve it until the limit, or until it is proven optimal."""
        first = auto.answer(self.task)
        if first.squares is None:
            return first
        interrupted = False
        try:
            self._offer_first(first.squares)
            self._run(first.squares)
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            if self.best is None:
                raise
            interrupted = True
        if self.best is not None:
            sense, name, trace = self.objective.sense, self.objective.name, (*self.trace,)
            optimum = Optimum(name, sense, trace[-1].value, self.bound, self.is_optimal, trace)
            return Answer(
                Status.FOUND,
                self.best,
                method=self.method,
                objective=optimum,
                interrupted=interrupted,
            )
        if min(self.bounds) < math.inf:
            return out_of_time(self.task.instance, self.task.clock)
        how = "CP-SAT proved that there is none with the constraints of the objective"
        return exhausted(self.task.instance, how)

    def _offer_first(self, squares: Squares) -> None:
        if not callable(self.objective.feature):
            return self.offer(squares)
        with self.task.clock.stopped():  # it imports the public API of OR-tools
            value = custom_value(self.task.instance, squares, self.objective)
        if value is not None:  # the function may add constraints
            self.offer(squares, value)

    def _run(self, first: Squares) -> None:
        """Anneal, if the constraints allow it, and search the whole model, if it is not too large.

        Raises `OutOfTime`.
        """
        squares = len(self.task.instance.graph)
        if self.only_anneals or (self.can_anneal and squares > _ANNEALED):
            self.method = "anneal"
            return self._anneal(self.task.clock)
        models = build_models(self.task.instance, self.task.clock, self.objective)
        self.bounds = [-math.inf] * len(models)
        parameters = OPTIMIZATION_BY_CLAUSES if self._has_clauses_only else OPTIMIZATION
        if self.can_anneal and squares <= WINDOW:
            self._search(models, first, {**parameters, **BRIEFLY}, _BRIEF_PART)
        if self.can_anneal and not self.is_optimal:
            self._anneal(self._part(_ANNEALING_PART))
        if not self.is_optimal:
            self._search(models, first, parameters)

    @property
    def _has_clauses_only(self) -> bool:
        """Whether the model defines the objective by clauses, without linear equations."""
        if callable(self.objective.feature):
            return False
        counted = feature_named(self.objective.feature).counted
        has_fewest_crossings = counted is Counted.CROSSINGS and self.sign > 0
        return counted is Counted.UNCROSSED_MOVES or has_fewest_crossings

    def _anneal(self, clock: Clock) -> None:
        """Anneal until the limit of a clock, until it is in vain, or until the bound is reached."""
        squares = len(self.task.instance.graph)
        self.task.clock.check(STATING * squares)
        graph = edge_graph(self.task.instance)

        def offer(tour: Squares) -> None:
            self.offer(tour)
            if self.is_optimal:
                raise OutOfTime

        with suppress(OutOfTime):
            if squares > WINDOW:
                for tour in straight_tours(graph, clock, self.task.seed):
                    offer(tour)
            assert self.best is not None
            seed = self.task.seed
            Annealer(graph, self.best, self.objective, clock, seed, offer).anneal()

    def _part(self, part: float) -> Clock:
        """Return a clock for a part of the time that is left."""
        return Clock(max(self.task.clock.remaining * part, 0.001))

    def _search(
        self, models: list[CircuitModel], first: Squares, parameters: Parameters, part: float = 1
    ) -> None:
        """Search every model, for an equal share of a part of the time that is left."""
        self.method = "circuit"
        for number, model in enumerate(models):
            self.task.clock.check()
            tour = first if self.best is None else self.best
            hint_cycles(model, [TourGraph(self.task.instance).cycle(tour)])
            clock = self._part(part / (len(models) - number))
            given = {**parameters, **self.task.parameters}
            solver = Solver(given, clock, self.task.workers, self.task.seed)
            try:
                solver.solve(model.cp, _Collector(self, model))
            finally:  # without a response if Ctrl-C came first
                self._note(number, getattr(solver, "response", None))

    def _note(self, number: int, response: Any) -> None:
        """Keep what a search has proven of the tours of a model."""
        status = response and response.status.name
        if status == "INFEASIBLE":
            self.bounds[number] = math.inf
        elif status in ("OPTIMAL", "FEASIBLE"):
            bound, value = response.best_objective_bound, self.trace[-1].value
            if status == "OPTIMAL" and math.isclose(bound, value, rel_tol=1e-6, abs_tol=1e-4):
                bound = value  # custom objectives are rounded, and 1e-4 is the gap usually allowed
            self.bounds[number] = max(self.bounds[number], self.sign * bound)

    def offer(self, squares: Squares, value: float = math.nan, bound: float | None = None) -> None:
        """Take note of a tour if it is better than those before."""
        if not callable(self.objective.feature):
            instance = self.task.instance
            tour = Tour.of_ids(instance.graph, squares, instance.closed)
            value = feature_named(self.objective.feature).count(tour)
        if self.trace and self.sign * value >= self.sign * self.trace[-1].value:
            return
        self.best = squares
        bound = self.bound if bound is None else _plain(bound)
        better = Improvement(round(self.task.clock.seconds, 3), _plain(value), bound)
        self.trace.append(better)
        if self.task.progress is not None:
            self.task.progress(better)


class _Collector(SolutionCallback):
    """Offers the tours of a model as CP-SAT finds them."""

    def __init__(self, search: _Search, model: CircuitModel) -> None:
        super().__init__()
        self.search, self.model = search, model

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        used = np.fromiter(response.solution, np.int64)[self.model.arcs.literals] == 1
        squares = tours_in_order(self.model, used[None])[0]
        bound = None if len(self.search.bounds) > 1 else response.best_objective_bound
        self.search.offer(squares, response.objective_value, bound)


def _plain(number: float) -> float:
    """Return a number as an integer, if it is one.

    >>> _plain(3.0), _plain(2.5)
    (3, 2.5)
    """
    return round(number) if abs(number - round(number)) < 1e-6 else number
