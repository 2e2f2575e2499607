"""Replays: a search on a board, or depth-first search of a graph, recorded step by step."""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import Squares
from kt_cp.draw.page import Run, board_page, check_page_size, html_page
from kt_cp.draw.picture import Layer, Picture
from kt_cp.draw.sheet import (
    END_MARK,
    START_MARK,
    USUAL,
    Look,
    board_layers,
    finish,
    lay_out,
    line_names,
    text_lines,
    wrap,
)
from kt_cp.draw.tour import path_layers, segments
from kt_cp.errors import InputError, pluralize
from kt_cp.methods.reference import board_graph
from kt_cp.methods.table import AnyMethod, as_strategy, method_of
from kt_cp.problem.instance import Instance
from kt_cp.solving import solve
from kt_dfs import (
    METHODS,
    Budget,
    DFSGraph,
    EdgeKind,
    Ending,
    Event,
    OrderError,
    Status,
    Strategy,
    Vertex,
    search,
    strategy,
)
from kt_dfs.dfs import edge_kind

MAX_STEPS = 1_000_000
CIRCUIT = "circuit"


def record(instance: Instance, method: AnyMethod, max_steps: int) -> Run:
    """Run a search from the start of the instance, or its first square, and record what it does.

    ``method`` is a name from `kt_dfs.METHODS`, a strategy, or a function of graph and path, the
    textbook's form of one; the record of ``circuit`` is the tour that this model finds. A record
    ends after ``max_steps`` visits and backtracks. Raises `InputError` for an unknown method, a
    board too large for a page, and an invalid number of steps.

    >>> from kt_cp.board import Board
    >>> record(Instance.of(Board(3, 4), start=0), "warnsdorff", 20).events
    [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]
    >>> record(Instance.of(Board(3, 3), start=0), "dfs", 9)
    Run(name='dfs', events=[0, 5, 6, 1, 8, 3, 2, 7, -8], found=False, \
ending='cut off after 9 steps')
    """
    board = instance.board
    check_page_size(board)
    if not 1 <= max_steps <= MAX_STEPS:
        raise InputError(f"max steps {max_steps}: give a number from 1 to {MAX_STEPS}")
    if method == CIRCUIT:
        return _solved(instance)
    if isinstance(method, str):
        if method not in METHODS:
            raise InputError(f"method {method!r}: give one of {', '.join([*METHODS, CIRCUIT])}")
        method = strategy(method, board.rows, board.columns)
    plan = as_strategy(method)
    if not isinstance(plan, Strategy):
        raise InputError(f"method {method_of(method).name}: give a strategy, or order(graph, path)")
    events: list[int] = []

    def note(event: Event, square: int) -> None:
        events.append(square if event is Event.VISIT else ~square)

    start = int(board.squares[0]) if instance.start is None else instance.start
    budget = Budget(calls=max_steps)
    try:
        outcome = search(board_graph(instance), start, plan, closed=instance.closed, budget=budget,
                         observer=note)  # fmt: skip
    except OrderError as error:
        raise InputError(str(error)) from error
    if len(events) > max_steps or outcome.ending is Ending.OUT_OF_CALLS:
        events = events[:max_steps]
        ending = f"cut off after {len(events):,} step{'' if len(events) == 1 else 's'}"
        return Run(plan.name, events, False, ending)
    return Run(plan.name, events, outcome.status is Status.FOUND, outcome.reason)


def _solved(instance: Instance) -> Run:
    """Return the answer of the circuit model as a record: a tour, or nothing and why."""
    result = solve(instance, method=CIRCUIT)
    if result.tour is None:
        return Run(CIRCUIT, [], False, result.summary)
    squares = result.tour.squares.tolist()
    place = squares.index(instance.start) if instance.closed and instance.start is not None else 0
    return Run(CIRCUIT, squares[place:] + squares[:place], True, "a tour")


def race_picture(instance: Instance, runs: Sequence[Run], look: Look = USUAL) -> Picture:
    """Describe the picture of how searches ended, side by side, each with its last path.

    The squares that a path leaves out stand out.
    """
    board, apart = instance.board, instance.board.columns + 1.2
    title = f"{instance.kind} {board.title}: {' and '.join(run.name for run in runs)}"
    sheet = lay_out(board, title, look, beside=apart * (len(runs) - 1), below=0.9)
    size, height = 15 * sheet.zoom, 22 * sheet.zoom
    layers: list[Layer] = []
    for place, run in enumerate(runs):
        here = replace(sheet, left=sheet.left + place * apart * sheet.cell)
        path = _last_path(run)
        left_out = np.setdiff1d(board.squares, path)
        moves = np.stack([path[:-1], path[1:]], axis=1)
        if run.found and instance.closed:
            moves = np.concatenate([moves, path[None, [-1, 0]]])
        layers += board_layers(here, {"missing": left_out})
        layers += path_layers(here, segments(here, moves))
        layers += here.mark(START_MARK, path[:1])
        if len(left_out):
            layers += here.mark(END_MARK, path[-1:])
        layers += line_names(here) if place else []
        told = f"{run.name}: {len(path):,} of {len(board):,} squares"
        backtracks = sum(event < 0 for event in run.events)
        told += f" after {backtracks:,} backtracks" if backtracks else ""
        x, y = here.at([0, board.rows + 0.8]).tolist()
        lines = wrap(told, board.columns * sheet.cell / sheet.zoom, 15)
        layers.append(text_lines(lines, x, y, size, height, "ink"))
    endings = "; ".join(f"{run.name}: {run.ending}" for run in runs)
    return finish(sheet, layers, [], f"{title}; {endings}")


def _last_path(run: Run) -> Squares:
    """Return the squares on the path at the end of a record."""
    stack: list[int] = []
    for event in run.events:
        if event < 0:
            stack.pop()
        else:
            stack.append(event)
    return np.array(stack, dtype=np.int32)


def replay_page(instance: Instance, runs: Sequence[Run], title: str | None = None) -> str:
    """Return a page that replays searches on one board side by side, step by step."""
    names = " and ".join(run.name for run in runs)
    title = f"{names} on {instance.board.title}" if title is None else title
    summary = "; ".join(f"{run.name}: {run.ending}" for run in runs) + "."
    return board_page(instance.board, instance.closed, runs, title, summary)


MOST_VERTICES = 500
MOST_EDGES = 5000

Step = tuple[str, int, int]  # discover, edge or finish; of which vertex or edge; at which time


def graph_page(graph: DFSGraph[Any], title: str = "Depth-first search") -> str:
    """Run depth-first search of a graph and return a page that replays it.

    Raises `InputError` for a graph too large to be drawn.
    """
    edges = list(graph.arcs())
    size = f"{pluralize(len(graph), 'vertex', 'vertices')} and {pluralize(len(edges), 'edge')}"
    if len(graph) > MOST_VERTICES or len(edges) > MOST_EDGES:
        most = f"{MOST_VERTICES} vertices and {MOST_EDGES} edges"
        raise InputError(f"graph of {size}: at most {most} can be drawn")
    if len(graph) == 0:
        raise InputError("graph of 0 vertices: there is nothing to draw")
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
    told = ", ".join(f"{kinds.count(kind)} {kind.value}" for kind in EdgeKind if kind in kinds)
    summary = f"{size}: {told}." if told else f"{size}."
    return html_page(title, summary, ("player.js", "graph.js"), data)


def steps(graph: DFSGraph[Any]) -> list[Step]:
    """Return what a finished search did, in order; vertices and edges are numbered from 0.

    >>> graph = DFSGraph.from_edges(2, [(0, 1), (1, 0)])
    >>> graph.dfs()
    >>> steps(graph)
    [('discover', 0, 1), ('edge', 0, 1), ('discover', 1, 2), ('edge', 1, 2), ('finish', 1, 3), \
('finish', 0, 4)]
    """
    done: list[Step] = []
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
    """Lay out the depth-first forest: leaves side by side, parents above the middle of theirs.

    Tree edges then run downwards, and other edges can be told apart by their direction.
    """
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
