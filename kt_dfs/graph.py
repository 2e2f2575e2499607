"""Directed graphs whose vertices have colors and times, and general depth-first search on them.

After Miller and Ranum, *Problem Solving with Algorithms and Data Structures using Python*, chapter
"Graphs", and Cormen, Leiserson, Rivest and Stein, *Introduction to Algorithms*, section
"Depth-first search". `kt_dfs.compat` has the same classes under the textbook's own names.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Generic, Self, TypeVar

K = TypeVar("K", bound=Hashable)

WHITE: Final = "white"  # not discovered
GRAY: Final = "gray"  # discovered: on the path, or being explored
BLACK: Final = "black"  # finished


@dataclass(eq=False)
class Vertex(Generic[K]):
    """A vertex, and what a search has recorded at it; times are 0 until then.

    ``neighbors`` maps the head of each arc that leaves the vertex, in the order of insertion, to
    the weight of the arc.
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
        return ((tail, head) for tail in self for head in tail.neighbors)

    def is_symmetric(self) -> bool:
        """Return whether every arc has a reverse."""
        return all(tail in head.neighbors for tail, head in self.arcs())


def knight_graph(size: int) -> Graph[int]:
    """Return the knight's graph of a size × size board, arcs in the textbook's order of moves.

    The textbook's ``knightGraph``. A square is the id row * size + column, from 0. Raises
    ValueError for a size below 1.
    """
    from kt_dfs.textbook import knight_moves  # not above: see `TEXTBOOK_MOVES`

    if size < 1:
        raise ValueError(f"a board has at least 1 row, not {size}")
    return Graph.from_neighbors(knight_moves(size))


_lock = threading.Lock()


@contextmanager
def recursion_room(levels: int) -> Iterator[None]:
    """Allow this number of additional levels of recursion inside the ``with`` statement.

    Since Python 3.11 Python functions use no C stack, so that only the limit prevents 100,000
    levels. It is raised and lowered by a difference: other threads may search at the same time.
    """
    with _lock:
        sys.setrecursionlimit(sys.getrecursionlimit() + levels)
    try:
        yield
    finally:
        with _lock:
            sys.setrecursionlimit(sys.getrecursionlimit() - levels)


class EdgeKind(Enum):
    """The kind of an edge with respect to the depth-first forest."""

    TREE = "tree"
    BACK = "back"
    FORWARD = "forward"
    CROSS = "cross"


class DFSGraph(Graph[K]):
    """A graph that searches itself depth first and records the times at its vertices.

    >>> graph = DFSGraph.from_edges(4, [(0, 2), (0, 1), (1, 3), (3, 0)])
    >>> graph.dfs()
    >>> [(vertex.key, vertex.discovery, vertex.finish) for vertex in graph]
    [(0, 1, 8), (1, 2, 5), (2, 6, 7), (3, 3, 4)]
    """

    time = 0

    @staticmethod
    def from_edges(vertices: int, edges: Iterable[tuple[int, int]]) -> DFSGraph[int]:
        """Return the graph on 0 to vertices - 1 with these directed edges, neighbors ascending."""
        graph = DFSGraph[int].from_neighbors(dict.fromkeys(range(vertices), ()))
        for tail, head in sorted(edges):
            graph.add_edge(tail, head)
        return graph

    def dfs(self) -> None:
        """Search the whole graph, roots in the order of the vertices, and record times from 1."""
        self.time = 0
        for vertex in self:
            vertex.color = WHITE
            vertex.pred = None
            vertex.discovery = vertex.finish = 0
        for vertex in self:
            if vertex.color == WHITE:
                self.dfs_visit(vertex)

    def dfs_visit(self, vertex: Vertex[K]) -> None:
        """Search what can be reached from a white vertex. The textbook's ``dfsvisit``."""
        with recursion_room(len(self)):
            self._visit(vertex)

    def _visit(self, vertex: Vertex[K]) -> None:
        """Search from a white vertex, and record its times."""
        vertex.color = GRAY
        vertex.discovery = self.time = self.time + 1
        for neighbor in vertex.neighbors:
            if neighbor.color == WHITE:
                neighbor.pred = vertex
                self._visit(neighbor)
        vertex.color = BLACK
        vertex.finish = self.time = self.time + 1

    def order(self) -> list[Vertex[K]]:
        """Return the vertices discovered so far, in the order of discovery."""
        return sorted((v for v in self if v.discovery), key=lambda v: v.discovery)

    def forest(self) -> list[list[K]]:
        """Return the trees, each as its keys in the order of discovery, the root first."""
        trees: list[list[K]] = []
        for vertex in self.order():
            if vertex.pred is None:
                trees.append([])
            trees[-1].append(vertex.key)
        return trees

    def edge_kinds(self) -> dict[tuple[K, K], EdgeKind]:
        """Return the kind of every edge, from the times of a finished `dfs`."""
        return {(tail.key, head.key): edge_kind(tail, head) for tail, head in self.arcs()}


def edge_kind(tail: Vertex[K], head: Vertex[K]) -> EdgeKind:
    """Return the kind of the edge from tail to head, both finished; a loop is a back edge."""
    if head.pred is tail:
        return EdgeKind.TREE
    if tail.discovery < head.discovery and head.finish < tail.finish:
        return EdgeKind.FORWARD
    if head.discovery <= tail.discovery and tail.finish <= head.finish:
        return EdgeKind.BACK
    return EdgeKind.CROSS


MAX_VERTICES: Final = 1_000_000


def parse_graph(text: str) -> DFSGraph[Any]:
    """Return the directed graph of ``count,tail head,tail head,…`` or ``tail head,tail head,…``.

    With a count the vertices are numbered from 0, and neighbors ascend; without it they have names
    and stay as they come. Raises ValueError, with the place, for anything else.

    >>> [(tail.key, head.key) for tail, head in parse_graph("3,0 1,2 0").arcs()]
    [(0, 1), (2, 0)]
    >>> [vertex.key for vertex in parse_graph("A B,B C")]
    ['A', 'B', 'C']
    """
    first, *pairs = text.split(",")
    count = None
    if len(first.split()) > 1:
        pairs.insert(0, first)
    else:
        count = parse_number(first.strip(), "the vertex count, before the first comma")
        if count > MAX_VERTICES:
            raise ValueError(f"vertex count {count}: at most {MAX_VERTICES}")
    edges: list[Any] = []
    for position, pair in enumerate(pairs, 1):
        where = f"edge {position}, {pair.strip()[:40]!a}"
        ends = pair.split()
        if len(ends) != 2:
            raise ValueError(f"{where}: give two ends, 'from to', not {len(ends)}")
        if count is None and not "".join(ends).isprintable():
            raise ValueError(f"{where}: names are made of printable characters")
        edges.append(ends if count is None else [parse_number(end, where) for end in ends])
        if count is not None and max(edges[-1]) >= count:
            raise ValueError(
                f"{where}: with {count} vertices they are numbered from 0 to {count - 1}"
            )
    if count is not None:
        return DFSGraph.from_edges(count, edges)
    graph = DFSGraph[Any]()
    for tail, head in edges:
        graph.add_edge(tail, head)
    return graph


def parse_number(word: str, role: str) -> int:
    """Return the number, at least 0, that a word spells.

    Raises ValueError for other words; the message begins with the ``role`` of the number.
    """
    if not re.fullmatch("[0-9]{1,9}", word):
        raise ValueError(f"{role}: {word[:20]!a} is not a number from 0 to 999999999")
    return int(word)
