"""``kt puzzle``: step numbers from which one tour follows."""

from __future__ import annotations

import click

from kt_cp.board import Topology
from kt_cp.cli import options
from kt_cp.cli.files import check_output, read_board, write_lines
from kt_cp.cli.messages import tell
from kt_cp.cli.progress import spinner
from kt_cp.errors import counted
from kt_cp.puzzles import make_puzzle
from kt_cp.solving import solve


@click.command()
@options.board_argument
@options.closed_option
@options.seed_option
@click.option("--givens", type=int, metavar="N", help="Keep N numbers, for an easier puzzle.")
@click.option("--solution", is_flag=True, help="Print the solution too.")
@options.piece_options
@options.out_option
def puzzle_command(
    board: str,
    closed: bool,
    seed: int,
    givens: int | None,
    solution: bool,
    piece: str,
    topology: Topology,
    out: str | None,
) -> int:
    """Make a puzzle: step numbers from which one tour follows, none of which can be spared.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input. The
    puzzle is printed as 'kt solve' reads it.

    Exit code 0: here it is; 1: the board has no tour; 2: the input makes no sense.
    """
    the_board = read_board(board, piece, topology)
    check_output(out)
    with spinner(f"making a puzzle of {the_board.title}") as say:
        puzzle = make_puzzle(
            the_board,
            closed=closed,
            seed=seed,
            givens=givens,
            progress=lambda left: say(f"removing numbers: {counted(left, 'square')} to try"),
        )
    if puzzle is None:
        tell(f"impossible: {solve(the_board, closed=closed).reason}")
        return 1
    comments = ("; solution:", *(f"; {line}" for line in puzzle.solution.grid_lines()))
    write_lines([*puzzle.lines(), *(comments if solution else ())], out)
    tell(f"puzzle: {puzzle.solution.summary}, {counted(len(puzzle.givens), 'number')} given")
    return 0
