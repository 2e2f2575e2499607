"""``kt puzzle``: step numbers from which one tour follows."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kt_cp.board import Topology
from kt_cp.cli.files import check_output, read_board, write_lines
from kt_cp.cli.options import BoardArgument, Closed, Out, PieceOption, Seed, TopologyOption
from kt_cp.cli.progress import spinner
from kt_cp.errors import counted
from kt_cp.puzzles import make_puzzle
from kt_cp.solving import solve


def puzzle_command(
    board: BoardArgument,
    closed: Closed = False,
    seed: Seed = 0,
    givens: Annotated[
        int | None, typer.Option(help="keep so many numbers, for an easier puzzle")
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="print the solution too")] = False,
    piece: PieceOption = "knight",
    topology: TopologyOption = Topology.FLAT,
    out: Out = None,
) -> int:
    """Make a puzzle: step numbers that one tour alone has, and no number to spare.

    It is printed as 'kt solve' reads it. Exit code 1: the board has no tour.
    """
    the_board = read_board(board, piece, topology)
    check_output(out)
    with spinner(f"making a puzzle of {the_board.title}") as say:
        puzzle = make_puzzle(
            the_board,
            closed=closed,
            seed=seed,
            givens=givens,
            progress=lambda left: say(f"taking numbers away: {counted(left, 'square')} to try"),
        )
    if puzzle is None:
        reason = solve(the_board, closed=closed).reason
        print(f"impossible: {reason}", file=sys.stderr)
        return 1
    write_lines([*puzzle.lines(), *(["", *puzzle.solution.grid_lines()] if solution else [])], out)
    numbers = f"{counted(len(puzzle.givens), 'number')} given"
    print(f"puzzle: {puzzle.solution.summary}, {numbers}", file=sys.stderr)
    return 0
