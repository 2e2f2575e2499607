"""``kt replay``: a search as a page to step through."""

from __future__ import annotations

from typing import Annotated

import typer

from kt_cp.board import Topology
from kt_cp.board.square_names import parse_square
from kt_cp.cli.files import check_output, read_board, write_bytes
from kt_cp.cli.options import PieceOption, TopologyOption
from kt_cp.draw.graph_replay import graph_page
from kt_cp.draw.replay import record, replay_page
from kt_cp.errors import InputError
from kt_cp.problem.instance import Instance
from kt_dfs import text

_MAX_STEPS = 10_000


def replay_command(
    out: Annotated[str, typer.Option(help="the page to write: .html")],
    board: Annotated[
        str | None, typer.Argument(help="8x8 (rows x columns), a file with a map, or - for stdin")
    ] = None,
    graph: Annotated[
        str | None, typer.Option(help="general search instead: 'vertices,from to,from to,…'")
    ] = None,
    method: Annotated[str, typer.Option(help="a search that 'kt methods' lists")] = "dfs",
    versus: Annotated[str | None, typer.Option(help="another search, side by side")] = None,
    start: Annotated[str | None, typer.Option(help="first square: 0, a8 or 0,0")] = None,
    closed: Annotated[bool, typer.Option("--closed", help="return to the first square")] = False,
    piece: PieceOption = "knight",
    topology: TopologyOption = Topology.FLAT,
    max_steps: Annotated[int, typer.Option(help="visits and backtracks to record")] = _MAX_STEPS,
    title: Annotated[str | None, typer.Option(help="of the page")] = None,
) -> int:
    """Record a search for a tour, or of a graph, on a page that replays it step by step.

    Exit code 0: the page is written; 2: the input makes no sense.
    """
    if not out.lower().endswith(".html"):
        raise InputError(f"--out {out}: a page's name ends in .html")
    check_output(out)
    if (board is None) == (graph is None):
        raise InputError("give either a board, such as 6x6, or --graph '7,0 1,0 2', not both")
    if graph is not None:
        page = _graph_page(graph, title)
    else:
        the_board = read_board(board or "", piece, topology)
        first = None if start is None else parse_square(the_board, start)
        instance = Instance(the_board, closed=closed, start=first)
        methods = [method] if versus is None else [method, versus]
        runs = [record(instance, each, max_steps) for each in methods]
        page = replay_page(instance, runs, title)
    write_bytes([page.encode()], out)
    return 0


def _graph_page(graph: str, title: str | None) -> str:
    try:
        parsed = text.parse_graph(graph)
    except text.InputError as error:
        raise InputError(f"--graph: {error}") from None
    return graph_page(parsed, title or "Depth-first search")
