"""Graph files: TSPLIB, DIMACS, lists of edges, and by networkx graph6, sparse6, GraphML and GML."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum
from io import BytesIO
from pathlib import PurePath
from typing import Any, NoReturn

from kt_cp.errors import InputError
from kt_cp.files import opened, optional, read_bounded
from kt_cp.graph import Graph, NamedGraph
from kt_cp.graph_reading import MAX_EDGES

MAX_BYTES = 2**26
MAX_VERTICES = 10**6

_COUNT, _VERTEX = ": give the number of vertices,", " is no vertex: they have the numbers"
_HEADER = re.compile(r"([A-Z_]+)\b\s*:?\s*(.*)", re.ASCII)

Described = tuple[Sequence[Hashable], list[tuple[Hashable, Hashable]]]


class GraphFormat(StrEnum):
    """The formats of graph files, each the ending of such a file's name."""

    HCP = "hcp"
    COL = "col"
    EDGELIST = "edgelist"
    G6 = "g6"
    S6 = "s6"
    GRAPHML = "graphml"
    GML = "gml"


def graph_format(name: str) -> GraphFormat | None:
    """Return the format of a file by the ending of its name, or None for anything else."""
    ending = PurePath(name).suffix.lower().removeprefix(".")
    return GraphFormat(ending) if ending in list(GraphFormat) else None


def read_graph_file(name: str, form: GraphFormat) -> tuple[Graph, str | None]:
    """Return the graph in a file (``-``: standard input), and what of it was ignored.

    Raises `InputError`, with the name of the file, for what `parse_graph` refuses.
    """
    with (
        opened(name, "a file that holds a graph") as file,
        warnings.catch_warnings(record=True) as w,
    ):
        warnings.simplefilter("always", UserWarning)
        graph = parse_graph(read_bounded(file, MAX_BYTES), form)
    return graph, "; ".join(str(each.message) for each in w) or None


def parse_graph(content: bytes, form: GraphFormat) -> Graph:
    """Return the graph that the content of a file describes.

    Vertices of TSPLIB and DIMACS are called 1, 2, 3 and so on, those in a list of edges by the
    words of the file. Raises `InputError`, where possible with the line, for what is not written in
    the format, and for more than a million vertices or edges.

    >>> parse_graph(b"c a triangle\\np edge 3 3\\ne 1 2\\ne 2 3\\ne 3 1\\n", GraphFormat.COL)
    <graph of 3 vertices and 3 edges>
    """
    if form not in _READERS:
        graph = _by_networkx(content, form)
        if max(graph.number_of_edges(), graph.number_of_nodes()) > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} vertices or edges are refused")
        return Graph.of(graph)
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        _refuse(content.count(b"\n", 0, error.start) + 1, "this is not UTF-8 text")
    names, edges = _READERS[form](lines)
    if len(edges) > MAX_EDGES:
        raise InputError(f"more than {MAX_EDGES:,} edges are refused")
    return NamedGraph.from_edges(names, edges, directed=False)


def _refuse(line: int, why: str) -> NoReturn:
    raise InputError(f"line {line}: {why}")


def _number(word: str, line: int, most: int = MAX_VERTICES, wanted: str = _COUNT) -> int:
    """Return the number of vertices, or that of a vertex."""
    if not (word.isascii() and word.isdecimal() and len(word) < 10 and 1 <= int(word) <= most):
        _refuse(line, f"{word[:20]!r}{wanted} 1 to {most:,}")
    return int(word)


def _read_hcp(lines: list[str]) -> Described:
    """Read a graph of TSPLIB (Reinelt 1991): a header, then pairs of vertices."""
    fields: dict[str, tuple[str, int]] = {}
    last = 1
    for last, line in enumerate(lines, start=1):
        header = _HEADER.fullmatch(line.strip())
        if header is None and line.strip():
            _refuse(last, f"{line.strip()[:20]!r} is no line of a header, such as DIMENSION : 10")
        if header is not None:
            fields[header[1]] = header[2].strip(), last
        if "EDGE_DATA_SECTION" in fields:
            break
    for name, example in (("DIMENSION", "DIMENSION : 10"), ("EDGE_DATA_SECTION",) * 2):
        if name not in fields:
            _refuse(last, f"the header ends without {example}")
    count = _number(*fields["DIMENSION"])
    for name, known in (("TYPE", "HCP"), ("EDGE_DATA_FORMAT", "EDGE_LIST")):
        value, number = fields.get(name, (known, 0))
        if value != known:
            _refuse(number, f"{name} {value[:20]!r}: give {known}")
    section = (
        (word, at) for at, line in enumerate(lines[last:], last + 1) for word in line.split()
    )
    words = itertools.takewhile(lambda each: each[0] != "EOF", section)
    listed = itertools.takewhile(lambda each: each[0] != "-1", words)
    ends = [(_number(word, at, count, _VERTEX), at) for word, at in listed]
    for word, at in words:
        _refuse(at, f"{word[:20]!r} after the edges: only EOF may follow")
    if len(ends) % 2:
        _refuse(ends[-1][1], f"the edge from {ends[-1][0]} has no other end")
    vertices = [vertex for vertex, _ in ends]
    return range(1, count + 1), [*zip(vertices[::2], vertices[1::2], strict=True)]


def _read_col(lines: list[str]) -> Described:
    """Read a graph of DIMACS: comments (c), one problem line (p edge N M), and edges (e A B)."""
    count, edges = 0, []
    for number, line in enumerate(lines, start=1):
        match line.split():
            case [] | ["c", *_]:
                continue
            case ["p", "edge" | "col", size, _] if not count:
                count = _number(size, number)
            case ["p", *_]:
                _refuse(number, "give one line 'p edge VERTICES EDGES'")
            case ["e", *_] if not count:
                _refuse(number, "the line 'p edge VERTICES EDGES' comes before the edges")
            case ["e", one, other]:
                edges.append([_number(word, number, count, _VERTEX) for word in (one, other)])
            case _:
                shown = repr(line.strip()[:20])
                _refuse(number, f"{shown}: give 'e A B' for an edge, 'c' for a comment")
    if not count:
        _refuse(max(1, len(lines)), "the line 'p edge VERTICES EDGES' is missing")
    return range(1, count + 1), [(one, other) for one, other in edges]


def _read_edge_list(lines: list[str]) -> Described:
    """Read two names a line; what follows a third word that begins with { or # is ignored."""
    edges: list[tuple[Hashable, Hashable]] = []
    for number, line in enumerate(lines, start=1):
        words = re.split("[#{]", line, maxsplit=1)[0].split()
        if len(words) not in (0, 2):
            _refuse(number, f"{line.strip()[:20]!r}: give the two names of an edge")
        if words:
            edges.append((words[0], words[1]))
    return [], edges


_READERS: dict[str, Callable[[list[str]], Described]]
_READERS = {"hcp": _read_hcp, "col": _read_col, "edgelist": _read_edge_list}


def _by_networkx(content: bytes, form: GraphFormat) -> Any:
    nx = optional("networkx", f"files that end in .{form}", "pip install 'knights-tours[graphs]'")
    lines = content.split()
    if form in (GraphFormat.G6, GraphFormat.S6) and len(lines) != 1:
        raise InputError(f"line {min(2, len(lines) + 1)}: give one line with one graph")
    try:
        match form:
            case GraphFormat.G6:
                return nx.from_graph6_bytes(lines[0])
            case GraphFormat.S6:
                return nx.from_sparse6_bytes(lines[0])
            case GraphFormat.GRAPHML:
                return nx.read_graphml(BytesIO(content))
        return nx.read_gml(BytesIO(content))
    except Exception as error:  # each format has its own kinds
        words = (str(error).splitlines() or [type(error).__name__])[0]
        place = re.search(r"(?:line | at \()(\d+)", words)
        line = place[1] if place else 1
        raise InputError(f"line {line}: not a graph in the format {form} ({words[:80]})") from None
