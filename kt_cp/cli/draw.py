"""``kt draw``, ``kt replay`` and ``kt play``: pictures, pages and the playground."""

from __future__ import annotations

from typing import Any

import click

from kt_cp.board import Topology, as_board
from kt_cp.cli import options
from kt_cp.cli.check import opened_path, path_parameters
from kt_cp.cli.options import FILE, choice
from kt_cp.cli.output import spinner, tell, tell_written, write_bytes
from kt_cp.draw.output import STILL, check_picture, draw
from kt_cp.draw.palette import Theme
from kt_cp.draw.puzzle import map_picture
from kt_cp.draw.replay import graph_page, race_picture, record, replay_page
from kt_cp.draw.sheet import Look, Style
from kt_cp.errors import InputError, pluralize
from kt_cp.files import optional, size_or_map
from kt_cp.methods.table import load_method
from kt_cp.notation.detect import parse_path
from kt_cp.notation.notations import Notation
from kt_cp.problem.instance import Instance
from kt_dfs.digraph import parse_graph


@click.command()
@path_parameters
@click.option("--out", type=FILE, required=True, help="The picture: .svg, .png, .pdf, .gif, .html.")
@choice("--style", of=Style, default="lines", help="What is shown of a tour")
@choice("--theme", of=Theme, default="auto", help="The colors; auto follows the reader's screen")
@click.option("--title", help="Replace the caption; '' omits it.")
@click.option("--no-legend", is_flag=True, help="Omit the legend below the board.")
@click.option("--no-coordinates", is_flag=True, help="Omit the names of files and ranks.")
def draw_command(
    out: str,
    style: Style,
    theme: Theme,
    title: str | None,
    no_legend: bool,
    no_coordinates: bool,
    notation: Notation | None,
    closed: bool | None,
    **asked: Any,
) -> int:
    """Draw a tour: as a picture, animated (.gif), or as a page to step through (.html).

    A path that is not a tour is drawn with its faults marked, and a map on which squares have no
    number as a puzzle, or as a board if none has one; neither can be a .gif. The style heat is
    another name for order. A .html page that steps through a tour uses theme and title only.

    Exit code 0: it is a tour, a puzzle or a board; 1: it is not a tour; 2: invalid input.
    """
    check_picture(out, "--out")
    look = Look(style, title, not no_legend, not no_coordinates, theme=theme)
    with opened_path(**asked) as (source, board):
        if isinstance(source, str) and board is None and notation is None:
            picture = map_picture(source, look, closed)
            if picture is not None:
                draw(picture, out, look, role="--out")
                tell(picture.description)
                tell_written(out)
                return 0
        reading = parse_path(source, board, notation, closed)
    with spinner(f"drawing {reading.graph.title}"):
        draw(reading, out, look, role="--out")
    tell(reading.verdict)
    tell_written(out)
    return 0 if reading.valid else 1


@click.command()
@click.argument("board", type=FILE, required=False, help=options.BOARD_HELP)
@click.option(
    "--out",
    type=FILE,
    default="replay.html",
    help="The page to write (replay.html), or a picture of how it ends: .svg, .png or .pdf.",
)
@click.option("--graph", help="Search a graph instead: '3,0 1,1 2', or with names 'A B,B C'.")
@click.option(
    "--method",
    default="dfs",
    shell_complete=options.complete_searches,
    help="A search that 'kt methods' lists, circuit, or your own as FILE.py:NAME.",
)
@click.option(
    "--versus",
    metavar="METHOD",
    shell_complete=options.complete_searches,
    help="A second search, shown side by side.",
)
@options.start_option
@options.closed_option
@options.piece_options
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

    The method circuit shows the tour that the model finds. A picture shows how the searches ended.

    Exit code 0: the page is written; 2: invalid input.
    """
    fitting = STILL if graph is None else (".html",)
    check_picture(out, "--out", fitting=fitting)
    if (board is None) == (graph is None):
        raise InputError("give either a board, such as 6x6, or --graph '7,0 1,0 2', not both")
    if graph is not None:
        try:
            parsed = parse_graph(graph)
        except ValueError as error:
            raise InputError(f"--graph: {error}") from None
        page = graph_page(parsed, title or "Depth-first search")
        shown = f"depth-first search of {pluralize(len(parsed), 'vertex', 'vertices')}"
    else:
        the_board = as_board(options.read_graph(board or "", piece, topology), "kt replay")
        first = None if start is None else the_board.vertex(start)
        instance = Instance.of(the_board, closed=closed, start=first)
        methods = [method] if versus is None else [method, versus]
        runs = [record(instance, load_method(each), max_steps) for each in methods]
        shown = "; ".join(f"{run.name}: {run.ending}" for run in runs)
        if not out.lower().endswith(".html"):
            draw(race_picture(instance, runs, Look(title=title)), out, role="--out")
            tell(f"the picture shows {shown}")
            tell_written(out)
            return 0
        page = replay_page(instance, runs, title)
    write_bytes([page.encode()], out)
    tell(f"the page shows {shown}")
    return 0


@click.command()
@click.argument("board", type=FILE, default="6x6", metavar="[BOARD]", help=options.BOARD_HELP)
@click.option("--closed", is_flag=True, help="The tour returns to its first square.")
@click.option("--host", default="127.0.0.1", help="The address to serve on; others can then play.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, help="The port to serve on.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def play_command(board: str, closed: bool, host: str, port: int, no_browser: bool) -> int:
    """Open the playground: a page on which to draw, solve, check and watch tours.

    BOARD, of up to 20 rows and columns, is read once; visitors can choose others. Everything runs
    on this machine, and Ctrl-C ends it.

    Exit code 2: invalid input, or the port is in use.
    """
    optional("nicegui", "playgrounds", "pip install 'knights-tours[play]'")
    from kt_cp.play.server import serve
    from kt_cp.play.state import Position

    with size_or_map(board) as text:
        position = Position.parse(text, closed)
    if host not in ("localhost", "127.0.0.1", "::1"):
        tell("warning: everyone who reaches this address can use this machine's processor")
    serve(position, host, port, show=not no_browser)
    return 0
