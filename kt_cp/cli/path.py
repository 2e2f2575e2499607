"""The path that a command judges or draws, and what the user tells about it."""

from __future__ import annotations

from typing import Annotated

import typer

from kt_cp.board import Topology
from kt_cp.board.piece import KNIGHT
from kt_cp.cli.files import opened, read_board
from kt_cp.errors import InputError
from kt_cp.notation import Notation, Reading, load, parse_path

PathArgument = Annotated[str, typer.Argument(help="a file, .npy too, or - for stdin")]
PathBoard = Annotated[
    str | None, typer.Option("--board", help="8x8, or a map file; else found out")
]
PathClosed = Annotated[
    bool | None, typer.Option("--closed/--open", help="the kind of tour; else found out")
]
PathNotation = Annotated[
    Notation | None, typer.Option("--notation", help="how the path is written; else found out")
]


def read_path(
    path: str,
    board: str | None,
    closed: bool | None,
    notation: Notation | None,
    piece: str = KNIGHT.name,
    topology: Topology = Topology.FLAT,
) -> Reading:
    """Read a path from a file or standard input, as a tour or not."""
    if board is None and (piece, topology) != (KNIGHT.name, Topology.FLAT):
        raise InputError("--piece and --topology are those of a --board; tell it too")
    if board == path == "-":
        raise InputError("path and board cannot both come from standard input")
    the_board = None if board is None else read_board(board, piece, topology)
    with opened(path, "a file that holds a path") as file:
        return parse_path(load(file), the_board, notation, closed)
