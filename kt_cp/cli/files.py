"""What the commands read and write: boards, files and standard streams."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

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
    """Read a board argument whose map may hold step numbers, and give the step by square."""
    if argument != "-" and _SIZE_CHARACTERS.issuperset(argument):
        board = Board.parse(argument)
        return Board(board.rows, board.columns, (), piece, topology), {}
    with opened(argument, "a file that holds a map", "a size such as 8x8") as file:
        shown = read_map(read_text(file, "a map has '.' for squares and '#' for holes"))
        board = Board(shown.rows, shown.columns, shown.holes, piece, topology)
        return board, shown.givens


@contextmanager
def opened(argument: str, wanted: str, instead: str | None = None) -> Iterator[BinaryIO]:
    """Open a file, or for ``-`` standard input; what is wrong with it names the file.

    ``wanted`` says what would be right, ``instead`` what else the argument might have been.
    """
    try:
        if argument == "-":
            yield sys.stdin.buffer
            return
        with Path(argument).open("rb") as file:
            yield file
    except InputError as error:
        place = "standard input" if argument == "-" else argument
        raise InputError(f"{place}: {error}") from None
    except IsADirectoryError:
        raise InputError(f"{argument}: a directory; give {wanted}") from None
    except OSError as error:
        choice = f"{instead} or {wanted}" if instead else wanted
        raise InputError(f"{argument}: {error.strerror or error}; give {choice}") from None


def check_output(out: str | None, option: str = "--out") -> None:
    """Refuse an output file that cannot be written, before the work is done."""
    if out is not None:
        check_writable(out, option)


def write_lines(lines: Iterable[str], out: str | None) -> None:
    """Write lines to standard output, or to a file that is replaced only once it is complete."""
    write_bytes((f"{line}\n".encode() for line in lines), out)


def write_bytes(chunks: Iterable[bytes], out: str | None) -> None:
    """Write bytes to standard output, or to a file that is replaced only once it is complete."""
    if out is None:
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
        return
    with whole_file(out) as file:
        file.writelines(chunks)
