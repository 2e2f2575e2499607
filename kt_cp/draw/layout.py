"""Positions of squares and vertices in a drawing, and the sizes of vertices and their names.

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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kt_cp.arrays import Floats, Ints
from kt_cp.board import Board
from kt_cp.draw.picture import Points
from kt_cp.graph import Graph

# The largest numbers of vertices for the rules above.
_MAX_PLANAR, _MAX_DISTANCES, _MAX_REPELLED = 150, 200, 500

_OUTER_FACES = 6  # that are tried in drawings of planar graphs
_ROUNDS = 8  # of drawing a planar graph with weights
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
    whole = nx.Graph()
    whole.add_nodes_from(range(len(graph)))
    whole.add_edges_from(arc for arc in graph.arcs.tolist() if arc[0] != arc[1])
    points = np.zeros((len(graph), 2))
    left_end = 0.0
    for component in sorted(nx.connected_components(whole), key=len, reverse=True):
        part = sorted(component)
        connected = nx.convert_node_labels_to_integers(whole.subgraph(part), ordering="sorted")
        box = _connected_layout(connected, tour)
        box = box - box.min(axis=0)
        # The area is in proportion to the number of vertices.
        box *= (math.sqrt(len(part)) - 1) / (box.max() or 1.0)
        points[part] = box + np.array([left_end, 0])
        left_end += float(box[:, 0].max()) + 1
    return points


def _connected_layout(graph: Any, tour: Sequence[int]) -> Points:
    """Return a layout of a connected graph of networkx, by the rules from the third one on.

    Its vertices are the numbers from 0; ``tour`` is used if it visits all of them.
    """
    import networkx as nx

    count = len(graph)
    if count <= 2:
        return np.array([(index, 0.0) for index in range(count)])
    if count == 10 and graph.number_of_edges() == 15:
        petersen = nx.petersen_graph()
        names = nx.vf2pp_isomorphism(graph, petersen)
        if names is not None:
            shells = nx.shell_layout(petersen, [range(5, 10), range(5)], rotate=0)
            return np.array([shells[names[each]] @ [[0, -1], [1, 0]] for each in range(count)])
    points = _planar_layout(graph) if count <= _MAX_PLANAR else None
    if points is not None:
        return points
    if len(tour) == count:
        return _ring(count)[np.argsort(tour)]
    places = nx.circular_layout(graph)  # a fixed start, so that layouts are reproducible
    if count <= _MAX_DISTANCES:
        places = nx.kamada_kawai_layout(graph, pos=places)
    elif count <= _MAX_REPELLED:
        places = nx.spring_layout(graph, pos=places, iterations=100, seed=0)
    return np.array([places[vertex] for vertex in range(count)])


def _ring(count: int) -> Points:
    """Return points on a circle, clockwise from the top."""
    angles = 2 * math.pi * np.arange(count) / count
    return np.stack([np.sin(angles), -np.cos(angles)], axis=1)


# -- planar graphs ---------------------------------------------------------------------------------


def _planar_layout(graph: Any) -> Points | None:
    """Return a layout without crossings, or None if a vertex would be too close to an edge.

    Graphs that stay connected without any two vertices are drawn as by Tutte. Others are drawn by
    distances, if that has no crossings, and otherwise as by Tutte, if no vertex separates them.
    """
    import networkx as nx

    is_planar, embedding = nx.check_planarity(graph)
    if not is_planar:
        return None
    edges = np.array(graph.edges)

    def clearance(points: Points) -> float:
        """Return the least distance of a vertex and an edge, relative to the size of all."""
        return least_clearance(points, edges) / float(np.ptp(points, axis=0).max())

    drawings = _tutte_drawings(embedding, edges) if nx.is_biconnected(graph) else []
    drawings = sorted(drawings, key=clearance)[-1:]
    if nx.node_connectivity(graph) < 3:
        for start in (nx.planar_layout(graph), *(dict(enumerate(each)) for each in drawings)):
            places = nx.kamada_kawai_layout(graph, pos=start)
            drawings.append(_turned(np.array([places[vertex] for vertex in graph]), edges))
    return next((each for each in reversed(drawings) if clearance(each) >= _MIN_CLEARANCE), None)


def _turned(points: Points, edges: Ints) -> Points:
    """Return points turned so that many edges, such as those of a grid, are level or upright."""
    along = (points[edges[:, 1]] - points[edges[:, 0]]) @ [1, 1j]
    turn = np.angle(((along / abs(along)) ** 4).sum()) / 4
    turned = points @ [1, 1j] * np.exp(-1j * turn)
    return np.stack([turned.real, turned.imag], axis=1)


def _tutte_drawings(embedding: Any, edges: Ints) -> list[Points]:
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
    drawings: list[Points] = []
    for outer in sorted(faces, key=len, reverse=True)[:_OUTER_FACES]:
        points = np.zeros((len(embedding), 2))
        points[outer] = _ring(len(outer))
        inner = np.setdiff1d(np.arange(len(embedding)), outer)
        if not len(inner):
            drawings.append(points)
            continue
        is_inside = np.isin(edges, inner).any(axis=1)
        weights = np.ones(len(edges))
        for _ in range(_ROUNDS):
            points = _amid_neighbors(points, inner, edges, weights)
            drawings.append(points)
            tails, heads = points[edges[is_inside]].transpose(1, 0, 2)
            lengths = np.linalg.norm(tails - heads, axis=1)
            weights[is_inside] *= np.sqrt(np.maximum(lengths / lengths.mean(), 0.01))
    return drawings


def _amid_neighbors(points: Points, inner: Ints, edges: Ints, weights: Floats) -> Points:
    """Return points of which every inner one is the mean of its neighbors; the others stay.

    ``edges`` are rows of two vertices, and their ``weights`` those of the neighbors in the mean.
    """
    laplacian = np.zeros((len(points), len(points)))
    tails, heads = edges.T
    laplacian[tails, heads] = laplacian[heads, tails] = -weights
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    outer = np.setdiff1d(np.arange(len(points)), inner)
    pull = -laplacian[np.ix_(inner, outer)] @ points[outer]
    moved = points.copy()
    moved[inner] = np.linalg.solve(laplacian[np.ix_(inner, inner)], pull)
    return moved


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


# -- the sizes of vertices -------------------------------------------------------------------------

# The radius of a vertex with its name inside, in pixels, and relative to the least distance between
# two vertices and to that from an edge that passes a vertex.
_MIN_RADIUS, _MAX_RADIUS = 9.0, 22.0
_RADIUS_SHARE, _CLEARANCE_SHARE = 0.33, 0.7
_MAX_MEASURED = 200  # vertices whose distances are computed; those of larger graphs are small
_MAX_PAIRS = 100_000  # of a vertex and an edge whose distances are computed

_MIN_DOT, _MAX_DOT = 2.5, 5.0  # radius of a vertex with its name beside it, in pixels
_FILLED_DOT = 8.0  # that of a colored vertex, which may hold a letter

# The size of the font of a name inside a vertex, in radii, for the length of the longest name.
_FONT_IN_RADIUS = {1: 1.3, 2: 1.2, 3: 0.95}

# The sizes of the font of names beside vertices, in pixels, and that among many vertices.
_NAME_SIZE, _SMALL_NAME_SIZE = 14.0, 11.0
_MAX_LARGE_NAMES, _MAX_NAMES = 40, 80  # vertices


@dataclass(frozen=True)
class VertexSigns:
    """How the vertices of a graph are drawn: as discs of a radius in pixels, with or without names.

    A colored vertex has the ``filled_radius``, so that a letter fits in. ``font_size`` is that of
    the names, which are inside or beside the discs; 0 means no names.
    """

    radius: float
    filled_radius: float
    names: tuple[str, ...]
    are_inside: bool
    font_size: float

    @classmethod
    def of(cls, graph: Graph, points: Points, zoom: float) -> VertexSigns:
        """Return discs as large as the distances between vertices and edges allow.

        ``points`` are the centers of the vertices in pixels; ``zoom`` enlarges names.
        """
        names = tuple(graph.name(vertex) for vertex in graph.vertices.tolist())
        longest = max(map(len, names))
        count = len(names)
        room = _MIN_DOT
        if count <= _MAX_MEASURED:
            distances = np.linalg.norm(points[:, None] - points, axis=2)
            np.fill_diagonal(distances, np.inf)
            room = min(_MAX_RADIUS, _RADIUS_SHARE * float(distances.min()))
            if count * len(graph.arcs) <= _MAX_PAIRS:
                room = min(room, _CLEARANCE_SHARE * least_clearance(points, graph.arcs))
        if longest in _FONT_IN_RADIUS and room >= _MIN_RADIUS * zoom:
            return cls(room, room, names, True, _FONT_IN_RADIUS[longest] * room)
        size = 0.0
        if count <= _MAX_NAMES:
            size = _NAME_SIZE * zoom if count <= _MAX_LARGE_NAMES else _SMALL_NAME_SIZE
        radius = min(_MAX_DOT, max(_MIN_DOT, room))
        return cls(radius, max(radius, _FILLED_DOT * zoom), names, False, size)
