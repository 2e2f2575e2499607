"""The cells of a numbered board: between separators, between blanks, or in aligned columns."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from kt_cp.notation.forms import HOLE_CODE, UNNUMBERED_CODE

BARS = "|\u2502\u2503\u2551"
"""The vertical lines between cells."""

SEPARATOR = re.compile(rf"[{BARS},;\t]")
"""What may stand between two cells besides blanks."""

_MAX_ALIGNED = 20  # the width of aligned columns, in widths of the average row


def cells_of(lines: list[str]) -> list[list[int]]:
    """Return the cells of each line: steps, `HOLE_CODE` and `UNNUMBERED_CODE`.

    If all lines have equally many separators, a cell between two of them may be empty; an outer
    column of empty cells is left out.
    """
    table = [[cell.split() for cell in SEPARATOR.split(line)] for line in lines]
    has_single_cells = all(len(cell) <= 1 for row in table for cell in row)
    if not (has_single_cells and is_rectangular(table)):
        return [_steps(itertools.chain(*row)) for row in table]
    columns = list(zip(*table, strict=True))
    if not any(columns[0]):
        del columns[0]
    if not any(columns[-1]):
        del columns[-1]
    return [_steps("".join(cell) for cell in row) for row in zip(*columns, strict=True)]


def cells_of_columns(lines: dict[int, str]) -> dict[int, list[int]] | None:
    """Return the cells of aligned columns, by line number; None if a cell would have two words."""
    width = max(len(line) for line in lines.values())
    if width * len(lines) > _MAX_ALIGNED * sum(len(line) for line in lines.values()):
        return None  # a few long rows among short ones have no columns, and would need much memory
    padded = [SEPARATOR.sub(" ", line).ljust(width) for line in lines.values()]
    # A blank is less than any character of a cell, so the maximum is blank only at common gaps.
    used = "".join(max(characters) for characters in zip(*padded, strict=True))
    columns = [run.span() for run in re.finditer(r"\S+", used)]
    table = [[line[start:end].split() for start, end in columns] for line in padded]
    if any(len(cell) > 1 for row in table for cell in row):
        return None
    rows = [_steps("".join(cell) for cell in row) for row in table]
    return dict(zip(lines, rows, strict=True))


def _steps(words: Iterable[str]) -> list[int]:
    """Return the step in each cell, or the code of its mark (`HOLE_CODE` or `UNNUMBERED_CODE`)."""
    cells = list(words)
    if all(map(str.isdecimal, cells)):  # the usual case, and there may be a million
        return list(map(int, cells))
    return [_step(cell) for cell in cells]


def _step(word: str) -> int:
    """Return the step in a cell, or the code of its mark."""
    if word.isdecimal():
        return int(word)
    return HOLE_CODE if word.startswith("#") else UNNUMBERED_CODE


def is_rectangular(rows: Iterable[Sequence[object]]) -> bool:
    """Return whether all rows have the same length."""
    return len({len(row) for row in rows}) <= 1
