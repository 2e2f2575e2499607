"""``kt solve``: find a tour, or prove that there is none."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from kt_cp.cli.files import check_output, read_board, write_bytes, write_lines
from kt_cp.cli.progress import spinner
from kt_cp.instance import parse_move
from kt_cp.notation import Notation, tour_bytes, write_graph
from kt_cp.solve import Result, solve
from kt_cp.squares import parse_square
from kt_dfs import Status

EXIT_CODES = {Status.FOUND: 0, Status.IMPOSSIBLE: 1, Status.UNKNOWN: 3}


def solve_command(
    board: Annotated[str, typer.Argument(help="8x8 (rows x columns), a map file, or - for stdin")],
    closed: Annotated[bool, typer.Option("--closed", help="return to the first square")] = False,
    start: Annotated[str | None, typer.Option(help="first square: 0, a8 or 0,0")] = None,
    end: Annotated[str | None, typer.Option(help="last square of an open tour")] = None,
    require: Annotated[
        list[str] | None, typer.Option(help="a move to make: a1-c2, or a1>c2 one way; repeatable")
    ] = None,
    forbid: Annotated[
        list[str] | None, typer.Option(help="a move not to make, written likewise; repeatable")
    ] = None,
    time_limit: Annotated[float | None, typer.Option(help="seconds")] = None,
    workers: Annotated[int, typer.Option(help="threads of the solver")] = 1,
    seed: Annotated[int, typer.Option(help="another seed, another tour")] = 0,
    method: Annotated[str, typer.Option(help="one of those that 'kt methods' lists")] = "auto",
    notation: Annotated[
        Notation, typer.Option("--format", help="how the tour is written; hcp: the board's graph")
    ] = Notation.GRID,
    out: Annotated[str | None, typer.Option(help="file to write to")] = None,
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    Exit code 0: a tour was found; 1: there is none; 2: the input makes no sense; 3: no answer.
    """
    the_board = read_board(board)
    check_output(out)
    if notation is Notation.HCP:  # a problem for another solver: nothing is solved here
        write_lines(write_graph(the_board), out)
        return 0
    with spinner(f"solving {the_board.size}"):
        result = solve(
            the_board,
            closed=closed,
            start=None if start is None else parse_square(the_board, start),
            end=None if end is None else parse_square(the_board, end),
            require=[parse_move(the_board, move) for move in require or ()],
            forbid=[parse_move(the_board, move) for move in forbid or ()],
            time_limit=time_limit,
            workers=workers,
            seed=seed,
            method=method,
        )
    if notation is Notation.JSON:
        write_lines([json.dumps(result.as_dict())], out)
    elif result.tour is not None:
        write_bytes(tour_bytes(result.tour, notation), out)
    print(_summary(result), file=sys.stderr)
    return EXIT_CODES[result.status]


def _summary(result: Result) -> str:
    if result.tour is None:
        return f"{result.status.value}: {result.reason}"
    how = f"by {result.method} in {result.seconds:.2f} s"
    return f"{result.status.value}: {result.tour.summary}, {how}"
