"""Positions for drawing the vertices of a graph: from its file, or as books draw known families.

The first of these rules that applies to a graph lays it out:

1. Positions that come with the graph are used.
2. Graphs of known families are drawn as books draw them: ladders, grids, hypercubes, generalized
   Petersen graphs (prisms, the Petersen graph, the dodecahedron, …), Möbius ladders, flower snarks,
   and complete and complete bipartite graphs. They are recognized by isomorphism.
3. A cycle through all vertices, if one is given, becomes a circle.
4. A small planar graph is drawn without crossings: as by rule 6 if no edges cross in that drawing,
   and otherwise as Chrobak and Payne (1995) do.
5. In a large graph, neighbors attract and other vertices repel one another (Fruchterman and
   Reingold 1991).
6. The vertices of a connected graph are about as far apart as in the graph (Kamada and Kawai 1989).
7. The vertices of a disconnected graph lie on a circle.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from kt_cp.graph import Graph, NamedGraph

_Point = tuple[float, float]

Layout = dict[Any, _Point]
"""The position (x, y) of each vertex, in any unit; y points downwards."""

_Model = tuple[Any, Layout]  # a graph of networkx, and its usual layout

# The largest numbers of vertices for the rules above.
_MAX_RECOGNIZED = 100
_MAX_CIRCLE = 120
_MAX_PLANAR = 20  # in a larger drawing without crossings, vertices would be too close
_MAX_DISTANCES = 200

# The parts of generalized Petersen graphs, and of the stars of flower snarks. They are numbers,
# since the hash of a text, and with it the layout, would differ from process to process.
_OUTER, _INNER = 0, 1
_CENTER, _INNER_LEAF, _LEFT_LEAF, _RIGHT_LEAF = 0, 1, 2, 3


def lay_out(graph: Graph, cycle: Sequence[int] = ()) -> Layout:
    """Return a position for each vertex of a graph.

    ``cycle`` is a cycle through all vertices, if one is known.

    >>> from kt_cp.graph import Graph
    >>> square = Graph.of([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> sorted(lay_out(square).values())
    [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    """
    import networkx as nx

    if isinstance(graph, NamedGraph) and graph.positions is not None:
        return {vertex: (x, y) for vertex, (x, y) in enumerate(graph.positions.tolist())}
    simple_graph = nx.Graph(graph.to_networkx())
    simple_graph.remove_edges_from(list(nx.selfloop_edges(simple_graph)))
    if len(simple_graph) <= _MAX_RECOGNIZED:
        layout = _usual_layout(simple_graph)
        if layout is not None:
            return layout
    if 2 < len(cycle) <= _MAX_CIRCLE:
        return _ring(list(cycle))
    if len(simple_graph) <= _MAX_PLANAR:
        is_planar, _ = nx.check_planarity(simple_graph)
        if is_planar:
            return _without_crossings(simple_graph)
    circle = nx.circular_layout(simple_graph)  # a fixed start, so that layouts are reproducible
    if len(simple_graph) > _MAX_DISTANCES:
        return dict(nx.spring_layout(simple_graph, pos=circle, iterations=100, seed=0))
    if nx.is_connected(simple_graph):
        return dict(nx.kamada_kawai_layout(simple_graph, pos=circle))
    return dict(circle)


def _without_crossings(simple_graph: Any) -> Layout:
    """Return a layout of a planar graph without crossings.

    It is the layout by distances (Kamada and Kawai 1989) if no edges cross in it, and otherwise
    that of Chrobak and Payne (1995).
    """
    import networkx as nx

    planar = nx.planar_layout(simple_graph)
    if nx.is_connected(simple_graph):
        relaxed = nx.kamada_kawai_layout(simple_graph, pos=planar)
        if not _has_crossing(simple_graph, relaxed):
            return dict(relaxed)
    return dict(planar)


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


def _usual_layout(simple_graph: Any) -> Layout | None:
    """Return the usual layout of a graph of networkx, or None if it belongs to no known family."""
    import networkx as nx

    degrees = sorted(degree for _, degree in simple_graph.degree)
    for family in _FAMILIES:
        for model, layout in family(len(simple_graph), simple_graph.number_of_edges()):
            if sorted(degree for _, degree in model.degree) != degrees:
                continue
            matcher = nx.isomorphism.GraphMatcher(model, simple_graph)
            if matcher.is_isomorphic():
                return {matcher.mapping[vertex]: point for vertex, point in layout.items()}
    return None


def _ring(vertices: Sequence[Any], radius: float = 1.0, turn: float = 0.0) -> Layout:
    """Return points on a circle, clockwise from the top.

    The circle is turned by ``turn`` times the angle between two vertices.
    """
    angles = [2 * math.pi * (index + turn) / len(vertices) for index in range(len(vertices))]
    points = [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
    return dict(zip(vertices, points, strict=True))


def _complete(count: int, edges: int) -> Iterator[_Model]:
    """Yield the complete graph, on a circle."""
    import networkx as nx

    if edges == count * (count - 1) // 2 and count > 2:
        yield nx.complete_graph(count), _ring(range(count))


def _complete_bipartite(count: int, edges: int) -> Iterator[_Model]:
    """Yield complete bipartite graphs, each side in a row."""
    import networkx as nx

    for upper in range(2, count // 2 + 1):
        lower = count - upper
        if upper * lower == edges and lower > 2:
            distance = lower / upper  # in the upper row, which is centered above the lower one
            upper_row = [((index + 0.5) * distance - 0.5, 0.0) for index in range(upper)]
            lower_row = [(float(index), lower / 2) for index in range(lower)]
            layout = dict(enumerate(upper_row + lower_row))
            yield nx.complete_bipartite_graph(upper, lower), layout


def _grids(count: int, edges: int) -> Iterator[_Model]:
    """Yield the grids of this size; those of two rows are ladders."""
    import networkx as nx

    for rows in range(2, math.isqrt(count) + 1):
        columns = count // rows
        if rows * columns == count and edges == 2 * count - rows - columns:
            grid = nx.grid_2d_graph(rows, columns)
            yield grid, {(row, column): (float(column), float(row)) for row, column in grid}


def _hypercubes(count: int, edges: int) -> Iterator[_Model]:
    """Yield the hypercube of 8, 16 or 32 vertices, projected to the plane."""
    import networkx as nx

    axes = {3: [(2, 0), (0, 2), (0.8, -0.7)], 4: [(3, 0), (0, 3), (1.1, -0.8), (0.6, 1.3)]}
    # Cubes at the corners of a large square, as far as possible from all other edges.
    axes[5] = [(1, 0), (0, 1), (0.273, 0.119), (0.499, 0.516), (-0.113, 0.246)]
    dimension = count.bit_length() - 1
    if dimension in axes and count == 2**dimension and 2 * edges == dimension * count:
        cube = nx.hypercube_graph(dimension)
        directions = np.array(axes[dimension])
        yield cube, {bits: tuple((np.array(bits) @ directions).tolist()) for bits in cube}


def _generalized_petersen(count: int, edges: int) -> Iterator[_Model]:
    """Yield generalized Petersen graphs: a ring, and a star or ring inside it."""
    import networkx as nx

    half = count // 2
    if count % 2 or 2 * edges != 3 * count or half < 3:
        return
    for step in range(1, (half - 1) // 2 + 1):
        model = nx.Graph()
        for index in range(half):
            model.add_edge((_OUTER, index), (_OUTER, (index + 1) % half))
            model.add_edge((_OUTER, index), (_INNER, index))
            model.add_edge((_INNER, index), (_INNER, (index + step) % half))
        outer = _ring([(_OUTER, index) for index in range(half)])
        inner = _ring([(_INNER, index) for index in range(half)], 0.55)
        yield model, outer | inner


def _moebius_ladders(count: int, edges: int) -> Iterator[_Model]:
    """Yield the Möbius ladder: a ring with its diameters."""
    import networkx as nx

    if count % 2 == 0 and 2 * edges == 3 * count and count >= 6:
        yield nx.circulant_graph(count, [1, count // 2]), _ring(range(count))


def _flower_snarks(count: int, edges: int) -> Iterator[_Model]:
    """Yield the flower snark: stars with three leaves each, whose leaves form two rings.

    One leaf of each star is on an inner ring. The other two are side by side on an outer ring,
    which is a single cycle through both of them.
    """
    import networkx as nx

    petals = count // 4
    if count % 4 or petals % 2 == 0 or petals < 3 or 2 * edges != 3 * count:
        return
    model = nx.Graph()
    for index in range(petals):
        for leaf in (_INNER_LEAF, _LEFT_LEAF, _RIGHT_LEAF):
            model.add_edge((_CENTER, index), (leaf, index))
        following = (index + 1) % petals
        model.add_edge((_INNER_LEAF, index), (_INNER_LEAF, following))
        next_left, next_right = _LEFT_LEAF, _RIGHT_LEAF
        if following == 0:  # the two outer chains swap sides once, which makes them one cycle
            next_left, next_right = _RIGHT_LEAF, _LEFT_LEAF
        model.add_edge((_LEFT_LEAF, index), (next_left, following))
        model.add_edge((_RIGHT_LEAF, index), (next_right, following))
    layout = _ring([(_INNER_LEAF, index) for index in range(petals)], 0.35)
    layout |= _ring([(_CENTER, index) for index in range(petals)], 0.68)
    layout |= _ring([(_LEFT_LEAF, index) for index in range(petals)], 1.0, -0.22)
    layout |= _ring([(_RIGHT_LEAF, index) for index in range(petals)], 1.0, 0.22)
    yield model, layout


# Each yields the graphs of a family with ``count`` vertices and ``edges`` edges, and their layouts.
_FAMILIES: tuple[Callable[[int, int], Iterator[_Model]], ...] = (
    _grids,
    _hypercubes,
    _complete,
    _complete_bipartite,
    _generalized_petersen,
    _moebius_ladders,
    _flower_snarks,
)
