"""Graph files: TSPLIB, DIMACS, lists of edges, and by networkx graph6, sparse6, GraphML and GML."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import StrEnum
from io import BytesIO
from pathlib import PurePath
from typing import Any, NoReturn

from kt_cp.errors import InputError
from kt_cp.files import opened, optional, read_bounded
from kt_cp.graph import MAX_EDGES, Graph

MAX_BYTES = 2**26
MAX_VERTICES = 10**6

_HEADER = re.compile(r"([A-Z_]+)\b\s*:?\s*(.*)", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)

Pairs = list[tuple[Hashable, Hashable]]


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
    """Return the format of a file by the ending of its name, or None for anything else.

    >>> graph_format("petersen.hcp"), graph_format("8x8")
    (<GraphFormat.HCP: 'hcp'>, None)
    """
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
    return Graph.of_edges(names, edges, directed=False)


def _refuse(line: int, why: str) -> NoReturn:
    raise InputError(f"line {line}: {why}")


def _count(word: str, line: int) -> int:
    """Return the number of vertices."""
    if not _NUMBER.fullmatch(word) or not 1 <= int(word) <= MAX_VERTICES:
        wanted = f"give the number of vertices, 1 to {MAX_VERTICES:,}"
        _refuse(line, f"{word[:20]!r}: {wanted}")
    return int(word)


def _vertex(word: str, count: int, line: int) -> int:
    if not _NUMBER.fullmatch(word) or not 1 <= int(word) <= count:
        _refuse(line, f"{word[:20]!r} is no vertex: they have the numbers 1 to {count}")
    return int(word)


def _read_hcp(lines: list[str]) -> tuple[Sequence[Hashable], Pairs]:
    """Read a graph of TSPLIB (Reinelt 1991): a header, then pairs or lists of neighbors."""
    fields: dict[str, tuple[str, int]] = {}
    last = 0
    for last, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if (header := _HEADER.fullmatch(line.strip())) is None:
            _refuse(last, f"{line.strip()[:20]!r} is no line of a header, such as DIMENSION : 10")
        fields[header[1]] = header[2].strip(), last
        if header[1] == "EDGE_DATA_SECTION":
            break
    for name, example in (("DIMENSION", "DIMENSION : 10"), ("EDGE_DATA_SECTION",) * 2):
        if name not in fields:
            _refuse(last or 1, f"the header ends without {example}")
    count = _count(*fields["DIMENSION"])
    for name, known in (("TYPE", ["HCP"]), ("EDGE_DATA_FORMAT", ["EDGE_LIST", "ADJ_LIST"])):
        value, line_number = fields.get(name, (known[0], 0))
        if value not in known:
            _refuse(line_number, f"{name} {value[:20]!r}: give {' or '.join(known)}")
    words = _words_of(lines, last)
    if fields.get("EDGE_DATA_FORMAT", ("",))[0] == "ADJ_LIST":
        return range(1, count + 1), list(_adjacent(words, count))
    ends = [(_vertex(word, count, line), line) for word, line in _until_end(words)]
    if len(ends) % 2:
        _refuse(ends[-1][1], f"the edge from {ends[-1][0]} has no other end")
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return range(1, count + 1), [(one, other) for (one, _), (other, _) in pairs]


def _words_of(lines: list[str], first: int) -> Iterator[tuple[str, int]]:
    """Yield the words after some lines, up to EOF or the end, each with the number of its line."""
    for number, line in enumerate(lines[first:], start=first + 1):
        for word in line.split():
            if word == "EOF":
                return
            yield word, number


def _until_end(words: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Yield words up to -1, after which only EOF may follow."""
    yield from itertools.takewhile(lambda each: each[0] != "-1", words)
    for word, line in words:
        _refuse(line, f"{word[:20]!r} after the edges: only EOF may follow")


def _adjacent(words: Iterator[tuple[str, int]], count: int) -> Iterator[tuple[int, int]]:
    """Yield the edges of lists that begin with a vertex and end with -1, once each."""
    seen: set[tuple[int, int]] = set()
    for word, line in words:
        if word == "-1":
            return
        vertex = _vertex(word, count, line)
        for other, at in itertools.takewhile(lambda each: each[0] != "-1", words):
            low, high = sorted((vertex, _vertex(other, count, at)))
            if (low, high) not in seen:
                seen.add((low, high))
                yield low, high


def _read_col(lines: list[str]) -> tuple[Sequence[Hashable], Pairs]:
    """Read a graph of DIMACS: comments (c), one problem line (p edge N M), and edges (e A B)."""
    count, pairs = 0, []
    for number, line in enumerate(lines, start=1):
        match line.split():
            case [] | ["c", *_]:
                continue
            case ["p", "edge" | "col", size, _] if not count:
                count = _count(size, number)
            case ["p", *_]:
                _refuse(number, "give one line 'p edge VERTICES EDGES'")
            case ["e", one, other] if count:
                pairs.append((_vertex(one, count, number), _vertex(other, count, number)))
            case ["e", *_] if not count:
                _refuse(number, "the line 'p edge VERTICES EDGES' comes before the edges")
            case _:
                _refuse(
                    number, f"{line.strip()[:20]!r}: give 'e A B' for an edge, 'c' for a comment"
                )
    if not count:
        _refuse(max(1, len(lines)), "the line 'p edge VERTICES EDGES' is missing")
    return range(1, count + 1), list(pairs)


def _read_edge_list(lines: list[str]) -> tuple[Sequence[Hashable], Pairs]:
    """Read two names a line; what follows a third word that begins with { or # is ignored."""
    pairs: Pairs = []
    for number, line in enumerate(lines, start=1):
        words = line.split("#", 1)[0].split("{", 1)[0].split()
        if not words:
            continue
        if len(words) != 2:
            _refuse(number, f"{line.strip()[:20]!r}: give the two names of an edge")
        pairs.append((words[0], words[1]))
    return [], pairs


_READERS: dict[GraphFormat, Callable[[list[str]], tuple[Sequence[Hashable], Pairs]]] = {
    GraphFormat.HCP: _read_hcp,
    GraphFormat.COL: _read_col,
    GraphFormat.EDGELIST: _read_edge_list,
}


def _by_networkx(content: bytes, form: GraphFormat) -> Any:
    nx = optional("networkx", f"files that end in .{form}", "pip install 'knights-tours[graphs]'")
    if form in (GraphFormat.G6, GraphFormat.S6):
        lines = content.split()
        if len(lines) != 1:
            raise InputError(f"line {min(2, len(lines) + 1)}: give one line with one graph")
    readers: dict[GraphFormat, Callable[[], Any]] = {
        GraphFormat.G6: lambda: nx.from_graph6_bytes(lines[0]),
        GraphFormat.S6: lambda: nx.from_sparse6_bytes(lines[0]),
        GraphFormat.GRAPHML: lambda: nx.read_graphml(BytesIO(content)),
        GraphFormat.GML: lambda: nx.read_gml(BytesIO(content)),
    }
    try:
        return readers[form]()
    except Exception as error:  # each format has its own kinds
        words = str(error).splitlines() or [type(error).__name__]
        position = re.search(r"line (\d+)| at \((\d+), \d+\)", words[0])
        line = next(filter(None, position.groups())) if position else "1"
        raise InputError(
            f"line {line}: not a graph in the format {form} ({words[0][:80]})"
        ) from None
