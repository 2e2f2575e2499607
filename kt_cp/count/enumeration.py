"""All tours, one by one, or only their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.errors import checked_number
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Constraints, Instance
from kt_cp.problem.orbits import decode, orbits, tour_maps
from kt_cp.proof.reasons import refute
from kt_cp.tour.rules import is_tour
from kt_cp.tour.tour import Tour
from kt_dfs import Status


@dataclass(frozen=True)
class Count:
    """How many tours there are; when not ``complete``, at least so many.

    ``counted`` says what one is: "directed open" (a path and its reverse are two), "undirected
    closed" (a cycle, wherever it starts and whichever way it runs, is one), "directed closed" (when
    the constraints depend on the direction), or "classes" (of tours that symmetries make of one).
    """

    count: int
    complete: bool
    counted: str


def enumerate_tours(
    board: Board | str,
    *,
    up_to_symmetry: bool = False,
    time_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Tour]:
    """Yield every tour that meets the constraints (see `Constraints`), as they are found.

    Open tours come in both directions, closed ones in one unless the constraints depend on the
    direction. With ``up_to_symmetry`` one tour of each class comes. A class holds the tours that
    rotations and reflections make of one another, if they keep the board's holes, its moves and the
    constraints, and for open tours also their reverses; it is represented by the tour whose ids
    come first in lexicographic order, where a closed tour is written from its first square towards
    the lower neighbor. (Shifts of a torus are not counted among the symmetries.) Raises
    `InputError` for constraints that make no sense, and `OutOfTime` when the limit in seconds is
    reached before the last tour.

    >>> import itertools
    >>> len(list(enumerate_tours(Board(5, 6), closed=True)))
    8
    >>> next(enumerate_tours(Board(6, 6), closed=True))
    <closed tour of 6x6, 36 squares>
    """
    instance, clock = Instance(board, **constraints), _clock(time_limit)
    return (
        _tour(instance, decode(tour))
        for tours in _classes(instance, clock)
        for tour in (tours[:1] if up_to_symmetry else tours)
    )


def count_tours(
    board: Board | str,
    *,
    up_to_symmetry: bool = False,
    limit: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[int], None] | None = None,
    **constraints: Unpack[Constraints],
) -> Count:
    """Count the tours that `enumerate_tours` yields.

    Stops when ``limit`` tours or ``time_limit`` seconds are reached, and says so. ``progress`` is
    called with the count so far. Raises `InputError` for constraints or limits that make no sense.

    >>> count_tours(Board(5, 5), start=0)
    Count(count=304, complete=True, counted='directed open')
    """
    if limit is not None:
        checked_number("limit", limit, 1)
    instance, clock = Instance(board, **constraints), _clock(time_limit)
    counted = "classes" if up_to_symmetry else _counted(instance)
    count = 0
    try:
        for tours in _classes(instance, clock):
            if not is_tour(instance.board, decode(tours[0]), instance.closed):
                raise AssertionError("a tour counted is none: a fault of this package")
            count += 1 if up_to_symmetry else len(tours)
            if progress is not None:
                progress(count)
            if limit is not None and count >= limit:
                return Count(limit, False, counted)
    except OutOfTime:
        return Count(count, False, counted)
    return Count(count, True, counted)


def _clock(time_limit: float | None) -> Clock:
    """Start a clock when OR-tools is loaded."""
    import kt_cp.methods.circuit  # noqa: F401

    return Clock(time_limit)


def _counted(instance: Instance) -> str:
    directed = instance.directed or not instance.closed
    return f"{'directed' if directed else 'undirected'} {instance.kind}"


def _classes(instance: Instance, clock: Clock) -> Iterator[list[bytes]]:
    """Yield the tours in classes: all that the symmetries make of one, the lowest first."""
    from kt_cp.methods.circuit import all_solutions, answer

    if refute(instance, clock) or answer(instance, clock).status is Status.IMPOSSIBLE:
        return  # the enumeration would learn it more slowly: it does without cuts
    clock.check()
    maps = tour_maps(instance)
    for batch in all_solutions(instance, maps, clock):
        yield from orbits(instance, maps, batch)


def _tour(instance: Instance, squares: Squares) -> Tour:
    if instance.closed and instance.start is not None and not instance.givens:
        squares = np.roll(squares, -int(np.flatnonzero(squares == instance.start)[0]))
    return Tour(instance.board, squares, instance.closed)
