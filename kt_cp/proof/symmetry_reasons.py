"""The reason that no tour has the required symmetry."""

from __future__ import annotations

import numpy as np

from kt_cp.board.symmetry import images_under, is_symmetric
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, tour_symmetries
from kt_cp.proof.reason import Reason, ReasonKind


def no_symmetric_tour(instance: Instance) -> Reason | None:
    """Return the reason that no map gives a tour the required symmetry, or None if one may."""
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board = instance.board
    groups: dict[str, int] = {}
    images = images_under(board, symmetry)
    if is_symmetric(board, images):
        ways = tour_symmetries(board, symmetry, instance.closed)
        faults = [_fault_of_symmetry(instance, way) for way in ways]
        if None in faults:
            return None
        why = "an open tour can be mapped onto itself only backwards, its ends changing places"
        if faults:
            why = "; ".join(filter(None, faults))
    elif moved := board.squares[~board.mask[images[board.squares]]].tolist():
        why = f"takes {{square}} to {board.name(images[moved[0]])}, a hole"
        groups = {"square": moved[0]}
    else:
        why = "does not keep the moves of the board"
    return Reason.about(ReasonKind.SYMMETRY, board, f"{symmetry}: {why}", **groups)


def _fault_of_symmetry(instance: Instance, tour_map: TourMap) -> str | None:
    """Return a clause on why a map takes no tour to itself, or None if it may."""
    board = instance.board
    fixed = board.squares[tour_map.images[board.squares] == board.squares].tolist()
    if tour_map.reverse:
        return _fault_of_reversal(instance, tour_map, len(fixed))
    if len(fixed) == len(board):
        return None
    same_way = "run the same way, every square"
    if fixed:
        return f"{same_way} of the tour moves on, but {board.name(fixed[0])} stays"
    if board.sides is None:
        return None
    square = int(board.squares[0])
    changes_color = board.sides[square] != board.sides[tour_map.images[square]]
    shift = len(board) // tour_map.order  # how many steps later the image of a square is visited
    if shift % 2 == 1 and not changes_color:
        return f"{same_way} moves {shift} steps on, an odd number, but the squares keep their color"
    if shift % 2 == 0 and changes_color:
        steps = f"{shift} steps on, an even number"
        return f"{same_way} moves {steps}, but the squares change their color"
    return None


def _fault_of_reversal(instance: Instance, tour_map: TourMap, fixed: int) -> str | None:
    """Return a clause on why a map cannot reverse a tour, or None if it may.

    A map that reverses an open tour fixes its middle, which is a square or a move; one that
    reverses a closed tour fixes two squares or moves. The map fixes ``fixed`` squares of the board,
    all of which a tour visits.
    """
    arcs = instance.arcs
    is_reversed = tour_map.images[arcs[:, 0]] == arcs[:, 1]
    moves = len(np.unique(np.sort(arcs[is_reversed], axis=1), axis=0))
    needed = 2 if instance.closed else 1
    if fixed <= needed <= fixed + moves:
        return None
    wanted = "its middle square or move stays"
    if instance.closed:
        wanted = "two of its squares or moves stay"
    return f"run backwards, {wanted} in place, but here {fixed} squares and {moves} moves do"
