"""``kt validate``, ``kt describe`` and ``kt check``: judge paths, tours and certificates."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.arguments import PATH_HELP, PathOptions, path_options, path_parameters
from kt_cp.cli.options import FILE
from kt_cp.cli.output import Exit, tell, write_lines, write_picture, write_prose
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Look
from kt_cp.files import open_input, read_text
from kt_cp.messages import InputError, join_words
from kt_cp.notation.notations import Reading
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Weights
from kt_cp.tour.features import described_features, extremes, feature_named, step_sums
from kt_cp.tour.tour import CoverReport, Tour, shared_moves
from kt_cp.tour.validator import FaultKind, Report

if TYPE_CHECKING:
    from kt_cp.cli.arguments import PathReading
    from kt_cp.notation.values import Array

# The most faults that are shown: a text with one huge number can claim a board with 10^9 squares.
_MAX_FAULTS = 20
_MAX_FAULTS_IN_JSON = 10_000

_FEATURE_WIDTH = 19  # characters: a feature's name and value, and the gap before what it is

Requirements = Mapping[str, str | None]
"""What a path must meet beside being a tour: the values of --order, --start and --end."""

# -- kt validate -----------------------------------------------------------------------------------


@as_subcommand()
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...", help=PATH_HELP)
@path_options
@options.order_option
@options.start_option
@options.end_option
@options.format_option()
@options.draw_option(*TOUR_SUFFIXES)
def validate_command(
    paths: tuple[str, ...], form: str, draw: str | None, look: Look, **given: Any
) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    Of several files, and of several paths in one text, each gets a line, and the exit code is that
    of the worst. The first 20 faults of a single path are shown, in JSON up to 10,000.

    With --order, a closed tour is read from the first of these squares, in its written direction.
    With --start and --end, the tour must begin and end there as it is written. The paths that kt
    cover writes are judged as a cover, which visits every square once. Each tour that kt decompose
    writes is judged, and then whether two share a move.
    """
    requirements = {name: given.pop(name) for name in ("order", "start", "end")}
    if len(paths) > 1 and not any(each == "-" or Path(each).exists() for each in paths):
        paths = (" ".join(paths),)  # one path, typed without quotation marks
    if len(paths) == 1 and Path(paths[0]).is_dir():
        files_in_it = Path(paths[0]) / "*"
        raise InputError(f"{paths[0]}: this is a directory; give its files, {files_in_it}")
    files = [options.take_options(PathOptions, {**given, "path": each}) for each in paths]
    if len(files) > 1:
        options.refuse(["draw"], "with several files")
        return max(_validate_one_of_several(file, requirements, form) for file in files)
    judged_file = _judge(files[0], requirements)
    single = judged_file.paths[0].reading if len(judged_file.paths) == 1 else None
    if single is None:
        options.refuse(["draw"], "with several paths")
    else:
        write_picture(single, draw, look)
    if form == "json":
        write_lines(map(json.dumps, judged_file.objects()))
    elif single is None:
        write_lines(judged_file.lines())
    else:
        write_prose([*judged_file.lines(), *_details(single)], indent=2)
    if isinstance(single, Reading):
        for note in single.notes:
            tell(f"note: {note}")
        note_partial_tour(single)
    return judged_file.code


def _validate_one_of_several(file: PathOptions, requirements: Requirements, form: str) -> Exit:
    """Write the lines about a file, each with its name, and return its exit code."""
    try:
        judged_file = _judge(file, requirements)
    except InputError as error:
        problem = str(error).removeprefix(f"{file.path}: ")
        objects: list[dict[str, object]] = [{"valid": False, "error": problem}]
        lines = [problem]
        code = Exit.BAD_INPUT
    else:
        objects = judged_file.objects()
        lines = judged_file.lines()
        code = judged_file.code
    if form == "json":
        write_lines(json.dumps({"file": file.path, **each}) for each in objects)
    else:
        write_lines(f"{file.path}: {line}" for line in lines)
    return code


@dataclass(frozen=True)
class _JudgedPath:
    """A path that was read, and whether it meets the requirements.

    ``unmet`` says how a valid path breaks --order, --start or --end, or is None if it does not.
    """

    reading: PathReading
    requirements: Requirements
    unmet: str | None

    @property
    def accepted(self) -> bool:
        """Whether the path is valid and meets the requirements."""
        return self.reading.valid and self.unmet is None

    @property
    def verdict(self) -> str:
        """The verdict in one line."""
        if self.unmet is not None:
            return f"{self.reading.verdict}, but {self.unmet}"
        names = [name for name, value in self.requirements.items() if value is not None]
        if self.reading.valid and names:
            return f"{self.reading.verdict}, with the {join_words(names)} asked for"
        return self.reading.verdict

    def as_dict(self) -> dict[str, object]:
        """Return the verdict, the board and the first faults as plain values."""
        reading = self.reading
        if isinstance(reading, CoverReport):
            faults = [*reading.faults[:_MAX_FAULTS_IN_JSON]]
            return {"valid": reading.valid, **reading.as_dict(), "faults": faults}
        is_asked = any(value is not None for value in self.requirements.values())
        faults_shown = itertools.islice(reading.iter_faults(), _MAX_FAULTS_IN_JSON)
        return {
            "valid": reading.valid,
            "in_order": self.accepted if is_asked else None,
            **reading.graph.json_field,
            "closed": reading.closed,
            "partial": reading.allows_partial,
            "notation": reading.notation,
            "counts": reading.counts,
            "faults": [*map(asdict, faults_shown)],
        }


@dataclass(frozen=True)
class _JudgedFile:
    """The paths in a file.

    ``shared`` are the names of the moves that several of them make if they are the tours that kt
    decompose writes, which must share none; it is None for other paths.
    """

    paths: list[_JudgedPath]
    shared: list[str] | None

    @property
    def accepted(self) -> bool:
        """Whether all paths are accepted, and tours of kt decompose share no move."""
        return all(each.accepted for each in self.paths) and not self.shared

    @property
    def code(self) -> Exit:
        """The exit code for the file."""
        return Exit.YES if self.accepted else Exit.NO

    def objects(self) -> list[dict[str, object]]:
        """Return the verdicts as plain values: an object for each path, or one for all tours."""
        if self.shared is None:
            return [each.as_dict() for each in self.paths]
        verdicts = [each.verdict for each in self.paths]
        return [{"valid": self.accepted, "verdicts": verdicts, "shared": self.shared}]

    def lines(self) -> list[str]:
        """Return a line for each path, numbered if there are several, and for each shared move."""
        lines = [each.verdict for each in self.paths]
        if len(lines) > 1:
            noun = "path" if self.shared is None else "tour"
            lines = [f"{noun} {number}: {line}" for number, line in enumerate(lines, start=1)]
        moves = itertools.islice(self.shared or [], _MAX_FAULTS)
        return lines + [f"two tours share the move {move}" for move in moves]


def _judge(file: PathOptions, requirements: Requirements) -> _JudgedFile:
    """Read the paths in a file and judge each; errors name the file."""
    shared = None
    with file.opened() as path:
        if texts := _disjoint_tours_in(path.source):
            closed = str(path.source).startswith("; closed") or file.closed
            readings: list[PathReading] = []
            for text in texts:
                readings += path.parse(text, closed)
            valid = [each for each in readings if isinstance(each, Reading) and each.valid]
            tours = [Tour.from_ids(each.graph, each.ids, each.closed) for each in valid]
            shared = ["-".join(map(tours[0].graph.name, move)) for move in shared_moves(tours)]
        else:
            readings = [*path.read_all(has_end=requirements["end"] is not None)]
    judged_paths = [
        _JudgedPath(each, requirements, _unmet_requirement(each, requirements)) for each in readings
    ]
    return _JudgedFile(judged_paths, shared)


def _unmet_requirement(reading: PathReading, requirements: Requirements) -> str | None:
    """Return how a valid path breaks --order, --start or --end, or None if it does not.

    Raises `InputError` for what is no square of the board, for an order that names one twice, for
    the end of a closed tour, and for a cover.
    """
    if isinstance(reading, CoverReport):
        options.refuse(requirements, "with a cover")
        return None
    graph = reading.graph
    closed = reading.closed
    path = reading.ids.tolist()
    if requirements["end"] is not None and closed:
        raise InputError("--end: a closed tour has no end; give --start alone")
    order = Instance.of(graph, closed=closed, order=requirements["order"]).order
    ends = [
        (name, graph.vertex(square_name, name), place)
        for name, place in (("start", 0), ("end", -1))
        if (square_name := requirements[name]) is not None
    ]
    if not reading.valid:
        return None
    if closed and order and order[0] in path:
        first = path.index(order[0])
        path = path[first:] + path[:first]
    visited = [square for square in path if square in order]
    if visited != [*order]:
        names = " ".join(map(graph.name, visited))
        return f"not in the order: it visits {names or 'none of them'}"
    for name, square, place in ends:
        actual_end = reading.ids[place]
        if actual_end != square:
            return f"its {name} is {graph.name(actual_end)}, not {graph.name(square)}"
    return None


def _disjoint_tours_in(source: str | Array) -> list[str]:
    """Return the texts of the tours in what kt decompose wrote, or none if it is something else."""
    if not isinstance(source, str):
        return []
    if source.lstrip().startswith("{"):
        with suppress(ValueError, KeyError):
            document = json.loads(source)
            return [json.dumps({**document, "tour": tour}) for tour in document.pop("tours")]
    _, *tours = re.split(r"^; (?:open |closed )?tour \d+ of \d+$", source, flags=re.MULTILINE)
    return tours


def _details(reading: PathReading) -> Iterator[str]:
    """Yield how a path was read and its first faults, and how many more there are."""
    if isinstance(reading, CoverReport):
        faults = iter(reading.faults)
        count = len(reading.faults)
    else:
        yield f"read as: {reading.read_as}"
        if reading.valid:
            for name, weight in _weights_along(reading.tour).items():
                yield f"{name} along the tour: {weight:.12g}"
        faults = reading.fault_lines()
        count = sum(reading.counts.values())
        if FaultKind.MISSING in reading.counts:  # they share a line
            count -= reading.counts[FaultKind.MISSING] - 1
    yield from itertools.islice(faults, _MAX_FAULTS)
    if count > _MAX_FAULTS:
        yield f"and {count - _MAX_FAULTS} more: --format json shows them"


def note_partial_tour(report: Report) -> None:
    """Tell that a path whose only fault is to leave squares out is a partial tour."""
    as_partial = replace(report, allows_partial=True)
    would_be_valid = as_partial.valid and not report.valid
    if would_be_valid and len(report.moves):  # one square alone is not worth a note
        tell(f"note: --partial would accept it: {as_partial.verdict}")


def _weights_along(tour: Tour) -> dict[str, float]:
    """Return the sums along a tour of the attributes of edges that are numbers."""
    weights: dict[str, float] = {}
    for name in tour.graph.attributes:
        with suppress(InputError):  # some edges may have no number
            weights[name] = Weights(name, tour.graph.arc_weights(name)).count(tour)
    return weights


# -- kt describe -----------------------------------------------------------------------------------


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
    with options.take_options(PathOptions, given).opened() as path:
        reading = path.read()
    if isinstance(reading, CoverReport):
        return _describe_cover(reading, form)
    if not reading.valid:
        tell(reading.verdict)
        note_partial_tour(reading)
        return Exit.NO
    tour = reading.tour
    weights = _weights_along(tour)
    has_places = tour.graph.has_places
    counts = described_features(tour) if has_places or not weights else {}
    symmetries = tour.symmetries_to(tour)[1:] if has_places else []  # without the identity
    sums = step_sums(tour) if has_places and not tour.is_partial else {}
    if form == "json":
        description = {
            "features": counts | weights,
            "symmetry": symmetries,
            "sums": {name: values.tolist() for name, values in sums.items()},
        }
        write_lines([json.dumps(description)])
        return Exit.YES
    remarks = {name: f" ({published})" for name, published in extremes(tour).items()}
    rows = [
        (name, f"{count}", feature_named(name).summary + remarks.get(name, ""))
        for name, count in counts.items()
    ]
    rows += [(name, f"{weight:g}", "sum along the tour") for name, weight in weights.items()]
    if has_places:
        rows.append(("symmetry", ", ".join(symmetries) or "none", ""))
    for name, values in sums.items():
        extent = "–".join(map(str, dict.fromkeys([values.min(), values.max()])))
        rows.append((name, extent, f"sums of the steps in {name}"))
    lines = (f"{name:11}{value:>6}  {words}".rstrip() for name, value, words in rows)
    write_prose([tour.summary, *lines], indent=_FEATURE_WIDTH)
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


# -- kt check --------------------------------------------------------------------------------------


@as_subcommand()
@click.argument("file", type=FILE, help="The certificate, or - for standard input.")
@options.picture_option(
    "--draw", *PICTURE_SUFFIXES, help="Also draw the decisive squares to this file"
)
@options.look_options("theme", "paper")
def check_command(file: str, draw: str | None, look: Look) -> int:
    """Check a certificate that kt solve, kt longest or kt cover wrote, without a solver."""
    from kt_cp.proof.certificate import Certificate
    from kt_cp.proof.checker import check

    with open_input(file, "a file that --certificate wrote") as stream:
        certificate = Certificate.parse(read_text(stream, "a certificate is JSON"))
    verdict = check(certificate)
    if verdict:
        write_picture(certificate, draw, look)
    write_prose([verdict.message])
    return Exit.YES if verdict else Exit.NO
