"""From the bytes of a file to text or an array."""

from __future__ import annotations

import mmap
from typing import BinaryIO

from kt_cp.errors import InputError
from kt_cp.notation.choose import MAX_UNTOLD, TOO_LONG
from kt_cp.notation.read_npy import MAGIC, Array, read_npy


def load(file: BinaryIO, untold: bool) -> str | Array:
    """Give the text of a file, or the array of a ``.npy`` file, memory-mapped where that can be.

    Where the notation is ``untold`` no more is read than may be searched for it. Raises
    `InputError` for what is neither, or too long.

    >>> import io
    >>> load(io.BytesIO(b"\\xef\\xbb\\xbfa1 b3"), untold=True)
    'a1 b3'
    """
    start = file.read(len(MAGIC))
    if start == MAGIC:
        try:
            content: bytes | mmap.mmap = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # a pipe
            content = start + file.read()
        return read_npy(content)
    text = start + file.read(MAX_UNTOLD if untold else -1)
    if untold and len(text) > MAX_UNTOLD:
        raise InputError(TOO_LONG)
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not UTF-8 text; save the path as UTF-8") from None
