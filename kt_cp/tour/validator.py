"""The validator: it decides whether a path is a tour, and reports every fault with its place.

It takes ids or names and knows no solver. `kt_cp.notation.read.validate` reads paths in other
forms and then calls it.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from html import escape
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares, chunks
from kt_cp.board import Board, as_board
from kt_cp.board.maps import SquareLike, StepBySquare
from kt_cp.graph import Graph
from kt_cp.messages import InputError, Vocabulary, escape_unprintable, not_a

# The smallest number of squares of a closed tour: with two, it would use its only move twice.
FEWEST_CLOSED = 3


def partial_summary(graph: Graph, closed: bool, count: int) -> str:
    """Return a few words on a tour of ``count`` of the vertices of a graph.

    >>> partial_summary(Board(4, 4), False, 15)
    'path through 15 of 16 squares of 4x4'
    """
    words = graph.vocabulary
    place = f" of {graph.title}" if graph.has_places else ""
    total = words.count_vertices(len(graph))
    return f"{words.partial_tour(closed)} through {count:,} of {total}{place}"


class OpenOrClosed:
    """Mixin: a graph and the kind of tour."""

    graph: Graph
    closed: bool

    @property
    def board(self) -> Board:
        """The graph, if it is a board. Raises `InputError` for any other graph."""
        return as_board(self.graph)

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        return f"{self.graph.vocabulary.tour(self.closed)} of {self.graph.summary}"


Path = npt.NDArray[Any]  # of integers; of dtype object if one fits no integer type
Moves = npt.NDArray[np.int64]
Rows = npt.NDArray[np.integer]  # two places of the path for each fault, ordered by the first
Namer = Callable[[int], str]


class FaultKind(StrEnum):
    """The kinds of faults of a path."""

    OFF_BOARD = "off-board"
    HOLE = "hole"
    REPEAT = "repeat"
    ILLEGAL_MOVE = "illegal-move"
    NOT_CLOSED = "not-closed"
    SAME_STEP = "same-step"
    NO_STEP = "no-step"
    SPLIT = "split"
    MISSING = "missing"


# For each kind of fault, a phrase for one fault and for several, with the words of the graph.
_PHRASES: Mapping[FaultKind, str] = {
    FaultKind.OFF_BOARD: "{n} {w.outside}",
    FaultKind.HOLE: "{n} on a hole|{n} on holes",
    FaultKind.ILLEGAL_MOVE: "{n} illegal {w.edge}|{n} illegal {w.edges}",
    FaultKind.NOT_CLOSED: "does not close",
    FaultKind.REPEAT: "{n} repeat|{n} repeats",
    FaultKind.SAME_STEP: "{n} step on two {w.vertices}|{n} steps on two {w.vertices}",
    FaultKind.NO_STEP: "{n} gap in the steps|{n} gaps in the steps",
    FaultKind.SPLIT: "split into {more} components",
    FaultKind.MISSING: "{n} {w.vertex} missing|{n} {w.vertices} missing",
}


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, its place in the path and a sentence about it.

    ``step`` counts from 1 unless the path states its own step numbers; it is None for a missing
    square and for moves without an order. ``squares`` are ids: one, or the two of a move.
    """

    kind: FaultKind
    step: int | None
    squares: tuple[int, ...]
    message: str


@dataclass(frozen=True)
class Wording:
    """How the messages of a report name squares; by default, by id and chess name.

    ``square`` returns the name of the square with an id, and ``entry`` the entry at a place of the
    path as it was given, even if it is not a square.
    """

    square: Namer | None = None
    entry: Namer | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Report(OpenOrClosed):
    """The verdict on a path (`PathReport`), or on moves in any order.

    A report is true if the path is a tour or, where it ``allows_partial`` tours, a tour of some of
    the squares: then squares may be left out, but not all.

    ``entries`` are the ids to which the places of faults refer: the path, or the two ends of each
    move. ``places`` maps each kind of fault to rows of two places: that of the faulty entry and
    that of the other entry concerned, such as the first visit of a repeated square. For a gap in
    the steps the second number is the first missing step. ``joint_faults`` are those that several
    moves have together; their messages are formats for the names of their squares. ``visited`` is a
    mask of the visited ids. ``notes`` are the verdicts of other readings.
    """

    graph: Graph
    closed: bool
    visited: Mask
    places: Mapping[FaultKind, Rows]
    entries: Path
    steps: Ints | None = None  # the step number of each entry of a path
    joint_faults: tuple[Fault, ...] = ()
    wording: Wording = field(default=Wording(), kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    allows_partial: bool = field(default=False, kw_only=True)

    @property
    def move_count(self) -> int:
        """The number of moves that are made."""
        return len(self.entries) // 2

    @property
    def legal_moves(self) -> Moves:
        """The legal moves, as rows (from, to) of ids."""
        return self._legal(self.entries.reshape(-1, 2))

    def _legal(self, moves: npt.NDArray[Any]) -> Moves:
        """Return the legal moves among rows of two numbers, which need not be ids."""
        moves = moves[on_board(self.graph, moves).all(axis=1)].astype(np.int64)
        return np.asarray(moves[self.graph.are_moves(*moves.T)])

    @property
    def visit_count(self) -> int:
        """The number of squares that are visited."""
        return int(np.count_nonzero(self.visited))

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        if self.visit_count == len(self.graph):
            return super().summary
        return partial_summary(self.graph, self.closed, self.visit_count)

    @cached_property
    def counts(self) -> Mapping[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        counts = Counter({kind: len(rows) for kind, rows in self.places.items()})
        counts.update(fault.kind for fault in self.joint_faults)
        if not (self.allows_partial and self.visit_count):
            counts[FaultKind.MISSING] = len(self.graph) - self.visit_count
        return {kind: count for kind, count in counts.items() if count > 0}

    @property
    def valid(self) -> bool:
        """Whether it is a tour."""
        return not self.counts

    def __bool__(self) -> bool:
        return self.valid

    @property
    def verdict(self) -> str:
        """The verdict in one line, such as ``valid open tour of 1x1, 1 square``."""
        if self.valid:
            return f"valid {self.summary}"
        is_merely_incomplete = [*self.counts] == [FaultKind.MISSING] and self.move_count > 0
        if not is_merely_incomplete:
            return f"not a tour: {', '.join(self.phrases.values())}"
        words, missing = self.graph.vocabulary, self.counts[FaultKind.MISSING]
        legal = f"all {self.move_count} {words.edges} are legal"
        if self.move_count == 1:
            legal = f"its only {words.edge} is legal"
        verb = "is" if missing == 1 else "are"
        return f"not a tour: {legal}; {words.count_vertices(missing)} {verb} missing"

    @property
    def phrases(self) -> dict[FaultKind, str]:
        """The number of faults of each kind that occurs, in words such as ``1 repeat``."""
        phrases: dict[FaultKind, str] = {}
        for kind, forms in _PHRASES.items():
            if count := self.counts.get(kind):
                phrase = forms.split("|")[0 if count == 1 else -1]
                number = f"{count:,}"
                phrases[kind] = phrase.format(n=number, more=count + 1, w=self.graph.vocabulary)
        return phrases

    @property
    def missing(self) -> Squares:
        """The squares that are not visited, ascending."""
        return np.flatnonzero(self.graph.mask & ~self.visited).astype(np.int32)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in the order of the path, then the missing squares by id."""
        return tuple(self.iter_faults())

    def iter_faults(self) -> Iterator[Fault]:
        """Yield the faults one by one, in the order of `faults`."""
        by_kind = [
            zip(repeat(kind), rows[:, 0], rows[:, 1], strict=False)
            for kind, rows in self.places.items()
        ]
        for kind, here, there in heapq.merge(*by_kind, key=itemgetter(1)):
            yield self._fault(kind, int(here), int(there))
        for joint in self.joint_faults:
            message = joint.message.format(*map(self.square_name, joint.squares))
            yield Fault(joint.kind, None, joint.squares[:1], message)
        if FaultKind.MISSING not in self.counts:
            return
        for square in map(int, self.missing):
            message = f"{self.graph.vocabulary.vertex} {self.square_name(square)} is not visited"
            yield Fault(FaultKind.MISSING, None, (square,), message)

    def square_name(self, square: int) -> str:
        """Return the name of the square with an id, for messages."""
        if self.wording.square is not None:
            return self.wording.square(square)
        return self.graph.describe(square)

    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        """Return the fault of a kind with these two places, a row of ``places``."""
        words, name, step, at = self.graph.vocabulary, self.square_name, None, ""
        if self.steps is not None:
            step = int(self.steps[here])
            at = f"step {step}: "
            if kind is FaultKind.NO_STEP:
                is_one = there == step - 1
                which = f"step {there} is" if is_one else f"steps {there} to {step - 1} are"
                return Fault(kind, there, (), f"{which} on no {words.vertex}")
        square, other = int(self.entries[here]), int(self.entries[there])
        other_step = None if self.steps is None else int(self.steps[there])
        match kind:
            case FaultKind.OFF_BOARD:
                return Fault(kind, step, (square,), f"{at}{self._off_board(here)}")
            case FaultKind.HOLE:
                return Fault(kind, step, (square,), f"{at}square {name(square)} is a hole")
            case FaultKind.REPEAT:
                before = f"{words.vertex} {name(square)} was visited before, at step {other_step}"
                return Fault(kind, step, (square,), f"{at}{before}")
            case FaultKind.SAME_STEP:
                both = f"{words.vertices}: {name(other)} and {name(square)}"
                return Fault(kind, step, (other, square), f"step {step} is on two {both}")
        is_back = kind is FaultKind.NOT_CLOSED
        move = f"{name(square)} {'back to' if is_back else 'to'} {name(other)}"
        at = at and f"step {step} to {other_step}: "
        message = f"{at}{not_a(move, self.graph.move_name)}"
        if is_back and len(self.entries) < FEWEST_CLOSED:
            message = too_few_squares(words)
        return Fault(kind, step, (square, other), message)

    def _off_board(self, here: int) -> str:
        """Return the message that an entry is off the board, with the range of the squares."""
        entry, name = self.wording.entry, self.wording.square
        given = str(int(self.entries[here])) if entry is None else entry(here)
        known = self.graph.extent
        if name is not None:
            known = f"{self.graph.title} has {name(0)} to {name(self.graph.area - 1)}"
        words = self.graph.vocabulary
        return f"{words.vertex} {given} is {words.outside}; {known}"

    def __repr__(self) -> str:
        return f"<{'; '.join([self.verdict, *self.notes])}>"

    def _repr_html_(self) -> str:
        """Return HTML: the verdict, the notes, and a picture of the faults unless it is large."""
        from kt_cp.draw.output import notebook_svg

        lines = [self.verdict, *(f"note: {note}" for note in self.notes)]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return f"{paragraphs}{notebook_svg(self) or ''}"


@dataclass(frozen=True, eq=False, repr=False)
class PathReport(Report):
    """The verdict on a path: squares in visiting order, and the step number of each."""

    steps: Ints

    @property
    def path(self) -> Path:
        """The entries: squares in visiting order."""
        return self.entries

    @property
    def move_count(self) -> int:
        """The number of moves, including the one back to the start of a closed tour."""
        return len(self.path) if self.closed else len(self.path) - 1

    @property
    def legal_moves(self) -> Moves:
        """The legal moves between consecutive steps, as rows (from, to) of ids."""
        moves = np.stack([self.path[:-1], self.path[1:]], axis=1)
        moves = moves[np.diff(self.steps) == 1]
        if self.closed and len(self.path):
            moves = np.concatenate([moves, self.path[None, [-1, 0]]])
        return self._legal(moves)


def too_few_squares(words: Vocabulary) -> str:
    """Return the message that a closed tour needs more squares."""
    return f"{words.a_tour(closed=True)} has at least {words.count_vertices(FEWEST_CLOSED)}"


def on_board(graph: Graph, path: Path) -> Mask:
    """Return for each entry of a path whether it is an id; ids of holes are included."""
    return np.asarray((path >= 0) & (path < graph.area), dtype=np.bool_)


PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]

_MAX_ENTRIES = np.iinfo(np.int32).max


def is_tour(board: Graph, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour.

    The path is examined in chunks, to avoid temporary arrays as large as the tour.
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for start, end in chunks(len(path)):
        part = path[start : end + 1]
        if closed and end == len(path):
            part = np.append(part, path[0])  # the move back to the start
        if part.min() < 0 or part.max() >= board.area:
            return False
        ids = part.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares, so every square is visited once.
    is_too_short = closed and len(path) < FEWEST_CLOSED
    return np.array_equal(visited, board.mask) and not is_too_short


def leads_back(board: Graph, path: npt.NDArray[Any]) -> bool:
    """Return whether a path has at least three squares and a move leads back to its start."""
    if len(path) < FEWEST_CLOSED or not on_board(board, path[[-1, 0]]).all():
        return False
    return bool(board.are_moves(*path[[-1, 0]].astype(np.int32)[:, None])[0])


def validate_ids(
    board: Graph, path: Path, closed: bool, steps: Ints | None = None, first: int = 1
) -> PathReport:
    """Return a report on whether ids in visiting order are a tour.

    ``steps`` are the step numbers in ascending order, if the path states them; the lowest should be
    ``first``. A move is checked if its two steps are consecutive, occur once, and are on the board.
    Raises `InputError` for a path of more than 2**31 - 1 entries.

    >>> from kt_cp.board import Board
    >>> report = validate_ids(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 0, 9]), False)
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    """
    if len(path) > _MAX_ENTRIES:
        raise InputError(f"a path of more than {_MAX_ENTRIES:,} entries is refused")
    numbers = np.arange(first, first + len(path))
    steps = numbers if steps is None else steps
    if np.array_equal(steps, numbers) and is_tour(board, path, closed):
        return PathReport(board, closed, board.mask, {}, path, steps)
    inside = on_board(board, path)
    ids = np.full(len(path), -1, dtype=np.int32)
    ids[inside] = path[inside]
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[ids[inside]] = True
    faults = dict(_path_faults(board, ids, closed, steps, first))
    return PathReport(board, closed, visited & board.mask, faults, path, steps)


def validate_listed(graph: Graph, squares: Iterable[Any], closed: bool) -> PathReport:
    """Return a report on whether ids or names in visiting order are a tour (see `Graph.locate`).

    Raises `InputError` for a value without an order, and for an entry that names no square.

    >>> from kt_cp.board import Board
    >>> validate_listed(Board(3, 3), ["a1", 5, (0, 0)], False).path.tolist()
    [6, 5, 0]
    """
    ids = as_ids(squares) if graph.has_places else None
    if ids is not None:
        return validate_ids(graph, ids, closed)
    path, names = graph.read_path(squares)
    report = validate_ids(graph, path, closed)
    return replace(
        report, wording=Wording(entry=lambda place: escape_unprintable(str(names[place])))
    )


def _path_faults(
    board: Graph, ids: Squares, closed: bool, steps: Ints, first: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults by kind, in the order in which faults at the same place are reported.

    In ``ids``, -1 marks entries off the board.
    """
    off_board = ids < 0
    on_hole = ~(off_board | board.mask[ids])
    yield FaultKind.OFF_BOARD, fault_rows(off_board)
    yield FaultKind.HOLE, fault_rows(on_hole)
    yield FaultKind.REPEAT, _repeats(board, ids, np.flatnonzero(~(off_board | on_hole)))
    # increases[i] is the step of entry i minus the step before it: 1 unless a step is missing or
    # repeated. The path is framed by the steps that should come before and after it.
    step_before = first - 1
    step_after = int(steps[-1]) + 1 if len(steps) else first
    increases = np.diff(steps.astype(np.int64), prepend=step_before, append=step_after)
    yield FaultKind.SAME_STEP, fault_rows(increases[:-1] == 0, -1)
    gaps = np.flatnonzero(increases[:-1] > 1)
    yield FaultKind.NO_STEP, np.stack([gaps, steps[gaps] - increases[gaps] + 1], axis=1)
    # A move leads from entry i to entry i + 1: both must be on the board, with consecutive steps
    # that no other entry has.
    is_consecutive = increases[1:-1] == 1
    occurs_once = (increases[:-1] != 0) & (increases[1:] != 0)
    is_on_board = ~off_board
    is_checked = is_consecutive & occurs_once[:-1] & occurs_once[1:]
    is_checked &= is_on_board[:-1] & is_on_board[1:]
    yield FaultKind.ILLEGAL_MOVE, _illegal_moves(board, ids, np.flatnonzero(is_checked))
    has_ends = len(ids) > 0 and min(ids[-1], ids[0]) >= 0
    if closed and has_ends and not leads_back(board, ids):
        yield FaultKind.NOT_CLOSED, np.array([[len(ids) - 1, 0]])


def _repeats(board: Graph, ids: Squares, visits: Ints) -> Rows:
    """Return the places of repeated visits, each with the place of the first visit."""
    first_visit = np.zeros(board.area, dtype=np.int64)
    # Assign in reverse order: of several visits to a square, the first is written last and stays.
    first_visit[ids[visits][::-1]] = visits[::-1]
    repeats = visits[visits != first_visit[ids[visits]]]
    return np.stack([repeats, first_visit[ids[repeats]]], axis=1)


def _illegal_moves(board: Graph, ids: Squares, places: Ints) -> Rows:
    """Return the places from which the next move is illegal, each with the next place."""
    illegal = places[~board.are_moves(ids[places], ids[places + 1])]
    return np.stack([illegal, illegal + 1], axis=1)


def fault_rows(found: Mask, offset: int = 0) -> Rows:
    """Return the places of faults, each with the place at this offset from it."""
    places = np.flatnonzero(found)
    return np.stack([places, places + offset], axis=1)


def as_ids(values: object) -> Path | None:
    """Return an array, list or tuple of integers as an array; None for anything else."""
    if isinstance(values, np.ndarray):
        is_plain = values.ndim == 1 and values.dtype.kind in "iu" and not np.ma.is_masked(values)
        return values if is_plain else None
    if not isinstance(values, list | tuple):
        return None
    kinds = set(map(type, values))
    if not all(kind is int or issubclass(kind, np.integer) for kind in kinds):
        return None
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)
