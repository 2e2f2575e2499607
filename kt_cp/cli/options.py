"""Arguments and options that several commands share, and the constraints they make."""

from __future__ import annotations

from typing import Annotated

import typer

from kt_cp.board import Board, Topology
from kt_cp.board.square_names import parse_square
from kt_cp.board.symmetry import Symmetry
from kt_cp.problem.instance import Constraints, parse_move

BoardArgument = Annotated[
    str, typer.Argument(help="8x8 (rows x columns), a file with a map, or - for standard input")
]
Closed = Annotated[bool, typer.Option("--closed", help="return to the first square")]
Start = Annotated[str | None, typer.Option(help="first square: 0, a8 or 0,0")]
End = Annotated[str | None, typer.Option(help="last square of an open tour")]
Require = Annotated[
    list[str] | None, typer.Option(help="a move to make: a1-c2, or a1>c2 one way; repeatable")
]
Forbid = Annotated[
    list[str] | None, typer.Option(help="a move not to make, written likewise; repeatable")
]
TourSymmetryOption = Annotated[
    Symmetry | None, typer.Option("--symmetry", help="the tour is mapped onto itself")
]
PieceOption = Annotated[
    str, typer.Option("--piece", help="a name such as zebra, a leaper 2,3, or several: 3,4+0,5")
]
TopologyOption = Annotated[
    Topology, typer.Option("--topology", help="which edges are glued together")
]
TimeLimit = Annotated[float | None, typer.Option(help="seconds")]
Seed = Annotated[int, typer.Option(help="another seed, another tour")]
Out = Annotated[str | None, typer.Option(help="file to write to")]
Draw = Annotated[str | None, typer.Option(help="a picture too: .svg, .png, .gif or .html")]


def constraints_of(
    board: Board,
    givens: dict[int, int],
    closed: bool,
    start: str | None,
    end: str | None,
    require: list[str] | None,
    forbid: list[str] | None,
    symmetry: Symmetry | None,
) -> Constraints:
    """Read the constraints as they were typed."""
    return {
        "closed": closed,
        "start": None if start is None else parse_square(board, start),
        "end": None if end is None else parse_square(board, end),
        "require": [parse_move(board, move) for move in require or ()],
        "forbid": [parse_move(board, move) for move in forbid or ()],
        "symmetry": symmetry,
        "givens": givens,
    }
