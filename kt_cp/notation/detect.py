"""Reading a path in a given notation, or in the one that fits best."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from kt_cp.board import Board, Topology, graph_of
from kt_cp.board.piece import Piece
from kt_cp.errors import InputError, checked_choice, checked_flag, pluralize, printable
from kt_cp.graph import GraphLike
from kt_cp.notation.answers import (
    names_in_formula,
    refuse_formula,
    refuse_no_answer,
    tour_of_assignment,
    without_depot,
    without_separators,
)
from kt_cp.notation.forms import Form
from kt_cp.notation.notations import NO_ID, Notation
from kt_cp.notation.read_names import read_graph_path
from kt_cp.notation.read_values import forms_of_value, listed_path, read_json
from kt_cp.notation.readers import readers
from kt_cp.notation.reading import Reading
from kt_cp.notation.text import (
    NOTE,
    UnreadableError,
    clean,
    plain_text,
    says_closed,
    squares_in_prose,
    without_heading,
)
from kt_cp.tour.validator import FaultKind, PathLike, PathReport, Wording, as_ids, validate_ids

# What `validate` reads a value as; it does not guess from what is counted, or the order of a pair.
_LITERAL = {Notation.IDS, Notation.SQUARES, Notation.COORDS, *Notation.GRID.ways}
Errors = list[tuple[Notation, InputError]]

# A reading with a smaller share of legal moves fits only if no other fits better. Of moves that are
# read as squares it is one half.
_FITS = 2 / 3
_COMPARED = 1000
_JSON = re.compile(r"\s*+(?:\{|\[\s*+\{)")  # other arrays are read as ids, pairs or a board
_GRAPH = re.compile(r"^[ \t]*+EDGE_DATA_SECTION\b", re.MULTILINE)
_MENTIONED = 3

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)


def validate(
    board: GraphLike,
    path: PathLike,
    closed: bool = False,
    *,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> PathReport:
    """Return a report on whether a path is a tour of a board.

    The path can be an iterable of squares as `Board.vertex` takes them (ids, names such as a1,
    (row, column) pairs), an array of shape (n,) or (n, 2), a numbered board (an array or nested
    lists of the board's shape), or a mapping from square to step; of a graph, a list of its
    vertices. A numbered board counts from 0 if a single square has 0; other numbers below 1 mark
    squares without a step. If the path can be read in two ways, the one with fewer faults is
    chosen, and a note of the report mentions the other. Raises `InputError` for anything else.

    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    >>> report.faults[0].message
    "step 7 to 8: 2 (c3) to 0 (a3) is not a knight's move"
    """
    board, closed = graph_of(board, piece, topology), checked_flag("closed", closed)
    if not isinstance(board, Board):
        vertices, names = board.read_path(path)
        report = validate_ids(board, vertices, closed)
        wording = Wording(entry=lambda place: printable(str(names[place])))
        return replace(report, wording=wording)
    if not hasattr(path, "__array__") and not isinstance(path, Mapping):
        path = listed_path(path, most=2 * board.area + 1000)
    if (ids := as_ids(path)) is not None:
        return validate_ids(board, ids, closed)
    try:
        forms = [form for form in forms_of_value(path) if form.notation in _LITERAL]
    except InputError:
        if isinstance(path, Mapping):
            raise
        # Squares each of which may be written in another way; masked ones are None.
        entries = path.tolist() if isinstance(path, np.ndarray) else [*path]
        found = [board.locate(item, f"entry {place}") for place, item in enumerate(entries, 1)]
        ids = np.array([NO_ID if square is None else square for square in found], dtype=np.int64)
        wording = Wording(entry=lambda place: str(entries[place]))
        return replace(validate_ids(board, ids, closed), wording=wording)
    errors: Errors = []
    forms = [form for form, _ in _fitting(forms, _Asked(board, None, closed), errors)]
    if not forms:
        raise _unread(errors, None)
    reports = [(form.path_report(board, closed), form.notation.description) for form in forms]
    (best, words), *others = sorted(reports, key=lambda each: sum(each[0].counts.values()))
    notes = (f"read as {words}; as {other}: {report.verdict}" for report, other in others)
    return replace(best, notes=tuple(notes))


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

    A value is a list of ids, names, pairs or rows of steps, an array of shape (n,), (n, 2) or
    (rows, columns), or a dict from square to step. If a notation is given, the path must be written
    in it; if a board is given, the path is judged on it. Otherwise every notation is tried on every
    board that may be meant. The best reading is one that is a tour; else one at least two thirds of
    whose moves are legal, or if there is none, one with the largest share of legal moves; of these,
    the one with the fewest faults; of these, the first in the order of `Notation`. The ``notes`` of
    the reading name others that fit but have another verdict or other faults, and the options that
    choose them. Raises `InputError` if the path cannot be read.

    >>> reading = parse_path("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> reading.verdict, reading.read_as
    ('valid open tour of 3x4, 12 squares', 'chess names, 12 entries, board 3x4')
    """
    if isinstance(source, str) and _GRAPH.search(source):
        wanted = "give a path, and the graph as --board FILE --graph hcp"
        raise InputError(f"this is a TSPLIB graph, not a path; {wanted}")
    given = None if notation is None else checked_choice("notation", notation, Notation)
    graph = None if board is None else graph_of(board, piece, topology)
    if graph is not None and not isinstance(graph, Board):
        return read_graph_path(source, graph, given, closed)
    asked = _Asked(graph, given, closed)
    if not isinstance(source, str):
        return _best(source, asked)
    text = clean(source)
    asked = asked.with_told(text)
    refuse_no_answer(text)
    refuse_formula(text)
    if given is None and (answer := _read_answer(text, asked)) is not None:
        return answer
    text = without_separators(text)
    claims_closed = closed is None and says_closed(text) and not text.startswith("{")
    text, asked = plain_text(text), replace(asked, closed=True if claims_closed else closed)
    reading = _read_text(text, asked)
    if claims_closed and not reading:
        as_open = _read_text(text, replace(asked, closed=False))
        note = f"the text says that the tour is closed; --open would read: {as_open.verdict}"
        reading = replace(reading, notes=(*reading.notes, note))
    return reading


@dataclass(frozen=True)
class _Asked:
    """What is known of a path before it is read; ``moves`` are the piece and topology.

    ``headed`` are the sides of the board in a heading, which may name the columns first.
    """

    board: Board | None
    notation: Notation | None
    closed: bool | None
    moves: Mapping[str, str] = field(default_factory=dict)
    headed: tuple[int, int] | None = None

    def with_told(self, text: str) -> _Asked:
        """Return what is known from the lines of a text that tell the board, too.

        Raises `InputError` for a board with another piece or topology.
        """
        moves = dict(NOTE.findall(text))
        size = moves.pop("board", None)
        if not moves:
            return self
        asked = replace(self, moves=moves)
        board = asked.with_moves(self.board or Board.parse(size or "1x1"))
        if self.board is None:
            return replace(asked, board=board if size else None)
        if board != self.board:
            told = " ".join(f"--{name} {move}" for name, move in moves.items())
            raise InputError(f"the text is about another board; give {told} beside --board")
        return asked

    def with_moves(self, board: Board) -> Board:
        """Return a board with the piece and topology that the text tells."""
        return Board(board.rows, board.columns, board.holes, **self.moves) if self.moves else board


def _read_answer(text: str, asked: _Asked) -> Reading | None:
    """Read the values of a SAT solver, or arcs of which some are the depot's, or return None."""
    numbers = tour_of_assignment(text, None if asked.board is None else len(asked.board))
    if numbers is not None:
        remark = "from the values of a SAT solver"
        if asked.board is None and len(names := names_in_formula(text)) == len(numbers):
            squares = " ".join(names[number - 1] for number in numbers)
            reading = _best(squares, replace(asked, notation=Notation.SQUARES))
        else:
            listed = "\n".join(map(str, numbers))
            tour = f"TOUR_SECTION\n{listed}\n-1\n"
            reading = _best(tour, replace(asked, notation=Notation.TSPLIB))
        return replace(reading, remarks=(*reading.remarks, remark))
    moves, ends = without_depot(text)
    if not ends:
        return None
    asked = replace(asked, notation=Notation.MOVES, closed=bool(asked.closed))
    if not moves.strip():  # the tour of a single square
        moves, asked = ends[0], replace(asked, notation=Notation.SQUARES)
    reading = _best(plain_text(moves), asked)
    return replace(reading, remarks=(*reading.remarks, "without the arcs of the depot"))


def _read_text(text: str, asked: _Asked) -> Reading:
    """Read a text, without its heading, or from the squares in its sentences, if need be."""
    try:
        return _best(text, asked)
    except UnreadableError as error:
        if asked.notation is Notation.JSON:  # which has no heading
            raise
        unread = error
    if (body := without_heading(text)) is not None:
        rest, heading, sides = body
        known = replace(asked, headed=sides) if asked.board is None else asked
        try:
            reading = _best(plain_text(rest), known)
            return replace(reading, remarks=(*reading.remarks, f"without the heading {heading!r}"))
        except UnreadableError as error:
            unread = error
    if asked.notation is not None or not (squares := squares_in_prose(text)):
        raise unread
    reading = _best(" ".join(squares), replace(asked, notation=Notation.SQUARES))
    remark = "the squares named in sentences, whose other words are left out"
    return replace(reading, remarks=(*reading.remarks, remark))


def _best(source: str | PathLike, asked: _Asked) -> Reading:
    """Return the best of all readings, with notes on the others."""
    errors: Errors = []
    tried = [*_fitting(_forms(source, asked.notation, errors), asked, errors)]
    if not tried:
        raise _unread(errors, asked.notation)
    shares = [form.legal_share(board) for form, board in tried]
    least = min(_FITS, max(shares))
    readings = [
        form.on(board, asked.closed)
        for (form, board), share in zip(tried, shares, strict=True)
        if share >= least
    ]
    readings.sort(key=lambda reading: (reading.board.rows, reading.board.columns) != asked.headed)
    readings.sort(key=lambda reading: (not reading.valid, sum(reading.counts.values())))
    best, notes = readings[0], [*_rivals(readings, asked)]
    if best.naming is None and asked.board is None and FaultKind.MISSING in best.counts:
        cells = pluralize(len(best.board) - best.entries, "cell has", "cells have")
        notes.append(f"{cells} no number; mark holes by '#', or give the board (--board)")
    if asked.headed and sorted(asked.headed) != sorted((best.board.rows, best.board.columns)):
        notes.append("the heading says {}x{}".format(*asked.headed))
    return replace(best, notes=tuple(notes))


def _forms(source: str | PathLike, given: Notation | None, errors: Errors) -> Iterator[Form]:
    """Yield what the readers return, and collect their errors."""
    if not isinstance(source, str):
        is_npy = isinstance(source, np.ndarray) and given in (None, Notation.NPY)
        yield from forms_of_value(source, Notation.NPY if is_npy else None)
        return
    if given is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    if not source.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    found = readers(source)
    if given is Notation.JSON or (given is None and _JSON.match(source)):
        found[Notation.JSON] = partial(read_json, source)
    if given is not None:
        found = {given: found.get(given.base, found[Notation.IDS])}
    for base, read in found.items():
        try:
            yield from read()
        except InputError as error:
            errors.append((base, error))
            if base is Notation.JSON and not isinstance(error, UnreadableError):
                raise


def _fitting(forms: Iterable[Form], asked: _Asked, errors: Errors) -> Iterator[tuple[Form, Board]]:
    """Yield forms in the given notation, or plausible ones, with the boards that may be meant."""
    for form in forms:
        if asked.notation is None:
            wanted = form.is_plausible(asked.board, unusual=bool(asked.moves))
        else:
            wanted = form.notation is asked.notation
        try:
            boards = form.boards(asked.board, asked.headed) if wanted else []
        except InputError as error:
            errors.append((form.notation, error))
        else:
            yield from ((form, asked.with_moves(board)) for board in boards)


def _unread(errors: Errors, given: Notation | None) -> InputError:
    """Return the error that comes latest in the text."""
    if not errors:
        return InputError(f"notation {given}: the path is not written so")
    notation, furthest = max(reversed(errors), key=lambda error: getattr(error[1], "place", 1))
    if given is not None or not isinstance(furthest, UnreadableError):
        return furthest
    words = notation.description.partition(" from ")[0]
    message = f"the nearest is {words}: {furthest}" if furthest.place else _NOTATIONS
    return UnreadableError(f"it fits no notation; {message}", furthest.place)


def _rivals(readings: list[Reading], asked: _Asked) -> Iterator[str]:
    """Yield the readings that disagree with the first, and the options that choose them."""
    best, *others = readings
    rivals: dict[Notation, Reading] = {}
    for each in others:
        elsewhere = asked.headed is not None and each.board != best.board
        if each.notation is not best.notation and not elsewhere and _faults(each) != _faults(best):
            rivals.setdefault(each.notation, each)
    for rival in itertools.islice(rivals.values(), _MENTIONED):
        yield f"--notation {rival.notation} would read: {rival.verdict}"
    same = [each for each in others if each.notation is best.notation and each.valid >= best.valid]
    for rival in same[: asked.board is None and asked.headed is None]:
        yield f"--board {rival.board.size} would read: {rival.verdict}"


def _faults(reading: Reading) -> tuple[str, list[str]]:
    """Return the verdict, and the faults as far as they are compared."""
    faults = itertools.islice(reading.iter_faults(), _COMPARED)
    return reading.verdict, sorted(fault.message for fault in faults)
