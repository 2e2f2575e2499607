"""Make puzzles: take a random tour with all its clues, and remove those that are not needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board, as_board
from kt_cp.errors import InputError, checked_choice, checked_number, pluralize
from kt_cp.graph import GraphLike
from kt_cp.methods.table import METHODS
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance
from kt_cp.problem.map_constraints import parse_map
from kt_cp.puzzles.clues import (
    ClueKind,
    clue_count,
    clues_of,
    with_clues,
)
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.patterns import Pattern, PatternName
from kt_cp.puzzles.puzzle import Puzzle, saved_puzzle
from kt_cp.puzzles.rating import rate
from kt_cp.puzzles.selection import ClueSelector
from kt_cp.puzzles.solutions import random_solution
from kt_cp.tour.tour import Tour

# How many tours are tried to complete given clues, and for puzzles of some effort or pattern.
_ATTEMPTS, _DEMANDING_ATTEMPTS = 5, 30


def make_puzzle(  # noqa: PLR0913 (public)
    board: GraphLike,
    *,
    clues: ClueKind | PatternName | Pattern | str = ClueKind.NUMBERS,
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

    The clues may also stand on a `Pattern`, or on one with a name. On pairs of squares that a
    half-turn maps onto each other they are removed in pairs. Any other pattern is shown as a whole,
    and of several puzzles the one with the fewest clues elsewhere is returned (see
    ``off_pattern``). The clues ``order`` are squares that the tour visits in that order, from the
    start to the end of an open tour, without their steps.

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
    instance = Instance.of(board, **constraints)
    kind, pattern = _clues_asked(as_board(instance.graph, "make_puzzle"), clues)
    if kind is ClueKind.ORDER and instance.order:
        raise InputError("clues order: the puzzle makes an order of its own; leave the order out")
    if instance.constrain:
        raise InputError("make_puzzle does not support constrain; give constraints by name")
    checked_number("seed", seed, 0, 2**31 - 1)
    if total is not None:
        _check_total(total, instance, pattern)
    wanted = effort_range(difficulty, effort)
    clock = Clock(time_limit)
    if isinstance(board, str):
        _, _, notes = parse_map(board, constraints)
        saved = saved_puzzle(instance, notes)
        if saved is not None and is_as_asked(saved, total, wanted):
            return saved
    with clock.stopped():
        METHODS["auto"].load()
    random = _random(seed, wanted)
    selector = ClueSelector(instance, kind, pattern, total, wanted, clock, random, progress)
    puzzle = PuzzleMaker(selector).best()
    return None if puzzle is None else replace(puzzle, seed=seed)


def _check_total(total: int, instance: Instance, pattern: Pattern | None) -> None:
    """Raise `InputError` if a puzzle cannot show that many clues, or a pattern says how many."""
    checked_number("givens", total, 1, len(instance.board))
    if (own := clue_count(instance)) > total:
        raise InputError(f"givens {total}: {pluralize(own, 'clue')} are given already")
    if pattern is not None and pattern.whole:
        raise InputError("givens and a pattern of clues: give one of them")


def _clues_asked(
    board: Board, clues: ClueKind | PatternName | Pattern | str
) -> tuple[ClueKind, Pattern | None]:
    """Return the kind of clues, and the pattern on which they stand, if there is one.

    Raises `InputError` for other text, and where the board has no such pattern.
    """
    if isinstance(clues, Pattern):
        return ClueKind.NUMBERS, clues
    if clues in list(PatternName):
        return ClueKind.NUMBERS, Pattern.of(board, PatternName(clues))
    if clues in list(ClueKind):
        return ClueKind(clues), None
    raise InputError(f"clues {clues!r}: give one of {', '.join([*ClueKind, *PatternName])}")


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
    if total is not None and total > clue_count(puzzle.instance):
        return False
    if wanted is None:
        return True
    return puzzle.effort is not None and wanted.distance(puzzle.effort) == 0


def _random(seed: int, wanted: EffortRange | None) -> Random:
    """Return the source of random choices, another one for each range of efforts."""
    return Random(seed) if wanted is None else Random(f"{seed} {wanted}")


@dataclass(frozen=True)
class PuzzleMaker:
    """Makes puzzles from random tours, with the clues that a selector selects."""

    selector: ClueSelector

    def best(self) -> Puzzle | None:
        """Return the best of several puzzles, or None if there is no tour.

        The best is the first with the fewest clues off the pattern, whose effort comes closest to
        what is wanted, or the one with the fewest clues added. Raises `OutOfTimeError` when the
        limit comes before the first.
        """
        best, least = None, (math.inf, math.inf)
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
            if least == (0, 0) or puzzle.unfinished:
                break
        return best if best is None or best.effort is not None else self._rated(best)

    @property
    def _attempts(self) -> int:
        """How many puzzles are made, of which the best is returned."""
        asked = self.selector
        if asked.wanted is not None or (asked.pattern is not None and asked.pattern.whole):
            return _DEMANDING_ATTEMPTS
        return _ATTEMPTS if clues_of(asked.instance) else 1

    def _random_puzzle(self) -> Puzzle | None:
        """Return a puzzle, rated if some effort is wanted, or None without a tour."""
        asked = self.selector
        tour = random_solution(asked.instance, asked.random.randrange(2**31), asked.clock)
        if tour is None:
            return None
        selection = asked.select(tour)
        shown = with_clues(asked.instance, selection.clues)
        shown, tour = _counted_from_the_lowest(asked.instance, shown, tour)
        puzzle = Puzzle(
            shown,
            Tour(shown.board, tour, shown.closed),
            unfinished=selection.is_cut_short,
            off_pattern=selection.off_pattern,
            effort=selection.effort,
        )
        return puzzle if asked.wanted is None else self._rated(puzzle)

    def _distance(self, puzzle: Puzzle) -> tuple[float, float]:
        """Return the clues off the pattern, and how far the puzzle is from what is wanted.

        That is measured in efforts, or else in clues added.
        """
        asked = self.selector
        off = len(puzzle.off_pattern)
        if asked.wanted is not None:
            effort = puzzle.effort
            return off, math.inf if effort is None else asked.wanted.distance(effort)
        if asked.pattern is not None:
            return off, 0
        return off, clue_count(puzzle.instance) - clue_count(asked.instance)

    def _rated(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with its effort, unless the time limit comes first."""
        try:
            rating = rate(puzzle.instance, clock=self.selector.clock)
        except OutOfTimeError:
            return puzzle
        return replace(puzzle, effort=rating.effort)


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
