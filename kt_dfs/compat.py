"""The textbook's own interfaces to the graph, for programs written from either edition.

``from kt_dfs.compat import Graph, Vertex`` gives the classes of Miller and Ranum, *Problem Solving
with Algorithms and Data Structures using Python*, with the names of the older edition (``addEdge``,
``getConnections``, ``setPred``) and of the current one, whose package is pythonds3 (``add_edge``,
``get_neighbors``, ``previous``). Underneath they are `kt_dfs.graph.Vertex` and `DFSGraph`, so that
every search of this package accepts them too. `run_program` runs a reader's program unchanged.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Hashable, Sequence
from functools import partialmethod
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kt_dfs import graph

__all__ = ["Graph", "Vertex"]

_RECURSION_LEVELS = 100_000


class Vertex(graph.Vertex[Any]):
    """A vertex with the textbook's getters, setters and properties."""

    def __init__(self, key: Hashable) -> None:
        super().__init__(key)
        self.distance: float = sys.maxsize

    def __lt__(self, other: Vertex) -> bool:
        return bool(self.key < other.key)

    def get_neighbor(self, other: Vertex) -> float | None:
        """Return the weight of the arc to another vertex, or None if there is no such arc."""
        return self.neighbors.get(other)

    def getWeight(self, v: Vertex) -> float:
        """Return the weight of the arc to v. Raises KeyError if there is no such arc."""
        return self.neighbors[v]

    def set_neighbor(self, other: Vertex, weight: float = 0) -> None:
        """Add the arc to another vertex."""
        self.neighbors[other] = weight

    def get_neighbors(self) -> list[Any]:
        """Return the neighbors in the order of insertion."""
        return list(self.neighbors)

    addNeighbor, getConnections = set_neighbor, get_neighbors

    if TYPE_CHECKING:
        previous: Any
        discovery_time: Any
        closing_time: Any

        def __getattr__(self, name: str) -> Any:
            """Let type checkers accept the getters and setters that are added below."""


def _add_accessors(attribute: str, older: str, newer: str) -> None:
    """Add the getters and setters of both editions for an attribute, and a property.

    For instance ``getPred``, ``setPred``, ``get_previous`` and ``set_previous`` for ``pred``. The
    property has the newer name.
    """
    for getter, setter in ((f"get{older}", f"set{older}"), (f"get_{newer}", f"set_{newer}")):
        setattr(Vertex, getter, partialmethod(getattr, attribute))
        setattr(Vertex, setter, partialmethod(setattr, attribute))
    if newer != attribute:
        getter_and_setter = attrgetter(attribute), lambda each, new: setattr(each, attribute, new)
        setattr(Vertex, newer, property(*getter_and_setter))


_add_accessors("key", older="Id", newer="key")
_add_accessors("color", older="Color", newer="color")
_add_accessors("distance", older="Distance", newer="distance")
_add_accessors("pred", older="Pred", newer="previous")
_add_accessors("discovery", older="Discovery", newer="discovery_time")
_add_accessors("finish", older="Finish", newer="closing_time")


class Graph(graph.DFSGraph[Any]):
    """A graph to be subclassed, as the book does with ``DFSGraph(Graph)``.

    >>> g = Graph()
    >>> g.addEdge(0, 1)
    >>> g.add_edge(0, 3, 5)
    >>> [w.getId() for w in g.getVertex(0).getConnections()], 3 in g, g.get_vertices()
    ([1, 3], True, [0, 1, 3])
    """

    def set_vertex(self, key: Hashable) -> Any:
        """Return the vertex with this key, which is added if it is new."""
        return self.vertices.setdefault(key, Vertex(key))

    def addVertex(self, key: Hashable) -> Any:
        """Add a vertex, as `set_vertex` does."""
        return self.set_vertex(key)

    def add_vertex(self, key: Hashable) -> Any:
        """Return the vertex with this key; ``addVertex``, which may be overridden, adds it."""
        if key not in self.vertices:
            self.addVertex(key)
        return self.vertices[key]

    def get_vertex(self, key: Hashable) -> Any:
        """Return the vertex with this key, or None."""
        return self.vertices.get(key)

    def get_vertices(self) -> list[Any]:
        """Return the keys of all vertices in the order in which they were added."""
        return list(self.vertices)

    def get_edges(self) -> list[tuple[Any, Any]]:
        """Return every arc as a pair of keys."""
        return [(tail.key, head.key) for tail, head in self.arcs()]

    def addEdge(self, f: Hashable, t: Hashable, cost: float = 0) -> None:
        """Add the arc from f to t, and its ends if they are new."""
        self.add_edge(f, t, cost)

    getVertex, getVertices, size = get_vertex, get_vertices, graph.DFSGraph.__len__


def _import_or_stub(name: str) -> ModuleType:
    """Import a package, or else put an empty one in its place."""
    try:
        return import_module(name)
    except (ImportError, SyntaxError):
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = []  # a package: a missing submodule is reported by its name
        return package


def run_program(file: str, arguments: Sequence[str] = ()) -> None:
    """Run a program that imports `Graph` or `Vertex` from one of the textbook's modules.

    These are ``graphs``, unless such a file lies beside the program, ``pythonds.graphs`` and
    ``pythonds3.graphs``. The rest of these packages is theirs, where they are installed. The
    program may recurse as deeply as its search of a large graph needs. What it raises is raised.
    """
    folder = Path(file).resolve().parent
    classes = sys.modules[__name__]
    sys.argv = [file, *arguments]
    sys.path[0] = str(folder)
    if not (folder / "graphs.py").exists():
        sys.modules["graphs"] = classes
    for package in ("pythonds", "pythonds3"):
        sys.modules[f"{package}.graphs"] = classes
        vars(_import_or_stub(package))["graphs"] = classes
    with graph.recursion_room(_RECURSION_LEVELS):
        runpy.run_path(file, run_name="__main__")
