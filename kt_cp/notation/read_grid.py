"""Reading numbered boards as people draw them, with frames and labels, or from a spreadsheet."""

from __future__ import annotations

import itertools
import re

import numpy as np

from kt_cp.board.square_names import file_letters
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, GridForm
from kt_cp.notation.names import Notation
from kt_cp.notation.text import MAX_DIGITS, Integers, UnreadableError, without_comments

_WANTED = "a numbered board: a step, '#' for a hole or '.' for a square without a number"
_BARS = "|\u2502\u2503\u2551"
_LINE = rf"\s+\-=_:{_BARS}\u2500-\u257f"
_FRAME_CHARACTERS = re.compile(rf"[{_LINE}]*+")
_FRAME_MARK = re.compile(r"--|==|__|[+\u2500\u2501\u2504-\u250b\u2550]")
_SEPARATOR = re.compile(rf"[{_BARS},;\t]")
_ROW_END = re.compile(r"[\])}]\s*+,?+\s*+[\[({]")
_FLUFF = str.maketrans("[](){}\"'", " " * 8)
_WORD = re.compile(r"\S++")
_HOLE = re.compile(r"-1|#++|-++|[xX]++|")
_CELL = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}+|\.++|-1|#++|-++|[xX]++")
_CELLS = re.compile(rf"(?:\s*+(?:{_CELL.pattern})(?!\S))*+\s*+")

_NARROW = re.compile(r"(?:[^\s,;|]*+[ \t]*+[,;|]?+[^\s,;|]*+[ \t]*+[,;|]?+[ \t]*+\n)*+[^\n]*+")
_NAME = re.compile(r"[A-Za-z][0-9(_]")
_LONG = 10**5

Row = list[str]


def is_no_board(text: str) -> bool:
    """Tell of a long text whether it cannot be a board, which would be slow to see by reading it.

    Such are lists with at most two words a line, and names such as ``a1`` or ``move(``.

    >>> is_no_board("0,0\\n1,2\\n" * 10**5), is_no_board("1 16 31\\n" * 10**5)
    (True, False)
    """
    if len(text) <= _LONG:
        return False
    return bool(_NARROW.fullmatch(text) or _NAME.search(without_comments(text)))


def read_grid(text: str) -> Integers:
    """Read a numbered board: its numbers as they stand, and `HOLE` and `UNNUMBERED` without one.

    Cells are separated by blanks, tabs, commas, semicolons or bars, or are those of a nested list.
    An empty cell between separators, or in an aligned grid, is a hole. Frames and labels around the
    board are left out; labels are a line of the letters a, b, c …, and a line or column that counts
    and repeats numbers of the board. Raises `UnreadableError` for anything else.

    >>> read_grid("1 4 7\\n6 # 2\\n3 8 5").tolist()
    [[1, 4, 7], [6, -1, 2], [3, 8, 5]]
    >>> read_grid("3 | 1 4 7\\n2 | 6   2\\n1 | 3 8 5\\n    a b c").tolist()
    [[1, 4, 7], [6, -1, 2], [3, 8, 5]]
    """
    lines = _rows(text)
    table = _without_labels(_cells(text, lines))
    numbers = [_numbers(row) for row in table]
    if not any(number >= 0 for row in numbers for number in row):
        raise UnreadableError(text, 0, _WANTED)
    return np.array(numbers, dtype=np.int64)


def grid_form(notation: Notation, numbers: Integers) -> Form:
    """Take the numbers as steps."""
    return numbered_form(notation, numbers, notation.first)


def numbered_form(notation: Notation, numbers: Integers, first: int) -> Form:
    """Take numbers in rows and columns as steps that count from ``first``; less is no step."""
    cells = np.subtract(numbers, first - 1, order="C")
    cells[numbers < first] = UNNUMBERED
    cells[numbers == HOLE] = HOLE
    return GridForm(notation, cells, int(np.count_nonzero(numbers == 0)))


def _rows(text: str) -> list[str]:
    """Return the lines that are rows of the board; others are emptied, so that places stay."""
    if "[" in text or "(" in text or "{" in text:
        text = _ROW_END.sub("\n", text)
    lines = text.translate(_FLUFF).split("\n")
    return ["" if _is_no_row(line) else line for line in lines]


def _is_no_row(line: str) -> bool:
    words = _SEPARATOR.sub(" ", line).split()
    if not words:
        return True
    if _FRAME_CHARACTERS.fullmatch(line) and _FRAME_MARK.search(line):
        return True
    if words[0].startswith(("%", "//")):
        return True
    if words[0].startswith("#"):  # a comment, unless it can be a row that begins with a hole
        return not all(_CELL.fullmatch(word) for word in words)
    return words[0] in ("a", "A") and all(
        word.lower() == file_letters(column) for column, word in enumerate(words)
    )


def _cells(text: str, lines: list[str]) -> list[Row]:
    """Split the rows into equally many cells each, an empty string where one is left blank."""
    rows = [line for line in lines if line]
    if not rows:
        raise UnreadableError(text, len(text), _WANTED)
    for number, line in enumerate(lines):
        words = _SEPARATOR.sub(" ", line)
        run = _CELLS.match(words)
        if run and run.end() < len(words):
            place = sum(len(above) + 1 for above in lines[:number]) + run.end()
            raise UnreadableError(text, min(place, len(text)), _WANTED)
    table = _separated(rows) or _unlabelled([_SEPARATOR.sub(" ", row).split() for row in rows])
    if table is None:
        table = _aligned([_SEPARATOR.sub(" ", row) for row in rows])
    if table is None:
        raise UnreadableError(text, len(text), "rows with equally many cells")
    return table


def _separated(rows: list[str]) -> list[Row] | None:
    """Split at separators where these hold single cells, and leave out empty outer columns."""
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
    """Leave out an unaligned line of labels above or below; None where rows differ in length."""
    width = max(map(len, table))
    for place in (0, -1):
        if len(table) > 1 and len(table[place]) in (width - 1, width - 2) and _counts(table[place]):
            table = table[1:] if place == 0 else table[:-1]
    return table if all(len(row) == width for row in table) else None


def _aligned(rows: list[str]) -> list[Row] | None:
    """Put words into the same column where they overlap; None where two words of a row do."""
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


def _without_labels(table: list[Row]) -> list[Row]:
    """Leave out lines and columns around the board that count and repeat numbers of the board."""
    for _ in range(2):
        for place in (0, -1):
            rest = table[1:] if place == 0 else table[:-1]
            if _are_labels(table[place], rest):
                table = rest
        table = [list(column) for column in zip(*table, strict=True)]
    return table


def _are_labels(words: Row, rest: list[Row]) -> bool:
    return _counts(words) and not {word for word in words if word}.isdisjoint(
        itertools.chain.from_iterable(rest)
    )


def _counts(words: Row) -> bool:
    """Tell whether the words are numbers that go up or down by one and end or begin at 0 or 1."""
    words = [word for word in words if word]
    if len(words) < 2 or (words[0] not in ("0", "1") and words[-1] not in ("0", "1")):
        return False
    if words[0] in ("0", "1"):
        return words == [str(int(words[0]) + place) for place in range(len(words))]
    return words[::-1] == [str(int(words[-1]) + place) for place in range(len(words))]


def _numbers(row: Row) -> list[int]:
    digits = "".join(row)
    if digits.isdecimal() and "" not in row:
        return list(map(int, row))
    return [_number(word) for word in row]


def _number(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return HOLE if _HOLE.fullmatch(word) else UNNUMBERED
