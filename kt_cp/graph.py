"""Graphs as arrays of arcs: chunks, components, and the vertices that hold a graph together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)
Squares = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

Adjacency = Mapping[int, Sequence[int]]

# Entries in a chunk: few enough for the cache of the processor.
CHUNK = 2**16


def spans(length: int) -> Iterator[tuple[int, int]]:
    """Yield for each chunk of an array of this length where it begins and ends.

    >>> list(spans(100_000))
    [(0, 65536), (65536, 100000)]
    """
    for start in range(0, length, CHUNK):
        yield start, min(start + CHUNK, length)


def chunks(array: npt.NDArray[T], overlap: int = 0) -> Iterator[tuple[int, npt.NDArray[T]]]:
    """Yield where each chunk begins, and the chunk followed by ``overlap`` entries of the next.

    >>> [len(chunk) for start, chunk in chunks(np.zeros(100_000), overlap=1)]
    [65537, 34464]
    """
    for start, end in spans(len(array)):
        yield start, array[start : end + overlap]


def component_labels(area: int, edges: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
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
    """Count, for every articulation square, the parts that its component has without it.

    Depth-first search with low points (Hopcroft and Tarjan 1973), iterative because a board can be
    deeper than the interpreter's stack.

    >>> articulation_components({0: [1, 2, 3], 1: [0], 2: [0, 3], 3: [0, 2]})
    {0: 2}
    """
    found: dict[int, int] = {}
    low: dict[int, int] = {}
    parts: dict[int, int] = {}
    for root in graph:
        if root in found:
            continue
        found[root] = low[root] = len(found)
        parts[root] = 0  # every child of the root is a part; elsewhere the rest is one more
        stack = [(root, iter(graph[root]))]
        while stack:
            here, rest = stack[-1]
            for there in rest:
                if there not in found:
                    found[there] = low[there] = len(found)
                    parts[there] = 1
                    stack.append((there, iter(graph[there])))
                    break
                low[here] = min(low[here], found[there])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[here])
                    parts[parent] += low[here] >= found[parent]
    return {square: count for square, count in parts.items() if count > 1}


def short_cycle(area: int, edges: Squares, count: int) -> list[int]:
    """Return the squares of a cycle of fewer than ``count`` squares among some edges, or none.

    ``edges`` are rows of two of ``area`` ids, at most two at each.

    >>> edges = np.array([[0, 1], [1, 2], [2, 0]], dtype=np.int32)
    >>> short_cycle(5, edges, count=4), short_cycle(5, edges[:2], count=4)
    ([0, 1, 2], [])
    """
    labels = component_labels(area, edges)
    sizes, links = (np.bincount(ids, minlength=area) for ids in (labels, labels[edges[:, 0]]))
    cycles = np.flatnonzero((links > 0) & (links == sizes) & (sizes < count))
    return np.flatnonzero(np.isin(labels, cycles[:1])).tolist()


def strong_components(count: int, arcs: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Label each of ``count`` ids with an id of its strongly connected component.

    ``arcs`` are rows (from, to). The algorithm is Tarjan's (1972), with a stack of its own.

    >>> strong_components(4, np.array([[0, 1], [1, 2], [2, 1], [2, 3]])).tolist()
    [0, 1, 1, 3]
    """
    arcs = arcs[np.argsort(arcs[:, 0], kind="stable")]
    heads = arcs[:, 1].tolist()
    first = np.searchsorted(arcs[:, 0], np.arange(count + 1)).tolist()
    place, number, low, label = first[:-1], [0] * count, [0] * count, [-1] * count
    found = 0
    waiting: list[int] = []
    for root in range(count):
        path = [] if number[root] else [root]
        while path:
            node = path[-1]
            if not number[node]:
                found += 1
                number[node] = low[node] = found
                waiting.append(node)
            if place[node] < first[node + 1]:
                other = heads[place[node]]
                place[node] += 1
                if not number[other]:
                    path.append(other)
                elif label[other] < 0:
                    low[node] = min(low[node], number[other])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[node])
            while low[node] == number[node] and label[node] < 0:
                label[waiting.pop()] = node
    return np.array(label)
