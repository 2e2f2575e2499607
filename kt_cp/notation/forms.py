"""The forms a path is written in: squares in order, moves, successors, a numbered board.

A form is what a reader makes of a text before the board is known. Put on a board, it is a
`Reading`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask
from kt_cp.board.chunks import chunks
from kt_cp.errors import InputError
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import IdNaming, Naming
from kt_cp.notation.reading import Reading
from kt_cp.notation.shapes import boards_of_ids, sample
from kt_cp.notation.text import Integers
from kt_cp.tour.report import Report
from kt_cp.tour.rules import FEWEST_CLOSED
from kt_cp.tour.unordered import validate_moves
from kt_cp.tour.validator import validate

_MOST_JOINED = 2 * 10**7  # moves; these take 7 GB

# What stands in a cell of a numbered board instead of a step.
HOLE = -1
UNNUMBERED = -2


class Form(Protocol):
    """A path as written, on no board yet."""

    @property
    def plausible(self) -> bool:
        """Whether it makes sense to read it so when nobody has said so."""

    def boards(self, told: Board | None) -> list[Board]:
        """Return the boards that may be meant, the likeliest first; or the one told, if it can be.

        Raises `InputError` where there is none.
        """

    def legal_share(self, board: Board) -> float:
        """Return the share of its moves that are legal on a board; of many moves, of a sample."""

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
        return self.notation.first == 0 or int(self.numbers.min()) >= self.notation.first

    def boards(self, told: Board | None) -> list[Board]:
        """Return the board that the text tells, or those that the squares fit on."""
        if told is not None and self.board is not None and told != self.board:
            raise InputError(f"the text is about {self.board.title}, not about {told.title}")
        if told is not None:
            return [told]
        if self.board is not None:
            return [self.board]
        places = sample(len(self.numbers) - 1)
        return self.naming.boards(self.numbers, np.stack([places, places + 1], axis=1))

    def legal_share(self, board: Board) -> float:
        """Return the share of legal moves."""
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
        first = self.numbers[0]
        if len(self.numbers) <= FEWEST_CLOSED or not np.array_equal(self.numbers[-1], first):
            return False
        same = [column == number for column, number in zip(self.numbers.T, first, strict=True)]
        return int(np.count_nonzero(np.logical_and.reduce(same))) == 2


@dataclass(frozen=True, eq=False)
class MovesForm:
    """Moves in no order: a row of numbers for where each begins, then one for where it ends."""

    notation: Notation
    naming: Naming
    numbers: Integers

    @property
    def plausible(self) -> bool:
        """Counting from 1 knows no 0."""
        return self.notation.first == 0 or int(self.numbers.min()) >= self.notation.first

    def boards(self, told: Board | None) -> list[Board]:
        """Return the boards that the moves fit on."""
        if told is not None:
            return [told]
        places = 2 * sample(len(self.numbers) // 2)
        return self.naming.boards(self.numbers, np.stack([places, places + 1], axis=1))

    def legal_share(self, board: Board) -> float:
        """Return the share of legal moves."""
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
        if int(self.numbers.max()) - self.notation.first >= len(self.numbers):
            return False
        return int(np.count_nonzero(self.numbers == self.notation.first - 1)) <= 1

    def boards(self, told: Board | None) -> list[Board]:
        """Return the boards of exactly this many ids on which most moves are legal."""
        if told is not None and told.area != len(self.numbers):
            wanted = f"{told.size} has {told.area} ids, and each needs a successor"
            raise InputError(f"{len(self.numbers)} successors: {wanted}")
        if told is not None:
            return [told]
        size = len(self.numbers)
        own = sample(size)
        ids = self.numbers[own] - self.notation.first
        makes_move = (ids != own) & (ids >= 0)
        moves = np.stack([own, ids], axis=1)[makes_move]
        exact = [shape for shape in boards_of_ids(moves, [size - 1], size) if shape.area == size]
        first = self.notation.first
        themselves = np.arange(first, first + size, dtype=self.numbers.dtype)
        holes = np.flatnonzero(self.numbers == themselves)
        if len(holes) == size or not exact:
            raise InputError(f"{size} successors fill no rectangle; give the board")
        return [Board(shape.rows, shape.columns, holes.tolist()) for shape in exact]

    def legal_share(self, board: Board) -> float:
        """Return the share of legal moves; a hole or an end makes none."""
        own = sample(len(self.numbers))
        ids = self.numbers[own] - self.notation.first
        makes_move = (ids != own) & (ids != -1)
        return _legal_share(board, own[makes_move], ids[makes_move])

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the moves that the successors tell; where they make a tour, as its path."""
        naming = IdNaming(self.notation.first)
        ids = naming.ids(board, self.numbers[:, None])
        own = np.arange(len(ids), dtype=ids.dtype)
        ends = ids == -1
        makes_move = ~(ends | (~board.mask & (ids == own)))
        if closed is None:
            closed = not ends.any()
        path = _followed(ids, makes_move, closed)
        if path is not None and (report := validate(board, path, closed)).valid:
            return Reading(
                board=board,
                ids=path,
                closed=closed,
                notation=self.notation,
                report=report,
                entries=int(np.count_nonzero(makes_move)),
                naming=naming,
                numbers=self.numbers[:, None],
            )
        moves = np.stack([own, ids], axis=1)[makes_move]
        numbers = moves.reshape(-1, 1) + self.notation.first
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
        """Return the board drawn."""
        rows, columns = self.cells.shape
        if told is not None and (told.rows, told.columns) != (rows, columns):
            raise InputError(f"the numbered board is {rows}x{columns}, not {told.size}")
        if told is not None:
            return [told]
        return [Board(rows, columns, np.flatnonzero(self.cells == HOLE).tolist())]

    def legal_share(self, board: Board) -> float:
        """Return the share of legal moves from one numbered square to the next."""
        ids, _ = self._path
        places = sample(len(ids) - 1)
        return _legal_share(board, ids[places], ids[places + 1])

    @cached_property
    def _path(self) -> tuple[Integers, npt.NDArray[np.int64] | None]:
        """The ids in the order of their steps, and these steps; None for 1, 2, 3, …, each once."""
        steps = self.cells.ravel()
        ids = _by_step(steps)
        if ids is not None:
            return ids, None
        numbered = np.flatnonzero(steps >= 1)
        ids = np.asarray(numbered[np.argsort(steps[numbered], kind="stable")])
        return ids, steps[ids].astype(np.int64)

    def on(self, board: Board, closed: bool | None) -> Reading:
        """Judge the path through the numbered squares, step after step."""
        ids, steps = self._path
        if closed is None:
            closed = _closes(board, ids)
        return Reading(
            board=board,
            ids=ids,
            closed=closed,
            notation=self.notation,
            report=validate(board, ids, closed, steps),
            entries=len(ids),
            naming=None,
            numbers=ids[:, None],
        )


def path_or_moves(notation: Notation, naming: Naming, numbers: Integers) -> Form:
    """Return moves as a path where each begins where the one before has ended."""
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
    if len(moves) > _MOST_JOINED:
        raise InputError(
            f"no tour: {len(moves):,} moves do not make one in their order, and more than "
            f"{_MOST_JOINED:,} are not searched for faults"
        )
    if len(moves):
        report: Report = validate_moves(board, moves.astype(np.int64), closed)
    else:
        report = validate(board, np.empty(0, dtype=np.int64) if alone is None else alone, closed)
    return Reading(
        board=board,
        ids=report.path,
        closed=closed,
        notation=notation,
        report=report,
        entries=len(numbers) // 2,
        naming=naming,
        numbers=numbers,
        remarks=("moves in no order",) if notation.base in (Notation.MOVES, Notation.FACTS) else (),
    )


def _followed(successors: Integers, makes_move: Mask, closed: bool) -> Integers | None:
    """Walk from square to successor; None where the moves are more than this one walk.

    It begins where no move leads to, if open, and ends at a successor of -1.
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


def _by_step(steps: Integers) -> Integers | None:
    """Return the squares by step; None unless the steps are 1, 2, 3, …, each once."""
    count = np.count_nonzero(steps >= 1)
    if int(steps.max()) != count:
        return None
    squares = np.full(count, -1, dtype=np.int32)
    for first, part in chunks(steps):
        places = np.flatnonzero(part >= 1)
        squares[part[places] - 1] = places + first
    return squares if count and int(squares.min()) >= 0 else None


def _closes(board: Board, ids: Integers) -> bool:
    if len(ids) < FEWEST_CLOSED:
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
