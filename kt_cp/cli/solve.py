"""``kt solve`` and ``kt export``: find a tour, or state the problem for other tools."""

from __future__ import annotations

import itertools
import json
import math
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from kt_cp.board import Board, as_board
from kt_cp.board.drawn import HOLE, SQUARE
from kt_cp.cli import options
from kt_cp.cli.options import (
    EXIT_CODES,
    OutputFile,
    check_drawable,
    exclude,
    with_instance,
    with_instances,
)
from kt_cp.cli.output import (
    Exit,
    open_output,
    spinner,
    tell,
    write_bytes,
    write_lines,
    write_picture,
)
from kt_cp.errors import InputError, pluralize
from kt_cp.files import open_input
from kt_cp.graph import Graph
from kt_cp.methods.table import load_method
from kt_cp.notation.covers import cover_lines, cover_table
from kt_cp.notation.export import MAX_FORMULA_SQUARES, ExportFormat, export_lines, model_bytes
from kt_cp.notation.graphs import GraphFormat
from kt_cp.notation.notations import Notation
from kt_cp.notation.writing import check_length, tour_bytes
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.constraints import SHORTHANDS
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement
from kt_cp.problem.steps import needs_steps
from kt_cp.solving import Result, SearchInterruptedError, solve
from kt_cp.tour.difference import differing_squares
from kt_cp.tour.report import FaultKind, PathReport
from kt_cp.tour.tour import Tour

if TYPE_CHECKING:
    from kt_cp.cover import CoverResult
    from kt_cp.draw.picture import Picture
from kt_dfs import Status

# Seconds between two lines that tell of improvements.
_LINE_INTERVAL = 0.5

# The parameters of `solve_command` that --unique, and a file with several graphs, exclude.
_NOT_WITH_UNIQUE = (
    "certificate",
    "explain",
    "log",
    "minimize",
    "maximize",
    "parameter",
    "hint",
)
_NOT_WITH_SEVERAL = ("draw", "certificate", "explain", "unique", "log", "hint")


@dataclass(frozen=True)
class _AnswerOutput:
    """Where and how the answer is written: the values of the options of those names."""

    notation: Notation
    out: str | None
    draw: str | None
    certificate: str | None
    explain: bool


@click.command()
@with_instances
@click.option("--explain", is_flag=True, help="Also write how a person can deduce the tour.")
@click.option("--unique", is_flag=True, help="Tell whether there is exactly one tour.")
@options.method_option
@options.time_limit_option
@click.option("--workers", type=int, default=1, help="Number of threads of the solver.")
@options.seed_option
@options.objective_options
@click.option("--hint", type=options.FILE, help="Begin the search with the path in this file.")
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.choice("--format", "notation", of=Notation, help="How the tour is written, usually grid")
@options.out_option
@options.draw_option
@click.option("--certificate", type=OutputFile(), help="If there is no tour, write the proof.")
def solve_command(
    instances: Iterator[tuple[Instance, dict[str, str]]], unique: bool, method: str, **given: Any
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour that is found before the time limit or Ctrl-C is
    written. A message says whether it is optimal, and otherwise which bound on all tours is proven.
    'kt describe' prints the features of a tour.

    --unique believes a saved puzzle whose solution and checksum fit; without its line '; unique:',
    the puzzle is solved anew.

    A file with several graphs gets a line of JSON for each, and the exit code of the worst answer.
    """
    first, second = next(instances), next(instances, None)
    if second is not None:
        several = itertools.chain([first, second], instances)
        return _solve_several((instance for instance, _ in several), method, given)
    instance, notes = first
    output = _output_of(instance.graph, given)
    if unique:
        exclude(_NOT_WITH_UNIQUE, "--unique")
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(instance, notes, given["time_limit"], output)
    show_log = given.pop("log")
    given["parameters"] = _parameters(given.pop("parameter"), show_log)
    given["method"] = load_method(method)
    given["hint"] = _read_hint(given["hint"], instance.graph)
    given["certificate"] = output.certificate is not None
    title = f"solving {instance.graph.title}"
    return _search(partial(solve, instance, **given), title, show_log, output)


def _search(find: Callable[..., Result], title: str, show_log: bool, output: _AnswerOutput) -> int:
    """Search with a sign of life, write the result, and return the exit code.

    ``find`` takes ``progress``. After Ctrl-C the best tour so far is written first.
    """
    interruption: SearchInterruptedError | None = None
    with spinner(title, shown=not show_log) as say:
        try:
            result = find(progress=_observer(title, say))
        except SearchInterruptedError as error:
            result, interruption = error.result, error
    _write_result(result, output)
    if interruption is not None:
        raise interruption
    return EXIT_CODES[result.status]


def _solve_several(instances: Iterable[Instance], method: str, given: dict[str, Any]) -> int:
    """Write the answers to several instances as lines of JSON, one after the other."""
    exclude(_NOT_WITH_SEVERAL, "several graphs")
    if given["notation"] not in (None, Notation.JSON):
        raise InputError(f"--format {given['notation']}: several graphs are answered as json")
    names = ("time_limit", "workers", "seed", "minimize", "maximize")
    how: dict[str, Any] = {name: given[name] for name in names}
    how["method"] = load_method(method)
    how["parameters"] = _parameters(given["parameter"], show_log=False)
    code = Exit.YES
    with open_output(given["out"]) as stream:
        for instance in instances:
            result = solve(instance, **how)
            stream.write(f"{json.dumps(result.as_dict())}\n".encode())
            stream.flush()
            code = max(code, EXIT_CODES[result.status])
    return code


def _output_of(graph: Graph, given: dict[str, Any]) -> _AnswerOutput:
    """Remove the options on how to write the answer from all given ones; check and return them."""
    names = ("notation", "out", "draw", "certificate", "explain")
    values = {name: given.pop(name) for name in names}
    if values["notation"] is None:
        is_npy = str(values["out"]).endswith(".npy")
        values["notation"] = Notation.NPY if is_npy else options.usual_notation(graph)
    output = _AnswerOutput(**values)
    check_length(graph, output.notation)
    check_drawable(output.draw, graph)
    if output.explain:
        as_board(graph, "--explain")
        if output.notation is not Notation.GRID:
            raise InputError(f"--explain: --format {output.notation} has no comments")
    return output


def _read_hint(file: str | None, graph: Graph) -> list[str] | None:
    """Return the names of the squares on a path in a file, which need not be a tour."""
    if file is None:
        return None
    from kt_cp.notation.detect import parse_path
    from kt_cp.notation.path_files import load_path

    with open_input(file, "a file that holds a path") as stream:
        report = parse_path(load_path(stream), graph).report
    wrong = {FaultKind.OFF_BOARD, FaultKind.HOLE, FaultKind.REPEAT}
    if not isinstance(report, PathReport) or wrong & report.counts.keys():
        wanted = "give a path on the board that visits no square twice"
        raise InputError(f"--hint {file}: {wanted}")
    return [graph.name(square) for square in report.entries.tolist()]


def _parameters(assignments: tuple[str, ...], show_log: bool) -> dict[str, object]:
    """Return the fields of ``SatParameters`` that are given as ``NAME=VALUE``."""
    parameters: dict[str, object] = {}
    if show_log:
        parameters["log_search_progress"] = True
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        if not (name and value):
            raise InputError(f"--parameter {assignment}: give NAME=VALUE")
        parameters[name] = value
    return parameters


def _observer(title: str, say: Callable[[str], None]) -> Callable[[Improvement], None]:
    """Return a function that tells of improvements, on a terminal in two lines a second at most."""
    told = -math.inf

    def improved(better: Improvement) -> None:
        nonlocal told
        say(f"{title}: {better.value} so far")
        now = time.monotonic()
        if sys.stderr.isatty() and now - told >= _LINE_INTERVAL:
            told = now
            bound = "" if better.bound is None else f", bound {better.bound}"
            tell(f"{better.seconds:.2f} s: {better.value}{bound}")

    return improved


def _write_result(result: Result, output: _AnswerOutput) -> None:
    """Write the tour or the JSON object, the picture, the certificate and the summary."""
    _write_tour(result, output)
    _write_picture(result, output.draw)
    _write_certificate(result, output.certificate)
    tell(f"{result.summary}{_how_to_go_on(result.instance, result.status)}")
    _tell_of_no_certificate(result)


def _write_certificate(result: Result | CoverResult, file: str | None) -> None:
    """Write the certificate of a result, if it has one, to the file that an option names."""
    if file is not None and result.certificate is not None:
        write_lines(result.certificate.lines(), file)


def _tell_of_no_certificate(result: Result | CoverResult) -> None:
    """Tell why no certificate was made, if one was asked for."""
    if result.no_certificate is not None:
        tell(f"no certificate was made: {result.no_certificate}")


def _how_to_go_on(instance: Instance, status: Status) -> str:
    """Return the end of the line of an answer: the command that finds the longest path instead.

    It is empty if there may be a tour, for constraints that partial tours do not take, and for a
    board or graph from standard input, which cannot be read again.
    """
    typed = click.get_current_context().params
    if status is not Status.IMPOSSIBLE or typed["board"] == "-" or not _takes_partial(instance):
        return ""
    command = ["kt", "longest", typed["board"]]
    for option in ("graph", "piece", "topology", "start", "end"):
        if typed[option] is not None:
            command += [f"--{option}", str(typed[option])]
    for option in ("require", "forbid", "having"):
        for value in typed[option]:
            command += [f"--{option}", value]
    for option in SHORTHANDS:
        if typed[option]:
            command.append(f"--{option}")
    if instance.closed:
        command.append("--closed")
    kind = instance.graph.vocabulary.partial_tour(instance.closed)
    return f"; the longest {kind}: {shlex.join(command)}"


def _takes_partial(instance: Instance) -> bool:
    """Return whether the constraints of an instance are those of partial tours, too.

    Functions of the caller are not, as they may count on all squares being visited.
    """
    if instance.symmetry or instance.givens or instance.order or instance.constrain:
        return False
    return {str(bound) for bound in instance.having} <= {*SHORTHANDS.values()}


def _write_tour(result: Result, output: _AnswerOutput) -> None:
    """Write the tour, with the deductions that explain it, or the JSON object."""
    if output.notation is Notation.JSON:
        write_lines([json.dumps(result.as_dict())], output.out)
        return
    if result.tour is None:
        return
    is_shown = output.out is None and sys.stdout.isatty()
    if is_shown and output.notation is Notation.GRID and _is_too_wide(result.instance.graph):
        tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
        return
    explanation = _explained(result) if output.explain else ()
    comments = (f"; {line}\n".encode() for line in explanation)
    write_bytes(itertools.chain(comments, tour_bytes(result.tour, output.notation)), output.out)


def _is_too_wide(graph: Graph) -> bool:
    """Return whether a numbered board is wider than the terminal."""
    if not isinstance(graph, Board):
        return False
    width = graph.columns * (len(str(len(graph))) + 1) - 1
    return width > get_terminal_size().columns


def _write_picture(result: Result, file: str | None) -> None:
    """Draw the tour or the reason, or tell why there is nothing to draw."""
    if file is None:
        return
    if result.status is Status.UNKNOWN:
        tell(f"{file} is not written: there is no answer to draw")
    elif result.tour is None and file.lower().endswith(".gif"):
        tell(f"{file} is not written: a reason is not animated; choose .svg, .png, .pdf or .html")
    else:
        write_picture(result.tour or result, file)


def _explained(result: Result) -> Iterator[str]:
    """Yield numbered deductions and, if they do not lead to the tour, a line that says so."""
    from kt_cp.puzzles.deduction import explain, is_solved_by
    from kt_cp.puzzles.level import Level

    for number, deduction in enumerate(explain(result.instance), start=1):
        yield f"{number}. {deduction}"
        yield from (f"   then {each}" for each in deduction.chain)
    if not is_solved_by(result.instance, Level.MASTERS):
        yield "The rest does not follow by the rules or from one supposition at a time."


def _solve_unique(
    instance: Instance, notes: dict[str, str], time_limit: float | None, output: _AnswerOutput
) -> int:
    """Write the only tour, or two of several with a blank line between them.

    The ``notes`` of a saved puzzle hold its solution, and spare the search.
    """
    saved = _saved_solution(instance, notes)
    if saved is not None:
        tours, code = [saved], Exit.YES
        verdict = "unique: this is the only tour, as was proven when the puzzle was saved"
    else:
        tours, code, verdict = _first_two(instance, time_limit)
    differ: list[int] = []
    if len(tours) > 1:
        is_counted = needs_steps(instance) or not instance.closed
        differ = differing_squares(tours[0], tours[1], by_steps=is_counted)
    if output.notation is Notation.JSON:
        unique = None if code is Exit.NO_ANSWER else code is Exit.YES
        answer = {"unique": unique, "tours": [tour.values for tour in tours], "differ": differ}
        write_lines([json.dumps({**answer, **instance.graph.field})], output.out)
    elif tours:
        texts = [b"".join(tour_bytes(tour, output.notation)) for tour in tours]
        if differ and output.notation is Notation.GRID:
            texts.append(_marked(instance.board, differ))
        write_bytes([b"\n".join(texts)], output.out)
    if differ:
        names = " ".join(map(instance.graph.name, differ))
        count = instance.graph.vocabulary.count_vertices(len(differ))
        verdict += f"; they differ on {count}: {names}"
    tell(verdict)
    if output.draw is not None and tours:
        write_picture(_tours_as_shown(tours, differ), output.draw)
    return code


def _saved_solution(instance: Instance, notes: dict[str, str]) -> Tour | None:
    """Return the solution of a saved puzzle, or None if its notes do not prove it the only one."""
    if not notes or instance.constrain:  # a constraint of one's own is no part of the checksum
        return None
    from kt_cp.puzzles.puzzle import saved_puzzle

    saved = saved_puzzle(instance, notes)
    return None if saved is None else saved.solution


def _tours_as_shown(tours: Sequence[Tour], differ: list[int]) -> Tour | Picture:
    """Return the first tour or, for two tours of a board, the picture of where they differ."""
    if not differ or not isinstance(tours[0].graph, Board):
        return tours[0]
    from kt_cp.draw.difference import difference_picture

    return difference_picture(tours[0], tours[1], differ)


def _marked(board: Board, squares: list[int]) -> bytes:
    """Return the comment lines of a map on which some squares are marked with an asterisk."""
    marks = np.where(board.grid(board.mask), SQUARE, HOLE)
    marks.flat[squares] = "*"
    return "".join(f"; {' '.join(row)}\n" for row in marks.tolist()).encode()


def _all_tours(instance: Instance, time_limit: float | None) -> Iterator[Tour]:
    """Yield all tours: by the position formula if steps are given, or else by the circuit model."""
    from kt_cp.count.enumeration import enumerate_tours
    from kt_cp.puzzles.uniqueness import tours_by_steps

    graph = instance.graph
    is_formula_small = isinstance(graph, Board) and len(graph) <= MAX_FORMULA_SQUARES
    if is_formula_small and needs_steps(instance) and not instance.constrain:
        return tours_by_steps(instance, Clock(time_limit))
    return enumerate_tours(instance, time_limit=time_limit)


def _first_two(instance: Instance, time_limit: float | None) -> tuple[list[Tour], Exit, str]:
    """Return up to two tours, the exit code for their number, and the verdict in words."""
    tours: list[Tour] = []
    try:
        with spinner(f"solving {instance.graph.title}"):
            for tour in itertools.islice(_all_tours(instance, time_limit), 2):
                tours.append(tour)  # kept even if the time limit is reached before the next
    except OutOfTimeError:
        found = pluralize(len(tours), "tour")
        verdict = f"unknown: {found} found when the time limit was reached"
        return tours, Exit.NO_ANSWER, verdict
    if not tours:
        how_to_go_on = _how_to_go_on(instance, Status.IMPOSSIBLE)
        return tours, Exit.NO, f"{solve(instance).summary}{how_to_go_on}"
    if len(tours) == 1:
        return tours, Exit.YES, "unique: this is the only tour"
    return tours, Exit.NO, "not unique: these are two of the tours"


@click.command()
@with_instance
@click.option("--visit", metavar="SQUARE", multiple=True, help="Visit it. May be repeated.")
@click.option("--at-least", type=int, metavar="N", help="Visit so many squares or more.")
@options.time_limit_option
@click.option("--workers", type=int, help="Number of threads of the solver, by default 2 or 8.")
@options.seed_option
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.choice("--format", "notation", of=Notation, help="How the path is written, usually grid")
@options.out_option
@options.draw_option
@options.bound_certificate_option
def longest_command(instance: Instance, **given: Any) -> int:
    """Find the longest path of a board, or with --closed the longest cycle.

    Squares may be left out. The last line says how many are visited, and whether it is proven that
    no path visits more; under a time limit, the proven bound. It takes no steps, order or symmetry.
    """
    from kt_cp.longest import longest_tour

    given["explain"] = False
    output = _output_of(instance.graph, given)
    given["certificate"] = output.certificate is not None
    show_log = given.pop("log")
    given["parameters"] = _parameters(given.pop("parameter"), show_log)
    title = f"searching {instance.graph.title}"
    return _search(partial(longest_tour, instance, **given), title, show_log, output)


@click.command()
@click.argument("board", type=options.FILE, help=options.BOARD_HELP)
@options.choice("--graph", of=GraphFormat, help="BOARD is a graph in this format")
@options.piece_options
@options.time_limit_option
@click.option("--workers", type=int, default=8, help="Number of threads of the solver.")
@options.seed_option
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.format_option("csv")
@options.out_option
@options.draw_still_option
@options.bound_certificate_option
def cover_command(form: str, out: str | None, draw: str | None, **given: Any) -> int:
    """Find the fewest paths that together visit every square of a board once.

    Each path is a line of squares, or in CSV each square a line with its path and step. The last
    line says how many paths there are, and whether it is proven that fewer are not enough; under a
    time limit, or after Ctrl-C, the proven bound.
    """
    from kt_cp.cover import CoverInterruptedError, path_cover

    described = {name: given.pop(name) for name in ("piece", "topology", "graph")}
    graph = options.read_graph(given.pop("board"), **described)
    check_drawable(draw, graph)
    certificate, show_log = given.pop("certificate"), given.pop("log")
    parameters = _parameters(given.pop("parameter"), show_log)
    interruption: CoverInterruptedError | None = None
    with spinner(f"covering {graph.title}", shown=not show_log):
        try:
            result = path_cover(
                graph, certificate=certificate is not None, parameters=parameters, **given
            )
        except CoverInterruptedError as error:
            result, interruption = error.result, error
    write_lines(_lines_of_cover(result, form), out)
    write_picture(result.report, draw)
    _write_certificate(result, certificate)
    tell(result.summary)
    _tell_of_no_certificate(result)
    if interruption is not None:
        raise interruption
    return EXIT_CODES[result.status]


def _lines_of_cover(result: CoverResult, form: str) -> Iterator[str]:
    """Yield the lines in which a cover is written as text, csv or json."""
    if form == "json":
        yield json.dumps(result.as_dict())
    elif form == "csv":
        yield from cover_table(result.paths)
    else:
        yield from cover_lines(result.graph, result.paths)


@click.command()
@with_instance
@options.choice("--format", "form", of=ExportFormat, required=True, help="For which tools")
@options.out_option
def export_command(instance: Instance, form: ExportFormat, out: str | None) -> int:
    """State a problem for other tools; nothing is solved.

    \b
    cp-sat    the model of CP-SAT: text, or binary with --out FILE.pb
    dimacs    a formula for SAT solvers, of which every model is a tour
    minizinc  a model with the constraint circuit
    hcp       a graph in the format of TSPLIB, for LKH and others
    asp       facts and rules for clingo
    mps       an integer program, for SCIP, HiGHS, Gurobi and others

    Constraints that a format cannot hold are refused.
    """
    if form is ExportFormat.CP_SAT and str(out).endswith(".pb"):
        write_bytes([model_bytes(instance)], out)
    else:
        write_lines(export_lines(instance, form), out)
    return Exit.YES
