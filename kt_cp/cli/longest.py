"""``kt longest``, ``kt cover`` and ``kt decompose``: other paths and tours than a single one."""

from __future__ import annotations

import itertools
import json
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import (
    EXIT_CODE_OF,
    FILE,
    check_drawable,
    draw_option,
    draw_still_option,
    read_graph,
    read_instance,
    take_instance_parameters,
)
from kt_cp.cli.output import END_ADVICE, spinner, tell, write_bytes, write_lines, write_picture
from kt_cp.cli.solve import (
    TABLE,
    AnswerOutput,
    best_result,
    draw_answer,
    search_and_write,
    search_options,
    solver_parameters,
    write_conclusion,
    write_result,
)
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import cover_lines, cover_table, tour_bytes
from kt_cp.problem.instance import Instance


@as_subcommand()
@options.hide_option("--order")
@options.with_instance
@options.repeated_option("--visit", "SQUARE", "Visit it.")
@click.option("--at-least", type=int, metavar="N", help="The least number of squares to visit.")
@click.option("--weight", metavar="NAME", help="Maximize this attribute of edges, not the squares.")
@search_options(None, ", by default 8; with --uncrossed or --induced 2")
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

    output = AnswerOutput.take(instance.graph, given)
    given["certificate"] = output.certificate is not None
    return search_and_write(
        longest_path,
        instance,
        given,
        lambda result: write_result(result, output),
        f"searching {instance.graph.title}",
        measured=given["weight"] or "squares",
    )


@as_subcommand()
@click.argument("board", type=FILE, help=options.BOARD_HELP)
@options.graph_options
@click.option("--closed/--open", default=None, hidden=True)
@options.piece_options
@search_options(8)
@options.format_option(TABLE)
@options.out_option
@draw_still_option
@options.bound_certificate_option
def cover_command(
    closed: bool | None,
    form: str,
    out: str | None,
    draw: str | None,
    certificate: str | None,
    **given: Any,
) -> int:
    """Find the fewest paths that together visit every square of a board once.

    Each path is a line of squares, or in CSV each square a line with its path and step. The last
    line says how many paths there are, and whether it is proven that fewer are not enough; under a
    time limit, or after Ctrl-C, the proven bound.
    """
    from kt_cp.solving import path_cover

    if closed is not None:
        advice = "leave out --closed and --open; for one cycle, kt longest --closed"
        raise InputError(f"kt cover finds paths: {advice}")
    names = ("board", "graph", "piece", "topology", "head")
    graph: Graph = read_graph(**{name: given.pop(name) for name in names})
    check_drawable(draw, graph)
    is_shown = not given["log"]
    parameters = solver_parameters(given)
    with spinner(f"covering {graph.title}", is_shown, END_ADVICE):
        result, interruption = best_result(
            lambda: path_cover(
                graph, **given, parameters=parameters, certificate=certificate is not None
            )
        )
    if form == "json":
        lines = iter([json.dumps(result.as_dict())])
    elif form == TABLE:
        lines = cover_table(result.paths)
    else:
        lines = cover_lines(result.graph, result.paths)
    write_lines(lines, out)
    write_picture(result, draw)
    write_conclusion(result, certificate)
    if interruption is not None:
        raise interruption
    return EXIT_CODE_OF[result.status]


@as_subcommand()
@options.hide_option("--symmetry")
@options.hide_option("--require")
@options.instance_parameters
@click.option(
    "--tours", "count", type=int, metavar="K", help="Find K tours; without it, use every move."
)
@search_options(2)
@options.notation_option("--format", "notation", help="How the tours are written, usually grid")
@options.out_option
@draw_still_option
def decompose_command(**given: Any) -> int:
    """Decompose a board or graph into closed tours that together use every move once.

    With --tours, find that many tours of which no two share a move, with --open open ones. Each
    meets all constraints. A line such as '; closed tour 1 of 4' is above each, and 'kt validate'
    judges them all.
    """
    from kt_cp.solving import decompose

    given.update(closed=given["closed"] is not False, certificate=None)
    instance = read_instance(**take_instance_parameters(given)).instance
    output = AnswerOutput.take(instance.graph, given)
    if output.notation is Notation.NPY:
        raise InputError("npy holds one tour; choose another --format")
    with spinner(f"decomposing {instance.graph.title}", not given["log"], END_ADVICE):
        given["parameters"] = solver_parameters(given)
        result = decompose(instance, **given)
    if output.notation is Notation.JSON:
        write_lines([json.dumps(result.as_dict())], output.out)
    elif result:
        parts = (
            [
                f"; {tour.kind} tour {number} of {len(result.tours)}\n".encode(),
                *tour_bytes(tour, output.form),
            ]
            for number, tour in enumerate(result.tours, start=1)
        )
        write_bytes(itertools.chain.from_iterable(parts), output.out)
    draw_answer(result, output.draw)
    tell(result.summary)
    return EXIT_CODE_OF[result.status]
