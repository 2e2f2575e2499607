"""Clues: the steps, moves and squares in order that a puzzle shows, and patterns of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.board.maps import SquareLike, marked_cells
from kt_cp.board.pieces import Symmetry, images_under
from kt_cp.messages import InputError, pluralize
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.positions import Given


class Waypoint(NamedTuple):
    """A square to be visited in order. Its step, by which the squares are sorted, is not shown."""

    square: int
    step: int


Clue = Given | Move | Waypoint


class ClueKind(StrEnum):
    """What a puzzle shows: steps of squares, moves, both, or squares in order without steps."""

    NUMBERS = "numbers"
    MOVES = "moves"
    BOTH = "both"
    ORDER = "order"

    @property
    def has_numbers(self) -> bool:
        """Whether steps of squares are shown."""
        return self in (ClueKind.NUMBERS, ClueKind.BOTH)

    @property
    def has_moves(self) -> bool:
        """Whether moves are shown."""
        return self in (ClueKind.MOVES, ClueKind.BOTH)


# Clues that are shown together or not at all.
ClueGroup = tuple[Clue, ...]


def clue_count(instance: Instance) -> int:
    """Return the number of squares in order if there are any, and otherwise of steps and moves."""
    if instance.order:
        return len(instance.order)
    return len(clues_of(instance))


def clues_of(instance: Instance) -> list[Given | Move]:
    """Return the clues of an instance: its known steps, and its required moves.

    >>> clues_of(Instance.of("3x4", givens={"a3": 1}, require=["a1-c2"]))
    [Given(square=0, step=1), Move(source=8, target=6, directed=False)]
    """
    steps = [Given(square, step) for step, square in instance.steps.items()]
    return [*steps, *instance.require]


def with_clues(instance: Instance, clues: Iterable[Clue]) -> Instance:
    """Return the instance with further clues.

    Squares in order are added only where the instance has no order. Raises `InputError` for steps
    that contradict each other.
    """
    steps = dict(instance.givens)
    required = list(instance.require)
    waypoints: set[Waypoint] = set()
    for clue in clues:
        if isinstance(clue, Given):
            steps[clue.square] = clue.step
        elif isinstance(clue, Waypoint):
            waypoints.add(clue)
        elif clue not in required:
            required.append(clue)
    order = instance.order
    if waypoints and not order:
        order = tuple(each.square for each in sorted(waypoints, key=lambda each: each.step))
    return replace(
        instance,
        start=instance.first,
        givens=tuple(steps.items()),
        require=tuple(required),
        order=order,
    )


def clues_in(groups: Iterable[ClueGroup]) -> list[Clue]:
    """Return the clues of all groups."""
    return list(itertools.chain.from_iterable(groups))


def clues_of_tour(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return the clues of a kind that hold for a tour and that the instance does not have.

    The ``tour`` holds ids in visiting order. The moves have no direction.
    """
    path = tour.tolist()
    clues: list[Clue] = []
    if kind is ClueKind.ORDER:
        clues += [Waypoint(square, step) for step, square in enumerate(path, start=1)]
    if kind.has_numbers:
        known = set(clues_of(instance))
        givens = [Given(square, step) for step, square in enumerate(path, start=1)]
        clues += [given for given in givens if given not in known]
    if kind.has_moves:
        required = {(move.source, move.target) for move in instance.require}
        if instance.closed:
            path.append(path[0])
        moves = [Move(*pair) for pair in itertools.pairwise(path)]
        clues += [move for move in moves if required.isdisjoint(move.arcs())]
    return clues


def direction_clues(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return clues each of which fixes the direction of a tour if only moves are shown.

    The list is empty where no direction need be fixed: for a puzzle that shows steps, and for a
    closed tour whose constraints do not depend on the direction.
    """
    if kind.has_numbers:
        return []
    if not instance.closed or instance.givens:
        first = [Given(square, step) for step, square in enumerate(tour[:2].tolist(), start=1)]
        return [given for given in first if given not in clues_of(instance)]
    if not instance.direction_matters:
        return []
    undirected = {
        frozenset((move.source, move.target)) for move in instance.require if not move.directed
    }
    moves = [Move(*pair, directed=True) for pair in itertools.pairwise(tour.tolist())]
    for move in moves:
        if frozenset((move.source, move.target)) not in undirected:
            return [move]
    return [moves[0]]  # all moves are shown already: direct the first one


# -- patterns -------------------------------------------------------------------------------------


class PatternName(StrEnum):
    """The patterns that have a name."""

    SYMMETRIC = "symmetric"
    BORDER = "border"
    DIAGONAL = "diagonal"


@dataclass(frozen=True)
class Pattern:
    """Where the numbers of a puzzle stand.

    Each group of squares shows its numbers together. Of the named patterns, the groups of
    ``symmetric`` are the pairs of squares that a half-turn maps onto each other; a puzzle shows
    only those that it needs. Any other pattern is ``whole``: all squares of its one group show
    their numbers, and other squares show numbers only where these do not determine the tour (see
    `Puzzle.off_pattern`).
    """

    groups: tuple[frozenset[int], ...]
    whole: bool

    @classmethod
    def of(cls, board: Board, pattern: PatternName | Iterable[SquareLike]) -> Pattern:
        """Return the pattern of a name, or that of some squares.

        Raises `InputError` if the board has no such pattern.

        >>> len(Pattern.of(Board(4, 4), PatternName.SYMMETRIC).groups)
        8
        >>> sorted(Pattern.of(Board(3, 3, holes=[4]), PatternName.DIAGONAL).squares)
        [0, 2, 6, 8]
        """
        if pattern == PatternName.SYMMETRIC:
            images = images_under(board, Symmetry.HALF_TURN).tolist()
            pairs = {frozenset((square, images[square])) for square in board.squares.tolist()}
            if any(square in board.holes for pair in pairs for square in pair):
                raise InputError(f"clues symmetric: no half-turn maps {board.title} onto itself")
            return cls(tuple(sorted(pairs, key=min)), whole=False)
        if pattern == PatternName.BORDER:  # beside the outside or a hole, in rows and columns
            mask = np.pad(board.grid(board.mask), 1)
            inside = mask[:-2, 1:-1] & mask[2:, 1:-1] & mask[1:-1, :-2] & mask[1:-1, 2:]
            squares = set(np.flatnonzero(board.grid(board.mask) & ~inside).tolist())
        elif pattern == PatternName.DIAGONAL:  # from corner to corner, as near as the rows allow
            rows = np.arange(board.rows)
            columns = np.rint(rows * (board.columns - 1) / max(1, board.rows - 1)).astype(int)
            lines = np.concatenate([columns, columns[::-1]])
            squares = {*(np.tile(rows, 2) * board.columns + lines).tolist()} - {*board.holes}
        else:
            squares = {board.vertex(square, "clue") for square in pattern}
        if not squares:
            raise InputError(f"clues: the pattern has no square of {board.title}")
        return cls((frozenset(squares),), whole=True)

    @classmethod
    def parse(cls, board: Board, text: str) -> Pattern:
        """Return the pattern that a map of the size of the board marks.

        Marks are those of `marked_cells`. Raises `InputError` for a map of another size, and for a
        mark on a hole of the board.

        >>> sorted(Pattern.parse(Board(2, 3), "X.X\\n.o.").squares)
        [0, 2, 4]
        """
        rows, columns, marked = marked_cells(text)
        if (rows, columns) != (board.rows, board.columns):
            drawn = f"the pattern of clues has {pluralize(rows, 'row')} of {columns}"
            raise InputError(f"{drawn}; {board.title} needs {board.rows} of {board.columns}")
        return cls.of(board, marked)

    @property
    def squares(self) -> frozenset[int]:
        """All squares on which numbers may stand."""
        return frozenset().union(*self.groups)
