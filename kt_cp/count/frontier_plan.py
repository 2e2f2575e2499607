"""What a count by frontier can do at each square, and how it writes the state of the frontier.

`kt_cp.count.frontier` explains the terms.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, prod
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board
from kt_cp.errors import InputError
from kt_cp.graph import Squares, adjacency, frontier_widths, narrow_orders
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph

Words = npt.NDArray[np.uint64]
"""States, or their counts, one a column: each takes as many words as there are rows."""

Choice = tuple[int, ...]
State = tuple[int, ...]

MAX_SQUARES = 100_000
MAX_WIDTH = 17
"""Vertices of a frontier in tables: 8 paths have 2,027,025 pairings."""


class OutOfMemory(Exception):  # noqa: N818 - an answer, not an error
    """The memory limit was reached before the work was done; the message says how far it came."""


_SECONDS = 3e-8  # that an expected state takes
_WORD = 64  # bits of a word
_DIGIT = 32  # bits of a digit of counts that do not fit into one word
GROWTH = 4  # the next layer, before equal states are merged, is larger by less than this


@dataclass(frozen=True)
class Step:
    """A vertex of the order, and what it can choose: none, one or two of its later neighbors.

    ``slot`` is its place in a state, None if no earlier vertex reaches it; ``later`` maps its later
    neighbors to their slots. ``closings`` maps each choice that closes a tour to the one state
    from which it does. ``due`` lists the later neighbors next to at most one vertex that is still
    to come, and how many.
    """

    vertex: int
    slot: int | None
    later: Mapping[int, int]
    choices: tuple[Choice, ...]
    closings: Mapping[Choice, State]
    due: tuple[tuple[int, int], ...]


class Packing:
    """How the slots of a state are packed into words of 64 bits.

    A slot holds its own number xor the number of the slot with the other end of its path. So it
    holds 0 for an untouched square, and while it stands for no square. For a finished square all
    bits are set in place of the number of the other end.
    """

    def __init__(self, slots: int) -> None:
        """Choose the number of bits, and place each slot."""
        self.bits = max(1, slots.bit_length())
        self.finished = 2**self.bits - 1
        self._per_word = _WORD // self.bits
        self.words = max(1, -(-slots // self._per_word))

    def read(self, states: Words, slot: int) -> Words:
        """Return what a slot holds in each state."""
        word, place = divmod(slot, self._per_word)
        held: Words = (states[word] >> place * self.bits) & self.finished
        return held

    def flip(self, states: Words, slots: Words | int, values: Words | int) -> None:
        """Change a slot of each state, the same one or another one in each, by xor."""
        if self.words == 1:
            states[0] ^= values << slots * self.bits
            return
        words, places = np.divmod(np.uint64(slots), self._per_word)
        flips = np.uint64(values) << places * self.bits
        for word in range(self.words):
            states[word] ^= np.where(words == word, flips, np.uint64(0))

    def pack(self, values: Mapping[int, int]) -> State:
        """Return the state that holds these values, and 0 in all other slots."""
        state = np.zeros((self.words, 1), dtype=np.uint64)
        for slot, value in values.items():
            self.flip(state, slot, value)
        return tuple(state[:, 0].tolist())


def digits_for(bound: int) -> int:
    """Return the number of digits of counts with which no sum up to a bound overflows."""
    return 1 if bound < 2 ** (2 * _DIGIT - 1) else -(-bound.bit_length() // _DIGIT)


def number_of(digits: Iterable[int]) -> int:
    """Return the number with these digits, the lowest first."""
    return sum(digit << _DIGIT * place for place, digit in enumerate(digits))


def with_digits(counts: Words, digits: int) -> Words:
    """Return counts with more digits, which are the first axis."""
    if len(counts) == 1 and digits > 1:
        counts = np.concatenate([counts & np.uint64(2**_DIGIT - 1), counts >> np.uint64(_DIGIT)])
    more = np.zeros((digits - len(counts), *counts.shape[1:]), dtype=np.uint64)
    return np.concatenate([counts, more]) if len(more) else counts


def carry(counts: Words) -> None:
    """Let all digits but the highest be less than 2**32 again."""
    for low, high in itertools.pairwise(counts):
        high += low >> np.uint64(_DIGIT)
        low &= np.uint64(2**_DIGIT - 1)


class Row(NamedTuple):
    """A row of the table of layers: what there is after this many squares, and how long it took."""

    squares: int
    states: int
    bytes: int
    seconds: float


class Progress:
    """Tells how far a count has come, and keeps a table of its layers in a file.

    ``tell`` is called with a line of text. ``log`` is a file of comma-separated values.
    """

    def __init__(
        self, plan: Plan, tell: Callable[[str], None] | None = None, log: str | Path | None = None
    ) -> None:
        """Begin with an empty table."""
        self._tell, self._log, self.rows = tell, log, list[Row]()
        self._work = np.cumsum(plan.expected_states + 1)
        self._begun, self._before = time.perf_counter(), 0.0

    def forecast(self, plan: Plan, where: str) -> None:
        """Tell what is expected."""
        if self._tell is not None:
            most = f"{2 * plan.expected_bytes / 2**20:,.0f} MiB {where}"
            rough = "" if plan.is_typical else ", or far less"
            self._tell(f"{plan.expected} {most}, {duration(plan.expected_seconds)}{rough}")

    def restart(self) -> None:
        """Begin again, in another way."""
        self.rows, self._begun = [], time.perf_counter()

    def resume(self, rows: Iterable[Row]) -> None:
        """Put in rows of a count that goes on."""
        self.rows = [*rows]
        self._before = self._share(len(self.rows))

    def add(self, row: Row, of: str = "in memory", share: float | None = None) -> None:
        """Add a row, and tell it."""
        self.rows.append(row)
        self.tell(row.states, row.bytes, of)
        if self._log is not None:
            lines = [",".join(Row._fields), *(",".join(map(str, row)) for row in self.rows)]
            Path(self._log).write_text("\n".join(lines) + "\n")

    def tell(self, states: int, taken: int, of: str, part: float = 0) -> None:
        """Tell the number of states, and what they take. ``part`` of the next layer is done.

        The time that is left is estimated from the work that has been done, or if that is too
        little to judge by, from what such a state usually takes.
        """
        if self._tell is None:
            return
        done = self._share(len(self.rows)) + part * (
            self._share(len(self.rows) + 1) - self._share(len(self.rows))
        )
        usual = self._work[-1] * (1 - done) * _SECONDS
        seconds = time.perf_counter() - self._begun
        left = seconds / (done - self._before) * (1 - done) if done > self._before + 0.05 else usual
        where = f"{len(self.rows)} of {len(self._work)} squares, {states:,} states"
        self._tell(f"{where}, {taken / 2**20:,.0f} MiB {of}, about {duration(left)} left")

    def _share(self, squares: int) -> float:
        return float(self._work[min(squares, len(self._work)) - 1] / self._work[-1]) * (squares > 0)


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it.

    >>> duration(5), duration(180), duration(8000)
    ('5 s', '3 min', '2.2 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


class Plan:
    """How to count the tours of an instance: the order of its squares, the depot last."""

    def __init__(self, instance: Instance) -> None:
        """Choose the order. Raises `InputError` for an instance that `unsupported` names."""
        if reason := unsupported(instance):
            raise InputError(f"method frontier does not support {reason}; method enumerate does")
        self.instance = instance
        self.depot = instance.graph.area
        self.edges, self.required = _edges(instance)
        orders = _orders(instance, self.edges)
        widths = [frontier_widths(self.edges, order) for order in orders]
        best = min(range(len(orders)), key=lambda i: float((5.0 ** widths[i].clip(0, 400)).sum()))
        self.order: list[int] = orders[best].tolist()
        self.widths = widths[best]
        self.width = int(self.widths.max())
        self.packing = Packing(self.width)
        self.directions = 2 if instance.free_ends == 2 and len(instance.graph) > 1 else 1

    def steps(self) -> Iterator[Step]:
        """Yield what each square can choose, in order."""
        alone: dict[int, list[int]] = {vertex: [] for vertex in self.order}
        neighbors = alone | adjacency(self.edges)
        place = {vertex: number for number, vertex in enumerate(self.order)}
        settled = max((min(place[vertex] for vertex in edge) for edge in self.required), default=-1)
        left = {vertex: len(neighbors[vertex]) for vertex in self.order}
        slots: dict[int, int] = {}
        free: list[int] = []
        for number, vertex in enumerate(self.order):
            slot = slots.pop(vertex, None)
            before = dict(slots) if len(slots) == len(self.order) - number - 1 else None
            if slot is not None:
                free.append(slot)
            later = [other for other in neighbors[vertex] if place[other] > number]
            for other in later:
                left[other] -= 1
                if other not in slots:
                    slots[other] = free.pop() if free else len(slots)
            forced = {other for other in later if frozenset((vertex, other)) in self.required}
            choices = [
                choice
                for size in range(3)
                for choice in itertools.combinations(later, size)
                if forced.issubset(choice)
            ]
            closings = {}
            if before is not None and settled <= number:  # every other vertex has been reached
                for choice in choices:
                    ends = [before[other] for other in choice]
                    if len(choice) == 1 and slot is not None:
                        ends.append(slot)
                    if len(ends) == 2:
                        closings[choice] = _closing(self.packing, before, ends)
            due = tuple((other, left[other]) for other in later if left[other] <= 1)
            targets = {other: slots[other] for other in later}
            yield Step(vertex, slot, targets, tuple(choices), closings, due)

    @property
    def is_single(self) -> bool:
        """Whether there is one vertex only, which is an open tour and no closed one."""
        return len(self.instance.graph) == 1

    @cached_property
    def expected_states(self) -> npt.NDArray[np.float64]:
        """A rough estimate of the states after each vertex, from those on boards of the knight.

        At most a ninth of all conceivable types and mates of the vertices occur.
        """
        widths = enumerate(self.widths.tolist(), 1)
        return np.array([_conceivable(width, min(done, 2 * width)) / 9 for done, width in widths])

    @cached_property
    def is_typical(self) -> bool:
        """Whether about as many states occur as are expected.

        There are far fewer in planar graphs, which have few edges, and where the frontier has no
        time to fill.
        """
        graph = self.instance.graph
        planar = 3 * len(graph) - 6 if graph.sides is None else 2 * len(graph) - 4
        return len(graph) >= 3 * self.width and len(graph.arcs) // 2 > planar

    @property
    def expected_bytes(self) -> float:
        """A rough estimate of what a layer takes in tables, of which two thirds are occupied."""
        return float(self.expected_states.max()) * 1.5 * 8

    def out_of_memory(self, done: int, error: OutOfMemory) -> OutOfMemory:
        """Return the error with what is known of where it happened."""
        where = f"frontier of {self.width} squares, {done} of {len(self.order)} done"
        return OutOfMemory(f"the memory limit was reached: {where}, {error}")

    def check_memory(self, memory: float) -> None:
        """Raise `OutOfMemory` if a count will need more bytes, as far as that is known before."""
        needed = 2 * self.expected_bytes
        if needed > memory and self.is_typical:
            limit = f"{needed / 2**20:,.0f} MiB of memory, and the limit is {memory / 2**20:,.0f}"
            onward = "method frontier tries it all the same"
            if self.width <= MAX_WIDTH:
                onward = "--spill DIRECTORY keeps them on disk, in about as much space"
            time = duration(self.expected_seconds)
            raise OutOfMemory(f"{self.expected} would take {limit}; {onward}, in about {time}")

    @property
    def expected_seconds(self) -> float:
        """A rough estimate of the time that a count takes one process."""
        return float(self.expected_states.sum()) * _SECONDS

    @property
    def expected(self) -> str:
        """What is expected, in words."""
        states = f"{float(f'{self.expected_states.max():.2g}'):,.0f}"
        if len(states) > 20:
            states = "10^15 or more"
        return f"a frontier of {self.width} vertices, with up to about {states} states,"


@cache
def _conceivable(width: int, done: int) -> float:
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


def unsupported(instance: Instance) -> str | None:
    """Return what it is in an instance that counting by frontier does not support, or None."""
    if instance.graph.directed:
        return "one-way moves"
    if any(move.directed for move in (*instance.require, *instance.forbid)):
        return "moves required or forbidden in one direction"
    if instance.symmetry is not None:
        return "a symmetry"
    if instance.givens:
        return "given steps"
    if instance.having or instance.constrain is not None:
        return "bounds on features, or custom constraints"
    if len(instance.graph) > MAX_SQUARES:
        return f"more than {MAX_SQUARES:,} squares"
    return None


def _edges(instance: Instance) -> tuple[Squares, frozenset[frozenset[int]]]:
    """Return the edges, those to the depot included, and the edges that have to be used."""
    whole = TourGraph(instance)
    if whole.is_contradictory:
        return np.empty((0, 2), dtype=np.int32), frozenset()
    ids = np.append(instance.graph.vertices, np.int32(instance.graph.area))
    edges = np.unique(ids[whole.edges], axis=0)
    return edges, frozenset(map(frozenset, ids[whole.edges[whole.required]].tolist()))


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
        orders = narrow_orders(graph.vertices, edges[(edges != graph.area).all(axis=1)])
    if instance.closed:
        return orders
    return [np.append(order, np.int32(graph.area)) for order in orders]


def _closing(packing: Packing, slots: Mapping[int, int], ends: list[int]) -> State:
    """Return the state with one path between two slots, and all other squares finished."""
    values = {slot: packing.finished ^ slot for slot in slots.values()}
    return packing.pack(values | dict.fromkeys(ends, ends[0] ^ ends[1]))
