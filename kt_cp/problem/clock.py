"""A time limit that starts to run when it is made."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kt_cp.errors import InputError


class OutOfTime(Exception):  # noqa: N818 - an answer, not an error
    """The time limit was reached before the work was done."""


@dataclass
class Clock:
    """Counts seconds from now on, up to a limit (None: no limit).

    Raises `InputError` for a limit that is not a positive number.
    """

    limit: float | None = None
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        """Refuse limits that make no sense."""
        if self.limit is None:
            return
        if not isinstance(self.limit, int | float) or not self.limit > 0:
            raise InputError(f"time limit {self.limit!r}: give a number of seconds above 0")

    @property
    def seconds(self) -> float:
        """The seconds that have passed."""
        return time.perf_counter() - self.started

    @property
    def remaining(self) -> float:
        """The seconds that are left, never negative; infinite without a limit."""
        return math.inf if self.limit is None else max(0.0, self.limit - self.seconds)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Do not count the time that passes in here, such as that of an import."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.started += time.perf_counter() - began

    def check(self) -> None:
        """Raise `OutOfTime` when nothing is left."""
        if self.remaining == 0:
            raise OutOfTime
