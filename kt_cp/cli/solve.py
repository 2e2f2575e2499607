"""``kt solve``, ``kt export``, ``kt methods``: find a tour, state the problem, and the ways."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import Any

import click

from kt_cp.board import Board, as_board
from kt_cp.cli import options
from kt_cp.cli.app import write_table
from kt_cp.cli.options import EXIT_CODES, OutputFile, check_drawable, exclude, with_instance
from kt_cp.cli.output import Exit, spinner, tell, write_bytes, write_lines, write_picture
from kt_cp.errors import InputError, pluralize
from kt_cp.methods.table import CONSTRAINTS, METHODS, PEERS, Method, load_method, method_of
from kt_cp.notation.export import ExportFormat, export_lines, model_bytes
from kt_cp.notation.notations import Notation, check_length, tour_bytes
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.constraints import Improvement
from kt_cp.problem.instance import Instance
from kt_cp.solving import Interrupted, Result, solve
from kt_cp.tour.tour import Tour
from kt_dfs import Status


@click.command()
@with_instance
@click.option("--explain", is_flag=True, help="Also write how a person can deduce the tour.")
@click.option("--unique", is_flag=True, help="Tell whether there is exactly one tour.")
@options.method_option
@options.time_limit_option
@click.option("--workers", type=int, default=1, help="Number of threads of the solver.")
@options.seed_option
@options.objective_options
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.choice("--format", "notation", of=Notation, help="How the tour is written, usually grid")
@options.out_option
@options.draw_option
@click.option("--certificate", type=OutputFile(), help="If there is no tour, write the proof.")
def solve_command(
    instance: Instance,
    explain: bool,
    unique: bool,
    method: str,
    log: bool,
    parameter: tuple[str, ...],
    notation: Notation | None,
    out: str | None,
    draw: str | None,
    certificate: str | None,
    **how: Any,
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour that is found before the time limit or Ctrl-C is
    written. A message says whether it is optimal, and otherwise which bound on all tours is proven.
    'kt describe' prints the features of a tour.
    """
    graph, doing = instance.graph, f"solving {instance.graph.title}"
    if notation is None:
        notation = Notation.NPY if str(out).endswith(".npy") else options.usual_notation(graph)
    check_length(graph, notation)
    check_drawable(draw, graph)
    if unique:
        others = "draw", "certificate", "explain", "log", "minimize", "maximize", "parameter"
        exclude(others, "--unique")
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(instance, how["time_limit"], notation, out)
    if explain:
        as_board(graph, "--explain")
        if notation is not Notation.GRID:
            raise InputError(f"--explain: --format {notation} has no comments")
    parameters: dict[str, object] = {"log_search_progress": True} if log else {}
    for assignment in parameter:
        name, _, value = assignment.partition("=")
        if not (name and value):
            raise InputError(f"--parameter {assignment}: give NAME=VALUE")
        parameters[name] = value
    how |= {"method": load_method(method), "parameters": parameters}
    interruption: Interrupted | None = None
    with spinner(doing, shown=not log) as say:

        def improved(better: Improvement) -> None:
            say(f"{doing}: {better.value} so far")
            if sys.stderr.isatty():
                bound = "" if better.bound is None else f", bound {better.bound}"
                tell(f"{better.seconds:.2f} s: {better.value}{bound}")

        try:
            result = solve(instance, progress=improved, certificate=certificate is not None, **how)
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


def _write_result(result: Result, notation: Notation, out: str | None, explain: bool) -> None:
    """Write the tour, with the deductions that explain it, or the JSON object."""
    graph, columns = result.instance.graph, get_terminal_size().columns
    is_wide = isinstance(graph, Board) and graph.columns * (len(str(len(graph))) + 1) - 1 > columns
    if notation is Notation.JSON:
        write_lines([json.dumps(result.as_dict())], out)
    elif result.tour is None:
        return
    elif notation is Notation.GRID and out is None and sys.stdout.isatty() and is_wide:
        tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
    else:
        lines = (f"; {line}\n".encode() for line in (_explained(result) if explain else ()))
        write_bytes(itertools.chain(lines, tour_bytes(result.tour, notation)), out)


def _explained(result: Result) -> Iterator[str]:
    """Yield numbered deductions, and where they do not lead to the tour, a line that says so."""
    from kt_cp.puzzles.deduction import Grade, explain, rate

    for number, deduction in enumerate(explain(result.instance), start=1):
        yield f"{number}. {deduction}"
    if rate(result.instance).grade is Grade.HARD:
        yield "The rest does not follow by the rules or from one supposition at a time."


def _solve_unique(
    instance: Instance, time_limit: float | None, notation: Notation, out: str | None
) -> int:
    """Write the only tour, or two of several with a blank line between them."""
    from kt_cp.count.counting import enumerate_tours

    tours, code, verdict = list[Tour](), Exit.NO, "not unique: these are two of the tours"
    try:
        with spinner(f"solving {instance.graph.title}"):
            for tour in itertools.islice(enumerate_tours(instance, time_limit=time_limit), 2):
                tours.append(tour)
        if len(tours) == 1:
            verdict, code = "unique: this is the only tour", Exit.YES
        elif not tours:
            verdict = solve(instance).summary
    except OutOfTime:
        found, code = pluralize(len(tours), "tour"), Exit.NO_ANSWER
        verdict = f"unknown: {found} found when the time limit was reached"
    if notation is Notation.JSON:
        unique = None if code is Exit.NO_ANSWER else code is Exit.YES
        answer = {"unique": unique, "tours": [tour.values for tour in tours]}
        write_lines([json.dumps({**answer, **instance.graph.field})], out)
    elif tours:
        texts = (b"".join(tour_bytes(tour, notation)) for tour in tours)
        write_bytes([b"\n".join(texts)], out)
    tell(verdict)
    return code


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

    Constraints that a format cannot hold are refused.
    """
    if form is ExportFormat.CP_SAT and str(out).endswith(".pb"):
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
        write_table((name, _summary(row)) for name, row in METHODS.items())
        return 0
    row = method_of(load_method(method))
    known = [words for name, words in CONSTRAINTS.items() if name in row.constraints]
    about = {
        "method": method,
        "summary": _summary(row),
        "proves": "that there is none" if row.proves else "nothing",
        "constraints": "all" if len(known) == len(CONSTRAINTS) else ", ".join(known),
        "source": row.source,
    }
    write_table((name, words) for name, words in about.items() if words)
    if method == "auto":
        from kt_cp.methods.auto import SCHEDULE

        write_lines(["", "The first stage with an answer decides:"])
        stages = enumerate(SCHEDULE, start=1)
        write_table((f"{number:2}.  {stage.method}", stage.when) for number, stage in stages)
    return 0


def _summary(row: Method) -> str:
    """Return what a method does, and whether a package that it needs is missing."""
    if row.package is None or find_spec(row.package):
        return row.summary
    return f"{row.summary} (not installed: {PEERS})"
