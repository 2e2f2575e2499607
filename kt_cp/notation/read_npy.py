"""Reading ``.npy`` files, without pickle and without spending memory on what they claim."""

from __future__ import annotations

import io
import math
import mmap
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import MAX_SQUARES
from kt_cp.errors import InputError
from kt_cp.notation.forms import Form, PathForm
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import IdNaming
from kt_cp.notation.read_grid import numbered_form
from kt_cp.notation.text import Integers

MAGIC = b"\x93NUMPY"

Array = npt.NDArray[Any]


def read_npy(content: bytes | mmap.mmap) -> Array:
    """Return the array of whole numbers in one or two dimensions that a ``.npy`` file holds.

    The content may be memory-mapped: it is not copied. Raises `InputError` for anything else, and
    for more than 10⁹ numbers.

    >>> file = io.BytesIO()
    >>> np.save(file, np.array([0, 5, 6]))
    >>> read_npy(file.getvalue())
    array([0, 5, 6])
    """
    header = io.BytesIO(content[: 2**16])
    try:
        version = np.lib.format.read_magic(header)
        with warnings.catch_warnings(action="ignore"):  # a header of Python 2 is none of ours
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


def array_form(notation: Notation, array: Array) -> Form:
    """Take ids from 0, or a numbered board from 1 with -1 on holes, as `write` writes it."""
    numbers = as_integers(array)
    if numbers.ndim == 1:
        return PathForm(notation, IdNaming(), numbers[:, None])
    return numbered_form(notation, numbers, 1)


def as_integers(array: Array) -> Integers:
    """Turn whole numbers into int32 or int64; larger ones, off every board, into a very large one.

    An array of one of these types is not copied.
    """
    if array.dtype.kind == "u" and array.dtype.itemsize == 8:
        array = np.minimum(array, np.uint64(2**62))
    return array.astype(np.int32 if np.can_cast(array.dtype, np.int32) else np.int64, copy=False)
