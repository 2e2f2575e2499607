"""Rows of a map as people draw them: with other marks, blanks as holes, and lines of any length.

A cell is one character, or a number. Cells are separated by blanks, or else every character is a
cell. Where a map has a mark for squares, other marks and blanks are holes; where it has none, such
as a shape drawn with ``X`` and blanks, the marks are the squares.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from kt_cp.errors import join_words

SQUARE, HOLE = ".", "#"

# Other marks that stand for squares, and marks that stand for holes where there are squares.
_SQUARES, _HOLES = "_oO·□", "xX*█■"
_BLANK = " "


class DrawnRows(NamedTuple):
    """The cells of a map by row: ``.``, ``#``, or the text of any other cell.

    ``told`` says in words how other marks, blanks and short lines were read; it is empty for a map
    that needs no such words.
    """

    rows: list[list[str]]
    told: str


def read_rows(lines: Sequence[str]) -> DrawnRows:
    """Return the cells of the lines of a map; rows that are too short are filled up with holes.

    >>> read_rows(["X X", "XXX"])
    DrawnRows(rows=[['.', '#', '.'], ['.', '.', '.']], told='X is a square, a blank is a hole')
    """
    rows = _cells([line.rstrip() for line in textwrap.dedent("\n".join(lines)).split("\n")])
    meaning = _meaning({cell for row in rows for cell in row})
    columns = max(map(len, rows))
    told = _told(meaning, is_ragged=min(map(len, rows)) < columns)
    read = [[meaning.get(cell, cell) for cell in row] for row in rows]
    return DrawnRows([[*row, *[HOLE] * (columns - len(row))] for row in read], told)


def marked_cells(text: str) -> tuple[int, int, list[int]]:
    """Return the rows and columns of a drawing, and the ids of the cells that bear a mark.

    Every character but a blank, a dot, an underscore and ``#`` is a mark; a line that begins with
    ``;`` is a comment.

    >>> marked_cells("X.X\\n.o.")
    (2, 3, [0, 2, 4])
    """
    lines = [line.expandtabs() for line in text.splitlines() if not line.startswith(";")]
    cells = _cells([line for line in lines if line.strip()])
    columns = max(map(len, cells), default=0)
    marked = [
        row * columns + column
        for row, line in enumerate(cells)
        for column, cell in enumerate(line)
        if cell not in {SQUARE, HOLE, "_", _BLANK}
    ]
    return len(cells), columns, marked


def _cells(lines: list[str]) -> list[list[str]]:
    """Return the cells of each line: the words between blanks, or all characters."""
    words = [line.split() for line in lines]
    has_blanks = any(len(row) > 1 or row[0].isdecimal() for row in words)
    if not has_blanks:
        return [[*line] for line in lines]
    if not all(len(word) == 1 or word.isdecimal() for row in words for word in row):
        return [[*line] for line in lines]
    is_even = all(len(row) == len(words[0]) for row in words)
    spaced = all(character == _BLANK for line in lines for character in line[1::2])
    if is_even or not spaced:
        return words
    return [[*line[::2]] for line in lines]


def _meaning(cells: set[str]) -> dict[str, str]:
    """Return for each mark in a map whether it is a square or a hole."""
    marks = cells & {*_HOLES}
    squares = cells & {SQUARE, *_SQUARES}
    has_squares = squares or any(cell.isdecimal() for cell in cells)
    meaning = dict.fromkeys(squares, SQUARE) | dict.fromkeys(cells & {HOLE, _BLANK}, HOLE)
    if has_squares:
        return meaning | dict.fromkeys(marks, HOLE)
    if marks:
        return meaning | dict.fromkeys(marks, SQUARE)
    if _BLANK in cells:
        meaning |= dict.fromkeys(cells & {HOLE}, SQUARE)
    return meaning


def _told(meaning: dict[str, str], is_ragged: bool) -> str:
    """Return in words how the marks were read that are not the usual ones."""
    parts = []
    for kind, noun in ((SQUARE, "a square"), (HOLE, "a hole")):
        unusual = sorted(mark for mark, read in meaning.items() if read == kind and mark != kind)
        shown = ["a blank" if mark == _BLANK else mark for mark in unusual]
        if shown:
            parts.append(f"{join_words(shown)} {'is' if len(shown) == 1 else 'are each'} {noun}")
    if is_ragged:
        parts.append("short lines are filled up with holes")
    return ", ".join(parts)
