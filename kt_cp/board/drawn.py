"""Read the rows of a map in any of the usual styles: other marks, blanks as holes, ragged lines.

A cell is one character, or a number. Cells are separated by blanks, or else every character is a
cell. If a map has a mark for squares, other marks and blanks are holes; if it has none, as in a
shape drawn with ``X`` and blanks, the marks are the squares.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from kt_cp.messages import join_words

SQUARE, HOLE = ".", "#"

# Other marks that stand for squares.
_SQUARE_MARKS = "_oO·□"

# Marks that stand for holes in a map that has a mark for squares, and otherwise for squares.
_FILLED_MARKS = "xX*█■"

_BLANK = " "


class DrawnRows(NamedTuple):
    """The cells of a map by row: ``.``, ``#``, or the text of any other cell.

    ``explanation`` says in words how other marks, blanks and short lines were read; it is empty for
    a map of ``.``, ``#`` and numbers only.
    """

    rows: list[list[str]]
    explanation: str


def read_rows(lines: Sequence[str]) -> DrawnRows:
    """Return the cells of the lines of a map, none of which is blank.

    Short rows are padded with holes.

    >>> drawn = read_rows(["X X", "XXX"])
    >>> drawn.rows
    [['.', '#', '.'], ['.', '.', '.']]
    >>> drawn.explanation
    'X is a square, a blank is a hole'
    """
    rows = _cells([line.rstrip() for line in textwrap.dedent("\n".join(lines)).split("\n")])
    meaning = _meaning({cell for row in rows for cell in row})
    columns = max(map(len, rows))
    explanation = _explanation(meaning, is_ragged=min(map(len, rows)) < columns)
    translated = [[meaning.get(cell, cell) for cell in row] for row in rows]
    padded = [row + [HOLE] * (columns - len(row)) for row in translated]
    return DrawnRows(padded, explanation)


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
    characters = [[*line] for line in lines]
    has_no_separators = all(len(row) == 1 and not row[0].isdecimal() for row in words)
    if has_no_separators:
        return characters
    are_words_cells = all(len(word) == 1 or word.isdecimal() for row in words for word in row)
    if not are_words_cells:
        return characters
    is_rectangular = all(len(row) == len(words[0]) for row in words)
    is_every_second_blank = all(character == _BLANK for line in lines for character in line[1::2])
    if not is_rectangular and is_every_second_blank:
        # One blank stands between any two cells, and some cells are blanks themselves: the cells
        # are the first, third, fifth … characters.
        return [row[::2] for row in characters]
    return words


def _meaning(cells: set[str]) -> dict[str, str]:
    """Return for each mark in a map whether it is a square or a hole."""
    filled = cells & {*_FILLED_MARKS}
    squares = cells & {SQUARE, *_SQUARE_MARKS}
    has_squares = bool(squares) or any(cell.isdecimal() for cell in cells)
    meaning = dict.fromkeys(squares, SQUARE) | dict.fromkeys(cells & {HOLE, _BLANK}, HOLE)
    if has_squares:
        return meaning | dict.fromkeys(filled, HOLE)
    if filled:
        return meaning | dict.fromkeys(filled, SQUARE)
    if _BLANK in cells:  # a shape of # on blanks
        meaning |= dict.fromkeys(cells & {HOLE}, SQUARE)
    return meaning


def _explanation(meaning: dict[str, str], is_ragged: bool) -> str:
    """Return in words how unusual marks and short lines were read."""
    parts = []
    for kind, noun in ((SQUARE, "a square"), (HOLE, "a hole")):
        unusual = sorted(mark for mark, read in meaning.items() if read == kind and mark != kind)
        shown = ["a blank" if mark == _BLANK else mark for mark in unusual]
        if shown:
            parts.append(f"{join_words(shown)} {'is' if len(shown) == 1 else 'are each'} {noun}")
    if is_ragged:
        parts.append("short lines are filled up with holes")
    return ", ".join(parts)
