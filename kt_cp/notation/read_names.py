"""Read a path of a graph without places: names of its vertices, or TSPLIB numbers.

The output of the solvers for which `kt export` writes graphs is read too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import as_board
from kt_cp.graph import Graph
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.notation.answers import (
    DEPOT,
    arcs_in_solution,
    refuse_no_answer,
    refuse_problem,
    tour_of_assignment,
    without_separators,
)
from kt_cp.notation.documents import PathFields, name_in, parse_document
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_lists import read_tour
from kt_cp.notation.read_values import squares_by_step
from kt_cp.notation.reading import Reading
from kt_cp.notation.text import are_consecutive_steps, clean
from kt_cp.notation.writing import TABLE_COLUMNS
from kt_cp.tour.validator import Report, Wording, leads_back, validate_ids, validate_moves

# The notations in which a path of a graph is read.
_KNOWN = (Notation.SQUARES, Notation.MOVES, Notation.FACTS, Notation.TSPLIB, Notation.JSON)

_ARC_SIGN = re.compile(r"->?|>")
_TERM = r'\s*("(?:[^"\\\n]|\\.)*"|[^\s"(),]+)\s*'
_FACT = re.compile(rf"\bmove\({_TERM},{_TERM}\)")
# A line that says that vertices are left out, such as ``; kind: path``.
_PARTIAL_KIND = re.compile(
    r"^[ \t]*(?:;|COMMENT[ \t]*:)[ \t]*kind[ \t]*:[ \t]*(?P<kind>path|cycle)[ \t]*\n?", re.MULTILINE
)
_ANSWER_HEAD = re.compile(r"^Answer: [^\n]*\n", re.MULTILINE)


@dataclass(frozen=True)
class _Path:
    """A path of a graph as it is written.

    ``ids`` are the vertices in visiting order, or rows of two for moves in any order; -1 marks an
    entry that is not a vertex. ``written`` holds each entry as it was given. A ``partial`` path may
    leave vertices out.
    """

    notation: Notation
    ids: Ints
    written: Sequence[Hashable]
    closed: bool | None = None
    partial: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def is_in_order(self) -> bool:
        """Whether the vertices are in visiting order."""
        return self.ids.ndim == 1

    def report(self, graph: Graph, closed: bool, allows_partial: bool = False) -> Report:
        """Return a report on the path; vertices may be left out if it ``allows_partial`` tours."""

        def entry(place: int) -> str:
            """Return the entry at a place of the path as it was given."""
            return escape_unprintable(str(self.written[place]))

        if not self.is_in_order:
            moves = self.ids.astype(np.int64)
            moves_report = validate_moves(graph, moves, closed, allows_partial)
            return replace(moves_report, wording=Wording(entry=entry))
        report = validate_ids(graph, self.ids, closed)
        return replace(report, allows_partial=allows_partial, wording=Wording(entry=entry))


def read_graph_path(
    source: Any,
    graph: Graph,
    notation: Notation | None,
    closed: bool | None,
    allows_partial: bool = False,
) -> Reading:
    """Return the reading of a path of a graph without places, from text or from a Python value.

    If neither ``closed`` nor the source states the kind of tour, it is detected: a list of names is
    closed if it is a closed tour and not an open one; any other path is closed if it leads back to
    its start. Raises `InputError` if the path cannot be read.
    """
    if notation is not None and notation not in _KNOWN:
        as_board(graph, f"notation {notation}")
    note = _PARTIAL_KIND.search(source) if isinstance(source, str) else None
    if note is not None:
        source = _PARTIAL_KIND.sub("", source)
        allows_partial = True
        closed = note["kind"] == "cycle" if closed is None else closed
    path = _read_path(source, graph, notation)
    if closed is None:
        closed = path.closed
    if closed is None:
        closed = _is_closed(path, graph)
    entries = len(path.ids)
    report = path.report(graph, closed, allows_partial or path.partial)
    return Reading(report, path.notation, entries, remarks=path.remarks)


def _is_closed(path: _Path, graph: Graph) -> bool:
    """Return whether a path without a given kind is judged as a closed tour."""
    if not path.is_in_order:
        return len(path.ids) >= len(np.unique(path.ids))
    if path.notation.writes_moves:
        return False
    if path.notation is Notation.SQUARES:
        return not path.report(graph, False) and bool(path.report(graph, True))
    return leads_back(graph, path.ids)


def _read_path(source: Any, graph: Graph, notation: Notation | None) -> _Path:
    """Return the path in a text or value, in the given notation or in one that is detected."""
    if not isinstance(source, str):
        return _read_value(source, graph, Notation.SQUARES)
    text = clean(source, graph)
    if not text.strip():
        raise InputError("there is nothing to read: give the names of vertices")
    if notation in (None, Notation.SQUARES):
        names = _names_in_table(text)
        if names is not None:
            return _path_of_names(names, graph, Notation.SQUARES)
    if notation is None:
        return _read_names(text, graph) or _read_answer(text, graph) or _read_detected(text, graph)
    return _read_in_notation(text, graph, notation)


def _read_in_notation(text: str, graph: Graph, notation: Notation) -> _Path:
    """Return the path in a text in the given notation."""
    match notation:
        case Notation.TSPLIB:
            return _read_tour(text, graph)
        case Notation.JSON:
            return _read_value(parse_document(text), graph, Notation.JSON)
        case Notation.FACTS:
            return _read_facts(text, graph)
        case Notation.MOVES:
            path = _read_arcs(without_separators(text), graph)
            if path is None:
                raise InputError("these are no moves between vertices, such as A-B B-C")
            return path
    return _read_names(text, graph) or _path_of_names(text.split(), graph, Notation.SQUARES)


def _names_in_table(text: str) -> list[str] | None:
    """Return the names in a table of CSV with steps and squares, or None for other texts."""
    head = ",".join(TABLE_COLUMNS)
    lines = [line for line in text.splitlines(keepends=True) if line.strip()]
    if lines[0].strip() != head:
        return None
    try:
        rows = list(csv.reader(lines[1:]))
    except csv.Error as error:
        raise InputError(f"this table of steps and squares cannot be read: {error}") from None
    for number, row in enumerate(rows, start=1):
        if len(row) != len(TABLE_COLUMNS) or row[0] != str(number):
            wanted = f"there should be step {number} and a square"
            raise InputError(f"row {number} below {head!r}: {','.join(row)!r} where {wanted}")
    return [name for _, name in rows]


def _read_names(text: str, graph: Graph) -> _Path | None:
    """Read one name per line, or else one per word; return None if any is not a vertex."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for words in (lines, text.split()):
        names = [_name_in(word, graph) for word in words]
        if all(map(graph.has_name, names)):
            return _path_of_names(names, graph, Notation.SQUARES)
    return None


def _name_in(word: str, graph: Graph) -> str:
    """Return the name that a word is, or in quotes the one that it is as a JSON string."""
    if not word.startswith('"') or graph.has_name(word):
        return word
    try:
        return name_in(word)
    except InputError:
        return word


def _read_answer(text: str, graph: Graph) -> _Path | None:
    """Read the assignment of a SAT solver or the solution of an integer program, or return None.

    Raises `InputError` if the solver found no tour.
    """
    refuse_no_answer(text)
    refuse_problem(text)
    numbers = tour_of_assignment(text, len(graph))
    if numbers is not None:
        path = _path_of_numbers(numbers, graph, Notation.TSPLIB)
        return replace(path, remarks=("from the values of a SAT solver", *path.remarks))
    solution = arcs_in_solution(text)
    return _read_solution(solution, graph) if solution else None


def _read_solution(arcs: list[tuple[str, str]], graph: Graph) -> _Path:
    """Return the path in the solution of an integer program, which numbers the nodes from 0."""
    inner = [arc for arc in arcs if DEPOT not in arc]
    if not all(end.isdecimal() and int(end) < len(graph) for arc in inner for end in arc):
        raise InputError(f"the solution is not one of a graph of {len(graph):,} vertices")
    labels = [graph.label(int(end)) for arc in inner for end in arc]
    if not labels:  # the tour of a single vertex
        return _path_of_names([graph.label(0)], graph, Notation.MOVES)
    return replace(_path_of_moves(labels, graph, Notation.MOVES), closed=len(inner) == len(arcs))


def _read_detected(text: str, graph: Graph) -> _Path:
    """Read a text in a notation that is detected, or else read its words as names.

    Words that are not names become faults of the path.
    """
    if text.lstrip().startswith(("{", "[", "(")):
        return _read_value(parse_document(text), graph, Notation.JSON)
    if "TOUR_SECTION" in text:
        return _read_tour(text, graph)
    if _FACT.search(text):
        return _read_facts(text, graph)
    path = _read_arcs(without_separators(text), graph)
    return path or _path_of_names(text.split(), graph, Notation.SQUARES)


def _path_of_names(names: Sequence[Hashable], graph: Graph, notation: Notation) -> _Path:
    """Return the path that visits the vertices with these names in this order."""
    ids, written = graph.read_path(names)
    return _Path(notation, ids, written)


def _path_of_numbers(numbers: Sequence[int], graph: Graph, notation: Notation) -> _Path:
    """Return the path that visits the vertices with these numbers, counted from 1.

    A number that is one more than the graph has vertices is the depot, which joins the end of an
    open tour to its start.
    """
    depot = len(graph) + 1
    if sorted(numbers) != [*range(1, depot + 1)]:
        return _Path(notation, np.array(numbers, dtype=np.int64) - 1, numbers)
    place = numbers.index(depot)
    numbers = [*numbers[place + 1 :], *numbers[:place]]
    remark = f"without the depot, vertex {depot}"
    ids = np.array(numbers, dtype=np.int64) - 1
    return _Path(notation, ids, numbers, closed=False, remarks=(remark,))


def _read_tour(text: str, graph: Graph) -> _Path:
    """Read a TSPLIB tour, which numbers the vertices from 1."""
    numbers = read_tour(text)[0].numbers[:, 0]
    return _path_of_numbers(numbers.tolist(), graph, Notation.TSPLIB)


def _read_value(value: Any, graph: Graph, notation: Notation) -> _Path:
    """Read names in a list, in the field ``tour`` of an object, or in a dict with their steps."""
    if not isinstance(value, Mapping):
        return _path_of_names(value, graph, notation)
    if not value.keys() & {"tour", "path"}:
        return _path_of_names(names_by_step(value), graph, notation)
    fields = PathFields.of(value)
    path = _path_of_names(fields.path, graph, notation)
    return replace(path, closed=fields.closed, partial=fields.partial)


def names_by_step(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the names in a mapping from name to step, or from step to name, in order.

    Raises `InputError` unless the steps count up from 0 or 1.
    """
    names, steps = squares_by_step(mapping)
    if not are_consecutive_steps(steps):
        raise InputError("the steps of the vertices are not 1, 2, 3 and so on, each once")
    return names


def _read_facts(text: str, graph: Graph) -> _Path:
    """Read the facts ``move`` that clingo prints, with names in quotes."""
    answers = _ANSWER_HEAD.split(text)
    if len(answers) > 2:
        raise InputError("there is more than one answer; give one of them")
    terms = [term for fact in _FACT.findall(answers[-1]) for term in fact]
    if not terms:
        raise InputError('there are no moves between vertices, such as move("A","B")')
    return _path_of_moves([name_in(term) for term in terms], graph, Notation.FACTS)


def _read_arcs(text: str, graph: Graph) -> _Path | None:
    """Read arcs such as ``A-B`` or ``A>B``, one per line or per word; None for any other text.

    The arcs of the depot, which joins the end of an open tour to its start, are left out.
    """
    for items in ([line for line in text.splitlines() if line.strip()], text.split()):
        found = [_ends_of_arc(item.strip(" \t,;"), graph) for item in items]
        arcs = [arc for arc in found if arc is not None]
        if not arcs or len(arcs) < len(items):
            continue
        inner = [arc for arc in arcs if not _is_depot_arc(arc, graph)]
        if not inner:  # the tour of a single vertex
            ends = [name for name in arcs[0] if name != DEPOT]
            return _path_of_names(ends, graph, Notation.MOVES)
        path = _path_of_moves([name for arc in inner for name in arc], graph, Notation.MOVES)
        if len(inner) == len(arcs):
            return path
        return replace(path, closed=False, remarks=("without the arcs of the depot",))
    return None


def _is_depot_arc(arc: tuple[str, str], graph: Graph) -> bool:
    """Return whether an arc leaves or enters the depot."""
    return DEPOT in arc and not graph.has_name(DEPOT)


def _ends_of_arc(item: str, graph: Graph) -> tuple[str, str] | None:
    """Return the two names in an arc, or None. A name may itself contain a dash."""
    found = []
    for sign in _ARC_SIGN.finditer(item):
        ends = item[: sign.start()].strip(), item[sign.end() :].strip()
        if all(end == DEPOT or graph.has_name(end) for end in ends):
            found.append(ends)
    if len(found) > 1:
        raise InputError(f"the arc {escape_unprintable(item[:40])!r} can be read in two ways")
    return found[0] if found else None


def _path_of_moves(names: Sequence[Hashable], graph: Graph, notation: Notation) -> _Path:
    """Return the path of moves that are given by the names of their ends, two for each move.

    The path is in visiting order if each move begins where the one before ends.
    """
    ids, written = graph.read_path(names)
    if not np.array_equal(ids[1:-1:2], ids[2::2]):
        return _Path(notation, ids.reshape(-1, 2), written)
    is_closed = len(ids) > 2 and ids[0] == ids[-1]
    if is_closed:
        return _Path(notation, ids[::2], written[::2], closed=True)
    return _Path(notation, np.append(ids[::2], ids[-1:]), [*written[::2], written[-1]])
