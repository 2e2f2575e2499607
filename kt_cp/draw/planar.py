"""Drawings of planar graphs without crossings.

W. T. Tutte, How to Draw a Graph, Proceedings of the London Mathematical Society 13 (1963).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.draw.clearance import least_clearance
from kt_cp.draw.graph_families import Layout, ring
from kt_cp.draw.picture import Points

_Point = tuple[float, float]

_MIN_CLEARANCE = 0.012  # of a vertex to an edge, relative to the larger side of a drawing
_NUDGE = 0.05  # of vertices that start at one point, in the unit of the layout by eigenvectors
_MAX_TRIED = 12  # faces that are tried as the outer one
_MAX_TRIED_OFTEN = 60  # vertices of a graph for which that many are tried; of larger ones, a few
_FEW_TRIED = 3
_ROUNDS = 16  # in which long edges inside the outer face are made shorter


def planar_layout(graph: Any) -> Layout | None:
    """Return a layout without crossings of a connected graph of networkx, or None.

    Graphs that stay connected without any two vertices are drawn as by Tutte. Others are drawn by
    distances (Kamada and Kawai 1989), if that has no crossings, and otherwise as by Tutte. Return
    None if a vertex would be too close to an edge.
    """
    import networkx as nx

    is_planar, embedding = nx.check_planarity(graph)
    if not is_planar:
        return None
    if len(graph) > 3 and nx.node_connectivity(graph) >= 3:
        return _tutte_layout(graph, embedding)
    embedded = _tutte_layout(graph, embedding) if nx.is_biconnected(graph) else None
    for start in (embedded, dict(nx.planar_layout(graph)), _spectral_layout(graph)):
        if start is not None:
            relaxed = dict(nx.kamada_kawai_layout(graph, pos=start))
            if _is_clear(graph, relaxed) and not _has_crossing(graph, relaxed):
                return relaxed
    return embedded


def _spectral_layout(graph: Any) -> Layout:
    """Return the layout by eigenvectors of networkx, on whose signs machines may differ."""
    import networkx as nx

    layout = nx.spectral_layout(graph)
    points = np.array(list(layout.values()))
    decisive = np.abs(points).argmax(axis=0)
    signs = np.sign(points[decisive, [0, 1]])
    # Vertices with the same neighbors are at the same point, where they would stay.
    apart = _NUDGE * np.array(list(ring(list(layout)).values()))
    return dict(zip(layout, map(tuple, points * signs + apart), strict=True))


def _is_clear(graph: Any, layout: Layout) -> bool:
    """Return whether no vertex is too close to another one or to an edge."""
    number = {vertex: index for index, vertex in enumerate(graph)}
    points = np.array([layout[vertex] for vertex in graph])
    edges = np.array([(number[tail], number[head]) for tail, head in graph.edges])
    least = _MIN_CLEARANCE * float(np.ptp(points, axis=0).max())
    return least_clearance(points, edges) >= least


def _tutte_layout(graph: Any, embedding: Any) -> Layout | None:
    """Return the best layout as by Tutte with one of the longest faces outside.

    Return None if every such layout has a vertex that is too close to an edge.
    """
    vertices = list(graph)
    number = {vertex: index for index, vertex in enumerate(vertices)}
    edges = np.array([(number[tail], number[head]) for tail, head in graph.edges])
    tried = _MAX_TRIED if len(vertices) <= _MAX_TRIED_OFTEN else _FEW_TRIED
    faces = sorted(_faces(embedding), key=len, reverse=True)[:tried]
    drawings = [
        points
        for face in faces
        for points in _embeddings(edges, len(vertices), [number[vertex] for vertex in face])
    ]
    clearances = [
        least_clearance(points, edges) / np.ptp(points, axis=0).max() for points in drawings
    ]
    best = int(np.argmax(clearances))
    if clearances[best] < _MIN_CLEARANCE:
        return None
    points = drawings[best].tolist()
    return {vertex: (x, y) for vertex, (x, y) in zip(vertices, points, strict=True)}


def _embeddings(edges: Ints, count: int, outer: Sequence[int]) -> Iterator[Points]:
    """Yield drawings whose outer vertices are on a circle, and each other one amid its neighbors.

    From drawing to drawing, long edges weigh more, so that they get shorter and the inner faces
    larger.
    """
    points = np.zeros((count, 2))
    points[list(outer)] = list(ring(outer).values())
    is_outer = np.zeros(count, dtype=np.bool_)
    is_outer[list(outer)] = True
    weights = np.ones(len(edges))
    inside = ~is_outer[edges].all(axis=1)
    for _ in range(_ROUNDS):
        points[~is_outer] = _barycenters(edges, weights, points, is_outer)
        yield points.copy()
        if not inside.any():
            return  # no edge whose weight would change: all vertices lie on the outer face
        lengths = np.linalg.norm(points[edges[:, 0]] - points[edges[:, 1]], axis=1)[inside]
        weights[inside] *= np.sqrt(np.maximum(lengths / lengths.mean(), 0.01))


def _faces(embedding: Any) -> list[list[Any]]:
    """Return the faces of an embedding of networkx, each as its vertices in order."""
    seen: set[tuple[Any, Any]] = set()
    return [
        embedding.traverse_face(tail, head, mark_half_edges=seen)
        for tail, head in embedding.edges
        if (tail, head) not in seen
    ]


def _barycenters(edges: Ints, weights: Points, points: Points, is_fixed: Any) -> Points:
    """Return the points of free vertices, each the weighted mean of its neighbors, n x (x, y)."""
    count = len(points)
    laplacian = np.zeros((count, count))
    tails, heads = edges.T
    laplacian[tails, heads] = laplacian[heads, tails] = -weights
    np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
    free, fixed = np.flatnonzero(~is_fixed), np.flatnonzero(is_fixed)
    pull = -laplacian[np.ix_(free, fixed)] @ points[fixed]
    return np.asarray(np.linalg.solve(laplacian[np.ix_(free, free)], pull))


def _has_crossing(simple_graph: Any, layout: Layout) -> bool:
    """Return whether two edges without a common end cross in a layout."""
    for one, other in itertools.combinations(simple_graph.edges, 2):
        if set(one).isdisjoint(other):
            ends, other_ends = [[layout[end] for end in edge] for edge in (one, other)]
            if _is_cut_by(ends, other_ends) and _is_cut_by(other_ends, ends):
                return True
    return False


def _is_cut_by(ends: Sequence[_Point], line: Sequence[_Point]) -> bool:
    """Return whether the ends of a segment lie on different sides of a line through two points."""
    (left, top), (right, bottom) = line
    sides = [(right - left) * (y - top) - (bottom - top) * (x - left) for x, y in ends]
    return sides[0] * sides[1] < 0
