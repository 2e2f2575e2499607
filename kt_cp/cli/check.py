"""``kt validate``, ``kt describe`` and ``kt check``: check paths, tours and certificates."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.options import FILE, STILL, choice
from kt_cp.cli.output import Exit, tell, write_lines, write_picture
from kt_cp.cli.reading import read_graph
from kt_cp.errors import InputError
from kt_cp.files import open_input, read_text
from kt_cp.graph import Graph
from kt_cp.notation.covers import is_cover, parse_cover
from kt_cp.notation.detect import parse_path
from kt_cp.notation.graphs import GraphFormat, graph_format
from kt_cp.notation.notations import Notation
from kt_cp.notation.path_files import load_path
from kt_cp.notation.read_values import Array
from kt_cp.notation.reading import Reading
from kt_cp.problem.instance import Instance
from kt_cp.tour.covers import CoverReport
from kt_cp.tour.feature_table import described_features, extremes, feature_named
from kt_cp.tour.report import Fault, FaultKind, Report

# The most faults that are shown: a text with one huge number can claim a board with 10^9 squares.
_SHOWN = 20
_SHOWN_IN_JSON = 10_000

path_parameters = options.combine(
    click.argument("path", type=FILE, help="A file, which may be .npy, or - for standard input."),
    click.option("--board", type=FILE, help="A size or a file with a map; detected if not given."),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    choice("--notation", of=Notation, help="How the path is written, detected if not given"),
    choice("--graph", of=GraphFormat, help="--board is a file with a graph in this format"),
    options.piece_options,
    click.option("--partial", is_flag=True, help="The path may leave squares out."),
)


@contextmanager
def opened_path(
    path: str, board: str | None, **shape: Any
) -> Iterator[tuple[str | Array, Graph | None]]:
    """Open a path, and yield its text or array and the graph that --board gives, if any."""
    if board is None and any(shape.values()):
        raise InputError("--piece, --topology and --graph describe a --board; give that too")
    if board == path == "-":
        raise InputError("path and board cannot both come from standard input")
    if graph_format(path) is not None:
        raise InputError(f"{path}: this is a graph; give a path, and the graph as --board {path}")
    the_board = None if board is None else read_graph(board, **shape)
    with open_input(path, "a file that holds a path") as file:
        yield load_path(file), the_board


def read_path_or_cover(
    source: str | Array, board: Graph | None, **how: Any
) -> Reading | CoverReport:
    """Read a cover, if the source states that it is one, or else a path; ``how`` is for paths."""
    if isinstance(source, str) and is_cover(source):
        return parse_cover(source, board)
    return parse_path(source, board, **how)


def _read(
    *, notation: Notation | None, closed: bool | None, partial: bool, **given: Any
) -> Reading | CoverReport:
    """Read the path or cover that the arguments of a command name, on the board that they give."""
    how = {"notation": notation, "closed": closed, "partial": partial}
    with opened_path(**given) as (source, board):
        return read_path_or_cover(source, board, **how)


def _tell_cover(report: CoverReport, form: str, draw: str | None) -> int:
    """Write the verdict on a cover, and its first faults, and return the exit code."""
    write_picture(report, draw)
    if form == "json":
        faults = [*report.faults[:_SHOWN_IN_JSON]]
        answer = {"valid": report.valid, **report.as_dict(), "faults": faults}
        write_lines([json.dumps(answer)])
    else:
        write_lines([report.verdict, *report.faults[:_SHOWN]])
    return Exit.YES if report.valid else Exit.NO


def _describe_cover(report: CoverReport, form: str) -> int:
    """Write how many squares each path of a cover visits, and its features."""
    if not report.valid:
        tell(report.verdict)
        return Exit.NO
    tours = [*report.tours()]
    if form == "json":
        paths = [{"tour": tour.values, "features": described_features(tour)} for tour in tours]
        write_lines([json.dumps({"paths": paths})])
        return Exit.YES
    words = report.graph.vocabulary
    lines = [report.summary]
    for number, tour in enumerate(tours, start=1):
        count = words.count_vertices(len(tour))
        lines.append(f"path {number}: {count}, from {tour.names[0]} to {tour.names[-1]}")
    write_lines(lines)
    return Exit.YES


@click.command()
@path_parameters
@options.order_option
@options.format_option()
@options.draw_option
def validate_command(form: str, draw: str | None, order: str | None, **given: Any) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    The first 20 faults are shown, in JSON up to 10,000. With --order, a closed tour is followed
    from the first of these squares on, in the direction in which it is written. The paths that
    kt cover writes are judged as a cover, which visits every square once.
    """
    reading = _read(**given)
    if isinstance(reading, CoverReport):
        options.refuse(["order"], "with a cover")
        return _tell_cover(reading, form, draw)
    fault = None if order is None else _order_fault(reading, order)
    is_met = reading.valid and fault is None
    write_picture(reading.report, draw)
    if form == "json":
        write_lines([_json(reading, None if order is None else is_met)])
    else:
        write_lines(_text_lines(reading, fault))
    for note in reading.notes:
        tell(f"note: {note}")
    tell_of_partial(reading.report)
    return Exit.YES if is_met else Exit.NO


def tell_of_partial(report: Report) -> None:
    """Tell that a path whose only fault is to leave squares out is a partial tour."""
    partial = replace(report, allows_partial=True)
    if partial.valid and not report.valid and report.move_count:
        tell(f"note: --partial would accept it: {partial.verdict}")


def _order_fault(reading: Reading, order: str) -> str | None:
    """Return in which other order a valid path visits squares, or None if there is no fault.

    Raises `InputError` unless the order consists of distinct squares of the board.
    """
    wanted = Instance.of(reading.graph, closed=reading.closed, order=order).order
    if not reading.valid:
        return None
    path = reading.ids.tolist()
    if reading.closed and wanted and wanted[0] in path:
        first = path.index(wanted[0])
        path = path[first:] + path[:first]
    visited = [square for square in path if square in wanted]
    if visited == [*wanted]:
        return None
    return f"it visits {' '.join(map(reading.graph.name, visited)) or 'none of them'}"


def _text_lines(reading: Reading, order_fault: str | None) -> Iterator[str]:
    """Yield the verdict, how the path was read, and its first faults."""
    if order_fault is None:
        yield reading.verdict
    else:
        yield f"{reading.verdict}, but not in the order: {order_fault}"
    yield f"read as: {reading.read_as}"
    yield from itertools.islice(reading.fault_lines(), _SHOWN)
    missing = reading.counts.get(FaultKind.MISSING, 0)
    lines = sum(reading.counts.values())
    if missing > 1:  # the missing squares are on one line
        lines -= missing - 1
    if lines > _SHOWN:
        yield f"and {lines - _SHOWN} more: --format json shows them"


def _json(reading: Reading, in_order: bool | None) -> str:
    """Return the verdict, the board and the faults as one object of JSON.

    ``in_order`` tells whether an order is met, and is None if none was asked for.
    """
    faults = itertools.islice(reading.iter_faults(), _SHOWN_IN_JSON)
    answer = {
        "valid": reading.valid,
        "in_order": in_order,
        **reading.graph.field,
        "closed": reading.closed,
        "partial": reading.report.allows_partial,
        "notation": reading.notation,
        "counts": reading.counts,
        "faults": [_fault_fields(fault) for fault in faults],
    }
    return json.dumps(answer)


def _fault_fields(fault: Fault) -> dict[str, object]:
    """Return a fault as plain values."""
    return {
        "kind": fault.kind,
        "step": fault.step,
        "squares": fault.squares,
        "message": fault.message,
    }


@click.command()
@path_parameters
@options.format_option()
def describe_command(form: str, **given: Any) -> int:
    """Print the features of a tour: its turns and angles, crossings, slopes and symmetry.

    For a closed 8x8 tour, the least and the most of all such tours are shown too, where they are
    published. Of a path that leaves squares out, the number of squares and of chords is told, and
    of a cover the length of each path; in JSON its features too.
    """
    reading = _read(**given)
    if isinstance(reading, CoverReport):
        return _describe_cover(reading, form)
    if not reading.valid:
        tell(reading.verdict)
        tell_of_partial(reading.report)
        return Exit.NO
    tour = reading.tour
    found = described_features(tour)
    symmetries: list[str] = []
    if tour.graph.has_places:
        symmetries = tour.symmetries_to(tour)[1:]  # without the identity
    if form == "json":
        write_lines([json.dumps({"features": found, "symmetry": symmetries})])
        return Exit.YES
    known = extremes(tour)
    lines = [tour.summary]
    for name, count in found.items():
        standing = f" ({known[name]})" if name in known else ""
        lines.append(f"{name:11}{count:>6}  {feature_named(name).summary}{standing}")
    lines.append(f"{'symmetry':11}{', '.join(symmetries) or 'none':>6}")
    write_lines(lines)
    return Exit.YES


@click.command()
@click.argument("file", type=FILE, help="The certificate, or - for standard input.")
@options.picture("--draw", *STILL, help="Also draw the decisive squares to this file")
@options.theme_option
@options.paper_option
def check_command(file: str, draw: str | None) -> int:
    """Check a certificate that kt solve, kt longest or kt cover wrote, without a solver."""
    from kt_cp.proof.certificate import Certificate
    from kt_cp.proof.checker import check

    with open_input(file, "a file that --certificate wrote") as stream:
        certificate = Certificate.parse(read_text(stream, "a certificate is JSON"))
    verdict = check(certificate)
    if verdict:
        write_picture(certificate, draw)
    write_lines([verdict.message])
    return Exit.YES if verdict else Exit.NO
