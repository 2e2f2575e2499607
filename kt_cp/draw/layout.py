"""Positions for drawing the squares of a board and the vertices of a graph.

The first of these rules that applies to a graph lays it out:

1. Positions that come with the graph are used.
2. The components of a disconnected graph are laid out one by one, side by side.
3. The Petersen graph is drawn as a star in a ring, as in books.
4. Planar graphs are drawn without crossings, unless that would put vertices too close together.
5. A cycle or path through all vertices, if one is given, becomes a circle.
6. Distances are as in the graph (Kamada and Kawai 1989); in a large graph, neighbors attract and
   other vertices repel one another (Fruchterman and Reingold 1991).
7. The vertices of a huge graph lie on a circle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.draw.picture import Points
from kt_cp.graph import Graph

# The largest numbers of vertices for the rules above.
_MAX_PLANAR, _MAX_DISTANCES, _MAX_REPELLED = 150, 200, 500

_OUTER_FACES, _ROUNDS = 6, 8  # that are tried in drawings of planar graphs
_MIN_CLEARANCE = 0.012  # of a vertex to an edge, relative to the larger side of a drawing

# The least side of the picture of a graph, in squares; that of a larger graph is in proportion to
# the square root of its number of vertices.
_MIN_GRAPH_SIDE, _SIDE_SHARE = 8, 1.5


def centers(graph: Graph, tour: Sequence[int] = ()) -> Points:
    """Return the center of each id of a board, or of each vertex of a graph, in squares.

    The points are n x (x, y). ``tour`` is a cycle or path through all vertices of a graph, if one
    is known.
    """
    if isinstance(graph, Board):
        rows, columns = np.divmod(np.arange(graph.area), graph.columns)
        return np.stack([columns, rows], axis=1) + 0.5
    points = _positions(graph, tour)
    spread = np.ptp(points, axis=0).max() or 1.0
    side = max(_MIN_GRAPH_SIDE, round(_SIDE_SHARE * math.sqrt(len(graph))))
    return np.asarray(0.5 + (points - points.min(axis=0)) / spread * (side - 1))


def _positions(graph: Graph, tour: Sequence[int]) -> Points:
    """Return a position for each vertex of a graph, in any unit."""
    import networkx as nx

    if graph.positions is not None:
        return np.asarray(graph.positions, dtype=np.float64)
    simple = nx.Graph()
    simple.add_nodes_from(graph.vertices.tolist())
    simple.add_edges_from((tail, head) for tail, head in graph.arcs.tolist() if tail != head)
    parts = sorted(nx.connected_components(simple), key=lambda part: (-len(part), min(part)))
    points = np.zeros((len(graph), 2))
    if len(parts) == 1:
        return _as_points(_connected_layout(simple, tour), range(len(graph)))
    left = 0.0
    for part in parts:
        members = sorted(part)
        ordered = nx.Graph()
        ordered.add_nodes_from(members)
        ordered.add_edges_from(simple.subgraph(members).edges)
        box = _as_points(_connected_layout(ordered, ()), members)
        box -= box.min(axis=0)
        # The area is in proportion to the number of vertices.
        box *= (math.sqrt(len(members)) - 1) / (box.max() or 1.0)
        points[members] = box + np.array([left, 0])
        left += float(box[:, 0].max()) + 1
    return points


def _as_points(layout: Mapping[Any, Any], vertices: Sequence[int]) -> Points:
    """Return the points of a layout of networkx in the order of the vertices."""
    return np.array([layout[vertex] for vertex in vertices], dtype=np.float64)


def _connected_layout(graph: Any, tour: Sequence[int]) -> Mapping[Any, Any]:
    """Return a layout of a connected graph of networkx, by the rules from the third one on."""
    import networkx as nx

    count = len(graph)
    if count <= 2:
        return {vertex: (float(index), 0.0) for index, vertex in enumerate(graph)}
    if count == 10 and graph.number_of_edges() == 15:
        petersen = nx.petersen_graph()
        match = nx.isomorphism.GraphMatcher(petersen, graph)
        if match.is_isomorphic():
            shells = nx.shell_layout(petersen, [range(5, 10), range(5)], rotate=0)
            return {match.mapping[each]: (y, -x) for each, (x, y) in shells.items()}
    if count <= _MAX_PLANAR:
        is_planar, embedding = nx.check_planarity(graph)
        layout = _planar_layout(graph, embedding) if is_planar else None
        if layout is not None:
            return layout
    if len(tour) == count:
        return _ring(tour)
    circle = nx.circular_layout(graph)  # a fixed start, so that layouts are reproducible
    if count <= _MAX_DISTANCES:
        circle = nx.kamada_kawai_layout(graph, pos=circle)
    elif count <= _MAX_REPELLED:
        circle = nx.spring_layout(graph, pos=circle, iterations=100, seed=0)
    return dict(circle)


def _ring(vertices: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Return points on a circle, clockwise from the top."""
    angles = [2 * math.pi * index / len(vertices) for index in range(len(vertices))]
    points = [(math.sin(angle), -math.cos(angle)) for angle in angles]
    return dict(zip(vertices, points, strict=True))


# -- planar graphs ---------------------------------------------------------------------------------


def _planar_layout(graph: Any, embedding: Any) -> Mapping[Any, Any] | None:
    """Return a layout without crossings, or None if a vertex would be too close to an edge.

    Graphs that stay connected without any two vertices are drawn as by Tutte. Others are drawn by
    distances, if that has no crossings, and otherwise as by Tutte, if no vertex separates them.
    """
    import networkx as nx

    vertices = list(graph)
    number = {vertex: index for index, vertex in enumerate(vertices)}
    edges = np.array([(number[tail], number[head]) for tail, head in graph.edges])
    drawings: list[Points] = []
    if nx.is_biconnected(graph):
        drawings = _tutte_drawings(embedding, number, edges)
    if nx.node_connectivity(graph) < 3:
        best = max(drawings, key=lambda points: _clearance(points, edges), default=None)
        starts = [nx.planar_layout(graph)]
        if best is not None:
            starts.insert(0, dict(zip(vertices, best, strict=True)))
        for start in starts:
            layout = nx.kamada_kawai_layout(graph, pos=start)
            points = _as_points(layout, vertices)
            if _clearance(points, edges) >= _MIN_CLEARANCE:
                # Turn it so that many edges, such as those of a grid, are level or upright.
                along = (points[edges[:, 1]] - points[edges[:, 0]]) @ [1, 1j]
                turn = np.angle(((along / abs(along)) ** 4).sum()) / 4
                turned = points @ [1, 1j] * np.exp(-1j * turn)
                return dict(zip(vertices, zip(turned.real, turned.imag, strict=True), strict=True))
    drawings = [points for points in drawings if _clearance(points, edges) >= _MIN_CLEARANCE]
    if not drawings:
        return None
    best = max(drawings, key=lambda points: _clearance(points, edges))
    return dict(zip(vertices, best.tolist(), strict=True))


def _tutte_drawings(embedding: Any, number: Mapping[Any, int], edges: Ints) -> list[Points]:
    """Return drawings with a long face on a circle, and every other vertex amid its neighbors.

    From drawing to drawing, long edges weigh more, so that they get shorter and the inner faces
    larger. W. T. Tutte, How to Draw a Graph, Proceedings of the London Mathematical Society 13
    (1963).
    """
    seen: set[tuple[Any, Any]] = set()
    faces = [
        embedding.traverse_face(tail, head, mark_half_edges=seen)
        for tail, head in embedding.edges
        if (tail, head) not in seen
    ]
    count, (tails, heads) = len(number), edges.T
    drawings: list[Points] = []
    for face in sorted(faces, key=len, reverse=True)[:_OUTER_FACES]:
        outer = np.array([number[vertex] for vertex in face])
        inner = np.setdiff1d(np.arange(count), outer)
        points = np.zeros((count, 2))
        points[outer] = list(_ring(outer.tolist()).values())
        is_inside = np.isin(edges, inner).any(axis=1)
        weights = np.ones(len(edges))
        for _ in range(_ROUNDS if len(inner) else 1):
            laplacian = np.zeros((count, count))
            laplacian[tails, heads] = laplacian[heads, tails] = -weights
            np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
            pull = -laplacian[np.ix_(inner, outer)] @ points[outer]
            points[inner] = np.linalg.solve(laplacian[np.ix_(inner, inner)], pull)
            drawings.append(points.copy())
            lengths = np.linalg.norm(points[tails] - points[heads], axis=1)
            mean = lengths[is_inside].mean() if len(inner) else 1.0
            weights[is_inside] *= np.sqrt(np.maximum(lengths[is_inside] / mean, 0.01))
    return drawings


def _clearance(points: Points, edges: Ints) -> float:
    """Return the least distance from a vertex to an edge, relative to the size of the drawing."""
    return least_clearance(points, edges) / float(np.ptp(points, axis=0).max())


def least_clearance(points: Points, edges: Ints) -> float:
    """Return the least distance from a point to an edge of which it is no end, in the unit of both.

    ``points`` are those of the vertices, n x (x, y), and ``edges`` are rows of two vertices. The
    distance is infinite if there is no such pair.

    >>> least_clearance(np.array([(0.0, 0.0), (4.0, 0.0), (1.0, 3.0)]), np.array([(0, 1)]))
    3.0
    """
    tails, heads = points[edges].transpose(1, 0, 2)
    along = heads - tails
    squared_lengths = np.maximum((along**2).sum(axis=1), np.finfo(np.float64).tiny)
    shares = ((points[:, None] - tails) * along).sum(axis=2) / squared_lengths
    nearest = tails + np.clip(shares, 0, 1)[..., None] * along
    distances = np.linalg.norm(points[:, None] - nearest, axis=2)
    is_end = (edges[None] == np.arange(len(points))[:, None, None]).any(axis=2)
    return float(distances[~is_end].min(initial=np.inf))
