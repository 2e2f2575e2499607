"""Read a path: try the interpretations of its text or value, and take what is a tour."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board, Topology, graph_of
from kt_cp.board.pieces import Piece
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import InputError, checked_choice, checked_flag, escape_unprintable, pluralize
from kt_cp.notation.answers import (
    answer_in,
    arcs_in_solution,
    facts_by_predicate,
    names_in_formula,
    read_tour,
    refuse_no_answer,
    refuse_problem,
    tour_of_assignment,
    without_depot,
    without_separators,
)
from kt_cp.notation.board_notes import NOTE, board_of_notes
from kt_cp.notation.documents import graph_in_document, parse_document, read_json
from kt_cp.notation.interpretations import beside_words, forms_of_text, unusual_forms_of_text
from kt_cp.notation.notations import NO_ID, Naming, Notation
from kt_cp.notation.read_names import names_by_step, read_graph_path
from kt_cp.notation.read_values import forms_of_value, listed_path
from kt_cp.notation.reading import Form, Reading, form_of_moves, forms_in, reading_of, repeats_first
from kt_cp.notation.tokens import Kind, Tokens, UnreadableError, clean, unreadable, without_markup
from kt_cp.tour.validator import (
    FaultKind,
    PathLike,
    PathReport,
    Report,
    Wording,
    as_ids,
    on_board,
    validate_ids,
)

# The notations in which `validate` reads a value: it does not guess whether ids count from 1, or
# whether the column comes first.
_LITERAL = {Notation.IDS, Notation.SQUARES, Notation.COORDS, *Notation.GRID.variants}

_GRAPH = re.compile(r"^[ \t]*+EDGE_DATA_SECTION\b", re.MULTILINE)
_SURE_SHARE = 1 / 2  # of the moves of a path on a board that was guessed, which are legal
_NEAR = 0.9  # the share of the best reading's quality from which another one is a rival
_MAX_RIVALS = 3  # other notations that the notes name
_MAX_COMPARED = 1000  # faults of two readings that are compared
_MAX_WORK = 3 * 10**7  # squares of all forms that are tried, ten times of those that are judged
_LONG_PATH = 30_000  # squares: a tour of as many ends the search for others
# Characters of a text in which a tour is found, and further paths are looked for.
_MAX_OF_SEVERAL = 100_000

_MAX_PATHS = 1000  # in one text
_LINE_ENDS = re.compile(r"\r\n?")
_LONG_TEXT = 10**5  # characters, in which digits within words are not looked for
_FEW_SQUARES = 3  # which are a tour by chance
_TOKENS_PER_SQUARE = 12  # numbers and names of a text, at most
_MAX_TRIED = 600  # forms on boards

_NOTATIONS = (
    "give ids (4 7 0 11), chess names (a1 b3 c5), coordinates (0,0 2,1), "
    "moves (a1-b3 b3-c5), facts (move(1,1,2,3).), a numbered board, TSPLIB or JSON"
)
_MAX_QUOTED, _MAX_QUOTE = 2, 40  # lines that were left out, and their characters

Sides = tuple[int, int]


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
    if isinstance(source, str) and not (is_tour and len(source) > _MAX_OF_SEVERAL):
        entries = len(reading.ids) if reading is not None and is_tour else 0
        for parts in _parts(source):
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
    if graph is not None and not isinstance(graph, Board):
        return read_graph_path(source, graph, known.notation, known.closed, known.allows_partial)
    known = replace(known, board=graph)
    if isinstance(source, str):
        return _read_text(source, known)
    is_npy = isinstance(source, np.ndarray) and known.notation in (None, Notation.NPY)
    return choose_reading(forms_of_value(source, Notation.NPY if is_npy else None), known)


def _parts(text: str) -> Iterator[list[str]]:
    """Yield ways to split a text into several paths: at ends, blank lines, headings, and lines."""
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
        tours = [each for each in readings if each.valid and len(each.graph) > _FEW_SQUARES]
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
_COLUMNS_FIRST = re.compile(
    r"(?:(?!\b(?:y|rows?)\b).)*?\b(?:x|col(?:umn)?s?)\b.*?\b(?:y|rows?)\b",
    re.IGNORECASE | re.DOTALL,
)
_JSON = re.compile(r"\s*+(?:\{|\[\s*+\{)")  # other arrays are read as ids, pairs or a board
_LEFT_OUT = re.compile(r"(?<=\d)[\s,]*(\.\.\.)[\s,]*\d")


@dataclass(frozen=True)
class Known:
    """What is known about a path before it is read; None stands for unknown.

    - ``board``, ``notation``: the given ones.
    - ``closed``: the given kind of tour; ``says_closed``: whether the text says that it is closed.
    - ``stated_rules``: the piece and the topology that the text states, by field of `Board`.
    - ``heading_sides``: the sides of the board in a heading, which may name the columns first.
    - ``allows_partial``: whether squares may be left out.
    - ``tokens``, ``marks``: the number of numbers and names, and of marks, of the text;
      ``names_columns_first``: whether it has the words x and y, or column and row, in this order.
    """

    board: Any
    notation: Notation | None
    closed: bool | None
    says_closed: bool = False
    stated_rules: Mapping[str, str] = field(default_factory=dict)
    heading_sides: Sides | None = None
    allows_partial: bool = False
    tokens: int = 0
    marks: int = 0
    names_columns_first: bool = False

    def with_notes(self, text: str) -> Known:
        """Return what is known with the notes of a text, which state the board and the kind.

        Raises `InputError` if a note contradicts the piece or topology of the given board.
        """
        notes = dict(NOTE.findall(text))
        stated_rules = {name: notes[name] for name in ("piece", "topology") if name in notes}
        known = replace(self, stated_rules=stated_rules)
        if (kind := notes.get("kind")) in ("path", "cycle"):
            is_closed = kind == "cycle" if self.closed is None else self.closed
            known = replace(known, allows_partial=True, closed=is_closed)
        if self.board is None:
            known.with_rules(Board(1, 1))  # which may be wrong
            return replace(known, board=board_of_notes(notes))
        if isinstance(self.board, Board) and known.with_rules(self.board) != self.board:
            options = " ".join(f"--{name} {rule}" for name, rule in stated_rules.items())
            raise InputError(f"the text is about another board; give {options} beside --board")
        return known

    def kind_of(self, form: Form) -> bool | None:
        """Return whether to judge a form as a closed tour, or None to detect the kind."""
        if self.closed is None and self.says_closed and form.closed is None:
            return True
        return self.closed

    def with_rules(self, board: Board) -> Board:
        """Return a board with the piece and the topology that the text states."""
        if not self.stated_rules:
            return board
        return Board(board.rows, board.columns, board.holes, **self.stated_rules)


def says_closed(text: str) -> bool:
    """Return whether a text says that its tour is closed, without a negation or an alternative."""
    return bool(_CLOSED.search(text)) and not _NOT_CLOSED.search(text)


# -- texts ----------------------------------------------------------------------------------------


def _read_text(source: str, known: Known) -> Reading:
    """Return the reading of a text on a board, which may be unknown."""
    text = clean(source)
    refuse_no_answer(text)
    refuse_problem(text)
    if not text.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    known = known.with_notes(text)
    if known.notation is None:
        answer = _read_assignment(text, known) or _read_arcs(text, known)
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


def _read_words(text: str, known: Known) -> Reading:
    """Return the reading of a text in its grammar, if it has one, or else of its tokens."""
    if known.notation is Notation.NPY:
        raise InputError("notation npy: this is text, not a NumPy file")
    forms = _forms_with_grammar(text, known.notation)
    if forms:
        return choose_reading(
            forms, replace(known, names_columns_first=bool(_COLUMNS_FIRST.match(text)))
        )
    plain = without_markup(_NOTE_LINE.sub("", text))
    if _LEFT_OUT.search(plain):
        raise InputError("NumPy has left out a part of the path, at '...'")
    tokens = Tokens.of(plain)
    if known.board is None:
        known = replace(known, heading_sides=_sides_in(plain, tokens))
    count = int(np.count_nonzero(tokens.kinds <= Kind.NAME))
    columns_first = bool(_COLUMNS_FIRST.match(plain))
    marks = len(tokens.of_kind(Kind.MARK))
    known = replace(known, tokens=count, marks=marks, names_columns_first=columns_first)
    reading = _choose_in_text(tokens, known)
    quoted = [f"without '{line}'" for line in _unread_lines(tokens)]
    return replace(reading, remarks=(*reading.remarks, *quoted))


def _choose_in_text(tokens: Tokens, known: Known) -> Reading:
    """Return the reading of the tokens of a text or, if that is better, of digits within words."""
    seen, text = _seen(tokens), tokens.text
    readings: list[Reading] = []
    errors: list[InputError] = []
    for forms in (forms_of_text(tokens), unusual_forms_of_text(text)):
        try:
            readings.append(choose_reading(forms, known, seen))
        except InputError as error:
            errors.append(error)
        if (readings and readings[0].valid) or len(text) > _LONG_TEXT:
            break
    if not readings:
        raise errors[0]
    if not any(readings) or len(readings[-1].graph) <= _FEW_SQUARES:
        _refuse_odd_word(tokens, readings[0])
    return max(readings, key=lambda reading: (reading.valid, _legal_share(reading.report)))


def _legal_share(report: Report) -> float:
    """Return the share of the moves of a path that are legal."""
    return len(report.legal_moves) / report.move_count if report.move_count > 0 else 0.0


def _forms_with_grammar(text: str, given: Notation | None) -> list[Form] | None:
    """Return the forms of a text of TSPLIB, JSON, Python or clingo; None for any other text."""
    if given is Notation.TSPLIB or (given is None and "TOUR_SECTION" in text):
        return read_tour(text)
    if given is Notation.JSON:
        return read_json(text)
    if given is None and _JSON.match(text):
        document = _document_in(text)
        if isinstance(document, dict) and document.keys() & {"tour", "path", "status"}:
            return read_json(text)
        if document is not None:
            return None if text.lstrip().startswith("[") else _forms_of_document(text) or None
    facts = facts_by_predicate(text)
    if facts and (given is None or given.base is Notation.FACTS):
        moves = [*_forms_of_facts(facts)]
        is_answer = given is not None or answer_in(text) != text or "move" in facts
        return moves if is_answer else [*moves, *forms_of_text(text)]
    return None


def _document_in(text: str) -> Any:
    """Return the value in a text of JSON or Python, or None for any other text.

    Raises `InputError` for a key that occurs twice.
    """
    try:
        return parse_document(text)
    except UnreadableError:
        return None


def _forms_of_document(text: str) -> list[Form]:
    """Return the forms of a value in a document that does not name it as a path."""
    try:
        return read_json(text)
    except InputError:
        return []


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
            if min(sides) > 0 and math.prod(sides) <= max(len(tokens), _ALWAYS_ALLOWED):
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


def _read_assignment(text: str, known: Known) -> Reading | None:
    """Return the reading of the values that a SAT solver prints, or None if there are none."""
    numbers = tour_of_assignment(text, None if known.board is None else len(known.board))
    if numbers is None:
        return None
    names = names_in_formula(text)
    if known.board is None and len(names) == len(numbers):
        squares = " ".join(names[number - 1] for number in numbers)
        reading = _read_words(squares, replace(known, notation=Notation.SQUARES))
    else:
        listed = "\n".join(map(str, numbers))
        tour = f"TOUR_SECTION\n{listed}\n-1\n"
        reading = _read_words(tour, replace(known, notation=Notation.TSPLIB))
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
        return _read_words(moves, replace(known, notation=Notation.MOVES))
    known = replace(known, closed=bool(known.closed))
    if moves.strip():
        reading = _read_words(moves, replace(known, notation=Notation.MOVES))
    else:  # the tour of a single square
        reading = _read_words(ends[0], replace(known, notation=Notation.SQUARES))
    return _with_remark(reading, "without the arcs of the depot")


def _with_remark(reading: Reading, remark: str) -> Reading:
    """Return a reading with one more remark."""
    return replace(reading, remarks=(*reading.remarks, remark))


# -- boards that may be meant ---------------------------------------------------------------------

# A path has a mistake if the smallest board that fits has more squares than this number for each
# entry of the path, in addition to the squares that are always allowed.
_SQUARES_PER_ENTRY = 4
_ALWAYS_ALLOWED = 20**2

# No rectangle smaller than 3x4 has a tour, so a shorter path cannot be a tour with a slip.
_MIN_ENTRIES_OF_SLIP = 12

_LEGAL_SHARE = 2 / 3  # of the moves, at a likely width
_MAX_WIDTHS = 3


def boards_for(form: Form, known: Known) -> list[Board]:
    """Return the given board, or else plausible boards of a form, the most likely first.

    Raises `InputError` if the form fits on no board.
    """
    given = known.board
    if form.fills_board and given is not None and len(given) != len(form.numbers):
        return []
    if given is not None:
        _check_board(form, given)
        return [given]
    if form.board is not None:
        return [known.with_rules(form.board)]
    if known.heading_sides is not None:
        sides = [known.heading_sides, known.heading_sides[::-1]]
    else:
        most = _SQUARES_PER_ENTRY * len(form.numbers) + _ALWAYS_ALLOWED
        sides = [each for each in _likely_sides(form) if math.prod(each) <= most]
    if form.successors or form.fills_board:
        sides = [each for each in sides if math.prod(each) == form.area]
    if not sides and not form.fills_board:
        why = "some squares are too far off for so short a path"
        if form.successors:
            why = f"{form.area} successors fill no rectangle"
        raise InputError(f"the board cannot be detected: {why}; give the board, as in 8x8")
    return [known.with_rules(Board(*each, form.holes)) for each in dict.fromkeys(sides)]


def _check_board(form: Form, board: Board) -> None:
    """Raise `InputError` if a board is not the one that the text states."""
    if form.successors and board.area != form.area:
        wanted = f"{board.size} has {board.area} ids, and each needs a successor"
        raise InputError(f"{form.area} successors: {wanted}")
    stated = form.board
    if stated is None:
        return
    differs = board.size != stated.size if form.drawn else board != stated
    if differs:
        raise InputError(f"the path is on the board {stated.title}, not {board.title}")


def _likely_sides(form: Form) -> Iterator[Sides]:
    """Yield the sides of the smallest rectangles and square boards that contain the squares."""
    if form.numbers.shape[1] == 2:
        rows, columns = map(_plausible_counts, form.naming.rows_and_columns(form.numbers))
        rectangles = list(itertools.product(rows, columns))
        yield from rectangles
        for rectangle in rectangles:
            yield max(rectangle), max(rectangle)
        return
    ids = form.numbers[:, 0] - form.naming.first
    moves = ids[form.sampled_moves].astype(np.int64)
    areas = [form.area] if form.area else _plausible_counts(ids)
    for area in areas:
        for width in _likely_widths(moves, area):
            yield math.ceil(area / width), width
        side = math.isqrt(area - 1) + 1
        yield side, side


def _likely_widths(moves: Ints, area: int) -> Iterator[int]:
    """Yield the widths at which most moves between ids are a knight's, the likeliest first.

    ``moves`` are rows of two ids, from 0, on a board with ``area`` ids. A knight's move changes the
    id by the width plus or minus 2, or by twice the width plus or minus 1: every move votes for the
    widths at which it is legal.
    """
    inside = moves[((moves >= 0) & (moves < area)).all(axis=1)]
    jumps = np.abs(np.diff(inside)).ravel()
    odd = jumps[jumps % 2 == 1]
    votes = np.concatenate([jumps - 2, jumps + 2, (odd - 1) // 2, (odd + 1) // 2])
    widths, counts = np.unique(votes[(votes > 0) & (votes <= area)], return_counts=True)
    for width in widths[np.argsort(-counts, kind="stable")[:_MAX_WIDTHS]].tolist():
        rows, columns = np.divmod(inside, width)
        down, right = np.abs(np.diff(rows)), np.abs(np.diff(columns))
        if (down * right == 2).sum() >= _LEGAL_SHARE * len(inside):
            yield width


def _plausible_counts(values: Ints) -> list[int]:
    """Return plausible numbers of rows, columns or ids, given their values, from 0, in a path.

    Usually that is one more than the highest value. If this value occurs only once in a long path
    it may be a mistake: the next lower value is tried as well.
    """
    top = int(values.max())
    sizes = [top + 1]
    may_be_slip = len(values) >= _MIN_ENTRIES_OF_SLIP and np.count_nonzero(values == top) == 1
    if may_be_slip:
        sizes.append(int(values.max(where=values < top, initial=-1)) + 1)
    return [size for size in sizes if size > 0]


# -- the choice -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Judged:
    """A form on a board, with the share of its moves that are legal, and its reading."""

    form: Form
    share: float
    reading: Reading

    @cached_property
    def quality(self) -> float:
        """How well the reading fits, from 0 to 1, which is a tour."""
        faults = sum(self.reading.counts.values())
        size = max(len(self.reading.graph), self.reading.entries, 1)
        return self.share / (1 + 2 * faults / size)

    def fits(self, known: Known) -> bool:
        """Return whether the path uses most of the text, and left out only sizes of the board."""
        board = self.reading.graph
        squares = max(len(board), self.reading.entries, self.form.area or 0)
        if known.tokens > squares * _TOKENS_PER_SQUARE:
            return False
        cells = board.area if self.form.drawn else squares
        if len(board) <= _FEW_SQUARES and known.tokens + known.marks > 2 * cells:
            return False
        return {*self.form.sizes} <= {*board.shape, len(board), board.area}

    @property
    def is_doubtful(self) -> bool:
        """Whether what was left out as a size may be a square of the path."""
        sizes, naming = self.form.sizes, self.form.naming
        if not self.form.may_be_square or self.form.drawn or not sizes:
            return False
        width = 2 if naming.uses_pairs else 1
        if len(sizes) % width:
            return False
        ids = naming.ids(self.reading.board, np.array(sizes).reshape(-1, width))
        return bool(on_board(self.reading.board, ids).any())


def choose_reading(forms: Iterable[Form], known: Known, seen: str = "") -> Reading:
    """Return the reading that is meant of all that forms have, with notes on others.

    That is a tour, or else the reading with the most legal moves on the most complete board.
    ``seen`` says what the text holds, for messages. Raises `InputError` if there is no such
    reading, or if several differ in more than the direction of the board.
    """
    errors: list[InputError] = []
    judged = _judged(forms, known, errors)
    if not judged:
        raise _not_read(errors, known, seen)
    valid = [each for each in judged if each.reading.valid]
    if valid and all(each.is_doubtful for each in valid):
        sizes = " ".join(map(str, valid[0].form.sizes))
        raise InputError(f"{sizes} may be the size of the board, or a square: leave it out")
    ranked = sorted(
        (each for each in judged if not (each.reading.valid and each.is_doubtful)),
        key=lambda each: (
            not each.reading.valid,
            -each.reading.report.visit_count if each.reading.valid else -each.quality,
            known.heading_sides not in (None, each.reading.graph.shape),
            known.names_columns_first and not each.form.naming.column_first,
        ),
    )
    best, *others = ranked
    if best.reading.valid:
        _refuse_other_tours(best, others, known)
    elif known.board is None and known.notation is None:
        _refuse_if_unsure(best, others, seen)
    notes = [*_notes_on_rivals(best, others, known), *_notes_on_board(best, known)]
    return replace(best.reading, notes=tuple(notes))


def _judged(forms: Iterable[Form], known: Known, errors: list[InputError]) -> list[_Judged]:
    """Return the readings of forms on the boards that may be meant, each once.

    When a tour is found, only forms whose moves are all legal are examined further.
    """
    found: list[_Judged] = []
    seen: set[tuple[object, ...]] = set()
    work, least_share = 0, 0.0
    for form in forms:
        is_wanted = form.is_plausible(known.board)
        if known.notation is not None:
            is_wanted = form.notation is known.notation
        is_open = form.fills_board and form.closed is False
        if not (is_wanted and len(form.numbers)) or (is_open and known.closed):
            continue
        work += len(form.numbers)
        if len(seen) > _MAX_TRIED or work > _MAX_WORK:
            break
        try:
            boards = boards_for(form, known)
        except InputError as error:
            errors.append(error)
            continue
        for board in boards:
            share = form.legal_share(board)
            key = form.notation, form.naming, form.in_order, board, form.numbers.tobytes()
            if share < least_share or key in seen:
                continue
            seen.add(key)
            work += 10 * len(form.numbers)
            partial = known.allows_partial or form.partial
            one = _Judged(form, share, reading_of(form, board, known.kind_of(form), partial))
            if one.fits(known):
                found.append(one)
                least_share = max(least_share, _SURE_SHARE)
                if one.reading.valid and not one.is_doubtful:
                    least_share, work = 1, work + _MAX_WORK * (len(form.numbers) > _LONG_PATH)
    return found


def _not_read(errors: list[InputError], known: Known, seen: str) -> InputError:
    """Return the error that a path cannot be read."""
    if errors:
        return errors[0]
    if known.notation is not None:
        words = known.notation.description.partition(" from ")[0]
        return UnreadableError(f"notation {known.notation}: there are no {words} here{seen}", 0)
    return UnreadableError(f"it fits no notation{seen}; {_NOTATIONS}", 0)


def _refuse_other_tours(best: _Judged, others: list[_Judged], known: Known) -> None:
    """Raise `InputError` if another reading is another tour."""
    squares = max(_FEW_SQUARES, best.reading.report.visit_count / 2)
    for other in others:
        is_tour = other.reading.valid and other.reading.report.visit_count > squares
        if is_tour and not _are_alike(best.reading, other.reading):
            first, second = (
                f"{each.reading.verdict} as {each.reading.notation.description}"
                for each in (best, other)
            )
            options = f"--notation {best.reading.notation} or --notation {other.reading.notation}"
            if best.reading.notation is other.reading.notation:
                options = f"--board {best.reading.graph.title}"
            message = f"it can be read in two ways: {first}; {second}; give {options}"
            raise UnreadableError(message, 0)


def _are_alike(one: Reading, other: Reading) -> bool:
    """Return whether two tours differ only by a symmetry of the board or by exchanged sides."""
    if not (isinstance(one.graph, Board) and isinstance(other.graph, Board)):
        return True
    if len(one.ids) != len(other.ids) or one.closed != other.closed:
        return False
    edges = _edges(*np.divmod(one.ids, one.board.columns), one.closed)
    rows, columns = np.divmod(other.ids, other.board.columns)
    for first, second in ((rows, columns), (columns, rows)):
        for across, down in itertools.product((1, -1), repeat=2):
            if np.array_equal(edges, _edges(down * first, across * second, one.closed)):
                return True
    return False


def _edges(rows: Ints, columns: Ints, closed: bool) -> Ints:
    """Return the edges of a path as sorted rows, counted from the top left of its squares."""
    places = (rows - rows.min()).astype(np.int64) * 2**28 + columns - columns.min()
    ends = np.stack([places, np.roll(places, -1)], axis=1)
    ends = np.sort(ends if closed else ends[:-1], axis=1)
    return ends[np.lexsort(ends.T)]


def _refuse_if_unsure(best: _Judged, others: list[_Judged], seen: str) -> None:
    """Raise `InputError` if a path that is no tour cannot be told from other readings."""
    report = best.reading.report
    is_split = 3 * report.counts.get(FaultKind.SPLIT, 0) > report.move_count
    if best.share < _SURE_SHARE or report.move_count < 1 or is_split:
        message = f"it fits no notation{seen}; {_NOTATIONS}, or the board (--board)"
        raise UnreadableError(message, 0)
    for other in others:
        is_near = other.quality >= _NEAR * best.quality > 0
        is_other = other.reading.notation.base is not best.reading.notation.base
        if is_near and is_other and not _are_alike(best.reading, other.reading):
            pair = f"{best.reading.notation} or {other.reading.notation}"
            message = f"it can be read in two ways: give --notation {pair}{seen}"
            raise UnreadableError(message, 0)


def _notes_on_rivals(best: _Judged, others: list[_Judged], known: Known) -> Iterator[str]:
    """Yield notes on the readings that disagree with the first, with the options for them."""
    rivals: dict[Notation, Reading] = {}
    for each in others:
        if known.heading_sides is not None and each.reading.graph != best.reading.graph:
            continue
        is_other = each.reading.notation is not best.reading.notation
        is_variant = each.reading.notation.base is best.reading.notation.base
        is_likely = is_variant or each.reading.valid
        if not best.reading.valid and FaultKind.SPLIT not in each.reading.counts:
            is_likely = True
        if is_other and is_likely and each.share >= _LEGAL_SHARE and _faults(each) != _faults(best):
            rivals.setdefault(each.reading.notation, each.reading)
    for rival in itertools.islice(rivals.values(), _MAX_RIVALS):
        yield f"--notation {rival.notation} would read: {rival.verdict}"
    if known.board is not None or known.heading_sides is not None:
        return
    for each in others:
        reading = each.reading
        if reading.notation is best.reading.notation and reading.valid >= best.reading.valid:
            yield f"--board {reading.board.size} would read: {reading.verdict}"
            return


def _notes_on_board(best: _Judged, known: Known) -> Iterator[str]:
    """Yield notes on cells without a number or with 0, and on a heading with another size."""
    reading = best.reading
    if best.form.drawn and known.board is None and FaultKind.MISSING in reading.counts:
        cells = pluralize(len(reading.graph) - reading.entries, "cell has", "cells have")
        yield f"{cells} no number; mark holes by '#', or give the board (--board)"
    if best.form.drawn and len(best.form.zeros) == 1 and reading.counts:
        yield "0 is step 0; --notation grid would read it as a square without a step"
    sides = reading.graph.shape
    if known.heading_sides and sorted(known.heading_sides) != sorted(sides):
        rows, columns = known.heading_sides
        yield f"the heading says {rows}x{columns}"


def _faults(judged: _Judged) -> tuple[str, list[str]]:
    """Return the verdict and the messages of the first faults, by which readings are compared."""
    faults = itertools.islice(judged.reading.iter_faults(), _MAX_COMPARED)
    return judged.reading.verdict, sorted(fault.message for fault in faults)
