"""Is this sequence a tour of this board? Every fault named, with its place.

It knows nothing of solvers, nor of where the sequence comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.squares import chess_name
from kt_cp.validate_quick import is_tour
from kt_cp.words import counted

Path = npt.NDArray[Any]  # int64, or Python integers where one does not fit
Rows = npt.NDArray[np.int64]  # for each fault two places in the path
Namer = Callable[[int], str]

# Above this many squares per step of the path, memory goes by the path and not by the board.
_SPARSE = 16
_CHUNK = 10**6

_FEWEST = 3  # squares of a closed tour


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
    the squares on it.
    """

    board: Board
    closed: bool
    path: Path
    numbering: npt.NDArray[np.int64] | None
    _rows: tuple[tuple[FaultKind, Rows], ...]
    visited: npt.NDArray[np.integer]

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return not self.counts

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """The steps that the squares of the path carry."""
        return np.arange(1, len(self.path) + 1) if self.numbering is None else self.numbering

    @cached_property
    def counts(self) -> dict[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        counts = {kind: len(rows) for kind, rows in self._rows}
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
        from kt_cp.draw import report_html  # pictures stand on reports, not the other way round

        return report_html(self)

    def iter_faults(self, name: Namer | None = None, entry: Namer | None = None) -> Iterator[Fault]:
        """Yield the faults in order, one by one.

        ``name`` writes a square of the board; without it that is its id and chess name. ``entry``
        writes what stands at a place of the path, counted from 0, where that is off the board.
        """
        words = self._words(name, entry)
        if self.valid:
            return
        places = np.concatenate([rows[:, 0] for _, rows in self._rows])
        kinds = np.repeat(np.arange(len(self._rows)), [len(rows) for _, rows in self._rows])
        offsets = np.concatenate([np.arange(len(rows)) for _, rows in self._rows])
        for place in np.argsort(places, kind="stable"):
            kind, rows = self._rows[kinds[place]]
            here, there = rows[offsets[place]].tolist()
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

    def _missing(self) -> Iterator[int]:
        if FaultKind.MISSING not in self.counts:
            return
        taken = np.union1d(self.visited, np.array(self.board.holes, dtype=np.int64))
        for start in range(0, self.board.area, _CHUNK):
            left = np.ones(min(_CHUNK, self.board.area - start), dtype=np.bool_)
            first, last = np.searchsorted(taken, [start, start + len(left)])
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
        if kind is FaultKind.NOT_CLOSED and len(self.path) < _FEWEST:
            message = f"a closed tour has at least {_FEWEST} squares"
        else:
            back = "back " if kind is FaultKind.NOT_CLOSED else ""
            jump = f"{words.name(square)} {back}to {words.name(other)}"
            message = f"step {step} to {other_step}: {jump} is no {self.board.piece.move_name}"
        return Fault(kind, step, other_step, (square, other), message)


def validate(
    board: Board,
    path: Iterable[int],
    closed: bool = False,
    steps: Sequence[int] | npt.NDArray[np.int64] | None = None,
) -> Report:
    """Judge whether a sequence of square ids is a tour of the board.

    Any sequence of integers is taken, of any length and size. A step off the board or on a hole has
    that fault alone; moves to or from a place off the board are not judged, moves to or from a hole
    are. ``steps`` are the numbers that the squares of the path carry, ascending, where these may
    have gaps or come twice, as on a numbered board; moves are then judged between squares whose
    steps are neighbours and come once. Raises `InputError` when the sequence holds something else
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
    given = _as_integers(path)
    numbers = None if steps is None else np.asarray(steps, dtype=np.int64)
    if numbers is None and is_tour(board, given, closed):
        return Report(board, closed, given, None, (), given)
    ids = _as_int64(given)
    inside = (ids >= 0) & (ids < board.area)
    on_square = inside & ~np.isin(ids, board.holes) if board.holes else inside
    places = np.flatnonzero(on_square)
    first = places[_first_visits(ids[places], board.area)]
    repeated = first != places
    rows = (
        (FaultKind.OFF_BOARD, _pairs(np.flatnonzero(~inside))),
        (FaultKind.HOLE, _pairs(np.flatnonzero(inside & ~on_square))),
        (FaultKind.REPEAT, np.stack([places[repeated], first[repeated]], axis=1)),
        *(() if numbers is None else _step_faults(numbers)),
        (FaultKind.ILLEGAL_MOVE, _illegal_moves(board, ids, inside, numbers)),
        (FaultKind.NOT_CLOSED, _closing_fault(board, ids, inside, closed)),
    )
    return Report(board, closed, given, numbers, rows, ids[places[~repeated]])


def _first_visits(squares: npt.NDArray[np.int64], area: int) -> npt.NDArray[np.int64]:
    """Give for every visit the place of the first visit to the same square."""
    if area <= _SPARSE * len(squares) + _CHUNK:
        first = np.full(area, -1, dtype=np.int64)
        first[squares[::-1]] = np.arange(len(squares))[::-1]
        return np.asarray(first[squares])
    _, first, number = np.unique(squares, return_index=True, return_inverse=True)
    return np.asarray(first[number])


def _as_integers(path: Iterable[int]) -> Path:
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
        raise InputError("a path is a flat sequence of integers, the ids of the squares in order")
    return array


def _holds_integers(array: Path) -> bool:
    if array.dtype == object or array.dtype.kind == "f":
        # NumPy makes these of integers beyond int64; only the originals can tell.
        return array.dtype == object and all(type(item) is int for item in array)
    return array.dtype.kind in "iu"


def _as_int64(given: Path) -> npt.NDArray[np.int64]:
    """Replace what does not fit, and hence is off every board, by -1."""
    if given.dtype == object or given.dtype == np.uint64:
        given = np.where((given >= 0) & (given < 2**62), given, -1)
    return given.astype(np.int64, copy=False)


def _step_faults(steps: npt.NDArray[np.int64]) -> tuple[tuple[FaultKind, Rows], ...]:
    """Find steps that several squares share, and steps that no square has."""
    jumps = np.diff(steps, prepend=steps[:1] - 1)
    same, gaps = np.flatnonzero(jumps == 0), np.flatnonzero(jumps > 1)
    before_first = np.zeros(int(len(steps) > 0 and steps[0] > 1), dtype=np.int64)
    return (
        (FaultKind.SAME_STEP, np.stack([same, same - 1], axis=1)),
        (
            FaultKind.NO_STEP,
            np.concatenate([_pairs(before_first), np.stack([gaps, gaps - 1], axis=1)]),
        ),
    )


def _illegal_moves(
    board: Board,
    ids: npt.NDArray[np.int64],
    inside: npt.NDArray[np.bool_],
    steps: npt.NDArray[np.int64] | None,
) -> Rows:
    wrong = inside[:-1] & inside[1:]
    if steps is not None:
        wrong &= np.diff(steps) == 1
        wrong[:-1] &= np.diff(steps)[1:] != 0
        wrong[1:] &= np.diff(steps)[:-1] != 0
    wrong[wrong] = ~board.are_moves(ids[:-1][wrong], ids[1:][wrong])
    sources = np.flatnonzero(wrong)
    return np.stack([sources, sources + 1], axis=1)


def _closing_fault(
    board: Board, ids: npt.NDArray[np.int64], inside: npt.NDArray[np.bool_], closed: bool
) -> Rows:
    last = len(ids) - 1
    if not closed or last < 0 or not (inside[last] and inside[0]):
        return np.empty((0, 2), dtype=np.int64)
    if len(ids) >= _FEWEST and board.are_moves(ids[-1:], ids[:1])[0]:
        return np.empty((0, 2), dtype=np.int64)
    return np.array([[last, 0]], dtype=np.int64)


def _pairs(indices: npt.NDArray[np.int64]) -> Rows:
    return np.stack([indices, indices], axis=1)


_COUNTED: dict[FaultKind, Callable[[int], str]] = {
    FaultKind.OFF_BOARD: lambda n: f"{n} off the board",
    FaultKind.HOLE: lambda n: f"{n} on a hole" if n == 1 else f"{n} on holes",
    FaultKind.ILLEGAL_MOVE: lambda n: counted(n, "illegal move"),
    FaultKind.NOT_CLOSED: lambda n: "does not close",
    FaultKind.REPEAT: lambda n: counted(n, "repeat"),
    FaultKind.SAME_STEP: lambda n: f"{counted(n, 'step')} on two squares",
    FaultKind.NO_STEP: lambda n: f"{counted(n, 'gap')} in the steps",
    FaultKind.SPLIT: lambda n: f"{counted(n, 'piece')} apart",
    FaultKind.MISSING: lambda n: f"{counted(n, 'square')} missing",
}
