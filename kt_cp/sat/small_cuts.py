"""Sets of nodes that a tour can enter and leave only a few times.

A cycle crosses the border of any set an even number of times. Clauses about the nodes of a large
set imply this only through proofs of exponential length (A. Urquhart, Hard examples for resolution,
1987), so that a SAT solver does not learn it by itself. Where a graph has parts with small borders,
stating it for these parts makes the difference between seconds and hours.

The sets grow from single nodes. In each step the node joins that keeps the border smallest, and
whenever the border has shrunk and begins to grow again, the set with the smallest border is noted
(compare the sweeps of R. Andersen, F. Chung, K. Lang, Local graph partitioning using PageRank
vectors, 2006). The border is the number of visits that a tour can make to nodes outside along the
edges that leave the set: at most two for each node, so that a hub that is adjacent to everything
adds only two.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple

from kt_cp.problem.task import Clock

Neighbors = list[list[int]]

# Sets with a larger border, or fewer nodes, are not noted: a SAT solver learns enough about small
# sets by itself.
_MAX_BORDER, _MIN_SET_SIZE = 12, 6

# The amount by which the border must shrink, and then grow again, for a set to be noted.
_MIN_DIP = 3

# The limit on the steps by which sets are grown, for each node of the graph.
_STEPS_PER_NODE = 20


def find_small_cuts(neighbors: Neighbors, clock: Clock, seed: int = 0) -> list[list[int]]:
    """Return sets of nodes with small borders, of which any two are disjoint or nested.

    ``neighbors`` lists the neighbors of each node. Raises `OutOfTimeError`.

    >>> ring = [[(node - 1) % 20, (node + 1) % 20] for node in range(20)]
    >>> find_small_cuts(ring, Clock())
    []
    """
    random = Random(seed)
    node_keys = [random.getrandbits(62) for _ in neighbors]
    small_cuts: dict[int, _SmallCut] = {}  # by the hash of the set
    for prefers_latest in (True, False):
        is_covered = bytearray(len(neighbors))
        steps = 0
        for start in random.sample(range(len(neighbors)), len(neighbors)):
            if steps > _STEPS_PER_NODE * len(neighbors):
                break
            if is_covered[start]:
                continue
            clock.check()
            growth = _Growth(neighbors, node_keys, start, prefers_latest)
            covered = growth.order if growth.grow(small_cuts) else None
            steps += len(growth.order)
            sizes = [size for size in growth.dips() if size >= _MIN_SET_SIZE]
            for size in sizes:
                border = growth.borders[size - 1]
                if border <= _MAX_BORDER:
                    small_cut = _SmallCut(border, growth.order[:size])
                    small_cuts.setdefault(growth.hashes[size - 1], small_cut)
            # From these nodes no further set is grown: it would add little that is new.
            if sizes or covered is None:
                covered = growth.order[: sizes[0] if sizes else 1]
            for node in covered:
                is_covered[node] = True
    return _nested(small_cuts.values())


class _SmallCut(NamedTuple):
    """A set of nodes, in the order in which it grew, and the size of its border."""

    border: int
    nodes: list[int]


class _Growth:
    """A set of nodes that grows from a node.

    ``order`` has its nodes in the order in which they joined. For the set after each of these
    steps, ``borders`` has the size of the border, and ``hashes`` a Zobrist hash: the exclusive or
    of random keys of its nodes. Of nodes that would change the border equally, the one whose change
    was updated last joins first if ``prefers_latest``, and otherwise the one updated first.

    The change of a node, which tells how the border changes if it joins, is: its neighbors outside
    that have fewer than two visits, minus the visits to itself, which are at most two. The visits
    to a node outside are its neighbors inside.
    """

    def __init__(
        self, neighbors: Neighbors, node_keys: list[int], start: int, prefers_latest: bool
    ) -> None:
        self._neighbors, self._node_keys = neighbors, node_keys
        self._sign = -1 if prefers_latest else 1
        self._start = start
        self._inside: set[int] = set()
        # The number of neighbors inside, for each node that had any while it was outside.
        self._neighbors_inside: dict[int, int] = {}
        # By how much the border changes if it joins, for each node next to the set.
        self._changes = {start: len(neighbors[start])}
        self._queue: list[tuple[int, int, int]] = []
        self._pushed = 0
        self.order: list[int] = []
        self.borders: list[int] = []
        self.hashes: list[int] = []

    def grow(self, known: Container[int]) -> bool:
        """Grow to just over half of the nodes, or until the set's hash is among the known ones.

        Return whether it is.
        """
        node: int | None = self._start
        border = set_hash = 0
        while node is not None and len(self.order) <= len(self._neighbors) // 2:
            border += self._changes[node]
            set_hash ^= self._node_keys[node]
            self.order.append(node)
            self.borders.append(border)
            self.hashes.append(set_hash)
            if set_hash in known:
                return True
            self._add(node)
            node = self._next()
        return False

    def _add(self, node: int) -> None:
        """Add a node, and update by how much each neighboring node would change the border."""
        self._inside.add(node)
        visits_of_joined = self._neighbors_inside.get(node, 0)
        for other in self._neighbors[node]:
            if other in self._inside:
                continue
            visits_before = self._neighbors_inside.get(other, 0)
            self._neighbors_inside[other] = visits_before + 1
            if visits_before == 0:
                self._changes[other] = self._change_at_first_visit(other)
            else:
                if visits_before == 1:  # it now ends two visits, not one, and gets no third
                    self._reach_twice(other)
                # The joined node was one of its neighbors outside with fewer than two visits.
                if visits_of_joined < 2:
                    self._changes[other] -= 1
            self._push(other)

    def _change_at_first_visit(self, node: int) -> int:
        """Return the change of a node outside that has one visit."""
        outside = [other for other in self._neighbors[node] if other not in self._inside]
        visited_twice = [each for each in outside if self._neighbors_inside.get(each, 0) >= 2]
        return len(outside) - len(visited_twice) - 1

    def _reach_twice(self, node: int) -> None:
        """Cap the visits to an outside node at two: its other neighbors add none when they join."""
        self._changes[node] -= 1
        for other in self._neighbors[node]:
            if other in self._changes and other not in self._inside:
                self._changes[other] -= 1
                self._push(other)

    def _push(self, node: int) -> None:
        """Put a node into the queue; its earlier entries there are out of date."""
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
        """Return the sizes at which the border had a local minimum of depth `_MIN_DIP` or more."""
        sizes = list[int]()
        lowest_index, highest_border = None, self.borders[0]
        for index, border in enumerate(self.borders):
            if lowest_index is None:
                highest_border = max(highest_border, border)
                if border <= highest_border - _MIN_DIP:
                    lowest_index = index
            elif border < self.borders[lowest_index]:
                lowest_index = index
            elif border >= self.borders[lowest_index] + _MIN_DIP:
                sizes.append(lowest_index + 1)
                lowest_index, highest_border = None, border
        if lowest_index is not None:
            sizes.append(lowest_index + 1)
        return sizes


def _nested(small_cuts: Iterable[_SmallCut]) -> list[list[int]]:
    """Return sets in the order of their borders, without those that cross an earlier set."""
    kept: list[list[int]] = []
    masks: list[int] = []  # the nodes of each set that is kept, as the bits of a number
    for small_cut in sorted(small_cuts, key=lambda cut: (cut.border, len(cut.nodes))):
        mask = 0
        for node in small_cut.nodes:
            mask |= 1 << node
        is_nested_or_disjoint = all((mask & other) in (0, mask, other) for other in masks)
        if is_nested_or_disjoint:
            masks.append(mask)
            kept.append(small_cut.nodes)
    return kept
