"""The replay of a general depth-first search: colours, times, kinds of edges, parentheses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kt_cp.draw.page import page
from kt_cp.errors import InputError, counted
from kt_dfs import DFSGraph, EdgeKind, Vertex
from kt_dfs.dfs import edge_kind

MOST_VERTICES = 500
MOST_EDGES = 5000

Step = tuple[str, int, int]
"""What happens (discover, edge or finish), to which vertex or edge by number, and when."""


def graph_page(graph: DFSGraph[Any], title: str = "Depth-first search") -> str:
    """Return a page that replays depth-first search of a graph; its vertices may have names.

    The search is run here. Raises `InputError` for a graph too large to be drawn.
    """
    edges = list(graph.arcs())
    if len(graph) > MOST_VERTICES or len(edges) > MOST_EDGES:
        size = f"{counted(len(graph), 'vertex', 'vertices')} and {counted(len(edges), 'edge')}"
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
        "steps": list(steps(graph)),
    }
    counts = [kinds.count(kind) for kind in EdgeKind]
    told = ", ".join(
        f"{count} {kind.value}" for kind, count in zip(EdgeKind, counts, strict=True) if count
    )
    summary = f"{counted(len(graph), 'vertex', 'vertices')}, {counted(len(edges), 'edge')}"
    return page(title, f"{summary}: {told}." if told else f"{summary}.", _SCRIPTS, data)


_SCRIPTS = ("player.js", "graph.js")


def steps(graph: DFSGraph[Any]) -> Iterator[Step]:
    """Yield what a finished search did, in order; vertices and edges by number, from 0.

    >>> graph = DFSGraph.from_edges(2, [(0, 1), (1, 0)])
    >>> graph.dfs()
    >>> list(steps(graph))
    [('discover', 0, 1), ('edge', 0, 1), ('discover', 1, 2), ('edge', 1, 2), ('finish', 1, 3), \
('finish', 0, 4)]
    """
    numbers = {edge: number for number, edge in enumerate(graph.arcs())}
    number = {vertex: i for i, vertex in enumerate(graph)}
    time = 0
    for root in graph:
        if root.pred is not None:
            continue
        stack = [(root, iter(root.neighbors))]
        time += 1
        yield "discover", number[root], time
        while stack:
            tail, heads = stack[-1]
            for head in heads:
                yield "edge", numbers[tail, head], time
                if edge_kind(tail, head) is EdgeKind.TREE:
                    stack.append((head, iter(head.neighbors)))
                    time += 1
                    yield "discover", number[head], time
                    break
            else:
                stack.pop()
                time += 1
                yield "finish", number[tail], time


def _laid_out(graph: DFSGraph[Any]) -> list[dict[str, object]]:
    """Place the vertices as the depth-first forest: leaves side by side, parents above the middle.

    So tree edges run downwards, and back, forward and cross edges differ by their direction too.
    """
    depths: dict[Vertex[Any], int] = {}
    spans: dict[Vertex[Any], tuple[float, float]] = {}
    leaves = 0.0
    for vertex in graph.order():
        depths[vertex] = 0 if vertex.pred is None else depths[vertex.pred] + 1
    for vertex in sorted(graph, key=lambda vertex: vertex.finish):
        if vertex not in spans:
            spans[vertex] = leaves, leaves
            leaves += 1
        if vertex.pred is not None:
            left, _ = spans.get(vertex.pred, spans[vertex])
            spans[vertex.pred] = left, spans[vertex][1]
    return [
        {
            "name": str(vertex.key),
            "x": 1.2 * sum(spans[vertex]) / 2,
            "y": 1.1 * depths[vertex],
            "depth": depths[vertex],
        }
        for vertex in graph
    ]
