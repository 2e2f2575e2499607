"""How boards and squares are written: maps in any of the usual styles, sizes, names of squares.

A cell is one character, or a number. Cells are separated by bars or commas, or by blanks, or else
every character is a cell. If a map has a mark for squares, other marks and blanks are holes; if it
has none, as in a shape drawn with ``X`` and blanks, the marks are the squares.

First the `Map` and what is done with whole maps, then how the cells of a drawing are told apart and
what their marks mean, then the names of squares.
"""

from __future__ import annotations

import itertools
import re
import reprlib
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from kt_cp.files import open_input, read_text
from kt_cp.messages import InputError, join_words

SQUARE, HOLE = ".", "#"

# Other marks that stand for squares.
_SQUARE_MARKS = "_oO·□"

# Marks that stand for holes in a map that has a mark for squares, and otherwise for squares.
_FILLED_MARKS = "xX*█■"

_BLANK = " "

# What stands between cells, and the lines of a frame around them.
_BAR = "[|\u2502\u2503\u2551]"
_SEPARATOR = re.compile(f"{_BAR}|[,;]")
_OUTER_BARS = re.compile(rf"^\s*{_BAR}|{_BAR}\s*$")
_FRAME = re.compile(r"(?=.*[-=\u2500\u2501\u2550])[\s+\-=|:\u2500-\u257f]+")

# An argument of these characters is a size and not a file. Sides of more digits exceed any board
# that fits into memory.
_SIZE_CHARACTERS = frozenset("0123456789xX× ")
_SIZE = re.compile(r"\s*(\d{1,99})\s*[xX×]\s*(\d{1,99})\s*", re.ASCII)

_MAX_DIGITS = 9  # of a step
_WANTED_CELL = "'.' (a square), '#' (a hole), another mark such as 'X' or '_', or a step number"

# The names of notes: constraints on the tour, the moves of the board, and the origin of a puzzle.
_JOINED_NOTES = ("require", "forbid", "having")
CONSTRAINT_NOTES = ("kind", "start", "end", "order", "symmetry", *_JOINED_NOTES)
_PUZZLE_NOTES = ("seed", "title", "level", "grade", "effort", "solution", "unique")
NOTES = (*CONSTRAINT_NOTES, "piece", "topology", *_PUZZLE_NOTES)
_NOTE = re.compile(r"\s*;\s*([a-z]+)\s*:\s*(\S.*?)\s*")


@dataclass(frozen=True)
class Map:
    """The contents of a map: its sides, the ids of its holes, steps by square, and notes by name.

    Several lines of required moves, of forbidden moves or of bounds are joined into one note.
    ``explanation`` says how blanks, short lines, and marks but ``.`` and ``#`` were read.
    """

    rows: int
    columns: int
    holes: tuple[int, ...]
    givens: dict[int, int]
    notes: dict[str, str]
    explanation: str = ""

    @classmethod
    def of(cls, text: object) -> Map:
        """Return the map in a text; a size such as ``8x8`` stands for a map without holes."""
        if not isinstance(text, str):
            raise InputError(f"board {text!r}: give text, a size such as '8x8' or a map")
        if size := _SIZE.fullmatch(text):
            return cls(int(size[1]), int(size[2]), (), {}, {})
        has_letters = any(character.isalpha() for character in text)
        may_be_map = "\n" in text or (not has_letters and bool(set(text) & {SQUARE, HOLE}))
        if may_be_map or not text.strip():
            return cls.parse(text)
        raise InputError(
            f"board {reprlib.repr(text)}: give both sides, rows x columns, as in 8x8,"
            f" or a map of '{SQUARE}' and '{HOLE}'"
        )

    @classmethod
    def parse(cls, text: str) -> Map:
        """Return the contents of a map, whose cells are separated by blanks if it has numbers.

        Blank lines around it are ignored, and short rows are padded with holes. A line that begins
        with ``;`` is a note if a name and a colon follow, and a comment otherwise. Raises
        `InputError`, with the line, for a cell that is neither a mark nor a number, and for a note
        with an unknown name or that contradicts another.

        >>> drawn = Map.parse("1 . #\\n. 12 .\\n; kind: closed")
        >>> drawn.rows, drawn.columns, drawn.holes, drawn.givens, drawn.notes
        (2, 3, (2,), {0: 1, 4: 12}, {'kind': 'closed'})
        >>> Map.parse("X X\\nXXX").explanation
        'X is a square, a blank is a hole'
        """
        lines, notes = _split_notes(text)
        drawing = textwrap.dedent("\n".join(lines.values()))
        cells_by_row = _cells([line.rstrip() for line in drawing.split("\n")])
        meaning = _meaning(Counter(cell for cells in cells_by_row for cell in cells))
        columns = max(map(len, cells_by_row))
        is_ragged = min(map(len, cells_by_row)) < columns
        holes: list[int] = []
        givens: dict[int, int] = {}
        for row, (number, cells) in enumerate(zip(lines, cells_by_row, strict=True)):
            meant = [meaning.get(cell, cell) for cell in cells] + [HOLE] * (columns - len(cells))
            for square, cell in enumerate(meant, start=row * columns):
                if cell == HOLE:
                    holes.append(square)
                elif cell.isascii() and cell.isdecimal() and len(cell) <= _MAX_DIGITS:
                    givens[square] = int(cell)
                elif cell != SQUARE:
                    place = f"line {number}, column {square % columns + 1}"
                    raise InputError(f"{place}: {cell[:20]!r} is not {_WANTED_CELL}")
        explanation = _explanation(meaning, is_ragged)
        return cls(len(lines), columns, tuple(holes), givens, notes, explanation)


@contextmanager
def open_size_or_map(argument: str) -> Iterator[str]:
    """Yield a size such as ``8x8`` unchanged, or else the text of the file of that name.

    Errors in the block name the file.
    """
    if argument != "-" and _SIZE_CHARACTERS.issuperset(argument):
        yield argument
        return
    with open_input(argument, "a size such as 8x8 or a file that holds a map") as file:
        yield read_text(file, "a map has '.' for squares and '#' for holes")


def split_maps(text: str) -> list[str]:
    """Return the maps in a text of several maps, as ``kt puzzle --count`` writes them.

    They are separated by blank lines, or only by the notes of the one before, as in joined files;
    each has a note of its kind. Any other text is returned as one map.

    >>> split_maps("1 .\\n; kind: open\\n\\n2 .\\n; kind: open\\n3 .\\n; kind: open")
    ['1 .\\n; kind: open\\n', '2 .\\n; kind: open\\n', '3 .\\n; kind: open\\n']
    """
    maps = [""]
    is_after_note = False
    for line in text.splitlines():
        is_note = line.lstrip().startswith(";")
        if not line.strip() or (is_after_note and not is_note):
            maps.append("")
        if line.strip():
            maps[-1] += f"{line}\n"
        is_after_note = is_note
    maps = [each for each in maps if each]
    has_kinds = bool(maps) and all(re.search(r"^;\s*kind:", each, re.MULTILINE) for each in maps)
    return maps if has_kinds else [text]


def map_lines(
    mask: npt.NDArray[np.bool_], steps: npt.NDArray[np.int32], first: int = 1
) -> Iterator[str]:
    """Yield the lines of an aligned map, from arrays of rows x columns.

    ``mask`` tells where squares are, and ``steps`` holds their steps, 0 for squares without one.
    Step 1 is written as ``first``.
    """
    width = len(str(max(0, steps.max() - 1 + first)))
    for row_mask, row_steps in zip(mask.tolist(), steps.tolist(), strict=True):
        cells = list[str]()
        for is_square, step in zip(row_mask, row_steps, strict=True):
            if step:
                cells.append(str(step - 1 + first))
            else:
                cells.append(SQUARE if is_square else HOLE)
        yield " ".join(cell.rjust(width) for cell in cells)


def note_lines(notes: Mapping[str, object]) -> Iterator[str]:
    """Yield the lines that `Map.parse` reads as these notes."""
    return (f"; {name}: {note}" for name, note in notes.items())


def _split_notes(text: str) -> tuple[dict[int, str], dict[str, str]]:
    """Return the lines of a map by their numbers, without frames, and the notes by name."""
    notes: dict[str, str] = {}
    lines: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith(";"):
            _take_note(line, number, notes)
        elif line.strip():
            lines[number] = line.expandtabs()
    if not lines:
        raise InputError("the board is empty: give a size such as 8x8 or a map of '.' and '#'")
    first = min(lines)
    for number in lines:
        if number > first and number - 1 not in lines:
            raise InputError(f"line {number}: a second map begins; give one")
    lines = {number: line for number, line in lines.items() if not _FRAME.fullmatch(line)}
    if not lines:
        raise InputError(f"line {first}: this is a frame without cells")
    return lines, notes


def _take_note(line: str, number: int, notes: dict[str, str]) -> None:
    """Add the note of a line to the others, unless the line is a comment."""
    match = _NOTE.fullmatch(line)
    if match is None:
        return
    name, note = match.groups()
    if name not in NOTES:
        raise InputError(
            f"line {number}: nothing is called {name!r}: give one of {', '.join(NOTES)};"
            " a comment has no colon"
        )
    if name in _JOINED_NOTES and name in notes:
        note = f"{notes[name]} {note}"
    elif notes.get(name, note) != note:
        raise InputError(f"line {number}: above, {name} is {notes[name]}")
    notes[name] = note


# -- the cells of a drawing ------------------------------------------------------------------------


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
    """Return the cells of each line of a drawing, by the first of these rules that fits.

    - There are separators: the cells are between them, an empty text if there is nothing.
    - No line has a blank inside, or is a number: every character is a cell.
    - There is a number of several digits: a table, of words or of aligned columns.
    - There is a longer word: every character is a cell.
    - Lines have different numbers of words, and every second character is blank: the characters
      in between are the cells.
    - Otherwise every word is a cell.
    """
    if any(_SEPARATOR.search(line) for line in lines):
        bare_lines = [_OUTER_BARS.sub("", line) for line in lines]
        return [[cell.strip() for cell in _SEPARATOR.split(line)] for line in bare_lines]
    characters = [[*line] for line in lines]
    words = [line.split() for line in lines]
    if all(len(row) == 1 and not row[0].isdecimal() for row in words):
        return characters
    is_rectangular = all(len(row) == len(words[0]) for row in words)
    all_words = [word for row in words for word in row]
    if any(word.isdecimal() and len(word) > 1 for word in all_words):
        table = words if is_rectangular else _aligned(lines)
        # Marks may be as wide as numbers, as in __ 12.
        return [
            [cell if cell.isdecimal() or len({*cell}) > 1 else cell[0] for cell in row]
            for row in table
        ]
    if any(len(word) > 1 for word in all_words):
        return characters
    is_every_second_blank = all(character == _BLANK for line in lines for character in line[1::2])
    if not is_rectangular and is_every_second_blank:
        return [row[::2] for row in characters]  # some of these cells are blanks, too
    return words


def _aligned(lines: list[str]) -> list[list[str]]:
    """Return the cells of columns that are all as wide as the widest word, blanks where none is.

    If the lines have no such columns, return their words: each line begins at the left.
    """
    words = [line.split() for line in lines]
    pitch = 1 + max(len(word) for row in words for word in row)  # a column and the blank after it
    columns = [[line[i : i + pitch] for i in range(0, len(line), pitch)] for line in lines]
    for column in itertools.chain.from_iterable(columns):
        if len(column.split()) > 1 or column[pitch - 1 :].strip():
            return words  # two words in a column, or one that goes on in the next
    return [[column.strip() or _BLANK for column in row] for row in columns]


def _meaning(cells: Counter[str]) -> dict[str, str]:
    """Return for each mark in a map whether it is a square or a hole.

    Several zeros are squares without a step. Empty cells are holes if there is a mark for squares,
    and else squares. A map with neither a mark for squares nor numbers is a shape: its filled marks
    are the squares or, if there are none but blanks, its ``#``.
    """
    marks = cells.keys()
    squares = marks & {SQUARE, *_SQUARE_MARKS}
    if cells["0"] > 1:
        squares |= {"0"}
    meaning = {}
    if "" in marks:
        meaning[""] = HOLE if squares else SQUARE
    is_shape = not squares and not any(cell.isdecimal() for cell in cells)
    if is_shape:
        squares = marks & {*_FILLED_MARKS}
        if not squares and _BLANK in marks:
            squares = marks & {HOLE}
    meaning |= dict.fromkeys(marks & {HOLE, _BLANK, *_FILLED_MARKS}, HOLE)
    return meaning | dict.fromkeys(squares, SQUARE)


def _explanation(meaning: dict[str, str], is_ragged: bool) -> str:
    """Return in words how unusual marks and short lines were read."""
    parts = []
    for kind, noun in ((SQUARE, "a square"), (HOLE, "a hole")):
        unusual = sorted(mark for mark, read in meaning.items() if read == kind and mark != kind)
        shown = [{_BLANK: "a blank", "": "an empty cell"}.get(mark, mark) for mark in unusual]
        if shown:
            parts.append(f"{join_words(shown)} {'is' if len(shown) == 1 else 'are each'} {noun}")
    if is_ragged:
        parts.append("short lines are filled up with holes")
    return ", ".join(parts)


# -- names of squares ------------------------------------------------------------------------------

# A square as users write it: an id, a chess name, "row,column" or (row, column).
SquareLike = int | str | Sequence[int]
StepBySquare = Mapping[int, int] | Mapping[str, int] | Mapping[tuple[int, int], int]

# Longer numbers and names exceed any board that fits into memory.
_NUMBERS = re.compile(r"\(?\s*(\d{1,18})(?:\s*,\s*(\d{1,18}))?\s*\)?", re.ASCII)
_CHESS = re.compile(r"([a-z]{1,9})(\d{1,9})", re.ASCII)


@lru_cache(maxsize=2**16)
def file_letters(column: int) -> str:
    """Return the name of a file, counted from 0: a, b, … z, aa, …."""
    before, letter = divmod(column, 26)
    letters = chr(ord("a") + letter)
    return file_letters(before - 1) + letters if before else letters


def file_index(letters: str) -> int:
    """Return the number of a file from 0, the inverse of `file_letters`.

    >>> file_index("a"), file_index("z"), file_index("aa")
    (0, 25, 26)
    """
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1


def read_square(given: Any, rows: int, columns: int) -> tuple[int, int] | None:
    """Return the row and the column of a `SquareLike`, which may be off the board.

    Return None for anything else.

    >>> read_square("a1", 8, 8), read_square("7, 0", 8, 8), read_square(56, 8, 8)
    ((7, 0), (7, 0), (7, 0))
    """
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, str):
        word = given.strip().lower()
        if name := _CHESS.fullmatch(word):
            return rows - int(name[2]), file_index(name[1])
        if not (numbers := _NUMBERS.fullmatch(word)):
            return None
        row, column = numbers.groups()
        given = int(row) if column is None else (int(row), int(column))
    if _is_whole(given):
        return divmod(int(given), columns)
    is_pair = isinstance(given, tuple | list) and len(given) == 2 and all(map(_is_whole, given))
    return (int(given[0]), int(given[1])) if is_pair else None


def _is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is an integer, but not a bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
