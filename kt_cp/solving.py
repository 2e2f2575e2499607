"""The entry point: tours, longest paths, covers and disjoint tours, validated before they leave.

Each function makes a `Task` of what it is given, lets a method answer it, validates the answer and
returns a result. The clock stands still while packages are imported.
"""

from __future__ import annotations

import os
import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, Unpack, cast

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Piece, Topology, graph_of
from kt_cp.board.maps import SquareLike
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, as_items, checked_number
from kt_cp.methods.method import Answer, Method, MethodError
from kt_cp.methods.result import (
    Certifiable,
    CoverInterruptedError,
    CoverResult,
    DisjointTours,
    NoAnswerError,
    Result,
    SearchInterruptedError,
)
from kt_cp.methods.table import AnyMethod, method_of
from kt_cp.model.parameters import MAX_WORKERS, checked_parameters
from kt_cp.problem.constraints import Bound, Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import (
    MAX_SEED,
    BoundProof,
    Clock,
    Improvement,
    Objective,
    Optimum,
    Parameters,
    Sense,
    Task,
    Weights,
)
from kt_cp.tour.tour import InvalidTourError, Tour, shared_moves
from kt_dfs import Status as Status  # for the stub __init__.pyi, whose imports are relative

_Bounded = TypeVar("_Bounded", bound=Certifiable)


def solve(  # noqa: PLR0913 (public)
    board: GraphLike,
    *others: int,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 0,
    method: AnyMethod = "auto",
    certificate: bool = False,
    minimize: str | Callable[..., Any] | None = None,
    maximize: str | Callable[..., Any] | None = None,
    progress: Callable[[Improvement], None] | None = None,
    parameters: Mapping[str, object] | None = None,
    hint: Tour | Iterable[SquareLike] | None = None,
    **constraints: Unpack[Constraints],
) -> Result:
    """Find a tour of a board or of any other graph, or prove that there is none.

    The board is a `Board`, a size or a map as text, a graph that `Graph.of` reads, or an
    `Instance`; the other keyword arguments are those of `Constraints`. ``time_limit`` is in
    seconds, without the import of packages. With one worker the same ``seed`` gives the same tour.
    ``method`` is a name that `METHODS` lists (``first`` finds the lexicographically first tour), a
    strategy of `kt_dfs`, or a function as `Method` describes it. With ``certificate``, if there is
    no tour, also make a proof of that, which `check` accepts; making it has a time limit of its
    own, of the same length.

    ``minimize`` or ``maximize`` is a feature of a board's tours, an attribute of the edges of
    another graph, such as ``weight``, a function of two vertices that returns the weight of a move,
    or one that takes a `kt_cp.model.custom.CustomModel` and returns an expression. ``progress`` is
    called with each improvement. When the time limit is reached, the best tour so far is returned;
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
    >>> result = solve("4x8", closed=True)
    >>> result.status, result.reason
    (<Status.IMPOSSIBLE: 'impossible'>, "Schwenk's theorem (1991): no closed tour, \
as one side is 1, 2 or 4")
    >>> solve("5x6", closed=True, minimize="turns").objective.summary
    'turns 28, optimal'
    >>> solve([(1, 2, 5), (2, 3, 1), (3, 1, 2)], minimize="weight").objective.summary
    'weight 3, optimal'
    """
    if others and isinstance(board, str):
        raise InputError(
            f"{others[0]!r}: name what follows the board: solve({board!r}, closed=True)"
        )
    if others:  # two sides, which `Instance.of` refuses with advice
        board = (board, *others)
    if "weight" in constraints:
        raise InputError("solve takes weights as minimize='weight' or maximize='weight'")
    instance = Instance.of(board, **constraints)
    answering = method_of(method)
    if minimize is not None and maximize is not None:
        raise InputError("minimize and maximize exclude each other: give only one")
    objective = None
    if minimize is not None:
        objective = Objective.of(minimize, Sense.MINIMIZE, instance.graph)
    elif maximize is not None:
        objective = Objective.of(maximize, Sense.MAXIMIZE, instance.graph)
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        task = _task(instance, clock, workers, seed, parameters, progress, objective, hint)
        answering.check(task)
        function = answering.function_for(task)
        if answering.needs_worker(task):
            from kt_cp.methods.custom import answer_in_worker

            function = partial(answer_in_worker, answering)
    result = _result_of(task, function(task), answering)
    if certificate and result.status is Status.IMPOSSIBLE:
        from kt_cp.proof.producer import make_certificate

        make = partial(make_certificate, instance, reason=result.explanation)
        return result.certified(lambda: make(Clock(time_limit)))
    return result


def hamiltonian_cycle(
    graph: GraphLike, *, weight: str | Callable[..., Any] | None = None, **options: Any
) -> list[Any] | None:
    """Return the vertices of a Hamiltonian cycle in order, or None if there is provably none.

    ``graph`` and ``options`` are those of `solve`. With a ``weight``, an attribute of the edges or
    a function of two vertices, the shortest cycle is returned, under a ``time_limit`` the shortest
    that was found. A cycle has at least three vertices, and the first is not repeated. Raises
    `NoAnswerError`, with the result, where a limit was reached before a cycle was found.

    >>> hamiltonian_cycle([(1, 2), (2, 3), (3, 1)])
    [1, 2, 3]
    >>> from itertools import combinations
    >>> from math import dist
    >>> places = [(0, 0), (2, 1), (2, 0), (0, 1)]
    >>> hamiltonian_cycle([*combinations(places, 2)], weight=dist)
    [(0, 0), (2, 0), (2, 1), (0, 1)]
    >>> hamiltonian_cycle([(1, 2), (2, 3)]) is None
    True
    """
    _refuse_minimize(options)
    return _vertices_of(solve(graph, closed=True, minimize=weight, **options))


def hamiltonian_path(
    graph: GraphLike,
    source: Any = None,
    target: Any = None,
    *,
    weight: str | Callable[..., Any] | None = None,
    **options: Any,
) -> list[Any] | None:
    """Return the vertices of a Hamiltonian path in order, or None if there is provably none.

    ``source`` and ``target`` are its ends, if given; ``start`` and ``end`` mean the same. The other
    arguments and the exceptions are those of `hamiltonian_cycle`.

    >>> hamiltonian_path([(1, 2), (2, 3)], target=1), hamiltonian_path([(1, 2), (2, 3)], start=1)
    ([3, 2, 1], [1, 2, 3])
    """
    _refuse_minimize(options)
    return _vertices_of(solve(graph, source=source, target=target, minimize=weight, **options))


def longest_path(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    visit: Iterable[SquareLike] = (),
    at_least: int | None = None,
    weight: str | Callable[..., Any] | None = None,
    certificate: bool = False,
    progress: Callable[[Improvement], None] | None = None,
    parameters: Mapping[str, object] | None = None,
    **constraints: Unpack[Constraints],
) -> Result:
    """Return the longest path of a board or of any other graph, with a bound on the others.

    The board is given as to `solve`. The path may omit squares, but visits those in ``visit``, and
    at least ``at_least`` in all. Supported constraints are ``start``, ``end``, ``require``,
    ``forbid``, ``symmetry``, ``uncrossed``, ``induced``, bounds on features, and functions of the
    caller; with ``closed``, the longest cycle is wanted. With a ``weight``, an attribute of the
    edges or a function of two vertices, the path of the greatest weight is returned, and there is
    no certificate. ``progress`` and ``parameters`` are as in `solve`.

    ``workers`` is the number of threads. The default is 2 for uncrossed and induced paths: in one
    CP-SAT searches, in the other CaDiCaL. It is also 2 if at most five crossings are allowed, and
    for other paths 8, which run a portfolio of searches.

    The result's ``tour`` visits the most squares found before the time limit, in seconds, and its
    ``objective`` has their number, the proven bound, whether the two agree, and what the bound
    rests on. With ``certificate``, also make a certificate of the bound, which `check` accepts,
    within another ``time_limit``. If neither a separator, nor the blocks, nor a proof that there is
    no tour of all squares suffices, the bound rests on the degrees of the vertices, or on CP-SAT or
    CaDiCaL alone, and ``no_certificate`` says that there is none.

    Raises `InputError` for invalid arguments, such as given steps or an order, which need a tour of
    all squares.

    >>> result = longest_path("4x4")
    >>> result.tour.summary, result.objective.summary
    ('path through 15 of 16 squares of 4x4', 'squares 15, optimal')
    >>> longest_path("4x4", uncrossed=True).objective.value
    6
    """
    instance = Instance.of(board, **constraints)
    graph = instance.graph
    having = instance.having
    if at_least is not None:
        least = checked_number("at_least", at_least, 1, len(graph))
        having = (*having, Bound.of(graph, f"squares>={least}"))
    squares = tuple(graph.vertex(each, "visit") for each in as_items("visit", visit, "a1"))
    instance = replace(instance, allows_partial=True, visit=squares, having=having)
    if workers is None:
        workers = 2 if instance.excludes_many_edges else 8
    objective = None if weight is None else Objective.of(weight, Sense.MAXIMIZE, graph)
    if objective is not None and (certificate or not isinstance(objective.feature, Weights)):
        raise InputError(
            f"weight {objective.name}: give an attribute of edges or a function of two vertices,"
            " without a certificate"
        )
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        from kt_cp.methods.longest import answer, fewest_squares

        task = _task(instance, clock, workers, seed, parameters, progress, objective)
    result = _result_of(task, answer(task), method_of("circuit"))
    if not certificate:
        return result
    if result.objective is not None and result.objective.bound is not None:
        most_squares = round(result.objective.bound)
    elif result.status is Status.IMPOSSIBLE:  # there is no path or cycle of the wanted length
        most_squares = fewest_squares(instance) - 1
    else:
        return result
    return _with_bound_certified(result, instance, "squares", most_squares, time_limit)


def longest_cycle(board: GraphLike, **options: Any) -> Result:
    """Return the longest cycle of a board or of any other graph, with a bound on the others.

    The options are those of `longest_path`. A cycle has at least three vertices; where there is
    none, the result's status is impossible.

    >>> longest_cycle("3x3").objective.summary
    'squares 8, optimal'
    >>> longest_cycle([(1, 2), (2, 3)]).status
    <Status.IMPOSSIBLE: 'impossible'>
    """
    return longest_path(board, closed=True, **options)


def path_cover(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    time_limit: float | None = None,
    workers: int = 8,
    seed: int = 0,
    certificate: bool = False,
    parameters: Mapping[str, object] | None = None,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> CoverResult:
    """Return the fewest paths that together visit every vertex once, with a bound on all covers.

    The board is given as to `solve`. A path may be a single vertex. The ``time_limit`` is in
    seconds; when it is reached, the best cover so far is returned. ``workers`` is the number of
    threads of the solver. With ``certificate``, also make a certificate of the bound, which `check`
    accepts, within another ``time_limit``. If neither a separator nor, for two paths, a proof that
    there is no open tour suffices, the bound rests on CP-SAT alone, and ``no_certificate`` says so.
    ``parameters`` are fields of CP-SAT's ``SatParameters``.

    Raises `InputError` for invalid arguments, and `CoverInterruptedError`, which holds the best
    cover so far, for Ctrl-C.

    >>> result = path_cover("4x4")
    >>> result.objective.summary, result.separator, result.components
    ('paths 2, optimal', ['b3', 'c3', 'b2', 'c2'], 6)
    >>> path_cover([("hub", 1), ("hub", 2), ("hub", 3)]).objective.value
    2
    """
    instance = Instance(graph_of(board, piece, topology))
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        from kt_cp.methods.covers import best_cover
        from kt_cp.proof.bounds import separator_of_cover
        from kt_cp.tour.tour import validate_cover

        task = _task(instance, clock, workers, seed, parameters)
    separator = separator_of_cover(instance, clock)
    cover = best_cover(task, separator.fewest_paths)
    label = instance.graph.label
    paths = [[label(each) for each in path] for path in sorted(cover.paths, key=len, reverse=True)]
    report = validate_cover(instance.graph, paths)
    if not report:
        raise AssertionError(f"not a path cover: {report.faults[0]}")
    proof = BoundProof.SEPARATOR if cover.bound == separator.fewest_paths else BoundProof.CP_SAT
    objective = Optimum(
        "paths",
        Sense.MINIMIZE,
        value=len(paths),
        bound=cover.bound,
        optimal=len(paths) == cover.bound,
        proof=proof if cover.bound > 1 else None,  # a single path needs no proof
    )
    result = CoverResult(
        graph=instance.graph,
        status=Status.FOUND,
        paths=paths,
        objective=objective,
        separator=[label(vertex) for vertex in separator.squares],
        components=len(separator.components),
        seconds=clock.seconds,
    )
    if cover.interrupted:
        raise CoverInterruptedError(result)
    if not certificate:
        return result
    return _with_bound_certified(result, instance, "paths", cover.bound, time_limit)


def hamiltonian_decomposition(graph: GraphLike, **options: Any) -> list[list[Any]] | None:
    """Return cycles that together use every edge of a graph once, or None if there are none.

    None is proven. Each cycle lists all vertices in order. Of a directed graph, every arc is used
    once. ``options`` are those of `decompose`. Raises `NoAnswerError` where a limit was reached.

    >>> hamiltonian_decomposition([(1, 2), (2, 3), (3, 1)])
    [[1, 2, 3]]
    >>> hamiltonian_decomposition([(1, 2), (2, 3), (3, 1), (1, 4)]) is None
    True
    """
    tours = _tours_of(decompose(graph, closed=True, **options))
    return None if tours is None else [tour.names for tour in tours]


def disjoint_tours(
    board: GraphLike, count: int, closed: bool = True, **options: Any
) -> list[Tour] | None:
    """Return ``count`` tours of which no two share a move, or None if there are provably none.

    ``options`` are those of `decompose`. Raises `NoAnswerError` where a limit was reached.

    >>> tours = disjoint_tours("5x5", 4, topology="torus")
    >>> len({frozenset(move) for tour in tours for move in tour.moves.tolist()})
    100
    """
    return _tours_of(decompose(board, count=count, closed=closed, **options))


def decompose(
    board: GraphLike,
    *,
    count: int | None = None,
    time_limit: float | None = None,
    workers: int = 2,
    seed: int = 0,
    parameters: Mapping[str, object] | None = None,
    **constraints: Unpack[Constraints],
) -> DisjointTours:
    """Find ``count`` tours of which no two share a move or, without it, that use every move once.

    The board and the constraints are as in `solve`; each tour meets all of them. Two tours share a
    move if both make it, in one direction or the other; in a directed graph, in the same direction.
    Raises `InputError` for invalid arguments, and for a symmetry or more than one tour with a
    required move.

    >>> decompose("8x8", count=2, closed=True).reason
    'a8 has only 2 moves, and 2 closed tours without a common move need 4'
    """
    instance = Instance.of(board, **constraints)
    if count is not None:
        count = checked_number("count", count, 1, max(1, len(instance.arcs)))
    elif not instance.closed:
        raise InputError("open tours: give how many; a decomposition is into closed tours")
    if instance.symmetry is not None or (instance.require and count != 1):
        raise InputError("several tours without a common move: no symmetry, and no required moves")
    clock = Clock(time_limit)
    with clock.stopped():  # packages are loaded
        from kt_cp.methods.covers import decomposition

        task = _task(instance, clock, workers, seed, parameters)
    answer = decomposition(task, count)
    rows = () if answer.squares is None else answer.squares
    tours = [_checked_tour(instance, squares, method_of("circuit")) for squares in rows]
    if any(shared_moves(tours)):
        raise AssertionError("two tours share a move: a bug in the model")
    return DisjointTours(
        instance=instance,
        status=answer.status,
        tours=tours,
        explanation=answer.explanation,
        seconds=clock.seconds,
    )


# -- from settings to a task, and from an answer to what is returned -------------------------------


def _task(  # noqa: PLR0913 (the settings of `solve`)
    instance: Instance,
    clock: Clock,
    workers: int,
    seed: int,
    parameters: Mapping[str, object] | None,
    progress: Callable[[Improvement], None] | None = None,
    objective: Objective | None = None,
    hint: Tour | Iterable[SquareLike] | None = None,
) -> Task:
    """Return the task with these settings. Raises `InputError` for invalid ones.

    CP-SAT's parameter ``num_workers`` replaces ``workers``.
    """
    fields: Parameters = checked_parameters(parameters) if parameters else {}
    threads = checked_number("workers", workers, 1, MAX_WORKERS)
    threads = int(cast(int, fields.get("num_workers", threads)))
    path = None
    if isinstance(hint, Tour):
        path = hint.squares
    elif hint is not None:
        ids = [instance.graph.vertex(square, "hint") for square in as_items("hint", hint, "a1")]
        if not ids or len(set(ids)) < len(ids):
            raise InputError("hint: give a path that visits no square twice, such as ['a1', 'b3']")
        path = np.array(ids, dtype=np.int32)
    return Task(
        instance,
        clock,
        workers=threads or os.cpu_count() or 1,  # CP-SAT takes all processors for 0
        seed=checked_number("seed", seed, 0, MAX_SEED),
        parameters=fields,
        hint=path,
        objective=objective,
        progress=progress,
    )


def _result_of(task: Task, answer: Answer, method: Method) -> Result:
    """Validate the tour of an answer, and return the result.

    Raises `SearchInterruptedError`, which holds the result, if Ctrl-C ended the search.
    """
    squares = answer.squares
    result = Result(
        instance=task.instance,
        status=answer.status,
        tour=None if squares is None else _checked_tour(task.instance, squares, method),
        explanation=answer.explanation,
        method=answer.method or method.name,
        seconds=task.clock.seconds,
        counters=answer.counters,
        objective=answer.objective,
    )
    if answer.interrupted:
        raise SearchInterruptedError(result)
    return result


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


def _with_bound_certified(
    result: _Bounded, instance: Instance, measure: str, bound: int, time_limit: float | None
) -> _Bounded:
    """Return the result with a certificate of its bound, or with why none can be made."""
    from kt_cp.proof.certificate import Claim, Measure
    from kt_cp.proof.producer import certify_bound

    claim = Claim(Measure(measure), bound)
    certify = partial(certify_bound, instance, claim, Clock(time_limit))
    return result.certified(certify, of_bound=True)


def _refuse_minimize(options: Mapping[str, Any]) -> None:
    """Raise `InputError` if ``minimize`` is among the options of a function with a ``weight``."""
    if "minimize" in options:
        raise InputError("give weight='weight': minimize='weight' is for solve")


def _vertices_of(result: Result) -> list[Any] | None:
    """Return the vertices of the tour, or None if there is none. Raises `NoAnswerError`."""
    if result.status is Status.UNKNOWN:
        raise NoAnswerError(result)
    return None if result.tour is None else result.tour.names


def _tours_of(result: DisjointTours) -> list[Tour] | None:
    """Return the tours, or None if there are none. Raises `NoAnswerError`."""
    if result.status is Status.UNKNOWN:
        raise NoAnswerError(result)
    return result.tours or None
