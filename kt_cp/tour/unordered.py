"""The validator for moves without an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Mask
from kt_cp.errors import is_not, pluralize
from kt_cp.tour.report import Fault, FaultKind, Report, Words, on_board
from kt_cp.tour.validator import FEWEST_CLOSED, validate

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Components:
    """The connected components of moves, each in depth-first order.

    ``squares`` holds one component after the other, ``sizes`` the number of squares of each, and
    ``degrees`` the number of moves at each square. A component that is a path begins at an end.

    >>> components = components_of(np.array([[7, 2], [4, 5], [5, 6], [2, 9]]))
    >>> components.squares.tolist(), components.sizes.tolist()
    ([7, 2, 9, 4, 5, 6], [3, 3])
    """

    squares: Ids
    sizes: Ids
    degrees: Ids


def components_of(moves: Ids) -> Components:
    """Return the components of moves, each of which joins its two squares in either direction.

    First come the components with a square of degree 1, each from such a square on.
    """
    squares, nodes = np.unique(moves, return_inverse=True)
    sources, targets = nodes.reshape(-1, 2).T
    ends, others = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    degrees = np.bincount(ends, minlength=len(squares))
    neighbors = others[np.argsort(ends, kind="stable")].tolist()
    bounds = np.concatenate([[0], np.cumsum(degrees)]).tolist()
    starts = np.concatenate([ends[degrees[ends] == 1], ends])
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
    return Components(squares[walk], np.array(sizes, dtype=np.int64), degrees[walk])


@dataclass(frozen=True, eq=False, repr=False)
class MovesReport(Report):
    """The judgement of `validate_moves`: the faults of single moves, then those of the components.

    ``path`` holds the squares of one component after the other, ``legal`` for each move whether it
    is one of the piece. No fault has a step.
    """

    moves: Ids
    legal: Mask
    components: Components

    @property
    def legal_moves(self) -> Ids:
        """The legal ones among the moves, as rows (from, to) of ids."""
        return self.moves[self.legal]

    def _entry(self, place: int) -> str:
        return str(self.moves.flat[place])

    def _placed(self, words: Words) -> Iterator[Fault]:
        sound = self.legal & _on_squares(self.board, self.moves).all(axis=1)
        for place in np.flatnonzero(~sound).tolist():
            source, target = self.moves[place].tolist()
            yield from self._square_fault(2 * place, source, words)
            if on_board(self.board, self.moves[place]).all() and not self.legal[place]:
                jump = f"{words.name(source)} to {words.name(target)}"
                message = is_not(jump, self.board.piece.move_name)
                yield Fault(FaultKind.ILLEGAL_MOVE, None, None, (source, target), message)
            yield from self._square_fault(2 * place + 1, target, words)
        for kind, places in _component_faults(self.components, self.closed):
            for place in places.tolist():
                message = self._component_message(kind, place, words)
                yield Fault(kind, None, None, (int(self.path[place]),), message)

    def _square_fault(self, place: int, square: int, words: Words) -> Iterator[Fault]:
        if not 0 <= square < self.board.area:
            message = words.off_board(place)
            yield Fault(FaultKind.OFF_BOARD, None, None, (square,), message)
        elif not self.board.mask[square]:
            message = f"square {words.name(square)} is a hole"
            yield Fault(FaultKind.HOLE, None, None, (square,), message)

    def _component_message(self, kind: FaultKind, place: int, words: Words) -> str:
        """Return the sentence about a fault of the square at a place of the path."""
        square, degree = words.name(int(self.path[place])), self.components.degrees[place]
        if kind is FaultKind.REPEAT and degree > 2:
            return f"square {square} comes more than once: {degree} moves begin or end there, not 2"
        if kind is FaultKind.REPEAT:
            return f"the moves lead back to {square}; an open tour has two ends"
        if kind is FaultKind.SPLIT:
            number = np.searchsorted(np.cumsum(self.components.sizes), place, "right")
            size = pluralize(int(self.components.sizes[number]), "square")
            return f"{size} from {square} on are not joined to {words.name(int(self.path[0]))}"
        if len(self.path) < FEWEST_CLOSED:
            return f"a closed tour has at least {FEWEST_CLOSED} squares"
        return f"no move leads back to {square}: the tour is not closed"


def validate_moves(board: Board, moves: Ids, closed: bool) -> Report:
    """Return a report on whether moves, rows of two ids in any order, are those of a tour.

    A tour is a single component in which every square has two moves, except the two ends of an open
    tour. The direction of a move does not matter. The report on a tour is that of `validate`.

    >>> moves = np.array([[6, 1], [0, 5], [5, 6], [2, 4], [8, 3], [7, 2], [3, 2]])
    >>> report = validate_moves(Board(3, 3, holes=[4]), moves, closed=False)
    >>> report.verdict
    'not a tour: 1 on a hole, 1 illegal move, split into 2 components'
    >>> for fault in report.faults:
    ...     print(fault.message)
    2 (c3) to 4 (b2) is not a knight's move
    square 4 (b2) is a hole
    4 squares from 8 (c1) on are not joined to 0 (a3)
    """
    inside, on_squares = on_board(board, moves), _on_squares(board, moves)
    legal = np.asarray(inside.all(axis=1))
    legal[legal] = board.are_moves(*moves[legal].T)
    components = components_of(moves[on_squares.all(axis=1)])
    visited = np.zeros(board.area, dtype=np.bool_)
    visited[moves[on_squares]] = True
    counts = Counter({kind: len(found) for kind, found in _component_faults(components, closed)})
    counts[FaultKind.OFF_BOARD] = int((~inside).sum())
    counts[FaultKind.HOLE] = int((inside & ~on_squares).sum())
    counts[FaultKind.ILLEGAL_MOVE] = int((inside.all(axis=1) & ~legal).sum())
    counts[FaultKind.MISSING] = len(board) - int(visited.sum())
    if not +counts:
        return validate(board, components.squares, closed)
    squares = components.squares
    return MovesReport(board, closed, squares, +counts, visited, moves, legal, components)


def _on_squares(board: Board, moves: Ids) -> Mask:
    """Return for both ends of each move whether they are squares of the board."""
    on_squares = on_board(board, moves)
    on_squares[on_squares] = board.mask[moves[on_squares]]
    return on_squares


def _component_faults(components: Components, closed: bool) -> Iterator[tuple[FaultKind, Ids]]:
    """Yield the faults of the components, by kind, as places of the path."""
    starts = np.cumsum(components.sizes) - components.sizes
    main, first = starts[:1], components.degrees[: components.sizes[:1].sum()]
    repeats = np.flatnonzero(components.degrees > 2)
    if not closed and (first == 2).all():
        repeats = np.concatenate([main, repeats])
    unclosed = closed and ((first == 1).any() or len(components.squares) < FEWEST_CLOSED)
    yield FaultKind.REPEAT, repeats
    yield FaultKind.SPLIT, starts[1:]
    yield FaultKind.NOT_CLOSED, main if unclosed else main[:0]
