"""Replay depth-first search of a graph on a page: colours, times, kinds of edges, parentheses."""

from __future__ import annotations

import itertools
from bisect import bisect
from typing import Any

from kt_cp.draw.html_page import page
from kt_cp.errors import InputError, counted
from kt_dfs import DFSGraph, EdgeKind, Vertex
from kt_dfs.dfs import edge_kind

MOST_VERTICES = 500
MOST_EDGES = 5000

Step = tuple[str, int, int]  # discover, edge or finish; of which vertex or edge; at which time


def graph_page(graph: DFSGraph[Any], title: str = "Depth-first search") -> str:
    """Run depth-first search of a graph and return a page that replays it.

    Raises `InputError` for a graph too large to be drawn.
    """
    edges = list(graph.arcs())
    size = f"{counted(len(graph), 'vertex', 'vertices')} and {counted(len(edges), 'edge')}"
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
    return page(title, summary, ("player.js", "graph.js"), data)


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
