"""``kt draw``: a picture of a tour, or of what is wrong with a path."""

from __future__ import annotations

from typing import Unpack

import click

from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE, choice
from kt_cp.cli.path import PathAsked, path_parameters, read_path
from kt_cp.cli.progress import spinner
from kt_cp.draw.output import check_picture, draw_report
from kt_cp.draw.sheet import Look, Style


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

    PATH is a file, or - for standard input. A path that is no tour is drawn with its faults marked,
    as .svg, .png or .pdf. The style applies to these three; an .html page uses the title only.

    Exit code 0: it is a tour; 1: it is not; 2: the input makes no sense.
    """
    check_picture(out, "--out")
    reading = read_path(**asked)
    look = Look(style, title, not no_legend, not no_coordinates, monochrome)
    with spinner(f"drawing {reading.board.title}") as say:
        draw_report(reading.report, out, look, say, role="--out")
    tell(reading.verdict)
    return 0 if reading.valid else 1
