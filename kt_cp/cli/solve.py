"""``kt solve``: find a tour, or prove that there is none."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Unpack

import click

from kt_cp.board import Board
from kt_cp.cli import options
from kt_cp.cli.options import Asked, instance_parameters, read_instance
from kt_cp.cli.output import check_output, spinner, write_bytes, write_lines
from kt_cp.cli.process import Exit, tell
from kt_cp.errors import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import check_length, tour_bytes, write_graph, write_tour
from kt_cp.problem.clock import OutOfTime
from kt_cp.problem.constraints import Constraints
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
@click.option("--minimize", metavar="FEATURE", help="Find a tour in which this feature is least.")
@click.option(
    "--maximize", metavar="FEATURE", help="Find a tour in which this feature is greatest."
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
    notation: Notation | None,
    out: str | None,
    draw: str | None,
    certificate: str | None,
    verbose: bool,
    **asked: Unpack[Asked],
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input. A
    map may hold step numbers: the tour visits those squares at those steps. With
    --format hcp, the graph of the board is written for other solvers.

    With --minimize or --maximize, the best tour that is found before the time limit or Ctrl-C is
    written. A message says whether it is optimal, and otherwise which bound on all tours is proven.
    'kt describe' prints the features of a tour.

    Exit code 0: a tour was found; 1: there is none (or more than one, with --unique); 2: the input
    makes no sense; 3: no answer.
    """
    if notation is None:
        notation = Notation.NPY if out is not None and out.endswith(".npy") else Notation.GRID
    board, constraints = read_instance(**asked)
    check_output(out)
    check_output(certificate, "--certificate")
    check_length(board, notation)
    if draw is not None:
        from kt_cp.draw.output import check_picture

        check_picture(draw, board=board)
    objective = objective_of(minimize, maximize)
    if unique or notation is Notation.HCP:
        of_one_tour = {"draw": draw, "certificate": certificate, "explain": explain or None}
        for name, given in {**of_one_tour, "minimize": minimize, "maximize": maximize}.items():
            if given is not None:
                raise InputError(f"--{name} cannot be used with --unique or --format hcp")
    if notation is Notation.HCP:  # a problem for another solver: nothing is solved here
        if unique or Instance.of(board, **constraints) != Instance(board, closed=True):
            raise InputError(
                "--format hcp: the graph asks for any closed tour; give --closed, no constraints"
            )
        write_lines(write_graph(board), out)
        return Exit.YES
    if unique:
        if method not in ("auto", "circuit"):
            raise InputError(f"--unique: method {method} cannot tell; leave --method out")
        return _solve_unique(board, constraints, time_limit, notation, out)
    if explain and notation is not Notation.GRID:
        raise InputError(
            f"--explain cannot be used with --format {notation}, which has no comments"
        )
    interruption = None
    with spinner(f"solving {board.title}") as say:
        try:
            result = solve_instance(
                Instance.of(board, **constraints),
                time_limit=time_limit,
                workers=workers,
                seed=seed,
                method=method,
                certificate=certificate is not None,
                objective=objective,
                progress=partial(_improved, say, f"solving {board.title}"),
            )
        except Interrupted as error:
            interruption, result = error, error.result
    comments = _explained(result) if explain else ()
    _write(result, notation, comments, out, draw, certificate)
    if verbose and result.explanation is not None:
        tell(f"{result.status.value}: {result.explanation.full}")
    else:
        tell(result.summary)
    if result.no_certificate is not None:
        tell(f"no certificate was made: {result.no_certificate}")
    if interruption is not None:
        raise interruption
    return EXIT_CODES[result.status]


def _write(
    result: Result,
    notation: Notation,
    comments: Iterable[str],
    out: str | None,
    draw: str | None,
    certificate: str | None,
) -> None:
    if notation is Notation.JSON:
        write_lines([json.dumps(result.as_dict())], out)
    elif result.tour is not None:
        lines = (f"; {line}\n".encode() for line in comments)
        write_bytes(itertools.chain(lines, tour_bytes(result.tour, notation)), out)
    if draw is not None:
        from kt_cp.draw.output import draw_result

        with spinner(f"drawing {result.instance.board.title}") as say:
            draw_result(result, draw, say)
    if certificate is not None and result.certificate is not None:
        write_lines(result.certificate.lines(), certificate)


def _explained(result: Result) -> Iterator[str]:
    """Yield numbered deductions, and where they do not lead to the tour, a line that says so."""
    from kt_cp.puzzles.deduction import Grade, explain, grade_of

    for number, deduction in enumerate(explain(result.instance), start=1):
        yield f"{number}. {deduction}"
    if grade_of(result.instance) is Grade.HARD:
        yield "The rest does not follow by the rules or from one supposition at a time."


def _improved(say: Callable[[str], None], doing: str, better: Improvement) -> None:
    """Tell a person who watches of each improvement."""
    say(f"{doing}: {better.value} so far")
    if sys.stderr.isatty():
        bound = "" if better.bound is None else f", bound {better.bound}"
        line = f"{better.seconds:8.2f} s  {better.value}{bound}"
        print(f"\r\x1b[K{line}", file=sys.stderr, flush=True)  # in place of the spinner


def _solve_unique(
    board: Board,
    constraints: Constraints,
    time_limit: float | None,
    notation: Notation,
    out: str | None,
) -> int:
    """Write the only tour, or two of several with a blank line between them."""
    from kt_cp.count.counting import enumerate_tours

    tours = []
    with spinner(f"solving {board.title}"):
        try:
            for tour in itertools.islice(
                enumerate_tours(board, time_limit=time_limit, **constraints), 2
            ):
                tours.append(tour)
            verdict, code = _unique_verdict(board, constraints, len(tours))
        except OutOfTime:
            found = "one tour was" if tours else "no tour was"
            verdict = f"unknown: {found} found when the time limit was reached"
            code = Exit.NO_ANSWER
    if notation is Notation.JSON:
        unique = None if code is Exit.NO_ANSWER else len(tours) == 1
        answer = {"unique": unique, "tours": [tour.squares.tolist() for tour in tours]}
        write_lines([json.dumps({**answer, "board": board.as_dict()})], out)
    elif tours:
        lines = itertools.chain.from_iterable(["", *write_tour(tour, notation)] for tour in tours)
        write_lines(itertools.islice(lines, 1, None), out)
    tell(verdict)
    return code


def _unique_verdict(board: Board, constraints: Constraints, count: int) -> tuple[str, Exit]:
    if count == 1:
        return "unique: this is the only tour", Exit.YES
    if count == 0:
        return solve_instance(Instance.of(board, **constraints)).summary, Exit.NO
    return "not unique: these are two of the tours", Exit.NO
