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

import itertools
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from random import Random

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
    keys = [random.getrandbits(62) for _ in neighbors]
    small_cuts: dict[int, tuple[int, list[int]]] = {}  # borders and nodes, by a hash of the set
    for prefers_latest in (True, False):
        is_covered = bytearray(len(neighbors))
        steps = 0
        for start in random.sample(range(len(neighbors)), len(neighbors)):
            if steps > _STEPS_PER_NODE * len(neighbors):
                break
            if is_covered[start]:
                continue
            clock.check()
            # The nodes in the order in which they join, and after each the border and a Zobrist
            # hash, the exclusive or of the keys of the nodes.
            order, borders, hashes = list[int](), list[int](), [0]
            for node, border in _growth(neighbors, start, prefers_latest):
                order.append(node)
                borders.append(border)
                hashes.append(hashes[-1] ^ keys[node])
                if hashes[-1] in small_cuts or len(order) > len(neighbors) // 2:
                    break
            is_known = hashes[-1] in small_cuts
            steps += len(order)
            sizes = [size for size in _dips(borders) if size >= _MIN_SET_SIZE]
            for size in sizes:
                if borders[size - 1] <= _MAX_BORDER:
                    small_cuts.setdefault(hashes[size], (borders[size - 1], order[:size]))
            # From these nodes no further set is grown: it would add little that is new.
            covered = sizes[0] if sizes else len(order) if is_known else 1
            for node in order[:covered]:
                is_covered[node] = True
    return _nested(small_cuts.values())


def _growth(neighbors: Neighbors, start: int, prefers_latest: bool) -> Iterator[tuple[int, int]]:
    """Yield the nodes of a growing set as they join, each with the border of the set so far.

    Of nodes that would change the border equally, the one whose change was updated last joins first
    if ``prefers_latest``, and otherwise the one updated first. The change of a node is: its
    neighbors outside that have fewer than two visits, minus the visits to itself, at most two. The
    visits to a node outside are its neighbors inside.
    """
    inside = set[int]()
    visits: dict[int, int] = {}  # of each node that had any while it was outside
    changes = {start: len(neighbors[start])}  # of each node next to the set
    queue = [(changes[start], 0, start)]  # entries of another change than now are out of date
    order = itertools.count(-1, -1) if prefers_latest else itertools.count(1)
    border = 0

    def change(node: int, amount: int) -> None:
        changes[node] += amount
        heappush(queue, (changes[node], next(order), node))

    while queue:
        value, _, node = heappop(queue)
        if node in inside or value != changes[node]:
            continue
        inside.add(node)
        border += value
        yield node, border
        was_open = visits.get(node, 0) < 2
        for other in neighbors[node]:
            if other in inside:
                continue
            before = visits.get(other, 0)
            visits[other] = before + 1
            if before == 0:
                outside = [far for far in neighbors[other] if far not in inside]
                changes[other] = -1
                change(other, sum(visits.get(far, 0) < 2 for far in outside))
                continue
            if before == 1:  # it now ends two visits, not one, and gets no third
                for far in neighbors[other]:
                    if far in changes and far not in inside:
                        change(far, -1)
            change(other, -was_open - (before == 1))


def _dips(borders: list[int]) -> list[int]:
    """Return the sizes at which the border had a local minimum of depth `_MIN_DIP` or more."""
    sizes = list[int]()
    lowest, highest_border = None, borders[0]
    for index, border in enumerate(borders):
        if lowest is None:
            highest_border = max(highest_border, border)
            if border <= highest_border - _MIN_DIP:
                lowest = index
        elif border < borders[lowest]:
            lowest = index
        elif border >= borders[lowest] + _MIN_DIP:
            sizes.append(lowest + 1)
            lowest, highest_border = None, border
    return sizes if lowest is None else [*sizes, lowest + 1]


def _nested(small_cuts: Iterable[tuple[int, list[int]]]) -> list[list[int]]:
    """Return sets in the order of their borders, without those that cross an earlier set."""
    kept: list[list[int]] = []
    masks: list[int] = []  # the nodes of each set that is kept, as the bits of a number
    for _, nodes in sorted(small_cuts, key=lambda cut: (cut[0], len(cut[1]))):
        mask = sum(1 << node for node in nodes)
        if all((mask & other) in (0, mask, other) for other in masks):
            masks.append(mask)
            kept.append(nodes)
    return kept
