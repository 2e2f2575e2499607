"""A path as it is written, before the board is known: the form.

A reader turns a text into forms. A form that is judged on a board becomes a `Reading`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.notation.reading import Reading
from kt_cp.notation.text import Integers
from kt_cp.tour.validator import (
    PathReport,
    Report,
    Steps,
    Wording,
    leads_back,
    on_board,
    validate_ids,
    validate_moves,
)

# What stands in a cell of a numbered board instead of a step; no text or list has the second.
UNNUMBERED, HOLE = -1, -(10**18)
_FEWEST_ROWS = 3

# A board so much larger than its path cannot be meant; the path has a mistake.
_SQUARES_PER_ENTRY = 4
_ALWAYS_ALLOWED = 20**2
# No smaller rectangle than 3x4 has a tour, so a shorter path is no tour with a slip.
_FEWEST = 12
_LEGAL = 2 / 3  # of the moves, at a width that may be meant
_SAMPLE = 1000
_BEST = 3


@dataclass(frozen=True, eq=False)
class Form:
    """A path as it is written, before the board is known.

    ``numbers`` has a row for each square that is named: in visiting order, where a closed path may
    repeat its first square at the end, or, if not ``in_order``, the two ends of each move.
    ``steps``, if given, count from ``first``. ``board`` and ``closed`` are from the text; a board
    that is ``drawn`` has the holes of the board given. ``size`` is the number of squares that the
    text claims, of successors that of all ids. ``idle`` are ids with a 0 on a numbered board, or
    with themselves as successor. Where no notation is given, what is ``plausible`` is tried. A form
    that ``fills_board`` fits only on boards of as many squares as it has rows.
    """

    notation: Notation
    numbers: Integers
    naming: Naming
    in_order: bool = True
    steps: Steps | None = None
    first: int = 1
    board: Board | None = None
    drawn: bool = False
    size: int | None = None
    idle: tuple[int, ...] = ()
    plausible: bool = True
    closed: bool | None = None
    fills_board: bool = False
    remarks: tuple[str, ...] = ()

    def is_plausible(self, given: Board | None, unusual: bool) -> bool:
        """Return whether to try it where no notation is given, but perhaps the board.

        On a numbered board a single 0 is a step, several are squares without one. Fewer than three
        rows or columns are a list, unless they have holes or the text tells an unusual board.
        """
        if not self.drawn or self.board is None:
            return self.plausible
        narrow = min(self.board.rows, self.board.columns) < _FEWEST_ROWS and self.board.area > 1
        if given is None and narrow and not self.board.holes and not unusual:
            return False
        zeros = np.setdiff1d(self.idle, () if given is None else given.holes)
        return self.notation is Notation.NPY or (len(zeros) == 1) == (self.first == 0)

    def boards(self, given: Board | None, headed: tuple[int, int] | None = None) -> list[Board]:
        """Return the board given, or else those that may be meant, the likeliest first.

        Those of a heading may be the rows and columns, or the columns and rows.

        Raises `InputError` where the form fits on none.
        """
        if self.fills_board and given is not None and len(given) != len(self.numbers):
            return []
        successors = self.notation.base is Notation.SUCCESSORS
        if (known := given or self.board) is not None:
            told = self.board or known
            if successors and known.area != self.size:
                wanted = f"{known.size} has {known.area} ids, and each needs a successor"
                raise InputError(f"{self.size} successors: {wanted}")
            if known.size != told.size or not (self.drawn or known == told):
                raise InputError(f"the path is on the board {told.title}, not {known.title}")
            return [known]
        most = _SQUARES_PER_ENTRY * len(self.numbers) + _ALWAYS_ALLOWED
        likely = (sides for sides in self._likely_sides() if math.prod(sides) <= most)
        boards = [
            Board(*sides, self.idle)
            for sides in dict.fromkeys([headed, headed[::-1]] if headed else likely)
            if not (successors or self.fills_board) or math.prod(sides) == self.size
        ]
        if not boards and not self.fills_board:
            far = "some squares are too far off for so short a path"
            why = f"{self.size} successors fill no rectangle" if successors else far
            raise InputError(f"the board cannot be detected: {why}; give the board, as in 8x8")
        return boards

    def _likely_sides(self) -> Iterator[tuple[int, int]]:
        """Yield the sides of the smallest rectangles and square boards that hold the squares.

        The width at which most moves between ids are legal is determined by these: a jump changes
        the id by the width more or less 2, or twice the width more or less 1.
        """
        if self.numbers.shape[1] == 2:
            rows, columns = map(_sizes, self.naming.rows_and_columns(self.numbers))
            pairs = [*itertools.product(rows, columns)]
            yield from [*pairs, *((max(pair), max(pair)) for pair in pairs)]
            return
        ids = self.numbers[:, 0] - self.naming.first
        moves = ids[self._sample].astype(np.int64)
        for area in [self.size] if self.size else _sizes(ids):
            inside = moves[((moves >= 0) & (moves < area)).all(axis=1)]
            jumps = np.abs(np.diff(inside)).ravel()
            odd = jumps[jumps % 2 == 1]
            votes = np.concatenate([jumps - 2, jumps + 2, (odd - 1) // 2, (odd + 1) // 2])
            widths, counts = np.unique(votes[(votes > 0) & (votes <= area)], return_counts=True)
            for width in widths[np.argsort(-counts, kind="stable")[:_BEST]].tolist():
                down, right = (np.abs(np.diff(part)) for part in np.divmod(inside, width))
                if (down * right == 2).sum() >= _LEGAL * len(inside):
                    yield -(-area // width), width
            side = math.isqrt(area - 1) + 1
            yield side, side

    @property
    def _sample(self) -> Integers:
        """Pairs of rows between which there is a move; a sample of them if they are many."""
        places = np.arange(0, len(self.numbers) - 1, 1 if self.in_order else 2)
        if len(places) > _SAMPLE:  # the same at each call, but not periodic
            places = np.sort(np.random.default_rng(0).choice(places, _SAMPLE))
        return places[:, None] + np.arange(2)

    def legal_share(self, board: Board) -> float:
        """Return the share of its moves, or of a sample of them, that are legal on a board."""
        moves = self.naming.ids(board, self.numbers[self._sample.ravel()]).reshape(-1, 2)
        inside = moves[on_board(board, moves).all(axis=1)]
        return float(board.are_moves(*inside.T).sum()) / len(moves) if len(moves) else 1.0

    def path_report(self, board: Board, closed: bool) -> PathReport:
        """Judge a path that is in order exactly as it is written."""
        ids = self.naming.ids(board, self.numbers)
        report = validate_ids(board, ids, closed, self.steps, self.first)
        return replace(report, wording=Wording(entry=self._entry))

    def report(self, board: Board, closed: bool) -> Report:
        """Judge the path or the moves exactly as they are written."""
        if self.in_order:
            return self.path_report(board, closed)
        ids = self.naming.ids(board, self.numbers)
        report = validate_moves(board, ids.reshape(-1, 2).astype(np.int64), closed)
        return replace(report, wording=Wording(entry=self._entry))

    def _entry(self, place: int) -> str:
        """Return how the entry at a place is written."""
        return self.naming.write(self.numbers[[place]])[0]

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path on a board. If ``closed`` is None, the kind of tour is detected.

        Moves are closed if they lead back or are as many as their squares, other paths also if one
        more move would lead back.
        """
        closed = self.closed if closed is None else closed
        form, entries, remarks = self, len(self.numbers), self.remarks
        of_moves, last = self.notation.of_moves, len(self.numbers) - 1
        if not self.in_order:
            entries //= 2
            remarks = ("moves in no order", *remarks) if of_moves else remarks
            if closed is None:
                closed = entries >= len(np.unique(self.numbers, axis=0))
        else:
            entries -= of_moves
            visits = np.flatnonzero((self.numbers == self.numbers[:1]).all(axis=1))  # to the first
            if closed is not False and last > 2 and np.array_equal(visits, [0, last]):
                form, closed = replace(self, numbers=self.numbers[:-1]), True
                if not of_moves:
                    remarks = ("first square repeated at the end", *remarks)
            elif closed is None:
                closed = not of_moves and leads_back(board, self.naming.ids(board, self.numbers))
        report = form.report(board, closed)
        if self.drawn:  # a numbered board does not name its squares
            return Reading(report, self.notation, entries, None, remarks)

        def name(square: int) -> str:
            return self.naming.names(board, np.array([square]))[0]

        report = replace(report, wording=replace(report.wording, square=name))
        return Reading(report, self.notation, entries, self.naming, remarks)


def forms_in(base: Notation, numbers: Integers, pair: str = "{},{}", **more: Any) -> list[Form]:
    """Return the forms in all ways to count and to order a pair; from 1 is implausible with a 0."""
    has_zero = int(numbers.min()) < 1
    return [
        Form(each, numbers, naming(each, pair), plausible=not (each.first and has_zero), **more)
        for each in base.ways
    ]


def _sizes(values: Integers) -> list[int]:
    """Return how many values from 0 on may be meant: up to the highest, or but for it, a slip."""
    top = int(values.max())
    slip = len(values) >= _FEWEST and np.count_nonzero(values == top) == 1
    second = int(values.max(where=values < top, initial=-1)) if slip else -1
    return [value + 1 for value in (top, second) if value >= 0]
