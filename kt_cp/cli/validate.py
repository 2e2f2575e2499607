"""``kt validate``: is this path a tour, and if not, where does it go wrong?"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated

import typer

from kt_cp.board import Topology
from kt_cp.board.piece import KNIGHT
from kt_cp.cli.files import write_lines
from kt_cp.cli.options import Draw, PieceOption, TopologyOption
from kt_cp.cli.path import PathArgument, PathBoard, PathClosed, PathNotation, read_path
from kt_cp.draw.output import check_picture, draw_report
from kt_cp.notation import Reading
from kt_cp.tour.validator import Fault

_SHOWN = 20
_SHOWN_IN_JSON = 10_000  # a board that a single number claims can have a thousand million


class Format(StrEnum):
    """How the answer is written."""

    TEXT = "text"
    JSON = "json"


def validate_command(
    path: PathArgument,
    board: PathBoard = None,
    closed: PathClosed = None,
    notation: PathNotation = None,
    piece: PieceOption = KNIGHT.name,
    topology: TopologyOption = Topology.FLAT,
    all_faults: Annotated[
        bool,
        typer.Option(
            "--all-faults", help=f"not only the first {_SHOWN} ({_SHOWN_IN_JSON} in JSON)"
        ),
    ] = False,
    answer: Annotated[Format, typer.Option("--format", help="how to answer")] = Format.TEXT,
    draw: Draw = None,
) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    Exit code 0: it is a tour; 1: it is not; 2: the input makes no sense.
    """
    if draw is not None:
        check_picture(draw)
    reading = read_path(path, board, closed, notation, piece, topology)
    if draw is not None:
        draw_report(reading.report, draw)
    for note in reading.notes:
        print(f"note: {note}", file=sys.stderr)
    if answer is Format.JSON:
        write_lines(_json_lines(reading, None if all_faults else _SHOWN_IN_JSON), None)
    else:
        write_lines(_text_lines(reading, None if all_faults else _SHOWN), None)
    return 0 if reading.valid else 1


def _text_lines(reading: Reading, shown: int | None) -> Iterator[str]:
    yield reading.verdict
    yield f"read as: {reading.read_as}"
    for fault in itertools.islice(reading.iter_faults(), shown):
        yield fault.message
    total = sum(reading.report.counts.values())
    if shown is not None and total > shown:
        yield f"and {total - shown} more: --all-faults shows them"


def _json_lines(reading: Reading, shown: int | None) -> Iterator[str]:
    """Write one object, a fault a line, so that no number of faults fills the memory."""
    head = {
        "valid": reading.valid,
        "board": reading.board.as_dict(),
        "closed": reading.closed,
        "notation": reading.notation.value,
        "counts": {kind.value: count for kind, count in reading.report.counts.items()},
    }
    yield json.dumps(head)[:-1] + ', "faults": ['
    separator = ""
    for fault in itertools.islice(reading.iter_faults(), shown):
        yield separator + json.dumps(_fault_as_dict(fault))
        separator = ","
    yield "]}"


def _fault_as_dict(fault: Fault) -> dict[str, object]:
    return {
        "kind": fault.kind.value,
        "step": fault.step,
        "squares": list(fault.squares),
        "message": fault.message,
    }
