"""The longest path and the longest cycle of a board or graph, with a proven bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Unpack

from kt_cp.board.board import SquareLike
from kt_cp.graph import GraphLike
from kt_cp.messages import as_items, checked_number
from kt_cp.problem.constraints import Bound, Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Improvement
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
    ``forbid``, ``symmetry``, ``uncrossed``, ``induced``, bounds on features, and functions of the
    caller; with ``closed``, the longest cycle is wanted. ``progress`` and ``parameters`` are as in
    `solve`.

    ``workers`` is the number of threads. The default is 2 for uncrossed and induced paths: in one
    CP-SAT searches, in the other replacing segments and CaDiCaL take turns. It is also 2 if at most
    five crossings are allowed, and for other paths 8, which run a portfolio of searches.

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


def longest_tour(  # noqa: PLR0913 (the options of `longest_path`)
    instance: Instance,
    *,
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    visit: Iterable[SquareLike] = (),
    at_least: int | None = None,
    certificate: bool = False,
    progress: Callable[[Improvement], None] | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Result:
    """Return the longest path or cycle that meets the constraints of an instance.

    The instance asks for a tour of all squares, and its constraints are applied to paths that may
    omit some. The other arguments are those of `longest_path`.
    """
    graph = instance.graph
    having = instance.having
    if at_least is not None:
        least = checked_number("at_least", at_least, 1, len(graph))
        having = (*having, Bound.of(graph, f"squares>={least}"))
    squares = tuple(graph.vertex(each, "visit") for each in as_items("visit", visit, "a1"))
    result = solve_partial(
        replace(instance, allows_partial=True, visit=squares, having=having),
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        progress=progress,
        parameters=parameters,
    )
    return _with_certificate(result, time_limit) if certificate else result


def _with_certificate(result: Result, time_limit: float | None) -> Result:
    """Return the result with a certificate of its bound, or with why none can be made."""
    most = _most_squares(result)
    if most is None:
        return result
    from kt_cp.proof.bounds import certify_bound, proof_of
    from kt_cp.proof.certificate import Claim, Measure

    claim = Claim(Measure.SQUARES, most)
    certified = result.certified(lambda: certify_bound(result.instance, claim, Clock(time_limit)))
    if certified.certificate is None or certified.objective is None:
        return certified
    objective = replace(certified.objective, proof=proof_of(certified.certificate))
    return replace(certified, objective=objective)


def _most_squares(result: Result) -> int | None:
    """Return the proven upper bound on the squares of a path or cycle, or None if there is none.

    If there is provably no path or cycle of the wanted length, the bound is one less.
    """
    if result.objective is not None and result.objective.bound is not None:
        return round(result.objective.bound)
    if result.status is Status.IMPOSSIBLE:
        from kt_cp.methods.longer import fewest_squares

        return fewest_squares(result.instance) - 1
    return None


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
