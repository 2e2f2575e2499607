"""Paths in values of Python, in JSON documents, and in files."""

from __future__ import annotations

import codecs
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
from kt_cp.notation.forms import forms_in, forms_of_grid, forms_of_numbers, forms_of_text
from kt_cp.notation.notations import (
    MAX_TEXT,
    TOO_LONG,
    Form,
    Naming,
    Notation,
)
from kt_cp.notation.tokens import HOLE_CODE, UNNUMBERED_CODE, Tokens, unreadable

Array = npt.NDArray[Any]

_DIGITS = re.compile(r"[0-9]{1,9}")
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
        squares, steps = _squares_by_step(value)
        forms = [
            replace(form, steps=np.array(steps), first_step=min(1, steps[0]))
            for form in forms_of_value(squares)
            if form.in_order and not form.is_grid and len(form.numbers) == len(steps)
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
            if len(form.numbers) == len(cells) and not (form.is_grid or form.notation.writes_moves)
        ]
    numbers = _numbers(cells)
    if numbers.ndim == 1:
        return forms_of_numbers(numbers)
    ways = [forms_of_grid(numbers)]
    if numbers.shape[1] == 2:
        ways.insert(int(prefers_grid), forms_in(Notation.COORDS, numbers))
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
        number = marks[cell] if is_mark else _whole_number(cell)
        if number is None:
            raise InputError(
                f"entry {place[0] + 1}: {reprlib.repr(cell)} is not a number of a square or step; "
                f"{_WANTED}"
            )
        numbers[place] = number
    return numbers


def _whole_number(value: object) -> int | None:
    """Return a whole number, also of a float, of at most 18 digits; None for other values."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        return None
    is_small = abs(float(value)) < 10**18  # neither infinite nor NaN
    return int(value) if is_small and value % 1 == 0 else None


def _squares_by_step(value: Mapping[Any, Any]) -> tuple[list[Any], list[int]]:
    """Return the squares in a mapping in the order of their steps, and these steps.

    The mapping is from square to step or, if the values are not numbers, from step to square.
    Raises `InputError` for anything else.
    """
    squares = list(value)
    numbers = [_whole_number(step) for step in value.values()]
    if None in numbers:
        keys = (int(key) if _DIGITS.fullmatch(str(key)) else key for key in value)  # as in JSON
        squares = list(value.values())
        numbers = [*map(_whole_number, keys)]
    steps = sorted((step, place) for place, step in enumerate(numbers) if step is not None)
    if not steps or len(steps) < len(numbers) or not all(str(each).strip() for each in squares):
        raise _not_a_path_error(value)
    if steps[0][0] < 0:
        first_step = steps[0][0]
        raise InputError(f"step {first_step} of the dict: give a number from 1 for each square")
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
    ids, written = graph.read_path(vertices_by_step(value) if isinstance(value, Mapping) else value)
    return Form(notation, ids[:, None], Naming("{}"), written=written)


def vertices_by_step(mapping: Mapping[Any, Any]) -> list[Any]:
    """Return the names in a mapping from name to step, or from step to name, in order.

    Raises `InputError` unless the steps count up from 0 or 1.
    """
    names, steps = _squares_by_step(mapping)
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
        raise InputError(
            f"board {reprlib.repr(board)}: give it as "
            '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        ) from None


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
    values_by_key: dict[Any, Any] = {}
    for key, value in pairs:
        if key in values_by_key:
            raise InputError(f"{reprlib.repr(key)} occurs twice, with two values")
        values_by_key[key] = value
    return values_by_key


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
