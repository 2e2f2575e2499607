"""Which clues of a tour a puzzle shows: those that a solver, or the rules of a level, need.

Clues are left out as long as the rest determines the tour. What is tried depends on the request:

- On a whole pattern, all its numbers are shown, and those others that a solver needs.
- With an effort wanted, clues are mostly left out as long as the rules of its level lead to the
  tour, and otherwise as long as a solver finds no other tour.
- Of an order, a solver finds a minimal set of squares between its ends.
- Of other clues, a solver finds a minimal set. On a symmetric pattern, clues are left out together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from kt_cp.arrays import Squares
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.puzzles.clues import (
    Clue,
    ClueGroup,
    ClueKind,
    Waypoint,
    clue_count,
    clues_in,
    clues_of_tour,
    direction_clues,
    with_clues,
)
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.patterns import Pattern
from kt_cp.puzzles.reduction import Reducer
from kt_cp.puzzles.uniqueness import UniquenessSolver
from kt_cp.sat.positions import Given


class Selection(NamedTuple):
    """The clues that a puzzle adds to those that were given.

    ``off_pattern`` has the squares of clues that are not on the pattern. ``is_cut_short`` tells
    whether the time limit was reached before every clue was tried. The ``effort`` is that of the
    puzzle, if it was rated.
    """

    clues: list[Clue]
    is_cut_short: bool
    off_pattern: tuple[int, ...] = ()
    effort: int | None = None


@dataclass(frozen=True)
class PuzzleRequest:
    """What kind of puzzle is asked for.

    ``total`` is the least number of clues that the puzzle shows, ``wanted`` the effort that it
    should have, and the ``pattern`` says where its numbers are shown. ``progress`` is called with
    the number of clues still to be tried.
    """

    instance: Instance
    kind: ClueKind
    pattern: Pattern | None
    total: int | None
    wanted: EffortRange | None
    clock: Clock
    random: Random
    progress: Callable[[int], None]

    @property
    def has_whole_pattern(self) -> bool:
        """Whether all numbers on a pattern are shown."""
        return self.pattern is not None and self.pattern.whole


class ClueSelector:
    """Selects the clues of a puzzle from a tour, as a request asks for."""

    def __init__(self, request: PuzzleRequest) -> None:
        self.request = request
        self.instance, self.kind = request.instance, request.kind

    def select(self, tour: Squares) -> Selection:
        """Return clues that determine a tour, which is given as ids in visiting order."""
        pattern, wanted = self.request.pattern, self.request.wanted
        clues = clues_of_tour(self.instance, tour, self.kind)
        self.request.random.shuffle(clues)
        if pattern is not None and pattern.whole:
            return self._on_pattern(clues, tour, pattern.squares)
        groups: list[ClueGroup] = [(clue,) for clue in clues]
        if pattern is not None:
            groups = self._symmetric(clues, pattern)
        if wanted is not None and self._selects_by_rules(wanted):
            selection = self._reduced_by_rules(groups, self._always_shown(tour), wanted)
        elif self.kind is ClueKind.ORDER:
            selection = self._minimal_order(groups, tour)
        else:
            selection = self._minimal_by_solver(groups, tour)
        return self._with_total(selection, groups)

    def _always_shown(self, tour: Squares) -> list[Clue]:
        """Return clues that are never left out: the ends of an order, or one for the direction."""
        if self.kind is ClueKind.ORDER:
            return self._ends(tour)
        return direction_clues(self.instance, tour, self.kind)[:1]

    def _selects_by_rules(self, wanted: EffortRange) -> bool:
        """Return whether clues are selected by the rules of a level, not by a solver.

        They always are below the level of masters, and for masters if only numbers are shown. Where
        moves are shown, easier rules solve most puzzles that the rules for masters lead to.
        """
        return wanted.low < Level.MASTERS.efforts.low or self.kind is ClueKind.NUMBERS

    def _ends(self, tour: Squares) -> list[Clue]:
        """Return the start of a tour and the end of an open one, as first and last in order."""
        squares = [(int(tour[0]), 1)]
        if not self.instance.closed and len(tour) > 1:
            squares.append((int(tour[-1]), len(tour)))
        givens: list[Clue] = [Given(*each) for each in squares]
        return [*givens, *(Waypoint(*each) for each in squares)]

    def _symmetric(self, clues: list[Clue], pattern: Pattern) -> list[ClueGroup]:
        """Return the clues in the groups of a pattern, in random order."""
        by_square = {clue.square: clue for clue in clues if isinstance(clue, Given)}
        groups = [
            tuple(by_square[square] for square in sorted(group) if square in by_square)
            for group in pattern.groups
        ]
        self.request.random.shuffle(groups)
        return [group for group in groups if group]

    def _on_pattern(self, clues: list[Clue], tour: Squares, squares: frozenset[int]) -> Selection:
        """Return all numbers on squares, and as few others as are needed."""
        shown = [clue for clue in clues if isinstance(clue, Given) and clue.square in squares]
        others: list[ClueGroup] = [(clue,) for clue in clues if clue not in shown]
        solver = self._solver(with_clues(self.instance, shown), tour, numbered=True)
        needed = _needed(solver, others)
        off_pattern = tuple(sorted(clue.square for clue in needed if isinstance(clue, Given)))
        return Selection([*shown, *needed], solver.is_cut_short, off_pattern)

    def _reduced_by_rules(
        self, groups: list[ClueGroup], always_shown: list[Clue], wanted: EffortRange
    ) -> Selection:
        """Return clues from which the rules of a level lead to the tour.

        Those ``always_shown`` are among them. Children are shown at least half of the squares or
        moves.
        """
        request = self.request
        min_clues = request.total or 0
        if request.total is None and wanted.high <= Level.CHILDREN.efforts.high:
            min_clues = len(self.instance.board) // 2
        # The ends are given as steps too, which determine their places in the order.
        without_order = [clue for clue in always_shown if not isinstance(clue, Waypoint)]
        instance = with_clues(self.instance, without_order)
        others = [group for group in groups if group[0] not in always_shown]
        reducer = Reducer(instance, wanted, min_clues, request.clock, request.progress)
        reduced = reducer.reduce(others)
        clues = [*always_shown, *clues_in(reduced.kept)]
        return Selection(clues, reduced.is_cut_short, effort=reduced.effort)

    def _minimal_by_solver(self, groups: list[ClueGroup], tour: Squares) -> Selection:
        """Return a minimal set of clues that determines the tour."""
        instance = self.instance
        numbered = not instance.closed or self.kind.has_numbers or bool(instance.givens)
        solver = self._solver(instance, tour, numbered)
        # Add direction clues until the tour is determined. They are tried last, so they stay only
        # if they are needed.
        candidates = groups
        for clue in direction_clues(instance, tour, self.kind):
            if solver.determines(clues_in(candidates)):
                break
            candidates = [(clue,), *candidates]
        needed = _needed(solver, candidates)
        return Selection(self._without_a_lone_number(needed, tour), solver.is_cut_short)

    def _minimal_order(self, groups: list[ClueGroup], tour: Squares) -> Selection:
        """Return the ends of a tour, and a minimal set of squares in order that determines it."""
        ends = self._ends(tour)
        solver = self._solver(with_clues(self.instance, ends), tour, numbered=True)
        inner = [group for group in groups if group[0] not in ends]
        needed = _needed(solver, inner)
        return Selection([*ends, *needed], solver.is_cut_short)

    def _without_a_lone_number(self, clues: list[Clue], tour: Squares) -> list[Clue]:
        """Return the clues without a single number that only says where counting begins."""
        numbers = [clue for clue in clues if isinstance(clue, Given)]
        moves: list[Clue] = [clue for clue in clues if not isinstance(clue, Given)]
        if not self.instance.closed or self.instance.givens or len(numbers) != 1 or not moves:
            return clues
        clock = self.request.clock
        solver = UniquenessSolver(self.instance, tour, numbered=False, clock=clock)
        return moves if solver.determines(moves) else clues

    def _solver(self, instance: Instance, tour: Squares, numbered: bool) -> UniquenessSolver:
        """Return a solver that finds the clues needed besides those of the instance."""
        clock, progress = self.request.clock, self.request.progress
        return UniquenessSolver(instance, tour, numbered=numbered, clock=clock, progress=progress)

    def _with_total(self, selection: Selection, groups: list[ClueGroup]) -> Selection:
        """Return the selection with further groups, until the wanted total of clues is shown."""
        total = self.request.total or 0
        clues = list(selection.clues)
        for group in groups:
            if clue_count(with_clues(self.instance, clues)) >= total:
                break
            clues += [clue for clue in group if clue not in clues]
        if len(clues) == len(selection.clues):
            return selection
        return selection._replace(clues=clues, effort=None)


def _needed(solver: UniquenessSolver, groups: list[ClueGroup]) -> list[Clue]:
    """Return the clues of a minimal set of groups; all groups together determine the tour."""
    needed = solver.minimal_groups(groups)
    assert needed is not None, "all clues of a tour determine it"
    return clues_in(needed)
