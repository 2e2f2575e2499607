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
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import MAX_SQUARES, Board
from kt_cp.errors import InputError, printable
from kt_cp.notation.forms import HOLE, Form, SquaresForm
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
    LONG,
    MAX_DIGITS,
    NUMBER,
    Block,
    Integers,
    Text,
    UnreadableError,
    numbers_of,
    run_of,
)

Array = npt.NDArray[Any]

_WANTED = (
    "a path is a list of ids, of names such as a1, of pairs of numbers, or of equally long rows of "
    "steps, or the step of each square in a dict"
)


def forms_of_value(value: object, plain: Notation | None = None) -> list[Form]:
    """Return the ways to read an array, a list or a dict; see `forms_of_array`.

    A dict maps squares to steps, or steps to squares, and its steps count up from 0 or 1. In rows
    of numbers None is a hole. Raises `InputError` for anything else.

    >>> forms_of_value({"c2": 2, "a3": 1})[0].numbers.tolist()
    [[1, 3], [3, 2]]
    """
    if isinstance(value, Mapping):
        value = _in_order(value)
    if hasattr(value, "__array__"):
        value = np.asarray(value)
        if value.dtype.kind in "iu" and value.ndim in (1, 2) and value.size:
            return forms_of_array(narrowed(value), plain)
        value = value.tolist()
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise InputError(f"{shown(value)} is not a path: {_WANTED}")
    items = list(value)
    if items and all(isinstance(item, str) for item in items):
        forms = _forms_of_names(Text("\n".join(items)))
        return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]
    return forms_of_array(_numbers(items), plain)


def forms_of_array(numbers: Integers, plain: Notation | None = None) -> list[Form]:
    """Return the ways to read ids, successors, pairs of numbers, or a numbered board.

    ``plain`` replaces the notation of ids and pairs from 0, and of steps from 1.
    """
    forms = forms_of_numbers(numbers) if numbers.ndim == 1 else forms_of_grid(numbers)
    if numbers.ndim == 2 and numbers.shape[1] == 2:
        pairs = forms_of_pairs(numbers)
        forms = [*forms, *pairs] if plain is Notation.NPY else [*pairs, *forms]
    return [replace(forms[0], notation=plain or forms[0].notation), *forms[1:]]


def narrowed(array: Array) -> Integers:
    """Convert whole numbers to int32 or int64, without a copy if they have this type.

    Larger ones, which are off every board, become a very large one.
    """
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        array = np.minimum(array, np.uint64(2**62))
    return array.astype(np.int32 if np.can_cast(array.dtype, np.int32) else np.int64, copy=False)


def _forms_of_names(names: Text) -> list[Form]:
    """Read strings, one per line."""
    errors = []
    for read in (read_squares, read_coords, read_numbers):
        try:
            return read(names)
        except UnreadableError as error:
            errors.append(error)
    raise InputError(f"a list of names: {max(errors, key=lambda error: error.place)}")


def _in_order(steps: Mapping[Any, Any]) -> list[Any]:
    """Return the squares in the order of their steps."""
    for pairs in (zip(steps.values(), steps, strict=True), steps.items()):
        ordered = [(whole_number(step), square) for step, square in pairs]
        if ordered and all(step is not None for step, _ in ordered):
            break
    else:
        raise InputError(f"{shown(steps)} is not a path: {_WANTED}")
    ordered.sort(key=lambda pair: pair[0] or 0)
    first = int(ordered[0][0] != 0)
    for expected, (step, _) in enumerate(ordered, start=first):
        if step != expected:
            raise InputError(f"step {step} of the dict where there should be step {expected}")
    return [square for _, square in ordered]


def _numbers(items: list[Any]) -> Integers:
    """Return whole numbers in one or two dimensions."""
    rows = [list(item) if isinstance(item, list | tuple | np.ndarray) else None for item in items]
    widths = {None if row is None else len(row) for row in rows}
    if len(widths) != 1 or 0 in widths:
        raise InputError(f"{shown(items)} is not a path: {_WANTED}")
    width = widths.pop()
    cells = items if width is None else [cell for row in rows for cell in row or ()]
    whole = [HOLE if cell is None and width else whole_number(cell) for cell in cells]
    for place, cell in enumerate(whole):
        if cell is None or abs(cell) >= 10**MAX_DIGITS:
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

_TOUR = re.compile(r'"tour"\s*+:\s*+\[')
_ARRAY = run_of(rf"\s*+{NUMBER}\s*+(?:,|\Z)")
_LARGE = 2**20  # characters of a Python dict, which take a thousand times as many bytes
_BOARD_KEYS = {"rows", "columns", "holes", "piece", "topology"}


def read_json(text: Text) -> list[Form]:
    """Read an object with ``tour`` or ``path``, an array, or a dict as Python prints it.

    The object may also have ``board`` and ``closed``; other keys are ignored. The path is read by
    `forms_of_value`. Raises `InputError` for anything else.

    >>> read_json(Text('{"tour": [0, 5], "closed": false}'))[0].numbers.ravel().tolist()
    [0, 5]
    """
    numbers: Integers | None = None
    plain: Notation | None = Notation.JSON
    if text.whole is None:
        numbers, value = _long_document(text)
    else:
        try:
            value = _loaded(text.whole)
        except UnreadableError:
            value, plain = _literal(text.whole), None
            if value is None:
                raise
    document = value if isinstance(value, dict) else {"tour": value}
    steps = (document.values(), document)  # by square, or the squares by step
    if document and any(None not in map(whole_number, each) for each in steps):
        document = {"tour": document}
    tour = document.get("tour", document.get("path"))
    board, closed = document.get("board"), document.get("closed")
    if tour is None:
        status = document.get("status")
        said = f"status: {printable(status)}" if isinstance(status, str) else "no key tour or path"
        raise InputError(f"the JSON object holds no tour ({said})")
    if closed is not None and not isinstance(closed, bool):
        raise InputError(f"closed: {shown(closed)}: give true or false")
    the_board = None if board is None else _board(board)
    forms = forms_of_value(tour if numbers is None else numbers, plain)
    return [
        replace(form, board=the_board, closed=closed) if isinstance(form, SquaresForm) else form
        for form in forms[: None if the_board is None else 1]
    ]


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Block(text).error(error.pos, "JSON") from None
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


def _long_document(text: Text) -> tuple[Integers, Any]:
    """Return the ids in the one long array of an object, and the object with one id in it."""
    before = after = last = ""
    inside, skipped = False, 0

    def ids_in(plain: str) -> str:
        nonlocal before, after, last, inside, skipped
        if after:
            after += plain
            return ""
        ids = plain
        if not inside:
            before += plain
            if not (tour := _TOUR.search(before)):
                return "" if len(before) < LONG else "?"
            inside, before, ids = True, before[: tour.end()], before[tour.end() :]
        ids, bracket, rest = ids.partition("]")
        if last.isdigit() and ids.strip():
            return "?"
        after = bracket + rest
        last, skipped = ids.rstrip()[-1:] or last, skipped + len(ids)
        return " " * (len(plain) - len(ids + after)) + ids

    try:
        numbers = numbers_of(text, _ARRAY, "an id, and commas between ids", ids_in)
    except UnreadableError:
        if inside:
            raise
        raise Block(before).error(0, 'a JSON object with "tour"') from None
    try:
        return numbers, _loaded(f"{before}1{last}{after}")
    except UnreadableError as error:
        place = error.place + (skipped - 1 - len(last)) * (error.place >= len(before))
        blocks = itertools.takewhile(lambda block: block.start <= place, text.blocks())
        block = deque(blocks, maxlen=1).pop()
        raise block.error(place - block.start, "JSON") from None


def _board(value: Any) -> Board:
    """Read a size such as ``8x8``, or what `Board.as_dict` returns."""
    if isinstance(value, str):
        return Board.parse(value)
    sides = [value.get(side) for side in ("rows", "columns")] if isinstance(value, dict) else []
    if not sides or {*map(type, sides)} != {int} or not set(value) <= _BOARD_KEYS:
        wanted = '"8x8" or {"rows": 8, "columns": 8, "holes": []}'
        raise InputError(f"board {shown(value)}: give it as {wanted}")
    return Board(**value)


def read_tsplib(text: Text) -> list[Form]:
    """Read the one tour of a ``.tour`` file (Reinelt 1991), as LKH and other solvers write it.

    Squares are numbered after ``TOUR_SECTION``, with -1 at the end. Raises `UnreadableError` for
    anything else, and `InputError` for a dimension that is too large.

    >>> file = Text("TYPE : TOUR\\nTOUR_SECTION\\n1\\n3\\n2\\n-1\\nEOF")
    >>> read_tsplib(file)[0].numbers.ravel().tolist()
    [1, 3, 2]
    """
    head = next(text.blocks())
    section = _SECTION.search(head.text)
    if section is None:
        raise head.error(0, "a TSPLIB file with a line TOUR_SECTION")
    header, start = head.text[: section.start()], section.end()
    place = 0
    for line in header.splitlines(keepends=True):
        if line.strip() and not _HEADER.fullmatch(line.rstrip()):
            raise head.error(place, "a header line, as in TYPE : TOUR")
        place += len(line)

    def after_header(plain: str) -> str:
        return " " * start + plain[start:] if plain == head.text else plain

    wanted = "a square's number from 1, or -1 at the end"
    numbers = numbers_of(text, _PLACES, wanted, after_header)
    ends = int(np.count_nonzero(numbers == -1))
    if ends > (numbers[-1] == -1):
        raise head.error(start + 1, "one tour: -1 comes once, at the end")
    numbers = numbers[: len(numbers) - ends]
    if not len(numbers):
        raise head.error(len(head.text), "the numbers of the squares")
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
