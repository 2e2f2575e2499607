"""What the commands read and write: boards, files and standard streams."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from kt_cp.board import Board, Topology
from kt_cp.errors import InputError
from kt_cp.maps import read_map
from kt_cp.piece import KNIGHT

_SIZE_CHARACTERS = frozenset("0123456789xX× ")


def read_board(
    argument: str, piece: str = KNIGHT.name, topology: Topology = Topology.FLAT
) -> Board:
    """Read a board argument: a size such as ``8x8``, a file holding a map, or ``-`` for stdin."""
    board, givens = read_puzzle(argument, piece, topology)
    if givens:
        step = next(iter(givens.values()))
        raise InputError(f"{argument}: the step number {step} has no meaning here; give '.' or '#'")
    return board


def read_puzzle(argument: str, piece: str, topology: Topology) -> tuple[Board, dict[int, int]]:
    """Read a board argument whose map may hold step numbers, and give the step by square."""
    if argument != "-" and _SIZE_CHARACTERS.issuperset(argument):
        board = Board.parse(argument)
        return Board(board.rows, board.columns, (), piece, topology), {}
    place = "standard input" if argument == "-" else argument
    try:
        text = _decode(_read(argument))
        shown = read_map(text)
        board = Board(shown.rows, shown.columns, shown.holes, piece, topology)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    return board, shown.givens


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


def check_output(out: str | None, option: str = "--out") -> None:
    """Refuse an output file that cannot be written, before the work is done."""
    if out is None:
        return
    path = Path(out)
    if path.is_dir():
        raise InputError(f"{option} {out}: is a directory; give a file")
    if not path.parent.is_dir():
        raise InputError(f"{option} {out}: there is no directory {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{option} {out}: may not be written")


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    if out is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
        return
    handle, partial = tempfile.mkstemp(dir=Path(out).parent, prefix=f".{Path(out).name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        os.replace(partial, out)
    except BaseException:
        os.unlink(partial)
        raise
