"""The textbook's own interface to the graph, for programs written from the book.

`from kt_dfs.graphs import Graph, Vertex` gives the classes of Miller and Ranum, *Problem
Solving with Algorithms and Data Structures using Python*, with its names and its behaviour.
They are `kt_dfs.graph.Graph` and `Vertex` underneath, so every search here takes them too.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from typing import Any

from kt_dfs import graph


class Vertex(graph.Vertex[Any]):
    """A vertex with the textbook's getters and setters."""

    def __init__(self, key: Hashable) -> None:
        """Make a white vertex without neighbors."""
        super().__init__(key)
        self.distance: float = sys.maxsize

    def addNeighbor(self, v: Vertex, weight: float = 0) -> None:
        """Add the arc to v."""
        self.neighbors[v] = weight

    def getConnections(self) -> list[Any]:
        """The neighbors, in the order of insertion."""
        return list(self.neighbors)

    def getId(self) -> Any:
        """The key this vertex was made with."""
        return self.key

    def getWeight(self, v: Vertex) -> float:
        """The weight of the arc to v; raises KeyError if there is none."""
        return self.neighbors[v]

    def setColor(self, color: str) -> None:
        """Set the colour: 'white', 'gray' or 'black'."""
        self.color = color

    def getColor(self) -> str:
        """The colour; it starts 'white'."""
        return self.color

    def setDistance(self, d: float) -> None:
        """Set the distance from where a search began."""
        self.distance = d

    def getDistance(self) -> float:
        """The distance; it starts at sys.maxsize, as in the book."""
        return self.distance

    def setPred(self, p: Any) -> None:
        """Set the predecessor: a vertex, None, or the book's -1."""
        self.pred = p

    def getPred(self) -> Any:
        """The predecessor; it starts as None."""
        return self.pred

    def setDiscovery(self, dtime: int) -> None:
        """Set the time of discovery."""
        self.discovery = dtime

    def getDiscovery(self) -> int:
        """The time of discovery; it starts at 0."""
        return self.discovery

    def setFinish(self, ftime: int) -> None:
        """Set the time of finishing."""
        self.finish = ftime

    def getFinish(self) -> int:
        """The time of finishing; it starts at 0."""
        return self.finish


class Graph(graph.Graph[Any]):
    """A graph to be subclassed, as the book does with `DFSGraph(Graph)`.

    >>> g = Graph()
    >>> g.addEdge(0, 1)
    >>> g.addEdge(0, 3, 5)
    >>> [w.getId() for w in g.getVertex(0).getConnections()], 3 in g, g.getVertices()
    ([1, 3], True, [0, 1, 3])
    """

    def addVertex(self, key: Hashable) -> Any:
        """The vertex with this key, made if it is new."""
        return self.vertices.setdefault(key, Vertex(key))

    def getVertex(self, key: Hashable) -> Any:
        """The vertex with this key, or None."""
        return self.vertices.get(key)

    def addEdge(self, f: Hashable, t: Hashable, cost: float = 0) -> None:
        """Add the arc from f to t, and its ends by `addVertex` where they are new."""
        self.add_vertex(f).addNeighbor(self.add_vertex(t), cost)

    def getVertices(self) -> list[Any]:
        """The keys of all vertices, in the order they were added."""
        return list(self.vertices)

    def add_vertex(self, key: Hashable) -> Any:
        """As in `kt_dfs.graph`; a new vertex is made by `addVertex`, also if overridden."""
        if key not in self.vertices:
            self.addVertex(key)
        return self.vertices[key]
