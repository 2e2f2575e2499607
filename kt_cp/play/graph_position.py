"""Positions on a graph that is no board: its edges as text, and a path on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt

from kt_cp.draw.geometry import check_drawable
from kt_cp.draw.layout import centers
from kt_cp.graph import Graph, NamedGraph
from kt_cp.messages import InputError
from kt_cp.notation.graphs import GraphFile, GraphFormat, parse_graphs
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.problem.instance import Instance

MAX_VERTICES = 200
"""The largest number of vertices on the page, where each is an element."""

MAX_EDGES = 1000
"""The largest number of edges on the page."""

_MAX_QUOTED = 20  # characters of a text that a message repeats
_NAME = r"[^\s,;>-]+"
_EDGE = re.compile(rf"({_NAME})\s*(->?)\s*({_NAME})")
_SEPARATOR = re.compile(r"[\s,;]*")
_UNWRITABLE = re.compile(r"[\s,;>-]")
_EXAMPLE = "write edges such as a-b b-c, or a->b for one direction"


@dataclass(frozen=True)
class GraphPosition(Position):
    """A named graph and a path on it.

    Raises `InputError` for more than 200 vertices or 1000 edges, and for a path with an illegal
    move.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices, edges = len(self.graph), _count_edges(self.graph)
        if vertices > MAX_VERTICES or edges > MAX_EDGES:
            most = f"at most {MAX_VERTICES} vertices and {MAX_EDGES:,} edges are shown here"
            raise InputError(f"a {self.graph.title}; {most}")

    @classmethod
    def parse(cls, text: str, closed: bool = True) -> GraphPosition:
        """Return the graph with these edges, without a path. Raises `InputError` for other text.

        >>> GraphPosition.parse("a-b b-c, c-a").graph
        <graph of 3 vertices and 3 edges>
        """
        return cls(Instance(_parse_edges(text), closed))

    @classmethod
    def from_file(cls, content: bytes, form: GraphFormat, closed: bool = True) -> GraphPosition:
        """Return the graph in a file, without a path.

        ``closed`` says which kind of tour is asked for; a file of TSPLIB always asks for a closed
        one. The vertices are numbered from 1 if their names are too long for an address, or cannot
        be told apart without the characters that separate edges. Raises `InputError` for content
        that `parse_graphs` refuses, for several graphs, and for a graph that the page cannot show:
        one with fixed edges, with vertices without edges, or with too many edges for an address.
        """
        read = _read_graph(content, form)
        graph = read.graph
        position = cls(Instance(_with_writable_names(graph), closed=closed or read.closed))
        if len(position.text) > MAX_TEXT:
            position = cls(replace(position.instance, graph=_with_numbers(graph)))
        _check_length(position.text)
        return position

    def with_kind(self, closed: bool) -> GraphPosition:
        """Return the position with the same path and another kind of tour: open or closed."""
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

        >>> GraphPosition.parse("a-b b-c").with_tap(0).with_tap(1).query
        'graph=a-b+b-c&closed=true&path=a+b'
        """
        fields = {"graph": self.text, "closed": str(self.instance.closed).lower()}
        if self.path:
            fields["path"] = self.path_names
        return urlencode(fields)

    @property
    def labels(self) -> list[str]:
        """The name and the state of every vertex, as a screen reader says them.

        >>> GraphPosition.parse("a-b b-c").with_tap(1).labels
        ['a, empty', 'b, 1', 'c, empty']
        """
        states = ["empty"] * len(self.graph)
        for step, vertex in enumerate(self.path, start=1):
            states[vertex] = str(step)
        return [f"{self.graph.name(vertex)}, {state}" for vertex, state in enumerate(states)]

    def points(self) -> list[list[float]]:
        """Return the position of each vertex in the drawing, as (x, y) from 0 to 1.

        A path through all vertices is drawn as a circle. Otherwise the layout is that of pictures
        of graphs, or a circle if the packages that it needs are not installed.
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
        return _as_lists((points - (low + high) / 2) / spread + 0.5)


def _circle(order: Sequence[int]) -> list[list[float]]:
    """Return (x, y) of each vertex on a circle, clockwise from the top in this order."""
    indices = np.argsort(order)
    angles = 2 * np.pi * indices / len(order)
    points = np.stack([np.sin(angles), -np.cos(angles)], axis=1)
    return _as_lists((points + 1) / 2)


def _as_lists(points: npt.NDArray[np.float64]) -> list[list[float]]:
    """Return the rows of an array of points as lists."""
    rows: list[list[float]] = points.tolist()
    return rows


def _read_graph(content: bytes, form: GraphFormat) -> GraphFile:
    """Return the only graph in a file.

    Raises `InputError` for several graphs, for fixed edges, and for vertices without edges.
    """
    read, *others = islice(parse_graphs(content, form), 2)
    if others:
        raise InputError("the file holds several graphs: give one of them")
    if read.require:
        raise InputError("the file asks for fixed edges, which this page cannot show")
    graph = read.graph
    isolated = np.setdiff1d(graph.vertices, graph.arcs)
    if len(isolated):
        name = graph.name(int(isolated[0]))
        raise InputError(f"vertex {name} has no edges, so there is no tour")
    return read


def _with_writable_names(graph: Graph) -> NamedGraph:
    """Return a graph with ``_`` in place of the characters of its names that separate edges.

    If two names become equal, its vertices are numbered.
    """
    labels = [str(graph.label(vertex)) for vertex in graph.vertices.tolist()]
    names = [_UNWRITABLE.sub("_", label) for label in labels]
    if len({*names}) < len(names):
        return _with_numbers(graph)
    return NamedGraph(names, graph.arcs, graph.directed)


def _with_numbers(graph: Graph) -> NamedGraph:
    """Return a graph with the numbers from 1 as names."""
    numbers = [str(number) for number in range(1, len(graph) + 1)]
    return NamedGraph(numbers, graph.arcs, graph.directed)


def _parse_edges(text: str) -> NamedGraph:
    """Return the graph with these edges. Raises `InputError` for text that is not an edge."""
    _check_length(text)
    edges: list[tuple[str, str]] = []
    links: set[str] = set()
    index = _skip_separators(text, 0)
    while index < len(text):
        edge = _EDGE.match(text, index)
        if edge is None:
            wrong = text[index : index + _MAX_QUOTED].split()[0]
            raise InputError(f"edges with {wrong!r}, which is not an edge: {_EXAMPLE}")
        links.add(edge[2])
        edges.append((edge[1], edge[3]))
        index = _skip_separators(text, edge.end())
    if not edges:
        raise InputError(f"no edges: {_EXAMPLE}")
    if len(links) > 1:
        raise InputError("edges with and without a direction: write either a-b or a->b")
    return NamedGraph.from_edges((), edges, directed=links == {"->"})


def _check_length(text: str) -> None:
    """Raise `InputError` for edges whose text is too long for an address."""
    if len(text) > MAX_TEXT:
        raise InputError(f"too many edges: a text here has at most {MAX_TEXT:,} characters")


def _skip_separators(text: str, index: int) -> int:
    """Return the index of the first character from ``index`` on that does not separate edges."""
    separator = _SEPARATOR.match(text, index)
    assert separator is not None  # the pattern matches an empty text
    return separator.end()


def _count_edges(graph: Graph) -> int:
    """Return the number of edges; each edge of an undirected graph is two arcs."""
    return len(graph.arcs) if graph.directed else len(graph.arcs) // 2
