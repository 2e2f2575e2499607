"""Writing tours in every notation, and the board's graph for other solvers."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable, Iterator

import numpy as np

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import naming
from kt_cp.tour import Tour


def write_tour(tour: Tour, notation: Notation) -> Iterator[str]:
    """Yield the lines of a tour in a notation, one item a line where it has items.

    Raises `InputError` for ``npy``, which is no text (see `tour_bytes`), and for ``hcp``, which is
    about a board (see `write_graph`).

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> for notation in ("ids", "squares", "coords-from-1", "moves", "facts", "successors"):
    ...     print(*itertools.islice(write_tour(tour, Notation(notation)), 4))
    0 6 8 1
    a3 c2 a1 b3
    1,1 2,3 3,1 1,2
    a3-c2 c2-a1 a1-b3 b3-d2
    move(1,1,2,3). move(2,3,3,1). move(3,1,1,2). move(1,2,2,4).
    6 7 4 5
    """
    writer = _WRITERS.get(notation.base)
    if writer is None:
        raise InputError(f"notation {notation}: not for writing a tour as text")
    return writer(tour, notation)


def tour_bytes(tour: Tour, notation: Notation) -> Iterator[bytes]:
    """Yield a tour in a notation as the bytes of a file; a NumPy file holds the ids as int32."""
    if notation is not Notation.NPY:
        return (f"{line}\n".encode() for line in write_tour(tour, notation))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, np.lib.format.header_data_from_array_1_0(tour.squares)
    )
    return iter([header.getvalue(), tour.squares.tobytes()])


def write_graph(board: Board) -> Iterator[str]:
    """Yield a TSPLIB problem whose tours are the closed tours of the board.

    Squares are numbered from 1 in the order of ids, holes left out; each edge is given once.

    >>> print(*itertools.islice(write_graph(Board(3, 3, holes=[4])), 3, 9), sep="\\n")
    DIMENSION : 8
    EDGE_DATA_FORMAT : EDGE_LIST
    EDGE_DATA_SECTION
    1 5
    1 7
    2 6
    """
    yield f"NAME : {board.size}"
    yield f"COMMENT : {board.piece.name} graph of {board.title}"
    yield "TYPE : HCP"
    yield f"DIMENSION : {len(board)}"
    yield "EDGE_DATA_FORMAT : EDGE_LIST"
    yield "EDGE_DATA_SECTION"
    edges = board.arcs[board.arcs[:, 0] < board.arcs[:, 1]]
    for a, b in (np.searchsorted(board.squares, edges) + 1).tolist():
        yield f"{a} {b}"
    yield "-1"
    yield "EOF"


def _named_squares(tour: Tour, notation: Notation) -> Iterator[str]:
    name = naming(notation).name
    return (name(tour.board, square) for square in tour)


def _moves(tour: Tour, notation: Notation) -> Iterator[str]:
    """Write every move made, for a closed tour the one back to the first square too."""
    form = "move({},{})." if notation.base is Notation.FACTS else "{}-{}"
    names = _named_squares(tour, notation)
    if tour.closed:
        first = naming(notation).name(tour.board, int(tour.squares[0]))
        names = itertools.chain(names, [first])
    return (form.format(source, target) for source, target in itertools.pairwise(names))


def _successors(tour: Tour, notation: Notation) -> Iterator[str]:
    """Write for every id the next: a hole has itself, the end of an open tour -1."""
    successors = np.arange(tour.board.area, dtype=np.int32)
    successors[tour.squares] = np.roll(tour.squares, -1)
    if not tour.closed:
        successors[tour.squares[-1]] = -1
    return map(str, (successors + notation.first).tolist())


def _grid(tour: Tour, notation: Notation) -> Iterator[str]:
    """Write the numbered board, aligned, holes as ``#``."""
    if notation.first == 1:
        yield from tour.grid_lines()
        return
    width = len(str(len(tour) - 1))
    for row in (tour.steps - 1).tolist():
        yield " ".join(f"{'#' if step < 0 else step:>{width}}" for step in row)


def _tsplib(tour: Tour, notation: Notation) -> Iterator[str]:
    """Write a ``.tour`` file (Reinelt 1991): squares from 1 in the order of ids, no holes."""
    yield f"NAME : {tour.board.size}"
    yield f"COMMENT : {tour.kind} {tour.board.piece.name}'s tour of {tour.board.size}"
    yield "TYPE : TOUR"
    yield f"DIMENSION : {len(tour)}"
    yield "TOUR_SECTION"
    yield from map(str, (np.searchsorted(tour.board.squares, tour.squares) + 1).tolist())
    yield "-1"
    yield "EOF"


def _json(tour: Tour, notation: Notation) -> Iterator[str]:
    """Write one object with the board, the kind and the ids."""
    yield json.dumps(tour.as_dict())


_WRITERS: dict[Notation, Callable[[Tour, Notation], Iterator[str]]] = {
    Notation.GRID: _grid,
    Notation.IDS: _named_squares,
    Notation.SQUARES: _named_squares,
    Notation.COORDS: _named_squares,
    Notation.MOVES: _moves,
    Notation.FACTS: _moves,
    Notation.SUCCESSORS: _successors,
    Notation.TSPLIB: _tsplib,
    Notation.JSON: _json,
}
