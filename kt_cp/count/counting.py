"""List all tours, or count them by the method that suits; classes by Burnside's lemma."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board.symmetry import Symmetry, board_symmetries
from kt_cp.count.frontier import count_in_memory
from kt_cp.count.frontier_plan import SOON, Plan, unsupported
from kt_cp.count.memory import OutOfMemory, memory_of
from kt_cp.count.progress import Progress
from kt_cp.count.spill import Spill, Stopped
from kt_cp.errors import InputError, checked_number
from kt_cp.graph import GraphLike
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import decode, orbits, tour_maps
from kt_cp.problem.task import Task
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import is_tour
from kt_dfs import Status

COUNTING = ("auto", "enumerate", "frontier")
"""The names of the ways to count."""


@dataclass(frozen=True)
class Count:
    """How many tours there are; when not ``complete``, at least this many.

    ``counted`` says what one is: "directed open" (a path and its reverse are two), "undirected
    closed" (a cycle, wherever it starts and whichever way it runs, is one), "directed closed" (when
    the constraints depend on the direction), or "classes" (orbits of tours under symmetries).
    ``method`` says how they were counted, and ``note`` why the count is not complete, or is 0.
    """

    count: int
    complete: bool
    counted: str
    method: str = field(default="enumerate", compare=False, repr=False)
    note: str | None = field(default=None, compare=False, repr=False)


def count_tours(
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
    progress: Callable[[str], None] = lambda line: None,
    **constraints: Unpack[Constraints],
) -> Count:
    """Count the tours that `enumerate_tours` yields.

    ``method`` is "enumerate", which finds one tour after the other with CP-SAT; "frontier", which
    counts without finding any (see `kt_cp.count.frontier`), on graphs without one-way moves and
    under constraints that name no direction, steps or symmetry; or "auto", which first looks for a
    reason that there is no tour, and then takes the frontier where it is supported, unless
    ``limit`` asks for a few tours only. Classes are counted by Burnside's lemma, where possible.

    The count stops when ``limit`` tours, ``time_limit`` seconds, or ``memory_limit`` MiB (by
    default three quarters of the memory that is free) are reached, and says so. ``spill`` is a
    directory for the states of the frontier, by which a count goes on that was stopped or killed;
    ``jobs`` processes share the work, or those of an ``executor`` that reach the same directory.
    ``log`` is a file for a table of the layers. ``progress`` is called with lines on how far the
    count has come. Raises `InputError` for invalid constraints, methods or limits.

    >>> count_tours("5x5", start=0)
    Count(count=304, complete=True, counted='directed open')
    >>> count_tours("3x100", closed=True).count
    4861943174181138724903568742746024250554974208
    """
    if limit is not None:
        checked_number("limit", limit, 1)
    checked_number("jobs", jobs, 1)
    if method not in COUNTING:
        raise InputError(f"method {method!r}: give one of {', '.join(COUNTING)}")
    instance = _instance(board, up_to_symmetry, constraints)
    clock, memory = Clock(time_limit), memory_of(memory_limit)
    directed = "directed" if instance.directed or not instance.closed else "undirected"
    counted = "classes" if up_to_symmetry else f"{directed} {instance.kind}"
    unfit = "method enumerate" if method == "enumerate" else unsupported(instance)
    unfit = "a limit" if limit is not None and not unfit else unfit
    shared = spill is not None or jobs > 1 or executor is not None
    if unfit and (shared or method == "frontier"):
        what = f"method frontier, spill and jobs do not support {unfit}"
        raise InputError(f"{what}; use method enumerate alone")
    if executor is not None and spill is None:
        raise InputError("executor: give with spill a directory that its processes share")
    if unfit:
        return _enumerated(instance, counted, limit, clock, progress)
    plan = Plan(instance)
    try:
        with TemporaryDirectory() if shared and spill is None else nullcontext(spill) as directory:
            stored = None if directory is None else Spill(plan, directory)
            is_new = stored is None or not stored.state.steps
            if method == "auto" and is_new and (why := _none(instance, plan, clock)):
                return Count(0, True, counted, *why)
            symmetric = _symmetric(instance, clock) if up_to_symmetry else (1, 0, 1)
            if symmetric is None and method == "frontier":
                raise InputError("method frontier does not support the board's symmetries here")
            if symmetric is None:
                return _enumerated(instance, counted, limit, clock, progress)
            if stored is None:
                if method == "auto":
                    plan.check_memory(memory)
                count = count_in_memory(plan, clock, memory, Progress(plan, progress, log))
            else:
                count = stored.count(clock, memory, jobs, executor, progress, log)
    except OutOfTime:
        kept = "" if spill is None else f"; what is done is kept in {spill}"
        return Count(0, False, counted, "frontier", f"the time limit was reached{kept}")
    except (OutOfMemory, Stopped) as error:
        return Count(0, False, counted, "frontier", str(error))
    same, others, maps = symmetric
    return Count((same * count + others) // maps, True, counted, "frontier")


def _none(instance: Instance, plan: Plan, clock: Clock) -> tuple[str, str] | None:
    """Return how it is known that there is no tour, and why, if that is soon found.

    Where the count takes more than a few seconds, some are spent on a search.
    """
    if plan.expected_seconds <= SOON:
        reason = refute(instance, clock)
        return None if reason is None else ("refute", str(reason))
    from kt_cp.methods.auto import answer

    found = answer(Task(instance, Clock(max(1e-9, min(SOON, clock.remaining)))))
    is_none = found.status is Status.IMPOSSIBLE
    return (found.method or "auto", str(found.explanation)) if is_none else None


def _enumerated(
    instance: Instance,
    counted: str,
    limit: int | None,
    clock: Clock,
    progress: Callable[[str], None],
) -> Count:
    count = 0
    try:
        for tours in classes(instance, clock):
            if not is_tour(instance.graph, decode(tours[0]), instance.closed):
                raise AssertionError("a counted path is not a tour: a bug")
            count += 1 if counted == "classes" else len(tours)
            progress(f"{count:,} so far")
            if limit is not None and count >= limit:
                return Count(limit, False, counted)
    except OutOfTime:
        return Count(count, False, counted)
    return Count(count, True, counted)


def _symmetric(instance: Instance, clock: Clock) -> tuple[int, int, int] | None:
    """Count the maps of the group that keep every tour as it is, and all maps.

    Between these numbers stands how many tours the other maps keep, in all: the number of classes
    is the mean number of tours that a map keeps (Burnside's lemma). A map that turns a closed tour
    or reverses it leaves at most two of its squares in place, one that reverses an open tour at
    most one, and an open tour that is not reversed is not mapped onto itself at all. The symmetric
    tours are enumerated. Returns None if a map is none of the symmetries that can be asked of a
    tour.
    """
    maps, same, others = tour_maps(instance), 0, 0
    squares, named = instance.graph.vertices, board_symmetries(instance.graph)
    for each in maps:
        in_place = int((each.images[squares] == squares).sum())
        if in_place == len(squares) and (not each.reverse or in_place == 1):
            same += 1
        elif in_place <= (2 if instance.closed else 1 if each.reverse else -1):
            name = next(n for n, images in named.items() if np.array_equal(images, each.images))
            name = name.removesuffix(" back")  # it keeps the same tours
            if name not in list(Symmetry):
                return None
            symmetric = replace(instance, symmetry=Symmetry(name))
            others += sum(len(tours) for tours in classes(symmetric, clock))
    return same, others, len(maps)


def enumerate_tours(
    board: GraphLike,
    *,
    up_to_symmetry: bool = False,
    time_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Tour]:
    """Yield every tour that meets the constraints (see `Constraints`), as they are found.

    Open tours come in both directions, closed ones in one unless the constraints depend on the
    direction. With ``up_to_symmetry`` you get one tour per class. A class holds the tours that
    rotations and reflections map onto one another, if these keep the holes, the moves and the
    constraints, and for open tours also their reverses; it is represented by the tour whose ids
    come first in lexicographic order, where a closed tour is written from its first square towards
    the lower neighbor. (Shifts of a torus are not counted among the symmetries.) Raises
    `InputError` for invalid constraints, and `OutOfTime` when the limit in seconds is
    reached before the last tour.

    >>> import itertools
    >>> len(list(enumerate_tours("5x6", closed=True)))
    8
    >>> next(enumerate_tours("6x6", closed=True))
    <closed tour of 6x6, 36 squares>
    """
    instance, clock = _instance(board, up_to_symmetry, constraints), Clock(time_limit)
    return (
        _tour(instance, decode(tour))
        for tours in classes(instance, clock)
        for tour in (tours[:1] if up_to_symmetry else tours)
    )


def _instance(board: GraphLike, up_to_symmetry: bool, constraints: Constraints) -> Instance:
    """Return what is asked; raise `InputError` where the image of a tour may violate it."""
    instance = Instance.of(board, **constraints)
    if up_to_symmetry and instance.constrain is not None:
        why = "which may not be symmetric"
        raise InputError(f"tours cannot be taken up to symmetry with constrain, {why}")
    return instance


def classes(instance: Instance, clock: Clock) -> Iterator[list[bytes]]:
    """Yield the tours in classes: the images of one under the symmetries, the lowest first."""
    with clock.stopped():
        from kt_cp.methods.circuit import all_solutions, answer

    if refute(instance, clock) or answer(Task(instance, clock)).status is Status.IMPOSSIBLE:
        return  # the enumeration would learn it more slowly: it does without cuts
    clock.check()
    maps, seen = tour_maps(instance), set[bytes]()
    for batch in all_solutions(instance, maps, clock):
        for tours in orbits(instance, maps, batch):
            clock.check()  # the solver is some thousand tours ahead
            if instance.constrain is None:
                yield tours
            elif tours[0] not in seen:  # variables that were added may take several values
                seen.add(tours[0])
                yield tours


def _tour(instance: Instance, squares: Squares) -> Tour:
    """Return a tour of an orbit, turned to the start that was asked for."""
    graph = TourGraph(instance)
    return Tour.of_ids(instance.graph, graph.tour(graph.cycle(squares)), instance.closed)
