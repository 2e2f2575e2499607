"""``kt validate``, ``kt describe`` and ``kt check``: judge paths, tours and certificates."""

from __future__ import annotations

import itertools
import json
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click

from kt_cp.board import Topology
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import FILE, draw_option, paper_option, read_bare_instance, theme_option
from kt_cp.cli.output import Exit, tell, write_lines, write_picture, write_prose
from kt_cp.draw.look import PICTURE_SUFFIXES
from kt_cp.files import open_input, read_text
from kt_cp.graph_files import GraphFormat, graph_format
from kt_cp.messages import InputError, join_words
from kt_cp.notation.formats import is_cover, parse_cover
from kt_cp.notation.notations import Notation, Reading
from kt_cp.notation.read import parse_path, parse_paths
from kt_cp.notation.values import Array, load_path
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Weights
from kt_cp.tour.features import described_features, extremes, feature_named, step_sums
from kt_cp.tour.tour import CoverReport, Tour, shared_moves
from kt_cp.tour.validator import FaultKind, Report

_PATH_HELP = "A file, which may be .npy, - for standard input, or the path itself: 'a1 b3 c5'."
path_options = options.combine(
    click.option(
        "--board", type=options.FILE, help="A size or a file with a map; detected if not given."
    ),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    options.notation_option("--notation", help="How the path is written, detected if not given"),
    options.graph_options,
    options.piece_options,
    click.option("--partial", is_flag=True, help="The path may leave squares out."),
)
path_parameters = options.combine(
    click.argument("path", type=options.FILE, help=_PATH_HELP), path_options
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
    def opened(self) -> Iterator[tuple[str | Array, Instance | None]]:
        """Open the path, and yield its text or array and what --board gives, if anything.

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
            kinds = {"piece": self.piece, "topology": self.topology}
            board = read_bare_instance(self.board, graph=self.graph, head=self.head, **kinds)
        if " " in self.path.strip() and not Path(self.path).exists():  # the path itself
            yield self.path, board
            return
        with open_input(self.path, "a file that holds a path") as file:
            yield load_path(file), board

    def parse(self, source: str | Array, board: Instance | None) -> Reading | CoverReport:
        """Read a cover, if the source states that it is one, or else a path."""
        first, *others = self.parse_all(source, board)
        if others:
            raise InputError(f"the text holds {len(others) + 1} paths; give one of them")
        return first

    def parse_all(
        self, source: str | Array, board: Instance | None, has_end: bool = False
    ) -> Sequence[Reading | CoverReport]:
        """Read a cover, if the source states that it is one, or else paths.

        Lists of vertices are cycles where the file of the graph asks for one, unless --open or an
        end is given.
        """
        graph = None if board is None else board.graph
        if isinstance(source, str) and is_cover(source):
            return [parse_cover(source, graph)]

        def read(closed: bool | None) -> list[Reading]:
            return parse_paths(source, graph, self.notation, closed, partial=self.partial)

        readings = read(self.closed)
        asks_cycle = board is not None and board.closed and not has_end and self.closed is None
        if not asks_cycle or any(
            each.notation is not Notation.SQUARES or each.closed or each.report.allows_partial
            for each in readings
        ):
            return readings
        first, *others = read(True)
        if readings[0].valid and not first.valid:
            note = f"the graph's file asks for a cycle; --open would read: {readings[0].verdict}"
            first = replace(first, notes=(*first.notes, note))
        return [first, *others]

    def read(self) -> Reading | CoverReport:
        """Read the path or cover in the file."""
        with self.opened() as (source, board):
            return self.parse(source, board)


def note_partial_tour(report: Report) -> None:
    """Tell that a path whose only fault is to leave squares out is a partial tour."""
    as_partial = replace(report, allows_partial=True)
    would_be_valid = as_partial.valid and not report.valid
    if would_be_valid and len(report.moves):  # one square alone is not worth a note
        tell(f"note: --partial would accept it: {as_partial.verdict}")


# The most faults that are shown: a text with one huge number can claim a board with 10^9 squares.
_MAX_FAULTS = 20
_MAX_FAULTS_IN_JSON = 10_000

_FEATURE_WIDTH = 19  # characters: a feature's name and value, and the gap before what it is


Wanted = Mapping[str, str | None]
"""What a path must meet beside being a tour: the values of --order, --start and --end."""


def _unmet(reading: Reading | CoverReport, wanted: Wanted) -> str | None:
    """Return how a valid path breaks --order, --start or --end, or None if it does not.

    Raises `InputError` for what is no square of the board, for an order that names one twice, for
    the end of a closed tour, and for a cover.
    """
    if isinstance(reading, CoverReport):
        options.refuse(wanted, "with a cover")
        return None
    graph, closed, path = reading.graph, reading.closed, reading.ids.tolist()
    if wanted["end"] is not None and closed:
        raise InputError("--end: a closed tour has no end; give --start alone")
    order = Instance.of(graph, closed=closed, order=wanted["order"]).order
    ends = [
        (name, graph.vertex(asked, name), place)
        for name, place in (("start", 0), ("end", -1))
        if (asked := wanted[name]) is not None
    ]
    if not reading.valid:
        return None
    if closed and order and order[0] in path:
        first = path.index(order[0])
        path = path[first:] + path[:first]
    visited = [square for square in path if square in order]
    if visited != [*order]:
        shown = " ".join(map(graph.name, visited))
        return f"not in the order: it visits {shown or 'none of them'}"
    for name, square, place in ends:
        if (found := reading.ids[place]) != square:
            return f"its {name} is {graph.name(found)}, not {graph.name(square)}"
    return None


@as_subcommand()
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH...", help=_PATH_HELP)
@path_options
@options.order_option
@options.start_option
@options.end_option
@options.format_option()
@draw_option
def validate_command(paths: tuple[str, ...], form: str, draw: str | None, **given: Any) -> int:
    """Tell whether a path is a tour, and where it goes wrong.

    Of several files, and of several paths in one text, each gets a line, and the exit code is that
    of the worst. The first 20 faults of a single path are shown, in JSON up to 10,000.

    With --order, a closed tour is read from the first of these squares, in its written direction.
    With --start and --end, the tour must begin and end there as it is written. The paths that kt
    cover writes are judged as a cover, which visits every square once. Each tour that kt decompose
    writes is judged, and then whether two share a move.
    """
    wanted = {name: given.pop(name) for name in ("order", "start", "end")}
    if len(paths) > 1 and not any(each == "-" or Path(each).exists() for each in paths):
        paths = (" ".join(paths),)  # one path, typed without quotation marks
    if len(paths) == 1 and Path(paths[0]).is_dir():
        several = Path(paths[0]) / "*"
        raise InputError(f"{paths[0]}: this is a directory; give its files, {several}")
    files = [options.take_options(PathOptions, {**given, "path": each}) for each in paths]
    if len(files) == 1:
        return _validate(files[0], wanted, form, draw)
    options.refuse(["draw"], "with several files")
    codes = []
    for file in files:
        try:
            codes.append(_validate(file, wanted, form, name=file.path))
        except InputError as error:
            problem = str(error).removeprefix(f"{file.path}: ")
            failed = {"file": file.path, "valid": False, "error": problem}
            write_lines([json.dumps(failed) if form == "json" else f"{file.path}: {problem}"])
            codes.append(Exit.BAD_INPUT)
    return max(codes)


def _validate(
    chosen: PathOptions, wanted: Wanted, form: str, draw: str | None = None, name: str = ""
) -> Exit:
    """Write the verdict on a file: in full, or in a line for each path if there are several.

    With a ``name``, which is that of one of several files, there are lines as well.
    """
    readings: Sequence[Reading | CoverReport]
    with chosen.opened() as (source, board):
        tours = disjoint_tours_in(source)
        if tours:
            closed = str(source).startswith("; closed") or chosen.closed
            graph = None if board is None else board.graph
            readings = [parse_path(each, graph, chosen.notation, closed) for each in tours]
        else:
            readings = chosen.parse_all(source, board, has_end=wanted["end"] is not None)
    judged = [(each, _unmet(each, wanted)) for each in readings]
    shared = [*_shared_moves(readings)] if tours else []
    is_accepted = all(each.valid and unmet is None for each, unmet in judged) and not shared
    if len(readings) > 1:
        options.refuse(["draw"], "with several paths")
    write_picture(readings[0] if isinstance(readings[0], CoverReport) else readings[0].report, draw)
    verdicts = [_verdict(each, unmet, wanted) for each, unmet in judged]
    is_asked = any(value is not None for value in wanted.values())
    if form == "json":
        objects = [
            _verdict_fields(each, each.valid and unmet is None if is_asked else None)
            for each, unmet in judged
        ]
        if tours:
            objects = [{"valid": is_accepted, "verdicts": verdicts, "shared": shared}]
        about = {"file": name} if name else {}
        write_lines(json.dumps({**about, **each}) for each in objects)
    elif len(readings) == 1 and not name:
        write_prose([verdicts[0], *_details(readings[0])], indent=2)
    else:
        noun = "tour" if tours else "path"
        numbers = [f"{noun} {number}: " for number in range(1, len(readings) + 1)]
        lines = [*map(operator.add, numbers, verdicts)] if len(readings) > 1 else verdicts
        lines += [f"two tours share the move {move}" for move in shared[:_MAX_FAULTS]]
        write_lines(f"{name}: {line}" if name else line for line in lines)
    if len(readings) == 1 and not name and isinstance(reading := readings[0], Reading):
        for note in reading.notes:
            tell(f"note: {note}")
        note_partial_tour(reading.report)
    return Exit.YES if is_accepted else Exit.NO


def _verdict(reading: Reading | CoverReport, unmet: str | None, wanted: Wanted) -> str:
    """Return the verdict on a path, and whether a valid one meets what is wanted of it."""
    if unmet is not None:
        return f"{reading.verdict}, but {unmet}"
    names = [name for name, value in wanted.items() if value is not None]
    if reading.valid and names:
        return f"{reading.verdict}, with the {join_words(names)} asked for"
    return reading.verdict


def disjoint_tours_in(source: str | Array) -> list[str]:
    """Return the texts of the tours in what kt decompose wrote, or none if it is something else."""
    if not isinstance(source, str):
        return []
    if source.lstrip().startswith("{"):
        with suppress(ValueError, KeyError):
            document = json.loads(source)
            return [json.dumps({**document, "tour": tour}) for tour in document.pop("tours")]
    _, *tours = re.split(r"^; (?:open |closed )?tour \d+ of \d+$", source, flags=re.MULTILINE)
    return tours


def _shared_moves(readings: Iterable[Reading | CoverReport]) -> Iterator[str]:
    """Return the names of the moves that two of the valid tours share."""
    valid = [each for each in readings if isinstance(each, Reading) and each.valid]
    tours = [Tour.from_ids(each.graph, each.ids, each.closed) for each in valid]
    return ("-".join(map(tours[0].graph.name, move)) for move in shared_moves(tours))


def _first(lines: Iterable[str], count: int) -> Iterator[str]:
    """Yield the first lines of ``count``, and how many more there are."""
    yield from itertools.islice(lines, _MAX_FAULTS)
    if count > _MAX_FAULTS:
        yield f"and {count - _MAX_FAULTS} more: --format json shows them"


def _details(reading: Reading | CoverReport) -> Iterator[str]:
    """Yield how a path was read, and its first faults."""
    if isinstance(reading, CoverReport):
        yield from _first(reading.faults, len(reading.faults))
        return
    yield f"read as: {reading.read_as}"
    if reading.valid:
        for name, weight in _weights_along(reading.tour).items():
            yield f"{name} along the tour: {weight:.12g}"
    missing = reading.counts.get(FaultKind.MISSING, 0)
    # All missing squares are on one line.
    yield from _first(reading.fault_lines(), sum(reading.counts.values()) - max(0, missing - 1))


def _weights_along(tour: Tour) -> dict[str, float]:
    """Return the sums along a tour of the attributes of edges that are numbers."""
    weights: dict[str, float] = {}
    for name in tour.graph.attributes:
        with suppress(InputError):  # some edges may have no number
            weights[name] = Weights(name, tour.graph.arc_weights(name)).count(tour)
    return weights


def _verdict_fields(reading: Reading | CoverReport, meets_wanted: bool | None) -> dict[str, object]:
    """Return the verdict, the board and the faults as plain values.

    ``meets_wanted`` tells whether the order, start and end are met, or is None without them.
    """
    if isinstance(reading, CoverReport):
        faults = [*reading.faults[:_MAX_FAULTS_IN_JSON]]
        return {"valid": reading.valid, **reading.as_dict(), "faults": faults}
    return {
        "valid": reading.valid,
        "in_order": meets_wanted,
        **reading.graph.json_field,
        "closed": reading.closed,
        "partial": reading.report.allows_partial,
        "notation": reading.notation,
        "counts": reading.counts,
        "faults": [
            asdict(fault) for fault in itertools.islice(reading.iter_faults(), _MAX_FAULTS_IN_JSON)
        ],
    }


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
    weights = _weights_along(tour)
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
    known = {name: f" ({published})" for name, published in extremes(tour).items()}
    rows = [
        (name, f"{count}", feature_named(name).summary + known.get(name, ""))
        for name, count in counts.items()
    ]
    rows += [(name, f"{weight:g}", "sum along the tour") for name, weight in weights.items()]
    if tour.graph.has_places:
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
