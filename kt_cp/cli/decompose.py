"""``kt decompose``: tours of which no two share a move."""

from __future__ import annotations

import json
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.answer import SearchOptions
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.count import write_one_of_several
from kt_cp.cli.options import EXIT_CODE_OF, FILE, take_options, usual_notation
from kt_cp.cli.output import open_output, spinner, tell
from kt_cp.cli.reading import GraphArguments
from kt_cp.messages import InputError
from kt_cp.notation.graphs import GraphFormat
from kt_cp.notation.notations import Notation


@as_subcommand()
@click.argument("board", type=FILE, help=options.BOARD_HELP)
@options.choice_option("--graph", of=GraphFormat, help="BOARD is a graph in this format")
@options.piece_options
@click.option("--tours", type=int, metavar="K", help="Find K tours; without it, use every move.")
@click.option("--open", "is_open", is_flag=True, help="Find open tours.")
@options.time_limit_option
@click.option("--workers", type=int, default=2, help="Number of threads of the solver.")
@options.seed_option
@click.option("--log", is_flag=True, help="Show the log of CP-SAT on standard error.")
@options.repeated_option("--parameter", "NAME=VALUE", "Set a field of CP-SAT's SatParameters.")
@options.notation_option("--format", "notation", help="How the tours are written, usually grid")
@options.out_option
def decompose_command(
    tours: int | None,
    is_open: bool,
    workers: int,
    notation: Notation | None,
    out: str | None,
    **given: Any,
) -> int:
    """Decompose a board or graph into closed tours that together use every move once.

    With --tours, find that many tours of which no two share a move. Tours as ids take one line
    each; others are separated by blank lines.
    """
    from kt_cp.methods.decomposition import decompose

    graph = take_options(GraphArguments, given).read()
    chosen = take_options(SearchOptions, given)
    notation = Notation(notation or usual_notation(graph))
    if notation is Notation.NPY:
        raise InputError(f"--format {notation}: holds one tour; choose another")
    with spinner(f"decomposing {graph.title}", shown=not chosen.log):
        result = decompose(
            graph,
            count=tours,
            closed=not is_open,
            time_limit=chosen.time_limit,
            workers=workers,
            seed=chosen.seed,
            parameters=chosen.solver_parameters,
        )
    with open_output(out) as stream:
        if notation is Notation.JSON:
            stream.write(f"{json.dumps(result.as_dict())}\n".encode())
        else:
            for number, tour in enumerate(result.tours, start=1):
                write_one_of_several(tour, notation, number, stream)
    tell(result.summary)
    return EXIT_CODE_OF[result.status]
