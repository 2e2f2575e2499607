"""Reading values of Python, JSON and NumPy files."""

from __future__ import annotations

import ast
import io
import itertools
import json
import re
import reprlib
import warnings
from collections.abc import Iterable, Mapping, Set, Sized
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.errors import InputError, printable
from kt_cp.files import read_bounded
from kt_cp.notation.columns import column_names, squares_in_columns
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, forms_in
from kt_cp.notation.notations import MAX_TEXT, TOO_LONG, Notation
from kt_cp.notation.read_boards import forms_of_grid
from kt_cp.notation.read_lists import forms_of_numbers, read_coords, read_numbers, read_squares
from kt_cp.notation.scanning import MAX_DIGITS, unreadable
from kt_cp.notation.text import Integers, UnreadableError

Array = npt.NDArray[Any]

_WANTED = (
    "a path is a list of ids, of names such as a1, of pairs of numbers, or of equally long rows of "
    "steps, or the step of each square in a dict"
)


def forms_of_value(value: object, plain: Notation | None = None) -> list[Form]:
    """Return the ways to read ids, successors, names, pairs of numbers, or a numbered board.

    The value is an array, a list, or a dict from squares to steps. In rows of numbers "#" is a
    hole, and None a square without a number. ``plain`` replaces the notation of what is read first:
    of names, ids and pairs from 0, and of steps from 1. Raises `InputError` for anything else.

    >>> forms_of_value({"c2": 2, "a3": 1})[0].numbers.tolist()
    [[1, 3], [3, 2]]
    """
    if isinstance(value, Mapping):
        return _forms_of_steps(value, plain)
    mask = getattr(value, "mask", False)
    if not callable(mask) and np.any(mask):  # which is a method of pandas
        raise InputError("the array has masked entries; fill them, or leave them out")
    is_array = hasattr(value, "__array__")
    items = value if is_array else listed_path(value)
    try:
        cells = np.asarray(items, dtype=None if is_array else object)
    except ValueError:  # arrays of different lengths
        cells = np.empty(0)
    if not cells.size or cells.ndim not in (1, 2):
        raise _no_path(items)
    first = cells.flat[0]
    if cells.ndim == 1 and isinstance(first, Mapping):
        names = [*map(str, first)]
        if column_names(",".join(names)) is None or any([*each] != [*first] for each in cells):
            raise _no_path(cells.tolist(), "each square needs row and column, or x and y")
        rows = [",".join(map(str, each.values())) for each in cells]
        forms = _forms_of_names(squares_in_columns(rows, names, 1))
    elif cells.ndim == 1 and all(isinstance(cell, str) for cell in cells):
        forms = _forms_of_names(cells.tolist())
    else:
        numbers = _numbers(cells)
        read = forms_of_numbers if cells.ndim == 1 else forms_of_grid
        forms = read(numbers)
        if cells.ndim == 2 and cells.shape[1] == 2:
            pairs = forms_in(Notation.COORDS, numbers, "({}, {})")
            forms = [*forms, *pairs] if plain is Notation.NPY else [*pairs, *forms]
    return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]


def _numbers(cells: Array) -> Integers:
    """Return whole numbers, also of floats, as int32 or int64."""
    if cells.dtype.kind not in "iu":
        marks = {None: UNNUMBERED, "#": HOLE} if cells.ndim == 2 else {}
        numbers = np.empty(cells.shape, dtype=np.int64)
        for place, cell in np.ndenumerate(cells.astype(object)):
            is_mark = isinstance(cell, str | None) and cell in marks
            number = marks[cell] if is_mark else _whole_number(cell)
            if number is None:
                wrong = f"{reprlib.repr(cell)} is not a number of a square or step"
                raise InputError(f"entry {place[0] + 1}: {wrong}; {_WANTED}")
            numbers[place] = number
        return numbers
    if cells.dtype == np.uint64:  # larger numbers are off every board
        cells = np.minimum(cells, np.uint64(2**62))
    small = np.can_cast(cells.dtype, np.int32)
    return cells.astype(np.int32 if small else np.int64, copy=False)


def _whole_number(value: object) -> int | None:
    """Return a whole number of at most 18 digits, also of a float, or None."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        return None
    return int(value) if value % 1 == 0 and abs(value) < 10**MAX_DIGITS else None


def squares_by_step(value: Mapping[Any, Any]) -> tuple[list[Any], list[int]]:
    """Return the squares in a mapping in the order of their steps, and these.

    The mapping is from square to step, or from step to square where the values are no numbers.
    Raises `InputError` for anything else.
    """
    found, squares = [_whole_number(step) for step in value.values()], [*value]
    if None in found:
        found, squares = [_step_in_key(key) for key in value], [*value.values()]
    steps = [step for step in found if step is not None]
    if not squares or len(steps) < len(found):
        raise _no_path(value)
    ordered = sorted(zip(steps, range(len(squares)), strict=True))
    if ordered[0][0] < 0:
        raise InputError(f"step {ordered[0][0]} of the dict: give a number from 1 for each square")
    return [squares[place] for _, place in ordered], [step for step, _ in ordered]


def _step_in_key(key: object) -> int | None:
    """Return the step that a key is, as a number or as JSON writes it, or None."""
    if isinstance(key, str) and re.fullmatch(r"[0-9]{1,9}", key):
        return int(key)
    return _whole_number(key)


def _forms_of_steps(value: Mapping[Any, Any], plain: Notation | None) -> list[Form]:
    """Read a mapping from square to step, or from step to square."""
    squares, numbers = squares_by_step(value)
    if not all(str(square).strip() for square in squares):
        raise _no_path(value)
    steps = np.array(numbers, dtype=np.int64)
    forms = [
        replace(form, steps=steps, first=int(steps[0] != 0))
        for form in forms_of_value(squares, plain)
        if form.in_order and not form.drawn and len(form.numbers) == len(steps)
    ]
    if not forms:
        raise _no_path(value)
    return forms


def _forms_of_names(names: list[str]) -> list[Form]:
    errors = []
    for read in (read_squares, read_coords, read_numbers):
        try:
            return read("\n".join(names))
        except UnreadableError as error:
            errors.append(error)
    raise InputError(f"a list of names: {max(errors, key=lambda error: error.place)}")


def listed_path(path: object, most: int = 10**7) -> list[Any]:
    """Return the entries of a path. Raises `InputError` for text, and for an endless iterator."""
    if not isinstance(path, Iterable) or isinstance(path, str | bytes):
        raise _no_path(path, f"{_WANTED}; text is read by parse_path")
    if isinstance(path, Set):
        raise _no_path(path, "a set has no order; give a list")
    items = list(itertools.islice(path, None if isinstance(path, Sized) else most + 1))
    if len(items) > most and not isinstance(path, Sized):
        raise InputError(f"the path does not end within {most:,} entries")
    return items


def _no_path(value: object, wanted: str = _WANTED) -> InputError:
    return InputError(f"{reprlib.repr(value)} is not a path: {wanted}")


def read_json(text: str) -> list[Form]:
    """Read an object with ``tour`` or ``path``, steps by square, or an array.

    The text is JSON, or what Python prints of such values. The object may also have ``board`` and
    ``closed``; other keys are ignored. The path is read by `forms_of_value`. Raises `InputError`
    for anything else.
    """
    document = loaded(text)
    if not isinstance(document, dict) or _holds_steps(document):
        return forms_of_value(document, Notation.JSON)
    tour = document.get("tour", document.get("path"))
    board, closed = document.get("board"), document.get("closed")
    if tour is None:
        status = document.get("status")
        said = f"status: {printable(status)}" if isinstance(status, str) else "no key tour or path"
        raise InputError(f"the JSON object holds no tour ({said})")
    if not isinstance(closed, bool | None):
        raise InputError(f"closed: {reprlib.repr(closed)}: give true or false")
    forms = forms_of_value(tour, Notation.JSON)
    if board is not None:
        forms = [replace(forms[0], board=_board_of(board))]
    return [form if form.drawn else replace(form, closed=closed) for form in forms]


def _holds_steps(document: Mapping[Any, Any]) -> bool:
    """Return whether an object is a mapping from squares to steps, or from steps to squares."""
    if not document:
        return False
    by_square = None not in map(_whole_number, document.values())
    return by_square or None not in map(_step_in_key, document)


def _board_of(value: Any) -> Board:
    """Return the board that the field ``board`` of a JSON object describes."""
    try:
        return Board.parse(value) if isinstance(value, str) else Board(**value)
    except TypeError:
        wanted = '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        raise InputError(f"board {reprlib.repr(value)}: give it as {wanted}") from None


_LAST_COMMA = re.compile(r",\s*[\]}]")


def loaded(text: str) -> Any:
    """Return the value of JSON, or of what Python prints of dicts, lists, texts and numbers.

    Raises `UnreadableError` for other texts, and `InputError` for a key that occurs twice and for
    too many brackets.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique_pairs)
    except json.JSONDecodeError as error:
        if (literal := _python_literal(text)) is not None:
            return literal
        # Python before 3.13 names the place of the bracket after a comma too many.
        comma = _LAST_COMMA.match(text, text.rfind(",", 0, error.pos + 1))
        if comma and comma.end() > error.pos:
            wanted = "JSON, which has no comma before a closing bracket"
            raise unreadable(text, comma.start(), wanted) from None
        raise unreadable(text, error.pos, "JSON") from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:  # too many digits, or brackets
        raise InputError(f"JSON: {error}") from None


def _unique_pairs(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return the object of pairs of key and value. Raises `InputError` for a key used twice."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{reprlib.repr(key)} occurs twice, with two values")
        found[key] = value
    return found


# A longer text, and one with anything but plain values, is not given to the parser of Python.
_MOST_LITERAL = 2**22
_LITERAL = re.compile(
    r"(?>(?:[\s,:\[\](){}]"
    r"|(?>-?\d[\w.]*|'[^'\\\n]*'|\"[^\"\\\n]*\"|True|False|None)(?=\s*+(?:[,:\])}]|\Z)))*)",
    re.ASCII,
)


def _python_literal(text: str) -> dict[Any, Any] | list[Any] | tuple[Any, ...] | None:
    """Return the dict, list or tuple that Python would print so, or None if the text is none.

    Raises `InputError` for a dict in which a key occurs twice.
    """
    if len(text) > _MOST_LITERAL or _LITERAL.fullmatch(text) is None:
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


_MAGIC = b"\x93NUMPY"
_MOST = 2**31  # bytes of a NumPy file


def load(file: BinaryIO) -> str | Array:
    """Return the text of a file, or the array in a ``.npy`` file.

    Raises `InputError` for any other file, and for too long a text.
    """
    start = file.read(len(_MAGIC))
    if start == _MAGIC:
        try:
            with warnings.catch_warnings(action="ignore"):  # that Python 2 wrote the header
                content = start + read_bounded(file, _MOST)
                return np.asarray(np.load(io.BytesIO(content), allow_pickle=False))
        except Exception as error:  # NumPy evaluates the header: almost anything can go wrong
            raise InputError(f"not a NumPy file: {error}") from None
    text = start + file.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(TOO_LONG)
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not UTF-8 text; save the path as UTF-8") from None
