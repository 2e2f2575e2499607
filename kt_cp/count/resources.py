"""The memory and the time of a count: limits, and the expected cost of counting by frontier."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil, comb, factorial

import numpy as np
import numpy.typing as npt

from kt_cp.count.node_order import NodeOrder
from kt_cp.count.pairings import count_pairings
from kt_cp.messages import InputError, show_number
from kt_cp.problem.instance import Instance

# The seconds that an expected state takes in one process, in memory or in files.
_FRONTIER_STATE = 2e-8

MAX_WIDTH = 17
"""The most nodes of a frontier in tables: 8 paths have 2,027,025 pairings."""

QUICK_SECONDS = 3.0
"""A count expected to take more seconds begins with a forecast and a search for one tour."""

# Tables are faster than lists of states if at least this many states are expected.
_MIN_TABLE_STATES = 2**17

# Of the states that the types and the mates of a frontier allow, one in this many occurs. More
# occur in open tours, unless the numbers of dark and light vertices differ, which determines the
# colors of the ends.
_CONCEIVABLE_PER_STATE = 8
_CONCEIVABLE_PER_STATE_WITH_FREE_ENDS = 4
_CONCEIVABLE_PER_STATE_WITH_COLORED_ENDS = 7

# A state in a table: a word of its count, and tables of two layers of which two thirds are used.
_BYTES_PER_STATE = 3 * 8


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
    def of(cls, order: NodeOrder) -> ExpectedCost:
        """Return the expected cost of a count that takes the nodes in this order."""
        conceivable_states = _conceivable_states
        if order.is_split:
            conceivable_states = _conceivable_split_states
        instance = order.form.instance
        conceivable_per_state = _conceivable_per_state(instance)
        states = [
            conceivable_states(min(done, 2 * width), width) / conceivable_per_state
            for done, width in enumerate(order.widths, start=1)
        ]
        graph = instance.graph
        most_planar_edges = 3 * len(graph) - 6
        if graph.sides is not None:
            most_planar_edges = 2 * len(graph) - 4
        is_dense = not order.is_split and len(graph.arcs) // 2 > most_planar_edges
        return cls(max(order.widths), np.array(states), is_dense)

    @property
    def memory_bytes(self) -> float:
        """The memory of two layers in tables, in bytes."""
        return float(self.states.max()) * _BYTES_PER_STATE

    @property
    def seconds(self) -> float:
        """The seconds that one process takes."""
        return float(self.states.sum()) * _FRONTIER_STATE

    @property
    def suits_tables(self) -> bool:
        """Whether tables are faster than lists of states."""
        return (
            self.is_dense
            and self.width <= MAX_WIDTH
            and bool(self.states.max() > _MIN_TABLE_STATES)
        )

    @property
    def memory_text(self) -> str:
        """The memory, in words."""
        return describe_memory(self.memory_bytes)

    def __str__(self) -> str:
        """Return a description such as ``a frontier of 12 vertices, about 9,000 states, …``."""
        most = float(f"{self.states.max():.2g}")
        if most >= 1e15:
            states = "more than 10^15 states"
        else:
            states = f"{'about' if self.is_dense else 'at most'} {most:,.0f} states"
        needs = f"{describe_duration(self.seconds)} and {self.memory_text}"
        return f"a frontier of {self.width} vertices, {states}, {needs}"

    def check_memory(self, limit: float) -> None:
        """Raise `OutOfMemoryError` if a count is expected to need more than ``limit`` bytes.

        Nothing is raised where the estimate is only an upper bound, since the graph is not dense.
        """
        if self.memory_bytes <= limit or not self.is_dense:
            return
        if self.width <= MAX_WIDTH:
            onward = "--spill DIRECTORY keeps the states on disk, in about as much space"
        else:
            onward = f"--spill takes a frontier of at most {MAX_WIDTH} vertices"
        limited = f"of memory, but the limit is {describe_memory(limit)}"
        raise OutOfMemoryError(f"{self} {limited}; {onward}")


def _conceivable_per_state(instance: Instance) -> int:
    """Return the number of conceivable states for each state that occurs."""
    if not instance.free_end_count:
        return _CONCEIVABLE_PER_STATE
    graph = instance.graph
    if graph.sides is not None and 2 * graph.dark_count != len(graph):
        return _CONCEIVABLE_PER_STATE_WITH_COLORED_ENDS
    return _CONCEIVABLE_PER_STATE_WITH_FREE_ENDS


@cache
def _conceivable_states(done: int, width: int) -> float:
    """Return the number of combinations of types and mates of a frontier, at most 1e30.

    Every path passes through at least one of the ``done`` nodes before the frontier, and each of
    these has at most two edges.
    """
    if width > 40:
        return 1e30
    states = 0
    for ends in range(0, min(width, 2 * done) + 1, 2):
        pairings = count_pairings(ends // 2)
        most_finished = min(width - ends, done - ends // 2)
        for finished in range(most_finished + 1):
            states += comb(width, ends) * pairings * comb(width - ends, finished)
    return float(states)


@cache
def _conceivable_split_states(done: int, width: int) -> float:
    """Return the number of combinations of types and mates of a split graph, at most 1e30.

    Two nodes are about one vertex, which is untouched, finished, or the first or the last of a
    path: any first vertex can be paired with any last one.
    """
    vertices, passed = ceil(width / 2), ceil(done / 2)
    if vertices > 40:
        return 1e30
    states = 0
    for paths in range(min(vertices // 2, passed) + 1):
        pairings = comb(vertices, 2 * paths) * comb(2 * paths, paths) * factorial(paths)
        states += pairings * 2 ** (vertices - 2 * paths)
    return float(states)


def describe_memory(size: float) -> str:
    """Return a number of bytes as text, in the unit that suits it.

    >>> [describe_memory(size * 2.0**20) for size in (3855, 39_854, 10**8, 10**14)]
    ['3,855 MiB', '39 GiB', '95 TiB', 'millions of TiB']
    """
    gibibytes = size / 2**30
    tebibytes = gibibytes / 2**10
    if gibibytes < 10:
        return f"{size / 2**20:,.0f} MiB"
    if tebibytes < 10:
        return f"{gibibytes:,.0f} GiB"
    return f"{tebibytes:,.0f} TiB" if tebibytes < 1e6 else "millions of TiB"


def describe_duration(seconds: float) -> str:
    """Return a duration as text, in the unit that suits it.

    >>> [describe_duration(seconds) for seconds in (5, 180, 8000, 1e6, 1e10, 1e20)]
    ['5 s', '3 min', '2.2 h', '12 days', '317 years', 'millions of years']
    """
    hours = seconds / 3600
    days = hours / 24
    years = days / 365.25
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    if hours < 100:
        return f"{hours:.1f} h"
    if days < 1000:
        return f"{days:.0f} days"
    return f"{years:,.0f} years" if years < 1e6 else "millions of years"
