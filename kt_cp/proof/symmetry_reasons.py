"""The reason that no tour has the required symmetry."""

from __future__ import annotations

import numpy as np

from kt_cp.board.symmetry import images_under, is_symmetric
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap, partial_tour_symmetries, tour_symmetries
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


def no_symmetric_partial_tour(instance: Instance) -> Reason | None:
    """Return the reason that no tour, even of some squares, has the symmetry, or None if one may.

    The instance is partial.
    """
    symmetry = instance.symmetry
    if symmetry is None:
        return None
    board = instance.board
    ways = partial_tour_symmetries(board, symmetry)
    faults = [_fault_of_partial_symmetry(instance, way) for way in ways]
    if None in faults:
        return None
    why = "; ".join(filter(None, faults))
    return Reason(ReasonKind.SYMMETRY, board, f"{symmetry}: {why}")


def _fault_of_partial_symmetry(instance: Instance, tour_map: TourMap) -> str | None:
    """Return a clause on why a map takes no tour of some squares to itself, or None if it may."""
    squares, moves = _fixed_squares(instance, tour_map), _reversed_moves(instance, tour_map)
    if tour_map.reverse:
        if len(squares) + moves >= _fixed_by_reversal(instance):
            return None
        return _wrong_number_fixed(instance, len(squares), moves)
    if instance.closed or squares:
        return None
    return "run the same way, every square of a path stays in place, but here none does"


def _fault_of_symmetry(instance: Instance, tour_map: TourMap) -> str | None:
    """Return a clause on why a map takes no tour to itself, or None if it may."""
    board = instance.board
    fixed = _fixed_squares(instance, tour_map)
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

    The map fixes ``fixed`` squares of the board, all of which a tour visits.
    """
    moves = _reversed_moves(instance, tour_map)
    if fixed <= _fixed_by_reversal(instance) <= fixed + moves:
        return None
    return _wrong_number_fixed(instance, fixed, moves)


def _fixed_squares(instance: Instance, tour_map: TourMap) -> list[int]:
    """Return the squares that a map takes to themselves."""
    squares = instance.board.squares
    fixed: list[int] = squares[tour_map.images[squares] == squares].tolist()
    return fixed


def _reversed_moves(instance: Instance, tour_map: TourMap) -> int:
    """Return the number of moves whose ends a map exchanges."""
    arcs = instance.arcs
    is_reversed = tour_map.images[arcs[:, 0]] == arcs[:, 1]
    return len(np.unique(np.sort(arcs[is_reversed], axis=1), axis=0))


def _fixed_by_reversal(instance: Instance) -> int:
    """Return how many squares and moves of a tour a map fixes that reverses it.

    On a path it is the middle, which is a square or a move, and on a cycle there are two.
    """
    return 2 if instance.closed else 1


def _wrong_number_fixed(instance: Instance, squares: int, moves: int) -> str:
    """Return a clause that a map that reverses a tour fixes other numbers of squares and moves."""
    wanted = "its middle square or move stays"
    if instance.closed:
        wanted = "two of its squares or moves stay"
    return f"run backwards, {wanted} in place, but here {squares} squares and {moves} moves do"
