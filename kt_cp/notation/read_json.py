"""Reading JSON: the object that ``kt solve --format json`` writes, and plain arrays."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.notation.forms import HOLE, Form, PathForm
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import CoordinateNaming, IdNaming
from kt_cp.notation.read_grid import numbered_form
from kt_cp.notation.text import MAX_DIGITS, Integers, UnreadableError

_WANTED = "a tour is an array of ids, of pairs of numbers, or of equally long rows of numbers"
_BOARD_KEYS = {"rows", "columns", "holes", "piece", "topology"}


class Document(NamedTuple):
    """What JSON says: the numbers of the tour in 1 or 2 dimensions, its board and its kind."""

    numbers: Integers
    board: Board | None = None
    closed: bool | None = None


def read_json(text: str) -> Document:
    """Read an object with ``tour``, or an array: of ids, of pairs, or of rows of numbers.

    An object may have ``board`` and ``closed`` too; other keys are left alone. In rows of numbers
    null is a hole. Raises `InputError` for anything else.

    >>> read_json('{"tour": [0, 5], "closed": false}').numbers.tolist()
    [0, 5]
    """
    value = _load(text)
    if isinstance(value, dict):
        return _document(value)
    return Document(_numbers(value))


def json_form(notation: Notation, document: Document) -> Form:
    """Take an array of ids or of pairs from 0 as a path, other rows as a numbered board."""
    if document.numbers.ndim == 1:
        numbers = document.numbers[:, None]
        return PathForm(notation, IdNaming(), numbers, document.board, document.closed)
    if document.numbers.shape[1] == 2:
        numbers = document.numbers
        return PathForm(notation, CoordinateNaming(), numbers, document.board, document.closed)
    return numbered_form(notation, document.numbers, 1)


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableError(text, error.pos, "JSON") from None
    except (ValueError, RecursionError) as error:  # too many digits, or brackets
        raise InputError(f"JSON: {error}") from None


def _document(value: dict[str, Any]) -> Document:
    tour = value.get("tour")
    if tour is None:
        status = f" (status: {value['status']})" if isinstance(value.get("status"), str) else ""
        raise InputError(f"the JSON object holds no tour{status}")
    closed = value.get("closed")
    if closed is not None and not isinstance(closed, bool):
        raise InputError(f"closed: {_short(closed)}: give true or false")
    board = None if value.get("board") is None else _board(value["board"])
    return Document(_numbers(tour), board, closed)


def _numbers(value: Any) -> Integers:
    rows = value if isinstance(value, list) else []
    if rows and all(type(item) is int for item in rows):
        flat: list[int] = rows
        width = None
    else:
        width = len(rows[0]) if rows and isinstance(rows[0], list) else 0
        if not width or not all(isinstance(row, list) and len(row) == width for row in rows):
            raise InputError(f"JSON: {_WANTED}, not {_short(value)}")
        flat = [HOLE if item is None else item for row in rows for item in row]
    for item in flat:
        if type(item) is not int or abs(item) >= 10**MAX_DIGITS:
            raise InputError(f"JSON: {_WANTED}; there is {_short(item)}")
    numbers = np.array(flat, dtype=np.int64)
    return numbers if width is None else numbers.reshape(-1, width)


def _board(value: Any) -> Board:
    """Read what `Board.as_dict` gives."""
    wanted = 'as in {"rows": 8, "columns": 8, "holes": []}'
    sides = [value.get("rows"), value.get("columns")] if isinstance(value, dict) else []
    holes = value.get("holes", []) if sides else None
    whole = [*sides, *(holes if isinstance(holes, list) else [None])]
    if not all(type(item) is int for item in whole) or not set(value) <= _BOARD_KEYS:
        raise InputError(f"JSON: board {_short(value)}: give it {wanted}")
    try:
        return Board(**value)
    except (TypeError, ValueError) as error:
        raise InputError(f"JSON: {error}") from None


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
