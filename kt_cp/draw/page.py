"""Self-contained HTML pages to step through, such as replays of searches, and how these ended."""

from __future__ import annotations

import itertools
import json
from bisect import bisect
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

import kt_dfs
from kt_cp.board import Board, Topology
from kt_cp.draw.look import USUAL, Look, glyph, plain, printed, sentence
from kt_cp.draw.palette import Theme, variables
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, svg
from kt_cp.draw.sheet import Sheet
from kt_cp.draw.tour import draw_path
from kt_cp.errors import InputError, checked_number, pluralize
from kt_cp.methods.custom import custom_errors
from kt_cp.methods.reference import board_graph
from kt_cp.methods.table import AnyMethod, as_strategy, method_of
from kt_cp.problem.instance import Instance
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour
from kt_dfs import DFSGraph, EdgeKind, Event, Strategy, Vertex
from kt_dfs.digraph import edge_kind

_MOST_ELEMENTS = 10_000  # each is an element of the page, as are those of a graph
MOST_VERTICES, MOST_EDGES = 500, 5000
MAX_STEPS = 1_000_000
CIRCUIT = "circuit"
_REPLAY = "elements.js", "player.js", "squares.js", "board.js"


@dataclass(frozen=True)
class Run:
    """What a search did: its visits in order, a backtrack from a square being ``~square``."""

    name: str
    events: list[int]
    found: bool
    ending: str


def html_page(
    title: str,
    summary: str,
    scripts: Sequence[str],
    data: object,
    theme: Theme = Theme.AUTO,
    *,
    controls: str = "player.html",
    styles: Sequence[str] = ("page.css",),
) -> str:
    """Return a page that needs no network and no other file.

    ``scripts``, ``controls`` and ``styles`` are names of files in the folder of the template; the
    last script reads ``data``.
    """
    embedded = json.dumps(data, separators=(",", ":"))
    return Template(asset("page.html")).substitute(
        title=escape(plain(title)),
        summary=escape(plain(summary)),
        style="\n".join([variables(theme), *map(asset, styles)]),
        controls=asset(controls),
        data=embedded.replace("<", r"\u003c"),  # so that no text in it can end its script
        script="\n".join(map(asset, scripts)),
    )


def picture_page(picture: Picture) -> str:
    """Return a page that shows a picture."""
    return Template(asset("picture.html")).substitute(
        title=escape(plain(picture.caption or picture.description)),
        style=variables(picture.theme),
        picture=svg(picture),
    )


def check_page_size(board: Board) -> None:
    """Raise `InputError` for a board too large for a page."""
    if board.area > _MOST_ELEMENTS:
        raise InputError(f"board {board.size}: a page shows at most {_MOST_ELEMENTS:,} squares")


def board_data(board: Board) -> dict[str, object]:
    """Return what ``squares.js`` needs. Raises `InputError` as `check_page_size` does."""
    check_page_size(board)
    return {
        "rows": board.rows,
        "columns": board.columns,
        "holes": board.holes,
        "jumps": None if board.topology is Topology.FLAT else board.piece.jumps,
        "glyph": glyph(board),
    }


def tour_page(tour: Tour, look: Look = USUAL) -> str:
    """Return a page that shows a tour step by step; the title is its summary unless given."""
    title, summary = look.title, f"{tour.summary}."
    if title is None:
        title, summary = sentence(tour.summary), ""
    run = Run(f"{tour.kind} tour", tour.squares.tolist(), True, "every square is visited")
    data = {**_runs_data(tour.board, tour.closed, [run]), "tour": {"first": look.first}}
    return html_page(title, summary, _REPLAY, data, look.theme)


def _runs_data(board: Board, closed: bool, runs: Sequence[Run]) -> dict[str, object]:
    return {**board_data(board), "closed": closed, "runs": [asdict(run) for run in runs]}


def asset(name: str) -> str:
    """Return the text of a file in the folder of the template."""
    return files("kt_cp.draw").joinpath("pages", name).read_text(encoding="utf-8").strip()


def record(instance: Instance, method: AnyMethod, max_steps: int) -> Run:
    """Run a search from the start of the instance, or its first square, and record what it does.

    ``method`` is a name from `kt_dfs.METHODS`, a strategy, or the textbook's form of one; the
    record of ``circuit`` is the tour that this model finds. A record ends after ``max_steps``
    visits and backtracks. Raises `InputError` for invalid values and too large a board.

    >>> from kt_cp.board import Board
    >>> record(Instance.of(Board(3, 3), start=0), "dfs", 9)
    Run(name='dfs', events=[0, 5, 6, 1, 8, 3, 2, 7, -8], found=False, \
ending='cut off after 9 steps')
    """
    board = instance.board
    check_page_size(board)
    checked_number("max steps", max_steps, 1, MAX_STEPS)
    start = int(board.squares[0]) if instance.start is None else instance.start
    if method == CIRCUIT:
        result = solve(instance, method=CIRCUIT)
        if result.tour is None:
            return Run(CIRCUIT, [], False, result.summary)
        return Run(CIRCUIT, result.tour.squares.tolist(), True, "a tour")
    if isinstance(method, str):
        if method not in kt_dfs.METHODS:
            known = ", ".join([*kt_dfs.METHODS, CIRCUIT])
            raise InputError(f"method {method!r}: give one of {known}")
        method = kt_dfs.strategy(method, board.rows, board.columns)
    plan = as_strategy(method)
    if not isinstance(plan, Strategy):
        raise InputError(f"method {method_of(method).name}: give a strategy, or order(graph, path)")
    events: list[int] = []

    def note(event: Event, square: int) -> None:
        events.append(square if event is Event.VISIT else ~square)

    graph, closed, budget = board_graph(instance), instance.closed, kt_dfs.Budget(calls=max_steps)
    with custom_errors(plan.name):
        found = kt_dfs.search(graph, start, plan, closed=closed, budget=budget, observer=note)
    if len(events) > max_steps or found.ending is kt_dfs.Ending.OUT_OF_CALLS:
        del events[max_steps:]
        return Run(plan.name, events, False, f"cut off after {pluralize(len(events), 'step')}")
    return Run(plan.name, events, found.status is kt_dfs.Status.FOUND, found.reason)


def race_picture(instance: Instance, runs: Sequence[Run], look: Look = USUAL) -> Picture:
    """Describe the picture of how searches ended: their last paths, and what these leave out."""
    board = instance.board
    title = f"{instance.kind} {board.title}: {' and '.join(run.name for run in runs)}"
    sheet = Sheet(board, title, look)
    for place, run in enumerate(runs):
        part = sheet.beside(board, place * (board.columns + 1.2), 0) if place else sheet
        stack: list[int] = []
        for event in run.events:
            if event < 0:
                stack.pop()
            else:
                stack.append(event)
        path = np.array(stack, dtype=np.int64)
        left_out = np.setdiff1d(board.squares, path)
        part.fill("missing", left_out)
        moves = np.stack([path, np.roll(path, -1)], axis=1)
        draw_path(part, moves if run.found and instance.closed else moves[:-1])
        part.mark(START_MARK, path[:1])
        if len(left_out):
            part.mark(END_MARK, path[-1:])
        backtracks = sum(event < 0 for event in run.events)
        after = f" after {backtracks:,} backtracks" if backtracks else ""
        sheet.tell(f"{run.name}: {len(path):,} of {len(board):,} squares{after}")
    return sheet.finish()


def endings(runs: Sequence[Run]) -> str:
    """Return how each search ended, in a phrase each."""
    return "; ".join(f"{run.name}: {run.ending}" for run in runs)


def replay_page(
    instance: Instance, runs: Sequence[Run], title: str | None = None, theme: Theme = Theme.AUTO
) -> str:
    """Return a page that replays searches on one board side by side, step by step."""
    if title is None:
        title = printed(f"{' and '.join(run.name for run in runs)} on {instance.board.title}")
    data = _runs_data(instance.board, instance.closed, runs)
    return html_page(title, f"{endings(runs)}.", _REPLAY, data, theme)


def graph_page(
    graph: DFSGraph[Any], title: str = "Depth-first search", theme: Theme = Theme.AUTO
) -> str:
    """Run depth-first search and return a page that replays it, or raise `InputError`."""
    edges = list(graph.arcs())
    size = f"{pluralize(len(graph), 'vertex', 'vertices')} and {pluralize(len(edges), 'edge')}"
    if not 0 < len(graph) <= MOST_VERTICES or len(edges) > MOST_EDGES:
        most = f"1 to {MOST_VERTICES} vertices and at most {MOST_EDGES} edges"
        raise InputError(f"graph of {size}: {most} can be drawn")
    graph.dfs()
    number = {vertex: i for i, vertex in enumerate(graph)}
    kinds = [edge_kind(tail, head) for tail, head in edges]
    data = {
        "vertices": _laid_out(graph),
        "edges": [
            {"from": number[tail], "to": number[head], "kind": kind.value}
            for (tail, head), kind in zip(edges, kinds, strict=True)
        ],
        "steps": steps(graph),
    }
    told = [f"{kinds.count(kind)} {kind.value}" for kind in EdgeKind if kind in kinds]
    summary = f"{', '.join([size, *told])}."
    return html_page(title, summary, ("elements.js", "player.js", "graph.js"), data, theme)


def steps(graph: DFSGraph[Any]) -> list[tuple[str, int, int]]:
    """Return what a finished search did, in order: to which vertex or edge, from 0, and when."""
    done: list[tuple[str, int, int]] = []
    number = itertools.count()
    for i, tail in enumerate(graph):
        done += [("discover", i, tail.discovery), ("finish", i, tail.finish)]
        time = tail.discovery
        for head in tail.neighbors:
            done.append(("edge", next(number), time))
            if edge_kind(tail, head) is EdgeKind.TREE:
                time = head.finish  # the other edges are examined after that
    return sorted(done, key=lambda step: (step[2], step[0] == "edge"))


def _laid_out(graph: DFSGraph[Any]) -> list[dict[str, object]]:
    """Lay out the depth-first forest: leaves side by side, parents above the middle of theirs."""
    leaves = sorted(each.discovery for each in graph if each.finish == each.discovery + 1)
    depths: dict[Vertex[Any], int] = {}
    for vertex in graph.order():
        depths[vertex] = 0 if vertex.pred is None else depths[vertex.pred] + 1
    return [
        {
            "name": str(vertex.key),
            "x": 0.6 * (bisect(leaves, vertex.discovery - 1) + bisect(leaves, vertex.finish) - 1),
            "y": 1.1 * depths[vertex],
            "depth": depths[vertex],
        }
        for vertex in graph
    ]
