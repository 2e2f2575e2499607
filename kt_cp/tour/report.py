"""Reports of the validator: the verdict on a path or on moves, with every fault and its place."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from html import escape
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask, Squares
from kt_cp.graph import Graph
from kt_cp.messages import Vocabulary, not_a, pluralize
from kt_cp.tour.kinds import FEWEST_CLOSED, OpenOrClosed, partial_summary

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
class Report(OpenOrClosed, ABC):
    """The verdict on a path (`PathReport`) or on moves in any order (`MovesReport`).

    A report is true if the path is a tour or, where it ``allows_partial`` tours, a tour of some of
    the squares: then squares may be left out, but not all. ``visited`` is a mask of the visited
    ids. ``places`` maps each kind of fault to rows of two places, whose meaning depends on the
    kind; see the subclasses. ``notes`` are the verdicts of other readings.
    """

    graph: Graph
    closed: bool
    visited: Mask
    places: Mapping[FaultKind, Rows]
    wording: Wording = field(default=Wording(), kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    allows_partial: bool = field(default=False, kw_only=True)

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
        """The faults that several moves have together, and no single one of them."""
        return ()

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

    @abstractmethod
    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        """Return the fault of a kind with these two places, a row of ``places``."""

    def _off_board(self, here: int) -> str:
        """Return the message that an entry is off the board, with the range of the squares."""
        entry, name = self.wording.entry, self.wording.square
        given = str(int(self.entries[here])) if entry is None else entry(here)
        known = self.graph.extent
        if name is not None:
            known = f"{self.graph.title} has {name(0)} to {name(self.graph.area - 1)}"
        words = self.graph.vocabulary
        return f"{words.vertex} {given} is {words.outside}; {known}"

    def _illegal_move(self, source: int, target: int, is_back: bool = False) -> str:
        """Return the message that the piece has no such move.

        The move ``is_back`` if it is to close the tour.
        """
        to = "back to" if is_back else "to"
        move = f"{self.square_name(source)} {to} {self.square_name(target)}"
        return not_a(move, self.graph.move_name)

    def __repr__(self) -> str:
        return f"<{'; '.join([self.verdict, *self.notes])}>"

    def _repr_html_(self) -> str:
        """Return HTML: the verdict, the notes, and a picture of the faults unless it is large."""
        lines = [self.verdict, *(f"note: {note}" for note in self.notes)]
        paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
        from kt_cp.draw.output import notebook_svg

        return f"{paragraphs}{notebook_svg(self) or ''}"


@dataclass(frozen=True, eq=False, repr=False)
class PathReport(Report):
    """The verdict on a path: squares in visiting order, and the step number of each.

    The two places of a fault are its place in the path and the place of the other entry concerned,
    such as the first visit of a repeated square. For a gap in the steps the second number is the
    first missing step.
    """

    path: Path
    steps: Ints

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
        """Return the fault of the entry at place ``here``; ``there`` is the other place."""
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
        message = f"step {step} to {other_step}: {self._illegal_move(square, other, is_back)}"
        if is_back and len(self.path) < FEWEST_CLOSED:
            message = too_few_squares(words)
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
    Both are the entry itself for an end off the board or on a hole.
    """

    moves: Moves
    joint_faults: tuple[JointFault, ...] = ()

    @property
    def entries(self) -> Path:
        """The ends of the moves."""
        return self.moves.ravel()

    @property
    def move_count(self) -> int:
        """The number of moves."""
        return len(self.moves)

    @property
    def legal_moves(self) -> Moves:
        """The legal moves."""
        return _legal(self.graph, self.moves)

    def _fault(self, kind: FaultKind, here: int, there: int) -> Fault:
        """Return the fault of the end ``here`` of a move; ``there`` is its other end."""
        square, other = int(self.entries[here]), int(self.entries[there])
        match kind:
            case FaultKind.OFF_BOARD:
                return Fault(kind, None, (square,), self._off_board(here))
            case FaultKind.HOLE:
                message = f"square {self.square_name(square)} is a hole"
                return Fault(kind, None, (square,), message)
        return Fault(kind, None, (square, other), self._illegal_move(square, other))


def _legal(graph: Graph, moves: npt.NDArray[Any]) -> Moves:
    """Return the legal moves among rows of two numbers, which need not be ids."""
    moves = moves[on_board(graph, moves).all(axis=1)].astype(np.int64)
    return np.asarray(moves[graph.are_moves(*moves.T)])


def too_few_squares(words: Vocabulary) -> str:
    """Return the message that a closed tour needs more squares."""
    return f"{words.a_tour(closed=True)} has at least {words.count_vertices(FEWEST_CLOSED)}"


def on_board(graph: Graph, path: Path) -> Mask:
    """Return for each entry of a path whether it is an id; ids of holes are included."""
    return np.asarray((path >= 0) & (path < graph.area), dtype=np.bool_)
