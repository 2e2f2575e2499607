"""From the bytes of a file to text or an array."""

from __future__ import annotations

import mmap
import shutil
import tempfile
from typing import BinaryIO

from kt_cp.errors import InputError
from kt_cp.notation.long_text import LONG, LongText
from kt_cp.notation.read_npy import MAGIC, Array, read_npy


def load(file: BinaryIO) -> str | LongText | Array:
    """Return the text of a file, or the array of a ``.npy`` file, memory-mapped where that can be.

    The file is read from its beginning; a text of more than 64 MiB only later, so that the file
    must stay open. Raises `InputError` for
    what is neither text nor an array.

    >>> import io
    >>> load(io.BytesIO(b"\\xef\\xbb\\xbfa1 b3"))
    'a1 b3'
    """
    start = file.read(len(MAGIC))
    if start == MAGIC:
        try:
            content: bytes | mmap.mmap = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # a pipe
            content = start + file.read()
        return read_npy(content)
    text = start + file.read(LONG)
    if len(text) > LONG:
        return LongText(file if file.seekable() else _copied(text, file))
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not UTF-8 text; save the path as UTF-8") from None


def _copied(start: bytes, pipe: BinaryIO) -> BinaryIO:
    """Copy what came and comes from a pipe into a temporary file, on disk."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 (it is read later, and gone when closed)
    file.write(start)
    shutil.copyfileobj(pipe, file)
    return file
