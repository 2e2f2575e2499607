"""Clocks: stopwatches with a time limit."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from kt_cp.messages import checked_time_limit


class OutOfTimeError(Exception):
    """The time limit was reached before there was an answer."""

    def __init__(self, message: str = "the time limit was reached") -> None:
        super().__init__(message)


@dataclass
class Clock:
    """A stopwatch with a positive limit in seconds, or None for no limit.

    If there is a function ``is_interrupted``, no time is left once it returns True. Raises
    `InputError` for a limit that is not a positive number.
    """

    limit: float | None = None
    started: float = field(default_factory=time.perf_counter)
    is_interrupted: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.limit is not None:
            checked_time_limit(self.limit)

    @property
    def seconds(self) -> float:
        """The seconds since the start, without those in which the clock was stopped."""
        return time.perf_counter() - self.started

    @property
    def remaining(self) -> float:
        """The seconds that are left, at least 0, and infinitely many without a limit."""
        if self.is_interrupted is not None and self.is_interrupted():
            return 0.0
        return math.inf if self.limit is None else max(0.0, self.limit - self.seconds)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Stop the clock inside a ``with`` block, such as one that imports a package."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.started += time.perf_counter() - began

    def remaining_limit(self) -> float | None:
        """Return the limit for the rest of the work: the seconds left, or None without a limit.

        Raises `OutOfTimeError` if no time is left.
        """
        self.check()
        return None if self.limit is None else self.remaining

    def for_share(self, share: float) -> Clock:
        """Return a clock that ends after a share of the seconds left, such as 0.5.

        It has no limit if this one has none, and is interrupted as this one is.

        >>> halved = Clock(10.0).for_share(0.5)
        >>> 4.9 < halved.remaining <= 5.0, Clock().for_share(0.5).limit
        (True, None)
        """
        if self.limit is None:
            return replace(self)
        return replace(self, limit=self.seconds + share * self.remaining)

    def check(self, needed: float = 0) -> None:
        """Raise `OutOfTimeError` unless more than ``needed`` seconds are left."""
        if self.remaining <= needed:
            raise OutOfTimeError
