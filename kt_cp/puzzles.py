"""Puzzles: a board with some step numbers given, from which the tour follows."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kt_cp.board import Board
from kt_cp.count.enumeration import enumerate_tours
from kt_cp.display import drawn
from kt_cp.errors import checked_number
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour


@dataclass(frozen=True)
class Puzzle:
    """An instance with exactly one solution, and that; prints itself as a map that `kt` reads.

    The clues are the given steps and the required moves of the ``instance``. ``grade`` tells how
    hard the puzzle is for a person, and ``seed`` from which random choices it was made, if known.
    """

    instance: Instance
    solution: Tour
    grade: str | None = None
    seed: int | None = None

    @property
    def givens(self) -> dict[int, int]:
        """The steps shown, by square: with the start and the end of an open tour if asked for."""
        return {square: step for step, square in self.instance.steps.items()}

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves shown."""
        return self.instance.require

    def __str__(self) -> str:
        """Return the map that `kt solve` reads."""
        return "\n".join(self.lines())

    def _repr_svg_(self) -> str | None:
        """Return a picture of the puzzle for a notebook."""
        picture: str | None = drawn("notebook.puzzle_svg", self)
        return picture

    def lines(self) -> Iterator[str]:
        """Yield the lines of the map."""
        notes = {"grade": self.grade, "seed": self.seed}
        known = {name: note for name, note in notes.items() if note is not None}
        return self.instance.map_lines(**known)


def make_puzzle(
    board: Board | str,
    *,
    closed: bool = False,
    seed: int = 0,
    givens: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Puzzle | None:
    """Make a puzzle with exactly one solution; None if the board has no tour.

    Starting from a tour with all its numbers, they are taken away in random order, each unless a
    second solution would arise, until none can go without that, or only ``givens`` are left: no
    number is to spare in the first case. A closed tour keeps step 1. ``progress`` is called with
    the number of squares still to be tried. Raises `InputError` for a number of givens that
    is below 1 or above the number of squares.

    >>> puzzle = make_puzzle(Board(5, 5), seed=1)
    >>> len(list(enumerate_tours(puzzle.solution.board, givens=puzzle.givens)))
    1
    """
    board = Board.of(board)
    if givens is not None:
        checked_number("givens", givens, 1, len(board))
    tour = solve(board, closed=closed, seed=seed).tour
    if tour is None:
        return None
    steps = {square: step for step, square in enumerate(tour, start=1)}
    squares = list(tour)[1:] if closed else list(tour)
    random.Random(seed).shuffle(squares)
    for tried, square in enumerate(squares):
        if givens is not None and len(steps) <= givens:
            break
        fewer = {other: step for other, step in steps.items() if other != square}
        if is_unique(board, closed, fewer):
            steps = fewer
        if progress is not None:
            progress(len(squares) - tried - 1)
    return Puzzle(Instance(board, closed=closed, givens=steps), tour, seed=seed)


def is_unique(board: Board, closed: bool, givens: dict[int, int]) -> bool:
    """Return whether exactly one tour has these steps."""
    tours = enumerate_tours(board, closed=closed, givens=givens)
    return len(list(itertools.islice(tours, 2))) == 1
