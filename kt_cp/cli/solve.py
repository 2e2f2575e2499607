"""``kt solve``: find a tour, or prove that there is none; and what other searches share with it."""

from __future__ import annotations

import itertools
import json
import math
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from kt_cp.board import Board, as_board
from kt_cp.board.maps import HOLE, SQUARE
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import (
    EXIT_CODE_OF,
    FILE,
    InstanceWithNotes,
    OutputFile,
    check_drawable,
    draw_option,
    refuse,
    usual_notation,
    with_instances,
)
from kt_cp.cli.output import (
    END_ADVICE,
    Exit,
    open_output,
    spinner,
    tell,
    wrapped,
    write_bytes,
    write_lines,
    write_picture,
)
from kt_cp.files import open_input
from kt_cp.graph import Graph
from kt_cp.messages import InputError, pluralize
from kt_cp.methods.result import Certifiable, InterruptedWithResultError, Result
from kt_cp.methods.table import load_method
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import check_length, tour_bytes, tour_table
from kt_cp.problem.constraints import SHORTHANDS
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Improvement, OutOfTimeError
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour, differing_squares
from kt_cp.tour.validator import FaultKind
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.methods.result import CoverResult

R = TypeVar("R", bound=Certifiable)

TABLE = "csv"
"""The value of --format that asks for a table of steps and squares."""

# Seconds between two lines that tell of improvements.
_LINE_INTERVAL = 0.5

# What cannot be used with --unique, and with several graphs or puzzles in a file.
_NOT_WITH_UNIQUE = (
    "certificate explain log minimize maximize parameter hint workers seed".split()  # noqa: SIM905
)
_NOT_WITH_SEVERAL = ("draw", "certificate", "explain", "unique", "log", "hint")


def search_options(workers: int | None, workers_help: str = "") -> options.Decorator:
    """Return the options of every search, whose number of workers is usually this."""
    help = f"Number of threads of the solver{workers_help}."
    return options.combine(
        options.time_limit_option,
        click.option("--workers", type=int, default=workers, help=help),
        options.seed_option,
        click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error."),
        options.repeated_option(
            "--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters."
        ),
    )


def solver_parameters(given: dict[str, Any]) -> dict[str, object]:
    """Pop --log and --parameter NAME=VALUE, and return the fields of ``SatParameters`` they set."""
    parameters: dict[str, object] = {"log_search_progress": True} if given.pop("log") else {}
    for assignment in given.pop("parameter"):
        name, _, value = assignment.partition("=")
        if not (name and value):
            raise InputError(f"--parameter {assignment}: give NAME=VALUE")
        parameters[name] = value
    return parameters


@dataclass(frozen=True)
class AnswerOutput:
    """How and where the answer about a graph is written.

    ``form`` is a notation or `TABLE`. ``draw`` and ``certificate`` are the files of a picture and
    of a certificate, if these are wanted.
    """

    form: str
    out: str | None
    draw: str | None
    certificate: str | None

    @classmethod
    def take(cls, graph: Graph, given: dict[str, Any]) -> AnswerOutput:
        """Pop the options on how the answer is written, and return them after checking them."""
        form = given.pop("notation")
        if form is None:
            is_npy = given["out"] is not None and given["out"].endswith(".npy")
            form = Notation.NPY if is_npy else usual_notation(graph)
        output = cls(form, given.pop("out"), given.pop("draw"), given.pop("certificate"))
        check_length(graph, output.notation)
        check_drawable(output.draw, graph)
        return output

    @property
    def notation(self) -> Notation:
        """The notation in which squares are named."""
        return Notation.SQUARES if self.form == TABLE else Notation(self.form)


@as_subcommand()
@with_instances
@click.option("--explain", is_flag=True, help="Also write how a person can deduce the tour.")
@click.option("--unique", is_flag=True, help="Tell whether there is exactly one tour.")
@click.option(
    "--method",
    default="auto",
    shell_complete=options.complete_methods,
    help="The method that solves: one that 'kt methods' lists, or your own as FILE.py:NAME.",
)
@click.option(
    "--first", is_flag=True, help="Find the tour whose ids come first, as words in a dictionary."
)
@click.option(
    "--minimize",
    metavar="FEATURE",
    shell_complete=options.complete_features,
    help="Find a tour with the least of this: turns, or the weight of edges.",
)
@click.option(
    "--maximize",
    metavar="FEATURE",
    shell_complete=options.complete_features,
    help="Find a tour with the most of this.",
)
@click.option("--hint", type=FILE, help="Begin the search with the path in this file.")
@search_options(workers=1)
@options.notation_option("--format", "notation", help="How the tour is written, usually grid")
@options.out_option
@draw_option
@click.option("--certificate", type=OutputFile(), help="If there is no tour, write the proof.")
def solve_command(
    instances: Iterator[InstanceWithNotes], unique: bool, explain: bool, first: bool, **given: Any
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour found before the time limit or Ctrl-C is written,
    and a message says whether it is optimal or which bound is proven.
    'kt describe' prints the features of a tour.

    --unique trusts a saved puzzle whose solution and checksum match; delete its line '; unique:' to
    have it solved again.

    Of several graphs or puzzles in a file, each gets a line of JSON; the exit code is the worst.
    """
    if first:
        refuse(["method", "unique"], "with --first")
        given["method"] = "first"
    (instance, notes), *others = itertools.islice(instances, 2)
    if others:
        refuse(_NOT_WITH_SEVERAL, "with several graphs or puzzles")
        return _solve_several(itertools.chain([(instance, notes)], others, instances), given)
    if unique:
        refuse(_NOT_WITH_UNIQUE, "with --unique")
        return _solve_unique(instance, notes, given)
    output = AnswerOutput.take(instance.graph, given)
    clock = Clock(given["time_limit"])
    if explain:
        as_board(instance.graph, "--explain")
        if output.form != Notation.GRID:
            raise InputError(f"--explain: --format {output.form} has no comments")
    given["method"] = load_method(given["method"])
    given["hint"] = _read_hint(given["hint"], instance.graph)
    given["certificate"] = output.certificate is not None

    def write(result: Result) -> None:
        comments: Iterable[str] = ()
        if explain:
            from kt_cp.puzzles.deduction import explanation_lines  # takes a while to import

            comments = explanation_lines(instance, clock)
        write_result(result, output, comments)
        _tell_how_to_go_on(instance, result.status)

    measured = given["minimize"] or given["maximize"] or "value"
    return search_and_write(
        solve, instance, given, write, f"solving {instance.graph.title}", measured
    )


def search_and_write(
    search: Callable[..., Result],
    instance: Instance,
    given: dict[str, Any],
    write: Callable[[Result], None],
    title: str,
    measured: str,
) -> int:
    """Search by the options with a spinner, write the result, and return the exit code.

    ``search`` takes ``progress``, as `solve` does, and improves what is ``measured``. After Ctrl-C
    the best result so far is written, and then `InterruptedWithResultError` is raised.
    """
    is_shown = not given["log"]
    parameters = solver_parameters(given)
    asked = click.get_current_context().params.get("method", "auto")
    try_first = "--workers 8 searches in more threads"
    if asked != "auto":
        try_first = "without --method the usual methods are tried"
    with spinner(title, is_shown, f"{try_first}; {END_ADVICE}") as show:
        display = improvement_display(title, measured, show)
        result, interruption = best_result(
            lambda: search(instance, **given, parameters=parameters, progress=display)
        )
    write(result)
    if interruption is not None:
        raise interruption
    return EXIT_CODE_OF[result.status]


def best_result(search: Callable[[], R]) -> tuple[R, InterruptedWithResultError | None]:
    """Return the result of a search and, if Ctrl-C ended it, the exception that it raised.

    The caller writes the result, the best one so far, and then raises the exception again.
    """
    try:
        return search(), None
    except InterruptedWithResultError as error:
        return cast(R, error.result), error


def improvement_display(
    title: str, measured: str, show: Callable[[str], None]
) -> Callable[[Improvement], None]:
    """Return a function that shows improvements in a spinner, and as lines on a terminal.

    What is ``measured``, such as squares or turns, is named. There are at most two lines a second.
    """
    last_line = -math.inf

    def display(improvement: Improvement) -> None:
        nonlocal last_line
        best = f"{measured} {improvement.value} so far"
        show(f"{title}: {best}")
        now = time.monotonic()
        if sys.stderr.isatty() and now - last_line >= _LINE_INTERVAL:
            last_line = now
            bound = "" if improvement.bound is None else f", proven bound {improvement.bound}"
            tell(f"{improvement.seconds:.2f} s: {best}{bound}")

    return display


def _read_hint(file: str | None, graph: Graph) -> list[Any] | None:
    """Return the squares on a path in a file, which need not be a tour, by their labels."""
    if file is None:
        return None
    from kt_cp.notation.read import parse_path
    from kt_cp.notation.values import load_path

    with open_input(file, "a file that holds a path") as stream:
        report = parse_path(load_path(stream), graph).report
    wrong = {FaultKind.OFF_BOARD, FaultKind.HOLE, FaultKind.REPEAT}
    if report.steps is None or wrong & report.counts.keys():
        wanted = "give a path on the board that visits no square twice"
        raise InputError(f"--hint {file}: {wanted}")
    return [graph.label(square) for square in report.entries.tolist()]


def write_result(result: Result, output: AnswerOutput, comments: Iterable[str] = ()) -> None:
    """Write the tour or the JSON object, the picture, the certificate and the summary.

    ``comments`` are lines above the tour.
    """
    if output.form == Notation.JSON:
        write_lines([json.dumps(result.as_dict())], output.out)
    elif result.tour is not None:
        _write_tour(result.tour, output, comments)
    draw_answer(result, output.draw)
    write_conclusion(result, output.certificate)


def draw_answer(result: Certifiable, file: str | None) -> None:
    """Draw what was found, or why there is none, to a file, or tell why that is not drawn."""
    if file is not None and result.status is Status.UNKNOWN:
        tell(f"{file} is not written: there is no answer to draw")
    elif file is not None and not result and file.lower().endswith(".gif"):
        others = "choose .svg, .png, .pdf or .html"
        tell(f"{file} is not written: a reason is not animated; {others}")
    else:
        write_picture(result, file)


def write_conclusion(result: Result | CoverResult, file: str | None) -> None:
    """Write the certificate, if there is one, to a file, and tell the summary."""
    if file is not None and result.certificate is not None:
        write_lines(result.certificate.lines(), file)
    tell(result.summary)
    if result.no_certificate is not None:
        tell(f"no certificate was made: {result.no_certificate}")


def _write_tour(tour: Tour, output: AnswerOutput, comments: Iterable[str]) -> None:
    """Write the tour, below the comments, unless it is wider than the terminal."""
    if output.form == TABLE:
        write_lines(tour_table(tour), output.out)
        return
    width = 0
    if output.out is None and sys.stdout.isatty():
        width = get_terminal_size().columns
    is_grid = output.notation is Notation.GRID and tour.graph.has_places
    if width and is_grid and tour.board.columns * (len(str(len(tour.graph))) + 1) - 1 > width:
        tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
        return
    rows = [f"; {row}" for each in comments for row in wrapped(each, width - 2, 5).splitlines()]
    lines = (f"{row}\n".encode() for row in rows)
    write_bytes(itertools.chain(lines, tour_bytes(tour, output.notation)), output.out)


def _tell_how_to_go_on(instance: Instance, status: Status) -> None:
    """Tell the command for the longest path where there is no tour, or for the usual methods.

    The latter is told where the chosen method gave no answer. Nothing is told for constraints that
    partial tours do not take, and for standard input, which cannot be read again.
    """
    arguments = click.get_current_context().params
    takes_partial = not (instance.givens or instance.order or instance.constrain)
    if arguments["board"] == "-" or not takes_partial:
        return
    if status is Status.IMPOSSIBLE:
        kind = instance.graph.vocabulary.partial_tour(instance.closed)
        tell(f"the longest {kind}: {_command('longest', instance, arguments)}")
    elif status is Status.UNKNOWN and arguments["method"] != "auto":
        tell(f"the usual methods: {_command('solve', instance, arguments)}")


def _command(subcommand: str, instance: Instance, arguments: Mapping[str, Any]) -> str:
    """Return a command with the board and the constraints of the arguments of ``kt solve``."""
    command = ["kt", subcommand, arguments["board"]]
    for option in ("graph", "piece", "topology", "start", "end", "symmetry"):
        if arguments[option] is not None:
            command += [f"--{option}", str(arguments[option])]
    for option in ("require", "forbid", "having"):
        for value in arguments[option]:
            command += [f"--{option}", value]
    command += [f"--{option}" for option in SHORTHANDS if arguments[option]]
    if instance.closed:
        command.append("--closed")
    elif arguments["closed"] is False:  # without --open, a file may be about a closed tour
        command.append("--open")
    return shlex.join(command)


def impossible_line(instance: Instance, clock: Clock) -> str:
    """Return the line for an instance that a complete search has proven to have no tour.

    The line contains the reason if that is found before the clock's limit.
    """
    try:
        result = solve(instance, time_limit=clock.remaining_limit())
        if result.status is Status.IMPOSSIBLE:
            return result.summary
    except OutOfTimeError:
        pass
    return f"impossible: {instance.graph.title} has no {instance.kind} tour"


def _solve_several(instances: Iterable[tuple[Instance, Any]], given: dict[str, Any]) -> int:
    """Write the answers to several instances as lines of JSON, one after the other."""
    form, out = given.pop("notation"), given.pop("out")
    if form not in (None, Notation.JSON):
        raise InputError(f"--format {form}: several are answered as json")
    parameters = solver_parameters(given)
    given["method"] = load_method(given["method"])
    del given["draw"], given["certificate"]
    worst = Exit.YES
    with open_output(out) as stream:
        for instance, _ in instances:
            result = solve(instance, **given, parameters=parameters)
            stream.write(f"{json.dumps(result.as_dict())}\n".encode())
            stream.flush()
            worst = max(worst, EXIT_CODE_OF[result.status])
    return worst


def _solve_unique(instance: Instance, notes: dict[str, str], given: dict[str, Any]) -> int:
    """Write the only tour, or two of several with a blank line between them.

    The ``notes`` of a saved puzzle hold its solution, and spare the search.
    """
    from kt_cp.problem.tour_graph import needs_steps
    from kt_cp.puzzles.puzzle import saved_puzzle
    from kt_cp.puzzles.uniqueness import Uniqueness, check_uniqueness  # takes a while to import

    output = AnswerOutput.take(instance.graph, given)
    if given["method"] not in ("auto", "circuit"):
        raise InputError(f"--unique: method {given['method']} cannot tell; leave --method out")
    clock = Clock(given["time_limit"])
    # Custom constraints are no part of the checksum of a saved puzzle.
    saved = saved_puzzle(instance, notes) if notes and not instance.constrain else None
    if saved is not None:
        found = Uniqueness([saved.solution], is_unique=True)
        verdict = "unique: this is the only tour, as was proven when the puzzle was saved"
    else:
        with spinner(f"solving {instance.graph.title}", advice=END_ADVICE):
            found = check_uniqueness(instance, given["time_limit"])
        verdict = _unique_verdict(instance, found.is_unique, found.tours, clock)
    differing: list[int] = []
    if len(found.tours) > 1:
        by_steps = needs_steps(instance) or not instance.closed
        differing = differing_squares(found.tours[0], found.tours[1], by_steps)
        names = " ".join(map(instance.graph.name, differing))
        count = instance.graph.vocabulary.count_vertices(len(differing))
        verdict += f"; they differ on {count}: {names}"
    if output.form == Notation.JSON:
        values = {
            "unique": found.is_unique,
            "tours": [tour.json_names for tour in found.tours],
            "differ": instance.graph.json_names(differing),
            **instance.graph.json_field,
        }
        write_lines([json.dumps(values)], output.out)
    elif found.tours:
        texts = [b"".join(tour_bytes(tour, output.notation)) for tour in found.tours]
        if differing and output.notation is Notation.GRID:
            texts.append(_marked_map(instance.board, differing))
        write_bytes([b"\n".join(texts)], output.out)
    tell(verdict)
    if found.is_unique is not None and not found.tours:
        _tell_how_to_go_on(instance, Status.IMPOSSIBLE)
    if output.draw is not None and found.tours:
        shown: object = found.tours[0]
        if differing and isinstance(instance.graph, Board):
            from kt_cp.draw.tours import difference_picture

            shown = difference_picture(found.tours[0], found.tours[1], differing)
        write_picture(shown, output.draw)
    if found.is_unique is None:
        return Exit.NO_ANSWER
    return Exit.YES if found.is_unique else Exit.NO


def _unique_verdict(
    instance: Instance, is_unique: bool | None, tours: Sequence[Tour], clock: Clock
) -> str:
    """Return in words whether there is exactly one tour."""
    if is_unique is None:
        return f"unknown: {pluralize(len(tours), 'tour')} found when the time limit was reached"
    if is_unique:
        return "unique: this is the only tour"
    return "not unique: these are two of the tours" if tours else impossible_line(instance, clock)


def _marked_map(board: Board, squares: list[int]) -> bytes:
    """Return the comment lines of a map on which some squares are marked with an asterisk."""
    cells = [SQUARE if is_square else HOLE for is_square in board.mask.tolist()]
    for square in squares:
        cells[square] = "*"
    rows = (cells[start : start + board.columns] for start in range(0, board.area, board.columns))
    return "".join(f"; {' '.join(row)}\n" for row in rows).encode()
