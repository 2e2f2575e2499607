"""Reading numbered boards as people draw them, with frames and labels, and from spreadsheets."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from kt_cp.board.square_names import file_letters
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, GridForm
from kt_cp.notation.notations import Notation
from kt_cp.notation.text import (
    MAX_DIGITS,
    Integers,
    UnreadableError,
    items_in,
    numbers_in,
    run_of,
    unreadable,
)

_WANTED = "a numbered board: a step, '#' for a hole or '.' for a square without a number"
_BARS = "|\u2502\u2503\u2551"
_LINE = rf"\s+\-=_:{_BARS}\u2500-\u257f"
_FRAME_CHARACTERS = re.compile(rf"[{_LINE}]*+")
_FRAME_MARK = re.compile(r"--|==|__|[+\u2500\u2501\u2504-\u250b\u2550]")
_SEPARATOR = re.compile(rf"[{_BARS},;\t]")
_ROW_END = re.compile(r"[\])}]\s*+,?+\s*+[\[({]")
_FLUFF = str.maketrans("[](){}\"'", " " * 8)
_WORD = re.compile(r"\S++")
_HOLE = re.compile(r"#++")
_UNNUMBERED = r"-1|-++|\.++|_++|[xX*]++|nan|NaN|null|None"
_CELL = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}+|{_HOLE.pattern}|(?:{_UNNUMBERED})(?![^\s])")
_CELLS = re.compile(rf"(?:\s*+(?:{_CELL.pattern})(?!\S))*+\s*+")
_PLAIN = run_of(rf"\s*+(?:[0-9]{{1,{MAX_DIGITS}}}+|-1|#|\.)(?=\s|\Z)")

# A large text with at most two words per line is no board, and would take long to try.
_NARROW = re.compile(r"(?:[^\s,;|]*+[ \t]*+[,;|]?+[^\s,;|]*+[ \t]*+[,;|]?+[ \t]*+\n)*+[^\n]*+")
_WORDS = re.compile(r"[A-Za-z]{2}")
_LARGE = 10**5

# Beside steps, `HOLE` and `UNNUMBERED`: an empty cell, and the end of a line.
_BLANK, _LINE_END = -3, -4
_FEWEST_COLUMNS = 3  # of a board that has a tour

Row = list[str]


def read_grid(text: str) -> list[Form]:
    """Read a numbered board: each cell has a step, or a mark for a hole or for no step.

    Cells are separated by blanks, tabs, commas, semicolons or bars, or are those of a nested list.
    Only ``#`` marks a hole; an empty cell, and one that holds a mark such as ``-``, is a square
    without a number. Frames and labels around the board are left out: labels are a line of the
    letters a, b, c, …, and a line or column that counts and repeats numbers of the board; so is the
    number of a page. Raises `UnreadableError` for anything else.

    >>> read_grid("1 4 7\\n6 # 2\\n3 8 5")[0].boards(None)[0].holes
    (4,)
    >>> read_grid("3 | 1 4 7\\n2 | 6   2\\n1 | 3 8 5\\n    a b c")[0].numbers.tolist()
    [[1, 4, 7], [6, -1, 2], [3, 8, 5]]
    """
    remarks: tuple[str, ...] = ()
    try:
        cells = _plain_cells(text)
    except UnreadableError:
        if len(text) > _LARGE and _NARROW.fullmatch(text):
            raise
        cells, remarks = _drawn_cells(text)
    for _ in range(2):
        if _are_labels(cells[0], cells[1:]):
            cells = cells[1:]
        if _are_labels(cells[-1], cells[:-1]):
            cells = cells[:-1]
        cells = cells.T
    cells = np.where(cells == _BLANK, UNNUMBERED, cells)
    if int(cells.max()) < 0:
        raise unreadable(text, 0, _WANTED)
    return forms_of_grid(cells, remarks)


def forms_of_grid(cells: Integers, remarks: tuple[str, ...] = ()) -> list[Form]:
    """Return numbers in rows and columns as steps; those below 0 but `HOLE` are none."""
    return [GridForm(each, cells, remarks) for each in Notation.GRID.ways]


def _plain_cells(text: str) -> Integers:
    """Read equally long rows of numbers, ``#`` and ``.``, in 0.1 microseconds per cell."""
    plain = items_in(text, _PLAIN, _WANTED, lambda plain: plain)
    cells = np.append(_plain_numbers(plain), _LINE_END)
    while cells[-2] == _LINE_END:
        cells = cells[:-1]
    ends = np.flatnonzero(cells == _LINE_END)
    widths = np.diff(ends, prepend=-1) - 1
    columns = int(widths[0])
    wrong = np.flatnonzero((widths != columns) | (widths == 0))
    if len(wrong):
        line = int(wrong[0])
        found = f"line {line + 1}: {widths[line]} cells, where line 1 has {columns}"
        raise UnreadableError(found, int(ends[line]))
    return cells.reshape(-1, columns + 1)[:, :-1]


def _plain_numbers(plain: str) -> Integers:
    for mark, number in (("#", HOLE), (".", UNNUMBERED), ("\n", _LINE_END)):
        plain = plain.replace(mark, f" {number} ")
    return numbers_in(plain)


def _drawn_cells(text: str) -> tuple[Integers, tuple[str, ...]]:
    """Read rows and columns that may have frames, empty cells, brackets and the number of a page.

    Return them, and what was left out.
    """
    rows_apart = _ROW_END.sub(lambda end: "\n".ljust(len(end[0])), text)
    rows: dict[int, str] = {}  # by the number of the line
    place = 0
    for number, line in enumerate(rows_apart.split("\n"), start=1):
        row = line.translate(_FLUFF)
        if not _is_no_row(row):
            words = _SEPARATOR.sub(" ", row)
            run = _CELLS.match(words)
            if run and run.end() < len(words):
                error = unreadable(text, place + run.end(), _WANTED)
                error.place *= "(" not in text  # these brackets are those of coordinates
                raise error
            rows[number] = row
        place += len(line) + 1
    if not rows:
        raise unreadable(text, len(text), _WANTED)
    page = _page_number(rows)
    remarks = () if page is None else (f"without the number {rows.pop(page).strip()} of a page",)
    aligned = [_SEPARATOR.sub(" ", row) for row in rows.values()]
    words_of = [row.split() for row in aligned]
    table = _separated([*rows.values()]) or _unlabelled(words_of) or _aligned(aligned)
    if table is None:
        (first, width), *others = zip(rows, map(len, words_of), strict=True)
        line_number, found = next(other for other in others if other[1] != width)
        message = f"line {line_number}: {found} cells, where line {first} has {width}"
        raise UnreadableError(message, len(text))
    return np.array([list(map(_number, row)) for row in table], dtype=np.int64), remarks


def _page_number(rows: Mapping[int, str]) -> int | None:
    """Return the line of a number that stands by itself, apart from equally long rows."""
    for place, other in ((-1, -2), (0, 1)):
        lines = [*rows]
        line = lines.pop(place)
        widths = {len(_words(rows[each])) for each in lines}
        word = rows[line].strip()
        is_board = len(widths) == 1 and widths.pop() >= _FEWEST_COLUMNS
        is_apart = len(rows) > 1 and abs(line - [*rows][other]) > 1
        if is_board and is_apart and word.isdecimal():
            last = max(_number(cell) for each in lines for cell in _words(rows[each]))
            if int(word) != last + 1:
                return line
    return None


def _words(row: str) -> list[str]:
    return _SEPARATOR.sub(" ", row).split()


def _is_no_row(line: str) -> bool:
    words = _words(line)
    if not words:
        return True
    if _FRAME_CHARACTERS.fullmatch(line) and _FRAME_MARK.search(line):
        return True
    if words[0].startswith(("%", "//")) or (line.lstrip().startswith(";") and _WORDS.search(line)):
        return True
    if words[0].startswith("#"):  # a comment, unless it begins as a row does
        return bool(_WORDS.search(line)) or not all(map(_CELL.fullmatch, words[:2]))
    return words[0] in ("a", "A") and all(
        word.lower() == file_letters(column) for column, word in enumerate(words)
    )


def _separated(rows: list[str]) -> list[Row] | None:
    """Split at separators, without empty outer columns; None unless they part single cells."""
    table = [[cell.strip() for cell in _SEPARATOR.split(row)] for row in rows]
    width = len(table[0])
    if any(len(row) != width or any(len(cell.split()) > 1 for cell in row) for row in table):
        return None
    for place in (0, -1):
        if width > 1 and not any(row[place] for row in table):
            for row in table:
                row.pop(place)
    return table if width > 1 else None


def _unlabelled(table: list[Row]) -> list[Row] | None:
    """Leave out an unaligned line of labels above or below; None if rows differ in length.

    It has no label for the columns of labels beside the board.
    """
    width = max(map(len, table))
    for place in (0, -1):
        numbers = np.array(list(map(_number, table[place])))
        rest = table[1:] if place == 0 else table[:-1]
        beside = sum(_counts(np.array([_number(row[side]) for row in rest])) for side in (0, -1))
        if len(rest) > 0 and len(numbers) == width - beside < width and _counts(numbers):
            table = rest
    return table if all(len(row) == width for row in table) else None


def _aligned(rows: list[str]) -> list[Row] | None:
    """Put words that overlap into one column; None if these include two words of a row."""
    words = [[(match.start(), match.end(), match[0]) for match in _WORD.finditer(r)] for r in rows]
    ends = sorted((start, end) for row in words for start, end, _ in row)
    columns: list[list[int]] = []
    for start, end in ends:
        if columns and start < columns[-1][1]:
            columns[-1][1] = max(columns[-1][1], end)
        else:
            columns.append([start, end])
    column_at = {start: number for number, (start, end) in enumerate(columns)}
    starts = np.array(sorted(column_at))
    table = []
    for row in words:
        places = np.searchsorted(starts, [start for start, _, _ in row], side="right") - 1
        if len(set(places.tolist())) < len(row):
            return None
        cells = [""] * len(columns)
        for place, (_, _, word) in zip(places, row, strict=True):
            cells[place] = word
        table.append(cells)
    return table


def _are_labels(cells: Integers, rest: Integers) -> bool:
    """Return whether a line at the edge counts, and repeats numbers of the rest."""
    labels = cells[cells != _BLANK]
    if len(labels) < len(cells) - 2 or len(rest) < 2:  # there may be no labels in the corners
        return False
    return _counts(labels) and any(np.isin(labels, row).any() for row in rest)


def _counts(numbers: Integers) -> bool:
    """Return whether numbers count up from 0 or 1, or down to it."""
    if len(numbers) < 2:
        return False
    if numbers[0] in (0, 1):
        return bool((np.diff(numbers) == 1).all())
    return numbers[-1] in (0, 1) and bool((np.diff(numbers) == -1).all())


def _number(word: str) -> int:
    if not word:
        return _BLANK
    if word.isdecimal():
        return int(word)
    return HOLE if _HOLE.fullmatch(word) else UNNUMBERED
