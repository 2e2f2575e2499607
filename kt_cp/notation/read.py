"""Read a path from text or a value: `validate` judges it on a board, `parse_path` finds out more.

A value and a text come as forms (from `values`, `formats` and `forms`), among which `choice` takes
the one that is meant.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import Board, Piece, Topology, as_board, graph_of
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import InputError, checked_choice, checked_flag, escape_unprintable, pluralize
from kt_cp.notation.choice import FEW_SQUARES, SMALL_BOARD, Known, Sides, choose_reading
from kt_cp.notation.formats import arcs_in_solution, forms_with_grammar, refuse_other_texts
from kt_cp.notation.forms import forms_of_text, unusual_forms_of_text
from kt_cp.notation.notations import (
    NOTE,
    Notation,
    Reading,
    board_of_notes,
    reading_of,
    repeats_first,
)
from kt_cp.notation.tokens import Kind, Tokens, UnreadableError, clean, unreadable, without_markup
from kt_cp.notation.values import (
    form_of_vertices,
    forms_of_value,
    graph_in_document,
    listed_path,
    parse_document,
    path_in,
    vertices_by_step,
)
from kt_cp.tour.validator import PathLike, Report, as_ids, validate_ids, validate_listed

# The notations in which `validate` reads a value: it does not guess whether ids count from 1, or
# whether the column comes first.
_LITERAL = {Notation.IDS, Notation.SQUARES, Notation.COORDS, *Notation.GRID.variants}
# The notations in which a path of a graph is read.
_OF_GRAPHS = (Notation.SQUARES, Notation.MOVES, Notation.FACTS, Notation.TSPLIB, Notation.JSON)

_FIELDS = {"tour", "path", "status"}  # of an object with a path, or without one
_LONG_HEAD = 10**4  # characters, in which names of axes are looked for
_MAX_AXES = 9  # names of axes that are looked at
_MAX_PATHS = 1000  # in one text
_MAX_HEADINGS = 3  # that may recur between paths
_LINE_ENDS = re.compile(r"\r\n?")
_LONG_TEXT = 10**5  # characters, in which digits within words are not looked for

# What the words of a text say about the path.
_NOTE_LINE = re.compile(r"^[ \t]*;.*[A-Za-z]{2}.*$", re.MULTILINE)
_SIDES = re.compile(
    r"(?<![\w.,])(\d{1,9})(?:\s*\u00d7\s*|x|\s+(?:x|by)\s+)(\d{1,9})(?![\w.])", re.IGNORECASE
)
_CLOSED = re.compile(
    r"\b(?:closed|re-?entrant|hamiltonian\s(?:cycle|circuit))\b(?!\s*[\"'(=])", re.IGNORECASE
)
_NOT_CLOSED = re.compile(r"\b(?:cannot|never|no(?!\.)|non|not|open|or|un)\b|n't\b", re.IGNORECASE)
_AXIS = re.compile(r"\b(?:x|y|col(?:umn)?s?|rows?)\b", re.IGNORECASE)
_LEFT_OUT = re.compile(r"(?<=\d)[\s,]*(\.\.\.)[\s,]*\d")


def validate(
    board: GraphLike,
    path: PathLike,
    closed: bool = False,
    *,
    partial: bool = False,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> Report:
    """Return a report on whether a path is a tour of a board or, if ``partial``, of a part of it.

    The path can be an iterable of squares as `Board.vertex` reads them (ids, names such as a1,
    (row, column) pairs), an array of shape (n,) or (n, 2), a numbered board (an array or nested
    lists of the board's shape), or a mapping from square to step; of a graph, a list of its
    vertices or a mapping from vertex to step. A numbered board counts from 0 if a single square has
    0; other numbers below 1 mark squares without a step. A closed path may repeat its first square
    at the end. If the path can be read in two ways, the one with fewer faults is chosen, and a note
    of the report mentions the other. Raises `InputError` for anything else.

    >>> report = validate(Board(3, 3, holes=[4]), [0, 5, 6, 1, 8, 3, 2, 0, 9])
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    >>> report.faults[0].message
    "step 7 to 8: 2 (c3) to 0 (a3) is not a knight's move"
    """
    graph = graph_of(board, piece, topology)
    closed = checked_flag("closed", closed)
    report = _validate_on(graph, path, closed)
    has_every_move = len(report.moves) == len(report.path)  # no step is missing or twice
    if closed and has_every_move and repeats_first(report.path):
        shorter = validate_ids(graph, report.path[:-1], closed)
        report = replace(shorter, name_entry=report.name_entry, notes=report.notes)
    return replace(report, allows_partial=checked_flag("partial", partial))


def _validate_on(graph: Graph, path: PathLike, closed: bool) -> Report:
    """Return a report on a path that must visit all vertices of a graph."""
    if not isinstance(graph, Board):
        vertex_list = vertices_by_step(path) if isinstance(path, Mapping) else path
        return validate_listed(graph, vertex_list, closed)
    if not hasattr(path, "__array__") and not isinstance(path, Mapping):
        path = listed_path(path)
    if (ids := as_ids(path)) is not None:
        return validate_ids(graph, ids, closed)
    try:
        forms = [form for form in forms_of_value(path) if form.notation in _LITERAL]
    except InputError:
        if isinstance(path, Mapping):
            raise
        forms = []
    if not forms:
        entries = path.tolist() if isinstance(path, np.ndarray) else path
        return validate_listed(graph, entries, closed)
    fitting = [
        form for form in forms if form.is_plausible(graph) and form.shape in (None, graph.shape)
    ]
    if not fitting:
        size = "x".join(map(str, forms[0].shape or ()))
        raise InputError(f"the path is on the board {size}, not {graph.title}")
    reports = [(form.report(graph, closed), form.notation.description) for form in fitting]
    (best, words), *others = sorted(reports, key=lambda each: sum(each[0].counts.values()))
    notes = [
        f"read as {words}; as {other}: {report.verdict}"
        for report, other in others
        if other != words
    ]
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
    in it; if a board is given, the path is judged on it.

    Otherwise a reading that is a tour is what was meant: numbers and names are taken out of the
    text in their order, whatever stands between them, and tried as a numbered board, ids, pairs,
    steps, moves and so on, on every board that may be meant. If none is a tour, the reading with
    the most legal moves on the most complete board is returned. The ``notes`` of the reading name
    others and the options that choose them. With ``partial``, the path may leave squares out.

    Raises `InputError` if the path cannot be read, if it can be read as two different tours, and if
    no reading on a board that was guessed is likely: fewer than half of its moves are legal.

    >>> reading = parse_path("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    >>> reading.verdict, reading.read_as
    ('valid open tour of 3x4, 12 squares', 'chess names, 12 entries, board 3x4')
    """
    readings = parse_paths(
        source, board, notation, closed, partial=partial, piece=piece, topology=topology
    )
    if len(readings) > 1:
        raise InputError(f"the text holds {len(readings)} paths; give one of them")
    return readings[0]


def parse_paths(
    source: str | PathLike,
    board: GraphLike | None = None,
    notation: Notation | str | None = None,
    closed: bool | None = None,
    *,
    partial: bool = False,
    piece: Piece | str | None = None,
    topology: Topology | str | None = None,
) -> list[Reading]:
    """Return the readings of the paths in a text or value, of which a text may hold several.

    They are apart by blank lines, by lines of words such as ``Case 2``, or each on a line. The
    arguments and errors are those of `parse_path`.

    >>> tour = "1 4 7 10\\n8 11 2 5\\n3 6 9 12\\n"
    >>> [reading.valid for reading in parse_paths(f"Case 1\\n{tour}Case 2\\n{tour}")]
    [True, True]
    """
    given_notation = None if notation is None else checked_choice("notation", notation, Notation)
    graph = None if board is None else graph_of(board, piece, topology)
    known = Known(graph, given_notation, closed, allows_partial=checked_flag("partial", partial))
    whole: Reading | UnreadableError
    try:
        whole = _read_one(source, known)
    except UnreadableError as error:
        whole = error
    squares_of_tour = len(whole.ids) if isinstance(whole, Reading) and whole.valid else 0
    is_surely_one = (
        isinstance(source, str)
        and squares_of_tour > 0
        and (len(source) > _LONG_TEXT or len(arcs_in_solution(source)) > 0)
    )
    if isinstance(source, str) and not is_surely_one:
        for parts in _parts(source, by_line=not squares_of_tour):
            readings = _read_parts(parts, source, known)
            # A tour that is most of the text is one path, however its lines are grouped.
            if readings and min(len(each.ids) for each in readings) > squares_of_tour / 2:
                return readings
    if isinstance(whole, UnreadableError):
        raise whole
    return [whole]


# -- several paths in a text ----------------------------------------------------------------------


def _parts(text: str, by_line: bool) -> Iterator[list[str]]:
    """Yield ways to split a text into several paths: at ends, blank lines, headings, or lines."""
    text = _LINE_ENDS.sub("\n", text)
    lines = text.split("\n")
    # The end of a tour of TSPLIB, a blank line, or the one that MiniZinc prints.
    for end in ("EOF[ \t]*", r"[ \t]*", "-{10}"):
        yield re.split(rf"\n{end}\n", text)
    has_words = re.search(r"[^\W\d_]{2}", text) is not None
    words = ["".join(re.findall(r"[^\W\d_]{2,}", line)) for line in lines if has_words]
    for heading, count in Counter(filter(None, words)).most_common(_MAX_HEADINGS):
        if count > 1:
            starts = [place for place, each in enumerate(words) if each == heading]
            yield [
                "\n".join(lines[start + 1 : end])
                for start, end in itertools.pairwise([*starts, len(lines)])
            ]
    if by_line:
        yield lines


def _read_parts(parts: list[str], text: str, known: Known) -> list[Reading]:
    """Return the readings of parts, if all can be read and one is a tour; otherwise nothing.

    Notes of the whole text hold for every part.
    """
    entry = r"\d" if known.named_graph is None else r"\w"
    filled = (part for part in parts if re.search(entry, part))
    parts = [*itertools.islice(filled, _MAX_PATHS + 1)]
    if not 1 < len(parts) <= _MAX_PATHS:
        return []
    notes = [match[0] for match in NOTE.finditer(text)]
    shared = "\n".join(notes) if len({*notes}) == len(notes) else ""
    few = FEW_SQUARES if known.graph is None else 0
    readings: list[Reading] = []
    for part in parts:
        with suppress(InputError):
            readings.append(_read_one(f"{part}\n{shared}" if shared not in part else part, known))
        is_tour = any(each.valid and len(each.graph) > few for each in readings[:2])
        if not readings or (len(readings) > 1 and not is_tour):
            return []
    return readings if len(readings) == len(parts) else []


# -- one path -------------------------------------------------------------------------------------


def _read_one(source: str | PathLike, known: Known) -> Reading:
    """Return the reading of a text or value that holds one path."""
    if isinstance(source, str):
        return _read_text(source, known)
    is_npy = isinstance(source, np.ndarray) and known.notation in (None, Notation.NPY)
    return _read_value(source, known, Notation.NPY if is_npy else None)


def _read_value(value: Any, known: Known, notation: Notation | None) -> Reading:
    """Return the reading of a value, or of an object with a path and what it states about it."""
    states_board = False
    if isinstance(value, Mapping) and value.keys() & _FIELDS:
        document = value
        value, closed, partial = path_in(document)
        graph = graph_in_document(document)
        states_board = isinstance(graph, Board)
        known = known.with_statements(graph, {}, closed, partial)
    if known.named_graph is not None:
        form = form_of_vertices(value, known.named_graph, notation or Notation.SQUARES)
        return choose_reading([form], known)
    forms = forms_of_value(value, notation)
    return choose_reading(forms[:1] if states_board else forms, known)


def _read_text(source: str, known: Known) -> Reading:
    """Return the reading of a text, judged as closed if it says that the tour is closed."""
    text = clean(source, known.graph)
    refuse_other_texts(text)
    if known.named_graph is not None and known.notation not in (None, *_OF_GRAPHS):
        as_board(known.named_graph, f"notation {known.notation}")
    if known.notation is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    if not text.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    notes = dict(NOTE.findall(text))
    is_partial = notes.get("kind") in ("path", "cycle")
    closed = notes["kind"] == "cycle" if is_partial else None
    board = board_of_notes(notes) if known.graph is None else None
    known = known.with_statements(board, notes, closed, is_partial)
    if (document := _document_in(source.removeprefix("\ufeff"), known)) is not None:
        return _read_value(document, known, Notation.JSON)
    if forms := forms_with_grammar(text, known.graph, known.notation):
        reading = choose_reading(forms, known)
    else:
        reading = _read_tokens(text, known)
    says_closed = _CLOSED.search(text) and not _NOT_CLOSED.search(text)
    is_sure = reading.closed or known.closed is not None or reading.form.closed is not None
    if not says_closed or is_sure or known.named_graph is not None:
        return reading
    note = f"the text says that the tour is closed; --open would read: {reading.verdict}"
    as_closed = reading_of(reading.form, reading.graph, True, known.allows_partial)
    return replace(as_closed, notes=(*reading.notes, note))


def _document_in(text: str, known: Known) -> Any:
    """Return the value of JSON that a text is, or None if it is read otherwise.

    Lists of numbers, and objects without a path, are read as other texts are.
    """
    if known.notation is Notation.JSON:
        return parse_document(text)
    beginnings = ("{", "[") if known.named_graph else ("{",)
    if known.notation is None and text.lstrip().startswith(beginnings):
        with suppress(UnreadableError):
            value = parse_document(text)
            if known.named_graph or value.keys() & _FIELDS:
                return value
    return None


def _read_tokens(text: str, known: Known) -> Reading:
    """Return the reading of a text without a grammar.

    Forms that are unusual are tried if the usual ones are no tour.
    """
    graph = known.named_graph
    axes = [axis.lower()[0] for axis in _AXIS.findall(text[:_LONG_HEAD])[:_MAX_AXES]]
    plain = without_markup(_NOTE_LINE.sub("", text)) if graph is None else NOTE.sub("", text)
    if graph is None and "..." in plain and _LEFT_OUT.search(plain):
        raise InputError("NumPy has left out a part of the path, at '...'")
    tokens = Tokens.of(plain, graph)
    known = replace(
        known,
        sides=_sides_in(tokens) if known.graph is None else None,
        entries=int((tokens.kinds < Kind.WORD).sum()),
        seen=_seen(tokens),
        columns_first=bool(axes) and axes[0] in ("x", "c") and not {"y", "r"}.isdisjoint(axes),
    )
    ways = [forms_of_text(tokens, graph is None)]
    if graph is None and known.notation is None and len(text) <= _LONG_TEXT:
        ways.append(unusual_forms_of_text(tokens.text))
    reading: Reading | None = None
    refusals: list[UnreadableError] = []
    for forms in ways:
        try:
            new_reading = choose_reading(forms, known)
        except UnreadableError as error:
            refusals.append(error)
            continue
        if new_reading.valid and len(new_reading.graph) > FEW_SQUARES:
            return new_reading
        reading = new_reading if reading is None or new_reading.valid else reading
    if graph is not None:
        _refuse_unknown_vertex(tokens)
    if reading is None:
        raise refusals[0]
    if graph is None:
        _refuse_odd_word(tokens, reading)
    return reading


def _sides_in(tokens: Tokens) -> Sides | None:
    """Return the sides of a board that a line with words names, unless a table has them."""
    counts = tokens.rows[1]
    for line in tokens.words_by_line:
        for sides in _SIDES.findall(tokens.line(line)):
            rows, columns = map(int, sides)
            if 0 < rows * columns <= max(len(tokens), SMALL_BOARD):
                has_rows = np.count_nonzero(counts >= columns) >= rows
                is_table = has_rows and rows > 4 * columns  # such as 64 x 2
                return None if is_table else (rows, columns)
    return None


def _seen(tokens: Tokens) -> str:
    """Return in words how many numbers, names and words a text has, for messages."""
    numbers, names = tokens.of_kind(Kind.NUMBER), tokens.of_kind(Kind.NAME)
    rows = pluralize(len(numbers.rows[0]), "row")
    word_tokens = tokens.of_kind(Kind.WORD)
    words = [*dict.fromkeys(map(word_tokens.shown, range(min(100, len(word_tokens)))))]
    examples = ", ".join(repr(word[:20]) for word in words[:2])
    parts = [
        f"{pluralize(len(numbers), 'number')} in {rows}" if len(numbers) else "",
        pluralize(len(names), "square name") if len(names) else "",
        f"words such as {examples}" if words else "",
    ]
    return f": {', '.join(filter(None, parts))}" if any(parts) else ""


def _refuse_unknown_vertex(tokens: Tokens) -> None:
    """Raise `InputError` for a word or number that is no vertex and stands between names of some.

    Numbers that are as many as the names may be their steps.
    """
    names = np.flatnonzero(tokens.kinds == Kind.NAME)
    is_number = tokens.kinds == Kind.NUMBER
    is_unknown = tokens.kinds == Kind.WORD
    if is_number.sum() != len(names):
        is_unknown |= is_number
    for index in np.flatnonzero(is_unknown).tolist():
        if not len(names) or names[0] < index < names[-1]:
            shown = repr(escape_unprintable(tokens.shown(index)[:40]))
            raise InputError(f"{shown}: no vertex of the graph has this name")


def _refuse_odd_word(tokens: Tokens, reading: Reading) -> None:
    """Raise `InputError` for a word that occurs once, among the squares of what is no tour.

    Words beside other words are headings or sentences.
    """
    are_names = reading.form.naming.chess
    entries = np.flatnonzero(tokens.kinds == (Kind.NAME if are_names else Kind.NUMBER))
    is_odd = (tokens.kinds == Kind.WORD) | ((tokens.kinds == Kind.NAME) & (not are_names))
    words = {index: tokens.shown(index).lower() for index in np.flatnonzero(is_odd).tolist()}
    uses = Counter(words.values())
    sentences = {
        line
        for line, beside in tokens.words_by_line.items()
        if any(each.isalpha() and len(each) > 1 for each in beside.split())
    }
    lines = {*tokens.lines[entries].tolist()} - sentences
    for index, word in words.items():
        if uses[word] == 1 and tokens.lines[index] in lines and index > entries[0]:
            raise unreadable(tokens.text, int(tokens.starts[index]), reading.notation.description)
