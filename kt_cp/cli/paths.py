"""The path that a command reads, and the board that it is on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import click

from kt_cp.board import Topology
from kt_cp.cli import options
from kt_cp.cli.output import tell
from kt_cp.cli.reading import read_graph
from kt_cp.files import open_input
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.covers import is_cover, parse_cover
from kt_cp.notation.detect import parse_path
from kt_cp.notation.graphs import GraphFormat, graph_format
from kt_cp.notation.notations import Notation
from kt_cp.notation.path_files import load_path
from kt_cp.notation.read_values import Array
from kt_cp.notation.reading import Reading
from kt_cp.tour.validator import CoverReport, Report

path_parameters = options.combine(
    click.argument(
        "path", type=options.FILE, help="A file, which may be .npy, or - for standard input."
    ),
    click.option(
        "--board", type=options.FILE, help="A size or a file with a map; detected if not given."
    ),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    options.notation_option("--notation", help="How the path is written, detected if not given"),
    options.choice_option(
        "--graph", of=GraphFormat, help="--board is a file with a graph in this format"
    ),
    options.piece_options,
    click.option("--partial", is_flag=True, help="The path may leave squares out."),
)


@dataclass(frozen=True)
class PathOptions:
    """The path of a command and how to read it: the values of `path_parameters`."""

    path: str
    board: str | None
    closed: bool | None
    notation: Notation | None
    graph: GraphFormat | None
    piece: str | None
    topology: Topology | None
    partial: bool

    @contextmanager
    def opened(self) -> Iterator[tuple[str | Array, Graph | None]]:
        """Open the path, and yield its text or array and the graph that --board gives, if any.

        Errors that are raised in the block name the file.
        """
        if self.board is None and (self.piece or self.topology or self.graph):
            raise InputError("--piece, --topology and --graph describe a --board; give that too")
        if self.board == self.path == "-":
            raise InputError("path and board cannot both come from standard input")
        if graph_format(self.path) is not None:
            advice = f"give a path, and the graph as --board {self.path}"
            raise InputError(f"{self.path}: this is a graph; {advice}")
        board = None
        if self.board is not None:
            board = read_graph(self.board, self.piece, self.topology, self.graph)
        with open_input(self.path, "a file that holds a path") as file:
            yield load_path(file), board

    def parse(self, source: str | Array, board: Graph | None) -> Reading | CoverReport:
        """Read a cover, if the source states that it is one, or else a path."""
        if isinstance(source, str) and is_cover(source):
            return parse_cover(source, board)
        return parse_path(source, board, self.notation, self.closed, partial=self.partial)

    def read(self) -> Reading | CoverReport:
        """Read the path or cover in the file."""
        with self.opened() as (source, board):
            return self.parse(source, board)


def note_partial_tour(report: Report) -> None:
    """Tell that a path whose only fault is to leave squares out is a partial tour."""
    as_partial = replace(report, allows_partial=True)
    would_be_valid = as_partial.valid and not report.valid
    if would_be_valid and report.move_count > 0:  # one square alone is not worth a note
        tell(f"note: --partial would accept it: {as_partial.verdict}")
