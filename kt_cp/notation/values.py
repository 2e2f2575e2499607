"""Read values: lists, arrays and dicts of Python, and documents of JSON."""

from __future__ import annotations

import ast
import codecs
import csv
import io
import itertools
import json
import re
import reprlib
import warnings
from collections.abc import Iterable, Mapping, Sized
from contextlib import suppress
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.files import read_bounded
from kt_cp.graph import Graph
from kt_cp.messages import InputError, escape_unprintable
from kt_cp.notation.interpretations import forms_of_text
from kt_cp.notation.notations import MAX_TEXT, TABLE_COLUMNS, TOO_LONG, Naming, Notation
from kt_cp.notation.reading import (
    HOLE_CODE,
    UNNUMBERED_CODE,
    Form,
    forms_in,
    forms_of_grid,
    forms_of_numbers,
)
from kt_cp.notation.tokens import unreadable

Array = npt.NDArray[Any]

_WANTED = (
    "a path is a list of ids, of names such as a1, of pairs of numbers, or of equally long rows of "
    "steps, or the step of each square in a dict"
)


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
        return _forms_of_steps(value, first_notation)
    cells = _cells_of(value)
    if cells.ndim == 1 and any(isinstance(cell, str | Mapping) for cell in cells[:1]):
        forms = _forms_of_texts(cells.tolist())
    elif cells.ndim == 1:
        forms = forms_of_numbers(_numbers(cells))
    else:
        numbers = _numbers(cells)
        forms = forms_of_grid(numbers)
        if numbers.shape[1] == 2:
            pairs = forms_in(Notation.COORDS, numbers, "({}, {})")
            forms = [*forms, *pairs] if first_notation is Notation.NPY else [*pairs, *forms]
    if first_notation is None:
        return forms
    return [replace(forms[0], notation=first_notation), *forms[1:]]


def _cells_of(value: object) -> Array:
    """Return an array or the entries of a list as a non-empty array of one or two dimensions."""
    if isinstance(value, np.ma.MaskedArray) and np.any(value.mask):
        raise InputError("the array has masked entries; fill them, or leave them out")
    is_array = hasattr(value, "__array__")
    items = value if is_array else listed_path(value)
    try:
        cells = np.asarray(items, dtype=None if is_array else object)
    except ValueError:  # arrays of different lengths
        raise _not_a_path_error(items) from None
    if not cells.size or cells.ndim not in (1, 2):
        raise _not_a_path_error(items)
    return cells


def _forms_of_texts(entries: list[Any]) -> list[Form]:
    """Read a text for each square, or a dict of its row and column: names, pairs or ids."""
    lines = []
    for entry in entries:
        if not isinstance(entry, str | Mapping):
            raise _not_a_path_error(entries)
        lines.append(entry if isinstance(entry, str) else " ".join(map(str, entry.values())))
    forms = [
        form
        for form in forms_of_text("\n".join(lines))
        if len(form.numbers) == len(entries) and not (form.drawn or form.notation.writes_moves)
    ]
    if not forms:
        raise _not_a_path_error(entries)
    return forms


def _numbers(cells: Array) -> Ints:
    """Return whole numbers, which may be floats, as int32 or int64."""
    if cells.dtype.kind not in "iu":
        return _numbers_of_objects(cells)
    if cells.dtype == np.uint64:  # larger numbers are off every board
        cells = np.minimum(cells, np.uint64(2**62))
    is_small = np.can_cast(cells.dtype, np.int32)
    return cells.astype(np.int32 if is_small else np.int64, copy=False)


def _numbers_of_objects(cells: Array) -> Ints:
    """Return the whole numbers in an array of any type; marks in rows of a board become codes."""
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


def squares_by_step(value: Mapping[Any, Any]) -> tuple[list[Any], list[int]]:
    """Return the squares in a mapping in the order of their steps, and these steps.

    The mapping is from square to step or, if the values are not numbers, from step to square.
    Raises `InputError` for anything else.
    """
    squares, found = list(value), [whole_number(step) for step in value.values()]
    if None in found:
        squares, found = list(value.values()), [step_in_key(key) for key in value]
    steps = [step for step in found if step is not None]
    if not squares or len(steps) < len(found):
        raise _not_a_path_error(value)
    order = sorted(range(len(steps)), key=steps.__getitem__)
    if steps[order[0]] < 0:
        first = f"step {steps[order[0]]} of the dict"
        raise InputError(f"{first}: give a number from 1 for each square")
    return [squares[place] for place in order], [steps[place] for place in order]


def step_in_key(key: object) -> int | None:
    """Return the step in a key, a number or digits as in JSON, or None for other keys."""
    if isinstance(key, str) and re.fullmatch(r"[0-9]{1,9}", key):
        return int(key)
    return whole_number(key)


def _forms_of_steps(value: Mapping[Any, Any], first_notation: Notation | None) -> list[Form]:
    """Read a mapping from square to step, or from step to square."""
    squares, numbers = squares_by_step(value)
    if not all(str(square).strip() for square in squares):
        raise _not_a_path_error(value)
    steps = np.array(numbers, dtype=np.int64)
    first = 0 if steps[0] == 0 else 1
    forms = [
        replace(form, steps=steps, first_step=first)
        for form in forms_of_value(squares, first_notation)
        if form.in_order and not form.drawn and len(form.numbers) == len(steps)
    ]
    if not forms:
        raise _not_a_path_error(value)
    return forms


def listed_path(path: object, most: int = 10**7) -> list[Any]:
    """Return the entries of a path. Raises `InputError` for text, and for an endless iterator."""
    if not isinstance(path, Iterable) or isinstance(path, str | bytes):
        raise _not_a_path_error(path, f"{_WANTED}; text is read by parse_path")
    if isinstance(path, set | frozenset):
        raise _not_a_path_error(path, "a set has no order; give a list")
    if isinstance(path, Sized):
        return list(path)
    items = list(itertools.islice(path, most + 1))
    if len(items) > most:
        raise InputError(f"the path does not end within {most:,} entries")
    return items


def _not_a_path_error(value: object, wanted: str = _WANTED) -> InputError:
    """Return the error that a value is not a path, with what is wanted instead."""
    return InputError(f"{reprlib.repr(value)} is not a path: {wanted}")


# -- vertices of graphs ---------------------------------------------------------------------------


def form_of_vertices(value: Any, graph: Graph, notation: Notation = Notation.SQUARES) -> Form:
    """Return the path of names in a list, in the field ``tour``, or in a dict with their steps."""
    path, stated = value, dict[str, Any]()
    if isinstance(value, Mapping) and value.keys() & {"tour", "path"}:
        path, stated = _path_in(value)
    elif isinstance(value, Mapping):
        path = names_by_step(value)
    return replace(form_of_names(path, graph), notation=notation, **stated)


def form_of_names(names: Iterable[Any], graph: Graph) -> Form:
    """Return the path that visits the vertices with these names in this order."""
    ids, written = graph.read_path(names)
    return Form(Notation.SQUARES, ids[:, None], Naming("{}"), written=written)


def names_by_step(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the names in a mapping from name to step, or from step to name, in order.

    Raises `InputError` unless the steps count up from 0 or 1.
    """
    names, steps = squares_by_step(mapping)
    if steps[0] not in (0, 1) or steps != [*range(steps[0], steps[0] + len(steps))]:
        raise InputError("the steps of the vertices are not 1, 2, 3 and so on, each once")
    return names


def names_in_table(text: str) -> list[str] | None:
    """Return the names in a table of CSV with steps and squares, or None for other texts."""
    head, _, body = text.lstrip().partition("\n")
    if head.strip() != ",".join(TABLE_COLUMNS):
        return None
    rows = [row for row in csv.reader(io.StringIO(body)) if row]
    if [row[0] for row in rows] != [str(step) for step in range(1, len(rows) + 1)]:
        return None
    return [row[-1] for row in rows]


# -- documents ------------------------------------------------------------------------------------


def _path_in(document: Mapping[Any, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the field ``tour`` or ``path`` of an object, and what it states about its kind.

    Raises `InputError` if there is no path, or if ``closed`` or ``partial`` is not a Boolean.
    """
    path = document.get("tour", document.get("path"))
    if path is None:
        status = document.get("status")
        is_told = isinstance(status, str)
        why = f"status: {escape_unprintable(str(status))}" if is_told else "no key tour or path"
        raise InputError(f"the JSON object holds no tour ({why})")
    stated = {"closed": document.get("closed"), "partial": document.get("partial", False)}
    for name, value in stated.items():
        if not isinstance(value, bool) and (name, value) != ("closed", None):
            raise InputError(f"{name}: {reprlib.repr(value)}: give true or false")
    return path, stated


def read_json(text: str, graph: Graph | None = None) -> list[Form]:
    """Return the forms of a path in a JSON document, or in a value as Python prints it.

    The document is an object with ``tour`` or ``path``, an object of steps by square, or an array.
    An object with a path may also have ``board``, ``closed`` and ``partial``; other keys are
    ignored. The path is read by `forms_of_value`. Raises `InputError` for anything else.
    """
    document = parse_document(text)
    if graph is not None:
        return [form_of_vertices(document, graph, Notation.JSON)]
    if not isinstance(document, dict) or _holds_steps(document):
        return forms_of_value(document, Notation.JSON)
    path, stated = _path_in(document)
    forms = [replace(form, **stated) for form in forms_of_value(path, Notation.JSON)]
    if (board := document.get("board")) is None:
        return forms
    return [replace(forms[0], board=_board_of(board))]


def _holds_steps(document: Mapping[Any, Any]) -> bool:
    """Return whether an object is a mapping from squares to steps, or from steps to squares."""
    if not document:
        return False
    by_square = None not in map(whole_number, document.values())
    return by_square or None not in map(step_in_key, document)


def graph_in_document(document: Mapping[Any, Any]) -> Graph | None:
    """Return the graph or board that an object states in its field of that name, None without one.

    Raises `InputError` if the field describes neither.
    """
    if "graph" in document:
        return Graph.from_dict(document["graph"])
    board = document.get("board")
    return None if board is None else _board_of(board)


def _board_of(value: Any) -> Board:
    """Return the board that the field ``board`` of a JSON object describes."""
    try:
        return Board.parse(value) if isinstance(value, str) else Board(**value)
    except TypeError:
        wanted = '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        raise InputError(f"board {reprlib.repr(value)}: give it as {wanted}") from None


def written_name(name: str) -> str:
    """Return the name of a vertex as a line of text, from which `name_in` reads it.

    A name that would not stay the same is written as a JSON string: one with characters that cannot
    be printed or blanks around it, and one that begins as a JSON string or a note does.

    >>> print(written_name("New York"), written_name("two\\nlines"))
    New York "two\\nlines"
    """
    stays = escape_unprintable(name) == name and name == name.strip() != ""
    return name if stays and not name.startswith(('"', ";")) else json.dumps(name)


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


def parse_document(text: str, or_none: bool = False) -> Any:
    """Return the value in a text of JSON, or as Python prints dicts, lists, texts and numbers.

    Raises `UnreadableError` for other texts, or returns None (``or_none``). Raises `InputError` for
    a key that occurs twice and for too many brackets.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        literal = _python_literal(text)
        if literal is not None or or_none:
            return literal
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


# A longer text, or one with anything but plain values such as {'a': [1, (2, True)]}, is not passed
# to Python's parser.
_MAX_LITERAL = 2**22
_LITERAL = re.compile(
    r"(?>(?:[\s,:\[\](){}]"
    r"|(?>-?\d[\w.]*|'[^'\\\n]*'|\"[^\"\\\n]*\"|True|False|None)(?=\s*+(?:[,:\])}]|\Z)))*)",
    re.ASCII,
)


def _python_literal(text: str) -> dict[Any, Any] | list[Any] | tuple[Any, ...] | None:
    """Return the dict, list or tuple that Python prints as this text, or None for other texts.

    Raises `InputError` for a dict in which a key occurs twice.
    """
    if len(text) > _MAX_LITERAL or _LITERAL.fullmatch(text) is None:
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
        value = ast.literal_eval(tree)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None
    if any(isinstance(node, ast.Set) for node in ast.walk(tree)):
        return None  # braces of another language, as a set has no order
    if isinstance(tree.body, ast.Dict):
        keys = [ast.literal_eval(key) for key in tree.body.keys if key is not None]
        _unique_pairs([(key, None) for key in keys])
    return value if isinstance(value, dict | list | tuple) else None


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
