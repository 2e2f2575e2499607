"""The notations: their names, how each names squares, and how a tour is written in it."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import numpy as np

from kt_cp.board import Board, as_board
from kt_cp.board.board import file_letters
from kt_cp.board.maps import map_lines, note_lines
from kt_cp.errors import InputError, checked_choice, checked_kind
from kt_cp.graph import Graph
from kt_cp.notation.text import Integers
from kt_cp.tour.tour import Tour

MAX_TEXT = 64 * 2**20  # bytes
TOO_LONG = "more than 64 MiB of text; give so long a tour as a NumPy file (--format npy)"


class Notation(StrEnum):
    """A notation in which tours are written and read.

    Where a notation may count from 0 or from 1, or name the row or the column first, the plain
    name is the way in which ``kt solve`` writes it, and longer names are the other ways.
    ``description`` is what the notation is called, ``first`` the number with which it counts.
    """

    GRID = "grid", "numbered board from 1", 1
    GRID_FROM_0 = "grid-from-0", "numbered board from 0"
    IDS = "ids", "ids from 0"
    IDS_FROM_1 = "ids-from-1", "ids from 1", 1
    SQUARES = "squares", "chess names"
    COORDS = "coords", "coordinates from 0"
    COORDS_FROM_1 = "coords-from-1", "coordinates from 1", 1
    COORDS_COLUMN_FIRST = "coords-column-first", "coordinates from 0, column first"
    COORDS_COLUMN_FIRST_FROM_1 = "coords-column-first-from-1", "coordinates from 1, column first", 1
    MOVES = "moves", "moves"
    FACTS = "facts", "facts from 1", 1
    FACTS_FROM_0 = "facts-from-0", "facts from 0"
    FACTS_COLUMN_FIRST = "facts-column-first", "facts from 1, column first", 1
    FACTS_COLUMN_FIRST_FROM_0 = "facts-column-first-from-0", "facts from 0, column first"
    SUCCESSORS = "successors", "successors from 0"
    SUCCESSORS_FROM_1 = "successors-from-1", "successors from 1", 1
    TSPLIB = "tsplib", "TSPLIB tour", 1
    JSON = "json", "JSON"
    NPY = "npy", "NumPy array"

    description: str
    first: int

    def __new__(cls, name: str, description: str = "", first: int = 0) -> Self:
        """Make a member of its name, the usual words, and the number with which it counts."""
        member = str.__new__(cls, name)
        member._value_, member.description, member.first = name, description, first
        return member

    @property
    def base(self) -> Notation:
        """The plain notation, regardless of what it counts from and names first."""
        return Notation(self.value.partition("-")[0])

    @property
    def ways(self) -> list[Notation]:
        """The notations with this base, the plain one first."""
        return [each for each in Notation if each.base is self.base]

    @property
    def of_moves(self) -> bool:
        """Whether a tour is written as its moves."""
        return self.base in (Notation.MOVES, Notation.FACTS)


NO_ID = -1  # stands for a square that is off the board


@dataclass(frozen=True)
class Naming:
    """How a notation names squares: by id, or by row and column, counted from ``first``.

    ``form`` is a format for the one or two numbers. A chess name is the column, written in letters,
    and the row, counted from the bottom. TSPLIB counts the squares alone, without the holes.
    """

    form: str
    first: int = 0
    column_first: bool = False
    chess: bool = False
    skips_holes: bool = False

    @property
    def of_pairs(self) -> bool:
        """Whether a square is two numbers."""
        return self.form.count("{}") == 2

    def names(self, board: Board, squares: Integers) -> list[str]:
        """Return the names of squares of a board."""
        numbers = [squares]
        if self.of_pairs:
            rows, columns = np.divmod(squares, board.columns)
            rows = board.rows - 1 - rows if self.chess else rows
            numbers = [columns, rows] if self.column_first else [rows, columns]
        elif self.skips_holes:
            numbers = [squares - np.searchsorted(board.holes, squares)]
        return self.write(np.stack(numbers, axis=1) + self.first)

    def write(self, numbers: Integers) -> list[str]:
        """Return how the numbers in each row stand in the text, a chess name in lower case."""
        first, *others = numbers.T.tolist()
        if self.chess:
            first = [file_letters(number - 1) for number in first]
        return list(map(self.form.format, first, *others))

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids; for a square off the board a number that is no id."""
        if self.of_pairs:
            rows, columns = self.rows_and_columns(numbers)
            inside = (rows >= 0) & (columns >= 0) & (rows < board.rows) & (columns < board.columns)
            rows = board.rows - 1 - rows if self.chess else rows
            return np.where(inside, rows * board.columns + columns, NO_ID)
        ids = numbers[:, 0] - self.first if self.first else numbers[:, 0]
        if not (self.skips_holes and board.holes):
            return ids
        inside = (ids >= 0) & (ids < len(board))
        return np.where(inside, board.squares[np.where(inside, ids, 0)], NO_ID)

    def rows_and_columns(self, numbers: Integers) -> tuple[Integers, Integers]:
        """Return both, counted from 0; the rows of chess names from the bottom."""
        rows, columns = (numbers - self.first).T
        return (columns, rows) if self.column_first else (rows, columns)


def naming(notation: Notation, pair: str = "{},{}") -> Naming:
    """Return the way in which a notation names squares; ``pair`` is a format for coordinates."""
    match notation.base:
        case Notation.SQUARES | Notation.MOVES:
            return Naming("{}{}", 1, column_first=True, chess=True)
        case Notation.COORDS | Notation.FACTS:
            return Naming(pair, notation.first, "column-first" in notation)
    return Naming("{}", notation.first, skips_holes=notation is Notation.TSPLIB)


def write_tour(tour: Tour, notation: Notation | str) -> Iterator[str]:
    """Yield the lines of a tour in a notation, with one item per line.

    An unusual piece or topology is told in lines that begin with ``;`` (in facts ``%``, in TSPLIB
    ``COMMENT``). Raises `InputError` for ``npy``, which is no text, for more text than is read
    again, and for a tour of one square in a notation of moves.

    >>> tour = Tour(Board(3, 4), [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> for notation in ("coords-from-1", "moves", "facts", "successors"):
    ...     print(*itertools.islice(write_tour(tour, notation), 3))
    1,1 2,3 3,1
    a3-c2 c2-a1 a1-b3
    move(1,1,2,3). move(2,3,3,1). move(3,1,1,2).
    6 7 4
    """
    tour = checked_kind(tour, Tour, "a Tour, such as solve('8x8').tour")
    notation = checked_choice("notation", notation, Notation)
    check_length(tour.graph, notation)
    if notation is Notation.JSON:
        return iter([json.dumps(tour.as_dict())])
    if not isinstance(tour.graph, Board):
        return _lines_of_names(tour, notation)
    told = tour.board.unusual
    if told and notation.base is not Notation.GRID:
        told = {"board": tour.board.size, **told}
    mark = {Notation.FACTS: "%", Notation.TSPLIB: "COMMENT :"}.get(notation.base, ";")
    notes = [f"{mark}{line[1:]}" for line in note_lines(told)]
    if notation is not Notation.TSPLIB:  # Reinelt 1991
        return itertools.chain(_lines(tour, notation), notes)
    comment = f"COMMENT : {tour.kind} {tour.board.piece.name}'s tour of {tour.board.size}"
    head = [f"NAME : {tour.board.size}", *notes, comment, "TYPE : TOUR"]
    head += [f"DIMENSION : {len(tour)}", "TOUR_SECTION"]
    return itertools.chain(head, _lines(tour, notation), ["-1", "EOF"])


def _lines_of_names(tour: Tour, notation: Notation) -> Iterator[str]:
    """Yield the lines of a tour of a graph without places: names, or numbers of TSPLIB from 1."""
    if notation is Notation.SQUARES:
        return iter([str(tour)])
    kind = tour.graph.vocabulary.tour(tour.closed)
    comment = f"COMMENT : {kind}; vertices are numbered in the order of the graph"
    head = [f"NAME : {tour.graph.title}", comment, "TYPE : TOUR", f"DIMENSION : {len(tour)}"]
    numbers = (str(vertex + 1) for vertex in tour)
    return itertools.chain(head, ["TOUR_SECTION"], numbers, ["-1", "EOF"])


def _lines(tour: Tour, notation: Notation) -> Iterator[str]:
    if notation is Notation.NPY:
        raise InputError(f"notation {notation} cannot be used to write a tour as text")
    if notation.base is Notation.GRID:
        return map_lines(tour.board.grid(tour.board.mask), tour.grid, notation.first)
    squares = tour.squares
    if notation.base is Notation.SUCCESSORS:  # a hole has itself, the end of an open tour -1
        squares = np.arange(tour.board.area, dtype=np.int32)
        squares[tour.squares[:-1]] = tour.squares[1:]
        squares[tour.squares[-1]] = tour.squares[0] if tour.closed else -1
    names = naming(notation).names(tour.board, squares)
    if not notation.of_moves:
        return iter(names)
    if len(tour) == 1:
        why = "a tour of one square has no moves; give another notation, such as squares"
        raise InputError(f"notation {notation}: {why}")
    form = "move({},{}).".format if notation.base is Notation.FACTS else "{}-{}".format
    return map(form, names, [*names[1:], *names[: int(tour.closed)]])


def tour_bytes(tour: Tour, notation: Notation | str) -> Iterator[bytes]:
    """Yield the bytes of a file with a tour in a notation; a NumPy file holds the ids as int32."""
    if notation != Notation.NPY:
        return (f"{line}\n".encode() for line in write_tour(tour, notation))
    head, squares = io.BytesIO(), tour.squares
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(squares))
    return iter([head.getvalue(), squares.tobytes()])


def check_length(board: Graph, notation: Notation) -> None:
    """Raise `InputError` if a tour of a board would take more text than is read.

    A tour of a graph without places is written as the names of its vertices (squares), as their
    numbers from 1 (tsplib), or as JSON.
    """
    if not isinstance(board, Board):
        if notation not in (Notation.SQUARES, Notation.TSPLIB, Notation.JSON):
            as_board(board, f"notation {notation}")
        return
    corners = np.array([board.columns - 1, board.area - 1])  # they have the longest names
    width = 2 + max(map(len, naming(notation).names(board, corners)))
    length = board.area * (2 * width + 6 if notation.of_moves else width)
    if length > MAX_TEXT and notation is not Notation.NPY:
        raise InputError(f"a tour of {board.size} as {notation} is {TOO_LONG}")
