"""Writing tours in every notation, and the board's graph for other solvers."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterator, Mapping

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.board.maps import map_lines
from kt_cp.errors import InputError, checked_kind
from kt_cp.graph import chunks, spans
from kt_cp.notation.notations import Notation, naming
from kt_cp.tour.tour import Tour

Blocks = Iterator[str]  # of lines, without the last line end; faster than line by line


def write_tour(tour: Tour, notation: Notation | str) -> Iterator[str]:
    """Yield the lines of a tour in a notation, with one item per line.

    A long JSON array takes several lines. Raises `InputError` for ``npy``, which is no text (see
    `tour_bytes`), and for ``hcp``, which describes a board (see `write_graph`).

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
    blocks = _blocks(tour, Notation.parse(notation))
    return (line for block in blocks for line in block.split("\n"))


def tour_bytes(tour: Tour, notation: Notation | str) -> Iterator[bytes]:
    """Yield the bytes of a file with a tour in a notation; a NumPy file holds the ids as int32."""
    if (notation := Notation.parse(notation)) is not Notation.NPY:
        return (f"{block}\n".encode() for block in _blocks(tour, notation))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, np.lib.format.header_data_from_array_1_0(tour.squares)
    )
    return iter([header.getvalue(), tour.squares.tobytes()])


def json_lines(fields: Mapping[str, object]) -> Iterator[str]:
    """Yield an object of plain values and arrays of integers as JSON, a long one in several lines.

    >>> list(json_lines({"closed": False, "tour": np.array([0, 5])}))
    ['{"closed": false, "tour": [0, 5]}']
    """
    line, separator = "{", ""
    for key, value in fields.items():
        line += f"{separator}{json.dumps(key)}: "
        separator = ", "
        if not isinstance(value, np.ndarray):
            line += json.dumps(value)
            continue
        line += "["
        for start, chunk in chunks(value):
            if start:
                yield f"{line},"
                line = ""
            line += ", ".join(map(str, chunk.tolist()))
        line += "]"
    yield line + "}"


def write_graph(board: Board) -> Iterator[str]:
    """Yield a TSPLIB problem whose tours are the closed tours of the board.

    Squares are numbered from 1 in the order of ids, holes left out; each edge is given once. Raises
    `InputError` where some moves have no reverse, which such a graph cannot hold.

    >>> print(*itertools.islice(write_graph(Board(3, 3, holes=[4])), 3, 9), sep="\\n")
    DIMENSION : 8
    EDGE_DATA_FORMAT : EDGE_LIST
    EDGE_DATA_SECTION
    1 5
    1 7
    2 6
    """
    if board.directed:
        raise InputError(
            "notation hcp: holes block some moves in one direction, and the graph has edges only"
        )
    yield f"NAME : {board.size}"
    yield f"COMMENT : {board.piece.name} graph of {board.title}"
    yield "TYPE : HCP"
    yield f"DIMENSION : {len(board)}"
    yield "EDGE_DATA_FORMAT : EDGE_LIST"
    yield "EDGE_DATA_SECTION"
    places = naming(Notation.TSPLIB)
    for start, end in spans(board.area):
        arcs = board.arcs_from(np.arange(start, end, dtype=np.int32))
        edges = arcs[arcs[:, 0] < arcs[:, 1]]
        yield from map("{} {}".format, *(places.names(board, ends) for ends in edges.T))
    yield "-1"
    yield "EOF"


def _blocks(tour: Tour, notation: Notation) -> Blocks:
    match notation.base:
        case Notation.IDS | Notation.SQUARES | Notation.COORDS:
            return _named(tour, tour.squares, notation)
        case Notation.MOVES | Notation.FACTS:
            return _moves(tour, notation)
        case Notation.SUCCESSORS:
            return _named(tour, _successors(tour), notation)
        case Notation.GRID:
            return map_lines(tour.board.grid(tour.board.mask), tour.grid, notation.first)
        case Notation.TSPLIB:
            return _tsplib(tour)
        case Notation.JSON:
            return json_lines(tour.fields)
    raise InputError(f"notation {notation} cannot be used to write a tour as text")


def _named(tour: Tour, squares: Squares, notation: Notation) -> Blocks:
    for _, chunk in chunks(squares):
        yield "\n".join(naming(notation).names(tour.board, chunk))


def _moves(tour: Tour, notation: Notation) -> Blocks:
    """Yield every move, including the one that closes a closed tour."""
    form = "move({},{}).".format if notation.base is Notation.FACTS else "{}-{}".format
    back = [tour.squares[[-1, 0]]] if tour.closed else []
    for chunk in itertools.chain((chunk for _, chunk in chunks(tour.squares, overlap=1)), back):
        names = naming(notation).names(tour.board, chunk)
        if len(names) > 1:
            yield "\n".join(map(form, names, names[1:]))


def _successors(tour: Tour) -> Squares:
    """Return the next id for each id; a hole has itself, the end of an open tour -1."""
    successors = np.arange(tour.board.area, dtype=np.int32)
    successors[tour.squares[:-1]] = tour.squares[1:]
    successors[tour.squares[-1]] = tour.squares[0] if tour.closed else -1
    return successors


def _tsplib(tour: Tour) -> Blocks:
    """Yield a ``.tour`` file (Reinelt 1991), which counts squares from 1, without the holes."""
    yield f"NAME : {tour.board.size}"
    yield f"COMMENT : {tour.kind} {tour.board.piece.name}'s tour of {tour.board.size}"
    yield "TYPE : TOUR"
    yield f"DIMENSION : {len(tour)}"
    yield "TOUR_SECTION"
    yield from _named(tour, tour.squares, Notation.TSPLIB)
    yield "-1"
    yield "EOF"
