"""Read a path: the interpretations of its text or value, of which what is a tour is meant."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import Board, Topology, as_board, graph_of
from kt_cp.board.pieces import Piece
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import InputError, checked_choice, checked_flag, pluralize
from kt_cp.notation.answers import (
    answer_in,
    arcs_in_solution,
    facts_by_predicate,
    forms_of_assignment,
    names_in_formula,
    read_tour,
    refuse_no_answer,
    refuse_problem,
    without_depot,
    without_separators,
)
from kt_cp.notation.choice import (
    ALWAYS_ALLOWED,
    FEW_SQUARES,
    Known,
    Sides,
    boards_for,
    choose_reading,
)
from kt_cp.notation.interpretations import beside_words, forms_of_text, unusual_forms_of_text
from kt_cp.notation.notations import NOTE, Naming, Notation
from kt_cp.notation.reading import Form, Reading, form_of_moves, forms_in, repeats_first
from kt_cp.notation.tokens import Kind, Tokens, UnreadableError, clean, unreadable, without_markup
from kt_cp.notation.values import (
    forms_of_value,
    graph_in_document,
    listed_path,
    parse_document,
    read_json,
)
from kt_cp.notation.vertices import form_of_vertices, forms_of_vertices, names_by_step
from kt_cp.tour.validator import PathLike, PathReport, as_ids, validate_ids, validate_listed

# The notations in which `validate` reads a value: it does not guess whether ids count from 1, or
# whether the column comes first.
_LITERAL = {Notation.IDS, Notation.SQUARES, Notation.COORDS, *Notation.GRID.variants}
# The notations in which a path of a graph is read.
_OF_GRAPHS = (Notation.SQUARES, Notation.MOVES, Notation.FACTS, Notation.TSPLIB, Notation.JSON)

_GRAPH = re.compile(r"^[ \t]*+EDGE_DATA_SECTION\b", re.MULTILINE)
_MAX_AXES = 9  # names of axes that are looked at
_MAX_PATHS = 1000  # in one text
_LINE_ENDS = re.compile(r"\r\n?")
_LONG_TEXT = 10**5  # characters, in which digits within words are not looked for
_MAX_QUOTED, _MAX_QUOTE = 2, 40  # lines that were left out, and their characters


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
    0; other numbers below 1 mark squares without a step. A closed path may repeat its first square
    at the end. If the path can be read in two ways, the
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
    is_repeated = closed and repeats_first(report.path)
    if is_repeated and np.array_equal(np.diff(report.steps), np.ones(len(report.path) - 1)):
        shorter = validate_ids(graph, report.path[:-1], closed)
        report = replace(shorter, wording=report.wording, notes=report.notes)
    return replace(report, allows_partial=checked_flag("partial", partial))


def _validate_on(graph: Graph, path: PathLike, closed: bool) -> PathReport:
    """Return a report on a path that must visit all vertices of a graph."""
    if not isinstance(graph, Board):
        listed = names_by_step(path) if isinstance(path, Mapping) else path
        return validate_listed(graph, listed, closed)
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
        entries = path.tolist() if isinstance(path, np.ndarray) else path
        return validate_listed(graph, entries, closed)
    return _validate_forms(graph, forms, closed)


def _validate_forms(board: Board, forms: list[Form], closed: bool) -> PathReport:
    """Return the report with the fewest faults on the forms that a value may have.

    Its notes name the other reports.
    """
    known, fitting = Known(board, None, closed), []
    errors: list[InputError] = []
    for form in forms:
        try:
            if form.is_plausible(board) and boards_for(form, known):
                fitting.append(form)
        except InputError as error:
            errors.append(error)
    if not fitting:
        raise errors[0]
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
    in it; if a board is given, the path is judged on it.

    Otherwise an interpretation under which the text is a tour is what was meant: numbers and names
    are taken out of the text in their order, whatever stands between them, and tried as a numbered
    board, ids, pairs, steps, moves and so on, on every board that may be meant. If none is a tour,
    the reading with the most legal moves on the most complete board is returned. The ``notes`` of
    the reading name others and the options that choose them. With ``partial``, the path may leave
    squares out.

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
    given = None if notation is None else checked_choice("notation", notation, Notation)
    graph = None if board is None else graph_of(board, piece, topology)
    known = Known(graph, given, closed, allows_partial=checked_flag("partial", partial))
    try:
        reading, error = _read(source, known), None
    except UnreadableError as refused:
        reading, error = None, refused
    is_tour = reading is not None and reading.valid
    if isinstance(source, str) and not (is_tour and len(source) > _LONG_TEXT):
        entries = len(reading.ids) if reading is not None and is_tour else 0
        for parts in _parts(source, by_line=not is_tour):
            readings = _readings_of(parts, source, known)
            # A tour that is most of the text is one path, however its lines are grouped.
            if readings and min(len(each.ids) for each in readings) > entries / 2:
                return readings
    if reading is None:
        assert error is not None
        raise error
    return [reading]


def _read(source: str | PathLike, known: Known) -> Reading:
    """Return the reading of a text or value that holds one path."""
    if isinstance(source, str) and _GRAPH.search(source):
        wanted = "give a path, and the graph as --board FILE --graph hcp"
        raise InputError(f"this is a TSPLIB graph, not a path; {wanted}")
    graph = _stated_graph(source) if known.board is None else known.board
    known = replace(known, board=graph)
    if graph is not None and not isinstance(graph, Board):
        return _read_on_graph(source, graph, known)
    if isinstance(source, str):
        return _read_text(source, known)
    is_npy = isinstance(source, np.ndarray) and known.notation in (None, Notation.NPY)
    return choose_reading(forms_of_value(source, Notation.NPY if is_npy else None), known)


def _parts(text: str, by_line: bool) -> Iterator[list[str]]:
    """Yield ways to split a text into several paths: at ends, blank lines, headings, or lines."""
    text = _LINE_ENDS.sub("\n", text)
    lines = text.split("\n")
    if "TOUR_SECTION" in text:
        yield re.split(r"^EOF[ \t]*$", text, flags=re.MULTILINE)
    yield re.split(r"\n[ \t]*\n", text)
    words = ["".join(re.findall(r"[^\W\d_]{2,}", line)) for line in lines]
    for heading, count in Counter(filter(None, words)).items():
        if count > 1:
            starts = [place for place, each in enumerate(words) if each == heading]
            yield [
                "\n".join(lines[start + 1 : end])
                for start, end in itertools.pairwise([*starts, len(lines)])
            ]
    if by_line:
        yield lines


def _readings_of(parts: list[str], text: str, known: Known) -> list[Reading]:
    """Return the readings of parts, if all can be read and one is a tour; otherwise nothing.

    Notes of the whole text hold for every part.
    """
    parts = [part for part in parts if re.search(r"\d", part)]
    if not 1 < len(parts) <= _MAX_PATHS:
        return []
    notes = [match[0] for match in NOTE.finditer(text)]
    shared = "\n".join(notes) if len({*notes}) == len(notes) else ""
    readings: list[Reading] = []
    for part in parts:
        try:
            reading = _read(f"{part}\n{shared}" if shared not in part else part, known)
        except InputError:
            return []
        readings.append(reading)
        tours = [each for each in readings if each.valid and len(each.graph) > FEW_SQUARES]
        if len(readings) > 1 and not tours:
            return []
    return readings


def _stated_graph(source: Any) -> Graph | None:
    """Return the graph without places that JSON output states beside its tour, or None."""
    if isinstance(source, str):
        if not source.lstrip().startswith("{") or '"graph"' not in source:
            return None
        source = parse_document(source)
    if not isinstance(source, Mapping) or not source.keys() & {"tour", "path"}:
        return None
    return graph_in_document(source) if "graph" in source else None


# -- what a text states ---------------------------------------------------------------------------

_NOTE_LINE = re.compile(r"^[ \t]*;.*[A-Za-z]{2}.*$", re.MULTILINE)
_SIDES = re.compile(
    r"(?<![\w.,])(\d{1,9})(?:\s*\u00d7\s*|x|\s+(?:x|by)\s+)(\d{1,9})(?![\w.])", re.IGNORECASE
)
_CLOSED = re.compile(
    r"\b(?:closed|re-?entrant|hamiltonian\s(?:cycle|circuit))\b(?!\s*[\"'(=])", re.IGNORECASE
)
_NOT_CLOSED = re.compile(r"\b(?:cannot|never|no(?!\.)|non|not|open|or|un)\b|n't\b", re.IGNORECASE)
_AXIS = re.compile(r"\b(?:x|y|col(?:umn)?s?|rows?)\b", re.IGNORECASE)
_JSON = re.compile(r"\s*+(?:\{|\[\s*+\{)")  # other arrays are read as ids, pairs or a board
_LEFT_OUT = re.compile(r"(?<=\d)[\s,]*(\.\.\.)[\s,]*\d")


def says_closed(text: str) -> bool:
    """Return whether a text says that its tour is closed, without a negation or an alternative."""
    return bool(_CLOSED.search(text)) and not _NOT_CLOSED.search(text)


# -- texts ----------------------------------------------------------------------------------------


def _plain(source: str, graph: Graph | None) -> str:
    """Return a text in ASCII. Raises `InputError` if it holds no path, but something else."""
    text = clean(source, graph)
    refuse_no_answer(text)
    refuse_problem(text)
    if not text.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    return text


def _read_on_graph(source: Any, graph: Graph, known: Known) -> Reading:
    """Return the reading of a text or value on a graph without places.

    Raises `InputError` for words between the vertices of no tour that are no vertices.
    """
    if known.notation not in (None, *_OF_GRAPHS):
        as_board(graph, f"notation {known.notation}")
    if not isinstance(source, str):
        return choose_reading([form_of_vertices(source, graph)], known)
    text = _plain(source, graph)
    known = known.with_notes(text)
    text = NOTE.sub("", text)
    forms = [] if known.notation else forms_of_assignment(text, len(graph))
    is_tour_file = "TOUR_SECTION" in text and not text.lstrip().startswith(("{", "["))
    if known.notation is Notation.TSPLIB or (known.notation is None and is_tour_file):
        forms = read_tour(text)
    forms = forms or forms_of_vertices(text, graph, known.notation)
    if not forms:
        raise InputError("there are no moves between vertices, such as move(A,B) or A-B")
    reading = choose_reading(forms, known)
    unread = forms[-1].unread
    if unread and not reading.valid:
        words = ", ".join(map(repr, unread[:3]))
        raise InputError(f"{words}: no vertex of the graph has this name")
    return reading


def _read_text(source: str, known: Known) -> Reading:
    """Return the reading of a text on a board, which may be unknown."""
    text = _plain(source, known.board)
    known = known.with_notes(text)
    answer = None if known.notation else _read_answer(text, known)
    if answer is not None:
        return answer
    text = without_separators(text)
    is_json = text.lstrip().startswith("{")
    if known.closed is not None or is_json or not says_closed(text):
        return _read_words(text, known)
    reading = _read_words(text, replace(known, says_closed=True))
    if reading.valid:
        return reading
    as_open = _read_words(text, replace(known, closed=False))
    note = f"the text says that the tour is closed; --open would read: {as_open.verdict}"
    return replace(reading, notes=(*reading.notes, note))


def _read_answer(text: str, known: Known) -> Reading | None:
    """Return the reading of the answer of a SAT solver or of an integer program, or None.

    The depot joins the end of an open tour to its start; arcs with it are read too.
    """
    forms = forms_of_assignment(text, None if known.board is None else len(known.board))
    if forms:
        names, order = names_in_formula(text), forms[0].numbers[:, 0] - 1
        if known.board is None and len(names) == len(order):
            forms = [*forms_of_text(" ".join(names[place] for place in order.tolist()))]
            forms = [replace(form, remarks=("from the values of a SAT solver",)) for form in forms]
        return choose_reading(forms, known)
    solution = arcs_in_solution(text)
    if solution:
        text = " ".join(f"{source}>{target}" for source, target in solution)
    moves, ends = without_depot(text)
    if not ends:
        return _read_words(moves, replace(known, notation=Notation.MOVES)) if solution else None
    known = replace(known, closed=bool(known.closed), notation=Notation.MOVES)
    if not moves.strip():  # the tour of a single square
        moves, known = ends[0], replace(known, notation=Notation.SQUARES)
    reading = _read_words(moves, known)
    return replace(reading, remarks=(*reading.remarks, "without the arcs of the depot"))


def _read_words(text: str, known: Known) -> Reading:
    """Return the reading of a text in its grammar, if it has one, or else of its tokens."""
    if known.notation is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    forms = _forms_with_grammar(text, known.notation)
    if forms:
        return choose_reading(forms, replace(known, names_columns_first=_names_columns_first(text)))
    plain = without_markup(_NOTE_LINE.sub("", text))
    if _LEFT_OUT.search(plain):
        raise InputError("NumPy has left out a part of the path, at '...'")
    tokens = Tokens.of(plain)
    if known.board is None:
        known = replace(known, heading_sides=_sides_in(plain, tokens))
    count = int(np.count_nonzero(tokens.kinds <= Kind.NAME))
    columns_first = _names_columns_first(plain)
    marks = len(tokens.of_kind(Kind.MARK))
    known = replace(known, tokens=count, marks=marks, names_columns_first=columns_first)
    reading = _choose_in_text(tokens, known)
    quoted = [f"without '{line}'" for line in _unread_lines(tokens)]
    return replace(reading, remarks=(*reading.remarks, *quoted))


def _names_columns_first(text: str) -> bool:
    """Return whether the first name of an axis in a text is x or column, and another follows."""
    axes = [axis.lower()[0] for axis in itertools.islice(_AXIS.findall(text), _MAX_AXES)]
    return axes[:1] in (["x"], ["c"]) and bool({"y", "r"} & {*axes})


def _choose_in_text(tokens: Tokens, known: Known) -> Reading:
    """Return the reading of the tokens of a text or, if that is better, of digits within words."""
    seen, text = _seen(tokens), tokens.text
    readings: list[Reading] = []
    errors: list[InputError] = []
    for forms in (forms_of_text(tokens), unusual_forms_of_text(text)):
        try:
            readings.append(choose_reading(forms, known, seen))
        except UnreadableError as error:
            errors.append(error)
        is_enough = readings and (readings[0].valid or known.notation is not None)
        if is_enough or len(text) > _LONG_TEXT:
            break
    if not readings:
        raise errors[0]
    if not any(readings) or len(readings[-1].graph) <= FEW_SQUARES:
        _refuse_odd_word(tokens, readings[0])
    return max(readings, key=lambda each: (each.valid, len(each.report.legal_moves)))


def _forms_with_grammar(text: str, given: Notation | None) -> list[Form]:
    """Return the forms of a text of TSPLIB, JSON, Python or clingo; empty for any other text."""
    if given is Notation.TSPLIB or (given is None and "TOUR_SECTION" in text):
        return read_tour(text)
    if given is Notation.JSON:
        return read_json(text)
    if given is None and _JSON.match(text):
        document = parse_document(text, or_none=True)
        if isinstance(document, dict) and document.keys() & {"tour", "path", "status"}:
            return read_json(text)
        if isinstance(document, dict):
            with suppress(InputError):  # of steps, or of other things
                return read_json(text)
    facts = facts_by_predicate(text)
    if not facts or (given is not None and given.base is not Notation.FACTS):
        return []
    moves = [*_forms_of_facts(facts)]
    is_answer = given is not None or answer_in(text) != text or "move" in facts
    return moves if is_answer else [*moves, *forms_of_text(text)]


def _forms_of_facts(facts: Mapping[str, list[list[int]]]) -> Iterator[Form]:
    """Yield the forms of the predicates whose facts are moves, with four numbers or two ids."""
    chosen = ["move"] if "move" in facts else [*facts]
    for predicate in chosen:
        others = [name for name in facts if name != predicate]
        remarks = (f"without the facts {' '.join(others)}",) if others else ()
        ends = np.array(facts[predicate], dtype=np.int64)
        ends = ends.reshape(-1, ends.shape[1] // 2)
        for form in forms_in(Notation.FACTS, ends, remarks=remarks):
            how = form.naming if ends.shape[1] == 2 else Naming("{}", form.notation.first)
            moves = form_of_moves(form.notation, ends, how, remarks=remarks)
            yield replace(moves, plausible=form.plausible)


def _sides_in(text: str, tokens: Tokens) -> Sides | None:
    """Return the sides of a board that a line with words names, unless a table has them."""
    for line in tokens.words_by_line:
        for rows, columns in _SIDES.findall(tokens.line(line)):
            sides = int(rows), int(columns)
            if min(sides) > 0 and math.prod(sides) <= max(len(tokens), ALWAYS_ALLOWED):
                counts = tokens.rows(np.arange(len(tokens)))[2]
                is_shape = int(np.count_nonzero(counts >= sides[1])) >= sides[0] > 4 * sides[1]
                return None if is_shape else sides
    return None


def _seen(tokens: Tokens) -> str:
    """Return in words how many numbers, names and words a text has, for messages."""
    parts: list[str] = []
    numbers = tokens.of_kind(Kind.NUMBER)
    if len(numbers):
        rows = pluralize(len(tokens.rows(numbers)[0]), "row")
        parts.append(f"{pluralize(len(numbers), 'number')} in {rows}")
    names = tokens.of_kind(Kind.NAME)
    if len(names):
        parts.append(pluralize(len(names), "square name"))
    words = [*dict.fromkeys(map(tokens.shown, tokens.of_kind(Kind.WORD).tolist()[:100]))]
    if words:
        shown = ", ".join(repr(word[:20]) for word in words[:_MAX_QUOTED])
        parts.append(f"words such as {shown}")
    return f": {', '.join(parts)}" if parts else ""


def _refuse_odd_word(tokens: Tokens, reading: Reading) -> None:
    """Raise `UnreadableError` for what is no word and occurs once, between the squares of no tour.

    Lines with other words are headings or sentences.
    """
    is_named = reading.naming is not None and reading.naming.chess
    entries = tokens.of_kind(Kind.NAME if is_named else Kind.NUMBER)
    others = np.flatnonzero(tokens.kinds == Kind.WORD)
    if not is_named:
        others = np.flatnonzero((tokens.kinds == Kind.WORD) | (tokens.kinds == Kind.NAME))
    uses = Counter(tokens.shown(index).lower() for index in others.tolist())
    for index in others[others > entries[:1].sum()].tolist():
        word, line = tokens.shown(index), int(tokens.lines[index])
        is_sentence = any(
            each.isalpha() and len(each) > 1 for each in tokens.words_by_line.get(line, ())
        )
        if uses[word.lower()] == 1 and not is_sentence and (tokens.lines[entries] == line).any():
            place = int(tokens.starts[index])
            raise unreadable(tokens.text, place, reading.notation.description)


def _unread_lines(tokens: Tokens) -> list[str]:
    """Return the lines of words above and below the lines that have only numbers and names."""
    entries = np.flatnonzero(tokens.kinds <= Kind.NAME)
    plain = tokens.lines[entries[~beside_words(tokens, entries)]]
    uses = Counter(tokens.words_by_line.values())
    found = []
    for line, words in tokens.words_by_line.items():
        is_outside = len(plain) and not plain[0] <= line <= plain[-1]
        is_text = uses[words] == 1 and any(len(word) > 1 for word in words)
        if is_outside and is_text and np.count_nonzero(tokens.lines[entries] == line) < 3:
            text = tokens.line(line)
            found.append(text if len(text) <= _MAX_QUOTE else f"{text[:_MAX_QUOTE]}...")
    return found[:_MAX_QUOTED]
