"""Positions: a board with constraints, the path that a visitor has drawn on it, and its address.

A position does not change: what a visitor does returns another one.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import numpy as np

from kt_cp.board import Board, Piece, Topology
from kt_cp.graph_algorithms import component_labels
from kt_cp.messages import InputError, join_words, pluralize
from kt_cp.notation.read import validate
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance
from kt_cp.tour.tour import Tour

MAX_PASTED = 8_000
"""The largest number of characters in a text that the page accepts."""

MAX_SIDE = 20
"""The largest number of rows or columns on the page."""

ADDRESS_KEYS = ("board", "closed", "path", "puzzle")
"""The keys that an address can have."""

NO_GRAPHS = "a graph, which has no squares: kt solve and kt draw take graphs"
"""What is said of a graph, to follow such words as "this is"."""

_CONSTRAINT_FIELDS = {
    "the given steps": ("start", "end", "givens"),
    "the order of squares": ("order",),
    "the required moves": ("require",),
    "the forbidden moves": ("forbid",),
    "the symmetry": ("symmetry",),
    "the bounds on features": ("having",),
}
"""The constraints of boards: {words: fields of the instance}."""

_TOO_LARGE = f"boards here have at most {MAX_SIDE} rows and columns"
_MAX_QUOTED = 120  # characters of a text that a message repeats


@dataclass(frozen=True)
class Position:
    """A board with constraints and a path on it, which may be empty.

    Where a change contradicts an earlier constraint, the later one replaces it, so that every
    sequence of taps leads to a consistent position. Raises `InputError` for more than 20 rows or
    columns, and for a path with an illegal move.
    """

    instance: Instance
    path: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if max(self.board.rows, self.board.columns) > MAX_SIDE:
            raise InputError(_TOO_LARGE)
        for source, target in itertools.pairwise(self.path):
            self._check_move(source, target)

    @classmethod
    def parse(cls, text: str, closed: bool = False) -> Position:
        """Read a size or a map with its constraints.

        ``closed`` asks for a closed tour; without it, the map decides. Raises `InputError` for
        other text.
        """
        if len(text) > MAX_PASTED:
            raise InputError(_TOO_LARGE)
        kind: Constraints = {"closed": True} if closed else {}
        position = cls(Instance.of(text, **kind))
        return position._with_steps(position.steps)

    @classmethod
    def from_query(cls, query: str) -> Position:
        """Return the position of an address that `query` has made."""
        fields = dict(parse_qsl(query))
        position = cls.parse(fields["board"], fields.get("closed") == "true")
        return position.with_path([*map(position.board.vertex, fields.get("path", "").split())])

    @property
    def board(self) -> Board:
        """The board of the instance."""
        return self.instance.board

    @property
    def query(self) -> str:
        """The part of an address from which `parse_address` makes this position.

        >>> Position.parse("3x4", closed=True).with_tap(0).with_tap(6).query
        'board=3x4&closed=true&path=a3+c2'
        """
        board = self.board
        closed = self.instance.closed
        fields = {"board": self.text}
        if self.instance == Instance(Board(board.rows, board.columns), closed=closed):
            fields = {"board": board.size}
            if closed:
                fields["closed"] = "true"
        if self.path:
            fields["path"] = " ".join(map(board.name, self.path))
        return urlencode(fields)

    @property
    def text(self) -> str:
        """The map of the instance, as `kt` reads it."""
        return "\n".join(self.instance.map_lines())

    @property
    def steps(self) -> dict[int, int]:
        """The squares with a given step, by step; the start has step 1."""
        steps = dict(self.instance.steps)
        if self.instance.first is not None:
            steps[1] = self.instance.first
        return dict(sorted(steps.items()))

    @property
    def labels(self) -> list[str]:
        """The name and the state of every square, as a screen reader says them.

        >>> Position.parse("1 #\\n. .").labels
        ['a2, clue, 1, start', 'b2, hole', 'a1, empty', 'b1, empty']
        """
        instance = self.instance
        name = self.board.name
        phrases: list[list[str]] = [[] for _ in range(self.board.area)]
        for hole in self.board.holes:
            phrases[hole].append("hole")
        for step, square in self.steps.items():
            phrases[square] += ["clue", str(step)]
        for step, square in enumerate(self.path, start=1):
            if self.steps.get(step) != square:
                phrases[square].append(str(step))
        phrases = [each or ["empty"] for each in phrases]
        for square in self.unreachable:
            phrases[square].append("out of reach")
        for word, end in (("start", instance.first), ("end", instance.last)):
            if end is not None:
                phrases[end].append(word)
        for word, moves in (("required", instance.require), ("forbidden", instance.forbid)):
            for source, target, _ in moves:
                phrases[source].append(f"{word} move to {name(target)}")
                phrases[target].append(f"{word} move to {name(source)}")
        return [", ".join([name(square), *each]) for square, each in enumerate(phrases)]

    @property
    def is_complete(self) -> bool:
        """Whether the path visits every square."""
        return len(self.path) == len(self.board)

    @property
    def instance_with_path(self) -> Instance:
        """The instance whose tour begins with the path.

        Raises `InputError` if the path contradicts a step of the instance.
        """
        givens = {*self.instance.givens, *zip(self.path, itertools.count(1))}
        return replace(self.instance, givens=tuple(givens))

    @property
    def moves(self) -> list[tuple[int, int]]:
        """The moves of the path, with the last one of a closed tour."""
        moves = list(itertools.pairwise(self.path))
        if self.path and self.instance.closed and self.is_complete:
            moves.append((self.path[-1], self.path[0]))
        return moves

    @property
    def piece_square(self) -> int:
        """The square where the piece stands, or where it may begin."""
        if self.path:
            return self.path[-1]
        first = self.instance.first
        return int(self.board.squares[0]) if first is None else first

    @property
    def next_squares(self) -> tuple[int, ...]:
        """The squares to which the path can go on; empty before it has begun."""
        if not self.path:
            return ()
        neighbors = self.board.neighbors(self.path[-1])
        return tuple(square for square in neighbors if square not in self.path)

    @property
    def unreachable(self) -> tuple[int, ...]:
        """The squares that the path can no longer reach."""
        if not self.path:
            return ()
        is_left = self.board.mask.copy()
        is_left[list(self.path[:-1])] = False
        arcs = self.board.arcs  # two columns: the squares of each move
        arcs_left = arcs[is_left[arcs].all(axis=1)]
        labels = component_labels(self.board.area, arcs_left)
        is_cut_off = is_left & (labels != labels[self.path[-1]])
        return tuple(np.flatnonzero(is_cut_off).tolist())

    @property
    def state(self) -> str:
        """Which tour is wanted, whether the path is that tour, or how it can go on."""
        board = self.board
        path = self.path
        instance = self.instance
        if not path:
            return f"{instance.summary}: tap squares to draw it, or press Solve"
        if not self.is_complete:
            squares_left = len(board) - len(path)
            ways = len(self.next_squares)
            last_step = f"{len(path)} on {board.name(path[-1])}"
            if ways == 0:
                return (
                    f"{last_step}: a dead end, with {pluralize(squares_left, 'square')} left. "
                    "Undo a few steps"
                )
            return f"{last_step}, {pluralize(ways, 'way')} onward, {squares_left} to go"
        report = validate(board, path, instance.closed)
        if not report.valid:
            return f"every square is visited, but this is {report.verdict}"
        squares = Tour(board, path, instance.closed).squares
        if instance.satisfied_by(squares):
            return f"solved: {report.verdict}"
        # Without a start of its own, an order would determine the start of a closed tour.
        bare = Instance(board, instance.closed, start=int(squares[0]))

        def alone(fields: Sequence[str]) -> Instance:
            """Return an instance with some of the constraints."""
            return replace(bare, **{field: getattr(instance, field) for field in fields})

        violated = [
            words
            for words, fields in _CONSTRAINT_FIELDS.items()
            if not alone(fields).satisfied_by(squares)
        ]
        return f"every square is visited, but the tour violates {join_words(violated)}"

    # -- the path

    def with_tap(self, square: int) -> Position:
        """Return the position after a tap on a square.

        The path is extended to a new square. A tap on its last square removes that one, and a tap
        on an earlier one removes all that come after it. Raises `InputError` if no move leads to
        the square.
        """
        self._check_square(square)
        if square not in self.path:
            return replace(self, path=(*self.path, square))
        length = self.path.index(square)
        if square != self.path[-1]:
            length += 1
        return replace(self, path=self.path[:length])

    def with_drag(self, source: int, target: int) -> Position:
        """Return the position after a drag from a square to another: a path that ends with both.

        If the path does not end at ``source``, that one is tapped first. Raises `InputError` if no
        move leads from the path to ``source``, or from there to ``target``.
        """
        is_last = self.path and self.path[-1] == source
        position = self if is_last else self.with_tap(source)
        return position.with_tap(target)

    def with_path(self, squares: Sequence[int]) -> Position:
        """Return the position with a path: its part before the first fault."""
        prefix: list[int] = []
        for square in squares:
            is_new = square in self.board and square not in prefix
            if not is_new or (prefix and square not in self.board.neighbors(prefix[-1])):
                break
            prefix.append(square)
        return replace(self, path=tuple(prefix))

    def cleared(self) -> Position:
        """Return the position without path and constraints."""
        return Position(Instance(self.board, self.instance.closed))

    # -- the board and its constraints

    def with_shape(
        self, rows: int, columns: int, closed: bool, piece: Piece | str, topology: Topology | str
    ) -> Position:
        """Return the position with another board or kind of tour.

        A board of another size is empty. On a board of the same size, the constraints and the moves
        that it allows are kept.
        """
        if (rows, columns) != (self.board.rows, self.board.columns):
            return Position(Instance(Board(rows, columns, (), piece, topology), closed))
        board = Board(rows, columns, self.board.holes, piece, topology)
        return self._moved_to_board(board, closed)

    def toggled_hole(self, square: int) -> Position:
        """Return the position with a square made a hole, or a hole made a square."""
        holes = tuple({*self.board.holes} ^ {square})
        return self._moved_to_board(replace(self.board, holes=holes), self.instance.closed)

    def toggled_end(self, role: str, square: int) -> Position:
        """Return the position with a square made the ``start`` or the ``end``, or no longer so.

        Raises `InputError` for a hole, and for the end of a closed tour.
        """
        if role == "end" and self.instance.closed:
            raise InputError("a closed tour has no end")
        step = 1 if role == "start" else len(self.board)
        return self.with_step(square, None if self.steps.get(step) == square else step)

    def with_step(self, square: int, step: int | None) -> Position:
        """Return the position with the step of a square set, or with None removed.

        The step replaces another step of that square, and the same step elsewhere. Raises
        `InputError` for a hole, and for a step larger than the number of squares.
        """
        self._check_square(square)
        steps = {number: each for number, each in self.steps.items() if each != square}
        if step is not None:
            steps[step] = square
        return self._with_steps(steps)

    def toggled_move(self, role: str, source: int, target: int) -> Position:
        """Return the position with a move added to the constraint ``role``, or removed from it.

        ``role`` is ``require`` or ``forbid``; a move that is added is removed from the other one.
        Raises `InputError` for two squares that no move joins.
        """
        current = {"require": self.instance.require, "forbid": self.instance.forbid}
        moves = {
            name: tuple(each for each in listed if {each.source, each.target} != {source, target})
            for name, listed in current.items()
        }
        if moves[role] == current[role]:
            self._check_move(source, target)
            moves[role] += (Move(source, target),)
        return self._with_steps(self.steps, **moves)

    def _check_square(self, square: int) -> None:
        """Raise `InputError` for a hole."""
        if square not in self.board:
            raise InputError(f"{self.board.name(square)} is a hole")

    def _check_move(self, source: int, target: int) -> None:
        """Raise `InputError` if the board has no such move."""
        board = self.board
        if source not in board or target not in board.neighbors(source):
            raise InputError(
                f"{board.name(source)} to {board.name(target)} is no {board.move_name}"
            )

    def _with_steps(self, steps: Mapping[int, int], **changes: Any) -> Position:
        """Return the position with these steps, which include the start and the end.

        ``changes`` are other fields of the instance to replace. A closed tour with an order but
        without a start begins at the first square of the order; if that has another step, which
        came later, the order is dropped.
        """
        steps = dict(steps)
        closed = changes.get("closed", self.instance.closed)
        order = changes.get("order", self.instance.order)
        if closed and order and 1 not in steps:
            if order[0] in steps.values():
                changes["order"] = ()
            else:
                steps[1] = order[0]
        changes["givens"] = tuple((square, step) for step, square in steps.items())
        return replace(self, instance=replace(self.instance, start=None, end=None, **changes))

    def _moved_to_board(self, board: Board, closed: bool) -> Position:
        """Return the position on a board of the same size, with the constraints that it allows.

        The end keeps the last step, which is the number of squares of the board.
        """
        old = self.instance
        steps = {
            len(board) if square == old.last else step: square
            for step, square in self.steps.items()
            if square in board
        }
        bare = replace(self, path=())._with_steps(
            {step: square for step, square in steps.items() if step <= len(board)},
            graph=board,
            closed=closed,
            order=tuple(square for square in old.order if square in board),
            require=tuple(move for move in old.require if move.is_on(board)),
            forbid=tuple(move for move in old.forbid if move.is_on(board)),
        )
        return bare.with_path(self.path)


def parse_address(fields: Mapping[str, str], default: Position) -> tuple[Position, str]:
    """Return the position that an address describes, and a message on errors or an empty text.

    Return the ``default`` position if there is no board, or if it or a key is invalid. A path is
    shortened to its part before the first error.

    >>> default = Position.parse("6x6")
    >>> position, problem = parse_address({"board": "3x4", "path": "a3 c2 d4"}, default)
    >>> position.path, problem.partition(": ")[0]
    ((0, 6), 'the address has a path that ends at c2')
    """
    try:
        position = _read_board(fields, default)
    except InputError as error:
        return default, f"the address has {error}"
    board = position.board
    for name in fields.get("path", "").split():
        try:
            square = board.vertex(name)
            if square in position.path:
                raise InputError(f"{name} is visited twice")
            position = position.with_tap(square)
        except InputError as error:
            fate = f"ends at {board.name(position.path[-1])}" if position.path else "is left out"
            return position, f"the address has a path that {fate}: {_shorten(str(error))}"
    return position, ""


def _read_board(fields: Mapping[str, str], default: Position) -> Position:
    """Return the position of an address without its path. Raises `InputError` for what is wrong."""
    unknown = [name for name in fields if name not in ADDRESS_KEYS]
    if "graph" in unknown:
        raise InputError(NO_GRAPHS)
    if unknown:
        raise InputError(f"{_shorten(unknown[0])!r}, which is none of {', '.join(ADDRESS_KEYS)}")
    closed = fields.get("closed", "false").lower()
    if closed not in ("true", "false"):
        raise InputError(f"closed={_shorten(closed)}: give closed=true")
    if "board" not in fields:
        return default
    try:
        return Position.parse(fields["board"], closed == "true")
    except InputError as error:
        raise InputError(f"what is no board: {_shorten(str(error))}") from None


def _shorten(text: str) -> str:
    """Return a text short enough to be quoted in a message."""
    return text if len(text) <= _MAX_QUOTED else f"{text[:_MAX_QUOTED]} …"
