"""``kt board``: a random board that has a tour."""

from __future__ import annotations

from typing import Unpack

import click

from kt_cp.board.maps import note_lines
from kt_cp.cli import options
from kt_cp.cli.files import check_output, write_lines
from kt_cp.cli.instance import Asked, instance_parameters, read_instance
from kt_cp.cli.messages import Exit, tell
from kt_cp.cli.progress import spinner
from kt_cp.errors import pluralize
from kt_cp.puzzles.boards import random_tour
from kt_dfs import Status


@click.command()
@instance_parameters
@click.option("--holes", type=int, default=0, help="How many squares become holes.")
@click.option("--symmetric", is_flag=True, help="A half-turn maps the holes onto themselves.")
@options.seed_option
@options.out_option
@options.draw_option
def board_command(
    holes: int,
    symmetric: bool,
    seed: int,
    out: str | None,
    draw: str | None,
    **asked: Unpack[Asked],
) -> int:
    """Make a random board that has a tour, and print its map.

    BOARD is a size such as 8x8 (rows x columns), a file with a map to which holes are added, or -
    for standard input. The tour meets the constraints, whose squares do not become holes; --draw
    shows it. The map does not say whether the tour is closed: repeat --closed for kt puzzle.

    Exit code 0: here it is; 1: no such board has a tour; 2: the input makes no sense; 3: none was
    found.
    """
    board, constraints = read_instance(**asked)
    check_output(out)
    if draw is not None:
        from kt_cp.draw.output import check_picture

        check_picture(draw, board=board)
    with spinner(f"making a board of {board.title}"):
        result = random_tour(board, holes, symmetric=symmetric, seed=seed, **constraints)
    if result.tour is None:
        tell(f"{result.status.value}: {result.reason}")
        return Exit.NO if result.status is Status.IMPOSSIBLE else Exit.NO_ANSWER
    board = result.tour.board
    unusual = {name: note for name, note in board.as_dict().items() if isinstance(note, str)}
    write_lines([*str(board).splitlines(), *note_lines(unusual)], out)
    if draw is not None:
        from kt_cp.draw.output import draw_tour

        draw_tour(result.tour, draw)
    tell(f"board: {board.title}, {pluralize(len(board.holes), 'hole')}; {result.summary}")
    return 0
