"""Leave out clues as long as the rules up to a level lead to the tour.

A tour deduced by the rules is unique, so no solver is needed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.puzzles.clues import ClueGroup, clue_count, with_groups
from kt_cp.puzzles.deduction import is_solved_by
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.rating import rate

# Up to this level the rules are applied quickly: no supposition looks far ahead.
_LAST_QUICK = Level.MEDIUM

# At the slower levels, clues are tried until this many in a row cannot be left out.
_MAX_FAILURES = 8


class Reduced(NamedTuple):
    """The groups of clues that are kept.

    ``is_cut_short`` tells whether the clock's limit was reached before all were tried. The
    ``effort`` is that of the puzzle with these groups, if it was rated.
    """

    kept: list[ClueGroup]
    is_cut_short: bool
    effort: int | None


@dataclass(frozen=True)
class Reducer:
    """Leaves out groups of clues while the effort is not above the ``wanted`` range.

    The ``instance`` and the groups that are kept have at least ``min_clues`` clues. ``progress`` is
    called with the number of groups still to be tried.
    """

    instance: Instance
    wanted: EffortRange
    min_clues: int
    clock: Clock
    progress: Callable[[int], None]

    def reduce(self, groups: Sequence[ClueGroup]) -> Reduced:
        """Return as few of the groups as the rules up to the wanted level need.

        First the number of groups that the quick rules need is found by bisection. Then groups are
        left out one by one, with the rules up to the next level each time, up to the wanted level.
        """
        hardest = Level.of(self.wanted.high)
        levels = [level for level in Level if _LAST_QUICK <= level < hardest]
        levels.append(hardest)
        try:
            kept = self._shortest_beginning(groups, min(hardest, _LAST_QUICK))
        except OutOfTimeError:
            return Reduced(list(groups), is_cut_short=True, effort=None)
        reduced = Reduced(kept, is_cut_short=False, effort=None)
        for level in levels:
            reduced = self._leave_out(reduced, level)
            if reduced.is_cut_short:
                break
        return reduced

    def _shortest_beginning(self, groups: Sequence[ClueGroup], level: Level) -> list[ClueGroup]:
        """Return the first groups, as few as suffice for the rules up to a level, or else all."""

        def suffice(count: int) -> bool:
            shown = with_groups(self.instance, groups[:count])
            return clue_count(shown) >= self.min_clues and is_solved_by(shown, level, self.clock)

        least_count = bisect_left(range(len(groups)), True, key=suffice)
        return list(groups[:least_count])

    def _leave_out(self, reduced: Reduced, level: Level) -> Reduced:
        """Leave out groups, the last ones first, while the rules up to a level suffice."""
        failures = 0
        for index in reversed(range(len(reduced.kept))):
            if level > _LAST_QUICK and failures == _MAX_FAILURES:
                break
            self.progress(index + 1)
            fewer = reduced.kept[:index] + reduced.kept[index + 1 :]
            try:
                effort = self._effort_with(fewer, level)
            except OutOfTimeError:
                return reduced._replace(is_cut_short=True)
            if effort is not None and effort <= self.wanted.high:
                reduced = reduced._replace(kept=fewer, effort=effort)
                failures = 0
            else:
                failures += 1
        return reduced

    def _effort_with(self, groups: list[ClueGroup], level: Level) -> int | None:
        """Return the effort with some groups, or None unless the rules lead to the tour."""
        shown = with_groups(self.instance, groups)
        if clue_count(shown) < self.min_clues:
            return None
        rating = rate(shown, level, self.clock)
        return rating.effort if rating.is_solved else None
