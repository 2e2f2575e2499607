"""Reading a path from text: told how, or finding out."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.notation.forms import Form
from kt_cp.notation.long_text import AS_WRITTEN, LONG, LongText
from kt_cp.notation.names import Notation
from kt_cp.notation.read_coords import Pairs, coords_form
from kt_cp.notation.read_grid import grid_form, is_no_board
from kt_cp.notation.read_npy import Array, array_form, as_integers
from kt_cp.notation.readers import LONG_READERS, READERS
from kt_cp.notation.reading import Reading
from kt_cp.notation.text import UnreadableError, clean

# A reading with a smaller share of legal moves fits only where no other fits better. Moves read as
# squares, each of which comes twice, have one half.
_FITS = 2 / 3
_COMPARED = 1000
_MENTIONED = 3

_NO_NOTATION = (
    "it fits no notation: give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)


def parse_path(
    source: str | LongText | Array,
    board: Board | None = None,
    notation: Notation | str | None = None,
    closed: bool | None = None,
) -> Reading:
    """Read a path from text, or from an array as a ``.npy`` file holds it, valid or not.

    A text of more than 64 MiB is read only as `kt_cp.notation.write_tour` writes it, and moves only
    in order. If its notation is not told, those are tried that look like its first lines, and the
    first reading that is a tour is taken without notes on others.

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
    'not a tour: 6 squares missing'
    """
    if isinstance(source, str) and len(source) > LONG:
        source = LongText(io.BytesIO(source.encode()))
    errors: list[InputError] = []
    if notation is not None:
        forms = iter([_told(source, _named(notation))])
    else:
        forms = _forms(source, errors)
    readings: list[Reading] = []
    for form, each in _fitting(forms, board, errors):
        readings.append(form.on(each, closed))
        if isinstance(source, LongText) and readings[-1].valid:
            break
    best = min(readings, key=_rank)
    return replace(best, notes=tuple(_notes(best, readings, board, closed)))


def _fitting(
    forms: Iterator[Form], board: Board | None, errors: list[InputError]
) -> list[tuple[Form, Board]]:
    """Put forms on boards and keep those that fit. Raises the error that came furthest if none."""
    shares: list[tuple[float, Form, Board]] = []
    for form in forms:
        try:
            shares += [(form.legal_share(each), form, each) for each in form.boards(board)]
        except InputError as error:
            errors.append(error)
    if not shares:
        furthest = max(errors, key=lambda error: getattr(error, "place", 1))
        raise furthest if getattr(furthest, "place", 1) else InputError(_NO_NOTATION)
    least = min(_FITS, max(share for share, _, _ in shares))
    return [(form, each) for share, form, each in shares if share >= least]


def _named(notation: Notation | str) -> Notation:
    try:
        notation = Notation(notation)
    except ValueError:
        raise InputError(f"notation {notation!r}: give one of {', '.join(Notation)}") from None
    if notation is Notation.HCP:
        raise InputError("notation hcp holds a graph and no tour; give the tour itself, as tsplib")
    return notation


def _told(source: str | LongText | Array, notation: Notation) -> Form:
    if isinstance(source, str | LongText):
        if notation is Notation.NPY:
            raise InputError("notation npy: this is text, not a NumPy file")
        if isinstance(source, str):
            reader = READERS[notation.base]
            return reader.form(notation, reader.read(clean(source)))
        long_reader = LONG_READERS[notation.base]
        return long_reader.form(notation, long_reader.read(source))
    form = _array_form(source, notation)
    if form is None:
        raise InputError(f"notation {notation}: not to be read from an array of {source.ndim}-D")
    return form


def _forms(source: str | LongText | Array, errors: list[InputError]) -> Iterator[Form]:
    if isinstance(source, str):
        yield from _text_forms(clean(source), errors)
        return
    if isinstance(source, LongText):
        yield from _long_forms(source, errors)
        return
    for notation in Notation:
        form = _array_form(source, notation)
        if form is not None and notation not in (Notation.IDS, Notation.GRID) and form.plausible:
            yield form


def _text_forms(text: str, errors: list[InputError]) -> Iterator[Form]:
    if not text.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    read: dict[Callable[[str], Any], Any] = {}
    for base, reader in READERS.items():
        if base is Notation.JSON and not text.lstrip().startswith("{"):
            continue  # arrays are read as ids, coordinates or a numbered board
        if base is Notation.GRID and is_no_board(text):
            continue
        try:
            if reader.read not in read:
                read[reader.read] = reader.read(text)
        except InputError as error:
            errors.append(error)
            if base is Notation.JSON and not isinstance(error, UnreadableError):
                raise
            continue
        for notation in Notation:
            if notation.base is base:
                form = reader.form(notation, read[reader.read])
                if form.plausible:
                    yield form


def _long_forms(text: LongText, errors: list[InputError]) -> Iterator[Form]:
    head = text.head()
    is_object = head.read(head.start, head.stop).lstrip().startswith(b"{")
    for reader in LONG_READERS.values():
        try:
            if not is_object:  # an object does not end in the head
                reader.read(head)
            parts = reader.read(text)
        except InputError as error:
            errors.append(error)
            continue
        for notation in Notation:
            alike = LONG_READERS.get(notation.base)
            if alike is not None and alike.read is reader.read:
                form = alike.form(notation, parts)
                if form.plausible:
                    yield form
        return
    errors.append(InputError(f"it fits no notation; {AS_WRITTEN}"))


def _array_form(array: Array, notation: Notation) -> Form | None:
    """Read an array in a notation; None where that makes no sense for its shape."""
    if notation is Notation.NPY:
        return array_form(notation, array)
    base, numbers = notation.base, as_integers(array)
    if base in (Notation.IDS, Notation.SUCCESSORS) and array.ndim == 1:
        return READERS[base].form(notation, numbers)
    if base is Notation.GRID and array.ndim == 2:
        return grid_form(notation, numbers)
    if base is Notation.COORDS and array.ndim == 2 and array.shape[1] == 2:
        return coords_form(notation, Pairs(numbers, "{},{}"))
    return None


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
