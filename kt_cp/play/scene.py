"""Scenes: what the page shows at one time, as plain values.

Workers compute scenes and the server sends them. The server itself never unpickles a position, as
work on a position that a visitor has chosen may take long.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_cp.draw.picture import Picture, mark_svg, svg
from kt_cp.messages import InputError
from kt_cp.play.board_position import BoardPosition
from kt_cp.play.graph_position import GraphPosition
from kt_cp.play.pictures import position_picture
from kt_cp.play.position import Position
from kt_cp.tour.validator import leads_back

Box = tuple[float, float, float, float]
"""A rectangle in a picture: left, top, width and height, in pixels of the picture."""


@dataclass(frozen=True)
class LegendLine:
    """A line of a legend: its mark as SVG, which may be empty, and its text."""

    mark: str
    text: str


@dataclass(frozen=True)
class BoardView:
    """A board as the page shows it: a picture as SVG, with its width in pixels.

    ``box`` is the part of the picture that shows the squares. ``unreachable`` are the squares that
    the path can no longer reach, and ``hinted`` is the square that a hint names.
    """

    rows: int
    columns: int
    piece: str
    topology: str
    svg: str
    width: float
    box: Box
    legend: tuple[LegendLine, ...] = ()
    unreachable: tuple[int, ...] = ()
    hinted: int | None = None


@dataclass(frozen=True)
class GraphView:
    """A graph as the page shows it: names, edges as pairs of indices, and the point of each vertex.

    ``text`` has the edges as a visitor writes them. ``path`` has the vertices of the path in order,
    and ``next`` those to which it can go on. ``closes`` is whether the path is a closed tour, which
    an edge closes.
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
    """What the page shows: a board or a graph with a path, and an answer.

    ``position`` is a pickled `Position`, and ``size`` its number of vertices; ``is_bare`` is
    whether it has neither a path nor a constraint, except the kind of tour. ``labels`` are the
    accessible names of all vertices in order; ``path_names`` has those on the path, and
    ``query`` is the query of the address. The answer is the sentence ``message`` with the lines
    ``details``; ``certificate`` and ``race`` are the contents of files, and ``puzzle`` is the data
    of the puzzle player.
    """

    message: str
    position: bytes
    is_bare: bool
    closed: bool
    labels: tuple[str, ...]
    query: str
    size: int
    path_names: tuple[str, ...]
    board: BoardView | None = None
    graph: GraphView | None = None
    details: tuple[str, ...] = ()
    certificate: str = ""
    race: str = ""
    puzzle: dict[str, object] | None = None


def scene_of(
    position: Position,
    message: str = "",
    *,
    picture: Picture | None = None,
    has_legend: bool = True,
    **fields: Any,
) -> Scene:
    """Return the scene of a position.

    A ``picture`` of an answer replaces that of the position; its legend is shown with
    ``has_legend``. ``fields`` are further fields of the scene.
    """
    board, graph = None, None
    if isinstance(position, BoardPosition):
        board = _board_view(position, picture, has_legend)
    elif isinstance(position, GraphPosition):
        graph = _graph_view(position)
    return Scene(
        message=message,
        position=pickle.dumps(position),
        is_bare=position == position.cleared(),
        closed=position.instance.closed,
        labels=tuple(position.labels),
        query=position.query,
        size=len(position.graph),
        path_names=tuple(map(position.graph.name, position.path)),
        board=board,
        graph=graph,
        **fields,
    )


def scene_with_unreachable(position: Position, message: str) -> Scene:
    """Return the scene of a position on which the unreachable squares are marked."""
    scene = scene_of(position, message)
    if scene.board is None:
        return scene
    return replace(scene, board=replace(scene.board, unreachable=position.unreachable))


def scene_with_hint(position: BoardPosition, message: str, square: int) -> Scene:
    """Return the scene of a position on which the square that a hint names is marked."""
    scene = scene_of(position, message)
    assert scene.board is not None
    return replace(scene, board=replace(scene.board, hinted=square))


def open_position(pickled: bytes) -> Position:
    """Return the position of a scene. Only a worker may call it, on what a worker has pickled."""
    position: Position = pickle.loads(pickled)
    return position


def open_board_position(pickled: bytes) -> BoardPosition:
    """Return the position of a scene with a board. Raises `InputError` for a graph."""
    position = open_position(pickled)
    if not isinstance(position, BoardPosition):
        raise InputError("this is for boards; choose rows and columns to leave the graph")
    return position


def _board_view(
    position: BoardPosition, answer_picture: Picture | None, has_legend: bool
) -> BoardView:
    """Return the board of a position with the picture of an answer, or of the position itself."""
    board = position.board
    picture = answer_picture or position_picture(position)
    left, top = picture.corner
    box = (left, top, board.columns * picture.cell, board.rows * picture.cell)
    lines: list[LegendLine] = []
    if answer_picture is not None and has_legend:
        lines = [LegendLine(mark_svg(entry), entry.text) for entry in picture.legend]
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


def _graph_view(position: GraphPosition) -> GraphView:
    """Return the graph of a position with its path."""
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
