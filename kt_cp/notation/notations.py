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

from kt_cp.board import Board, Squares, as_board
from kt_cp.board.board import file_letters
from kt_cp.board.maps import map_lines, note_lines
from kt_cp.errors import InputError, checked_choice, checked_kind
from kt_cp.graph import Graph
from kt_cp.notation.text import MAX_TEXT, TOO_LONG, Integers
from kt_cp.tour.tour import Tour


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
    COORDS_COLUMN_FIRST_FROM_1 = (
        "coords-column-first-from-1",
        "coordinates from 1, column first",
        1,
    )
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
class IdNaming:
    """Ids, counted from 0 or from 1; TSPLIB counts the squares alone, without the holes."""

    first: int = 0
    skips_holes: bool = False

    def names(self, board: Board, squares: Integers) -> list[str]:
        """Return the names of squares of a board."""
        if self.skips_holes:
            squares = squares - np.searchsorted(board.holes, squares)
        return list(map(str, (squares + self.first).tolist()))

    def entry(self, numbers: Integers) -> str:
        """Return the number as it stands in the text."""
        return str(numbers[0])

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, also those off the board."""
        ids = numbers[:, 0] - self.first if self.first else numbers[:, 0]
        if not (self.skips_holes and board.holes):
            return ids
        inside = (ids >= 0) & (ids < len(board))
        return np.where(inside, board.squares[np.where(inside, ids, 0)], NO_ID)


@dataclass(frozen=True)
class PairNaming:
    """Row and column, or column and row, from 0 or from 1; ``form`` is a format for the two.

    A chess name is the column, written in letters, and the row, counted from the bottom.
    """

    first: int = 0
    column_first: bool = False
    form: str = "{},{}"
    chess: bool = False

    def names(self, board: Board, squares: Integers) -> list[str]:
        """Return the names of squares of a board."""
        rows, columns = np.divmod(squares, board.columns)
        if self.chess:
            rows = board.rows - 1 - rows
        pairs = (columns, rows) if self.column_first else (rows, columns)
        return self._written(*((part + self.first).tolist() for part in pairs))

    def entry(self, numbers: Integers) -> str:
        """Return the pair as it stands in the text, a chess name in lower case."""
        return self._written(*numbers[:, None].tolist())[0]

    def ids(self, board: Board, numbers: Integers) -> Integers:
        """Return the ids, `NO_ID` for a pair off the board."""
        rows, columns = self.rows_and_columns(numbers)
        inside = (rows >= 0) & (columns >= 0) & (rows < board.rows) & (columns < board.columns)
        rows, columns = np.where(inside, rows, 0), np.where(inside, columns, 0)
        if self.chess:
            rows = board.rows - 1 - rows
        return np.where(inside, rows * board.columns + columns, NO_ID)

    def rows_and_columns(self, numbers: Integers) -> tuple[Integers, Integers]:
        """Return both, counted from 0; the rows of chess names from the bottom."""
        rows, columns = (numbers - self.first).T
        return (columns, rows) if self.column_first else (rows, columns)

    def _written(self, first: list[int], second: list[int]) -> list[str]:
        columns = [file_letters(number - 1) for number in first] if self.chess else first
        return list(map(self.form.format, columns, second))


Naming = IdNaming | PairNaming


def naming(notation: Notation, pair: str = "{},{}") -> Naming:
    """Return the way in which a notation names squares; ``pair`` is a format for coordinates."""
    match notation.base:
        case Notation.SQUARES | Notation.MOVES:
            return PairNaming(1, column_first=True, form="{}{}", chess=True)
        case Notation.COORDS | Notation.FACTS:
            return PairNaming(notation.first, "column-first" in notation, pair)
    return IdNaming(notation.first, skips_holes=notation is Notation.TSPLIB)


def write_tour(tour: Tour, notation: Notation | str) -> Iterator[str]:
    """Yield the lines of a tour in a notation, with one item per line.

    An unusual piece or topology is told in lines that begin with ``;`` (in facts ``%``, in TSPLIB
    ``COMMENT``). Raises `InputError` for ``npy``, which is no text (see `tour_bytes`), for more
    text than is read again, and for a tour of one square in a notation of moves.

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
        return iter([str(tour)])
    told = {name: note for name, note in tour.board.as_dict().items() if isinstance(note, str)}
    if told and notation.base is not Notation.GRID:
        told = {"board": tour.board.size, **told}
    mark = {Notation.FACTS: "%", Notation.TSPLIB: "COMMENT :"}.get(notation.base, ";")
    notes = [f"{mark}{line[1:]}" for line in note_lines(told)]
    lines = _lines(tour, notation)
    if notation is Notation.TSPLIB:
        return itertools.chain([next(lines)], notes, lines)
    return itertools.chain(lines, notes)


def _lines(tour: Tour, notation: Notation) -> Iterator[str]:
    names = naming(notation)
    match notation.base:
        case Notation.IDS | Notation.SQUARES | Notation.COORDS:
            return iter(names.names(tour.board, tour.squares))
        case Notation.MOVES | Notation.FACTS:
            if len(tour) == 1:
                why = "a tour of one square has no moves; give another notation, such as squares"
                raise InputError(f"notation {notation}: {why}")
            form = "move({},{}).".format if notation.base is Notation.FACTS else "{}-{}".format
            ends = names.names(tour.board, tour.squares)
            return map(form, ends, [*ends[1:], *ends[: int(tour.closed)]])
        case Notation.SUCCESSORS:
            return iter(names.names(tour.board, _successors(tour)))
        case Notation.GRID:
            return map_lines(tour.board.grid(tour.board.mask), tour.grid, notation.first)
        case Notation.TSPLIB:  # Reinelt 1991
            comment = f"COMMENT : {tour.kind} {tour.board.piece.name}'s tour of {tour.board.size}"
            head = [f"NAME : {tour.board.size}", comment, "TYPE : TOUR", f"DIMENSION : {len(tour)}"]
            squares = names.names(tour.board, tour.squares)
            return itertools.chain(head, ["TOUR_SECTION"], squares, ["-1", "EOF"])
    raise InputError(f"notation {notation} cannot be used to write a tour as text")


def _successors(tour: Tour) -> Squares:
    """Return the next id for each id; a hole has itself, the end of an open tour -1."""
    successors = np.arange(tour.board.area, dtype=np.int32)
    successors[tour.squares[:-1]] = tour.squares[1:]
    successors[tour.squares[-1]] = tour.squares[0] if tour.closed else -1
    return successors


def tour_bytes(tour: Tour, notation: Notation | str) -> Iterator[bytes]:
    """Yield the bytes of a file with a tour in a notation; a NumPy file holds the ids as int32."""
    if notation != Notation.NPY:
        return (f"{line}\n".encode() for line in write_tour(tour, notation))
    head, squares = io.BytesIO(), tour.squares
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(squares))
    return iter([head.getvalue(), squares.tobytes()])


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
    width = 2 + max(map(len, naming(notation).names(board, corners)))
    if board.area * (2 * width + 6 if notation.of_moves else width) > MAX_TEXT:
        raise InputError(f"a tour of {board.size} as {notation} is {TOO_LONG}")
