"""``kt longest`` and ``kt cover``: the longest path, and the fewest paths that cover a board."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli import options
from kt_cp.cli.answer import (
    TABLE,
    SearchOptions,
    best_result,
    note_missing_certificate,
    search_and_write,
    take_output,
    write_certificate,
    write_result,
)
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.look_options import draw_option, draw_still_option
from kt_cp.cli.options import EXIT_CODE_OF, FILE, check_drawable, take_options
from kt_cp.cli.output import spinner, tell, write_lines, write_picture
from kt_cp.cli.reading import GraphArguments
from kt_cp.messages import InputError
from kt_cp.notation.covers import cover_lines, cover_table
from kt_cp.notation.graphs import GraphFormat
from kt_cp.problem.instance import Instance
from kt_cp.solving import Result

if TYPE_CHECKING:
    from kt_cp.solving import CoverResult


@dataclass(frozen=True)
class _LongestOptions:
    """What is asked of the longest path: the values of the options of those names."""

    visit: tuple[str, ...]
    at_least: int | None
    workers: int | None


@as_subcommand()
@options.hide_option("--order")
@options.with_instance
@click.option("--visit", metavar="SQUARE", multiple=True, help="Visit it. May be repeated.")
@click.option("--at-least", type=int, metavar="N", help="The least number of squares to visit.")
@options.time_limit_option
@click.option(
    "--workers",
    type=int,
    help="Number of threads of the solver, by default 8; with --uncrossed or --induced 2.",
)
@options.seed_option
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated_option("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.notation_option(
    "--format", "notation", extra=(TABLE,), help="How the path is written, usually grid"
)
@options.out_option
@draw_option
@options.bound_certificate_option
def longest_command(instance: Instance, **given: Any) -> int:
    """Find the longest path of a board, or with --closed the longest cycle.

    Squares may be left out. The last line says how many are visited, and whether it is proven that
    no path visits more; under a time limit, the proven bound. Given steps and an order are refused.
    """
    from kt_cp.solving import longest_path

    output = take_output(instance.graph, given)
    search_options = take_options(SearchOptions, given)
    own_options = take_options(_LongestOptions, given)
    search = partial(
        longest_path,
        instance,
        time_limit=search_options.time_limit,
        workers=own_options.workers,
        seed=search_options.seed,
        visit=own_options.visit,
        at_least=own_options.at_least,
        parameters=search_options.solver_parameters,
        certificate=output.certificate is not None,
    )

    def write(result: Result) -> None:
        write_result(result, output)

    title = f"searching {instance.graph.title}"
    shown = not search_options.log
    return search_and_write(search, write, title, show_progress=shown, measured="squares")


@dataclass(frozen=True)
class _CoverOutput:
    """How and where a cover is written: the values of the options of those names."""

    form: str
    out: str | None
    draw: str | None
    certificate: str | None


@as_subcommand()
@click.argument("board", type=FILE, help=options.BOARD_HELP)
@options.choice_option("--graph", of=GraphFormat, help="BOARD is a graph in this format")
@click.option("--closed/--open", default=None, hidden=True)
@options.piece_options
@options.time_limit_option
@click.option("--workers", type=int, default=8, help="Number of threads of the solver.")
@options.seed_option
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated_option("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.format_option(TABLE)
@options.out_option
@draw_still_option
@options.bound_certificate_option
def cover_command(workers: int, closed: bool | None, **given: Any) -> int:
    """Find the fewest paths that together visit every square of a board once.

    Each path is a line of squares, or in CSV each square a line with its path and step. The last
    line says how many paths there are, and whether it is proven that fewer are not enough; under a
    time limit, or after Ctrl-C, the proven bound.
    """
    from kt_cp.solving import path_cover

    if closed is not None:
        advice = "leave out --closed and --open; for one cycle, kt longest --closed"
        raise InputError(f"kt cover finds paths: {advice}")
    graph = take_options(GraphArguments, given).read()
    output = take_options(_CoverOutput, given)
    search_options = take_options(SearchOptions, given)
    check_drawable(output.draw, graph)
    search = partial(
        path_cover,
        graph,
        time_limit=search_options.time_limit,
        workers=workers,
        seed=search_options.seed,
        parameters=search_options.solver_parameters,
        certificate=output.certificate is not None,
    )
    with spinner(f"covering {graph.title}", shown=not search_options.log):
        result, interruption = best_result(search)
    _write_cover(result, output)
    if interruption is not None:
        raise interruption
    return EXIT_CODE_OF[result.status]


def _write_cover(result: CoverResult, output: _CoverOutput) -> None:
    """Write the paths, the picture, the certificate and the summary."""
    write_lines(_lines_of_cover(result, output.form), output.out)
    write_picture(result, output.draw)
    write_certificate(result, output.certificate)
    tell(result.summary)
    note_missing_certificate(result)


def _lines_of_cover(result: CoverResult, form: str) -> Iterator[str]:
    """Yield the lines in which a cover is written as text, csv or json."""
    if form == "json":
        yield json.dumps(result.as_dict())
    elif form == TABLE:
        yield from cover_table(result.paths)
    else:
        yield from cover_lines(result.graph, result.paths)
