"""``kt decompose``: tours of which no two share a move."""

from __future__ import annotations

import itertools
import json
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import EXIT_CODE_OF, read_instance, take_instance_parameters
from kt_cp.cli.output import END_ADVICE, spinner, tell, write_bytes, write_lines
from kt_cp.cli.solve import AnswerOutput, draw_answer, search_options, solver_parameters
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.write import tour_bytes


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
@options.draw_still_option
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
