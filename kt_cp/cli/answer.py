"""What ``kt solve`` and ``kt longest`` share: a search with progress, and writing its answer."""

from __future__ import annotations

import itertools
import json
import math
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from kt_cp.board import Board, as_board
from kt_cp.cli.options import EXIT_CODE_OF, check_drawable
from kt_cp.cli.output import spinner, tell, write_bytes, write_lines, write_picture
from kt_cp.cli.reading import usual_notation
from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.notation.notations import Notation
from kt_cp.notation.writing import check_length, tour_bytes
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.constraints import SHORTHANDS
from kt_cp.problem.instance import Instance
from kt_cp.problem.objectives import Improvement
from kt_cp.solving import Result, SearchInterruptedError, solve
from kt_dfs import Status

if TYPE_CHECKING:
    from kt_cp.cover import CoverResult

# Seconds between two lines that tell of improvements.
_LINE_INTERVAL = 0.5


@dataclass(frozen=True)
class AnswerOutput:
    """Where and how the answer is written: the values of the options of those names.

    The ``clock`` is that of the time limit, which began with the command.
    """

    notation: Notation
    out: str | None
    draw: str | None
    certificate: str | None
    explain: bool
    clock: Clock


def take_output(graph: Graph, given: dict[str, Any]) -> AnswerOutput:
    """Remove the options on how to write the answer from all given ones; check and return them."""
    output = AnswerOutput(
        notation=given.pop("notation") or _usual_notation(graph, given["out"]),
        out=given.pop("out"),
        draw=given.pop("draw"),
        certificate=given.pop("certificate"),
        explain=given.pop("explain", False),
        clock=Clock(given["time_limit"]),
    )
    check_length(graph, output.notation)
    check_drawable(output.draw, graph)
    if output.explain:
        as_board(graph, "--explain")
        if output.notation is not Notation.GRID:
            raise InputError(f"--explain: --format {output.notation} has no comments")
    return output


def _usual_notation(graph: Graph, out: str | None) -> Notation:
    """Return the notation for a file, by its name, or the usual one of a graph."""
    if out is not None and out.endswith(".npy"):
        return Notation.NPY
    return usual_notation(graph)


def search_and_write(
    find: Callable[..., Result], title: str, show_log: bool, output: AnswerOutput
) -> int:
    """Search with a sign of life, write the result, and return the exit code.

    ``find`` takes ``progress``. After Ctrl-C the best tour so far is written first.
    """
    interruption: SearchInterruptedError | None = None
    with spinner(title, shown=not show_log) as say:
        try:
            result = find(progress=observer(title, say))
        except SearchInterruptedError as error:
            result, interruption = error.result, error
    _write_result(result, output)
    if interruption is not None:
        raise interruption
    return EXIT_CODE_OF[result.status]


def parameters_of(assignments: tuple[str, ...], show_log: bool) -> dict[str, object]:
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


def observer(title: str, say: Callable[[str], None]) -> Callable[[Improvement], None]:
    """Return a function that shows improvements in a spinner, and as lines on a terminal.

    There are at most two lines a second.
    """
    last_told = -math.inf

    def improved(better: Improvement) -> None:
        nonlocal last_told
        say(f"{title}: {better.value} so far")
        now = time.monotonic()
        if sys.stderr.isatty() and now - last_told >= _LINE_INTERVAL:
            last_told = now
            bound = "" if better.bound is None else f", bound {better.bound}"
            tell(f"{better.seconds:.2f} s: {better.value}{bound}")

    return improved


def _write_result(result: Result, output: AnswerOutput) -> None:
    """Write the tour or the JSON object, the picture, the certificate and the summary."""
    _write_tour(result, output)
    _draw_result(result, output.draw)
    write_certificate(result, output.certificate)
    tell(f"{result.summary}{how_to_go_on(result.instance, result.status)}")
    tell_of_no_certificate(result)


def write_certificate(result: Result | CoverResult, file: str | None) -> None:
    """Write the certificate of a result, if it has one, to the file that an option names."""
    if file is not None and result.certificate is not None:
        write_lines(result.certificate.lines(), file)


def tell_of_no_certificate(result: Result | CoverResult) -> None:
    """Tell why no certificate was made, if one was asked for."""
    if result.no_certificate is not None:
        tell(f"no certificate was made: {result.no_certificate}")


def how_to_go_on(instance: Instance, status: Status) -> str:
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


def _write_tour(result: Result, output: AnswerOutput) -> None:
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
    text = tour_bytes(result.tour, output.notation)
    if output.explain:
        from kt_cp.puzzles.deduction import explanation_lines

        lines = explanation_lines(result.instance, output.clock)
        comments = (f"; {line}\n".encode() for line in lines)
        text = itertools.chain(comments, text)
    write_bytes(text, output.out)


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
        write_picture(result.tour or result, file)


def impossible_line(instance: Instance, clock: Clock) -> str:
    """Return the line for an instance that a complete search has proven to have no tour.

    It has the reason if that is found before the clock's limit.
    """
    try:
        result = solve(instance, time_limit=clock.remaining_limit())
        if result.status is Status.IMPOSSIBLE:
            return result.summary
    except OutOfTimeError:
        pass
    return f"impossible: {instance.graph.title} has no {instance.kind} tour"
