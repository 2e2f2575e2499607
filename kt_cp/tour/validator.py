"""Is this sequence a tour of this board? Every fault named, with its place.

It knows nothing of solvers, nor of where the sequence comes from.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask, Squares
from kt_cp.board.chunks import chunks, spans
from kt_cp.board.square_names import chess_name
from kt_cp.display import drawn
from kt_cp.errors import InputError, counted
from kt_cp.tour.rules import FEWEST_CLOSED, is_tour
from kt_cp.tour.visits import FirstVisits, Path, Places, board_ids, place_type

Rows = npt.NDArray[np.integer]  # for each fault two places in the path, ascending by the first
Jumps = npt.NDArray[np.int64]  # differences of steps
Namer = Callable[[int], str]


class FaultKind(StrEnum):
    """What can be wrong with a path."""

    OFF_BOARD = "off-board"
    HOLE = "hole"
    REPEAT = "repeat"
    ILLEGAL_MOVE = "illegal-move"
    NOT_CLOSED = "not-closed"
    SAME_STEP = "same-step"
    NO_STEP = "no-step"
    SPLIT = "split"
    MISSING = "missing"


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, its place in the path and one sentence about it.

    ``step`` counts from 1 and is None for a missing square, and for moves without an order.
    ``other_step`` is the earlier visit of a repeated square, the step that an illegal move leads
    to, and the last of several steps that no square has. ``squares`` are ids: one, or for a move
    from and to.
    """

    kind: FaultKind
    step: int | None
    other_step: int | None
    squares: tuple[int, ...]
    message: str


@dataclass(frozen=True)
class Words:
    """How faults name squares, what stands at a place of the path, and what the board has."""

    name: Namer
    entry: Namer
    span: str

    def off_board(self, board: Board, place: int) -> str:
        """Say that what stands at this place is off the board."""
        return f"square {self.entry(place)} is off the board; {board.size} has {self.span}"


@dataclass(frozen=True, eq=False)
class Report:
    """What `validate` found: nothing wrong, or every fault in the order of the path.

    ``numbering`` holds the steps that the squares of the path carry (None: 1, 2, 3, …), ``visited``
    the squares on it, ascending unless all are. ``_rows`` has its kinds in the order in which
    faults of one place are told.
    """

    board: Board
    closed: bool
    path: Path
    numbering: npt.NDArray[np.integer] | None
    _rows: Mapping[FaultKind, Sequence[Rows]]
    visited: npt.NDArray[np.integer]

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return not self.counts

    @property
    def steps(self) -> npt.NDArray[np.integer]:
        """The steps that the squares of the path carry."""
        return np.arange(1, len(self.path) + 1) if self.numbering is None else self.numbering

    @cached_property
    def counts(self) -> dict[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        counts = {kind: sum(map(len, parts)) for kind, parts in self._rows.items()}
        counts[FaultKind.MISSING] = len(self.board) - len(self.visited)
        return {kind: count for kind, count in counts.items() if count}

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in the order of the path, then the missing squares by id."""
        return tuple(self.iter_faults())

    @property
    def verdict(self) -> str:
        """The answer in one line.

        >>> validate(Board(1, 1), [0]).verdict
        'valid open tour of 1x1, 1 square'
        """
        if self.valid:
            kind = "closed" if self.closed else "open"
            return f"valid {kind} tour of {self.board.title}, {counted(len(self.board), 'square')}"
        return "not a tour: " + ", ".join(self.phrases.values())

    @property
    def phrases(self) -> dict[FaultKind, str]:
        """The number of faults of each kind that occurs, in words."""
        counts = self.counts
        return {kind: phrase(counts[kind]) for kind, phrase in _COUNTED.items() if kind in counts}

    def _repr_html_(self) -> str:
        """Show the verdict, the faults and where they are, in a notebook."""
        return str(drawn("notebook.report_html", self))

    def iter_faults(self, name: Namer | None = None, entry: Namer | None = None) -> Iterator[Fault]:
        """Yield the faults in order, one by one.

        ``name`` writes a square of the board; without it that is its id and chess name. ``entry``
        writes what stands at a place of the path, counted from 0, where that is off the board.
        """
        words = self._words(name, entry)
        by_place = heapq.merge(*(self._places(kind) for kind in self._rows), key=itemgetter(0))
        for here, there, kind in by_place:
            yield self._fault(kind, here, there, words)
        for square in self._missing():
            message = f"square {words.name(square)} is not visited"
            yield Fault(FaultKind.MISSING, None, None, (square,), message)

    def _words(self, name: Namer | None, entry: Namer | None) -> Words:
        last = self.board.area - 1
        return Words(
            name or (lambda square: f"{square} ({chess_name(self.board, square)})"),
            entry or (lambda place: str(self.path[place])),
            f"{name(0)} to {name(last)}" if name else f"ids 0 to {last}",
        )

    def _places(self, kind: FaultKind) -> Iterator[tuple[int, int, FaultKind]]:
        for part in self._rows[kind]:
            for _, rows in chunks(part):
                for here, there in rows.tolist():
                    yield here, there, kind

    def _missing(self) -> Iterator[int]:
        if FaultKind.MISSING not in self.counts:
            return
        holes = np.array(self.board.holes, dtype=np.int32)
        for start, end in spans(self.board.area):
            left = np.ones(end - start, dtype=np.bool_)
            for taken in (self.visited, holes):
                # As int32, lest all of them be copied to be compared.
                first, last = np.searchsorted(taken, np.array([start, end], dtype=np.int32))
                left[taken[first:last] - start] = False
            yield from (np.flatnonzero(left) + start).tolist()

    def _step(self, place: int) -> int:
        return place + 1 if self.numbering is None else int(self.numbering[place])

    def _fault(self, kind: FaultKind, here: int, there: int, words: Words) -> Fault:
        square, other = int(self.path[here]), int(self.path[there])
        step, other_step = self._step(here), self._step(there)
        if kind is FaultKind.OFF_BOARD:
            message = f"step {step}: {words.off_board(self.board, here)}"
            return Fault(kind, step, None, (square,), message)
        if kind is FaultKind.HOLE:
            message = f"step {step}: square {words.name(square)} is a hole"
            return Fault(kind, step, None, (square,), message)
        if kind is FaultKind.REPEAT:
            earlier = f"was visited before, at step {other_step}"
            message = f"step {step}: square {words.name(square)} {earlier}"
            return Fault(kind, step, other_step, (square,), message)
        if kind is FaultKind.SAME_STEP:
            both = f"{words.name(other)} and {words.name(square)}"
            return Fault(
                kind, step, step, (other, square), f"step {step} is on two squares: {both}"
            )
        if kind is FaultKind.NO_STEP:
            first, last = (0 if here == there else other_step) + 1, step - 1
            steps = f"step {first} is" if first == last else f"steps {first} to {last} are"
            return Fault(kind, first, last, (), f"{steps} on no square")
        if kind is FaultKind.NOT_CLOSED and len(self.path) < FEWEST_CLOSED:
            message = f"a closed tour has at least {FEWEST_CLOSED} squares"
        else:
            back = "back " if kind is FaultKind.NOT_CLOSED else ""
            jump = f"{words.name(square)} {back}to {words.name(other)}"
            message = f"step {step} to {other_step}: {jump} is no {self.board.piece.move_name}"
        return Fault(kind, step, other_step, (square, other), message)


def validate(
    board: Board,
    path: Iterable[int],
    closed: bool = False,
    steps: Sequence[int] | npt.NDArray[np.integer] | None = None,
) -> Report:
    """Judge whether a sequence of square ids is a tour of the board.

    Any sequence of integers is taken, of any length and size. A step off the board or on a hole has
    that fault alone; moves to or from a place off the board are not judged, moves to or from a hole
    are. ``steps`` are the numbers that the squares of the path carry, ascending, where these may
    have gaps or come twice, as on a numbered board; moves are then judged between squares whose
    steps are neighbors and come once. Raises `InputError` when the sequence holds something else
    than integers.

    >>> validate(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]).verdict
    'valid open tour of 3x4, 12 squares'
    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    >>> for fault in report.faults:
    ...     print(fault.message)
    step 7 to 8: 2 (c3) to 0 (a3) is no knight's move
    step 8: square 0 (a3) was visited before, at step 1
    step 9: square 9 is off the board; 3x3 has ids 0 to 8
    square 7 (b1) is not visited
    """
    given = _as_integers(path, "a path is a flat sequence of integers, the ids of the squares")
    if steps is not None:
        steps = _as_integers(steps, f"steps: {_WANTED_STEPS}")
        _check_steps(steps, len(given))
    if steps is None and is_tour(board, given, closed):
        return Report(board, closed, given, None, {}, given)
    rows: dict[FaultKind, list[Rows]] = {kind: [] for kind in _PLACED}
    if steps is not None and len(steps) and steps[0] > 1:
        rows[FaultKind.NO_STEP].append(_pairs(np.zeros(1, dtype=np.int32)))
    visits = FirstVisits(board, given)
    holes = np.array(board.holes, dtype=np.int32)
    for start, chunk in chunks(given):
        ids = board_ids(board, given[start : start + len(chunk) + 1])
        jumps = None if steps is None else _jumps(steps, start, len(chunk))
        for kind, found in (
            *_square_faults(ids[: len(chunk)], holes, visits, start),
            *(() if jumps is None else _step_faults(jumps[: len(chunk)], start)),
            (FaultKind.ILLEGAL_MOVE, _pairs(start + _illegal_moves(board, ids, jumps), 1)),
        ):
            if len(found):
                rows[kind].append(found.astype(place_type(given)))
    rows[FaultKind.NOT_CLOSED].append(_closing_fault(board, given, closed))
    return Report(board, closed, given, steps, rows, visits.squares)


def _as_integers(path: Iterable[int], wanted: str) -> Path:
    given = path if isinstance(path, np.ndarray) else list(path)
    try:
        array = np.asarray(given)
        if array.dtype.kind == "f" and array is not given:
            array = np.asarray(given, dtype=object)  # NumPy makes floats of 0 and 2**63 together
    except (ValueError, OverflowError):
        array = np.empty(0)
    if array.size == 0 and array.ndim == 1 and len(given) == 0:
        return np.empty(0, dtype=np.int64)
    if array.ndim != 1 or not _holds_integers(array):
        raise InputError(wanted)
    return array


_WANTED_STEPS = "give a number from 1 for each square of the path, in ascending order"


def _check_steps(steps: npt.NDArray[np.integer], count: int) -> None:
    if len(steps) != count:
        lengths = f"{counted(len(steps), 'step')} for {counted(count, 'square')}"
        raise InputError(f"{lengths}: {_WANTED_STEPS}")
    falls = any((chunk[1:] < chunk[:-1]).any() for _, chunk in chunks(steps, overlap=1))
    if falls or (count and steps[0] < 1):
        raise InputError(f"steps: {_WANTED_STEPS}")


def _holds_integers(array: Path) -> bool:
    if array.dtype == object or array.dtype.kind == "f":
        # NumPy makes these of integers beyond int64; only the originals can tell.
        return array.dtype == object and all(type(item) is int for item in array)
    return array.dtype.kind in "iu"


def _square_faults(
    ids: Squares, holes: Squares, visits: FirstVisits, start: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Find what is wrong with the squares of a chunk, and tell the visits of them."""
    yield FaultKind.OFF_BOARD, _pairs(start + np.flatnonzero(ids < 0))
    on_hole = _among(holes, ids)
    yield FaultKind.HOLE, _pairs(start + np.flatnonzero(on_hole))
    on_square = np.flatnonzero((ids >= 0) & ~on_hole)
    places = start + on_square
    first = visits.tell(ids[on_square], places)
    yield FaultKind.REPEAT, np.stack([places, first], axis=1)[first != places]


def _among(holes: Squares, ids: Squares) -> Mask:
    if len(holes) == 0:
        return np.zeros(len(ids), dtype=np.bool_)
    return np.asarray(holes[np.searchsorted(holes[:-1], ids)] == ids)


def _jumps(steps: npt.NDArray[np.integer], start: int, count: int) -> Jumps:
    """Return by how much the steps grow before each square of a chunk, and before the two after it.

    They grow by 1 to the first square of the path and from its last.

    >>> _jumps(np.array([3, 4, 4, 6]), 0, 3).tolist()
    [1, 1, 0, 2, 1]
    """
    around = steps[max(start - 1, 0) : start + count + 2].astype(np.int64)
    before = around[:1] - 1 if start == 0 else around[:0]
    return np.diff(around, prepend=before, append=around[-1:] + 1)


def _step_faults(jumps: Jumps, start: int) -> Iterator[tuple[FaultKind, Rows]]:
    """Find steps that several squares share, and steps that no square has."""
    yield FaultKind.SAME_STEP, _pairs(start + np.flatnonzero(jumps == 0), -1)
    yield FaultKind.NO_STEP, _pairs(start + np.flatnonzero(jumps > 1), -1)


def _illegal_moves(board: Board, ids: Squares, jumps: Jumps | None) -> Places:
    """Find the moves of a chunk, each by its first square, that the piece does not make."""
    wrong = (ids[:-1] >= 0) & (ids[1:] >= 0)
    if jumps is not None:
        before, between, after = (jumps[first : first + len(wrong)] for first in range(3))
        wrong &= (between == 1) & (before != 0) & (after != 0)
    wrong[wrong] = ~board.are_moves(ids[:-1][wrong], ids[1:][wrong])
    return np.flatnonzero(wrong)


def _closing_fault(board: Board, path: Path, closed: bool) -> Rows:
    if closed and len(path) > 0:
        last, first = board_ids(board, path[-1:]), board_ids(board, path[:1])
        closes = len(path) >= FEWEST_CLOSED and board.are_moves(last, first)[0]
        if last[0] >= 0 and first[0] >= 0 and not closes:
            return np.array([[len(path) - 1, 0]])
    return np.empty((0, 2), dtype=np.int32)


def _pairs(places: Places, offset: int = 0) -> Rows:
    """Pair each place with itself, or another that lies so far behind."""
    return np.stack([places, places + offset], axis=1)


# In the order in which the faults of one place are told.
_PLACED = (
    FaultKind.OFF_BOARD,
    FaultKind.HOLE,
    FaultKind.REPEAT,
    FaultKind.SAME_STEP,
    FaultKind.NO_STEP,
    FaultKind.ILLEGAL_MOVE,
    FaultKind.NOT_CLOSED,
)

_COUNTED: dict[FaultKind, Callable[[int], str]] = {
    FaultKind.OFF_BOARD: lambda n: f"{n} off the board",
    FaultKind.HOLE: lambda n: f"{n} on a hole" if n == 1 else f"{n} on holes",
    FaultKind.ILLEGAL_MOVE: lambda n: counted(n, "illegal move"),
    FaultKind.NOT_CLOSED: lambda n: "does not close",
    FaultKind.REPEAT: lambda n: counted(n, "repeat"),
    FaultKind.SAME_STEP: lambda n: f"{counted(n, 'step')} on two squares",
    FaultKind.NO_STEP: lambda n: f"{counted(n, 'gap')} in the steps",
    FaultKind.SPLIT: lambda n: f"split into {n + 1} components",
    FaultKind.MISSING: lambda n: f"{counted(n, 'square')} missing",
}
