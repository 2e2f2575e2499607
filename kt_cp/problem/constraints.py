"""Constraints: moves, keyword arguments, and the numbers and the lines with ``;`` of a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, cast

import numpy as np

from kt_cp.board import Board, Topology
from kt_cp.board.piece import KNIGHT
from kt_cp.board.square_names import SquareLike, StepBySquare, chess_name, parse_square
from kt_cp.board.symmetry import Symmetry
from kt_cp.errors import InputError, is_not, listed
from kt_cp.problem.objective import Bound, OwnFunction


class Move(NamedTuple):
    """A move between two squares; unless ``directed``, in either direction."""

    source: int
    target: int
    directed: bool = False

    def arcs(self) -> tuple[tuple[int, int], ...]:
        """Return the arcs that are this move: one if it is directed, both otherwise."""
        forth, back = (self.source, self.target), (self.target, self.source)
        return (forth,) if self.directed else (forth, back)

    def describe(self, board: Board) -> str:
        """Return the move as it is typed: ``a1-b3``, or ``a1>b3`` if it is directed."""
        sign = ">" if self.directed else "-"
        return f"{chess_name(board, self.source)}{sign}{chess_name(board, self.target)}"


# A move as users write it: "a1-c2", "a1>c2" (in that direction), a pair of squares, or a `Move`.
MoveLike = str | Sequence[SquareLike] | Move


def parse_move(board: Board, move: MoveLike, role: str = "move") -> Move:
    """Return a move given as ``a1-b3`` (either direction), ``a1>b3`` (that one) or two squares.

    Raises `InputError` if the piece has no such move on the board; the message begins with the
    ``role`` of the move.

    >>> parse_move(Board(8, 8), "a8>b6"), parse_move(Board(8, 8), ("a8", (2, 1)))
    (Move(source=0, target=17, directed=True), Move(source=0, target=17, directed=False))
    """
    ends: Sequence[SquareLike] = ()
    directed = False
    if isinstance(move, str):
        directed = ">" in move
        ends = move.split(">" if directed else "-")
    elif isinstance(move, tuple | list | np.ndarray):
        ends, directed = (move[:2], move.directed) if isinstance(move, Move) else (move, False)
    place = f"{role} {move!r}"
    if len(ends) != 2:
        wanted = "give a1-b3 (either direction) or a1>b3 (that direction)"
        raise InputError(f"{place}: {wanted}")
    source, target = (parse_square(board, square, place) for square in ends)
    checked = Move(source, target, directed)
    if not any(there in board.neighbors(here) for here, there in checked.arcs()):
        raise InputError(f"{place}: {is_not(checked.describe(board), board.piece.move_name)}")
    return checked


class Constraints(TypedDict, total=False):
    """Constraints on a tour: keyword arguments of `Instance` and of the functions that solve.

    ``closed``: a cycle instead of a path. ``start``, ``end``: the first and the last square; a
    closed tour has no end, and is written from its start on. ``require``, ``forbid``: moves that
    the tour uses or does not use. ``symmetry``: a symmetry that maps the tour onto itself.
    ``givens``: the steps, from 1, at which some squares are visited, by square. ``having``: bounds
    on features, such as ``turns<=32``, ``straight>=4`` or ``crossings=20``. ``constrain``: a
    function that adds constraints of one's own to the model (see `kt_cp.model.own.OwnModel`); as
    they may depend on the direction, a closed tour and its reverse count as two then.

    Squares are ids, chess names or (row, column) pairs; moves are pairs of squares or are written
    ``a1-c2`` (either direction) or ``a1>c2`` (that direction).
    """

    closed: bool
    start: SquareLike | None
    end: SquareLike | None
    require: Iterable[MoveLike]
    forbid: Iterable[MoveLike]
    symmetry: Symmetry | str | None
    givens: StepBySquare
    having: Iterable[str | Bound]
    constrain: OwnFunction | None


def read_constraints(text: str, constraints: Constraints) -> tuple[Board, Constraints]:
    """Return the board of a size or map, and all constraints: those of the map and those given.

    Raises `InputError` where the two contradict each other.

    >>> board, constraints = read_constraints("1 . .\\n. # .\\n. . .\\n; kind: closed", {})
    >>> constraints["closed"], constraints["givens"], board.holes
    (True, {0: 1}, (4,))
    """
    board, shown = Board.read(text)
    return board, merged(board, shown.givens, shown.notes, constraints)


def merged(
    board: Board, givens: Mapping[int, int], notes: Mapping[str, str], constraints: Constraints
) -> Constraints:
    """Return constraints with those that a map has as numbers and notes.

    Raises `InputError` where the two contradict each other.
    """
    both: dict[str, Any] = {**constraints}
    kind = notes.get("kind")
    if kind not in (None, "open", "closed"):
        raise InputError(f"kind {kind!r} in the map: give open or closed")
    if kind == "open" and constraints.get("closed"):
        raise InputError("the map says that the tour is open: leave out closed, or that line")
    if kind == "closed":
        both["closed"] = True
    for name in ("start", "end"):
        if name in notes:
            told, asked = parse_square(board, notes[name], f"{name} in the map"), both.get(name)
            if asked is not None and parse_square(board, asked, name) != told:
                raise InputError(f"the map has another {name}: {chess_name(board, told)}")
            both[name] = told
    if "symmetry" in notes:
        if both.get("symmetry") not in (None, notes["symmetry"]):
            raise InputError(f"the map has another symmetry: {notes['symmetry']}")
        both["symmetry"] = notes["symmetry"]
    for name in ("require", "forbid", "having"):
        if name in notes:
            both[name] = [*notes[name].split(), *listed(name, both.get(name, ()), "a1-c2")]
    if givens:
        asked = both.get("givens", {})
        steps = {
            parse_square(board, square, f"step {step}"): step for square, step in asked.items()
        }
        for square in givens.keys() & steps.keys():
            if givens[square] != steps[square]:
                name = chess_name(board, square)
                raise InputError(f"steps {givens[square]} and {steps[square]} are given on {name}")
        both["givens"] = {**givens, **steps}
    return cast(Constraints, both)


def constraint_notes(board: Board, constraints: Constraints) -> dict[str, str]:
    """Return the notes of a map that say what its numbers and its cells do not.

    The constraints are those of an `Instance`. What ``constrain`` adds cannot be written.

    >>> constraint_notes(Board(3, 4), {"closed": False, "require": [Move(0, 6)], "forbid": []})
    {'kind': 'open', 'require': 'a3-c2'}
    """
    moves = {name: constraints.get(name, ()) for name in ("require", "forbid")}
    notes = {
        "kind": "closed" if constraints.get("closed") else "open",
        "piece": "" if board.piece == KNIGHT else board.piece.name,
        "topology": "" if board.topology is Topology.FLAT else board.topology.value,
        **{
            name: " ".join(move.describe(board) for move in cast(Iterable[Move], each))
            for name, each in moves.items()
        },
        "symmetry": str(constraints.get("symmetry") or ""),
        "having": " ".join(map(str, constraints.get("having", ()))),
    }
    return {name: note for name, note in notes.items() if note}
