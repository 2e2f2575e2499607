"""``kt validate``, ``kt describe`` and ``kt check``: judge paths, tours and certificates."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from kt_cp.board import Topology
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import FILE, draw_option, paper_option, read_graph, theme_option
from kt_cp.cli.output import Exit, tell, write_lines, write_picture, write_prose
from kt_cp.draw.look import PICTURE_SUFFIXES
from kt_cp.files import open_input, read_text
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.graph_files import GraphFormat, graph_format
from kt_cp.notation.notations import Notation
from kt_cp.notation.read import parse_path, parse_paths
from kt_cp.notation.reading import Reading
from kt_cp.notation.values import Array, load_path
from kt_cp.notation.write import is_cover, parse_cover
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Weights
from kt_cp.tour.features import described_features, extremes, feature_named, step_sums
from kt_cp.tour.tour import Tour, shared_moves
from kt_cp.tour.validator import CoverReport, FaultKind, Report

path_parameters = options.combine(
    click.argument(
        "path",
        type=options.FILE,
        help="A file, which may be .npy, - for standard input, or the path itself: 'a1 b3 c5'.",
    ),
    click.option(
        "--board", type=options.FILE, help="A size or a file with a map; detected if not given."
    ),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    options.notation_option("--notation", help="How the path is written, detected if not given"),
    options.graph_options,
    options.piece_options,
    click.option("--partial", is_flag=True, help="The path may leave squares out."),
)


@dataclass(frozen=True)
class PathOptions:
    """The path of a command and how to read it: the values of `path_parameters`."""

    path: str
    board: str | None
    closed: bool | None
    notation: Notation | None
    graph: GraphFormat | None
    head: bool | None
    piece: str | None
    topology: Topology | None
    partial: bool

    @contextmanager
    def opened(self) -> Iterator[tuple[str | Array, Graph | None]]:
        """Open the path, and yield its text or array and the graph that --board gives, if any.

        Errors that are raised in the block name the file.
        """
        if self.board is None and (self.piece or self.topology or self.graph):
            raise InputError("--piece, --topology and --graph describe a --board; give that too")
        if self.board == self.path == "-":
            raise InputError("path and board cannot both come from standard input")
        if graph_format(self.path) is not None:
            advice = f"give a path, and the graph as --board {self.path}"
            raise InputError(f"{self.path}: this is a graph; {advice}")
        board = None
        if self.board is not None:
            board = read_graph(self.board, self.graph, self.piece, self.topology, self.head)
        if " " in self.path.strip() and not Path(self.path).exists():  # the path itself
            yield self.path, board
            return
        with open_input(self.path, "a file that holds a path") as file:
            yield load_path(file), board

    def parse(self, source: str | Array, board: Graph | None) -> Reading | CoverReport:
        """Read a cover, if the source states that it is one, or else a path."""
        if isinstance(source, str) and is_cover(source):
            return parse_cover(source, board)
        return parse_path(source, board, self.notation, self.closed, partial=self.partial)

    def read(self) -> Reading | CoverReport:
        """Read the path or cover in the file."""
        with self.opened() as (source, board):
            return self.parse(source, board)


def note_partial_tour(report: Report) -> None:
    """Tell that a path whose only fault is to leave squares out is a partial tour."""
    as_partial = replace(report, allows_partial=True)
    would_be_valid = as_partial.valid and not report.valid
    if would_be_valid and report.move_count > 0:  # one square alone is not worth a note
        tell(f"note: --partial would accept it: {as_partial.verdict}")


# The most faults that are shown: a text with one huge number can claim a board with 10^9 squares.
_MAX_FAULTS = 20
_MAX_FAULTS_IN_JSON = 10_000

_FEATURE_WIDTH = 19  # characters: a feature's name and value, and the gap before what it is


@as_subcommand()
@path_parameters
@options.order_option
@options.start_option
@click.option("--end", metavar="SQUARE", help="The last square of an open tour.")
@options.format_option()
@draw_option
def validate_command(
    form: str,
    draw: str | None,
    order: str | None,
    start: str | None,
    end: str | None,
    **given: Any,
) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    The first 20 faults are shown, in JSON up to 10,000. With --order, a closed tour is read
    from the first of these squares, in its written direction. With --start and --end, the tour
    must begin and end there as it is written. The paths that kt cover writes are
    judged as a cover, which visits every square once. Of several paths in one text, each gets a
    line, and the exit code is that of the worst. Each tour that kt decompose writes is judged, and
    then whether two share a move.
    """
    chosen = options.take_options(PathOptions, given)
    with chosen.opened() as (source, board):
        tours = disjoint_tours_in(source)
        if tours:
            options.refuse(["order", "start", "end", "draw"], "with several tours")
            return _write_verdicts([chosen.parse(each, board) for each in tours], form)
        if isinstance(source, str) and is_cover(source):
            options.refuse(["order", "start", "end"], "with a cover")
            return _write_cover_verdict(parse_cover(source, board), form, draw)
        readings = parse_paths(
            source, board, chosen.notation, chosen.closed, partial=chosen.partial
        )
    if len(readings) > 1:
        options.refuse(["order", "start", "end", "draw"], "with several paths")
        return _write_verdicts_of_paths(readings, form)
    [reading] = readings
    fault = None if order is None else _order_fault(reading, order)
    fault = fault or _end_fault(reading, start, end)
    is_accepted = reading.valid and fault is None
    write_picture(reading.report, draw)
    if form == "json":
        write_lines([_verdict_json(reading, is_accepted if order or start or end else None)])
    else:
        write_prose(_text_lines(reading, fault), indent=2)
    for note in reading.notes:
        tell(f"note: {note}")
    note_partial_tour(reading.report)
    return Exit.YES if is_accepted else Exit.NO


def disjoint_tours_in(source: str | Array) -> list[str]:
    """Return the texts of the tours in what kt decompose wrote, or none if it is something else."""
    if not isinstance(source, str):
        return []
    if '"tours"' in source and source.lstrip().startswith("{"):
        with suppress(ValueError):
            document = json.loads(source)
            return [json.dumps({**document, "tour": tour}) for tour in document.pop("tours")]
    _, *tours = re.split(r"^; tour \d+ of \d+$", source, flags=re.MULTILINE)
    return tours


def _write_verdicts(readings: Sequence[Reading | CoverReport], form: str) -> int:
    """Write the verdict on each of several tours, and the moves that two share."""
    valid = [each for each in readings if isinstance(each, Reading) and each.valid]
    tours = [Tour.from_ids(each.graph, each.ids, each.closed) for each in valid]
    names = []
    for source, target in shared_moves(tours):
        names.append(f"{tours[0].graph.name(source)}-{tours[0].graph.name(target)}")
    is_accepted = len(valid) == len(readings) and not names
    if form == "json":
        verdicts = [each.verdict for each in readings]
        write_lines([json.dumps({"valid": is_accepted, "verdicts": verdicts, "shared": names})])
    else:
        lines = [f"tour {number}: {each.verdict}" for number, each in enumerate(readings, start=1)]
        lines += [f"two tours share the move {name}" for name in names[:_MAX_FAULTS]]
        write_prose(lines or ["no tour"], indent=2)
    return Exit.YES if is_accepted else Exit.NO


def _write_verdicts_of_paths(readings: Sequence[Reading], form: str) -> int:
    """Write a line for each of several paths, and return the exit code of the worst."""
    if form == "json":
        write_lines([_verdict_json(reading, None) for reading in readings])
    else:
        lines = [f"path {number}: {each.verdict}" for number, each in enumerate(readings, start=1)]
        write_lines(lines)
    return Exit.YES if all(readings) else Exit.NO


def _write_cover_verdict(report: CoverReport, form: str, draw: str | None) -> int:
    """Write the verdict on a cover and its first faults, and return the exit code."""
    write_picture(report, draw)
    if form == "json":
        faults = [*report.faults[:_MAX_FAULTS_IN_JSON]]
        write_lines([json.dumps({"valid": report.valid, **report.as_dict(), "faults": faults})])
    else:
        shown = _first(report.faults, len(report.faults))
        write_prose([report.verdict, *shown], indent=2)
    return Exit.YES if report.valid else Exit.NO


def _first(lines: Iterable[str], count: int) -> Iterator[str]:
    """Yield the first lines of ``count``, and how many more there are."""
    yield from itertools.islice(lines, _MAX_FAULTS)
    if count > _MAX_FAULTS:
        yield f"and {count - _MAX_FAULTS} more: --format json shows them"


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
    shown = " ".join(map(reading.graph.name, visited))
    return f"not in the order: it visits {shown or 'none of them'}"


def _end_fault(reading: Reading, start: str | None, end: str | None) -> str | None:
    """Return how a valid path breaks --start or --end, or None if it does not.

    Raises `InputError` for what is no square of the board, and for the end of a closed tour.
    """
    if end is not None and reading.closed:
        raise InputError("--end: a closed tour has no end; give --start alone")
    for name, wanted, place in (("start", start, 0), ("end", end, -1)):
        if wanted is None:
            continue
        square = reading.graph.vertex(wanted, name)
        if reading.valid and (found := int(reading.ids[place])) != square:
            names = reading.graph.name(found), reading.graph.name(square)
            return f"its {name} is {names[0]}, not {names[1]}"
    return None


def _text_lines(reading: Reading, fault: str | None) -> Iterator[str]:
    """Yield the verdict, how the path was read, and its first faults."""
    yield reading.verdict if fault is None else f"{reading.verdict}, but {fault}"
    yield f"read as: {reading.read_as}"
    missing = reading.counts.get(FaultKind.MISSING, 0)
    # All missing squares are on one line.
    yield from _first(reading.fault_lines(), sum(reading.counts.values()) - max(0, missing - 1))


def _verdict_json(reading: Reading, in_order: bool | None) -> str:
    """Return the verdict, the board and the faults as one object of JSON.

    ``in_order`` tells whether the order, start and end are met, and is None if none was asked for.
    """
    answer = {
        "valid": reading.valid,
        "in_order": in_order,
        **reading.graph.json_field,
        "closed": reading.closed,
        "partial": reading.report.allows_partial,
        "notation": reading.notation,
        "counts": reading.counts,
        "faults": [
            {
                "kind": fault.kind,
                "step": fault.step,
                "squares": fault.squares,
                "message": fault.message,
            }
            for fault in itertools.islice(reading.iter_faults(), _MAX_FAULTS_IN_JSON)
        ],
    }
    return json.dumps(answer)


@as_subcommand()
@path_parameters
@options.format_option()
def describe_command(form: str, **given: Any) -> int:
    """Print the features of a tour: turns and angles, crossings, slopes, symmetry and sums.

    The sums are those of the steps in rows, columns and diagonals: in a magic tour all are equal.
    Of a graph with attributes such as weight, their sums along the tour are printed.

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
    tour = reading.tour
    weights: dict[str, float] = {}
    for name in tour.graph.attributes:
        with suppress(InputError):  # some edges may have no number
            weights[name] = Weights(name, tour.graph.arc_weights(name)).count(tour)
    counts = described_features(tour) if tour.graph.has_places or not weights else {}
    symmetries: list[str] = []
    sums = step_sums(tour) if tour.graph.has_places and not tour.is_partial else {}
    if tour.graph.has_places:
        symmetries = tour.symmetries_to(tour)[1:]  # without the identity
    if form == "json":
        listed = {name: values.tolist() for name, values in sums.items()}
        write_lines(
            [json.dumps({"features": counts | weights, "symmetry": symmetries, "sums": listed})]
        )
        return Exit.YES
    known = extremes(tour)
    lines = [tour.summary]
    for name, count in counts.items():
        published = f" ({known[name]})" if name in known else ""
        lines.append(f"{name:11}{count:>6}  {feature_named(name).summary}{published}")
    lines += [f"{name:11}{weight:>6g}  sum along the tour" for name, weight in weights.items()]
    if tour.graph.has_places:
        lines.append(f"{'symmetry':11}{', '.join(symmetries) or 'none':>6}")
    for name, values in sums.items():
        extent = "–".join(map(str, dict.fromkeys([values.min(), values.max()])))
        lines.append(f"{name:11}{extent:>6}  sums of the steps in {name}")
    write_prose(lines, indent=_FEATURE_WIDTH)
    return Exit.YES


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
