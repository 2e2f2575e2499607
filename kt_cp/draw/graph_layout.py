"""Positions for drawing the vertices of a graph: from its file, or as books draw known families.

The first of these rules that applies to a graph lays it out:

1. Positions that come with the graph are used.
2. The components of a disconnected graph are laid out one by one, side by side.
3. Graphs of known families are drawn as books draw them: paths, cycles, wheels, ladders, grids,
   hypercubes, generalized Petersen graphs (prisms, the Petersen graph, …), Möbius ladders, flower
   snarks, the Coxeter graph, and complete and complete bipartite graphs.
4. Planar graphs are drawn without crossings, unless that would put vertices too close together.
5. A cycle or path through all vertices, if one is given, becomes a circle.
6. Neighbors attract and other vertices repel one another (Fruchterman and Reingold 1991) in a large
   graph; in a smaller one, distances are as in the graph (Kamada and Kawai 1989).
7. The vertices of a huge graph lie on a circle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kt_cp.draw.graph_families import Layout, ring, usual_layout
from kt_cp.draw.planar import planar_layout
from kt_cp.graph import Graph, NamedGraph

# The largest numbers of vertices for the rules above.
_MAX_RECOGNIZED = 100
_MAX_PLANAR = 150
_MAX_DISTANCES = 200
_MAX_REPELLED = 500

_LEAST_DISTANCE = 0.055  # of two vertices of a layout by distances, relative to its larger side
_ROUNDS_APART = 30  # in which vertices are moved apart to that distance
_BOX_GAP = 1.0  # between two components, in mean distances of neighbors on a grid


def lay_out(graph: Graph, tour: Sequence[int] = ()) -> Layout:
    """Return a position for each vertex of a graph.

    ``tour`` is a cycle or a path through all vertices, if one is known.

    >>> from kt_cp.graph import Graph
    >>> lay_out(Graph.of([("a", "b"), ("b", "c")]))
    {0: (0.0, 0.0), 1: (1.0, 0.0), 2: (2.0, 0.0)}
    """
    import networkx as nx

    if isinstance(graph, NamedGraph) and graph.positions is not None:
        return {vertex: (x, y) for vertex, (x, y) in enumerate(graph.positions.tolist())}
    simple_graph = nx.Graph(graph.to_networkx())
    simple_graph.remove_edges_from(list(nx.selfloop_edges(simple_graph)))
    parts = sorted(nx.connected_components(simple_graph), key=lambda part: (-len(part), min(part)))
    if len(parts) == 1:
        return _connected_layout(simple_graph, tour)
    layouts = [_connected_layout(_part_of(simple_graph, part), ()) for part in parts]
    return _side_by_side(layouts)


def _part_of(graph: Any, vertices: set[int]) -> Any:
    """Return the part of a graph of networkx between some vertices, which it has in order."""
    import networkx as nx

    part = nx.Graph()
    part.add_nodes_from(sorted(vertices))
    part.add_edges_from(graph.subgraph(vertices).edges)
    return part


def _connected_layout(graph: Any, tour: Sequence[int]) -> Layout:
    """Return a layout of a connected graph of networkx, by the rules from the third one on."""
    import networkx as nx

    count = len(graph)
    if count <= 2:
        return {vertex: (float(index), 0.0) for index, vertex in enumerate(graph)}
    if count <= _MAX_RECOGNIZED:
        layout = usual_layout(graph)
        if layout is not None:
            return layout
    if count <= _MAX_PLANAR:
        layout = planar_layout(graph)
        if layout is not None:
            return layout
    if len(tour) == count:
        return ring(list(tour))
    circle = nx.circular_layout(graph)  # a fixed start, so that layouts are reproducible
    if count > _MAX_REPELLED:
        return dict(circle)
    if count > _MAX_DISTANCES:
        return dict(nx.spring_layout(graph, pos=circle, iterations=100, seed=0))
    return _moved_apart(dict(nx.kamada_kawai_layout(graph, pos=circle)))


def _moved_apart(layout: Layout) -> Layout:
    """Return a layout in which vertices that are too close to one another are moved apart."""
    points = np.array(list(layout.values()))
    least = _LEAST_DISTANCE * float(np.ptp(points, axis=0).max())
    for _ in range(_ROUNDS_APART):
        apart = points[:, None] - points
        distances = np.linalg.norm(apart, axis=2)
        np.fill_diagonal(distances, np.inf)
        lacking = np.maximum(least - distances, 0)
        if not lacking.any():
            break
        directions = apart / np.maximum(distances, 1e-9)[..., None]
        points += (lacking[..., None] * directions).sum(axis=1) / 2
    return {vertex: (x, y) for vertex, (x, y) in zip(layout, points.tolist(), strict=True)}


def _side_by_side(layouts: Sequence[Layout]) -> Layout:
    """Return the layouts of components in boxes on shelves, the largest component first.

    The area of a box is in proportion to the number of vertices.
    """
    boxes = [_box(layout) for layout in layouts]
    areas = sum((box[:, 0].max() + _BOX_GAP) * (box[:, 1].max() + _BOX_GAP) for box in boxes)
    shelf_width = max(1.3 * math.sqrt(areas), max(box[:, 0].max() for box in boxes))
    placed: Layout = {}
    left = top = shelf_height = 0.0
    for layout, box in zip(layouts, boxes, strict=True):
        width, height = box.max(axis=0).tolist()
        if left and left + width > shelf_width:
            left = 0.0
            top += shelf_height + _BOX_GAP
            shelf_height = 0.0
        for vertex, (x, y) in zip(layout, box.tolist(), strict=True):
            placed[vertex] = (left + x, top + y)
        left += width + _BOX_GAP
        shelf_height = max(shelf_height, height)
    return placed


def _box(layout: Layout) -> Any:
    """Return the points of a layout from the corner (0, 0) on, n x (x, y), scaled for its box."""
    points = np.array(list(layout.values()), dtype=np.float64)
    points -= points.min(axis=0)
    spread = points.max() or 1.0
    return points / spread * (math.sqrt(len(points)) - 1)
