"""The path that a command validates or draws, and what the user says about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict, Unpack

import click

from kt_cp.board import Board, Topology
from kt_cp.cli.files import read_board
from kt_cp.cli.options import FILE, choice, piece_options, together
from kt_cp.errors import InputError
from kt_cp.files import opened
from kt_cp.notation.detect import load, parse_path
from kt_cp.notation.forms import Reading
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_documents import Array
from kt_cp.notation.text import Text

path_parameters = together(
    click.argument("path", type=FILE),
    click.option("--board", type=FILE, help="A size or a file with a map; detected if not given."),
    click.option("--closed/--open", default=None, help="The kind of tour; detected if not given."),
    choice("--notation", of=Notation, help="How the path is written, detected if not given"),
    piece_options,
)


class PathAsked(TypedDict):
    """What `path_parameters` were given."""

    path: str
    board: str | None
    closed: bool | None
    notation: Notation | None
    piece: str | None
    topology: Topology | None


def read_path(**asked: Unpack[PathAsked]) -> Reading:
    """Read a path from a file or standard input, whether or not it is a tour."""
    with opened_path(**asked) as (source, board):
        return parse_path(source, board, asked["notation"], asked["closed"])


@contextmanager
def opened_path(**asked: Unpack[PathAsked]) -> Iterator[tuple[Text | Array, Board | None]]:
    """Open what holds a path, and return the board that was given for it, if any."""
    path, board = asked["path"], asked["board"]
    piece = asked["piece"], asked["topology"]
    if board is None and piece != (None, None):
        raise InputError("--piece and --topology describe a --board; give that too")
    if board == path == "-":
        raise InputError("path and board cannot both come from standard input")
    the_board = None if board is None else read_board(board, *piece)
    with opened(path, "a file that holds a path") as file:
        yield load(file), the_board
