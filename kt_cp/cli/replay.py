"""``kt replay``: a search as a page to step through."""

from __future__ import annotations

import click

from kt_cp.board import Topology
from kt_cp.board.square_names import parse_square
from kt_cp.cli.files import check_output, read_board, write_bytes
from kt_cp.cli.options import FILE, closed_option, complete_searches, piece_options, start_option
from kt_cp.draw.replay import graph_page, record, replay_page
from kt_cp.errors import InputError
from kt_cp.problem.instance import Instance
from kt_dfs import text


@click.command()
@click.argument("board", type=FILE, required=False)
@click.option("--out", type=FILE, required=True, help="The page to write: .html.")
@click.option("--graph", help="Search a graph instead: '3,0 1,1 2', or with names 'A B,B C'.")
@click.option(
    "--method",
    default="dfs",
    shell_complete=complete_searches,
    help="A search that 'kt methods' lists.",
)
@click.option(
    "--versus",
    metavar="METHOD",
    shell_complete=complete_searches,
    help="A second search, shown side by side.",
)
@start_option
@closed_option
@piece_options
@click.option(
    "--max-steps", type=int, default=10_000, help="The most visits and backtracks to record."
)
@click.option("--title", help="The title of the page.")
def replay_command(
    board: str | None,
    out: str,
    graph: str | None,
    method: str,
    versus: str | None,
    start: str | None,
    closed: bool,
    piece: str | None,
    topology: Topology | None,
    max_steps: int,
    title: str | None,
) -> int:
    """Record a search for a tour, or of a graph, on a page that replays it step by step.

    BOARD is a size such as 8x8 (rows x columns), a file with a map, or - for standard input.

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
