"""What a count by frontier can do at each square, and how it writes the state of the frontier.

`kt_cp.count.frontier` explains the terms.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kt_cp.board import Board, Squares
from kt_cp.errors import InputError
from kt_cp.graph import adjacency
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph

Words = npt.NDArray[np.uint64]
"""States, or their counts, one a column: each takes as many words as there are rows."""

Choice = tuple[int, ...]
State = tuple[int, ...]

MAX_SQUARES = 100_000
# From how many vertices orders of a graph are begun, to take the one with the narrowest frontier.
_FIRSTS = 20

_WORD = 64  # bits of a word
GROWTH = 4  # the next layer, before equal states are merged, is larger by less than this


@dataclass(frozen=True)
class Step:
    """A square of the order, and what it can choose: none, one or two of the later squares.

    ``slot`` is its place in a state, None if no earlier square reaches it; ``slots`` holds the
    places of its later neighbors. ``closings`` maps each choice that closes a tour to the one state
    from which it does. ``due`` lists the slots of later neighbors next to at most one square that
    is still to come, and how many.
    """

    square: int
    slot: int | None
    slots: Mapping[int, int]
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


class Plan:
    """How to count the tours of an instance: the order of its squares, the depot last."""

    def __init__(self, instance: Instance) -> None:
        """Choose the order. Raises `InputError` for an instance that `unsupported` names."""
        if reason := unsupported(instance):
            raise InputError(f"method frontier does not support {reason}; method enumerate does")
        self.instance = instance
        self.depot = instance.graph.area
        self.edges, self.required = _edges(instance)
        orders = _orders(instance)
        widths = [_widths(self.edges, order) for order in orders]
        best = min(range(len(orders)), key=lambda i: float((5.0 ** widths[i].clip(0, 400)).sum()))
        self.order: list[int] = orders[best].tolist()
        self.width = int(widths[best].max())
        self.packing = Packing(self.width)
        self.directions = 2 if instance.free_ends == 2 and len(instance.graph) > 1 else 1

    def steps(self) -> Iterator[Step]:
        """Yield what each square can choose, in order."""
        alone: dict[int, list[int]] = {square: [] for square in self.order}
        neighbors = alone | adjacency(self.edges)
        place = {square: number for number, square in enumerate(self.order)}
        settled = max((min(place[square] for square in edge) for edge in self.required), default=-1)
        left = {square: len(neighbors[square]) for square in self.order}
        slots: dict[int, int] = {}
        free: list[int] = []
        for number, square in enumerate(self.order):
            slot = slots.pop(square, None)
            before = dict(slots) if len(slots) == len(self.order) - number - 1 else None
            if slot is not None:
                free.append(slot)
            later = [other for other in neighbors[square] if place[other] > number]
            for other in later:
                left[other] -= 1
                if other not in slots:
                    slots[other] = free.pop() if free else len(slots)
            forced = {other for other in later if frozenset((square, other)) in self.required}
            choices = [
                choice
                for size in range(3)
                for choice in itertools.combinations(later, size)
                if forced.issubset(choice)
            ]
            closings = {}
            if before is not None and settled <= number:  # every other square has been reached
                for choice in choices:
                    ends = [before[other] for other in choice]
                    if len(choice) == 1 and slot is not None:
                        ends.append(slot)
                    if len(ends) == 2:
                        closings[choice] = _closing(self.packing, before, ends)
            due = tuple((slots[other], left[other]) for other in later if left[other] <= 1)
            targets = {other: slots[other] for other in later}
            yield Step(square, slot, targets, tuple(choices), closings, due)

    @property
    def expected_bytes(self) -> float:
        """A rough estimate of the memory needed.

        An eighth of all conceivable states of the widest frontier is what the knight's boards have
        at most; the next layer is made beside them, several times as large until it is merged.
        """
        conceivable = [1.0, 2.0]
        for slots in range(2, self.width + 1):
            conceivable.append(2 * conceivable[-1] + (slots - 1) * conceivable[-2])
        return conceivable[self.width] / 8 * GROWTH * 8 * (self.packing.words + 1)


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


def _orders(instance: Instance) -> list[Squares]:
    """Return some orders of the squares, the depot last: by rows, columns and diagonals."""
    board = instance.graph
    if not isinstance(board, Board):
        return _graph_orders(instance)
    squares = board.squares
    rows, columns = np.divmod(squares, board.columns)
    keys = [(columns, rows), (rows, columns), (rows, rows + columns), (rows, rows - columns)]
    orders = [squares[np.lexsort(key)] for key in keys]
    orders += [order[::-1] for order in orders]
    if instance.closed:
        return orders
    return [np.append(order, np.int32(instance.graph.area)) for order in orders]


def _graph_orders(instance: Instance) -> list[Squares]:
    """Return orders of a graph without places: breadth first from some vertices of few neighbors.

    Of the vertices found together, those with fewer neighbors come first (Cuthill and McKee 1969).
    """
    graph = instance.graph
    near = [graph.neighbors(vertex) for vertex in range(graph.area)]
    by_degree = sorted(range(graph.area), key=lambda vertex: len(near[vertex]))
    orders = []
    for first in by_degree[:_FIRSTS]:
        order: dict[int, None] = {}
        for root in (first, *by_degree):
            queue = deque([root] if root not in order else [])
            order[root] = None
            while queue:
                fresh = [other for other in near[queue.popleft()] if other not in order]
                fresh.sort(key=lambda vertex: len(near[vertex]))
                order.update(dict.fromkeys(fresh))
                queue += fresh
        depot = [] if instance.closed else [graph.area]
        orders.append(np.array([*order, *depot], dtype=np.int32))
    return orders


def _widths(edges: Squares, order: Squares) -> npt.NDArray[np.int64]:
    """Return how many squares are on the frontier after each square of an order."""
    place = np.zeros(order.max() + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    first = np.arange(len(order))
    ends = place[edges]
    for one, other in ((0, 1), (1, 0)):
        np.minimum.at(first, ends[:, one], ends[:, other])
    entering = np.bincount(first, minlength=len(order))
    return np.cumsum(entering - 1)


def _closing(packing: Packing, slots: Mapping[int, int], ends: list[int]) -> State:
    """Return the state with one path between two slots, and all other squares finished."""
    values = {slot: packing.finished ^ slot for slot in slots.values()}
    return packing.pack(values | dict.fromkeys(ends, ends[0] ^ ends[1]))
