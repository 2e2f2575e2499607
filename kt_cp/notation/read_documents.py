"""Reading values of Python, JSON, TSPLIB and NumPy files."""

from __future__ import annotations

import ast
import io
import itertools
import json
import math
import mmap
import re
import warnings
from collections.abc import Iterable, Mapping, Sized
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import MAX_SQUARES, Board
from kt_cp.errors import InputError, printable
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, SquaresForm
from kt_cp.notation.notations import IdNaming, Notation
from kt_cp.notation.read_grids import forms_of_grid
from kt_cp.notation.read_lists import (
    forms_of_numbers,
    forms_of_pairs,
    read_coords,
    read_numbers,
    read_squares,
)
from kt_cp.notation.text import (
    MAX_DIGITS,
    NUMBER,
    Integers,
    UnreadableError,
    column_names,
    numbers_of,
    run_of,
    unreadable,
    without_heading,
)

Array = npt.NDArray[Any]

_WANTED = (
    "a path is a list of ids, of names such as a1, of pairs of numbers, or of equally long rows of "
    "steps, or the step of each square in a dict"
)


def forms_of_value(value: object, plain: Notation | None = None) -> list[Form]:
    """Return the ways to read an array, a list or a dict; see `forms_of_array`.

    A dict maps squares to steps, or steps to squares. In rows of numbers "#" is a hole, and None
    a square without a number. Raises `InputError` for anything else.

    >>> forms_of_value({"c2": 2, "a3": 1})[0].numbers.tolist()
    [[1, 3], [3, 2]]
    """
    if isinstance(value, Mapping):
        squares, steps = _in_order(value)
        forms = forms_of_value(squares, plain)
        return [replace(form, steps=steps) for form in forms if isinstance(form, SquaresForm)]
    if hasattr(value, "__array__"):
        mask = getattr(value, "mask", False)
        if not callable(mask) and np.any(mask):  # which is a method of pandas
            raise InputError("the array has masked entries; fill them, or leave them out")
        value = np.asarray(value)
        if value.dtype.kind in "iu" and value.ndim in (1, 2) and value.size:
            return forms_of_array(narrowed(value), plain)
        value = value.tolist()
    items = listed_path(value)
    if items and all(isinstance(item, Mapping) for item in items):
        return _of_records(items)
    if items and all(isinstance(item, str) for item in items):
        forms = _forms_of_names("\n".join(items))
        return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]
    return forms_of_array(_numbers(items), plain)


def _of_records(records: list[Mapping[Any, Any]]) -> list[Form]:
    """Read squares each of which is a mapping, with keys such as row and column, or x and y."""
    names = [*records[0]]
    head = ",".join(map(str, names))
    if column_names(head) is None or any([*record] != names for record in records):
        wanted = "each square needs row and column, or x and y"
        raise InputError(f"{shown(records)} is not a path: {wanted}")
    lines = (",".join(map(str, record.values())) for record in records)
    body = without_heading("\n".join([head, *lines]))
    return _forms_of_names(body.text.strip()) if body else []


def listed_path(path: object, most: int = 10**7) -> list[Any]:
    """Return the entries of a path. Raises `InputError` for text, and for an endless iterator."""
    if not isinstance(path, Iterable) or isinstance(path, str | bytes):
        hint = "; text is read by parse_path" if isinstance(path, str | bytes) else ""
        raise InputError(f"{shown(path)} is not a path: {_WANTED}{hint}")
    if isinstance(path, Sized):
        return list(path)
    items = list(itertools.islice(path, most + 1))
    if len(items) > most:
        raise InputError(f"the path does not end within {most:,} entries")
    return items


def forms_of_array(numbers: Integers, plain: Notation | None = None) -> list[Form]:
    """Return the ways to read ids, successors, pairs of numbers, or a numbered board.

    ``plain`` replaces the notation of ids and pairs from 0, and of steps from 1.
    """
    forms = forms_of_numbers(numbers) if numbers.ndim == 1 else forms_of_grid(numbers)
    if numbers.ndim == 2 and numbers.shape[1] == 2:
        pairs = forms_of_pairs(numbers, "({}, {})")
        forms = [*forms, *pairs] if plain is Notation.NPY else [*pairs, *forms]
    return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]


def narrowed(array: Array) -> Integers:
    """Convert whole numbers to int32 or int64, without a copy if they have this type.

    Larger ones, which are off every board, become a very large one.
    """
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        array = np.minimum(array, np.uint64(2**62))
    return array.astype(np.int32 if np.can_cast(array.dtype, np.int32) else np.int64, copy=False)


def _forms_of_names(names: str) -> list[Form]:
    """Read strings, one per line."""
    errors = []
    for read in (read_squares, read_coords, read_numbers):
        try:
            return read(names)
        except UnreadableError as error:
            errors.append(error)
    raise InputError(f"a list of names: {max(errors, key=lambda error: error.place)}")


def _in_order(steps: Mapping[Any, Any]) -> tuple[list[Any], Integers]:
    """Return the squares of a dict in the order of their steps, and the steps."""
    either = []
    for pairs in (zip(steps.values(), steps, strict=True), steps.items()):
        ordered = [(whole_number(step), square) for step, square in pairs]
        if ordered and all(step is not None for step, _ in ordered):
            ordered.sort(key=lambda pair: pair[0] or 0)
            numbers = np.array([step for step, _ in ordered], dtype=np.int64)
            either.append(([square for _, square in ordered], numbers))
    if not either:
        raise InputError(f"{shown(steps)} is not a path: {_WANTED}")
    # Of two readings, the one whose steps count up.
    squares, numbers = max(either, key=lambda each: bool((np.diff(each[1]) == 1).all()))
    if numbers[0] < 0:
        raise InputError(f"step {numbers[0]} of the dict: give a number from 1 for each square")
    return squares, numbers


def _numbers(items: list[Any]) -> Integers:
    """Return whole numbers in one or two dimensions."""
    rows = [list(item) if isinstance(item, list | tuple | np.ndarray) else None for item in items]
    widths = {None if row is None else len(row) for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise InputError(f"{shown(items)} is not a path: {_WANTED}")
    width = widths.pop()
    cells = items if width is None else [cell for row in rows for cell in row or ()]
    marks = {None: UNNUMBERED, "#": HOLE}
    whole = [
        marks[cell] if width and (cell is None or cell == "#") else whole_number(cell)
        for cell in cells
    ]
    for place, cell in enumerate(whole):
        if cell is None or (abs(cell) >= 10**MAX_DIGITS and cell != HOLE):
            wrong = f"{shown(cells[place])} is not a number of a square or step"
            raise InputError(f"entry {place // (width or 1) + 1}: {wrong}; {_WANTED}")
    numbers = np.array(whole, dtype=np.int64)
    return numbers if width is None else numbers.reshape(-1, width)


def whole_number(value: object) -> int | None:
    """Return a whole number, also from a float or from digits (a key of JSON), or None."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, str):
        return int(value) if value.isdecimal() and len(value) <= MAX_DIGITS else None
    if isinstance(value, float | np.floating):
        return int(value) if float(value).is_integer() else None
    return int(value) if isinstance(value, int | np.integer) else None


def shown(value: object) -> str:
    """Return a value as messages show it: a long one is cut off."""
    text = printable(repr(value))
    return text if len(text) <= 40 else f"{text[:39]}…"


MAGIC = b"\x93NUMPY"

_SECTION = re.compile(r"(?im)^[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+$")
_HEADER = re.compile(r"[ \t]*+([A-Za-z_]++)[ \t]*+:[^\n]*+")
_DIMENSION = re.compile(r"(?im)^[ \t]*+DIMENSION[ \t]*+:[ \t]*+(\d{1,18}+)[ \t]*+$", re.ASCII)
_PLACES = run_of(rf"\s*+(?:{NUMBER}(?!\S)|(?i:EOF)\s*+\Z)")

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
    steps = (document.values(), document)  # by square, or the squares by step
    if document and any(None not in map(whole_number, each) for each in steps):
        document = {"tour": document}
    tour = document.get("tour", document.get("path"))
    if tour is None and column_names(",".join(document)):  # a column for each
        columns = [listed_path(column) for column in document.values()]
        if len({*map(len, columns)}) > 1:
            raise InputError(f"{shown(document)} is not a path: the columns differ in length")
        tour = [dict(zip(document, row, strict=True)) for row in zip(*columns, strict=True)]
    board, closed = document.get("board"), document.get("closed")
    if tour is None:
        status = document.get("status")
        said = f"status: {printable(status)}" if isinstance(status, str) else "no key tour or path"
        raise InputError(f"the JSON object holds no tour ({said})")
    if closed is not None and not isinstance(closed, bool):
        raise InputError(f"closed: {shown(closed)}: give true or false")
    the_board = None if board is None else _board(board)
    return [
        replace(form, board=the_board, closed=closed) if isinstance(form, SquaresForm) else form
        for form in forms_of_value(tour, plain)[: None if the_board is None else 1]
    ]


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
        raise InputError(f"board {shown(value)}: give it as {wanted}")
    return Board(**value)


def read_tsplib(text: str) -> list[Form]:
    """Read the one tour of a ``.tour`` file (Reinelt 1991), as LKH and other solvers write it.

    Squares are numbered after ``TOUR_SECTION``, with -1 at the end. Raises `UnreadableError` for
    anything else, and `InputError` for a dimension that is too large.

    >>> file = "TYPE : TOUR\\nTOUR_SECTION\\n1\\n3\\n2\\n-1\\nEOF"
    >>> read_tsplib(file)[0].numbers.ravel().tolist()
    [1, 3, 2]
    """
    section = _SECTION.search(text)
    if section is None:
        raise unreadable(text, 0, "a TSPLIB file with a line TOUR_SECTION")
    header, start = text[: section.start()], section.end()
    place = 0
    for line in header.splitlines(keepends=True):
        if line.strip() and not _HEADER.fullmatch(line.rstrip()):
            raise unreadable(text, place, "a header line, as in TYPE : TOUR")
        place += len(line)
    wanted = "a square's number from 1, or -1 at the end"
    numbers = numbers_of(text, _PLACES, wanted, lambda whole: " " * start + whole[start:])
    ends = int(np.count_nonzero(numbers == -1))
    if ends > (numbers[-1:] == -1).sum():
        raise unreadable(text, start + 1, "one tour: -1 comes once, at the end")
    numbers = numbers[: len(numbers) - ends]
    if not len(numbers):
        raise unreadable(text, len(text), "the numbers of the squares")
    dimension = _DIMENSION.search(header)
    if dimension and int(dimension[1]) > MAX_SQUARES:
        raise InputError(f"DIMENSION {dimension[1]}: more than {MAX_SQUARES:,} squares are refused")
    naming = IdNaming(1, skips_holes=True, dimension=dimension and int(dimension[1]))
    return [SquaresForm(Notation.TSPLIB, numbers[:, None], naming)]


def read_npy(content: bytes | mmap.mmap) -> Array:
    """Return the whole numbers, in one or two dimensions, that a ``.npy`` file holds.

    The content may be memory-mapped, and is not copied. Raises `InputError` for anything else, and
    for more numbers than a board may have squares.

    >>> file = io.BytesIO()
    >>> np.save(file, np.array([0, 5, 6]))
    >>> read_npy(file.getvalue())
    array([0, 5, 6])
    """
    header = io.BytesIO(content[: 2**16])
    try:
        version = np.lib.format.read_magic(header)
        with warnings.catch_warnings(action="ignore"):  # that Python 2 wrote the header
            if version == (1, 0):
                shape, column_order, dtype = np.lib.format.read_array_header_1_0(header)
            else:
                shape, column_order, dtype = np.lib.format.read_array_header_2_0(header)
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
    start = header.tell()
    if len(content) < start + size * dtype.itemsize:
        raise InputError(f"the NumPy file ends before its {size:,} numbers do")
    flat = np.frombuffer(content, dtype=dtype, count=size, offset=start)
    return flat.reshape(shape, order="F" if column_order else "C")
