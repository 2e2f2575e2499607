"""Moves between two squares, as they are typed and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kt_cp.board import Board
from kt_cp.board.square_names import SquareLike, chess_name, parse_square
from kt_cp.errors import InputError, is_not


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
