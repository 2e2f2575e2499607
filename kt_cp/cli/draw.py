"""``kt draw``: a picture of a tour, or of what is wrong with a path."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kt_cp.board import Topology
from kt_cp.board.piece import KNIGHT
from kt_cp.cli.options import PieceOption, TopologyOption
from kt_cp.cli.path import PathArgument, PathBoard, PathClosed, PathNotation, read_path
from kt_cp.cli.progress import spinner
from kt_cp.draw.output import check_picture, draw_report, draw_tour
from kt_cp.draw.tour import Style


def draw_command(
    path: PathArgument,
    out: Annotated[str, typer.Option(help="the picture: .svg, .png, .gif or .html")],
    style: Annotated[Style, typer.Option(help="of a .svg or .png")] = Style.LINES,
    title: Annotated[str | None, typer.Option(help="instead of what the tour is")] = None,
    board: PathBoard = None,
    closed: PathClosed = None,
    notation: PathNotation = None,
    piece: PieceOption = KNIGHT.name,
    topology: TopologyOption = Topology.FLAT,
) -> int:
    """Draw a tour: as a picture, as a walk (.gif), or to step through (.html).

    A path that is no tour is drawn with its faults marked, as .svg or .png.

    Exit code 0: it is a tour; 1: it is not; 2: the input makes no sense.
    """
    check_picture(out, "--out")
    reading = read_path(path, board, closed, notation, piece, topology)
    with spinner(f"drawing {reading.board.title}"):
        if reading.valid:
            draw_tour(reading.tour, out, style, title)
        else:
            draw_report(reading.report, out, title, role="--out")
    print(reading.verdict, file=sys.stderr)
    return 0 if reading.valid else 1
