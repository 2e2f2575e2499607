"""What the commands read and write: boards, files and standard streams."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO

from kt_cp.board import Board, Topology
from kt_cp.board.maps import Map
from kt_cp.errors import InputError
from kt_cp.files import check_writable, size_or_map, whole_file


def read_board(argument: str, piece: str | None, topology: Topology | None) -> Board:
    """Read a board argument: a size such as ``8x8``, a file holding a map, or ``-`` for stdin."""
    board, shown = read_shown(argument, piece, topology)
    place = "standard input" if argument == "-" else argument
    for step in shown.givens.values():
        raise InputError(f"{place}: the step number {step} has no meaning here; give '.' or '#'")
    for name in shown.constraints:
        raise InputError(
            f"{place}: the constraint '{name}' has no meaning here; leave out its line"
        )
    return board


def read_shown(argument: str, piece: str | None, topology: Topology | None) -> tuple[Board, Map]:
    """Read a board argument whose map may hold numbers and notes; return the map too."""
    with size_or_map(argument) as text:
        return Board.read(text, piece, topology)


def check_output(out: str | None, option: str = "--out") -> None:
    """Refuse an output that cannot be written, before the work is done.

    If ``--out`` is not given, the output is standard output; of another option there is none.
    """
    if out is not None:
        check_writable(out, option)
    elif option == "--out" and sys.stdout is None:
        raise InputError("standard output is closed; --out writes to a file")


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode() for line in lines), out)


def write_table(rows: Mapping[str, str]) -> None:
    """Write two columns as wide as the terminal to standard output."""
    width = max(map(len, rows)) + 2
    columns = shutil.get_terminal_size().columns
    wrapper = textwrap.TextWrapper(columns, subsequent_indent=" " * width, break_on_hyphens=False)
    write_lines((wrapper.fill(f"{left:{width}}{right}") for left, right in rows.items()), None)


def write_bytes(chunks: Iterable[bytes], out: str | None) -> None:
    """Write bytes to standard output, or to a file that is replaced only once it is complete."""
    with output(out) as stream:
        stream.writelines(chunks)


@contextmanager
def output(out: str | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that is replaced only once it is complete."""
    if out is not None:
        with whole_file(out) as stream:
            yield stream
    elif sys.stdout is None:
        raise InputError("standard output is closed")
    else:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
