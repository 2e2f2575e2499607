"""The front door: refute, choose a method, solve, validate, answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Unpack

import kt_dfs
from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.methods.compose.parts import composable, worth_composing
from kt_cp.methods.cover import MAX_WALKED, supports
from kt_cp.methods.reference import solve_search
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Constraints, Instance
from kt_cp.proof.reasons import REASONS, SHORT_REASONS, refute
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_dfs import Status

EXHAUSTED = "exhausted by CP-SAT"

# From so many squares on, mending walks is tried before the whole circuit: about 25 x 25.
_LARGE = 600

METHODS: Mapping[str, str] = {
    "auto": "reasons a person can check first, then whatever method suits the board",
    "circuit": "the CP-SAT circuit model alone: finds, proves, and meets every constraint",
    "compose": "full rectangles of any size, from small tours that the circuit model finds",
    "mend": "large boards of any shape: walks by Warnsdorff's rule, mended by the circuit model",
    **{name: method.summary for name, method in kt_dfs.METHODS.items()},
}
"""The methods by name, each with a line about it."""


@dataclass(frozen=True)
class Result:
    """The answer of `solve` to an instance.

    ``reason`` is a sentence unless a tour was found; ``method`` is what answered, a method or
    "refute"; ``seconds`` cover everything from the call on; ``counters`` are the method's own.
    """

    instance: Instance
    status: Status
    tour: Tour | None
    reason: str | None
    method: str
    seconds: float
    counters: Mapping[str, float] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, object]:
        """What ``--format json`` prints: plain values, and the array of the tour's squares."""
        return {
            "status": self.status.value,
            "board": self.instance.board.as_dict(),
            "closed": self.instance.closed,
            "tour": None if self.tour is None else self.tour.squares,
            "method": self.method,
            "seconds": round(self.seconds, 6),
            "reason": self.reason,
        }

    def as_dict(self) -> dict[str, object]:
        """Return what ``--format json`` prints: plain values only."""
        return {**self.fields, "tour": None if self.tour is None else self.tour.squares.tolist()}


def solve(
    board: Board,
    *,
    time_limit: float | None = None,
    workers: int = 1,
    seed: int = 0,
    method: str = "auto",
    **constraints: Unpack[Constraints],
) -> Result:
    """Find a knight's tour of the board, or prove that there is none.

    The constraints are keyword arguments: ``closed``, ``start``, ``end``, ``require``, ``forbid``,
    ``symmetry``, ``givens``; see `Constraints`. ``time_limit`` is in seconds, model building included;
    with one worker the same ``seed`` gives the same tour. Raises `InputError` for constraints that make
    no sense.

    >>> result = solve(Board(8, 8), closed=True)
    >>> result.status, result.tour
    (<Status.FOUND: 'found'>, <closed tour of 8x8, 64 squares>)
    >>> result = solve(Board(3, 8), closed=True)
    >>> result.status, result.reason
    (<Status.IMPOSSIBLE: 'impossible'>, "Schwenk's theorem (1991): no closed tour, \
as one side is 3 and the other 4, 6 or 8")
    """
    instance = Instance(board, **constraints)
    clock = Clock(time_limit)
    if method not in METHODS:
        raise InputError(f"method {method!r}: give one of {', '.join(METHODS)}")
    if not isinstance(workers, int) or workers < 1:
        raise InputError(f"workers {workers}: give at least 1")
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise InputError(f"seed {seed!r}: give a number from 0 to {2**31 - 1}")
    if method in kt_dfs.METHODS:
        return _search(instance, clock, method)
    if method == "compose":
        return _compose(instance, clock, seed)
    if method == "mend":
        return _mend(instance, clock, seed)
    if method == "circuit":
        return _circuit(instance, clock, workers, seed)
    return _auto(instance, clock, workers, seed)


def _auto(instance: Instance, clock: Clock, workers: int, seed: int) -> Result:
    if worth_composing(instance):
        result = _compose(instance, clock, seed)
        if result.status is not Status.UNKNOWN or clock.remaining == 0:
            return result
    elif reason := refute(instance, clock):
        return _refuted(instance, clock, reason)
    elif len(instance.board) >= _LARGE and supports(instance):
        result = _mend(instance, clock, seed)
        if result.status is not Status.UNKNOWN or clock.remaining == 0:
            return result
    return _circuit(instance, clock, workers, seed)


def _refuted(instance: Instance, clock: Clock, reason: str) -> Result:
    return Result(instance, Status.IMPOSSIBLE, None, reason, "refute", clock.seconds)


def _compose(instance: Instance, clock: Clock, seed: int) -> Result:
    from kt_cp.methods.compose.rectangle import compose  # OR-tools takes half a second to import

    if not composable(instance):
        raise InputError(
            "method compose: for a knight on a full rectangle with sides from 3 on, with no constraints "
            "but a start and an end; circuit meets others"
        )
    # Only the ends on a strip may take longer to give up than all reasons do.
    doubtful = min(instance.board.rows, instance.board.columns) < 5 and instance.ends
    if reason := refute(instance, clock, REASONS if doubtful else SHORT_REASONS):
        return _refuted(instance, clock, reason)
    try:
        squares = compose(instance, clock, seed)
    except OutOfTime:
        reason = _out_of_time(clock)
        return Result(instance, Status.UNKNOWN, None, reason, "compose", clock.seconds)
    if squares is not None:
        tour = _checked_tour(instance, squares)
        return Result(instance, Status.FOUND, tour, None, "compose", clock.seconds)
    if not doubtful and (reason := refute(instance, clock)):
        return _refuted(instance, clock, reason)
    reason = "no composition of small tours was found; the circuit model may know more"
    return Result(instance, Status.UNKNOWN, None, reason, "compose", clock.seconds)


def _mend(instance: Instance, clock: Clock, seed: int) -> Result:
    from kt_cp.methods.mend.gaps import mend  # OR-tools takes half a second to import

    if not supports(instance):
        raise InputError(
            f"method mend: for boards of up to {MAX_WALKED:,} squares, with no constraints but a start "
            "and forbidden moves; circuit meets others"
        )
    if reason := refute(instance, clock, SHORT_REASONS):
        return _refuted(instance, clock, reason)
    try:
        squares = mend(instance, clock, seed)
        reason = "no walks could be mended; the circuit model may know more"
    except OutOfTime:
        squares, reason = None, _out_of_time(clock)
    if squares is None:
        return Result(instance, Status.UNKNOWN, None, reason, "mend", clock.seconds)
    tour = _checked_tour(instance, squares)
    return Result(instance, Status.FOUND, tour, None, "mend", clock.seconds)


def _circuit(instance: Instance, clock: Clock, workers: int, seed: int) -> Result:
    from kt_cp.methods.circuit import solve_circuit  # OR-tools takes half a second to import

    answer = solve_circuit(instance, clock, workers, seed)
    tour = _checked_tour(instance, answer.squares) if answer.squares is not None else None
    reason: str | None = None
    if tour is not None:
        status = Status.FOUND
    elif answer.exhausted:
        status, reason = Status.IMPOSSIBLE, EXHAUSTED
    else:
        status, reason = Status.UNKNOWN, _out_of_time(clock)
    return Result(instance, status, tour, reason, "circuit", clock.seconds, answer.counters)


def _search(instance: Instance, clock: Clock, method: str) -> Result:
    outcome = solve_search(instance, clock, method)
    found = outcome.status is Status.FOUND
    tour = _checked_tour(instance, outcome.path) if found else None
    reason = None if found else outcome.reason
    counters = {
        "calls": outcome.calls,
        "backtracks": outcome.backtracks,
        "deepest": outcome.deepest,
    }
    return Result(instance, outcome.status, tour, reason, method, clock.seconds, counters)


def _out_of_time(clock: Clock) -> str:
    return f"the time limit of {clock.limit:g} s was reached"


def _checked_tour(instance: Instance, squares: Iterable[int]) -> Tour:
    """Validate a tour on its way out, and see that it meets every constraint."""
    try:
        tour = Tour(instance.board, squares, instance.closed)
    except InvalidTourError as error:
        raise AssertionError(f"{error}: a fault of this package") from error
    if not instance.satisfied_by(tour.squares):
        raise AssertionError(
            "the tour found does not meet the constraints: a fault of this package"
        )
    return tour
