"""Count tours by the fastest suitable method: enumeration, frontier, or subsets of vertices."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict, Unpack

from kt_cp.count.burnside import FixedTours, fixed_tours
from kt_cp.count.enumeration import instance_to_count, tour_classes
from kt_cp.count.frontier import count_in_memory
from kt_cp.count.frontier_plan import Plan, unsupported
from kt_cp.count.layer_files import CountStoppedError
from kt_cp.count.progress import CountProgress, Observer, ProgressLine, observer_of
from kt_cp.count.resources import QUICK_SECONDS, OutOfMemoryError, bytes_allowed
from kt_cp.count.spill import Spill
from kt_cp.count.subsets import count_by_subsets, unsupported_by_subsets
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, checked_number, give_one_of
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import decode_tour, has_translations, tour_maps
from kt_cp.problem.task import Clock, OutOfTimeError, Task
from kt_cp.proof.reasons import refute
from kt_cp.tour.validator import is_tour
from kt_dfs import Status

# The seconds that a table over the sets of 20 vertices takes.
_SUBSETS = 1.0

COUNT_METHODS = ("auto", "enumerate", "frontier", "subsets")
"""The methods of counting."""

OUT_OF_TIME = "the time limit was reached"
"""Why a count is incomplete."""

# Classes up to translations are found by enumeration, for at most this many tours.
_MAX_ENUMERATED = 200_000


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
    """

    count: int
    complete: bool
    counted: str
    method: str = field(default="enumerate", compare=False, repr=False)
    note: str | None = field(default=None, compare=False, repr=False)
    with_translations: int | None = field(default=None, repr=False)


class CountOptions(TypedDict, total=False):
    """The keyword arguments of `count_tours` that are not constraints."""

    method: str
    up_to_symmetry: bool
    limit: int | None
    time_limit: float | None
    memory_limit: float | None
    spill: str | Path | None
    jobs: int
    executor: Executor | None
    log: str | Path | None
    progress: Callable[[str], None]
    observer: Observer | None


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
    progress: Callable[[str], None] = lambda line: None,
    observer: Observer | None = None,
    **constraints: Unpack[Constraints],
) -> Count:
    """Return the number of tours that `enumerate_tours` yields.

    ``method`` is one of these:

    - "enumerate" finds one tour after the other with CP-SAT;
    - "frontier" counts without finding any (see `kt_cp.count.frontier`), under constraints that
      name no steps, symmetry or bounds;
    - "subsets" uses a table over the sets of up to 20 vertices, and supports one-way moves and
      steps too (see `kt_cp.count.subsets`);
    - "auto" first looks for a reason that there is no tour, and then uses the fastest method that
      supports the constraints and the ``limit``.

    Classes are counted by Burnside's lemma, where possible.

    The count stops when ``limit`` tours, ``time_limit`` seconds, or ``memory_limit`` MiB (by
    default three quarters of the free memory) are reached; its ``note`` says so. ``spill`` is a
    directory for the states of the frontier, from which a count that was stopped or killed is
    resumed. The work is shared by ``jobs`` processes, or by those of an ``executor``, which must
    reach the same directory. ``log`` is a file for a table of the layers. ``progress`` is called
    with lines of text on how far the count has come, and ``observer`` with the same lines as
    `kt_cp.count.progress.ProgressLine`. Raises `InputError` for invalid constraints, methods or
    limits.

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
    asked = _Request(
        instance=instance_to_count(board, up_to_symmetry, constraints),
        method=method,
        up_to_symmetry=up_to_symmetry,
        limit=limit,
        clock=Clock(time_limit),
        memory=bytes_allowed(memory_limit),
        spill=spill,
        jobs=jobs,
        executor=executor,
        log=log,
        observer=observer_of(progress, observer),
    )
    if executor is not None and spill is None:
        raise InputError("executor: also give spill, a directory that all its processes share")
    chosen = _chosen_method(asked)
    if chosen == "enumerate":
        return _count_by_enumeration(asked)
    try:
        if chosen == "subsets":
            return _count_by_subsets(asked)
        return _count_by_frontier(asked)
    except OutOfTimeError:
        kept = "" if spill is None else f"; what is done is kept in {spill}"
        return Count(0, False, asked.counted, chosen, f"{OUT_OF_TIME}{kept}")
    except (OutOfMemoryError, CountStoppedError) as error:
        return Count(0, False, asked.counted, chosen, str(error))


@dataclass(frozen=True)
class _Request:
    """The arguments of `count_tours`; ``memory`` is in bytes."""

    instance: Instance
    method: str
    up_to_symmetry: bool
    limit: int | None
    clock: Clock
    memory: float
    spill: str | Path | None
    jobs: int
    executor: Executor | None
    log: str | Path | None
    observer: Observer

    @property
    def counted(self) -> str:
        """What is counted, in the words of `Count`."""
        if self.up_to_symmetry:
            return "classes"
        is_directed = self.instance.direction_matters or not self.instance.closed
        return f"{'directed' if is_directed else 'undirected'} {self.instance.kind}"

    @property
    def is_shared(self) -> bool:
        """Whether the states are kept in files, so that processes can share the work."""
        return self.spill is not None or self.jobs > 1 or self.executor is not None

    @cached_property
    def plan(self) -> Plan:
        """The plan of a count by frontier, for which `unsupported` must return None."""
        return Plan(self.instance)


def _chosen_method(asked: _Request) -> str:
    """Return the method to use. Raises `InputError` if the requested method does not apply."""
    limit_obstacle = None if asked.limit is None else "a limit"
    frontier_obstacle = unsupported(asked.instance) or limit_obstacle
    subsets_obstacle = unsupported_by_subsets(asked.instance) or limit_obstacle
    if asked.is_shared and asked.method not in ("auto", "frontier"):
        raise _frontier_error(f"method {asked.method}")
    if asked.is_shared or asked.method == "frontier":
        if frontier_obstacle:
            raise _frontier_error(frontier_obstacle)
        return "frontier"
    if asked.method == "subsets" and subsets_obstacle:
        raise InputError(f"method subsets does not support {subsets_obstacle}; use another method")
    if asked.method != "auto":
        return asked.method
    if asked.log is not None and not frontier_obstacle:
        return "frontier"  # the only method with layers to be logged
    if not subsets_obstacle and (frontier_obstacle or asked.plan.expected.seconds > _SUBSETS):
        return "subsets"
    return "enumerate" if frontier_obstacle else "frontier"


def _frontier_error(obstacle: str) -> InputError:
    """Return the error that counting by frontier does not support something."""
    what = f"method frontier, spill and jobs do not support {obstacle}"
    return InputError(f"{what}; use method enumerate alone")


def _count_by_subsets(asked: _Request) -> Count:
    """Count by a table over subsets."""
    fixed = _tours_fixed_by_symmetries(asked)
    if fixed is None:
        return _count_by_enumeration(asked)
    return _complete_count(asked, fixed, count_by_subsets(asked.instance, asked.clock), "subsets")


def _count_by_frontier(asked: _Request) -> Count:
    """Count by frontier, in memory or with the states in files."""
    if not asked.is_shared:
        prepared = _before_sweep(asked, is_resumed=False)
        if isinstance(prepared, Count):
            return prepared
        return _complete_count(asked, prepared, _count_in_memory(asked), "frontier")
    with TemporaryDirectory() if asked.spill is None else nullcontext(asked.spill) as directory:
        spill = Spill(asked.plan, directory)
        prepared = _before_sweep(asked, is_resumed=spill.state.steps > 0)
        if isinstance(prepared, Count):
            return prepared
        return _complete_count(asked, prepared, _count_in_files(asked, spill), "frontier")


def _before_sweep(asked: _Request, is_resumed: bool) -> Count | FixedTours:
    """Return how many tours the symmetries fix, or the count itself if that needs no sweep.

    No sweep is needed if there is provably no tour, or if Burnside's lemma does not apply, in which
    case tours are enumerated. Raises `InputError` in the latter case for method "frontier".
    """
    if asked.method == "auto" and not is_resumed:
        none = _proof_of_none(asked)
        if none is not None:
            return none
    fixed = _tours_fixed_by_symmetries(asked)
    if fixed is not None:
        return fixed
    if asked.method == "frontier":
        raise InputError("method frontier does not support the board's symmetries here")
    return _count_by_enumeration(asked)


def _count_in_memory(asked: _Request) -> int:
    """Count by frontier in memory.

    For method "auto", raises `OutOfMemoryError` at once if the memory is not expected to suffice.
    """
    if asked.method == "auto":
        asked.plan.expected.check_memory(asked.memory)
    progress = CountProgress(asked.plan, asked.observer, asked.log)
    return count_in_memory(asked.plan, asked.clock, asked.memory, progress)


def _count_in_files(asked: _Request, spill: Spill) -> int:
    """Count by frontier with the states in files."""
    return spill.count(
        asked.clock, asked.memory, asked.jobs, asked.executor, asked.observer, asked.log
    )


def _proof_of_none(asked: _Request) -> Count | None:
    """Return the count 0 if it is quickly proven that there is no tour, or None.

    If the count is expected to take more than a few seconds, a few are spent on a search.
    """
    if asked.plan.expected.seconds <= QUICK_SECONDS:
        reason = refute(asked.instance, asked.clock)
        return None if reason is None else Count(0, True, asked.counted, "refute", str(reason))
    from kt_cp.methods.auto import answer

    clock = Clock(max(1e-9, min(QUICK_SECONDS, asked.clock.remaining)))
    found = answer(Task(asked.instance, clock))
    if found.status is not Status.IMPOSSIBLE:
        return None
    return Count(0, True, asked.counted, found.method or "auto", str(found.explanation))


def _tours_fixed_by_symmetries(asked: _Request) -> FixedTours | None:
    """Return how many tours the symmetries fix, or None if `fixed_tours` does not find that."""
    if not asked.up_to_symmetry:  # the only map is the identity
        return FixedTours(trivial_maps=1, fixed_by_others=0, maps=1)
    return fixed_tours(asked.instance, asked.clock)


def _complete_count(asked: _Request, fixed: FixedTours, tours: int, method: str) -> Count:
    """Return the complete count for a number of tours: that number, or the number of classes."""
    count = Count(fixed.classes(tours), True, asked.counted, method)
    return _with_translations(asked, count, tours)


def _count_by_enumeration(asked: _Request) -> Count:
    """Count tours or classes by listing all tours."""
    tours = count = 0
    try:
        for orbit in tour_classes(asked.instance, tour_maps(asked.instance), asked.clock):
            if not is_tour(asked.instance.graph, decode_tour(orbit[0]), asked.instance.closed):
                raise AssertionError("a counted path is not a tour: a bug")
            tours += len(orbit)
            count += 1 if asked.up_to_symmetry else len(orbit)
            asked.observer(ProgressLine(f"{count:,} so far"))
            if asked.limit is not None and count >= asked.limit:
                return Count(asked.limit, False, asked.counted, note="the limit was reached")
    except OutOfTimeError:
        return Count(count, False, asked.counted, note=OUT_OF_TIME)
    return _with_translations(asked, Count(count, True, asked.counted), tours)


def _with_translations(asked: _Request, count: Count, tours: int) -> Count:
    """Add the number of classes up to translations, if there are any and the tours are few."""
    if not asked.up_to_symmetry or not has_translations(asked.instance) or tours > _MAX_ENUMERATED:
        return count
    maps = tour_maps(asked.instance, translations=True)
    try:
        number = sum(1 for _ in tour_classes(asked.instance, maps, asked.clock))
    except OutOfTimeError:
        return count
    return replace(count, with_translations=number)
