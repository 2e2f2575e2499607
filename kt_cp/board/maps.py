"""Maps of boards: ``.`` a square, ``#`` a hole, a number the step at which a square is visited.

A line that begins with ``;`` is a note, such as ``; kind: closed``, or a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board.drawn import HOLE, SQUARE, read_rows
from kt_cp.messages import InputError

_MAX_DIGITS = 9

# The names of notes: constraints on the tour, the moves of the board, and the origin of a puzzle.
_JOINED_NOTES = ("require", "forbid", "having")
CONSTRAINTS = ("kind", "start", "end", "order", "symmetry", *_JOINED_NOTES)
_PUZZLE_NOTES = ("seed", "title", "level", "grade", "effort", "solution", "unique")
NOTES = (*CONSTRAINTS, "piece", "topology", *_PUZZLE_NOTES)
_NOTE = re.compile(r"\s*;\s*([a-z]+)\s*:\s*(\S.*?)\s*")


@dataclass(frozen=True)
class Map:
    """The contents of a map: its sides, the ids of its holes, steps by square, and notes by name.

    ``explanation`` says how a map was read that is not drawn with dots and ``#`` (see `read_rows`).
    Several lines of required moves, of forbidden moves or of bounds are joined into one note.
    """

    rows: int
    columns: int
    holes: tuple[int, ...]
    givens: dict[int, int]
    notes: dict[str, str]
    explanation: str = ""

    @classmethod
    def parse(cls, text: str) -> Map:
        """Return the contents of a map, whose cells are separated by blanks if it has numbers.

        Blank lines around it are ignored. A line that begins with ``;`` is a note if a name and a
        colon follow, and a comment otherwise. Other marks are read as by `read_rows`. Raises
        `InputError`, with the line, for a cell that is neither a mark nor a number, and for a note
        with an unknown name or that contradicts another.

        >>> drawn = Map.parse("1 . #\\n. 12 .\\n; kind: closed")
        >>> drawn.rows, drawn.columns, drawn.holes, drawn.givens, drawn.notes
        (2, 3, (2,), {0: 1, 4: 12}, {'kind': 'closed'})
        """
        notes: dict[str, str] = {}
        numbered_lines = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.lstrip().startswith(";"):
                _take_note(line, number, notes)
            elif line.strip():
                numbered_lines.append((number, line.expandtabs()))
        if not numbered_lines:
            raise InputError("the board is empty: give a size such as 8x8 or a map of '.' and '#'")
        return _map_of_lines(numbered_lines, notes)


def split_maps(text: str) -> list[str]:
    """Return the maps in a text of several maps, as ``kt puzzle --count`` writes them.

    They are separated by blank lines, and each has a note of its kind. Any other text is returned
    as one map.

    >>> split_maps("1 .\\n; kind: open\\n\\n2 .\\n; kind: open")
    ['1 .\\n; kind: open', '2 .\\n; kind: open']
    """
    maps = re.split(r"\n\s*\n", text.strip("\r\n"))
    has_kinds = all(re.search(r"^;\s*kind:", each, re.MULTILINE) for each in maps)
    return maps if has_kinds else [text]


def _map_of_lines(numbered_lines: list[tuple[int, str]], notes: dict[str, str]) -> Map:
    """Return the map of numbered lines and notes."""
    first, _ = numbered_lines[0]
    for row, (number, _) in enumerate(numbered_lines):
        if number != first + row:
            raise InputError(f"line {number}: a second map begins; give one")
    rows, explanation = read_rows([line for _, line in numbered_lines])
    columns = len(rows[0])
    holes: list[int] = []
    givens: dict[int, int] = {}
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            square = row * columns + column
            if cell == HOLE:
                holes.append(square)
            elif cell != SQUARE:
                givens[square] = _step(cell, f"line {first + row}, column {column + 1}")
    return Map(len(rows), columns, tuple(holes), givens, notes, explanation)


def _step(cell: str, place: str) -> int:
    """Return the step number in a cell. Raises `InputError`, with its place, for anything else."""
    if cell.isascii() and cell.isdecimal() and len(cell) <= _MAX_DIGITS:
        return int(cell)
    wanted = "'.' (a square), '#' (a hole), another mark such as 'X' or '_', or a step number"
    raise InputError(f"{place}: {cell[:20]!r} is not {wanted}")


def _take_note(line: str, number: int, notes: dict[str, str]) -> None:
    """Add the note of a line to the others, unless the line is a comment."""
    match = _NOTE.fullmatch(line)
    if match is None:
        return
    name, note = match.groups()
    if name not in NOTES:
        wanted = f"give one of {', '.join(NOTES)}; a comment has no colon"
        raise InputError(f"line {number}: nothing is called {name!r}: {wanted}")
    if name in _JOINED_NOTES and name in notes:
        note = f"{notes[name]} {note}"
    elif notes.get(name, note) != note:
        raise InputError(f"line {number}: above, {name} is {notes[name]}")
    notes[name] = note


def note_lines(notes: Mapping[str, object]) -> Iterator[str]:
    """Yield the lines that `Map.parse` reads as these notes."""
    return (f"; {name}: {note}" for name, note in notes.items())


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
