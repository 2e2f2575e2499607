"""How far a count has come: lines for people, and a table of layers in a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kt_cp.count.frontier_plan import Plan
from kt_cp.count.resources import SOON, describe_duration
from kt_cp.files import name_in_errors


class Row(NamedTuple):
    """One layer: the squares processed, its states, their bytes, and the seconds that it took."""

    squares: int
    states: int
    bytes: int
    seconds: float


class CountProgress:
    """Reports how far a count has come, and keeps a table of its layers in a file.

    ``tell`` is called with a line of text: first with what is expected of a count that takes long,
    then with each layer. ``log`` is a file of comma-separated values. ``where`` says what holds the
    states. A resumed count begins with the ``rows`` of the layers that were complete.
    """

    def __init__(
        self,
        plan: Plan,
        tell: Callable[[str], None] = lambda line: None,
        log: str | Path | None = None,
        where: str = "in memory",
        rows: Sequence[Row] = (),
    ) -> None:
        self._plan, self._tell, self._log, self._where = plan, tell, log, where
        self.rows = [Row(*row) for row in rows]
        self._resumed = len(rows)  # how many layers were complete when this run began
        work = np.cumsum(plan.expected.states + 1)
        self._done = np.concatenate([[0], work / work[-1]])  # share of the work after each layer
        self._began = self._last = time.perf_counter()
        if plan.expected.seconds > SOON:
            tell(f"{plan.expected} {where}")

    def add(self, states: int, taken: int, seconds: float | None = None) -> None:
        """Add a row for the next square, by default with the seconds since the last one."""
        now = time.perf_counter()
        if seconds is None:
            seconds = now - self._last
        self._last = now
        self.rows.append(Row(len(self.rows) + 1, states, taken, round(seconds, 3)))
        self.tell(states, taken)
        if self._log is not None:
            lines = [",".join(Row._fields), *(",".join(map(str, row)) for row in self.rows)]
            with name_in_errors(self._log):
                Path(self._log).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def tell(self, states: int, taken: int, part: float = 0) -> None:
        """Report the number of states and their bytes; ``part`` of the next layer is done.

        The time that is left is the expected one, corrected by how fast the work has been so far;
        a tenth of the expected work, as if done at the expected speed, steadies the first lines.
        """
        squares, expected = len(self.rows), self._plan.expected.seconds
        done = float(np.interp(squares + part, range(len(self._done)), self._done))
        expected_so_far = expected * (done - self._done[self._resumed])
        elapsed = time.perf_counter() - self._began
        steady = 0.1 * expected
        slowness = (elapsed + steady) / (expected_so_far + steady)
        left = expected * (1 - done) * slowness
        reached = f"{squares} of {len(self._done) - 1} squares"
        held = f"{states:,} states, {taken / 2**20:,.0f} MiB {self._where}"
        self._tell(f"{reached}, about {describe_duration(left)} left, {held}")
