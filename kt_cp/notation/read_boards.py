"""Read numbered boards: rows of steps, with frames and labels around them."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.board import file_letters
from kt_cp.notation.forms import HOLE_CODE, Form, GridForm, Numbering, Stated
from kt_cp.notation.grid_cells import BARS, SEPARATOR, cells_of, cells_of_columns, is_rectangular
from kt_cp.notation.grid_labels import remove_short_labels, without_labels
from kt_cp.notation.notations import Naming, Notation
from kt_cp.notation.text import (
    MAX_DIGITS,
    UnreadableError,
    are_consecutive_steps,
    run_of,
    unreadable,
)

_WANTED = "a numbered board: a step, '#' for a hole or '.' for a square without a number"

# A line of a frame: dashes, bars and corners, with at least one corner or run of dashes.
_FRAME = re.compile(rf"(?=.*(?:--|:-|-:|==|__|[+\u2500-\u257f]))[\s+\-=_:{BARS}\u2500-\u257f]*+")
# Between two rows in brackets, as in [[1, 2], [3, 4]].
_ROW_END = re.compile(r"[\])}]\s*+,?+\s*+[\[({]")
_TO_PLAIN = str.maketrans("[](){}\"'", " " * 8)
# A step, a hole (#), or another mark of a square without a step.
_CELL = rf"[0-9]{{1,{MAX_DIGITS}}}+|#++|-1|-++|\.++|_++|[xX*]++|nan|NaN|null|None"
_ONE_CELL = re.compile(_CELL)
_CELLS = run_of(rf"\s*+(?:{_CELL})(?!\S)")
_TWO_LETTERS = re.compile(r"[A-Za-z]{2}")  # in a comment

_MIN_COLUMNS = 3  # of a board that is not narrow
_MAX_NARROW_ROWS = 2_000  # more rows of a narrow board are a list, which would take long to try


def read_grid(text: str) -> list[Form]:
    """Return the forms of a numbered board: each cell has a step, or a mark.

    Only ``#`` marks a hole; a cell that is empty or holds another mark such as ``-`` is a square
    without a number. Left out are: frames, a line of the letters a, b, c, …, an outer line or
    column of labels that count up or down and occur as steps too, and a page number. Raises
    `UnreadableError` for other texts.
    """
    lines = _lines_with_cells(text)
    page = _line_of_page(lines)
    remarks: tuple[str, ...] = ()
    if page is not None:
        remarks = (f"without the number {lines.pop(page).strip()} of a page",)
    rows = dict(zip(lines, cells_of(list(lines.values())), strict=True))
    remove_short_labels(rows)
    if not is_rectangular(rows.values()):
        rows = cells_of_columns({line: lines[line] for line in rows}) or rows
    top = min(rows)
    for line, row in rows.items():
        if len(row) != len(rows[top]):
            message = f"line {line}: {len(row)} cells, where line {top} has {len(rows[top])}"
            raise UnreadableError(message, len(text))
    cells = without_labels(np.array(list(rows.values()), dtype=np.int64))
    if int(cells.max()) < 0:
        raise unreadable(text, 0, _WANTED)
    return forms_of_grid(cells, remarks)


def forms_of_grid(cells: Ints, remarks: tuple[str, ...] = ()) -> list[Form]:
    """Return the forms of an array of steps, counted from 1 and from 0.

    A negative cell has no step; only `HOLE_CODE` is a hole. If steps count from 1, a cell with 0
    has no step either.
    """
    rows, columns = cells.shape
    board = Board(rows, columns, np.flatnonzero(cells == HOLE_CODE).tolist())
    steps = cells.ravel()
    numbered = np.flatnonzero(steps >= 0)
    ids = numbered[np.argsort(steps[numbered], kind="stable")]
    with_zero = ids[steps[ids] == 0]
    forms: list[Form] = []
    for notation in Notation.GRID.variants:
        path = ids
        if notation.first == 1:
            path = ids[len(with_zero) :]
        form = GridForm(
            notation,
            path[:, None],
            Naming("{}"),
            numbering=Numbering(steps[path], notation.first),
            stated=Stated(board),
            remarks=remarks,
            zeros=tuple(with_zero.tolist()),
        )
        forms.append(form)
    return forms


def _lines_with_cells(text: str) -> dict[int, str]:
    """Return the rows of the board by line number, without brackets and quotes.

    Raises `UnreadableError` for a line that is neither a row nor a frame, label or comment.
    """
    plain = _ROW_END.sub(_row_end_to_line_end, text).translate(_TO_PLAIN)
    if "\n" not in plain.strip():
        plain = plain.replace(";", "\n")  # a matrix of MATLAB
    rows: dict[int, str] = {}
    line_start = 0
    for number, line in enumerate(plain.split("\n"), start=1):
        if not _is_outside_rows(line):
            other = _first_other_word(line)
            if other is not None:
                raise _not_a_cell_error(text, plain, line_start + other)
            rows[number] = line
            if len(rows) == _MAX_NARROW_ROWS and _is_narrow(rows.values()):
                raise unreadable(text, 0, _WANTED)
        line_start += len(line) + 1
    if not rows:
        raise unreadable(text, 0, _WANTED)
    return rows


def _first_other_word(line: str) -> int | None:
    """Return the index in a line of the first word that is not a cell, or None."""
    cells = _CELLS.match(SEPARATOR.sub(" ", line))
    end = cells.end() if cells else 0
    return end if end < len(line) else None


def _not_a_cell_error(text: str, plain: str, place: int) -> UnreadableError:
    """Return the error that the word at a place is not a cell.

    ``plain`` is the text without brackets and quotes, in which every place is the same.
    """
    error = unreadable(SEPARATOR.sub(" ", plain), place, _WANTED)
    if "(" in text:  # probably pairs in brackets: let the error of another reader be reported
        error.place = 0
    return error


def _is_narrow(rows: Iterable[str]) -> bool:
    """Return whether all rows have few columns."""
    return max(len(row) for row in cells_of(list(rows))) < _MIN_COLUMNS


def _row_end_to_line_end(row_end: re.Match[str]) -> str:
    """Return the separator of two rows in brackets as blanks with at least one line end."""
    if "\n" in row_end[0]:
        return re.sub(r"[^\n]", " ", row_end[0])
    return "\n".ljust(len(row_end[0]))


def _is_outside_rows(line: str) -> bool:
    """Return whether a line is empty, part of a frame, a comment, or a row of letters."""
    words = SEPARATOR.sub(" ", line).split()
    if not words or _FRAME.fullmatch(line) or words[0].startswith(("%", "//")):
        return True
    if words[0].startswith("#"):  # a comment, unless it begins as a row does
        begins_as_row = all(_ONE_CELL.fullmatch(word) for word in words[:2])
        return bool(_TWO_LETTERS.search(line)) or not begins_as_row
    if words[0] in ("a", "A"):
        return [word.lower() for word in words] == [file_letters(i) for i in range(len(words))]
    return line.lstrip().startswith(";") and bool(_TWO_LETTERS.search(line))


def _line_of_page(lines: dict[int, str]) -> int | None:
    """Return the number of the first or last line if it holds a page number, or None.

    A page number stands alone on its line, with a gap between it and equally long rows, or next to
    a complete board.
    """
    if len(lines) < 2:
        return None
    numbers = list(lines)
    for line, neighbor in ((numbers[-1], numbers[-2]), (numbers[0], numbers[1])):
        page = lines[line].strip()
        if not page.isdecimal():
            continue
        rows = cells_of([row for each, row in lines.items() if each != line])
        if len(rows[0]) < _MIN_COLUMNS or not is_rectangular(rows):
            continue
        steps = np.sort(np.array(rows), axis=None)
        is_complete = are_consecutive_steps(steps.tolist())
        is_apart = abs(line - neighbor) > 1
        if (is_complete or is_apart) and int(page) != steps[-1] + 1:
            return line
    return None
