"""The longest path and the longest cycle of a board or graph, with a proven bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Unpack

from kt_cp.board.names import SquareLike
from kt_cp.errors import as_items, checked_number
from kt_cp.graph import GraphLike
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Bound, Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement
from kt_cp.solving import Result, solve_partial
from kt_dfs import Status


def longest_path(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    visit: Iterable[SquareLike] = (),
    at_least: int | None = None,
    certificate: bool = False,
    progress: Callable[[Improvement], None] | None = None,
    parameters: Mapping[str, object] | None = None,
    **constraints: Unpack[Constraints],
) -> Result:
    """Return the longest path of a board or of any other graph, with a bound on the others.

    The board is given as to `solve`. The path may omit squares, but visits those in ``visit``, and
    at least ``at_least`` in all. Supported constraints are ``start``, ``end``, ``require``,
    ``forbid``, ``uncrossed``, ``induced``, bounds on crossings, uncrossed moves and slopes, and
    functions of the caller; with ``closed``, the longest cycle is wanted. ``workers`` is the number
    of threads of the solver: by default 2 for uncrossed and induced paths, and otherwise 8, which
    run a portfolio of searches. ``progress`` and ``parameters`` are as in `solve`.

    The result's ``tour`` visits the most squares found before the time limit, in seconds, and its
    ``objective`` has their number, the proven bound, whether the two agree, and what the bound
    rests on. With ``certificate`` a proof of the bound is made, which `check` accepts: that of a
    separator, or that there is no tour of all squares. It has the same time limit once more. Where
    neither is enough, the bound rests on CP-SAT alone, and ``no_certificate`` says so.

    Raises `InputError` for invalid arguments, such as given steps, a symmetry or a bound on
    angles, which need a tour of all squares.

    >>> result = longest_path("4x4")
    >>> result.tour.summary, result.objective.summary
    ('path through 15 of 16 squares of 4x4', 'squares 15, optimal')
    >>> longest_path("4x4", uncrossed=True).objective.value
    6
    """
    return longest_tour(
        Instance.of(board, **constraints),
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        visit=visit,
        at_least=at_least,
        certificate=certificate,
        progress=progress,
        parameters=parameters,
    )


def longest_tour(
    instance: Instance,
    visit: Iterable[SquareLike] = (),
    at_least: int | None = None,
    certificate: bool = False,
    **options: Any,
) -> Result:
    """Return the longest path or cycle that meets the constraints of an instance of all squares.

    The ``options`` are those of `longest_path`.
    """
    graph = instance.graph
    having = instance.having
    if at_least is not None:
        least = checked_number("at_least", at_least, 1, len(graph))
        having = (*having, Bound.of(graph, f"squares>={least}"))
    squares = tuple(graph.vertex(each, "visit") for each in as_items("visit", visit, "a1"))
    partial = replace(instance, allows_partial=True, visit=squares, having=having)
    result = solve_partial(partial, **options)
    return with_certificate(result, options["time_limit"]) if certificate else result


def with_certificate(result: Result, time_limit: float | None) -> Result:
    """Return the result of `longest_path` with a certificate, or with why none can be made.

    Where there is no path or cycle, the certificate proves that all have too few squares.
    """
    from kt_cp.methods.longest import fewest_squares
    from kt_cp.proof.bounds import certify_bound, proof_of
    from kt_cp.proof.certificate import Claim, Measure
    from kt_cp.proof.producer import NoCertificateError

    objective = result.objective
    if objective is not None and objective.bound is not None:
        most = round(objective.bound)
    elif result.status is Status.IMPOSSIBLE:
        most = fewest_squares(result.instance) - 1
    else:
        return result
    try:
        made = certify_bound(result.instance, Claim(Measure.SQUARES, most), Clock(time_limit))
    except NoCertificateError as error:
        return replace(result, no_certificate=str(error))
    if objective is not None:
        objective = replace(objective, proof=proof_of(made))
    return replace(result, certificate=made, objective=objective)


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
