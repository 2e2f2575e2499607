"""Reading a path in a given notation, or in the one that fits best."""

from __future__ import annotations

import itertools
import json
import mmap
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, BinaryIO

import numpy as np

from kt_cp.board import Board, Topology, graph_of
from kt_cp.board.piece import Piece
from kt_cp.board.square_names import locate
from kt_cp.errors import InputError, checked_flag, printable
from kt_cp.files import read_bounded
from kt_cp.graph import Graph, GraphLike
from kt_cp.notation.forms import Form, GridForm, Reading
from kt_cp.notation.notations import Notation
from kt_cp.notation.read_documents import (
    MAGIC,
    Array,
    forms_of_value,
    listed_path,
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
    MAX_TEXT,
    TOO_LONG,
    Body,
    UnreadableError,
    clean,
    plain_text,
    says_closed,
    squares_in_prose,
    told_board,
    without_heading,
)
from kt_cp.tour.validator import FaultKind, PathLike, Report, as_ids, validate_ids

_READERS: Mapping[Notation, Callable[[str], list[Form]]] = {
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

# What `validate` reads a value as; it does not guess from what is counted, or the order of a pair.
_LITERAL = (
    *(Notation.IDS, Notation.SQUARES, Notation.COORDS),
    *(Notation.GRID, Notation.GRID_FROM_0),
)

Errors = list[tuple[Notation, InputError]]

# A reading with a smaller share of legal moves fits only if no other fits better. If moves are read
# as squares, each of which comes twice, the share is one half.
_FITS = 2 / 3
_COMPARED = 1000
_RECORDS = re.compile(r"\[\s*+\{")  # JSON; other arrays are read as ids, pairs or a board
_MENTIONED = 3
_MOST = 2**33  # bytes of a pipe: what the largest board may need

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)


def load(file: BinaryIO) -> str | Array:
    """Return the text of a file, or the array of a ``.npy`` file, memory-mapped if possible.

    Raises `InputError` for a file that is neither text nor an array, and for too long a text.

    >>> import io
    >>> load(io.BytesIO(b"\\xef\\xbb\\xbfa1 b3"))
    'a1 b3'
    """
    start = file.read(len(MAGIC))
    if start == MAGIC:
        try:
            content: bytes | mmap.mmap = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # a pipe
            content = start + read_bounded(file, _MOST)
        return read_npy(content)
    text = start + file.read(MAX_TEXT + 1)
    if len(text) > MAX_TEXT:
        raise InputError(TOO_LONG)
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InputError(f"line {line} is not UTF-8 text; save the path as UTF-8") from None


def validate(
    board: GraphLike,
    path: PathLike,
    closed: bool = False,
    *,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> Report:
    """Return a report on whether a path is a tour of a board.

    The path can be an iterable of squares as `parse_square` takes them (ids, names such as a1,
    (row, column) pairs), an array of shape (n,) or (n, 2), a numbered board (an array or nested
    lists of the board's shape), or a mapping from square to step. A numbered board counts from 0 if
    a single square has 0; other numbers below 1 mark squares without a step. If the path can be
    read in two ways, the one with fewer faults is chosen, and a note of the report mentions the
    other. Raises `InputError` for anything else, such as text, which `parse_path` reads.

    A square off the board or a hole is a fault by itself; moves to and from a hole are judged,
    moves to and from a square off the board are not. On a numbered board with gaps or repeated
    numbers, and in a mapping of such steps, moves are judged between consecutive steps that occur
    once. Of a graph that is no board the path is a list of its vertices.

    >>> validate("3x4", ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
    <valid open tour of 3x4, 12 squares>
    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    >>> for fault in report.faults:
    ...     print(fault.message)
    step 7 to 8: 2 (c3) to 0 (a3) is not a knight's move
    step 8: square 0 (a3) was visited before, at step 1
    step 9: square 9 is off the board; 3x3 has ids 0 to 8, files a to c and ranks 1 to 3
    square 7 (b1) is not visited
    """
    board, closed = graph_of(board, piece, topology), checked_flag("closed", closed)
    if not isinstance(board, Board):
        vertices, names = board.read_path(path)
        report = validate_ids(board, vertices, closed)
        return replace(report, entry=lambda place: printable(str(names[place])))
    if not hasattr(path, "__array__") and not isinstance(path, Mapping):
        path = listed_path(path, most=2 * board.area + 1000)
    if (ids := as_ids(path)) is not None:
        return validate_ids(board, ids, closed)
    try:
        forms = [form for form in forms_of_value(path) if form.notation in _LITERAL]
    except InputError:
        if isinstance(path, Mapping):
            raise
        return _validate_entries(board, path, closed)
    forms = [form for form in forms if form.is_plausible(board) and form.fits(board)] or forms[:1]
    for form in forms:
        form.boards(board)  # raises an error if the path fits in no way
    reports = [(form.report(board, closed), form.notation.description) for form in forms]
    reports.sort(key=lambda each: sum(each[0].counts.values()))
    (best, words), *others = reports
    notes = (f"read as {words}; as {other}: {report.verdict}" for report, other in others)
    return replace(best, notes=tuple(notes))


def _validate_entries(board: Board, path: PathLike, closed: bool) -> Report:
    """Validate squares each of which may be written in another way."""
    entries = path.tolist() if isinstance(path, np.ndarray) else [*path]  # masked ones are None
    found = (locate(board, item, f"entry {place}") for place, item in enumerate(entries, start=1))
    ids = np.array([-1 if square is None else square for square in found], dtype=np.int64)
    report = validate_ids(board, ids, closed)
    return replace(report, entry=lambda place: str(entries[place]))


def parse_path(
    source: str | PathLike,
    board: GraphLike | None = None,
    notation: Notation | str | None = None,
    closed: bool | None = None,
    *,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
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

    Lines of words before and after the path are left out, except for a board's size, names of
    columns, a claim that the tour is closed, and lines that tell the piece and topology. If nothing
    else can be read, the squares that are named in sentences are.

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
    graph = None if board is None else graph_of(board, piece, topology)
    if graph is not None and not isinstance(graph, Board):
        return _read_names(source, graph, closed)
    asked = _Asked(graph, given, closed)
    if not isinstance(source, str):
        return _best(source, asked)
    asked = asked.with_told(clean(source))
    claims_closed = asked.closed is None and says_closed(source) and not source.startswith("{")
    if claims_closed:
        asked = replace(asked, closed=True)
    reading = _read_text(plain_text(source), asked)
    if claims_closed and not reading:
        as_open = _read_text(plain_text(source), replace(asked, closed=False))
        note = f"the text says that the tour is closed; --open would read: {as_open.verdict}"
        reading = replace(reading, notes=(*reading.notes, note))
    return reading


@dataclass(frozen=True)
class _Asked:
    """What is known of a path before it is read; ``moves`` are the piece and topology."""

    board: Board | None
    notation: Notation | None
    closed: bool | None
    moves: Mapping[str, str] = field(default_factory=dict)

    def with_told(self, text: str) -> _Asked:
        """Return what is known from the lines of a text that tell the board, too.

        Raises `InputError` for a board with another piece or topology.
        """
        moves = told_board(text)
        size = moves.pop("board", None)
        if not moves:
            return self
        board = Board.of(size) if size and self.board is None else self.board
        asked = replace(self, moves=moves)
        asked.with_moves(Board(1, 1))  # raises an error for an unknown piece or topology
        if self.board is not None and asked.with_moves(self.board) != self.board:
            told = " ".join(f"--{name} {move}" for name, move in moves.items())
            raise InputError(f"the text is about another board; give {told} beside --board")
        return replace(asked, board=board and asked.with_moves(board))

    def with_moves(self, board: Board) -> Board:
        """Return a board with the piece and topology that the text tells."""
        if not self.moves:
            return board
        return Board(board.rows, board.columns, board.holes, **self.moves)


def _read_text(text: str, asked: _Asked) -> Reading:
    """Read a text, without its heading, or from the squares in its sentences, if need be."""
    try:
        return _best(text, asked)
    except UnreadableError as error:
        body = without_heading(text)
        if body is not None and not body.start <= error.place < body.end:
            try:
                return _without_heading(body, asked)
            except UnreadableError as later:
                error = later
        squares = squares_in_prose(text) if asked.notation is None else []
        if not squares:
            raise error from None
        remark = "the squares named in sentences, whose other words are left out"
        reading = _best(" ".join(squares), replace(asked, notation=Notation.SQUARES))
        return replace(reading, remarks=(*reading.remarks, remark))


def _read_names(source: str | PathLike, graph: Graph, closed: bool | None) -> Reading:
    """Read the names of a graph's vertices: in lines, in words, in JSON, or as Python values."""
    names: Any = source
    if isinstance(source, str):
        lines = [line.strip() for line in source.splitlines() if line.strip()]
        names = lines if all(map(graph.has_name, lines)) else source.split()
        if source.lstrip()[:1] in ("{", "["):
            try:
                names = json.loads(source)
            except ValueError as error:
                raise InputError(f"no JSON: {error}") from None
            if isinstance(names, dict):
                closed = names.get("closed", False) if closed is None else closed
                names = names.get("tour")
    report = validate(graph, names, closed or False)
    if closed is None and not report.valid:
        other = validate(graph, names, closed=True)
        report = other if other.valid else report
    return Reading(report, Notation.SQUARES, len(report.path))


def _without_heading(body: Body, asked: _Asked) -> Reading:
    """Read what is left, on the board in the heading unless this only names the columns first."""
    text, reading = plain_text(body.text), None
    if asked.board is None and body.board is not None:
        with suppress(InputError):
            reading = _best(text, replace(asked, board=asked.with_moves(body.board)))
    if not reading:
        other = _best(text, asked)
        sides = {other.board.rows, other.board.columns}
        is_drawn = other.notation.base is Notation.GRID
        if body.board is None or sides == {body.board.rows, body.board.columns}:
            reading = other if other or reading is None else reading
        elif reading is None or (other and is_drawn):
            note = f"the heading says {body.board.size}"
            reading = replace(other, notes=(*other.notes, note))
    remark = f"without the heading {body.heading!r}"
    return replace(reading, remarks=(*reading.remarks, remark))


def _best(source: str | PathLike, asked: _Asked) -> Reading:
    errors: Errors = []
    fitting = _fitting(_forms(source, asked, errors), asked, errors)
    if not fitting:
        raise _unread(errors, asked.notation)
    readings = [form.on(board, asked.closed) for form, board in fitting]
    best = min(readings, key=_rank)
    form = fitting[readings.index(best)][0]
    notes = [*_notes(best, readings, asked)]
    misses = FaultKind.MISSING in best.report.counts
    if isinstance(form, GridForm) and asked.board is None and misses:
        notes.append(form.hint())
    return replace(best, notes=tuple(notes))


def _forms(source: str | PathLike, asked: _Asked, errors: Errors) -> Iterator[Form]:
    """Yield the forms in the given notation, or all plausible ones; collect errors of readers."""
    for base, read in _readers(source, asked.notation).items():
        try:
            forms = read()
        except InputError as error:
            errors.append((base, error))
            if base is Notation.JSON and not isinstance(error, UnreadableError):
                raise
            continue
        for form in forms:
            if asked.notation is None:
                if asked.moves or form.is_plausible(asked.board):
                    yield form
            elif form.notation is asked.notation:
                yield form


def _readers(
    source: str | PathLike, given: Notation | None
) -> dict[Notation, Callable[[], list[Form]]]:
    if not isinstance(source, str):
        is_npy = given is Notation.NPY or (given is None and isinstance(source, np.ndarray))
        return {Notation.NPY: partial(forms_of_value, source, Notation.NPY if is_npy else None)}
    if given is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    start = source.lstrip()
    if not start:
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    bases = [given.base] if given else [*_READERS]
    if given is None:
        bases.remove(Notation.SUCCESSORS)  # they are read as ids
        if not start.startswith("{") and not _RECORDS.match(start):
            bases.remove(Notation.JSON)  # arrays are read as ids, coordinates or a numbered board
    if given is Notation.JSON:
        return {given: partial(read_json, source, strict=True)}
    return {base: partial(_READERS[base], source) for base in bases}


def _fitting(forms: Iterable[Form], asked: _Asked, errors: Errors) -> list[tuple[Form, Board]]:
    """Return the forms and boards that fit; collect the errors of forms that fit no board."""
    shares: list[tuple[float, Form, Board]] = []
    for form in forms:
        try:
            boards = [asked.with_moves(board) for board in form.boards(asked.board)]
            shares += [(form.legal_share(board), form, board) for board in boards]
        except InputError as error:
            errors.append((form.notation, error))
    least = min(_FITS, max((share for share, _, _ in shares), default=0))
    return [(form, board) for share, form, board in shares if share >= least]


def _unread(errors: Errors, given: Notation | None) -> InputError:
    """Return the error that comes latest in the text."""
    if not errors:
        return InputError(f"notation {given}: the path is not written so")
    notation, furthest = max(reversed(errors), key=lambda error: getattr(error[1], "place", 1))
    if given is not None or not isinstance(furthest, UnreadableError):
        return furthest
    nearest = f"the nearest is {notation.words}: {furthest}" if furthest.place else None
    message = nearest or _NOTATIONS
    return UnreadableError(f"it fits no notation; {message}", furthest.place)


def _rank(reading: Reading) -> tuple[bool, int]:
    return not reading.valid, sum(reading.report.counts.values())


def _notes(best: Reading, readings: list[Reading], asked: _Asked) -> Iterator[str]:
    """Yield the other readings that fit and disagree, and the options that choose them."""
    rivals: dict[Notation, Reading] = {}
    for reading in sorted(readings, key=_rank):
        if reading.notation is not best.notation and not _agree(reading, best):
            rivals.setdefault(reading.notation, reading)
    for rival in itertools.islice(rivals.values(), _MENTIONED):
        yield f"--notation {rival.notation} would read: {rival.verdict}"
    if asked.board is None:
        same = [each for each in readings if each.notation is best.notation and each is not best]
        tours = [each for each in same if each.valid]
        for rival in (tours if best.valid else same)[:1]:
            yield f"--board {rival.board.size} would read: {rival.verdict}"
    if asked.closed is None and best.closed and best.remarks and not best.valid:
        yield "--open would not take the first square at the end as the return to it"


def _agree(one: Reading, other: Reading) -> bool:
    """Return whether two readings have the same verdict and the same faults, as far as compared."""
    faults = (itertools.islice(each.iter_faults(), _COMPARED) for each in (one, other))
    ones, others = (sorted(fault.message for fault in each) for each in faults)
    return one.verdict == other.verdict and ones == others
