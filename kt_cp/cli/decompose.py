"""``kt decompose``: tours of which no two share a move."""

from __future__ import annotations

import json
from typing import Any

import click

from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import EXIT_CODE_OF, FILE, read_graph, usual_notation
from kt_cp.cli.output import open_output, spinner, tell
from kt_cp.cli.solve import search_options, solver_parameters
from kt_cp.messages import InputError
from kt_cp.notation.notations import Notation
from kt_cp.notation.writing import tour_bytes


@as_subcommand()
@click.argument("board", type=FILE, help=options.BOARD_HELP)
@options.graph_options
@options.piece_options
@click.option("--tours", type=int, metavar="K", help="Find K tours; without it, use every move.")
@click.option("--open", "is_open", is_flag=True, help="Find open tours.")
@search_options(2)
@options.notation_option("--format", "notation", help="How the tours are written, usually grid")
@options.out_option
def decompose_command(
    tours: int | None,
    is_open: bool,
    notation: Notation | None,
    out: str | None,
    **given: Any,
) -> int:
    """Decompose a board or graph into closed tours that together use every move once.

    With --tours, find that many tours of which no two share a move. A line such as '; tour 1 of 4'
    is above each, and 'kt validate' judges them all.
    """
    from kt_cp.methods.decomposition import decompose

    names = ("board", "graph", "piece", "topology", "head")
    graph = read_graph(**{name: given.pop(name) for name in names})
    is_shown = not given["log"]
    parameters = solver_parameters(given)
    notation = Notation(notation or usual_notation(graph))
    if notation is Notation.NPY:
        raise InputError(f"--format {notation}: holds one tour; choose another")
    with spinner(f"decomposing {graph.title}", shown=is_shown):
        result = decompose(graph, count=tours, closed=not is_open, parameters=parameters, **given)
    with open_output(out) as stream:
        if notation is Notation.JSON:
            stream.write(f"{json.dumps(result.as_dict())}\n".encode())
        else:
            for number, tour in enumerate(result.tours, start=1):
                stream.write(f"; tour {number} of {len(result.tours)}\n".encode())
                stream.writelines(tour_bytes(tour, notation))
    tell(result.summary)
    return EXIT_CODE_OF[result.status]
