"""The problem as plain data: a board and what is asked of its tour."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypedDict, Unpack

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.board.square_names import chess_name, describe_range, parse_square
from kt_cp.board.symmetry import Symmetry
from kt_cp.errors import InputError
from kt_cp.problem.tour_symmetry import has_symmetry


class Move(NamedTuple):
    """A jump from one square to another or, unless ``directed``, the other way round."""

    source: int
    target: int
    directed: bool = False

    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Return the arcs that count as this move: one when directed, else both."""
        forth, back = (self.source, self.target), (self.target, self.source)
        return (forth,) if self.directed else (forth, back)

    def describe(self, board: Board) -> str:
        """Write the move as it is typed: ``a1-b3``, or ``a1>b3`` when directed."""
        sign = ">" if self.directed else "-"
        return f"{chess_name(board, self.source)}{sign}{chess_name(board, self.target)}"


def parse_move(board: Board, text: str) -> Move:
    """Read ``a1-b3`` (either direction) or ``a1>b3`` (that direction).

    Raises `InputError` when that is no move on the board.

    >>> parse_move(Board(8, 8), "a8>b6")
    Move(source=0, target=17, directed=True)
    """
    for sign in "->":
        source, found, target = text.partition(sign)
        if found:
            ends = parse_square(board, source), parse_square(board, target)
            return _checked(board, Move(*ends, directed=sign == ">"), f"move {text!r}")
    raise InputError(f"move {text!r}: give a1-b3 (either direction) or a1>b3 (that direction)")


class Constraints(TypedDict, total=False):
    """What may be asked of a tour; the keyword arguments of `Instance` and of all that solves.

    ``closed``: a cycle instead of a path. ``start``, ``end``: ids; for a closed tour the start says
    where writing begins, and an end makes no sense. ``require``, ``forbid``: moves, as pairs of ids
    or `Move`. ``symmetry``: the tour is mapped onto itself. ``givens``: the step, from 1, at which
    some squares are visited.
    """

    closed: bool
    start: int | None
    end: int | None
    require: Iterable[tuple[int, int] | Move]
    forbid: Iterable[tuple[int, int] | Move]
    symmetry: Symmetry | str | None
    givens: Mapping[int, int]


@dataclass(frozen=True)
class Instance:
    """A board and what is asked of its tour (see `Constraints`).

    Raises `InputError` for constraints that make no sense on this board; constraints that merely
    contradict each other are allowed, and have no tour.
    """

    board: Board
    closed: bool
    start: int | None
    end: int | None
    require: tuple[Move, ...]
    forbid: tuple[Move, ...]
    symmetry: Symmetry | None
    givens: tuple[tuple[int, int], ...]

    def __init__(self, board: Board, **constraints: Unpack[Constraints]) -> None:
        """Check the constraints against the board."""
        closed, symmetry = constraints.get("closed", False), constraints.get("symmetry")
        givens = _checked_givens(board, constraints.get("givens", {}))
        values = {
            "board": board,
            "closed": closed,
            "start": _checked_end(board, constraints.get("start"), givens, 1, "start"),
            "end": None
            if closed
            else _checked_end(board, constraints.get("end"), givens, len(board), "end"),
            "require": _checked_moves(board, constraints.get("require", ()), "required move"),
            "forbid": _checked_moves(board, constraints.get("forbid", ()), "forbidden move"),
            "symmetry": None if symmetry is None else _checked_symmetry(board, symmetry),
            "givens": tuple((square, step) for step, square in sorted(givens.items())),
        }
        if unknown := set(constraints) - set(values):
            raise TypeError(f"unknown constraints: {', '.join(sorted(unknown))}")
        for name, value in values.items():
            object.__setattr__(self, name, value)
        if closed and constraints.get("end") is not None:
            raise InputError("a closed tour has no end: leave out the end, or ask for an open tour")
        if self.start is not None and self.start == self.end and len(board) > 1:
            name = chess_name(board, self.start)
            raise InputError(f"start and end are both {name}: an open tour ends on another square")

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def directed(self) -> bool:
        """Whether the board or some constraint depends on the direction of a closed tour."""
        moves = (*self.require, *self.forbid)
        return bool(self.givens) or not self.board.symmetric or any(move.directed for move in moves)

    @cached_property
    def steps(self) -> dict[int, int]:
        """The square known at each step: the givens, the start and the end.

        The start of a closed tour counts only where steps are given.
        """
        steps = {step: square for square, step in self.givens}
        if self.start is not None and (self.givens or not self.closed):
            steps[1] = self.start
        if self.end is not None:
            steps[len(self.board)] = self.end
        return dict(sorted(steps.items()))

    @property
    def ends(self) -> tuple[int, ...]:
        """The squares known to be an end of an open tour."""
        if self.closed:
            return ()
        return tuple(square for square in (self.start, self.end) if square is not None)

    @property
    def free_ends(self) -> int:
        """How many ends of an open tour may still be anywhere."""
        return 0 if self.closed else 2 - len(self.ends)

    @cached_property
    def forbidden_arcs(self) -> frozenset[tuple[int, int]]:
        """Every arc that a forbidden move excludes."""
        return frozenset(arc for move in self.forbid for arc in move.arcs())

    @cached_property
    def arcs(self) -> Squares:
        """The board's arcs as rows (from, to) without the forbidden ones."""
        arcs = self.board.arcs
        if not self.forbidden_arcs:
            return arcs
        area = self.board.area
        keys = arcs.astype(np.int64) @ [area, 1]
        gone = [source * area + target for source, target in self.forbidden_arcs]
        return arcs[~np.isin(keys, gone)]

    @cached_property
    def edges(self) -> Squares:
        """The pairs of squares that some allowed arc joins, as rows (lower id, higher id)."""
        if self.board.symmetric and not any(move.directed for move in self.forbid):
            return self.arcs[self.arcs[:, 0] < self.arcs[:, 1]]
        keys = np.sort(self.arcs, axis=1).astype(np.int64) @ [self.board.area, 1]
        return np.stack(np.divmod(np.unique(keys), self.board.area), axis=1).astype(np.int32)

    def satisfied_by(self, squares: Squares) -> bool:
        """Tell whether a tour of the board, as ids in visiting order, meets every constraint.

        >>> board = Board(3, 4)
        >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
        >>> Instance(board, start=0, require=[(2, 9)]).satisfied_by(tour)
        True
        >>> Instance(board, forbid=[Move(9, 2, directed=True)]).satisfied_by(tour)
        False
        """
        ends = int(squares[0]), int(squares[-1])
        if self.start not in (None, ends[0]) or self.end not in (None, ends[1]):
            return False
        if not (self.require or self.forbid or self.symmetry or self.givens):
            return True  # a huge board has no time for the sets below
        path = squares.tolist()
        used = set(itertools.pairwise(path))
        if self.closed:
            used.add((path[-1], path[0]))
        return (
            all(path[step - 1] == square for square, step in self.givens)
            and all(any(arc in used for arc in move.arcs()) for move in self.require)
            and not used & self.forbidden_arcs
            and (self.symmetry is None or has_symmetry(self.board, used, self.symmetry))
        )


def _checked(board: Board, move: Move, role: str) -> Move:
    for square in move[:2]:
        _check_square(board, square, role)
    if not any(target in board.neighbors(source) for source, target in move.arcs()):
        raise InputError(f"{role}: {move.describe(board)} is no {board.piece.move_name}")
    return move


def _checked_moves(
    board: Board, moves: Iterable[tuple[int, int] | Move], role: str
) -> tuple[Move, ...]:
    return tuple(_checked(board, Move(*move), role) for move in moves)


def _checked_symmetry(board: Board, symmetry: Symmetry | str) -> Symmetry:
    try:
        checked = Symmetry(symmetry)
    except ValueError:
        raise InputError(f"symmetry {symmetry!r}: give one of {', '.join(Symmetry)}") from None
    if checked is Symmetry.QUARTER_TURN and board.rows != board.columns:
        raise InputError(f"a quarter-turn needs a square board; this one is {board.size}")
    return checked


def _checked_givens(board: Board, givens: Mapping[int, int]) -> dict[int, int]:
    """Return the squares by step."""
    by_step: dict[int, int] = {}
    for square, step in givens.items():
        _check_square(board, square, f"step {step}")
        name = chess_name(board, square)
        if not isinstance(step, int | np.integer) or not 1 <= step <= len(board):
            raise InputError(f"step {step} on {name}: steps run from 1 to {len(board)}")
        if step in by_step:
            other = chess_name(board, by_step[step])
            raise InputError(f"step {step} is given twice, on {other} and on {name}")
        by_step[step] = square
    return by_step


def _checked_end(
    board: Board, square: int | None, givens: Mapping[int, int], step: int, role: str
) -> int | None:
    """Return the start or end, which may be told by its step."""
    if square is None:
        return givens.get(step)
    _check_square(board, square, role)
    told = next((given for given, other in givens.items() if other == square), step)
    if told != step or givens.get(step, square) != square:
        wanted = f"the {role} has step {step}"
        raise InputError(f"{role} {chess_name(board, square)} and the given steps differ: {wanted}")
    return square


def _check_square(board: Board, square: int, role: str) -> None:
    if isinstance(square, bool) or not isinstance(square, int | np.integer):
        raise InputError(f"{role}: {square!r} is no square; give its id, a whole number")
    if square in board:
        return
    if 0 <= square < board.area:
        raise InputError(f"{role}: square {chess_name(board, square)} is a hole of the board")
    raise InputError(f"{role}: square {square} is off the board: {describe_range(board)}")
