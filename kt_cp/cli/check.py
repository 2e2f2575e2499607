"""``kt validate``, ``kt describe`` and ``kt check``: what others say is a tour, or a proof."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict, Unpack

import click

from kt_cp.board import Topology
from kt_cp.cli.options import (
    FILE,
    PATH_HELP,
    AnswerFormat,
    choice,
    draw_option,
    format_option,
    piece_options,
    read_graph,
    together,
)
from kt_cp.cli.output import check_drawing, write_lines, write_picture
from kt_cp.cli.process import Exit, tell
from kt_cp.errors import InputError
from kt_cp.files import opened, read_text
from kt_cp.graph import Graph
from kt_cp.notation.detect import parse_path
from kt_cp.notation.forms import Reading
from kt_cp.notation.graphs import GraphFormat
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_values import Array, load
from kt_cp.tour.validator import FaultKind

path_parameters = together(
    click.argument("path", type=FILE, help=PATH_HELP),
    click.option("--board", type=FILE, help="A size or a file with a map; detected if not given."),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    choice("--notation", of=Notation, help="How the path is written, detected if not given"),
    choice("--graph", of=GraphFormat, help="--board is a file with a graph in this format"),
    piece_options,
)


class PathAsked(TypedDict):
    """What `path_parameters` were given."""

    path: str
    board: str | None
    closed: bool | None
    notation: Notation | None
    piece: str | None
    topology: Topology | None
    graph: GraphFormat | None


def read_path(**asked: Unpack[PathAsked]) -> Reading:
    """Read a path from a file or standard input, whether or not it is a tour."""
    with opened_path(**asked) as (source, board):
        return parse_path(source, board, asked["notation"], asked["closed"])


@contextmanager
def opened_path(**asked: Unpack[PathAsked]) -> Iterator[tuple[str | Array, Graph | None]]:
    """Open what holds a path, and return the board that was given for it, if any."""
    path, board = asked["path"], asked["board"]
    piece = asked["piece"], asked["topology"]
    if board is None and piece != (None, None):
        raise InputError("--piece and --topology describe a --board; give that too")
    if board == path == "-":
        raise InputError("path and board cannot both come from standard input")
    the_board = None if board is None else read_graph(board, *piece, asked["graph"])
    with opened(path, "a file that holds a path") as file:
        yield load(file), the_board


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

    Exit code 0: it is a tour; 1: it is not; 2: invalid input.
    """
    check_drawing(draw)
    reading = read_path(**asked)
    write_picture(reading.report, draw)
    if answer_format is AnswerFormat.JSON:
        write_lines(_json_lines(reading, None if all_faults else _SHOWN_IN_JSON), None)
    else:
        write_lines(_text_lines(reading, None if all_faults else _SHOWN), None)
    for note in reading.notes:
        tell(f"note: {note}")
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
        **reading.graph.field,
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


@click.command()
@path_parameters
@format_option
def describe_command(answer_format: AnswerFormat, **asked: Unpack[PathAsked]) -> int:
    """Print the features of a tour: its turns and angles, crossings, slopes and symmetry.

    For a closed 8x8 tour, the least and the most of all such tours are shown too, where they are
    published, and for a closed 6x6 tour, how it compares with all 9,862.

    Exit code 0: the path is a tour; 1: it is not; 2: invalid input.
    """
    from kt_cp.tour.feature_table import FEATURES, features, standings, symmetries

    reading = read_path(**asked)
    if not reading.valid:
        tell(reading.verdict)
        return 1
    tour = reading.tour
    found, kinds = features(tour), symmetries(tour)
    if answer_format is AnswerFormat.JSON:
        write_lines([json.dumps({"features": found, "symmetry": kinds})], None)
        return 0
    known = {name: f" ({standing})" for name, standing in standings(tour, found).items()}
    lines = [
        f"{name:11}{count:>6}  {FEATURES[name].summary}{known.get(name, '')}"
        for name, count in found.items()
    ]
    write_lines([tour.summary, *lines, f"{'symmetry':11}{', '.join(kinds) or 'none':>6}"], None)
    return 0


@click.command()
@click.argument("file", type=FILE, help="The certificate, or - for standard input.")
@draw_option
def check_command(file: str, draw: str | None) -> int:
    """Check a certificate that kt solve --certificate wrote, without a solver.

    The picture shows the decisive squares.

    Exit code 0: it proves that there is no tour; 1: it does not; 2: it is not a certificate.
    """
    from kt_cp.proof.certificate import Certificate
    from kt_cp.proof.checker import check

    check_drawing(draw, animated=False)
    with opened(file, "a file that kt solve --certificate wrote") as stream:
        certificate = Certificate.parse(read_text(stream, "a certificate is JSON"))
    verdict = check(certificate)
    if verdict:
        write_picture(certificate, draw)
    write_lines([verdict.message], None)
    return Exit.YES if verdict else Exit.NO
