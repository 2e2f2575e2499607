"""What a visitor has on the board: an instance and a path, how a click changes it, its address.

Nothing here knows the page. An action returns a new position; where it contradicts what is there,
the newer wish wins, so that no sequence of clicks leads to a position that makes no sense.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import numpy as np

from kt_cp.board import Board, Topology
from kt_cp.board.piece import Piece
from kt_cp.errors import InputError
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move

MAX_SIDE = 20
MAX_TEXT = 8_000
"""The sides of a board, and the characters of a text, that the page takes."""

MAX_HISTORY = 200
"""How much can be undone."""

ADDRESS = ("board", "closed", "path", "puzzle")
"""What an address can hold."""

T = TypeVar("T")

_REPEATED = 40  # characters of a text that a message repeats
_SIZE = re.compile(r"\d+x\d+")
_TOO_LARGE = f"a board here has at most {MAX_SIDE} rows and columns"


@dataclass(frozen=True)
class Position:
    """An instance, and the path that the visitor has drawn on its board, which may be empty.

    Raises `InputError` for more than 20 rows or columns, and for a path with an illegal move.
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
        """Read a size or a map, with its constraints; `InputError` for a file, or anything else."""
        if len(text) > MAX_TEXT:
            raise InputError(_TOO_LARGE)
        asked: Constraints = {"closed": True} if closed else {}
        position = cls(Instance.of(text, **asked))
        return position._changed(position.steps)

    @property
    def board(self) -> Board:
        """The board."""
        return self.instance.board

    @property
    def query(self) -> str:
        """The part of an address from which `parse_address` makes this position.

        >>> Position.parse("3x4", closed=True).visited(0).visited(6).query
        'board=3x4&closed=true&path=a3+c2'
        """
        board, closed = self.board, self.instance.closed
        if self.instance == Instance(Board(board.rows, board.columns), closed=closed):
            asked = {"board": board.size}
            if closed:
                asked["closed"] = "true"
        else:
            asked = {"board": self.text}
        if self.path:
            asked["path"] = " ".join(map(board.name, self.path))
        return urlencode(asked)

    @property
    def text(self) -> str:
        """The map of the instance, as `kt` reads it."""
        return "\n".join(self.instance.map_lines())

    @property
    def steps(self) -> dict[int, int]:
        """The squares whose step is asked for, by step; the start has step 1."""
        start = self.instance.start
        return {**({} if start is None else {1: start}), **self.instance.steps}

    @property
    def with_path(self) -> Instance:
        """The instance whose tour begins with the path; `InputError` if it contradicts a step."""
        givens = {*self.instance.givens, *zip(self.path, itertools.count(1))}
        return replace(self.instance, givens=tuple(givens))

    @property
    def next_squares(self) -> tuple[int, ...]:
        """The squares to which the path can go on, if it has begun."""
        ends = self.path[-1:]
        return tuple(s for end in ends for s in self.board.neighbors(end) if s not in self.path)

    @property
    def cut_off(self) -> tuple[int, ...]:
        """The squares that the path can no longer reach."""
        if not self.path:
            return ()
        left = self.board.mask.copy()
        left[list(self.path[:-1])] = False
        edges = self.board.arcs[left[self.board.arcs].all(axis=1)]
        labels = component_labels(self.board.area, edges)
        return tuple(np.flatnonzero(left & (labels != labels[self.path[-1]])).tolist())

    @property
    def labels(self) -> list[str]:
        """The name and the state of every square, as a screen reader says them.

        >>> Position.parse("1 #\\n. .").labels
        ['a2, clue, 1, start', 'b2, hole', 'a1, empty', 'b1, empty']
        """
        instance, name = self.instance, self.board.name
        told: list[list[str]] = [[] for _ in range(self.board.area)]
        clues = {square: step for step, square in self.steps.items()}
        for square, step in clues.items():
            told[square] += ["clue", str(step)]
        for step, square in enumerate(self.path, start=1):
            if clues.get(square) != step:
                told[square].append(str(step))
        for word, end in (("start", instance.start), ("end", instance.end)):
            if end is not None:
                told[end].append(word)
        for word, moves in (("required", instance.require), ("forbidden", instance.forbid)):
            for source, target, _ in moves:
                told[source].append(f"{word} move to {name(target)}")
                told[target].append(f"{word} move to {name(source)}")
        for hole in self.board.holes:
            told[hole].append("hole")
        labels = []
        for square, words in enumerate(told):
            is_empty = square in self.board and square not in clues and square not in self.path
            labels.append(", ".join([name(square), *(["empty"] if is_empty else []), *words]))
        return labels

    def shaped(
        self, rows: int, columns: int, closed: bool, piece: Piece | str, topology: Topology | str
    ) -> Position:
        """Change the board and the kind of tour; another size begins an empty one."""
        if (rows, columns) != (self.board.rows, self.board.columns):
            return Position(Instance(Board(rows, columns, (), piece, topology), closed))
        there = self._on(Board(rows, columns, self.board.holes, piece, topology))
        last = there.instance.end if closed else None
        steps = {step: square for step, square in there.steps.items() if square != last}
        return there._changed(steps, closed=closed)

    def toggled_hole(self, square: int) -> Position:
        """Make a square a hole, or a hole a square."""
        holes = tuple({*self.board.holes} ^ {square})
        return self._on(replace(self.board, holes=holes))

    def with_end(self, role: str, square: int) -> Position:
        """Make a square the ``start`` or the ``end``, or no longer if it is."""
        if role == "end" and self.instance.closed:
            raise InputError("a closed tour has no end")
        step = 1 if role == "start" else len(self.board)
        return self.with_step(square, None if self.steps.get(step) == square else step)

    def with_step(self, square: int, step: int | None) -> Position:
        """Give the step of a square, in place of any other there and of that step elsewhere."""
        self._check_square(square)
        steps = {at: each for at, each in self.steps.items() if each != square}
        return self._changed(steps if step is None else {**steps, step: square})

    def with_move(self, role: str, source: int, target: int) -> Position:
        """Add a move to those that are ``require``d or ``forbid``den, or take it away again."""
        here = {name: getattr(self.instance, name) for name in ("require", "forbid")}
        lists = {
            name: tuple(move for move in moves if {*move[:2]} != {source, target})
            for name, moves in here.items()
        }
        if lists[role] == here[role]:
            self._check_move(source, target)
            lists[role] += (Move(source, target),)
        return self._changed(self.steps, **lists)

    def visited(self, square: int) -> Position:
        """Go on to a square; on the last one, take it back; on an earlier one, go back to it."""
        self._check_square(square)
        if square not in self.path:
            return replace(self, path=(*self.path, square))
        place = self.path.index(square)
        return replace(self, path=self.path[: place + (square != self.path[-1])])

    def _check_square(self, square: int) -> None:
        if square not in self.board:
            raise InputError(f"{self.board.name(square)} is a hole")

    def _check_move(self, source: int, target: int) -> None:
        board = self.board
        if source not in board or target not in board.neighbors(source):
            raise InputError(
                f"{board.name(source)} to {board.name(target)} is no {board.move_name}"
            )

    def _changed(self, steps: Mapping[int, int], **changes: Any) -> Position:
        """Change constraints; the start and the end are among the steps."""
        changes["givens"] = tuple((square, step) for step, square in steps.items())
        return replace(self, instance=replace(self.instance, start=None, end=None, **changes))

    def _on(self, board: Board) -> Position:
        """Put what still holds onto a board of the same size with other holes or moves."""
        old, steps, count = self.instance, self.steps, len(board)
        if old.end is not None:
            steps[count] = steps.pop(len(old.board))
        steps = {n: square for n, square in steps.items() if n <= count and square in board}
        moves = {
            role: tuple(move for move in getattr(old, role) if move.is_on(board))
            for role in ("require", "forbid")
        }
        path: list[int] = []
        for square in self.path:
            if square not in board or (path and square not in board.neighbors(path[-1])):
                break
            path.append(square)
        bare = replace(self, path=())._changed(steps, graph=board, **moves)
        return replace(bare, path=tuple(path))


def parse_address(query: Mapping[str, str], usual: Position) -> tuple[Position, str]:
    """Return the position that an address asks for, and what is wrong with it or an empty text.

    What is wrong is left out; without a board it is the ``usual`` position.

    >>> position, told = parse_address({"board": "3x4", "path": "a3 c2 d4"}, Position.parse("6x6"))
    >>> position.path, told
    ((0, 6), 'the address has a path that ends at c2: d4 is off the board')
    """
    for name in query:
        if name not in ADDRESS:
            known = ", ".join(ADDRESS)
            return usual, f"the address has {shortened(name)!r}, which is none of {known}"
    closed = query.get("closed", "false").lower()
    if closed not in ("true", "false"):
        return usual, f"the address has closed={shortened(closed)}: give closed=true"
    position = usual
    if "board" in query:
        text = query["board"]
        try:
            position = Position.parse(text, closed == "true")
        except InputError as error:
            if "\n" in text or len(text) > MAX_TEXT or _SIZE.fullmatch(text):
                return usual, f"the address has a board that cannot be shown: {error}"
            wanted = "give a size such as 8x8, or a map of '.' and '#'"
            return usual, f"the address has the board {shortened(text)!r}: {wanted}"
    return _with_path(position, query.get("path", "").split())


def shortened(text: str) -> str:
    """Return a text as it can be repeated in a message."""
    return text if len(text) <= _REPEATED else f"{text[:_REPEATED]} …"


def _with_path(position: Position, names: Sequence[str]) -> tuple[Position, str]:
    """Draw a path of named squares as far as it is right, and tell what is wrong."""
    board = position.board
    for name in names:
        last = f"ends at {board.name(position.path[-1])}" if position.path else "is left out"
        told = f"the address has a path that {last}"
        try:
            square = board.locate(name, "square")
            if square is None:
                return position, f"{told}: {shortened(name)} is off the board"
            if square in position.path:
                return position, f"{told}: {shortened(name)} is visited twice"
            position = position.visited(square)
        except InputError as error:
            return position, f"{told}: {shortened(str(error))}"
    return position, ""


@dataclass(frozen=True)
class History(Generic[T]):
    """Everything that was shown, in order; what comes after the index was undone."""

    items: tuple[T, ...]
    index: int = 0

    @property
    def now(self) -> T:
        """What is shown now."""
        return self.items[self.index]

    @property
    def can_undo(self) -> bool:
        """Whether something came before."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self.index < len(self.items) - 1

    def add(self, item: T) -> History[T]:
        """Show something else; the oldest of very many is forgotten."""
        items = (*self.items[: self.index + 1], item)[-MAX_HISTORY:]
        return History(items, len(items) - 1)

    def undo(self) -> History[T]:
        """Show what came before, if anything."""
        return replace(self, index=self.index - 1) if self.can_undo else self

    def redo(self) -> History[T]:
        """Show what was undone, if anything."""
        return replace(self, index=self.index + 1) if self.can_redo else self
