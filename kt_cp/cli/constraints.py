"""The options that say what is asked of a tour, and the constraints they make."""

from __future__ import annotations

from typing import TypedDict, Unpack

import click

from kt_cp.board import Board
from kt_cp.board.square_names import parse_square
from kt_cp.board.symmetry import Symmetry
from kt_cp.cli.options import choice, closed_option, start_option, together
from kt_cp.problem.instance import Constraints, parse_move

further_constraint_options = together(
    click.option("--end", metavar="SQUARE", help="Last square of an open tour."),
    click.option(
        "--require",
        metavar="MOVE",
        multiple=True,
        help="A move to make: a1-c2, or a1>c2 in that direction. Repeatable.",
    ),
    click.option("--forbid", metavar="MOVE", multiple=True, help="A move not to make. Repeatable."),
    choice("--symmetry", of=Symmetry, help="What maps the tour onto itself"),
)
constraint_options = together(closed_option, start_option, further_constraint_options)


class Asked(TypedDict):
    """What `constraint_options` were given, as it was typed."""

    closed: bool
    start: str | None
    end: str | None
    require: tuple[str, ...]
    forbid: tuple[str, ...]
    symmetry: Symmetry | None


def constraints_of(board: Board, givens: dict[int, int], **asked: Unpack[Asked]) -> Constraints:
    """Return the constraints that were asked for, and the steps given on the map."""
    start, end = asked["start"], asked["end"]
    return {
        "closed": asked["closed"],
        "start": None if start is None else parse_square(board, start),
        "end": None if end is None else parse_square(board, end),
        "require": [parse_move(board, move) for move in asked["require"]],
        "forbid": [parse_move(board, move) for move in asked["forbid"]],
        "symmetry": asked["symmetry"],
        "givens": givens,
    }
