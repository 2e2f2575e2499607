"""``kt count``: how many tours there are."""

from __future__ import annotations

import json
from typing import Unpack

import click

from kt_cp.board import Board, Topology
from kt_cp.cli.constraints import Asked, constraint_options, constraints_of
from kt_cp.cli.files import check_output, read_puzzle, write_lines
from kt_cp.cli.options import (
    AnswerFormat,
    board_argument,
    format_option,
    out_option,
    piece_options,
    time_limit_option,
    up_to_symmetry_option,
)
from kt_cp.cli.progress import spinner
from kt_cp.count.enumeration import Count, count_tours


@click.command()
@board_argument
@constraint_options
@up_to_symmetry_option
@piece_options
@click.option("--limit", type=int, help="Stop at so many tours.")
@time_limit_option
@format_option
@out_option
def count_command(
    board: str,
    up_to_symmetry: bool,
    piece: str,
    topology: Topology,
    limit: int | None,
    time_limit: float | None,
    answer_format: AnswerFormat,
    out: str | None,
    **asked: Unpack[Asked],
) -> int:
    """Count the tours of a board: open ones in both directions, closed ones in one.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input.

    Exit code 0: the count is complete; 2: the input makes no sense; 3: a limit was reached, and
    there are at least so many.
    """
    the_board, givens = read_puzzle(board, piece, topology)
    check_output(out)
    constraints = constraints_of(the_board, givens, **asked)
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
    if answer_format is AnswerFormat.JSON:
        write_lines([json.dumps(vars(count))], out)
    else:
        write_lines([_sentence(the_board, count, asked["closed"])], out)
    return 0 if count.complete else 3


def _sentence(board: Board, count: Count, closed: bool) -> str:
    number = f"{count.count}" if count.complete else f"at least {count.count}"
    if count.counted == "classes":
        kind = "closed" if closed else "open"
        return f"{number} classes of {kind} tours of {board.title}, up to symmetry"
    return f"{number} {count.counted} tours of {board.title}"
