"""The validator: it decides whether a path is a tour, and reports every fault with its place.

It takes ids and knows no solver. `kt_cp.notation.detect.validate` reads paths in other forms and
then calls it.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
from kt_cp.board.names import SquareLike, StepBySquare
from kt_cp.errors import InputError, is_not, pluralize
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels
from kt_cp.hooks import Hook, call
from kt_cp.vocabulary import Vocabulary

Path = npt.NDArray[Any]  # of integers; of dtype object if one fits no integer type
Steps = npt.NDArray[np.integer]
Moves = npt.NDArray[np.int64]
Rows = npt.NDArray[np.integer]  # two places of the path for each fault, ordered by the first
Namer = Callable[[int], str]
PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]

# The minimum length of a closed tour: one of two squares would use its only move twice.
FEWEST_CLOSED = 3

_MOST_ENTRIES = np.iinfo(np.int32).max


class FaultKind(StrEnum):
    """What can be wrong with a path."""

    OFF_BOARD = "off-board"
    HOLE = "hole"
    REPEAT = "repeat"
    ILLEGAL_MOVE = "illegal-move"
    NOT_CLOSED = "not-closed"
    SAME_STEP = "same-step"
    NO_STEP = "no-step"
    SPLIT = "split"
    MISSING = "missing"


# For each kind of fault, a phrase for a number of faults, in the vocabulary of the graph.
_PHRASES: Mapping[FaultKind, Callable[[int, Vocabulary], str]] = {
    FaultKind.OFF_BOARD: lambda n, words: f"{n} {words.outside}",
    FaultKind.HOLE: lambda n, words: f"{n} on a hole" if n == 1 else f"{n} on holes",
    FaultKind.ILLEGAL_MOVE: lambda n, words: pluralize(
        n, f"illegal {words.edge}", f"illegal {words.edges}"
    ),
    FaultKind.NOT_CLOSED: lambda n, words: "does not close",
    FaultKind.REPEAT: lambda n, words: pluralize(n, "repeat"),
    FaultKind.SAME_STEP: lambda n, words: f"{pluralize(n, 'step')} on two {words.vertices}",
    FaultKind.NO_STEP: lambda n, words: f"{pluralize(n, 'gap')} in the steps",
    FaultKind.SPLIT: lambda n, words: f"split into {n + 1} components",
    FaultKind.MISSING: lambda n, words: f"{words.count_vertices(n)} missing",
}


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, its place in the path and a sentence about it.

    ``step`` counts from 1 unless the path has numbers of its own, and is None for a missing square
    and for moves without an order. ``squares`` are ids: one, or the two of a move.
    """

    kind: FaultKind
    step: int | None
    squares: tuple[int, ...]
    message: str


class OpenOrClosed:
    """Mixin: a graph and the kind of tour."""

    graph: Graph
    closed: bool

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        return f"{self.graph.vocabulary.tour(self.closed)} of {self.graph.summary}"


@dataclass(frozen=True)
class Wording:
    """How the messages of a report write squares, unless by id and chess name.

    ``square`` returns the name of the square with an id, and ``entry`` the entry at a place of the
    path as it was given, even if it is no square.
    """

    square: Namer | None = None
    entry: Namer | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Report(OpenOrClosed, ABC):
    """The verdict on a path (`PathReport`) or on moves in any order (`MovesReport`).

    A report is true if the path is a tour. ``visited`` is a mask of the visited ids. ``places``
    maps each kind of fault to rows of two places, whose meaning depends on the kind; see the
    subclasses. ``notes`` are the verdicts of other readings.
    """

    graph: Graph
    closed: bool
    visited: Mask
    places: Mapping[FaultKind, Rows]
    wording: Wording = field(default=Wording(), kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    @abstractmethod
    def entries(self) -> Path:
        """The ids to which the places of the faults refer."""

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of moves that are made."""

    @property
    @abstractmethod
    def legal_moves(self) -> Moves:
        """The legal moves, as rows (from, to) of ids."""

    @property
    def joint_faults(self) -> Sequence[JointFault]:
        """The faults of several moves together, which no single entry or move has."""
        return ()

    @cached_property
    def counts(self) -> Mapping[FaultKind, int]:
        """The number of faults of each kind that occurs."""
        counts = Counter({kind: len(rows) for kind, rows in self.places.items()})
        counts.update(fault.kind for fault in self.joint_faults)
        counts[FaultKind.MISSING] = len(self.graph) - int(np.count_nonzero(self.visited))
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
        return {
            kind: phrase(self.counts[kind], self.graph.vocabulary)
            for kind, phrase in _PHRASES.items()
            if kind in self.counts
        }

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
            sentence = joint.sentence.format(*map(self.square_name, joint.squares))
            yield Fault(joint.kind, None, joint.squares[:1], sentence)
        for square in map(int, self.missing):
            message = f"{self.graph.vocabulary.vertex} {self.square_name(square)} is not visited"
            yield Fault(FaultKind.MISSING, None, (square,), message)

    def square_name(self, square: int) -> str:
        """Return how messages write the square with an id."""
        if self.wording.square is not None:
            return self.wording.square(square)
        return self.graph.describe(square)

    @abstractmethod
    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        """Return the fault of a kind with these two places, a row of ``places``."""

    def _off_board(self, here: int) -> str:
        """Return the message that an entry is off the board, with the squares that exist."""
        entry, name = self.wording.entry, self.wording.square
        given = str(int(self.entries[here])) if entry is None else entry(here)
        known = self.graph.extent
        if name is not None:
            known = f"{self.graph.title} has {name(0)} to {name(self.graph.area - 1)}"
        words = self.graph.vocabulary
        return f"{words.vertex} {given} is {words.outside}; {known}"

    def _illegal(self, source: int, target: int, back: str = "") -> str:
        """Return the message that the piece has no such move.

        ``back`` is ``"back "`` for the move that closes a tour.
        """
        move = f"{self.square_name(source)} {back}to {self.square_name(target)}"
        return is_not(move, self.graph.move_name)

    def __repr__(self) -> str:
        return f"<{'; '.join([self.verdict, *self.notes])}>"

    def _repr_html_(self) -> str:
        """Return the verdict, the notes, and unless the board is large a picture of the faults."""
        lines = [self.verdict, *(f"note: {note}" for note in self.notes)]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        picture = call(Hook.NOTEBOOK_PICTURE, self) or ""
        return f"{paragraphs}{picture}"


@dataclass(frozen=True, eq=False, repr=False)
class PathReport(Report):
    """The verdict on a path: squares in visiting order, and the step number of each.

    The two places of a fault are its place in the path and the place of the other entry concerned,
    such as the first visit of a repeated square. For a gap in the steps the second number is the
    first missing step.
    """

    path: Path
    steps: Steps

    @property
    def entries(self) -> Path:
        """The path."""
        return self.path

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
        return _legal(self.graph, moves)

    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        step, words = int(self.steps[here]), self.graph.vocabulary
        if kind is FaultKind.NO_STEP:
            which = f"step {there} is" if there == step - 1 else f"steps {there} to {step - 1} are"
            return Fault(kind, there, (), f"{which} on no {words.vertex}")
        square, other = int(self.path[here]), int(self.path[there])
        name = self.square_name
        other_step = int(self.steps[there])
        match kind:
            case FaultKind.OFF_BOARD:
                return Fault(kind, step, (square,), f"step {step}: {self._off_board(here)}")
            case FaultKind.HOLE:
                return Fault(kind, step, (square,), f"step {step}: square {name(square)} is a hole")
            case FaultKind.REPEAT:
                before = f"{words.vertex} {name(square)} was visited before, at step {other_step}"
                return Fault(kind, step, (square,), f"step {step}: {before}")
            case FaultKind.SAME_STEP:
                message = (
                    f"step {step} is on two {words.vertices}: {name(other)} and {name(square)}"
                )
                return Fault(kind, step, (other, square), message)
        is_back = kind is FaultKind.NOT_CLOSED
        illegal = self._illegal(square, other, "back " if is_back else "")
        message = f"step {step} to {other_step}: {illegal}"
        if is_back and len(self.path) < FEWEST_CLOSED:
            message = _too_few(words)
        return Fault(kind, step, (square, other), message)


@dataclass(frozen=True)
class JointFault:
    """A fault that several moves have together.

    ``sentence`` is a format for the names of ``squares``.
    """

    kind: FaultKind
    sentence: str
    squares: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class MovesReport(Report):
    """The verdict on moves, rows of two ids in any order, that are not a tour.

    The two places of a fault are indices into ``entries``: one end of a move, and its other end.
    """

    moves: Moves
    together: tuple[JointFault, ...] = ()

    @property
    def entries(self) -> Path:
        """The ends of the moves."""
        return self.moves.ravel()

    @property
    def joint_faults(self) -> Sequence[JointFault]:
        """The faults that the moves have together."""
        return self.together

    @property
    def move_count(self) -> int:
        """The number of moves."""
        return len(self.moves)

    @property
    def legal_moves(self) -> Moves:
        """The legal moves."""
        return _legal(self.graph, self.moves)

    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        square, other = int(self.entries[here]), int(self.entries[there])
        match kind:
            case FaultKind.OFF_BOARD:
                return Fault(kind, None, (square,), self._off_board(here))
            case FaultKind.HOLE:
                message = f"square {self.square_name(square)} is a hole"
                return Fault(kind, None, (square,), message)
        return Fault(kind, None, (square, other), self._illegal(square, other))


def _legal(graph: Graph, moves: npt.NDArray[Any]) -> Moves:
    """Return the legal moves among rows of two numbers, which need not be ids."""
    moves = moves[on_board(graph, moves).all(axis=1)].astype(np.int64)
    return np.asarray(moves[graph.are_moves(*moves.T)])


def _too_few(words: Vocabulary) -> str:
    """Return the message that a closed tour needs more squares."""
    return f"{words.a_tour(closed=True)} has at least {words.count_vertices(FEWEST_CLOSED)}"


def on_board(graph: Graph, path: Path) -> Mask:
    """Return for each entry of a path whether it is an id; ids of holes are included."""
    return np.asarray((path >= 0) & (path < graph.area), dtype=np.bool_)


def is_tour(board: Graph, path: npt.NDArray[Any], closed: bool) -> bool:
    """Return whether an array of integers is a tour.

    The path is examined in chunks, to avoid temporary arrays as large as the tour.
    """
    if len(path) != len(board) or path.dtype.kind not in "iu":
        return False
    visited = np.zeros(board.area, dtype=np.bool_)
    for start, end in chunks(len(path)):
        part = path[start : end + 1]
        if part.min() < 0 or part.max() >= board.area:
            return False
        ids = part.astype(np.int32)
        visited[ids] = True
        if not board.are_moves(ids[:-1], ids[1:]).all():
            return False
    # There are as many visits as squares, so every square is visited once.
    return np.array_equal(visited, board.mask) and (not closed or leads_back(board, path))


def leads_back(board: Graph, path: npt.NDArray[Any]) -> bool:
    """Return whether a path is long enough to be closed, and a move leads back to its start."""
    if len(path) < FEWEST_CLOSED or not on_board(board, path[[-1, 0]]).all():
        return False
    return bool(board.are_moves(*path[[-1, 0]].astype(np.int32)[:, None])[0])


def validate_ids(
    board: Graph, path: Path, closed: bool, steps: Steps | None = None, first: int = 1
) -> PathReport:
    """Return a report on whether ids in visiting order are a tour.

    ``steps`` are the step numbers in ascending order, if the path has its own; the lowest should be
    ``first``. A move is checked if its two steps are consecutive, occur once, and are on the board.

    >>> report = validate_ids(Board(3, 3, holes=[4]), np.array([0, 5, 6, 1, 8, 3, 2, 0, 9]), False)
    >>> report.verdict
    'not a tour: 1 off the board, 1 illegal move, 1 repeat, 1 square missing'
    """
    if len(path) > _MOST_ENTRIES:
        raise InputError(f"a path of more than {_MOST_ENTRIES:,} entries is refused")
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


def _path_faults(
    board: Graph, ids: Squares, closed: bool, steps: Steps, first: int
) -> Iterator[tuple[FaultKind, Rows]]:
    """Yield the faults by kind, in the order in which faults at the same place are reported.

    In ``ids``, -1 marks entries off the board.
    """
    off_board = ids < 0
    on_hole = ~(off_board | board.mask[ids])
    yield FaultKind.OFF_BOARD, _rows(off_board)
    yield FaultKind.HOLE, _rows(on_hole)
    yield FaultKind.REPEAT, _repeats(board, ids, np.flatnonzero(~(off_board | on_hole)))
    # increases[i] is the step of entry i minus the step before it: 1 unless a step is missing or
    # repeated. The path is framed by the steps that should come before and after it.
    step_before = first - 1
    step_after = int(steps[-1]) + 1 if len(steps) else first
    increases = np.diff(steps.astype(np.int64), prepend=step_before, append=step_after)
    yield FaultKind.SAME_STEP, _rows(increases[:-1] == 0, -1)
    gaps = np.flatnonzero(increases[:-1] > 1)
    yield FaultKind.NO_STEP, np.stack([gaps, steps[gaps] - increases[gaps] + 1], axis=1)
    is_checked = ~off_board[:-1] & ~off_board[1:]
    is_checked &= increases[1:-1] == 1
    is_checked &= (increases[:-2] != 0) & (increases[2:] != 0)  # both steps occur once
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


def _rows(found: Mask, offset: int = 0) -> Rows:
    """Return the places of faults, each with the place at this offset from it."""
    places = np.flatnonzero(found)
    return np.stack([places, places + offset], axis=1)


def validate_moves(board: Graph, moves: Moves, closed: bool) -> Report:
    """Return a report on whether moves, rows of two ids in any order, form a tour.

    The direction of a move does not matter. For a tour the report is that of `validate_ids`.

    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    """
    inside = on_board(board, moves)
    on_square = inside.copy()
    on_square[inside] = board.mask[moves[inside]]
    illegal = np.asarray(inside.all(axis=1))
    illegal[illegal] = ~board.are_moves(*moves[illegal].T)
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[moves[on_square]] = True
    sound = moves[on_square.all(axis=1)]
    faults: dict[FaultKind, Rows] = {
        FaultKind.OFF_BOARD: _rows(~inside.ravel()),
        FaultKind.HOLE: _rows((inside & ~on_square).ravel()),
        FaultKind.ILLEGAL_MOVE: np.asarray(2 * _rows(illegal) + [0, 1]),
    }
    together = tuple(_faults_together(board, sound, closed))
    report = MovesReport(board, closed, visited, faults, moves, together)
    if not report.valid:
        return report
    path = _walk(sound, closed)
    one_way = validate_ids(board, path, closed)
    # In a directed graph the path may be a tour only from its other end.
    return one_way if one_way.valid else validate_ids(board, path[::-1], closed)


def _faults_together(board: Graph, moves: Moves, closed: bool) -> Iterator[JointFault]:
    """Yield the faults of moves together: repeated squares, several components, missing closure."""
    words = board.vocabulary
    degrees = np.bincount(moves.ravel(), minlength=board.area)
    squares = np.flatnonzero(degrees)
    labels = component_labels(board.area, moves)[squares]
    roots, sizes = np.unique(labels, return_counts=True)
    component = squares[labels == roots[:1]]  # the first one; empty if there are no moves
    ends = component[degrees[component] == 1]
    if not closed and len(component) and (degrees[component] == 2).all():
        two_ends = f"{words.a_tour(closed=False)} has two ends"
        lead_back = f"the {words.edges} lead back to {{}}; {two_ends}"
        yield JointFault(FaultKind.REPEAT, lead_back, (int(component[0]),))
    for square in np.flatnonzero(degrees > 2).tolist():
        begin = f"{degrees[square]} {words.edges} begin or end there, not 2"
        more_than_once = f"{words.vertex} {{}} comes more than once: {begin}"
        yield JointFault(FaultKind.REPEAT, more_than_once, (square,))
    for root, size in zip(roots[1:].tolist(), sizes[1:].tolist(), strict=True):
        apart = f"{words.count_vertices(size)} from {{}} on are not joined to {{}}"
        yield JointFault(FaultKind.SPLIT, apart, (root, int(component[0])))
    if closed and len(squares) < FEWEST_CLOSED:
        named = int(squares[0]) if len(squares) else 0
        yield JointFault(FaultKind.NOT_CLOSED, _too_few(words), (named,))
    elif closed and len(ends):
        no_move = f"no {words.edge} leads back to {{}}: the tour is not closed"
        yield JointFault(FaultKind.NOT_CLOSED, no_move, (int(ends[0]),))


def _walk(moves: Moves, closed: bool) -> Moves:
    """Return the squares in visiting order, for moves that form a single path or cycle.

    A square has at most two neighbors, so the next one is the sum of both minus the previous one.
    """
    tails, heads = np.concatenate([moves, moves[:, ::-1]]).T
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
