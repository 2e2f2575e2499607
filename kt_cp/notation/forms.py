"""A path as it is written, and as it was read: the forms and their readings.

A reader turns a text into forms, before the board is known: squares, successors, or a numbered
board. A form judged on a board is a `Reading`, with the validator's report.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape

import numpy as np

from kt_cp.board import Board, Mask
from kt_cp.errors import InputError, pluralize
from kt_cp.graph import Graph
from kt_cp.notation.notations import IdNaming, Naming, Notation, boards_of_ids, naming, sample
from kt_cp.notation.text import Integers
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import (
    FEWEST_CLOSED,
    Fault,
    FaultKind,
    Report,
    Steps,
    leads_back,
    on_board,
    validate_ids,
    validate_moves,
)

_NAMED = 12  # missing squares, in one line
_CHESS = naming(Notation.SQUARES)


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A path that was read, a tour or not; it is true if the path is a tour.

    ``entries`` is the number of squares or moves that were given, and ``naming`` how messages name
    a square (None: by id and chess name). ``remarks`` say what was left out or taken as it is,
    ``notes`` which other readings there are.
    """

    report: Report
    notation: Notation
    entries: int
    naming: Naming | None = None
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def graph(self) -> Graph:
        """The board or graph on which the path was judged."""
        return self.report.graph

    @property
    def board(self) -> Board:
        """The board on which the path was judged. Raises `InputError` for any other graph."""
        return self.report.board

    @property
    def closed(self) -> bool:
        """Whether the path was judged as a closed tour."""
        return self.report.closed

    @property
    def ids(self) -> Integers:
        """The ids in visiting order; for an entry off the board, a number that is no id."""
        return self.report.path

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return self.report.valid

    def __bool__(self) -> bool:
        return self.valid

    def _repr_html_(self) -> str:
        """Show the notation, the verdict and the faults in a notebook."""
        notes = "".join(f"<p>note: {escape(note)}</p>" for note in self.notes)
        return f"<p>read as: {escape(self.read_as)}</p>{notes}{self.report._repr_html_()}"

    def __repr__(self) -> str:
        return f"<{self.verdict}; read as {self.read_as}>"

    @property
    def verdict(self) -> str:
        """The judgement in one line."""
        return self.report.verdict

    @property
    def read_as(self) -> str:
        """The notation, the board and what else was detected, in one line."""
        entries = pluralize(self.entries, "entry", "entries")
        if not isinstance(self.graph, Board):
            return f"names of vertices, {entries}, {self.graph.title}"
        parts = [self.notation.description, entries, f"board {self.board.title}"]
        if self.board.holes:
            parts[-1] += f" with {pluralize(len(self.board.holes), 'hole')}"
        return ", ".join([*parts, *(["closed"] if self.closed else []), *self.remarks])

    @cached_property
    def tour(self) -> Tour:
        """The path as a tour. Raises `InvalidTourError` if it is none."""
        ids = np.asarray(self.ids, dtype=np.int64)
        return Tour.of_ids(self.graph, ids, self.closed)

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults in the order of the path, with messages in the notation of the text."""
        return self.report.iter_faults(self._name if self.naming else None)

    def fault_lines(self) -> Iterator[str]:
        """Yield one line for each fault, and one for all missing squares together."""
        missing = self.report.counts.get(FaultKind.MISSING, 0)
        faults = self.iter_faults()
        for fault in faults:
            if fault.kind is not FaultKind.MISSING or missing == 1:
                yield fault.message
                continue
            first = [fault, *itertools.islice(faults, _NAMED - 1)]
            names = [self._name(each.squares[0]) for each in first]
            more = f" and {missing - len(names)} more" if missing > len(names) else ""
            yield f"{missing} squares are not visited: {' '.join(names)}{more}"
            return

    def _name(self, square: int) -> str:
        return (self.naming or _CHESS).names(self.board, np.array([square]))[0]


# What stands in a cell of a numbered board instead of a step; no text or list has the second.
UNNUMBERED, HOLE = -1, -(10**18)
_FEWEST_ROWS = 3


@dataclass(frozen=True, eq=False)
class Form(ABC):
    """A path as it is written, without a board; ``numbers`` are those of the text."""

    notation: Notation
    numbers: Integers

    def is_plausible(self, board: Board | None) -> bool:
        """Return whether to try it where no notation is given: with no 0 if it counts from 1."""
        return self.notation.first == 0 or int(self.numbers.min()) >= self.notation.first

    @abstractmethod
    def boards(self, given: Board | None) -> list[Board]:
        """Return the board given, or else the boards that may be meant, the likeliest first.

        Raises `InputError` where the form fits on none.
        """

    def fits(self, board: Board) -> bool:
        """Return whether the path can be judged on a board."""
        try:
            return board in self.boards(board)
        except InputError:
            return False

    def legal_share(self, board: Board) -> float:
        """Return the share of its moves, or of a sample of them, that are legal on a board."""
        moves = self._sample(board)
        inside = moves[on_board(board, moves).all(axis=1)]
        return float(board.are_moves(*inside.T).sum()) / len(moves) if len(moves) else 1.0

    @abstractmethod
    def _sample(self, board: Board) -> Integers:
        """Return some moves, as rows of two ids."""

    @abstractmethod
    def report(self, board: Board, closed: bool) -> Report:
        """Judge the path exactly as it is written."""

    @abstractmethod
    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path on a board. If ``closed`` is None, the kind of tour is detected."""


@dataclass(frozen=True, eq=False)
class SquaresForm(Form):
    """Squares named one by one, with a row of numbers for each.

    They are in visiting order, and a closed path may repeat its first square at the end; or, if not
    ``in_order``, they are the two ends of each move. ``steps`` are the step numbers given with the
    squares, if any. ``board`` and ``closed`` are from the text. Moves are closed if they lead back
    or are as many as their squares, other paths also if one more move would lead back.
    """

    naming: Naming
    in_order: bool = True
    steps: Steps | None = None
    board: Board | None = None
    closed: bool | None = None
    remarks: tuple[str, ...] = ()

    def boards(self, given: Board | None) -> list[Board]:
        """Return the board given, by the text or otherwise, or else those that the squares fit."""
        if given is not None and self.board is not None and given != self.board:
            raise InputError(f"the text is about the board {self.board.title}, not {given.title}")
        known = given or self.board
        return [known] if known else self.naming.boards(self.numbers, self._places)

    def _sample(self, board: Board) -> Integers:
        ends = (self.naming.ids(board, self.numbers[part]) for part in self._places.T)
        return np.stack([*ends], axis=1)

    @property
    def _places(self) -> Integers:
        """Pairs of rows between which there is a move; a sample of them if they are many."""
        if self.in_order:
            return sample(len(self.numbers) - 1)[:, None] + np.arange(2)
        return 2 * sample(len(self.numbers) // 2)[:, None] + np.arange(2)

    def report(self, board: Board, closed: bool) -> Report:
        """Judge the squares, or the moves, exactly as they are written."""
        ids = self.naming.ids(board, self.numbers)
        if not self.in_order:
            report = validate_moves(board, ids.reshape(-1, 2).astype(np.int64), closed)
        elif self.steps is None:
            report = validate_ids(board, ids, closed)
        else:
            report = validate_ids(board, ids, closed, self.steps, first=int(self.steps[0] != 0))
        return replace(report, entry=lambda place: self.naming.entry(self.numbers[place]))

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the squares, or the moves; a first square repeated at the end closes the path."""
        closed = self.closed if closed is None else closed
        of_moves = self.notation.base in (Notation.MOVES, Notation.FACTS)
        form, entries, remarks = self, len(self.numbers), self.remarks
        if not self.in_order:
            entries //= 2
            squares = len(set(map(tuple, self.numbers.tolist())))
            closed = entries >= squares if closed is None else closed
            remarks = ("moves in no order", *remarks)
        elif closed is not False and self._repeats_first():
            form, closed = replace(self, numbers=self.numbers[:-1]), True
            remarks = remarks if of_moves else ("first square repeated at the end", *remarks)
        elif closed is None:
            closed = not of_moves and leads_back(board, self.naming.ids(board, self.numbers))
        report = form.report(board, closed)
        entries -= self.in_order and of_moves
        return Reading(report, self.notation, entries, self.naming, remarks)

    def _repeats_first(self) -> bool:
        """Return whether the first square comes again as the last one, and nowhere else."""
        first = self.numbers[0]
        if len(self.numbers) <= FEWEST_CLOSED or not np.array_equal(self.numbers[-1], first):
            return False
        same = [column == number for column, number in zip(self.numbers.T, first, strict=True)]
        return int(np.count_nonzero(np.logical_and.reduce(same))) == 2


@dataclass(frozen=True, eq=False)
class SuccessorsForm(Form):
    """For each id the id visited after it; a hole has itself, the end of an open tour -1.

    Counted from 1 all are greater by one, so that the end has 0.
    """

    def is_plausible(self, board: Board | None) -> bool:
        """Return whether at most one square has no successor, and every successor is an id."""
        if int(self.numbers.max()) - self.notation.first >= len(self.numbers):
            return False
        return int(np.count_nonzero(self.numbers == self.notation.first - 1)) <= 1

    def boards(self, given: Board | None) -> list[Board]:
        """Return the boards with as many ids as successors on which most moves are legal."""
        size, first = len(self.numbers), self.notation.first
        if given is not None:
            if given.area != size:
                wanted = f"{given.size} has {given.area} ids, and each needs a successor"
                raise InputError(f"{size} successors: {wanted}")
            return [given]
        themselves = np.arange(first, first + size, dtype=self.numbers.dtype)
        holes = np.flatnonzero(self.numbers == themselves)
        likely = boards_of_ids(self._sample(), [size], size)
        exact = [board for board in likely if board.area == size]
        if len(holes) == size or not exact:
            raise InputError(f"{size} successors fill no rectangle; give the board")
        return [Board(board.rows, board.columns, holes.tolist()) for board in exact]

    def _sample(self, board: Board | None = None) -> Integers:
        own = sample(len(self.numbers))
        ids = self.numbers[own] - self.notation.first
        makes_move = (ids != own) & (ids != -1)
        return np.stack([own[makes_move], ids[makes_move]], axis=1)

    def report(self, board: Board, closed: bool) -> Report:
        """Judge the path along the successors if it is a tour, or else the moves in no order."""
        return self.on(board, closed).report

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the moves from each id to its successor, in no order; a hole has itself."""
        naming = IdNaming(self.notation.first)
        ids = naming.ids(board, self.numbers[:, None])
        own = np.arange(len(ids), dtype=ids.dtype)
        ends = ids == -1
        makes_move = ~(ends | (~board.mask & (ids == own)))
        count = int(np.count_nonzero(makes_move))
        if closed is None:
            closed = not ends.any()
        if not count:
            report = validate_ids(board, np.flatnonzero(ends), closed)
        else:
            moves = np.stack([own, ids], axis=1)[makes_move].astype(np.int64)
            report = validate_moves(board, moves, closed)
            if report.valid and not np.array_equal(ids[report.path[:-1]], report.path[1:]):
                report = validate_ids(board, _followed(ids, makes_move), closed)
            first = self.notation.first
            report = replace(report, entry=lambda place: str(moves.flat[place] + first))
        return Reading(report, self.notation, count, naming)


def _followed(successors: Integers, makes_move: Mask) -> Integers:
    """Return the path along the successors from a square that is none, where two moves meet."""
    begins = makes_move.copy()
    begins[successors[makes_move]] = False
    path = [int(np.argmax(begins))]
    while makes_move[path[-1]]:
        path.append(int(successors[path[-1]]))
    return np.array(path)


@dataclass(frozen=True, eq=False)
class GridForm(Form):
    """A numbered board: a cell holds a step, `HOLE`, or a number that is too small for a step."""

    remarks: tuple[str, ...] = ()

    def is_plausible(self, board: Board | None) -> bool:
        """Return whether to try it: a single 0 is a step, several are squares without one.

        Fewer than three rows or columns are a list, unless they have holes.
        """
        is_list = self.numbers.size > 1 and min(self.numbers.shape) < _FEWEST_ROWS
        if board is None and is_list and HOLE not in self.numbers:
            return False
        is_zero = self.numbers == 0
        if board is not None and self.fits(board):
            is_zero &= board.grid(board.mask)
        zeros = int(np.count_nonzero(is_zero))
        return self.notation is Notation.NPY or (zeros == 1) == (self._first == 0)

    def boards(self, given: Board | None) -> list[Board]:
        """Return the board as it is drawn, or the board given if it has the same sides."""
        rows, columns = self.numbers.shape
        if given is None:
            return [Board(rows, columns, np.flatnonzero(self.numbers == HOLE).tolist())]
        if (given.rows, given.columns) != (rows, columns):
            raise InputError(f"the numbered board is {rows}x{columns}, not {given.size}")
        return [given]

    def _sample(self, board: Board) -> Integers:
        ids, _ = self._walk
        return np.asarray(ids[sample(len(ids) - 1)[:, None] + np.arange(2)])

    @property
    def _first(self) -> int:
        return 0 if self.notation is Notation.GRID_FROM_0 else 1

    @cached_property
    def _walk(self) -> tuple[Integers, Steps]:
        """The squares in the order of their steps, and these."""
        cells = self.numbers.ravel()
        numbered = np.flatnonzero(cells >= self._first)
        ids = numbered[np.argsort(cells[numbered], kind="stable")]
        return ids, cells[ids]

    def report(self, board: Board, closed: bool) -> Report:
        """Judge the path from step to step; its faults are reported in the numbers of the board."""
        ids, steps = self._walk
        return validate_ids(board, ids, closed, steps, self._first)

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path from step to step."""
        ids, _ = self._walk
        closed = leads_back(board, ids) if closed is None else closed
        report = self.report(board, closed)
        return Reading(report, self.notation, len(ids), remarks=self.remarks)

    def hint(self) -> str:
        """Return how to mark holes, for a board with cells that have no number."""
        empty = (self.numbers != HOLE) & (self.numbers < self._first)
        cells = pluralize(int(np.count_nonzero(empty)), "cell has", "cells have")
        return f"{cells} no number; mark holes by '#', or give the board (--board)"
