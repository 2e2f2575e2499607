"""Pieces of a graph and the squares that hold it together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kt_cp.board import Squares

Adjacency = Mapping[int, Sequence[int]]


def piece_labels(area: int, edges: Squares) -> npt.NDArray[np.int64]:
    """Label each of ``area`` ids with the lowest id of its connected component.

    ``edges`` are rows of two ids. An id without edges is a component of its own. Hooking and
    pointer jumping (Shiloach and Vishkin 1982), a few vectorised rounds whatever the shape.

    >>> piece_labels(5, np.array([[3, 1], [1, 4]], dtype=np.int32)).tolist()
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
    """List the neighbours of every square that has one.

    >>> adjacency(np.array([[0, 1], [1, 2]], dtype=np.int32))
    {0: [1], 1: [0, 2], 2: [1]}
    """
    neighbours: dict[int, list[int]] = {}
    for low, high in edges.tolist():
        neighbours.setdefault(low, []).append(high)
        neighbours.setdefault(high, []).append(low)
    return neighbours


def articulation_squares(graph: Adjacency) -> Iterator[int]:
    """Yield the squares whose removal disconnects what was connected, some more than once.

    Depth-first search with low points (Hopcroft and Tarjan 1973), iterative because a board can be
    deeper than the interpreter's stack.

    >>> sorted(set(articulation_squares({0: [1], 1: [0, 2], 2: [1]})))
    [1]
    """
    found: dict[int, int] = {}
    low: dict[int, int] = {}
    for root in graph:
        if root in found:
            continue
        found[root] = low[root] = len(found)
        stack = [(root, iter(graph[root]))]
        children = 0
        while stack:
            here, rest = stack[-1]
            for there in rest:
                if there not in found:
                    found[there] = low[there] = len(found)
                    stack.append((there, iter(graph[there])))
                    children += here == root
                    break
                low[here] = min(low[here], found[there])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[here])
                    if parent != root and low[here] >= found[parent]:
                        yield parent
        if children > 1:
            yield root
