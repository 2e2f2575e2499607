"""Why no tour of a board has a symmetry: a reason by counting, where one is known.

A symmetry of order 2 or 4 that maps a cycle onto itself turns it, so that every square moves the
same number of steps on, or reverses it, so that two of its squares or moves stay where they are.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from kt_cp.board.square_names import chess_name
from kt_cp.board.symmetry import images_under, is_symmetric
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_symmetry import TourMap, tour_symmetries
from kt_cp.proof.reason import Reason, ReasonKind


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Find that no tour can have the symmetry asked for, in any of the ways in which it could."""
    board, symmetry = instance.board, instance.symmetry
    if symmetry is None:
        return None
    because = partial(Reason.about, ReasonKind.SYMMETRY, board)
    images = images_under(board, symmetry)
    if not is_symmetric(board, images):
        moved = board.squares[~board.mask[images[board.squares]]].tolist()
        if not moved:
            return because(f"{symmetry}: does not keep the moves of the board")
        hole = chess_name(board, images[moved[0]])
        return because(f"{symmetry}: takes {{square}} to {hole}, a hole", square=moved[0])
    reasons = []
    for way in tour_symmetries(board, symmetry, instance.closed):
        reason = _run_backwards(instance, way) if way.reverse else _run_on(instance, way)
        if reason is None:
            return None
        reasons.append(reason)
    if not reasons:
        reasons = [
            "an open tour can be mapped onto itself only backwards, its ends changing places"
        ]
    return because(f"{symmetry}: {'; '.join(reasons)}")


def _run_on(instance: Instance, way: TourMap) -> str | None:
    """See whether a closed tour can be mapped onto itself, running the same way as before."""
    board = instance.board
    fixed = _fixed_squares(instance, way)
    if len(fixed) == len(board):
        return None
    if len(fixed):
        name = chess_name(board, fixed[0])
        return f"run the same way, every square of the tour moves on, but {name} stays"
    apart = len(board) // way.order
    dark = board.dark(np.array([board.squares[0], way.images[board.squares[0]]]))
    if board.changes_colour and (dark[0] != dark[1]) != (apart % 2 == 1):
        parity, colour = ("odd", "keep") if apart % 2 else ("even", "change")
        return (
            f"run the same way, every square moves {apart} steps on, an {parity} number, "
            f"but the squares {colour} their colour"
        )
    return None


def _run_backwards(instance: Instance, way: TourMap) -> str | None:
    """See whether a tour can be mapped onto itself, running backwards."""
    fixed = len(_fixed_squares(instance, way))
    arcs = instance.arcs
    turned = way.images[arcs[:, 0]] == arcs[:, 1]
    moves = len(np.unique(np.sort(arcs[turned], axis=1), axis=0))
    if instance.closed and (fixed > 2 or fixed + moves < 2):
        wanted = "two of its squares or moves stay in place"
    elif not instance.closed and (fixed > 1 or fixed + moves < 1):
        wanted = "its middle square or move stays in place"
    else:
        return None
    return f"run backwards, {wanted}, but here {fixed} squares and {moves} moves do"


def _fixed_squares(instance: Instance, way: TourMap) -> list[int]:
    squares = instance.board.squares
    fixed: list[int] = squares[way.images[squares] == squares].tolist()
    return fixed
