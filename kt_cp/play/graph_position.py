"""A graph without squares in the playground: its edges as text, and a path on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import urlencode

import numpy as np

from kt_cp.draw.geometry import centers, check_drawable
from kt_cp.errors import InputError
from kt_cp.graph import Graph, NamedGraph
from kt_cp.notation.graphs import GraphFormat, parse_graphs
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.problem.instance import Instance

MAX_VERTICES, MAX_EDGES = 200, 1000
"""How many vertices and edges the page shows, as each is an element of it."""

_REPEATED = 20  # characters of a text that a message repeats
_NAME = r"[^\s,;>-]+"
_EDGE = re.compile(rf"({_NAME})\s*(->?)\s*({_NAME})")
_SEPARATOR = re.compile(r"[\s,;]*")
_UNWRITABLE = re.compile(r"[\s,;>-]")
_EXAMPLE = "write edges such as a-b b-c, or a->b for one direction"


@dataclass(frozen=True)
class GraphPosition(Position):
    """A named graph and a path on it. Raises `InputError` for more than 200 vertices."""

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices, edges = len(self.graph), _count_edges(self.graph)
        if vertices > MAX_VERTICES or edges > MAX_EDGES:
            most = f"at most {MAX_VERTICES} vertices and {MAX_EDGES:,} edges are shown here"
            raise InputError(f"a {self.graph.title}; {most}")

    @classmethod
    def parse(cls, text: str, closed: bool = True) -> GraphPosition:
        """Read the edges of a graph. Raises `InputError` for anything else.

        >>> GraphPosition.parse("a-b b-c, c-a").graph
        <graph of 3 vertices and 3 edges>
        """
        return cls(Instance(_parse_edges(text), closed))

    @classmethod
    def from_file(cls, content: bytes, form: GraphFormat, closed: bool = True) -> GraphPosition:
        """Read the graph in the content of a file; one of TSPLIB asks for a closed tour.

        Raises `InputError` for what `parse_graphs` refuses, for several graphs, and for what the
        page cannot show: fixed edges, and vertices without edges.
        """
        first, *others = islice(parse_graphs(content, form), 2)
        if others:
            raise InputError("the file holds several graphs: give one of them")
        if first.require:
            raise InputError("the file asks for fixed edges, which this page cannot show")
        graph = first.graph
        alone = np.setdiff1d(graph.vertices, graph.arcs)
        if len(alone):
            raise InputError(
                f"vertex {graph.name(int(alone[0]))} has no edges, so there is no tour"
            )
        names = [_UNWRITABLE.sub("_", str(graph.label(v))) for v in graph.vertices.tolist()]
        shown = NamedGraph(names, graph.arcs, graph.directed)
        return cls(Instance(shown, closed=closed or first.closed))

    def with_kind(self, closed: bool) -> GraphPosition:
        """Ask for an open or a closed tour; the path stays."""
        return replace(self, instance=replace(self.instance, closed=closed))

    @property
    def edges(self) -> list[tuple[int, int]]:
        """The edges as pairs of ids, each once."""
        pairs = [(int(tail), int(head)) for tail, head in self.graph.arcs]
        if self.graph.directed:
            return pairs
        return [(tail, head) for tail, head in pairs if tail < head]

    @property
    def text(self) -> str:
        """The edges, as `parse` reads them."""
        link = "->" if self.graph.directed else "-"
        label = self.graph.label
        return " ".join(f"{label(tail)}{link}{label(head)}" for tail, head in self.edges)

    @property
    def query(self) -> str:
        """The part of an address from which `parse_address` makes this position.

        >>> GraphPosition.parse("a-b b-c").visited(0).visited(1).query
        'graph=a-b+b-c&closed=true&path=a+b'
        """
        asked = {"graph": self.text, "closed": str(self.instance.closed).lower()}
        if self.path:
            asked["path"] = self.path_names
        return urlencode(asked)

    @property
    def labels(self) -> list[str]:
        """The name and the state of every vertex, as a screen reader says them.

        >>> GraphPosition.parse("a-b b-c").visited(1).labels
        ['a, empty', 'b, 1', 'c, empty']
        """
        states = ["empty"] * len(self.graph)
        for step, vertex in enumerate(self.path, start=1):
            states[vertex] = str(step)
        return [f"{self.graph.name(vertex)}, {state}" for vertex, state in enumerate(states)]

    def points(self) -> list[list[float]]:
        """Return where each vertex is drawn, as (x, y) from 0 to 1.

        A path through all vertices is a circle, so that it can be seen. Otherwise the vertices are
        as far apart as in the graph, if the packages for that are installed.
        """
        if len(self.path) == len(self.graph):
            return _circle(self.path)
        try:
            check_drawable(self.graph)
        except InputError:  # a package is missing
            return _circle(range(len(self.graph)))
        points = centers(self.graph)
        low, high = points.min(axis=0), points.max(axis=0)
        spread = (high - low).max() or 1.0
        located: list[list[float]] = ((points - (low + high) / 2) / spread + 0.5).tolist()
        return located


def _circle(order: Sequence[int]) -> list[list[float]]:
    """Return points on a circle, clockwise from the top in this order of the vertices."""
    places = np.argsort(order)
    angles = 2 * np.pi * places / len(order)
    points = np.stack([np.sin(angles), -np.cos(angles)], axis=1)
    located: list[list[float]] = ((points + 1) / 2).tolist()
    return located


def _parse_edges(text: str) -> NamedGraph:
    """Return the graph with these edges. Raises `InputError` for what is not an edge."""
    if len(text) > MAX_TEXT:
        raise InputError(f"too many edges: a text here has at most {MAX_TEXT:,} characters")
    edges: list[tuple[str, str]] = []
    links: set[str] = set()
    place = _skip_separators(text, 0)
    while place < len(text):
        edge = _EDGE.match(text, place)
        if edge is None:
            wrong = text[place : place + _REPEATED].split()[0]
            raise InputError(f"edges with {wrong!r}, which is not an edge: {_EXAMPLE}")
        links.add(edge[2])
        edges.append((edge[1], edge[3]))
        place = _skip_separators(text, edge.end())
    if not edges:
        raise InputError(f"no edges: {_EXAMPLE}")
    if len(links) > 1:
        raise InputError("edges with and without a direction: write either a-b or a->b")
    return NamedGraph.from_edges((), edges, directed=links == {"->"})


def _skip_separators(text: str, place: int) -> int:
    """Return the place of the first character from ``place`` on that separates no edges."""
    separator = _SEPARATOR.match(text, place)
    assert separator is not None  # as it may be empty
    return separator.end()


def _count_edges(graph: Graph) -> int:
    return len(graph.arcs) if graph.directed else len(graph.arcs) // 2
