"""Forms: paths as they are written, before the board is known.

A reader returns the forms that a text may have. Judging a form on a board gives a `Reading`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.notation.notations import Naming, Notation, naming
from kt_cp.tour.validator import PathReport, Report, Wording, on_board, validate_ids, validate_moves

# Codes of cells of a numbered board: a square without a step, which may also be written as -1, and
# a hole, which no number of at most 18 digits equals.
UNNUMBERED_CODE = -1
HOLE_CODE = -(10**18)

_MIN_SIDE = 3  # of a numbered board; fewer rows or columns are read as a list
_SAMPLE_SIZE = 1000  # moves


@dataclass(frozen=True)
class Numbering:
    """The step number of each square of a path, counted from ``first``.

    Without ``steps``, the steps of the squares are consecutive.
    """

    steps: Ints | None = None
    first: int = 1


@dataclass(frozen=True)
class Stated:
    """What a text states about its path; None stands for nothing.

    ``size`` is the number of squares; for successors, the number of ids. If it ``fills_board``, the
    board has exactly the squares of the path; a ``partial`` path may leave squares out.
    """

    board: Board | None = None
    closed: bool | None = None
    size: int | None = None
    fills_board: bool = False
    partial: bool = False


@dataclass(frozen=True, eq=False)
class Form:
    """A path as it is written, before the board is known.

    - ``notation``, ``naming``: the notation, and how it names squares.
    - ``numbers``: a row of one or two numbers for each square that is named.
    - ``in_order``: whether the squares are in visiting order, so that a closed path may repeat its
      first square at the end; otherwise they are the two ends of one move after the other.
    - ``numbering``: the steps of the squares.
    - ``stated``: what the text states about the path.
    - ``plausible``: whether to try the form if no notation is given.
    - ``remarks``: what was left out of the text.
    """

    notation: Notation
    numbers: Ints
    naming: Naming
    in_order: bool = True
    numbering: Numbering = Numbering()
    stated: Stated = Stated()
    plausible: bool = True
    remarks: tuple[str, ...] = ()

    @property
    def entry_count(self) -> int:
        """The number of squares or moves in the text."""
        if not self.in_order:
            return len(self.numbers) // 2
        return len(self.numbers) - 1 if self.notation.writes_moves else len(self.numbers)

    def stating(self, **stated: Any) -> Self:
        """Return the form with some fields of ``stated`` replaced."""
        return replace(self, stated=replace(self.stated, **stated))

    def is_plausible(self, given: Board | None, unusual: bool) -> bool:
        """Return whether to try this form if no notation is given.

        ``given`` is the given board, if any; ``unusual`` tells whether the text states a piece or a
        topology, or squares may be left out.
        """
        return self.plausible

    def ids(self, board: Board) -> Ints:
        """Return the ids of the squares; for a square off the board, a number that is not an id."""
        return self.naming.ids(board, self.numbers)

    @property
    def sampled_moves(self) -> Ints:
        """Pairs of indices into ``numbers`` joined by a move: all of them, or a random sample."""
        distance = 1 if self.in_order else 2
        firsts = np.arange(0, len(self.numbers) - 1, distance)
        if len(firsts) > _SAMPLE_SIZE:  # with a fixed seed, so that readings are reproducible
            firsts = np.sort(np.random.default_rng(0).choice(firsts, _SAMPLE_SIZE))
        return np.stack([firsts, firsts + 1], axis=1)

    def legal_share(self, board: Board) -> float:
        """Return the share of the moves, or of a sample of them, that are legal on a board."""
        numbers = self.numbers[self.sampled_moves.ravel()]
        moves = self.naming.ids(board, numbers).reshape(-1, 2)
        if not len(moves):
            return 1.0
        inside = moves[on_board(board, moves).all(axis=1)]
        return float(board.are_moves(*inside.T).sum()) / len(moves)

    def path_report(self, board: Board, closed: bool) -> PathReport:
        """Return a report on a path that is in order, exactly as it is written."""
        report = validate_ids(
            board, self.ids(board), closed, self.numbering.steps, self.numbering.first
        )
        return replace(report, wording=Wording(entry=self._entry))

    def report(self, board: Board, closed: bool, allows_partial: bool = False) -> Report:
        """Return a report on the path or the moves, exactly as they are written."""
        if self.in_order:
            return replace(self.path_report(board, closed), allows_partial=allows_partial)
        moves = self.ids(board).reshape(-1, 2).astype(np.int64)
        report = validate_moves(board, moves, closed, allows_partial)
        return replace(report, wording=Wording(entry=self._entry))

    def _entry(self, place: int) -> str:
        """Return the text of the entry at a place."""
        return self.naming.write(self.numbers[[place]])[0]


@dataclass(frozen=True, eq=False)
class SuccessorForm(Form):
    """The successor of each id; ``holes`` are the ids that are their own successors."""

    holes: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class GridForm(Form):
    """A numbered board; ``zeros`` are the ids of the cells with a 0."""

    zeros: tuple[int, ...] = ()

    def is_plausible(self, given: Board | None, unusual: bool) -> bool:
        """Return whether to try this form if no notation is given, as `Form.is_plausible` does.

        A single 0 is a step, several zeros are squares without a step. Fewer than three rows or
        columns are read as a list, unless there are holes or the reading is ``unusual``.
        """
        board = self.stated.board
        if board is None:
            return self.plausible
        is_narrow = min(board.rows, board.columns) < _MIN_SIDE and board.area > 1
        if given is None and is_narrow and not board.holes and not unusual:
            return False
        if self.notation is Notation.NPY:
            return True
        zeros = np.setdiff1d(self.zeros, () if given is None else given.holes)
        counts_from_zero = len(zeros) == 1
        return counts_from_zero == (self.numbering.first == 0)


def forms_in(base: Notation, numbers: Ints, pair: str = "{},{}", **fields: Any) -> list[Form]:
    """Return a form for each variant of a notation: from 0 or 1, row or column first.

    ``pair`` is a format for coordinates; ``fields`` are other fields of the forms. A form that
    counts from 1 is implausible if a number is below 1.
    """
    has_below_one = int(numbers.min()) < 1
    return [
        Form(
            each,
            numbers,
            naming(each, pair),
            plausible=not (each.first and has_below_one),
            **fields,
        )
        for each in base.variants
    ]
