"""Reading values of Python, JSON and NumPy files."""

from __future__ import annotations

import ast
import itertools
import json
import math
import re
import warnings
from collections.abc import Iterable, Mapping, Sized
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from kt_cp.board import MAX_SQUARES, Board
from kt_cp.errors import InputError, printable
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_text import (
    MAX_DIGITS,
    forms_of_grid,
    forms_of_numbers,
    forms_of_pairs,
    read_coords,
    read_numbers,
    read_squares,
    unreadable,
)
from kt_cp.notation.text import (
    MAX_TEXT,
    TOO_LONG,
    Integers,
    UnreadableError,
    column_names,
    squares_in_columns,
)

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
        squares, steps = _in_order(value)
        first = int(steps[0] != 0)
        forms = [form for form in forms_of_value(squares, plain) if form.in_order]
        forms = [replace(form, steps=steps, first=first) for form in forms if not form.drawn]
        if not forms:
            raise InputError(f"{_shown(value)} is not a path: {_WANTED}")
        return forms
    if hasattr(value, "__array__"):
        mask = getattr(value, "mask", False)
        if not callable(mask) and np.any(mask):  # which is a method of pandas
            raise InputError("the array has masked entries; fill them, or leave them out")
        array = np.asarray(value)
        if array.dtype.kind in "iu" and array.ndim in (1, 2) and array.size:
            if array.dtype == np.uint64:  # larger numbers are off every board
                array = np.minimum(array, np.uint64(2**62))
            fits = np.can_cast(array.dtype, np.int32)
            return _forms_of_array(array.astype(np.int32 if fits else np.int64, copy=False), plain)
        value = array.tolist()
    items = listed_path(value)
    if items and all(isinstance(item, Mapping) for item in items):
        names = [*map(str, items[0])]
        if column_names(",".join(names)) is None or any([*item] != [*items[0]] for item in items):
            wanted = "each square needs row and column, or x and y"
            raise InputError(f"{_shown(items)} is not a path: {wanted}")
        rows = [",".join(map(str, item.values())) for item in items]
        return _forms_of_names(squares_in_columns(rows, names, 1))
    if items and all(isinstance(item, str) for item in items):
        forms = _forms_of_names(items)
    else:
        return _forms_of_array(_numbers(items), plain)
    return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]


def _forms_of_array(numbers: Integers, plain: Notation | None) -> list[Form]:
    forms = forms_of_numbers(numbers) if numbers.ndim == 1 else forms_of_grid(numbers)
    if numbers.ndim == 2 and numbers.shape[1] == 2:
        pairs = forms_of_pairs(numbers, "({}, {})")
        forms = [*forms, *pairs] if plain is Notation.NPY else [*pairs, *forms]
    return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]


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
        hint = "; text is read by parse_path" if isinstance(path, str | bytes) else ""
        raise InputError(f"{_shown(path)} is not a path: {_WANTED}{hint}")
    if isinstance(path, Sized):
        return list(path)
    items = list(itertools.islice(path, most + 1))
    if len(items) > most:
        raise InputError(f"the path does not end within {most:,} entries")
    return items


def _in_order(steps: Mapping[Any, Any]) -> tuple[list[Any], Integers]:
    """Return the squares of a dict in the order of their steps, and the steps."""
    pairs = [(_whole_number(step), square) for square, step in steps.items()]
    if not pairs or any(step is None for step, _ in pairs):
        raise InputError(f"{_shown(steps)} is not a path: {_WANTED}")
    pairs.sort(key=lambda pair: pair[0] or 0)
    numbers = np.array([step for step, _ in pairs], dtype=np.int64)
    if numbers[0] < 0:
        raise InputError(f"step {numbers[0]} of the dict: give a number from 1 for each square")
    return [square for _, square in pairs], numbers


def _numbers(items: list[Any]) -> Integers:
    """Return whole numbers in one or two dimensions."""
    rows = [list(item) if isinstance(item, list | tuple | np.ndarray) else None for item in items]
    widths = {None if row is None else len(row) for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise InputError(f"{_shown(items)} is not a path: {_WANTED}")
    width = widths.pop()
    cells = items if width is None else [cell for row in rows for cell in row or ()]
    marks = {None: UNNUMBERED, "#": HOLE}
    whole = [
        marks[cell] if width and (cell is None or cell == "#") else _whole_number(cell)
        for cell in cells
    ]
    for place, cell in enumerate(whole):
        if cell is None or (abs(cell) >= 10**MAX_DIGITS and cell != HOLE):
            wrong = f"{_shown(cells[place])} is not a number of a square or step"
            raise InputError(f"entry {place // (width or 1) + 1}: {wrong}; {_WANTED}")
    numbers = np.array(whole, dtype=np.int64)
    return numbers if width is None else numbers.reshape(-1, width)


def _whole_number(value: object) -> int | None:
    """Return a whole number, also from a float, or None."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, float | np.floating):
        return int(value) if float(value).is_integer() else None
    return int(value) if isinstance(value, int | np.integer) else None


def _shown(value: object) -> str:
    """Return a value as messages show it: a long one is cut off."""
    text = printable(repr(value))
    return text if len(text) <= 40 else f"{text[:39]}…"


_LAST_COMMA = re.compile(r",\s*[\]}]")
_LARGE = 2**20  # characters of a Python dict, which take a thousand times as many bytes
_BOARD_KEYS = {"rows", "columns", "holes", "piece", "topology"}


def read_json(text: str, strict: bool = False) -> list[Form]:
    """Read an object with ``tour`` or ``path``, an array, or, unless strict, a Python dict.

    The object may also have ``board`` and ``closed``; other keys are ignored. The path is read by
    `forms_of_value`. Raises `InputError` for anything else.

    >>> read_json('{"tour": [0, 5], "closed": false}')[0].numbers.ravel().tolist()
    [0, 5]
    """
    plain: Notation | None = Notation.JSON
    try:
        value = _loaded(text)
    except UnreadableError:
        value, plain = None if strict else _literal(text), None
        if value is None:
            raise
    document = value if isinstance(value, dict) else {"tour": value}
    if document and None not in map(_whole_number, document.values()):  # the steps by square
        document = {"tour": document}
    tour = document.get("tour", document.get("path"))
    board, closed = document.get("board"), document.get("closed")
    if tour is None:
        status = document.get("status")
        said = f"status: {printable(status)}" if isinstance(status, str) else "no key tour or path"
        raise InputError(f"the JSON object holds no tour ({said})")
    if closed is not None and not isinstance(closed, bool):
        raise InputError(f"closed: {_shown(closed)}: give true or false")
    forms = forms_of_value(tour, plain)
    if board is not None:
        forms = [replace(forms[0], board=_board(board))]
    return [form if form.drawn else replace(form, closed=closed) for form in forms]


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        # Python before 3.13 names the place of the bracket after a comma too many.
        comma = _LAST_COMMA.match(text, text.rfind(",", 0, error.pos + 1))
        if comma and comma.end() > error.pos:
            wanted = "JSON, which has no comma before a closing bracket"
            raise unreadable(text, comma.start(), wanted) from None
        raise unreadable(text, error.pos, "JSON") from None
    except (ValueError, RecursionError) as error:  # too many digits, or brackets
        raise InputError(f"JSON: {error}") from None


def _literal(text: str) -> dict[Any, Any] | None:
    """Return a dict as Python prints it, or None for anything else."""
    if len(text) > _LARGE or not text.lstrip().startswith("{"):
        return None
    try:
        with warnings.catch_warnings(action="ignore"):  # such as invalid escapes in strings
            value = ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _board(value: Any) -> Board:
    """Read a size such as ``8x8``, or what `Board.as_dict` returns."""
    if isinstance(value, str):
        return Board.parse(value)
    sides = [value.get(side) for side in ("rows", "columns")] if isinstance(value, dict) else []
    if not sides or {*map(type, sides)} != {int} or not set(value) <= _BOARD_KEYS:
        wanted = '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        raise InputError(f"board {_shown(value)}: give it as {wanted}")
    return Board(**value)


_MAGIC = b"\x93NUMPY"


def load(file: BinaryIO) -> str | Array:
    """Return the text of a file, or the whole numbers in a ``.npy`` file.

    Raises `InputError` for any other file, for too long a text, and for an array of more numbers
    than a board may have squares, or of another shape than that of ids or of a numbered board.

    >>> import io
    >>> load(io.BytesIO(b"\\xef\\xbb\\xbfa1 b3"))
    'a1 b3'
    """
    text = file.read(len(_MAGIC))
    if text == _MAGIC:
        return _read_npy(file)
    text += file.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(TOO_LONG)
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not UTF-8 text; save the path as UTF-8") from None


def _read_npy(file: BinaryIO) -> Array:
    try:
        version = file.read(2)
        with warnings.catch_warnings(action="ignore"):  # that Python 2 wrote the header
            if version == b"\1\0":
                shape, column_order, dtype = np.lib.format.read_array_header_1_0(file)
            else:
                shape, column_order, dtype = np.lib.format.read_array_header_2_0(file)
    except Exception as error:  # NumPy evaluates the header: almost anything can go wrong
        raise InputError(f"not a NumPy file: {error}") from None
    if dtype.kind not in "iu":
        raise InputError(f"the NumPy file holds {dtype}; give whole numbers, such as int32")
    if len(shape) not in (1, 2) or any(type(side) is not int or side < 1 for side in shape):
        wanted = "ids in one dimension or a numbered board in two"
        raise InputError(f"the NumPy file has the shape {shape}; give {wanted}")
    size = math.prod(shape)
    if size > MAX_SQUARES:
        raise InputError(f"NumPy file: more than {MAX_SQUARES:,} squares are refused")
    content = file.read(size * dtype.itemsize)
    if len(content) < size * dtype.itemsize:
        raise InputError(f"the NumPy file ends before its {size:,} numbers do")
    return np.frombuffer(content, dtype=dtype).reshape(shape, order="F" if column_order else "C")
