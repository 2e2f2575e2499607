"""Search with progress, and write the answer: shared by the commands that search."""

from __future__ import annotations

import itertools
import json
import math
import shlex
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, TypeVar, cast

from kt_cp.board import Board
from kt_cp.certifiable import Certifiable, InterruptedWithResultError
from kt_cp.cli.options import EXIT_CODE_OF, check_drawable, take_options
from kt_cp.cli.output import spinner, tell, write_bytes, write_lines, write_picture
from kt_cp.cli.reading import usual_notation
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.writing import check_length, tour_bytes, tour_table
from kt_cp.problem.constraints import SHORTHANDS
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Improvement, OutOfTimeError
from kt_cp.solving import Result, solve
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.cover import CoverResult
    from kt_cp.tour.tour import Tour

R = TypeVar("R", bound=Certifiable)

TABLE = "csv"
"""The value of --format that asks for a table of steps and squares."""

# Seconds between two lines that tell of improvements.
_LINE_INTERVAL = 0.5


@dataclass(frozen=True)
class SearchOptions:
    """How to search: the values of the options of those names."""

    time_limit: float | None
    seed: int
    log: bool
    parameter: tuple[str, ...]

    @property
    def solver_parameters(self) -> dict[str, object]:
        """The fields of ``SatParameters`` that --log and --parameter NAME=VALUE set.

        Raises `InputError` for a parameter without a name or a value.
        """
        parameters: dict[str, object] = {}
        if self.log:
            parameters["log_search_progress"] = True
        for assignment in self.parameter:
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

    @property
    def notation(self) -> Notation:
        """The notation in which squares are named."""
        return Notation.SQUARES if self.form == TABLE else Notation(self.form)


def take_output(graph: Graph, given: dict[str, Any]) -> AnswerOutput:
    """Pop the options on how the answer is written, and return them after checking them."""
    given["form"] = given.pop("notation") or _usual_notation(graph, given["out"])
    output = take_options(AnswerOutput, given)
    check_length(graph, output.notation)
    check_drawable(output.draw, graph)
    return output


def _usual_notation(graph: Graph, out: str | None) -> Notation:
    """Return the notation for a file, by its name, or the usual one of a graph."""
    if out is not None and out.endswith(".npy"):
        return Notation.NPY
    return usual_notation(graph)


def best_result(search: Callable[[], R]) -> tuple[R, InterruptedWithResultError | None]:
    """Return the result of a search and, if Ctrl-C ended it, the exception that it raised.

    The caller writes the result, the best one so far, and then raises the exception again.
    """
    try:
        return search(), None
    except InterruptedWithResultError as error:
        return cast(R, error.result), error


def search_and_write(
    search: Callable[..., Result],
    write: Callable[[Result], None],
    title: str,
    show_progress: bool,
    measured: str,
) -> int:
    """Search with a spinner, write the result, and return the exit code.

    ``search`` takes ``progress``, as `solve` does, and improves what is ``measured``. After Ctrl-C
    the best result so far is written, and then `InterruptedWithResultError` is raised.
    """
    with spinner(title, shown=show_progress) as show:
        display = improvement_display(title, measured, show)
        result, interruption = best_result(lambda: search(progress=display))
    write(result)
    if interruption is not None:
        raise interruption
    return EXIT_CODE_OF[result.status]


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


def write_result(result: Result, output: AnswerOutput, comments: Iterable[str] = ()) -> None:
    """Write the tour or the JSON object, the picture, the certificate and the summary.

    ``comments`` are lines above the tour.
    """
    if output.form == Notation.JSON:
        write_lines([json.dumps(result.as_dict())], output.out)
    elif result.tour is not None:
        _write_tour(result.tour, output, comments)
    _draw_result(result, output.draw)
    write_certificate(result, output.certificate)
    tell(result.summary)
    note_missing_certificate(result)


def write_certificate(result: Result | CoverResult, file: str | None) -> None:
    """Write the certificate of a result, if it has one, to the file that an option names."""
    if file is not None and result.certificate is not None:
        write_lines(result.certificate.lines(), file)


def note_missing_certificate(result: Result | CoverResult) -> None:
    """Tell why no certificate was made, if one was asked for."""
    if result.no_certificate is not None:
        tell(f"no certificate was made: {result.no_certificate}")


def tell_how_to_go_on(instance: Instance, status: Status, arguments: Mapping[str, Any]) -> None:
    """Tell the command for the longest path where there is no tour, or for the usual methods.

    The latter is told where the chosen method gave no answer. ``arguments`` are those of ``kt
    solve``. Nothing is told for constraints that partial tours do not take, and for a board or
    graph from standard input, which cannot be read again.
    """
    if arguments["board"] == "-" or not _takes_partial(instance):
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
    for option in SHORTHANDS:
        if arguments[option]:
            command.append(f"--{option}")
    if instance.closed:
        command.append("--closed")
    elif arguments["closed"] is False:  # without --open, a file may be about a closed tour
        command.append("--open")
    return shlex.join(command)


def _takes_partial(instance: Instance) -> bool:
    """Return whether ``kt longest`` accepts the constraints of an instance.

    Functions of the caller may rely on a tour of all squares.
    """
    return not (instance.givens or instance.order or instance.constrain)


def _write_tour(tour: Tour, output: AnswerOutput, comments: Iterable[str]) -> None:
    """Write the tour, below the comments, unless it is wider than the terminal."""
    if output.form == TABLE:
        write_lines(tour_table(tour), output.out)
        return
    is_shown = output.out is None and sys.stdout.isatty()
    if is_shown and output.notation is Notation.GRID and _is_too_wide(tour.graph):
        tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
        return
    rows = (row for comment in comments for row in _comment_rows(comment, is_shown))
    lines = (f"{row}\n".encode() for row in rows)
    write_bytes(itertools.chain(lines, tour_bytes(tour, output.notation)), output.out)


def _comment_rows(comment: str, is_shown: bool) -> list[str]:
    """Return the rows of a comment, which is wrapped if it is shown on a terminal."""
    if not is_shown:
        return [f"; {comment}"]
    return textwrap.wrap(
        comment,
        get_terminal_size().columns,
        initial_indent="; ",
        subsequent_indent=f";{'':{len(comment) - len(comment.lstrip()) + 5}}",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _is_too_wide(graph: Graph) -> bool:
    """Return whether a numbered board is wider than the terminal."""
    if not isinstance(graph, Board):
        return False
    width = graph.columns * (len(str(len(graph))) + 1) - 1
    return width > get_terminal_size().columns


def _draw_result(result: Result, file: str | None) -> None:
    """Draw the tour or the reason, or tell why there is nothing to draw."""
    if file is None:
        return
    if result.status is Status.UNKNOWN:
        tell(f"{file} is not written: there is no answer to draw")
    elif result.tour is None and file.lower().endswith(".gif"):
        tell(f"{file} is not written: a reason is not animated; choose .svg, .png, .pdf or .html")
    else:
        write_picture(result, file)


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
