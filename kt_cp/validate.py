"""Is this sequence a tour of this board? Every fault named, with its place.

It knows nothing of solvers, nor of where the sequence comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.squares import chess_name
from kt_cp.words import counted

Path = npt.NDArray[Any]  # int64, or Python integers where one does not fit
Namer = Callable[[int], str]


class FaultKind(StrEnum):
    """What can be wrong with a path."""

    OFF_BOARD = "off-board"
    HOLE = "hole"
    REPEAT = "repeat"
    ILLEGAL_MOVE = "illegal-move"
    NOT_CLOSED = "not-closed"
    MISSING = "missing"


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, its place in the path and one sentence about it.

    ``step`` counts from 1 and is None for a missing square. ``other_step`` is the earlier visit of
    a repeated square, and the step that an illegal move leads to. ``squares`` are ids: one, or for
    a move from and to.
    """

    kind: FaultKind
    step: int | None
    other_step: int | None
    squares: tuple[int, ...]
    message: str


@dataclass(frozen=True, eq=False)
class Report:
    """What `validate` found: nothing wrong, or every fault in the order of the path."""

    board: Board
    closed: bool
    path: Path
    _rows: tuple[tuple[FaultKind, npt.NDArray[np.int64]], ...]

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return not self.counts

    @cached_property
    def counts(self) -> dict[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        return {kind: len(rows) for kind, rows in self._rows if len(rows)}

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

    def places(self, kind: FaultKind) -> npt.NDArray[np.int64]:
        """Give a row for each fault of a kind: its place in the path from 0, and the other place.

        The other one is the earlier visit of a repeated square, the place an illegal move leads to,
        or the same. Missing squares have no place.

        >>> validate(Board(3, 4), [0, 6, 0, 1]).places(FaultKind.REPEAT).tolist()
        [[2, 0]]
        """
        return dict(self._rows).get(kind, np.empty((0, 2), dtype=np.int64))

    def iter_faults(self, name: Namer | None = None) -> Iterator[Fault]:
        """Yield the faults in order, one by one; ``name`` writes a square of the board.

        Without it a square is written as its id and chess name.
        """
        name = name or (lambda square: f"{square} ({chess_name(self.board, square)})")
        steps = np.concatenate([_sort_key(kind, rows, self.path) for kind, rows in self._rows])
        kinds = np.repeat(np.arange(len(self._rows)), [len(rows) for _, rows in self._rows])
        offsets = np.concatenate([np.arange(len(rows)) for _, rows in self._rows])
        for place in np.argsort(steps, kind="stable"):
            kind, rows = self._rows[kinds[place]]
            yield self._fault(kind, rows[offsets[place]], name)

    def _fault(self, kind: FaultKind, row: npt.NDArray[np.int64], name: Namer) -> Fault:
        if kind is FaultKind.MISSING:
            square = int(row[0])
            return Fault(kind, None, None, (square,), f"square {name(square)} is not visited")
        index, other = (int(value) for value in row)
        here, step = int(self.path[index]), index + 1
        if kind in (FaultKind.ILLEGAL_MOVE, FaultKind.NOT_CLOSED):
            there = int(self.path[other])
            if kind is FaultKind.NOT_CLOSED and len(self.path) < 3:
                message = "a closed tour has at least 3 squares"
            else:
                back = "back " if kind is FaultKind.NOT_CLOSED else ""
                message = (
                    f"step {step} to {other + 1}: "
                    f"{name(here)} {back}to {name(there)} is no {self.board.piece.move_name}"
                )
            return Fault(kind, step, other + 1, (here, there), message)
        if kind is FaultKind.REPEAT:
            message = f"step {step}: square {name(here)} was visited before, at step {other + 1}"
            return Fault(kind, step, other + 1, (here,), message)
        if kind is FaultKind.HOLE:
            return Fault(kind, step, None, (here,), f"step {step}: square {name(here)} is a hole")
        ids = f"{self.board.size} has ids 0 to {self.board.area - 1}"
        message = f"step {step}: square {here} is off the board; {ids}"
        return Fault(kind, step, None, (here,), message)


def validate(board: Board, path: Iterable[int], closed: bool = False) -> Report:
    """Judge whether a sequence of square ids is a tour of the board.

    Any sequence of integers is taken, of any length and size. A step off the board or on a hole has
    that fault alone; moves to or from a place off the board are not judged, moves to or from a hole
    are. Raises `InputError` when the sequence holds something else than integers.

    >>> validate(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]).verdict
    'valid open tour of 3x4, 12 squares'
    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 repeat, 1 illegal move, 1 square missing'
    >>> for fault in report.faults:
    ...     print(fault.message)
    step 7 to 8: 2 (c3) to 0 (a3) is no knight's move
    step 8: square 0 (a3) was visited before, at step 1
    step 9: square 9 is off the board; 3x3 has ids 0 to 8
    square 7 (b1) is not visited
    """
    given = _as_integers(path)
    ids = _as_int64(given)
    inside = (ids >= 0) & (ids < board.area)
    on_square = inside.copy()
    on_square[inside] = board.mask[ids[inside]]
    steps = np.flatnonzero(on_square)
    first = np.full(board.area, -1, dtype=np.int64)
    first[ids[steps[::-1]]] = steps[::-1]
    seen = first[ids[steps]]
    repeated = seen != steps
    rows = (
        (FaultKind.OFF_BOARD, _pairs(np.flatnonzero(~inside))),
        (FaultKind.HOLE, _pairs(np.flatnonzero(inside & ~on_square))),
        (FaultKind.REPEAT, np.stack([steps[repeated], seen[repeated]], axis=1)),
        (FaultKind.ILLEGAL_MOVE, _illegal_moves(board, ids, inside)),
        (FaultKind.NOT_CLOSED, _closing_fault(board, ids, inside, closed)),
        (FaultKind.MISSING, _pairs(np.flatnonzero(board.mask & (first < 0)))),
    )
    return Report(board, closed, given, rows)


def _as_integers(path: Iterable[int]) -> Path:
    given = path if isinstance(path, np.ndarray) else list(path)
    try:
        array = np.asarray(given)
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


def _illegal_moves(
    board: Board, ids: npt.NDArray[np.int64], inside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    wrong = inside[:-1] & inside[1:]
    wrong &= ~board.are_moves(ids[:-1], ids[1:])
    sources = np.flatnonzero(wrong)
    return np.stack([sources, sources + 1], axis=1)


def _closing_fault(
    board: Board, ids: npt.NDArray[np.int64], inside: npt.NDArray[np.bool_], closed: bool
) -> npt.NDArray[np.int64]:
    last = len(ids) - 1
    if not closed or last < 0 or not (inside[last] and inside[0]):
        return np.empty((0, 2), dtype=np.int64)
    if len(ids) >= 3 and board.are_moves(ids[-1:], ids[:1])[0]:
        return np.empty((0, 2), dtype=np.int64)
    return np.array([[last, 0]], dtype=np.int64)


def _pairs(indices: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.stack([indices, indices], axis=1)


def _sort_key(kind: FaultKind, rows: npt.NDArray[np.int64], path: Path) -> npt.NDArray[np.int64]:
    return np.full(len(rows), len(path)) if kind is FaultKind.MISSING else rows[:, 0]


_COUNTED: dict[FaultKind, Callable[[int], str]] = {
    FaultKind.OFF_BOARD: lambda n: f"{n} off the board",
    FaultKind.HOLE: lambda n: f"{n} on a hole" if n == 1 else f"{n} on holes",
    FaultKind.REPEAT: lambda n: counted(n, "repeat"),
    FaultKind.ILLEGAL_MOVE: lambda n: counted(n, "illegal move"),
    FaultKind.NOT_CLOSED: lambda n: "does not close",
    FaultKind.MISSING: lambda n: f"{counted(n, 'square')} missing",
}
