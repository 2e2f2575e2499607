"""``kt draw``: a picture of a tour, or of what is wrong with a path."""

from __future__ import annotations

from typing import Unpack

import click

from kt_cp.cli.messages import tell
from kt_cp.cli.options import FILE, choice
from kt_cp.cli.path import PathAsked, path_parameters, read_path
from kt_cp.cli.progress import spinner
from kt_cp.draw.output import check_picture, draw_report, draw_tour
from kt_cp.draw.tour import Style


@click.command()
@path_parameters
@click.option("--out", type=FILE, required=True, help="The picture: .svg, .png, .gif or .html.")
@choice("--style", of=Style, default="lines", help="The style of an .svg or .png")
@click.option("--title", help="A title instead of the description of the tour.")
def draw_command(out: str, style: Style, title: str | None, **asked: Unpack[PathAsked]) -> int:
    """Draw a tour: as a picture, as a walk (.gif), or to step through (.html).

    PATH is a file, or - for standard input. A path that is no tour is drawn with its faults marked,
    as .svg or .png.

    Exit code 0: it is a tour; 1: it is not; 2: the input makes no sense.
    """
    check_picture(out, "--out")
    reading = read_path(**asked)
    with spinner(f"drawing {reading.board.title}"):
        if reading.valid:
            draw_tour(reading.tour, out, style, title)
        else:
            draw_report(reading.report, out, title, role="--out")
    tell(reading.verdict)
    return 0 if reading.valid else 1
