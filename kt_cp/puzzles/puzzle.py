"""Puzzles: a board with some steps or moves given, from which the tour follows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import Unpack, cast

import numpy as np

from kt_cp.board import Board, Squares
from kt_cp.display import drawn
from kt_cp.errors import InputError, checked_choice, checked_number, pluralize
from kt_cp.methods.wandering import wandered
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Constraints, Move
from kt_cp.problem.instance import Instance
from kt_cp.proof.reasons import refute
from kt_cp.puzzles.deduction import Grade, grade_of
from kt_cp.puzzles.uniqueness import Determined, clues_of, with_clues
from kt_cp.sat.positions import Clue, Given, NumberedTours
from kt_cp.solving import solve_instance
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


# How many tours are tried to complete clues of one's own, and for a puzzle of some difficulty.
_ATTEMPTS, _GRADED = 5, 20

# How many moves are excluded, one after the other, from a tour that a solver found.
_EXCLUDED = 8

# On more squares it takes long to find out what is not easy.
_GRADED_SQUARES = 64


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
    difficulty: Grade | str | None = None,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    **constraints: Unpack[Constraints],
) -> Puzzle | None:
    """Make a puzzle with exactly one solution; None if there is no tour to begin with.

    The constraints are those of `solve`; given steps and required moves among them are clues that
    the puzzle keeps. Starting from a tour with all its ``clues``, they are taken away until none of
    those that were added can be left out, or ``total`` are shown, if that is more. ``givens`` may
    be that number too, as in the command's ``--givens 12``, in place of steps by square. An open
    tour of which moves are shown gets its first step too, unless the direction follows. A closed
    tour with numbers begins with the lowest one unless a step or the start was asked for. With
    clues of one's own several tours are tried, and the fewest additions found are returned.

    With a ``difficulty``, clues are left out as long as the puzzle does not become harder; in the
    end none can be left out without that. None is also returned if no puzzle so hard is found.
    Puzzles of more than 64 squares get a grade above easy only if a difficulty is asked for, as it
    takes long to find out.

    ``progress`` is called with the number of clues still to be tried. Raises `InputError` for
    constraints that make no sense, and a total below 1, below the number of clues that the board
    has already, or above the number of squares.

    >>> from kt_cp import enumerate_tours
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> len(list(enumerate_tours(str(puzzle))))
    1
    """
    if isinstance(constraints.get("givens"), int):
        total = cast(int, constraints.pop("givens"))
    instance, kind = Instance(board, **constraints), checked_choice("clues", clues, ClueKind)
    checked_number("seed", seed, 0, 2**31 - 1)
    if total is not None:
        checked_number("givens", total, 1, len(instance.board))
        if (own := len(clues_of(instance))) > total:
            raise InputError(f"givens {total}: {pluralize(own, 'clue')} are given already")
    wanted = None if difficulty is None else checked_choice("difficulty", difficulty, Grade)
    if wanted is not None and total is not None:
        raise InputError("difficulty and a total: give one of them")
    made: Puzzle | None = None
    attempts = _ATTEMPTS if wanted is None and clues_of(instance) else 1
    random = Random(seed)
    for _ in range(attempts if wanted is None else _GRADED):
        if (tour := random_solution(instance, random.randrange(2**31))) is None:
            return None
        puzzle = _made(instance, tour, kind, total, wanted, random, progress)
        if wanted is not None:
            puzzle = _graded(puzzle, Grade.HARD)
            if puzzle.grade is wanted:
                return replace(puzzle, seed=seed)
        elif made is None or _shown(puzzle) < _shown(made):
            made = puzzle
            if _shown(made) == len(clues_of(instance)):
                break  # there is nothing to be added
    if made is None or wanted is not None:
        return None
    small = len(instance.board) <= _GRADED_SQUARES
    return replace(_graded(made, Grade.HARD if small else Grade.EASY), seed=seed)


def _graded(puzzle: Puzzle, most: Grade) -> Puzzle:
    """Add the grade; what is harder than easy is told only if ``most`` is."""
    grade = grade_of(puzzle.instance, most)
    known = most is Grade.HARD or grade is Grade.EASY
    return replace(puzzle, grade=grade if known else None)


def _shown(puzzle: Puzzle) -> int:
    return len(puzzle.givens) + len(puzzle.moves)


def _made(
    instance: Instance,
    tour: Squares,
    kind: ClueKind,
    total: int | None,
    wanted: Grade | None,
    random: Random,
    progress: Callable[[int], None] | None,
) -> Puzzle:
    """Return a puzzle that a tour solves; ``wanted`` says how hard it may be."""
    candidates = _all_clues(instance, tour, kind)
    random.shuffle(candidates)
    numbered = not instance.closed or kind is not ClueKind.MOVES or bool(instance.givens)
    determined = Determined(instance, tour, numbered, Clock(), progress)
    beginning = _beginning(instance, tour, kind)
    if wanted in (Grade.EASY, Grade.MEDIUM):
        more = _as_easy(instance, [*beginning, *candidates], wanted, determined, progress)
    else:
        more = _clues_for(determined, beginning, candidates)
    if total is not None:
        others = [clue for clue in candidates if clue not in more]
        more += others[: max(0, total - len(clues_of(instance)) - len(more))]
    asked = with_clues(instance, more)
    if instance.closed and instance.start is None and not instance.givens and asked.givens:
        asked, tour = _from_lowest(asked, tour)
    return Puzzle(asked, Tour(asked.board, tour, asked.closed))


def _as_easy(
    instance: Instance,
    clues: list[Clue],
    wanted: Grade,
    determined: Determined,
    progress: Callable[[int], None] | None,
) -> list[Clue]:
    """Leave out clues as long as the puzzle is easy, and then as long as it is as wanted."""
    for grade in dict.fromkeys([Grade.EASY, wanted]):
        for left, clue in enumerate(reversed(clues)):
            if progress is not None:
                progress(len(clues) - left)
            fewer = [each for each in clues if each != clue]
            if grade is not Grade.EASY and determined.needed(fewer) is None:
                continue  # which the solver sees sooner than the rules
            if grade_of(with_clues(instance, fewer), grade) in (Grade.EASY, grade):
                clues = fewer
    return clues


def random_solution(instance: Instance, seed: int) -> Squares | None:
    """Return a random tour that meets the constraints, as ids, or None where there is none.

    Other seeds give other tours, with ends anywhere, as far as there are any; only what
    ``constrain`` adds leaves the choice to the solver.
    """
    if instance.constrain is not None or not (instance.givens or instance.symmetry):
        return _wandered(instance, seed)
    if refute(instance):
        return None
    formula = NumberedTours(instance)
    if (near := _wandered(Instance(instance.board, closed=instance.closed), seed)) is not None:
        formula.prefer(near)
    literals = [formula.literal(clue) for clue in clues_of(instance)]
    literals += [-formula.literal(move) for move in instance.forbid]
    tour, random = formula.solve(literals, Clock()), Random(seed)
    if tour is None or len(tour) == 1:
        return tour
    for _ in range(_EXCLUDED):
        place = random.randrange(not instance.closed, len(tour))
        excluded = -formula.literal(Move(int(tour[place - 1]), int(tour[place])))
        if (other := formula.solve([*literals, excluded], Clock())) is not None:
            tour, literals = other, [*literals, excluded]
    return tour


def _wandered(instance: Instance, seed: int) -> Squares | None:
    tour = solve_instance(instance, seed=seed).tour
    if tour is None or instance.constrain is not None:
        return None if tour is None else tour.squares
    return wandered(instance, tour.squares, Random(seed))


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


def _clues_for(determined: Determined, beginning: list[Clue], candidates: list[Clue]) -> list[Clue]:
    """Return clues to be added so that a tour is the only one, none of which can be left out."""
    for fixed in ([], *([clue] for clue in beginning)):
        if (more := determined.least(candidates, fixed)) is not None:
            return [*fixed, *more]
    raise AssertionError("all clues of a tour do not determine it")


def _beginning(instance: Instance, tour: Squares, kind: ClueKind) -> list[Clue]:
    """Return the first two steps, either of which tells the direction where moves are shown."""
    if kind is not ClueKind.MOVES or (instance.closed and not instance.givens):
        return []
    first = [Given(square, step) for step, square in enumerate(tour[:2].tolist(), start=1)]
    return [clue for clue in first if clue not in clues_of(instance)]


def _from_lowest(asked: Instance, tour: Squares) -> tuple[Instance, Squares]:
    """Number a closed tour so that its lowest given is step 1."""
    lowest = min(step for _, step in asked.givens)
    givens = {square: step - lowest + 1 for square, step in asked.givens}
    constraints = {**asked.constraints, "givens": givens, "start": None}
    return Instance(asked.board, **cast(Constraints, constraints)), np.roll(tour, 1 - lowest)
