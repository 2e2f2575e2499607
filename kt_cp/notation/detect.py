"""Reading a path: in the notation told, or in the one that fits best."""

from __future__ import annotations

import itertools
import mmap
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.files import copy_bounded, read_bounded
from kt_cp.notation.forms import Form
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_documents import (
    MAGIC,
    Array,
    as_integers,
    forms_of_array,
    read_json,
    read_npy,
    read_tsplib,
)
from kt_cp.notation.read_grid import read_grid
from kt_cp.notation.read_lists import (
    read_coords,
    read_facts,
    read_moves,
    read_numbers,
    read_squares,
)
from kt_cp.notation.reading import Reading
from kt_cp.notation.text import AS_WRITTEN, LONG, Text, UnreadableError, decoded

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

# A reading with a smaller share of legal moves fits only where no other fits better. Moves read as
# squares, each of which comes twice, have one half.
_FITS = 2 / 3
_COMPARED = 1000
_MENTIONED = 3
_MOST = 2**33  # bytes of a pipe: what the largest board may need

_NOTATIONS = (
    ": give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)


def load(file: BinaryIO) -> Text | Array:
    """Return the text of a file, or the array of a ``.npy`` file, memory-mapped where that can be.

    The file is read from its beginning; a text of more than 64 MiB only later, so that the file
    must stay open. Raises `InputError` for what is neither text nor an array.

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
    source: str | Text | Array,
    board: Board | None = None,
    notation: Notation | str | None = None,
    closed: bool | None = None,
) -> Reading:
    """Read a path from text, or from an array as a ``.npy`` file holds it, valid or not.

    A text of more than 64 MiB is read only as `kt_cp.notation.write_tour` writes it, and moves only
    in order; the first notation in which it can be read is taken.

    A notation that is told is read strictly, and so is a board. Otherwise every notation is tried
    on every board that may be meant, and of the readings

    1. one that is a tour wins;
    2. then one at least two thirds of whose moves are legal, or where there is none, one with the
       largest share of legal moves;
    3. then the one with the fewest faults;
    4. then the first in the order of `Notation`, on the first of its boards: the rectangle around
       the squares before the smallest square.

    Counting from 1 is tried only where there is no 0. A numbered board with a single 0 counts from
    0, one with several has squares without a number. A path is closed if its last square is a move
    from the first, or the first comes again at the end and nowhere else; moves are of a closed tour
    if there are as many as squares. The ``notes`` of the reading name other readings that fit and
    differ in their verdict or in what they call wrong, and what to tell to get them.

    What each notation can carry, and what it loses, stands in the docstring of `kt_cp.notation`.

    Raises `InputError` where the text cannot be read.

    >>> reading = parse_path("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> reading.verdict, reading.read_as
    ('valid open tour of 3x4, 12 squares', 'chess names, 12 entries, board 3x4')
    >>> parse_path("0,0 2,1 0,2", closed=False).verdict
    'not a tour: all 2 moves are legal; 6 squares are missing'
    """
    if isinstance(source, str):
        source = Text(source)
    is_long = isinstance(source, Text) and source.whole is None
    errors: list[InputError] = []
    forms: Iterable[Form] = (
        _forms(source, errors) if notation is None else _told(source, Notation.parse(notation))
    )
    readings: list[Reading] = []
    for form, each in _fitting(forms, board, errors):
        readings.append(form.on(each, closed))
        if is_long and readings[-1].valid:
            break
    if not readings:
        raise _furthest(errors, is_long)
    best = min(readings, key=_rank)
    return replace(best, notes=tuple(_notes(best, readings, board, closed)))


def _told(source: Text | Array, notation: Notation) -> list[Form]:
    if notation is Notation.HCP:
        raise InputError("notation hcp holds a graph and no tour; give the tour itself, as tsplib")
    if isinstance(source, Text):
        if notation is Notation.NPY:
            raise InputError("notation npy: this is text, not a NumPy file")
        forms = _READERS[notation.base](source)
    else:
        numbers = as_integers(source)
        forms = [*forms_of_array(numbers, Notation.NPY), *forms_of_array(numbers)]
    told = [form for form in forms if form.notation is notation]
    if not told:
        raise InputError(f"notation {notation}: an array of this shape holds something else")
    return told


def _forms(source: Text | Array, errors: list[InputError]) -> Iterator[Form]:
    """Yield the forms that make sense, and keep the errors of readers that fail."""
    if not isinstance(source, Text):
        forms = forms_of_array(as_integers(source), Notation.NPY)
        yield from (form for form in forms if form.plausible)
        return
    start = next(source.blocks()).text.lstrip()
    if not start and source.whole is not None:
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    for base, read in _READERS.items():
        if base is Notation.SUCCESSORS or (base is Notation.JSON and not start.startswith("{")):
            continue  # they are read as ids; arrays are, or as coordinates or a numbered board
        try:
            forms = read(source)
        except InputError as error:
            errors.append(error)
            if base is Notation.JSON and not isinstance(error, UnreadableError):
                raise
            continue
        yield from (form for form in forms if form.plausible)
        if source.whole is None:
            return


def _fitting(
    forms: Iterable[Form], board: Board | None, errors: list[InputError]
) -> list[tuple[Form, Board]]:
    """Put forms on boards and return those that fit; keep the errors of those that are on none."""
    shares: list[tuple[float, Form, Board]] = []
    for form in forms:
        try:
            shares += [(form.legal_share(each), form, each) for each in form.boards(board)]
        except InputError as error:
            errors.append(error)
    least = min(_FITS, max((share for share, _, _ in shares), default=0))
    return [(form, each) for share, form, each in shares if share >= least]


def _furthest(errors: list[InputError], is_long: bool) -> InputError:
    """Return the error that came furthest into the text."""
    furthest = max(reversed(errors), key=lambda error: getattr(error, "place", 1))
    if getattr(furthest, "place", 1):
        return furthest
    return InputError(f"it fits no notation{f'; {AS_WRITTEN}' if is_long else _NOTATIONS}")


def _rank(reading: Reading) -> tuple[bool, int]:
    return not reading.valid, sum(reading.report.counts.values())


def _notes(
    best: Reading, readings: list[Reading], board: Board | None, closed: bool | None
) -> Iterator[str]:
    """Say which other readings fit, and what decides; nothing where all agree."""
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
    """Tell whether two readings have the same verdict and call the same things wrong."""
    return one.verdict == other.verdict and _complaints(one) == _complaints(other)


def _complaints(reading: Reading) -> list[str]:
    """Return the faults with a step, and the squares missing as the notation writes them."""
    faults = itertools.islice(reading.iter_faults(), _COMPARED)
    return sorted(fault.message for fault in faults)
