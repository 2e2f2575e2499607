"""Read tables with named columns, one of which holds the squares: CSV, pandas and Markdown."""

from __future__ import annotations

import re

from kt_cp.messages import InputError

_STEPS = {"", "#", "i", "index", "k", "move", "n", "no", "nr", "number", "order", "step", "t"}
_ROWS, _COLUMNS = {"r", "row", "y"}, {"c", "col", "column", "x"}
_SQUARES = {"cell", "id", "name", "node", "position", "square", "vertex"}
_CELL_END = re.compile(r"[ ]*[,;\t|][ ]*|[ ]+")


def column_names(line: str) -> list[str] | None:
    """Return the names in the head of a table with columns for squares, or None for other lines."""
    names = [name.strip("\"'").lower() for name in _CELL_END.split(line.strip(" \n"))]
    known = set(names)
    if not known <= _STEPS | _ROWS | _COLUMNS | _SQUARES:
        return None
    has_pairs = bool(known & _ROWS) and bool(known & _COLUMNS)
    return names if has_pairs or known & _SQUARES else None


def squares_in_columns(lines: list[str], names: list[str], first_line: int) -> list[str]:
    """Return the square in each line, or its row and column joined by a comma.

    ``names`` are the names of the columns, and ``first_line`` is the number of the first line.
    Raises `InputError`, with the line, for steps that do not count up by one from 0 or 1, and for
    too few or too many values.
    """
    squares: list[str] = []
    step: int | None = None
    for number, line in enumerate(lines, start=first_line):
        if not line.strip():
            continue
        cells = _CELL_END.split(line.strip(" "))
        if not squares and len(cells) == len(names) + 1:
            names = ["", *names]  # the index that pandas prints has no name
        if len(cells) != len(names):
            raise InputError(f"line {number}: {len(cells)} values for {len(names)} columns")
        cell_by_name = dict(zip(names, cells, strict=True))
        step = _next_step(cell_by_name, step, number)
        squares.append(_square(cell_by_name))
    return squares


def _next_step(cells: dict[str, str], before: int | None, line: int) -> int | None:
    """Return the step in a line, or None if there is no column of steps.

    Raises `InputError` unless it is one more than the step before.
    """
    columns = [name for name in cells if name in _STEPS]
    if not columns:
        return None
    given = cells[columns[-1]]
    wanted = ["0", "1"] if before is None else [str(before + 1)]
    if given not in wanted:
        either = " or ".join(wanted)
        raise InputError(f"line {line}: step {given!r} where there should be {either}")
    return int(given)


def _square(cells: dict[str, str]) -> str:
    """Return the row and the column of a line, joined by a comma, or else its square."""
    row = [cell for name, cell in cells.items() if name in _ROWS]
    column = [cell for name, cell in cells.items() if name in _COLUMNS]
    if row and column:
        return f"{row[0]},{column[0]}"
    return ",".join(cell for name, cell in cells.items() if name in _SQUARES)
