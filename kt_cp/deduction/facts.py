"""What is known of a tour: moves in use, moves ruled out, and the places at which squares can be.

The nodes are the squares, numbered as ``board.squares``, and for an open tour the depot after them,
which stands between its end and its start. Places count along the whole circle from the depot, or
from the last step of a closed tour, at 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kt_cp.board.square_names import chess_name
from kt_cp.model.edges import edge_graph
from kt_cp.problem.instance import Instance


class ContradictionError(Exception):
    """No tour has all that is known; the message says where it fails."""


class Fact(NamedTuple):
    """A step of a square, or whether the tour makes a move; the depot's square is None."""

    square: int | None
    other: int | None = None
    step: int | None = None
    used: bool = True


@dataclass(frozen=True)
class Deduction:
    """What follows, in words that name the rule, and as facts."""

    text: str
    facts: tuple[Fact, ...]

    def __str__(self) -> str:
        """Return the words."""
        return self.text


class Facts:
    """What is known of the tour of an instance; nodes and pairs of nodes are integers.

    ``near`` has for each node those that a move not ruled out joins it with, ``used`` those of
    them that the tour uses, and ``places`` the places at which it can be, as the bits of a number.
    """

    def __init__(self, instance: Instance) -> None:
        """Begin with what the instance says."""
        graph = edge_graph(instance, split=False)
        self.instance, self.count = instance, graph.nodes
        self.squares = [int(square) for square in instance.board.squares]
        self.near: list[set[int]] = [set() for _ in range(self.count)]
        self.used: list[set[int]] = [set() for _ in range(self.count)]
        for (low, high), required in zip(graph.edges.tolist(), graph.required, strict=True):
            self.near[low].add(high)
            self.near[high].add(low)
            if required:
                self.use(low, high)
        known = {
            int(np.searchsorted(instance.board.squares, square)): step % self.count
            for step, square in instance.steps.items()
        }
        if not instance.closed:
            known[graph.depot] = 0
        self.known: dict[int, int] = {}
        self.places = [(1 << self.count) - 1] * self.count
        self.counts = bool(known)
        for node, place in known.items():
            self.put(node, place)

    def copy(self) -> Facts:
        """Return facts that can be added to without changing these."""
        twin = object.__new__(Facts)
        vars(twin).update(vars(self))
        twin.near = [set(nodes) for nodes in self.near]
        twin.used = [set(nodes) for nodes in self.used]
        twin.places, twin.known = list(self.places), dict(self.known)
        return twin

    @property
    def complete(self) -> bool:
        """Whether the whole tour is known."""
        return all(len(nodes) == 2 for nodes in self.used) and all(
            near == used for near, used in zip(self.near, self.used, strict=True)
        )

    def use(self, one: int, other: int) -> None:
        """Add that the tour makes a move."""
        self.used[one].add(other)
        self.used[other].add(one)

    def drop(self, one: int, other: int) -> None:
        """Add that the tour does not make a move."""
        self.near[one].discard(other)
        self.near[other].discard(one)

    def put(self, node: int, place: int) -> None:
        """Add the place of a node."""
        self.known[node] = place
        bit = 1 << place
        self.places = [places & ~bit for places in self.places]
        self.places[node] = bit

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of nodes of which it is not known whether the tour joins them."""
        return [
            (one, other)
            for one, near in enumerate(self.near)
            for other in sorted(near - self.used[one])
            if one < other
        ]

    def paths(self) -> Iterator[list[int]]:
        """Yield the paths that moves in use make, as nodes in order.

        Raises `ContradictionError` for a cycle that does not pass through all nodes.
        """
        seen = set[int]()
        ends = [node for node in range(self.count) if len(self.used[node]) == 1]
        for node in (*ends, *range(self.count)):
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

    def name(self, node: int) -> str:
        """Return the name of a square, or what the depot stands for."""
        if node == len(self.squares):
            return "the outside"
        return chess_name(self.instance.board, self.squares[node])

    def pair(self, one: int, other: int) -> str:
        """Return a move in words."""
        if other == len(self.squares):
            return f"an end on {self.name(one)}"
        return f"{self.name(one)}-{self.name(other)}"

    def fact(self, one: int, other: int, used: bool) -> Fact:
        """Return what is known of a move as a fact."""
        squares = [*self.squares, None]
        return Fact(squares[one], squares[other], used=used)

    def step_of(self, place: int) -> int:
        """Return the step at a place."""
        return place or self.count


def pairs_of(nodes: set[int], node: int) -> list[tuple[int, int]]:
    """Return the pairs of a node with some others, the lower first."""
    return [(min(node, other), max(node, other)) for other in sorted(nodes)]
