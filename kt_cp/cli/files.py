"""What the commands read and write: boards, files and standard streams."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO

from kt_cp.board import Board, Topology
from kt_cp.board.maps import read_map
from kt_cp.board.piece import KNIGHT
from kt_cp.errors import InputError
from kt_cp.files import check_writable, read_text, whole_file

_SIZE_CHARACTERS = frozenset("0123456789xX× ")


def read_board(
    argument: str, piece: str = KNIGHT.name, topology: Topology = Topology.FLAT
) -> Board:
    """Read a board argument: a size such as ``8x8``, a file holding a map, or ``-`` for stdin."""
    board, givens = read_puzzle(argument, piece, topology)
    if givens:
        step = next(iter(givens.values()))
        place = "standard input" if argument == "-" else argument
        raise InputError(f"{place}: the step number {step} has no meaning here; give '.' or '#'")
    return board


def read_puzzle(argument: str, piece: str, topology: Topology) -> tuple[Board, dict[int, int]]:
    """Read a board argument whose map may hold step numbers; return the step by square too."""
    if argument != "-" and _SIZE_CHARACTERS.issuperset(argument):
        board = Board.parse(argument)
        return Board(board.rows, board.columns, (), piece, topology), {}
    with opened(argument, "a size such as 8x8 or a file that holds a map") as file:
        shown = read_map(read_text(file, "a map has '.' for squares and '#' for holes"))
        board = Board(shown.rows, shown.columns, shown.holes, piece, topology)
        return board, shown.givens


@contextmanager
def opened(argument: str, wanted: str) -> Iterator[BinaryIO]:
    """Open a file, or for ``-`` standard input; what is wrong with it names the file.

    ``wanted`` says what the argument should have been.
    """
    place = "standard input" if argument == "-" else argument
    try:
        with _open(argument, wanted) as file:
            yield file
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except OSError as error:
        raise InputError(f"{place}: {error.strerror or error}; give {wanted}") from None


@contextmanager
def _open(argument: str, wanted: str) -> Iterator[BinaryIO]:
    if argument != "-":
        if "\0" in argument:
            raise InputError(f"no file has such a name; give {wanted}")
        with open(argument, "rb") as file:
            yield file
    elif sys.stdin is None:
        raise InputError("it is closed")
    else:
        yield sys.stdin.buffer


def check_output(out: str | None, option: str = "--out") -> None:
    """Refuse an output that cannot be written, before the work is done.

    Without ``--out`` that is standard output; without another option, nothing is written.
    """
    if out is not None:
        check_writable(out, option)
    elif option == "--out" and sys.stdout is None:
        raise InputError("standard output is closed; --out writes to a file")


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode() for line in lines), out)


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
