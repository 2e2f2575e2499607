"""Writing tours in every notation."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterator

import numpy as np

from kt_cp.board import Board, Squares, as_board
from kt_cp.board.maps import map_lines, note_lines
from kt_cp.errors import InputError, checked_kind
from kt_cp.graph import Graph
from kt_cp.notation.notations import Notation, naming
from kt_cp.notation.text import MAX_TEXT, TOO_LONG
from kt_cp.tour.tour import Tour

_OF_MOVES = (Notation.MOVES, Notation.FACTS)


def write_tour(tour: Tour, notation: Notation | str) -> Iterator[str]:
    """Yield the lines of a tour in a notation, with one item per line.

    An unusual piece or topology is told in lines that begin with ``;`` (in facts ``%``, in TSPLIB
    ``COMMENT``).

    Raises `InputError` for ``npy``, which is no text (see `tour_bytes`), for more text than is read
    again, and for a tour of one square in a notation of moves.

    >>> import itertools
    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> for notation in ("ids", "squares", "coords-from-1", "moves", "facts", "successors"):
    ...     print(*itertools.islice(write_tour(tour, notation), 4))
    0 6 8 1
    a3 c2 a1 b3
    1,1 2,3 3,1 1,2
    a3-c2 c2-a1 a1-b3 b3-d2
    move(1,1,2,3). move(2,3,3,1). move(3,1,1,2). move(1,2,2,4).
    6 7 4 5
    """
    tour = checked_kind(tour, Tour, "a Tour, such as solve('8x8').tour")
    notation = Notation.parse(notation)
    check_length(tour.graph, notation)
    if not isinstance(tour.graph, Board):
        return iter([json.dumps(tour.as_dict())] if notation is Notation.JSON else [str(tour)])
    lines = _lines(tour, notation)
    told = {name: note for name, note in tour.board.as_dict().items() if isinstance(note, str)}
    if not told or notation is Notation.JSON:
        return lines
    if notation.base is not Notation.GRID:
        told = {"board": tour.board.size, **told}
    if notation.base is Notation.TSPLIB:
        name, *rest = lines
        return iter([name, *(f"COMMENT :{line[1:]}" for line in note_lines(told)), *rest])
    mark = "%" if notation.base is Notation.FACTS else ";"
    return itertools.chain(lines, (f"{mark}{line[1:]}" for line in note_lines(told)))


def _lines(tour: Tour, notation: Notation) -> Iterator[str]:
    """Return the lines of a tour, without those that tell an unusual piece or topology."""
    match notation.base:
        case Notation.IDS | Notation.SQUARES | Notation.COORDS:
            return iter(naming(notation).names(tour.board, tour.squares))
        case Notation.MOVES | Notation.FACTS:
            return _moves(tour, notation)
        case Notation.SUCCESSORS:
            return iter(naming(notation).names(tour.board, _successors(tour)))
        case Notation.GRID:
            return map_lines(tour.board.grid(tour.board.mask), tour.grid, notation.first)
        case Notation.TSPLIB:
            return _tsplib(tour)
        case Notation.JSON:
            return iter([json.dumps(tour.as_dict())])
    raise InputError(f"notation {notation} cannot be used to write a tour as text")


def tour_bytes(tour: Tour, notation: Notation | str) -> Iterator[bytes]:
    """Yield the bytes of a file with a tour in a notation; a NumPy file holds the ids as int32."""
    if (notation := Notation.parse(notation)) is not Notation.NPY:
        return (f"{line}\n".encode() for line in write_tour(tour, notation))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, np.lib.format.header_data_from_array_1_0(tour.squares)
    )
    return iter([header.getvalue(), tour.squares.tobytes()])


def check_length(board: Graph, notation: Notation) -> None:
    """Raise `InputError` if a tour of a board would take more text than is read.

    A tour of a graph without places is written as the names of its vertices (grid), or as JSON.
    """
    if not isinstance(board, Board):
        if notation not in (Notation.GRID, Notation.SQUARES, Notation.JSON):
            as_board(board, f"notation {notation}")
        return
    if notation is Notation.NPY:
        return
    corners = np.array([board.columns - 1, board.area - 1])  # they have the longest names
    width = max(map(len, naming(notation).names(board, corners)))
    per_square = 2 * width + 10 if notation.base in _OF_MOVES else width + 2
    if board.area * per_square > MAX_TEXT:
        raise InputError(f"a tour of {board.size} as {notation} is {TOO_LONG}")


def _moves(tour: Tour, notation: Notation) -> Iterator[str]:
    """Return every move, including the one that closes a closed tour."""
    if len(tour) == 1:
        wanted = "give another notation, such as squares"
        raise InputError(f"notation {notation}: a tour of one square has no moves; {wanted}")
    form = "move({},{}).".format if notation.base is Notation.FACTS else "{}-{}".format
    names = naming(notation).names(tour.board, tour.squares)
    return map(form, names, [*names[1:], *names[: int(tour.closed)]])


def _successors(tour: Tour) -> Squares:
    """Return the next id for each id; a hole has itself, the end of an open tour -1."""
    successors = np.arange(tour.board.area, dtype=np.int32)
    successors[tour.squares[:-1]] = tour.squares[1:]
    successors[tour.squares[-1]] = tour.squares[0] if tour.closed else -1
    return successors


def _tsplib(tour: Tour) -> Iterator[str]:
    """Yield a ``.tour`` file (Reinelt 1991), which counts squares from 1, without the holes."""
    yield f"NAME : {tour.board.size}"
    yield f"COMMENT : {tour.kind} {tour.board.piece.name}'s tour of {tour.board.size}"
    yield "TYPE : TOUR"
    yield f"DIMENSION : {len(tour)}"
    yield "TOUR_SECTION"
    yield from naming(Notation.TSPLIB).names(tour.board, tour.squares)
    yield "-1"
    yield "EOF"
