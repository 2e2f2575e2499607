"""Read a path in a given notation, or in the one that fits best."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import Board, Topology, graph_of
from kt_cp.board.pieces import Piece
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import InputError, checked_choice, checked_flag, escape_unprintable
from kt_cp.notation.answers import (
    arcs_in_solution,
    names_in_formula,
    refuse_no_answer,
    refuse_problem,
    tour_of_assignment,
    without_depot,
    without_separators,
)
from kt_cp.notation.best_reading import (
    Errors,
    Known,
    choose_reading,
    forms_on_boards,
    latest_error,
)
from kt_cp.notation.documents import graph_in_document, parse_document
from kt_cp.notation.forms import Form
from kt_cp.notation.headings import squares_in_prose, without_heading
from kt_cp.notation.markup import plain_text
from kt_cp.notation.notations import NO_ID, Notation
from kt_cp.notation.read_names import names_by_step, read_graph_path
from kt_cp.notation.read_values import forms_of_value, listed_path
from kt_cp.notation.reading import Reading
from kt_cp.notation.text import UnreadableError, clean, says_closed
from kt_cp.tour.validator import PathLike, PathReport, Wording, as_ids, validate_ids

# The notations in which `validate` reads a value: it does not guess whether ids count from 1, or
# whether the column comes first.
_LITERAL = {Notation.IDS, Notation.SQUARES, Notation.COORDS, *Notation.GRID.variants}

_GRAPH = re.compile(r"^[ \t]*+EDGE_DATA_SECTION\b", re.MULTILINE)


def validate(
    board: GraphLike,
    path: PathLike,
    closed: bool = False,
    *,
    partial: bool = False,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> PathReport:
    """Return a report on whether a path is a tour of a board or, if ``partial``, of a part of it.

    The path can be an iterable of squares as `Board.vertex` reads them (ids, names such as a1,
    (row, column) pairs), an array of shape (n,) or (n, 2), a numbered board (an array or nested
    lists of the board's shape), or a mapping from square to step; of a graph, a list of its
    vertices or a mapping from vertex to step. A numbered board counts from 0 if a single square has
    0; other numbers below 1 mark squares without a step. If the path can be read in two ways, the
    one with fewer faults is chosen, and a note of the report mentions the other. Raises
    `InputError` for anything else.

    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    >>> report.faults[0].message
    "step 7 to 8: 2 (c3) to 0 (a3) is not a knight's move"
    """
    graph, closed = graph_of(board, piece, topology), checked_flag("closed", closed)
    report = _validate_on(graph, path, closed)
    return replace(report, allows_partial=checked_flag("partial", partial))


def _validate_on(graph: Graph, path: PathLike, closed: bool) -> PathReport:
    """Return a report on a path that must visit all vertices of a graph."""
    if not isinstance(graph, Board):
        return _validate_names(graph, path, closed)
    if not hasattr(path, "__array__") and not isinstance(path, Mapping):
        path = listed_path(path, most=2 * graph.area + 1000)
    ids = as_ids(path)
    if ids is not None:
        return validate_ids(graph, ids, closed)
    try:
        forms = [form for form in forms_of_value(path) if form.notation in _LITERAL]
    except InputError:
        if isinstance(path, Mapping):
            raise
        return _validate_each(graph, path, closed)
    return _validate_forms(graph, forms, closed)


def _validate_names(graph: Graph, path: PathLike, closed: bool) -> PathReport:
    """Return a report on a list of vertices of a graph without places, or on their steps."""
    listed = names_by_step(path) if isinstance(path, Mapping) else path
    vertices, names = graph.read_path(listed)
    report = validate_ids(graph, vertices, closed)
    return replace(
        report, wording=Wording(entry=lambda place: escape_unprintable(str(names[place])))
    )


def _validate_each(board: Board, path: PathLike, closed: bool) -> PathReport:
    """Return a report on a list of squares, each of which may be written in a different way."""
    entries = path.tolist() if isinstance(path, np.ndarray) else [*path]
    ids = []
    for number, entry in enumerate(entries, start=1):
        square = board.locate(entry, f"entry {number}")
        ids.append(NO_ID if square is None else square)
    report = validate_ids(board, np.array(ids, dtype=np.int64), closed)
    return replace(report, wording=Wording(entry=lambda place: str(entries[place])))


def _validate_forms(board: Board, forms: list[Form], closed: bool) -> PathReport:
    """Return the report with the fewest faults on the forms that a value may have.

    Its notes name the other reports.
    """
    errors: Errors = []
    fitting = [form for form, _ in forms_on_boards(forms, Known(board, None, closed), errors)]
    if not fitting:
        raise latest_error(errors, None)
    reports = [(form.path_report(board, closed), form.notation.description) for form in fitting]
    reports.sort(key=lambda each: sum(each[0].counts.values()))
    (best, words), *others = reports
    notes = (f"read as {words}; as {other}: {report.verdict}" for report, other in others)
    return replace(best, notes=tuple(notes))


def parse_path(
    source: str | PathLike,
    board: GraphLike | None = None,
    notation: Notation | str | None = None,
    closed: bool | None = None,
    *,
    partial: bool = False,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> Reading:
    """Return the reading of a path, which need not be a tour, from text or from a Python value.

    A value is a list of ids, names, pairs or rows of steps, an array of shape (n,), (n, 2) or
    (rows, columns), or a dict from square to step. If a notation is given, the path must be written
    in it; if a board is given, the path is judged on it. Otherwise every notation is tried on every
    board that may be meant, and the best reading is returned:

    1. a reading that is a tour;
    2. else, of the readings in which at least two thirds of the moves are legal (or, if there are
       none, of those with the largest share), the one with the fewest faults, or the first of these
       in the order of `Notation`.

    The ``notes`` of the reading name others that fit but have another verdict or other faults, and
    the options that choose them. With ``partial``, the path may leave squares out. Raises
    `InputError` if the path cannot be read.

    >>> reading = parse_path("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> reading.verdict, reading.read_as
    ('valid open tour of 3x4, 12 squares', 'chess names, 12 entries, board 3x4')
    """
    given = None if notation is None else checked_choice("notation", notation, Notation)
    graph = None if board is None else graph_of(board, piece, topology)
    allows_partial = checked_flag("partial", partial)
    if isinstance(source, str) and _GRAPH.search(source):
        wanted = "give a path, and the graph as --board FILE --graph hcp"
        raise InputError(f"this is a TSPLIB graph, not a path; {wanted}")
    if graph is None:
        graph = _stated_graph(source)
    if graph is not None and not isinstance(graph, Board):
        return read_graph_path(source, graph, given, closed, allows_partial)
    known = Known(graph, given, closed, allows_partial=allows_partial)
    return _read_on_board(source, known)


def _stated_graph(source: Any) -> Graph | None:
    """Return the graph without places that JSON output states beside its tour, or None."""
    if isinstance(source, str):
        if not source.lstrip().startswith("{") or '"graph"' not in source:
            return None
        source = parse_document(source)
    if not isinstance(source, Mapping) or not source.keys() & {"tour", "path"}:
        return None
    return graph_in_document(source) if "graph" in source else None


def _read_on_board(source: str | PathLike, known: Known) -> Reading:
    """Return the reading of a path on a board, which may be unknown."""
    if not isinstance(source, str):
        return choose_reading(source, known)
    text = clean(source)
    refuse_no_answer(text)
    refuse_problem(text)
    known = known.with_notes(text)
    if known.notation is None:
        answer = _read_assignment(text, known) or _read_arcs(text, known)
        if answer is not None:
            return answer
    return _read_words(without_separators(text), known)


def _read_assignment(text: str, known: Known) -> Reading | None:
    """Return the reading of the values that a SAT solver prints, or None if there are none."""
    numbers = tour_of_assignment(text, None if known.board is None else len(known.board))
    if numbers is None:
        return None
    names = names_in_formula(text)
    if known.board is None and len(names) == len(numbers):
        squares = " ".join(names[number - 1] for number in numbers)
        reading = choose_reading(squares, replace(known, notation=Notation.SQUARES))
    else:
        listed = "\n".join(map(str, numbers))
        tour = f"TOUR_SECTION\n{listed}\n-1\n"
        reading = choose_reading(tour, replace(known, notation=Notation.TSPLIB))
    return _with_remark(reading, "from the values of a SAT solver")


def _read_arcs(text: str, known: Known) -> Reading | None:
    """Return the reading of a solution of an integer program, or of arcs with those of the depot.

    The depot joins the end of an open tour to its start. Return None for other texts.
    """
    solution = arcs_in_solution(text)
    if solution:
        text = " ".join(f"{source}>{target}" for source, target in solution)
    moves, ends = without_depot(text)
    if not ends:
        if not solution:
            return None
        return choose_reading(moves, replace(known, notation=Notation.MOVES))
    known = replace(known, closed=bool(known.closed))
    if moves.strip():
        reading = choose_reading(plain_text(moves), replace(known, notation=Notation.MOVES))
    else:  # the tour of a single square
        reading = choose_reading(ends[0], replace(known, notation=Notation.SQUARES))
    return _with_remark(reading, "without the arcs of the depot")


def _read_words(text: str, known: Known) -> Reading:
    """Return the reading of a text, as a closed tour if it says so and no kind is given."""
    is_json = text.lstrip().startswith("{")
    claims_closed = known.closed is None and says_closed(text) and not is_json
    plain = plain_text(text)
    if not claims_closed:
        return _read_plain(plain, known)
    reading = _read_plain(plain, replace(known, says_closed=True))
    if reading.valid:
        return reading
    as_open = _read_plain(plain, replace(known, closed=False))
    note = f"the text says that the tour is closed; --open would read: {as_open.verdict}"
    return replace(reading, notes=(*reading.notes, note))


def _read_plain(text: str, known: Known) -> Reading:
    """Return the reading of a text, or of it without heading, or of squares in its sentences."""
    try:
        return choose_reading(text, known)
    except UnreadableError as error:
        if known.notation is Notation.JSON:  # JSON has no heading
            raise
        unread = error
    body = without_heading(text)
    if body is not None:
        known_from_heading = known
        if known.board is None:
            known_from_heading = replace(known, heading_sides=body.sides)
        try:
            reading = choose_reading(plain_text(body.text), known_from_heading)
            return _with_remark(reading, f"without the heading {body.heading!r}")
        except UnreadableError as error:
            unread = error
    squares = squares_in_prose(text)
    if known.notation is not None or not squares:
        raise unread
    reading = choose_reading(" ".join(squares), replace(known, notation=Notation.SQUARES))
    return _with_remark(reading, "the squares named in sentences, whose other words are left out")


def _with_remark(reading: Reading, remark: str) -> Reading:
    """Return a reading with one more remark."""
    return replace(reading, remarks=(*reading.remarks, remark))
