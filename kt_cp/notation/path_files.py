"""Files that hold a path: text, or an array of NumPy."""

from __future__ import annotations

import codecs
import io
import warnings
from typing import BinaryIO

import numpy as np

from kt_cp.files import read_bounded
from kt_cp.messages import InputError
from kt_cp.notation.read_values import Array
from kt_cp.notation.writing import MAX_TEXT, TOO_LONG

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
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _decoded(text, "utf-16")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _decoded(text, "cp1252")  # Latin-1, with the quotes of Windows


def _decoded(text: bytes, encoding: str) -> str:
    """Return text in an encoding. Raises `InputError`, with the line, for anything else."""
    try:
        return text.decode(encoding)
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not {encoding.upper()} text; save it as UTF-8") from None
