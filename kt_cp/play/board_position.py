"""Positions on a board: its constraints and the path, and how taps and keys change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from kt_cp.board import Board, Topology
from kt_cp.board.pieces import Piece
from kt_cp.messages import InputError
from kt_cp.play.position import MAX_TEXT, Position
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance

MAX_SIDE = 20
"""The largest number of rows or columns on the page."""

_TOO_LARGE = f"a board here has at most {MAX_SIDE} rows and columns"


@dataclass(frozen=True)
class BoardPosition(Position):
    """A board with constraints and a path on it.

    Where a change contradicts an earlier constraint, the later one replaces it, so that every
    sequence of taps leads to a consistent position. Raises `InputError` for more than 20 rows or
    columns, and for a path with an illegal move.
    """

    def __post_init__(self) -> None:
        if max(self.board.rows, self.board.columns) > MAX_SIDE:
            raise InputError(_TOO_LARGE)
        super().__post_init__()

    @classmethod
    def parse(cls, text: str, closed: bool = False) -> BoardPosition:
        """Read a size or a map with its constraints.

        ``closed`` asks for a closed tour; without it, the map decides. Raises `InputError` for
        other text.
        """
        if len(text) > MAX_TEXT:
            raise InputError(_TOO_LARGE)
        kind: Constraints = {"closed": True} if closed else {}
        position = cls(Instance.of(text, **kind))
        return position._with_steps(position.steps)

    @property
    def board(self) -> Board:
        """The board."""
        return self.instance.board

    @property
    def query(self) -> str:
        """The part of an address from which `parse_address` makes this position.

        >>> BoardPosition.parse("3x4", closed=True).with_tap(0).with_tap(6).query
        'board=3x4&closed=true&path=a3+c2'
        """
        board, closed = self.board, self.instance.closed
        if self.instance == Instance(Board(board.rows, board.columns), closed=closed):
            fields = {"board": board.size}
            if closed:
                fields["closed"] = "true"
        else:
            fields = {"board": self.text}
        if self.path:
            fields["path"] = self.path_names
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

        >>> BoardPosition.parse("1 #\\n. .").labels
        ['a2, clue, 1, start', 'b2, hole', 'a1, empty', 'b1, empty']
        """
        phrases = self._number_phrases()
        self._add_constraint_phrases(phrases)
        name = self.board.name
        return [", ".join([name(square), *each]) for square, each in enumerate(phrases)]

    def _number_phrases(self) -> list[list[str]]:
        """Return for each square its clue and its number, or that it is empty or a hole."""
        phrases: list[list[str]] = [[] for _ in range(self.board.area)]
        for hole in self.board.holes:
            phrases[hole].append("hole")
        clues = {square: step for step, square in self.steps.items()}
        for square, step in clues.items():
            phrases[square] += ["clue", str(step)]
        for step, square in enumerate(self.path, start=1):
            if clues.get(square) != step:
                phrases[square].append(str(step))
        return [each or ["empty"] for each in phrases]

    def _add_constraint_phrases(self, phrases: list[list[str]]) -> None:
        """Add to each square whether it is the start or the end, and its constrained moves."""
        instance, name = self.instance, self.board.name
        for word, end in (("start", instance.first), ("end", instance.last)):
            if end is not None:
                phrases[end].append(word)
        for word, moves in (("required", instance.require), ("forbidden", instance.forbid)):
            for source, target, _ in moves:
                phrases[source].append(f"{word} move to {name(target)}")
                phrases[target].append(f"{word} move to {name(source)}")

    def with_shape(
        self, rows: int, columns: int, closed: bool, piece: Piece | str, topology: Topology | str
    ) -> BoardPosition:
        """Return the position with another board or kind of tour.

        A board of another size is empty. On a board of the same size, the constraints and the moves
        that it allows are kept.
        """
        if (rows, columns) != (self.board.rows, self.board.columns):
            return BoardPosition(Instance(Board(rows, columns, (), piece, topology), closed))
        moved = self._moved_to_board(Board(rows, columns, self.board.holes, piece, topology))
        steps = moved.steps
        if closed:  # a closed tour has no end
            steps = {
                step: square for step, square in steps.items() if square != moved.instance.last
            }
        return moved._with_steps(steps, closed=closed)

    def toggled_hole(self, square: int) -> BoardPosition:
        """Return the position with a square made a hole, or a hole made a square."""
        holes = tuple({*self.board.holes} ^ {square})
        return self._moved_to_board(replace(self.board, holes=holes))

    def toggled_end(self, role: str, square: int) -> BoardPosition:
        """Return the position with a square made the ``start`` or the ``end``, or no longer so.

        Raises `InputError` for a hole, and for the end of a closed tour.
        """
        if role == "end" and self.instance.closed:
            raise InputError("a closed tour has no end")
        step = 1 if role == "start" else len(self.board)
        return self.with_step(square, None if self.steps.get(step) == square else step)

    def with_step(self, square: int, step: int | None) -> BoardPosition:
        """Return the position with the step of a square set, or with None removed.

        The step replaces another step of that square, and the same step elsewhere. Raises
        `InputError` for a hole, and for a step larger than the number of squares.
        """
        self._check_vertex(square)
        steps = {number: each for number, each in self.steps.items() if each != square}
        if step is not None:
            steps[step] = square
        return self._with_steps(steps)

    def toggled_move(self, role: str, source: int, target: int) -> BoardPosition:
        """Return the position with a move added to the constraint ``role``, or removed from it.

        ``role`` is ``require`` or ``forbid``; a move that is added is removed from the other one.
        Raises `InputError` for two squares that no move joins.
        """
        current = {"require": self.instance.require, "forbid": self.instance.forbid}
        moves = {
            name: tuple(move for move in listed if {*move[:2]} != {source, target})
            for name, listed in current.items()
        }
        if moves[role] == current[role]:
            self._check_move(source, target)
            moves[role] += (Move(source, target),)
        return self._with_steps(self.steps, **moves)

    def _check_vertex(self, vertex: int) -> None:
        """Raise `InputError` for a hole."""
        if vertex not in self.board:
            raise InputError(f"{self.board.name(vertex)} is a hole")

    def _with_steps(self, steps: Mapping[int, int], **changes: Any) -> BoardPosition:
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

    def _moved_to_board(self, board: Board) -> BoardPosition:
        """Return the position on a board of the same size.

        The constraints and moves that this board does not allow are dropped.
        """
        old = self.instance
        bare = replace(self, path=())._with_steps(
            self._steps_on(board),
            graph=board,
            order=tuple(square for square in old.order if square in board),
            require=tuple(move for move in old.require if move.is_on(board)),
            forbid=tuple(move for move in old.forbid if move.is_on(board)),
        )
        return replace(bare, path=bare.legal_prefix(self.path))

    def _steps_on(self, board: Board) -> dict[int, int]:
        """Return the squares by step that another board of this size allows.

        The end keeps the last step, which is the number of squares of the board.
        """
        steps, last_step = self.steps, len(board)
        if self.instance.last is not None:
            steps[last_step] = steps.pop(len(self.board))
        return {
            step: square for step, square in steps.items() if step <= last_step and square in board
        }
