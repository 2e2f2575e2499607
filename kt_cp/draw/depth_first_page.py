"""The page that replays depth-first search of a graph."""

from __future__ import annotations

import itertools
from bisect import bisect
from typing import Any

from kt_cp.draw.look import Look
from kt_cp.draw.page import html_page
from kt_cp.draw.palette import Theme
from kt_cp.messages import InputError, pluralize
from kt_dfs import DFSGraph, EdgeKind, Vertex
from kt_dfs.graph import edge_kind

MAX_VERTICES = 500
"""The largest number of vertices on a page, as each of them is an element of it."""

MAX_EDGES = 5000
"""The largest number of edges on a page."""

_LEAF_WIDTH, _LEVEL_HEIGHT = 1.6, 1.1  # in the unit of the page's script

_SCRIPTS = (
    "elements.js",
    "player.js",
    "lists.js",
    "graph-labels.js",
    "graph-picture.js",
    "graph.js",
)


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
    return html_page(title, summary, _SCRIPTS, data, Look(theme=theme))


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
    placed: list[dict[str, object]] = []
    for vertex in graph:
        first = bisect(leaves, vertex.discovery - 1)  # the first leaf below the vertex
        last = bisect(leaves, vertex.finish) - 1
        depth = depths[vertex]
        x, y = _LEAF_WIDTH / 2 * (first + last), _LEVEL_HEIGHT * depth
        placed.append({"name": str(vertex.key), "x": x, "y": y, "depth": depth})
    return placed
