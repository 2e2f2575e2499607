"""What a person knows of the tour of a puzzle: moves, steps, and where steps still can be.

The nodes are those of the `TourGraph`: the squares, and for an open tour the depot after them,
which stands between its end and its start. Positions count along the whole circle of nodes: the
position of a square is its step, and position 0 is the depot, or the last step of a closed tour.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.errors import join_words
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph

# A pair of nodes that a move joins, the lower first.
Pair = tuple[int, int]


class ContradictionError(Exception):
    """No tour has all that is known; the message says where it fails."""


class Fact(NamedTuple):
    """Either the ``step`` of a square, or whether the move to ``other`` is ``used``.

    A move to or from the depot has None in place of its square.
    """

    square: int | None
    other: int | None = None
    step: int | None = None
    used: bool = True


@dataclass(frozen=True)
class Deduction:
    """A conclusion: a sentence that names the rule, the facts, and the ``effort`` of finding it."""

    text: str
    facts: tuple[Fact, ...]
    effort: int

    def __str__(self) -> str:
        return self.text


class Facts:
    """What is known of the tour of an instance.

    ``near`` has for each node the nodes with which the tour may join it, and ``used`` those of them
    with which it does. ``positions`` has for each node the positions at which it can be, as the
    bits of a number, and ``known`` the position of every node that has only one left.
    """

    def __init__(self, instance: Instance) -> None:
        graph = TourGraph(instance)
        self.instance, self.count = instance, len(graph)
        self.squares = instance.board.squares.tolist()
        self.near: list[set[int]] = [set() for _ in range(self.count)]
        self.used: list[set[int]] = [set() for _ in range(self.count)]
        edges = [] if graph.is_contradictory else graph.edges.tolist()
        for low, high in edges:
            self.near[low].add(high)
            self.near[high].add(low)
        for low, high in graph.edges[graph.required].tolist():
            self.mark(low, high, True)
        self.known: dict[int, int] = {}
        self.positions = [(1 << self.count) - 1] * self.count
        for step, square in instance.steps.items():
            self.put(self.node(square), step % self.count)
        if not instance.closed:
            self.put(graph.depot, 0)

    def copy(self) -> Facts:
        """Return an independent copy."""
        twin = copy(self)
        twin.near = [set(nodes) for nodes in self.near]
        twin.used = [set(nodes) for nodes in self.used]
        twin.positions = list(self.positions)
        twin.known = dict(self.known)
        return twin

    @property
    def complete(self) -> bool:
        """Whether the whole tour is known, and its direction where steps are counted."""
        return not self.open_pairs() and len(self.known) in (0, self.count)

    # -- names -------------------------------------------------------------------------------------

    @property
    def depot(self) -> int:
        """The number of squares, and the node of the depot, which only open tours have."""
        return len(self.squares)

    def node(self, square: int | None) -> int:
        """Return the node of a square; None stands for the depot."""
        return self.depot if square is None else self.squares.index(square)

    def square(self, node: int) -> int | None:
        """Return the square of a node, or None for the depot."""
        return None if node == self.depot else self.squares[node]

    def name(self, node: int) -> str:
        """Return the name of a square, or what the depot stands for."""
        square = self.square(node)
        return "the outside" if square is None else self.instance.board.name(square)

    def pair_name(self, pair: Pair) -> str:
        """Return the name of a move, or words for the pair of a square and the depot."""
        low, high = pair
        if high != self.depot:
            return f"{self.name(low)}-{self.name(high)}"
        article = "an" if self.instance.start is None else "the"
        return f"{article} end on {self.name(low)}"

    def step_of(self, position: int) -> int:
        """Return the step at a position."""
        return position or self.count

    # -- what is known of moves --------------------------------------------------------------------

    def mark(self, one: int, other: int, used: bool) -> None:
        """Add that the tour joins two nodes, or that it does not."""
        if used:
            self.used[one].add(other)
            self.used[other].add(one)
        else:
            self.near[one].discard(other)
            self.near[other].discard(one)

    def decide(self, pairs: list[Pair], used: bool, why: str, effort: int) -> Deduction:
        """Add that the tour makes all of some moves, or none of them; return the deduction."""
        for one, other in pairs:
            self.mark(one, other, used)
        facts = [Fact(self.square(one), self.square(other), used=used) for one, other in pairs]
        what = join_words([self.pair_name(pair) for pair in pairs])
        if not used:
            what = f"not {what}" if len(pairs) == 1 else f"none of {what}"
        return Deduction(f"{what}: {why}", tuple(facts), effort)

    def open_at(self, node: int) -> list[Pair]:
        """Return the pairs of a node and others of which it is not known whether they are used."""
        others = sorted(self.near[node] - self.used[node])
        return [(min(node, other), max(node, other)) for other in others]

    def open_pairs(self) -> list[Pair]:
        """Return all pairs of nodes of which it is not known whether the tour joins them."""
        return [
            pair for node in range(self.count) for pair in self.open_at(node) if pair[0] == node
        ]

    def is_open(self, pair: Pair) -> bool:
        """Return whether it is not known whether the tour joins a pair of nodes."""
        low, high = pair
        return high in self.near[low] and high not in self.used[low]

    def paths(self) -> Iterator[list[int]]:
        """Yield the paths that moves in use make, as nodes in order.

        Raises `ContradictionError` for a cycle that does not pass through all nodes.
        """
        seen = set[int]()
        ends_first = sorted(range(self.count), key=lambda node: len(self.used[node]) != 1)
        for node in ends_first:
            if node in seen or not self.used[node]:
                continue
            path = [node]
            seen.add(node)
            while following := sorted(self.used[path[-1]] - seen):
                path.append(following[0])
                seen.add(following[0])
            if len(self.used[node]) == 1:
                yield path
            elif len(path) < self.count:
                raise ContradictionError("a cycle closes too early")

    # -- what is known of steps --------------------------------------------------------------------

    def put(self, node: int, position: int) -> None:
        """Add the position of a node."""
        self.known[node] = position
        self.positions = [positions & ~(1 << position) for positions in self.positions]
        self.positions[node] = 1 << position

    def after(self, positions: int) -> int:
        """Return the positions that come right after some positions, around the circle."""
        last = self.count - 1
        everywhere = (1 << self.count) - 1
        return ((positions << 1) & everywhere) | (positions >> last)

    def before(self, positions: int) -> int:
        """Return the positions that come right before some positions, around the circle."""
        last = self.count - 1
        return (positions >> 1) | ((positions & 1) << last)

    def narrow(self) -> None:
        """Remove positions without a neighbor that can be just before or after, until none changes.

        Raises `ContradictionError` where a node has no position left.
        """
        changed = True
        while changed:
            changed = False
            for node, positions in enumerate(self.positions):
                kept = positions & self._reachable(node)
                if not kept:
                    raise ContradictionError(f"no step is left for {self.name(node)}")
                if kept != positions:
                    self.positions[node] = kept
                    changed = True

    def _reachable(self, node: int) -> int:
        """Return the positions at which a node can be, by those of its neighbors."""
        after = before = 0
        for other in self.near[node]:
            after |= self.after(self.positions[other])
            before |= self.before(self.positions[other])
        reachable = after & before
        beside = [
            (self.after(self.positions[other]), self.before(self.positions[other]))
            for other in self.used[node]
        ]
        for one_after, one_before in beside:
            reachable &= one_after | one_before
        if len(beside) == 2:  # one neighbor comes before the node, and the other after it
            (first_after, first_before), (second_after, second_before) = beside
            reachable &= (first_after & second_before) | (first_before & second_after)
        return reachable
