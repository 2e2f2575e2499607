"""Read graph files: TSPLIB, DIMACS, edges, matrices, JSON; others by networkx and SciPy."""

from __future__ import annotations

import ast
import csv
import json
import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from io import BytesIO
from pathlib import PurePath
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from kt_cp.files import import_optional, open_input, read_bounded
from kt_cp.graph import Graph
from kt_cp.graph_input import (
    MAX_EDGES,
    WEIGHT,
    EdgeRow,
    NamedEdge,
    Positions,
    edges_in_text,
    read_edge_rows,
)
from kt_cp.messages import InputError

MAX_BYTES = 2**26

# What stands between >> and << in the head of a file, which may have a line of its own.
_HEADS = {"g6": b"graph6", "s6": b"sparse6"}

_FEWEST_ROWS = 3  # of a matrix
_PROBLEM_LINE = "'p edge VERTICES EDGES'"


class GraphFormat(StrEnum):
    """The formats of graph files; the values are the endings of their names."""

    HCP = "hcp"
    TSP = "tsp"
    ATSP = "atsp"
    COL = "col"
    EDGELIST = "edgelist"
    G6 = "g6"
    S6 = "s6"
    GRAPHML = "graphml"
    GML = "gml"
    GEXF = "gexf"
    NET = "net"
    ADJLIST = "adjlist"
    MTX = "mtx"


@dataclass(frozen=True)
class GraphFile:
    """A graph in a file, and the constraints that the file states.

    TSPLIB's problems are Hamiltonian cycles (``closed``) that must use its fixed edges
    (``require``); distances are the attribute ``weight`` of the edges. ``ignored`` says which loops
    and parallel edges were left out, if any, and how a head and weights were read.
    """

    graph: Graph
    closed: bool = False
    require: tuple[NamedEdge, ...] = ()
    ignored: str | None = None


# Formats of graphs that are not read, by the endings of their names, and what reads most of them.
_OTHER_FORMATS = {
    "dot": "DOT",
    "gv": "DOT",
    "d6": "digraph6",
    "lgf": "LEMON",
    "graph": "METIS",
}


def graph_format(name: str) -> GraphFormat | None:
    """Return the format of a file by the ending of its name, or None for anything else.

    Raises `InputError` for the ending of a format of graphs that is not read.
    """
    ending = PurePath(name).suffix.lower().removeprefix(".")
    if ending in _OTHER_FORMATS:
        ways = "a line of two names for each edge (--graph edgelist), or GraphML"
        raise InputError(f"{name}: {_OTHER_FORMATS[ending]} is not read: write {ways}")
    return GraphFormat(ending) if ending in list(GraphFormat) else None


def read_graph_file(name: str, file_format: GraphFormat, has_head: bool | None = None) -> GraphFile:
    """Return the graph in a file (``-``: standard input).

    Raises `InputError`, with the name of the file, as `parse_graphs` does, and for a file with
    several graphs.
    """
    with open_input(name, "a file that holds a graph") as file:
        return _only(parse_graphs(read_bounded(file, MAX_BYTES), file_format, has_head))


def read_graph_files(
    name: str, file_format: GraphFormat, has_head: bool | None = None
) -> Iterator[GraphFile]:
    """Yield the graphs in a file (``-``: standard input), of which graph6 and sparse6 hold many.

    Raises `InputError`, with the name of the file, as `parse_graphs` does.
    """
    with open_input(name, "a file that holds a graph") as file:
        yield from parse_graphs(read_bounded(file, MAX_BYTES), file_format, has_head)


def edge_list_in(
    text: str, piece: object = None, topology: object = None, has_head: bool | None = None
) -> GraphFile | None:
    """Return the graph that a text without a name is about, or None for a size or a map.

    The text lists edges, or is a matrix of 0 and 1, a table with columns source and target, or JSON
    as networkx or ``kt solve`` writes it. With a piece or a topology it is a board. Raises
    `InputError` as `edges_in_text`.
    """
    if piece is not None or topology is not None:
        return None

    def read() -> GraphFile | None:
        if text.lstrip().startswith("{"):
            return _read_json(text)
        if _TABLE_HEAD.match(text):
            head, *rows = csv.reader(text.split())
            edges = [(*row[:2], _numbers(head, row)) for row in rows if len(row) > 1]
            return GraphFile(_undirected([], edges))
        matrix = _matrix_in(text)
        if matrix is not None:
            return GraphFile(Graph.of(matrix))
        listed = edges_in_text(text, has_head)
        return None if listed is None else GraphFile(_undirected(*listed))

    return _with_ignored(read)


def _numbers(head: Sequence[str], row: Sequence[str]) -> dict[str, float]:
    """Return the numbers in the columns of a row after the first two, by the names of these."""
    cells = zip(head[2:], row[2:], strict=False)
    return {name: float(cell) for name, cell in cells if WEIGHT.fullmatch(cell)}


_TABLE_HEAD = re.compile(r"\s*source,target\b", re.IGNORECASE)
_MAX_MATRIX = 2**24  # characters


def _matrix_in(text: str) -> npt.NDArray[np.int64] | None:
    """Return the adjacency matrix of 0 and 1 in a text, or None for others, and for maps."""
    rows = [line.replace(",", " ").split() for line in text[:_MAX_MATRIX].splitlines()]
    if len(rows) < _FEWEST_ROWS or {*map(len, rows)} != {len(rows)}:
        return None
    try:
        matrix = np.array(rows, dtype=np.float64)
    except ValueError:
        return None
    is_matrix = np.isin(matrix, (0, 1)).all() and np.count_nonzero(matrix) > 1
    return matrix.astype(np.int64) if is_matrix else None


def _read_json(text: str) -> GraphFile | None:
    """Read a graph in JSON: nodes with links, edges or adjacency, or a result of ``kt solve``."""
    try:
        match json.loads(text):
            case {"graph": {"vertices": _} as graph}:
                return GraphFile(Graph.from_dict(graph))
            case {"nodes": nodes, "links": edges} | {"nodes": nodes, "edges": edges}:
                pairs = [(edge["source"], edge["target"], edge) for edge in edges]
            case {"nodes": nodes, "adjacency": lists}:
                both = zip(nodes, lists, strict=True)
                pairs = [(node["id"], each["id"], each) for node, others in both for each in others]
                if '"directed": true' not in text:  # each edge is listed at both ends
                    pairs = [*{frozenset(pair[:2]): pair for pair in pairs}.values()]
            case _:
                return None
        names, is_directed = [node["id"] for node in nodes], '"directed": true' in text
    except (ValueError, KeyError, TypeError, RecursionError):
        refuse_line(1, "this is not JSON as networkx writes a graph: nodes with id, and edges")
    return GraphFile(Graph.from_edges(names, pairs, directed=is_directed))


def parse_graph(content: bytes, file_format: GraphFormat) -> Graph:
    """Return the graph that the content of a file describes.

    Raises `InputError` as `parse_graphs` does, and for several graphs.

    >>> parse_graph(b"c a triangle\\np edge 3 3\\ne 1 2\\ne 2 3\\ne 3 1\\n", GraphFormat.COL)
    <graph of 3 vertices and 3 edges>
    """
    return _only(parse_graphs(content, file_format)).graph


def parse_graphs(
    content: bytes, file_format: GraphFormat, has_head: bool | None = None
) -> Iterator[GraphFile]:
    """Yield the graphs that the content of a file describes, one for each line of graph6.

    Vertices of TSPLIB and DIMACS are named 1, 2, 3 and so on, those in a list of edges by the words
    of the file, whose first line is a head as ``has_head`` says (see `read_edge_rows`). Raises
    `InputError`, if possible with the line, for content that is not in the format, and for more
    than a million vertices or edges.
    """
    if file_format in (GraphFormat.G6, GraphFormat.S6):
        found = False
        for number, line in enumerate(content.splitlines(), start=1):
            if line.startswith((b"&", b">>digraph6<<")):
                wanted = "give directed graphs as GraphML or GML"
                refuse_line(number, f"this is digraph6, which is not read: {wanted}")
            if line.strip() and line.strip() != b">>%s<<" % _HEADS[file_format]:
                found = True
                yield _with_ignored(partial(_by_networkx, line, file_format, number))
        if not found:
            refuse_line(1, "there is no graph; give one in each line")
    elif file_format is GraphFormat.EDGELIST:
        lines = _decoded(content).splitlines()
        yield _with_ignored(partial(_read_edge_list, lines, has_head))
    elif file_format in _READERS:
        yield _with_ignored(partial(_READERS[file_format], _decoded(content).splitlines()))
    else:
        yield _with_ignored(partial(_by_networkx, content, file_format))


def _only(graphs: Iterator[GraphFile]) -> GraphFile:
    """Return the first of some graphs. Raises `InputError` if there are more."""
    first = next(graphs)
    if next(graphs, None) is not None:
        raise InputError("there are several graphs, which only kt solve takes: give one")
    return first


_Read = TypeVar("_Read", GraphFile, GraphFile | None)


def _with_ignored(read: Callable[[], _Read]) -> _Read:
    """Return the result of a reader, with its warnings in the field ``ignored``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        file = read()
    ignored = "; ".join(str(each.message) for each in caught)
    return None if file is None else replace(file, ignored=ignored or None)


def _decoded(content: bytes) -> str:
    """Return UTF-8 text. Raises `InputError`, with the line, for anything else."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse_line(content.count(b"\n", 0, error.start) + 1, "this is not UTF-8 text")


def _undirected(
    names: Sequence[Hashable], edges: Sequence[EdgeRow], positions: Positions | None = None
) -> Graph:
    """Return the undirected graph of these edges. Raises `InputError` if there are too many."""
    if len(edges) > MAX_EDGES:
        raise InputError(f"more than {MAX_EDGES:,} edges are refused")
    return Graph.from_edges(names, edges, directed=False, positions=positions)


def _read_hcp(lines: list[str]) -> GraphFile:
    """Read a problem of TSPLIB."""
    problem = read_problem(lines)
    names = range(1, problem.count + 1)
    if not problem.directed:
        graph = _undirected(names, problem.edges, problem.positions)
    else:
        graph = Graph.from_edges(names, problem.edges, True, problem.positions)
    return GraphFile(graph, problem.closed, tuple(problem.fixed))


def _read_col(lines: list[str]) -> GraphFile:
    """Read a graph of DIMACS: comments (c), one problem line (p edge N M), and edges (e A B)."""
    count, stated, problem_line = 0, "", 1
    edges: list[NamedEdge] = []
    for number, line in enumerate(lines, start=1):
        match line.split():
            case [] | ["c", *_]:
                continue
            case ["p", "edge" | "edges" | "col", size, stated] | ["p", size, stated] if not count:
                count, problem_line = vertex_count(size, number), number
            case ["p", *_]:
                refuse_line(number, f"give one line {_PROBLEM_LINE}")
            case ["e", *_] if not count:
                refuse_line(number, f"the line {_PROBLEM_LINE} comes before the edges")
            case ["e", source, target]:
                tail = vertex_number(source, number, count)
                edges.append((tail, vertex_number(target, number, count)))
            case _:
                shown = repr(line.strip()[:20])
                refuse_line(number, f"{shown}: give 'e A B' for an edge, 'c' for a comment")
    if not count:
        refuse_line(max(1, len(lines)), f"the line {_PROBLEM_LINE} is missing")
    sizes = {len(edges), len({frozenset(edge) for edge in edges})}
    if stated not in {str(factor * size) for factor in (1, 2) for size in sizes}:
        refuse_line(problem_line, f"it says {stated[:20]!r} edges, but {len(edges)} follow")
    return GraphFile(_undirected(range(1, count + 1), edges))


def _read_edge_list(lines: list[str], has_head: bool | None) -> GraphFile:
    """Read two names on each line, and attributes in braces; # and, in front, % begin a comment."""
    rows, attributes = [], []
    for number, line in enumerate(lines, start=1):
        text = re.split("[#{]|^%", line, maxsplit=1)[0]
        if words := text.replace(",", " ").split():
            rows.append((number, words))
            attributes.append(_attributes(line[len(text) :], number))
    names, edges = read_edge_rows(rows, has_head)
    of_edges = attributes[len(rows) - len(edges) :]  # without a head
    merged = [
        (*edge[:2], {**dict(*edge[2:]), **more}) if more else edge
        for edge, more in zip(edges, of_edges, strict=True)
    ]
    return GraphFile(_undirected(names, merged))


def _attributes(text: str, line: int) -> Mapping[str, Any]:
    """Return the attributes of an edge as networkx writes them, or none for a comment.

    What is no dict of plain values is left out, with a warning; scalars of NumPy are numbers.
    """
    if not text.startswith("{") or text.startswith("{}"):
        return {}
    try:
        values = ast.literal_eval(re.sub(r"\bnp\.\w+\(([^()]*)\)", r"\1", text))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        values = None
    if isinstance(values, dict):
        return values
    warnings.warn(f"line {line}: {text.strip()[:40]} is left out: it is no dict", stacklevel=2)
    return {}


_READERS: dict[GraphFormat, Callable[[list[str]], GraphFile]] = {
    GraphFormat.HCP: _read_hcp,
    GraphFormat.TSP: _read_hcp,
    GraphFormat.ATSP: _read_hcp,
    GraphFormat.COL: _read_col,
}


def _gml_names(content: bytes) -> str:
    """Return the attribute with the names of vertices: the id if a file of GML has no labels."""
    return "label" if re.search(rb"\blabel\b", content) else "id"


def _matrix_market(content: bytes) -> Any:
    """Return the sparse matrix in a file of MatrixMarket."""
    scipy_io = import_optional("scipy.io", "files that end in .mtx", "pip install scipy")
    return scipy_io.mmread(BytesIO(content)).tocsr()


def _by_networkx(content: bytes, file_format: GraphFormat, line: int = 1) -> GraphFile:
    """Read a graph by networkx; ``line`` is where the content begins."""
    nx = import_optional(
        "networkx", f"files that end in .{file_format}", "pip install 'knights-tours[graphs]'"
    )
    readers: dict[GraphFormat, Callable[[bytes], Any]] = {
        GraphFormat.G6: nx.from_graph6_bytes,
        GraphFormat.S6: nx.from_sparse6_bytes,
        GraphFormat.GRAPHML: lambda content: nx.read_graphml(BytesIO(content)),
        GraphFormat.GML: lambda content: nx.read_gml(BytesIO(content), label=_gml_names(content)),
        GraphFormat.GEXF: lambda content: nx.read_gexf(BytesIO(content)),
        GraphFormat.NET: lambda content: nx.read_pajek(BytesIO(content)),
        GraphFormat.ADJLIST: lambda content: nx.read_adjlist(BytesIO(content)),
        GraphFormat.MTX: lambda content: nx.from_scipy_sparse_array(_matrix_market(content)),
    }
    try:
        graph = readers[file_format](content.strip())
    except Exception as error:  # each reader of networkx raises other kinds
        if place := re.search(r"(?:line | at \()(\d+)", str(error)):
            line = int(place[1])
        refuse_line(line, f"not a graph in the format {file_format}")
    if max(graph.number_of_edges(), graph.number_of_nodes()) > MAX_EDGES:
        raise InputError(f"more than {MAX_EDGES:,} vertices or edges are refused")
    return GraphFile(Graph.of(graph))


# -- problems of TSPLIB (Reinelt 1991): a header, then sections of edges --------------------------

MAX_VERTICES = 10**6
"""The largest number of vertices of a graph that is read from a file."""

_FIELD = re.compile(r"([A-Z_]+)\b\s*:?\s*(.*)", re.ASCII)
_EDGES, _FIXED = "EDGE_DATA_SECTION", "FIXED_EDGES_SECTION"
_WEIGHTS, _PLACES = "EDGE_WEIGHT_SECTION", "NODE_COORD_SECTION"

# Sections with positions for pictures; those for display are used if a file has both.
_POSITION_SECTIONS = ("DISPLAY_DATA_SECTION", _PLACES)

# The first value is the default.
_KNOWN_VALUES = {
    "TYPE": ("HCP", "HPP", "TSP", "ATSP"),  # a Hamiltonian cycle, a path, a shortest cycle
    "EDGE_DATA_FORMAT": ("EDGE_LIST", "ADJ_LIST"),
}

Edge = tuple[int, int]
Word = tuple[str, int]  # a word and the number of its line


@dataclass(frozen=True)
class HamiltonianProblem:
    """A graph with vertices 1 to ``count``, and the constraints on its tour.

    ``fixed`` are the edges that the tour must use; it is a cycle if ``closed``. ``positions`` are
    where pictures show vertices: (x, y), where y points downwards. If there are distances, edges
    have the attribute ``weight``, and are ``directed`` if the distances may not be symmetric.
    """

    count: int
    edges: Sequence[EdgeRow]
    fixed: Sequence[Edge]
    closed: bool
    positions: Positions = field(default_factory=dict)
    directed: bool = False


@dataclass(frozen=True)
class _Sections:
    """The fields of the header, the words of the sections, and the lines where sections begin."""

    header: dict[str, Word] = field(default_factory=dict)
    words: dict[str, list[Word]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)


def read_problem(lines: Sequence[str]) -> HamiltonianProblem:
    """Return the problem that a file states.

    Edges are a list of pairs, or lists of a vertex and its neighbors (``ADJ_LIST``), that end with
    -1. The default type is a cycle. Raises `InputError`, with the line, for anything else.

    >>> read_problem(["DIMENSION : 3", "EDGE_DATA_SECTION", "1 2", "2 3", "-1", "EOF"])
    HamiltonianProblem(count=3, edges=[(1, 2), (2, 3)], fixed=[], closed=True, positions={}, \
directed=False)
    """
    sections = _split_sections(lines)
    header = sections.header
    end = sections.lines.get(_EDGES, max(1, len(lines)))
    if "DIMENSION" not in header:
        refuse_line(end, "the header ends without DIMENSION : 10")
    for name, known in _KNOWN_VALUES.items():
        value, line = header.get(name, (known[0], 0))
        if value not in known:
            refuse_line(line, f"{name} {value[:20]!r}: give {' or '.join(known)}")
    count = vertex_count(*header["DIMENSION"])
    kind = header.get("TYPE", ("HCP", 0))[0]
    has_distances = kind.endswith("TSP")
    if has_distances and "EDGE_WEIGHT_TYPE" not in header:
        refuse_line(end, "the header ends without EDGE_WEIGHT_TYPE")
    if not has_distances and _EDGES not in sections.words:
        refuse_line(end, f"the header ends without {_EDGES}")
    is_list = header.get("EDGE_DATA_FORMAT", ("EDGE_LIST", 0))[0] == "EDGE_LIST"
    read_edges = _pairs if is_list else _neighbor_lists
    fixed = _pairs(sections.words.get(_FIXED, []), count)
    if _FIXED in sections.words and not fixed:
        refuse_line(sections.lines[_FIXED], f"{_FIXED} holds no edge")
    edges: Sequence[EdgeRow]
    if has_distances:
        edges = _weighted_edges(sections, count, directed=kind == "ATSP")
    else:
        edges = read_edges(sections.words[_EDGES], count)
    names = (each for each in _POSITION_SECTIONS if each in sections.words)
    positions = _places(sections.words.get(next(names, ""), []), count)
    return HamiltonianProblem(count, edges, fixed, kind != "HPP", positions, kind == "ATSP")


def _weighted_edges(sections: _Sections, count: int, directed: bool) -> Sequence[EdgeRow]:
    """Return the edges between all vertices, or their arcs, with the attribute ``weight``."""
    kind, line = sections.header["EDGE_WEIGHT_TYPE"]
    form, _ = sections.header.get("EDGE_WEIGHT_FORMAT", ("", 0))
    weights = sections.words.get(_WEIGHTS, [])
    try:
        if count > MAX_TOWNS:
            raise InputError(f"more than {MAX_TOWNS:,} vertices with distances are refused")
        places = _places(sections.words.get(_PLACES, []), count)
        matrix = distances(kind, form, places, [word for word, _ in weights], count)
    except InputError as error:
        refuse_line(weights[0][1] if weights else line, str(error))
    if not directed and (matrix != matrix.T).any():
        refuse_line(line, "there and back the distances differ: give TYPE : ATSP")
    rows = enumerate(matrix.tolist(), start=1)
    return [
        (source, target, {"weight": weight})
        for source, row in rows
        for target, weight in enumerate(row, start=1)
        if source < target or (directed and source != target)
    ]


def _places(words: Sequence[Word], count: int) -> Positions:
    """Return the position of each vertex, with y downwards (in the file, upwards).

    Positions in three dimensions are left out. Raises `InputError`, with the line, for others.
    """
    rows: dict[int, list[str]] = {}
    for word, line in words:
        rows.setdefault(line, []).append(word)
    positions: dict[Hashable, tuple[float, float]] = {}
    for line, row in rows.items():
        if row == ["-1"]:
            continue
        if len(row) not in (3, 4):
            refuse_line(line, f"{' '.join(row)[:20]!r}: give a vertex and its coordinates")
        try:
            vertex, x, y = vertex_number(row[0], line, count), float(row[1]), -float(row[2])
        except ValueError:
            refuse_line(line, f"{' '.join(row)[:20]!r}: coordinates are numbers")
        if len(row) == 3:
            positions[vertex] = x, y
    return positions


def _split_sections(lines: Sequence[str]) -> _Sections:
    """Split a file into the fields of its header and its sections."""
    sections = _Sections()
    section: list[Word] | None = None
    for number, line in enumerate(lines, start=1):
        match = _FIELD.fullmatch(line.strip())
        if match is None:
            if section is not None:
                section += [(word, number) for word in line.split()]
            elif line.strip():
                shown = repr(line.strip()[:20])
                refuse_line(number, f"{shown} is no line of a header, such as DIMENSION : 10")
            continue
        name = match[1]
        if name == "EOF":
            break
        if name in (_EDGES, _FIXED, _WEIGHTS, *_POSITION_SECTIONS):
            if name in sections.words:
                refuse_line(number, f"a second {name}: give one")
            section = sections.words[name] = []
            sections.lines[name] = number
        elif name.endswith("_SECTION"):
            refuse_line(number, f"{name} says nothing about a Hamiltonian cycle; leave it out")
        else:
            sections.header[name] = match[2].strip(), number
            section = None
    return sections


def _pairs(words: Sequence[Word], count: int) -> list[Edge]:
    """Return the edges of a list of pairs of vertices that may end with -1."""
    ends: list[int] = []
    for index, (word, line) in enumerate(words):
        if word == "-1":
            _refuse_more(words[index + 1 :])
            break
        ends.append(vertex_number(word, line, count))
    lines = Counter(line for _, line in words[: len(ends)])
    if {*lines.values()} == {3}:
        refuse_line(
            min(lines), "an edge has three numbers: give its two vertices, without a weight"
        )
    if len(ends) % 2:
        refuse_line(words[len(ends) - 1][1], f"the edge from {ends[-1]} has no other end")
    return [*zip(ends[::2], ends[1::2], strict=True)]


def _neighbor_lists(words: Sequence[Word], count: int) -> list[Edge]:
    """Return the edges, each once, of lists that consist of a vertex, its neighbors and -1.

    Raises `InputError`, with the line, for a list that does not end in the line where it begins: as
    one with the next list it would be other edges.
    """
    edges: dict[Edge, None] = {}
    vertex: int | None = None
    begun = 0  # the line in which the list of the vertex begins
    for index, (word, line) in enumerate(words):
        if word == "-1" and vertex is None:
            _refuse_more(words[index + 1 :])
            break
        if word == "-1":
            vertex = None
        elif vertex is None:
            vertex, begun = vertex_number(word, line, count), line
        elif line != begun:
            refuse_line(begun, f"the neighbors of {vertex} do not end with -1 in this line")
        else:
            other = vertex_number(word, line, count)
            edges[min(vertex, other), max(vertex, other)] = None
    if vertex is not None:
        refuse_line(begun, f"the neighbors of {vertex} do not end with -1 in this line")
    return list(edges)


def _refuse_more(words: Sequence[Word]) -> None:
    """Raise `InputError` for words after the -1 that ends a section."""
    for word, line in words:
        refuse_line(line, f"{word[:20]!r} after the edges: only another section or EOF may follow")


# -- distances of TSPLIB ---------------------------------------------------------------------------

MAX_TOWNS = 1_000
"""The most vertices of a problem with distances: each two are joined by an edge."""

Place = tuple[float, float]


def _on_the_earth(one: Place, other: Place) -> int:
    """Return the distance in km of two places, north and east, as degrees.minutes."""
    north, east, other_north, other_east = (
        3.141592 * (math.trunc(each) + 5 * (each - math.trunc(each)) / 3) / 180
        for each in (*one, *other)
    )
    between, along = math.cos(east - other_east), math.cos(north - other_north)
    across = math.cos(north + other_north)
    angle = math.acos(0.5 * ((1 + between) * along - (1 - between) * across))
    return math.floor(6378.388 * angle + 1)


_BY_PLACES: Mapping[str, Callable[[Place, Place], int]] = {
    "EUC_2D": lambda one, other: math.floor(math.dist(one, other) + 0.5),
    "CEIL_2D": lambda one, other: math.ceil(math.dist(one, other)),
    "ATT": lambda one, other: math.ceil(math.sqrt(math.dist(one, other) ** 2 / 10)),
    "GEO": _on_the_earth,
}

# Forms of matrices. By columns, one triangle is the other one by rows.
_UPPER = ("UPPER_ROW", "LOWER_COL", "UPPER_DIAG_ROW", "LOWER_DIAG_COL")
_LOWER = ("LOWER_ROW", "UPPER_COL", "LOWER_DIAG_ROW", "UPPER_DIAG_COL")
_FORMS = ("FULL_MATRIX", *_UPPER, *_LOWER)


def distances(
    kind: str, form: str, places: Positions, words: Sequence[str], count: int
) -> npt.NDArray[np.float64]:
    """Return the matrix of the distances between ``count`` vertices.

    ``kind`` and ``form`` are TSPLIB's type and format of weights. Raises `InputError` for others,
    and where places or weights are missing.
    """
    if kind in _BY_PLACES:
        if missing := [each for each in range(1, count + 1) if each not in places]:
            raise InputError(f"NODE_COORD_SECTION: give two coordinates of {missing[0]}")
        distance, listed = _BY_PLACES[kind], [places[each] for each in range(1, count + 1)]
        return np.array([[distance(one, other) for other in listed] for one in listed])
    if kind != "EXPLICIT":
        raise InputError(
            f"distances {kind[:20]} are not read, but EXPLICIT, {', '.join(_BY_PLACES)}"
        )
    if form not in _FORMS:
        raise InputError(f"EDGE_WEIGHT_FORMAT {form[:20]!r}: give one of {', '.join(_FORMS)}")
    shift = 0 if "DIAG" in form else 1  # from the diagonal
    where = np.ones((count, count), np.bool_)
    if form in _UPPER:
        where = np.triu(where, shift)
    elif form in _LOWER:
        where = np.tril(where, -shift)
    if len(words) != np.count_nonzero(where):
        has = f"{len(words):,} numbers, but {form} has {np.count_nonzero(where):,}"
        raise InputError(f"EDGE_WEIGHT_SECTION: {has}")
    matrix = np.zeros((count, count))
    try:
        matrix[where] = [float(word) for word in words]
    except ValueError as error:
        raise InputError(f"EDGE_WEIGHT_SECTION: {error}") from None
    return matrix if form == "FULL_MATRIX" else matrix + matrix.T


# -- numbers of vertices, as in DIMACS ------------------------------------------------------------


def refuse_line(line: int, why: str) -> NoReturn:
    """Raise `InputError` about a line of a file."""
    raise InputError(f"line {line}: {why}")


def vertex_count(word: str, line: int) -> int:
    """Return the number of vertices in a word. Raises `InputError`, with the line, for others."""
    if not _is_number(word, MAX_VERTICES):
        refuse_line(line, f"{word[:20]!r}: give the number of vertices, 1 to {MAX_VERTICES:,}")
    return int(word)


def vertex_number(word: str, line: int, count: int) -> int:
    """Return the number of a vertex, 1 to ``count``. Raises `InputError`, with the line."""
    if not _is_number(word, count):
        refuse_line(line, f"{word[:20]!r} is no vertex: they have the numbers 1 to {count:,}")
    return int(word)


def _is_number(word: str, most: int) -> bool:
    """Return whether a word is a whole number from 1 to ``most``."""
    is_short = word.isascii() and word.isdecimal() and len(word) < 10
    return is_short and 1 <= int(word) <= most
