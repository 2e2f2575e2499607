"""``kt draw``: a picture of a tour, or of what is wrong with a path."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kt_cp.cli.files import opened, read_board
from kt_cp.cli.progress import spinner
from kt_cp.draw import Style, check_picture, draw_report, draw_tour
from kt_cp.errors import InputError
from kt_cp.notation import Notation, load, parse_path


def draw_command(
    path: Annotated[str, typer.Argument(help="a file, .npy too, or - for stdin")],
    out: Annotated[str, typer.Option(help="the picture: .svg, .png, .gif or .html")],
    style: Annotated[Style, typer.Option(help="of a .svg or .png")] = Style.LINES,
    title: Annotated[str | None, typer.Option(help="instead of what the tour is")] = None,
    board: Annotated[str | None, typer.Option(help="8x8, or a map file; else found out")] = None,
    closed: Annotated[
        bool | None, typer.Option("--closed/--open", help="the kind of tour; else found out")
    ] = None,
    notation: Annotated[
        Notation | None, typer.Option(help="how the path is written; else found out")
    ] = None,
) -> int:
    """Draw a tour: as a picture, as a walk (.gif), or to step through (.html).

    A path that is no tour is drawn with its faults marked, as .svg or .png.

    Exit code 0: it is a tour; 1: it is not; 2: the input makes no sense.
    """
    if board == path == "-":
        raise InputError("path and board cannot both come from standard input")
    check_picture(out, "--out")
    the_board = None if board is None else read_board(board)
    with opened(path, "a file that holds a path") as file:
        reading = parse_path(load(file, notation is None), the_board, notation, closed)
    with spinner(f"drawing {reading.board.title}"):
        if reading.valid:
            draw_tour(reading.tour, out, style, title)
        else:
            draw_report(reading.report, out, title, role="--out")
    print(reading.verdict, file=sys.stderr)
    return 0 if reading.valid else 1
