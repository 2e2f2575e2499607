"""Pieces of a graph and the squares that hold it together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kt_cp.board import Squares

Adjacency = Mapping[int, Sequence[int]]


def component_labels(area: int, edges: Squares) -> npt.NDArray[np.int64]:
    """Label each of ``area`` ids with the lowest id of its connected component.

    ``edges`` are rows of two ids. An id without edges is a component of its own. Hooking and
    pointer jumping (Shiloach and Vishkin 1982), a few vectorised rounds whatever the shape.

    >>> component_labels(5, np.array([[3, 1], [1, 4]], dtype=np.int32)).tolist()
    [0, 1, 2, 1, 1]
    """
    labels = np.arange(area)
    while True:
        ends = np.sort(labels[edges], axis=1)
        apart = ends[:, 0] != ends[:, 1]
        if not apart.any():
            return labels
        low, high = ends[apart].T
        np.minimum.at(labels, high, low)
        while not np.array_equal(labels, jumped := labels[labels]):
            labels = jumped


def adjacency(edges: Squares) -> dict[int, list[int]]:
    """List the neighbors of every square that has one.

    >>> adjacency(np.array([[0, 1], [1, 2]], dtype=np.int32))
    {0: [1], 1: [0, 2], 2: [1]}
    """
    neighbors: dict[int, list[int]] = {}
    for low, high in edges.tolist():
        neighbors.setdefault(low, []).append(high)
        neighbors.setdefault(high, []).append(low)
    return neighbors


def articulation_components(graph: Adjacency) -> dict[int, int]:
    """Count, for every articulation square, the pieces that its component has without it.

    Depth-first search with low points (Hopcroft and Tarjan 1973), iterative because a board can be
    deeper than the interpreter's stack.

    >>> articulation_components({0: [1, 2, 3], 1: [0], 2: [0, 3], 3: [0, 2]})
    {0: 2}
    """
    found: dict[int, int] = {}
    low: dict[int, int] = {}
    pieces: dict[int, int] = {}
    for root in graph:
        if root in found:
            continue
        found[root] = low[root] = len(found)
        pieces[root] = 0  # every child of the root is a piece; elsewhere the rest is one more
        stack = [(root, iter(graph[root]))]
        while stack:
            here, rest = stack[-1]
            for there in rest:
                if there not in found:
                    found[there] = low[there] = len(found)
                    pieces[there] = 1
                    stack.append((there, iter(graph[there])))
                    break
                low[here] = min(low[here], found[there])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[here])
                    pieces[parent] += low[here] >= found[parent]
    return {square: count for square, count in pieces.items() if count > 1}


def short_circle(edges: Iterable[Sequence[int]], count: int) -> list[int]:
    """Return the squares that some edges join in a circle of fewer than ``count`` squares, if any.

    The squares come with all that hangs on the circle. Union-find.

    >>> short_circle([(0, 1), (1, 2), (2, 0)], count=4), short_circle([(0, 1), (1, 2)], count=4)
    ([0, 1, 2], [])
    """
    parent: dict[int, int] = {}

    def root(square: int) -> int:
        while parent.setdefault(square, square) != square:
            square = parent[square]
        return square

    sizes: Counter[int] = Counter()
    for a, b in edges:
        top, other = root(a), root(b)
        if top == other and sizes[top] + 1 < count:
            return sorted(square for square in parent if root(square) == top)
        if top != other:
            parent[other] = top
            sizes[top] += sizes[other] + 1
    return []
