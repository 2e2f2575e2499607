"""Recordings of searches for replays: the squares visited, or the cycles that a model joins."""

from __future__ import annotations

from kt_cp.board import Board
from kt_cp.draw import replay
from kt_cp.draw.page import check_page_size
from kt_cp.draw.replay import MAX_STEPS, Lines, ModelRun, SearchRun
from kt_cp.messages import InputError, checked_number, give_one_of, pluralize
from kt_cp.methods.custom import custom_errors
from kt_cp.methods.reference import graph_to_search
from kt_cp.methods.table import AnyMethod, method_of, strategy_of
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.sat.two_factors import cycle_covers
from kt_cp.solving import solve
from kt_cp.tour.tour import InvalidTourError, Tour
from kt_dfs import METHODS, Budget, Ending, Event, Status, Strategy, search, strategy

CIRCUIT = "circuit"
"""The name of the circuit model, which does not visit squares one by one."""

# 2-factors are found with this many seeds; the one with the most cycles is shown, since it shows
# the most joins.
_SEEDS_TRIED = 8


def record_search(instance: Instance, method: AnyMethod, max_steps: int) -> replay.Run:
    """Return the recording of a search: by `record_model` for ``circuit``, else `record_visits`.

    Raises `InputError` as these do.
    """
    if method == CIRCUIT:
        return record_model(instance)
    return record_visits(instance, method, max_steps)


def record_visits(instance: Instance, method: AnyMethod, max_steps: int) -> SearchRun:
    """Return the recording of a search from the start of the instance, or its first square.

    ``method`` is a name from `kt_dfs.METHODS`, a strategy, or the textbook's form of one. The
    recording ends after ``max_steps`` visits and backtracks. Raises `InputError` for invalid values
    and too large a board.

    >>> record_visits(Instance.of(Board(3, 3), start=0), "dfs", 9)
    SearchRun(name='dfs', events=[0, 5, 6, 1, 8, 3, 2, 7, -8], found=False, \
ending='cut off after 9 steps')
    """
    board = instance.board
    check_page_size(board)
    checked_number("max steps", max_steps, 1, MAX_STEPS)
    start = int(board.squares[0]) if instance.first is None else instance.first
    chosen = _checked_strategy(method, board)
    events: list[int] = []

    def note(event: Event, square: int) -> None:
        """Record a visit as the square, and a backtrack as its bitwise complement."""
        events.append(square if event is Event.VISIT else ~square)

    graph, closed, budget = graph_to_search(instance), instance.closed, Budget(calls=max_steps)
    with custom_errors(chosen.name):
        found = search(graph, start, chosen, closed=closed, budget=budget, observer=note)
    if len(events) > max_steps or found.ending is Ending.OUT_OF_CALLS:
        del events[max_steps:]
        cut_off = f"cut off after {pluralize(len(events), 'step')}"
        return SearchRun(chosen.name, events, False, cut_off)
    return SearchRun(chosen.name, events, found.status is Status.FOUND, found.reason)


def _checked_strategy(method: AnyMethod, board: Board) -> Strategy:
    """Return a method as a strategy. Raises `InputError` for a method that is not one."""
    if isinstance(method, str):
        if method not in METHODS:
            raise InputError(f"method {method!r}: {give_one_of([*METHODS, CIRCUIT], method)}")
        return strategy(method, board.rows, board.columns)
    chosen = strategy_of(method)
    if chosen is None:
        raise InputError(f"method {method_of(method).name}: give a strategy, or order(graph, path)")
    return chosen


def record_model(instance: Instance) -> ModelRun:
    """Return a recording of the circuit model: cycles that are joined until one is left, the tour.

    The frames begin with a 2-factor, which CP-SAT takes as a hint, and have ever fewer cycles. If
    exchanges of two moves do not join all of them, the last frame is the tour that CP-SAT found.
    The ending tells the number of conflicts of its search. Raises `InputError` for too large a
    board.
    """
    check_page_size(instance.board)
    result = solve(instance, method=CIRCUIT)
    if result.tour is None:
        return ModelRun(CIRCUIT, [], False, result.summary)
    frames = _joined_cycles(instance)
    if not frames or not _is_tour(instance, frames[-1]):
        tour = result.tour.squares.tolist()
        if instance.closed:
            tour.append(tour[0])
        frames.append([tour])
    conflicts = pluralize(int(result.counters["conflicts"]), "conflict")
    return ModelRun(CIRCUIT, frames, True, f"a tour, after {conflicts} and no backtrack")


def _joined_cycles(instance: Instance) -> list[Lines]:
    """Return the frames: the cycles of a 2-factor, joined one after the other by exchanges.

    Each frame is computed anew, since `cycle_covers` returns only its last state.
    """
    counts = {seed: len(_cycles(instance, seed, None)) for seed in range(_SEEDS_TRIED)}
    seed = max(counts, key=lambda each: counts[each])
    frames: list[Lines] = []
    for count in range(counts[seed], 0, -1):
        lines = _cycles(instance, seed, count)
        if not frames or len(lines) < len(frames[-1]):
            frames.append(lines)
    return frames


def _cycles(instance: Instance, seed: int, count: int | None) -> Lines:
    """Return the cycles of a 2-factor, joined until ``count`` are left; none if there is none."""
    cycles = next(cycle_covers(instance, Clock(), seed, count), [])
    return [_line(instance.board, cycle.tolist()) for cycle in cycles]


def _is_tour(instance: Instance, lines: Lines) -> bool:
    """Return whether lines are one tour that meets the constraints."""
    if len(lines) != 1:
        return False
    [line] = lines
    squares = line[:-1] if instance.closed else line
    try:
        tour = Tour(instance.board, squares, instance.closed)
    except InvalidTourError:
        return False
    return instance.satisfied_by(tour.squares)


def _line(board: Board, nodes: list[int]) -> list[int]:
    """Return a cycle of nodes as a line of squares: cut at the depot, or back to its start."""
    depot = len(board)
    if depot in nodes:
        after = nodes.index(depot) + 1
        nodes = nodes[after:] + nodes[: after - 1]
    else:
        nodes = [*nodes, nodes[0]]
    return [int(board.squares[node]) for node in nodes]
