"""What the commands read and write: boards, files and standard streams."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.files import check_writable, whole_file

_SIZE_CHARACTERS = frozenset("0123456789xX× ")


def read_board(argument: str) -> Board:
    """Read a board argument: a size such as ``8x8``, a file holding a map, or ``-`` for stdin."""
    if argument != "-" and _SIZE_CHARACTERS.issuperset(argument):
        return Board.parse(argument)
    place = "standard input" if argument == "-" else argument
    try:
        return Board.parse(_decode(_read(argument)))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def _read(argument: str) -> bytes:
    if argument == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(argument).read_bytes()
    except IsADirectoryError:
        raise InputError("a directory; give a file that holds a map") from None
    except (OSError, ValueError) as error:
        wanted = "give a size such as 8x8 or a file that holds a map"
        raise InputError(f"{getattr(error, 'strerror', None) or error}; {wanted}") from None


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not a text file; a map has '.' for squares and '#' for holes") from None


def check_output(out: str | None, role: str = "--out") -> None:
    """Refuse an output file that cannot be written, before the work is done."""
    if out is not None:
        check_writable(out, role)


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    if out is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
        return
    with whole_file(out) as file:
        file.writelines(f"{line}\n".encode() for line in lines)
