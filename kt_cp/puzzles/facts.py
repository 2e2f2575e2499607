"""What a person knows of the tour of a puzzle: moves, steps, and where steps still can be.

The nodes are those of the `TourGraph`: the squares, and for an open tour the depot after them,
which stands between its end and its start. Positions count along the whole circle of nodes: the
position of a square is its step, and position 0 is the depot, or the last step of a closed tour.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.problem.instance import Instance
from kt_cp.problem.steps import needs_steps
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
    """A conclusion: a sentence that says from what it follows, and the facts that it adds.

    Where something was supposed, ``chain`` has the deductions that lead to the contradiction.
    """

    text: str
    facts: tuple[Fact, ...]
    chain: tuple[Deduction, ...] = ()

    def __str__(self) -> str:
        return self.text


class Facts:
    """What is known of the tour of an instance.

    ``near`` has for each node the nodes with which the tour may join it, and ``used`` those of them
    with which it does. ``positions`` has for each node the positions at which it can be, as the
    bits of a number; ``known`` has the position of every node whose number is on the board, and
    ``at`` the node of every such position. ``touched`` collects the nodes of which something was
    added, until `take_touched` empties it.

    What the numbers on the board show is added with them: squares whose steps follow each other
    are joined, and others with a number are not.
    """

    def __init__(self, instance: Instance) -> None:
        graph = TourGraph(instance)
        self.instance, self.count = instance, len(graph)
        self.squares = instance.board.squares.tolist()
        self._nodes = {square: node for node, square in enumerate(self.squares)}
        self.is_numbered = needs_steps(instance)
        self.near: list[set[int]] = [set() for _ in range(self.count)]
        self.used: list[set[int]] = [set() for _ in range(self.count)]
        self.known: dict[int, int] = {}
        self.at: dict[int, int] = {}
        self.positions = [(1 << self.count) - 1] * self.count
        self.touched: set[int] = set(range(self.count))
        self._unsettled: set[int] = set(range(self.count))  # of which `narrow` has to look again
        edges = [] if graph.is_contradictory else graph.edges.tolist()
        for low, high in edges:
            self.near[low].add(high)
            self.near[high].add(low)
        self._given = [
            Fact(self.square(low), self.square(high))
            for low, high in graph.edges[graph.required].tolist()
        ]
        self._given += [Fact(square, step=step) for step, square in instance.steps.items()]

    @classmethod
    def of(cls, instance: Instance) -> Facts:
        """Return what the clues of an instance show.

        Raises `ContradictionError` if they cannot all be met.
        """
        facts = cls(instance)
        if not instance.closed:
            facts.put(facts.depot, 0)
        facts.add(facts._given)
        return facts

    def copy(self) -> Facts:
        """Return an independent copy, of which nothing is touched yet."""
        twin = copy(self)
        twin.near = [set(nodes) for nodes in self.near]
        twin.used = [set(nodes) for nodes in self.used]
        twin.positions = list(self.positions)
        twin.known, twin.at = dict(self.known), dict(self.at)
        twin.touched, twin._unsettled = set(), set(self._unsettled)
        return twin

    @property
    def complete(self) -> bool:
        """Whether the whole tour is known, and its direction where steps are counted."""
        if len(self.known) == self.count:
            return True
        return not self.known and self.near == self.used

    @property
    def unknown(self) -> int:
        """How many squares have moves or a number that are not known."""
        if self.is_numbered:
            return self.count - len(self.known)
        return sum(near != used for near, used in zip(self.near, self.used, strict=True))

    # -- names -------------------------------------------------------------------------------------

    @property
    def depot(self) -> int:
        """The number of squares, and the node of the depot, which only open tours have."""
        return len(self.squares)

    def node(self, square: int | None) -> int:
        """Return the node of a square; None stands for the depot."""
        return self.depot if square is None else self._nodes[square]

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

    # -- what is added -----------------------------------------------------------------------------

    def add(self, facts: Iterable[Fact]) -> bool:
        """Add facts; return whether one of them is new.

        Raises `ContradictionError` where they contradict what is known.
        """
        is_new = False
        for fact in facts:
            node = self.node(fact.square)
            if fact.step is not None:
                is_new |= self.put(node, fact.step % self.count)
            else:
                is_new |= self.mark(node, self.node(fact.other), fact.used)
        return is_new

    def mark(self, one: int, other: int, used: bool) -> bool:
        """Add that the tour joins two nodes, or that it does not; return whether that is new.

        Raises `ContradictionError` if the opposite is known.
        """
        if used:
            if other in self.used[one]:
                return False
            if other not in self.near[one]:
                raise ContradictionError(f"{self._joined(one, other)} would be needed")
            self.used[one].add(other)
            self.used[other].add(one)
        else:
            if other not in self.near[one]:
                return False
            if other in self.used[one]:
                raise ContradictionError(f"{self._joined(one, other)} could not be made")
            self.near[one].discard(other)
            self.near[other].discard(one)
        self.touched |= {one, other}
        self._unsettled |= {one, other}
        return True

    def _joined(self, one: int, other: int) -> str:
        return self.pair_name((min(one, other), max(one, other)))

    def put(self, node: int, position: int) -> bool:
        """Add the position of a node, and what is seen from it; return whether that is new.

        Raises `ContradictionError` if the node or the position has another one.
        """
        if self.known.get(node) == position:
            return False
        if node in self.known or position in self.at:
            raise ContradictionError(f"{self.step_of(position)} would be on {self.name(node)}")
        self.known[node] = position
        self.at[position] = node
        self.touched |= {node, *self.near[node]}
        bit = 1 << position
        for other, positions in enumerate(self.positions):
            if positions & bit and other != node:
                self.positions[other] = positions & ~bit
                self._unsettled.add(other)
                self._unsettled |= self.near[other]
        self._set_positions(node, bit)
        self._join_numbers(node, position)
        return True

    def _join_numbers(self, node: int, position: int) -> None:
        """Join a node with those whose positions follow its own, and with no other one known."""
        beside = {(position + 1) % self.count, (position - 1) % self.count}
        for following in beside & self.at.keys():
            other = self.at[following]
            if other not in self.near[node]:
                steps = sorted((self.step_of(position), self.step_of(following)))
                message = f"no move joins steps {steps[0]} and {steps[1]}"
                raise ContradictionError(message)
            self.mark(node, other, True)
            self._close_between_numbers(other)
        for other in self.near[node] & self.known.keys():
            if self.known[other] not in beside:
                self.mark(node, other, False)
        self._close_between_numbers(node)

    def _close_between_numbers(self, node: int) -> None:
        """Rule out further moves of a node whose number has both of its neighbors."""
        position = self.known[node]
        beside = {(position + 1) % self.count, (position - 1) % self.count}
        if beside <= self.at.keys():
            for other in self.near[node] - {self.at[each] for each in beside}:
                self.mark(node, other, False)

    def take_touched(self) -> set[int]:
        """Return the nodes of which something was added since the last call."""
        touched, self.touched = self.touched, set()
        return touched

    # -- what is open ------------------------------------------------------------------------------

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

    def path_through(self, node: int) -> list[int]:
        """Return the path of moves in use through a node, as nodes in order.

        A cycle is returned from the node on. Raises `ContradictionError` for a cycle that does not
        pass through all nodes, and for a node with three moves.
        """
        neighbors = sorted(self.used[node])
        if len(neighbors) > 2:
            raise ContradictionError(f"{self.name(node)} would have three moves")
        seen = {node}
        ways = [self._way(neighbor, seen) for neighbor in neighbors]
        if not neighbors:
            return [node]
        if len(neighbors) == 1:
            return [node, *ways[0]]
        if not ways[1]:  # the first way came back to the node
            if len(seen) < self.count:
                raise ContradictionError(f"a cycle of {len(seen)} squares would close")
            return [node, *ways[0]]
        return [*reversed(ways[1]), node, *ways[0]]

    def _way(self, node: int, seen: set[int]) -> list[int]:
        """Return the path of moves in use from a node on, until it ends or meets a seen node.

        Its nodes are added to those seen.
        """
        way: list[int] = []
        following: int | None = node
        while following is not None and following not in seen:
            way.append(following)
            seen.add(following)
            following = next(iter(self.used[following] - seen), None)
        return way

    # -- what is known of steps --------------------------------------------------------------------

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
        self._keep_order()
        while self._unsettled:
            node = self._unsettled.pop()
            self._keep(node, self._reachable(node))
            if not self._unsettled:
                self._keep_order()

    def _keep_order(self) -> None:
        """Remove positions of the squares in an order that come too early or too late."""
        nodes = [self.node(square) for square in self.instance.order]
        everywhere = (1 << self.count) - 1
        for one, other in itertools.pairwise(nodes):
            steps = self.before(self.positions[one])  # of which bit 0 is step 1
            self._keep(other, self.after(everywhere & ~((steps & -steps) * 2 - 1)))
        for one, other in reversed(list(itertools.pairwise(nodes))):
            steps = self.before(self.positions[other])
            self._keep(one, self.after((1 << (steps.bit_length() - 1)) - 1))

    def _keep(self, node: int, positions: int) -> None:
        """Remove all other positions of a node."""
        kept = self.positions[node] & positions
        if not kept:
            raise ContradictionError(f"no step is left for {self.name(node)}")
        if kept != self.positions[node]:
            self._set_positions(node, kept)

    def _set_positions(self, node: int, positions: int) -> None:
        """Set the positions at which a node can be."""
        self.positions[node] = positions
        self._unsettled |= self.near[node]

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
