"""Make puzzles: take a random tour with all its clues, and remove those that are not needed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import as_board
from kt_cp.errors import InputError, checked_choice, checked_number, pluralize
from kt_cp.graph import GraphLike
from kt_cp.methods.table import METHODS
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.map_constraints import parse_map
from kt_cp.puzzles.clues import (
    ClueKind,
    clues_of,
    clues_of_tour,
    direction_clues,
    with_clues,
)
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.puzzle import Puzzle, saved_puzzle
from kt_cp.puzzles.rating import rate
from kt_cp.puzzles.reduction import reduced_groups
from kt_cp.puzzles.solutions import random_solution
from kt_cp.puzzles.uniqueness import UniquenessSolver
from kt_cp.sat.positions import Clue, Given
from kt_cp.tour.tour import Tour

# How many tours are tried to complete given clues, and for a puzzle of some difficulty.
_ATTEMPTS, _GRADED_ATTEMPTS = 5, 20


def make_puzzle(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    clues: ClueKind | str = ClueKind.NUMBERS,
    total: int | None = None,
    difficulty: Level | str | None = None,
    effort: EffortRange | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Callable[[int], None] = lambda left: None,
    **constraints: Unpack[Constraints],
) -> Puzzle | None:
    """Return a puzzle with exactly one solution, or None if there is no tour to begin with.

    The constraints are those of `solve`, without ``constrain``; given steps and required moves are
    clues that the puzzle keeps. Starting from a tour with all its ``clues``, they are removed until
    none of those that were added can be left out, or ``total`` are shown, if that is more. Where
    clues are given, several tours are tried, and the fewest additions found are returned. An open
    tour of which moves are shown gets its first step too, unless the moves determine the direction;
    a closed tour gets the direction of one move where a constraint depends on it. A closed tour
    with numbers begins with the lowest one unless a step or the start was asked for. The text of a
    saved puzzle is returned as that puzzle, without a search.

    With a ``difficulty``, or a range of the ``effort`` such as ``"200..400"`` (see `rate`), clues
    are left out as long as the rules of that level lead to the tour, and of several puzzles the one
    that comes closest is returned. Puzzles for children show at least half of the squares or moves,
    unless a ``total`` is given. Puzzles of other levels and of the same seed have other solutions.

    When the ``time_limit`` in seconds is reached, the best puzzle so far is returned, with clues
    that might be left out (see ``unfinished``), or `OutOfTimeError` is raised if there is none yet.
    ``progress`` is called with the number of clues still to be tried. Raises `InputError` for
    invalid constraints, for a total below the number of given clues or above that of squares,
    and for both a difficulty and an effort.

    >>> from kt_cp import enumerate_tours
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> len(list(enumerate_tours(str(puzzle))))
    1
    """
    instance, kind = Instance.of(board, **constraints), checked_choice("clues", clues, ClueKind)
    as_board(instance.graph, "make_puzzle")
    if instance.constrain:
        raise InputError("make_puzzle does not support constrain; give constraints by name")
    checked_number("seed", seed, 0, 2**31 - 1)
    if total is not None:
        checked_number("givens", total, 1, len(instance.board))
        if (own := len(clues_of(instance))) > total:
            raise InputError(f"givens {total}: {pluralize(own, 'clue')} are given already")
    wanted = effort_range(difficulty, effort)
    clock = Clock(time_limit)
    if isinstance(board, str):
        _, _, notes = parse_map(board, constraints)
        saved = saved_puzzle(instance, notes)
        if saved is not None and is_as_asked(saved, total, wanted):
            return saved
    with clock.stopped():
        METHODS["auto"].load()
    maker = PuzzleMaker(instance, kind, total, wanted, clock, _random(seed, wanted), progress)
    puzzle = maker.best()
    return None if puzzle is None else replace(puzzle, seed=seed)


def effort_range(
    difficulty: Level | str | None, effort: EffortRange | str | None
) -> EffortRange | None:
    """Return the efforts of a level, or those given, or None without both.

    Raises `InputError` for both, and for invalid text.
    """
    if difficulty is not None and effort is not None:
        raise InputError("difficulty and effort: give one of them")
    if difficulty is not None:
        return checked_choice("difficulty", difficulty, Level).efforts
    return EffortRange.parse(effort) if isinstance(effort, str) else effort


def is_as_asked(puzzle: Puzzle, total: int | None, wanted: EffortRange | None) -> bool:
    """Return whether a puzzle shows at least ``total`` clues and has an effort that is wanted."""
    if total is not None and total > len(clues_of(puzzle.instance)):
        return False
    if wanted is None:
        return True
    return puzzle.effort is not None and wanted.distance(puzzle.effort) == 0


def _random(seed: int, wanted: EffortRange | None) -> Random:
    """Return the source of random choices, another one for each range of efforts."""
    return Random(seed) if wanted is None else Random(f"{seed} {wanted}")


@dataclass(frozen=True)
class PuzzleMaker:
    """Makes puzzles of an instance from random tours.

    ``total`` is how many clues they show at least, and ``wanted`` how hard they should be.
    """

    instance: Instance
    kind: ClueKind
    total: int | None
    wanted: EffortRange | None
    clock: Clock
    random: Random
    progress: Callable[[int], None]

    def best(self) -> Puzzle | None:
        """Return the best of several puzzles, or None if there is no tour.

        The best is the first whose effort comes closest to what is wanted, or the one with the
        fewest clues added. Raises `OutOfTimeError` when the limit comes before the first.
        """
        best, least = None, math.inf
        for _ in range(self._attempts):
            try:
                puzzle = self._random_puzzle()
            except OutOfTimeError:
                if best is None:
                    raise
                break
            if puzzle is None:
                return None
            distance = self._distance(puzzle)
            if distance < least:
                best, least = puzzle, distance
            if least == 0 or puzzle.unfinished:
                break
        return best if best is None or best.effort is not None else self._rated(best)

    @property
    def _attempts(self) -> int:
        """How many puzzles are made, of which the best is returned."""
        if self.wanted is not None:
            return _GRADED_ATTEMPTS
        return _ATTEMPTS if clues_of(self.instance) else 1

    def _random_puzzle(self) -> Puzzle | None:
        """Return a puzzle, rated if some effort is wanted, or None without a tour."""
        tour = random_solution(self.instance, self.random.randrange(2**31), self.clock)
        if tour is None:
            return None
        puzzle = self._puzzle_of(tour)
        return puzzle if self.wanted is None else self._rated(puzzle)

    def _distance(self, puzzle: Puzzle) -> float:
        """Return how far a puzzle is from what is wanted: in efforts, or in clues added."""
        if self.wanted is None:
            return len(clues_of(puzzle.instance)) - len(clues_of(self.instance))
        return math.inf if puzzle.effort is None else self.wanted.distance(puzzle.effort)

    def _rated(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with its effort, unless the time limit comes first."""
        try:
            rating = rate(puzzle.instance, clock=self.clock)
        except OutOfTimeError:
            return puzzle
        return replace(puzzle, effort=rating.effort)

    def _puzzle_of(self, tour: Squares) -> Puzzle:
        """Return a puzzle that a tour solves."""
        clues = clues_of_tour(self.instance, tour, self.kind)
        self.random.shuffle(clues)
        directions = direction_clues(self.instance, tour, self.kind)
        if self.wanted is not None and self.wanted.low < Level.MASTERS.efforts.low:
            added, is_cut_short = self._reduced(clues, directions[:1], self.wanted)
        else:
            added, is_cut_short = self._minimal(clues, directions, tour)
        if self.total is not None:
            missing = self.total - len(clues_of(self.instance)) - len(added)
            others = [clue for clue in clues if clue not in added]
            added += others[: max(0, missing)]
        asked = with_clues(self.instance, added)
        asked, tour = _counted_from_the_lowest(self.instance, asked, tour)
        solution = Tour(asked.board, tour, asked.closed)
        return Puzzle(asked, solution, unfinished=is_cut_short)

    def _reduced(
        self, clues: list[Clue], directions: list[Clue], wanted: EffortRange
    ) -> tuple[list[Clue], bool]:
        """Return clues from which rules lead to the tour, and whether time ran out before the end.

        Half of the squares, or of the moves, are shown to children.
        """
        fewest = self.total or 0
        if self.total is None and wanted.high <= Level.CHILDREN.efforts.high:
            fewest = len(self.instance.board) // 2
        groups = [(clue,) for clue in clues]
        asked = with_clues(self.instance, directions)
        kept, is_cut_short = reduced_groups(
            asked, groups, wanted, fewest, self.clock, self.progress
        )
        return [*directions, *itertools.chain.from_iterable(kept)], is_cut_short

    def _minimal(
        self, clues: list[Clue], directions: list[Clue], tour: Squares
    ) -> tuple[list[Clue], bool]:
        """Return clues none of which can be left out, and whether time ran out before the end."""
        instance = self.instance
        numbered = not instance.closed or self.kind.has_numbers or bool(instance.givens)
        solver = UniquenessSolver(instance, tour, numbered, self.clock, self.progress)
        candidates = clues
        for clue in directions:
            if solver.determine(candidates):
                break
            candidates = [clue, *candidates]  # the last to be left out
        added = solver.minimal_clues(candidates) or []
        return self._without_a_lone_number(added, tour), solver.is_cut_short

    def _without_a_lone_number(self, clues: list[Clue], tour: Squares) -> list[Clue]:
        """Return the clues without a single number that only says where to begin to count."""
        numbers = [clue for clue in clues if isinstance(clue, Given)]
        moves: list[Clue] = [clue for clue in clues if not isinstance(clue, Given)]
        if not self.instance.closed or self.instance.givens or len(numbers) != 1 or not moves:
            return clues
        solver = UniquenessSolver(self.instance, tour, False, self.clock)
        return moves if solver.determine(moves) else clues


def _counted_from_the_lowest(
    instance: Instance, asked: Instance, tour: Squares
) -> tuple[Instance, Squares]:
    """Return a closed puzzle and its tour counted so that the lowest number shown is 1.

    Both are returned unchanged where the ``instance`` itself says where to begin.
    """
    says_where = instance.start is not None or bool(instance.givens)
    if not instance.closed or says_where or not asked.givens:
        return asked, tour
    lowest = min(step for _, step in asked.givens)
    givens = tuple((square, step - lowest + 1) for square, step in asked.givens)
    return replace(asked, givens=givens), np.roll(tour, 1 - lowest)
