"""The problem as plain data: a board and the constraints on its tour."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack, cast

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.board.maps import map_lines, note_lines
from kt_cp.board.square_names import SquareLike, StepBySquare, chess_name, parse_square
from kt_cp.board.symmetry import Symmetry, has_symmetry
from kt_cp.errors import InputError, checked_choice, checked_flag, listed
from kt_cp.problem.constraints import (
    Constraints,
    Move,
    MoveLike,
    constraint_notes,
    parse_move,
    read_constraints,
)
from kt_cp.problem.objective import Bound, OwnFunction
from kt_cp.tour.tour import Tour


@dataclass(frozen=True)
class Instance:
    """A board and the constraints on its tour (see `Constraints`).

    The board may be a map whose numbers and lines that begin with ``;`` hold constraints too.
    Raises `InputError` for a constraint that makes no sense on this board, and where the start, the
    end and the given steps name two squares for one step, or one square for two steps. Otherwise
    constraints may contradict one another; then there is no tour.
    """

    board: Board
    closed: bool
    start: int | None
    end: int | None
    require: tuple[Move, ...]
    forbid: tuple[Move, ...]
    symmetry: Symmetry | None
    givens: tuple[tuple[int, int], ...]
    having: tuple[Bound, ...]
    constrain: OwnFunction | None

    def __init__(self, board: Board | str, **constraints: Unpack[Constraints]) -> None:
        """Read the constraints and check them against the board."""
        if unknown := set(constraints) - Constraints.__annotations__.keys():
            known = ", ".join(Constraints.__annotations__)
            raise TypeError(f"unknown keyword {min(unknown)!r}: the constraints are {known}")
        if isinstance(board, str):
            board, constraints = read_constraints(board, constraints)
        board = Board.of(board)
        closed = checked_flag("closed", constraints.get("closed", False))
        symmetry = constraints.get("symmetry")
        givens = _read_givens(board, constraints.get("givens", {}))
        end, constrain = constraints.get("end"), constraints.get("constrain")
        bounds = listed("having", constraints.get("having", ()), "turns<=32")
        if constrain is not None and not callable(constrain):
            raise InputError(f"constrain {constrain!r}: give a function that takes a model")
        if closed and end is not None:
            raise InputError("a closed tour has no end: leave out the end, or ask for an open tour")
        vars(self).update(
            board=board,
            closed=closed,
            start=_read_end(board, constraints.get("start"), givens, 1, "start"),
            end=None if closed else _read_end(board, end, givens, len(board), "end"),
            require=_read_moves(board, constraints.get("require", ()), "required move"),
            forbid=_read_moves(board, constraints.get("forbid", ()), "forbidden move"),
            symmetry=None if symmetry is None else _read_symmetry(board, symmetry),
            givens=tuple((square, step) for step, square in sorted(givens.items())),
            having=tuple(Bound.parse(board, bound) for bound in bounds),
            constrain=constrain,
        )
        if self.start is not None and self.start == self.end and len(board) > 1:
            name = chess_name(board, self.start)
            raise InputError(f"start and end are both {name}: an open tour ends on another square")

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def constraints(self) -> Constraints:
        """The constraints as keyword arguments, which make this instance on its board."""
        values = {name: getattr(self, name) for name in Constraints.__annotations__}
        return cast(Constraints, {**values, "givens": dict(self.givens)})

    def map_lines(self, **notes: object) -> Iterator[str]:
        """Yield the lines of a map from which the same instance is read, and further notes.

        The start and the end of an open tour are written as its first and last step. What
        ``constrain`` adds is left out.

        >>> print(*Instance("3x4", start="a3", require=["b1-d2"]).map_lines(seed=3), sep="\\n")
        1 . . .
        . . . .
        . . . .
        ; kind: open
        ; require: b1-d2
        ; seed: 3
        """
        board = self.board
        steps = np.zeros(board.area, dtype=np.int32)
        steps[list(self.steps.values())] = list(self.steps)
        yield from map_lines(board.grid(board.mask), board.grid(steps))
        told = constraint_notes(board, self.constraints)
        if self.start is not None and not self.steps:
            told["start"] = chess_name(board, self.start)
        yield from note_lines({**told, **notes})

    @property
    def one_way(self) -> bool:
        """Whether some move is allowed, or asked for, in one direction only."""
        moves = (*self.require, *self.forbid)
        return not self.board.symmetric or any(move.directed for move in moves)

    @property
    def directed(self) -> bool:
        """Whether the direction of a closed tour matters to the board or to a constraint."""
        return bool(self.givens) or self.constrain is not None or self.one_way

    @cached_property
    def steps(self) -> dict[int, int]:
        """The known squares by step: the givens, the start and the end.

        The start of a closed tour is among them only if steps are given.
        """
        steps = {step: square for square, step in self.givens}
        if self.start is not None and (self.givens or not self.closed):
            steps[1] = self.start
        if self.end is not None:
            steps[len(self.board)] = self.end
        return dict(sorted(steps.items()))

    @property
    def ends(self) -> tuple[int, ...]:
        """The known ends of an open tour."""
        if self.closed:
            return ()
        return tuple(square for square in (self.start, self.end) if square is not None)

    @property
    def free_ends(self) -> int:
        """The number of unknown ends of an open tour."""
        return 0 if self.closed else 2 - len(self.ends)

    @cached_property
    def forbidden_arcs(self) -> frozenset[tuple[int, int]]:
        """The arcs that the forbidden moves exclude."""
        return frozenset(arc for move in self.forbid for arc in move.arcs())

    @cached_property
    def arcs(self) -> Squares:
        """The arcs of the board, without the forbidden ones, as rows (from, to)."""
        arcs = self.board.arcs
        if not self.forbidden_arcs:
            return arcs
        forbidden = self.board.pair_keys(np.array(list(self.forbidden_arcs)))
        return arcs[~np.isin(self.board.pair_keys(arcs), forbidden)]

    @cached_property
    def edges(self) -> Squares:
        """The pairs of squares that an allowed arc joins, as rows (lower id, higher id)."""
        if self.board.symmetric and not any(move.directed for move in self.forbid):
            return self.arcs[self.arcs[:, 0] < self.arcs[:, 1]]
        return np.unique(np.sort(self.arcs, axis=1), axis=0)

    def satisfied_by(self, squares: Squares) -> bool:
        """Return whether a tour of the board, as ids in visiting order, meets the constraints.

        What ``constrain`` adds is known to the model only.

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
        if self.having:
            tour = Tour(self.board, squares, self.closed)
            if not all(bound.holds(tour) for bound in self.having):
                return False
        if not (self.require or self.forbid or self.symmetry or self.givens):
            return True  # the sets below would be too slow for a huge board
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


def _read_moves(board: Board, moves: Iterable[MoveLike], role: str) -> tuple[Move, ...]:
    given = listed(f"{role}s", moves, "a1-c2")
    return tuple(dict.fromkeys(parse_move(board, move, role) for move in given))


def _read_symmetry(board: Board, symmetry: Symmetry | str) -> Symmetry:
    symmetry = checked_choice("symmetry", symmetry, Symmetry)
    if symmetry is Symmetry.QUARTER_TURN and board.rows != board.columns:
        raise InputError(f"a quarter-turn needs a square board; this one is {board.size}")
    return symmetry


def _read_givens(board: Board, givens: StepBySquare) -> dict[int, int]:
    """Return the given squares by step."""
    if not isinstance(givens, Mapping):
        raise InputError(f"givens {givens!r}: give the step by square, such as {{'a1': 1}}")
    steps: dict[int, int] = {}
    squares: dict[int, int] = {}
    for given, step in givens.items():
        square = parse_square(board, given, f"step {step}")
        name = chess_name(board, square)
        if not isinstance(step, int | np.integer) or not 1 <= step <= len(board):
            raise InputError(f"step {step} on {name}: steps run from 1 to {len(board)}")
        if step in squares:
            other = chess_name(board, squares[step])
            raise InputError(f"step {step} is given twice, on {other} and on {name}")
        if square in steps:
            raise InputError(f"steps {steps[square]} and {step} are both given on {name}")
        squares[step], steps[square] = square, step
    return squares


def _read_end(
    board: Board, given: SquareLike | None, givens: Mapping[int, int], step: int, role: str
) -> int | None:
    """Return the start or the end, which may be known by its step."""
    if given is None:
        return givens.get(step)
    square = parse_square(board, given, role)
    told = next((each for each, other in givens.items() if other == square), step)
    if told != step or givens.get(step, square) != square:
        wanted = f"the {role} has step {step}"
        raise InputError(f"{role} {chess_name(board, square)} and the given steps differ: {wanted}")
    return square
