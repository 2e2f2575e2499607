"""The validator: it decides whether a path is a tour, and reports every fault with its place.

It takes ids and knows no solver. `kt_cp.notation.detect.validate` reads paths in other forms and
then calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares, both_directions, chunks
from kt_cp.board.names import SquareLike, StepBySquare
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.tour.kinds import FEWEST_CLOSED
from kt_cp.tour.report import (
    FaultKind,
    JointFault,
    Moves,
    MovesReport,
    Path,
    PathReport,
    Report,
    Rows,
    Wording,
    on_board,
    too_few_squares,
)

PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]

_MAX_ENTRIES = np.iinfo(np.int32).max


def is_tour(board: Graph, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour.

    The path is examined in chunks, to avoid temporary arrays as large as the tour.
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for start, end in chunks(len(path)):
        part = path[start : end + 1]
        if closed and end == len(path):
            part = np.append(part, path[0])  # the move back to the start
        if part.min() < 0 or part.max() >= board.area:
            return False
        ids = part.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares, so every square is visited once.
    is_too_short = closed and len(path) < FEWEST_CLOSED
    return np.array_equal(visited, board.mask) and not is_too_short


def leads_back(board: Graph, path: npt.NDArray[Any]) -> bool:
    """Return whether a path has at least three squares and a move leads back to its start."""
    if len(path) < FEWEST_CLOSED or not on_board(board, path[[-1, 0]]).all():
        return False
    return bool(board.are_moves(*path[[-1, 0]].astype(np.int32)[:, None])[0])


def validate_ids(
    board: Graph, path: Path, closed: bool, steps: Ints | None = None, first: int = 1
) -> PathReport:
    """Return a report on whether ids in visiting order are a tour.

    ``steps`` are the step numbers in ascending order, if the path states them; the lowest should be
    ``first``. A move is checked if its two steps are consecutive, occur once, and are on the board.
    Raises `InputError` for a path of more than 2**31 - 1 entries.

    >>> from kt_cp.board import Board
    >>> report = validate_ids(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 0, 9]), False)
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    """
    if len(path) > _MAX_ENTRIES:
        raise InputError(f"a path of more than {_MAX_ENTRIES:,} entries is refused")
    numbers = np.arange(first, first + len(path))
    steps = numbers if steps is None else steps
    if np.array_equal(steps, numbers) and is_tour(board, path, closed):
        return PathReport(board, closed, board.mask, {}, path, steps)
    inside = on_board(board, path)
    ids = np.full(len(path), -1, dtype=np.int32)
    ids[inside] = path[inside]
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[ids[inside]] = True
    faults = dict(_path_faults(board, ids, closed, steps, first))
    return PathReport(board, closed, visited & board.mask, faults, path, steps)


def validate_listed(graph: Graph, squares: Iterable[Any], closed: bool) -> PathReport:
    """Return a report on whether ids or names in visiting order are a tour (see `Graph.locate`).

    Raises `InputError` for a value without an order, and for an entry that names no square.

    >>> from kt_cp.board import Board
    >>> validate_listed(Board(3, 3), ["a1", 5, (0, 0)], False).path.tolist()
    [6, 5, 0]
    """
    ids = as_ids(squares) if graph.has_places else None
    if ids is not None:
        return validate_ids(graph, ids, closed)
    path, names = graph.read_path(squares)
    report = validate_ids(graph, path, closed)
    return replace(
        report, wording=Wording(entry=lambda place: escape_unprintable(str(names[place])))
    )


def _path_faults(
    board: Graph, ids: Squares, closed: bool, steps: Ints, first: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults by kind, in the order in which faults at the same place are reported.

    In ``ids``, -1 marks entries off the board.
    """
    off_board = ids < 0
    on_hole = ~(off_board | board.mask[ids])
    yield FaultKind.OFF_BOARD, _rows(off_board)
    yield FaultKind.HOLE, _rows(on_hole)
    yield FaultKind.REPEAT, _repeats(board, ids, np.flatnonzero(~(off_board | on_hole)))
    # increases[i] is the step of entry i minus the step before it: 1 unless a step is missing or
    # repeated. The path is framed by the steps that should come before and after it.
    step_before = first - 1
    step_after = int(steps[-1]) + 1 if len(steps) else first
    increases = np.diff(steps.astype(np.int64), prepend=step_before, append=step_after)
    yield FaultKind.SAME_STEP, _rows(increases[:-1] == 0, -1)
    gaps = np.flatnonzero(increases[:-1] > 1)
    yield FaultKind.NO_STEP, np.stack([gaps, steps[gaps] - increases[gaps] + 1], axis=1)
    # A move leads from entry i to entry i + 1: both must be on the board, with consecutive steps
    # that no other entry has.
    is_consecutive = increases[1:-1] == 1
    occurs_once = (increases[:-1] != 0) & (increases[1:] != 0)
    is_on_board = ~off_board
    is_checked = is_consecutive & occurs_once[:-1] & occurs_once[1:]
    is_checked &= is_on_board[:-1] & is_on_board[1:]
    yield FaultKind.ILLEGAL_MOVE, _illegal_moves(board, ids, np.flatnonzero(is_checked))
    has_ends = len(ids) > 0 and min(ids[-1], ids[0]) >= 0
    if closed and has_ends and not leads_back(board, ids):
        yield FaultKind.NOT_CLOSED, np.array([[len(ids) - 1, 0]])


def _repeats(board: Graph, ids: Squares, visits: Ints) -> Rows:
    """Return the places of repeated visits, each with the place of the first visit."""
    first_visit = np.zeros(board.area, dtype=np.int64)
    # Assign in reverse order: of several visits to a square, the first is written last and stays.
    first_visit[ids[visits][::-1]] = visits[::-1]
    repeats = visits[visits != first_visit[ids[visits]]]
    return np.stack([repeats, first_visit[ids[repeats]]], axis=1)


def _illegal_moves(board: Graph, ids: Squares, places: Ints) -> Rows:
    """Return the places from which the next move is illegal, each with the next place."""
    illegal = places[~board.are_moves(ids[places], ids[places + 1])]
    return np.stack([illegal, illegal + 1], axis=1)


def _rows(found: Mask, offset: int = 0) -> Rows:
    """Return the places of faults, each with the place at this offset from it."""
    places = np.flatnonzero(found)
    return np.stack([places, places + offset], axis=1)


def validate_moves(
    board: Graph, moves: Moves, closed: bool, allows_partial: bool = False
) -> Report:
    """Return a report on whether moves, rows of two ids in any order, form a tour.

    The direction of a move does not matter. Where the report ``allows_partial`` tours, squares may
    be left out. For a tour the report is that of `validate_ids`.

    >>> from kt_cp.board import Board
    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    """
    inside = on_board(board, moves)
    on_square = inside.copy()
    on_square[inside] = board.mask[moves[inside]]
    are_ids = inside.all(axis=1)
    illegal = np.zeros(len(moves), dtype=np.bool_)
    illegal[are_ids] = ~board.are_moves(*moves[are_ids].T)
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[moves[on_square]] = True
    sound = moves[on_square.all(axis=1)]
    first_ends = 2 * np.flatnonzero(illegal)  # the ends of move i are the entries 2 i and 2 i + 1
    faults: dict[FaultKind, Rows] = {
        FaultKind.OFF_BOARD: _rows(~inside.ravel()),
        FaultKind.HOLE: _rows((inside & ~on_square).ravel()),
        FaultKind.ILLEGAL_MOVE: np.stack([first_ends, first_ends + 1], axis=1),
    }
    joint_faults = tuple(_joint_faults(board, sound, closed))
    report = MovesReport(
        board, closed, visited, faults, moves, joint_faults, allows_partial=allows_partial
    )
    if not report.valid:
        return report
    path = _walk(sound, closed)
    one_way = replace(validate_ids(board, path, closed), allows_partial=allows_partial)
    if one_way.valid:
        return one_way
    # In a directed graph the path may be a tour only from its other end.
    other_way = validate_ids(board, path[::-1], closed)
    return replace(other_way, allows_partial=allows_partial)


def _joint_faults(board: Graph, moves: Moves, closed: bool) -> Iterator[JointFault]:
    """Yield the faults of moves together: repeated squares, several components, missing closure."""
    words = board.vocabulary
    degrees = np.bincount(moves.ravel(), minlength=board.area)
    squares = np.flatnonzero(degrees)
    labels = component_labels(board.area, moves)[squares]
    roots, sizes = np.unique(labels, return_counts=True)
    component = squares[labels == roots[:1]]  # the first one; empty if there are no moves
    ends = component[degrees[component] == 1]
    if not closed and len(component) and (degrees[component] == 2).all():
        two_ends = f"{words.a_tour(closed=False)} has two ends"
        lead_back = f"the {words.edges} lead back to {{}}; {two_ends}"
        yield JointFault(FaultKind.REPEAT, lead_back, (int(component[0]),))
    for square in np.flatnonzero(degrees > 2).tolist():
        begin = f"{degrees[square]} {words.edges} begin or end there, not 2"
        more_than_once = f"{words.vertex} {{}} comes more than once: {begin}"
        yield JointFault(FaultKind.REPEAT, more_than_once, (square,))
    for root, size in zip(roots[1:].tolist(), sizes[1:].tolist(), strict=True):
        apart = f"{words.count_vertices(size)} from {{}} on are not joined to {{}}"
        yield JointFault(FaultKind.SPLIT, apart, (root, int(component[0])))
    if closed and len(squares) < FEWEST_CLOSED:
        named = int(squares[0]) if len(squares) else 0
        yield JointFault(FaultKind.NOT_CLOSED, too_few_squares(words), (named,))
    elif closed and len(ends):
        no_move = f"no {words.edge} leads back to {{}}: the tour is not closed"
        yield JointFault(FaultKind.NOT_CLOSED, no_move, (int(ends[0]),))


def _walk(moves: Moves, closed: bool) -> Moves:
    """Return the squares in visiting order, for moves that form a single path or cycle.

    A square has at most two neighbors, so the next one is the sum of both minus the previous one.
    """
    tails, heads = both_directions(moves).T
    neighbor_sums = np.bincount(tails, heads).astype(np.int64).tolist()
    if closed:
        start, length = int(tails.min()), len(moves)
    else:
        ends = tails[np.bincount(tails)[tails] == 1]
        start, length = int(ends[0]), len(moves) + 1
    here, after = start, int(heads[tails == start][0])
    path = []
    for _ in range(length):
        path.append(here)
        here, after = after, neighbor_sums[after] - here
    return np.array(path, dtype=np.int64)


def as_ids(values: object) -> Path | None:
    """Return an array, list or tuple of integers as an array; None for anything else."""
    if isinstance(values, np.ndarray):
        is_plain = values.ndim == 1 and values.dtype.kind in "iu" and not np.ma.is_masked(values)
        return values if is_plain else None
    if not isinstance(values, list | tuple):
        return None
    kinds = set(map(type, values))
    if not all(kind is int or issubclass(kind, np.integer) for kind in kinds):
        return None
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
