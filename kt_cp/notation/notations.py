"""The notations: their names, how each names squares, and the notes that state a board."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.maps import file_letters
from kt_cp.graph import Graph

MAX_TEXT = 64 * 2**20  # bytes
TABLE_COLUMNS = ("step", "square")
TOO_LONG = "more than 64 MiB of text; give so long a tour as a NumPy file (--format npy)"


class Notation(StrEnum):
    """A notation in which tours are written and read.

    A notation may have variants: counted from 0 or from 1, with the row or the column first. The
    variant that ``kt solve`` writes has the plain name, the others have longer names.
    ``description`` is a noun phrase for messages, and ``first`` is the number from which ids,
    coordinates or steps count (chess names have no use for it).
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
        """Return the member with a name, a description, and the number to count from."""
        member = str.__new__(cls, name)
        member._value_, member.description, member.first = name, description, first
        return member

    @property
    def base(self) -> Notation:
        """The plain notation of which this one is a variant."""
        return Notation(self.value.partition("-")[0])

    @property
    def variants(self) -> list[Notation]:
        """All variants of the notation, the plain one first."""
        return [each for each in Notation if each.base is self.base]

    @property
    def writes_moves(self) -> bool:
        """Whether the notation writes a tour as moves."""
        return self.base in (Notation.MOVES, Notation.FACTS)


NO_ID = -1  # in place of the id of a square that is off the board


@dataclass(frozen=True)
class Naming:
    """How a notation names squares: by id, or by row and column, counted from ``first``.

    ``template`` is a format for the one or two numbers. A chess name is the column, written in
    letters, and the row, counted from the bottom. TSPLIB counts the squares alone, without the
    holes.
    """

    template: str
    first: int = 0
    column_first: bool = False
    chess: bool = False
    skips_holes: bool = False

    @property
    def uses_pairs(self) -> bool:
        """Whether a square is two numbers."""
        return self.template.count("{}") == 2

    def names(self, board: Board, squares: Ints) -> list[str]:
        """Return the names of squares of a board."""
        numbers = [squares]
        if self.uses_pairs:
            rows, columns = np.divmod(squares, board.columns)
            if self.chess:
                rows = board.rows - 1 - rows
            numbers = [columns, rows] if self.column_first else [rows, columns]
        elif self.skips_holes:
            numbers = [squares - np.searchsorted(board.holes, squares)]
        return self.write(np.stack(numbers, axis=1) + self.first)

    def write(self, numbers: Ints) -> list[str]:
        """Return the text of each row of numbers; chess names are in lower case."""
        first, *others = numbers.T.tolist()
        if self.chess:
            first = [file_letters(number - 1) for number in first]
        return list(map(self.template.format, first, *others))

    def ids(self, board: Graph, numbers: Ints) -> Ints:
        """Return the ids of squares; for a square off the board, a number that is not an id."""
        if self.uses_pairs and isinstance(board, Board):
            rows, columns = self.rows_and_columns(numbers)
            inside = (rows >= 0) & (columns >= 0) & (rows < board.rows) & (columns < board.columns)
            if self.chess:
                rows = board.rows - 1 - rows
            return np.where(inside, rows * board.columns + columns, NO_ID)
        ids = numbers[:, 0] - self.first if self.first else numbers[:, 0]
        if not (self.skips_holes and isinstance(board, Board) and board.holes):
            return ids
        inside = (ids >= 0) & (ids < len(board))
        return np.where(inside, board.squares[np.where(inside, ids, 0)], NO_ID)

    def rows_and_columns(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return the rows and the columns, from 0; rows of chess names count from the bottom."""
        one, other = (numbers - self.first).T
        return (other, one) if self.column_first else (one, other)


def naming(notation: Notation, pair: str = "{},{}") -> Naming:
    """Return how a notation names squares; ``pair`` is a format for coordinates."""
    match notation.base:
        case Notation.SQUARES | Notation.MOVES:
            return Naming("{}{}", 1, column_first=True, chess=True)
        case Notation.COORDS | Notation.FACTS:
            return Naming(pair, notation.first, "column-first" in notation)
    return Naming("{}", notation.first, skips_holes=notation is Notation.TSPLIB)


# -- notes about the board ------------------------------------------------------------------------

# Lines that state the board or the kind of path, such as ``; piece: zebra`` or ``; holes: b2 c1``.
NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|holes|kind|piece|topology)[ \t]*:[ \t]*(.*\S)",
    re.MULTILINE,
)


def notes_of_board(board: Board) -> dict[str, str]:
    """Return the notes that state a board, by name; the usual piece and topology are left out.

    >>> notes_of_board(Board(3, 3, holes=[4]))
    {'board': '3x3', 'holes': 'b2'}
    """
    notes = {"board": board.size}
    if board.holes:
        notes["holes"] = " ".join(board.name(hole) for hole in board.holes)
    return notes | board.unusual


def board_of_notes(notes: Mapping[str, str]) -> Board | None:
    """Return the board that the notes of a text state, or None if they do not state its size.

    Raises `InputError` for a size, hole, piece or topology that is none.

    >>> board_of_notes({"board": "3x3", "holes": "b2", "kind": "cover"})
    Board(rows=3, columns=3, holes=(4,))
    """
    if "board" not in notes:
        return None
    whole = Board.parse(notes["board"], notes.get("piece"), notes.get("topology"))
    holes = notes.get("holes", "").split()
    return Board(whole.rows, whole.columns, holes, whole.piece, whole.topology)
