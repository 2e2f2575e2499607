"""``kt longest``, ``kt cover`` and ``kt decompose``: other paths and tours than a single one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.output import Exit
from kt_cp.cli.reading import (
    instance_parameters,
    read_bare_instance,
    read_instance,
    take_instance_parameters,
    with_instance,
)
from kt_cp.cli.solve import TABLE, AnswerOutput, search_and_write
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Look
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import cover_lines, cover_table, tour_bytes
from kt_cp.problem.instance import Instance

if TYPE_CHECKING:
    from kt_cp.methods.result import CoverResult, DisjointTours


@as_subcommand()
@options.hide_option("--order")
@with_instance
@options.repeated_option("--visit", "SQUARE", "A square that must be visited.")
@click.option("--at-least", type=int, metavar="N", help="The least number of squares to visit.")
@click.option("--weight", metavar="NAME", help="Maximize this attribute of edges, not the squares.")
@options.search_options(None, ", by default 8; with --uncrossed or --induced 2")
@options.notation_option(
    "--format", "form", extra=(TABLE,), help="How the path is written, usually grid"
)
@options.out_option
@options.draw_option(*TOUR_SUFFIXES)
@options.bound_certificate_option
def longest_command(
    instance: Instance,
    form: str | None,
    out: str | None,
    draw: str | None,
    look: Look,
    certificate: str | None,
    **given: Any,
) -> int:
    """Find the longest path of a board, or with --closed the longest cycle.

    Squares may be left out. The last line says how many are visited, and whether it is proven that
    no path visits more; under a time limit, the proven bound. Given steps and an order are refused.
    """
    from kt_cp.solving import longest_path

    output = AnswerOutput(instance.graph, form, out, draw, look, certificate)
    search = partial(longest_path, instance, certificate=certificate is not None)
    title = f"searching {instance.graph.title}"
    measured = given["weight"] or "squares"
    result = search_and_write(search, given, output, output.tour_text, title, measured)
    return Exit.of(result.status)


@as_subcommand()
@click.argument("board", type=options.FILE, help=options.BOARD_HELP)
@options.graph_options
@click.option("--closed/--open", default=None, hidden=True)
@options.piece_options
@options.search_options(8)
@options.format_option(TABLE)
@options.out_option
@options.draw_option(*PICTURE_SUFFIXES)
@options.bound_certificate_option
def cover_command(
    closed: bool | None,
    form: str,
    out: str | None,
    draw: str | None,
    look: Look,
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
    covered = read_bare_instance(**take_instance_parameters(given)).graph
    form = Notation.SQUARES if form == "text" else form
    output = AnswerOutput(covered, form, out, draw, look, certificate)

    def text(result: CoverResult) -> Iterator[bytes]:
        paths = result.paths
        lines = cover_table(paths) if form == TABLE else cover_lines(result.graph, paths)
        return (f"{line}\n".encode() for line in lines)

    search = partial(path_cover, covered, certificate=certificate is not None)
    result = search_and_write(search, given, output, text, f"covering {covered.title}")
    return Exit.of(result.status)


@as_subcommand()
@options.hide_option("--symmetry")
@options.hide_option("--require")
@instance_parameters
@click.option(
    "--tours", "count", type=int, metavar="K", help="Find K tours; without it, use every move."
)
@options.search_options(2)
@options.notation_option("--format", "form", help="How the tours are written, usually grid")
@options.out_option
@options.draw_option(*PICTURE_SUFFIXES)
def decompose_command(
    form: str | None, out: str | None, draw: str | None, look: Look, **given: Any
) -> int:
    """Decompose a board or graph into closed tours that together use every move once.

    With --tours, find that many tours of which no two share a move, with --open open ones. Each
    meets all constraints. A line such as '; closed tour 1 of 4' is above each, and 'kt validate'
    judges them all.
    """
    from kt_cp.solving import decompose

    given["closed"] = given["closed"] is not False
    instance = read_instance(**take_instance_parameters(given)).instance
    output = AnswerOutput(instance.graph, form, out, draw, look)
    if output.notation is Notation.NPY:
        raise InputError("npy holds one tour; choose another --format")

    def text(result: DisjointTours) -> Iterator[bytes]:
        for number, tour in enumerate(result.tours, start=1):
            yield f"; {tour.kind} tour {number} of {len(result.tours)}\n".encode()
            yield from tour_bytes(tour, output.notation)

    search, title = partial(decompose, instance), f"decomposing {instance.graph.title}"
    return Exit.of(search_and_write(search, given, output, text, title).status)
