"""Do these moves, in no order, make a tour of this board? Every fault named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.errors import counted
from kt_cp.tour.rules import FEWEST_CLOSED
from kt_cp.tour.validator import Fault, FaultKind, Report, Rows, Words, validate

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pieces:
    """Squares joined by moves, each piece in an order in which it can be walked.

    ``squares`` lists piece after piece, ``sizes`` says how long each is, and ``degrees`` how many
    ends of moves lie on each square. A piece that is a path begins at an end of it.

    >>> pieces = join(np.array([[7, 2], [4, 5], [5, 6], [2, 9]]))
    >>> pieces.squares.tolist(), pieces.sizes.tolist()
    ([7, 2, 9, 4, 5, 6], [3, 3])
    """

    squares: Ids
    sizes: Ids
    degrees: Ids


def join(moves: Ids) -> Pieces:
    """Walk the pieces that moves make; each move joins its two squares in either direction.

    A piece begins where a move leaves the end of a path, otherwise where its first move begins.
    """
    squares, nodes = np.unique(moves, return_inverse=True)
    sources, targets = nodes.reshape(-1, 2).T
    ends, others = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    degrees = np.bincount(ends, minlength=len(squares))
    neighbors = others[np.argsort(ends, kind="stable")].tolist()
    bounds = np.concatenate([[0], np.cumsum(degrees)]).tolist()
    single = degrees[ends] == 1
    starts = np.concatenate([ends[single], ends])
    order: list[int] = []
    sizes = []
    seen = bytearray(len(squares))
    for start in starts.tolist():
        if seen[start]:
            continue
        before = len(order)
        stack = [start]
        while stack:
            node = stack.pop()
            if not seen[node]:
                seen[node] = True
                order.append(node)
                stack.extend(reversed(neighbors[bounds[node] : bounds[node + 1]]))
        sizes.append(len(order) - before)
    walk = np.array(order, dtype=np.int64)
    return Pieces(squares[walk], np.array(sizes, dtype=np.int64), degrees[walk])


@dataclass(frozen=True, eq=False)
class MovesReport(Report):
    """What `validate_moves` found; its path holds the two squares of every move in turn.

    No fault has a step.
    """

    pieces: Pieces

    def _fault(self, kind: FaultKind, here: int, there: int, words: Words) -> Fault:
        if kind in (FaultKind.REPEAT, FaultKind.SPLIT, FaultKind.NOT_CLOSED):
            squares, message = self._piece_fault(kind, there, words)
            return Fault(kind, None, None, squares, message)
        square, other = int(self.path[here]), int(self.path[there])
        if kind is FaultKind.ILLEGAL_MOVE:
            jump = f"{words.name(square)} to {words.name(other)}"
            message = f"{jump} is no {self.board.piece.move_name}"
            return Fault(kind, None, None, (square, other), message)
        if kind is FaultKind.HOLE:
            message = f"square {words.name(square)} is a hole"
        else:
            message = words.off_board(self.board, here)
        return Fault(kind, None, None, (square,), message)

    def _piece_fault(
        self, kind: FaultKind, place: int, words: Words
    ) -> tuple[tuple[int, ...], str]:
        """Describe a fault of the square at this place of the walk, or of its piece."""
        square = int(self.pieces.squares[place])
        if kind is FaultKind.REPEAT and self.pieces.degrees[place] > 2:
            moves = f"{self.pieces.degrees[place]} moves begin or end there, not 2"
            return (square,), f"square {words.name(square)} comes more than once: {moves}"
        if kind is FaultKind.REPEAT:
            wanted = "an open tour has two ends"
            return (square,), f"the moves lead back to {words.name(square)}; {wanted}"
        if kind is FaultKind.SPLIT:
            bounds = np.cumsum(self.pieces.sizes)
            size = counted(
                int(self.pieces.sizes[np.searchsorted(bounds, place, "right")]), "square"
            )
            start = words.name(int(self.pieces.squares[0]))
            return (square,), f"{size} from {words.name(square)} on are not joined to {start}"
        if len(self.pieces.squares) < FEWEST_CLOSED:
            return (square,), f"a closed tour has at least {FEWEST_CLOSED} squares"
        return (square,), f"no move leads back to {words.name(square)}: the tour is not closed"


def validate_moves(board: Board, moves: Ids, closed: bool) -> Report:
    """Judge whether moves, given as rows of two ids in any order, are those of a tour.

    A tour is one piece in which every square has two moves, but for the two ends of an open tour.
    A move joins its squares whichever comes first. For a tour the report is that of `validate`.

    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    >>> for fault in report.faults:
    ...     print(fault.message)
    2 (c3) to 4 (b2) is no knight's move
    square 4 (b2) is a hole
    4 squares from 8 (c1) on are not joined to 0 (a3)
    """
    ends = moves.ravel()
    inside = (ends >= 0) & (ends < board.area)
    on_square = inside & ~np.isin(ends, board.holes)
    pieces = join(moves[on_square.reshape(-1, 2).all(axis=1)])
    both = inside.reshape(-1, 2).all(axis=1)
    wrong = np.flatnonzero(both)[~board.are_moves(*moves[both].T)]
    rows: dict[FaultKind, list[Rows]] = {
        FaultKind.OFF_BOARD: [_rows(np.flatnonzero(~inside))],
        FaultKind.HOLE: [_rows(np.flatnonzero(inside & ~on_square))],
        FaultKind.ILLEGAL_MOVE: [np.stack([2 * wrong, 2 * wrong + 1], axis=1)],
        **{kind: [found] for kind, found in _piece_rows(pieces, closed, len(ends))},
    }
    visited = np.unique(ends[on_square])
    report = MovesReport(board, closed, ends, np.zeros_like(ends), rows, visited, pieces)
    return validate(board, pieces.squares, closed) if report.valid else report


def _piece_rows(pieces: Pieces, closed: bool, last: int) -> Iterator[tuple[FaultKind, Rows]]:
    """Find what is wrong with the pieces; their faults come after all those of single moves."""
    starts = np.cumsum(pieces.sizes) - pieces.sizes
    main, first = starts[:1], pieces.degrees[: pieces.sizes[:1].sum()]
    repeats = np.flatnonzero(pieces.degrees > 2)
    if not closed and (first == 2).all():
        repeats = np.concatenate([main, repeats])
    unclosed = closed and ((first == 1).any() or len(pieces.squares) < FEWEST_CLOSED)
    yield FaultKind.REPEAT, _rows(repeats, last)
    yield FaultKind.SPLIT, _rows(starts[1:], last)
    yield FaultKind.NOT_CLOSED, _rows(main if unclosed else main[:0], last)


def _rows(places: Ids, order: int | None = None) -> Rows:
    """Pair each place with where its fault comes in the list, by itself unless told."""
    return np.stack([places if order is None else np.full_like(places, order), places], axis=1)
