"""The best tour by an objective: some tour first, then ever better ones, and a bound on them all.

CP-SAT searches the whole circuit model, by large neighborhoods too. Only where it has proven that
no tour is better is the best one found called optimal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kt_cp.board import Squares
from kt_cp.methods import auto
from kt_cp.methods.answers import Answer, out_of_time
from kt_cp.model.backend import SolutionCallback, Solver
from kt_cp.model.circuit import CircuitModel, build_models, tours_in_order
from kt_cp.model.hints import hint_path
from kt_cp.model.parameters import OPTIMIZATION, OPTIMIZATION_BY_CLAUSES
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.objective import Improvement, Objective, Optimum, Sense
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.tour import Tour
from kt_dfs import Status

Progress = Callable[[Improvement], None]


def answer(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    objective: Objective,
    progress: Progress | None = None,
) -> Answer:
    """Return the best tour found before the clock's limit or Ctrl-C, and its `Optimum`."""
    first = auto.answer(instance, clock, workers, seed)
    if first.squares is None:
        return first
    search = _Search(objective, instance, clock, progress)
    if not callable(objective.feature):
        search.offer(first.squares, math.nan, None)
    interrupted = False
    try:
        search.run(first.squares, workers, seed)
    except OutOfTime:
        pass
    except KeyboardInterrupt:
        interrupted = True
    if search.best is None:
        return out_of_time(instance, clock)
    return Answer(
        Status.FOUND,
        search.best,
        method="circuit",
        optimum=search.optimum(),
        interrupted=interrupted,
    )


@dataclass
class _Search:
    """The best tour so far, how it came about, and what is known of the others.

    There is a model for each way in which a tour can have the symmetry asked for, and a bound for
    each model: None where nothing is known, and infinite where it has no tour.
    """

    objective: Objective
    instance: Instance
    clock: Clock
    progress: Progress | None
    best: Squares | None = None
    trace: list[Improvement] = field(default_factory=list)
    bounds: list[float | None] = field(default_factory=lambda: [None])
    exhausted: bool = False

    @property
    def sign(self) -> int:
        """1 if less is better, otherwise -1."""
        return 1 if self.objective.sense is Sense.MINIMIZE else -1

    def run(self, first: Squares, workers: int, seed: int) -> None:
        """Search every model, for an equal share of the time that is left."""
        models = build_models(self.instance, self.clock, self.objective)
        self.bounds = [None] * len(models)
        exhausted = True
        by_clauses = self.objective.feature in ("crossings", "uncrossed")
        parameters = OPTIMIZATION_BY_CLAUSES if by_clauses else OPTIMIZATION
        for number, model in enumerate(models):
            self.clock.check()
            _hint(model, first)
            share = self.clock.remaining / (len(models) - number)
            clock = Clock(None if math.isinf(share) else max(share, 0.001))
            solver = Solver(parameters, clock, workers, seed)
            try:
                solver.solve(model.cp, _Collector(self, model))
            finally:
                self.bounds[number] = self._bound(getattr(solver, "response", None))
            exhausted &= solver.exhausted
        self.exhausted = exhausted

    def offer(self, squares: Squares, value: float, bound: float | None) -> None:
        """Take note of a tour if it is better than those before."""
        if not callable(self.objective.feature):
            tour = Tour(self.instance.board, squares, self.instance.closed)
            value = feature_named(self.objective.feature).count(tour)
        if self.trace and self.sign * value >= self.sign * self.trace[-1].value:
            return
        self.best = squares
        better = Improvement(round(self.clock.seconds, 3), _plain(value), bound)
        self.trace.append(better)
        if self.progress is not None:
            self.progress(better)

    def optimum(self) -> Optimum:
        """Return what has been found and proven."""
        value, bound = self.trace[-1].value, None
        if self.exhausted:
            bound = value
        elif None not in self.bounds:
            bounds = [self.sign * each for each in self.bounds if each is not None]
            bound = _plain(self.sign * min(bounds))
        name, sense = self.objective.name, self.objective.sense
        return Optimum(name, sense, value, bound, bound == value, tuple(self.trace))

    def _bound(self, response: Any) -> float | None:
        """Return the bound on the tours of a model, infinite if it has none."""
        if response is None:  # Ctrl-C came first
            return None
        if response.status.name == "INFEASIBLE":
            return self.sign * math.inf
        if response.status.name not in ("OPTIMAL", "FEASIBLE"):
            return None
        return float(response.best_objective_bound)


class _Collector(SolutionCallback):
    """Offers the tours of a model as CP-SAT finds them."""

    def __init__(self, search: _Search, model: CircuitModel) -> None:
        super().__init__()
        self.search, self.model = search, model

    def OnSolutionCallback(self) -> None:  # noqa: N802 - CP-SAT's name
        response: Any = self.Response()  # type: ignore[no-untyped-call]
        used = np.fromiter(response.solution, np.int64)[self.model.arcs.literals] == 1
        squares = tours_in_order(self.model, used[None])[0]
        bound = None if len(self.search.bounds) > 1 else _plain(response.best_objective_bound)
        self.search.offer(squares, response.objective_value, bound)


def _hint(model: CircuitModel, tour: Squares) -> None:
    """Begin with a tour, in the direction that the model keeps, if it is one of the model's."""
    if model.instance.closed:
        nodes = model.nodes(tour)
        tour = np.roll(tour, -int(np.flatnonzero(nodes == 0)[0]))
        if not model.instance.directed and tour[1] > tour[-1]:
            tour = np.roll(tour[::-1], 1)
        tour = np.append(tour, tour[0])
    with suppress(KeyError):  # its symmetry is of the other kind
        hint_path(model, tour)


def _plain(number: float) -> float:
    """Return a number as an integer, if it is one.

    >>> _plain(3.0), _plain(2.5)
    (3, 2.5)
    """
    return round(number) if abs(number - round(number)) < 1e-6 else number
