"""Reports of the validator: the faults of a path, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask, Squares, as_board
from kt_cp.board.square_names import SquareLike, StepBySquare
from kt_cp.display import drawn
from kt_cp.errors import pluralize
from kt_cp.graph import Graph, spans

Path = npt.NDArray[Any]  # of integers; of dtype object if one fits no integer type
Steps = npt.NDArray[np.integer]
Moves = npt.NDArray[np.int64]
Namer = Callable[[int], str]
PathLike = Iterable[SquareLike] | Iterable[Iterable[int]] | StepBySquare | npt.NDArray[Any]


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


_COUNTED: Mapping[FaultKind, Callable[[int], str]] = {
    FaultKind.OFF_BOARD: lambda n: f"{n} off the board",
    FaultKind.HOLE: lambda n: f"{n} on a hole" if n == 1 else f"{n} on holes",
    FaultKind.ILLEGAL_MOVE: lambda n: pluralize(n, "illegal move"),
    FaultKind.NOT_CLOSED: lambda n: "does not close",
    FaultKind.REPEAT: lambda n: pluralize(n, "repeat"),
    FaultKind.SAME_STEP: lambda n: f"{pluralize(n, 'step')} on two squares",
    FaultKind.NO_STEP: lambda n: f"{pluralize(n, 'gap')} in the steps",
    FaultKind.SPLIT: lambda n: f"split into {n + 1} components",
    FaultKind.MISSING: lambda n: f"{pluralize(n, 'square')} missing",
}


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, its place in the path and a sentence about it.

    ``step`` counts from 1 unless the path has numbers of its own, and is None for a missing square
    and for moves without an order. ``other_step`` is the earlier visit of a repeated square, the
    step to which an illegal move leads, or the last of several steps that no square has.
    ``squares`` are ids: one, or the two of a move.
    """

    kind: FaultKind
    step: int | None
    other_step: int | None
    squares: tuple[int, ...]
    message: str


@dataclass(frozen=True)
class Words:
    """How messages name a square, an entry off the board, and the squares of the board."""

    name: Namer
    entry: Namer
    has: str
    noun: str
    off: str

    def off_board(self, place: int) -> str:
        """Return the sentence about the entry at a place that is off the board."""
        return f"{self.noun} {self.entry(place)} {self.off}; {self.has}"


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The judgement on a path, or on moves in no order; true if it is a tour.

    ``path`` holds the squares in visiting order (of moves in no order: ascending), ``counts`` the
    number of faults of each kind that occurs, and ``visited`` for each id whether it is visited.
    ``steps`` are the step numbers along the path; for moves in no order they are None, and
    ``moves`` are the moves. ``entry`` returns how the entry at a place of the path, from 0, was
    given (if None, as a number). ``notes`` name other readings of the path, with their verdicts.
    """

    graph: Graph
    closed: bool
    path: Path
    counts: Mapping[FaultKind, int]
    visited: Mask
    find_faults: Callable[[Words], Iterator[Fault]]
    steps: Steps | None = None
    moves: Moves | None = None
    entry: Namer | None = None
    notes: tuple[str, ...] = ()

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    @property
    def valid(self) -> bool:
        """Whether the path is a tour."""
        return not self.counts

    def __bool__(self) -> bool:
        return self.valid

    @property
    def verdict(self) -> str:
        """The judgement in one line, such as ``valid open tour of 1x1, 1 square``.

        Of a path that is merely not complete it says that all its moves are legal.
        """
        if self.valid:
            return f"valid {described(self.graph, self.closed)}"
        moves, missing = len(self.path) - (not self.closed), self.counts.get(FaultKind.MISSING, 0)
        if len(self.counts) > 1 or not missing or moves < 1:
            return f"not a tour: {', '.join(self.phrases.values())}"
        legal = "its only move is legal" if moves == 1 else f"all {moves} moves are legal"
        verdict = f"not a tour: {legal}; {pluralize(missing, 'square is', 'squares are')} missing"
        return self.graph.words(verdict)

    @property
    def phrases(self) -> dict[FaultKind, str]:
        """The number of faults of each kind that occurs, in words such as ``1 repeat``."""
        return {
            kind: self.graph.words(say(self.counts[kind]))
            for kind, say in _COUNTED.items()
            if kind in self.counts
        }

    @property
    def missing(self) -> Squares:
        """The squares that are not visited, ascending."""
        return np.flatnonzero(self.graph.mask & ~self.visited).astype(np.int32)

    @property
    def legal_moves(self) -> Moves:
        """The legal ones among the moves, as rows (from, to) of ids."""
        moves = self.moves
        if moves is None:
            moves = np.stack([self.path[:-1], self.path[1:]], axis=1)
            if self.steps is not None:
                moves = moves[np.diff(self.steps) == 1]
            if self.closed and len(self.path):
                moves = np.concatenate([moves, self.path[None, [-1, 0]]])
        moves = moves[on_board(self.graph, moves).all(axis=1)].astype(np.int64)
        return np.asarray(moves[self.graph.are_moves(*moves.T)])

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in the order of the path, then the missing squares by id."""
        return tuple(self.iter_faults())

    def iter_faults(self, name: Namer | None = None) -> Iterator[Fault]:
        """Yield the faults in the same order, one by one.

        ``name`` returns how to write the square with an id, by default the id and chess name.
        """
        has = self.graph.extent
        if name is not None:
            has = f"{self.graph.title} has {name(0)} to {name(self.graph.area - 1)}"
        words = Words(
            name or self.graph.describe,
            self.entry or self._number,
            has,
            self.graph.noun,
            self.graph.words("is off the board"),
        )
        yield from self.find_faults(words)
        for start, end in spans(len(self.visited)):
            missing = self.graph.mask[start:end] & ~self.visited[start:end]
            for square in (start + np.flatnonzero(missing)).tolist():
                message = f"{words.noun} {words.name(square)} is not visited"
                yield Fault(FaultKind.MISSING, None, None, (square,), message)

    def _number(self, place: int) -> str:
        return str(self.path[place] if self.moves is None else self.moves.flat[place])

    def __repr__(self) -> str:
        return f"<{'; '.join([self.verdict, *self.notes])}>"

    def _repr_html_(self) -> str:
        """Return the verdict, a picture and the first faults, for a notebook."""
        return str(drawn("notebook.report_html", self))


def described(graph: Graph, closed: bool) -> str:
    """Return a few words about a tour, such as ``closed tour of 8x8, 64 squares``."""
    return graph.words(f"{'closed' if closed else 'open'} tour of {graph.summary}")


def on_board(graph: Graph, path: Path) -> Mask:
    """Return for each entry of a path whether it is an id, perhaps of a hole."""
    return np.asarray((path >= 0) & (path < graph.area), dtype=np.bool_)
