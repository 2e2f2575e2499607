"""Texts too long to be held as a string: read from an open file, block after block."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import BinaryIO

from kt_cp.notation.text import UnreadableError

# Bytes. A longer text is read in blocks, and only as `kt solve` writes it.
LONG = 64 * 2**20
AS_WRITTEN = "a text of more than 64 MiB must look as kt solve writes it"
BLOCK = 2**24
_HEAD = 2**16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SHOWN = 80


class LongText:
    """The bytes from ``start`` to ``stop`` of a file that stays open while they are read."""

    def __init__(self, file: BinaryIO) -> None:
        """Take the whole file, without a byte order mark and without blanks at its end."""
        self._file = file
        size = file.seek(0, os.SEEK_END)
        tail = self.read(max(0, size - BLOCK), size)
        self.stop = size - len(tail) + len(tail.rstrip())
        marked = self.read(0, len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK
        self.start = len(_BYTE_ORDER_MARK) if marked else 0

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes between two places of the file."""
        self._file.seek(start)
        return self._file.read(stop - start)

    def blocks(self, start: int, stop: int, ends: bytes = b"\n ") -> Iterator[tuple[int, bytes]]:
        """Yield blocks with the place where each begins; a block ends after one of ``ends``.

        A line end is put after the last. Raises `UnreadableError` where none of ``ends`` comes for
        as long as a block may be.

        >>> list(LongText(io.BytesIO(b"a1\\nb3 c5")).blocks(0, 8))
        [(0, b'a1\\nb3 c5\\n')]
        """
        while start < stop:
            block = self.read(start, min(start + BLOCK, stop))
            if start + len(block) < stop:
                block = block[: max(block.rfind(end) for end in ends) + 1]
                if not block:
                    raise self.error(start, "line ends")
                yield start, block
            else:
                yield start, block + b"\n"
            start += len(block)

    def find(self, byte: bytes, start: int) -> int:
        """Return the place where a byte comes first from ``start`` on, `stop` if it does not."""
        for begin in range(start, self.stop, BLOCK):
            place = self.read(begin, begin + BLOCK).find(byte)
            if place >= 0:
                return begin + place
        return self.stop

    def head(self) -> LongText:
        """Return the first lines, or the first words where there is no line end for long."""
        head = self.read(0, _HEAD)
        cut = head.rfind(b"\n") + 1 or head.rfind(b" ") + 1
        return LongText(io.BytesIO(head[: cut or None]))

    def error(self, place: int, wanted: str) -> UnreadableError:
        """Say the line and the column of a place, what stands there and what would be right."""
        line, line_end = 1, self.start - 1
        for begin in range(0, place, BLOCK):
            block = self.read(begin, min(begin + BLOCK, place))
            line += block.count(b"\n")
            line_end = max(line_end, begin + block.rfind(b"\n") if b"\n" in block else -1)
        found = self.read(place, min(place + _SHOWN, self.stop)).decode(errors="replace")
        error = UnreadableError(found, 0, f"{wanted} ({AS_WRITTEN})", line, place - line_end)
        error.place = place
        return error
