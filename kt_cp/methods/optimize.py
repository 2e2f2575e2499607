"""Find the best tour by an objective: any tour first, then better ones, and a bound on all.

Simulated annealing finds good tours. CP-SAT, on the circuit model of the whole board, proves bounds
and finds tours too, by large neighborhood search. The best tour is called optimal only if CP-SAT
has proven that no tour is better. Tours of large boards are annealed window by window, and nothing
is proven.

The first tour in lexicographic order is found move by move, each time by asking for any tour.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from kt_cp.arrays import Ints, Squares
from kt_cp.methods import auto
from kt_cp.methods.annealing import WINDOW_SQUARES, Annealer, straight_tours
from kt_cp.methods.incumbent import Incumbent
from kt_cp.methods.method import (
    MOVES_AND_ENDS,
    Answer,
    UnsupportedError,
    found,
    used_constraints,
)
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import build_models, hint_cycles, tours_in_order
from kt_cp.model.custom import custom_value
from kt_cp.model.parameters import BRIEF_SEARCH, OPTIMIZATION, OPTIMIZATION_BY_CLAUSES
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import Move
from kt_cp.problem.task import (
    SECONDS_PER_EDGE,
    Clock,
    Objective,
    OutOfTimeError,
    Parameters,
    Task,
)
from kt_cp.sat.edges import edge_graph
from kt_dfs import Status

# Boards with more squares are only annealed: a model of the whole board would take too long.
_MAX_MODELED = 400

# The shares of the remaining time for a brief search by CP-SAT, and then for annealing.
_BRIEF_SHARE = 0.25
_ANNEALING_SHARE = 0.5


def answer(task: Task) -> Answer:
    """Return the best tour found before the clock's limit or Ctrl-C, and its `Optimum`.

    The task must have an objective. Its parameters replace those of this module.
    """
    assert task.objective is not None
    return _Optimization(task, task.objective).answer()


def anneal(task: Task) -> Answer:
    """Return the best tour that annealing alone finds: the method ``anneal``.

    Raises `UnsupportedError` without an objective, and for objectives that annealing does not take.
    """
    if task.objective is None:
        raise UnsupportedError("method anneal makes a tour better: give minimize or maximize")
    optimization = _Optimization(task, task.objective, only_anneals=True)
    if not optimization.can_anneal:
        what = "moves in one direction" if task.instance.one_way else "custom objectives"
        raise UnsupportedError(f"method anneal does not support {what}; method circuit does")
    return optimization.answer()


@dataclass
class _Optimization:
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
        """Offer a first tour and better ones. Raises `OutOfTimeError`.

        The first tour may violate constraints that a custom objective adds.
        """
        task = self.task
        best = self.best
        if not callable(self.objective.feature):
            best.offer(first)
        else:
            with task.clock.stopped():  # it imports the public API of OR-tools
                value = custom_value(task.instance, first, self.objective)
            if value is not None:
                best.offer(first, value)
        if self.searches_no_model:
            self._improve_by_annealing(task.clock)
        else:
            self._search_models(first)

    def _search_models(self, first: Squares) -> None:
        """Search the circuit models: briefly, then after annealing, as far as there is need.

        Annealing is for constraints that it supports. Raises `OutOfTimeError`.
        """
        task = self.task
        best = self.best
        models = build_models(task.instance, task.clock, self.objective)
        best.expect_models(len(models))
        # Uncrossed moves are stated by clauses, without linear equations.
        is_by_clauses = self.objective.feature == "uncrossed"
        parameters = OPTIMIZATION_BY_CLAUSES if is_by_clauses else OPTIMIZATION
        if self.can_anneal and len(task.instance.graph) <= WINDOW_SQUARES:
            self._search_each(models, first, {**parameters, **BRIEF_SEARCH}, _BRIEF_SHARE)
        if self.can_anneal and not best.is_optimal:
            self._improve_by_annealing(task.clock.for_share(_ANNEALING_SHARE))
        if not best.is_optimal:
            self._search_each(models, first, parameters)

    def _search_each(
        self, models: list[CircuitModel], first: Squares, parameters: Parameters, share: float = 1
    ) -> None:
        """Search every model; they divide a share of the remaining time equally."""
        task = self.task
        best = self.best
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

    def _improve_by_annealing(self, clock: Clock) -> None:
        """Anneal until the clock's limit, until nothing improves, or until the bound is reached."""
        squares = len(self.task.instance.graph)
        self.task.clock.check(SECONDS_PER_EDGE * squares)
        graph = edge_graph(self.task.instance)
        seed = self.task.seed

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


# -- in lexicographic order ----------------------------------------------------------------------


def first_in_order(task: Task) -> Answer:
    """Return the tour whose ids come first, as words do in a dictionary: the method ``first``.

    Square by square, where a smaller id than that of the tour found so far could come next, either
    there is a tour with it, which is kept, or there is provably none.
    """
    best = auto.answer(task)
    asked = 1
    if best.squares is None:
        return best
    instance = task.instance
    tour = best.squares.tolist()
    beginning: list[int] = []  # of the tour, before which nothing can come
    while len(beginning) < len(tour):
        if beginning:
            onward = instance.graph.neighbors(beginning[-1])
        else:
            onward = instance.graph.vertices.tolist() if instance.first is None else tour[:1]
        for square in sorted(set(onward).difference(beginning)):
            if square == tour[len(beginning)]:
                break
            path = [*beginning, square]
            moves = (Move(*ends, directed=True) for ends in pairwise(path))
            begun = replace(instance, start=path[0], require=(*instance.require, *moves))
            other = auto.answer(replace(task, instance=begun))
            asked += 1
            if other.status is Status.UNKNOWN:
                return replace(other, method="first")
            if other.squares is not None:
                tour = other.squares.tolist()
                break
        beginning.append(tour[len(beginning)])
    return found(np.array(tour, dtype=np.int32), {"asked": asked})
