"""What a count by frontier does at each vertex, in which order, and what it is expected to take.

`kt_cp.count.frontier` explains the terms.
"""

from __future__ import annotations

import itertools
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares
from kt_cp.board import Board
from kt_cp.board.symmetry import board_symmetries
from kt_cp.errors import InputError, shown_number
from kt_cp.files import named_errors
from kt_cp.graph_algorithms import adjacency, frontier_widths, low_width_orders
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph

Words = npt.NDArray[np.uint64]
Choice = tuple[int, ...]

MAX_SQUARES = 100_000
MAX_WIDTH = 17
"""Vertices of a frontier in tables: 8 paths have 2,027,025 pairings."""

SOON = 3.0  # seconds that a count takes which needs no search for a tour before it
_MANY = 2**18  # expected states from which on tables are faster
_SECONDS = 3e-8  # that an expected state takes
_DIGIT = 32  # bits of a digit of counts that do not fit into one word


class OutOfMemory(Exception):  # noqa: N818 - an answer, not an error
    """The memory limit was reached before the work was done; the message says how far it came."""


@dataclass(frozen=True)
class Step:
    """A vertex of the order, and what it can choose: none, one or two of its later neighbors.

    ``vertices`` are the vertex itself and the frontier after it, in their order; elsewhere they are
    named by their positions among these. Those at ``entering`` are reached for the first time.
    ``closings`` are the choices by which a tour may be closed, and ``due`` the vertices next to at
    most one vertex that is still to come, and how many. Further there is for each vertex of the
    frontier before the step, in order, the number of the step at which it is chosen or chooses next
    (``touched``), and for each vertex of the frontier after it the place there of its image under
    a symmetry that keeps what has been processed (``mirror``, empty if there is none).
    """

    vertices: tuple[int, ...]
    entering: tuple[int, ...]
    choices: tuple[Choice, ...]
    closings: tuple[Choice, ...]
    due: tuple[tuple[int, int], ...]
    touched: tuple[int, ...]
    mirror: tuple[int, ...]


class Plan:
    """How to count the tours of an instance: the order of its vertices, the depot last.

    What is expected is a rough estimate: the states after each vertex, what two layers take in
    tables, of which two thirds are occupied, and the time that a count takes one process. A graph
    that is not dense has no more edges than a planar one, in which far fewer states occur. Where
    many states are expected, tables hold them better.
    """

    def __init__(self, instance: Instance) -> None:
        """Choose the order. The instance must be none that `unsupported` names."""
        self.instance, self.depot = instance, instance.graph.area
        self.edges, self.required = _edges(instance)
        orders = _orders(instance, self.edges)
        widths = [frontier_widths(self.edges, order) for order in orders]
        best = min(range(len(orders)), key=lambda i: float((5.0 ** widths[i].clip(0, 400)).sum()))
        self.order: list[int] = orders[best].tolist()
        self.widths: list[int] = widths[best].tolist()
        self.width = max(self.widths)
        done = [min(number, 2 * width) for number, width in enumerate(self.widths, 1)]
        conceivable = np.array([*map(_conceivable, done, self.widths)])
        self.expected_states = conceivable / 9  # at most, on boards of the knight
        self.expected_bytes = self.expected_states.max() * 3 * 8
        self.expected_seconds = self.expected_states.sum() * _SECONDS
        graph = instance.graph
        planar = 3 * len(graph) - 6 if graph.sides is None else 2 * len(graph) - 4
        self.is_dense = len(graph.arcs) // 2 > planar
        is_crowded = self.is_dense and self.expected_states.max() > _MANY
        self.suits_tables = bool(is_crowded and self.width <= MAX_WIDTH)
        self._place = np.zeros(self.depot + 1, dtype=np.int64)
        self._place[self.order] = np.arange(len(self.order))

    def total(self, closed: int) -> int:
        """Return the number of tours, open ones in both directions, from that of closed cycles."""
        if len(self.instance.graph) == 1:
            return int(not self.instance.closed)
        return closed * (2 if self.instance.free_ends == 2 else 1)

    @cached_property
    def steps(self) -> list[Step]:
        """What each vertex can choose, in order."""
        place = self._place.tolist()
        neighbors = {vertex: list[int]() for vertex in self.order} | adjacency(self.edges)
        touches = {v: sorted(place[each] for each in [v, *neighbors[v]]) for v in self.order}
        required = set(map(frozenset, self.required.tolist()))
        settled = max((min(place[v] for v in edge) for edge in required), default=-1)
        images, kept = self._mirror()
        frontier, steps = list[int](), list[Step]()
        for number, vertex in enumerate(self.order):
            later = [other for other in neighbors[vertex] if place[other] > number]
            before, here = frontier, {vertex, *frontier, *later}
            vertices = sorted(here, key=place.__getitem__)
            frontier, position = vertices[1:], {each: at for at, each in enumerate(vertices)}
            forced = {position[v] for v in later if frozenset((vertex, v)) in required}
            choices = [
                choice
                for size in range(3)
                for choice in itertools.combinations(sorted(position[v] for v in later), size)
                if forced.issubset(choice)
            ]
            is_last = number >= settled and len(frontier) == len(self.order) - number - 1
            left = {v: len(touches[v]) - bisect_right(touches[v], number) - 1 for v in later}
            mirror = tuple(position[images[v]] - 1 for v in frontier) if kept[number] else ()
            steps.append(
                Step(
                    vertices=tuple(vertices),
                    entering=tuple(sorted(position[v] for v in here.difference(before))),
                    choices=tuple(choices),
                    closings=tuple(choice for choice in choices if choice and is_last),
                    due=tuple((position[v], few) for v, few in left.items() if few < 2),
                    touched=tuple(touches[v][bisect_left(touches[v], number)] for v in before),
                    mirror=mirror,
                )
            )
        return steps

    def _mirror(self) -> tuple[list[int], npt.NDArray[np.bool_]]:
        """Return a symmetry of the edges and what is required, and which beginnings it keeps.

        Of several, it keeps the most beginnings of the order. Ends and forbidden moves are edges
        that are there or not.
        """
        best, kept = list[int](), np.zeros(len(self.order), dtype=np.bool_)
        for found in board_symmetries(self.instance.graph).values():
            images = np.append(found, self.depot)
            is_symmetry = all(
                np.array_equal(np.unique(np.sort(images[edges], axis=1), axis=0), edges)
                for edges in (self.edges, self.required)
            )
            last = np.maximum.accumulate(self._place[images[self.order]])
            keeps = last == np.arange(len(last))
            is_identity = np.array_equal(images[self.order], self.order)
            if is_symmetry and not is_identity and keeps.sum() > kept.sum():
                best, kept = images.tolist(), keeps
        return best, kept

    @property
    def expected(self) -> str:
        """What is expected, in words."""
        states = f"{float(f'{self.expected_states.max():.2g}'):,.0f}"
        states = states if len(states) <= 20 else "10^15 or more"
        rough = "about" if self.is_dense else "at most"
        needs = f"{duration(self.expected_seconds)} and {self.expected_bytes / 2**20:,.0f} MiB"
        return f"a frontier of {self.width} vertices, {rough} {states} states, {needs}"

    def check_memory(self, memory: float) -> None:
        """Raise `OutOfMemory` if a count will need more bytes, as far as that is known before."""
        if self.expected_bytes > memory and self.is_dense:
            limit = f"of memory, but the limit is {memory / 2**20:,.0f}"
            onward = "--spill DIRECTORY keeps the states on disk, in about as much space"
            raise OutOfMemory(f"{self.expected} {limit}; {onward}")

    def out_of_memory(self, done: int, what: object) -> OutOfMemory:
        """Return the error with what is known of where it happened."""
        where = f"frontier of {self.width} squares, {done} of {len(self.order)} done"
        return OutOfMemory(f"the memory limit was reached: {where}, {what}")


@cache
def _conceivable(done: int, width: int) -> float:
    """Return the number of types and mates of a frontier after some vertices, at most 1e30.

    Every path passes through one of these at least, and each has two edges at most.
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


def memory_of(limit: float | None) -> float:
    """Return a limit in MiB as bytes; without one, three quarters of the memory that is free.

    Raises `InputError` for a limit that is not a positive number.
    """
    import psutil

    if limit is None:
        return 0.75 * float(psutil.virtual_memory().available)
    if not limit > 0:
        raise InputError(f"memory limit {shown_number(limit)}: give a number of MiB above 0")
    return limit * 2**20


def unsupported(instance: Instance) -> str | None:
    """Return what it is in an instance that counting by frontier does not support, or None."""
    if instance.one_way:
        return "moves in one direction only"
    if instance.symmetry is not None:
        return "a symmetry"
    if instance.givens:
        return "given steps"
    if instance.having or instance.constrain is not None:
        return "bounds on features, or custom constraints"
    if len(instance.graph) > MAX_SQUARES:
        return f"more than {MAX_SQUARES:,} squares"
    return None


def _edges(instance: Instance) -> tuple[Squares, Squares]:
    """Return the edges, those to the depot included, and the edges that have to be used."""
    whole = TourGraph(instance)
    if whole.is_contradictory:
        return np.empty((0, 2), dtype=np.int32), np.empty((0, 2), dtype=np.int32)
    ids = np.append(instance.graph.vertices, np.int32(instance.graph.area))
    edges, required = whole.edges, whole.edges[whole.required]
    return np.unique(ids[edges], axis=0), np.unique(ids[required], axis=0)


def _orders(instance: Instance, edges: Squares) -> list[Squares]:
    """Return some orders of the vertices, the depot last.

    Squares of a board are taken by rows, columns and diagonals. Other graphs are taken from a few
    vertices on: next comes a vertex of the frontier with the fewest neighbors that are not there.
    """
    graph = instance.graph
    if isinstance(graph, Board):
        squares = graph.vertices
        rows, columns = np.divmod(squares, graph.columns)
        keys = [(columns, rows), (rows, columns), (rows, rows + columns), (rows, rows - columns)]
        orders = [squares[np.lexsort(key)] for key in keys]
        orders += [order[::-1] for order in orders]
    else:
        orders = low_width_orders(graph.vertices, edges[(edges != graph.area).all(axis=1)])
    if instance.closed:
        return orders
    return [np.append(order, np.int32(graph.area)) for order in orders]


# -- counts of several digits ---------------------------------------------------------------------


def number_of(digits: Iterable[int]) -> int:
    """Return the number with these digits, the lowest first."""
    return sum(digit << _DIGIT * place for place, digit in enumerate(digits))


def numbers(counts: Words) -> list[int]:
    """Return the number in each column of digits."""
    return [number_of(digits) for digits in counts.T.tolist()]


def digits_for(bound: int) -> int:
    """Return with how many digits no sum up to a bound overflows."""
    return 1 if bound < 2 ** (2 * _DIGIT - 1) else -(-bound.bit_length() // _DIGIT)


def with_digits(counts: Words, digits: int) -> Words:
    """Return counts with at least this many digits, which are the first axis."""
    if len(counts) >= digits:
        return counts
    if len(counts) == 1:
        counts = np.concatenate([counts & np.uint64(2**_DIGIT - 1), counts >> np.uint64(_DIGIT)])
    more = np.zeros((digits - len(counts), *counts.shape[1:]), dtype=np.uint64)
    return np.concatenate([counts, more])


def carry(counts: Words) -> None:
    """Let all digits but the highest be less than 2**32 again."""
    for low, high in itertools.pairwise(counts):
        high += low >> np.uint64(_DIGIT)
        low &= np.uint64(2**_DIGIT - 1)


# -- how far a count has come ---------------------------------------------------------------------


class Row(NamedTuple):
    """A row of the table of layers: what there is after this many squares, and how long it took."""

    squares: int
    states: int
    bytes: int
    seconds: float


class Progress:
    """Tells how far a count has come, and keeps a table of its layers in a file.

    ``tell`` is called with a line of text, first with what is expected of a count that takes long.
    ``log`` is a file of comma-separated values. ``where`` says what holds the states.
    """

    def __init__(
        self,
        plan: Plan,
        tell: Callable[[str], None] = lambda line: None,
        log: str | Path | None = None,
        where: str = "in memory",
        rows: Sequence[Row] = (),
    ) -> None:
        """Begin with the rows of a count that goes on, if there are any."""
        self._plan, self._tell, self._log, self._where = plan, tell, log, where
        self.rows, self._resumed = [Row(*row) for row in rows], len(rows)
        work = np.cumsum(plan.expected_states + 1)
        self._done = np.concatenate([[0], work / work[-1]])
        self._began = self._last = time.perf_counter()
        if plan.expected_seconds > SOON:
            tell(f"{plan.expected} {where}")

    def add(self, states: int, taken: int, seconds: float | None = None) -> None:
        """Add a row for the next square, by default with the seconds since the last one."""
        now = time.perf_counter()
        seconds, self._last = now - self._last if seconds is None else seconds, now
        self.rows.append(Row(len(self.rows) + 1, states, taken, round(seconds, 3)))
        self.tell(states, taken)
        if self._log is not None:
            lines = [",".join(Row._fields), *(",".join(map(str, row)) for row in self.rows)]
            with named_errors(self._log):
                Path(self._log).write_text("\n".join(lines) + "\n")

    def tell(self, states: int, taken: int, part: float = 0) -> None:
        """Tell the number of states, and what they take. ``part`` of the next layer is done.

        The time that is left is estimated from the work that has been done, or if that is too
        little to judge by, from what such a state usually takes.
        """
        squares = len(self.rows)
        done = float(np.interp(squares + part, range(len(self._done)), self._done))
        since, left = done - self._done[self._resumed], self._plan.expected_seconds * (1 - done)
        if since > 0.05:
            left = (time.perf_counter() - self._began) / since * (1 - done)
        come = f"{squares} of {len(self._done) - 1} squares, about {duration(left)} left"
        self._tell(f"{come}, {states:,} states, {taken / 2**20:,.0f} MiB {self._where}")


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it.

    >>> duration(5), duration(180), duration(8000)
    ('5 s', '3 min', '2.2 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
