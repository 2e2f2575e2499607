"""Reading JSON, TSPLIB and NumPy files."""

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
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import MAX_SQUARES, Board
from kt_cp.errors import InputError, printable
from kt_cp.notation.forms import Form, SquaresForm
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_values import Array, forms_of_value, shown, whole_number
from kt_cp.notation.square_naming import IdNaming
from kt_cp.notation.text import (
    LONG,
    NUMBER,
    Block,
    Integers,
    Text,
    UnreadableError,
    numbers_of,
    run_of,
)

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
