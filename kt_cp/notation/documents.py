"""Paths in values of Python, in JSON, and in formats with a grammar: TSPLIB, solvers' answers.

LKH prints a TSPLIB tour and clingo prints facts: both are notations. SAT solvers print an
assignment, Concorde a list of numbers, and solvers of integer programs the values of variables.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import json
import math
import re
import reprlib
import warnings
from collections.abc import Iterable, Mapping, Sequence, Sized
from contextlib import suppress
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.maps import file_index
from kt_cp.files import read_bounded
from kt_cp.graph import Graph
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.notation.interpretations import forms_of_text
from kt_cp.notation.notations import (
    HOLE_CODE,
    MAX_TEXT,
    TABLE_COLUMNS,
    TOO_LONG,
    UNNUMBERED_CODE,
    Form,
    Naming,
    Notation,
    form_of_moves,
    forms_in,
    forms_of_grid,
    forms_of_numbers,
    naming,
)
from kt_cp.notation.tokens import Tokens, unreadable

Array = npt.NDArray[Any]

DEPOT = "depot"
"""The vertex that joins both ends of an open tour, as `kt export` names it."""

_MOST_ENTRIES = 10**7  # of an iterator
_WANTED = (
    "a path is a list of ids, of names such as a1, of pairs of numbers, or of equally long rows of "
    "steps, or the step of each square in a dict"
)

# -- values ---------------------------------------------------------------------------------------


def forms_of_value(value: object, first_notation: Notation | None = None) -> list[Form]:
    """Return the forms of a value: ids, successors, names, pairs of numbers, or a numbered board.

    The value is an array, a list, or a dict from squares to steps. In rows of numbers "#" is a
    hole, and None a square without a number. ``first_notation`` replaces the notation of the first
    form (that of the usual numbering), as for a NumPy file or JSON. Raises `InputError` for other
    values.

    >>> forms_of_value({"c2": 2, "a3": 1})[0].numbers.tolist()
    [[1, 3], [3, 2]]
    """
    if isinstance(value, Mapping):
        squares, steps = squares_by_step(value)
        forms = [
            replace(form, steps=np.array(steps), first_step=min(1, steps[0]))
            for form in forms_of_value(squares)
            if form.in_order and not form.drawn and len(form.numbers) == len(steps)
        ]
    else:
        forms = _forms_of_cells(_cells_of(value), first_notation is Notation.NPY)
    if not forms:
        raise _not_a_path_error(value)
    if first_notation is not None:
        forms[0] = replace(forms[0], notation=first_notation)
    return forms


def _cells_of(value: object) -> Array:
    """Return an array or the entries of a list as a non-empty array of one or two dimensions."""
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        raise InputError("the array has masked entries; fill them, or leave them out")
    is_array = hasattr(value, "__array__")
    items = value if is_array else listed_path(value)
    with suppress(ValueError):  # of arrays of different lengths
        cells = np.asarray(items, dtype=None if is_array else object)
        if cells.size and cells.ndim in (1, 2):
            return cells
    raise _not_a_path_error(items)


def _forms_of_cells(cells: Array, prefers_grid: bool) -> list[Form]:
    """Return the forms of a row of numbers, names or dicts of coordinates, or of rows of numbers.

    Rows of two numbers are a numbered board if that is preferred, or else coordinates.
    """
    if cells.ndim == 1 and isinstance(cells[0], str | Mapping):
        if not all(isinstance(each, str | Mapping) for each in cells):
            return []
        texts = [
            each if isinstance(each, str) else " ".join(map(str, each.values())) for each in cells
        ]
        forms = forms_of_text(Tokens.of("\n".join(texts)))
        return [
            form
            for form in forms
            if len(form.numbers) == len(cells) and not (form.drawn or form.notation.writes_moves)
        ]
    numbers = _numbers(cells)
    if numbers.ndim == 1:
        return forms_of_numbers(numbers)
    ways = [forms_of_grid(numbers)]
    if numbers.shape[1] == 2:
        ways.insert(int(prefers_grid), forms_in(Notation.COORDS, numbers, "({}, {})"))
    return [*itertools.chain(*ways)]


def _numbers(cells: Array) -> Ints:
    """Return whole numbers, which may be floats; marks in rows of a board become codes."""
    if cells.dtype.kind in "iu":
        if cells.dtype == np.uint64:  # larger numbers are off every board
            cells = np.minimum(cells, np.uint64(2**62))
        is_small = np.can_cast(cells.dtype, np.int32)
        return cells.astype(np.int32 if is_small else np.int64, copy=False)
    marks = {None: UNNUMBERED_CODE, "#": HOLE_CODE} if cells.ndim == 2 else {}
    numbers = np.empty(cells.shape, dtype=np.int64)
    for place, cell in np.ndenumerate(cells.astype(object)):
        is_mark = isinstance(cell, str | None) and cell in marks
        number = marks[cell] if is_mark else whole_number(cell)
        if number is None:
            wrong = f"{reprlib.repr(cell)} is not a number of a square or step"
            raise InputError(f"entry {place[0] + 1}: {wrong}; {_WANTED}")
        numbers[place] = number
    return numbers


def whole_number(value: object) -> int | None:
    """Return a whole number, also of a float, of at most 18 digits; None for other values."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        return None
    is_small = abs(float(value)) < 10**18  # neither infinite nor NaN
    return int(value) if is_small and value % 1 == 0 else None


def _step_in_key(key: object) -> int | None:
    """Return the step in a key, a number or digits as in JSON, or None for other keys."""
    if isinstance(key, str) and re.fullmatch(r"[0-9]{1,9}", key):
        return int(key)
    return whole_number(key)


def squares_by_step(value: Mapping[Any, Any]) -> tuple[list[Any], list[int]]:
    """Return the squares in a mapping in the order of their steps, and these steps.

    The mapping is from square to step or, if the values are not numbers, from step to square.
    Raises `InputError` for anything else.
    """
    squares, found = list(value), [whole_number(step) for step in value.values()]
    if None in found:
        squares, found = list(value.values()), [_step_in_key(key) for key in value]
    steps = sorted((step, place) for place, step in enumerate(found) if step is not None)
    if not steps or len(steps) < len(found) or not all(str(each).strip() for each in squares):
        raise _not_a_path_error(value)
    if steps[0][0] < 0:
        first = f"step {steps[0][0]} of the dict"
        raise InputError(f"{first}: give a number from 1 for each square")
    return [squares[place] for _, place in steps], [step for step, _ in steps]


def listed_path(path: object) -> list[Any]:
    """Return the entries of a path. Raises `InputError` for text, and for an endless iterator."""
    if not isinstance(path, Iterable) or isinstance(path, str | bytes):
        raise _not_a_path_error(path, f"{_WANTED}; text is read by parse_path")
    if isinstance(path, set | frozenset):
        raise _not_a_path_error(path, "a set has no order; give a list")
    if isinstance(path, Sized):
        return list(path)
    items = list(itertools.islice(path, _MOST_ENTRIES + 1))
    if len(items) > _MOST_ENTRIES:
        raise InputError(f"the path does not end within {_MOST_ENTRIES:,} entries")
    return items


def _not_a_path_error(value: object, wanted: str = _WANTED) -> InputError:
    """Return the error that a value is not a path, with what is wanted instead."""
    return InputError(f"{reprlib.repr(value)} is not a path: {wanted}")


def form_of_vertices(value: Any, graph: Graph, notation: Notation = Notation.SQUARES) -> Form:
    """Return the form of a list of the vertices of a graph, or of a dict with their steps."""
    ids, written = graph.read_path(names_by_step(value) if isinstance(value, Mapping) else value)
    return Form(notation, ids[:, None], Naming("{}"), written=written)


def names_by_step(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the names in a mapping from name to step, or from step to name, in order.

    Raises `InputError` unless the steps count up from 0 or 1.
    """
    names, steps = squares_by_step(mapping)
    if steps[0] not in (0, 1) or steps != [*range(steps[0], steps[0] + len(steps))]:
        raise InputError("the steps of the vertices are not 1, 2, 3 and so on, each once")
    return names


# -- documents ------------------------------------------------------------------------------------


def path_in(document: Mapping[Any, Any]) -> tuple[Any, bool | None, bool]:
    """Return the field ``tour`` or ``path`` of an object, and its fields ``closed``, ``partial``.

    Raises `InputError` if there is no path, or if the others are not Booleans.
    """
    path = document.get("tour", document.get("path"))
    if path is None:
        status = document.get("status")
        has_status = isinstance(status, str)
        why = f"status: {escape_unprintable(str(status))}" if has_status else "no key tour or path"
        raise InputError(f"the JSON object holds no tour ({why})")
    stated = {"closed": document.get("closed"), "partial": document.get("partial", False)}
    for name, value in stated.items():
        if not isinstance(value, bool) and (name, value) != ("closed", None):
            raise InputError(f"{name}: {reprlib.repr(value)}: give true or false")
    return path, stated["closed"], stated["partial"]


def graph_in_document(document: Mapping[Any, Any]) -> Graph | None:
    """Return the graph or board that an object states in its field of that name, None without one.

    Raises `InputError` if the field describes neither.
    """
    if "graph" in document:
        return Graph.from_dict(document["graph"])
    board = document.get("board")
    if board is None:
        return None
    try:
        return Board.parse(board) if isinstance(board, str) else Board(**board)
    except TypeError:
        wanted = '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        raise InputError(f"board {reprlib.repr(board)}: give it as {wanted}") from None


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


def parse_document(text: str) -> Any:
    """Return the value in a text of JSON.

    Raises `UnreadableError` for other texts, and `InputError` for a key that occurs twice and for
    too many brackets.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        raise unreadable(text, error.pos, "JSON") from None
    except InputError:  # which is a ValueError, too
        raise
    except (ValueError, RecursionError) as error:  # too many digits, or brackets
        raise InputError(f"JSON: {error}") from None


def _unique_pairs(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return pairs of key and value as a dict. Raises `InputError` for a key used twice."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{reprlib.repr(key)} occurs twice, with two values")
        found[key] = value
    return found


# -- files ----------------------------------------------------------------------------------------

_MAGIC = b"\x93NUMPY"
_MAX_BYTES = 2**31  # of a NumPy file


def load_path(file: BinaryIO) -> str | Array:
    """Return the text of a file, or the array in a ``.npy`` file.

    Raises `InputError` for any other file, and for too long a text.
    """
    start = file.read(len(_MAGIC))
    if start == _MAGIC:
        try:
            with warnings.catch_warnings(action="ignore"):  # of headers written by Python 2
                content = start + read_bounded(file, _MAX_BYTES)
                return np.asarray(np.load(io.BytesIO(content), allow_pickle=False))
        except Exception as error:  # NumPy evaluates the header, so any exception may occur
            raise InputError(f"not a NumPy file: {error}") from None
    text = start + file.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(TOO_LONG)
    encodings = ["utf-8-sig", "cp1252"]  # the latter is Latin-1 with the quotes of Windows
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return text.decode(encoding)
    raise InputError(f"this is not {encodings[-1].upper()} text; save it as UTF-8")


# -- texts with a grammar -------------------------------------------------------------------------

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


def forms_of_tour(numbers: Sequence[int] | Ints, size: int | None = None) -> list[Form]:
    """Return the forms of the numbers of squares, from 1, with and without a depot.

    The numbers skip holes. If the last of them may be the depot of an open tour, the tour is
    returned with it and without it. ``size`` is the number of squares, if the text has it.
    """
    squares = np.asarray(numbers, dtype=np.int64)
    form = Form(Notation.TSPLIB, squares[:, None], naming(Notation.TSPLIB), area=size)
    depots, count = np.flatnonzero(squares == len(squares)), len(squares) - 1
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


# A file of TSPLIB (Reinelt 1991), as LKH and other solvers write it.
_HEADER = re.compile(
    r"(?:[ \t]*+(?>(?:[A-Z_]++[ \t]*+:.*+)?)\n)*?[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$", re.I | re.M
)
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_TOUR = re.compile(
    r"(?>(?:\s*+[0-9]{1,18}+(?!\S))+)(?>(?:\s*+-1(?!\S))?)\s*+(?>(?:EOF)?)\s*+", re.I | re.A
)


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
    listed = _MINISAT_VALUES.fullmatch(text)
    words = " ".join([listed[1]] if listed else _VALUES.findall(text)).split()
    if not words or not all(word.removeprefix("-").isdecimal() for word in words):
        return []
    literals = np.array(words, dtype=np.int64)
    most = math.isqrt(int(np.abs(literals).max()))
    counts = range(most, min(most, 2) - 1, -1) if graph is None else [len(graph)]
    for count in counts:
        chosen = literals[(literals > 0) & (literals <= count * count)]  # others are auxiliary
        squares, steps = np.divmod(np.unique(chosen) - 1, count)
        if [*range(count)] == squares.tolist() == sorted(steps):
            break
    else:
        which = "any number of squares" if graph is None else f"{len(graph):,} squares"
        raise InputError(
            f"the values are those of no tour of {which}, by the formula that "
            "'kt export --format dimacs' writes; give the board that it was written for"
        )
    order, squares_named = np.argsort(steps), _squares(_SQUARE_COMMENT.findall(text))
    forms = forms_of_tour(order + 1)
    if graph is None and squares_named is not None and len(squares_named) == count:
        forms = [Form(Notation.SQUARES, squares_named[order], naming(Notation.SQUARES))]
    remark = "from the values of a SAT solver"
    return [replace(form, remarks=(*form.remarks, remark)) for form in forms]


def _squares(names: Sequence[str]) -> Ints | None:
    """Return the file and the rank of each chess name, or None if another name is among them."""
    found = [re.fullmatch(r"([a-z]{1,9})(\d{1,9})", name, re.ASCII) for name in names]
    rows = [(file_index(each[1]) + 1, int(each[2])) for each in found if each is not None]
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
    found = _VARIABLE.findall(text) if ">" in text else []
    return [(source, target) for source, target, value in found if float(value) > 0.5]


def _read_solution(text: str, graph: Graph | None) -> list[Form]:
    """Read the solution of an integer program, in which vertices of graphs are numbers from 0.

    For an open tour, the arcs include those of the depot, which are left out.
    """
    arcs = arcs_in_solution(text)
    inner = [arc for arc in arcs if DEPOT not in arc]
    names = [name for arc in inner or arcs for name in arc if name != DEPOT]
    how, ends = naming(Notation.MOVES), _squares(names)
    if graph is not None and not isinstance(graph, Board):
        vertices = [int(name) if name.isdecimal() else len(graph) for name in names]
        if max(vertices, default=0) >= len(graph):
            raise InputError(f"the solution is not one of a graph of {len(graph):,} vertices")
        how, ends = Naming("{}"), np.array(vertices, dtype=np.int64)[:, None]
    if not names or ends is None:
        return []
    fields: dict[str, Any] = {}
    if len(inner) < len(arcs):
        fields = {"closed": False, "remarks": ("without the arcs of the depot",)}
    if not inner:  # the tour of a single square
        return [Form(Notation.MOVES, ends[:1], how, **fields)]
    return [form_of_moves(Notation.MOVES, ends, how, **fields)]


def _read_table(text: str, graph: Graph | None) -> list[Form]:
    """Read a table of CSV with the steps and names of the vertices of a graph."""
    head, _, body = text.lstrip().partition("\n")
    if graph is None or isinstance(graph, Board) or head.strip() != ",".join(TABLE_COLUMNS):
        return []
    rows = [row for row in csv.reader(io.StringIO(body)) if row and not row[0].startswith(";")]
    return [form_of_vertices({row[0]: row[-1] for row in rows}, graph)]


# Facts of clingo. An argument may be a text, or a term as in move(cell(1,1),cell(2,3)).
_QUOTED = r'"(?:[^"\\\n]|\\.)*"'
_INNER = rf"""(?>(?:[^()"]|{_QUOTED}|\((?>(?:[^()"]|{_QUOTED})*)\))*)"""
_FACT = re.compile(rf"\s*+([A-Za-z_][A-Za-z0-9_']*+)\(({_INNER})\)\s*+[.,;]?+")
_ONLY_FACTS = re.compile(
    rf"(?>(?:\s*+[A-Za-z_][A-Za-z0-9_']*+(?>(?:\({_INNER}\))?)\s*+[.,;]?+)*)\s*+"
)
_TERM = re.compile(rf"{_QUOTED}|[^\s(),]+(?!\()(?=[\s(),]|$)")
_ANSWER = re.compile(r"^[ \t]*Answer: [^\n]*\n([^\n]*)$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:#|%|//).*$", re.MULTILINE)


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
    without places. Raises
    `InputError` for more than one answer.
    """
    answers = _ANSWER.findall(text)
    if len(answers) > 1:
        raise InputError("there is more than one answer; give one of them")
    facts = facts_by_predicate(answers[0] if answers else text)
    vertices = None if isinstance(graph, Board) else graph
    is_sure = given is not None or bool(answers) or vertices is not None
    forms: list[Form] = []
    for predicate in ["move"] if "move" in facts else facts if is_sure else []:
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
