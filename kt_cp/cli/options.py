"""Arguments and options that several commands share, and the board that they describe."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import Any, Unpack

import click

from kt_cp.board import Board, Topology
from kt_cp.board.symmetry import Symmetry
from kt_cp.cli.app import completing
from kt_cp.cli.output import tell
from kt_cp.draw.palette import Theme
from kt_cp.errors import InputError
from kt_cp.files import size_or_map
from kt_cp.graph import Graph
from kt_cp.notation.graphs import GraphFormat, graph_format, read_graph_file
from kt_cp.problem.constraints import Constraints, read_text

Decorator = Callable[[Any], Any]
FILE = click.Path(allow_dash=True)  # any name; shells complete it


class AnswerFormat(StrEnum):
    """How a command that writes no tours answers."""

    TEXT = "text"
    JSON = "json"


class _ByValue(click.Choice[StrEnum]):
    """A choice among the members of an enumeration by value; click's own goes by name."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return super().normalize_choice(str(choice), ctx)

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        if value == "hcp":  # once a notation of tours
            return "'hcp' is a graph and no tour: 'kt export BOARD --format hcp' writes it."
        return super().get_invalid_choice_message(value, ctx)


def choice(option: str, *name: str, of: type[StrEnum], help: str, **more: Any) -> Decorator:
    """Return an option whose value is a member of an enumeration; its help lists the values."""
    metavar, values = option.strip("-").upper(), ", ".join(of)
    return click.option(
        option, *name, type=_ByValue(of), metavar=metavar, help=f"{help}: {values}.", **more
    )


def together(*decorators: Decorator) -> Decorator:
    """Return one decorator that adds several parameters, in this order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


complete_methods = completing(lambda: import_module("kt_cp.methods.table").METHODS)
complete_searches = completing(lambda: [*import_module("kt_dfs").METHODS, "circuit"])

BOARD_HELP = "A size such as 8x8 (rows x columns), a file with a map, or - for standard input."
PATH_HELP = "A file, which may be a NumPy file (.npy), or - for standard input."
board_argument = click.argument("board", type=FILE, metavar="BOARD", help=BOARD_HELP)
piece_options = together(
    click.option(
        "--piece",
        help="A name such as zebra, a jump such as 2,3, or several jumps such as 3,4+0,5; "
        "knight if neither this nor the map names one.",
    ),
    choice("--topology", of=Topology, help="How edges are joined, flat if not given or in the map"),
)
closed_option = click.option("--closed", is_flag=True, help="The tour returns to its first square.")
start_option = click.option(
    "--start",
    metavar="SQUARE",
    help="The first square, such as a8, 0 (its id) or 0,0 (row,column).",
)
up_to_symmetry_option = click.option(
    "--up-to-symmetry",
    is_flag=True,
    help="Treat tours as one if a symmetry of the board maps one onto the other.",
)
time_limit_option = click.option(
    "--time-limit", type=float, metavar="SECONDS", help="Stop after this time."
)
method_option = click.option(
    "--method",
    default="auto",
    shell_complete=complete_methods,
    help="The method that solves: one that 'kt methods' lists, or your own as FILE.py:NAME.",
)
seed_option = click.option("--seed", type=int, default=0, help="Seed of the random choices.")
out_option = click.option("--out", type=FILE, help="Write the answer to this file.")
theme_option = choice(
    "--theme",
    of=Theme,
    default="auto",
    help="The colors of pictures; auto follows the reader's screen",
    callback=lambda context, _, theme: context.meta.update(theme=theme),
    expose_value=False,
)
draw_option = together(
    click.option(
        "--draw",
        type=FILE,
        help="Also draw a picture to this file: .svg, .png, .pdf, .gif or .html.",
    ),
    theme_option,
)
format_option = choice(
    "--format", "answer_format", of=AnswerFormat, default="text", help="How the answer is written"
)


constraint_options = together(
    closed_option,
    start_option,
    click.option("--end", metavar="SQUARE", help="The last square of an open tour."),
    click.option(
        "--require",
        metavar="MOVE",
        multiple=True,
        help="A move that the tour makes: a1-c2, or a1>c2 in that direction. May be repeated.",
    ),
    click.option(
        "--forbid",
        metavar="MOVE",
        multiple=True,
        help="A move that the tour does not make. May be repeated.",
    ),
    choice("--symmetry", of=Symmetry, help="A symmetry that maps the tour onto itself"),
    click.option(
        "--having",
        metavar="BOUND",
        multiple=True,
        help="A bound on a feature that 'kt describe' prints: FEATURE<=N, FEATURE>=N or FEATURE=N, "
        "such as 'turns<=32'. May be repeated.",
    ),
    piece_options,
)
graph_option = choice(
    "--graph",
    of=GraphFormat,
    help="BOARD is a file with a graph in this format, if the file's name does not end so",
)
instance_parameters = together(board_argument, graph_option, constraint_options)


def read_instance(
    board: str, graph: GraphFormat | None = None, **constraints: Unpack[Constraints]
) -> tuple[Graph, Constraints, dict[str, str]]:
    """Return the board or graph, the constraints with those of its map, and the map's notes."""
    if (form := graph or graph_format(board)) is not None:
        return _read_graph(board, form), constraints, {}
    with size_or_map(board) as text:
        return read_text(text, constraints)


def read_graph(
    argument: str, piece: str | None, topology: Topology | None, form: GraphFormat | None = None
) -> Graph:
    """Return the board of a size, of a file with a map or of ``-`` for standard input, or a graph.

    A graph is in a file of this format, or of the format by which its name ends.
    """
    if (form := form or graph_format(argument)) is None:
        with size_or_map(argument) as text:
            return Board.parse(text, piece, topology)
    for name, given in (("--piece", piece), ("--topology", topology)):
        if given is not None:
            raise InputError(f"{name} is for boards only, and {argument} is a graph")
    return _read_graph(argument, form)


def _read_graph(argument: str, form: GraphFormat) -> Graph:
    graph, ignored = read_graph_file(argument, form)
    if ignored is not None:
        tell(f"{argument}: {ignored}")
    return graph
