"""The puzzle: an instance with exactly one solution, the clues that it shows, its level, its text.

A saved puzzle is a map that every command reads. Two of its notes say what was proven, so that
nobody proves it again: ``solution`` holds the tour, folded so that nobody reads it by accident, and
``unique`` a checksum of the clues for which it is the only one.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board, Symmetry
from kt_cp.board.maps import SquareLike, marked_cells
from kt_cp.board.pieces import images_under
from kt_cp.graph import Graph, Pictured
from kt_cp.messages import InputError, checked_number, pluralize
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED
from kt_cp.tour.tour import InvalidTourError, Tour

# The checksum of a puzzle's clues guards against an edited map, not against malice.
_CHECKSUM_BYTES = 4

# -- levels ---------------------------------------------------------------------------------------

EFFORTS_PER_LEVEL = 100
"""The number of effort values of each level; the first level has 0 to 99."""


class Level(StrEnum):
    """How hard a puzzle is for a person: one of five ranges of its effort.

    Levels are compared by difficulty.

    >>> Level.EASY < Level.MEDIUM < Level.MASTERS
    True
    >>> max(Level.HARD, Level.CHILDREN)
    <Level.HARD: 'hard'>
    """

    CHILDREN = "children"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    MASTERS = "masters"

    @classmethod
    def of(cls, effort: int) -> Level:
        """Return the level in whose range an effort is.

        Raises `InputError` for an effort that is not from 0 to 499.

        >>> Level.of(99), Level.of(100), Level.of(499)
        (<Level.CHILDREN: 'children'>, <Level.EASY: 'easy'>, <Level.MASTERS: 'masters'>)
        """
        checked_number("effort", effort, 0, MAX_EFFORT)
        return list(cls)[effort // EFFORTS_PER_LEVEL]

    @property
    def number(self) -> int:
        """The rank of the level, from 1 (children) to 5 (masters)."""
        return list(Level).index(self) + 1

    @property
    def efforts(self) -> EffortRange:
        """The efforts of the puzzles of this level."""
        low = EFFORTS_PER_LEVEL * (self.number - 1)
        return EffortRange(low, low + EFFORTS_PER_LEVEL - 1)

    # A string enumeration would otherwise compare the names in alphabetical order.

    def __lt__(self, other: str) -> bool:
        return self.number < Level(other).number

    def __le__(self, other: str) -> bool:
        return self.number <= Level(other).number

    def __gt__(self, other: str) -> bool:
        return self.number > Level(other).number

    def __ge__(self, other: str) -> bool:
        return self.number >= Level(other).number


MAX_EFFORT = EFFORTS_PER_LEVEL * len(Level) - 1
"""The largest effort."""


class EffortRange(NamedTuple):
    """The efforts from ``low`` to ``high``, both included."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> EffortRange:
        """Return the range that is written ``LOW..HIGH``. Raises `InputError` for other text.

        >>> EffortRange.parse("200..400")
        EffortRange(low=200, high=400)
        """
        ends = re.fullmatch(r"\s*(\d{1,3})\s*\.\.\s*(\d{1,3})\s*", text)
        if ends is None or not int(ends[1]) <= int(ends[2]) <= MAX_EFFORT:
            raise InputError(
                f"effort {text!r}: give LOW..HIGH with numbers from 0 to {MAX_EFFORT}, such as "
                "200..400"
            )
        return cls(int(ends[1]), int(ends[2]))

    def distance(self, effort: float | None) -> float:
        """Return how far an effort is outside the range: 0 if it is in it, infinite for None."""
        return math.inf if effort is None else max(self.low - effort, effort - self.high, 0)

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


# -- clues ----------------------------------------------------------------------------------------


class Given(NamedTuple):
    """The step at which a square is visited."""

    square: int
    step: int

    def describe(self, graph: Graph) -> str:
        """Return the given in words, such as ``5 on c3``."""
        return f"{self.step} on {graph.name(self.square)}"


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
        instance_clues = set(clues_of(instance))
        givens = [Given(square, step) for step, square in enumerate(path, start=1)]
        clues += [given for given in givens if given not in instance_clues]
    if kind.has_moves:
        required = {(move.source, move.target) for move in instance.require}
        if instance.closed:
            path.append(path[0])
        moves = [Move(*pair) for pair in itertools.pairwise(path)]
        clues += [move for move in moves if required.isdisjoint(move.arcs())]
    return clues


def direction_clues(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return clues each of which alone fixes the direction of a tour if only moves are shown.

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
        """Return the pattern of a name, or a pattern of some squares.

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
            mask = np.pad(board.grid(board.mask), 1)  # with a row or column more on each side
            above, below = mask[:-2, 1:-1], mask[2:, 1:-1]
            left, right = mask[1:-1, :-2], mask[1:-1, 2:]
            inside = above & below & left & right
            squares = set(np.flatnonzero(board.grid(board.mask) & ~inside).tolist())
        elif pattern == PatternName.DIAGONAL:  # from corner to corner, as near as the rows allow
            rows = np.arange(board.rows)
            columns = np.rint(rows * (board.columns - 1) / max(1, board.rows - 1)).astype(int)
            row_starts = rows * board.columns
            falling, rising = row_starts + columns, row_starts + columns[::-1]
            squares = {*falling.tolist(), *rising.tolist()} - {*board.holes}
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
            raise InputError(
                f"the pattern of clues has {pluralize(rows, 'row')} of {columns}; "
                f"{board.title} needs {board.rows} of {board.columns}"
            )
        return cls.of(board, marked)

    @property
    def squares(self) -> frozenset[int]:
        """All squares on which numbers may stand."""
        return frozenset().union(*self.groups)


# -- puzzles --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Puzzle(Pictured):
    """An instance with exactly one solution, and that solution; as text, a map that `kt` reads.

    The clues are the given steps and the required moves of the ``instance``. The ``effort`` tells
    how hard the puzzle is for a person (see `rate`), and ``seed`` from which random choices it was
    made, if known. A puzzle is ``unfinished`` if the time limit was reached before every clue was
    tried, so that some may be left out. ``title`` is its heading in a book. ``off_pattern`` has the
    squares of clues outside of the pattern that was asked for.
    """

    instance: Instance
    solution: Tour
    effort: int | None = None
    seed: int | None = None
    unfinished: bool = False
    title: str | None = None
    off_pattern: tuple[int, ...] = ()

    @property
    def level(self) -> Level | None:
        """The level in whose range the effort is."""
        return None if self.effort is None else Level.of(self.effort)

    @property
    def givens(self) -> dict[int, int]:
        """The steps shown, by square: with the start and the end of an open tour if asked for."""
        return {square: step for step, square in self.instance.steps.items()}

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves shown."""
        return self.instance.require

    def __str__(self) -> str:
        notes = {
            "title": self.title,
            "level": self.level,
            "effort": self.effort,
            "seed": self.seed,
            "solution": fold(self.solution),
            "unique": checksum(self.instance),
        }
        notes_given = {name: note for name, note in notes.items() if note is not None}
        return "\n".join(self.instance.map_lines(**notes_given))


def saved_puzzle(instance: Instance, notes: Mapping[str, str]) -> Puzzle | None:
    """Return the puzzle that a map was saved from, or None if its notes do not prove one.

    The solution counts as unique if it meets all constraints and the checksum matches them.

    >>> from kt_cp import make_puzzle
    >>> from kt_cp.problem.instance import parse_map
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> board, constraints, contents = parse_map(str(puzzle), {})
    >>> saved_puzzle(Instance.of(board, **constraints), contents.notes) == puzzle
    True
    >>> saved_puzzle(Instance.of("5x5"), contents.notes) is None
    True
    """
    if notes.get("unique") != checksum(instance):
        return None
    solution = unfold(instance.board, notes.get("solution", ""), instance.closed)
    if solution is None or not instance.satisfied_by(solution.squares):
        return None

    def number(note: str, largest: int) -> int | None:
        text = notes.get(note, "")
        return int(text) if re.fullmatch(r"[0-9]{1,10}", text) and int(text) <= largest else None

    return Puzzle(
        instance,
        solution,
        effort=number("effort", MAX_EFFORT),
        seed=number("seed", MAX_SEED),
        title=notes.get("title"),
    )


# -- the notes of a saved puzzle ------------------------------------------------------------------


def checksum(instance: Instance) -> str:
    """Return the checksum of a board and its constraints, as eight hexadecimal digits."""
    lines = "\n".join(instance.map_lines())
    return hashlib.sha256(lines.encode()).hexdigest()[: 2 * _CHECKSUM_BYTES]


def fold(tour: Tour) -> str:
    """Return a tour as a short text that does not give it away at a glance; `unfold` reads it.

    The text is a number in Base64, written in mixed radix. Its lowest digit is the index of the
    first square among all squares; each further digit is the index of the next square among the
    neighbors of the one before. The radix of a digit is the number of possible values.
    """
    path = tour.squares.tolist()
    board = tour.board
    digits = [(board.squares.tolist().index(path[0]), len(board))]
    for square, following in itertools.pairwise(path):
        neighbors = board.neighbors(square)
        digits.append((neighbors.index(following), len(neighbors)))
    number = 0
    for digit, base in reversed(digits):
        number = number * base + digit
    folded = number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")
    return base64.urlsafe_b64encode(folded).decode().rstrip("=")


def unfold(board: Board, text: str, closed: bool) -> Tour | None:
    """Return the tour that `fold` made a text of, or None for any other text.

    >>> from kt_cp import solve
    >>> tour = solve("5x5").tour
    >>> unfold(tour.board, fold(tour), closed=False) == tour
    True
    """
    try:
        padded = text + "=" * (-len(text) % 4)
        folded = base64.b64decode(padded, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    rest, first = divmod(int.from_bytes(folded, "big"), len(board))
    path = [int(board.squares[first])]
    while len(path) < len(board):
        neighbors = board.neighbors(path[-1])
        if not neighbors:
            return None
        rest, index = divmod(rest, len(neighbors))
        path.append(neighbors[index])
    if rest:
        return None
    squares: Squares = np.array(path, dtype=np.int32)
    try:
        return Tour.from_ids(board, squares, closed)
    except InvalidTourError:
        return None
