"""Count the tours of sequences of boards, and of every prefix of a board, in one sweep.

When the squares of a board are taken column by column, the partial tours of its first columns are
those of a shorter board. So one sweep over the longest board also counts the tours of all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Unpack, cast

import numpy as np

from kt_cp.board import Board, Topology, as_board
from kt_cp.count.counting import OUT_OF_TIME, Count, CountOptions, count_tours
from kt_cp.count.frontier import count_prefixes_in_memory
from kt_cp.count.frontier_plan import Plan
from kt_cp.count.node_order import there_and_back
from kt_cp.count.progress import CountProgress, Observer, observer_of
from kt_cp.count.resources import OutOfMemoryError, bytes_allowed
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import Nodes


class _Arguments(Constraints, CountOptions, total=False):
    """The keyword arguments of `count_tours`."""


def count_boards(boards: Sequence[GraphLike], **arguments: Unpack[_Arguments]) -> Iterator[Count]:
    """Yield the number of tours of each of several boards, in their order.

    The keyword arguments are those of `count_tours`. Boards that follow one another and grow in
    one direction, such as 3x4, 3x5 and 3x6, are counted in one sweep if this is expected to be
    faster; a time limit then holds for the sweep. Raises what `count_tours` raises.

    >>> [count.count for count in count_boards(["3x10", "3x11", "3x12"], closed=True)]
    [16, 0, 176]
    """
    constraints, options = _split(arguments)
    instances = [Instance.of(board, **constraints) for board in boards]
    memory = bytes_allowed(options.get("memory_limit"))
    for run in _nested_runs(instances):
        plan = _sweep_plan(run) if _allows_sweep(options) else None
        if plan is None or not _is_sweep_faster(plan, run, memory):
            for instance in run:
                yield count_tours(instance, **options)
        else:
            yield from _count_by_sweep(plan, memory, options)


def _split(arguments: _Arguments) -> tuple[Constraints, CountOptions]:
    """Return the constraints and the options among the keyword arguments of `count_tours`.

    Raises TypeError for any other argument.
    """
    constraints, options = Constraints(), CountOptions()
    for name, value in arguments.items():
        if name in Constraints.__annotations__:
            cast("dict[str, object]", constraints)[name] = value
        elif name in CountOptions.__annotations__:
            cast("dict[str, object]", options)[name] = value
        else:
            raise TypeError(f"count_boards() got an unexpected keyword argument {name!r}")
    return constraints, options


def count_prefixes(
    board: GraphLike,
    *,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    progress: Callable[[str], None] = lambda line: None,
    observer: Observer | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[tuple[int, int]]:
    """Yield (k, number of tours of the first k squares of a board) for all k, in one sweep.

    The squares are taken column by column, from top to bottom. Open tours count in both directions,
    closed ones in one. ``progress`` and ``observer`` are those of `count_tours`.

    Raises `InputError` for constraints other than ``closed`` and for moves in one direction only,
    and `OutOfTimeError` or `OutOfMemoryError` when a limit is reached.

    >>> dict(count_prefixes("5x5", closed=True))[18], dict(count_prefixes("3x4"))[12]
    (1, 16)
    """
    instance = Instance.of(board, **constraints)
    as_board(instance.graph, "prefixes")
    if not _is_unconstrained(instance):
        raise InputError("prefixes: leave out constraints other than closed")
    clock, memory = Clock(time_limit), bytes_allowed(memory_limit)
    plan = Plan(instance, _by_columns(instance.board), range(1, len(instance.graph) + 1))
    count_progress = CountProgress(plan, observer_of(progress, observer))
    yield from count_prefixes_in_memory(plan, clock, memory, count_progress)


def _is_unconstrained(instance: Instance) -> bool:
    """Return whether the kind of tour is the only constraint, and all moves go both ways."""
    return instance == Instance(instance.graph, closed=instance.closed) and not instance.one_way


def _by_columns(board: Board) -> Nodes:
    """Return the squares of a board, as nodes, column by column."""
    rows, columns = np.divmod(board.vertices, board.columns)
    return np.lexsort((rows, columns))


def _nested_runs(instances: Sequence[Instance]) -> Iterator[list[Instance]]:
    """Yield runs of consecutive instances whose boards grow in one direction."""
    run = list[Instance]()
    for instance in instances:
        if run and not _continues(run, instance):
            yield run
            run = []
        run.append(instance)
    if run:
        yield run


def _continues(run: list[Instance], instance: Instance) -> bool:
    """Return whether a board continues the growth of a run of boards in its direction."""
    direction = growth_direction(run[-1], instance)
    if direction is None:
        return False
    return len(run) == 1 or direction == growth_direction(run[-2], run[-1])


def growth_direction(small: Instance, large: Instance) -> str | None:
    """Return "rows" or "columns" if only their number differs, and is higher in the large board.

    Return None otherwise. Both must be flat rectangles without holes, for the same piece and
    without constraints.
    """
    one, other = small.graph, large.graph
    if not isinstance(one, Board) or not isinstance(other, Board):
        return None
    for instance in (small, large):
        is_rectangle = len(instance.graph) == instance.board.area
        if not is_rectangle or instance.board.topology is not Topology.FLAT:
            return None
        if not _is_unconstrained(instance):
            return None
    if (one.piece, small.closed) != (other.piece, large.closed):
        return None
    if one.rows == other.rows and one.columns < other.columns:
        return "columns"
    if one.columns == other.columns and one.rows < other.rows:
        return "rows"
    return None


def _allows_sweep(options: CountOptions) -> bool:
    """Return whether a sweep supports these options of `count_tours`.

    It counts by frontier in memory, within limits on time and memory.
    """
    if options.get("method", "auto") not in ("auto", "frontier"):
        return False
    if options.get("up_to_symmetry") or options.get("limit") is not None:
        return False
    if options.get("jobs", 1) != 1 or options.get("executor") is not None:
        return False
    return options.get("spill") is None and options.get("log") is None


def _sweep_plan(run: list[Instance]) -> Plan | None:
    """Return the plan of a sweep over the last board that counts all, or None for one board."""
    if len(run) == 1:
        return None
    board = run[-1].board
    lines, places = np.divmod(board.vertices, board.columns)
    if growth_direction(run[-2], run[-1]) == "columns":
        lines, places = places, lines
    prefixes = [len(instance.graph) for instance in run]
    orders = np.lexsort((places, lines)), there_and_back(lines, places)
    plans = [Plan(run[-1], order, prefixes) for order in orders]
    return min(plans, key=lambda plan: plan.expected.seconds)


def _is_sweep_faster(plan: Plan, run: list[Instance], memory: float) -> bool:
    """Return whether a sweep is expected to fit into memory and to be faster than single counts.

    ``memory`` is in bytes.
    """
    if plan.expected.is_dense and plan.expected.memory_bytes > memory:
        return False
    one_by_one = 0.0
    for instance in reversed(run):  # the largest board usually decides
        one_by_one += Plan(instance).expected.seconds
        if plan.expected.seconds <= one_by_one:
            return True
    return False


def _count_by_sweep(plan: Plan, memory: float, options: CountOptions) -> Iterator[Count]:
    """Yield the counts of the prefixes of a plan; incomplete ones once a limit is reached.

    ``memory`` is in bytes.
    """
    kind = "undirected closed" if plan.instance.closed else "directed open"
    clock = Clock(options.get("time_limit"))
    observer = observer_of(options.get("progress", lambda line: None), options.get("observer"))
    progress = CountProgress(plan, observer)
    known = 0
    note = ""
    try:
        for _, number in count_prefixes_in_memory(plan, clock, memory, progress):
            known += 1
            yield Count(number, True, kind, "frontier")
    except OutOfTimeError:
        note = OUT_OF_TIME
    except OutOfMemoryError as error:
        note = str(error)
    for _ in plan.prefixes[known:]:
        yield Count(0, False, kind, "frontier", note)
