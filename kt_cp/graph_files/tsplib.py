"""Read problems of TSPLIB (Reinelt 1991): a graph as edges, or vertices with distances.

The file has a header of fields, such as ``DIMENSION : 10``, and sections of numbers.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from kt_cp.graph import Graph
from kt_cp.graph_input import MAX_EDGES, EdgeRow, NamedEdge, Positions, is_number
from kt_cp.messages import InputError

_FIELD = re.compile(r"([A-Z_]+)\b\s*:?\s*(.*)", re.ASCII)
_EDGES, _FIXED, _WEIGHTS = "EDGE_DATA_SECTION", "FIXED_EDGES_SECTION", "EDGE_WEIGHT_SECTION"
# Sections with positions for pictures; those for display are used if a file has both.
_DISPLAY, _PLACES = "DISPLAY_DATA_SECTION", "NODE_COORD_SECTION"
# The first value is the default.
_KNOWN_VALUES = {
    "TYPE": ("HCP", "HPP", "TSP", "ATSP"),  # a Hamiltonian cycle, a path, a shortest cycle
    "EDGE_DATA_FORMAT": ("EDGE_LIST", "ADJ_LIST"),
}

Word = tuple[str, int]  # a word and the number of its line
Section = tuple[int, list[Word]]  # the number of the line that begins it, and its words


def read_tsplib(lines: Sequence[str]) -> tuple[Graph, bool, tuple[NamedEdge, ...]]:
    """Return the graph of a problem, whether its tour is a cycle, and the edges that it must use.

    The vertices are 1, 2, 3 and so on. Edges are a list of pairs, or lists of a vertex and its
    neighbors (``ADJ_LIST``), that end with -1; distances are their attribute ``weight``. The
    default is a cycle. Raises `InputError`, with the line, for anything else.

    >>> read_tsplib(["DIMENSION : 3", "EDGE_DATA_SECTION", "1 2", "2 3", "-1", "EOF"])
    (<graph of 3 vertices and 2 edges>, True, ())
    """
    header, sections = _split_sections(lines)
    end = sections[_EDGES][0] if _EDGES in sections else max(1, len(lines))
    values = []
    for name, choices in _KNOWN_VALUES.items():
        value, line = header.get(name, (choices[0], 0))
        if value not in choices:
            refuse_line(line, f"{name} {value[:20]!r}: give {' or '.join(choices)}")
        values.append(value)
    kind, edge_format = values
    has_distances = kind.endswith("TSP")
    if "DIMENSION" not in header:
        refuse_line(end, "the header ends without DIMENSION : 10")
    name = "EDGE_WEIGHT_TYPE" if has_distances else _EDGES
    if name not in (header | sections):
        refuse_line(end, f"the header ends without {name}")
    count = vertex_count(*header["DIMENSION"])
    fixed_line, fixed_words = sections.get(_FIXED, (0, []))
    fixed = _pairs(fixed_words, count)
    if fixed_line and not fixed:
        refuse_line(fixed_line, f"{_FIXED} holds no edge")
    edges: Sequence[EdgeRow]
    if has_distances:
        edges = _weighted_edges(header, sections, count)
    else:
        read_edges = _pairs if edge_format == "EDGE_LIST" else _neighbor_lists
        edges = read_edges(sections[_EDGES][1], count)
    if len(edges) > MAX_EDGES:
        raise InputError(f"more than {MAX_EDGES:,} edges are refused")
    _, words = sections.get(_DISPLAY) or sections.get(_PLACES) or (0, [])
    positions = _places(words, count)
    graph = Graph.from_edges(range(1, count + 1), edges, kind == "ATSP", positions)
    return graph, kind != "HPP", tuple(fixed)


def _split_sections(lines: Sequence[str]) -> tuple[dict[str, Word], dict[str, Section]]:
    """Return the fields of the header, and the sections, by name."""
    header: dict[str, Word] = {}
    sections: dict[str, Section] = {}
    words: list[Word] | None = None  # of the section in which the line is
    for number, line in enumerate(lines, start=1):
        match = _FIELD.fullmatch(line.strip())
        if match is None:
            if words is not None:
                words += [(word, number) for word in line.split()]
            elif line.strip():
                shown = repr(line.strip()[:20])
                refuse_line(number, f"{shown} is no line of a header, such as DIMENSION : 10")
            continue
        name = match[1]
        if name == "EOF":
            break
        if name in sections:
            refuse_line(number, f"a second {name}: give one")
        if name in (_EDGES, _FIXED, _WEIGHTS, _DISPLAY, _PLACES):
            words = []
            sections[name] = number, words
        elif name.endswith("_SECTION"):
            refuse_line(number, f"{name} says nothing about a Hamiltonian cycle; leave it out")
        else:
            header[name] = match[2].strip(), number
            words = None
    return header, sections


def _by_line(words: Sequence[Word]) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of each line of a section, up to -1, after which there must be none."""
    is_ended = False
    for line, group in itertools.groupby(words, key=lambda word: word[1]):
        row = [word for word, _ in group]
        if is_ended:
            refuse_line(
                line, f"{row[0][:20]!r} after the edges: only another section or EOF may follow"
            )
        is_ended = row == ["-1"]
        if not is_ended:
            yield line, row


def _pairs(words: Sequence[Word], count: int) -> list[tuple[int, int]]:
    """Return the edges of a list of pairs of vertices that may end with -1."""
    ends: list[int] = []
    widths: dict[int, int] = {}  # the first line with each number of words
    line = 0
    for line, row in _by_line(words):
        row = row[:-1] if row[-1] == "-1" else row
        ends += [vertex_number(word, line, count) for word in row]
        widths[len(row)] = widths.get(len(row), line)
    if [*widths] == [3]:
        refuse_line(widths[3], "an edge has three numbers: give its two vertices, without a weight")
    if len(ends) % 2:
        refuse_line(line, f"the edge from {ends[-1]} has no other end")
    return [*zip(ends[::2], ends[1::2], strict=True)]


def _neighbor_lists(words: Sequence[Word], count: int) -> list[tuple[int, int]]:
    """Return the edges, each once, of lists that consist of a vertex, its neighbors and -1.

    Raises `InputError`, with the line, for a list that does not end in the line where it begins: as
    one with the next list it would be other edges.
    """
    edges: dict[tuple[int, int], None] = {}
    for line, row in _by_line(words):
        *lists, rest = re.split(r"-1\b", " ".join(row))
        if rest.split():
            refuse_line(line, f"the neighbors of {rest.split()[0]} do not end with -1 in this line")
        for each in filter(None, map(str.split, lists)):
            vertex, *others = (vertex_number(word, line, count) for word in each)
            edges |= dict.fromkeys((min(vertex, other), max(vertex, other)) for other in others)
    return list(edges)


def _places(words: Sequence[Word], count: int) -> Positions:
    """Return the position of each vertex, with y downwards (in the file, upwards).

    Positions in three dimensions are left out. Raises `InputError`, with the line, for others.
    """
    positions: dict[Hashable, tuple[float, float]] = {}
    for line, row in _by_line(words):
        shown = repr(" ".join(row)[:20])
        if len(row) not in (3, 4):
            refuse_line(line, f"{shown}: give a vertex and its coordinates")
        vertex = vertex_number(row[0], line, count)
        try:
            x, y = float(row[1]), -float(row[2])
        except ValueError:
            refuse_line(line, f"{shown}: coordinates are numbers")
        if len(row) == 3:
            positions[vertex] = x, y
    return positions


# -- distances of TSPLIB --------------------------------------------------------------------------

MAX_TOWNS = 1_000
"""The most vertices of a problem with distances: each two are joined by an edge."""

Place = tuple[float, float]


def _on_the_earth(one: Place, other: Place) -> int:
    """Return the distance in km of two places, north and east, as degrees.minutes."""
    north, east, other_north, other_east = (
        3.141592 * (math.trunc(each) + 5 * (each - math.trunc(each)) / 3) / 180
        for each in (*one, *other)
    )
    between = math.cos(east - other_east)
    along = math.cos(north - other_north)
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


def _weighted_edges(
    header: Mapping[str, Word], sections: Mapping[str, Section], count: int
) -> Sequence[EdgeRow]:
    """Return the edges between all vertices, or their arcs, with the attribute ``weight``."""
    line, words = sections.get(_WEIGHTS, (header["EDGE_WEIGHT_TYPE"][1], []))
    if count > MAX_TOWNS:
        refuse_line(line, f"more than {MAX_TOWNS:,} vertices with distances are refused")
    places = _places(sections.get(_PLACES, (0, []))[1], count)
    try:
        matrix = _distances(header, places, [word for word, _ in words], count)
    except InputError as error:
        refuse_line(words[0][1] if words else line, str(error))
    directed = header["TYPE"][0] == "ATSP"
    if not directed and (matrix != matrix.T).any():
        refuse_line(line, "there and back the distances differ: give TYPE : ATSP")
    pairs = itertools.product(range(count), repeat=2)
    return [
        (source + 1, target + 1, {"weight": matrix[source, target].item()})
        for source, target in pairs
        if source < target or (directed and source != target)
    ]


def _distances(
    header: Mapping[str, Word], places: Positions, words: Sequence[str], count: int
) -> npt.NDArray[np.float64]:
    """Return the matrix of the distances between ``count`` vertices.

    Raises `InputError` for an unknown type or format, and where places or weights are missing.
    """
    kind, _ = header["EDGE_WEIGHT_TYPE"]
    form, _ = header.get("EDGE_WEIGHT_FORMAT", ("", 0))
    if kind in _BY_PLACES:
        if missing := [each for each in range(1, count + 1) if each not in places]:
            raise InputError(f"NODE_COORD_SECTION: give two coordinates of {missing[0]}")
        distance = _BY_PLACES[kind]
        ordered = [places[each] for each in range(1, count + 1)]
        return np.array([[distance(one, other) for other in ordered] for one in ordered])
    if kind != "EXPLICIT":
        kinds = ", ".join(["EXPLICIT", *_BY_PLACES])
        raise InputError(f"distances {kind[:20]} are not read, but {kinds}")
    if form not in _FORMS:
        raise InputError(f"EDGE_WEIGHT_FORMAT {form[:20]!r}: give one of {', '.join(_FORMS)}")
    shift = 0 if "DIAG" in form else 1  # from the diagonal
    is_written = np.ones((count, count), np.bool_)
    if form in _UPPER:
        is_written = np.triu(is_written, shift)
    elif form in _LOWER:
        is_written = np.tril(is_written, -shift)
    wanted = np.count_nonzero(is_written)
    if len(words) != wanted:
        raise InputError(f"EDGE_WEIGHT_SECTION: {len(words):,} numbers, but {form} has {wanted:,}")
    matrix = np.zeros((count, count))
    try:
        matrix[is_written] = [float(word) for word in words]
    except ValueError as error:
        raise InputError(f"EDGE_WEIGHT_SECTION: {error}") from None
    return matrix if form == "FULL_MATRIX" else matrix + matrix.T


# -- numbers of vertices, also of DIMACS ----------------------------------------------------------


def refuse_line(line: int, why: str) -> NoReturn:
    """Raise `InputError` about a line of a file."""
    raise InputError(f"line {line}: {why}")


def vertex_count(word: str, line: int) -> int:
    """Return the number of vertices in a word. Raises `InputError`, with the line, for others."""
    if not _is_from_1(word, MAX_EDGES):
        refuse_line(line, f"{word[:20]!r}: give the number of vertices, 1 to {MAX_EDGES:,}")
    return int(word)


def vertex_number(word: str, line: int, count: int) -> int:
    """Return the number of a vertex, 1 to ``count``. Raises `InputError`, with the line."""
    if not _is_from_1(word, count):
        refuse_line(line, f"{word[:20]!r} is no vertex: they have the numbers 1 to {count:,}")
    return int(word)


def _is_from_1(word: str, most: int) -> bool:
    """Return whether a word is a whole number from 1 to ``most``."""
    return is_number(word) and 1 <= int(word) <= most
