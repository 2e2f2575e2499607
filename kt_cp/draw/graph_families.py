"""Graphs of known families in their usual drawings, recognized by isomorphism."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

_Point = tuple[float, float]

Layout = dict[Any, _Point]
"""The position (x, y) of each vertex, in any unit; y points downwards."""

_Model = tuple[Any, Layout]  # a graph of networkx, and its usual layout

# The parts of generalized Petersen graphs, of the Coxeter graph and of the stars of flower snarks.
# They are numbers, since the hash of a text, and with it the layout, would differ from process to
# process.
_OUTER, _INNER = 0, 1
_CENTER, _INNER_LEAF, _LEFT_LEAF, _RIGHT_LEAF = 0, 1, 2, 3


def usual_layout(simple_graph: Any) -> Layout | None:
    """Return the usual layout of a graph of networkx, or None if it belongs to no known family."""
    import networkx as nx

    profile = _distance_profile(simple_graph)
    for family in FAMILIES:
        for model, layout in family(len(simple_graph), simple_graph.number_of_edges()):
            if _distance_profile(model) != profile:
                continue
            matcher = nx.isomorphism.GraphMatcher(model, simple_graph)
            if matcher.is_isomorphic():
                return {matcher.mapping[vertex]: point for vertex, point in layout.items()}
    return None


def _distance_profile(graph: Any) -> list[list[int]]:
    """Return the distances from each vertex, sorted: equal for isomorphic graphs.

    They tell apart most graphs with the same degrees, for which a test of isomorphism is slow.
    """
    import networkx as nx

    return sorted(
        sorted(lengths.values()) for _, lengths in nx.all_pairs_shortest_path_length(graph)
    )


def ring(vertices: Sequence[Any], radius: float = 1.0, turn: float = 0.0) -> Layout:
    """Return points on a circle, clockwise from the top.

    The circle is turned by ``turn`` times the angle between two vertices.
    """
    angles = [2 * math.pi * (index + turn) / len(vertices) for index in range(len(vertices))]
    points = [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]
    return dict(zip(vertices, points, strict=True))


def _paths(count: int, edges: int) -> Iterator[_Model]:
    """Yield the path, in a row."""
    import networkx as nx

    if edges == count - 1:
        yield nx.path_graph(count), {index: (float(index), 0.0) for index in range(count)}


def _cycles(count: int, edges: int) -> Iterator[_Model]:
    """Yield the cycle, on a circle."""
    import networkx as nx

    if edges == count > 2:
        yield nx.cycle_graph(count), ring(range(count))


def _wheels(count: int, edges: int) -> Iterator[_Model]:
    """Yield the wheel, whose hub is in the middle, and the star."""
    import networkx as nx

    layout = {0: (0.0, 0.0), **ring(range(1, count))} if count > 3 else {}
    if edges == 2 * (count - 1) and count > 4:
        yield nx.wheel_graph(count), layout
    if edges == count - 1 and count > 3:
        yield nx.star_graph(count - 1), layout


def _complete(count: int, edges: int) -> Iterator[_Model]:
    """Yield the complete graph, on a circle."""
    import networkx as nx

    if edges == count * (count - 1) // 2 and count > 2:
        yield nx.complete_graph(count), ring(range(count))


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
    """Yield generalized Petersen graphs: a ring, and a star or ring inside it.

    The dodecahedron is left out, which books draw without crossings, as any planar graph here.
    """
    import networkx as nx

    half = count // 2
    if count % 2 or 2 * edges != 3 * count or half < 3:
        return
    for step in range(1, (half - 1) // 2 + 1):
        if (half, step) == (10, 2):
            continue  # the dodecahedron
        model = nx.Graph()
        for index in range(half):
            model.add_edge((_OUTER, index), (_OUTER, (index + 1) % half))
            model.add_edge((_OUTER, index), (_INNER, index))
            model.add_edge((_INNER, index), (_INNER, (index + step) % half))
        outer = ring([(_OUTER, index) for index in range(half)])
        inner = ring([(_INNER, index) for index in range(half)], 0.55)
        yield model, outer | inner


def _moebius_ladders(count: int, edges: int) -> Iterator[_Model]:
    """Yield the Möbius ladder: a ring with its diameters."""
    import networkx as nx

    if count % 2 == 0 and 2 * edges == 3 * count and count >= 6:
        yield nx.circulant_graph(count, [1, count // 2]), ring(range(count))


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
    layout = ring([(_INNER_LEAF, index) for index in range(petals)], 0.35)
    layout |= ring([(_CENTER, index) for index in range(petals)], 0.68)
    layout |= ring([(_LEFT_LEAF, index) for index in range(petals)], 1.0, -0.22)
    layout |= ring([(_RIGHT_LEAF, index) for index in range(petals)], 1.0, 0.22)
    yield model, layout


def _coxeter(count: int, edges: int) -> Iterator[_Model]:
    """Yield the Coxeter graph: seven stars, whose leaves form three rings of different steps."""
    import networkx as nx

    if count != 28 or edges != 42:
        return
    model = nx.Graph()
    leaves = {_LEFT_LEAF: 1, _INNER_LEAF: 2, _RIGHT_LEAF: 3}
    for index in range(7):
        for leaf, step in leaves.items():
            model.add_edge((_CENTER, index), (leaf, index))
            model.add_edge((leaf, index), (leaf, (index + step) % 7))
    # The radii and turns keep the vertices as far as possible from all other edges.
    layout = ring([(_LEFT_LEAF, index) for index in range(7)], 1.0)
    layout |= ring([(_CENTER, index) for index in range(7)], 0.71, 0.22)
    layout |= ring([(_INNER_LEAF, index) for index in range(7)], 0.77, -0.3)
    layout |= ring([(_RIGHT_LEAF, index) for index in range(7)], 0.37, 0.2)
    yield model, layout


# Each yields the graphs of a family with ``count`` vertices and ``edges`` edges, and their layouts.
FAMILIES: tuple[Callable[[int, int], Iterator[_Model]], ...] = (
    _paths,
    _cycles,
    _wheels,
    _grids,
    _hypercubes,
    _complete,
    _complete_bipartite,
    _generalized_petersen,
    _moebius_ladders,
    _flower_snarks,
    _coxeter,
)
