"""Reading texts of many millions of squares, as ``kt solve`` writes them, in little memory.

Each block is checked by one regular expression and its numbers are read by NumPy: a tenth of a
microsecond a number. The numbers are int32; what does not fit is refused, as it is no square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError
from kt_cp.notation.forms import HOLE, UNNUMBERED, Form, PathForm
from kt_cp.notation.long_text import BLOCK, LongText
from kt_cp.notation.names import Notation
from kt_cp.notation.naming import naming
from kt_cp.notation.read_coords import Pairs
from kt_cp.notation.read_grid import grid_form
from kt_cp.notation.read_json import Document, read_json
from kt_cp.notation.read_tsplib import TourFile, read_tsplib
from kt_cp.notation.text import UnreadableError, clean

Numbers = npt.NDArray[np.int32]

_NUMBER = rb"-?+(?:1\d{9}|\d{1,9}+)"  # below 2 * 10**9, hence int32
_NAME = rb"[a-z]{1,6}\d{1,9}"
_TO_BLANKS = bytes(byte if byte in b"-0123456789" else ord(" ") for byte in range(256))


def _items(item: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\s*+(?:%b\s++)*+" % item)


_IDS = _items(_NUMBER)
_PAIRS = _items(b"%b,%b" % (_NUMBER, _NUMBER))
_FACTS = _items(rb"move\(%b,%b,%b,%b\)\." % ((_NUMBER,) * 4))
_NAMES = _items(_NAME)
_MOVES = _items(b"%b-%b" % (_NAME, _NAME))
_CELLS = _items(rb"(?:1\d{9}|\d{1,9}+|-1|#|\.)")
_ARRAY = re.compile(rb"\s*+(?:%b\s*+(?:,\s*+|\Z))*+" % _NUMBER)

_ROW_END = -9
_FEWEST_COLUMNS = 3  # of a board that has a tour; two numbers a line are something else

_SECTION = re.compile(rb"(?im)^[ \t]*+TOUR_SECTION[ \t]*+:?+[ \t]*+\r?$")
_EOF = b"EOF"
_TOUR = re.compile(rb'"tour"\s*+:\s*+\[')


def read_long_numbers(text: LongText) -> Numbers:
    """Read whole numbers with blanks or line ends between. Raises `UnreadableError` otherwise."""
    return _gathered(map(_numbers, _blocks(text, _IDS, "a whole number, as in 4 7 0 11")))


def read_long_coords(text: LongText) -> Pairs:
    """Read pairs such as ``0,0``. Raises `UnreadableError` for anything else."""
    blocks = _blocks(text, _PAIRS, "a pair of whole numbers, as in 0,0 2,1")
    return Pairs(_gathered(map(_numbers, blocks)).reshape(-1, 2), "{},{}")


def read_long_squares(text: LongText) -> Numbers:
    """Read chess names as rows of file from 0 and rank from 1.

    Raises `UnreadableError` for anything else.
    """
    blocks = _blocks(text, _NAMES, "a chess name, as in a1 b3 c5")
    return _gathered(map(_files_and_ranks, blocks)).reshape(-1, 2)


def read_long_moves(text: LongText) -> Numbers:
    """Read moves such as ``a1-b3`` as the path that they make: rows of file and rank.

    Raises `UnreadableError` for anything else, and `InputError` for moves in no order.
    """
    blocks = _blocks(text, _MOVES, "a move, as in a1-b3 b3-c5")
    return _gathered(_joined(map(_files_and_ranks, blocks))).reshape(-1, 2)


def read_long_facts(text: LongText) -> Numbers:
    """Read facts such as ``move(1,1,2,3).`` as the path that they make: rows of two numbers.

    Raises `UnreadableError` for anything else, and `InputError` for moves in no order.
    """
    blocks = _blocks(text, _FACTS, "a fact, as in move(1,1,2,3).")
    rows = (_numbers(block).reshape(-1, 2) for block in blocks)
    return _gathered(_joined(rows)).reshape(-1, 2)


def read_long_grid(text: LongText) -> Numbers:
    """Read a numbered board: steps, ``#`` for a hole and ``.`` for a square without a number.

    Raises `UnreadableError` for anything else, and `InputError` for rows that are not equally long.
    """
    parts = map(_cells, _blocks(text, _CELLS, "a step, '#' for a hole or '.'"))
    cells = _gathered(parts)
    ends = np.flatnonzero(cells == _ROW_END)
    columns = int(ends[0])
    if columns < _FEWEST_COLUMNS:
        raise text.error(text.start, "a row of a numbered board")
    wrong = np.flatnonzero(np.diff(ends, prepend=-1) != columns + 1)
    if len(wrong):
        line = int(wrong[0])
        found = int(ends[line] - ends[line - 1]) - 1
        raise InputError(f"line {line + 1}: {found} cells, where line 1 has {columns}")
    return cells.reshape(-1, columns + 1)[:, :-1]


def read_long_tsplib(text: LongText) -> TourFile:
    """Read a ``.tour`` file, its one tour as `read_tsplib` does."""
    head = text.read(text.start, text.start + BLOCK)
    section = _SECTION.search(head)
    if section is None:
        raise text.error(text.start, "a TSPLIB file with a line TOUR_SECTION")
    header = clean(_decoded(text, text.start, text.start + section.end()))
    dimension = read_tsplib(f"{header}\n1\n").dimension
    start = text.start + section.end()
    ended = text.read(text.stop - len(_EOF), text.stop).upper() == _EOF
    stop = text.stop - len(_EOF) * ended
    wanted = "a square's number from 1, or -1 at the end"
    numbers = _gathered(map(_numbers, _blocks(text, _IDS, wanted, start, stop)))
    if numbers[-1] == -1:
        numbers = numbers[:-1]
    if not len(numbers):
        raise text.error(stop, "the numbers of the squares")
    if (numbers == -1).any():
        raise text.error(start, "one tour: -1 comes once, at the end")
    return TourFile(numbers, dimension)


def read_long_json(text: LongText) -> Document:
    """Read the object that ``kt solve`` writes, with one long array of ids."""
    head = text.read(text.start, text.start + BLOCK)
    tour = _TOUR.search(head)
    if tour is None:
        raise text.error(text.start, 'a JSON object with "tour"')
    start = text.start + tour.end()
    stop = text.find(b"]", start)
    numbers = _gathered(map(_numbers, _blocks(text, _ARRAY, "an id", start, stop, b",")))
    # What is left is short and read as JSON, with an array of one id: 1 and the last digit.
    last = text.read(max(start, stop - BLOCK), stop).rstrip()[-1:]
    before = _decoded(text, text.start, start) + "1" + last.decode("ascii", "replace")
    after = _decoded(text, stop, min(stop + BLOCK, text.stop))
    try:
        document = read_json(before + after)
    except UnreadableError as error:
        skipped = stop - start - 2 if error.place >= len(before) else 0
        raise text.error(text.start + error.place + skipped, "JSON") from None
    return document._replace(numbers=numbers)


def path_form(notation: Notation, numbers: Numbers) -> Form:
    """Take the squares that moves pass through as squares in visiting order."""
    return PathForm(notation, naming(notation), numbers)


def long_grid_form(notation: Notation, cells: Numbers) -> Form:
    """Take the cells as steps; a single row is no board but a list."""
    if len(cells) == 1:
        raise InputError("a single row of numbers: tell the notation if it is a list, such as ids")
    return grid_form(notation, cells)


def _blocks(
    text: LongText,
    items: re.Pattern[bytes],
    wanted: str,
    start: int | None = None,
    stop: int | None = None,
    ends: bytes = b"\n ",
) -> Iterator[bytes]:
    """Yield the blocks of a text that is nothing but items, and has at least one."""
    start = text.start if start is None else start
    stop = text.stop if stop is None else stop
    empty = True
    for begin, block in text.blocks(start, stop, ends):
        run = items.match(block)
        end = run.end() if run else 0
        if end < len(block):
            raise text.error(begin + end, wanted)
        if not block.isspace():
            empty = False
            yield block
    if empty:
        raise text.error(stop, wanted)


def _numbers(block: bytes) -> Numbers:
    """Return the numbers in a block whatever else stands between them."""
    return np.fromstring(block.translate(_TO_BLANKS), dtype=np.int32, sep=" ")


def _cells(block: bytes) -> Numbers:
    """Return the cells of rows, and `_ROW_END` for each line end."""
    for mark, number in ((b"#", HOLE), (b".", UNNUMBERED), (b"\n", _ROW_END)):
        block = block.replace(mark, b" %d " % number)
    return _numbers(block)


def _files_and_ranks(block: bytes) -> Numbers:
    """Return the chess names in a block as rows of file from 0 and rank from 1."""
    codes = np.frombuffer(block, dtype=np.uint8)
    letters = codes >= ord("a")
    places = np.flatnonzero(letters & ~np.roll(letters, 1))  # a block ends with a blank
    files = np.zeros(len(places), dtype=np.int32)
    names = np.arange(len(places))
    while len(names):
        files[names] = 26 * files[names] + codes[places[names]] - (ord("a") - 1)
        places[names] += 1
        names = names[letters[places[names]]]
    return np.stack([files - 1, _numbers(block.replace(b"-", b" "))], axis=1)


def _joined(parts: Iterable[Numbers]) -> Iterator[Numbers]:
    """Yield the squares that moves pass through, rows of from and to in turn."""
    end, moves = None, 0
    for rows in parts:
        if end is None:
            end = rows[:1]
            yield end
        rows = np.concatenate([end, rows])
        apart = np.flatnonzero((rows[:-1:2] != rows[1::2]).any(axis=1))
        if len(apart):
            raise InputError(
                f"move {moves + int(apart[0]) + 1} does not begin where the one before has ended; "
                "so many moves are read only in order"
            )
        moves += len(rows) // 2
        end = rows[-1:]
        yield rows[2::2]


def _gathered(parts: Iterable[Numbers]) -> Numbers:
    """Join arrays, one at a time in memory beside the result, into one of one dimension."""
    numbers = bytearray()
    for part in parts:
        numbers += part.tobytes()
    return np.frombuffer(numbers, dtype=np.int32)


def _decoded(text: LongText, start: int, stop: int) -> str:
    try:
        return text.read(start, stop).decode()
    except UnicodeDecodeError as error:
        raise text.error(start + error.start, "UTF-8 text") from None
