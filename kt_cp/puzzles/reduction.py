"""Leave out clues as long as the rules up to a level lead to the tour.

What the rules lead to is the only tour, so that no solver is needed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.instance import Instance
from kt_cp.puzzles.clues import ClueGroup, clue_count, with_groups
from kt_cp.puzzles.deduction import is_solved_by
from kt_cp.puzzles.level import EffortRange, Level
from kt_cp.puzzles.rating import rate

# Beyond this level suppositions are needed, with which a puzzle takes longer to solve.
_QUICK = Level.MEDIUM


def sufficient_groups(
    instance: Instance, groups: Sequence[ClueGroup], most: Level, fewest: int, clock: Clock
) -> list[ClueGroup]:
    """Return the first groups, as few as suffice for the rules up to a level to find the tour.

    The instance has at least ``fewest`` clues with them. All groups are returned if they do not
    suffice. Raises `OutOfTimeError` when the clock's limit is reached.
    """

    def suffice(count: int) -> bool:
        asked = with_groups(instance, groups[:count])
        return clue_count(asked) >= fewest and is_solved_by(asked, most, clock)

    return list(groups[: bisect_left(range(len(groups)), True, key=suffice)])


def reduced_groups(
    instance: Instance,
    groups: Sequence[ClueGroup],
    wanted: EffortRange,
    fewest: int,
    clock: Clock,
    progress: Callable[[int], None],
) -> tuple[list[ClueGroup], bool]:
    """Leave out groups of clues, the last ones first, while the effort is not above a range.

    The instance keeps at least ``fewest`` clues. Return the groups that are left, and whether the
    clock's limit was reached before all were tried.
    """
    most = min(Level.of(wanted.high), Level.HARD, key=lambda level: level.number)
    quick = min(most, _QUICK, key=lambda level: level.number)
    kept = list(groups)
    try:
        kept = sufficient_groups(instance, groups, quick, fewest, clock)
        for left, tried in zip(range(len(kept), 0, -1), reversed(kept[:]), strict=True):
            progress(left)
            fewer = [group for group in kept if group != tried]
            asked = with_groups(instance, fewer)
            if clue_count(asked) < fewest:
                continue
            if rate(asked, most, clock).effort <= min(wanted.high, most.efforts.high):
                kept = fewer
    except OutOfTimeError:
        return kept, True
    return kept, False
