"""Puzzles: a board with some steps or moves given, from which the tour follows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Unpack, cast

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.count.determined import Determined, clues_of, with_clues
from kt_cp.display import drawn
from kt_cp.errors import checked_choice, checked_number
from kt_cp.model.numbered import Clue, Given, NumberedTours
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.moves import Move
from kt_cp.proof.reasons import refute
from kt_cp.solving import solve, solve_instance
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


class ClueKind(StrEnum):
    """What a puzzle shows: the steps of some squares, some of the moves, or both."""

    NUMBERS = "numbers"
    MOVES = "moves"
    BOTH = "both"


def make_puzzle(
    board: Board | str,
    *,
    clues: ClueKind | str = ClueKind.NUMBERS,
    total: int | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    **constraints: Unpack[Constraints],
) -> Puzzle | None:
    """Make a puzzle with exactly one solution; None if there is no tour to begin with.

    The constraints are those of `solve`; given steps and required moves among them are clues that
    the puzzle keeps. Starting from a tour with all its ``clues``, they are taken away until none of
    those that were added can be left out, or ``total`` are shown, if that is more. An open tour of
    which moves are shown gets its first step too, unless the direction follows. A closed tour with
    numbers begins with the lowest one unless a step or the start was asked for. With clues of one's
    own several tours are tried, and the fewest additions found are returned.

    ``progress`` is called with the number of clues still to be tried. Raises `InputError` for
    constraints that make no sense, and a total below 1 or above the number of squares.

    >>> from kt_cp import enumerate_tours
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> len(list(enumerate_tours(str(puzzle))))
    1
    """
    instance, kind = Instance(board, **constraints), checked_choice("clues", clues, ClueKind)
    checked_number("seed", seed, 0, 2**31 - 1)
    if total is not None:
        checked_number("givens", total, 1, len(instance.board))
    has_clues = bool(clues_of(instance))
    made = None
    for attempt in range(_ATTEMPTS if has_clues else 1):
        if (tour := _a_tour(instance, seed + attempt)) is None:
            break
        more = _clues_for(instance, tour, kind, seed + attempt, progress)
        if made is None or len(more) < len(made[1]):
            made = tour, more
        if len(more) <= 1:
            break
    if made is None:
        return None
    tour, more = made
    if total is not None:
        shown = [*clues_of(instance), *more]
        others = [each for each in _all_clues(instance, tour, kind) if each not in shown]
        Random(seed).shuffle(others)
        more += others[: max(0, total - len(shown))]
    asked = with_clues(instance, more)
    if instance.closed and instance.start is None and not instance.givens and asked.givens:
        asked, tour = _from_lowest(asked, tour)
    return Puzzle(asked, Tour(asked.board, tour, asked.closed), seed=seed)


def _a_tour(instance: Instance, seed: int) -> Squares | None:
    """Return any tour that meets the constraints, or None where there is none."""
    if not instance.givens or instance.having or instance.constrain is not None:
        tour = solve_instance(instance, seed=seed).tour
        return None if tour is None else tour.squares
    if refute(instance):
        return None
    formula = NumberedTours(instance)
    if (near := solve(instance.board, closed=instance.closed, seed=seed).tour) is not None:
        formula.prefer(near.squares)
    literals = [formula.literal(clue) for clue in clues_of(instance)]
    literals += [-formula.literal(move) for move in instance.forbid]
    return formula.solve(literals, Clock())


def _all_clues(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return the clues of a kind that a tour has and the instance has not."""
    path, own = tour.tolist(), set(clues_of(instance))
    used = {move[:2] for move in instance.require}
    moves = [Move(*move) for move in itertools.pairwise([*path, *path[: instance.closed]])]
    givens = [Given(square, step) for step, square in enumerate(path, start=1)]
    return [
        *(each for each in givens if kind is not ClueKind.MOVES and each not in own),
        *(each for each in moves if kind is not ClueKind.NUMBERS and used.isdisjoint(each.arcs())),
    ]


def _clues_for(
    instance: Instance,
    tour: Squares,
    kind: ClueKind,
    seed: int,
    progress: Callable[[int], None] | None,
) -> list[Clue]:
    """Return clues to be added so that a tour is the only one, none of which can be left out."""
    numbered = not instance.closed or kind is not ClueKind.MOVES or bool(instance.givens)
    determined = Determined(instance, tour, numbered, Clock(), progress)
    candidates = _all_clues(instance, tour, kind)
    Random(seed).shuffle(candidates)
    first = [Given(square, step) for step, square in enumerate(tour[:2].tolist(), start=1)]
    for some in ([], first[:1], first[1:]) if kind is ClueKind.MOVES else ([],):
        fixed = [clue for clue in some if clue not in clues_of(instance)]
        if (more := determined.least(candidates, fixed)) is not None:
            return [*fixed, *more]
    raise AssertionError("all clues of a tour do not determine it")


def _from_lowest(asked: Instance, tour: Squares) -> tuple[Instance, Squares]:
    """Number a closed tour so that its lowest given is step 1."""
    lowest = min(step for _, step in asked.givens)
    givens = {square: step - lowest + 1 for square, step in asked.givens}
    constraints = {**asked.constraints, "givens": givens, "start": None}
    return Instance(asked.board, **cast(Constraints, constraints)), np.roll(tour, 1 - lowest)


# How many tours are tried to complete clues of one's own.
_ATTEMPTS = 5
