"""Read numbered boards: rows of steps, with frames and labels around them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.names import file_letters
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, GridForm, Numbering, Stated
from kt_cp.notation.notations import Naming, Notation
from kt_cp.notation.text import MAX_DIGITS, UnreadableError, run_of, unreadable

_WANTED = "a numbered board: a step, '#' for a hole or '.' for a square without a number"

_BARS = "|\u2502\u2503\u2551"
_FRAME = re.compile(rf"(?=.*(?:--|:-|-:|==|__|[+\u2500-\u257f]))[\s+\-=_:{_BARS}\u2500-\u257f]*+")
_SEPARATOR = re.compile(rf"[{_BARS},;\t]")
_ROW_END = re.compile(r"[\])}]\s*+,?+\s*+[\[({]")
_TO_PLAIN = str.maketrans("[](){}\"'", " " * 8)
_CELL = rf"[0-9]{{1,{MAX_DIGITS}}}+|#++|-1|-++|\.++|_++|[xX*]++|nan|NaN|null|None"
_CELLS, _ONE_CELL = run_of(rf"\s*+(?:{_CELL})(?!\S)"), re.compile(_CELL)
_WORDS = re.compile(r"[A-Za-z]{2}")

_MAX_ALIGNED = 20  # the width of aligned columns, in widths of the average row
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
    rows = dict(zip(lines, _cells_of(list(lines.values())), strict=True))
    _remove_short_labels(rows)
    if not _is_rectangular(rows.values()):
        rows = _cells_of_columns({line: lines[line] for line in rows}) or rows
    top = min(rows)
    for line, row in rows.items():
        if len(row) != len(rows[top]):
            message = f"line {line}: {len(row)} cells, where line {top} has {len(rows[top])}"
            raise UnreadableError(message, len(text))
    cells = _without_labels(np.array(list(rows.values()), dtype=np.int64))
    if int(cells.max()) < 0:
        raise unreadable(text, 0, _WANTED)
    return forms_of_grid(cells, remarks)


def forms_of_grid(cells: Ints, remarks: tuple[str, ...] = ()) -> list[Form]:
    """Return the forms of an array of steps, counted from 1 and from 0.

    A negative cell has no step; only `HOLE` is a hole. If steps count from 1, a cell with 0 has no
    step either.
    """
    rows, columns = cells.shape
    board = Board(rows, columns, np.flatnonzero(cells == HOLE).tolist())
    steps = cells.ravel()
    numbered = np.flatnonzero(steps >= 0)
    ids = numbered[np.argsort(steps[numbered], kind="stable")]
    with_zero = ids[steps[ids] == 0]
    forms: list[Form] = []
    for notation in Notation.GRID.ways:
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
    plain = _ROW_END.sub(_line_ends, text).translate(_TO_PLAIN)
    if "\n" not in plain.strip():
        plain = plain.replace(";", "\n")  # a matrix of MATLAB
    separated = _SEPARATOR.sub(" ", plain)
    rows: dict[int, str] = {}
    line_start = 0
    lines = zip(plain.split("\n"), separated.split("\n"), strict=True)
    for number, (line, words) in enumerate(lines, start=1):
        if not _is_no_row(line, words.split()):
            _check_cells(text, separated, line_start, words)
            rows[number] = line
            if len(rows) == _MAX_NARROW_ROWS and _is_narrow(rows.values()):
                raise unreadable(text, 0, _WANTED)
        line_start += len(line) + 1
    if not rows:
        raise unreadable(text, 0, _WANTED)
    return rows


def _check_cells(text: str, separated: str, line_start: int, words: str) -> None:
    """Raise `UnreadableError` if a line has a word that is not a cell.

    ``words`` is the line, which begins at the index ``line_start`` of the text.
    """
    cells = _CELLS.match(words)
    end = cells.end() if cells else 0
    if end == len(words):
        return
    error = unreadable(separated, line_start + end, _WANTED)
    if "(" in text:  # probably pairs in brackets: let the error of another reader be reported
        error.place = 0
    raise error


def _is_narrow(rows: Iterable[str]) -> bool:
    """Return whether all rows have few columns."""
    return max(len(row) for row in _cells_of(list(rows))) < _MIN_COLUMNS


def _line_ends(row_end: re.Match[str]) -> str:
    """Return the separator of two rows in brackets as blanks with at least one line end."""
    if "\n" in row_end[0]:
        return re.sub(r"[^\n]", " ", row_end[0])
    return "\n".ljust(len(row_end[0]))


def _is_no_row(line: str, words: list[str]) -> bool:
    """Return whether a line is empty, part of a frame, a comment, or a row of letters."""
    if not words or _FRAME.fullmatch(line) or words[0].startswith(("%", "//")):
        return True
    if words[0].startswith("#"):  # a comment, unless it begins as a row does
        begins_as_row = all(_ONE_CELL.fullmatch(word) for word in words[:2])
        return bool(_WORDS.search(line)) or not begins_as_row
    if words[0] in ("a", "A"):
        return [word.lower() for word in words] == [file_letters(i) for i in range(len(words))]
    return line.lstrip().startswith(";") and bool(_WORDS.search(line))


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
        rows = _cells_of([row for each, row in lines.items() if each != line])
        if len(rows[0]) < _MIN_COLUMNS or not _is_rectangular(rows):
            continue
        steps = np.sort(np.array(rows), axis=None)
        is_complete = steps[0] in (0, 1) and bool((np.diff(steps) == 1).all())
        is_apart = abs(line - neighbor) > 1
        if (is_complete or is_apart) and int(page) != steps[-1] + 1:
            return line
    return None


def _cells_of(lines: list[str]) -> list[list[int]]:
    """Return the cells of each line.

    If all lines have equally many separators, a cell between two of them may be empty; an outer
    column of empty cells is left out.
    """
    table = [[cell.split() for cell in _SEPARATOR.split(line)] for line in lines]
    has_single_cells = all(len(cell) <= 1 for row in table for cell in row)
    if not (has_single_cells and _is_rectangular(table)):
        return [_steps(itertools.chain(*row)) for row in table]
    columns = list(zip(*table, strict=True))
    if not any(columns[0]):
        del columns[0]
    if not any(columns[-1]):
        del columns[-1]
    return [_steps("".join(cell) for cell in row) for row in zip(*columns, strict=True)]


def _cells_of_columns(lines: dict[int, str]) -> dict[int, list[int]] | None:
    """Return the cells of aligned columns, or None if a column has two words of a row."""
    width = max(len(line) for line in lines.values())
    if width * len(lines) > _MAX_ALIGNED * sum(len(line) for line in lines.values()):
        return None  # a few long rows among short ones have no columns, and would need much memory
    padded = [_SEPARATOR.sub(" ", line).ljust(width) for line in lines.values()]
    # A blank is less than any character of a cell, so the maximum is blank only at common gaps.
    used = "".join(max(characters) for characters in zip(*padded, strict=True))
    columns = [run.span() for run in re.finditer(r"\S+", used)]
    table = [[line[start:end].split() for start, end in columns] for line in padded]
    if any(len(cell) > 1 for row in table for cell in row):
        return None
    rows = [_steps("".join(cell) for cell in row) for row in table]
    return dict(zip(lines, rows, strict=True))


def _steps(words: Iterable[str]) -> list[int]:
    """Return the step in each cell, or the code of its mark (`HOLE` or `UNNUMBERED`)."""
    return [_step(word) for word in words]


def _step(word: str) -> int:
    """Return the step in a cell, or the code of its mark."""
    if word.isdecimal():
        return int(word)
    return HOLE if word.startswith("#") else UNNUMBERED


def _is_rectangular(rows: Iterable[Sequence[object]]) -> bool:
    """Return whether all rows have the same length."""
    return len({len(row) for row in rows}) <= 1


def _remove_short_labels(rows: dict[int, list[int]]) -> None:
    """Remove a line of labels above or below the board that is shorter than the rows.

    Such a line has no cell above the column of labels.
    """
    for outer, inner in ((0, 1), (-1, -2)):
        lines = list(rows)
        if len(lines) < 2:
            return
        labels = rows[lines[outer]]
        if len(labels) < len(rows[lines[inner]]) and _count_up_or_down(labels):
            del rows[lines[outer]]


def _without_labels(cells: Ints) -> Ints:
    """Return a board without the labels in its outer rows and columns."""
    for _ in ("rows", "columns"):
        if _are_labels(cells[0], cells[1:]):
            cells = cells[1:]
        if _are_labels(cells[-1], cells[:-1]):
            cells = cells[:-1]
        cells = cells.T
    return cells


def _are_labels(cells: Ints, rest: Ints) -> bool:
    """Return whether an outer row holds labels: they count up or down, and some occur as steps."""
    labels = cells[cells != UNNUMBERED]
    if len(labels) < len(cells) - 2 or len(rest) < 2:  # the corners may be empty
        return False
    return _count_up_or_down(labels) and bool(np.isin(labels, rest).any())


def _count_up_or_down(numbers: Sequence[int] | Ints) -> bool:
    """Return whether two or more numbers count up from 0 or 1, or down to 0 or 1."""
    if len(numbers) < 2:
        return False
    low = min(numbers[0], numbers[-1])
    up = list(range(low, low + len(numbers)))
    return low in (0, 1) and list(numbers) in (up, up[::-1])
