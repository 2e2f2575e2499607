"""The validator: it decides whether a path or moves are a tour, and reports every fault.

It takes ids or names and knows no solver. `kt_cp.notation.read.validate` reads paths in other
forms and then calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from html import escape
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares, both_directions, chunks, cycle_arcs
from kt_cp.board import Board, as_board
from kt_cp.board.maps import SquareLike, StepBySquare
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import escape_unprintable, with_article

# The smallest number of squares of a closed tour: with two, it would use its only move twice.
FEWEST_CLOSED = 3


class OpenOrClosed:
    """Mixin: a graph, the kind of tour, and how many of the vertices are visited."""

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
    def visit_count(self) -> int:
        """The number of vertices that are visited."""
        return len(self.graph)

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        words, count = self.graph.vocabulary, self.visit_count
        if count == len(self.graph):
            return f"{words.tour(self.closed)} of {self.graph.summary}"
        place = f" of {self.graph.title}" if self.graph.has_places else ""
        total = words.count_vertices(len(self.graph))
        return f"{words.partial_tour(self.closed)} through {count:,} of {total}{place}"


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


# The messages of the kinds of which a place is that of a square.
_MESSAGES: Mapping[FaultKind, str] = {
    FaultKind.HOLE: "{at}square {first} is a hole",
    FaultKind.REPEAT: "{at}{w.vertex} {first} was visited before, at step {before}",
    FaultKind.ILLEGAL_MOVE: "{between}{first} to {second} is not {a_move}",
    FaultKind.NOT_CLOSED: "{between}{first} back to {second} is not {a_move}",
    FaultKind.SAME_STEP: "step {step} is on two {w.vertices}: {second} and {first}",
    FaultKind.SPLIT: "the {w.vertices} from {first} on are not joined to {second}",
}
_MESSAGES_WITHOUT_ORDER: Mapping[FaultKind, str] = {
    FaultKind.REPEAT: "{w.vertex} {first} comes more than once",
    FaultKind.NOT_CLOSED: "no {w.edge} leads from {first} back to {second}",
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


@dataclass(frozen=True, eq=False, repr=False)
class Report(OpenOrClosed):
    """The verdict on a path, or on moves in any order.

    A report is true if these are a tour or, where it ``allows_partial`` tours, a tour of some of
    the squares: then squares may be left out, but not all.

    ``entries`` are the ids to which the places of faults refer: the path, or the two ends of each
    move. ``steps`` are the step numbers of a path, and None for moves. ``places`` maps each kind of
    fault to rows of two places: that of the faulty entry and that of the other entry concerned,
    such as the first visit of a repeated square. For a gap in the steps the second number is the
    first missing step. ``visited`` is a mask of the visited ids. ``notes`` are the verdicts of
    other readings.

    Messages name squares by ``name_square``, which takes an id, by default as `Graph.describe`, and
    an entry that is no square by ``name_entry``, which takes its place.
    """

    graph: Graph
    closed: bool
    entries: Path
    steps: Ints | None
    visited: Mask
    places: Mapping[FaultKind, Rows]
    allows_partial: bool = False
    notes: tuple[str, ...] = ()
    name_square: Namer | None = None
    name_entry: Namer | None = None

    @property
    def path(self) -> Path:
        """The entries: squares in visiting order."""
        return self.entries

    @property
    def moves(self) -> npt.NDArray[Any]:
        """The moves that are made, as rows (from, to) of entries, which need not be ids."""
        if self.steps is None:
            return self.entries.reshape(-1, 2)
        moves = cycle_arcs(self.entries)
        is_made = np.diff(self.steps, append=0) == 1
        is_made[-1:] = self.closed  # the move back to the start
        return np.asarray(moves[is_made])

    @property
    def legal_moves(self) -> Moves:
        """The legal moves, as rows (from, to) of ids."""
        moves = self.moves
        moves = moves[on_board(self.graph, moves).all(axis=1)].astype(np.int64)
        return np.asarray(moves[self.graph.are_moves(*moves.T)])

    @property
    def visit_count(self) -> int:
        """The number of squares that are visited."""
        return int(np.count_nonzero(self.visited))

    @cached_property
    def counts(self) -> Mapping[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        counts = {kind: len(rows) for kind, rows in self.places.items() if len(rows)}
        missing = len(self.graph) - self.visit_count
        if missing and not (self.allows_partial and self.visit_count):
            counts[FaultKind.MISSING] = missing
        return counts

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
        move_count = len(self.moves)
        if [*self.counts] != [FaultKind.MISSING] or not move_count:
            return f"not a tour: {', '.join(self.phrases.values())}"
        words, missing = self.graph.vocabulary, self.counts[FaultKind.MISSING]
        legal = f"all {move_count} {words.edges} are legal"
        if move_count == 1:
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
        found = [(*row, kind) for kind, rows in self.places.items() for row in rows.tolist()]
        for here, there, kind in sorted(found, key=itemgetter(0)):
            yield self._fault(kind, here, there)
        if FaultKind.MISSING in self.counts:
            for square in map(int, self.missing):
                message = f"{self.graph.vocabulary.vertex} {self._name(square)} is not visited"
                yield Fault(FaultKind.MISSING, None, (square,), message)

    def _name(self, square: int) -> str:
        """Return the name of a square in messages."""
        return (self.name_square or self.graph.describe)(square)

    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        """Return the fault of a kind with these two places, a row of ``places``."""
        words, step, at, between = self.graph.vocabulary, None, "", ""
        if self.steps is not None:
            step = int(self.steps[here])
            if kind is FaultKind.NO_STEP:
                is_one = there == step - 1
                which = f"step {there} is" if is_one else f"steps {there} to {step - 1} are"
                return Fault(kind, there, (), f"{which} on no {words.vertex}")
            at, between = f"step {step}: ", f"step {step} to {self.steps[there]}: "
        square, other = int(self.entries[here]), int(self.entries[there])
        if kind is FaultKind.OFF_BOARD:
            return Fault(kind, step, (square,), f"{at}{self._off_board(here)}")
        squares = (square,) if kind in (FaultKind.HOLE, FaultKind.REPEAT) else (square, other)
        if kind is FaultKind.NOT_CLOSED and self.visit_count < FEWEST_CLOSED:
            least = words.count_vertices(FEWEST_CLOSED)
            return Fault(kind, step, squares, f"{words.a_tour(closed=True)} has at least {least}")
        template = _MESSAGES[kind]
        if step is None:
            template = _MESSAGES_WITHOUT_ORDER.get(kind, template)
        message = template.format(
            at=at,
            between=between,
            first=self._name(square),
            second=self._name(other),
            step=step,
            before=None if self.steps is None else self.steps[there],
            a_move=with_article(self.graph.move_name),
            w=words,
        )
        return Fault(kind, step, squares[::-1] if kind is FaultKind.SAME_STEP else squares, message)

    def _off_board(self, here: int) -> str:
        """Return the message that an entry is off the board, with the range of the squares."""
        given = self.name_entry(here) if self.name_entry else str(int(self.entries[here]))
        known = self.graph.extent
        if self.name_square:
            first, last = map(self.name_square, (0, self.graph.area - 1))
            known = f"{self.graph.title} has {first} to {last}"
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


def on_board(graph: Graph, path: Path) -> Mask:
    """Return for each entry of a path whether it is an id; ids of holes are included."""
    return np.asarray((path >= 0) & (path < graph.area), dtype=np.bool_)


PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]


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
        if not on_board(board, part).all():
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
) -> Report:
    """Return a report on whether ids in visiting order are a tour.

    ``steps`` are the step numbers in ascending order, if the path states them; the lowest should be
    ``first``. A move is checked if its two steps are consecutive, occur once, and are on the board.

    >>> from kt_cp.board import Board
    >>> report = validate_ids(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 0, 9]), False)
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    """
    numbers = np.arange(first, first + len(path))
    steps = numbers if steps is None else steps
    if np.array_equal(steps, numbers) and is_tour(board, path, closed):
        return Report(board, closed, path, steps, board.mask, {})
    inside = on_board(board, path)
    ids = np.where(inside, path, -1).astype(np.int32)
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[ids[inside]] = True
    visited &= board.mask
    faults = dict(_path_faults(board, ids, closed, steps, first))
    return Report(board, closed, path, steps, visited, faults)


def validate_listed(graph: Graph, squares: Iterable[Any], closed: bool) -> Report:
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
    return replace(report, name_entry=lambda place: escape_unprintable(str(names[place])))


def _path_faults(
    board: Graph, ids: Squares, closed: bool, steps: Ints, first: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults by kind, in the order in which faults at the same place are reported.

    In ``ids``, -1 marks entries off the board.
    """
    off_board = ids < 0
    on_hole = ~(off_board | board.mask[ids])
    yield FaultKind.OFF_BOARD, _rows(off_board)
    yield FaultKind.HOLE, _rows(on_hole)
    visits = np.flatnonzero(~(off_board | on_hole))
    _, first_visit, which = np.unique(ids[visits], return_index=True, return_inverse=True)
    before = visits[first_visit[which]]
    yield FaultKind.REPEAT, np.stack([visits, before], axis=1)[visits != before]
    # increases[i] is the step of entry i minus the step before it: 1 unless a step is missing or
    # repeated. The path is framed by the steps that should come before and after it.
    step_before = first - 1
    step_after = int(steps[-1]) + 1 if len(steps) else first
    increases = np.diff(steps.astype(np.int64), prepend=step_before, append=step_after)
    yield FaultKind.SAME_STEP, _rows(increases[:-1] == 0, -1)
    gaps = np.flatnonzero(increases[:-1] > 1)
    yield FaultKind.NO_STEP, np.stack([gaps, steps[gaps] - increases[gaps] + 1], axis=1)
    # A move leads from entry i to entry i + 1: both must be on the board, with consecutive steps
    # that no other entry has.
    is_sound = ~off_board & (increases[:-1] != 0) & (increases[1:] != 0)
    is_checked = (increases[1:-1] == 1) & is_sound[:-1] & is_sound[1:]
    is_checked[is_checked] = ~board.are_moves(ids[:-1][is_checked], ids[1:][is_checked])
    yield FaultKind.ILLEGAL_MOVE, _rows(is_checked, 1)
    has_ends = len(ids) > 0 and min(ids[-1], ids[0]) >= 0
    if closed and has_ends and not leads_back(board, ids):
        yield FaultKind.NOT_CLOSED, np.array([[len(ids) - 1, 0]])


def _rows(found: Mask, offset: int = 0) -> Rows:
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


def validate_moves(
    board: Graph, moves: Moves, closed: bool, allows_partial: bool = False
) -> Report:
    """Return a report on whether moves, rows of two ids in any order, form a tour.

    The direction of a move does not matter. Where the report ``allows_partial`` tours, squares may
    be left out. For a tour the report is that of `validate_ids`.

    >>> from kt_cp.board import Board
    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    """
    inside = on_board(board, moves)
    on_square = inside.copy()
    on_square[inside] = board.mask[moves[inside]]
    illegal: Mask = np.all(inside, axis=1)
    illegal[illegal] = ~board.are_moves(*moves[illegal].T)
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[moves[on_square]] = True
    sound = on_square.all(axis=1)
    faults: dict[FaultKind, Rows] = {
        FaultKind.OFF_BOARD: _rows(~inside.ravel()),
        FaultKind.HOLE: _rows((inside & ~on_square).ravel()),
        # The ends of move i are the entries 2 i and 2 i + 1.
        FaultKind.ILLEGAL_MOVE: 2 * np.flatnonzero(illegal)[:, None] + np.arange(2),
        **dict(_joint_faults(board, moves[sound], closed, np.flatnonzero(sound.repeat(2)))),
    }
    report = Report(board, closed, moves.ravel(), None, visited, faults, allows_partial)
    if not report.valid:
        return report
    path = _walk(moves, closed)
    one_way = replace(validate_ids(board, path, closed), allows_partial=allows_partial)
    # In a directed graph the path may be a tour only from its other end.
    other_way = replace(validate_ids(board, path[::-1], closed), allows_partial=allows_partial)
    return one_way if one_way.valid else other_way


def _joint_faults(
    board: Graph, moves: Moves, closed: bool, places: Ints
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults of moves together: repeated squares, several components, missing closure.

    ``places`` are those of the ends of the moves among the entries of the report.
    """
    if not len(moves):
        return
    squares, index, degrees = np.unique(moves, return_index=True, return_counts=True)
    places = places[index]  # of the first occurrence of each square
    labels = component_labels(board.area, moves)[squares]
    _, firsts = np.unique(labels, return_index=True)  # the first square of each component
    first_component = labels == labels[0]
    is_repeated = degrees > 2
    # Moves of an open tour that form a cycle: its lowest square would be visited twice.
    is_repeated[0] |= not closed and (degrees[first_component] == 2).all()
    yield FaultKind.REPEAT, np.stack([places[is_repeated]] * 2, axis=1)
    others = places[firsts[1:]]
    yield FaultKind.SPLIT, np.stack([others, np.full_like(others, places[0])], axis=1)
    ends = places[first_component & (degrees == 1)]
    if closed and (len(ends) or len(squares) < FEWEST_CLOSED):
        yield FaultKind.NOT_CLOSED, np.resize(ends if len(ends) else places, (1, 2))


def _walk(moves: Moves, closed: bool) -> Moves:
    """Return the squares in visiting order, for moves that form a single path or cycle.

    A square has at most two neighbors, so the next one is the sum of both minus the previous one.
    """
    tails, heads = both_directions(moves).T
    neighbor_sums = np.bincount(tails, heads).astype(np.int64).tolist()
    if closed:
        start, length = int(tails.min()), len(moves)
    else:
        ends = tails[np.bincount(tails)[tails] == 1]
        start, length = int(ends[0]), len(moves) + 1
    here, after = start, int(heads[tails == start][0])
    path = []
    for _ in range(length):
        path.append(here)
        here, after = after, neighbor_sums[after] - here
    return np.array(path, dtype=np.int64)
