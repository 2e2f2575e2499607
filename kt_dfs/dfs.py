"""General depth-first search: discovery and finish times, the forest, the kinds of edges.

After Miller and Ranum, chapter "Graphs", and Cormen, Leiserson, Rivest and Stein,
*Introduction to Algorithms*, section "Depth-first search". `parse_graph` reads a graph from text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Any, Final

from kt_dfs.digraph import BLACK, GRAY, WHITE, Graph, K, Vertex, recursion_room


class EdgeKind(Enum):
    """How an edge lies to the depth-first forest."""

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
    >>> graph.forest()
    [[0, 1, 3, 2]]
    """

    def __init__(self) -> None:
        super().__init__()
        self.time = 0

    @staticmethod
    def from_edges(vertices: int, edges: Iterable[tuple[int, int]]) -> DFSGraph[int]:
        """Return the graph on 0 to vertices - 1 with these directed edges, neighbors ascending."""
        graph = DFSGraph[int]()
        for key in range(vertices):
            graph.add_vertex(key)
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
        """Search what can be reached from a white vertex. The textbook's `dfsvisit`."""
        with recursion_room(len(self)):
            self._visit(vertex)

    def _visit(self, vertex: Vertex[K]) -> None:
        vertex.color = GRAY
        self.time += 1
        vertex.discovery = self.time
        for neighbor in vertex.neighbors:
            if neighbor.color == WHITE:
                neighbor.pred = vertex
                self._visit(neighbor)
        vertex.color = BLACK
        self.time += 1
        vertex.finish = self.time

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


class InputError(Exception):
    """The input is invalid; the message says what is wrong, where, and what would be right."""


def parse_graph(text: str) -> DFSGraph[Any]:
    """Return the directed graph of `count,tail head,tail head,…` or `tail head,tail head,…`.

    With a count the vertices are numbered from 0 and neighbors are taken in ascending order.
    Without it the vertices have names, and vertices and neighbors are taken as they come in the
    text. Raises InputError, with the place, for anything else.

    >>> [(tail.key, head.key) for tail, head in parse_graph("3,0 1,2 0").arcs()]
    [(0, 1), (2, 0)]
    >>> [vertex.key for vertex in parse_graph("A B,B C")]
    ['A', 'B', 'C']
    """
    first, *rest = text.split(",")
    if len(first.split()) > 1:
        return _named_graph([first, *rest])
    count = number(first.strip(), "the vertex count, before the first comma")
    if count > MAX_VERTICES:
        raise InputError(f"vertex count {count}: at most {MAX_VERTICES}")
    edges = [two_numbers(pair, f"edge {place}, 'from to'") for place, pair in enumerate(rest, 1)]
    for place, edge in enumerate(edges, 1):
        if max(edge) >= count:
            raise InputError(
                f"edge {place}, '{edge[0]} {edge[1]}': with {count} vertices they are numbered"
                f" from 0 to {count - 1}"
            )
    return DFSGraph.from_edges(count, edges)


def _named_graph(pairs: list[str]) -> DFSGraph[str]:
    graph = DFSGraph[str]()
    for place, pair in enumerate(pairs, 1):
        names = pair.split()
        if len(names) != 2:
            raise InputError(f"expected edge {place}, 'from to': two names, not {len(names)}")
        tail, head = names
        if not (tail + head).isprintable():
            raise InputError(f"edge {place}, {pair!a}: names are made of printable characters")
        graph.add_edge(tail, head)
    return graph


def two_numbers(text: str, what: str) -> tuple[int, int]:
    """Return the two numbers in the text."""
    words = text.split()
    if len(words) != 2:
        raise InputError(f"expected {what}: two numbers, not {len(words)}")
    return number(words[0], what), number(words[1], what)


def number(word: str, what: str) -> int:
    """Return the number, at least 0, that the word spells."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise InputError(f"expected {what}: {word[:20]!a} is not a number from 0 to 999999999")
    return int(word)
