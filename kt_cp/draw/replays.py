"""Recorded searches, the pages that replay them step by step, and pictures of how they ended."""

from __future__ import annotations

import itertools
from bisect import bisect
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.look import USUAL, Look, Style, Theme
from kt_cp.draw.page import board_data, check_page_size, html_page
from kt_cp.draw.picture import END_MARK, START_MARK, Picture, as_caption, with_print_signs
from kt_cp.draw.sheet import Sheet, joint_picture
from kt_cp.draw.tours import draw_path, fitting_style
from kt_cp.messages import InputError, checked_number, give_one_of, pluralize
from kt_cp.methods.custom import custom_errors, strategy_of
from kt_cp.methods.peers import graph_to_search
from kt_cp.methods.table import AnyMethod, method_of
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.sat.two_factors import cycle_covers
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour
from kt_dfs import (
    METHODS,
    Budget,
    DFSGraph,
    EdgeKind,
    Ending,
    Event,
    Status,
    Strategy,
    Vertex,
    search,
    strategy,
)
from kt_dfs.graph import edge_kind

MAX_STEPS = 1_000_000
"""The largest number of visits and backtracks that a page replays."""

CIRCUIT = "circuit"
"""The name of the circuit model, which does not visit squares one by one."""

RACERS = {name: method.summary for name, method in METHODS.items()} | {
    CIRCUIT: "a model in CP-SAT, which begins with cycles and ends with one through all squares"
}
"""The searches that can race against each other: {name: what it does}."""

MAX_VERTICES = 500
"""The largest number of vertices of a graph on a page, as each of them is an element of it."""

MAX_EDGES = 5000
"""The largest number of edges of a graph on a page."""

# 2-factors are found with this many seeds; the one with the most cycles is shown, since it shows
# the most joins.
_SEEDS_TRIED = 8


_LEAF_WIDTH, _LEVEL_HEIGHT = 1.6, 1.1  # of a depth-first forest, in the unit of the page's script

Lines = list[list[int]]
"""Paths and cycles as lists of squares; a cycle ends with the square with which it begins."""


@dataclass(frozen=True)
class Recording:
    """A recorded run by the method ``name``: of a search, or of the circuit model.

    ``found`` is True if it found a tour, and ``ending`` is a phrase on how it ended. ``events`` are
    the visits of a search in order; a backtrack from a square is ``~square``. ``frames`` are those
    of the model: the cycles of a 2-factor, and the lines that are left after each join of two. The
    last frame is the tour; if there is no tour, there are no frames.
    """

    name: str
    found: bool
    ending: str
    events: list[int] = field(default_factory=list)
    frames: list[Lines] = field(default_factory=list)

    @property
    def backtracks(self) -> int:
        """The number of backtracks."""
        return sum(event < 0 for event in self.events)

    @property
    def last_path(self) -> list[int]:
        """The path at the end: of a model the tour, or an empty list if there is none."""
        path: list[int] = []
        for event in self.events:
            if event < 0:
                path.pop()
            else:
                path.append(event)
        for line in self.frames[-1] if self.frames else ():
            path = [*dict.fromkeys(line)]  # a cycle without its first square at the end
        return path


# -- recordings ------------------------------------------------------------------------------------


def record_search(instance: Instance, method: AnyMethod, max_steps: int) -> Recording:
    """Return the recording of a search: by `record_model` for ``circuit``, else `record_visits`.

    Raises `InputError` as these do.
    """
    if method == CIRCUIT:
        return record_model(instance)
    return record_visits(instance, method, max_steps)


def record_visits(instance: Instance, method: AnyMethod, max_steps: int) -> Recording:
    """Return the recording of a search from the start of the instance, or its first square.

    ``method`` is a name from `kt_dfs.METHODS`, a strategy, or the textbook's form of one. The
    recording ends after ``max_steps`` visits and backtracks. Raises `InputError` for invalid values
    and too large a board.

    >>> record_visits(Instance.of(Board(3, 3), start=0), "dfs", 9)
    Recording(name='dfs', found=False, ending='cut off after 9 steps', \
events=[0, 5, 6, 1, 8, 3, 2, 7, -8], frames=[])
    """
    board = instance.board
    check_page_size(board)
    checked_number("max steps", max_steps, 1, MAX_STEPS)
    start = int(board.squares[0]) if instance.first is None else instance.first
    search_strategy = _checked_strategy(method, board)
    events: list[int] = []

    def note(event: Event, square: int) -> None:
        """Record a visit as the square, and a backtrack as its bitwise complement."""
        events.append(square if event is Event.VISIT else ~square)

    graph = graph_to_search(instance)
    closed = instance.closed
    budget = Budget(calls=max_steps)
    with custom_errors(search_strategy.name):
        outcome = search(graph, start, search_strategy, closed=closed, budget=budget, observer=note)
    if len(events) > max_steps or outcome.ending is Ending.OUT_OF_CALLS:
        del events[max_steps:]
        cut_off = f"cut off after {pluralize(len(events), 'step')}"
        return Recording(search_strategy.name, False, cut_off, events)
    return Recording(search_strategy.name, outcome.status is Status.FOUND, outcome.reason, events)


def _checked_strategy(method: AnyMethod, board: Board) -> Strategy:
    """Return a method as a strategy. Raises `InputError` for a method that is not one."""
    if isinstance(method, str):
        if method not in METHODS:
            raise InputError(f"method {method!r}: {give_one_of([*METHODS, CIRCUIT], method)}")
        return strategy(method, board.rows, board.columns)
    custom_strategy = strategy_of(method)
    if custom_strategy is None:
        raise InputError(f"method {method_of(method).name}: give a strategy, or order(graph, path)")
    return custom_strategy


def record_model(instance: Instance) -> Recording:
    """Return a recording of the circuit model: cycles that are joined until one is left, the tour.

    The frames begin with a 2-factor, which CP-SAT takes as a hint, and have ever fewer cycles. If
    exchanges of two moves do not join all of them, the last frame is the tour that CP-SAT found.
    The ending tells the number of conflicts of its search. Raises `InputError` for too large a
    board.
    """
    check_page_size(instance.board)
    result = solve(instance, method=CIRCUIT)
    if result.tour is None:
        return Recording(CIRCUIT, False, result.summary)
    # Each frame is computed anew, since `cycle_covers` returns only its last state.
    unjoined = [_cycles(instance, seed, len(instance.board)) for seed in range(_SEEDS_TRIED)]
    seed = max(range(_SEEDS_TRIED), key=lambda each: len(unjoined[each]))
    frames: list[Lines] = []
    for count in range(len(unjoined[seed]), 0, -1):
        lines = _cycles(instance, seed, count)
        if not frames or len(lines) < len(frames[-1]):
            frames.append(lines)
    squares = np.array(frames[-1][0][: len(instance.board)]) if frames else None
    if squares is None or len(frames[-1]) > 1 or not instance.satisfied_by(squares):
        tour = result.tour.squares.tolist()
        frames.append([[*tour, tour[0]] if instance.closed else tour])
    conflicts = pluralize(int(result.counters["conflicts"]), "conflict")
    return Recording(CIRCUIT, True, f"a tour, after {conflicts} and no backtrack", frames=frames)


def _cycles(instance: Instance, seed: int, count: int) -> Lines:
    """Return the cycles of a 2-factor, joined until ``count`` are left; none if there is none.

    A cycle of nodes becomes a line of squares: cut at the depot, or back to its start.
    """
    board = instance.board
    depot = len(board)
    lines: Lines = []
    for cycle in next(cycle_covers(instance, Clock(), seed, count), []):
        is_depot = cycle == depot
        if is_depot.any():
            nodes = np.roll(cycle, -int(is_depot.argmax()))[1:]
        else:
            nodes = np.append(cycle, cycle[0])
        lines.append(board.squares[nodes].tolist())
    return lines


# -- pages and pictures ----------------------------------------------------------------------------


def tour_page(tour: Tour, look: Look = USUAL) -> str:
    """Return an HTML page that shows a tour step by step.

    The title is the summary of the tour unless the look has one. Raises `InputError` for a board
    too large for a page.
    """
    title = look.title
    summary = f"{tour.summary}."
    if title is None:
        title = as_caption(tour.summary)
        summary = ""
    words = tour.graph.vocabulary
    ending = "every square is visited"
    if tour.is_partial:
        verb = "is" if len(tour) == 1 else "are"
        ending = f"{words.count_vertices(len(tour))} {verb} visited"
    name = words.partial_tour(tour.closed) if tour.is_partial else f"{tour.kind} tour"
    run = Recording(name, True, ending, tour.squares.tolist())
    data = {**_replay_data(tour.board, tour.closed, [run]), "tour": {"first": look.first}}
    return html_page(title, summary, "replay.js", data, look)


def replay_page(
    instance: Instance,
    runs: Sequence[Recording],
    title: str | None = None,
    theme: Theme = Theme.AUTO,
) -> str:
    """Return an HTML page that replays runs on one board side by side, step by step.

    Raises `InputError` for a board too large for a page.
    """
    if title is None:
        names = " and ".join(run.name for run in runs)
        title = with_print_signs(f"{names} on {instance.board.title}")
    data = _replay_data(instance.board, instance.closed, runs)
    return html_page(title, "", "replay.js", data, Look(theme=theme))


def _replay_data(board: Board, closed: bool, runs: Sequence[Recording]) -> dict[str, object]:
    """Return the data for the script ``replay.js``."""
    run_data = [
        {
            "kind": "model" if run.name == CIRCUIT else "search",
            "about": RACERS.get(run.name, ""),
            **asdict(run),
        }
        for run in runs
    ]
    return {**board_data(board), "closed": closed, "runs": run_data}


def endings(runs: Sequence[Recording]) -> str:
    """Return how each run ended, as phrases separated by semicolons."""
    return "; ".join(f"{run.name}: {run.ending}" for run in runs)


def race_picture(instance: Instance, runs: Sequence[Recording], look: Look = USUAL) -> Picture:
    """Return the picture of how runs ended: their last paths, and the squares not visited.

    Paths are drawn as lines where the ``look`` has the style of numbers.
    """
    if look.style is Style.NUMBERS:
        look = replace(look, style=Style.LINES)
    board = instance.board
    title = f"{instance.kind} {board.title}: {' and '.join(run.name for run in runs)}"
    sheets = [Sheet(board, title, look, per_row=len(runs)) for _ in runs]
    for run, sheet in zip(runs, sheets, strict=True):
        path = np.array(run.last_path, dtype=np.int64)
        sheet.note = f"{len(path):,} of {len(board):,} squares by {run.name}"
        if run.backtracks:
            sheet.note += f" after {pluralize(run.backtracks, 'backtrack')}"
        sheet.mark_left_out(np.setdiff1d(board.squares, path), "not visited")
        is_closed = run.found and instance.closed
        moves = np.stack([path, np.roll(path, -1)], axis=1)
        style = fitting_style(sheet, len(board))
        draw_path(sheet, style, moves if is_closed else moves[:-1], is_closed=is_closed)
        sheet.draw_mark(START_MARK, path[:1], legend="start")
        sheet.draw_mark(END_MARK, path[-1:] if not is_closed else [], legend="end")
    description = "; ".join([title, *(sheet.note for sheet in sheets)])
    return joint_picture(sheets, len(sheets), description)


# -- depth-first search of a graph -----------------------------------------------------------------


def graph_page(
    graph: DFSGraph[Any], title: str = "Depth-first search", theme: Theme = Theme.AUTO
) -> str:
    """Return an HTML page that replays the depth-first search of a graph, which has run.

    Raises `InputError` for a graph without vertices, and for too large a one.
    """
    edges = list(graph.arcs())
    size = f"{pluralize(len(graph), 'vertex', 'vertices')} and {pluralize(len(edges), 'edge')}"
    if not 0 < len(graph) <= MAX_VERTICES or len(edges) > MAX_EDGES:
        most = f"1 to {MAX_VERTICES} vertices and at most {MAX_EDGES} edges"
        raise InputError(f"graph of {size}: {most} can be drawn")
    index_of = {vertex: index for index, vertex in enumerate(graph)}
    kinds = [edge_kind(tail, head) for tail, head in edges]
    data = {
        "vertices": _forest_data(graph),
        "edges": [
            {"from": index_of[tail], "to": index_of[head], "kind": kind.value}
            for (tail, head), kind in zip(edges, kinds, strict=True)
        ],
        "steps": search_steps(graph),
    }
    counts = [f"{kinds.count(kind)} {kind.value}" for kind in EdgeKind if kind in kinds]
    summary = f"{', '.join([size, *counts])}."
    return html_page(title, summary, "graph.js", data, Look(theme=theme))


def search_steps(graph: DFSGraph[Any]) -> list[tuple[str, int, int]]:
    """Return the steps of a finished search in order, as tuples (what, index, time).

    A step is ``discover`` or ``finish`` with the index of a vertex, or ``edge`` with the index of
    an edge that is examined, in the order of `DFSGraph.arcs`.
    """
    steps: list[tuple[str, int, int]] = []
    edge_indices = itertools.count()
    for index, tail in enumerate(graph):
        steps += [("discover", index, tail.discovery), ("finish", index, tail.finish)]
        time = tail.discovery
        for head in tail.neighbors:
            steps.append(("edge", next(edge_indices), time))
            if edge_kind(tail, head) is EdgeKind.TREE:
                time = head.finish  # the other edges are examined after that
    return sorted(steps, key=lambda step: (step[2], step[0] == "edge"))


def _forest_data(graph: DFSGraph[Any]) -> list[dict[str, object]]:
    """Return the name, place and depth of each vertex in a drawing of the depth-first forest.

    Leaves stand side by side, and every other vertex above the middle of the leaves below it.
    """
    leaves = sorted(each.discovery for each in graph if each.finish == each.discovery + 1)
    depths: dict[Vertex[Any], int] = {}
    for vertex in graph.order():
        depths[vertex] = 0 if vertex.pred is None else depths[vertex.pred] + 1
    vertex_data: list[dict[str, object]] = []
    for vertex in graph:
        first = bisect(leaves, vertex.discovery - 1)  # the first leaf below the vertex
        last = bisect(leaves, vertex.finish) - 1
        depth = depths[vertex]
        x, y = _LEAF_WIDTH / 2 * (first + last), _LEVEL_HEIGHT * depth
        vertex_data.append({"name": str(vertex.key), "x": x, "y": y, "depth": depth})
    return vertex_data
