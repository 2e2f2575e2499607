"""``kt solve``: find a tour, or prove that there is none."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import click

from kt_cp.board import as_board
from kt_cp.cli import options
from kt_cp.cli.answer import (
    SearchOptions,
    search_and_write,
    take_output,
    tell_how_to_go_on,
    write_result,
)
from kt_cp.cli.look_options import draw_option
from kt_cp.cli.options import EXIT_CODE_OF, FILE, OutputFile, refuse, take_options, with_instances
from kt_cp.cli.output import Exit, open_output
from kt_cp.cli.reading import InstanceWithNotes
from kt_cp.cli.subcommand import as_subcommand
from kt_cp.files import open_input
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.methods.table import load_method
from kt_cp.notation.notations import Notation
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.solving import Result, solve
from kt_cp.tour.validator import FaultKind, PathReport

# The parameters of `solve_command` that cannot be used with --unique.
_NOT_WITH_UNIQUE = (
    "certificate",
    "explain",
    "log",
    "minimize",
    "maximize",
    "parameter",
    "hint",
    "workers",
    "seed",
)

# Those that cannot be used with a file that holds several graphs.
_NOT_WITH_SEVERAL = ("draw", "certificate", "explain", "unique", "log", "hint")


@dataclass(frozen=True)
class _SolveOptions:
    """What is asked of a search: the values of the options of those names."""

    method: str
    workers: int
    minimize: str | None
    maximize: str | None
    hint: str | None

    @property
    def measured(self) -> str:
        """The feature of the objective, if there is one."""
        return self.minimize or self.maximize or "value"


@as_subcommand()
@with_instances
@click.option("--explain", is_flag=True, help="Also write how a person can deduce the tour.")
@click.option("--unique", is_flag=True, help="Tell whether there is exactly one tour.")
@options.method_option
@options.time_limit_option
@click.option("--workers", type=int, default=1, help="Number of threads of the solver.")
@options.seed_option
@options.objective_options
@click.option("--hint", type=FILE, help="Begin the search with the path in this file.")
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated_option("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.notation_option("--format", "notation", help="How the tour is written, usually grid")
@options.out_option
@draw_option
@click.option("--certificate", type=OutputFile(), help="If there is no tour, write the proof.")
def solve_command(
    instances: Iterator[InstanceWithNotes], unique: bool, explain: bool, **given: Any
) -> int:
    """Find a knight's tour of a board, or prove that there is none.

    A map may hold step numbers: the tour visits those squares at those steps.

    With --minimize or --maximize, the best tour found before the time limit or Ctrl-C is written,
    and a message says whether it is optimal or which bound is proven.
    'kt describe' prints the features of a tour.

    --unique trusts a saved puzzle whose solution and checksum match; delete its line '; unique:' to
    have it solved again.

    A file with several graphs gets a line of JSON for each, and the exit code of the worst answer.
    """
    first = next(instances)
    second = next(instances, None)
    if second is not None:
        several = itertools.chain([first, second], instances)
        return _solve_several((instance for instance, _ in several), given)
    instance, notes = first
    if unique:
        return _solve_unique(instance, notes, given)
    return _solve_one(instance, explain, given)


def _solve_one(instance: Instance, explain: bool, given: dict[str, Any]) -> int:
    """Write the answer to an instance, with its explanation if it is asked for."""
    output = take_output(instance.graph, given)
    search_options = take_options(SearchOptions, given)
    chosen = take_options(_SolveOptions, given)
    clock = Clock(search_options.time_limit)
    if explain:
        as_board(instance.graph, "--explain")
        if output.form != Notation.GRID:
            raise InputError(f"--explain: --format {output.form} has no comments")
    search = partial(
        solve,
        instance,
        time_limit=search_options.time_limit,
        workers=chosen.workers,
        seed=search_options.seed,
        minimize=chosen.minimize,
        maximize=chosen.maximize,
        parameters=search_options.solver_parameters,
        method=load_method(chosen.method),
        hint=_read_hint(chosen.hint, instance.graph),
        certificate=output.certificate is not None,
    )

    def write(result: Result) -> None:
        comments = _explanation(instance, clock) if explain else []
        write_result(result, output, comments)
        tell_how_to_go_on(instance, result.status, click.get_current_context().params)

    title = f"solving {instance.graph.title}"
    shown = not search_options.log
    return search_and_write(search, write, title, show_progress=shown, measured=chosen.measured)


def _explanation(instance: Instance, clock: Clock) -> Iterator[str]:
    """Yield the lines that say how a person can deduce the tour."""
    from kt_cp.puzzles.deduction import explanation_lines  # takes a while to import

    yield from explanation_lines(instance, clock)


def _solve_unique(instance: Instance, notes: dict[str, str], given: dict[str, Any]) -> int:
    """Write the only tour of an instance, or two of several."""
    output = take_output(instance.graph, given)
    refuse(_NOT_WITH_UNIQUE, "with --unique")
    method = given["method"]
    if method not in ("auto", "circuit"):
        raise InputError(f"--unique: method {method} cannot tell; leave --method out")
    from kt_cp.cli.unique import solve_unique  # takes a while to import

    return solve_unique(instance, notes, given["time_limit"], output)


def _solve_several(instances: Iterable[Instance], given: dict[str, Any]) -> int:
    """Write the answers to several instances as lines of JSON, one after the other."""
    refuse(_NOT_WITH_SEVERAL, "with several graphs")
    form = given["notation"]
    if form not in (None, Notation.JSON):
        raise InputError(f"--format {form}: several graphs are answered as json")
    search_options = take_options(SearchOptions, given)
    chosen = take_options(_SolveOptions, given)
    method, parameters = load_method(chosen.method), search_options.solver_parameters
    worst = Exit.YES
    with open_output(given["out"]) as stream:
        for instance in instances:
            result = solve(
                instance,
                time_limit=search_options.time_limit,
                workers=chosen.workers,
                seed=search_options.seed,
                method=method,
                minimize=chosen.minimize,
                maximize=chosen.maximize,
                parameters=parameters,
            )
            stream.write(f"{json.dumps(result.as_dict())}\n".encode())
            stream.flush()
            worst = max(worst, EXIT_CODE_OF[result.status])
    return worst


def _read_hint(file: str | None, graph: Graph) -> list[Any] | None:
    """Return the squares on a path in a file, which need not be a tour, by their labels."""
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
    return [graph.label(square) for square in report.entries.tolist()]
