"""The graph that the searches walk, whose vertices have colors and times; the knight's graph.

After Miller and Ranum, *Problem Solving with Algorithms and Data Structures using Python*,
chapter "Graphs". `kt_dfs.graphs` has the same two classes under the textbook's own names.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Generic, Self, TypeVar

from kt_dfs import textbook

K = TypeVar("K", bound=Hashable)

WHITE: Final = "white"  # not discovered
GRAY: Final = "gray"  # discovered: on the path, or being explored
BLACK: Final = "black"  # finished


@dataclass(eq=False)
class Vertex(Generic[K]):
    """A vertex, and what a search has recorded at it.

    `neighbors` maps each vertex to which an arc leads, in the order of insertion, to the weight
    of that arc. `discovery` and `finish` are 0 until a search sets them.
    """

    key: K
    color: str = WHITE
    pred: Vertex[K] | None = field(default=None, repr=False)
    discovery: int = 0
    finish: int = 0
    neighbors: dict[Vertex[K], float] = field(default_factory=dict, repr=False)


class Graph(Generic[K]):
    """A directed graph; vertices and arcs keep the order in which they were added.

    >>> graph = Graph[str]()
    >>> graph.add_edge("A", "B")
    >>> graph.add_edge("A", "C")
    >>> [vertex.key for vertex in graph], [vertex.key for vertex in graph["A"].neighbors]
    (['A', 'B', 'C'], ['B', 'C'])
    """

    def __init__(self) -> None:
        self.vertices: dict[K, Vertex[K]] = {}

    @classmethod
    def from_neighbors(cls, neighbors: Mapping[K, Iterable[K]]) -> Self:
        """Return the graph of these vertices, each with arcs to the keys listed for it."""
        graph = cls()
        for key in neighbors:
            graph.add_vertex(key)
        for key, others in neighbors.items():
            for other in others:
                graph.add_edge(key, other)
        return graph

    def __contains__(self, key: object) -> bool:
        return key in self.vertices

    def __iter__(self) -> Iterator[Vertex[K]]:
        return iter(self.vertices.values())

    def __len__(self) -> int:
        return len(self.vertices)

    def __getitem__(self, key: K) -> Vertex[K]:
        return self.vertices[key]

    def add_vertex(self, key: K) -> Vertex[K]:
        """Return the vertex with this key, which is added if it is new."""
        if key not in self.vertices:
            self.vertices[key] = Vertex(key)
        return self.vertices[key]

    def add_edge(self, tail: K, head: K, weight: float = 0) -> None:
        """Add the arc from tail to head, and its ends if they are new."""
        self.add_vertex(tail).neighbors[self.add_vertex(head)] = weight

    def arcs(self) -> Iterator[tuple[Vertex[K], Vertex[K]]]:
        """Yield every arc as (tail, head), by tail and then in the order of insertion."""
        for tail in self:
            for head in tail.neighbors:
                yield tail, head

    def is_symmetric(self) -> bool:
        """Return whether every arc has its reverse."""
        return all(tail in head.neighbors for tail, head in self.arcs())


def knight_graph(size: int) -> Graph[int]:
    """Return the knight's graph of a size × size board, arcs in the textbook's order of moves.

    The textbook's `knightGraph`; a square is the id row * size + column, from 0. Raises ValueError
    for a size below 1.

    >>> sum(len(vertex.neighbors) for vertex in knight_graph(8))
    336
    """
    if size < 1:
        raise ValueError(f"a board has at least 1 row, not {size}")
    return Graph.from_neighbors(textbook.knight_moves(size))


_lock = threading.Lock()


@contextmanager
def recursion_room(levels: int) -> Iterator[None]:
    """Allow that many more levels of recursion inside the `with` statement.

    Since Python 3.11 a Python function that calls another uses no C stack, so that only the limit
    prevents a recursion 100,000 levels deep. The limit holds for the whole interpreter; it is
    raised and lowered by a difference, so that searches in two threads do not disturb each other.
    """
    _raise_limit(levels)
    try:
        yield
    finally:
        _raise_limit(-levels)


def _raise_limit(levels: int) -> None:
    with _lock:
        sys.setrecursionlimit(sys.getrecursionlimit() + levels)
