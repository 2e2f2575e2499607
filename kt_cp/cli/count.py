"""``kt count``: how many tours there are."""

from __future__ import annotations

import json
from typing import Unpack

import click

from kt_cp.board import Board
from kt_cp.cli import options
from kt_cp.cli.files import check_output, write_lines
from kt_cp.cli.instance import Asked, instance_parameters, read_instance
from kt_cp.cli.messages import tell
from kt_cp.cli.progress import spinner
from kt_cp.count.counting import COUNTING, Count, count_tours


@click.command()
@instance_parameters
@options.up_to_symmetry_option
@click.option(
    "--method",
    type=click.Choice(COUNTING),
    metavar="METHOD",
    default="auto",
    help=f"How to count: {', '.join(COUNTING)}.",
)
@click.option("--limit", type=int, metavar="N", help="Stop after N tours.")
@click.option(
    "--memory-limit", type=float, metavar="MIB", help="Stop before using more memory than this."
)
@options.time_limit_option
@options.format_option
@options.out_option
def count_command(
    up_to_symmetry: bool,
    method: str,
    limit: int | None,
    memory_limit: float | None,
    time_limit: float | None,
    answer_format: options.AnswerFormat,
    out: str | None,
    **asked: Unpack[Asked],
) -> int:
    """Count the tours of a board.

    An open tour and its reverse count as two tours, a closed tour and its reverse as one.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input.

    Exit code 0: the count is complete; 2: the input makes no sense; 3: a limit was reached, and
    the number is a lower bound.
    """
    board, constraints = read_instance(**asked)
    check_output(out)
    doing = f"counting {board.title}"
    with spinner(doing) as say:
        count = count_tours(
            board,
            method=method,
            up_to_symmetry=up_to_symmetry,
            limit=limit,
            time_limit=time_limit,
            memory_limit=memory_limit,
            progress=lambda so_far: say(f"{doing}: {so_far:,} so far"),
            tell=lambda line: say(f"{doing}: {line}"),
            **constraints,
        )
    if answer_format is options.AnswerFormat.JSON:
        fields = ("count", "complete", "counted")
        write_lines([json.dumps({name: getattr(count, name) for name in fields})], out)
    else:
        write_lines([_sentence(board, count, bool(constraints.get("closed")))], out)
    tell(f"counted by {count.method}" + (f": {count.note}" if count.note else ""))
    return 0 if count.complete else 3


def _sentence(board: Board, count: Count, closed: bool) -> str:
    number = f"{count.count}" if count.complete else f"at least {count.count}"
    if count.counted == "classes":
        kind = "closed" if closed else "open"
        return f"{number} classes of {kind} tours of {board.title}, up to symmetry"
    return f"{number} {count.counted} tours of {board.title}"
