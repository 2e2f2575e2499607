"""Enumerate all tours, or one of each class up to symmetry, as CP-SAT finds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from kt_cp.graph import GraphLike
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, decode_tour, orbits, tour_maps
from kt_cp.problem.task import Clock, Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour
from kt_dfs import Status


def enumerate_tours(
    board: GraphLike,
    *,
    up_to_symmetry: bool = False,
    time_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Tour]:
    """Yield every tour that meets the constraints (see `Constraints`), as they are found.

    Open tours come in both directions, closed ones in one unless the constraints depend on the
    direction. With ``up_to_symmetry`` one tour of each class is yielded. A class holds the tours
    that rotations and reflections map to one another, if these preserve the holes, the moves and
    the constraints, and for open tours also their reverses. It is represented by the tour whose ids
    come first in lexicographic order, where a closed tour is written from its first square towards
    the lower neighbor. (Translations of a torus are not counted among the symmetries.)

    The thread that searches ends when the iterator is closed or dropped, or when Python exits.
    Raises `InputError` for invalid constraints, and `OutOfTimeError` when the limit in seconds is
    reached before the last tour.

    >>> import itertools
    >>> len(list(enumerate_tours("5x6", closed=True)))
    8
    >>> next(enumerate_tours("6x6", closed=True))
    <closed tour of 6x6, 36 squares>
    """
    instance = instance_to_count(board, up_to_symmetry, constraints)
    clock = Clock(time_limit)
    graph = TourGraph(instance)
    return (
        Tour.from_ids(instance.graph, graph.tour(graph.cycle(decode_tour(tour))), instance.closed)
        for tours in tour_classes(instance, tour_maps(instance), clock)
        for tour in (tours[:1] if up_to_symmetry else tours)
    )


def instance_to_count(board: GraphLike, up_to_symmetry: bool, constraints: Constraints) -> Instance:
    """Return the instance. Raises `InputError` for classes under custom constraints."""
    instance = Instance.of(board, **constraints)
    if up_to_symmetry and instance.constrain:
        why = "which may not be symmetric"
        raise InputError(f"tours cannot be taken up to symmetry with constrain, {why}")
    return instance


def tour_classes(instance: Instance, maps: list[TourMap], clock: Clock) -> Iterator[list[bytes]]:
    """Yield the classes of tours: the images of a tour under a group of maps, the lowest first.

    The tours are bytes, which `decode_tour` reads. Raises `OutOfTimeError`.
    """
    with clock.stopped():
        from kt_cp.methods.circuit import all_solutions, answer

    if refute(instance, clock) or answer(Task(instance, clock)).status is Status.IMPOSSIBLE:
        return  # the enumeration, which uses no cuts, would take longer to prove that
    clock.check()
    seen = set[bytes]()
    for batch in all_solutions(instance, maps, clock):
        for tours in orbits(instance, maps, batch):
            clock.check()  # the solver may be thousands of tours ahead
            if not instance.constrain:
                yield tours
            elif tours[0] not in seen:  # variables that the caller added may have several values
                seen.add(tours[0])
                yield tours
