"""A board in the playground: its constraints and path, and how a click changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from kt_cp.board import Board, Topology
from kt_cp.board.piece import Piece
from kt_cp.errors import InputError
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move

MAX_SIDE = 20
"""The largest number of rows or columns on the page."""

_TOO_LARGE = f"a board here has at most {MAX_SIDE} rows and columns"


@dataclass(frozen=True)
class BoardPosition(Position):
    """A board with constraints and a path on it.

    Where a change contradicts what is there, the newer wish wins, so that no sequence of clicks
    leads to a position that makes no sense. Raises `InputError` for more than 20 rows or columns,
    and for a path with an illegal move.
    """

    def __post_init__(self) -> None:
        if max(self.board.rows, self.board.columns) > MAX_SIDE:
            raise InputError(_TOO_LARGE)
        super().__post_init__()

    @classmethod
    def parse(cls, text: str, closed: bool = False) -> BoardPosition:
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

        >>> BoardPosition.parse("3x4", closed=True).visited(0).visited(6).query
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
            asked["path"] = self.path_names
        return urlencode(asked)

    @property
    def text(self) -> str:
        """The map of the instance, as `kt` reads it."""
        return "\n".join(self.instance.map_lines())

    @property
    def steps(self) -> dict[int, int]:
        """The squares whose step is asked for, by step; the start has step 1."""
        steps = dict(self.instance.steps)
        if self.instance.start is not None:
            steps[1] = self.instance.start
        return dict(sorted(steps.items()))

    @property
    def labels(self) -> list[str]:
        """The name and the state of every square, as a screen reader says them.

        >>> BoardPosition.parse("1 #\\n. .").labels
        ['a2, clue, 1, start', 'b2, hole', 'a1, empty', 'b1, empty']
        """
        told = self._number_words()
        self._add_constraint_words(told)
        return [", ".join([self.board.name(square), *words]) for square, words in enumerate(told)]

    def _number_words(self) -> list[list[str]]:
        """Return what is to be said of each square's numbers."""
        told: list[list[str]] = [[] for _ in range(self.board.area)]
        for hole in self.board.holes:
            told[hole].append("hole")
        clues = {square: step for step, square in self.steps.items()}
        for square, step in clues.items():
            told[square] += ["clue", str(step)]
        for step, square in enumerate(self.path, start=1):
            if clues.get(square) != step:
                told[square].append(str(step))
        for words in told:
            if not words:
                words.append("empty")
        return told

    def _add_constraint_words(self, told: list[list[str]]) -> None:
        """Add what is to be said of the ends and moves asked for."""
        instance, name = self.instance, self.board.name
        for word, end in (("start", instance.start), ("end", instance.end)):
            if end is not None:
                told[end].append(word)
        for word, moves in (("required", instance.require), ("forbidden", instance.forbid)):
            for source, target, _ in moves:
                told[source].append(f"{word} move to {name(target)}")
                told[target].append(f"{word} move to {name(source)}")

    def shaped(
        self, rows: int, columns: int, closed: bool, piece: Piece | str, topology: Topology | str
    ) -> BoardPosition:
        """Change the board and the kind of tour; another size begins an empty one."""
        if (rows, columns) != (self.board.rows, self.board.columns):
            return BoardPosition(Instance(Board(rows, columns, (), piece, topology), closed))
        there = self._on(Board(rows, columns, self.board.holes, piece, topology))
        last = there.instance.end if closed else None
        steps = {step: square for step, square in there.steps.items() if square != last}
        return there._changed(steps, closed=closed)

    def toggled_hole(self, square: int) -> BoardPosition:
        """Make a square a hole, or a hole a square."""
        holes = tuple({*self.board.holes} ^ {square})
        return self._on(replace(self.board, holes=holes))

    def with_end(self, role: str, square: int) -> BoardPosition:
        """Make a square the ``start`` or the ``end``, or no longer if it is."""
        if role == "end" and self.instance.closed:
            raise InputError("a closed tour has no end")
        step = 1 if role == "start" else len(self.board)
        return self.with_step(square, None if self.steps.get(step) == square else step)

    def with_step(self, square: int, step: int | None) -> BoardPosition:
        """Give the step of a square, in place of any other there and of that step elsewhere."""
        self._check_vertex(square)
        steps = {at: each for at, each in self.steps.items() if each != square}
        return self._changed(steps if step is None else {**steps, step: square})

    def with_move(self, role: str, source: int, target: int) -> BoardPosition:
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

    def _check_vertex(self, vertex: int) -> None:
        if vertex not in self.board:
            raise InputError(f"{self.board.name(vertex)} is a hole")

    def _changed(self, steps: Mapping[int, int], **changes: Any) -> BoardPosition:
        """Change constraints; the start and the end are among the steps."""
        changes["givens"] = tuple((square, step) for step, square in steps.items())
        return replace(self, instance=replace(self.instance, start=None, end=None, **changes))

    def _on(self, board: Board) -> BoardPosition:
        """Return the position on another board of this size, without what it does not allow."""
        old, steps, count = self.instance, self.steps, len(board)
        if old.end is not None:
            steps[count] = steps.pop(len(old.board))
        steps = {n: square for n, square in steps.items() if n <= count and square in board}
        moves = {
            role: tuple(move for move in getattr(old, role) if move.is_on(board))
            for role in ("require", "forbid")
        }
        bare = replace(self, path=())._changed(steps, graph=board, **moves)
        return replace(bare, path=bare.legal_part(self.path))
