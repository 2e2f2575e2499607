"""Make puzzles: take a random tour with all its clues, and remove those that are not needed.

Clues are left out as long as the rest determines the tour. What is tried depends on the request:

- On a whole pattern, all its numbers are shown, and those others that a solver needs.
- With an effort wanted, clues are mostly left out as long as the rules of its level lead to the
  tour, which is then unique, and otherwise as long as a solver finds no other tour.
- Of an order, a solver finds a minimal set of squares between its ends.
- Of other clues, a solver finds a minimal set. On a symmetric pattern, clues are left out together.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Unpack

import numpy as np

from kt_cp.arrays import Squares
from kt_cp.board import Board, as_board
from kt_cp.graph import GraphLike
from kt_cp.messages import InputError, checked_choice, checked_number, give_one_of, pluralize
from kt_cp.problem.constraints import Constraints
from kt_cp.problem.instance import Instance, parse_map
from kt_cp.problem.task import MAX_SEED, Clock, OutOfTimeError
from kt_cp.puzzles.boards import random_solution
from kt_cp.puzzles.deduction import rate
from kt_cp.puzzles.puzzle import (
    Clue,
    ClueGroup,
    ClueKind,
    EffortRange,
    Given,
    Level,
    Pattern,
    PatternName,
    Puzzle,
    Waypoint,
    clue_count,
    clues_in,
    clues_of,
    clues_of_tour,
    direction_clues,
    saved_puzzle,
    with_clues,
)
from kt_cp.puzzles.uniqueness import Selection, minimal_clues
from kt_cp.tour.tour import Tour

_ATTEMPTS = 5  # tours that are tried to complete given clues
_DEMANDING_ATTEMPTS = 30  # tours that are tried for a wanted effort or pattern

# Boards of up to this many squares are rated even after the time limit: that takes about a second.
_SOON_RATED = 256

# Up to this level the rules are applied quickly: no supposition looks far ahead.
_LAST_QUICK = Level.MEDIUM

# At the slower levels, clues are tried until this many in a row cannot be left out.
_MAX_FAILURES = 8

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

    **Difficulty.** With a ``difficulty``, such as ``"easy"`` or ``"easy..hard"``, or a range of the
    ``effort`` such as ``"200..400"`` (see `rate`), clues are left out as long as the rules of that
    level lead to the tour, and of all puzzles made on the way the one that comes closest is
    returned. Puzzles for children show at least half of the squares or moves, unless a ``total`` is
    given. The same seed gives different solutions for different levels.

    **Limits.** When the ``time_limit`` in seconds is reached, the best puzzle so far is returned,
    with clues that might be left out (see ``unfinished``), or `OutOfTimeError` is raised if there
    is none yet. ``progress`` is called with the number of clues still to be tried.

    Raises `InputError` for invalid constraints, for a total below the number of given clues or
    above the number of squares, and for both a difficulty and an effort.

    >>> from kt_cp import enumerate_tours
    >>> puzzle = make_puzzle("5x5", seed=1)
    >>> len(list(enumerate_tours(str(puzzle))))
    1
    """
    instance = Instance.of(board, **constraints)
    kind, pattern = _kind_and_pattern(as_board(instance.graph, "make_puzzle"), clues)
    if kind is ClueKind.ORDER and instance.order:
        raise InputError("clues order: the puzzle makes an order of its own; leave the order out")
    if instance.constrain:
        raise InputError("make_puzzle does not support constrain; give constraints by name")
    checked_number("seed", seed, 0, MAX_SEED)
    if total is not None:
        checked_number("total of clues", total, 1, len(instance.board))
        given_count = clue_count(instance)
        if given_count > total:
            given_clues = pluralize(given_count, "clue")
            raise InputError(f"a total of {total}: {given_clues} are given already")
        if pattern is not None and pattern.whole:
            raise InputError("a total and a pattern of clues: give one of them")
    efforts = effort_range(difficulty, effort)
    clock = Clock(time_limit)
    if isinstance(board, str):
        _, _, contents = parse_map(board, constraints)
        if saved := reusable_puzzle(instance, contents.notes, total, efforts):
            return saved
    with clock.stopped():
        # Loaded here, so that this does not count against the time limit.
        import kt_cp.methods.auto  # noqa: F401
    # Other random choices for each range of efforts.
    random = Random(seed if efforts is None else f"{seed} {efforts}")
    maker = _PuzzleMaker(instance, kind, pattern, total, efforts, clock, random, progress)
    puzzle = maker.best_puzzle()
    return None if puzzle is None else replace(puzzle, seed=seed)


def _kind_and_pattern(
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


def levels_of(difficulty: Level | str) -> list[Level]:
    """Return the levels of a difficulty: of one, or of a range such as ``easy..hard``.

    Raises `InputError` for other text.

    >>> levels_of("easy..hard")
    [<Level.EASY: 'easy'>, <Level.MEDIUM: 'medium'>, <Level.HARD: 'hard'>]
    """
    ends = [checked_choice("difficulty", each, Level) for each in str(difficulty).split("..")]
    levels = [level for level in Level if ends[0] <= level <= ends[-1]]
    if len(ends) > 2 or not levels:
        raise InputError(f"difficulty {difficulty!r}: give a level or a range, such as easy..hard")
    return levels


def effort_range(
    difficulty: Level | str | None, effort: EffortRange | str | None
) -> EffortRange | None:
    """Return the efforts of a level or of several, or those given, or None without both.

    Raises `InputError` for both, and for invalid text.
    """
    if difficulty is not None and effort is not None:
        raise InputError("difficulty and effort: give one of them")
    if difficulty is not None:
        levels = levels_of(difficulty)
        return EffortRange(levels[0].efforts.low, levels[-1].efforts.high)
    return EffortRange.parse(effort) if isinstance(effort, str) else effort


def reusable_puzzle(
    instance: Instance, notes: Mapping[str, str], total: int | None, efforts: EffortRange | None
) -> Puzzle | None:
    """Return the puzzle that a map was saved from, if it is as asked for, or else None.

    It has to show at least ``total`` clues, and its effort has to be among the ``efforts``.
    """
    saved = saved_puzzle(instance, notes)
    if saved is None or clue_count(saved.instance) < (total or 0):
        return None
    return saved if has_effort(saved, efforts) else None


def has_effort(puzzle: Puzzle, efforts: EffortRange | None) -> bool:
    """Return whether the effort of a puzzle is in a range, as it always is without a range."""
    return efforts is None or efforts.distance(puzzle.effort) == 0


@dataclass(frozen=True)
class _PuzzleMaker:
    """Makes puzzles of one kind.

    ``total`` is the least number of clues that a puzzle shows, ``efforts`` is the range in which
    its effort should be, and the ``pattern`` says where its numbers are shown. ``progress`` is
    called with the number of clues still to be tried.
    """

    instance: Instance
    kind: ClueKind
    pattern: Pattern | None
    total: int | None
    efforts: EffortRange | None
    clock: Clock
    random: Random
    progress: Callable[[int], None]

    def best_puzzle(self) -> Puzzle | None:
        """Return the puzzle nearest to what is asked for, of several; None if there is no tour.

        Raises `OutOfTimeError` when the limit is reached before the first puzzle.
        """
        attempts = _ATTEMPTS if clues_of(self.instance) else 1
        if self.efforts is not None or self._is_whole:
            attempts = _DEMANDING_ATTEMPTS
        puzzles: list[Puzzle] = []
        for _ in range(attempts):
            try:
                puzzle = self._random_puzzle()
            except OutOfTimeError:
                if puzzles:
                    break
                raise
            if puzzle is None:
                return None
            puzzles.append(puzzle)
            if puzzle.unfinished or self._deviation_of(puzzle) == (0, 0):
                break
        best = min(puzzles, key=self._deviation_of)
        return self._rated(best) if best.effort is None else best

    @property
    def _is_whole(self) -> bool:
        """Whether the numbers stand on all squares of a pattern."""
        return self.pattern is not None and self.pattern.whole

    def _deviation_of(self, puzzle: Puzzle) -> tuple[float, float]:
        """Return how far a puzzle is from what was asked for, as two numbers.

        The first one counts clues off the pattern. The second one is the distance of efforts if an
        effort is wanted, and otherwise the number of clues added.
        """
        deviation: float = 0
        if self.efforts is not None:
            deviation = self.efforts.distance(puzzle.effort)
        elif self.pattern is None:
            deviation = clue_count(puzzle.instance) - clue_count(self.instance)
        return len(puzzle.off_pattern), deviation

    def _random_puzzle(self) -> Puzzle | None:
        """Return a puzzle, rated if some effort is wanted, or None without a tour."""
        tour = random_solution(self.instance, self.random.randrange(2**31), self.clock)
        if tour is None:
            return None
        selection = self._select(tour)
        instance = with_clues(self.instance, selection.clues)
        off_pattern = set[int]()
        if self.pattern is not None:
            off_pattern = {clue.square for clue in selection.clues if isinstance(clue, Given)}
            off_pattern -= self.pattern.squares
        # It is free where a closed tour is counted from, unless steps or the start were given.
        if instance.closed and self.instance.first is None and not self.instance.givens:
            instance, tour = _counted_from_lowest(instance, tour)
        puzzle = Puzzle(
            instance,
            Tour(instance.board, tour, instance.closed),
            unfinished=selection.unfinished,
            off_pattern=tuple(sorted(off_pattern)),
        )
        return puzzle if self.efforts is None else self._rated(puzzle)

    def _rated(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with its effort, unless it is large and the time limit comes first."""
        is_soon_rated = len(puzzle.instance.board) <= _SOON_RATED
        try:
            rating = rate(puzzle.instance, clock=None if is_soon_rated else self.clock)
        except OutOfTimeError:
            return puzzle
        return replace(puzzle, effort=rating.effort)

    # -- which clues are shown --------------------------------------------------------------------

    def _select(self, tour: Squares) -> Selection:
        """Return the clues to be shown of a tour, which is given as ids in visiting order."""
        always_shown, groups = self._clues_to_try(tour)
        direction: list[Clue] = []
        if not always_shown:  # they would fix the direction; else one clue is enough
            direction = direction_clues(self.instance, tour, self.kind)[:1]
        if self.efforts is not None and self._uses_rules(self.efforts):
            selection = self._reduced_by_rules([*always_shown, *direction], groups, self.efforts)
        else:
            # The first group is tried last, so that a direction is shown only if it is needed.
            candidates = [*((clue,) for clue in direction), *groups]
            selection = self._minimal_by_solver(tour, always_shown, candidates)
        clues = list(selection.clues)
        for group in groups:  # until the wanted total is shown
            if clue_count(with_clues(self.instance, clues)) >= (self.total or 0):
                break
            clues += [clue for clue in group if clue not in clues]
        return Selection(clues, selection.unfinished)

    def _clues_to_try(self, tour: Squares) -> tuple[list[Clue], list[ClueGroup]]:
        """Return the clues of a tour that are always shown, and groups of others in random order.

        Always shown are the clues on a whole pattern, and of an order the start and, if the tour is
        open, the end.
        """
        clues = clues_of_tour(self.instance, tour, self.kind)
        self.random.shuffle(clues)
        always_shown: list[Clue] = []
        if self.pattern is not None:
            groups = self._groups_on_pattern(self.pattern, clues)
            if not self.pattern.whole:
                return [], groups
            always_shown = clues_in(groups)
        elif self.kind is ClueKind.ORDER:
            ends = {1} if self.instance.closed else {1, len(tour)}
            for step in sorted(ends):
                square = int(tour[step - 1])
                always_shown += [Given(square, step), Waypoint(square, step)]
        return always_shown, [(clue,) for clue in clues if clue not in always_shown]

    def _groups_on_pattern(self, pattern: Pattern, clues: list[Clue]) -> list[ClueGroup]:
        """Return the clues in the groups of a pattern, in random order."""
        by_square = {clue.square: clue for clue in clues if isinstance(clue, Given)}
        groups: list[ClueGroup] = [
            tuple(by_square[square] for square in sorted(group) if square in by_square)
            for group in pattern.groups
        ]
        self.random.shuffle(groups)
        return [group for group in groups if group]

    def _uses_rules(self, efforts: EffortRange) -> bool:
        """Return whether clues are selected by rules, not by a solver.

        Rules select the clues below the level of masters, and for masters if only numbers are
        shown. Where moves are shown, easier rules solve most puzzles for masters.
        """
        is_for_masters = efforts.low >= Level.MASTERS.efforts.low
        return not self._is_whole and (not is_for_masters or self.kind is ClueKind.NUMBERS)

    def _minimal_by_solver(
        self, tour: Squares, always_shown: list[Clue], groups: list[ClueGroup]
    ) -> Selection:
        """Return the clues ``always_shown``, and the clues of a minimal set of groups.

        All groups together determine the tour.
        """
        instance = with_clues(self.instance, always_shown)
        is_closed = instance.closed and not instance.givens
        numbered = self.kind is not ClueKind.MOVES or not is_closed
        needed = minimal_clues(
            instance, tour, groups, self.clock, numbered=numbered, progress=self.progress
        )
        assert needed is not None, "all clues of a tour determine it"
        clues = needed.clues
        moves = [clue for clue in clues if not isinstance(clue, Given)]
        # A single number beside moves may only say where counting begins.
        if self.kind is ClueKind.BOTH and is_closed and len(clues) == len(moves) + 1:
            single_moves = [(move,) for move in moves]
            unnumbered = minimal_clues(instance, tour, single_moves, self.clock, numbered=False)
            if unnumbered is not None and unnumbered.clues:
                clues = unnumbered.clues
        return Selection([*always_shown, *clues], needed.unfinished)

    def _reduced_by_rules(
        self, always_shown: list[Clue], groups: list[ClueGroup], efforts: EffortRange
    ) -> Selection:
        """Return few clues from which the rules up to the level of the efforts lead to the tour.

        They are the clues ``always_shown``, and clues of some groups. First the number of groups
        that the quick rules need is found by bisection. Then groups are left out one by one, once
        for each level from that of the quick rules to the hardest one.
        """
        # The ends of an order are given as steps too, which determine their places in the order.
        without_order = [clue for clue in always_shown if not isinstance(clue, Waypoint)]
        instance = with_clues(self.instance, without_order)
        fewest = self.total or 0
        if self.total is None and efforts.high <= Level.CHILDREN.efforts.high:
            fewest = len(instance.board) // 2  # children are shown half of the squares or moves
        reduction = _Reduction(instance, fewest, efforts, self.clock, self.progress, groups)
        hardest = Level.of(efforts.high)
        quick = min(hardest, _LAST_QUICK)
        unfinished = False
        try:
            reduction.keep_first(quick, hardest)
            for level in Level:
                if quick <= level <= hardest:
                    reduction.leave_out(level)
        except OutOfTimeError:
            unfinished = True
        # The effort of a puzzle for masters is not that of these rules.
        is_effort_known = hardest < Level.MASTERS
        shown_groups = reduction.nearest_groups() if is_effort_known else reduction.kept
        return Selection([*always_shown, *clues_in(shown_groups)], unfinished)


def _counted_from_lowest(instance: Instance, tour: Squares) -> tuple[Instance, Squares]:
    """Return a closed puzzle whose lowest number is 1, and its tour from there on."""
    lowest = min((step for _, step in instance.givens), default=1)
    givens = tuple((square, step - lowest + 1) for square, step in instance.givens)
    return replace(instance, givens=givens), np.roll(tour, 1 - lowest)


@dataclass
class _Reduction:
    """Groups of clues that are left out one by one as long as rules lead to the tour.

    The groups ``kept`` so far, together with the clues of the instance, make a puzzle of at least
    ``fewest`` clues with this ``effort``, infinite until it is known. No group is left out if the
    effort would be above the range ``efforts``. ``tried`` has all groups that were tried, each time
    with the effort. ``progress`` is that of `_PuzzleMaker`.
    """

    instance: Instance
    fewest: int
    efforts: EffortRange
    clock: Clock
    progress: Callable[[int], None]
    kept: list[ClueGroup]
    effort: float = math.inf
    tried: list[tuple[float, list[ClueGroup]]] = field(default_factory=list)

    def _effort_with(self, groups: Sequence[ClueGroup], level: Level) -> float:
        """Return the effort with some groups; infinite unless the rules lead to the tour.

        Raises `OutOfTimeError`.
        """
        instance = with_clues(self.instance, clues_in(groups))
        if clue_count(instance) < self.fewest:
            return math.inf
        rating = rate(instance, level, self.clock)
        return rating.effort if rating.is_solved else math.inf

    def keep_first(self, quick: Level, hardest: Level) -> None:
        """Keep as many of the first groups as the rules of a quick level need, by bisection.

        The effort is measured by the rules of the hardest level.
        """
        groups = self.kept

        def is_enough(count: int) -> bool:
            return self._effort_with(groups[:count], quick) < math.inf

        self.kept = groups[: bisect_left(range(len(groups)), True, key=is_enough)]
        self.effort = self._effort_with(self.kept, hardest)

    def leave_out(self, level: Level) -> None:
        """Try to leave out each group, the last first, by the rules up to a level.

        At slow levels this ends after a number of failures in a row.
        """
        failures = 0
        for index in reversed(range(len(self.kept))):
            if level > _LAST_QUICK and failures == _MAX_FAILURES:
                break
            self.progress(index + 1)
            fewer = self.kept[:index] + self.kept[index + 1 :]
            effort = self._effort_with(fewer, level)
            failures += 1
            if effort <= self.efforts.high:
                self.kept = fewer
                self.effort = effort
                failures = 0
            self.tried.append((effort, fewer))

    def nearest_groups(self) -> list[ClueGroup]:
        """Return the groups kept, or those tried if their effort is nearer to the range."""
        if self.effort == math.inf:
            return self.kept
        candidates = [(self.effort, self.kept), *self.tried]
        _, nearest = min(candidates, key=lambda each: self.efforts.distance(each[0]))
        return nearest
