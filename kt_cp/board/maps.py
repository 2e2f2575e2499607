"""Maps of boards: ``.`` a square, ``#`` a hole, a number the step at which a square is visited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board.chunking import chunks
from kt_cp.errors import InputError

SQUARE, HOLE = ".", "#"
_MAX_DIGITS = 9


@dataclass(frozen=True)
class Map:
    """The contents of a map: its sides, the ids of its holes, and the steps given, by square."""

    rows: int
    columns: int
    holes: tuple[int, ...]
    givens: dict[int, int]


def read_map(text: str) -> Map:
    """Read a map, whose cells are separated by blanks if it has numbers.

    Blank lines before and after it, and blanks at the ends of lines, are ignored. Raises
    `InputError`, with the line, if rows differ in length or a cell is none of the three.

    >>> read_map("1 . #\\n. 12 .")
    Map(rows=2, columns=3, holes=(2,), givens={0: 1, 4: 12})
    """
    lines = text.splitlines()
    filled = [number for number, line in enumerate(lines) if line and not line.isspace()]
    if not filled:
        raise InputError("the board is empty: give a size such as 8x8 or a map of '.' and '#'")
    first, last = filled[0], filled[-1] + 1
    apart = any(len(line.split(None, 1)) > 1 or line.strip().isdecimal() for line in lines)
    columns = len(_cells_of(lines[first], apart))
    holes = []
    givens = {}
    for row, line in enumerate(lines[first:last]):
        number = first + row + 1
        cells = _cells_of(line, apart)
        for column, cell in enumerate(cells):
            square = row * columns + column
            if cell == HOLE:
                holes.append(square)
            elif cell.isascii() and cell.isdecimal() and len(cell) <= _MAX_DIGITS:
                givens[square] = int(cell)
            elif cell != SQUARE:
                place = f"line {number}, column {column + 1}"
                wanted = "'.' (a square), '#' (a hole) or a step number"
                raise InputError(f"{place}: {cell[:20]!r} is not {wanted}")
        if len(cells) != columns:
            wanted = f"line {first + 1} has {columns}"
            raise InputError(f"line {number} has {len(cells)} squares and holes where {wanted}")
    return Map(last - first, columns, tuple(holes), givens)


def _cells_of(line: str, apart: bool) -> Sequence[str]:
    return line.split() if apart else line.strip()


def map_lines(
    mask: npt.NDArray[np.bool_], steps: npt.NDArray[np.int32], first: int = 1
) -> Iterator[str]:
    """Yield the lines of an aligned map from arrays of rows x columns; a step of 0 is none.

    ``first`` is the number to write for step 1.

    >>> list(map_lines(np.array([[True, True, False]]), np.array([[12, 0, 0]], dtype=np.int32)))
    ['12  .  #']
    """
    width = len(str(steps.max() - 1 + first))
    for row_mask, row_steps in zip(mask, steps, strict=True):
        yield " ".join(
            _cells(row_mask[start : start + len(chunk)], chunk, first, width)
            for start, chunk in chunks(row_steps)
        )


def _cells(
    mask: npt.NDArray[np.bool_], steps: npt.NDArray[np.int32], first: int, width: int
) -> str:
    cells = [
        str(step - 1 + first) if step else SQUARE if is_square else HOLE
        for is_square, step in zip(mask.tolist(), steps.tolist(), strict=True)
    ]
    return " ".join(cell.rjust(width) for cell in cells)
