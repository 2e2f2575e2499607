"""Enumerate all tours, or one of each class up to symmetry, and count tours and classes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

import numpy as np

from kt_cp.arrays import Tours, cycle_arcs
from kt_cp.board import Symmetry
from kt_cp.board.pieces import board_symmetries
from kt_cp.count.cost import (
    QUICK_SECONDS,
    CountProgress,
    ExpectedCost,
    OutOfMemoryError,
    Progress,
    ProgressLine,
    bytes_allowed,
)
from kt_cp.count.disk import CountOnDisk, CountStoppedError
from kt_cp.count.frontier import count_in_memory
from kt_cp.count.plan import Plan, unsupported
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, checked_number, give_one_of
from kt_cp.model.parameters import search_turns
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, decode_tour, has_translations, orbits, tour_maps
from kt_cp.problem.task import OUT_OF_TIME, Clock, OutOfTimeError
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.refutation import refute
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import is_tour
from kt_dfs import Status

COUNT_METHODS = ("auto", "enumerate", "frontier")
"""The methods of counting."""

# Classes up to translations are found by enumeration, for at most this many tours.
_MAX_ENUMERATED = 200_000


# -- classes --------------------------------------------------------------------------------------
#
# A class holds the tours that rotations and reflections of the board, and reversal where it makes
# another tour, map to one another.


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
        raise InputError(
            "tours cannot be taken up to symmetry with constrain, which may not be symmetric"
        )
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
        for model in [*models]:
            clock.check()
            solver = Solver(parameters, clock)
            # The first turn is too short for a thread, which cannot start while Python exits.
            solve = solver.solve if turn else solver.solve_in_this_thread
            status = solve(model.cp)
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


def class_counter(instance: Instance, clock: Clock) -> Callable[[int], int]:
    """Return a function that computes the number of classes from the number of tours.

    For that, the symmetric tours are enumerated: by Burnside's lemma there are as many classes as
    tours that a map fixes, on average over the maps. All `fixing_maps` must have a symmetry. Raises
    `OutOfTimeError`.
    """
    fixed_by_some = 0
    for tour_map, symmetry in fixing_maps(instance):
        symmetric = replace(instance, symmetry=symmetry)
        # If the direction of a closed tour matters, some tours of that instance are fixed by the
        # other map with the same images, which reverses if this one does not.
        is_directed = symmetric.closed and symmetric.direction_matters
        for tours in tour_classes(symmetric, tour_maps(symmetric), clock):
            # A map fixes all tours of such a class or none of them.
            arcs = frozenset(map(tuple, cycle_arcs(decode_tour(tours[0])).tolist()))
            if not is_directed or tour_map.images_of(arcs) == arcs:
                fixed_by_some += len(tours)
    maps = tour_maps(instance)
    trivial_maps = sum(_fixes_all_tours(instance, each) for each in maps)
    return lambda tour_count: (trivial_maps * tour_count + fixed_by_some) // len(maps)


def fixing_maps(instance: Instance) -> list[tuple[TourMap, Symmetry | None]]:
    """Return the maps that may fix some tours, but not all, and the symmetry of these tours.

    The symmetry is None if it has no name in `Symmetry`.
    """
    fixing = list[tuple[TourMap, Symmetry | None]]()
    squares = instance.graph.vertices
    # A map that takes an open tour to itself reverses it, and fixes at most its middle square; one
    # of a closed tour fixes at most two squares.
    most_fixed = 2 if instance.closed else 1
    names = {images.tobytes(): name for name, images in board_symmetries(instance.graph).items()}
    for tour_map in tour_maps(instance):
        is_possible = instance.closed or tour_map.reverse
        fixed_squares = np.count_nonzero(tour_map.images[squares] == squares)
        if is_possible and fixed_squares <= most_fixed and not _fixes_all_tours(instance, tour_map):
            # Both quarter-turns fix the same tours.
            name = names[tour_map.images.tobytes()].removesuffix(" back")
            fixing.append((tour_map, Symmetry(name) if name in list(Symmetry) else None))
    return fixing


def _fixes_all_tours(instance: Instance, tour_map: TourMap) -> bool:
    """Return whether a map leaves all squares, and the direction of a tour, as they are."""
    squares = instance.graph.vertices
    is_identity = np.array_equal(tour_map.images[squares], squares)
    return is_identity and (not tour_map.reverse or len(squares) == 1)


# -- counts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Count:
    """How many tours there are; when not ``complete``, at least this many.

    - ``counted`` says what is counted: "directed open" (a path and its reverse are two),
      "undirected closed" (a cycle is one, whatever its first square and direction), "directed
      closed" (when the constraints depend on the direction), or "classes" (orbits of tours under
      rotations and reflections).
    - ``method`` is one of `COUNT_METHODS`, or the method that proved that there is no tour.
    - ``note`` says why the count is not complete, or is 0.
    - ``with_translations`` is the number of classes on a torus or cylinder if translations count as
      symmetries too; None if the tours are too many to enumerate.
    - ``expected`` is an estimate of the memory and the time, if it was asked for and is known.
    """

    count: int
    complete: bool
    counted: str
    method: str = field(default="enumerate", compare=False, repr=False)
    note: str | None = field(default=None, compare=False, repr=False)
    with_translations: int | None = field(default=None, repr=False)
    expected: ExpectedCost | None = field(default=None, compare=False, repr=False)


def count_tours(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    method: str = "auto",
    up_to_symmetry: bool = False,
    limit: int | None = None,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    spill: str | Path | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    log: str | Path | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
    **constraints: Unpack[Constraints],
) -> Count:
    """Return the number of tours that `enumerate_tours` yields.

    ``method`` is one of these:

    - "enumerate" finds one tour after the other with CP-SAT;
    - "frontier" counts without finding any (see `kt_cp.count.frontier`), under constraints that
      name no steps, symmetry or bounds;
    - "auto" first looks for a reason that there is no tour, and then uses the fastest method that
      supports the constraints and the ``limit``.

    Classes are counted by Burnside's lemma, where possible.

    The count stops when ``limit`` tours, ``time_limit`` seconds, or ``memory_limit`` MiB (by
    default three quarters of the free memory) are reached; its ``note`` says so. ``spill`` is a
    directory for the states of the frontier, from which a count that was stopped or killed is
    resumed. The work is shared by ``jobs`` processes, or by those of an ``executor``, which must
    reach the same directory. ``log`` is a file for a table of the layers. With
    ``dry_run`` nothing is counted: the result only says what a count by frontier is ``expected`` to
    take. ``progress`` is called with lines of text on how far the count has come (see
    `kt_cp.count.cost.ProgressLine`). Raises `InputError` for invalid arguments.

    >>> count_tours("5x5", start=0)
    Count(count=304, complete=True, counted='directed open')
    >>> count_tours("3x100", closed=True).count
    4861943174181138724903568742746024250554974208
    """
    checked_number("jobs", jobs, 1)
    if executor is not None and spill is None:
        raise InputError("executor: also give spill, a directory that all its processes share")
    instance = instance_to_count(board, up_to_symmetry, constraints)
    clock = Clock(time_limit)
    memory = bytes_allowed(memory_limit)
    is_shared = spill is not None or jobs > 1 or executor is not None
    by_frontier = _is_by_frontier(instance, method, limit, is_shared, up_to_symmetry)
    is_directed = instance.direction_matters or not instance.closed
    counted = f"{'directed' if is_directed else 'undirected'} {instance.kind}"
    unknown = Count(0, False, "classes" if up_to_symmetry else counted)
    if not by_frontier:
        if dry_run:
            return replace(unknown, note="the time grows with the number of tours")
        return _by_enumeration(instance, unknown, limit, clock, progress)
    unknown = replace(unknown, method="frontier")
    plan = Plan(instance)
    if dry_run:
        return replace(unknown, note=str(plan.expected), expected=plan.expected)
    try:
        # Without a directory for the states of several processes, a temporary one holds them.
        is_temporary = is_shared and spill is None
        with TemporaryDirectory() if is_temporary else nullcontext(spill) as directory:
            on_disk = CountOnDisk(plan, directory) if directory else None
            is_resumed = on_disk is not None and on_disk.state.steps > 0
            if method == "auto" and not is_resumed:
                if proof := _proof_of_none(plan, clock):
                    proved_by, reason = proof
                    return replace(unknown, complete=True, method=proved_by, note=reason)
                if on_disk is None:
                    plan.expected.check_memory(memory)
            count_of = class_counter(instance, clock) if up_to_symmetry else int
            if on_disk is None:
                layers = CountProgress(plan.expected, progress, log)
                tours = count_in_memory(plan, clock, memory, layers)
            else:
                tours = on_disk.count(clock, memory, jobs, executor, progress, log)
            count = replace(unknown, count=count_of(tours), complete=True)
            return _with_translations(instance, count, tours, clock)
    except (OutOfTimeError, OutOfMemoryError, CountStoppedError) as error:
        kept = f"; what is done is kept in {spill}" if spill else ""
        note = f"{error}{kept}" if isinstance(error, OutOfTimeError) else str(error)
        return replace(unknown, note=note)


def _is_by_frontier(
    instance: Instance, method: str, limit: int | None, is_shared: bool, up_to_symmetry: bool
) -> bool:
    """Return whether to count by frontier. Raises `InputError` for what it does not support."""
    if limit is not None:
        checked_number("limit", limit, 1)
    if method not in COUNT_METHODS:
        raise InputError(f"method {method!r}: {give_one_of(COUNT_METHODS, method)}")
    obstacle = unsupported(instance) or (None if limit is None else "a limit")
    if method == "enumerate" and is_shared:
        obstacle = "method enumerate"
    if obstacle and (is_shared or method == "frontier"):
        raise InputError(
            f"method frontier, spill and jobs do not support {obstacle}; use method enumerate alone"
        )
    if obstacle or method == "enumerate":
        return False
    if not up_to_symmetry or all(symmetry for _, symmetry in fixing_maps(instance)):
        return True
    if method == "frontier":
        raise InputError("method frontier does not support the board's symmetries here")
    return False


def _proof_of_none(plan: Plan, clock: Clock) -> tuple[str, str] | None:
    """Return a method that quickly proves that there is no tour, and its reason, or None.

    If the count is expected to take more than a few seconds, a few are spent on a search.
    """
    is_quick = plan.expected.seconds <= QUICK_SECONDS
    if not is_quick:
        clock = Clock(max(1e-9, min(QUICK_SECONDS, clock.remaining)))
    if reason := refute(plan.instance, clock):
        return "refute", str(reason)
    with suppress(OutOfTimeError):
        if not is_quick and is_impossible(plan.instance, clock):
            return "circuit", "CP-SAT proved that there is none"
    return None


def _by_enumeration(
    instance: Instance,
    unknown: Count,
    limit: int | None,
    clock: Clock,
    progress: Progress | None,
) -> Count:
    """Return an ``unknown`` count completed by listing all tours, as far as the limits allow."""
    tours = count = 0
    try:
        for orbit in tour_classes(instance, tour_maps(instance), clock):
            if not is_tour(instance.graph, decode_tour(orbit[0]), instance.closed):
                raise AssertionError("a counted path is not a tour: a bug")
            tours += len(orbit)
            count += 1 if unknown.counted == "classes" else len(orbit)
            if progress is not None:
                progress(ProgressLine(f"{count:,} so far"))
            if limit is not None and count >= limit:
                return replace(unknown, count=limit, note="the limit was reached")
    except OutOfTimeError:
        return replace(unknown, count=count, note=OUT_OF_TIME)
    return _with_translations(instance, replace(unknown, count=count, complete=True), tours, clock)


def _with_translations(instance: Instance, count: Count, tours: int, clock: Clock) -> Count:
    """Add the number of classes up to translations, if any and the tours are few."""
    is_asked = count.counted == "classes" and has_translations(instance)
    if not is_asked or tours > _MAX_ENUMERATED:
        return count
    maps = tour_maps(instance, translations=True)
    with suppress(OutOfTimeError):
        number = sum(1 for _ in tour_classes(instance, maps, clock))
        return replace(count, with_translations=number)
    return count
