"""Solve an instance: choose the method, start the clock, validate what comes out."""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Unpack, cast

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board.board import SquareLike
from kt_cp.certifiable import Certifiable, InterruptedWithResultError
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, as_items, checked_number, describe_seconds
from kt_cp.methods.answers import Answer
from kt_cp.methods.custom import MethodError, answer_in_worker
from kt_cp.methods.method import Function, Method
from kt_cp.methods.table import AnyMethod, method_of
from kt_cp.model.parameters import MAX_WORKERS, checked_parameters
from kt_cp.problem.constraints import Constraints, CustomConstraint
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import (
    MAX_SEED,
    Clock,
    Improvement,
    Objective,
    Optimum,
    OutOfTimeError,
    Parameters,
    Sense,
    Task,
)
from kt_cp.proof.reason import Reason, ReasonKind
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_dfs import Status as Status


@dataclass(frozen=True, repr=False)
class Result(Certifiable):
    """The answer of `solve` to an instance; true if and only if a tour was found.

    ``explanation`` says why there is no tour, or no answer; it is None when a tour was found.
    ``method`` is the name of the method that answered. ``seconds`` count from the moment the
    packages are loaded; ``counters`` are those of the method. If a certificate was asked for and
    there is no tour, ``certificate`` holds it, or ``no_certificate`` says why none could be made.
    ``objective`` is the value of the best tour, with the proven bound on all tours.
    """

    instance: Instance
    status: Status
    tour: Tour | None
    explanation: Reason | None
    method: str
    seconds: float
    counters: Mapping[str, float] = field(default_factory=dict)
    objective: Optimum | None = None

    def __bool__(self) -> bool:
        return self.status is Status.FOUND

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def summary(self) -> str:
        """The answer in one line, such as ``found: closed tour of 6x6, 36 squares, by cuts …``."""
        if self.tour is None:
            return f"{self.status.value}: {self.reason}"
        how = f"by {self.method} in {describe_seconds(self.seconds)}"
        found = f"{self.status.value}: {self.tour.summary}, {how}"
        if self.objective is None:
            return found
        if self.instance.allows_partial:  # the tour's summary has the number of its squares
            return f"{found}; {self.objective.verdict_with_proof}"
        return f"{found}; {self.objective.summary}"

    @property
    def reason(self) -> str | None:
        """One sentence on why there is no tour, or no answer; None when a tour was found."""
        return None if self.explanation is None else str(self.explanation)

    @property
    def reason_kind(self) -> ReasonKind | None:
        """The category of the reason."""
        return None if self.explanation is None else self.explanation.kind

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        partial_field = {"partial": True} if self.instance.allows_partial else {}
        return {
            "status": self.status.value,
            **self.instance.graph.json_field,
            "closed": self.instance.closed,
            **partial_field,
            "tour": None if self.tour is None else self.tour.json_names,
            "method": self.method,
            "seconds": round(self.seconds, 6),
            "reason": None if self.explanation is None else self.explanation.full,
            "reason_kind": None if self.reason_kind is None else self.reason_kind.value,
            "counters": dict(self.counters),
            "objective": None if self.objective is None else self.objective.as_dict(),
        }


class SearchInterruptedError(InterruptedWithResultError):
    """Ctrl-C ended the search for a better tour; ``result`` holds the best one so far."""

    result: Result


def solve(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 0,
    method: AnyMethod = "auto",
    certificate: bool = False,
    minimize: str | CustomConstraint | None = None,
    maximize: str | CustomConstraint | None = None,
    progress: Callable[[Improvement], None] | None = None,
    parameters: Mapping[str, object] | None = None,
    hint: Tour | Iterable[SquareLike] | None = None,
    **constraints: Unpack[Constraints],
) -> Result:
    """Find a tour of a board or of any other graph, or prove that there is none.

    The board is a `Board`, a size or a map as text, a graph that `Graph.of` reads, or an
    `Instance`; the other keyword arguments are those of `Constraints`. ``time_limit`` is in
    seconds, without the import of packages. With one worker the same ``seed`` gives the same tour.
    ``method`` is a name that `METHODS` lists, a strategy of `kt_dfs`, or a function as `Method`
    describes it. With ``certificate``, if there is no tour, also make a proof of that, which
    `check` accepts; making it has a time limit of its own, of the same length.

    ``minimize`` or ``maximize`` is a feature, or a function that takes a
    `kt_cp.model.custom.CustomModel` and returns an expression. ``progress`` is called with each
    improvement. When the time limit is reached, the best tour so far is returned;
    `SearchInterruptedError`, raised for Ctrl-C, holds it too.

    ``parameters`` are fields of CP-SAT's ``SatParameters``, such as ``{"num_workers": 8}``.
    ``hint`` is a path with which the search begins: squares in visiting order, or a `Tour`, which
    need neither be complete nor meet the constraints. If ``parameters`` or a ``hint`` is given,
    method ``auto`` checks the simple reasons and then searches the circuit model only.

    Raises `InputError` for invalid arguments, for what the method does not support, and where a
    function of the caller raises an exception.

    >>> result = solve("8x8", closed=True)
    >>> result.status, result.tour
    (<Status.FOUND: 'found'>, <closed tour of 8x8, 64 squares>)
    >>> result = solve("3x8", closed=True)
    >>> result.status, result.reason
    (<Status.IMPOSSIBLE: 'impossible'>, "Schwenk's theorem (1991): no closed tour, \
as one side is 3 and the other 4, 6 or 8")
    >>> solve("5x6", closed=True, minimize="turns").objective.summary
    'turns 28, optimal'
    """
    instance = Instance.of(board, **constraints)
    asked_method = method_of(method)
    objective = _objective(minimize, maximize)
    if objective is not None:
        objective.check(instance.graph)
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        task = _task(instance, clock, workers, seed, parameters)
        path = None if hint is None else _hinted_path(instance, hint)
        task = replace(task, hint=path, objective=objective, progress=progress)
        asked_method.check(task)
        function = _load(asked_method, task)
    result = _result_of(task, function(task), asked_method)
    if certificate and result.status is Status.IMPOSSIBLE:
        from kt_cp.proof.producer import make_certificate

        return result.certified(lambda: make_certificate(instance, Clock(time_limit)))
    return result


def solve_partial(
    instance: Instance,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    progress: Callable[[Improvement], None] | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Result:
    """Find the longest tour of a partial instance; the arguments are those of `solve`.

    The default of ``workers`` is 2 for induced paths and those of few crossings, whose search
    proves bounds by unsatisfiable cores and needs no more, and otherwise 8.
    """
    if workers is None:
        workers = 2 if instance.has_few_crossings or instance.has_no("chords") else 8
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        from kt_cp.methods import longest

        task = replace(_task(instance, clock, workers, seed, parameters), progress=progress)
    return _result_of(task, longest.answer(task), method_of("circuit"))


def _task(
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    parameters: Mapping[str, object] | None,
) -> Task:
    """Return the task with these settings. Raises `InputError` for invalid ones."""
    fields: Parameters = checked_parameters(parameters) if parameters else {}
    threads = _checked_threads(workers, fields)
    return Task(instance, clock, threads, checked_number("seed", seed, 0, MAX_SEED), fields)


def _checked_threads(workers: int, parameters: Parameters) -> int:
    """Return the number of threads: ``workers``, unless the parameters set another one.

    Raises `InputError` unless ``workers`` is a number from 1 to `MAX_WORKERS`.
    """
    threads = checked_number("workers", workers, 1, MAX_WORKERS)
    threads = int(cast(int, parameters.get("num_workers", threads)))
    if threads == 0:  # CP-SAT then takes all processors
        return os.cpu_count() or 1
    return threads


def _result_of(task: Task, answer: Answer, method: Method) -> Result:
    """Validate the tour of an answer, and return the result.

    Raises `SearchInterruptedError`, which holds the result, if Ctrl-C ended the search.
    """
    instance = task.instance
    tour = None
    if answer.squares is not None:
        tour = _checked_tour(instance, answer.squares, method)
    result = Result(
        instance,
        answer.status,
        tour,
        answer.explanation,
        answer.method or method.name,
        task.clock.seconds,
        answer.counters,
        answer.objective,
    )
    if answer.interrupted:
        raise SearchInterruptedError(result)
    return result


def _load(method: Method, task: Task) -> Function:
    """Return the function that answers a task, in a worker process if it needs one."""
    if method.needs_worker(task):
        return partial(answer_in_worker, method)
    return method.load(task)


def _objective(
    minimize: str | CustomConstraint | None, maximize: str | CustomConstraint | None
) -> Objective | None:
    """Return the objective, if there is one. Raises `InputError` for two."""
    if minimize is not None and maximize is not None:
        raise InputError("minimize and maximize exclude each other: give only one")
    if minimize is not None:
        return Objective(minimize, Sense.MINIMIZE)
    if maximize is not None:
        return Objective(maximize, Sense.MAXIMIZE)
    return None


def _hinted_path(instance: Instance, hint: Tour | Iterable[SquareLike]) -> Squares:
    """Return the ids of a hinted path. Raises `InputError` unless it lists distinct vertices."""
    if isinstance(hint, Tour):
        return hint.squares
    ids = [instance.graph.vertex(square, "hint") for square in as_items("hint", hint, "a1")]
    if not ids or len(set(ids)) < len(ids):
        raise InputError("hint: give a path that visits no square twice, such as ['a1', 'b3']")
    return np.array(ids, dtype=np.int32)


def _checked_tour(instance: Instance, squares: Squares, method: Method) -> Tour:
    """Return the tour of an answer, once it and all constraints have been validated.

    Raises `MethodError` if a custom method returned something else, and `AssertionError` if one of
    this package did, which is a bug.
    """
    error_class = MethodError if method.is_custom else AssertionError
    try:
        tour = Tour.from_ids(instance.graph, squares, instance.closed, instance.allows_partial)
    except InvalidTourError as error:
        raise error_class(f"{error}: a bug in method {method.name}") from error
    except (IndexError, TypeError, ValueError) as error:
        problem = f"method {method.name} returned {reprlib.repr(squares)}"
        raise error_class(f"{problem}: give the ids of a tour in visiting order") from error
    if not instance.satisfied_by(tour.squares):
        raise error_class(f"the tour of method {method.name} does not meet the constraints")
    return tour


class NoAnswerError(OutOfTimeError):
    """Neither a tour nor a proof that there is none was found; ``result`` says why."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.summary)
        self.result = result


def hamiltonian_cycle(graph: GraphLike, **options: Any) -> list[Any] | None:
    """Return the vertices of a Hamiltonian cycle in order, or None if there is provably none.

    ``graph`` and ``options`` are those of `solve`. A cycle has at least three vertices, and the
    first is not repeated. Raises `NoAnswerError`, with the result, where a limit was reached first.

    >>> hamiltonian_cycle([(1, 2), (2, 3), (3, 1)])
    [1, 2, 3]
    >>> hamiltonian_cycle([(1, 2), (2, 3)]) is None
    True
    """
    return _vertices_of(solve(graph, closed=True, **options))


def hamiltonian_path(
    graph: GraphLike, source: Any = None, target: Any = None, **options: Any
) -> list[Any] | None:
    """Return the vertices of a Hamiltonian path in order, or None if there is provably none.

    ``source`` and ``target`` are its ends, if given. The other arguments and the exceptions are
    those of `hamiltonian_cycle`.

    >>> hamiltonian_path([(1, 2), (2, 3)], target=1)
    [3, 2, 1]
    """
    return _vertices_of(solve(graph, start=source, end=target, **options))


def _vertices_of(result: Result) -> list[Any] | None:
    """Return the vertices of the tour, or None if there is none. Raises `NoAnswerError`."""
    if result.status is Status.UNKNOWN:
        raise NoAnswerError(result)
    return None if result.tour is None else result.tour.names
