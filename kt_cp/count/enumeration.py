"""All tours, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.errors import InputError
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import decode, orbits, tour_maps
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour
from kt_dfs import Status


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
    rotations and reflections map onto one another, if these keep the holes, the moves and the
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
    instance, clock = Instance(board, **constraints), enumeration_clock(time_limit)
    check_classes(instance, up_to_symmetry)
    return (
        _tour(instance, decode(tour))
        for tours in classes(instance, clock)
        for tour in (tours[:1] if up_to_symmetry else tours)
    )


def check_classes(instance: Instance, up_to_symmetry: bool) -> None:
    """Raise `InputError` where the image of a tour may violate the constraints."""
    if up_to_symmetry and instance.constrain is not None:
        raise InputError(
            "tours cannot be taken up to symmetry with constrain, which may not be symmetric"
        )


def enumeration_clock(time_limit: float | None) -> Clock:
    """Return a clock that is started when OR-tools is loaded."""
    import kt_cp.methods.circuit  # noqa: F401

    return Clock(time_limit)


def classes(instance: Instance, clock: Clock) -> Iterator[list[bytes]]:
    """Yield the tours in classes: the images of one under the symmetries, the lowest first."""
    from kt_cp.methods.circuit import all_solutions, answer

    if refute(instance, clock) or answer(instance, clock).status is Status.IMPOSSIBLE:
        return  # the enumeration would learn it more slowly: it does without cuts
    clock.check()
    maps, seen = tour_maps(instance), set[bytes]()
    for batch in all_solutions(instance, maps, clock):
        if instance.constrain is None:
            yield from orbits(instance, maps, batch)
        else:  # variables of one's own may take several values in one tour
            for tours in orbits(instance, maps, batch):
                if tours[0] not in seen:
                    seen.add(tours[0])
                    yield tours


def _tour(instance: Instance, squares: Squares) -> Tour:
    if instance.closed and instance.start is not None and not instance.givens:
        squares = np.roll(squares, -int(np.flatnonzero(squares == instance.start)[0]))
    return Tour(instance.board, squares, instance.closed)
