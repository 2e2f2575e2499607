"""``kt draw``, ``replay``, ``play`` and ``export``: pictures, pages, and files for other tools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from kt_cp.board import Topology, as_board
from kt_cp.board.maps import open_size_or_map
from kt_cp.cli import options
from kt_cp.cli.app import as_subcommand
from kt_cp.cli.arguments import PathOptions, path_parameters, read_bare_instance, with_instance
from kt_cp.cli.options import (
    FILE,
    choice_option,
    complete_searches,
    look_options,
    picture_option,
    take_options,
)
from kt_cp.cli.output import Exit, tell, write_bytes, write_lines, write_picture
from kt_cp.cli.paths import note_partial_tour
from kt_cp.draw.look import PICTURE_SUFFIXES, TOUR_SUFFIXES, Look, Style
from kt_cp.draw.output import check_picture_file, is_printed
from kt_cp.draw.puzzles import map_picture
from kt_cp.draw.replays import endings, graph_page, race_picture, record_search, replay_page
from kt_cp.export import ExportFormat, export_lines, model_bytes
from kt_cp.files import import_optional
from kt_cp.graph_files import graph_file_in_text, graph_format
from kt_cp.messages import InputError, join_words, pluralize
from kt_cp.methods.table import load_method
from kt_cp.problem.instance import Instance
from kt_cp.tour.validator import Report
from kt_dfs.graph import parse_graph


@as_subcommand()
@path_parameters
@picture_option("--out", *TOUR_SUFFIXES, required=True, help="The picture")
@choice_option("--style", of=Style, default="lines", help="What is shown of a tour")
@look_options("theme", "paper", "words")
@click.option("--title", help="Replace the caption; '' omits it.")
@click.option("--no-legend", is_flag=True, help="Omit the legend below the board.")
@click.option("--no-coordinates", is_flag=True, help="Omit the names of files and ranks.")
def draw_command(
    out: str,
    look: Look,
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
    look = replace(
        look,
        title=title,
        style=style,
        legend=not no_legend,
        coordinates=not no_coordinates,
        printed=is_printed(out),
    )
    path_options = take_options(PathOptions, given)
    picture = None
    with path_options.opened() as path:
        is_told_how = path_options.board is not None or path_options.notation is not None
        may_be_map = not (is_told_how or path_options.partial)
        if isinstance(path.source, str) and may_be_map:
            picture = map_picture(path.source, look, path_options.closed)
        if picture is None:
            reading = path.read()
    if picture is not None:
        write_picture(picture, out, look, "--out")
        tell(picture.description)
        return Exit.YES
    write_picture(reading, out, look, "--out")
    tell(reading.verdict)
    if isinstance(reading, Report):
        note_partial_tour(reading)
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
@look_options("theme")
def replay_command(  # noqa: PLR0913 (its options)
    out: str,
    look: Look,
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
        return _replay_graph(graph, out, title, look)
    searched = read_bare_instance(str(board), piece=piece, topology=topology).graph
    instance = Instance.of(as_board(searched, "kt replay"), start=start, closed=closed)
    methods = [method] if versus is None else [method, versus]
    recordings = [record_search(instance, load_method(each), max_steps) for each in methods]
    look = replace(look, title=title, printed=is_printed(out))
    if out.lower().endswith(".html"):
        write_bytes([replay_page(instance, recordings, title, look.theme).encode()], out)
        tell(f"the page shows {endings(recordings)}")
    else:
        write_picture(race_picture(instance, recordings, look), out, look, "--out")
        tell(f"the picture shows {endings(recordings)}")
    return 0


def _replay_graph(text: str, out: str, title: str | None, look: Look) -> int:
    """Write the page of depth-first search on a graph."""
    check_picture_file(out, "--out", suffixes=(".html",))
    try:
        graph = parse_graph(text)
    except ValueError as error:
        raise InputError(f"--graph: {error}") from None
    graph.dfs()
    page = graph_page(graph, title or "Depth-first search", look.theme)
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


@as_subcommand()
@with_instance
@choice_option("--format", "form", of=ExportFormat, required=True, help="For which tools")
@options.out_option
def export_command(instance: Instance, form: ExportFormat, out: str | None) -> int:
    """State a problem for other tools; nothing is solved.

    \b
    cp-sat    the model of CP-SAT: text, or binary with --out FILE.pb
    dimacs    a formula for SAT solvers, of which every model is a tour
    minizinc  a model with the constraint circuit
    hcp       a graph in the format of TSPLIB, for LKH and others
    tsp       the same as distances, for Concorde and others
    asp       facts and rules for clingo
    mps       an integer program, for SCIP, HiGHS, Gurobi and others

    Constraints that a format cannot hold are refused; weights of edges are left out, with a note.
    """
    if form is ExportFormat.CP_SAT and str(out).endswith(".pb"):
        write_bytes([model_bytes(instance)], out)
    else:
        write_lines(export_lines(instance, form), out)
    graph = instance.graph
    if graph.attributes:
        tell(
            f"note: the {join_words([*graph.attributes])} of edges is left out: "
            f"the file asks for any {graph.vocabulary.tour(instance.closed)}"
        )
    return Exit.YES
