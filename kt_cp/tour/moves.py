"""The validator of moves in any order, such as those of another solver's answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from kt_cp.arrays import both_directions
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.tour.validator import (
    FEWEST_CLOSED,
    Fault,
    FaultKind,
    Moves,
    Report,
    Rows,
    fault_rows,
    on_board,
    too_few_squares,
    validate_ids,
)


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
        FaultKind.OFF_BOARD: fault_rows(~inside.ravel()),
        FaultKind.HOLE: fault_rows((inside & ~on_square).ravel()),
        FaultKind.ILLEGAL_MOVE: np.stack([first_ends, first_ends + 1], axis=1),
    }
    report = Report(
        board,
        closed,
        visited,
        faults,
        moves.ravel(),
        joint_faults=tuple(_joint_faults(board, sound, closed)),
        allows_partial=allows_partial,
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


def _joint_faults(board: Graph, moves: Moves, closed: bool) -> Iterator[Fault]:
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
        yield Fault(FaultKind.REPEAT, None, (int(component[0]),), lead_back)
    for square in np.flatnonzero(degrees > 2).tolist():
        begin = f"{degrees[square]} {words.edges} begin or end there, not 2"
        more_than_once = f"{words.vertex} {{}} comes more than once: {begin}"
        yield Fault(FaultKind.REPEAT, None, (square,), more_than_once)
    for root, size in zip(roots[1:].tolist(), sizes[1:].tolist(), strict=True):
        apart = f"{words.count_vertices(size)} from {{}} on are not joined to {{}}"
        yield Fault(FaultKind.SPLIT, None, (root, int(component[0])), apart)
    if closed and len(squares) < FEWEST_CLOSED:
        named = int(squares[0]) if len(squares) else 0
        yield Fault(FaultKind.NOT_CLOSED, None, (named,), too_few_squares(words))
    elif closed and len(ends):
        no_move = f"no {words.edge} leads back to {{}}: the tour is not closed"
        yield Fault(FaultKind.NOT_CLOSED, None, (int(ends[0]),), no_move)


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
