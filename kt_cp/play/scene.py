"""What the page shows at one time, as plain values: a worker computes them, the server sends them.

The server itself never looks into a position, which a visitor may have made expensive to look into.
"""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_cp.draw.look import Look
from kt_cp.draw.picture import END_MARK, START_MARK, Mark, Picture, disc_mark, svg
from kt_cp.draw.puzzle import draw_constraints
from kt_cp.draw.sheet import DISC, ROOM, Sheet
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.position import Position
from kt_cp.tour.validator import leads_back

BARE = Look(title="", legend=False, coordinates=False)
"""Pictures of a board alone; the page says what is in them, and names the lines of the board."""

Box = tuple[float, float, float, float]
"""A part of a picture: left, top, width and height in its pixels."""

_MARK_SIDE = 20.0  # pixels of the picture of a mark in the legend


@dataclass(frozen=True)
class LegendLine:
    """A line of a legend: the mark that it explains as SVG, which may be empty, and its text."""

    mark: str
    text: str


@dataclass(frozen=True)
class BoardView:
    """A board as the page shows it: a picture as SVG, with its width and which part is the board.

    ``lost`` are the squares that the path can no longer reach.
    """

    rows: int
    columns: int
    piece: str
    topology: str
    svg: str
    width: float
    box: Box
    legend: tuple[LegendLine, ...] = ()
    lost: tuple[int, ...] = ()


@dataclass(frozen=True)
class GraphView:
    """A graph as the page shows it: its names and edges, and where each vertex is drawn.

    ``text`` has its edges as a visitor writes them. ``path`` are its vertices in order, and
    ``next`` those to which it can go on; ``closes`` if an edge leads from its end to its start.
    """

    text: str
    names: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]
    directed: bool
    points: tuple[tuple[float, float], ...]
    path: tuple[int, ...]
    closes: bool
    next: tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """What the page shows: a board or a graph with what is on it, and what was answered.

    ``position`` is a pickled `Position`. ``labels`` are the accessible names of all vertices in
    order; ``path`` has the names of those on the path, and ``query`` is the address. Of an answer,
    ``words`` are the sentence and ``details`` what else there is to say, ``certificate`` and
    ``race`` the content of files, and ``puzzle`` what the player of puzzles needs.
    """

    words: str
    position: bytes
    closed: bool
    labels: tuple[str, ...]
    query: str
    size: int
    path: tuple[str, ...]
    board: BoardView | None = None
    graph: GraphView | None = None
    details: tuple[str, ...] = ()
    certificate: str = ""
    race: str = ""
    puzzle: dict[str, object] | None = None

    @property
    def is_bare(self) -> bool:
        """Whether there is no path and nothing that is asked for, but the kind of tour."""
        return all(label.endswith((", empty", ", hole")) for label in self.labels)


def show(
    position: Position,
    words: str = "",
    *,
    picture: Picture | None = None,
    has_legend: bool = True,
    **answer: Any,
) -> Scene:
    """Return the scene of a position, or of a ``picture`` of an answer on its board.

    ``answer`` are further fields of the scene.
    """
    board, graph = None, None
    if isinstance(position, BoardPosition):
        board = _board_view(position, picture, has_legend)
    elif isinstance(position, GraphPosition):
        graph = _graph_view(position)
    return Scene(
        words=words,
        position=pickle.dumps(position),
        closed=position.instance.closed,
        labels=tuple(position.labels),
        query=position.query,
        size=len(position.graph),
        path=tuple(map(position.graph.name, position.path)),
        board=board,
        graph=graph,
        **answer,
    )


def show_lost(position: Position, words: str) -> Scene:
    """Return the scene of a position on which the squares out of reach are marked."""
    scene = show(position, words)
    if scene.board is None:
        return scene
    return replace(scene, board=replace(scene.board, lost=position.cut_off))


def _board_view(position: BoardPosition, answer: Picture | None, has_legend: bool) -> BoardView:
    """Return the picture of an answer, or of the position itself, for the page."""
    board = position.board
    picture = answer or position_picture(position)
    left, top = picture.corner
    box = (left, top, board.columns * picture.cell, board.rows * picture.cell)
    lines: list[LegendLine] = []
    if answer is not None and has_legend:
        lines = [_legend_line(mark, text) for mark, text in picture.legend]
    return BoardView(
        rows=board.rows,
        columns=board.columns,
        piece=board.piece.name,
        topology=board.topology.value,
        svg=svg(picture),
        width=picture.width,
        box=box,
        legend=tuple(lines),
    )


def _legend_line(mark: Mark | None, text: str) -> LegendLine:
    """Draw the mark of a line of the legend as a picture of its own."""
    if mark is None:
        return LegendLine("", text)
    middle = np.array([[_MARK_SIDE / 2, _MARK_SIDE / 2]])
    return LegendLine(svg(Picture(_MARK_SIDE, _MARK_SIDE, "", "", (mark(middle, 7),))), text)


def _graph_view(position: GraphPosition) -> GraphView:
    graph, path = position.graph, position.path
    is_complete = len(path) == len(graph)
    return GraphView(
        text=position.text,
        names=tuple(graph.name(vertex) for vertex in graph.vertices.tolist()),
        edges=tuple(position.edges),
        directed=graph.directed,
        points=tuple((x, y) for x, y in position.points()),
        path=path,
        closes=is_complete and position.instance.closed and leads_back(graph, np.array(path)),
        next=() if is_complete else position.next_vertices,
    )


def position_picture(
    position: BoardPosition,
    path: Sequence[int] | None = None,
    wrong: Iterable[tuple[int, int]] = (),
) -> Picture:
    """Describe the picture of a position: its constraints, its path, and where this can go on.

    Another ``path`` can be drawn in place of its own, with its ``wrong`` moves.
    """
    instance, board, steps = position.instance, position.board, position.steps
    sheet = Sheet(board, "", BARE, word_length=len(str(len(board))))
    draw_constraints(sheet, instance, ends=False)
    path = position.path if path is None else path
    clues = {step: square for step, square in steps.items() if square not in path}
    sheet.fill("visited", list(steps.values()))
    _draw_path(sheet, path, set(wrong), is_closed=instance.closed and len(path) == len(board))
    sheet.write_words([*clues.values()], clues, share=ROOM, fill="ink", bold=True)
    if instance.start is not None and instance.start not in path:
        sheet.draw_mark(disc_mark(None, "start", 0.12), [instance.start], radius=0.42)
    if instance.end is not None and instance.end not in path:
        sheet.draw_mark(disc_mark(None, "end", 0.12), [instance.end], radius=0.42)
    if path is position.path and len(path) < len(board):
        free = [square for square in position.next_vertices if square not in clues.values()]
        sheet.draw_mark(disc_mark("start"), free, radius=0.09)
    return sheet.finish(f"board {board.title}, {len(path)} squares visited")


def _draw_path(
    sheet: Sheet, path: Sequence[int], wrong: set[tuple[int, int]], is_closed: bool
) -> None:
    """Draw the moves of a path and the numbers of its squares; wrong moves are dashed."""
    if not path:
        return
    closing = path[:1] if is_closed else ()
    moves = list(itertools.pairwise([*path, *closing]))
    sheet.draw_moves([move for move in moves if move not in wrong])
    sheet.draw_moves(
        [move for move in moves if move in wrong],
        "fault",
        thickness=1.8,
        css_class="fault",
        dashes=(7, 5),
    )
    sheet.draw_mark(disc_mark("visited"), path, radius=DISC)
    sheet.draw_mark(disc_mark(None, "end", 0.18), path[-1:], radius=DISC)
    sheet.draw_mark(disc_mark(None, "start", 0.18), path[:1], radius=DISC)
    if sheet.can_write(len(str(len(path))), share=2 * DISC):
        sheet.write_words(path, range(1, len(path) + 1), share=2 * DISC)
    else:
        sheet.draw_mark(START_MARK, path[:1])
        sheet.draw_mark(END_MARK, path[-1:])
