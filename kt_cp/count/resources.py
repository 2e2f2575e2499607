"""The memory and the time of a count: its limit, what a count by frontier is expected to take."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, factorial, prod

import numpy as np
import numpy.typing as npt

from kt_cp.count.node_order import NodeOrder
from kt_cp.errors import InputError
from kt_cp.phrases import show_number
from kt_cp.problem.costs import FRONTIER_STATE
from kt_cp.problem.instance import Instance

MAX_WIDTH = 17
"""The most nodes of a frontier in tables: 8 paths have 2,027,025 pairings."""

SOON = 3.0
"""Seconds: a count that is expected to take longer is reported, and a tour is sought before it."""

# With more expected states, tables are faster.
_MANY = 2**17

# Of the states that the types and the mates of a frontier allow, one in this many occurs. Open
# tours have more states, unless the numbers of dark and light vertices differ and so tell the
# colors of the ends.
_RARITY = 8
_RARITY_WITH_FREE_ENDS = 4
_RARITY_WITH_COLORED_ENDS = 7

# A state in a table: a word of its count, and tables of two layers of which two thirds are used.
_BYTES_PER_STATE = 3 * 8


class OutOfMemoryError(Exception):
    """The memory limit was reached before the work was done; the message says how far it came."""


def bytes_allowed(limit: float | None) -> float:
    """Return a limit in MiB as bytes; without one, three quarters of the memory that is free.

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
    """A rough estimate of what a count by frontier takes.

    ``states`` are those after each node, and ``width`` is the largest number of nodes of a
    frontier. A graph that is not dense has no more edges than a planar one, in which far fewer
    states occur than estimated; a split graph is not dense either.
    """

    width: int
    states: npt.NDArray[np.float64]
    is_dense: bool

    @classmethod
    def of(cls, order: NodeOrder) -> ExpectedCost:
        """Return what a count that takes the nodes in an order is expected to take."""
        possible_states = _possible_split_states if order.is_split else _possible_states
        instance = order.form.instance
        rarity = _rarity(instance)
        states = []
        for done, width in enumerate(order.widths, start=1):
            states.append(possible_states(min(done, 2 * width), width) / rarity)
        graph = instance.graph
        most_planar_edges = 3 * len(graph) - 6
        if graph.sides is not None:
            most_planar_edges = 2 * len(graph) - 4
        is_dense = not order.is_split and len(graph.arcs) // 2 > most_planar_edges
        return cls(max(order.widths), np.array(states), is_dense)

    @property
    def bytes(self) -> float:
        """The memory of two layers in tables."""
        return float(self.states.max()) * _BYTES_PER_STATE

    @property
    def seconds(self) -> float:
        """The time that one process takes."""
        return float(self.states.sum()) * FRONTIER_STATE

    @property
    def suits_tables(self) -> bool:
        """Whether tables hold the states better than lists: where many states are expected."""
        return self.is_dense and self.width <= MAX_WIDTH and bool(self.states.max() > _MANY)

    @property
    def memory_text(self) -> str:
        """The memory, in words."""
        tebibytes = self.bytes / 2**40
        if tebibytes >= 1e6:
            return "millions of TiB"
        if tebibytes >= 1:
            return f"{tebibytes:,.0f} TiB"
        return f"{self.bytes / 2**20:,.0f} MiB"

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
        """Raise `OutOfMemoryError` if it is known before a count that it needs more bytes."""
        if self.bytes <= limit or not self.is_dense:
            return
        if self.width <= MAX_WIDTH:
            onward = "a spill directory keeps the states on disk, in about as much space"
        else:
            onward = f"spill takes a frontier of at most {MAX_WIDTH} vertices"
        limited = f"of memory, but the limit is {limit / 2**20:,.0f}"
        raise OutOfMemoryError(f"{self} {limited}; {onward}")


def _rarity(instance: Instance) -> int:
    """Return how many states are conceivable for each that occurs."""
    if not instance.free_ends:
        return _RARITY
    graph = instance.graph
    if graph.sides is not None and 2 * graph.dark_count != len(graph):
        return _RARITY_WITH_COLORED_ENDS
    return _RARITY_WITH_FREE_ENDS


@cache
def _possible_states(done: int, width: int) -> float:
    """Return the number of types and mates of a frontier after some nodes, at most 1e30.

    Every path passes through one of these nodes at least, and each has two edges at most.
    """
    if width > 40:
        return 1e30
    return float(
        sum(
            comb(width, ends) * prod(range(1, ends, 2)) * comb(width - ends, finished)
            for ends in range(0, min(width, 2 * done) + 1, 2)
            for finished in range(min(width - ends, done - ends // 2) + 1)
        )
    )


@cache
def _possible_split_states(done: int, width: int) -> float:
    """Return the number of types and mates of a frontier of a split graph, at most 1e30.

    Two nodes are about one vertex, which is untouched, finished, or the first or the last of a
    path: any first vertex can be paired with any last one.
    """
    vertices, passed = -(-width // 2), -(-done // 2)
    if vertices > 40:
        return 1e30
    states = 0
    for paths in range(min(vertices // 2, passed) + 1):
        pairings = comb(vertices, 2 * paths) * comb(2 * paths, paths) * factorial(paths)
        states += pairings * 2 ** (vertices - 2 * paths)
    return float(states)


def describe_duration(seconds: float) -> str:
    """Return a time in a unit that suits it.

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
