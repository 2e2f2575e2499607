"""Read a path of a graph without places: names of its vertices, or TSPLIB numbers.

As on boards, the vertices are taken out of a text in their order, whatever stands between them, and
tried as a path, by steps and as edges. Names are found by `Graph.locate`. The output of the solvers
for which `kt export` writes graphs is read too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import as_board
from kt_cp.graph import Graph
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.notation.answers import (
    DEPOT,
    answer_in,
    arcs_in_solution,
    read_tour,
    refuse_no_answer,
    refuse_problem,
    tour_of_assignment,
    without_separators,
)
from kt_cp.notation.documents import PathFields, name_in, parse_document
from kt_cp.notation.notations import Naming, Notation
from kt_cp.notation.read_values import squares_by_step
from kt_cp.notation.reading import Form, Reading, form_of_moves, reading_of
from kt_cp.notation.tokens import UnreadableError, clean
from kt_cp.notation.writing import TABLE_COLUMNS

# The notations in which a path of a graph is read.
_KNOWN = (Notation.SQUARES, Notation.MOVES, Notation.FACTS, Notation.TSPLIB, Notation.JSON)

_ID = Naming("{}")
_ARC_SIGN = re.compile(r"->?|>")
_TERM = r'\s*("(?:[^"\\\n]|\\.)*"|[^\s"(),]+)\s*'
_FACT = re.compile(rf"(\w+)\({_TERM},{_TERM}\)")
# A line that says that vertices are left out, such as ``; kind: path``.
_PARTIAL_KIND = re.compile(
    r"^[ \t]*(?:;|COMMENT[ \t]*:)[ \t]*kind[ \t]*:[ \t]*(?P<kind>path|cycle)[ \t]*\n?", re.MULTILINE
)
_MOST_NAMES = 5000  # that are looked for within words


def read_graph_path(
    source: Any,
    graph: Graph,
    notation: Notation | None,
    closed: bool | None,
    allows_partial: bool = False,
) -> Reading:
    """Return the reading of a path of a graph without places, from text or from a Python value.

    If neither ``closed`` nor the source states the kind of tour, it is detected: a list of names is
    closed if it repeats its first vertex at the end; any other path is closed if it leads back to
    its start. Raises `InputError` if the path cannot be read, or has words that are no vertices.
    """
    if notation is not None and notation not in _KNOWN:
        as_board(graph, f"notation {notation}")
    if not isinstance(source, str):
        forms: Iterable[Form] = [_form_of_value(source, graph, Notation.SQUARES)]
        return _best(forms, graph, closed, allows_partial)
    note = _PARTIAL_KIND.search(source)
    if note is not None:
        source = _PARTIAL_KIND.sub("", source)
        allows_partial = True
        closed = note["kind"] == "cycle" if closed is None else closed
    text = clean(source, graph)
    if not text.strip():
        raise InputError("there is nothing to read: give the names of vertices")
    refuse_no_answer(text)
    refuse_problem(text)
    form = _form_with_grammar(text, graph, notation)
    if form is not None:
        return _best([form], graph, closed, allows_partial)
    tokens = _Vertices(text, graph)
    names = _only_names(text, graph)
    listed = [] if names is None else [_form_of_names(names, graph, Notation.SQUARES)]
    forms = [form for form in (*listed, *tokens.forms()) if notation in (None, form.notation)]
    if not forms:
        raise tokens.error()
    reading = _best(forms, graph, closed, allows_partial)
    if not (reading.valid or listed) and tokens.others:
        raise tokens.error()
    return reading


def _best(
    forms: Iterable[Form], graph: Graph, closed: bool | None, allows_partial: bool
) -> Reading:
    """Return the first reading of some forms that is a tour, or else the one with fewest faults."""
    readings = [reading_of(form, graph, closed, allows_partial or form.partial) for form in forms]
    return min(readings, key=lambda reading: sum(reading.counts.values()))


def _form_with_grammar(text: str, graph: Graph, notation: Notation | None) -> Form | None:
    """Return the path in a text of a table, JSON, TSPLIB, facts or arcs, or of a solver."""
    is_unknown = notation is None
    if notation in (None, Notation.SQUARES) and (names := _names_in_table(text)):
        return _form_of_names(names, graph, Notation.SQUARES)
    if is_unknown and _only_names(text, graph) is None:
        answer = _form_of_answer(text, graph)
        if answer is not None:
            return answer
    is_document = is_unknown and text.lstrip().startswith(("{", "[", "("))
    if notation is Notation.JSON or is_document:
        try:
            return _form_of_value(parse_document(text), graph, Notation.JSON)
        except UnreadableError:
            if notation is Notation.JSON:
                raise
    if notation is Notation.TSPLIB or (is_unknown and "TOUR_SECTION" in text):
        return _form_of_numbers(read_tour(text)[0].numbers[:, 0].tolist(), len(graph))
    if notation is Notation.FACTS or (is_unknown and _FACT.search(text)):
        form = _form_of_facts(text, graph)
        if form is None and notation is Notation.FACTS:
            raise InputError('there are no moves between vertices, such as move("A","B")')
        if form is not None:
            return form
    if notation in (None, Notation.MOVES):
        return _form_of_arcs(without_separators(text), graph)
    return None


def _form_of_answer(text: str, graph: Graph) -> Form | None:
    """Return the path in the values of a SAT solver or the solution of an integer program."""
    numbers = tour_of_assignment(text, len(graph))
    if numbers is not None:
        form = _form_of_numbers(numbers, len(graph))
        return replace(form, remarks=("from the values of a SAT solver", *form.remarks))
    solution = arcs_in_solution(text)
    return _form_of_solution(solution, graph) if solution else None


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


def _only_names(text: str, graph: Graph) -> list[str] | None:
    """Return one name per line, or else one per word; None if any is not a vertex."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for words in (lines, text.split()):
        names = [_name_in(word, graph) for word in words]
        if all(map(graph.has_name, names)):
            return names
    return None


def _name_in(word: str, graph: Graph) -> str:
    """Return the name that a word is, or in quotes the one that it is as a JSON string."""
    if not word.startswith('"') or graph.has_name(word):
        return word
    try:
        return name_in(word)
    except InputError:
        return word


# -- forms ----------------------------------------------------------------------------------------


def _form_of_names(names: Iterable[Hashable], graph: Graph, notation: Notation) -> Form:
    """Return the path that visits the vertices with these names in this order."""
    ids, written = graph.read_path(names)
    return Form(notation, ids[:, None], _ID, written=written)


def _form_of_numbers(numbers: list[int], count: int) -> Form:
    """Return the path that visits the vertices with these numbers, counted from 1.

    A number that is one more than the graph has vertices is the depot, which joins the end of an
    open tour to its start.
    """
    form = Form(Notation.TSPLIB, _column(numbers), _ID, written=numbers)
    depot = count + 1
    if sorted(numbers) != [*range(1, depot + 1)]:
        return form
    place = numbers.index(depot)
    numbers = [*numbers[place + 1 :], *numbers[:place]]
    remarks = (f"without the depot, vertex {depot}",)
    return replace(form, numbers=_column(numbers), written=numbers, closed=False, remarks=remarks)


def _column(numbers: Sequence[int]) -> Ints:
    """Return numbers from 1 as a column of ids."""
    return np.array(numbers, dtype=np.int64)[:, None] - 1


def _form_of_value(value: Any, graph: Graph, notation: Notation) -> Form:
    """Read names in a list, in the field ``tour`` of an object, or in a dict with their steps."""
    if not isinstance(value, Mapping):
        return _form_of_names(value, graph, notation)
    if not value.keys() & {"tour", "path"}:
        return _form_of_names(names_by_step(value), graph, notation)
    fields = PathFields.of(value)
    form = _form_of_names(fields.path, graph, notation)
    return replace(form, closed=fields.closed, partial=fields.partial)


def names_by_step(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the names in a mapping from name to step, or from step to name, in order.

    Raises `InputError` unless the steps count up from 0 or 1.
    """
    names, steps = squares_by_step(mapping)
    if steps[0] not in (0, 1) or steps != [*range(steps[0], steps[0] + len(steps))]:
        raise InputError("the steps of the vertices are not 1, 2, 3 and so on, each once")
    return names


def _form_of_moves(names: Sequence[Hashable], graph: Graph, notation: Notation) -> Form:
    """Return the path of moves that are given by the names of their ends, two for each move."""
    ids, written = graph.read_path(names)
    form = form_of_moves(notation, ids[:, None], _ID)
    return form if form.in_order else replace(form, written=written)


def _form_of_solution(arcs: list[tuple[str, str]], graph: Graph) -> Form:
    """Return the path in the solution of an integer program, which numbers the nodes from 0."""
    inner = [arc for arc in arcs if DEPOT not in arc]
    if not all(end.isdecimal() and int(end) < len(graph) for arc in inner for end in arc):
        raise InputError(f"the solution is not one of a graph of {len(graph):,} vertices")
    labels = [graph.label(int(end)) for arc in inner for end in arc]
    if not labels:  # the tour of a single vertex
        return _form_of_names([graph.label(0)], graph, Notation.MOVES)
    return replace(_form_of_moves(labels, graph, Notation.MOVES), closed=len(inner) == len(arcs))


def _form_of_facts(text: str, graph: Graph) -> Form | None:
    """Return the moves that facts with two vertices state, by clingo: ``move`` or the best ones."""
    by_predicate: dict[str, list[str]] = {}
    for predicate, *terms in _FACT.findall(answer_in(text)):
        by_predicate.setdefault(predicate, []).extend(map(name_in, terms))
    if "move" in by_predicate:
        return _form_of_moves(by_predicate["move"], graph, Notation.FACTS)
    forms = [
        _form_of_moves(names, graph, Notation.FACTS)
        for names in by_predicate.values()
        if all(map(graph.has_name, names))
    ]
    faults = [sum(reading_of(form, graph, None).counts.values()) for form in forms]
    return forms[int(np.argmin(faults))] if forms else None


def _form_of_arcs(text: str, graph: Graph) -> Form | None:
    """Return the arcs such as ``A-B`` or ``A>B``, one per line or per word; None for others.

    The arcs of the depot, which joins the end of an open tour to its start, are left out.
    """
    for items in ([line for line in text.splitlines() if line.strip()], text.split()):
        found = [_ends_of_arc(item.strip(" \t,;"), graph) for item in items]
        arcs = [arc for arc in found if arc is not None]
        if not arcs or len(arcs) < len(items):
            continue
        inner = [arc for arc in arcs if DEPOT not in arc or graph.has_name(DEPOT)]
        if not inner:  # the tour of a single vertex
            ends = [name for name in arcs[0] if name != DEPOT]
            return _form_of_names(ends, graph, Notation.MOVES)
        form = _form_of_moves([name for arc in inner for name in arc], graph, Notation.MOVES)
        if len(inner) == len(arcs):
            return form
        return replace(form, closed=False, remarks=("without the arcs of the depot",))
    return None


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


# -- vertices in any text -------------------------------------------------------------------------


class _Vertices:
    """The vertices in a text, in their order, and the ``others``: words between them.

    ``steps`` are numbers that are no vertices.
    """

    def __init__(self, text: str, graph: Graph) -> None:
        names = [str(graph.label(vertex)) for vertex in graph.vertices]
        word = r"\w+"
        if len(names) <= _MOST_NAMES:
            longest = sorted(map(re.escape, names), key=len, reverse=True)
            word = rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)|\w+"
        entries, others, self.steps = [], [], list[int]()
        for match in re.finditer(word, text):
            vertex = graph.locate(match[0])
            if vertex is not None:
                entries.append((match.start(), vertex, match[0]))
            elif match[0].isdecimal():
                self.steps.append(int(match[0][:18]))
            else:
                others.append((match.start(), match[0]))
        self.ids = np.array([vertex for _, vertex, _ in entries], dtype=np.int64)
        self.numbers = [int(name) if name.isdecimal() else -1 for _, _, name in entries]
        first, last = (entries[0][0], entries[-1][0]) if entries else (0, len(text))
        self.others = [name for start, name in others if first < start < last] or (
            [] if entries else [name for _, name in others]
        )
        if self.steps and not self._are_counts(np.array(self.steps)):
            self.others += map(str, self.steps[:1])

    @staticmethod
    def _are_counts(numbers: Any) -> bool:
        """Return whether numbers are 0, 1, 2 and so on, or from 1, in any order."""
        first = int(numbers.min())
        return first in (0, 1) and np.array_equal(np.sort(numbers), np.arange(len(numbers)) + first)

    def error(self) -> InputError:
        """Return the error that there are words which are no vertices."""
        words = ", ".join(repr(escape_unprintable(word[:40])) for word in self.others[:3])
        if not words:
            return InputError("these are no moves between vertices, such as A-B B-C")
        return InputError(f"{words}: no vertex of the graph has this name")

    def forms(self) -> Iterator[Form]:
        """Yield the vertices as a path, in the order of steps beside them, and as edges."""
        ids = self.ids
        if not len(ids):
            return
        if len(self.steps) == len(ids) and self._are_counts(np.array(self.steps)):
            ids = ids[np.argsort(self.steps)]
        yield Form(Notation.SQUARES, ids[:, None], _ID)
        for width in (2, 3):
            if len(ids) % width or len(ids) < 2 * width:
                continue
            table = ids.reshape(-1, width)
            counts = np.array(self.numbers).reshape(-1, width)
            kept = table[:, [not self._are_counts(column) or column[0] > 1 for column in counts.T]]
            if width == 3 and kept.shape[1] == 2:
                table = kept
            elif kept.shape[1] == 1:
                yield Form(Notation.SQUARES, kept, _ID)
            if table.shape[1] == 2:
                yield form_of_moves(Notation.MOVES, table.reshape(-1, 1), _ID)
