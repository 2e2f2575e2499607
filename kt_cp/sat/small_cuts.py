"""Sets of nodes that a tour can enter and leave only a few times.

A cycle crosses the border of any set an even number of times. Clauses about the nodes of a large
set imply this only through proofs of exponential length (A. Urquhart, Hard examples for resolution,
1987), so a SAT solver does not find out by itself; where a graph has parts with small borders,
saying so for these parts makes the difference between seconds and hours.

The sets are found by growing: from a node on, the node joins that keeps the border smallest, and
whenever the border has shrunk and grows again the set until there is noted (compare the sweeps of
R. Andersen, F. Chung, K. Lang, Local graph partitioning using PageRank vectors, 2006). The border
of a set counts the visits to nodes outside it, of which each has two at most: so a hub that is
adjacent to everything counts two.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from heapq import heappop, heappush
from random import Random

from kt_cp.problem.clock import Clock

Neighbors = list[list[int]]

# Borders that are noted, and sets: for smaller sets a SAT solver finds out by itself.
_LARGEST_BORDER, _SMALLEST_SET = 12, 6

# By how much a border has to shrink, and then to grow, around a set that is noted.
_DIP = 3

# How many nodes sets are grown by, all together, for each node of the graph.
_STEPS = 20


def find_small_cuts(neighbors: Neighbors, clock: Clock, seed: int = 0) -> list[list[int]]:
    """Return sets of nodes with small borders, of which any two are disjoint or nested.

    ``neighbors`` lists the neighbors of each node. Raises `OutOfTimeError`.

    >>> ring = [[(node - 1) % 20, (node + 1) % 20] for node in range(20)]
    >>> find_small_cuts(ring, Clock())
    []
    """
    random = Random(seed)
    keys = [random.getrandbits(62) for _ in neighbors]
    borders: dict[int, tuple[int, list[int]]] = {}  # by the key of a set: its border and nodes
    for prefers_latest in (True, False):
        is_covered, steps = bytearray(len(neighbors)), 0
        for start in random.sample(range(len(neighbors)), len(neighbors)):
            if is_covered[start] or steps > _STEPS * len(neighbors):
                continue
            clock.check()
            growth = _Growth(neighbors, keys, start, prefers_latest)
            is_known = growth.grow(borders)
            order, steps = growth.order, steps + len(growth.order)
            sizes = [size for size in growth.dips() if size >= _SMALLEST_SET]
            for size in sizes:
                border = growth.borders[size - 1]
                if border <= _LARGEST_BORDER:
                    borders.setdefault(growth.keys[size - 1], (border, order[:size]))
            if not sizes:
                sizes = [len(order) if is_known else 1]
            for node in order[: sizes[0]]:
                is_covered[node] = True
    return _nested(borders.values())


class _Growth:
    """A set that grows from a node; after each step its border, and a key of the set."""

    def __init__(
        self, neighbors: Neighbors, node_keys: list[int], start: int, prefers_latest: bool
    ) -> None:
        self._neighbors, self._node_keys = neighbors, node_keys
        self._sign = -1 if prefers_latest else 1
        self._start = start
        self._inside: set[int] = set()
        # For each node outside, how many of its neighbors are inside.
        self._touching: dict[int, int] = {}
        # For each node next to the set, how much the border changes if it joins.
        self._changes = {start: len(neighbors[start])}
        self._queue: list[tuple[int, int, int]] = []
        self._pushed = 0
        self.order: list[int] = []
        self.borders: list[int] = []
        self.keys: list[int] = []

    def grow(self, known: Container[int]) -> bool:
        """Grow to half of the nodes, or until the set is known; return whether it is."""
        node: int | None = self._start
        border = key = 0
        while node is not None and len(self.order) <= len(self._neighbors) // 2:
            border += self._changes[node]
            key ^= self._node_keys[node]
            self.order.append(node)
            self.borders.append(border)
            self.keys.append(key)
            if key in known:
                return True
            self._add(node)
            node = self._next()
        return False

    def _add(self, node: int) -> None:
        """Take a node into the set, and see how this changes what others change."""
        self._inside.add(node)
        visits = self._touching.get(node, 0)
        for other in self._neighbors[node]:
            if other in self._inside:
                continue
            before = self._touching.get(other, 0)
            self._touching[other] = before + 1
            if before == 0:
                outside = [third for third in self._neighbors[other] if third not in self._inside]
                seen_twice = [third for third in outside if self._touching.get(third, 0) >= 2]
                self._changes[other] = len(outside) - len(seen_twice) - 1
            else:
                if before == 1:
                    self._reach_twice(other)
                if visits < 2:
                    self._changes[other] -= 1
            self._push(other)

    def _reach_twice(self, node: int) -> None:
        """Count two visits of a node outside, so that its neighbors add no more by joining."""
        self._changes[node] -= 1
        for other in self._neighbors[node]:
            if other in self._changes and other not in self._inside:
                self._changes[other] -= 1
                self._push(other)

    def _push(self, node: int) -> None:
        self._pushed += 1
        heappush(self._queue, (self._changes[node], self._sign * self._pushed, node))

    def _next(self) -> int | None:
        """Return the node that keeps the border smallest, or None if none is next to the set."""
        while self._queue:
            change, _, node = heappop(self._queue)
            if node not in self._inside and self._changes[node] == change:
                return node
        return None

    def dips(self) -> list[int]:
        """Return the sizes at which the border had shrunk, and grew again."""
        sizes = list[int]()
        lowest, highest = None, self.borders[0]
        for index, border in enumerate(self.borders):
            if lowest is None:
                highest = max(highest, border)
                if border <= highest - _DIP:
                    lowest = index
            elif border < self.borders[lowest]:
                lowest = index
            elif border >= self.borders[lowest] + _DIP:
                sizes.append(lowest + 1)
                lowest, highest = None, border
        if lowest is not None:
            sizes.append(lowest + 1)
        return sizes


def _nested(borders: Iterable[tuple[int, list[int]]]) -> list[list[int]]:
    """Return sets, those with small borders first, without those that cross an earlier one."""
    kept, masks = list[list[int]](), list[int]()
    for _, nodes in sorted(borders, key=lambda each: (each[0], len(each[1]))):
        mask = 0
        for node in nodes:
            mask |= 1 << node
        if all(mask & other in (0, mask, other) for other in masks):
            masks.append(mask)
            kept.append(nodes)
    return kept
