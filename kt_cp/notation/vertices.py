"""Read a path of a graph without places: its vertices, in any text, found by `Graph.locate`.

As on boards, the vertices are taken out of a text in their order, whatever stands between them, and
tried as a path, by steps and as edges.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.notation.answers import DEPOT, answer_in, arcs_in_solution, without_separators
from kt_cp.notation.notations import Naming, Notation
from kt_cp.notation.reading import Form, form_of_moves
from kt_cp.notation.values import PathFields, name_in, parse_document, squares_by_step
from kt_cp.notation.write import TABLE_COLUMNS

_ID = Naming("{}")
_ARC_SIGN = re.compile(r"->?|>")
_TERM = r'\s*("(?:[^"\\\n]|\\.)*"|[^\s"(),]+)\s*'
_FACT = re.compile(rf"(\w+)\({_TERM},{_TERM}\)")
_MOST_NAMES = 5000  # that are looked for within words


def forms_of_vertices(text: str, graph: Graph, notation: Notation | None) -> list[Form]:
    """Return the forms of a text about a graph, in a notation or in those that it may be in.

    Raises `InputError` for a text without vertices. A form that leaves out words between its
    vertices has these words as ``unread``.
    """
    is_unknown = notation is None
    if notation in (None, Notation.SQUARES):
        names = _names_in_table(text)
        if names is not None:
            return [form_of_names(names, graph)]
    if notation is Notation.JSON or (is_unknown and text.lstrip().startswith(("{", "[", "("))):
        document = parse_document(text, or_none=is_unknown)
        if document is not None:
            return [form_of_vertices(document, graph, Notation.JSON)]
    if is_unknown and (solution := arcs_in_solution(text)):
        return [_form_of_arcs(_labels(solution, graph), graph)]
    if notation in (None, Notation.FACTS):
        forms = [*_forms_of_facts(text, graph)]
        if notation or forms:
            return forms
    forms = []
    names = _only_names(text, graph)
    if names is not None:
        forms.append(form_of_names(names, graph))
    elif arcs := _arcs_in(without_separators(text), graph):
        return [_form_of_arcs(arcs, graph)]
    forms += _forms_of_words(text, graph)
    return [form for form in forms if notation in (None, form.notation)]


def form_of_vertices(value: Any, graph: Graph, notation: Notation = Notation.SQUARES) -> Form:
    """Return the path of names in a list, in the field ``tour``, or in a dict with their steps."""
    if not isinstance(value, Mapping):
        return replace(form_of_names(value, graph), notation=notation)
    if not value.keys() & {"tour", "path"}:
        return replace(form_of_names(names_by_step(value), graph), notation=notation)
    fields = PathFields.of(value)
    form = form_of_names(fields.path, graph)
    return replace(form, notation=notation, closed=fields.closed, partial=fields.partial)


def form_of_names(names: Iterable[Any], graph: Graph) -> Form:
    """Return the path that visits the vertices with these names in this order."""
    ids, written = graph.read_path(names)
    return Form(Notation.SQUARES, ids[:, None], _ID, written=written)


def names_by_step(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the names in a mapping from name to step, or from step to name, in order.

    Raises `InputError` unless the steps count up from 0 or 1.
    """
    names, steps = squares_by_step(mapping)
    if steps[0] not in (0, 1) or steps != [*range(steps[0], steps[0] + len(steps))]:
        raise InputError("the steps of the vertices are not 1, 2, 3 and so on, each once")
    return names


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
    for words in (text.splitlines(), text.split()):
        names = [_name_in(word.strip(), graph) for word in words if word.strip()]
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


# -- edges ----------------------------------------------------------------------------------------


def _forms_of_facts(text: str, graph: Graph) -> Iterator[Form]:
    """Yield the moves that facts with two vertices state: ``move``, or else each predicate."""
    by_predicate: dict[str, list[str]] = {}
    for predicate, *terms in _FACT.findall(answer_in(text)):
        by_predicate.setdefault(predicate, []).extend(map(name_in, terms))
    chosen = ["move"] if "move" in by_predicate else [*by_predicate]
    for predicate in chosen:
        names = by_predicate[predicate]
        if predicate == "move" or all(map(graph.has_name, names)):
            yield _form_of_moves(names, graph, Notation.FACTS)


def _form_of_moves(names: Sequence[Any], graph: Graph, notation: Notation) -> Form:
    """Return the path of moves that are given by the names of their ends, two for each move."""
    ids, written = graph.read_path(names)
    form = form_of_moves(notation, ids[:, None], _ID)
    return form if form.in_order else replace(form, written=written)


def _labels(arcs: list[tuple[str, str]], graph: Graph) -> list[tuple[Any, Any]]:
    """Return the arcs in the solution of an integer program, which numbers nodes from 0."""
    ends = {end for arc in arcs for end in arc if end != DEPOT}
    if not all(end.isdecimal() and int(end) < len(graph) for end in ends):
        raise InputError(f"the solution is not one of a graph of {len(graph):,} vertices")
    labels = {DEPOT: DEPOT} | {end: graph.label(int(end)) for end in ends}
    return [(labels[source], labels[target]) for source, target in arcs]


def _arcs_in(text: str, graph: Graph) -> list[tuple[str, str]]:
    """Return the arcs such as ``A-B`` or ``A>B``, one per line or per word; empty for others."""
    for items in (text.splitlines(), text.split()):
        found = [_ends_of_arc(item.strip(" \t,;"), graph) for item in items if item.strip()]
        arcs = [arc for arc in found if arc is not None]
        if len(arcs) == len(found):
            return arcs
    return []


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


def _form_of_arcs(arcs: Sequence[tuple[Any, Any]], graph: Graph) -> Form:
    """Return the path of arcs, without those of the depot, which joins its end to its start."""
    inner = [arc for arc in arcs if DEPOT not in arc or graph.has_name(DEPOT)]
    names = [name for arc in inner for name in arc]
    if not inner:  # the tour of a single vertex
        form = form_of_names([name for name in arcs[0] if name != DEPOT], graph)
        return replace(form, notation=Notation.MOVES)
    form = _form_of_moves(names, graph, Notation.MOVES)
    if len(inner) == len(arcs):
        return form
    return replace(form, closed=False, remarks=("without the arcs of the depot",))


# -- vertices in any text -------------------------------------------------------------------------


def _forms_of_words(text: str, graph: Graph) -> Iterator[Form]:
    """Yield the vertices in a text as a path, in the order of steps beside them, and as edges."""
    names = [str(graph.label(vertex)) for vertex in graph.vertices]
    word = r"\w+"
    if len(names) <= _MOST_NAMES:
        longest = sorted(map(re.escape, names), key=len, reverse=True)
        word = rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)|\w+"
    found = [(match[0], graph.locate(match[0])) for match in re.finditer(word, text)]
    places = [place for place, (_, vertex) in enumerate(found) if vertex is not None]
    ids = np.array([vertex for _, vertex in found if vertex is not None], dtype=np.int64)
    if not len(ids):
        words = ", ".join(repr(escape_unprintable(name[:40])) for name, _ in found[:3]) or "this"
        raise InputError(f"{words}: no vertex of the graph has this name")
    others = [name for name, vertex in found[places[0] : places[-1]] if vertex is None]
    numbers = [name for name, vertex in found if vertex is None and name.isdecimal()]
    steps = np.array([int(number[:18]) for number in numbers], dtype=np.int64)
    if len(steps) and _are_counts(steps):
        others = [name for name in others if not name.isdecimal()]
        if len(steps) == len(ids):
            ids = ids[np.argsort(steps)]
    elif numbers:
        others = numbers
    unread = tuple(others)
    yield Form(Notation.SQUARES, ids[:, None], _ID, unread=unread)
    values = [int(name) if name.isdecimal() else -1 for name, vertex in found if vertex is not None]
    for width in (2, 3):
        if len(ids) % width == 0 and len(ids) >= 3 * width:
            columns = np.array(values).reshape(-1, width).T
            is_step = [column[0] < 2 and (np.diff(column) == 1).all() for column in columns[:-1]]
            is_step.append(False)
            kept = ids.reshape(-1, width)[:, np.logical_not(is_step)]
            ends = kept if width == 3 else ids.reshape(-1, 2)
            if ends.shape[1] == 2:
                yield form_of_moves(Notation.MOVES, ends.reshape(-1, 1), _ID, unread=unread)
            if kept.shape[1] == 1:
                yield Form(Notation.SQUARES, kept, _ID, unread=unread)


def _are_counts(numbers: Ints) -> bool:
    """Return whether numbers are 0, 1, 2 and so on, or from 1, in any order."""
    return min(numbers) in (0, 1) and bool((np.diff(np.sort(numbers)) == 1).all())
