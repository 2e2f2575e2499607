"""Make puzzles: take a random tour with all its clues, and remove those that are not needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple, Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board, as_board
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, checked_choice, checked_number, give_one_of, pluralize
from kt_cp.methods.table import METHODS
from kt_cp.problem.constraints import Constraints, parse_map
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Clock, OutOfTimeError
from kt_cp.puzzles.clues import ClueKind, clue_count, clues_of, with_clues
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.patterns import Pattern, PatternName
from kt_cp.puzzles.puzzle import Puzzle, saved_puzzle
from kt_cp.puzzles.rating import rate
from kt_cp.puzzles.selection import ClueSelector, PuzzleRequest
from kt_cp.puzzles.solutions import random_solution
from kt_cp.tour.tour import Tour

# The number of tours that are tried to complete given clues, and for a wanted effort or pattern.
_ATTEMPTS, _DEMANDING_ATTEMPTS = 5, 30

# Boards of up to this many squares are rated even after the time limit: that takes about a second.
_SOON_RATED = 256

CLUE_NAMES = (*ClueKind, *PatternName)
"""The names of the kinds of clues and of the patterns on which they stand."""


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
    clues that the puzzle keeps. Starting from a tour with all its ``clues``, those that were added
    are removed until none can be left out, or until only ``total`` clues are shown. Where clues are
    given, several tours are tried, and the puzzle with the fewest additions is returned. The text
    of a saved puzzle is returned as that puzzle, without a search.

    **Clues.** The ``clues`` are of a `ClueKind`, or numbers on a `Pattern` or on one with a name:

    - ``order``: squares that the tour visits in that order, without their steps; of an open tour,
      the start and the end are the first and the last of them.
    - ``moves``: an open tour gets its first step too, unless the moves determine the direction; a
      closed tour gets the direction of one move if a constraint depends on it.
    - ``numbers``, alone or with moves: in a closed tour the lowest number shown is 1, unless a step
      or the start was asked for.

    **Difficulty.** With a ``difficulty``, or a range of the ``effort`` such as ``"200..400"`` (see
    `rate`), clues are left out as long as the rules of that level lead to the tour, and of several
    puzzles the one that comes closest is returned. Puzzles for children show at least half of the
    squares or moves, unless a ``total`` is given. The same seed gives different solutions for
    different levels.

    **Limits.** When the ``time_limit`` in seconds is reached, the best puzzle so far is returned,
    with clues that might be left out (see ``unfinished``), or `OutOfTimeError` is raised if there
    is none yet. ``progress`` is called with the number of clues still to be tried.

    Raises `InputError` for invalid constraints, for a total below the number of given clues or
    above that of squares, and for both a difficulty and an effort.

    >>> from kt_cp import enumerate_tours
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> len(list(enumerate_tours(str(puzzle))))
    1
    """
    instance = Instance.of(board, **constraints)
    kind, pattern = kind_and_pattern(as_board(instance.graph, "make_puzzle"), clues)
    if kind is ClueKind.ORDER and instance.order:
        raise InputError("clues order: the puzzle makes an order of its own; leave the order out")
    if instance.constrain:
        raise InputError("make_puzzle does not support constrain; give constraints by name")
    checked_number("seed", seed, 0, MAX_SEED)
    if total is not None:
        _check_total(total, instance, pattern)
    wanted = effort_range(difficulty, effort)
    clock = Clock(time_limit)
    if isinstance(board, str):
        _, _, contents = parse_map(board, constraints)
        saved = reusable_puzzle(instance, contents.notes, total, wanted)
        if saved is not None:
            return saved
    with clock.stopped():
        METHODS["auto"].load()
    random = _random_source(seed, wanted)
    request = PuzzleRequest(instance, kind, pattern, total, wanted, clock, random, progress)
    puzzle = _best_puzzle(request)
    return None if puzzle is None else replace(puzzle, seed=seed)


def _check_total(total: int, instance: Instance, pattern: Pattern | None) -> None:
    """Raise `InputError` if a puzzle cannot show that many clues, or a pattern says how many."""
    checked_number("total of clues", total, 1, len(instance.board))
    if (given_clues := clue_count(instance)) > total:
        raise InputError(f"a total of {total}: {pluralize(given_clues, 'clue')} are given already")
    if pattern is not None and pattern.whole:
        raise InputError("a total and a pattern of clues: give one of them")


def kind_and_pattern(
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
    raise InputError(f"clues {clues!r}: {give_one_of(CLUE_NAMES, clues)}")


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


def reusable_puzzle(
    instance: Instance, notes: Mapping[str, str], total: int | None, wanted: EffortRange | None
) -> Puzzle | None:
    """Return the puzzle that a map was saved from, if it is as asked for, or else None.

    It has to show at least ``total`` clues and to have a ``wanted`` effort.
    """
    saved = saved_puzzle(instance, notes)
    if saved is None or not has_effort(saved, wanted):
        return None
    if total is not None and clue_count(saved.instance) < total:
        return None
    return saved


def has_effort(puzzle: Puzzle, wanted: EffortRange | None) -> bool:
    """Return whether a puzzle has an effort in the wanted range; without a range, each has."""
    if wanted is None:
        return True
    return puzzle.effort is not None and wanted.distance(puzzle.effort) == 0


def _random_source(seed: int, wanted: EffortRange | None) -> Random:
    """Return the source of random choices, a different one for each range of efforts."""
    return Random(seed) if wanted is None else Random(f"{seed} {wanted}")


class _Deviation(NamedTuple):
    """How far a puzzle is from what was asked for; the fields are compared in this order.

    ``off_pattern`` is the number of clues off the pattern. ``from_wanted`` is measured in efforts
    if an effort is wanted, and otherwise in clues added.
    """

    off_pattern: int
    from_wanted: float


def _best_puzzle(request: PuzzleRequest) -> Puzzle | None:
    """Return the puzzle with the least deviation of several, or None if there is no tour.

    Raises `OutOfTimeError` when the limit is reached before the first puzzle.
    """
    best: Puzzle | None = None
    least_deviation: _Deviation | None = None
    for _ in range(_attempts(request)):
        try:
            puzzle = _random_puzzle(request)
        except OutOfTimeError:
            if best is None:
                raise
            break
        if puzzle is None:
            return None
        deviation = _deviation_of(request, puzzle)
        if least_deviation is None or deviation < least_deviation:
            best, least_deviation = puzzle, deviation
        if deviation == _Deviation(0, 0) or puzzle.unfinished:
            break
    if best is None or best.effort is not None:
        return best
    return _rated(best, request.clock)


def _attempts(request: PuzzleRequest) -> int:
    """Return the number of puzzles to make, of which the best is returned."""
    if request.wanted is not None or request.has_whole_pattern:
        return _DEMANDING_ATTEMPTS
    return _ATTEMPTS if clues_of(request.instance) else 1


def _random_puzzle(request: PuzzleRequest) -> Puzzle | None:
    """Return a puzzle, rated if some effort is wanted, or None without a tour."""
    instance = request.instance
    tour = random_solution(instance, request.random.randrange(2**31), request.clock)
    if tour is None:
        return None
    selection = ClueSelector(request).select(tour)
    shown = with_clues(instance, selection.clues)
    shown, tour = _renumbered(instance, shown, tour)
    puzzle = Puzzle(
        shown,
        Tour(shown.board, tour, shown.closed),
        unfinished=selection.is_cut_short,
        off_pattern=selection.off_pattern,
        effort=selection.effort,
    )
    return puzzle if request.wanted is None else _rated(puzzle, request.clock)


def _deviation_of(request: PuzzleRequest, puzzle: Puzzle) -> _Deviation:
    """Return how far a puzzle is from what was asked for."""
    off_pattern = len(puzzle.off_pattern)
    if request.wanted is not None:
        if puzzle.effort is None:
            return _Deviation(off_pattern, math.inf)
        return _Deviation(off_pattern, request.wanted.distance(puzzle.effort))
    if request.pattern is not None:
        return _Deviation(off_pattern, 0)
    return _Deviation(off_pattern, clue_count(puzzle.instance) - clue_count(request.instance))


def _rated(puzzle: Puzzle, clock: Clock) -> Puzzle:
    """Return the puzzle with its effort, unless it is large and the time limit is reached first."""
    is_soon_rated = len(puzzle.instance.board) <= _SOON_RATED
    try:
        rating = rate(puzzle.instance, clock=None if is_soon_rated else clock)
    except OutOfTimeError:
        return puzzle
    return replace(puzzle, effort=rating.effort)


def _renumbered(original: Instance, shown: Instance, tour: Squares) -> tuple[Instance, Squares]:
    """Return a closed puzzle and its tour counted so that the lowest number shown is 1.

    Both are returned unchanged where the ``original`` instance says where counting begins.
    """
    has_first = original.first is not None or bool(original.givens)
    if not original.closed or has_first or not shown.givens:
        return shown, tour
    lowest = min(step for _, step in shown.givens)
    givens = tuple((square, step - lowest + 1) for square, step in shown.givens)
    return replace(shown, givens=givens), np.roll(tour, 1 - lowest)
