"""Paths in text with a grammar: TSPLIB, what solvers print, facts, tables of CSV; and covers.

LKH prints a TSPLIB tour and clingo prints facts: both are notations. SAT solvers print an
assignment, Concorde a list of numbers, and solvers of integer programs the values of variables.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.maps import file_index
from kt_cp.graph import Graph
from kt_cp.messages import InputError
from kt_cp.notation.forms import form_of_moves, forms_in
from kt_cp.notation.notations import (
    COVER_COLUMNS,
    COVER_KIND,
    NOTE,
    TABLE_COLUMNS,
    Form,
    Naming,
    Notation,
    board_of_notes,
    naming_of,
)
from kt_cp.notation.tokens import QUOTED, clean, unreadable
from kt_cp.notation.values import form_of_vertices, graph_in_document, parse_document
from kt_cp.tour.tour import CoverReport, validate_cover

DEPOT = "depot"
"""The vertex that joins both ends of an open tour, as `kt export` names it."""

# What is no path, and why.
_REFUSALS = {
    r"^[ \t]*(?:s |=====)?(UNSATISFIABLE|UNSAT|INFEASIBLE|UNSATorUNBOUNDED)(?:=====)?[ \t]*$": (
        "there is no path: the solver found none ({})"
    ),
    r"^[ \t]*(?:s |=====)?(UNKNOWN|INDETERMINATE|INDET)(?:=====)?[ \t]*$": (
        "there is no path: the solver reached a limit ({})"
    ),
    r"\A(?![\s\S]*^v[ \t]+-?\d)[\s\S]*^p[ \t]+(cnf)\b": (
        "this is a formula, not a path; give the values that a SAT solver prints"
    ),
    r"^[ \t]*(include[ \t]+\"[^\"\n]*\"|solve\b[^;\n]*\b(?:satisfy|minimize|maximize)\b[^;\n]*)"
    r"[ \t]*;": "this is a MiniZinc model, not a path; give the moves that MiniZinc prints",
    r"^(ROWS)[ \t]*$(?=[\s\S]*^COLUMNS[ \t]*$)": (
        "this is an integer program, not a path; give the solution of a solver"
    ),
    r"^[ \t]*+(EDGE_DATA_SECTION)\b": (
        "this is a TSPLIB graph, not a path; give a path, and the graph as --board FILE --graph hcp"
    ),
}


def refuse_other_texts(text: str) -> None:
    """Raise `InputError` if a solver found no tour, or if a text is a problem and no answer."""
    for pattern, why in _REFUSALS.items():
        if found := re.search(pattern, text, re.MULTILINE):
            raise InputError(why.format(found[1]))


def forms_with_grammar(text: str, graph: Graph | None, given: Notation | None) -> list[Form]:
    """Return the forms of a path that is not JSON, but has a grammar; none for other texts.

    ``graph`` is the given board or graph and ``given`` the given notation, if any.
    """
    if given is Notation.TSPLIB or (given is None and "TOUR_SECTION" in text):
        return _read_tsplib(text)
    if given is None:
        for read in (_read_concorde, _read_assignment, _read_solution, _read_table):
            if forms := read(text, graph):
                return forms
    return _read_facts(text, graph, given) if given in (None, *Notation.FACTS.variants) else []


def _read_table(text: str, graph: Graph | None) -> list[Form]:
    """Read a table of CSV with the steps and names of the vertices of a graph."""
    head, _, body = text.lstrip().partition("\n")
    if graph is None or isinstance(graph, Board) or head.strip() != ",".join(TABLE_COLUMNS):
        return []
    rows = [row for row in csv.reader(io.StringIO(body)) if row and not row[0].startswith(";")]
    return [form_of_vertices({row[0]: row[-1] for row in rows}, graph)]


# -- tours of TSPLIB and Concorde -----------------------------------------------------------------

# A file of TSPLIB (Reinelt 1991), as LKH and other solvers write it.
_HEADER = re.compile(
    r"(?:[ \t]*+(?>(?:[A-Z_]++[ \t]*+:.*+)?)\n)*?[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$", re.I | re.M
)
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_TOUR = re.compile(
    r"(?>(?:\s*+[0-9]{1,18}+(?!\S))+)(?>(?:\s*+-1(?!\S))?)\s*+(?>(?:EOF)?)\s*+", re.I | re.A
)


def forms_of_tour(numbers: Sequence[int] | Ints, size: int | None = None) -> list[Form]:
    """Return the forms of the numbers of squares, from 1, with and without a depot.

    The numbers skip holes. If the last of them may be the depot of an open tour, the tour is
    returned with it and without it. ``size`` is the number of squares, if the text has it.
    """
    squares = np.asarray(numbers, dtype=np.int64)
    form = Form(Notation.TSPLIB, squares[:, None], naming_of(Notation.TSPLIB), area=size)
    depots = np.flatnonzero(squares == len(squares))
    count = len(squares) - 1
    if len(depots) != 1 or not count or size not in (None, len(squares)):
        return [form]
    opened = replace(
        form,
        numbers=np.roll(form.numbers, -depots[0], axis=0)[1:],
        closed=False,
        area=count,
        fills_board=True,
        remarks=(f"without the depot, vertex {count + 1}",),
    )
    return [form, opened]


def _read_tsplib(text: str) -> list[Form]:
    """Read the tour of a ``.tour`` file. Raises `InputError` for any other text."""
    header = _HEADER.match(text)
    if header is None:
        raise unreadable(text, 0, "a TSPLIB file: lines such as TYPE : TOUR, then TOUR_SECTION")
    tour = _TOUR.match(text, header.end())
    if tour is None or tour.end() < len(text):
        place = tour.end() if tour else 0
        raise unreadable(text, place, "the numbers of one tour, with -1 at the end")
    numbers = np.fromstring(tour[0].upper().replace("EOF", " "), dtype=np.int64, sep=" ")
    dimension = _DIMENSION.search(header[0])
    return forms_of_tour(numbers[numbers >= 0], int(dimension[1]) if dimension else None)


def _read_concorde(text: str, graph: Graph | None) -> list[Form]:
    """Read a solution of Concorde: a count on a line, and that many numbers from 0."""
    if re.match(r"\s*\d{1,9}\s*\n\d+[ \t]+\d[\d\s]*\Z", text, re.ASCII):
        count, *numbers = np.fromstring(text, dtype=np.int64, sep=" ")
        if sorted(numbers) == [*range(count)]:
            return forms_of_tour(np.array(numbers) + 1)
    return []


# -- values of variables --------------------------------------------------------------------------

# Lines of values, as in the SAT competitions; or all lines after a first line SAT, as of MiniSat.
_VALUES = re.compile(r"^v((?:[ \t]+-?\d{1,12})+)[ \t]*$", re.MULTILINE | re.ASCII)
_MINISAT_VALUES = re.compile(r"\s*SAT[ \t]*\n([-\d\s]+)", re.ASCII)
# The comment that `kt export` writes above the variables of a square.
_SQUARE_COMMENT = re.compile(r"^c \d{1,9} to \d{1,9}: (.+) is visited at step 1, 2, ", re.MULTILINE)


def _read_assignment(text: str, graph: Graph | None) -> list[Form]:
    """Read the values of a SAT solver. Raises `InputError` if they encode no order of the squares.

    A formula of n vertices has the variables 1 to n * n: the first n of them say at which step
    vertex 1 is visited, and so on. If n is unknown, it is detected, but 1 only if no larger number
    is possible: every assignment in which variable 1 is true would be a tour of a single square.
    """
    minisat_values = _MINISAT_VALUES.fullmatch(text)
    words = " ".join([minisat_values[1]] if minisat_values else _VALUES.findall(text)).split()
    if not words or not all(word.removeprefix("-").isdecimal() for word in words):
        return []
    literals = np.array(words, dtype=np.int64)
    most = math.isqrt(int(np.abs(literals).max()))
    counts = range(most, min(most, 2) - 1, -1) if graph is None else [len(graph)]
    for count in counts:
        # Larger ones are auxiliary.
        true_literals = literals[(literals > 0) & (literals <= count * count)]
        squares, steps = np.divmod(np.unique(true_literals) - 1, count)
        if [*range(count)] == squares.tolist() == sorted(steps):
            break
    else:
        which = "any number of squares" if graph is None else f"{len(graph):,} squares"
        raise InputError(
            f"the values are those of no tour of {which}, by the formula that "
            "'kt export --format dimacs' writes; give the board that it was written for"
        )
    order = np.argsort(steps)
    squares_named = _squares(_SQUARE_COMMENT.findall(text))
    forms = forms_of_tour(order + 1)
    if graph is None and squares_named is not None and len(squares_named) == count:
        forms = [Form(Notation.SQUARES, squares_named[order], naming_of(Notation.SQUARES))]
    remark = "from the values of a SAT solver"
    return [replace(form, remarks=(*form.remarks, remark)) for form in forms]


def _squares(names: Sequence[str]) -> Ints | None:
    """Return the file and the rank of each chess name, or None if another name is among them."""
    matches = [re.fullmatch(r"([a-z]{1,9})(\d{1,9})", name, re.ASCII) for name in names]
    rows = [(file_index(each[1]) + 1, int(each[2])) for each in matches if each is not None]
    return np.array(rows, dtype=np.int64) if rows and len(rows) == len(names) else None


# A variable and its value, as HiGHS and SCIP write them, or after a number, as CBC does.
_VARIABLE = re.compile(
    r"^[ \t]*+(?>(?:\d++[ \t]++)?)(\w++)>(\w++)[ \t]++(-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?)(?!\S)",
    re.MULTILINE,
)


def arcs_in_solution(text: str) -> list[tuple[str, str]]:
    """Return the arcs that the solution of an integer program uses.

    Solvers of such programs print a line for each variable, such as ``a1>b3 1``; some also print
    the variables of value 0. Of any other text return nothing.

    >>> arcs_in_solution("a1>b3 1\\nb3>c5  0.9999999\\nb3>a1 0\\nposition0 4\\n")
    [('a1', 'b3'), ('b3', 'c5')]
    """
    values = _VARIABLE.findall(text) if ">" in text else []
    return [(source, target) for source, target, value in values if float(value) > 0.5]


def _read_solution(text: str, graph: Graph | None) -> list[Form]:
    """Read the solution of an integer program, in which vertices of graphs are numbers from 0.

    For an open tour, the arcs include those of the depot, which are left out.
    """
    arcs = arcs_in_solution(text)
    inner = [arc for arc in arcs if DEPOT not in arc]
    names = [name for arc in inner or arcs for name in arc if name != DEPOT]
    naming = naming_of(Notation.MOVES)
    ends = _squares(names)
    if graph is not None and not isinstance(graph, Board):
        vertices = [int(name) if name.isdecimal() else len(graph) for name in names]
        if max(vertices, default=0) >= len(graph):
            raise InputError(f"the solution is not one of a graph of {len(graph):,} vertices")
        naming = Naming("{}")
        ends = np.array(vertices, dtype=np.int64)[:, None]
    if not names or ends is None:
        return []
    fields: dict[str, Any] = {}
    if len(inner) < len(arcs):
        fields = {"closed": False, "remarks": ("without the arcs of the depot",)}
    if not inner:  # the tour of a single square
        return [Form(Notation.MOVES, ends[:1], naming, **fields)]
    return [form_of_moves(Notation.MOVES, ends, naming, **fields)]


# -- facts of clingo ------------------------------------------------------------------------------

# An argument may be a text, or a term as in move(cell(1,1),cell(2,3)).
_INNER = rf"""(?>(?:[^()"]|{QUOTED}|\((?>(?:[^()"]|{QUOTED})*)\))*)"""
_FACT = re.compile(rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)\(({_INNER})\)\s*+[.,;]?+")
_ONLY_FACTS = re.compile(
    rf"(?>(?:\s*+[A-Za-z_][A-Za-z0-9_']*+(?>(?:\({_INNER}\))?)\s*+[.,;]?+)*)\s*+"
)
_TERM = re.compile(rf"{QUOTED}|[^\s(),]+(?!\()(?=[\s(),]|$)")
_ANSWER = re.compile(r"^[ \t]*Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)


def name_in(word: str) -> str:
    """Return the name of a vertex in a word, which may be in quotes as a JSON string.

    Raises `InputError` for quotes that are not one.

    >>> name_in("c4"), name_in('"a b"')
    ('c4', 'a b')
    """
    if not word.startswith('"'):
        return word
    try:
        return str(json.loads(word))
    except ValueError:
        raise InputError(f"name {word[:40]!r}: a name in quotes is a JSON string") from None


def facts_by_predicate(answer: str) -> dict[str, list[list[str]]]:
    """Return the terms of all facts by predicate, without quotes and the names of functions.

    The text has nothing but facts; of others return no facts.

    >>> facts_by_predicate("move(1,1,2,3). move(2,3,3,1). size(3).")
    {'move': [['1', '1', '2', '3'], ['2', '3', '3', '1']], 'size': [['3']]}
    """
    answer = _COMMENT.sub("", answer)
    if "(" not in answer or _ONLY_FACTS.fullmatch(answer) is None:
        return {}
    facts: dict[str, list[list[str]]] = {}
    for predicate, arguments in _FACT.findall(answer):
        facts.setdefault(predicate, []).append([*map(name_in, _TERM.findall(arguments))])
    return facts


def _read_facts(text: str, graph: Graph | None, given: Notation | None) -> list[Form]:
    """Read the facts ``move`` or, if there are none, those of any predicate that may be moves.

    Other predicates are read only if the notation is given, in an answer of clingo, or for a graph
    without places. Raises `InputError` for more than one answer.
    """
    answers = _ANSWER.findall(text)
    if len(answers) > 1:
        raise InputError("there is more than one answer; give one of them")
    facts = facts_by_predicate(answers[0] if answers else text)
    vertices = None if isinstance(graph, Board) else graph
    is_sure = given is not None or bool(answers) or vertices is not None
    predicates = [*facts] if is_sure else []
    if "move" in facts:
        predicates = ["move"]
    forms: list[Form] = []
    for predicate in predicates:
        others = " ".join(name for name in facts if name != predicate)
        fields = {"remarks": (f"without the facts {others}",) if others else ()}
        width = {*map(len, facts[predicate])}
        words = [word for row in facts[predicate] for word in row]
        if vertices is not None:
            ids, _ = vertices.read_path(words)
            if width == {2} and (ids >= 0).all():
                moves = form_of_moves(Notation.FACTS, ids[:, None], Naming("{}"), **fields)
                forms.append(moves)
        elif width in ({2}, {4}) and all(re.fullmatch(r"-?\d{1,18}", word) for word in words):
            pair = "{}" if width == {2} else "{},{}"
            ends = np.array(words, dtype=np.int64).reshape(-1, max(width) // 2)
            forms += forms_in(Notation.FACTS, ends, pair, **fields)
    return forms


# -- covers ---------------------------------------------------------------------------------------

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')  # a name, which may be in quotes


def is_cover(text: str) -> bool:
    """Return whether a text states by its notes, columns or fields that it is a cover.

    Raises `InputError` for a text that begins like a JSON cover but is not JSON.
    """
    if dict(NOTE.findall(text)).get("kind") == COVER_KIND:
        return True
    beginning = text.lstrip()
    if beginning.startswith(",".join(COVER_COLUMNS)):
        return True
    may_be_document = beginning.startswith("{") and '"paths"' in text
    return may_be_document and "paths" in _cover_document(text)


def parse_cover(text: str, graph: Graph | None = None) -> CoverReport:
    """Return a report on the cover in a text, judged on a graph or on the board that it states.

    Raises `InputError` for a text that does not hold a cover, or does not state its board.

    >>> parse_cover("a1\\nb1\\n; board: 1x2\\n; kind: cover").verdict
    'valid: 2 paths through all squares of 1x2'
    """
    text = text.removeprefix("\ufeff")  # a byte-order mark
    document = _cover_document(text) if text.lstrip().startswith("{") else None
    notes = dict(NOTE.findall(text))
    if graph is None:
        graph = board_of_notes(notes) if document is None else graph_in_document(document)
    if graph is None:
        raise InputError("the cover does not state its board: give it (--board)")
    if document is not None:
        paths = document.get("paths")
        if not isinstance(paths, list) or not all(isinstance(path, list) for path in paths):
            raise InputError(
                'paths: give a list of lists of squares, such as [["a1", "b3"], ["c1"]]'
            )
        return validate_cover(graph, paths)
    text = clean(text, graph)
    if text.lstrip().startswith(",".join(COVER_COLUMNS)):
        return validate_cover(graph, _paths_of_table(text))
    lines = [line.strip() for line in text.splitlines()]
    words = [_WORD.findall(line) for line in lines if line and not line.startswith(";")]
    return validate_cover(graph, [[*map(name_in, path)] for path in words])


def _cover_document(text: str) -> dict[str, Any]:
    """Return the JSON object in a text. Raises `InputError` for anything else."""
    document = parse_document(text)
    if not isinstance(document, dict):
        raise InputError("give a JSON object with paths")
    return document


def _paths_of_table(text: str) -> list[list[str]]:
    """Return the paths in a table. Raises `InputError`, with the line, for rows out of order."""
    paths: list[list[str]] = []
    reader = csv.reader(text.splitlines(keepends=True))
    try:
        for row in reader:
            if not "".join(row).strip() or row[0].startswith(";") or row == [*COVER_COLUMNS]:
                continue
            if not paths or row[:2] == [str(len(paths) + 1), "1"]:
                paths.append([])
            number = len(paths)
            step = len(paths[-1]) + 1
            if len(row) != len(COVER_COLUMNS) or row[:2] != [str(number), str(step)]:
                raise InputError(
                    f"line {reader.line_num}: {','.join(row)!r} where there should be "
                    f"path {number}, step {step} and a square"
                )
            paths[-1].append(row[2])
    except csv.Error as error:
        raise InputError(f"this table of paths cannot be read: {error}") from None
    return paths
