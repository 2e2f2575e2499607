"""What a person knows of the tour of a puzzle: moves, steps, and where steps still can be.

A `Deduction` adds facts to what is known. The nodes are those of the `TourGraph`: the squares, and
for an open tour the depot after them, which stands between its end and its start. Positions count
along the whole circle of nodes: the position of a square is its step, and position 0 is the depot,
or the last step of a closed tour. A set of positions is one number, whose bits are the positions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import TourGraph, needs_steps
from kt_cp.puzzles.words import ENGLISH, Phrase, Value, Words

# A pair of nodes that a move joins, the lower first.
Pair = tuple[int, int]


class StepFact(NamedTuple):
    """The tour visits a square at a step, counted from 1."""

    square: int
    step: int


class MoveFact(NamedTuple):
    """The tour makes the move between two squares or, if it is not ``used``, does not make it.

    ``other`` is None for the depot: the fact then says whether the square is an end of an open
    tour.
    """

    square: int
    other: int | None
    used: bool


Fact = StepFact | MoveFact


@dataclass(frozen=True)
class Deduction:
    """A conclusion: a sentence that says why it holds, and the facts that it adds.

    If it follows from a supposition, ``chain`` has the deductions that lead to the contradiction.
    """

    sentence: Phrase
    facts: tuple[Fact, ...]
    chain: tuple[Deduction, ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return ENGLISH.phrase(self.sentence)

    def __str__(self) -> str:
        return self.text

    def lines(self, words: Words = ENGLISH) -> list[str]:
        """Return the sentence, and a line for each deduction of the chain."""
        chain = [words.phrase(each.sentence) for each in self.chain]
        then = ["  " + words("then", conclusion=conclusion) for conclusion in chain]
        return [words.phrase(self.sentence), *then]


class ContradictionError(Exception):
    """No tour has all that is known; the ``failure`` says where, and in English the message."""

    def __init__(self, key: str, **values: Value) -> None:
        self.failure = Phrase(key, values)

    def __str__(self) -> str:
        return ENGLISH.phrase(self.failure)


def lowest(positions: int) -> int:
    """Return the lowest position of a set that is not empty.

    >>> lowest(0b1100)
    2
    """
    return (positions & -positions).bit_length() - 1


def highest(positions: int) -> int:
    """Return the highest position of a set that is not empty."""
    return positions.bit_length() - 1


class Facts:
    """What is known of the tour of an instance.

    ``count`` is the number of nodes, the depot among them.
    For each node, ``possible`` has the nodes with which the tour may join it, and ``used`` those
    with which it does. ``positions`` has for each node the positions at which it can be, as a set
    of bits; ``everywhere`` is the set of all. ``known`` maps each node whose number is on the board
    to its position, and ``node_at`` such a position to its node. ``changed`` collects the nodes
    about which something was added, until `take_changed` empties it.

    The facts begin with what the clues of the instance show. Two numbers on the board are joined if
    they follow each other, and are not joined otherwise. Raises `ContradictionError` if the clues
    cannot all be met.
    """

    def __init__(self, instance: Instance) -> None:
        graph = TourGraph(instance)
        self.instance = instance
        self.count = len(graph)
        self.squares: list[int | None] = list(instance.board.squares.tolist())
        if not instance.closed:
            self.squares.append(None)  # the depot
        self._nodes = {square: node for node, square in enumerate(self.squares)}
        self.depot = self._nodes.get(None)
        self.is_numbered = needs_steps(instance)
        self.possible: list[set[int]] = [set() for _ in range(self.count)]
        self.used: list[set[int]] = [set() for _ in range(self.count)]
        self.known: dict[int, int] = {}
        self.node_at: dict[int, int] = {}
        self.everywhere = (1 << self.count) - 1
        self.positions = [self.everywhere] * self.count
        self.changed: set[int] = set(range(self.count))
        self._unnarrowed = set(range(self.count))  # the nodes whose positions may still shrink
        if not graph.is_contradictory:
            for low, high in graph.edges.tolist():
                self.possible[low].add(high)
                self.possible[high].add(low)
        if self.depot is not None:
            self.set_position(self.depot, 0)
        for low, high in graph.edges[graph.required].tolist():
            self.set_move(low, high, used=True)
        self.add(StepFact(square, step) for step, square in instance.steps.items())

    def copy(self) -> Facts:
        """Return an independent copy in which no node has changed yet."""
        twin = copy(self)
        twin.possible = [set(nodes) for nodes in self.possible]
        twin.used = [set(nodes) for nodes in self.used]
        twin.positions = list(self.positions)
        twin.known = dict(self.known)
        twin.node_at = dict(self.node_at)
        twin.changed = set()
        twin._unnarrowed = set(self._unnarrowed)
        return twin

    @property
    def is_complete(self) -> bool:
        """Whether the whole tour is known, and its direction where steps are counted."""
        if len(self.known) == self.count:
            return True
        # A closed tour without numbers: no position is known.
        return not self.known and self.possible == self.used

    @property
    def unknown_count(self) -> int:
        """The number of squares that are not known.

        These are the squares without a known number or, where steps are not counted, with a move
        that the tour may make but need not.
        """
        if self.is_numbered:
            return self.count - len(self.known)
        pairs = zip(self.possible, self.used, strict=True)
        return sum(possible != used for possible, used in pairs)

    # -- names -------------------------------------------------------------------------------------

    def node(self, square: int | None) -> int:
        """Return the node of a square; None stands for the depot of an open tour."""
        return self._nodes[square]

    def square(self, node: int) -> int:
        """Return the square of a node that is not the depot."""
        square = self.squares[node]
        assert square is not None
        return square

    def name(self, node: int) -> str | Phrase:
        """Return the name of a square, or what the depot stands for."""
        square = self.squares[node]
        return Phrase("outside", {}) if square is None else self.instance.board.name(square)

    def pair_name(self, one: int, other: int) -> str | Phrase:
        """Return the name of a move, or words for the pair of a square and the depot."""
        low, high = sorted((one, other))
        if high != self.depot:
            return f"{self.name(low)}-{self.name(high)}"
        key = "an end" if self.instance.first is None else "the end"
        return Phrase(key, {"square": self.name(low)})

    def numbered(self, node: int, position: int) -> Phrase:
        """Return words for a square and the step at a position."""
        step = self.step_of(position)
        return Phrase("number on square", {"number": step, "square": self.name(node)})

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
            match fact:
                case StepFact(square, step):
                    is_new |= self.set_position(self.node(square), step % self.count)
                case MoveFact(square, other, used):
                    is_new |= self.set_move(self.node(square), self.node(other), used)
        return is_new

    def add_new(self, deductions: Iterable[Deduction]) -> list[Deduction]:
        """Add the facts of deductions one after the other; return the deductions with a new fact.

        Raises `ContradictionError` where they contradict what is known.
        """
        return [deduction for deduction in deductions if self.add(deduction.facts)]

    def set_move(self, one: int, other: int, used: bool) -> bool:
        """Record whether the tour makes the move between two nodes; return whether that is new.

        Raises `ContradictionError` if the opposite is known.
        """
        is_known = other in self.used[one] if used else other not in self.possible[one]
        if is_known:
            return False
        if used and other not in self.possible[one]:
            raise ContradictionError("needed", move=self.pair_name(one, other))
        if not used and other in self.used[one]:
            raise ContradictionError("impossible", move=self.pair_name(one, other))
        for node, neighbor in ((one, other), (other, one)):
            if used:
                self.used[node].add(neighbor)
            else:
                self.possible[node].discard(neighbor)
        self.changed |= {one, other}
        self._unnarrowed |= {one, other}
        return True

    def set_position(self, node: int, position: int) -> bool:
        """Record the position of a node, and the moves that follow from adjacent numbers.

        Returns whether the position is new. Raises `ContradictionError` if the node has another
        position, or the position another node.
        """
        if self.known.get(node) == position:
            return False
        if node in self.known or position in self.node_at:
            step = self.step_of(position)
            raise ContradictionError("misplaced", number=step, square=self.name(node))
        self.known[node] = position
        self.node_at[position] = node
        self.changed |= {node, *self.possible[node]}
        bit = 1 << position
        for other, positions in enumerate(self.positions):
            if positions & bit and other != node:
                self.positions[other] = positions & ~bit
                self._unnarrowed.add(other)
                self._unnarrowed |= self.possible[other]
        self._keep_positions(node, bit)
        # The node is joined with those at the adjacent positions, and with no other known node.
        adjacent = self.adjacent(position)
        for other_position in adjacent & self.node_at.keys():
            other = self.node_at[other_position]
            if other not in self.possible[node]:
                low, high = sorted((self.step_of(position), self.step_of(other_position)))
                raise ContradictionError("apart in steps", one=low, other=high)
            self.set_move(node, other, used=True)
            self._close_between_numbers(other)
        for other in self.possible[node] & self.known.keys():
            if self.known[other] not in adjacent:
                self.set_move(node, other, used=False)
        self._close_between_numbers(node)
        return True

    def _close_between_numbers(self, node: int) -> None:
        """Rule out all other moves of a node if both adjacent positions are known."""
        adjacent = self.adjacent(self.known[node])
        if adjacent <= self.node_at.keys():
            for other in self.possible[node] - {self.node_at[each] for each in adjacent}:
                self.set_move(node, other, used=False)

    def adjacent(self, position: int) -> set[int]:
        """Return the positions before and after a position on the circle."""
        return {(position - 1) % self.count, (position + 1) % self.count}

    def take_changed(self) -> set[int]:
        """Return the nodes about which something was added since the last call."""
        changed = self.changed
        self.changed = set()
        return changed

    # -- what is open ------------------------------------------------------------------------------

    def open_at(self, node: int) -> list[Pair]:
        """Return the pairs of a node and others that the tour may join but need not."""
        others = sorted(self.possible[node] - self.used[node])
        return [(min(node, other), max(node, other)) for other in others]

    def open_pairs(self) -> list[Pair]:
        """Return all pairs of nodes that the tour may join but need not."""
        return [
            pair for node in range(self.count) for pair in self.open_at(node) if pair[0] == node
        ]

    def path_through(self, node: int) -> list[int]:
        """Return the path of moves in use through a node, as nodes in order.

        A cycle is returned from the node on. Raises `ContradictionError` for a cycle that does not
        pass through all nodes, and for a node with three moves.
        """
        neighbors = sorted(self.used[node])
        if len(neighbors) > 2:
            raise ContradictionError("three moves", square=self.name(node))
        path = [node]
        seen = {node}
        for neighbor in neighbors:
            path.reverse()
            following: int | None = neighbor
            while following is not None and following not in seen:
                path.append(following)
                seen.add(following)
                following = next(iter(self.used[following] - seen), None)
        if len(neighbors) == 2 and path[-1] == node and len(path) < self.count:  # back at the node
            raise ContradictionError("cycle", count=len(path))
        return path

    # -- where numbers can be ----------------------------------------------------------------------

    def narrow(self) -> None:
        """Remove positions without a neighbor that can be just before or after, until none changes.

        Raises `ContradictionError` where a node has no position left.
        """
        self._narrow_by_order()
        while self._unnarrowed:
            node = self._unnarrowed.pop()
            self._restrict(node, self._reachable(node))
            if not self._unnarrowed:
                self._narrow_by_order()

    def _narrow_by_order(self) -> None:
        """Remove positions of the squares in an order that come too early or too late.

        They are compared as steps from 0, as position 0, the last step, comes last.
        """
        pairs = list(itertools.pairwise(self.node(square) for square in self.instance.order))
        for one, other in pairs:
            earliest = lowest(self.preceding(self.positions[one]))
            self._restrict(other, self.following(self.everywhere & (-1 << (earliest + 1))))
        for one, other in reversed(pairs):
            latest = highest(self.preceding(self.positions[other]))
            self._restrict(one, self.following((1 << latest) - 1))

    def following(self, positions: int) -> int:
        """Return the positions that directly follow some positions on the circle."""
        return ((positions << 1) & self.everywhere) | (positions >> (self.count - 1))

    def preceding(self, positions: int) -> int:
        """Return the positions that directly precede some positions on the circle."""
        return (positions >> 1) | ((positions & 1) << (self.count - 1))

    def _restrict(self, node: int, positions: int) -> None:
        """Remove all other positions of a node."""
        kept = self.positions[node] & positions
        if not kept:
            raise ContradictionError("no step left", square=self.name(node))
        if kept != self.positions[node]:
            self._keep_positions(node, kept)

    def _keep_positions(self, node: int, positions: int) -> None:
        """Keep only some positions of a node; then its neighbors may lose positions too."""
        self.positions[node] = positions
        self._unnarrowed |= self.possible[node]

    def _reachable(self, node: int) -> int:
        """Return the positions at which a node can be, by the positions of its neighbors.

        One neighbor comes just before the node, and another one just after it. The neighbors with
        which the tour is known to join it are among these two.
        """
        after = {other: self.following(self.positions[other]) for other in self.possible[node]}
        before = {other: self.preceding(self.positions[other]) for other in self.possible[node]}
        after_any = before_any = 0
        for other in self.possible[node]:
            after_any |= after[other]
            before_any |= before[other]
        reachable = after_any & before_any
        for other in self.used[node]:
            reachable &= after[other] | before[other]
        if len(self.used[node]) == 2:
            first, second = self.used[node]
            reachable &= (after[first] & before[second]) | (before[first] & after[second])
        return reachable
