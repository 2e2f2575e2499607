"""The budget and the events of a search, and its outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic

from kt_dfs.graph import K


class Status(Enum):
    """The answer of a search."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


class Ending(Enum):
    """What ended a search."""

    COMPLETE = "complete"
    EXHAUSTED = "exhausted"
    STUCK = "stuck"
    OUT_OF_CALLS = "out of calls"
    OUT_OF_TIME = "out of time"


class Event(Enum):
    """What an observer is told."""

    VISIT = "visit"
    BACKTRACK = "backtrack"


Observer = Callable[[Event, K], None]
"""Called at each visit and each backtrack, in order, with the event and the square."""


@dataclass(frozen=True)
class Budget:
    """The limits of a search; None is no limit. Raises ValueError for a negative one."""

    calls: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Check the limits."""
        for name, amount in (("calls", self.calls), ("seconds", self.seconds)):
            if amount is not None and not amount >= 0:
                raise ValueError(f"a budget of {amount} {name} makes no sense; it starts at 0")


UNLIMITED: Final = Budget()


@dataclass(frozen=True)
class Outcome(Generic[K]):
    """What a search found, and how much work it took.

    `path` is the tour if one was found, empty if the whole tree was searched, and otherwise the
    unfinished path when the search stopped. `wanted` is the number of squares of a tour here. The
    counters are `calls`, `backtracks`, and `deepest`, the length of the longest path.
    """

    ending: Ending
    path: tuple[K, ...]
    wanted: int
    calls: int
    backtracks: int
    deepest: int

    @property
    def status(self) -> Status:
        """Found, impossible from this start (the whole tree was searched), or unknown."""
        if self.ending is Ending.COMPLETE:
            return Status.FOUND
        return Status.IMPOSSIBLE if self.ending is Ending.EXHAUSTED else Status.UNKNOWN

    @property
    def reason(self) -> str:
        """What ended the search, in one sentence."""
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}"
        if self.ending is Ending.COMPLETE:
            return f"a tour was found after {calls}"
        if self.ending is Ending.EXHAUSTED:
            return f"every way to go on from the start was tried, in {calls}"
        if self.ending is Ending.STUCK:
            if len(self.path) == self.wanted:
                return f"the walk visits all {self.wanted} squares but cannot return to the first"
            where = f"at square {self.path[-1]} after {len(self.path)} of {self.wanted} squares"
            return f"the walk stops {where}, and this method does not backtrack"
        limit = "limit of calls" if self.ending is Ending.OUT_OF_CALLS else "time limit"
        return f"the {limit} was reached after {calls}"
