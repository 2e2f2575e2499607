"""Read TSPLIB's Hamiltonian cycle problems (Reinelt 1991): a header, then sections of edges."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from kt_cp.graph_input import Positions
from kt_cp.messages import InputError

MAX_VERTICES = 10**6
"""The largest number of vertices of a graph that is read from a file."""

_FIELD = re.compile(r"([A-Z_]+)\b\s*:?\s*(.*)", re.ASCII)
_EDGES, _FIXED = "EDGE_DATA_SECTION", "FIXED_EDGES_SECTION"

# Sections with positions for pictures; those for display are used if a file has both.
_POSITION_SECTIONS = ("DISPLAY_DATA_SECTION", "NODE_COORD_SECTION")

# The first value is the default.
_KNOWN_VALUES = {
    "TYPE": ("HCP", "HPP"),  # a Hamiltonian cycle, a Hamiltonian path
    "EDGE_DATA_FORMAT": ("EDGE_LIST", "ADJ_LIST"),
}

Edge = tuple[int, int]
Word = tuple[str, int]  # a word and the number of its line


@dataclass(frozen=True)
class HamiltonianProblem:
    """A graph with vertices 1 to ``count``, and the constraints on its tour.

    ``fixed`` are the edges that the tour must use; it is a cycle if ``closed``. ``positions`` are
    where pictures show vertices: (x, y), where y points downwards.
    """

    count: int
    edges: Sequence[Edge]
    fixed: Sequence[Edge]
    closed: bool
    positions: Positions = field(default_factory=dict)


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
    HamiltonianProblem(count=3, edges=[(1, 2), (2, 3)], fixed=[], closed=True, positions={})
    """
    sections = _split_sections(lines)
    header = sections.header
    end = sections.lines.get(_EDGES, max(1, len(lines)))
    if "DIMENSION" not in header:
        refuse_line(end, "the header ends without DIMENSION : 10")
    if _EDGES not in sections.words:
        refuse_line(end, f"the header ends without {_EDGES}")
    for name, known in _KNOWN_VALUES.items():
        value, line = header.get(name, (known[0], 0))
        if value not in known:
            refuse_line(line, f"{name} {value[:20]!r}: give {' or '.join(known)}")
    count = vertex_count(*header["DIMENSION"])
    is_list = header.get("EDGE_DATA_FORMAT", ("EDGE_LIST", 0))[0] == "EDGE_LIST"
    read_edges = _pairs if is_list else _neighbor_lists
    fixed = _pairs(sections.words.get(_FIXED, []), count)
    if _FIXED in sections.words and not fixed:
        refuse_line(sections.lines[_FIXED], f"{_FIXED} holds no edge")
    closed = header.get("TYPE", ("HCP", 0))[0] == "HCP"
    edges = read_edges(sections.words[_EDGES], count)
    return HamiltonianProblem(count, edges, fixed, closed, _positions(sections))


def _positions(sections: _Sections) -> Positions:
    """Return the position of each vertex that has one, with y downwards (in the file, upwards).

    Lines that are not a vertex and two coordinates, such as those with three, are skipped.
    """
    name = next((name for name in _POSITION_SECTIONS if name in sections.words), None)
    if name is None:
        return {}
    rows: dict[int, list[str]] = {}
    for word, line in sections.words[name]:
        rows.setdefault(line, []).append(word)
    positions: dict[Hashable, tuple[float, float]] = {}
    for row in rows.values():
        try:
            vertex, x, y = row
            positions[int(vertex)] = float(x), -float(y)
        except ValueError:
            continue
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
        if name in (_EDGES, _FIXED, *_POSITION_SECTIONS):
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
