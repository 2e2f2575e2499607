"""What a visitor has on the board: an instance and a path of their own, and all that came before.

Everything is an immutable value, and nothing here knows the page. An action returns a new position;
where it contradicts what is there, the newer wish wins, so that no sequence of clicks leads to a
position that makes no sense.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from kt_cp.board import Board, Topology
from kt_cp.board.piece import Piece
from kt_cp.errors import InputError
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance

MAX_SIDE = 20
MAX_TEXT = 8_000
"""The sides of a board, and the characters of a text, that the page takes."""

_SIZE = re.compile(r"\s*(\d+)\s*[xX×]\s*(\d+)\s*")
_PAST = 5_000


@dataclass(frozen=True)
class Position:
    """An instance, and the path that the visitor has drawn on its board, which may be empty.

    Raises `InputError` for a path that visits a square twice, or moves as the piece does not.
    """

    instance: Instance
    path: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.path)) < len(self.path):
            raise InputError("a path visits no square twice")
        for source, target in zip(self.path, self.path[1:], strict=False):
            if target not in self.board.neighbors(source):
                names = f"{self.name(source)} to {self.name(target)}"
                raise InputError(f"{names} is no {self.board.move_name}")

    @classmethod
    def parse(cls, text: str, closed: bool = False) -> Position:
        """Read a size or a map, with the constraints in it; never the name of a file.

        Raises `InputError` for anything else, and for a board of more than 20 rows or columns.

        >>> Position.parse("3x4", closed=True).instance.kind
        'closed'
        """
        size = _SIZE.fullmatch(text)
        if len(text) > MAX_TEXT or (size and max(map(len, size.groups())) > 2):
            raise InputError(f"a board here has at most {MAX_SIDE} rows and columns")
        asked: Constraints = {"closed": True} if closed else {}
        position = cls(Instance.of(text, **asked))
        if max(position.board.rows, position.board.columns) > MAX_SIDE:
            raise InputError(f"a board here has at most {MAX_SIDE} rows and columns")
        return position

    @property
    def board(self) -> Board:
        """The board."""
        return self.instance.board

    @property
    def query(self) -> str:
        """The part of an address from which `parse` makes this position, without its path."""
        instance, closed = self.instance, self.instance.closed
        is_plain = instance == Instance(Board(self.board.rows, self.board.columns), closed=closed)
        text = self.board.size if is_plain else self.text
        return urlencode({"board": text, **({"closed": "true"} if is_plain and closed else {})})

    @property
    def text(self) -> str:
        """The map of the instance, as `kt` reads it."""
        return "\n".join(self.instance.map_lines())

    @property
    def with_path(self) -> Instance:
        """The instance whose tour begins with the path; `InputError` if it contradicts a step."""
        givens = {*self.instance.givens, *zip(self.path, itertools.count(1))}
        return replace(self.instance, givens=tuple(givens))

    @property
    def next_squares(self) -> tuple[int, ...]:
        """The squares to which the path can go on; all of them if it has not begun."""
        if not self.path:
            start = self.instance.start
            return tuple(self.board.squares.tolist()) if start is None else (start,)
        return tuple(s for s in self.board.neighbors(self.path[-1]) if s not in self.path)

    @property
    def cut_off(self) -> tuple[int, ...]:
        """The squares that the path can no longer reach."""
        left = set(self.board.squares.tolist()) - set(self.path)
        waiting = list(self.path[-1:])
        while waiting:
            reached = left.intersection(self.board.neighbors(waiting.pop()))
            left -= reached
            waiting += reached
        return tuple(sorted(left)) if self.path else ()

    def name(self, square: int) -> str:
        """Return the chess name of a square."""
        return self.board.name(square)

    def label(self, square: int) -> str:
        """Return the name of a square and its state, as a screen reader says it."""
        instance, told = self.instance, list[str]()
        if square in self.board.holes:
            return f"{self.name(square)}, hole"
        steps = {at: step for step, at in instance.steps.items()}
        steps |= {at: step for step, at in enumerate(self.path, start=1)}
        told += [f"step {steps[square]}"] if square in steps else []
        told += [word for word in ("start", "end") if getattr(instance, word) == square]
        for word, moves in (("required", instance.require), ("forbidden", instance.forbid)):
            ends = [{*move[:2]} - {square} for move in moves if square in move[:2]]
            told += [f"{word} move to {self.name(other)}" for each in ends for other in each]
        return ", ".join([self.name(square), *(told or ["empty"])])

    def resized(self, rows: int, columns: int) -> Position:
        """Change the sides of the board; what is on squares that remain is kept."""
        for side in (rows, columns):
            if not 1 <= side <= MAX_SIDE:
                raise InputError(f"{side}: a board here has 1 to {MAX_SIDE} rows and columns")
        old, width = self.board, self.board.columns

        def moved(square: int) -> int | None:
            row, column = divmod(square, width)
            return row * columns + column if row < rows and column < columns else None

        holes = [hole for hole in map(moved, old.holes) if hole is not None]
        return self._on(Board(rows, columns, holes, old.piece, old.topology), moved)

    def toggled_hole(self, square: int) -> Position:
        """Make a square a hole, or a hole a square."""
        old = self.board
        holes = {*old.holes} ^ {square}
        return self._on(Board(old.rows, old.columns, holes, old.piece, old.topology))

    def with_moves(self, piece: Piece | str, topology: Topology | str) -> Position:
        """Change the piece, and how edges are joined."""
        old = self.board
        return self._on(Board(old.rows, old.columns, old.holes, piece, topology))

    def with_closed(self, closed: bool) -> Position:
        """Ask for a closed tour, or for an open one."""
        end = None if closed else self.instance.end
        return replace(self, instance=replace(self.instance, closed=closed, end=end))

    def with_end(self, role: str, square: int) -> Position:
        """Make a square the ``start`` or the ``end``, or no longer if it is."""
        if role == "end" and self.instance.closed:
            raise InputError("a closed tour has no end")
        self._check_square(square)
        step = 1 if role == "start" else len(self.board)
        bare = self._without(square)._without_step(step)
        if getattr(self.instance, role) == square:
            return bare
        change: dict[str, Any] = {role: square}
        return replace(bare, instance=replace(bare.instance, **change))

    def with_step(self, square: int, step: int | None) -> Position:
        """Give the step of a square, in place of any other there and of that step elsewhere."""
        self._check_square(square)
        bare = self._without(square)
        if step is None:
            return bare
        bare = bare._without_step(step)
        givens = (*bare.instance.givens, (square, step))
        return replace(bare, instance=replace(bare.instance, givens=givens))

    def with_move(self, role: str, source: int, target: int) -> Position:
        """Add a move to those that are ``require``d or ``forbid``den, or take it away again."""
        lists = {name: list(getattr(self.instance, name)) for name in ("require", "forbid")}
        is_there = any({source, target} == {*move[:2]} for move in lists[role])
        for moves in lists.values():
            moves[:] = [move for move in moves if {*move[:2]} != {source, target}]
        if not is_there:
            if source in self.board.holes or target not in self.board.neighbors(source):
                names = f"{self.name(source)} to {self.name(target)}"
                raise InputError(f"{names} is no {self.board.move_name}")
            lists[role].append(Move(source, target))
        changes: dict[str, Any] = {name: tuple(moves) for name, moves in lists.items()}
        return replace(self, instance=replace(self.instance, **changes))

    def visited(self, square: int) -> Position:
        """Go on to a square; on the last one, take it back; on an earlier one, go back to it."""
        self._check_square(square)
        if square not in self.path:
            return replace(self, path=(*self.path, square))
        place = self.path.index(square)
        return replace(self, path=self.path[: place + (square != self.path[-1])])

    def _check_square(self, square: int) -> None:
        if square not in self.board:
            raise InputError(f"{self.name(square)} is a hole")

    def _without(self, *squares: int | None) -> Position:
        """Leave out the steps of squares, also as the start or the end."""
        instance = self.instance
        ends: dict[str, Any] = {
            name: None for name in ("start", "end") if getattr(instance, name) in squares
        }
        givens = tuple(given for given in instance.givens if given[0] not in squares)
        return replace(self, instance=replace(instance, givens=givens, **ends))

    def _without_step(self, step: int) -> Position:
        ends = {1: self.instance.start, len(self.board): self.instance.end}
        given = (square for square, each in self.instance.givens if each == step)
        return self._without(*given, *(square for at, square in ends.items() if at == step))

    def _on(self, board: Board, moved: Callable[[int], int | None] = lambda at: at) -> Position:
        """Put what still makes sense onto another board."""
        old, count = self.instance, len(board)

        def kept(square: int | None) -> int | None:
            place = None if square is None else moved(square)
            return place if place is not None and place in board else None

        def kept_moves(moves: tuple[Move, ...]) -> tuple[Move, ...]:
            ends = [(kept(move.source), kept(move.target), move.directed) for move in moves]
            made = [Move(a, b, way) for a, b, way in ends if a is not None and b is not None]
            return tuple(move for move in made if move.is_on(board))

        places = ((kept(square), step) for square, step in old.givens if step <= count)
        givens = tuple((square, step) for square, step in places if square is not None)
        start, end = kept(old.start), kept(old.end)
        if end == start or any((square == end) != (step == count) for square, step in givens):
            end = None
        is_same = (board.piece, board.topology) == (old.board.piece, old.board.topology)
        instance = replace(
            Instance(board, old.closed, start, end, givens=givens),
            require=kept_moves(old.require),
            forbid=kept_moves(old.forbid),
            having=old.having if is_same else (),
            symmetry=old.symmetry if board.rows == board.columns else None,
        )
        path: list[int] = []
        for square in map(kept, self.path):
            if square is None or (path and square not in board.neighbors(path[-1])):
                break
            path.append(square)
        return Position(instance, tuple(path))


@dataclass(frozen=True)
class State:
    """The position now, those before it, and those that were undone."""

    now: Position
    past: tuple[Position, ...] = ()
    future: tuple[Position, ...] = ()

    def do(self, position: Position) -> State:
        """Go to another position; nothing changes if it is the same."""
        if position == self.now:
            return self
        return State(position, (*self.past[-_PAST:], self.now))

    def undo(self) -> State:
        """Go back to the position before, if there is one."""
        if not self.past:
            return self
        return State(self.past[-1], self.past[:-1], (self.now, *self.future))

    def redo(self) -> State:
        """Do again what was undone last, if anything."""
        if not self.future:
            return self
        return State(self.future[0], (*self.past, self.now), self.future[1:])
