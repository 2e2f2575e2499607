"""Numbers for nodes: those that are close in a graph get close numbers."""

from __future__ import annotations

from random import Random

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import adjacency


def breadth_first_numbers(nodes: int, edges: Ints, seed: int = 0) -> Ints:
    """Return for each of ``nodes`` nodes the number at which a breadth-first search visits it.

    Numbers count from 0. ``edges`` are rows of two nodes. The search begins at a random node, and
    goes on from the lowest node that is not yet visited.

    A SAT solver takes variables in the order of their numbers as long as nothing distinguishes
    them. If the numbers of neighbors are far from each other it takes ten times as long. Its time
    has a heavy tail, so another start can find in a second what one did not find in a minute (C.
    Gomes, B. Selman, N. Crato, H. Kautz, Heavy-tailed phenomena in satisfiability, 2000).

    >>> breadth_first_numbers(4, np.array([[0, 3], [3, 1], [1, 2]]), seed=5).tolist()
    [3, 1, 0, 2]
    """
    neighbors = adjacency(edges)
    order, is_reached = list[int](), bytearray(nodes)
    for root in (Random(seed).randrange(nodes), *range(nodes)):
        if is_reached[root]:
            continue
        is_reached[root] = True
        queue = [root]
        for node in queue:  # which grows meanwhile
            for neighbor in neighbors.get(node, ()):
                if not is_reached[neighbor]:
                    is_reached[neighbor] = True
                    queue.append(neighbor)
        order += queue
    numbers = np.empty(nodes, dtype=np.int64)
    numbers[order] = np.arange(nodes)
    return numbers
