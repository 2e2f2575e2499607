"""``kt solve`` and ``kt export``: find a tour, or state the instance for other tools."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from shutil import get_terminal_size
from typing import Unpack

import click

from kt_cp.board import Board
from kt_cp.cli import options
from kt_cp.cli.options import Asked, instance_parameters, read_instance
from kt_cp.cli.output import (
    check_drawing,
    check_output,
    spinner,
    write_bytes,
    write_lines,
    write_picture,
)
from kt_cp.cli.process import Exit, tell
from kt_cp.errors import InputError
from kt_cp.graph import Graph
from kt_cp.methods.table import load_method
from kt_cp.notation.export import ExportFormat, export_lines, model_bytes
from kt_cp.notation.notations import Notation, check_length, tour_bytes, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.objective import Improvement
from kt_cp.solving import Interrupted, Result, objective_of, solve_instance
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
@click.option("--verbose", is_flag=True, help="List all squares of a reason, not only a dozen.")
def solve_command(
    explain: bool,
    unique: bool,
    method: str,
    time_limit: float | None,
    workers: int,
    seed: int,
    minimize: str | None,
    maximize: str | None,
    log: bool,
    parameter: tuple[str, ...],
    notation: Notation | None,
    out: str | None,
    draw: str | None,
    certificate: str | None,
    verbose: bool,
    **asked: Unpack[Asked],
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour that is found before the time limit or Ctrl-C is
    written. A message says whether it is optimal, and otherwise which bound on all tours is proven.
    'kt describe' prints the features of a tour.

    Exit code 0: a tour was found; 1: there is none (or more than one, with --unique); 2: invalid
    input; 3: no answer.
    """
    board, constraints = read_instance(**asked)
    instance = Instance.of(board, **constraints)
    if notation is None:
        notation = Notation.NPY if out is not None and out.endswith(".npy") else Notation.GRID
    output = _Output(notation, out, draw, certificate)
    output.check(instance)
    if unique:
        others = {"draw": draw, "certificate": certificate, "explain": explain, "log": log}
        others |= {"minimize": minimize, "maximize": maximize, "parameter": bool(parameter)}
        if excluded := [name for name, given in others.items() if given]:
            raise InputError(f"--{excluded[0]} cannot be used with --unique")
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(instance, time_limit, output)
    if explain and output.notation is not Notation.GRID:
        wanted = f"--format {notation}, which has no comments"
        raise InputError(f"--explain cannot be used with {wanted}")
    parameters = _parameters(log, parameter)
    solver = partial(
        solve_instance,
        instance,
        time_limit=time_limit,
        workers=workers,
        seed=seed,
        method=load_method(method),
        certificate=certificate is not None,
        objective=objective_of(minimize, maximize),
        parameters=parameters,
    )
    with spinner(f"solving {board.title}", shown="log_search_progress" not in parameters) as say:
        interruption = None
        try:
            result = solver(progress=partial(_improved, say, f"solving {board.title}"))
        except Interrupted as error:  # by Ctrl-C, with the best tour so far
            result, interruption = error.result, error
    output.write(result, _explained(result) if explain else ())
    if verbose and result.explanation is not None:
        tell(f"{result.status.value}: {result.explanation.full}")
    else:
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


@dataclass(frozen=True)
class _Output:
    """Where the answer is written, and how."""

    notation: Notation
    out: str | None
    draw: str | None
    certificate: str | None

    def check(self, instance: Instance) -> None:
        """Refuse what cannot be written, before the work is done."""
        check_output(self.out)
        check_output(self.certificate, "--certificate")
        check_length(instance.graph, self.notation)
        check_drawing(self.draw, instance.graph)

    def _breaks(self, graph: Graph) -> bool:
        """Whether a terminal would break the rows of the numbered board."""
        if self.out is not None or self.notation is not Notation.GRID or not sys.stdout.isatty():
            return False
        width = isinstance(graph, Board) and graph.columns * (len(str(len(graph))) + 1) - 1
        return width > get_terminal_size().columns

    def write(self, result: Result, comments: Iterable[str]) -> None:
        """Write the tour or the JSON object, the picture, and the certificate."""
        if self.notation is Notation.JSON:
            write_lines([json.dumps(result.as_dict())], self.out)
        elif result.tour is not None and self._breaks(result.instance.graph):
            tell("the tour is wider than the terminal: --draw FILE draws it, --out FILE writes it")
        elif result.tour is not None:
            lines = (f"; {line}\n".encode() for line in comments)
            write_bytes(itertools.chain(lines, tour_bytes(result.tour, self.notation)), self.out)
        if self.draw is not None and result.status is Status.UNKNOWN:
            tell(f"{self.draw} is not written: there is no answer to draw")
        elif self.draw is not None and result.tour is None and self.draw.lower().endswith(".gif"):
            tell(f"{self.draw} is not written: a reason is no animation; choose another ending")
        else:
            write_picture(result.tour or result, self.draw)
        if self.certificate is not None and result.certificate is not None:
            write_lines(result.certificate.lines(), self.certificate)


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


def _solve_unique(instance: Instance, time_limit: float | None, output: _Output) -> int:
    """Write the only tour, or two of several with a blank line between them."""
    from kt_cp.count.counting import enumerate_tours

    board, notation, tours = instance.graph, output.notation, []
    with spinner(f"solving {board.title}"):
        try:
            for tour in itertools.islice(enumerate_tours(instance, time_limit=time_limit), 2):
                tours.append(tour)
            verdict, code = _unique_verdict(instance, len(tours))
        except OutOfTime:
            found = "one tour was" if tours else "no tour was"
            verdict = f"unknown: {found} found when the time limit was reached"
            code = Exit.NO_ANSWER
    if notation is Notation.JSON:
        unique = None if code is Exit.NO_ANSWER else len(tours) == 1
        answer = {"unique": unique, "tours": [tour.values for tour in tours]}
        write_lines([json.dumps({**answer, **board.field})], output.out)
    elif tours:
        texts = ("".join(f"{line}\n" for line in write_tour(each, notation)) for each in tours)
        write_bytes(["\n".join(texts).encode()], output.out)
    tell(verdict)
    return code


def _unique_verdict(instance: Instance, count: int) -> tuple[str, Exit]:
    if count == 1:
        return "unique: this is the only tour", Exit.YES
    if count == 0:
        return solve_instance(instance).summary, Exit.NO
    return "not unique: these are two of the tours", Exit.NO


@click.command()
@instance_parameters
@options.choice("--format", "form", of=ExportFormat, required=True, help="For which tools")
@options.out_option
def export_command(form: ExportFormat, out: str | None, **asked: Unpack[Asked]) -> int:
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
    board, constraints = read_instance(**asked)
    instance = Instance.of(board, **constraints)
    check_output(out)
    if form is ExportFormat.CP_SAT and out is not None and out.endswith(".pb"):
        write_bytes([model_bytes(instance)], out)
    else:
        write_lines(export_lines(instance, form), out)
    return Exit.YES
