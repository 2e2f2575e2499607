"""``kt validate``, ``kt describe`` and ``kt check``: check paths, tours and certificates."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.look_options import draw_option, paper_option, theme_option
from kt_cp.cli.options import FILE
from kt_cp.cli.output import Exit, tell, write_lines, write_picture, write_prose
from kt_cp.cli.paths import PathOptions, note_partial_tour, path_parameters
from kt_cp.cli.subcommand import as_subcommand
from kt_cp.draw.look import PICTURE_SUFFIXES
from kt_cp.files import open_input, read_text
from kt_cp.notation.reading import Reading
from kt_cp.problem.instance import Instance
from kt_cp.tour.features import described_features, extremes, feature_named
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import CoverReport, Fault, FaultKind

# The most faults that are shown: a text with one huge number can claim a board with 10^9 squares.
_MAX_FAULTS = 20
_MAX_FAULTS_IN_JSON = 10_000

_FEATURE_WIDTH = 19  # characters: a feature's name and value, and the gap before what it is


@as_subcommand()
@path_parameters
@options.order_option
@options.format_option()
@draw_option
def validate_command(form: str, draw: str | None, order: str | None, **given: Any) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    The first 20 faults are shown, in JSON up to 10,000. With --order, a closed tour is read
    from the first of these squares, in its written direction. The paths that kt cover writes are
    judged as a cover, which visits every square once.
    """
    reading = options.take_options(PathOptions, given).read()
    if isinstance(reading, CoverReport):
        options.refuse(["order"], "with a cover")
        return _write_cover_verdict(reading, form, draw)
    fault = None if order is None else _order_fault(reading, order)
    is_accepted = reading.valid and fault is None
    write_picture(reading.report, draw)
    if form == "json":
        write_lines([_verdict_json(reading, None if order is None else is_accepted)])
    else:
        write_prose(_text_lines(reading, fault), indent=2)
    for note in reading.notes:
        tell(f"note: {note}")
    note_partial_tour(reading.report)
    return Exit.YES if is_accepted else Exit.NO


def _write_cover_verdict(report: CoverReport, form: str, draw: str | None) -> int:
    """Write the verdict on a cover and its first faults, and return the exit code."""
    write_picture(report, draw)
    if form == "json":
        faults = [*report.faults[:_MAX_FAULTS_IN_JSON]]
        answer = {"valid": report.valid, **report.as_dict(), "faults": faults}
        write_lines([json.dumps(answer)])
    else:
        lines = [report.verdict, *report.faults[:_MAX_FAULTS]]
        remaining = len(report.faults) - _MAX_FAULTS
        if remaining > 0:
            lines.append(f"and {remaining} more: --format json shows them")
        write_prose(lines, indent=2)
    return Exit.YES if report.valid else Exit.NO


def _order_fault(reading: Reading, order: str) -> str | None:
    """Return how a valid path breaks the order of --order, or None if it does not.

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
    yield from itertools.islice(reading.fault_lines(), _MAX_FAULTS)
    missing = reading.counts.get(FaultKind.MISSING, 0)
    line_count = sum(reading.counts.values())
    if missing > 1:
        line_count -= missing - 1  # all missing squares are on one line
    if line_count > _MAX_FAULTS:
        yield f"and {line_count - _MAX_FAULTS} more: --format json shows them"


def _verdict_json(reading: Reading, in_order: bool | None) -> str:
    """Return the verdict, the board and the faults as one object of JSON.

    ``in_order`` tells whether an order is met, and is None if none was asked for.
    """
    faults = itertools.islice(reading.iter_faults(), _MAX_FAULTS_IN_JSON)
    answer = {
        "valid": reading.valid,
        "in_order": in_order,
        **reading.graph.json_field,
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


@as_subcommand()
@path_parameters
@options.format_option()
def describe_command(form: str, **given: Any) -> int:
    """Print the features of a tour: its turns and angles, crossings, slopes and symmetry.

    For a closed 8x8 tour, the published minimum and maximum of all such tours are shown too. For a
    path that leaves squares out, the numbers of squares and chords are printed; for a cover, the
    length of each path and, in JSON, its features.
    """
    reading = options.take_options(PathOptions, given).read()
    if isinstance(reading, CoverReport):
        return _describe_cover(reading, form)
    if not reading.valid:
        tell(reading.verdict)
        note_partial_tour(reading.report)
        return Exit.NO
    _describe_tour(reading.tour, form)
    return Exit.YES


def _describe_tour(tour: Tour, form: str) -> None:
    """Write the features and symmetries of a tour."""
    counts = described_features(tour)
    symmetries: list[str] = []
    if tour.graph.has_places:
        symmetries = tour.symmetries_to(tour)[1:]  # without the identity
    if form == "json":
        write_lines([json.dumps({"features": counts, "symmetry": symmetries})])
        return
    known = extremes(tour)
    lines = [tour.summary]
    for name, count in counts.items():
        published = f" ({known[name]})" if name in known else ""
        lines.append(f"{name:11}{count:>6}  {feature_named(name).summary}{published}")
    lines.append(f"{'symmetry':11}{', '.join(symmetries) or 'none':>6}")
    write_prose(lines, indent=_FEATURE_WIDTH)


def _describe_cover(report: CoverReport, form: str) -> int:
    """Write how many squares each path of a cover visits or, as JSON, its features."""
    if not report.valid:
        tell(report.verdict)
        return Exit.NO
    tours = [Tour.from_ids(report.graph, path, False, partial=True) for path in report.paths]
    if form == "json":
        paths = [{"tour": tour.json_names, "features": described_features(tour)} for tour in tours]
        write_lines([json.dumps({"paths": paths})])
        return Exit.YES
    words = report.graph.vocabulary
    lines = [report.summary]
    for number, tour in enumerate(tours, start=1):
        first, last = tour.names[0], tour.names[-1]
        ends = first if len(tour) == 1 else f"from {first} to {last}"
        lines.append(f"path {number}: {words.count_vertices(len(tour))}, {ends}")
    write_lines(lines)
    return Exit.YES


@as_subcommand()
@click.argument("file", type=FILE, help="The certificate, or - for standard input.")
@options.picture_option(
    "--draw", *PICTURE_SUFFIXES, help="Also draw the decisive squares to this file"
)
@theme_option
@paper_option
def check_command(file: str, draw: str | None) -> int:
    """Check a certificate that kt solve, kt longest or kt cover wrote, without a solver."""
    from kt_cp.proof.certificate import Certificate
    from kt_cp.proof.checker import check

    with open_input(file, "a file that --certificate wrote") as stream:
        certificate = Certificate.parse(read_text(stream, "a certificate is JSON"))
    verdict = check(certificate)
    if verdict:
        write_picture(certificate, draw)
    write_prose([verdict.message])
    return Exit.YES if verdict else Exit.NO
