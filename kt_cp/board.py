"""The board: which squares exist, which moves the knight has, hence the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError
from kt_dfs.board import TEXTBOOK_MOVES

Squares = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


# Ids are int32 and every answer needs an array of them: beyond this, say so before memory is spent.
MAX_SQUARES = 10**9

_MAX_DIGITS = 18
_LIKE_A_SIZE = re.compile(r"[\d\s]*[xX×][\d\sxX×]*", re.ASCII)
_SIZE = re.compile(r"\s*(\d+)\s*[xX×]\s*(\d+)\s*", re.ASCII)


@dataclass(frozen=True)
class Board:
    """A rectangle of squares with any set of holes, and the knight's moves on it.

    A square is the id ``row * columns + column``, from 0; row 0 is the top row as printed.
    ``holes`` takes any iterable of ids and is kept sorted. Raises `InputError` for a side below 1,
    a hole that is not on the rectangle, or no square at all.

    >>> board = Board(3, 4, holes=[5])
    >>> str(board).splitlines()
    ['....', '.#..', '....']
    >>> len(board), board.neighbours(0)
    (11, (6, 9))
    """

    rows: int
    columns: int
    holes: tuple[int, ...] = ()

    def __init__(self, rows: int, columns: int, holes: Iterable[int] = ()) -> None:
        """Check the sides and the holes, and keep the holes sorted."""
        object.__setattr__(self, "rows", int(rows))
        object.__setattr__(self, "columns", int(columns))
        object.__setattr__(self, "holes", tuple(sorted({int(hole) for hole in holes})))
        if rows < 1 or columns < 1:
            raise InputError(f"board {rows}x{columns}: each side must be at least 1")
        if self.area > MAX_SQUARES:
            raise InputError(f"board {self.size}: more than {MAX_SQUARES:,} squares are refused")
        for hole in self.holes:
            if not 0 <= hole < self.area:
                raise InputError(f"hole {hole}: board {self.size} has ids 0 to {self.area - 1}")
        if len(self) == 0:
            raise InputError(f"board {self.size}: all holes; at least one square must be left")

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a size such as ``8x8`` (rows x columns), or a map of ``.`` and ``#``.

        The characters of a map may be separated by blanks; blank lines at the ends and blanks at
        the ends of lines do no harm. Raises `InputError`, with the line, for anything else.

        >>> Board.parse("3x10")
        Board(rows=3, columns=10, holes=())
        >>> Board.parse("..#\\n...").holes
        (2,)
        """
        if size := _SIZE.fullmatch(text):
            if any(len(side) > _MAX_DIGITS for side in size.groups()):
                raise InputError(f"board: more than {MAX_SQUARES:,} squares are refused")
            return cls(int(size[1]), int(size[2]))
        if _LIKE_A_SIZE.fullmatch(text):
            raise InputError(f"board {text.strip()!r}: give both sides, rows x columns, as in 8x8")
        return _parse_map(text)

    @property
    def size(self) -> str:
        """The sides as people write them, such as ``8x8``."""
        return f"{self.rows}x{self.columns}"

    @property
    def area(self) -> int:
        """The number of ids, holes included."""
        return self.rows * self.columns

    def __len__(self) -> int:
        """The number of squares, holes left out."""
        return self.area - len(self.holes)

    def __contains__(self, square: object) -> bool:
        """Whether this id is a square, that is on the rectangle and not a hole."""
        if not isinstance(square, int | np.integer):
            return False
        return bool(0 <= square < self.area and self.mask[square])

    def __str__(self) -> str:
        """Draw the map that `parse` reads."""
        return "\n".join("".join(row) for row in np.where(self.grid(self.mask), ".", "#"))

    def __repr__(self) -> str:
        """Write the call that makes this board."""
        return f"Board(rows={self.rows}, columns={self.columns}, holes={self.holes})"

    def as_dict(self) -> dict[str, object]:
        """Give the board as plain values, as JSON output has it."""
        return {"rows": self.rows, "columns": self.columns, "holes": list(self.holes)}

    def grid(self, values: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """Lay values, one per id, out as rows and columns."""
        return values.reshape(self.rows, self.columns)

    @cached_property
    def mask(self) -> Mask:
        """For each id, whether it is a square (false: a hole). Read-only."""
        mask = np.ones(self.area, dtype=np.bool_)
        mask[list(self.holes)] = False
        mask.flags.writeable = False
        return mask

    @cached_property
    def squares(self) -> Squares:
        """The ids of the squares, ascending, holes left out. Read-only."""
        squares = np.flatnonzero(self.mask).astype(np.int32)
        squares.flags.writeable = False
        return squares

    @cached_property
    def arcs(self) -> Squares:
        """Every legal move as a row (from, to), by from, then in the textbook's order. Read-only.

        The 8x8 board has 336 of them.

        >>> Board(8, 8).arcs.shape
        (336, 2)
        """
        ids = np.arange(self.area, dtype=np.int32).reshape(self.rows, self.columns)
        parts = []
        for down, right in TEXTBOOK_MOVES:
            source = ids[_overlap(self.rows, down), _overlap(self.columns, right)]
            target = ids[_overlap(self.rows, -down), _overlap(self.columns, -right)]
            parts.append(np.stack([source.ravel(), target.ravel()], axis=1))
        arcs = np.concatenate(parts)
        arcs = arcs[self.mask[arcs].all(axis=1)]
        arcs = arcs[np.argsort(arcs[:, 0], kind="stable")]
        arcs.flags.writeable = False
        return arcs

    def neighbours(self, square: int) -> tuple[int, ...]:
        """Give the squares that a move from this one reaches, in the textbook's order."""
        return tuple(self._neighbours(square))

    def _neighbours(self, square: int) -> Iterator[int]:
        row, column = divmod(square, self.columns)
        for down, right in TEXTBOOK_MOVES:
            to_row, to_column = row + down, column + right
            if 0 <= to_row < self.rows and 0 <= to_column < self.columns:
                target = to_row * self.columns + to_column
                if self.mask[target]:
                    yield target

    def are_moves(self, sources: npt.NDArray[np.integer], targets: npt.NDArray[np.integer]) -> Mask:
        """Tell for each pair of ids on the rectangle whether they are a jump apart."""
        down = np.abs(sources // self.columns - targets // self.columns)
        right = np.abs(sources % self.columns - targets % self.columns)
        return np.asarray(down * right == 2, dtype=np.bool_)

    def dark(self, squares: npt.NDArray[np.integer]) -> Mask:
        """Tell for each id whether it is dark, as a1 is."""
        rows, columns = np.divmod(squares, self.columns)
        return np.asarray((self.rows - 1 - rows + columns) % 2 == 0, dtype=np.bool_)


def _overlap(side: int, shift: int) -> slice:
    """Give the places from which a step of ``shift`` stays within the side."""
    return slice(max(0, -shift), max(0, side - max(0, shift)))


def _parse_map(text: str) -> Board:
    lines = text.splitlines()
    numbered = [(number, line.split()) for number, line in enumerate(lines, start=1)]
    while numbered and not numbered[0][1]:
        numbered.pop(0)
    while numbered and not numbered[-1][1]:
        numbered.pop()
    if not numbered:
        raise InputError("the board is empty: give a size such as 8x8 or a map of '.' and '#'")
    rows = [(number, "".join(cells)) for number, cells in numbered]
    columns = len(rows[0][1])
    holes = []
    for row, (number, cells) in enumerate(rows):
        for column, cell in enumerate(cells):
            if cell not in ".#":
                place = f"line {number}, column {column + 1}"
                raise InputError(f"{place}: {cell!r} is neither '.' (a square) nor '#' (a hole)")
            if cell == "#":
                holes.append(row * columns + column)
        if len(cells) != columns:
            wanted = f"line {rows[0][0]} has {columns}"
            raise InputError(f"line {number} has {len(cells)} squares and holes where {wanted}")
    return Board(len(rows), columns, holes)
