"""The forms a path is written in: squares in order, moves, successors, a numbered board.

A form is what a reader makes of a text before the board is known. Put on a board, it is a
`Reading`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import IdNaming, Naming
from kt_cp.notation.reading import Reading
from kt_cp.notation.shapes import boards_of_ids, sample
from kt_cp.notation.text import Integers
from kt_cp.validate import validate
from kt_cp.validate_moves import MovesReport, validate_moves

FEWEST = 3  # squares of a closed tour

# What stands in a cell of a numbered board instead of a step.
HOLE = -1
UNNUMBERED = -2


class Form(Protocol):
    """A path as written, on no board yet."""

    @property
    def plausible(self) -> bool:
        """Whether it makes sense to read it so when nobody has said so."""

    def boards(self, told: Board | None) -> list[Board]:
        """Give the boards that may be meant, the likeliest first; or the one told, if it can be.

        Raises `InputError` where there is none.
        """

    def legal_share(self, board: Board) -> float:
        """Give the share of its moves that are legal on a board; of many moves, of a sample."""

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge it on a board; ``closed`` None: as what it seems to be."""


@dataclass(frozen=True, eq=False)
class PathForm:
    """Squares in visiting order. A closed path may repeat its first square at the end."""

    notation: Notation
    naming: Naming
    numbers: Integers
    board: Board | None = None
    closed: bool | None = None

    @property
    def plausible(self) -> bool:
        """Counting from 1 knows no 0."""
        return bool((self.numbers >= self.notation.first).all()) or self.notation.first == 0

    def boards(self, told: Board | None) -> list[Board]:
        """Give the board that the text tells, or those that the squares fit on."""
        if told is not None and self.board is not None and told != self.board:
            raise InputError(f"the text is about {self.board.title}, not about {told.title}")
        if told is not None:
            return [told]
        if self.board is not None:
            return [self.board]
        return self.naming.boards(self.numbers, _consecutive(len(self.numbers)))

    def legal_share(self, board: Board) -> float:
        """Give the share of legal moves."""
        places = sample(len(self.numbers) - 1)
        return _legal_share(
            board,
            self.naming.ids(board, self.numbers[places]),
            self.naming.ids(board, self.numbers[places + 1]),
        )

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path; it is closed if it says so, or leads back to its first square."""
        closed = self.closed if closed is None else closed
        ids = self.naming.ids(board, self.numbers)
        remarks: tuple[str, ...] = ()
        of_moves = self.notation.base in (Notation.MOVES, Notation.FACTS)
        if closed is not False and self._repeats_first():
            ids, closed = ids[:-1], True
            if not of_moves:
                remarks = ("first square repeated at the end",)
        if closed is None:
            closed = _closes(board, ids)
        return Reading(
            board=board,
            ids=ids,
            closed=closed,
            notation=self.notation,
            report=validate(board, ids, closed),
            entries=len(self.numbers) - of_moves,
            naming=self.naming,
            numbers=self.numbers,
            remarks=remarks,
        )

    def _repeats_first(self) -> bool:
        """Tell whether the first square comes once more, and last."""
        same = (self.numbers == self.numbers[0]).all(axis=1)
        return len(same) > FEWEST and bool(same[-1]) and int(same.sum()) == 2


@dataclass(frozen=True, eq=False)
class MovesForm:
    """Moves in no order: a row of numbers for where each begins, then one for where it ends."""

    notation: Notation
    naming: Naming
    numbers: Integers

    @property
    def plausible(self) -> bool:
        """Counting from 1 knows no 0."""
        return bool((self.numbers >= self.notation.first).all()) or self.notation.first == 0

    def boards(self, told: Board | None) -> list[Board]:
        """Give the boards that the moves fit on."""
        if told is not None:
            return [told]
        return self.naming.boards(self.numbers, np.arange(len(self.numbers)).reshape(-1, 2))

    def legal_share(self, board: Board) -> float:
        """Give the share of legal moves."""
        places = 2 * sample(len(self.numbers) // 2)
        return _legal_share(
            board,
            self.naming.ids(board, self.numbers[places]),
            self.naming.ids(board, self.numbers[places + 1]),
        )

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the moves; they are of a closed tour if there are as many as squares."""
        moves = self.naming.ids(board, self.numbers).reshape(-1, 2)
        if closed is None:
            closed = len(moves) >= len(np.unique(moves))
        return _moves_reading(self.notation, self.naming, self.numbers, board, moves, closed)


@dataclass(frozen=True, eq=False)
class SuccessorsForm:
    """For each id in turn the id visited after it; a hole has itself, the end of an open tour -1.

    Counted from 1, all are one more, and the end has 0.
    """

    notation: Notation
    numbers: Integers

    @property
    def plausible(self) -> bool:
        """At most one square has no successor, and every successor is an id."""
        values = self.numbers - self.notation.first
        return int((values == -1).sum()) <= 1 and bool((values < len(values)).all())

    def boards(self, told: Board | None) -> list[Board]:
        """Give the boards of exactly this many ids on which most moves are legal."""
        if told is not None and told.area != len(self.numbers):
            wanted = f"{told.size} has {told.area} ids, and each needs a successor"
            raise InputError(f"{len(self.numbers)} successors: {wanted}")
        if told is not None:
            return [told]
        ids = self.numbers - self.notation.first
        own = np.arange(len(ids))
        makes_move = (ids != own) & (ids >= 0)
        holes = np.flatnonzero(ids == own)
        shapes = boards_of_ids(own[makes_move], ids[makes_move], [len(ids) - 1])
        exact = [shape for shape in shapes if shape.area == len(ids)]
        if len(holes) == len(ids) or not exact:
            raise InputError(f"{len(ids)} successors fill no rectangle; give the board")
        return [Board(shape.rows, shape.columns, holes.tolist()) for shape in exact]

    def legal_share(self, board: Board) -> float:
        """Give the share of legal moves; a hole or an end makes none."""
        own = sample(len(self.numbers))
        ids = self.numbers[own] - self.notation.first
        makes_move = (ids != own) & (ids != -1)
        return _legal_share(board, own[makes_move], ids[makes_move])

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the moves that the successors tell."""
        ids, own = self.numbers - self.notation.first, np.arange(len(self.numbers))
        ends = ids == -1
        at_hole = ~board.mask & (ids == own)
        moves = np.stack([own, ids], axis=1)[~ends & ~at_hole]
        naming = IdNaming(self.notation.first)
        numbers = moves.reshape(-1, 1) + self.notation.first
        if closed is None:
            closed = not ends.any()
        return _moves_reading(
            self.notation, naming, numbers, board, moves, closed, alone=np.flatnonzero(ends)
        )


@dataclass(frozen=True, eq=False)
class GridForm:
    """A numbered board: in each cell a step from 1, `HOLE`, or `UNNUMBERED`."""

    notation: Notation
    cells: Integers
    zeros: int

    @property
    def plausible(self) -> bool:
        """A single 0 is a step; several are squares without a number."""
        return self.notation is Notation.NPY or (self.zeros == 1) == (
            self.notation is Notation.GRID_FROM_0
        )

    def boards(self, told: Board | None) -> list[Board]:
        """Give the board drawn."""
        rows, columns = self.cells.shape
        if told is not None and (told.rows, told.columns) != (rows, columns):
            raise InputError(f"the numbered board is {rows}x{columns}, not {told.size}")
        if told is not None:
            return [told]
        return [Board(rows, columns, np.flatnonzero(self.cells == HOLE).tolist())]

    def legal_share(self, board: Board) -> float:
        """Give the share of legal moves from one numbered square to the next."""
        places = sample(len(self._ids) - 1)
        return _legal_share(board, self._ids[places], self._ids[places + 1])

    @cached_property
    def _ids(self) -> Integers:
        steps = self.cells.ravel()
        numbered = np.flatnonzero(steps >= 1)
        return np.asarray(numbered[np.argsort(steps[numbered], kind="stable")])

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path through the numbered squares, step after step."""
        ids = self._ids
        if closed is None:
            closed = _closes(board, ids)
        return Reading(
            board=board,
            ids=ids,
            closed=closed,
            notation=self.notation,
            report=validate(board, ids, closed, self.cells.ravel()[ids]),
            entries=len(ids),
            naming=None,
            numbers=ids[:, None],
        )


def path_or_moves(notation: Notation, naming: Naming, numbers: Integers) -> Form:
    """Give moves as a path where each begins where the one before has ended."""
    if (numbers[1:-1:2] == numbers[2::2]).all():
        path = np.concatenate([numbers[::2], numbers[-1:]])
        return PathForm(notation, naming, path)
    return MovesForm(notation, naming, numbers)


def _moves_reading(
    notation: Notation,
    naming: Naming,
    numbers: Integers,
    board: Board,
    moves: Integers,
    closed: bool,
    alone: Integers | None = None,
) -> Reading:
    """Judge moves in no order; ``alone`` is the path where there are no moves."""
    if len(moves):
        report = validate_moves(board, moves, closed)
        ids = report.pieces.squares if isinstance(report, MovesReport) else report.path
    else:
        ids = np.empty(0, dtype=np.int64) if alone is None else alone
        report = validate(board, ids, closed)
    return Reading(
        board=board,
        ids=ids,
        closed=closed,
        notation=notation,
        report=report,
        entries=len(numbers) // 2,
        naming=naming,
        numbers=numbers,
        remarks=("moves in no order",) if notation.base in (Notation.MOVES, Notation.FACTS) else (),
    )


def _consecutive(length: int) -> Integers:
    places = np.arange(length - 1)
    return np.stack([places, places + 1], axis=1)


def _closes(board: Board, ids: Integers) -> bool:
    if len(ids) < FEWEST:
        return False
    ends = ids[[-1, 0]]
    if (ends < 0).any() or (ends >= board.area).any():
        return False
    return bool(board.are_moves(ends[:1], ends[1:])[0])


def _legal_share(board: Board, sources: Integers, targets: Integers) -> float:
    if len(sources) == 0:
        return 1.0
    inside = (sources >= 0) & (targets >= 0) & (sources < board.area) & (targets < board.area)
    return float(board.are_moves(sources[inside], targets[inside]).sum()) / len(sources)
