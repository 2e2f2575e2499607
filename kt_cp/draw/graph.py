"""Pictures of small graphs that are no boards, laid out by networkx."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.picture import Discs, Picture, Shapes, Texts
from kt_cp.draw.sheet import Entry, Ids, Look, Sheet
from kt_cp.errors import InputError
from kt_cp.files import optional
from kt_cp.graph import Graph

MAX_VERTICES = 100

_SIDE, _MARGIN = 10, 0.75  # of the sheet, in squares
_LARGE, _SMALL = 12.0, 5.0  # radii in pixels
_LETTERS = 3


def check_drawable(graph: Graph) -> Any:
    """Return networkx. Raise `InputError` for too large a graph, or without the extra."""
    if len(graph) > MAX_VERTICES:
        raise InputError(f"graphs are drawn up to {MAX_VERTICES} vertices; this is a {graph.title}")
    needed, install = ("scipy", "networkx"), "pip install 'knights-tours[graphs]'"
    return [optional(package, "pictures of graphs", install) for package in needed][-1]


def graph_picture(
    graph: Graph,
    description: str,
    look: Look,
    path: Ids,
    stroke: str,
    rings: Iterable[tuple[Sequence[int] | Ids, str, str]],
    legend: Sequence[Entry] = (),
) -> Picture:
    """Describe a picture of a graph: its edges thin, those of a path thick, and the names.

    ``path`` has rows of two ids, ``rings`` are vertices with fill and stroke. The layout by Kamada
    and Kawai (1989) keeps distances close to those in the graph.
    """
    nx = check_drawable(graph)
    drawn = nx.Graph(graph.to_networkx())
    start = nx.circular_layout(drawn)  # makes the layout the same every time
    layout = nx.kamada_kawai_layout(drawn, pos=start) if nx.is_connected(drawn) else start
    places = np.array([layout[vertex] for vertex in graph.vertices.tolist()], dtype=np.float64)
    spread = np.ptp(places, axis=0).max() or 1.0
    places = _MARGIN + (places - places.min(axis=0)) / spread * (_SIDE - 2 * _MARGIN)
    rows = math.ceil(places[:, 1].max() + _MARGIN)
    sheet = Sheet(Board(rows, _SIDE), description, replace(look, coordinates=False))
    points = sheet.at(places)
    names = tuple(map(graph.name, graph.vertices.tolist()))
    fits = max(map(len, names)) <= _LETTERS  # inside of the vertices, otherwise above them
    radius = _LARGE if fits else _SMALL
    edges = graph.arcs[graph.arcs[:, 0] < graph.arcs[:, 1]]
    sheet.layers = [
        Shapes("edge", points[edges], "faint", 0.8),
        Shapes("move", points[path], stroke, 2.4),
        Discs(points, radius, "paper", "line", 1.2),
        *(Discs(points[list(ids)], radius, fill, stroke, 2.5) for ids, fill, stroke in rings),
        Texts(points if fits else points - [0, 2 * _SMALL], names, 11.0, "ink"),
    ]
    sheet.legend += legend
    return sheet.finish("; ".join([description, *(text for _, text in legend)]))
