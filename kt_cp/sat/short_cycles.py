"""Directed cycles of a few arcs, which a model of tours can exclude from the beginning.

Graphs that were made of other problems consist of small pieces with many cycles inside. Without
these cycles the first solutions of a model fall into ten cycles where there had been a hundred.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.problem.task import Clock

_MAX_LENGTH = 8  # arcs of a short cycle
_MAX_DISTANCE = 4  # up to which the way back to the first node of a cycle is known

# There are too many cycles to list if there are more arcs for each node, on average, or if the
# search takes more steps for each node.
_ARCS_PER_NODE = 4
_STEPS_PER_NODE = 200


def find_short_cycles(arcs: Ints, nodes: int, clock: Clock) -> list[list[int]]:
    """Return cycles of up to eight arcs that do not visit all nodes, as lists of indices of arcs.

    ``arcs`` are different rows (from, to) of some of the ``nodes``. Where there are too many cycles
    to list, only those of two arcs are returned. Raises `OutOfTimeError`.

    >>> find_short_cycles(np.array([[0, 1], [1, 2], [2, 0], [2, 1], [2, 3]]), 4, Clock())
    [[0, 1, 2], [1, 3]]
    """
    if len(arcs) <= _ARCS_PER_NODE * nodes:
        cycles = _find_all(arcs, nodes, clock)
        if cycles is not None:
            return cycles
    if nodes == 2:  # two opposite arcs are a tour
        return []
    pairs: list[list[int]] = opposite_arcs(arcs, nodes).tolist()
    return pairs


def _find_all(arcs: Ints, nodes: int, clock: Clock) -> list[list[int]] | None:
    """Return all short cycles, or None if that would take too many steps."""
    heads = arcs[:, 1].tolist()
    leaving: list[list[int]] = [[] for _ in range(nodes)]
    before: list[list[int]] = [[] for _ in range(nodes)]
    for arc, (tail, head) in enumerate(arcs.tolist()):
        leaving[tail].append(arc)
        before[head].append(tail)
    max_length = min(_MAX_LENGTH, nodes - 1)
    cycles = list[list[int]]()
    steps = 0
    for root in range(nodes):  # the lowest node of a cycle
        clock.check()
        distances = _distances_to(root, before)
        paths = [(root, list[int]())]  # from the root: the last node, and the arcs
        while paths:
            node, path = paths.pop()
            steps += len(leaving[node])
            if steps > _STEPS_PER_NODE * nodes:
                return None
            on_path = {root, *(heads[arc] for arc in path)}
            arcs_left = max_length - len(path) - 1
            for arc in leaving[node]:
                head = heads[arc]
                if head == root and arcs_left >= 0:
                    cycles.append([*path, arc])
                if head < root or head in on_path:
                    continue
                if distances.get(head, _MAX_DISTANCE + 1) <= arcs_left:
                    paths.append((head, [*path, arc]))
    return cycles


def _distances_to(root: int, before: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the numbers of arcs from nodes to a root, by arcs between nodes above it.

    Distances above `_MAX_DISTANCE` are left out. ``before`` has the tails of the arcs to each node.
    """
    distances = {root: 0}
    layer = [root]
    for distance in range(1, _MAX_DISTANCE + 1):
        layer = [node for after in layer for node in before[after] if node > root]
        layer = [node for node in dict.fromkeys(layer) if node not in distances]
        distances |= dict.fromkeys(layer, distance)
    return distances


def opposite_arcs(arcs: Ints, nodes: int) -> Ints:
    """Return rows of two indices: of an arc, and of a later one in the opposite direction.

    ``arcs`` are different rows (from, to) of some of the ``nodes``.

    >>> opposite_arcs(np.array([[2, 0], [0, 1], [1, 2], [0, 2]]), 3).tolist()
    [[0, 3]]
    """
    keys, opposite_keys = arcs @ [nodes, 1], arcs @ [1, nodes]
    _, forth, back = np.intersect1d(keys, opposite_keys, assume_unique=True, return_indices=True)
    return np.stack([forth, back], axis=1)[forth < back]
