"""Read a path: the interpretations of its text or value, of which what is a tour is meant."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from kt_cp.board import Board, Topology, as_board, graph_of
from kt_cp.board.pieces import Piece
from kt_cp.graph import Graph, GraphLike
from kt_cp.messages import InputError, checked_choice, checked_flag, escape_unprintable, pluralize
from kt_cp.notation.answers import (
    answer_in,
    arcs_in_solution,
    facts_by_predicate,
    forms_of_tour,
    names_in_formula,
    read_tour,
    refuse_no_answer,
    refuse_problem,
    tour_of_assignment,
    tour_of_concorde,
)
from kt_cp.notation.choice import (
    ALWAYS_ALLOWED,
    FEW_SQUARES,
    Known,
    Sides,
    choose_reading,
)
from kt_cp.notation.interpretations import (
    are_steps,
    forms_of_text,
    forms_of_vertices,
    unusual_forms_of_text,
)
from kt_cp.notation.notations import NOTE, Naming, Notation
from kt_cp.notation.reading import DEPOT_CODE, Form, Reading, form_of_moves, forms_in, repeats_first
from kt_cp.notation.tokens import Kind, Tokens, UnreadableError, clean, unreadable, without_markup
from kt_cp.notation.values import (
    form_of_names,
    form_of_vertices,
    forms_of_value,
    graph_in_document,
    listed_path,
    names_by_step,
    names_in_table,
    parse_document,
    read_json,
)
from kt_cp.tour.validator import PathLike, Report, as_ids, validate_ids, validate_listed

# The notations in which `validate` reads a value: it does not guess whether ids count from 1, or
# whether the column comes first.
_LITERAL = {Notation.IDS, Notation.SQUARES, Notation.COORDS, *Notation.GRID.variants}
# The notations in which a path of a graph is read.
_OF_GRAPHS = (Notation.SQUARES, Notation.MOVES, Notation.FACTS, Notation.TSPLIB, Notation.JSON)

_GRAPH = re.compile(r"^[ \t]*+EDGE_DATA_SECTION\b", re.MULTILINE)
_LONG_HEAD, _MAX_AXES = 10**4, 9  # characters, and names of axes, that are looked at
_MAX_PATHS = 1000  # in one text
_MAX_HEADINGS = 3  # that may recur between paths
_LINE_ENDS = re.compile(r"\r\n?")
_LONG_TEXT = 10**5  # characters, in which digits within words are not looked for


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
    graph, closed = graph_of(board, piece, topology), checked_flag("closed", closed)
    report = _validate_on(graph, path, closed)
    if closed and repeats_first(report.path) and len(report.moves) == len(report.path):
        shorter = validate_ids(graph, report.path[:-1], closed)
        report = replace(shorter, name_entry=report.name_entry, notes=report.notes)
    return replace(report, allows_partial=checked_flag("partial", partial))


def _validate_on(graph: Graph, path: PathLike, closed: bool) -> Report:
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
        forms = []
    if not forms:
        entries = path.tolist() if isinstance(path, np.ndarray) else path
        return validate_listed(graph, entries, closed)
    fitting = [form for form in forms if form.is_plausible(graph)]
    shapes = {form.board.shape for form in fitting if form.board is not None}
    fitting = [form for form in fitting if form.board is None or form.board.shape == graph.shape]
    if not fitting:
        size = "x".join(map(str, shapes.pop()))
        raise InputError(f"the path is on the board {size}, not {graph.title}")
    reports = [(form.path_report(graph, closed), form.notation.description) for form in fitting]
    (best, words), *others = sorted(reports, key=lambda each: sum(each[0].counts.values()))
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
    if isinstance(source, str) and not (
        is_tour and (len(source) > _LONG_TEXT or arcs_in_solution(source))
    ):
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
    graph = _stated_graph(source) if known.graph is None else known.graph
    known = replace(known, graph=graph)
    if known.named_graph is not None and known.notation not in (None, *_OF_GRAPHS):
        as_board(known.named_graph, f"notation {known.notation}")
    if isinstance(source, str):
        return _read_text(source, known)
    if known.named_graph is not None:
        return choose_reading([form_of_vertices(source, known.named_graph)], known)
    is_npy = isinstance(source, np.ndarray) and known.notation in (None, Notation.NPY)
    return choose_reading(forms_of_value(source, Notation.NPY if is_npy else None), known)


def _parts(text: str, by_line: bool) -> Iterator[list[str]]:
    """Yield ways to split a text into several paths: at ends, blank lines, headings, or lines."""
    text = _LINE_ENDS.sub("\n", text)
    lines = text.split("\n")
    if "TOUR_SECTION" in text:
        yield re.split(r"^EOF[ \t]*$", text, flags=re.MULTILINE)
    for end in (r"[ \t]*", "-{10}"):  # a blank line, or the one that MiniZinc prints
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


def _readings_of(parts: list[str], text: str, known: Known) -> list[Reading]:
    """Return the readings of parts, if all can be read and one is a tour; otherwise nothing.

    Notes of the whole text hold for every part.
    """
    entry = r"\d" if known.named_graph is None else r"\w"
    parts = [part for part in parts if re.search(entry, part)]
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
        few = FEW_SQUARES if known.graph is None else 0
        tours = [each for each in readings if each.valid and len(each.graph) > few]
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


# -- texts ----------------------------------------------------------------------------------------

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


def _read_text(source: str, known: Known) -> Reading:
    """Return the reading of a text, judged as open if it says that it is closed, but is not."""
    text = clean(source, known.graph)
    refuse_no_answer(text)
    refuse_problem(text)
    if not text.strip():
        raise InputError("there is nothing to read: give a path, such as a1 b3 c5")
    known = known.with_notes(text)
    says_closed = _CLOSED.search(text) and not _NOT_CLOSED.search(text)
    is_detected = known.closed is None and known.named_graph is None
    if not (says_closed and is_detected) or text.lstrip().startswith("{"):
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
    axes = [axis.lower()[0] for axis in _AXIS.findall(text[:_LONG_HEAD])[:_MAX_AXES]]
    columns_first = axes[:1] in (["x"], ["c"]) and bool({"y", "r"} & {*axes})
    known = replace(known, names_columns_first=columns_first)
    graph = known.named_graph
    forms = _forms_with_grammar(text, known)
    if forms:
        return choose_reading(forms, known)
    if known.notation is None and (arcs := arcs_in_solution(text)):
        nodes = [end if graph is None else _node(end, graph) for end in arcs]
        text = " ".join(nodes)
        known = replace(known, notation=Notation.MOVES)
    plain = without_markup(_NOTE_LINE.sub("", text)) if graph is None else NOTE.sub("", text)
    if graph is None and _LEFT_OUT.search(plain):
        raise InputError("NumPy has left out a part of the path, at '...'")
    tokens = Tokens.of(plain, graph)
    if known.graph is None:
        known = replace(known, heading_sides=_sides_in(plain, tokens))
    is_entry = (tokens.kinds < Kind.WORD) & (tokens.values != DEPOT_CODE)
    known = replace(known, tokens=int(is_entry.sum()))
    ways: list[Iterable[Form]] = [forms_of_text(tokens), unusual_forms_of_text(tokens.text)]
    if graph is not None:
        ways = [forms_of_vertices(tokens, graph)]
    readings: list[Reading] = []
    errors: list[InputError] = []
    for way in ways:
        try:
            readings.append(choose_reading(way, known, _seen(tokens)))
        except UnreadableError as error:
            errors.append(error)
        if any(readings) or known.notation is not None or len(text) > _LONG_TEXT:
            break
    if not any(readings) or len(readings[-1].graph) <= FEW_SQUARES:
        _refuse_odd_word(tokens, known, readings)
    if not readings:
        raise errors[0]
    return max(readings, key=lambda each: (each.valid, len(each.report.legal_moves)))


def _forms_with_grammar(text: str, known: Known) -> list[Form]:
    """Return the forms of a text of TSPLIB, JSON, Python or a solver; empty for any other text."""
    given, graph = known.notation, known.named_graph
    if given is None and (numbers := tour_of_concorde(text)):
        return forms_of_tour(np.array(numbers))
    starts_value = text.lstrip().startswith(("{", "[") if graph is None else ("{", "[", "("))
    is_tour_file = given is None and "TOUR_SECTION" in text
    if given is Notation.TSPLIB or (is_tour_file and (graph is None or not starts_value)):
        return read_tour(text)
    if given is Notation.JSON:
        return read_json(text, graph)
    if given is None and starts_value and (graph is not None or _JSON.match(text)):
        document = parse_document(text, or_none=True)
        is_path = isinstance(document, dict) and document.keys() & {"tour", "path", "status"}
        if is_path or (graph is not None and document is not None):
            return read_json(text, graph)
        if isinstance(document, dict):
            with suppress(InputError):  # of steps, or of other things
                return read_json(text)
    if given is None and (forms := _forms_of_assignment(text, known)):
        return forms
    if graph is not None and given in (None, Notation.SQUARES):
        names = names_in_table(text)
        if names is not None:
            return [form_of_names(names, graph)]
    if given is not None and given.base is not Notation.FACTS:
        return []
    facts = facts_by_predicate(text)
    moves = [*_forms_of_facts(facts, graph)]
    if given is not None and graph is not None and not moves:
        raise InputError("there are no moves between vertices, such as move(A,B) or A-B")
    is_answer = given is not None or answer_in(text) != text or "move" in facts
    return moves if is_answer or not moves or graph is not None else [*moves, *forms_of_text(text)]


def _forms_of_assignment(text: str, known: Known) -> list[Form]:
    """Return the forms of the values of a SAT solver, with the names in the formula's comments."""
    numbers = tour_of_assignment(text, None if known.graph is None else len(known.graph))
    if numbers is None:
        return []
    forms, names = forms_of_tour(np.array(numbers, dtype=np.int64)), names_in_formula(text)
    if known.graph is None and len(names) == len(numbers):
        forms = [*forms_of_text(" ".join(names[number - 1] for number in numbers))]
    words = "from the values of a SAT solver"
    return [replace(form, remarks=(*form.remarks, words)) for form in forms]


def _node(name: str, graph: Graph) -> str:
    """Return a vertex that an integer program numbers, from 0, by its name in quotes."""
    if not name.isdecimal():
        return name
    if int(name) >= len(graph):
        raise InputError(f"the solution is not one of a graph of {len(graph):,} vertices")
    return json.dumps(str(graph.label(int(name))))


def _forms_of_facts(facts: Mapping[str, list[list[str]]], graph: Graph | None) -> Iterator[Form]:
    """Yield the forms of the predicates whose facts are moves, with four numbers or two ids."""
    for predicate in ["move"] if "move" in facts else [*facts]:
        rows = facts[predicate]
        others = [name for name in facts if name != predicate]
        remarks = (f"without the facts {' '.join(others)}",) if others else ()
        words = [word for row in rows for word in row]
        width = len(rows[0]) if len({*map(len, rows)}) == 1 else 0
        if graph is not None:
            ids, written = graph.read_path(words)
            if width == 2 and (predicate == "move" or (ids >= 0).all()):
                form = form_of_moves(Notation.FACTS, ids[:, None], Naming("{}"), remarks=remarks)
                yield form if form.in_order else replace(form, written=written)
        elif width in (2, 4) and all(re.fullmatch(r"-?\d{1,18}", word) for word in words):
            ends = np.array(words, dtype=np.int64).reshape(-1, width // 2)
            for form in forms_in(Notation.FACTS, ends, remarks=remarks):
                how = form.naming if width == 4 else Naming("{}", form.notation.first)
                moves = form_of_moves(form.notation, ends, how, remarks=remarks)
                yield replace(moves, plausible=form.plausible)


def _sides_in(text: str, tokens: Tokens) -> Sides | None:
    """Return the sides of a board that a line with words names, unless a table has them."""
    _, _, counts = tokens.rows(np.arange(len(tokens.kinds)))
    for line in tokens.words_by_line:
        for rows, columns in _SIDES.findall(tokens.line(line)):
            sides = int(rows), int(columns)
            if min(sides) > 0 and math.prod(sides) <= max(len(tokens.kinds), ALWAYS_ALLOWED):
                is_shape = np.count_nonzero(counts >= sides[1]) >= sides[0] > 4 * sides[1]
                return None if is_shape else sides
    return None


def _seen(tokens: Tokens) -> str:
    """Return in words how many numbers, names and words a text has, for messages."""
    numbers, names = tokens.of_kind(Kind.NUMBER), tokens.of_kind(Kind.NAME)
    rows = pluralize(len(tokens.rows(numbers)[0]), "row")
    words = [*dict.fromkeys(map(tokens.shown, tokens.of_kind(Kind.WORD).tolist()[:100]))]
    shown = ", ".join(repr(word[:20]) for word in words[:2])
    parts = [
        f"{pluralize(len(numbers), 'number')} in {rows}" if len(numbers) else "",
        pluralize(len(names), "square name") if len(names) else "",
        f"words such as {shown}" if words else "",
    ]
    return f": {', '.join(filter(None, parts))}" if any(parts) else ""


def _refuse_odd_word(tokens: Tokens, known: Known, readings: Sequence[Reading]) -> None:
    """Raise `InputError` for what is no square or word and stands between those of no tour.

    On a board it occurs once, on a line without other words: those are headings or sentences.
    """
    if known.named_graph is not None:
        return _refuse_other_names(tokens, known.named_graph)
    if not readings:
        return None
    naming = readings[0].naming
    is_named = naming is not None and naming.chess
    entries = tokens.of_kind(Kind.NAME if is_named else Kind.NUMBER)
    is_odd = (tokens.kinds == Kind.WORD) | ((tokens.kinds == Kind.NAME) & (not is_named))
    words = {index: tokens.shown(index).lower() for index in np.flatnonzero(is_odd).tolist()}
    uses = Counter(words.values())
    lines = {*tokens.lines[entries].tolist()}
    for index, word in words.items():
        line = int(tokens.lines[index])
        others = tokens.words_by_line.get(line, ())
        is_sentence = any(each.isalpha() and len(each) > 1 for each in others)
        if index > entries[:1].sum() and uses[word] == 1 and not is_sentence and line in lines:
            place = int(tokens.starts[index])
            raise unreadable(tokens.text, place, readings[0].notation.description)


def _refuse_other_names(tokens: Tokens, graph: Graph) -> None:
    """Raise `InputError` for words between vertices that are no vertices, but for steps."""
    words = [tokens.shown(index) for index in range(len(tokens.kinds))]
    is_name = np.array([graph.locate(word) is not None for word in words], dtype=bool)
    is_name |= tokens.kinds == Kind.NAME
    steps = tokens.values[tokens.of_kind(Kind.NUMBER)]
    if (tokens.kinds == Kind.NAME).any() and are_steps(steps):
        is_name |= tokens.kinds == Kind.NUMBER
    named = np.flatnonzero(is_name)
    between = range(named[0], named[-1]) if len(named) else range(len(words))
    odd = [words[place][:40] for place in between if not is_name[place]]
    if odd or not len(named):
        shown = ", ".join(repr(escape_unprintable(word)) for word in odd[:3]) or "this"
        raise InputError(f"{shown}: no vertex of the graph has this name")
