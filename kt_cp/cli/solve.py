"""``kt solve``, ``kt export``, ``kt methods``: find a tour, state the problem, and the ways."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import Any

import click

from kt_cp.board import Board
from kt_cp.cli import options
from kt_cp.cli.options import instance_parameters, read_instance
from kt_cp.cli.output import (
    Exit,
    check_drawing,
    check_output,
    spinner,
    tell,
    write_bytes,
    write_lines,
    write_picture,
    write_table,
)
from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.methods.table import CONSTRAINTS, METHODS, PEERS, Method, load_method, method_of
from kt_cp.notation.export import ExportFormat, export_lines, model_bytes
from kt_cp.notation.notations import Notation, check_length, tour_bytes, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.constraints import Improvement
from kt_cp.problem.instance import Instance
from kt_cp.solving import Interrupted, Result, solve
from kt_dfs import Status

EXIT_CODES = {Status.FOUND: Exit.YES, Status.IMPOSSIBLE: Exit.NO, Status.UNKNOWN: Exit.NO_ANSWER}


@click.command()
@instance_parameters
@click.option(
    "--explain", is_flag=True, help="Also write, as comments, how a person can deduce the tour."
)
@click.option("--unique", is_flag=True, help="Tell whether there is exactly one tour.")
@options.method_option
@options.time_limit_option
@click.option("--workers", type=int, default=1, help="Number of threads of the solver.")
@options.seed_option
@click.option("--minimize", metavar="FEATURE", help="Find a tour with the least of this.")
@click.option("--maximize", metavar="FEATURE", help="Find a tour with the most of this.")
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@click.option(
    "--parameter",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a field of CP-SAT's SatParameters, such as linearization_level=2. May be repeated.",
)
@options.choice(
    "--format", "notation", of=Notation, help="How the tour is written, grid unless given"
)
@options.out_option
@options.draw_option
@click.option(
    "--certificate", type=options.FILE, help="If there is no tour, write the proof to this file."
)
def solve_command(
    explain: bool,
    unique: bool,
    log: bool,
    parameter: tuple[str, ...],
    notation: Notation | None,
    out: str | None,
    draw: str | None,
    certificate: str | None,
    **given: Any,
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour that is found before the time limit or Ctrl-C is
    written. A message says whether it is optimal, and otherwise which bound on all tours is proven.
    'kt describe' prints the features of a tour.

    Exit code 0: a tour was found; 1: there is none (or more than one, with --unique); 2: invalid
    input; 3: no answer.
    """
    names = ("method", "time_limit", "workers", "seed", "minimize", "maximize")
    how = {name: given.pop(name) for name in names}
    board, constraints, _ = read_instance(**given)
    instance = Instance.of(board, **constraints)
    if notation is None:
        notation = Notation.NPY if out is not None and out.endswith(".npy") else Notation.GRID
    check_output(out)
    check_output(certificate, "--certificate")
    check_length(board, notation)
    check_drawing(draw, board)
    if unique:
        others = {"draw": draw, "certificate": certificate, "explain": explain, "log": log}
        others |= {
            "minimize": how["minimize"],
            "maximize": how["maximize"],
            "parameter": bool(parameter),
        }
        if excluded := [name for name, value in others.items() if value]:
            raise InputError(f"--{excluded[0]} cannot be used with --unique")
        if how["method"] not in ("auto", "circuit"):
            raise InputError(f"--unique: method {how['method']} cannot tell; leave --method out")
        return _solve_unique(instance, how["time_limit"], notation, out)
    if explain and notation is not Notation.GRID:
        raise InputError(
            f"--explain cannot be used with --format {notation}, which has no comments"
        )
    how |= {"method": load_method(how["method"]), "certificate": certificate is not None}
    parameters, doing, interruption = _parameters(log, parameter), f"solving {board.title}", None
    with spinner(doing, shown="log_search_progress" not in parameters) as say:
        improved = partial(_improved, say, doing)
        try:
            result = solve(instance, progress=improved, parameters=parameters, **how)
        except Interrupted as error:  # by Ctrl-C, with the best tour so far
            result, interruption = error.result, error
    _write_result(result, notation, out, explain)
    if draw is not None and result.status is Status.UNKNOWN:
        tell(f"{draw} is not written: there is no answer to draw")
    elif draw is not None and result.tour is None and draw.lower().endswith(".gif"):
        tell(f"{draw} is not written: a reason is not animated; choose .svg, .png, .pdf or .html")
    else:
        write_picture(result.tour or result, draw)
    if certificate is not None and result.certificate is not None:
        write_lines(result.certificate.lines(), certificate)
    tell(result.summary)
    if result.no_certificate is not None:
        tell(f"no certificate was made: {result.no_certificate}")
    if interruption is not None:
        raise interruption
    return EXIT_CODES[result.status]


def _parameters(log: bool, assignments: Iterable[str]) -> dict[str, object]:
    """Return the parameters for CP-SAT that the options set."""
    parameters: dict[str, object] = {"log_search_progress": True} if log else {}
    for assignment in assignments:
        name, _, value = assignment.partition("=")
        if not (name and value):
            raise InputError(f"--parameter {assignment}: give NAME=VALUE")
        parameters[name] = value
    return parameters


def _write_result(result: Result, notation: Notation, out: str | None, explain: bool) -> None:
    """Write the tour, with the deductions that explain it, or the JSON object."""
    if notation is Notation.JSON:
        write_lines([json.dumps(result.as_dict())], out)
    elif result.tour is None:
        return
    elif out is None and notation is Notation.GRID and _is_too_wide(result.instance.graph):
        tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
    else:
        lines = (f"; {line}\n".encode() for line in (_explained(result) if explain else ()))
        write_bytes(itertools.chain(lines, tour_bytes(result.tour, notation)), out)


def _is_too_wide(graph: Graph) -> bool:
    """Whether a terminal would break the rows of the numbered board."""
    width = isinstance(graph, Board) and graph.columns * (len(str(len(graph))) + 1) - 1
    return sys.stdout.isatty() and width > get_terminal_size().columns


def _explained(result: Result) -> Iterator[str]:
    """Yield numbered deductions, and where they do not lead to the tour, a line that says so."""
    from kt_cp.puzzles.deduction import Grade, explain, rate

    for number, deduction in enumerate(explain(result.instance), start=1):
        yield f"{number}. {deduction}"
    if rate(result.instance).grade is Grade.HARD:
        yield "The rest does not follow by the rules or from one supposition at a time."


def _improved(say: Callable[[str], None], doing: str, better: Improvement) -> None:
    """Tell a person who watches of each improvement."""
    say(f"{doing}: {better.value} so far")
    if sys.stderr.isatty():
        bound = "" if better.bound is None else f", bound {better.bound}"
        line = f"{better.seconds:8.2f} s  {better.value}{bound}"
        print(line, file=sys.stderr, flush=True)


def _solve_unique(
    instance: Instance, time_limit: float | None, notation: Notation, out: str | None
) -> int:
    """Write the only tour, or two of several with a blank line between them."""
    from kt_cp.count.counting import enumerate_tours

    tours, code = [], Exit.NO
    with spinner(f"solving {instance.graph.title}"):
        try:
            for tour in itertools.islice(enumerate_tours(instance, time_limit=time_limit), 2):
                tours.append(tour)
            verdict = "not unique: these are two of the tours"
            if len(tours) == 1:
                verdict, code = "unique: this is the only tour", Exit.YES
            elif not tours:
                verdict = solve(instance).summary
        except OutOfTime:
            found = "one tour was" if tours else "no tour was"
            verdict = f"unknown: {found} found when the time limit was reached"
            code = Exit.NO_ANSWER
    if notation is Notation.JSON:
        unique = None if code is Exit.NO_ANSWER else code is Exit.YES
        answer = {"unique": unique, "tours": [tour.values for tour in tours]}
        write_lines([json.dumps({**answer, **instance.graph.field})], out)
    elif tours:
        texts = ("".join(f"{line}\n" for line in write_tour(each, notation)) for each in tours)
        write_bytes(["\n".join(texts).encode()], out)
    tell(verdict)
    return code


@click.command()
@instance_parameters
@options.choice("--format", "form", of=ExportFormat, required=True, help="For which tools")
@options.out_option
def export_command(form: ExportFormat, out: str | None, **asked: Any) -> int:
    """State a problem for other tools; nothing is solved.

    \b
    cp-sat    the model of CP-SAT: text, or binary with --out FILE.pb
    dimacs    a formula for SAT solvers, of which every model is a tour
    minizinc  a model with the constraint circuit
    hcp       a graph in the format of TSPLIB, for LKH and others
    asp       facts and rules for clingo

    Constraints that a format cannot hold are refused.

    Exit code 0: the file is written; 2: invalid input.
    """
    board, constraints, _ = read_instance(**asked)
    instance = Instance.of(board, **constraints)
    check_output(out)
    if form is ExportFormat.CP_SAT and out is not None and out.endswith(".pb"):
        write_bytes([model_bytes(instance)], out)
    else:
        write_lines(export_lines(instance, form), out)
    return Exit.YES


@click.command()
@click.argument("method", required=False, shell_complete=options.complete_methods)
def methods_command(method: str | None) -> int:
    """List the methods that solve and compare know, or describe one METHOD.

    The description of auto, the usual method, is its schedule: which methods it asks, and when.
    """
    if method is None:
        write_table((name, f"{row.summary}{_missing(row)}") for name, row in METHODS.items())
        return 0
    write_table(_description(method_of(method)).items())
    if method == "auto":
        from kt_cp.methods.auto import SCHEDULE

        write_lines(["", "The first stage with an answer decides:"], None)
        write_table(
            (f"{number:2}.  {stage.method}", stage.when)
            for number, stage in enumerate(SCHEDULE, start=1)
        )
    return 0


def _missing(method: Method) -> str:
    if method.package is None or find_spec(method.package):
        return ""
    return f" (not installed: {PEERS})"


def _description(method: Method) -> dict[str, str]:
    known = [words for name, words in CONSTRAINTS.items() if name in method.constraints]
    return {
        "method": method.name,
        "summary": f"{method.summary}{_missing(method)}",
        "proves": "that there is none" if method.proves else "nothing",
        "constraints": "all" if len(known) == len(CONSTRAINTS) else ", ".join(known),
        "source": method.source,
    }
