"""The method ``circuit``: search the circuit model by CP-SAT, in turns with different parameters.

Most tours are found before that, within milliseconds: on small boards without a hint, on larger
ones by repairing a hint, the cycles of a 2-factor.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from kt_cp.messages import join_words, pluralize
from kt_cp.methods.method import CONSTRAINTS, Answer, exhausted, found, gave_up, out_of_time
from kt_cp.model.backend import Solver
from kt_cp.model.circuit import build_models, hint_cycles, hint_path, tours_in_order
from kt_cp.model.parameters import (
    BRIEF_SEARCH,
    FIRST_TRY,
    LIMITS,
    REPAIR,
    search_turns,
)
from kt_cp.model.variables import CircuitModel
from kt_cp.problem.constraints import SHORTHANDS
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError, Parameters, Task
from kt_cp.problem.tour_graph import needs_steps
from kt_dfs import Status

# Graphs with more arcs are not searched without a hint: above 6,000, which 24x24 stays below, that
# takes longer. Nor are graphs with at most four arcs for each vertex: there it rarely finds a tour.
_MAX_ARCS_UNHINTED = 6_000
_MIN_ARCS_PER_VERTEX_UNHINTED = 4

# How many 2-factors are hinted, one after the other, and how many cycles are left of each: more
# lead CP-SAT astray on large boards (docs/modeling.md), and one would leave nothing to search for.
MAX_HINTS = 4
TARGET_CYCLES = 2

# With fewer arcs, a brief search takes milliseconds: not worth starting a thread.
_MAX_ARCS_WITHOUT_THREAD = 10_000

# With more constraints, no subset in conflict is searched for.
_MAX_CONSTRAINTS = 50

COUNTERS = ("branches", "conflicts", "turns", "hinted_cycles", "hint_conflicts")


def answer(task: Task) -> Answer:
    """State the instance as circuits, and search them until it is decided.

    The parameters of the task replace those of each turn.
    """
    return CircuitSearch(task).run()


@dataclass
class CircuitSearch:
    """The circuit models of an instance, and a search that can stop and go on later.

    The counters are the branches and conflicts of CP-SAT; its ``turns``, which do not include the
    quick searches before them; ``hinted_cycles``, the number of cycles in the hint that led to the
    tour, or 0; and ``hint_conflicts``, the conflicts of the searches with hints. If ``explains``,
    the reason why no tour meets bounds or custom constraints names those that are in conflict.
    """

    task: Task
    explains: bool = True
    counters: dict[str, float] = field(default_factory=lambda: dict.fromkeys(COUNTERS, 0))

    def __post_init__(self) -> None:
        self._turns = search_turns(self.task.workers)  # each call of `run` goes on with them
        self._counts_from_first = False  # in a model that was removed

    @cached_property
    def models(self) -> list[CircuitModel]:
        """The models that may still have a solution: `_search` removes the others.

        Raises `OutOfTimeError`.
        """
        return build_models(self.task.instance, self.task.clock)

    def run(self, turns: int | None = None) -> Answer:
        """Return a tour, that there is provably none, or after ``turns`` turns that it is unknown.

        The first call begins with quick searches. With ``turns=0`` it makes no others; without
        ``turns`` the search goes on until the instance is decided.
        """
        limits = LIMITS & self.task.parameters.keys()
        try:
            if answer := self._quick_answer:
                return answer
            for parameters in itertools.islice(self._turns, turns):
                if answer := self._take_turn(parameters):
                    return answer
                if limits:
                    self.task.clock.check()
                    break
        except OutOfTimeError:
            return out_of_time(self.task.instance, self.task.clock, self.counters)
        why = f"no tour after {pluralize(int(self.counters['turns']), 'turn')} of CP-SAT"
        if limits:
            why = f"CP-SAT had no answer when it reached {' or '.join(sorted(limits))}"
        return gave_up(self.task.instance, why, self.counters)

    def _take_turn(self, parameters: Parameters) -> Answer | None:
        """Search each model once; return the answer, if there is one. Raises `OutOfTimeError`."""
        self.counters["turns"] += 1
        for model in list(self.models):
            if answer := self._search(model, parameters):
                return answer
        return self._exhausted()

    @cached_property
    def _quick_answer(self) -> Answer | None:
        """The answer of the quick searches, if they have one."""
        return next(filter(None, self._quick_searches()), None)

    def _quick_searches(self) -> Iterator[Answer | None]:
        """Search with the caller's hint, or on a small graph without one, then with 2-factors.

        Yields after each search the answer, if there is one. With a symmetry or steps, of which
        2-factors take no account, there are no such searches. Raises `OutOfTimeError`.
        """
        task = self.task
        instance = task.instance
        if task.hint is not None:
            for model in list(self.models):
                hint_path(model, task.hint)
                yield self._repair_hint(model)
            return
        if instance.symmetry or needs_steps(instance):
            return
        arcs = len(instance.arcs)
        is_dense = arcs > _MIN_ARCS_PER_VERTEX_UNHINTED * len(instance.graph)
        if is_dense and arcs <= _MAX_ARCS_UNHINTED:
            [model] = self.models  # there are several for a symmetry only
            yield self._search(model, FIRST_TRY, is_brief=True)
        with task.clock.stopped():
            from kt_cp.sat.two_factors import cycle_covers
        covers = cycle_covers(instance, task.clock, task.seed, TARGET_CYCLES)
        for cycles in itertools.islice(covers, MAX_HINTS):
            [model] = self.models
            hint_cycles(model, cycles)
            self.counters["hinted_cycles"] = len(cycles)
            yield self._repair_hint(model)
            self.counters["hinted_cycles"] = 0
            model.cp.proto.clear_solution_hint()

    def _repair_hint(self, model: CircuitModel) -> Answer | None:
        """Search a model with a hint, as `_search` does."""
        conflicts = self.counters["conflicts"]
        answer = self._search(model, REPAIR, is_brief=True)
        self.counters["hint_conflicts"] += self.counters["conflicts"] - conflicts
        return answer

    def _search(
        self, model: CircuitModel, parameters: Parameters, is_brief: bool = False
    ) -> Answer | None:
        """Search a model once; remove it from the models if it has no solution.

        A brief search of a small model needs no thread. Returns an answer if the instance is
        decided. Raises `OutOfTimeError`.
        """
        self.task.clock.check()
        all_parameters = {**parameters, **self.task.parameters}
        solver = Solver(all_parameters, self.task.clock, seed=self.task.seed)
        if is_brief and len(model.arcs.pairs) < _MAX_ARCS_WITHOUT_THREAD:
            status = solver.solve_in_this_thread(model.cp)
        else:
            status = solver.solve(model.cp)
        self.counters["branches"] += solver.response.num_branches
        self.counters["conflicts"] += solver.response.num_conflicts
        if status is Status.FOUND:
            used = np.fromiter(solver.response.solution, np.bool_)[model.arcs.literals]
            return found(tours_in_order(model, used[None])[0], self.counters)
        if status is Status.IMPOSSIBLE:
            self.models.remove(model)
            self._counts_from_first |= model.counts_from_first
        return self._exhausted()

    def _exhausted(self) -> Answer | None:
        """Return the answer that there is no tour, if no model is left."""
        if self.models:
            return None
        instance = self.task.instance
        how = "CP-SAT proved that there is none"
        if instance.constrain:
            how += " with the constraints added"
        is_explained = self.explains and (instance.having or instance.constrain)
        if clause := conflict_clause(self.task) if is_explained else None:
            how += f": {clause}"
        elif self._counts_from_first:
            graph = instance.graph
            first = graph.name(int(graph.vertices[0]))
            vertex = graph.vocabulary.vertex
            how += f"; steps count from {first}: a start names another {vertex}"
        return exhausted(instance, how, self.counters)


# -- constraints in conflict ----------------------------------------------------------------------


class _Constraint(NamedTuple):
    """One constraint of an instance: its field, its value or its entry there, and its words."""

    field: str
    value: Any
    words: str

    def removed_from(self, instance: Instance) -> Instance:
        """Return an instance without the constraint."""
        present = getattr(instance, self.field)
        others: Any = None
        if isinstance(present, tuple):
            is_whole = present == self.value
            others = () if is_whole else tuple(each for each in present if each != self.value)
        return replace(instance, **{self.field: others})


def _constraints(instance: Instance) -> Iterator[_Constraint]:
    """Yield the constraints one by one. Given steps count as one, and so does an order.

    >>> asked = Instance.of("5x5", start="a1", forbid=["b3-a1"], having=["turns<=9"])
    >>> [each.words for each in _constraints(asked)]
    ['the start a1', 'the forbidden move b3-a1', 'turns<=9']
    """
    graph = instance.graph
    for name in CONSTRAINTS:
        value = getattr(instance, name)
        if value in (None, ()):
            continue
        is_one = name in ("givens", "order") or not isinstance(value, tuple)
        values = (value,) if is_one else value
        for each in values:
            match name:
                case "start" | "end":
                    words = f"the {name} {graph.name(each)}"
                case "require" | "forbid":
                    kind = "required" if name == "require" else "forbidden"
                    words = f"the {kind} {graph.vocabulary.edge} {each.describe(graph)}"
                case "symmetry":
                    words = f"the symmetry {each}"
                case "givens":
                    words = "the given steps"
                case "order":
                    words = f"the order {', '.join(map(graph.name, each))}"
                case "having":
                    words = str(each)
                case _:
                    words = f"the constraints of {getattr(each, '__name__', type(each).__name__)}"
            yield _Constraint(name, each, words)


def conflict_clause(task: Task) -> str | None:
    """Return a clause that names the constraints in conflict, for a task without a tour.

    They are a minimal unsatisfiable subset, by deletion: each constraint in turn is removed, and
    stays removed if there is provably no tour without it either. If a brief search gives no answer,
    the constraint is put back and counts as conflicting. Returns None if there is just one
    constraint, other than a bound, if there are too many, or when the time limit is reached.
    """
    instance = task.instance
    constraints = [*_constraints(instance)]
    no_tour = f"no {instance.graph.vocabulary.tour(instance.closed)}"
    if len(constraints) == len(instance.having) == 1:
        bound = constraints[0].words
        keywords = [keyword for keyword, each in SHORTHANDS.items() if each == bound]
        return f"{no_tour} is {keywords[0]}" if keywords else f"{no_tour} has {bound}"
    if not 1 < len(constraints) <= _MAX_CONSTRAINTS:
        return None
    conflicting: list[str] = []
    for constraint in constraints:
        if not task.clock.remaining:
            return None
        others = constraint.removed_from(instance)
        brief = replace(task, instance=others, parameters=BRIEF_SEARCH, hint=None)
        if CircuitSearch(brief, explains=False).run().status is Status.IMPOSSIBLE:
            instance = others
        else:
            conflicting.append(constraint.words)
    if not conflicting:
        return f"{no_tour} exists even without the constraints"
    clause = f"{no_tour} meets {join_words(conflicting)}"
    if len(conflicting) < len(constraints):
        clause += ", even without the other constraints"
    return clause
