"""Pictures of small graphs that are no boards, laid out by networkx, with a tour."""

from __future__ import annotations

import numpy as np

from kt_cp.draw.picture import Discs, Layer, Picture, Shapes, Texts
from kt_cp.draw.sheet import Look, sentence
from kt_cp.errors import InputError
from kt_cp.files import optional
from kt_cp.graph import Graph
from kt_cp.tour.tour import Tour

MAX_VERTICES = 100

_SIDE, _MARGIN = 640.0, 48.0
_LARGE, _SMALL = 12.0, 5.0  # radii
_LETTERS = 3


def check_drawable(graph: Graph) -> None:
    """Raise `InputError` for a graph that is too large to be drawn, or without the extra."""
    if len(graph) > MAX_VERTICES:
        raise InputError(f"graphs are drawn up to {MAX_VERTICES} vertices; this is a {graph.title}")
    for package in ("networkx", "scipy"):  # which networkx computes the layout with
        optional(package, "pictures of graphs", "pip install 'knights-tours[graphs]'")


def graph_picture(tour: Tour, look: Look) -> Picture:
    """Describe a picture of a graph: its edges thin, those of the tour thick, and the names.

    The layout by Kamada and Kawai (1989) keeps distances close to those in the graph.
    """
    graph = tour.graph
    check_drawable(graph)
    nx = optional("networkx", "pictures of graphs", "pip install 'knights-tours[graphs]'")
    drawn = nx.Graph(graph.to_networkx())
    start = nx.circular_layout(drawn)  # makes the layout the same every time
    places = nx.kamada_kawai_layout(drawn, pos=start) if nx.is_connected(drawn) else start
    points = np.array([places[vertex] for vertex in graph.vertices.tolist()], dtype=np.float64)
    spread = np.ptp(points, axis=0).max() or 1.0
    points = _MARGIN + (points - points.min(axis=0)) / spread * (_SIDE - 2 * _MARGIN)
    height = points[:, 1].max() + _MARGIN
    names = tuple(map(graph.name, graph.vertices.tolist()))
    fits = max(map(len, names)) <= _LETTERS  # inside of the vertices, otherwise above them
    radius = _LARGE if fits else _SMALL
    ends = points[tour.squares[[0] if tour.closed else [0, -1]]]
    layers: tuple[Layer, ...] = (
        Shapes("edge", points[graph.arcs[graph.arcs[:, 0] < graph.arcs[:, 1]]], "faint", 0.8),
        Shapes("move", points[tour.moves], "line", 2.4),
        Discs(points, radius, "paper", "line", 1.2),
        Discs(ends[:1], radius, "paper", "start", 3.0),
        Discs(ends[1:], radius, "paper", "end", 3.0),
        Texts(points if fits else points - [0, 2 * _SMALL], names, 11.0, "ink"),
    )
    caption = sentence(tour.summary if look.title is None else look.title)
    return Picture(_SIDE, height, caption, tour.summary, layers, look.theme, look.monochrome)
