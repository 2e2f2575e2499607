"""A path that was read: its notation, its board, and the validator's report on it."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from kt_cp.board import Board, Mask
from kt_cp.errors import InputError, pluralize
from kt_cp.notation.notations import IdNaming, Naming, Notation, boards_of_ids, naming, sample
from kt_cp.notation.text import Integers
from kt_cp.tour.paths import GivenPath, numbered_path
from kt_cp.tour.report import Fault, FaultKind, Report, on_board
from kt_cp.tour.tour import Tour
from kt_cp.tour.unordered import validate_moves
from kt_cp.tour.validator import FEWEST_CLOSED, leads_back, validate

_NAMED = 12  # missing squares, in one line
_CHESS = naming(Notation.SQUARES)


@dataclass(frozen=True, eq=False, repr=False)
class Reading:
    """A path that was read, a tour or not; it is true if the path is a tour.

    ``numbers`` has a row for each square, as ``naming`` writes it (None: as ids). ``remarks`` say
    what was left out or taken as it is, ``notes`` which other readings there are.
    """

    report: Report
    notation: Notation
    entries: int
    numbers: Integers
    naming: Naming | None = None
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> Board:
        """The board on which the path was judged."""
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
        """Whether the path is a tour."""
        return self.valid

    def _repr_html_(self) -> str:
        """Show the notation, the verdict and the faults in a notebook."""
        notes = "".join(f"<p>note: {escape(note)}</p>" for note in self.notes)
        return f"<p>read as: {escape(self.read_as)}</p>{notes}{self.report._repr_html_()}"

    def __repr__(self) -> str:
        """Return the verdict and how it was read."""
        return f"<{self.verdict}; read as {self.read_as}>"

    @property
    def verdict(self) -> str:
        """The judgement in one line."""
        return self.report.verdict

    @property
    def read_as(self) -> str:
        """The notation, the board and what else was detected, in one line."""
        entries = pluralize(self.entries, "entry", "entries")
        parts = [self.notation.description, entries, f"board {self.board.title}"]
        if self.board.holes:
            parts[-1] += f" with {pluralize(len(self.board.holes), 'hole')}"
        return ", ".join([*parts, *(["closed"] if self.closed else []), *self.remarks])

    @cached_property
    def tour(self) -> Tour:
        """The path as a tour. Raises `InvalidTourError` if it is none."""
        return Tour(self.board, self.ids, self.closed)

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults in the order of the path, with messages in the notation of the text."""
        naming = self.naming
        if naming is None:
            return self.report.iter_faults()
        return self.report.iter_faults(
            name=self._name,
            entry=lambda place: naming.entry(self.numbers[place]),
        )

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


_MOST_JOINED = 2 * 10**7  # moves; these take 7 GB

# What stands in a cell of a numbered board instead of a step.
HOLE = -1
UNNUMBERED = -2


@dataclass(frozen=True, eq=False)
class Form(ABC):
    """A path as it is written, without a board; ``numbers`` are those of the text."""

    notation: Notation
    numbers: Integers

    @property
    def plausible(self) -> bool:
        """Whether to try it when no notation is given: there is no 0 where counting starts at 1."""
        return self.notation.first == 0 or int(self.numbers.min()) >= self.notation.first

    @abstractmethod
    def boards(self, given: Board | None) -> list[Board]:
        """Return the board given, or else the boards that may be meant, the likeliest first.

        Raises `InputError` where the form fits on none.
        """

    def legal_share(self, board: Board) -> float:
        """Return the share of its moves, or of a sample of them, that are legal on a board."""
        moves = self._sample(board)
        inside = moves[on_board(board, moves).all(axis=1)]
        return float(board.are_moves(*inside.T).sum()) / len(moves) if len(moves) else 1.0

    @abstractmethod
    def _sample(self, board: Board) -> Integers:
        """Return some moves, as rows of two ids."""

    @abstractmethod
    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path on a board. If ``closed`` is None, the kind of tour is detected."""


@dataclass(frozen=True, eq=False)
class SquaresForm(Form):
    """Squares named one by one, with a row of numbers for each.

    They are in visiting order, and a closed path may repeat its first square at the end; or, if not
    ``in_order``, they are the two ends of each move. ``board`` and ``closed`` are from the text.
    """

    naming: Naming
    in_order: bool = True
    board: Board | None = None
    closed: bool | None = None

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

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path, or the moves, on a board."""
        closed = self.closed if closed is None else closed
        ids = self.naming.ids(board, self.numbers)
        return self._path(board, ids, closed) if self.in_order else self._moves(board, ids, closed)

    def _path(self, board: Board, ids: Integers, closed: bool | None) -> Reading:
        remarks: tuple[str, ...] = ()
        of_moves = self.notation.base in (Notation.MOVES, Notation.FACTS)
        if closed is not False and self._repeats_first():
            ids, closed = ids[:-1], True
            if not of_moves:
                remarks = ("first square repeated at the end",)
        report = validate(board, ids, leads_back(board, ids) if closed is None else closed)
        entries = len(self.numbers) - of_moves
        return Reading(report, self.notation, entries, self.numbers, self.naming, remarks)

    def _repeats_first(self) -> bool:
        """Return whether the first square comes again as the last one, and nowhere else."""
        first = self.numbers[0]
        if len(self.numbers) <= FEWEST_CLOSED or not np.array_equal(self.numbers[-1], first):
            return False
        same = [column == number for column, number in zip(self.numbers.T, first, strict=True)]
        return int(np.count_nonzero(np.logical_and.reduce(same))) == 2

    def _moves(self, board: Board, ids: Integers, closed: bool | None) -> Reading:
        moves = ids.reshape(-1, 2)
        if closed is None:
            closed = len(moves) >= len(np.unique(moves))  # as many as squares
        if len(moves) > _MOST_JOINED:
            raise InputError(
                f"no tour: {len(moves):,} moves do not make one in their order, and more than "
                f"{_MOST_JOINED:,} are not searched for faults"
            )
        report = validate_moves(board, moves.astype(np.int64), closed)
        of_moves = self.notation.base is not Notation.SUCCESSORS
        remarks = ("moves in no order",) if of_moves else ()
        return Reading(report, self.notation, len(moves), self.numbers, self.naming, remarks)


@dataclass(frozen=True, eq=False)
class SuccessorsForm(Form):
    """For each id the id visited after it; a hole has itself, the end of an open tour -1.

    Counted from 1 all are greater by one, so that the end has 0.
    """

    @property
    def plausible(self) -> bool:
        """Whether at most one square has no successor, and every successor is an id."""
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

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path along the successors if it is a tour, or else the moves in no order."""
        naming = IdNaming(self.notation.first)
        ids = naming.ids(board, self.numbers[:, None])
        own = np.arange(len(ids), dtype=ids.dtype)
        ends = ids == -1
        makes_move = ~(ends | (~board.mask & (ids == own)))
        count = int(np.count_nonzero(makes_move))
        if closed is None:
            closed = not ends.any()
        path = _followed(ids, makes_move, closed) if count else np.flatnonzero(ends)
        if path is not None:
            report = validate(board, path, closed)
            if report.valid or not count:
                return Reading(report, self.notation, count, self.numbers[:, None], naming)
        moves = np.stack([own, ids], axis=1)[makes_move].reshape(-1, 1) + self.notation.first
        return SquaresForm(self.notation, moves, naming, in_order=False).on(board, closed)


def _followed(successors: Integers, makes_move: Mask, closed: bool) -> Integers | None:
    """Return the path along the successors, or None if there are other moves beside it.

    An open path begins at a square that no move leads to, and ends at a successor of -1.
    """
    if int(successors.min()) < -1 or int(successors.max()) >= len(successors):
        return None
    begins = makes_move.copy()
    if not closed:
        begins[successors[makes_move]] = False
    path = np.empty(np.count_nonzero(makes_move) + (not closed), dtype=np.int32)
    visited, after = path.data, successors.data
    start = square = int(np.argmax(begins))
    for place in range(len(path)):
        visited[place] = square
        square = after[square]
    return path if square == (start if closed else -1) else None


@dataclass(frozen=True, eq=False)
class GridForm(Form):
    """A numbered board: a cell holds a step, `HOLE`, or a number that is too small for a step."""

    @property
    def plausible(self) -> bool:
        """Whether to try this reading: a single 0 is a step, several are squares without one."""
        zeros = int(np.count_nonzero(self.numbers == 0))
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
        ids = self._walk.ids
        return np.asarray(ids[sample(len(ids) - 1)[:, None] + np.arange(2)])

    @property
    def _first(self) -> int:
        return 0 if self.notation is Notation.GRID_FROM_0 else 1

    @cached_property
    def _walk(self) -> GivenPath:
        """The squares in the order of their steps."""
        return numbered_path(self.numbers.ravel(), self._first)

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path from step to step; its faults are reported in the numbers of the board."""
        ids = self._walk.ids
        report = validate(board, self._walk, leads_back(board, ids) if closed is None else closed)
        return Reading(report, self.notation, len(ids), ids[:, None])
