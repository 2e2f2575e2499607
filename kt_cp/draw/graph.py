"""Pictures of small graphs that are no boards, laid out by networkx."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kt_cp.board import Board
from kt_cp.draw.picture import Discs, Layer, Picture, Shapes, Texts
from kt_cp.draw.sheet import Entry, Ids, Look, finish, lay_out
from kt_cp.errors import InputError
from kt_cp.files import optional
from kt_cp.graph import Graph
from kt_cp.tour.tour import Tour

MAX_VERTICES = 100

_SIDE, _MARGIN = 10, 0.75  # of the sheet, in squares
_LARGE, _SMALL = 12.0, 5.0  # radii in pixels
_LETTERS = 3

Rings = Sequence[tuple[Sequence[int] | Ids, str, str]]  # of vertices, fill and stroke


def check_drawable(graph: Graph) -> None:
    """Raise `InputError` for a graph that is too large to be drawn, or without the extra."""
    if len(graph) > MAX_VERTICES:
        raise InputError(f"graphs are drawn up to {MAX_VERTICES} vertices; this is a {graph.title}")
    for package in ("networkx", "scipy"):  # which networkx computes the layout with
        optional(package, "pictures of graphs", "pip install 'knights-tours[graphs]'")


def graph_tour_picture(tour: Tour, look: Look) -> Picture:
    """Describe the picture of a tour of a graph, whose ends stand out."""
    rings = [(tour.squares[:1], "paper", "start")]
    rings += [] if tour.closed else [(tour.squares[-1:], "paper", "end")]
    return graph_picture(tour.graph, tour.summary, look, tour.moves, "line", rings)


def graph_picture(
    graph: Graph,
    description: str,
    look: Look,
    path: Ids,
    stroke: str,
    rings: Rings,
    legend: Sequence[Entry] = (),
) -> Picture:
    """Describe a picture of a graph: its edges thin, those of a path thick, and the names.

    ``path`` has rows of two ids. The layout by Kamada and Kawai (1989) keeps distances close to
    those in the graph.
    """
    check_drawable(graph)
    nx = optional("networkx", "pictures of graphs", "pip install 'knights-tours[graphs]'")
    drawn = nx.Graph(graph.to_networkx())
    start = nx.circular_layout(drawn)  # makes the layout the same every time
    layout = nx.kamada_kawai_layout(drawn, pos=start) if nx.is_connected(drawn) else start
    places = np.array([layout[vertex] for vertex in graph.vertices.tolist()], dtype=np.float64)
    spread = np.ptp(places, axis=0).max() or 1.0
    places = _MARGIN + (places - places.min(axis=0)) / spread * (_SIDE - 2 * _MARGIN)
    rows = math.ceil(places[:, 1].max() + _MARGIN)
    sheet = lay_out(Board(rows, _SIDE), description, replace(look, coordinates=False))
    points = sheet.at(places)
    names = tuple(map(graph.name, graph.vertices.tolist()))
    fits = max(map(len, names)) <= _LETTERS  # inside of the vertices, otherwise above them
    radius = _LARGE if fits else _SMALL
    edges = graph.arcs[graph.arcs[:, 0] < graph.arcs[:, 1]]
    layers: list[Layer] = [
        Shapes("edge", points[edges], "faint", 0.8),
        Shapes("move", points[path], stroke, 2.4),
        Discs(points, radius, "paper", "line", 1.2),
        *(Discs(points[list(ids)], radius, fill, stroke, 2.5) for ids, fill, stroke in rings),
        Texts(points if fits else points - [0, 2 * _SMALL], names, 11.0, "ink"),
    ]
    told = "; ".join([description, *(text for _, text in legend)])
    return finish(sheet, layers, legend, told)
