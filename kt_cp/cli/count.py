"""``kt count``: how many tours there are."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from kt_cp.board import Board, Topology
from kt_cp.cli.files import check_output, read_puzzle, write_lines
from kt_cp.cli.options import (
    BoardArgument,
    Closed,
    End,
    Forbid,
    Out,
    PieceOption,
    Require,
    Start,
    TimeLimit,
    TopologyOption,
    TourSymmetryOption,
    constraints_of,
)
from kt_cp.cli.progress import spinner
from kt_cp.count.enumeration import Count, count_tours


class CountFormat(StrEnum):
    """How a count is written."""

    TEXT = "text"
    JSON = "json"


def count_command(
    board: BoardArgument,
    closed: Closed = False,
    start: Start = None,
    end: End = None,
    require: Require = None,
    forbid: Forbid = None,
    symmetry: TourSymmetryOption = None,
    up_to_symmetry: Annotated[
        bool, typer.Option("--up-to-symmetry", help="count what the board's symmetries make as one")
    ] = False,
    piece: PieceOption = "knight",
    topology: TopologyOption = Topology.FLAT,
    limit: Annotated[int | None, typer.Option(help="stop at so many")] = None,
    time_limit: TimeLimit = None,
    format_: Annotated[
        CountFormat, typer.Option("--format", help="how the count is written")
    ] = CountFormat.TEXT,
    out: Out = None,
) -> int:
    """Count the tours of a board.

    Open tours are counted in both directions, closed ones in one. Exit code 0: the count is
    complete; 2: the input makes no sense; 3: a limit was reached, there are at least so many.
    """
    the_board, givens = read_puzzle(board, piece, topology)
    check_output(out)
    constraints = constraints_of(the_board, givens, closed, start, end, require, forbid, symmetry)
    doing = f"counting {the_board.title}"
    with spinner(doing) as say:
        count = count_tours(
            the_board,
            up_to_symmetry=up_to_symmetry,
            limit=limit,
            time_limit=time_limit,
            progress=lambda so_far: say(f"{doing}: {so_far:,} so far"),
            **constraints,
        )
    if format_ is CountFormat.JSON:
        write_lines([json.dumps(vars(count))], out)
    else:
        write_lines([_sentence(the_board, count, closed)], out)
    return 0 if count.complete else 3


def _sentence(board: Board, count: Count, closed: bool) -> str:
    number = f"{count.count}" if count.complete else f"at least {count.count}"
    if count.counted == "classes":
        kind = "closed" if closed else "open"
        return f"{number} classes of {kind} tours of {board.title}, up to symmetry"
    return f"{number} {count.counted} tours of {board.title}"
