"""Notations, how each names squares, paths as they are written, and these paths on a board."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from html import escape
from typing import Any, Self

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.board import Board
from kt_cp.board.maps import file_letters
from kt_cp.graph import Graph
from kt_cp.messages import escape_unprintable, pluralize
from kt_cp.tour.tour import Tour
from kt_cp.tour.validator import (
    FEWEST_CLOSED,
    FaultKind,
    Report,
    leads_back,
    on_board,
    validate_ids,
    validate_moves,
)

MAX_TEXT = 64 * 2**20  # bytes
TABLE_COLUMNS = ("step", "square")
COVER_COLUMNS = ("path", "step", "square")
COVER_KIND = "cover"  # in the note that states the kind
TOO_LONG = "more than 64 MiB of text; give so long a tour as a NumPy file (--format npy)"

_SAMPLE_SIZE = 1000  # moves
_MAX_NAMES = 12  # of missing squares in one line
LIKELY = 1 / 2  # the least share of legal moves of a reading on a guessed board


class Notation(StrEnum):
    """A notation in which tours are written and read.

    A notation may have variants: counted from 0 or from 1, with the row or the column first. The
    variant that ``kt solve`` writes has the plain name, the others have longer names.
    ``description`` is a noun phrase for messages, and ``first`` is the number from which ids,
    coordinates or steps count (chess names have no use for it).
    """

    GRID = "grid", "numbered board from 1", 1
    GRID_FROM_0 = "grid-from-0", "numbered board from 0"
    IDS = "ids", "ids from 0"
    IDS_FROM_1 = "ids-from-1", "ids from 1", 1
    SQUARES = "squares", "chess names"
    COORDS = "coords", "coordinates from 0"
    COORDS_FROM_1 = "coords-from-1", "coordinates from 1", 1
    COORDS_COLUMN_FIRST = "coords-column-first", "coordinates from 0, column first"
    COORDS_COLUMN_FIRST_FROM_1 = "coords-column-first-from-1", "coordinates from 1, column first", 1
    MOVES = "moves", "moves"
    FACTS = "facts", "facts from 1", 1
    FACTS_FROM_0 = "facts-from-0", "facts from 0"
    FACTS_COLUMN_FIRST = "facts-column-first", "facts from 1, column first", 1
    FACTS_COLUMN_FIRST_FROM_0 = "facts-column-first-from-0", "facts from 0, column first"
    SUCCESSORS = "successors", "successors from 0"
    SUCCESSORS_FROM_1 = "successors-from-1", "successors from 1", 1
    TSPLIB = "tsplib", "TSPLIB tour", 1
    JSON = "json", "JSON"
    NPY = "npy", "NumPy array"

    description: str
    first: int

    def __new__(cls, name: str, description: str = "", first: int = 0) -> Self:
        """Return the member with a name, a description, and the number to count from."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.description = description
        member.first = first
        return member

    @property
    def base(self) -> Notation:
        """The plain notation of which this one is a variant."""
        return Notation(self.value.partition("-")[0])

    @property
    def variants(self) -> list[Notation]:
        """All variants of the notation, the plain one first."""
        return [each for each in Notation if each.base is self.base]

    @property
    def writes_moves(self) -> bool:
        """Whether the notation writes a tour as moves."""
        return self.base in (Notation.MOVES, Notation.FACTS)


OFF_BOARD = -1  # in place of the id of a square that is off the board


@dataclass(frozen=True)
class Naming:
    """How a notation names squares: by id, or by row and column, counted from ``first``.

    ``template`` is a format for the one or two numbers. A chess name is the column, written in
    letters, and the row, counted from the bottom. TSPLIB counts the squares alone, without the
    holes.
    """

    template: str
    first: int = 0
    column_first: bool = False
    chess: bool = False
    skips_holes: bool = False

    @property
    def uses_pairs(self) -> bool:
        """Whether a square is two numbers."""
        return self.template.count("{}") == 2

    def names(self, board: Board, squares: Ints) -> list[str]:
        """Return the names of squares of a board."""
        numbers = [squares]
        if self.uses_pairs:
            rows, columns = np.divmod(squares, board.columns)
            if self.chess:
                rows = board.rows - 1 - rows
            numbers = [columns, rows] if self.column_first else [rows, columns]
        elif self.skips_holes:
            numbers = [squares - np.searchsorted(board.holes, squares)]
        return self.write(np.stack(numbers, axis=1) + self.first)

    def write(self, numbers: Ints) -> list[str]:
        """Return the text of each row of numbers; chess names are in lower case."""
        first, *others = numbers.T.tolist()
        if self.chess:
            first = [file_letters(number - 1) for number in first]
        return list(map(self.template.format, first, *others))

    def ids(self, graph: Graph, numbers: Ints) -> Ints:
        """Return the ids of squares; for a square off the board, a number that is not an id."""
        if self.uses_pairs and isinstance(graph, Board):
            rows, columns = self.rows_and_columns(numbers)
            inside = (rows >= 0) & (columns >= 0) & (rows < graph.rows) & (columns < graph.columns)
            if self.chess:
                rows = graph.rows - 1 - rows
            return np.where(inside, rows * graph.columns + columns, OFF_BOARD)
        ids = numbers[:, 0] - self.first if self.first else numbers[:, 0]
        if not (self.skips_holes and isinstance(graph, Board) and graph.holes):
            return ids
        inside = (ids >= 0) & (ids < len(graph))
        return np.where(inside, graph.squares[np.where(inside, ids, 0)], OFF_BOARD)

    def rows_and_columns(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return the rows and the columns, from 0; rows of chess names count from the bottom."""
        one, other = (numbers - self.first).T
        return (other, one) if self.column_first else (one, other)


def naming_of(notation: Notation, pair: str = "{},{}") -> Naming:
    """Return how a notation names squares; ``pair`` is a format for coordinates."""
    match notation.base:
        case Notation.SQUARES | Notation.MOVES:
            return Naming("{}{}", 1, column_first=True, chess=True)
        case Notation.COORDS | Notation.FACTS:
            return Naming(pair, notation.first, "column-first" in notation)
    return Naming("{}", notation.first, skips_holes=notation is Notation.TSPLIB)


# -- notes about the board ------------------------------------------------------------------------

# Lines that state the board or the kind of path, such as ``; piece: zebra`` or ``; holes: b2 c1``.
NOTE = re.compile(
    r"^[ \t]*(?:[;%]|COMMENT[ \t]*:)[ \t]*(board|holes|kind|piece|topology)[ \t]*:[ \t]*(.*\S)",
    re.MULTILINE,
)


def notes_of_board(board: Board) -> dict[str, str]:
    """Return the notes that state a board, by name; the usual piece and topology are left out.

    >>> notes_of_board(Board(3, 3, holes=[4]))
    {'board': '3x3', 'holes': 'b2'}
    """
    notes = {"board": board.size}
    if board.holes:
        notes["holes"] = " ".join(board.name(hole) for hole in board.holes)
    return notes | board.unusual


def board_of_notes(notes: Mapping[str, str]) -> Board | None:
    """Return the board that the notes of a text state, or None if they do not state its size.

    Raises `InputError` for a size, hole, piece or topology that is none.

    >>> board_of_notes({"board": "3x3", "holes": "b2", "kind": "cover"})
    Board(rows=3, columns=3, holes=(4,))
    """
    if "board" not in notes:
        return None
    whole = Board.parse(notes["board"], notes.get("piece"), notes.get("topology"))
    holes = notes.get("holes", "").split()
    return Board(whole.rows, whole.columns, holes, whole.piece, whole.topology)


# -- paths as they are written --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Form:
    """A path as it may be written, before the board is known.

    How it is written:

    - ``notation``, ``naming``: the notation, and how it names squares.
    - ``numbers``: a row of one or two numbers for each square that is named.
    - ``in_order``: whether the squares are in visiting order, so that a closed path may repeat its
      first square at the end; otherwise they are the two ends of one move after the other.
    - ``steps``: the ascending steps of the squares, if the text has them, from ``first_step``.
    - ``written``: how the vertices of a graph are written, by default by their numbers.
    - ``in_range``: whether its numbers are those that the notation has, none below the first.
    - ``remarks``: what was left out of the text, in words; ``left_out``: numbers among that which
      must turn out to be the sides of the board or the number of its squares.

    What it says about the board and the tour:

    - ``shape``, ``holes``: the sides of a numbered board, and the ids of its holes; ``zeros`` are
      the ids of its cells with a 0.
    - ``area``: the number of ids of the board, if the text tells; ``fills_board``: whether the
      board has exactly the squares of the path.
    - ``closed``: the kind of tour, if it is sure.
    """

    notation: Notation
    numbers: Ints
    naming: Naming
    in_order: bool = True
    steps: Ints | None = None
    first_step: int = 1
    written: Sequence[Any] | None = None
    in_range: bool = True
    remarks: tuple[str, ...] = ()
    left_out: tuple[int, ...] = ()
    shape: tuple[int, int] | None = None
    holes: tuple[int, ...] = ()
    zeros: tuple[int, ...] = ()
    area: int | None = None
    fills_board: bool = False
    closed: bool | None = None

    @property
    def is_grid(self) -> bool:
        """Whether it is a numbered board, perhaps in JSON or in a NumPy file."""
        return self.shape is not None or self.notation.base is Notation.GRID

    @property
    def entry_count(self) -> int:
        """The number of squares or moves in the text."""
        if not self.in_order:
            return len(self.numbers) // 2
        return len(self.numbers) - 1 if self.notation.writes_moves else len(self.numbers)

    def is_plausible(self, given: Graph | None) -> bool:
        """Return whether to try this form if no notation is given; ``given`` is the given board.

        Of a numbered board, a single 0 is a step, and several zeros are squares without a step.
        """
        if self.notation.base is not Notation.GRID:
            return self.in_range
        holes = given.holes if isinstance(given, Board) else ()
        has_one_zero = len({*self.zeros} - {*holes}) == 1
        return has_one_zero == (self.first_step == 0)

    def ids(self, graph: Graph) -> Ints:
        """Return the ids of the squares; for a square off the board, a number that is not an id."""
        return self.naming.ids(graph, self.numbers)

    @cached_property
    def sampled_moves(self) -> Ints:
        """Pairs of indices into ``numbers`` joined by a move: all of them, or a random sample."""
        firsts = np.arange(0, len(self.numbers) - 1, 1 if self.in_order else 2)
        if len(firsts) > _SAMPLE_SIZE:  # with a fixed seed, so that readings are reproducible
            firsts = np.sort(np.random.default_rng(0).choice(firsts, _SAMPLE_SIZE))
        return np.stack([firsts, firsts + 1], axis=1)

    def legal_share(self, graph: Graph) -> float:
        """Return the share of the moves, or of a sample of them, that are legal on a board."""
        numbers = self.numbers[self.sampled_moves.ravel()]
        moves = self.naming.ids(graph, numbers).reshape(-1, 2)
        inside = moves[on_board(graph, moves).all(axis=1)]
        return float(graph.are_moves(*inside.T).sum()) / len(moves) if len(moves) else 1.0

    def report(self, graph: Graph, closed: bool, allows_partial: bool = False) -> Report:
        """Return a report on the path or the moves, exactly as they are written."""
        if self.in_order:
            report = validate_ids(graph, self.ids(graph), closed, self.steps, self.first_step)
        else:
            moves = self.ids(graph).reshape(-1, 2).astype(np.int64)
            report = validate_moves(graph, moves, closed, allows_partial)
        return replace(report, name_entry=self._entry, allows_partial=allows_partial)

    def _entry(self, place: int) -> str:
        """Return the text of the entry at a place."""
        if self.written is not None:
            return escape_unprintable(str(self.written[place]))
        return self.naming.write(self.numbers[[place]])[0]


# -- readings -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Reading(Report):
    """The report on a path that was read; true if the path is a tour.

    ``form`` is the path as it is written, and ``remarks`` say what was left out of the text, or
    taken as it is. The ``notes`` name other readings.
    """

    form: Form = field(kw_only=True)
    remarks: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def report(self) -> Report:
        """The reading itself, which is the report on the path."""
        return self

    @property
    def notation(self) -> Notation:
        """The notation of the path."""
        return self.form.notation

    @property
    def entry_count(self) -> int:
        """The number of squares or moves that were given."""
        return self.form.entry_count

    @property
    def ids(self) -> Ints:
        """The ids in visiting order; for an entry off the board, a number that is not an id.

        For moves that are not a tour, these are the ids of the visited squares, ascending.
        """
        return np.flatnonzero(self.visited) if self.steps is None else self.path

    @cached_property
    def tour(self) -> Tour:
        """The path as a tour. Raises `InvalidTourError` if it is not one."""
        ids = np.asarray(self.ids, dtype=np.int64)
        return Tour.from_ids(self.graph, ids, self.closed, self.allows_partial)

    @property
    def read_as(self) -> str:
        """The notation, the board and what else was detected, in one line."""
        words = self.notation.description
        place = self.graph.title
        if isinstance(self.graph, Board):
            holes = pluralize(len(self.board.holes), "hole")
            place = f"board {place}{f' with {holes}' if self.board.holes else ''}"
            place += ", closed" if self.closed else ""
        elif self.notation in (Notation.SQUARES, Notation.JSON):
            words = "names of vertices"
        return ", ".join(
            [words, pluralize(self.entry_count, "entry", "entries"), place, *self.remarks]
        )

    def fault_lines(self) -> Iterator[str]:
        """Yield one line for each fault, and one for all missing squares together."""
        missing = self.counts.get(FaultKind.MISSING, 0)
        listed_together = missing if missing > 1 else 0
        faults = self.iter_faults()
        for fault in itertools.islice(faults, sum(self.counts.values()) - listed_together):
            yield fault.message
        if listed_together:
            name = self.name_square or self.graph.name
            names = [name(each.squares[0]) for each in itertools.islice(faults, _MAX_NAMES)]
            if missing > len(names):
                names.append(f"and {missing - len(names)} more")
            squares = self.graph.vocabulary.vertices
            yield f"{missing} {squares} are not visited: {' '.join(names)}"

    def _repr_html_(self) -> str:
        """Return HTML that shows the notation, the verdict and the faults in a notebook."""
        return f"<p>read as: {escape(self.read_as)}</p>{super()._repr_html_()}"

    # The choice among several readings.

    @cached_property
    def legal_share(self) -> float:
        """The share of the moves, or of a sample of them, that are legal."""
        return self.form.legal_share(self.graph)

    @cached_property
    def quality(self) -> float:
        """How well the reading fits, from 0 to 1, which is a tour."""
        size = max(len(self.graph), self.entry_count, 1)
        return self.legal_share / (1 + 2 * sum(self.counts.values()) / size)

    @property
    def is_likely(self) -> bool:
        """Whether most moves are legal and belong together, and most steps are on one square."""
        components = self.counts.get(FaultKind.SPLIT, 0)
        has_steps = 2 * self.counts.get(FaultKind.SAME_STEP, 0) <= self.entry_count
        is_joined = 3 * components < len(self.moves)
        return self.legal_share >= LIKELY and has_steps and is_joined


def reading_of(
    form: Form, graph: Graph, closed: bool | None, allows_partial: bool = False
) -> Reading:
    """Return the reading of a form on a board or another graph.

    If ``closed`` is None, the kind is detected. A path that repeats its first square at the end is
    closed, and is judged without it.
    """
    closed = form.closed if closed is None else closed
    judged = form
    remarks = form.remarks
    if form.in_order and closed is not False and repeats_first(form.numbers):
        steps = None if form.steps is None else form.steps[:-1]
        judged = replace(form, numbers=form.numbers[:-1], steps=steps)
        closed = True
        if not form.notation.writes_moves:
            remarks = ("first square repeated at the end", *remarks)
    elif not form.in_order and form.notation.writes_moves:
        remarks = ("moves in no order", *remarks)
    if closed is None:
        closed = _is_closed(form, graph)
    report = judged.report(graph, closed, allows_partial)
    if not form.is_grid and isinstance(graph, Board):  # of others, squares have their usual names
        names = form.naming.names
        report = replace(report, name_square=lambda id_: names(graph, np.array([id_]))[0])
    report_fields = {each.name: getattr(report, each.name) for each in fields(report)}
    return Reading(**report_fields, form=form, remarks=remarks)


def _is_closed(form: Form, graph: Graph) -> bool:
    """Return the kind of a form that does not state it, nor repeat its first square.

    Moves in any order are closed if they are as many as their squares, and squares in order if one
    more move would lead back. Moves in order are not: a closed tour would have that move, too.
    """
    if not form.in_order:
        changes = np.diff(np.sort(form.ids(graph)))
        return form.entry_count > int(np.count_nonzero(changes))  # one less than the squares
    if not isinstance(graph, Board) and form.notation is Notation.SQUARES:
        return False
    return not form.notation.writes_moves and leads_back(graph, form.ids(graph))


def repeats_first(path: Ints) -> bool:
    """Return whether the first square of at least three is repeated at the end, and only there."""
    last = len(path) - 1
    if last < FEWEST_CLOSED:
        return False
    visits = np.flatnonzero((path == path[:1]).reshape(last + 1, -1).all(axis=1))
    return np.array_equal(visits, [0, last])
