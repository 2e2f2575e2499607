"""The validator: is this a tour of this board, and if not, what is wrong where?

It takes ids, uses no solver, and does not depend on where the path comes from. What else a path may
be written in is read by `kt_cp.notation.detect.validate`, which ends here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Mask, Squares
from kt_cp.errors import InputError, is_not, pluralize
from kt_cp.graph import Graph, component_labels, spans
from kt_cp.tour.report import (
    Fault,
    FaultKind,
    Moves,
    Path,
    Report,
    Steps,
    Words,
    on_board,
)

# The least number of squares of a closed tour: with two it would use one move there and back.
FEWEST_CLOSED = 3
_TOO_FEW = f"a closed tour has at least {FEWEST_CLOSED} squares"

Rows = npt.NDArray[np.integer]  # two places of the path for each fault, ordered by the first

_MOST_ENTRIES = np.iinfo(np.int32).max
_MOST_FLOAT = 2.0**53  # below it a float holds every whole number


def is_tour(board: Graph, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour.

    It needs two bytes for each id beside the path, and stops at the first fault.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> from kt_cp.board import Board
    >>> is_tour(Board(3, 4), tour, closed=False), is_tour(Board(3, 4), tour, closed=True)
    (True, False)
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for start, end in spans(len(path)):
        part = path[start : end + 1]
        if part.min() < 0 or part.max() >= board.area:
            return False
        ids = part.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares, so every square is visited once.
    return np.array_equal(visited, board.mask) and (not closed or leads_back(board, path))


def leads_back(board: Graph, path: npt.NDArray[Any]) -> bool:
    """Return whether a path is long enough to be closed, and a move leads back to its start."""
    ends = path[[-1, 0]] if len(path) >= FEWEST_CLOSED else np.array([-1])
    if (ends < 0).any() or (ends >= board.area).any():
        return False
    return bool(board.are_moves(*ends.astype(np.int32)[:, None])[0])


def validate_ids(
    board: Graph, path: Path, closed: bool, steps: Steps | None = None, first: int = 1
) -> Report:
    """Return a report on whether ids in visiting order are a tour.

    A number that is no id is a fault by itself, and so is a hole; moves to and from a hole are
    judged, moves to and from a number that is no id are not. ``steps`` are ascending step numbers,
    if the path is numbered, of which the lowest should be ``first``; with gaps or repeated numbers
    the moves are judged between consecutive steps that occur once.

    >>> from kt_cp.board import Board
    >>> report = validate_ids(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 0, 9]), False)
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    """
    if len(path) > _MOST_ENTRIES:
        raise InputError(f"a path of more than {_MOST_ENTRIES:,} entries is refused")
    numbers = np.arange(first, first + len(path)) if steps is None else steps
    is_numbered = steps is None or np.array_equal(steps, np.arange(first, first + len(path)))
    if is_numbered and is_tour(board, path, closed):
        return Report(board, closed, path, {}, board.mask, lambda words: iter(()), numbers)
    inside = on_board(board, path)
    ids = np.full(len(path), -1, dtype=np.int32)
    ids[inside] = path[inside]
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[ids[inside]] = True
    visited &= board.mask
    found = dict(_path_faults(board, ids, closed, numbers, first))
    counts = Counter({kind: len(rows) for kind, rows in found.items()})
    counts[FaultKind.MISSING] = len(board) - int(np.count_nonzero(visited))
    find = partial(_told_faults, board, path, numbers, first, found)
    return Report(board, closed, path, dict(+counts), visited, find, numbers)


def _path_faults(
    board: Graph, ids: Squares, closed: bool, steps: Steps, first: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults by kind, in the order in which those of one place are reported."""
    off_board = ids < 0
    on_hole = ~(off_board | board.mask[ids])
    yield FaultKind.OFF_BOARD, _rows(off_board)
    yield FaultKind.HOLE, _rows(on_hole)
    yield FaultKind.REPEAT, _repeats(board, ids, np.flatnonzero(~(off_board | on_hole)))
    # Before the path comes the step before the first one, and after it the next step.
    ends = [first - 1], [int(steps[-1]) + 1 if len(steps) else first]
    jumps = np.diff(steps.astype(np.int64), prepend=ends[0], append=ends[1])
    yield FaultKind.SAME_STEP, _rows(jumps[:-1] == 0, -1)
    yield FaultKind.NO_STEP, _rows(jumps[:-1] > 1, -1)
    wrong = ~off_board[:-1] & ~off_board[1:]
    wrong &= (jumps[1:-1] == 1) & (jumps[:-2] != 0) & (jumps[2:] != 0)
    wrong[wrong] = ~board.are_moves(ids[:-1][wrong], ids[1:][wrong])
    yield FaultKind.ILLEGAL_MOVE, _rows(wrong, 1)
    if closed and len(ids) and min(ids[-1], ids[0]) >= 0 and not leads_back(board, ids):
        yield FaultKind.NOT_CLOSED, np.array([[len(ids) - 1, 0]])


def _repeats(board: Graph, ids: Squares, visits: npt.NDArray[np.int64]) -> Rows:
    """Return the places of repeated visits, each with that of the first visit."""
    first = np.zeros(board.area, dtype=np.int64)
    # In reverse order, so that of several visits to a square the first is written last.
    first[ids[visits][::-1]] = visits[::-1]
    rows = np.stack([visits, first[ids[visits]]], axis=1)
    return np.asarray(rows[rows[:, 0] != rows[:, 1]])


def _rows(found: Mask, offset: int = 0) -> Rows:
    """Return the places of faults, each with another at this offset."""
    places = np.flatnonzero(found)
    return np.stack([places, places + offset], axis=1)


def _told_faults(
    board: Graph,
    path: Path,
    steps: Steps,
    first: int,
    found: Mapping[FaultKind, Rows],
    words: Words,
) -> Iterator[Fault]:
    """Yield the faults in the order of the path, each with a sentence."""
    kinds = np.repeat(np.arange(len(found)), [len(places) for places in found.values()])
    rows = np.column_stack([np.concatenate([*found.values()]), kinds])
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    every = (row for start, end in spans(len(rows)) for row in rows[start:end].tolist())
    for here, there, number in every:
        kind = [*found][number]
        square, other = int(path[here]), int(path[there])
        step, other_step = int(steps[here]), int(steps[there])
        name = words.name(square) if kind is not FaultKind.OFF_BOARD else ""
        match kind:
            case FaultKind.OFF_BOARD:
                message = f"step {step}: {words.off_board(here)}"
                yield Fault(kind, step, None, (square,), message)
            case FaultKind.HOLE:
                yield Fault(kind, step, None, (square,), f"step {step}: square {name} is a hole")
            case FaultKind.REPEAT:
                message = (
                    f"step {step}: {board.noun} {name} was visited before, at step {other_step}"
                )
                yield Fault(kind, step, other_step, (square,), message)
            case FaultKind.SAME_STEP:
                message = f"step {step} is on two squares: {words.name(other)} and {name}"
                yield Fault(kind, step, step, (other, square), message)
            case FaultKind.NO_STEP:
                low, high = other_step + 1 if here else first, step - 1
                steps_are = f"step {low} is" if low == high else f"steps {low} to {high} are"
                yield Fault(kind, low, high, (), f"{steps_are} on no square")
            case FaultKind.NOT_CLOSED if len(path) < FEWEST_CLOSED:
                yield Fault(kind, step, other_step, (square, other), _TOO_FEW)
            case _:
                back = "back " if kind is FaultKind.NOT_CLOSED else ""
                jump = is_not(f"{name} {back}to {words.name(other)}", board.move_name)
                message = f"step {step} to {other_step}: {jump}"
                yield Fault(kind, step, other_step, (square, other), message)


def validate_moves(board: Graph, moves: Moves, closed: bool) -> Report:
    """Return a report on whether moves, rows of two ids in any order, are those of a tour.

    A tour is a single component in which every square has two moves, except the two ends of an open
    tour. The direction of a move does not matter. The report on a tour is that of `validate_ids`.

    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> from kt_cp.board import Board
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    >>> for fault in report.faults:
    ...     print(fault.message)
    2 (c3) to 4 (b2) is not a knight's move
    square 4 (b2) is a hole
    4 squares from 2 (c3) on are not joined to 0 (a3)
    """
    inside = on_board(board, moves)
    on_square = inside.copy()
    on_square[inside] = board.mask[moves[inside]]
    illegal = np.asarray(inside.all(axis=1))
    illegal[illegal] = ~board.are_moves(*moves[illegal].T)
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[moves[on_square]] = True
    sound = moves[on_square.all(axis=1)]
    joined = list(_joined_faults(board, sound, closed))
    counts = Counter(kind for kind, *_ in joined)
    counts[FaultKind.OFF_BOARD] = int((~inside).sum())
    counts[FaultKind.HOLE] = int((inside & ~on_square).sum())
    counts[FaultKind.ILLEGAL_MOVE] = int(illegal.sum())
    counts[FaultKind.MISSING] = len(board) - int(visited.sum())
    if not +counts:
        return validate_ids(board, _walk(board, sound, closed), closed)
    path = np.flatnonzero(visited)
    faulty = np.flatnonzero(~on_square.all(axis=1) | illegal)
    start = int(sound.min()) if len(sound) else 0
    find = partial(_told_move_faults, board, moves, faulty, start, joined)
    return Report(board, closed, path, dict(+counts), visited, find, moves=moves)


def _joined_faults(
    board: Graph, moves: Moves, closed: bool
) -> Iterator[tuple[FaultKind, int, str]]:
    """Yield what is wrong with moves together: kind, square, and a sentence with room for its name.

    The squares are those with more than two moves, the lowest one of each component but the first,
    and one of the first component if this is closed and should not be, or should be and is not.
    """
    degrees = np.bincount(moves.ravel(), minlength=board.area)
    squares = np.flatnonzero(degrees)
    labels = component_labels(board.area, moves)[squares]
    roots, sizes = np.unique(labels, return_counts=True)
    first = squares[labels == roots[:1]]
    ends = first[degrees[first] == 1]
    if not closed and len(first) and (degrees[first] == 2).all():
        lead_back = "the moves lead back to {}; an open tour has two ends"
        yield FaultKind.REPEAT, int(first[0]), lead_back
    for square in np.flatnonzero(degrees > 2).tolist():
        begin = f"{degrees[square]} moves begin or end there, not 2"
        yield FaultKind.REPEAT, square, f"square {{0}} comes more than once: {begin}"
    for root, size in zip(roots[1:].tolist(), sizes[1:].tolist(), strict=True):
        apart = f"{pluralize(size, 'square')} from {{0}} on are not joined to {{1}}"
        yield FaultKind.SPLIT, root, apart
    if closed and len(squares) < FEWEST_CLOSED:
        yield FaultKind.NOT_CLOSED, int(squares[0]) if len(squares) else 0, _TOO_FEW
    elif closed and len(ends):
        no_move = "no move leads back to {}: the tour is not closed"
        yield FaultKind.NOT_CLOSED, int(ends[0]), no_move


def _walk(board: Graph, moves: Moves, closed: bool) -> Moves:
    """Return the squares in visiting order, of moves that are a single path or cycle.

    The first move is taken in its direction, if there is one from an end of the path.
    """
    ends = np.concatenate([moves, moves[:, ::-1]])
    sums = np.zeros(board.area, dtype=np.int64)  # of the neighbors of each square
    np.add.at(sums, ends[:, 0], ends[:, 1])
    degrees = np.bincount(moves.ravel(), minlength=board.area)
    starts = moves[:, 0] if closed else ends[degrees[ends[:, 0]] == 1, 0]
    here = int(starts.min() if closed else starts[0])
    after = int(ends[ends[:, 0] == here, 1][0])
    path = []
    following = sums.tolist()
    for _ in range(int(np.count_nonzero(degrees))):
        path.append(here)
        here, after = after, following[after] - here
    return np.array(path, dtype=np.int64)


def _told_move_faults(
    board: Graph,
    moves: Moves,
    faulty: Rows,
    start: int,
    joined: Sequence[tuple[FaultKind, int, str]],
    words: Words,
) -> Iterator[Fault]:
    """Yield the faults of single moves, then those of the moves together; none has a step."""
    for place in faulty.tolist():
        source, target = moves[place].tolist()
        yield from _square_faults(board, source, 2 * place, words)
        both = 0 <= source < board.area and 0 <= target < board.area
        if both and not board.are_moves(*moves[place, :, None])[0]:
            jump = is_not(f"{words.name(source)} to {words.name(target)}", board.move_name)
            yield Fault(FaultKind.ILLEGAL_MOVE, None, None, (source, target), jump)
        yield from _square_faults(board, target, 2 * place + 1, words)
    for kind, square, sentence in joined:
        yield Fault(
            kind, None, None, (square,), sentence.format(words.name(square), words.name(start))
        )


def _square_faults(board: Graph, square: int, place: int, words: Words) -> Iterator[Fault]:
    if not 0 <= square < board.area:
        yield Fault(FaultKind.OFF_BOARD, None, None, (square,), words.off_board(place))
    elif not board.mask[square]:
        message = f"square {words.name(square)} is a hole"
        yield Fault(FaultKind.HOLE, None, None, (square,), message)


def as_ids(values: object) -> Path | None:
    """Return integers in one dimension as an array, or None for anything else.

    Floats that are whole numbers are taken too, as `numpy.loadtxt` returns them; booleans and
    masked entries are not.
    """
    is_array = hasattr(values, "__array__")
    if not is_array and not isinstance(values, list | tuple):
        return None
    try:
        array: npt.NDArray[Any] = np.asarray(values)
    except (ValueError, OverflowError):  # nested lists of several lengths
        return None
    if array.ndim != 1 or np.any(getattr(values, "mask", False)):
        return None
    if not array.size:
        return np.empty(0, dtype=np.int64)
    if not is_array or array.dtype.kind == "O":
        items: list[Any] = array.tolist() if is_array else list(values)  # type: ignore[call-overload]
        kinds = set(map(type, items))
        if bool in kinds or np.bool_ in kinds:
            return None
        if kinds == {int} and array.dtype.kind in "fO":  # integers beyond int64
            return np.array(items, dtype=object)
    if array.dtype.kind == "f" and (np.abs(array) < _MOST_FLOAT).all() and (array % 1 == 0).all():
        return array.astype(np.int64)
    return array if array.dtype.kind in "iu" else None
