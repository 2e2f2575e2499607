"""Positions for drawing the vertices of a graph: from its file, or as books draw known families.

Positions that come with a graph are used first. Ladders, grids, hypercubes, generalized Petersen
graphs (prisms, the Petersen graph, the dodecahedron, …), Möbius ladders, flower snarks, and
complete and complete bipartite graphs are recognized by isomorphism. In pictures of other graphs a
cycle through all vertices is a circle. Otherwise, a small planar graph is drawn without crossings
(Chrobak and Payne 1995). The vertices of other small graphs are as far apart as in the graph, if
possible (Kamada and Kawai 1989); in a large one neighbors attract and others repel each other
(Fruchterman and Reingold 1991).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from kt_cp.graph import Graph, NamedGraph

_Place = tuple[float, float]
Layout = dict[Any, _Place]
"""The place (x, y) of each vertex, in any unit; y points downwards."""

_Family = tuple[Any, Layout]  # a graph of networkx, and how it is usually drawn

# Vertices up to which a family is recognized, a cycle is a circle, and distances are laid out.
_MAX_RECOGNIZED, _MAX_CIRCLE, _MAX_DISTANCES = 100, 120, 200
_MAX_PLANAR = 20  # vertices up to which a drawing without crossings leaves them room


# The parts of generalized Petersen graphs, and of the stars of flower snarks. They are numbers,
# since the hash of a text, and with it the layout, would differ from process to process.
_OUTER, _INNER = 0, 1
_CENTER, _B, _C, _D = 0, 1, 2, 3


def lay_out(graph: Graph, cycle: Sequence[int] = ()) -> Layout:
    """Return a place for each vertex of a graph; ``cycle`` is a cycle through all of them, if any.

    >>> from kt_cp.graph import Graph
    >>> square = Graph.of([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    >>> sorted(lay_out(square).values())
    [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    """
    import networkx as nx

    if isinstance(graph, NamedGraph) and graph.positions is not None:
        return {vertex: (x, y) for vertex, (x, y) in enumerate(graph.positions.tolist())}
    simple = nx.Graph(graph.to_networkx())
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    if len(simple) <= _MAX_RECOGNIZED:
        layout = _usual_layout(simple)
        if layout is not None:
            return layout
    if 2 < len(cycle) <= _MAX_CIRCLE:
        return _ring(list(cycle))
    if len(simple) <= _MAX_PLANAR:
        is_planar, _ = nx.check_planarity(simple)
        if is_planar:
            return _without_crossings(simple)
    circle = nx.circular_layout(simple)  # as a start it makes the layout the same every time
    if len(simple) > _MAX_DISTANCES:
        return dict(nx.spring_layout(simple, pos=circle, iterations=100, seed=0))
    if nx.is_connected(simple):
        return dict(nx.kamada_kawai_layout(simple, pos=circle))
    return dict(circle)


def _without_crossings(simple: Any) -> Layout:
    """Return a drawing of a planar graph without crossings.

    It is laid out by distances where that gives no crossing.
    """
    import networkx as nx

    planar = nx.planar_layout(simple)
    if nx.is_connected(simple):
        relaxed = nx.kamada_kawai_layout(simple, pos=planar)
        if not _has_crossing(simple, relaxed):
            return dict(relaxed)
    return dict(planar)


def _has_crossing(simple: Any, layout: Layout) -> bool:
    """Return whether two edges without a common end cross in a drawing."""
    for one, other in itertools.combinations(simple.edges, 2):
        if set(one).isdisjoint(other):
            ends, other_ends = [[layout[end] for end in edge] for edge in (one, other)]
            if _is_cut_by(ends, other_ends) and _is_cut_by(other_ends, ends):
                return True
    return False


def _is_cut_by(ends: Sequence[_Place], line: Sequence[_Place]) -> bool:
    """Return whether the line through two places parts the ends of a segment."""
    (left, top), (right, bottom) = line
    sides = [(right - left) * (y - top) - (bottom - top) * (x - left) for x, y in ends]
    return sides[0] * sides[1] < 0


def _usual_layout(simple: Any) -> Layout | None:
    """Return the usual drawing of a graph of networkx, or None if it is of no family here."""
    import networkx as nx

    degrees = sorted(degree for _, degree in simple.degree)
    for family in _FAMILIES:
        for model, layout in family(len(simple), simple.number_of_edges()):
            if sorted(degree for _, degree in model.degree) != degrees:
                continue
            matcher = nx.isomorphism.GraphMatcher(model, simple)
            if matcher.is_isomorphic():
                return {matcher.mapping[vertex]: place for vertex, place in layout.items()}
    return None


def _ring(vertices: Sequence[Any], radius: float = 1.0, turn: float = 0.0) -> Layout:
    """Return places on a circle, clockwise from the top; ``turn`` is in vertices."""
    angles = [2 * math.pi * (place + turn) / len(vertices) for place in range(len(vertices))]
    places = [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
    return dict(zip(vertices, places, strict=True))


def _complete(count: int, edges: int) -> Iterator[_Family]:
    """Yield the complete graph, on a circle."""
    import networkx as nx

    if edges == count * (count - 1) // 2 and count > 2:
        yield nx.complete_graph(count), _ring(range(count))


def _complete_bipartite(count: int, edges: int) -> Iterator[_Family]:
    """Yield complete bipartite graphs, each side in a row."""
    import networkx as nx

    for upper in range(2, count // 2 + 1):
        lower = count - upper
        if upper * lower == edges and lower > 2:
            places = [(place * lower / upper, 0.0) for place in range(upper)]
            below = [(float(place), lower / 2) for place in range(lower)]
            layout = dict(enumerate(places + below))
            yield nx.complete_bipartite_graph(upper, lower), layout


def _grids(count: int, edges: int) -> Iterator[_Family]:
    """Yield grids, of which ladders are those of two rows."""
    import networkx as nx

    for rows in range(2, math.isqrt(count) + 1):
        columns = count // rows
        if rows * columns == count and edges == 2 * count - rows - columns:
            grid = nx.grid_2d_graph(rows, columns)
            yield grid, {(row, column): (float(column), float(row)) for row, column in grid}


def _hypercubes(count: int, edges: int) -> Iterator[_Family]:
    """Yield the hypercube of 8 to 32 vertices, as the projection of its edges to the plane."""
    import networkx as nx

    axes = {3: [(2, 0), (0, 2), (0.8, -0.7)], 4: [(3, 0), (0, 3), (1.1, -0.8), (0.6, 1.3)]}
    axes[5] = [*axes[4], (5.2, -0.4)]
    dimension = count.bit_length() - 1
    if dimension in axes and count == 2**dimension and 2 * edges == dimension * count:
        cube = nx.hypercube_graph(dimension)
        directions = np.array(axes[dimension])
        yield cube, {bits: tuple((np.array(bits) @ directions).tolist()) for bits in cube}


def _generalized_petersen(count: int, edges: int) -> Iterator[_Family]:
    """Yield generalized Petersen graphs: a ring, and a star or ring inside it."""
    import networkx as nx

    half = count // 2
    if count % 2 or 2 * edges != 3 * count or half < 3:
        return
    for step in range(1, (half - 1) // 2 + 1):
        model = nx.Graph()
        for place in range(half):
            model.add_edge((_OUTER, place), (_OUTER, (place + 1) % half))
            model.add_edge((_OUTER, place), (_INNER, place))
            model.add_edge((_INNER, place), (_INNER, (place + step) % half))
        outer = _ring([(_OUTER, place) for place in range(half)])
        inner = _ring([(_INNER, place) for place in range(half)], 0.55)
        yield model, outer | inner


def _moebius_ladders(count: int, edges: int) -> Iterator[_Family]:
    """Yield the Möbius ladder: a ring with its diameters."""
    import networkx as nx

    if count % 2 == 0 and 2 * edges == 3 * count and count >= 6:
        yield nx.circulant_graph(count, [1, count // 2]), _ring(range(count))


def _flower_snarks(count: int, edges: int) -> Iterator[_Family]:
    """Yield the flower snark: stars of four vertices, whose leaves lie on two rings."""
    import networkx as nx

    petals = count // 4
    if count % 4 or petals % 2 == 0 or petals < 3 or 2 * edges != 3 * count:
        return
    model = nx.Graph()
    for place in range(petals):
        for leaf in (_B, _C, _D):
            model.add_edge((_CENTER, place), (leaf, place))
        following = (place + 1) % petals
        model.add_edge((_B, place), (_B, following))
        is_last = following == 0
        model.add_edge((_C, place), (_D if is_last else _C, following))
        model.add_edge((_D, place), (_C if is_last else _D, following))
    layout = _ring([(_B, place) for place in range(petals)], 0.35)
    layout |= _ring([(_CENTER, place) for place in range(petals)], 0.68)
    layout |= _ring([(_C, place) for place in range(petals)], 1.0, -0.22)
    layout |= _ring([(_D, place) for place in range(petals)], 1.0, 0.22)
    yield model, layout


# Each yields the graphs of a family with ``count`` vertices and ``edges`` edges, and their layouts.
_FAMILIES: tuple[Callable[[int, int], Iterator[_Family]], ...] = (
    _grids,
    _hypercubes,
    _complete,
    _complete_bipartite,
    _generalized_petersen,
    _moebius_ladders,
    _flower_snarks,
)
