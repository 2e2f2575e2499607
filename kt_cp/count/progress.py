"""How far a count has come: lines for people, and a table of layers in a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kt_cp.count.frontier_plan import Plan
from kt_cp.count.resources import QUICK_SECONDS, describe_duration
from kt_cp.files import name_in_errors

# The speed of the last part of the work, of this share, predicts the time that is left.
_MEASURED_SHARE = 0.1


class Row(NamedTuple):
    """One layer: the squares processed, its states, their bytes, and the seconds that it took."""

    squares: int
    states: int
    used_bytes: int
    seconds: float


@dataclass(frozen=True)
class ProgressLine:
    """A line of text about a count in progress, and the ``share`` of the work that is done.

    The share of the expected work is from 0 to 1, or None if it is unknown. A line that
    ``is_forecast`` gives the expected cost before a long count begins; displays should keep it in
    sight.
    """

    text: str
    share: float | None = None
    is_forecast: bool = False


Observer = Callable[[ProgressLine], None]


def observer_of(progress: Callable[[str], None], observer: Observer | None) -> Observer:
    """Return an observer that passes on each line, to ``progress`` as text."""

    def observe(line: ProgressLine) -> None:
        """Pass on a line."""
        progress(line.text)
        if observer is not None:
            observer(line)

    return observe


class CountProgress:
    """Reports how far a count has come, and keeps a table of its layers in a file.

    The ``observer`` is called with a forecast if the count takes long, then with a line for each
    layer. ``log`` is a file of comma-separated values. ``where`` says what holds the states, and
    ``room`` how much is free there, a clause that begins with a comma. A resumed count begins with
    the ``rows`` of the layers that were complete.
    """

    def __init__(
        self,
        plan: Plan,
        observer: Observer = lambda line: None,
        log: str | Path | None = None,
        where: str = "in memory",
        rows: Sequence[Row] = (),
        room: str = "",
    ) -> None:
        self._plan, self._observer, self._log, self._where = plan, observer, log, where
        self.rows = [Row(*row) for row in rows]
        self._resumed = len(rows)  # how many layers were complete when this run began
        work = np.cumsum(plan.expected.states + 1)
        self._share_after_layer = np.concatenate([[0], work / work[-1]])
        self._began = self._last = time.perf_counter()
        # Shares of the work, and the seconds after which this run reached them.
        self._shares, self._times = [float(self._share_after_layer[self._resumed])], [0.0]
        self._write_log(self.rows, "w")
        if plan.expected.seconds > QUICK_SECONDS:
            observer(ProgressLine(f"{plan.expected} {where}{room}", is_forecast=True))

    def add(self, states: int, used_bytes: int, seconds: float | None = None) -> None:
        """Add a row for the next square, by default with the seconds since the last one."""
        now = time.perf_counter()
        if seconds is None:
            seconds = now - self._last
        self._last = now
        self.rows.append(Row(len(self.rows) + 1, states, used_bytes, round(seconds, 3)))
        self.report_state(states, used_bytes)
        self._write_log(self.rows[-1:], "a")

    def _write_log(self, rows: Sequence[Row], mode: str) -> None:
        """Write rows to the log, if there is one; mode "w" starts a new file, "a" appends."""
        if self._log is None:
            return
        with name_in_errors(self._log), open(self._log, mode, encoding="utf-8") as file:
            if mode == "w":
                file.write("squares,states,bytes,seconds\n")
            for row in rows:
                file.write(",".join(map(str, row)) + "\n")

    def report_state(self, states: int, used_bytes: int, part: float = 0) -> None:
        """Report the number of states and their bytes; ``part`` of the next layer is done."""
        squares = len(self.rows)
        layers = range(len(self._share_after_layer))
        share = float(np.interp(squares + part, layers, self._share_after_layer))
        seconds_left = self._seconds_left(share, time.perf_counter() - self._began)
        reached = f"{squares} of {len(layers) - 1} squares"
        held = f"{states:,} states, {used_bytes / 2**20:,.0f} MiB {self._where}"
        line = f"{reached}, about {describe_duration(seconds_left)} left, {held}"
        self._observer(ProgressLine(line, share))

    def _seconds_left(self, share: float, elapsed: float) -> float:
        """Return the expected seconds for the rest, corrected by the recent speed.

        ``share`` is that of the work that is done, and ``elapsed`` the seconds of this run. The
        first layers have far fewer states than expected, so their speed says little about the
        rest: only the last tenth of the work is measured. Its weight grows with the share of this
        run that is done.
        """
        self._shares.append(share)
        self._times.append(elapsed)
        begun = self._shares[0]
        measured_from = max(begun, share - _MEASURED_SHARE)
        expected = self._plan.expected.seconds
        expected_lately = expected * (share - measured_from)
        expected_left = expected * (1 - share)
        if share >= 1 or expected_lately <= 0:
            return expected_left
        measured_lately = elapsed - float(np.interp(measured_from, self._shares, self._times))
        slowness = measured_lately / expected_lately
        weight = (share - begun) / (1 - begun)
        return expected_left * (1 - weight + weight * slowness)
