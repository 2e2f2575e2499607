"""Leave out clues as long as the rules up to a level lead to the tour.

What the rules lead to is the only tour, so that no solver is needed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.clues import ClueGroup, clue_count, with_groups
from kt_cp.puzzles.deduction import is_solved_by
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.rating import rate

# Up to this level puzzles are solved without suppositions that look far ahead, and so quickly.
_QUICK = Level.MEDIUM

# Beyond it, clues are tried until so many in a row cannot be left out.
_MOST_FAILURES = 8


@dataclass
class Reduction:
    """Leaves out groups of clues while the effort is not above the ``wanted`` range.

    The ``instance`` keeps at least ``fewest`` clues together with the groups that are ``kept``.
    ``is_cut_short`` tells whether the clock's limit was reached before all were tried. The
    ``effort`` is that of the puzzle with the groups that are kept, if it was rated.
    """

    instance: Instance
    wanted: EffortRange
    fewest: int
    clock: Clock
    progress: Callable[[int], None]
    kept: list[ClueGroup] = field(default_factory=list)
    is_cut_short: bool = False
    effort: int | None = None

    def run(self, groups: Sequence[ClueGroup]) -> None:
        """Keep as few of the groups as the rules of the wanted level need.

        Only the first groups are considered, as many as suffice for rules that are applied quickly.
        Rules that take longer are applied to what those have left.
        """
        self.kept = list(groups)
        most = Level.of(self.wanted.high)
        try:
            self._keep_first(most if most.number < _QUICK.number else _QUICK)
            for level in Level:
                is_quick = level.number < _QUICK.number
                if level is most or (not is_quick and level.number < most.number):
                    self._leave_out(level)
        except OutOfTimeError:
            self.is_cut_short = True

    def _keep_first(self, level: Level) -> None:
        """Keep the first groups, as few as suffice for the rules up to a level."""
        groups = self.kept

        def suffice(count: int) -> bool:
            asked = with_groups(self.instance, groups[:count])
            return clue_count(asked) >= self.fewest and is_solved_by(asked, level, self.clock)

        self.kept = groups[: bisect_left(range(len(groups)), True, key=suffice)]

    def _leave_out(self, level: Level) -> None:
        """Leave out groups, the last ones first, while the rules up to a level suffice."""
        failures = 0
        for left, tried in zip(range(len(self.kept), 0, -1), reversed(self.kept), strict=True):
            if level.number > _QUICK.number and failures == _MOST_FAILURES:
                break
            self.progress(left)
            fewer = [group for group in self.kept if group != tried]
            effort = self._effort_with(fewer, level)
            if effort is not None and effort <= self.wanted.high:
                self.kept, self.effort = fewer, effort
                failures = 0
            else:
                failures += 1

    def _effort_with(self, groups: list[ClueGroup], level: Level) -> int | None:
        """Return the effort with some groups, or None unless the rules lead to the tour."""
        asked = with_groups(self.instance, groups)
        if clue_count(asked) < self.fewest:
            return None
        rating = rate(asked, level, self.clock)
        return rating.effort if rating.is_solved else None
