"""Reading a path in a given notation, or in the one that fits best."""

from __future__ import annotations

import itertools
import mmap
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import BinaryIO

import numpy as np

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.files import copy_bounded, read_bounded
from kt_cp.notation.forms import Form, Reading
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_documents import (
    MAGIC,
    Array,
    forms_of_value,
    read_json,
    read_npy,
    read_tsplib,
)
from kt_cp.notation.read_grids import read_grid
from kt_cp.notation.read_lists import (
    read_coords,
    read_facts,
    read_moves,
    read_numbers,
    read_squares,
)
from kt_cp.notation.text import (
    AS_WRITTEN,
    LONG,
    Body,
    Text,
    UnreadableError,
    decoded,
    without_heading,
)
from kt_cp.tour.paths import PathLike

_READERS: Mapping[Notation, Callable[[Text], list[Form]]] = {
    Notation.GRID: read_grid,
    Notation.IDS: read_numbers,
    Notation.SQUARES: read_squares,
    Notation.COORDS: read_coords,
    Notation.MOVES: read_moves,
    Notation.FACTS: read_facts,
    Notation.SUCCESSORS: read_numbers,
    Notation.TSPLIB: read_tsplib,
    Notation.JSON: read_json,
}

Errors = list[tuple[Notation, InputError]]

# A reading with a smaller share of legal moves fits only if no other fits better. If moves are read
# as squares, each of which comes twice, the share is one half.
_FITS = 2 / 3
_COMPARED = 1000
_MENTIONED = 3
_MOST = 2**33  # bytes of a pipe: what the largest board may need

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)


def load(file: BinaryIO) -> Text | Array:
    """Return the text of a file, or the array of a ``.npy`` file, memory-mapped if possible.

    A text of more than 64 MiB is not read before it is needed, so that the file must stay open.
    Raises `InputError` for a file that is neither text nor an array.

    >>> import io
    >>> load(io.BytesIO(b"\\xef\\xbb\\xbfa1 b3")).whole
    'a1 b3'
    """
    start = file.read(len(MAGIC))
    if start == MAGIC:
        try:
            content: bytes | mmap.mmap = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # a pipe
            content = start + read_bounded(file, _MOST)
        return read_npy(content)
    content = start + file.read(LONG)
    if len(content) <= LONG:
        return Text(decoded(content, lambda all_of_it: all_of_it.decode("utf-8-sig")))
    if file.seekable():
        return Text(file)
    copy = tempfile.TemporaryFile()  # noqa: SIM115 (it is read later, and gone when closed)
    copy.write(content)
    copy_bounded(file, copy, _MOST)
    return Text(copy)


def parse_path(
    source: str | Text | PathLike,
    board: Board | str | None = None,
    notation: Notation | str | None = None,
    closed: bool | None = None,
) -> Reading:
    """Read a path, a tour or not, from text or from a Python value.

    If a notation is given, the path must be written in it; if a board is given, the path is judged
    on it. Otherwise every notation is tried on every board that may be meant, and of the readings
    the best is returned:

    1. one that is a tour;
    2. else one at least two thirds of whose moves are legal, or if there is none, one with the
       largest share of legal moves;
    3. of these, the one with the fewest faults;
    4. of these, the first in the order of `Notation`, on the smallest rectangle around the squares
       before the smallest square board.

    Counting from 1 is tried only where there is no 0. A numbered board with a single 0 counts from
    0, one with several has squares without a number. A path is closed if a move leads from its last
    square to the first, or if it repeats the first square at the end and nowhere else; moves in no
    order are closed if they are as many as their squares. The ``notes`` of the reading name other
    readings that fit but have another verdict or other faults, and the options that choose them.

    Lines of words before the path are left out, except for a board's size and names of columns. A
    text of more than 64 MiB is read only as `write_tour` writes it, with moves in order, and in the
    first notation that fits.

    A value is a list of ids, names, pairs or rows of steps, an array of shape (n,), (n, 2) or
    (rows, columns), or a dict from square to step. The docstring of `kt_cp.notation` lists what
    each notation can express. Raises `InputError` if the path cannot be read.

    >>> reading = parse_path("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> reading.verdict, reading.read_as
    ('valid open tour of 3x4, 12 squares', 'chess names, 12 entries, board 3x4')
    >>> parse_path([(0, 0), (2, 1), (0, 2)], closed=False).verdict
    'not a tour: all 2 moves are legal; 6 squares are missing'
    """
    given = None if notation is None else Notation.parse(notation)
    the_board = None if board is None else Board.of(board)
    if isinstance(source, str):
        source = Text(source)
    try:
        return _best(source, the_board, given, closed)
    except UnreadableError as error:
        whole = source.whole if isinstance(source, Text) else None
        body = without_heading(whole) if whole else None
        if body is None or error.place >= body.start:
            raise
    return _without_heading(body, the_board, given, closed)


def _without_heading(
    body: Body, board: Board | None, given: Notation | None, closed: bool | None
) -> Reading:
    """Read what is left, on the board in the heading unless only another one makes it a tour."""
    text, reading = Text(body.text), None
    if board is None and body.board is not None:
        with suppress(InputError):
            reading = _best(text, body.board, given, closed)
    if not reading:
        other = _best(text, board, given, closed)
        reading = other if reading is None or other else reading
    return replace(reading, remarks=(*reading.remarks, f"without the heading {body.heading!r}"))


def _best(
    source: Text | PathLike, board: Board | None, given: Notation | None, closed: bool | None
) -> Reading:
    is_long = isinstance(source, Text) and source.whole is None
    errors: Errors = []
    readings: list[Reading] = []
    for form, each in _fitting(_forms(source, given, errors), board, errors):
        readings.append(form.on(each, closed))
        if is_long and readings[-1].valid:
            break
    if not readings:
        raise _unread(errors, given, is_long)
    best = min(readings, key=_rank)
    return replace(best, notes=tuple(_notes(best, readings, board, closed)))


def _forms(source: Text | PathLike, given: Notation | None, errors: Errors) -> Iterator[Form]:
    """Yield the forms in the given notation, or all plausible ones; collect errors of readers."""
    for base, read in _readers(source, given).items():
        try:
            forms = read()
        except InputError as error:
            errors.append((base, error))
            if base is Notation.JSON and not isinstance(error, UnreadableError):
                raise
            continue
        for form in forms:
            if form.plausible if given is None else form.notation is given:
                yield form
        if isinstance(source, Text) and source.whole is None:
            return


def _readers(
    source: Text | PathLike, given: Notation | None
) -> dict[Notation, Callable[[], list[Form]]]:
    if given is Notation.HCP:
        raise InputError("notation hcp holds a graph and no tour; give the tour itself, as tsplib")
    if not isinstance(source, Text):
        is_npy = given is Notation.NPY or (given is None and isinstance(source, np.ndarray))
        return {Notation.NPY: partial(forms_of_value, source, Notation.NPY if is_npy else None)}
    if given is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    start = next(source.blocks()).text.lstrip()
    if not start and source.whole is not None:
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    bases = [given.base] if given else [*_READERS]
    if given is None:
        bases.remove(Notation.SUCCESSORS)  # they are read as ids
        if not start.startswith("{"):
            bases.remove(Notation.JSON)  # arrays are read as ids, coordinates or a numbered board
    return {base: partial(_READERS[base], source) for base in bases}


def _fitting(
    forms: Iterable[Form], board: Board | None, errors: Errors
) -> list[tuple[Form, Board]]:
    """Return the forms and boards that fit; collect the errors of forms that fit no board."""
    shares: list[tuple[float, Form, Board]] = []
    for form in forms:
        try:
            shares += [(form.legal_share(each), form, each) for each in form.boards(board)]
        except InputError as error:
            errors.append((form.notation, error))
    least = min(_FITS, max((share for share, _, _ in shares), default=0))
    return [(form, each) for share, form, each in shares if share >= least]


def _unread(errors: Errors, given: Notation | None, is_long: bool) -> InputError:
    """Return the error that comes latest in the text."""
    if not errors:
        return InputError(f"notation {given}: the path is not written so")
    notation, furthest = max(reversed(errors), key=lambda error: getattr(error[1], "place", 1))
    if given is not None or not isinstance(furthest, UnreadableError):
        return furthest
    nearest = f"the nearest is {notation.words}: {furthest}" if furthest.place else None
    message = nearest or (AS_WRITTEN if is_long else _NOTATIONS)
    return UnreadableError(f"it fits no notation; {message}", furthest.place)


def _rank(reading: Reading) -> tuple[bool, int]:
    return not reading.valid, sum(reading.report.counts.values())


def _notes(
    best: Reading, readings: list[Reading], board: Board | None, closed: bool | None
) -> Iterator[str]:
    """Yield the other readings that fit and disagree, and the options that choose them."""
    rivals: dict[Notation, Reading] = {}
    for reading in sorted(readings, key=_rank):
        if reading.notation is not best.notation and not _agree(reading, best):
            rivals.setdefault(reading.notation, reading)
    for rival in itertools.islice(rivals.values(), _MENTIONED):
        yield f"--notation {rival.notation} would read: {rival.verdict}"
    if board is None:
        same = [each for each in readings if each.notation is best.notation and each is not best]
        tours = [each for each in same if each.valid]
        for rival in (tours if best.valid else same)[:1]:
            yield f"--board {rival.board.size} would read: {rival.verdict}"
    if closed is None and best.closed and best.remarks and not best.valid:
        yield "--open would not take the first square at the end as the return to it"


def _agree(one: Reading, other: Reading) -> bool:
    """Return whether two readings have the same verdict and the same faults, as far as compared."""
    faults = (itertools.islice(each.iter_faults(), _COMPARED) for each in (one, other))
    ones, others = (sorted(fault.message for fault in each) for each in faults)
    return one.verdict == other.verdict and ones == others
