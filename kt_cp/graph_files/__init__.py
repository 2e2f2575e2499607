"""Read graphs from files: the format by the ending of the name, or found out from the text.

A graph of a file comes with what the file asks of its tour, and with what was left out.

The files, in the order of reading:

- ``tsplib``: the problems of TSPLIB, and numbers of vertices as other formats have them, too.
- ``__init__``: DIMACS, lists of edges, matrices, tables and JSON; networkx and SciPy read the rest.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from io import BytesIO
from pathlib import PurePath
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kt_cp.files import import_optional, open_input, read_bounded
from kt_cp.graph import Graph
from kt_cp.graph_files.tsplib import read_tsplib, refuse_line, vertex_count, vertex_number
from kt_cp.graph_input import (
    DECIMAL,
    MAX_EDGES,
    EdgeRow,
    NamedEdge,
    Positions,
    edges_in_text,
    read_edge_rows,
)
from kt_cp.messages import InputError

_MAX_GRAPH_BYTES = 2**26  # more than `files.MAX_BYTES`, as graphs list every edge
_MAX_MATRIX = 2**24  # characters
_FEWEST_ROWS = 3  # of a matrix
_PROBLEM_LINE = "'p edge VERTICES EDGES'"  # of DIMACS

# What stands between >> and << in the head of a file, which may have a line of its own.
_HEADS = {"g6": b"graph6", "s6": b"sparse6"}

# Formats of graphs that are not read, by the endings of their names, and what reads most of them.
_OTHER_FORMATS = {
    "dot": "DOT",
    "gv": "DOT",
    "d6": "digraph6",
    "lgf": "LEMON",
    "graph": "METIS",
}

# The beginning of a table that lists edges.
_TABLE_HEAD = re.compile(r"\s*source,target\b", re.IGNORECASE)

# Tables and lists of neighbors that say nothing about their form, and are no maps.
_OTHER_LISTS = {
    r"(?:[ \t]*\w+[ \t]*[,;][ \t]*\w+[ \t]*(?:\n+|$)){2,}": (
        "these may be edges: give --graph edgelist, or a first line 'source,target'"
    ),
    r"(?:[ \t]*\w+[ \t]*:[ \t\w,;]*(?:\n+|$)){2,}": (
        "these may be lists of neighbors: leave out the colons, and give --graph adjlist"
    ),
}
_NUMBERS_ONLY = re.compile(r"[\d\s]*\n[\d\s]*", re.ASCII)


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
    (``require``); distances are the attribute ``weight`` of the edges. ``remarks`` says which loops
    and parallel edges were left out, if any, and how a head and weights were read.
    """

    graph: Graph
    closed: bool = False
    require: tuple[NamedEdge, ...] = ()
    remarks: str | None = None


_Read = TypeVar("_Read", GraphFile, GraphFile | None)


def graph_format(name: str) -> GraphFormat | None:
    """Return the format of a file by the ending of its name, or None for anything else.

    Raises `InputError` for the ending of a format of graphs that is not read.
    """
    ending = PurePath(name).suffix.lower().removeprefix(".")
    if ending in _OTHER_FORMATS:
        raise InputError(
            f"{name}: {_OTHER_FORMATS[ending]} is not read: write a line of two names for each edge"
            " (--graph edgelist), or GraphML"
        )
    return GraphFormat(ending) if ending in list(GraphFormat) else None


# -- files and texts -------------------------------------------------------------------------------


def read_graph_files(
    name: str, file_format: GraphFormat, has_head: bool | None = None
) -> Iterator[GraphFile]:
    """Yield the graphs in a file (``-``: standard input), of which graph6 and sparse6 hold many.

    Raises `InputError`, with the name of the file, as `parse_graphs` does.
    """
    with open_input(name, "a file that holds a graph") as file:
        yield from parse_graphs(read_bounded(file, _MAX_GRAPH_BYTES), file_format, has_head)


def graph_file_in_text(
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
            edges = [(*row[:2], _numeric_columns(head, row)) for row in rows if len(row) > 1]
            return GraphFile(_undirected([], edges))
        matrix = _matrix_in(text)
        if matrix is not None:
            return GraphFile(Graph.of(matrix))
        edge_list = edges_in_text(text, has_head)
        if edge_list is not None:
            return GraphFile(_undirected(*edge_list))
        _refuse_other_lists(text)
        return None

    return _with_remarks(read)


def _refuse_other_lists(text: str) -> None:
    """Raise `InputError` for edges and neighbors in another form than those that are recognized."""
    for pattern, why in _OTHER_LISTS.items():
        if re.fullmatch(pattern, text.strip()):
            refuse_line(1, why)
    numbers = text.split() if _NUMBERS_ONLY.fullmatch(text.strip()) else []
    if len({*numbers}) < len(numbers):
        raise InputError(
            "numbers occur twice, so they are no steps of a board: give --graph adjlist for lists"
            " of neighbors, edgelist for edges with weights"
        )


def _numeric_columns(head: Sequence[str], row: Sequence[str]) -> dict[str, float]:
    """Return the numbers of a row after its first two columns, by the names of the columns."""
    cells = zip(head[2:], row[2:], strict=False)
    return {name: float(cell) for name, cell in cells if DECIMAL.fullmatch(cell)}


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
    is_directed = '"directed": true' in text
    try:
        match json.loads(text):
            case {"graph": {"vertices": _} as graph}:
                return GraphFile(Graph.from_dict(graph))
            case {"nodes": nodes, "links": edges} | {"nodes": nodes, "edges": edges}:
                pairs = [(edge["source"], edge["target"], edge) for edge in edges]
            case {"nodes": nodes, "adjacency": lists}:
                both = zip(nodes, lists, strict=True)
                pairs = [(node["id"], each["id"], each) for node, others in both for each in others]
                if not is_directed:  # each edge is listed at both ends
                    pairs = [*{frozenset(pair[:2]): pair for pair in pairs}.values()]
            case _:
                return None
        names = [node["id"] for node in nodes]
    except (ValueError, KeyError, TypeError, RecursionError):
        refuse_line(1, "this is not JSON as networkx writes a graph: nodes with id, and edges")
    return GraphFile(Graph.from_edges(names, pairs, directed=is_directed))


# -- the content of files, by its format -----------------------------------------------------------


def parse_graphs(
    content: bytes, file_format: GraphFormat, has_head: bool | None = None
) -> Iterator[GraphFile]:
    """Yield the graphs that the content of a file describes, one for each line of graph6.

    Vertices of TSPLIB and DIMACS are named 1, 2, 3 and so on, those in a list of edges by the words
    of the file, whose first line is a head as ``has_head`` says (see `read_edge_rows`). Raises
    `InputError`, if possible with the line, for content that is not in the format, and for more
    than a million vertices or edges.

    >>> [triangle] = parse_graphs(b"p edge 3 3\\ne 1 2\\ne 2 3\\ne 3 1\\n", GraphFormat.COL)
    >>> triangle.graph
    <graph of 3 vertices and 3 edges>
    """
    if file_format in (GraphFormat.G6, GraphFormat.S6):
        has_graphs = False
        for number, line in enumerate(content.splitlines(), start=1):
            if line.startswith((b"&", b">>digraph6<<")):
                why = "this is digraph6, which is not read: give directed graphs as GraphML or GML"
                refuse_line(number, why)
            if line.strip() not in (b"", b">>%s<<" % _HEADS[file_format]):
                has_graphs = True
                yield _with_remarks(partial(_by_networkx, line, file_format, number))
        if not has_graphs:
            refuse_line(1, "there is no graph; give one in each line")
    elif file_format is GraphFormat.EDGELIST:
        yield _with_remarks(partial(_read_edge_list, _decoded(content).splitlines(), has_head))
    elif file_format in _BY_LINES:
        yield _with_remarks(partial(_BY_LINES[file_format], _decoded(content).splitlines()))
    else:
        yield _with_remarks(partial(_by_networkx, content, file_format))


def _with_remarks(read: Callable[[], _Read]) -> _Read:
    """Return the result of a reader, with its warnings in the field ``remarks``."""
    with warnings.catch_warnings(record=True) as records:
        warnings.simplefilter("always", UserWarning)
        file = read()
    remarks = "; ".join(str(record.message) for record in records)
    return None if file is None else replace(file, remarks=remarks or None)


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


def _read_dimacs(lines: list[str]) -> GraphFile:
    """Read a graph of DIMACS: comments (c), one problem line (p edge N M), and edges (e A B)."""
    count = 0  # of vertices, once the problem line has said it
    stated = ""  # the number of edges, as the problem line has it
    problem_line = 1
    edges: list[NamedEdge] = []
    for number, line in enumerate(lines, start=1):
        match line.split():
            case [] | ["c", *_]:
                continue
            case ["p", "edge" | "edges" | "col", size, stated] | ["p", size, stated] if not count:
                count = vertex_count(size, number)
                problem_line = number
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


_BY_LINES: Mapping[GraphFormat, Callable[[list[str]], GraphFile]] = {
    **dict.fromkeys(
        (GraphFormat.HCP, GraphFormat.TSP, GraphFormat.ATSP),
        lambda lines: GraphFile(*read_tsplib(lines)),
    ),
    GraphFormat.COL: _read_dimacs,
}


def _read_edge_list(lines: list[str], has_head: bool | None) -> GraphFile:
    """Read two names on each line, and attributes in braces; # and, in front, % begin a comment."""
    rows = []
    attributes = []
    for number, line in enumerate(lines, start=1):
        text = re.split("[#{]|^%", line, maxsplit=1)[0]
        if words := text.replace(",", " ").split():
            rows.append((number, words))
            attributes.append(_attributes(line[len(text) :], number))
    names, edges = read_edge_rows(rows, has_head)
    edge_attributes = attributes[len(rows) - len(edges) :]  # without a head
    merged = [
        (*edge[:2], {**dict(*edge[2:]), **more}) if more else edge
        for edge, more in zip(edges, edge_attributes, strict=True)
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


def _by_networkx(content: bytes, file_format: GraphFormat, line: int = 1) -> GraphFile:
    """Read a graph by networkx; ``line`` is where the content begins."""
    nx = import_optional(
        "networkx", f"files that end in .{file_format}", "pip install 'knights-tours[graphs]'"
    )
    name_key = "label" if re.search(rb"\blabel\b", content) else "id"  # of vertices in GML

    def read_matrix(content: bytes) -> Any:
        """Read a sparse matrix in a file of MatrixMarket."""
        scipy_io = import_optional("scipy.io", "files that end in .mtx", "pip install scipy")
        return nx.from_scipy_sparse_array(scipy_io.mmread(BytesIO(content)).tocsr())

    readers: dict[GraphFormat, Callable[[bytes], Any]] = {
        GraphFormat.G6: nx.from_graph6_bytes,
        GraphFormat.S6: nx.from_sparse6_bytes,
        GraphFormat.GRAPHML: lambda content: nx.read_graphml(BytesIO(content)),
        GraphFormat.GML: lambda content: nx.read_gml(BytesIO(content), label=name_key),
        GraphFormat.GEXF: lambda content: nx.read_gexf(BytesIO(content)),
        GraphFormat.NET: lambda content: nx.read_pajek(BytesIO(content)),
        GraphFormat.ADJLIST: lambda content: nx.read_adjlist(BytesIO(content)),
        GraphFormat.MTX: read_matrix,
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
