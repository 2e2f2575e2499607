"""Writing tours in the notations people use."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from enum import StrEnum

import numpy as np

from kt_cp.squares import chess_name
from kt_cp.tour import Tour


class Notation(StrEnum):
    """The notations in which a tour is written, one item a line."""

    GRID = "grid"
    IDS = "ids"
    SQUARES = "squares"
    COORDS = "coords"
    MOVES = "moves"
    TSPLIB = "tsplib"
    JSON = "json"


def write_tour(tour: Tour, notation: Notation) -> Iterator[str]:
    """Yield the lines of a tour in a notation.

    >>> from kt_cp.board import Board
    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> for notation in ("ids", "squares", "coords", "moves"):
    ...     print(*itertools.islice(write_tour(tour, Notation(notation)), 4))
    0 6 8 1
    a3 c2 a1 b3
    0,0 1,2 2,0 0,1
    a3-c2 c2-a1 a1-b3 b3-d2
    """
    return _WRITERS[notation](tour)


def _ids(tour: Tour) -> Iterator[str]:
    return map(str, tour)


def _squares(tour: Tour) -> Iterator[str]:
    return (chess_name(tour.board, square) for square in tour)


def _coords(tour: Tour) -> Iterator[str]:
    columns = tour.board.columns
    return (f"{square // columns},{square % columns}" for square in tour)


def _moves(tour: Tour) -> Iterator[str]:
    """Write every move made, for a closed tour the one back to the first square too."""
    names = _squares(tour)
    if tour.closed:
        names = itertools.chain(names, [chess_name(tour.board, tour.squares[0])])
    return (f"{source}-{target}" for source, target in itertools.pairwise(names))


def _tsplib(tour: Tour) -> Iterator[str]:
    """Write a ``.tour`` file (Reinelt 1991): squares from 1 in the order of ids, no holes."""
    yield f"NAME : {tour.board.size}"
    yield f"COMMENT : {tour.kind} knight's tour of {tour.board.size}"
    yield "TYPE : TOUR"
    yield f"DIMENSION : {len(tour)}"
    yield "TOUR_SECTION"
    numbers = np.searchsorted(tour.board.squares, tour.squares) + 1
    yield from map(str, numbers.tolist())
    yield "-1"
    yield "EOF"


def _json(tour: Tour) -> Iterator[str]:
    """Write one object with the board, the kind and the ids."""
    yield json.dumps(tour.as_dict())


_WRITERS: dict[Notation, Callable[[Tour], Iterator[str]]] = {
    Notation.GRID: Tour.grid_lines,
    Notation.IDS: _ids,
    Notation.SQUARES: _squares,
    Notation.COORDS: _coords,
    Notation.MOVES: _moves,
    Notation.TSPLIB: _tsplib,
    Notation.JSON: _json,
}
