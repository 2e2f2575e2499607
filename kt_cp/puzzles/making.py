"""Make puzzles: take a random tour with all its clues, and remove those that are not needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import as_board
from kt_cp.errors import InputError, checked_choice, checked_number, pluralize
from kt_cp.graph import GraphLike
from kt_cp.methods.rotations import random_walk_tour
from kt_cp.methods.table import METHODS
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.map_constraints import parse_map
from kt_cp.problem.moves import Move
from kt_cp.puzzles.clues import (
    ClueKind,
    clues_of,
    clues_of_tour,
    direction_clues,
    with_clues,
)
from kt_cp.puzzles.deduction import Grade, rate
from kt_cp.puzzles.puzzle import Puzzle, saved_puzzle
from kt_cp.puzzles.uniqueness import UniquenessSolver
from kt_cp.sat.positions import Clue, Given
from kt_cp.solving import solve
from kt_cp.tour.tour import Tour
from kt_dfs import Status

# How many tours are tried to complete given clues, and for a puzzle of some difficulty.
_ATTEMPTS, _GRADED_ATTEMPTS = 5, 20

# On more squares it takes long to rate a puzzle that is not easy.
_RATED_SQUARES = 64

# How many moves are excluded, one after the other, from a tour that a solver found.
_EXCLUDED_MOVES = 8


def make_puzzle(
    board: GraphLike,
    *,
    clues: ClueKind | str = ClueKind.NUMBERS,
    total: int | None = None,
    difficulty: Grade | str | None = None,
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

    With a ``difficulty``, clues are left out as long as the puzzle does not become harder, and of
    several puzzles the one whose grade comes closest is returned. Puzzles of more than 64 squares
    get a grade above easy only if a difficulty is asked for, as rating them takes long.

    When the ``time_limit`` in seconds is reached, the best puzzle so far is returned, with clues
    that might be left out (see ``unfinished``), or `OutOfTimeError` is raised if there is none yet.
    ``progress`` is called with the number of clues still to be tried. Raises `InputError` for
    invalid constraints, and for a total below the number of given clues or above that of squares.

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
    wanted = None if difficulty is None else checked_choice("difficulty", difficulty, Grade)
    if wanted is not None and total is not None:
        raise InputError("difficulty and a total: give one of them")
    clock = Clock(time_limit)
    if isinstance(board, str):
        _, _, notes = parse_map(board, constraints)
        saved = saved_puzzle(instance, notes)
        if saved is not None and is_as_asked(saved, total, wanted):
            return saved
    with clock.stopped():
        METHODS["auto"].load()
    maker = PuzzleMaker(instance, kind, total, wanted, clock, Random(seed), progress)
    puzzle = maker.best()
    return None if puzzle is None else replace(puzzle, seed=seed)


def is_as_asked(puzzle: Puzzle, total: int | None, difficulty: Grade | None) -> bool:
    """Return whether a puzzle shows at least ``total`` clues and has the grade asked for."""
    if total is not None and total > len(clues_of(puzzle.instance)):
        return False
    return difficulty in (None, puzzle.grade)


@dataclass(frozen=True)
class PuzzleMaker:
    """Makes puzzles of an instance from random tours.

    ``total`` is how many clues they show at least, and ``wanted`` how hard they should be.
    """

    instance: Instance
    kind: ClueKind
    total: int | None
    wanted: Grade | None
    clock: Clock
    random: Random
    progress: Callable[[int], None]

    def best(self) -> Puzzle | None:
        """Return the best of several puzzles, or None if there is no tour.

        The best is the first whose grade comes closest to the one wanted, or the one with the
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
        if best is None or best.grade is not None:
            return best
        return self._rated_if_easy(best)

    @property
    def _attempts(self) -> int:
        """How many puzzles are made, of which the best is returned."""
        if self.wanted is not None:
            return _GRADED_ATTEMPTS
        return _ATTEMPTS if clues_of(self.instance) else 1

    def _random_puzzle(self) -> Puzzle | None:
        """Return a puzzle, rated if a grade is wanted and time is left, or None without a tour."""
        tour = random_solution(self.instance, self.random.randrange(2**31), self.clock)
        if tour is None:
            return None
        puzzle = self._puzzle_of(tour)
        if self.wanted is not None:
            try:
                rating = rate(puzzle.instance, Grade.HARD, self.clock)
            except OutOfTimeError:
                return replace(puzzle, unfinished=True)
            puzzle = replace(puzzle, grade=rating.grade, effort=rating.effort)
        return puzzle

    def _distance(self, puzzle: Puzzle) -> float:
        """Return how far a puzzle is from what is wanted: in grades, or in clues added."""
        if self.wanted is None:
            return len(clues_of(puzzle.instance)) - len(clues_of(self.instance))
        if puzzle.grade is None:
            return len(Grade)
        grades = list(Grade)
        return abs(grades.index(Grade(puzzle.grade)) - grades.index(self.wanted))

    def _rated_if_easy(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with its grade, if it is easy or small and time is left."""
        is_small = len(self.instance.board) <= _RATED_SQUARES
        with suppress(OutOfTimeError):
            most = Grade.HARD if is_small else Grade.EASY
            rating = rate(puzzle.instance, most, self.clock)
            if is_small or rating.grade is Grade.EASY:
                return replace(puzzle, grade=rating.grade, effort=rating.effort)
        return puzzle

    def _puzzle_of(self, tour: Squares) -> Puzzle:
        """Return a puzzle that a tour solves."""
        instance = self.instance
        candidates = clues_of_tour(instance, tour, self.kind)
        self.random.shuffle(candidates)
        numbered = not instance.closed or self.kind.has_numbers or bool(instance.givens)
        solver = UniquenessSolver(instance, tour, numbered, self.clock, self.progress)
        for clue in direction_clues(instance, tour, self.kind):
            if solver.determine(candidates):
                break
            candidates.insert(0, clue)  # the last to be left out
        is_cut_short = False
        if self.wanted in (Grade.EASY, Grade.MEDIUM):
            added, is_cut_short = self._as_easy_as(self.wanted, candidates, solver)
        else:
            added = solver.minimal_clues(candidates) or []
            added = self._without_a_lone_number(added, tour)
        if self.total is not None:
            missing = self.total - len(clues_of(instance)) - len(added)
            others = [clue for clue in candidates if clue not in added]
            added += others[: max(0, missing)]
        asked, tour = _counted_from_the_lowest(instance, with_clues(instance, added), tour)
        solution = Tour(asked.board, tour, asked.closed)
        return Puzzle(asked, solution, unfinished=is_cut_short or solver.is_cut_short)

    def _without_a_lone_number(self, clues: list[Clue], tour: Squares) -> list[Clue]:
        """Return the clues without a single number that only says where to begin to count."""
        numbers = [clue for clue in clues if isinstance(clue, Given)]
        moves: list[Clue] = [clue for clue in clues if not isinstance(clue, Given)]
        if not self.instance.closed or self.instance.givens or len(numbers) != 1 or not moves:
            return clues
        solver = UniquenessSolver(self.instance, tour, False, self.clock)
        return moves if solver.determine(moves) else clues

    def _as_easy_as(
        self, wanted: Grade, clues: list[Clue], solver: UniquenessSolver
    ) -> tuple[list[Clue], bool]:
        """Leave out clues while the puzzle is easy, and then while it is not above the grade.

        Return the clues that are left, and whether the time limit was reached before the end.
        """
        try:
            grades = [Grade.EASY] if wanted is Grade.EASY else [Grade.EASY, wanted]
            for grade in grades:
                for left, clue in zip(range(len(clues), 0, -1), reversed(clues), strict=True):
                    self.progress(left)
                    fewer = [each for each in clues if each != clue]
                    if solver.determine(fewer):
                        asked = with_clues(self.instance, fewer)
                        if rate(asked, grade, self.clock).grade in (Grade.EASY, grade):
                            clues = fewer
        except OutOfTimeError:
            return clues, True
        return clues, False


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


def random_solution(instance: Instance, seed: int, clock: Clock | None = None) -> Squares | None:
    """Return a random tour that meets the constraints, as ids, or None if there is none.

    Different seeds give different tours, if there are several; the ends of an open tour may be on
    any squares. Raises `OutOfTimeError` when the clock's limit is reached.
    """
    clock, random = clock or Clock(), Random(seed)
    tour = _solved(instance, seed, clock)
    if tour is None or len(tour) == 1:
        return tour
    if not instance.givens and instance.symmetry is None:
        return random_walk_tour(instance, tour, random, clock)
    for _ in range(_EXCLUDED_MOVES):
        index = random.randrange(0 if instance.closed else 1, len(tour))
        excluded = Move(int(tour[index - 1]), int(tour[index]))
        without = replace(instance, forbid=(*instance.forbid, excluded))
        try:
            other = _solved(without, seed, clock)
        except OutOfTimeError:
            break
        if other is not None:
            tour, instance = other, without
    return tour


def _solved(instance: Instance, seed: int, clock: Clock) -> Squares | None:
    """Return a tour as ids, or None if there is none. Raises `OutOfTimeError`."""
    clock.check()
    remaining = None if clock.limit is None else clock.remaining
    result = solve(instance, seed=seed, time_limit=remaining)
    if result.status is Status.UNKNOWN:
        raise OutOfTimeError
    return None if result.tour is None else result.tour.squares
