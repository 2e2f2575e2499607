"""Enumerate all tours, or one of each class up to symmetry, and count tours and classes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, Unpack

import numpy as np

from kt_cp.arrays import Tours, cycle_arcs
from kt_cp.board.pieces import Symmetry, board_symmetries
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
from kt_cp.proof.reasons import refute
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import is_tour
from kt_dfs import Status

COUNT_METHODS = ("auto", "enumerate", "frontier")
"""The methods of counting."""

"""Why a count is incomplete."""

# Classes up to translations are found by enumeration, for at most this many tours.
_MAX_ENUMERATED = 200_000


# -- classes --------------------------------------------------------------------------------------
#
# A class holds the tours that rotations and reflections of the board, and reversal where it makes
# another tour, map to one another. By Burnside's lemma there are as many classes as tours that a
# map fixes, on average over the maps.


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
            # If the direction of a closed tour matters, some tours of that instance are fixed by
            # the other map with the same images, which reverses if this one does not.
            is_directed = symmetric.closed and symmetric.direction_matters
            for tours in tour_classes(symmetric, tour_maps(symmetric), clock):
                # A map fixes all tours of such a class or none of them.
                arcs = frozenset(map(tuple, cycle_arcs(decode_tour(tours[0])).tolist()))
                if not is_directed or tour_map.images_of(arcs) == arcs:
                    fixed_by_others += len(tours)
    return FixedTours(trivial_maps, fixed_by_others, len(maps))


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
    if limit is not None:
        checked_number("limit", limit, 1)
    checked_number("jobs", jobs, 1)
    if method not in COUNT_METHODS:
        raise InputError(f"method {method!r}: {give_one_of(COUNT_METHODS, method)}")
    if executor is not None and spill is None:
        raise InputError("executor: also give spill, a directory that all its processes share")
    counter = _Counter(
        instance=instance_to_count(board, up_to_symmetry, constraints),
        is_auto=method == "auto",
        up_to_symmetry=up_to_symmetry,
        limit=limit,
        clock=Clock(time_limit),
        progress=progress,
    )
    memory = bytes_allowed(memory_limit)
    is_shared = spill is not None or jobs > 1 or executor is not None
    obstacle = unsupported(counter.instance) or (None if limit is None else "a limit")
    if method == "enumerate" and is_shared:
        obstacle = "method enumerate"
    if obstacle and (is_shared or method == "frontier"):
        what = f"method frontier, spill and jobs do not support {obstacle}"
        raise InputError(f"{what}; use method enumerate alone")
    is_enumerated = obstacle is not None or method == "enumerate"
    if dry_run and is_enumerated:
        return Count(0, False, counter.counted, note="the time grows with the number of tours")
    if dry_run:
        expected = counter.plan.expected
        note = str(expected)
        return Count(0, False, counter.counted, "frontier", note, expected=expected)
    if is_enumerated:
        return counter.by_enumeration()
    return counter.by_frontier(memory, spill if is_shared else False, jobs, executor, log)


@dataclass
class _Counter:
    """What is counted, with the arguments of `count_tours` that every method needs."""

    instance: Instance
    is_auto: bool
    up_to_symmetry: bool
    limit: int | None
    clock: Clock
    progress: Progress | None
    fixed: FixedTours | None = None

    @property
    def counted(self) -> str:
        """What is counted, in the words of `Count`."""
        if self.up_to_symmetry:
            return "classes"
        is_directed = self.instance.direction_matters or not self.instance.closed
        return f"{'directed' if is_directed else 'undirected'} {self.instance.kind}"

    @cached_property
    def plan(self) -> Plan:
        """The plan of a count by frontier, for which `unsupported` must return None."""
        return Plan(self.instance)

    def by_frontier(
        self,
        memory: float,
        spill: str | Path | Literal[False] | None,
        jobs: int,
        executor: Executor | None,
        log: str | Path | None,
    ) -> Count:
        """Count by frontier, with at most ``memory`` bytes.

        The states are in memory if ``spill`` is False, and otherwise in files: in that directory
        or, for None, in a temporary one.
        """
        plan = self.plan
        try:
            with TemporaryDirectory() if spill is None else nullcontext(spill) as directory:
                on_disk = CountOnDisk(plan, directory) if directory else None
                is_resumed = on_disk is not None and on_disk.state.steps > 0
                if (known := self._before_sweep(is_resumed)) is not None:
                    return known
                if on_disk is not None:
                    tours = on_disk.count(self.clock, memory, jobs, executor, self.progress, log)
                else:
                    if self.is_auto:
                        plan.expected.check_memory(memory)
                    progress = CountProgress(plan.expected, self.progress, log)
                    tours = count_in_memory(plan, self.clock, memory, progress)
                return self._complete(tours)
        except (OutOfTimeError, OutOfMemoryError, CountStoppedError) as error:
            kept = f"; what is done is kept in {spill}" if spill else ""
            note = f"{error}{kept}" if isinstance(error, OutOfTimeError) else str(error)
            return Count(0, False, self.counted, "frontier", note)

    def _before_sweep(self, is_resumed: bool) -> Count | None:
        """Find how many tours the symmetries fix, or return the count if it needs no sweep.

        No sweep is needed if there is provably no tour, or if Burnside's lemma does not apply, in
        which case tours are enumerated. Raises `InputError` in the latter case for method
        "frontier".
        """
        if self.is_auto and not is_resumed and (none := self._proof_of_none()) is not None:
            return none
        # Without ``up_to_symmetry`` the only map is the identity.
        self.fixed = fixed_tours(self.instance, self.clock) if self.up_to_symmetry else FixedTours()
        if self.fixed is not None:
            return None
        if not self.is_auto:
            raise InputError("method frontier does not support the board's symmetries here")
        return self.by_enumeration()

    def _proof_of_none(self) -> Count | None:
        """Return the count 0 if it is quickly proven that there is no tour, or None.

        If the count is expected to take more than a few seconds, a few are spent on a search.
        """
        if self.plan.expected.seconds <= QUICK_SECONDS:
            reason = refute(self.instance, self.clock)
            return None if reason is None else Count(0, True, self.counted, "refute", str(reason))
        clock = Clock(max(1e-9, min(QUICK_SECONDS, self.clock.remaining)))
        with suppress(OutOfTimeError):
            if reason := refute(self.instance, clock):
                return Count(0, True, self.counted, "refute", str(reason))
            if is_impossible(self.instance, clock):
                return Count(0, True, self.counted, "circuit", "CP-SAT proved that there is none")
        return None

    def _complete(self, tours: int) -> Count:
        """Return the complete count for a number of tours: that number, or that of classes."""
        assert self.fixed is not None
        count = Count(self.fixed.classes(tours), True, self.counted, "frontier")
        return self._with_translations(count, tours)

    def by_enumeration(self) -> Count:
        """Count tours or classes by listing all tours."""
        tours = count = 0
        try:
            for orbit in tour_classes(self.instance, tour_maps(self.instance), self.clock):
                if not is_tour(self.instance.graph, decode_tour(orbit[0]), self.instance.closed):
                    raise AssertionError("a counted path is not a tour: a bug")
                tours += len(orbit)
                count += 1 if self.up_to_symmetry else len(orbit)
                if self.progress is not None:
                    self.progress(ProgressLine(f"{count:,} so far"))
                if self.limit is not None and count >= self.limit:
                    return Count(self.limit, False, self.counted, note="the limit was reached")
        except OutOfTimeError:
            return Count(count, False, self.counted, note=OUT_OF_TIME)
        return self._with_translations(Count(count, True, self.counted), tours)

    def _with_translations(self, count: Count, tours: int) -> Count:
        """Add the number of classes up to translations, if any and the tours are few."""
        is_asked = self.up_to_symmetry and has_translations(self.instance)
        if not is_asked or tours > _MAX_ENUMERATED:
            return count
        maps = tour_maps(self.instance, translations=True)
        try:
            number = sum(1 for _ in tour_classes(self.instance, maps, self.clock))
        except OutOfTimeError:
            return count
        return replace(count, with_translations=number)
