"""The validator for paths: is this a tour of this board, and if not, what is wrong where?

It uses no solver and does not depend on where the path comes from. It needs little memory: it goes
through the path in chunks, and again through chunks with faults when these are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask, Squares
from kt_cp.errors import InputError, checked_flag, is_not
from kt_cp.graph import chunks, spans
from kt_cp.tour.paths import GivenPath, Path, PathLike, Steps, as_path
from kt_cp.tour.report import Fault, FaultKind, Report, Words, on_board

# The least number of squares of a closed tour: with two it would use one move there and back.
FEWEST_CLOSED = 3


def is_tour(board: Board, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour.

    It needs two bytes for each id beside the path, and stops at the first fault.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> is_tour(Board(3, 4), tour, closed=False), is_tour(Board(3, 4), tour, closed=True)
    (True, False)
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for _, chunk in chunks(path, overlap=1):
        if chunk.min() < 0 or chunk.max() >= board.area:
            return False
        ids = chunk.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares, so every square is visited once.
    return np.array_equal(visited, board.mask) and (not closed or leads_back(board, path))


def leads_back(board: Board, path: npt.NDArray[Any]) -> bool:
    """Return whether a path is long enough to be closed, and a move leads back to its start."""
    ends = path[[-1, 0]] if len(path) >= FEWEST_CLOSED else np.array([-1])
    if (ends < 0).any() or (ends >= board.area).any():
        return False
    return bool(board.are_moves(*ends.astype(np.int32)[:, None])[0])


Jumps = npt.NDArray[np.int64]  # differences of steps
Rows = npt.NDArray[np.integer]  # two places of the path for each fault, ordered by the first

_NOWHERE = np.empty(0, dtype=np.int32)
_MOST_ENTRIES = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False, repr=False)
class PathReport(Report):
    """The judgement of `validate`.

    ``notes`` name another reading of the path, if there is one. ``given`` is the path in the form
    in which it was given, ``first`` holds for each id the place, from 1, of its first visit (0:
    none), and ``faulty`` the chunks with faults.
    """

    given: GivenPath
    first: Squares
    faulty: Sequence[tuple[int, int]] = ()
    notes: tuple[str, ...] = ()

    @property
    def steps(self) -> Steps:
        """The step numbers of the path."""
        if self.given.steps is not None:
            return self.given.steps
        return np.arange(len(self.path)) + self.given.count_from

    @property
    def legal_moves(self) -> npt.NDArray[np.int64]:
        """The legal ones among the moves from a step to the next, as rows (from, to) of ids."""
        pairs = np.stack([self.path[:-1], self.path[1:]], axis=1)[np.diff(self.steps) == 1]
        if self.closed and len(self.path) >= FEWEST_CLOSED:
            pairs = np.concatenate([pairs, self.path[None, [-1, 0]]])
        pairs = pairs[on_board(self.board, pairs).all(axis=1)].astype(np.int64)
        return np.asarray(pairs[self.board.are_moves(*pairs.T)])

    def _entry(self, place: int) -> str:
        return self.given.entry(place) if self.given.entry else str(self.path[place])

    def _placed(self, words: Words) -> Iterator[Fault]:
        for span in self.faulty:
            found = _judge(self.board, self.given, self.closed, self.first, span)
            rows = [(*row, kind) for kind, places in found for row in places.tolist()]
            rows.sort(key=itemgetter(0))
            for here, there, kind in rows:
                yield self._fault(kind, here, there, words)

    def _step(self, place: int) -> int:
        steps = self.given.steps
        return place + self.given.count_from if steps is None else int(steps[place])

    def _fault(self, kind: FaultKind, here: int, there: int, words: Words) -> Fault:
        square, other = int(self.path[here]), int(self.path[there])
        step, other_step = self._step(here), self._step(there)
        if kind is FaultKind.OFF_BOARD:
            message = f"step {step}: {words.off_board(here)}"
            return Fault(kind, step, None, (square,), message)
        if kind is FaultKind.HOLE:
            message = f"step {step}: square {words.name(square)} is a hole"
            return Fault(kind, step, None, (square,), message)
        if kind is FaultKind.REPEAT:
            earlier = f"was visited before, at step {other_step}"
            message = f"step {step}: square {words.name(square)} {earlier}"
            return Fault(kind, step, other_step, (square,), message)
        if kind is FaultKind.SAME_STEP:
            message = f"step {step} is on two squares: {words.name(other)} and {words.name(square)}"
            return Fault(kind, step, step, (other, square), message)
        if kind is FaultKind.NO_STEP:
            first, last = other_step + 1 if here else self.given.count_from, step - 1
            steps = f"step {first} is" if first == last else f"steps {first} to {last} are"
            return Fault(kind, first, last, (), f"{steps} on no square")
        if kind is FaultKind.NOT_CLOSED and len(self.path) < FEWEST_CLOSED:
            message = f"a closed tour has at least {FEWEST_CLOSED} squares"
        else:
            back = "back " if kind is FaultKind.NOT_CLOSED else ""
            jump = f"{words.name(square)} {back}to {words.name(other)}"
            message = f"step {step} to {other_step}: {is_not(jump, self.board.piece.move_name)}"
        return Fault(kind, step, other_step, (square, other), message)


def validate(board: Board | str, path: PathLike | GivenPath, closed: bool = False) -> PathReport:
    """Return a report on whether a path is a tour of a board.

    The path holds ids, names or (row, column) pairs, or is a numbered board; see `as_path`. If it
    can be read in two ways, the one with fewer faults is chosen, and a note of the report mentions
    the other. A square off the board or a hole is a fault by itself; moves to and from a hole are
    judged, moves to and from a square off the board are not. Raises `InputError` for anything that
    is not a path.

    On a numbered board with gaps or repeated numbers, and in a dict of such steps, moves are judged
    between consecutive steps that occur once.

    >>> validate("3x4", ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
    <valid open tour of 3x4, 12 squares>
    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    >>> for fault in report.faults:
    ...     print(fault.message)
    step 7 to 8: 2 (c3) to 0 (a3) is not a knight's move
    step 8: square 0 (a3) was visited before, at step 1
    step 9: square 9 is off the board; 3x3 has ids 0 to 8, files a to c and ranks 1 to 3
    square 7 (b1) is not visited
    """
    board, closed = Board.of(board), checked_flag("closed", closed)
    readings = [path] if isinstance(path, GivenPath) else as_path(board, path)
    report, *others = sorted(
        (_report(board, given, closed) for given in readings),
        key=lambda report: sum(report.counts.values()),
    )
    notes = (
        f"read as {report.given.form}; as {other.given.form}: {other.verdict}" for other in others
    )
    return replace(report, notes=tuple(notes))


def _report(board: Board, given: GivenPath, closed: bool) -> PathReport:
    if len(given.ids) > _MOST_ENTRIES:
        raise InputError(f"a path of more than {_MOST_ENTRIES:,} entries is refused")
    if given.steps is None and is_tour(board, given.ids, closed):
        return PathReport(board, closed, given.ids, {}, board.mask, given, _NOWHERE)
    counts: Counter[FaultKind] = Counter()
    faulty = []
    first = np.zeros(board.area, dtype=np.int32)
    for span in spans(len(given.ids)):
        found = dict(_judge(board, given, closed, first, span))
        counts.update({kind: len(rows) for kind, rows in found.items()})
        if any(map(len, found.values())):
            faulty.append(span)
    visited = first > 0
    counts[FaultKind.MISSING] = len(board) - int(np.count_nonzero(visited))
    return PathReport(board, closed, given.ids, dict(+counts), visited, given, first, faulty)


def _judge(
    board: Board, given: GivenPath, closed: bool, first: Squares, span: tuple[int, int]
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults of a chunk by kind, in the order in which those of one place are reported.

    ``first`` holds for each id the place, from 1, of its first visit before or in this chunk (0:
    none); those in this chunk are added to it.
    """
    start, end = span
    path = given.ids
    ids = _board_ids(board, path[start : end + 1])
    here = ids[: end - start]
    off_board = here < 0
    on_hole = ~(off_board | board.mask[here])
    yield FaultKind.OFF_BOARD, _rows(start, off_board)
    yield FaultKind.HOLE, _rows(start, on_hole)
    visits = np.flatnonzero(~(off_board | on_hole))
    yield FaultKind.REPEAT, _repeats(here[visits], start + visits, first)
    jumps = None if given.steps is None else _jumps(given.steps, start, end, given.count_from)
    if jumps is not None:
        yield FaultKind.SAME_STEP, _rows(start, jumps[: end - start] == 0, -1)
        yield FaultKind.NO_STEP, _rows(start, jumps[: end - start] > 1, -1)
    yield FaultKind.ILLEGAL_MOVE, _rows(start, _illegal_moves(board, ids, jumps), 1)
    is_last = closed and end == len(path)
    if is_last and on_board(board, path[[-1, 0]]).all() and not leads_back(board, path):
        yield FaultKind.NOT_CLOSED, np.array([[end - 1, 0]])


def _board_ids(board: Board, path: Path) -> Squares:
    """Return a part of a path as ids, with -1 for entries off the board."""
    inside = on_board(board, path)
    ids = np.full(len(path), -1, dtype=np.int32)
    ids[inside] = path[inside]
    return ids


def _repeats(squares: Squares, places: Rows, first: Squares) -> Rows:
    """Return the places of repeated visits, each with that of the first visit."""
    new = first[squares] == 0
    # In reverse order, so that of several visits to a square the first is written last.
    first[squares[new][::-1]] = places[new][::-1] + 1
    earlier = first[squares] - 1
    return np.asarray(np.stack([places, earlier], axis=1)[earlier != places])


def _jumps(steps: Steps, start: int, end: int, count_from: int = 1) -> Jumps:
    """Return the differences of the steps before each square of a chunk and the two that follow.

    Before the first square of the path comes the step before ``count_from``, and after the last
    square the next step.

    >>> _jumps(np.array([3, 4, 4, 6]), 0, 3).tolist()
    [3, 1, 0, 2, 1]
    """
    around = steps[max(start - 1, 0) : end + 2].astype(np.int64)
    before = np.array([count_from - 1] if start == 0 else [], dtype=np.int64)
    return np.diff(around, prepend=before, append=around[-1:] + 1)


def _illegal_moves(board: Board, ids: Squares, jumps: Jumps | None) -> Mask:
    """Return for each square of a chunk whether the move from it is judged and illegal."""
    wrong = (ids[:-1] >= 0) & (ids[1:] >= 0)
    if jumps is not None:
        before, between, after = (jumps[first : first + len(wrong)] for first in range(3))
        wrong &= (between == 1) & (before != 0) & (after != 0)
    wrong[wrong] = ~board.are_moves(ids[:-1][wrong], ids[1:][wrong])
    return wrong


def _rows(start: int, found: Mask, offset: int = 0) -> Rows:
    """Return the places of faults, each with another at this offset."""
    places = start + np.flatnonzero(found)
    return np.stack([places, places + offset], axis=1)
