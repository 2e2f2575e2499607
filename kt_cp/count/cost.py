"""The memory and the time of a count by frontier: allowed, expected, and how far it has come."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import disk_usage
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kt_cp.files import name_in_errors
from kt_cp.messages import InputError, show_number
from kt_cp.problem.instance import Instance

MAX_WIDTH = 17
"""The most nodes of a frontier in tables: 8 paths have 2,027,025 pairings."""

QUICK_SECONDS = 3.0
"""A count expected to take more seconds begins with a forecast and a search for one tour."""

# Tables are faster than lists of states if at least this many states are expected.
_MIN_TABLE_STATES = 2**17

# The time that an expected state takes in one process, in memory or in files.
_SECONDS_PER_STATE = 2e-8

# A state in a table: a word of its count, and tables of two layers of which two thirds are used.
_BYTES_PER_STATE = 3 * 8


# -- the cost of a count --------------------------------------------------------------------------


class OutOfMemoryError(Exception):
    """The memory limit was reached before the work was done; the message says how far it came."""


def bytes_allowed(limit: float | None) -> float:
    """Return a limit in MiB as bytes; by default, three quarters of the free memory.

    Raises `InputError` for a limit that is not a positive number.
    """
    import psutil

    if limit is None:
        return 0.75 * float(psutil.virtual_memory().available)
    if not limit > 0:
        raise InputError(f"memory limit {show_number(limit)}: give a number of MiB above 0")
    return limit * 2**20


@dataclass(frozen=True, eq=False)
class ExpectedCost:
    """A rough estimate of the memory and time of a count by frontier.

    ``width`` is the largest number of nodes on the frontier, and ``states`` the expected number of
    states after each node. The graph ``is_dense`` unless it has as few edges as a planar graph, in
    which far fewer states occur than estimated; a split graph is never dense.
    """

    width: int
    states: npt.NDArray[np.float64]
    is_dense: bool

    @classmethod
    def of(cls, instance: Instance, widths: Sequence[int]) -> ExpectedCost:
        """Return the expected cost of a count with these numbers of nodes on the frontier.

        Of the states that the types and the mates of a frontier allow, one in four occurs in open
        tours with an unknown end, and one in eight in other tours.
        """
        graph = instance.graph
        nodes_per_square = 2 if instance.one_way else 1
        share = 1 / 4 if instance.free_end_count else 1 / 8
        # More than 2 * width nodes before the frontier change nothing, so that they share a result.
        states = [
            share * _conceivable_states(min(done, 2 * width), width, nodes_per_square)
            for done, width in enumerate(widths, start=1)
        ]
        most_planar_edges = 3 * len(graph) - 6 if graph.first_part is None else 2 * len(graph) - 4
        is_dense = not instance.one_way and len(graph.arcs) // 2 > most_planar_edges
        return cls(max(widths), np.array(states), is_dense)

    @property
    def memory_bytes(self) -> float:
        """The memory of two layers in tables, in bytes."""
        return float(self.states.max()) * _BYTES_PER_STATE

    @property
    def seconds(self) -> float:
        """The seconds that one process takes."""
        return float(self.states.sum()) * _SECONDS_PER_STATE

    @property
    def suits_tables(self) -> bool:
        """Whether tables are faster than lists of states."""
        is_large = bool(self.states.max() > _MIN_TABLE_STATES)
        return self.is_dense and self.width <= MAX_WIDTH and is_large

    def __str__(self) -> str:
        """Return a description such as a message gives it.

        >>> str(ExpectedCost(12, np.array([9000.0]), is_dense=False))
        'a frontier of 12 vertices, at most 9,000 states, 0 s and 0 MiB'
        """
        most = float(f"{self.states.max():.2g}")
        states = f"{'about' if self.is_dense else 'at most'} {most:,.0f} states"
        if most >= 1e15:
            states = "more than 10^15 states"
        needs = f"{describe_duration(self.seconds)} and {describe_memory(self.memory_bytes)}"
        return f"a frontier of {self.width} vertices, {states}, {needs}"

    def check_memory(self, limit: float) -> None:
        """Raise `OutOfMemoryError` if a count is expected to need more than ``limit`` bytes.

        Nothing is raised where the estimate is only an upper bound, since the graph is not dense.
        """
        if self.memory_bytes > limit and self.is_dense:
            onward = f"--spill takes a frontier of at most {MAX_WIDTH} vertices"
            if self.width <= MAX_WIDTH:
                onward = "--spill DIRECTORY keeps the states on disk, in about as much space"
            raise OutOfMemoryError(
                f"{self} of memory, but the limit is {describe_memory(limit)}; {onward}"
            )


def count_pairings(paths: int) -> int:
    """Return the number of ways to pair the ends of some paths.

    >>> [count_pairings(paths) for paths in range(6)]
    [1, 1, 3, 15, 105, 945]
    """
    return math.prod(range(1, 2 * paths, 2))


@cache
def _conceivable_states(done: int, width: int, nodes_per_square: int) -> float:
    """Return the number of combinations of types and mates of a frontier, at most 1e30.

    Every path passes through at least one of the ``done`` squares before the frontier, and each of
    these has at most two edges. A path in a split graph, where a square has two nodes, has a
    direction.
    """
    width = math.ceil(width / nodes_per_square)
    done = math.ceil(done / nodes_per_square)
    if width > 40:
        return 1e30
    states = 0
    for paths in range(min(width // 2, done) + 1):
        others = width - 2 * paths
        finished = sum(math.comb(others, number) for number in range(min(others, done - paths) + 1))
        directions = nodes_per_square**paths
        states += math.comb(width, 2 * paths) * count_pairings(paths) * directions * finished
    return float(states)


# -- in words -------------------------------------------------------------------------------------


def describe_memory(size: float) -> str:
    """Return a number of bytes as text, in the unit that suits it.

    >>> [describe_memory(size * 2.0**20) for size in (3855, 39_854, 10**8, 10**14)]
    ['3,855 MiB', '39 GiB', '95 TiB', 'millions of TiB']
    """
    units = [(2**20, "MiB", 10_240), (2**30, "GiB", 10_240), (2**40, "TiB", 10**6)]
    return _in_the_unit_that_suits(size, units)


def describe_duration(seconds: float) -> str:
    """Return a duration as text, in the unit that suits it.

    >>> [describe_duration(seconds) for seconds in (5, 180, 8000, 1e6, 1e10, 1e20)]
    ['5 s', '3 min', '2.2 h', '12 days', '317 years', 'millions of years']
    """
    hours, days = (3600, "h", 100), (86_400, "days", 1000)
    units = [(1, "s", 100), (60, "min", 100), hours, days, (365.25 * 86_400, "years", 10**6)]
    return _in_the_unit_that_suits(seconds, units)


def _in_the_unit_that_suits(value: float, units: Sequence[tuple[float, str, int]]) -> str:
    """Return a value in the first of some units, with their names, of which it has few enough."""
    for unit, name, limit in units:
        if value < limit * unit:
            return f"{value / unit:,.{1 if name == 'h' else 0}f} {name}"
    return f"millions of {units[-1][1]}"


# -- progress -------------------------------------------------------------------------------------


class Row(NamedTuple):
    """One layer: the squares processed, its states, their bytes, and the seconds that it took."""

    squares: int
    states: int
    bytes: int
    seconds: float


class ProgressLine(str):
    """A line of text about a count in progress, and the ``share`` of the work that is done.

    The share of the expected work is from 0 to 1, or None if it is unknown. A line that
    ``is_forecast`` gives the expected cost before a long count begins; displays should keep it in
    sight.
    """

    share: float | None
    is_forecast: bool

    def __new__(cls, text: str, share: float | None = None, is_forecast: bool = False) -> Self:
        """Return the text with these attributes."""
        line = super().__new__(cls, text)
        line.share, line.is_forecast = share, is_forecast
        return line


Progress = Callable[[ProgressLine], None]
"""A function that is called with lines of text on how far a count has come."""


class CountProgress:
    """Reports how far a count has come, and keeps a table of its layers in a file.

    The ``progress`` is called with a forecast if the count takes long, then with a line for each
    layer. ``log`` is a file of comma-separated values. The states are in memory, or in files of a
    ``directory``. A resumed count begins with the ``rows`` of the layers that were complete.
    """

    def __init__(
        self,
        expected: ExpectedCost,
        progress: Progress | None = None,
        log: str | Path | None = None,
        directory: Path | None = None,
        rows: Sequence[Row] = (),
    ) -> None:
        self._expected = expected
        self._log = log
        self._where = f"in {directory}" if directory else "in memory"
        self._progress = progress or (lambda line: None)
        self.rows = [Row(*row) for row in rows]
        work = np.cumsum(expected.states + 1)
        self._share_after_layer = np.concatenate([[0], work / work[-1]])
        self._began = self._last = time.perf_counter()
        self._share_before = float(self._share_after_layer[len(rows)])
        self._write_log("w", [Row._fields, *self.rows])
        if expected.seconds > QUICK_SECONDS:
            line = f"{expected} {self._where}"
            if directory:
                line += f", where {describe_memory(disk_usage(directory).free)} are free"
            self._progress(ProgressLine(line, is_forecast=True))

    def add(self, states: int, used_bytes: int, seconds: float | None = None) -> None:
        """Add a row for the next square, by default with the seconds since the last one.

        It is reported, and written to the log.
        """
        now = time.perf_counter()
        if seconds is None:
            seconds = now - self._last
        self._last = now
        self.rows.append(Row(len(self.rows) + 1, states, used_bytes, round(seconds, 3)))
        self.report_state(states, used_bytes)
        self._write_log("a", self.rows[-1:])

    def _write_log(self, mode: str, rows: Sequence[Sequence[object]]) -> None:
        """Write rows to the log, if there is one; mode "w" starts a new file, "a" appends."""
        if self._log is not None:
            with name_in_errors(self._log), open(self._log, mode, encoding="utf-8") as file:
                file.writelines(",".join(map(str, row)) + "\n" for row in rows)

    def report_state(self, states: int, used_bytes: int, part: float = 0) -> None:
        """Report the number of states and their bytes; ``part`` of the next layer is done.

        The seconds that are left are those expected, corrected by the speed of this run. The weight
        of the correction grows with the share of the run that is done, as the first layers have far
        fewer states than expected.
        """
        squares = len(self.rows)
        layers = len(self._share_after_layer)
        share = float(np.interp(squares + part, range(layers), self._share_after_layer))
        seconds_left = self._expected.seconds * (1 - share)
        done = share - self._share_before
        if done > 0 and share < 1:
            weight = done / (1 - self._share_before)
            slowness = (time.perf_counter() - self._began) / (self._expected.seconds * done)
            seconds_left *= 1 - weight + weight * slowness
        held = f"{states:,} states, {used_bytes / 2**20:,.0f} MiB {self._where}"
        duration = describe_duration(seconds_left)
        line = f"{squares} of {layers - 1} squares, about {duration} left, {held}"
        self._progress(ProgressLine(line, share))
