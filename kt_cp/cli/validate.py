"""``kt validate``: is this path a tour, and if not, where does it go wrong?"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Unpack

import click

from kt_cp.cli.files import write_lines
from kt_cp.cli.messages import tell
from kt_cp.cli.options import AnswerFormat, draw_option, format_option
from kt_cp.cli.path import PathAsked, path_parameters, read_path
from kt_cp.cli.progress import spinner
from kt_cp.notation.forms import Reading
from kt_cp.tour.report import FaultKind

_SHOWN = 20
_SHOWN_IN_JSON = 10_000  # a board that a single number claims can have a thousand million squares


@click.command()
@path_parameters
@click.option(
    "--all-faults",
    is_flag=True,
    help=f"Show all faults, not only the first {_SHOWN} ({_SHOWN_IN_JSON} in JSON).",
)
@format_option
@draw_option
def validate_command(
    all_faults: bool, answer_format: AnswerFormat, draw: str | None, **asked: Unpack[PathAsked]
) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    PATH is a file, which may be a NumPy file (.npy), or - for standard input.

    Exit code 0: it is a tour; 1: it is not; 2: the input makes no sense.
    """
    if draw is None:
        reading = read_path(**asked)
    else:
        from kt_cp.draw.output import check_picture, draw_report

        check_picture(draw)
        reading = read_path(**asked)
        with spinner(f"drawing {reading.board.title}") as say:
            draw_report(reading.report, draw, progress=say)
    for note in reading.notes:
        tell(f"note: {note}")
    if answer_format is AnswerFormat.JSON:
        write_lines(_json_lines(reading, None if all_faults else _SHOWN_IN_JSON), None)
    else:
        write_lines(_text_lines(reading, None if all_faults else _SHOWN), None)
    return 0 if reading.valid else 1


def _text_lines(reading: Reading, shown: int | None) -> Iterator[str]:
    yield reading.verdict
    yield f"read as: {reading.read_as}"
    if shown is None:
        yield from (fault.message for fault in reading.iter_faults())
        return
    yield from itertools.islice(reading.fault_lines(), shown)
    counts = reading.report.counts
    lines = sum(counts.values()) - max(0, counts.get(FaultKind.MISSING, 0) - 1)
    if lines > shown:
        yield f"and {lines - shown} more: --all-faults shows them"


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
        values = {name: getattr(fault, name) for name in ("kind", "step", "squares", "message")}
        yield separator + json.dumps(values)
        separator = ","
    yield "]}"
