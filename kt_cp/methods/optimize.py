"""The best tour by an objective: some tour first, then ever better ones, and a bound on them all.

Simulated annealing finds good tours, CP-SAT on the whole circuit model proves bounds, and finds
tours too, by large neighborhoods. Only where CP-SAT has proven that no tour is better is the best
one found called optimal. On large boards tours are annealed window by window, and nothing is
proven.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ortools.sat.python.cp_model_helper import SolutionCallback

from kt_cp.board import Squares
from kt_cp.methods import auto
from kt_cp.methods.annealing import Neighborhoods, straight_tours
from kt_cp.methods.answers import Answer, UnsupportedError, out_of_time
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import CircuitModel, build_models, hint_cycles, own_value, tours_in_order
from kt_cp.model.parameters import BRIEFLY, OPTIMIZATION, OPTIMIZATION_BY_CLAUSES, Parameters
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.constraints import Improvement, Objective, Optimum, Sense
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import STATING, edge_graph
from kt_cp.tour.feature_table import feature_named
from kt_cp.tour.tour import Tour
from kt_dfs import Status

Progress = Callable[[Improvement], None]

# Boards with more squares are annealed in windows first, and with still more in windows only.
_WINDOWS, _ONLY_WINDOWS = 100, 400

# The parts of the time left that go to a brief search by CP-SAT, and then to annealing.
_BRIEF_PART, _ANNEALING_PART = 0.25, 0.5


def answer(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    objective: Objective,
    progress: Progress | None = None,
    parameters: Parameters | None = None,
) -> Answer:
    """Return the best tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    ``parameters`` for CP-SAT replace those of this module.
    """
    return _Search(objective, instance, clock, progress, workers, seed, parameters or {}).answer()


def anneal_answer(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    objective: Objective | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Return the best tour that annealing finds: the method ``anneal``."""
    if objective is None:
        raise UnsupportedError("method anneal makes a tour better: give minimize or maximize")
    if instance.one_way or callable(objective.feature):
        what = "moves in one direction" if instance.one_way else "custom objectives"
        raise UnsupportedError(f"method anneal does not support {what}; method circuit does")
    search = _Search(objective, instance, clock, progress, workers, seed, {})
    search.method = "anneal"
    return search.answer()


class _Proven(Exception):  # noqa: N818 - an answer, not an error
    """No tour is better than the best so far."""


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
    workers: int
    seed: int
    parameters: Parameters
    best: Squares | None = None
    trace: list[Improvement] = field(default_factory=list)
    bounds: list[float | None] = field(default_factory=lambda: [None])
    exhausted: bool = False
    method: str = "circuit"

    @property
    def sign(self) -> int:
        """1 if less is better, otherwise -1."""
        return 1 if self.objective.sense is Sense.MINIMIZE else -1

    @property
    def bound(self) -> float | None:
        """What no tour is better than, as far as proven."""
        bounds = [self.sign * each for each in self.bounds if each is not None]
        complete = len(bounds) == len(self.bounds)
        return _plain(self.sign * min(bounds)) if complete and bounds else None

    def answer(self) -> Answer:
        """Find a tour, make it better until the limit or the proof that none is, and return it."""
        first = auto.answer(self.instance, self.clock, self.workers, self.seed, self.parameters)
        if first.squares is None:
            return first
        interrupted = False
        try:
            if callable(self.objective.feature):
                with self.clock.stopped():  # it imports the public API of OR-tools
                    value = own_value(self.instance, first.squares, self.objective)
                if value is not None:
                    self.offer(first.squares, value)
            else:
                self.offer(first.squares)
            self.run(first.squares)
        except (OutOfTime, _Proven):
            pass
        except KeyboardInterrupt:
            interrupted = True
        if self.best is None:
            return out_of_time(self.instance, self.clock)
        value = self.trace[-1].value
        bound = value if self.exhausted else self.bound
        optimum = Optimum(
            self.objective.name, self.objective.sense, value, bound, bound == value, (*self.trace,)
        )
        return Answer(
            Status.FOUND, self.best, method=self.method, optimum=optimum, interrupted=interrupted
        )

    def run(self, first: Squares) -> None:
        """Anneal, if the constraints allow it, and search the whole model, if it is not too large.

        Raises `OutOfTime`, and `_Proven` if annealing reaches the bound.
        """
        instance, squares = self.instance, len(self.instance.board)
        is_least_crossed = (self.objective.feature, self.objective.sense) == (
            "crossings",
            Sense.MINIMIZE,
        )
        by_clauses = is_least_crossed or self.objective.feature == "uncrossed"
        parameters = OPTIMIZATION_BY_CLAUSES if by_clauses else OPTIMIZATION
        others = instance.symmetry, instance.constrain, instance.givens, instance.having
        anneals = not any(others) and not instance.one_way and not callable(self.objective.feature)
        if anneals and (self.method == "anneal" or squares > _ONLY_WINDOWS):
            self.method = "anneal"
            self._anneal(squares > _WINDOWS, self.clock)
            return
        if anneals and squares > _WINDOWS:
            self._anneal(True, self._part(_ANNEALING_PART))
        models = build_models(instance, self.clock, self.objective)
        self.bounds = [None] * len(models)
        if anneals:
            self._search(models, first, {**parameters, **BRIEFLY}, _BRIEF_PART)
            if not self.exhausted:
                self._anneal(False, self._part(_ANNEALING_PART))
        if not self.exhausted:
            self._search(models, first, parameters)

    def _anneal(self, in_windows: bool, clock: Clock) -> None:
        """Anneal until the limit of a clock, or until it is in vain."""
        self.clock.check(STATING * len(self.instance.board))
        graph = edge_graph(self.instance)

        def offer(tour: Squares) -> None:
            self.offer(tour)
            if self.trace[-1].value == self.bound:
                raise _Proven

        with suppress(OutOfTime):
            if in_windows:
                for tour in straight_tours(graph, clock, self.seed):
                    offer(tour)
            assert self.best is not None
            near = Neighborhoods(graph, self.best, self.objective, clock, self.seed, offer)
            near.sweep() if in_windows else near.anneal()
        self.clock.check()

    def _part(self, part: float) -> Clock:
        """Return a clock for a part of the time that is left."""
        left = self.clock.remaining
        return Clock(None if math.isinf(left) else max(left * part, 0.001))

    def _search(
        self, models: list[CircuitModel], first: Squares, parameters: Parameters, part: float = 1
    ) -> None:
        """Search every model, for an equal share of a part of the time that is left."""
        self.method, exhausted = "circuit", True
        for number, model in enumerate(models):
            self.clock.check()
            _hint(model, first if self.best is None else self.best)
            clock = self._part(part / (len(models) - number))
            given = {**parameters, **self.parameters}
            solver = Solver(given, clock, self.workers, self.seed)
            try:
                solver.solve(model.cp, _Collector(self, model))
            finally:
                self._note(number, getattr(solver, "response", None))
            exhausted &= solver.exhausted
        self.exhausted = exhausted

    def offer(self, squares: Squares, value: float = math.nan, bound: float | None = None) -> None:
        """Take note of a tour if it is better than those before."""
        if not callable(self.objective.feature):
            tour = Tour.of_ids(self.instance.graph, squares, self.instance.closed)
            value = feature_named(self.objective.feature).count(tour)
        if self.trace and self.sign * value >= self.sign * self.trace[-1].value:
            return
        self.best = squares
        bound = self.bound if bound is None else bound
        better = Improvement(round(self.clock.seconds, 3), _plain(value), bound)
        self.trace.append(better)
        if self.progress is not None:
            self.progress(better)

    def _note(self, number: int, response: Any) -> None:
        """Keep the bound on the tours of a model if it is new: infinite where it has none."""
        known = {"INFEASIBLE": self.sign * math.inf}
        if response is not None:  # otherwise Ctrl-C came first
            known["OPTIMAL"] = known["FEASIBLE"] = response.best_objective_bound
            bound, old = known.get(response.status.name), self.bounds[number]
            if bound is not None and (old is None or self.sign * bound > self.sign * old):
                self.bounds[number] = bound


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
    """Begin with a tour, in the direction that the model keeps."""
    nodes = model.nodes(tour)
    if not model.instance.closed:
        nodes = np.append(nodes, model.depot)
    elif not model.instance.directed:
        nodes = np.roll(nodes, -int(np.flatnonzero(nodes == 0)[0]))
        if nodes[1] > nodes[-1]:
            nodes = nodes[::-1]
    hint_cycles(model, [nodes])


def _plain(number: float) -> float:
    """Return a number as an integer, if it is one.

    >>> _plain(3.0), _plain(2.5)
    (3, 2.5)
    """
    return round(number) if abs(number - round(number)) < 1e-6 else number
