"""The board and the constraints on its tour, as several commands take them."""

from __future__ import annotations

from typing import Unpack

import click

from kt_cp.board import Board, Topology
from kt_cp.board.symmetry import Symmetry
from kt_cp.cli import options
from kt_cp.cli.files import read_shown
from kt_cp.problem.constraints import Constraints, merged

further_constraint_options = options.together(
    click.option("--end", metavar="SQUARE", help="The last square of an open tour."),
    click.option(
        "--require",
        metavar="MOVE",
        multiple=True,
        help="A move that the tour makes: a1-c2, or a1>c2 in that direction. May be repeated.",
    ),
    click.option(
        "--forbid",
        metavar="MOVE",
        multiple=True,
        help="A move that the tour does not make. May be repeated.",
    ),
    options.choice("--symmetry", of=Symmetry, help="A symmetry that maps the tour onto itself"),
)
instance_parameters = options.together(
    options.board_argument,
    options.closed_option,
    options.start_option,
    further_constraint_options,
    click.option(
        "--having",
        metavar="BOUND",
        multiple=True,
        help="A bound on a feature that 'kt describe' prints: FEATURE<=N, FEATURE>=N or FEATURE=N, "
        "such as 'turns<=32'. May be repeated.",
    ),
    options.piece_options,
)


class Asked(Constraints):
    """What `instance_parameters` were given."""

    board: str
    piece: str | None
    topology: Topology | None


def read_instance(**asked: Unpack[Asked]) -> tuple[Board, Constraints]:
    """Return the board, and the constraints with those of its map."""
    board, constraints, _ = read_noted_instance(**asked)
    return board, constraints


def read_noted_instance(
    board: str,
    piece: str | None,
    topology: Topology | None,
    **constraints: Unpack[Constraints],
) -> tuple[Board, Constraints, dict[str, str]]:
    """Return the board, the constraints with those of its map, and the notes of the map."""
    the_board, shown = read_shown(board, piece, topology)
    both = merged(the_board, shown.givens, shown.notes, constraints)
    return the_board, both, shown.notes
