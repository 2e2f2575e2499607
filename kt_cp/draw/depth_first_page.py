"""The page that replays depth-first search of a graph."""

from __future__ import annotations

import itertools
from bisect import bisect
from typing import Any

from kt_cp.draw.look import Look
from kt_cp.draw.page import html_page
from kt_cp.draw.palette import Theme
from kt_cp.errors import InputError, pluralize
from kt_dfs import DFSGraph, EdgeKind, Vertex
from kt_dfs.digraph import edge_kind

MAX_VERTICES, MAX_EDGES = 500, 5000
"""How many vertices and edges a page shows, as each is an element of it."""

_SCRIPTS = "elements.js", "player.js", "graph-labels.js", "graph.js"


def graph_page(
    graph: DFSGraph[Any], title: str = "Depth-first search", theme: Theme = Theme.AUTO
) -> str:
    """Return a page that replays the depth-first search of a graph, which has run.

    Raises `InputError` for a graph without vertices, and for too large a one.
    """
    edges = list(graph.arcs())
    size = f"{pluralize(len(graph), 'vertex', 'vertices')} and {pluralize(len(edges), 'edge')}"
    if not 0 < len(graph) <= MAX_VERTICES or len(edges) > MAX_EDGES:
        most = f"1 to {MAX_VERTICES} vertices and at most {MAX_EDGES} edges"
        raise InputError(f"graph of {size}: {most} can be drawn")
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
    return html_page(title, summary, _SCRIPTS, data, Look(theme=theme))


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
            "x": 0.8 * (bisect(leaves, vertex.discovery - 1) + bisect(leaves, vertex.finish) - 1),
            "y": 1.1 * depths[vertex],
            "depth": depths[vertex],
        }
        for vertex in graph
    ]
