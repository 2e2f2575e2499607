"""``kt longest`` and ``kt cover``: what comes nearest to a tour where there may be none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli import options
from kt_cp.cli.answer import (
    parameters_of,
    search_and_write,
    take_output,
    tell_of_no_certificate,
    write_certificate,
)
from kt_cp.cli.options import EXIT_CODE_OF, FILE, check_drawable
from kt_cp.cli.output import spinner, tell, write_lines, write_picture
from kt_cp.cli.reading import read_graph
from kt_cp.notation.covers import cover_lines, cover_table
from kt_cp.notation.graphs import GraphFormat
from kt_cp.notation.notations import Notation
from kt_cp.problem.instance import Instance

if TYPE_CHECKING:
    from kt_cp.cover import CoverResult


@click.command()
@options.with_instance
@click.option("--visit", metavar="SQUARE", multiple=True, help="Visit it. May be repeated.")
@click.option("--at-least", type=int, metavar="N", help="The least number of squares to visit.")
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

    output = take_output(instance.graph, given)
    given["certificate"] = output.certificate is not None
    show_log = given.pop("log")
    given["parameters"] = parameters_of(given.pop("parameter"), show_log)
    title = f"searching {instance.graph.title}"
    return search_and_write(partial(longest_tour, instance, **given), title, show_log, output)


@click.command()
@click.argument("board", type=FILE, help=options.BOARD_HELP)
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
    graph = read_graph(given.pop("board"), **described)
    check_drawable(draw, graph)
    certificate, show_log = given.pop("certificate"), given.pop("log")
    parameters = parameters_of(given.pop("parameter"), show_log)
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
    write_certificate(result, certificate)
    tell(result.summary)
    tell_of_no_certificate(result)
    if interruption is not None:
        raise interruption
    return EXIT_CODE_OF[result.status]


def _lines_of_cover(result: CoverResult, form: str) -> Iterator[str]:
    """Yield the lines in which a cover is written as text, csv or json."""
    if form == "json":
        yield json.dumps(result.as_dict())
    elif form == "csv":
        yield from cover_table(result.paths)
    else:
        yield from cover_lines(result.graph, result.paths)
