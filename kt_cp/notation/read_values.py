"""Read values of Python: lists, arrays and dicts."""

from __future__ import annotations

import itertools
import re
import reprlib
from collections.abc import Iterable, Mapping, Sized
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints
from kt_cp.messages import InputError
from kt_cp.notation.interpretations import forms_of_text
from kt_cp.notation.notations import Notation
from kt_cp.notation.reading import (
    HOLE_CODE,
    UNNUMBERED_CODE,
    Form,
    Numbering,
    forms_in,
    forms_of_grid,
    forms_of_numbers,
)

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
    if cells.ndim == 1 and isinstance(cells[0], Mapping):
        forms = _forms_of_fields(cells.tolist())
    elif cells.ndim == 1 and all(isinstance(cell, str) for cell in cells):
        forms = _forms_of_names(cells.tolist())
    elif cells.ndim == 1:
        forms = forms_of_numbers(_numbers(cells))
    else:
        forms = _forms_of_rows(_numbers(cells), first_notation)
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


def _forms_of_fields(squares: list[Any]) -> list[Form]:
    """Read dicts with the row and the column of each square, or with x and y."""
    keys = [*squares[0]]
    rows = [
        [*square.values()]
        for square in squares
        if isinstance(square, Mapping) and [*square] == keys
    ]
    if len(rows) < len(squares):
        raise _not_a_path_error(squares, "each square needs row and column, or x and y")
    return [*forms_of_text("\n".join(" ".join(map(str, row)) for row in rows))]


def _forms_of_rows(numbers: Ints, first_notation: Notation | None) -> list[Form]:
    """Read rows of numbers as a numbered board, and rows of two as coordinates too."""
    boards = forms_of_grid(numbers)
    if numbers.shape[1] != 2:
        return boards
    pairs = forms_in(Notation.COORDS, numbers, "({}, {})")
    return [*boards, *pairs] if first_notation is Notation.NPY else [*pairs, *boards]


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
    numbering = Numbering(steps, first=0 if steps[0] == 0 else 1)
    forms = [
        replace(form, numbering=numbering)
        for form in forms_of_value(squares, first_notation)
        if form.in_order and not form.drawn and len(form.numbers) == len(steps)
    ]
    if not forms:
        raise _not_a_path_error(value)
    return forms


def _forms_of_names(names: list[str]) -> list[Form]:
    """Read a text for each square: chess names, pairs of numbers, or ids."""
    forms = [
        form
        for form in forms_of_text("\n".join(names))
        if len(form.numbers) == len(names) and not (form.drawn or form.notation.writes_moves)
    ]
    if not forms:
        raise _not_a_path_error(names)
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
