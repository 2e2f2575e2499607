"""Reading arrays, lists and dicts, from Python and from JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError, printable
from kt_cp.notation.forms import HOLE, Form
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_grids import forms_of_grid
from kt_cp.notation.read_lists import (
    forms_of_numbers,
    forms_of_pairs,
    read_coords,
    read_numbers,
    read_squares,
)
from kt_cp.notation.text import MAX_DIGITS, Integers, Text, UnreadableError

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
