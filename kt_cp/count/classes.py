"""Enumerate all tours, or one of each class up to symmetry, and count classes.

A class holds the tours that rotations and reflections of the board, and reversal where it makes
another tour, map to one another. By Burnside's lemma there are as many classes as tours that a map
fixes, on average over the maps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from kt_cp.arrays import Tours, cycle_arcs
from kt_cp.board.pieces import Symmetry, board_symmetries
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError
from kt_cp.model.parameters import search_turns
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, decode_tour, orbits, tour_maps
from kt_cp.problem.task import Clock
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
    if refute(instance, clock) or is_impossible(instance, clock):
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


def is_impossible(instance: Instance, clock: Clock) -> bool:
    """Return whether there is no tour, which CP-SAT decides. Raises `OutOfTimeError`."""
    with clock.stopped():
        from kt_cp.model.backend import Solver
        from kt_cp.model.circuit import build_models

    models = build_models(instance, clock)
    for turn, parameters in enumerate(search_turns()):
        for model in list(models):
            clock.check()
            solver = Solver(parameters, clock)
            # The first turn is too short for a thread.
            status = (solver.solve if turn else solver.solve_in_this_thread)(model.cp)
            if status is Status.FOUND:
                return False
            if status is Status.IMPOSSIBLE:
                models.remove(model)
        if not models:
            break
    return True


def all_solutions(instance: Instance, maps: list[TourMap], clock: Clock) -> Iterator[Tours]:
    """Yield batches of tours that contain a representative of every orbit under the maps.

    They may contain several tours of an orbit. Raises `OutOfTimeError`.
    """
    with clock.stopped():
        from kt_cp.model.backend import solutions
        from kt_cp.model.circuit import break_symmetry, build_models, tours_in_order

    for model in build_models(instance, clock):
        break_symmetry(model, maps)
        clock.check()
        for batch in solutions(model.cp, 1 + int(model.arcs.literals.max()), clock):
            used = np.array(batch, dtype=np.bool_)[:, model.arcs.literals]
            yield tours_in_order(model, used)


@dataclass(frozen=True)
class FixedTours:
    """How many tours the maps of a group fix.

    Of ``maps`` maps, ``trivial_maps`` fix every tour; the other maps together fix
    ``fixed_by_others``, where a tour counts once for each map that fixes it.
    """

    trivial_maps: int = 1
    fixed_by_others: int = 0
    maps: int = 1

    def classes(self, tours: int) -> int:
        """Return the number of classes, given the number of tours."""
        return (self.trivial_maps * tours + self.fixed_by_others) // self.maps


def fixed_tours(instance: Instance, clock: Clock) -> FixedTours | None:
    """Return how many tours the maps of an instance fix, by enumerating the symmetric tours.

    Return None if a map that may fix some tours is not one of the symmetries in `Symmetry`. Raises
    `OutOfTimeError`.
    """
    maps, squares = tour_maps(instance), instance.graph.vertices
    # A map of open tours that fixes one reverses it. A rotation or reversal of a closed tour fixes
    # at most two squares, a reversal of an open tour at most one.
    most_fixed = {True: 2, False: 2} if instance.closed else {True: 1, False: -1}
    trivial_maps = fixed_by_others = 0
    for tour_map in maps:
        fixed_squares = int((tour_map.images[squares] == squares).sum())
        if fixed_squares == len(squares) and (not tour_map.reverse or len(squares) == 1):
            trivial_maps += 1
        elif fixed_squares <= most_fixed[tour_map.reverse]:
            images = board_symmetries(instance.graph)
            name = next(n for n, each in images.items() if np.array_equal(each, tour_map.images))
            name = name.removesuffix(" back")  # both quarter-turns fix the same tours
            if name not in list(Symmetry):
                return None
            symmetric = replace(instance, symmetry=Symmetry(name))
            fixed_by_others += _count_fixed(symmetric, tour_map, clock)
    return FixedTours(trivial_maps, fixed_by_others, len(maps))


def _count_fixed(symmetric: Instance, tour_map: TourMap, clock: Clock) -> int:
    """Return how many tours a map fixes; all of them are tours of the symmetric instance.

    If the direction of a closed tour matters, some tours of that instance are fixed by the other
    map with the same images: the one that reverses if ``tour_map`` does not, and vice versa.
    """
    is_directed = symmetric.closed and symmetric.direction_matters
    fixed = 0
    for tours in tour_classes(symmetric, tour_maps(symmetric), clock):
        # A map fixes all tours of such a class or none of them.
        arcs = frozenset(map(tuple, cycle_arcs(decode_tour(tours[0])).tolist()))
        if not is_directed or tour_map.images_of(arcs) == arcs:
            fixed += len(tours)
    return fixed
