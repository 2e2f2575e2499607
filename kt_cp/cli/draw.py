"""``kt draw``, ``kt replay`` and ``kt play``: pictures, pages and the playground."""

from __future__ import annotations

from typing import Any

import click

from kt_cp.board import Topology, as_board
from kt_cp.board.maps import open_size_or_map
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.options import (
    FILE,
    choice_option,
    complete_searches,
    language_option,
    paper_option,
    picture_option,
    read_bare_instance,
    take_options,
    theme_option,
)
from kt_cp.cli.output import Exit, look_of, tell, write_bytes, write_picture
from kt_cp.cli.paths import PathOptions, note_partial_tour, path_parameters
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Style
from kt_cp.draw.output import check_picture_file, is_printed
from kt_cp.draw.puzzles import map_picture
from kt_cp.draw.replays import endings, graph_page, race_picture, record_search, replay_page
from kt_cp.files import import_optional
from kt_cp.graph_files import graph_file_in_text, graph_format
from kt_cp.messages import InputError, pluralize
from kt_cp.methods.table import load_method
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import CoverReport
from kt_cp.tour.validator import Report
from kt_dfs.graph import parse_graph


@as_subcommand()
@path_parameters
@picture_option("--out", *TOUR_SUFFIXES, required=True, help="The picture")
@choice_option("--style", of=Style, default="lines", help="What is shown of a tour")
@theme_option
@paper_option
@language_option
@click.option("--title", help="Replace the caption; '' omits it.")
@click.option("--no-legend", is_flag=True, help="Omit the legend below the board.")
@click.option("--no-coordinates", is_flag=True, help="Omit the names of files and ranks.")
def draw_command(
    out: str,
    style: Style,
    title: str | None,
    no_legend: bool,
    no_coordinates: bool,
    **given: Any,
) -> int:
    """Draw a tour: as a picture, animated (.gif), or as a page to step through (.html).

    A path that is not a tour is drawn with its faults marked, and a map on which squares have no
    number as a puzzle, or as a board if none has one; neither can be a .gif. A .html page
    that steps through a tour takes only --theme and --title.
    """
    look = look_of(
        title=title,
        style=style,
        legend=not no_legend,
        coordinates=not no_coordinates,
        printed=is_printed(out),
    )
    path = take_options(PathOptions, given)
    picture = None
    with path.opened() as (source, board):
        may_be_map = path.board is None and path.notation is None and not path.partial
        if isinstance(source, str) and may_be_map:
            picture = map_picture(source, look, path.closed)
        if picture is None:
            reading = path.parse(source, board)
    if picture is not None:
        write_picture(picture, out, look, "--out")
        tell(picture.description)
        return Exit.YES
    report = reading if isinstance(reading, CoverReport) else reading.report
    write_picture(report, out, look, "--out")
    tell(report.verdict)
    if isinstance(report, Report):
        note_partial_tour(report)
    return Exit.YES if reading.valid else Exit.NO


# What cannot be used with --graph of `kt replay`.
_OF_BOARDS = ("method", "versus", "start", "closed", "piece", "topology", "max_steps")


@as_subcommand()
@click.argument("board", type=FILE, required=False, help=options.BOARD_HELP)
@picture_option(
    "--out",
    *PICTURE_SUFFIXES,
    default="replay.html",
    help="The page or, of a board, a picture of how it ends",
)
@click.option("--graph", help="Search a graph instead: '3,0 1,1 2', or with names 'A B,B C'.")
@click.option(
    "--method",
    default="dfs",
    shell_complete=complete_searches,
    help="A search that 'kt methods' lists, circuit, or your own as FILE.py:NAME.",
)
@click.option(
    "--versus", metavar="METHOD", shell_complete=complete_searches, help="A second one, beside it."
)
@options.start_option
@options.closed_option
@options.piece_options
@click.option("--max-steps", type=int, default=10_000, help="The most visits and backtracks.")
@click.option("--title", help="The title of the page.")
@theme_option
def replay_command(  # noqa: PLR0913 (its options)
    out: str,
    board: str | None,
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

    The method circuit shows what a model does: cycles through all squares become one tour. A
    picture shows how the searches ended.
    """
    if (board is None) is (graph is None):
        raise InputError("give either a board, such as 6x6, or --graph '7,0 1,0 2', not both")
    if graph is not None:
        options.refuse(_OF_BOARDS, "with --graph")
        return _replay_graph(graph, out, title)
    read = read_bare_instance(str(board), piece=piece, topology=topology).graph
    instance = Instance.of(as_board(read, "kt replay"), start=start, closed=closed)
    methods = [method] if versus is None else [method, versus]
    recordings = [record_search(instance, load_method(each), max_steps) for each in methods]
    look = look_of(title=title, printed=is_printed(out))
    if out.lower().endswith(".html"):
        write_bytes([replay_page(instance, recordings, title, look.theme).encode()], out)
        tell(f"the page shows {endings(recordings)}")
    else:
        write_picture(race_picture(instance, recordings, look), out, look, "--out")
        tell(f"the picture shows {endings(recordings)}")
    return 0


def _replay_graph(text: str, out: str, title: str | None) -> int:
    """Write the page of depth-first search on a graph."""
    check_picture_file(out, "--out", suffixes=(".html",))
    try:
        graph = parse_graph(text)
    except ValueError as error:
        raise InputError(f"--graph: {error}") from None
    graph.dfs()
    page = graph_page(graph, title or "Depth-first search", look_of().theme)
    write_bytes([page.encode()], out)
    tell(f"the page shows depth-first search of {pluralize(len(graph), 'vertex', 'vertices')}")
    return 0


_PLAYED_HELP = "A size such as 8x8 (rows x columns), a file with a map or a graph, or -."


@as_subcommand()
@click.argument("board", type=FILE, default="6x6", help=_PLAYED_HELP)
@options.closed_option
@click.option(
    "--host",
    default="127.0.0.1",
    help="The address to serve on; 0.0.0.0 lets others on the network play.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8080, help="The port to serve on.")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def play_command(board: str, closed: bool, host: str, port: int, no_browser: bool) -> int:
    """Open the playground: a page on which to draw, solve, check and watch tours.

    BOARD has up to 20 rows and columns. It is read once; visitors can choose others. Everything
    runs on this machine, and Ctrl-C ends it.
    """
    import_optional("nicegui", "playgrounds", "pip install 'knights-tours[play]'")
    from kt_cp.play.position import NO_GRAPHS, Position
    from kt_cp.play.server import serve

    if graph_format(board) is not None:
        raise InputError(f"{board}: this is {NO_GRAPHS}")
    with open_size_or_map(board) as text:
        if graph_file_in_text(text) is not None:
            raise InputError(f"{board}: this is {NO_GRAPHS}")
        position = Position.parse(text, closed)
    if host not in ("localhost", "127.0.0.1", "::1"):
        tell("warning: everyone who reaches this address can use this machine's processor")
    serve(position, host, port, show=not no_browser)
    return 0
