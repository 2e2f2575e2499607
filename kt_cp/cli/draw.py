"""``kt draw``: a picture of a tour, or of what is wrong with a path."""

from __future__ import annotations

from typing import Unpack

import click

from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE, choice
from kt_cp.cli.path import PathAsked, opened_path, path_parameters
from kt_cp.cli.progress import spinner
from kt_cp.draw.output import check_picture, draw_picture, draw_report
from kt_cp.draw.puzzle import map_picture
from kt_cp.draw.sheet import Look, Style
from kt_cp.notation.detect import parse_path
from kt_cp.notation.text import Text


@click.command()
@path_parameters
@click.option("--out", type=FILE, required=True, help="The picture: .svg, .png, .pdf, .gif, .html.")
@choice("--style", of=Style, default="lines", help="What is shown of a tour")
@click.option("--title", help="Replace the title; '' omits it.")
@click.option("--no-legend", is_flag=True, help="Omit the legend below the board.")
@click.option("--no-coordinates", is_flag=True, help="Omit the names of files and ranks.")
@click.option("--monochrome", is_flag=True, help="Use black and shades of grey only.")
def draw_command(
    out: str,
    style: Style,
    title: str | None,
    no_legend: bool,
    no_coordinates: bool,
    monochrome: bool,
    **asked: Unpack[PathAsked],
) -> int:
    """Draw a tour: as a picture, animated (.gif), or as a page to step through (.html).

    PATH is a file, or - for standard input. A path that is not a tour is drawn with its faults
    marked, as .svg, .png or .pdf. The style applies to these three; an .html page uses the title
    only. A map on which squares have no number is drawn as a puzzle, or as a board if none has one.

    Exit code 0: it is a tour, a puzzle or a board; 1: it is not a tour; 2: the input makes no
    sense.
    """
    check_picture(out, "--out")
    look = Look(style, title, not no_legend, not no_coordinates, monochrome)
    with opened_path(**asked) as (source, board):
        text = source.whole if isinstance(source, Text) else None
        may_be_map = text is not None and board is None and asked["notation"] is None
        picture = map_picture(text or "", look, asked["closed"]) if may_be_map else None
        if picture is None:
            reading = parse_path(source, board, asked["notation"], asked["closed"])
    if picture is not None:
        draw_picture(picture, out, "--out")
        tell(picture.description)
        return 0
    with spinner(f"drawing {reading.board.title}") as say:
        draw_report(reading.report, out, look, say, role="--out")
    tell(reading.verdict)
    return 0 if reading.valid else 1
