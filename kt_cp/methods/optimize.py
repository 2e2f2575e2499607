"""Find the best tour by an objective: any tour first, then better ones, and a bound on all.

Simulated annealing finds good tours. CP-SAT, on the circuit model of the whole board, proves bounds
and finds tours too, by large neighborhood search. The best tour is called optimal only if CP-SAT
has proven that no tour is better. Tours of large boards are annealed window by window, and nothing
is proven.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from kt_cp.arrays import Ints, Squares
from kt_cp.methods import auto
from kt_cp.methods.annealing import WINDOW, Annealer, straight_tours
from kt_cp.methods.answers import Answer, UnsupportedError, exhausted, out_of_time
from kt_cp.methods.incumbent import Incumbent, search_better_tours
from kt_cp.methods.method import MOVES_AND_ENDS, used_constraints
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import build_models, hint_cycles, tours_in_order
from kt_cp.model.custom import custom_value
from kt_cp.model.parameters import BRIEF_SEARCH, OPTIMIZATION, OPTIMIZATION_BY_CLAUSES, Parameters
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.task import EDGE, Clock, Objective, OutOfTimeError, Sense, Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.sat.edges import edge_graph
from kt_cp.tour.features import Counted, feature_named
from kt_dfs import Status

# Boards with more squares are only annealed: a model of the whole board would take too long.
_MAX_MODELED = 400

# The shares of the remaining time for a brief search by CP-SAT, and then for annealing.
_BRIEF_SHARE, _ANNEALING_SHARE = 0.25, 0.5


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


class _Optimal(Exception):  # noqa: N818 - this is no error
    """Ends annealing, as the best tour is proven optimal."""


@dataclass
class _Search:
    """A search for the best tour; with ``only_anneals`` CP-SAT has no part in it."""

    task: Task
    objective: Objective
    only_anneals: bool = False

    def __post_init__(self) -> None:
        self.best = Incumbent(self.task, self.objective)

    @property
    def can_anneal(self) -> bool:
        """Whether annealing can count the objective and keep the constraints."""
        instance = self.task.instance
        if instance.one_way or callable(self.objective.feature):
            return False
        return used_constraints(instance) <= MOVES_AND_ENDS

    def answer(self) -> Answer:
        """Find a tour, and improve it until the limit, or until it is proven optimal."""
        first = auto.answer(self.task)
        if first.squares is None:
            return first
        interrupted = False
        try:
            self._offer_first(first.squares)
            self._improve(first.squares)
        except OutOfTimeError:
            pass
        except KeyboardInterrupt:
            if self.best.squares is None:
                raise
            interrupted = True
        return self._answer_with_best(interrupted)

    def _answer_with_best(self, interrupted: bool) -> Answer:
        """Return the best tour; without one, that there is none, or that the time is over."""
        if self.best.squares is not None:
            return Answer(
                Status.FOUND,
                self.best.squares,
                method="anneal" if self._searches_no_model else "circuit",
                objective=self.best.optimum,
                interrupted=interrupted,
            )
        if not self.best.has_no_tour:
            return out_of_time(self.task.instance, self.task.clock)
        how = "CP-SAT proved that there is none with the constraints of the objective"
        return exhausted(self.task.instance, how)

    def _offer_first(self, squares: Squares) -> None:
        """Offer the first tour, unless a custom objective adds constraints that it violates."""
        if not callable(self.objective.feature):
            self.best.offer(squares)
            return
        with self.task.clock.stopped():  # it imports the public API of OR-tools
            value = custom_value(self.task.instance, squares, self.objective)
        if value is not None:
            self.best.offer(squares, value)

    @property
    def _searches_no_model(self) -> bool:
        """Whether the first tour is only annealed, as asked for or since models are too large."""
        is_large = len(self.task.instance.graph) > _MAX_MODELED
        return self.only_anneals or (self.can_anneal and is_large)

    def _improve(self, first: Squares) -> None:
        """Anneal, if the constraints allow it, and search the whole model, if it is not too large.

        Raises `OutOfTimeError`.
        """
        if self._searches_no_model:
            self._anneal(self.task.clock)
            return
        models = build_models(self.task.instance, self.task.clock, self.objective)
        self.best.cost_bounds = [-math.inf] * len(models)
        parameters = OPTIMIZATION_BY_CLAUSES if self._is_stated_by_clauses else OPTIMIZATION
        if self.can_anneal and len(self.task.instance.graph) <= WINDOW:
            self._search(models, first, {**parameters, **BRIEF_SEARCH}, _BRIEF_SHARE)
        if self.can_anneal and not self.best.is_optimal:
            self._anneal(self.task.clock.for_share(_ANNEALING_SHARE))
        if not self.best.is_optimal:
            self._search(models, first, parameters)

    @property
    def _is_stated_by_clauses(self) -> bool:
        """Whether the model states the objective by clauses, without linear equations."""
        if callable(self.objective.feature):
            return False
        counted = feature_named(self.objective.feature).counted
        is_minimized = self.objective.sense is Sense.MINIMIZE
        has_fewest_crossings = counted is Counted.CROSSINGS and is_minimized
        return counted is Counted.UNCROSSED_MOVES or has_fewest_crossings

    def _anneal(self, clock: Clock) -> None:
        """Anneal until the clock's limit, until nothing improves, or until the bound is reached."""
        squares = len(self.task.instance.graph)
        self.task.clock.check(EDGE * squares)
        graph = edge_graph(self.task.instance)

        def offer(tour: Squares) -> None:
            """Offer a tour to the incumbent, and end annealing if it is optimal."""
            self.best.offer(tour)
            if self.best.is_optimal:
                raise _Optimal

        with suppress(OutOfTimeError, _Optimal):
            if squares > WINDOW:
                for tour in straight_tours(graph, clock, self.task.seed):
                    offer(tour)
            assert self.best.squares is not None
            best, seed = self.best.squares, self.task.seed
            Annealer(graph, best, self.objective, clock, seed, offer).anneal()

    def _search(
        self, models: list[CircuitModel], first: Squares, parameters: Parameters, share: float = 1
    ) -> None:
        """Search every model; they divide a share of the remaining time equally."""
        for number, model in enumerate(models):
            self.task.clock.check()
            tour = first if self.best.squares is None else self.best.squares
            hint_cycles(model, [TourGraph(self.task.instance).cycle(tour)])
            clock = self.task.clock.for_share(share / (len(models) - number))
            given = {**parameters, **self.task.parameters}
            solver = Solver(given, clock, self.task.workers, self.task.seed)
            search_better_tours(self.best, number, solver, model.cp, partial(_tour_of, model))


def _tour_of(model: CircuitModel, solution: Ints) -> Squares:
    """Return the tour of a solution of a circuit model, as ids in visiting order."""
    used = solution[model.arcs.literals] == 1
    squares: Squares = tours_in_order(model, used[None])[0]
    return squares
