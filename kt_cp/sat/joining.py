"""Join the cycles of a 2-factor by exchanges of two edges, before the remaining cycles are cut.

Two cycles become one if an edge of each can be replaced by two edges between them (R. Karp, A
patching algorithm for the nonsymmetric traveling-salesman problem, 1979). A solver that adds cuts
needs far fewer rounds if it cuts only cycles that cannot be joined.

`kt_cp.sat.cycle_cover.CycleCover` does the same for a board of a million squares at once. The plain
lists here are faster for the thousands of solutions, of some thousand nodes each, of a SAT solver,
and do not mind a node with a thousand neighbors.
"""

from __future__ import annotations

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.sat.edges import EdgeGraph, cycle_neighbors


class CycleJoiner:
    """Joins the cycles of 2-factors of a graph; edges that are required stay.

    ``neighbors`` lists the neighbors of each node.
    """

    def __init__(self, graph: EdgeGraph) -> None:
        self._nodes = graph.nodes
        self.neighbors: list[list[int]] = [[] for _ in range(graph.nodes)]
        for low, high in graph.edges.tolist():
            self.neighbors[low].append(high)
            self.neighbors[high].append(low)
        self._adjacent = [set(neighbors) for neighbors in self.neighbors]
        self._required = {(low, high) for low, high in graph.edges[graph.required].tolist()}
        self._required |= {(high, low) for low, high in self._required}
        # A move that is required in either direction might be exchanged away.
        self._may_join = not graph.undirected_requirements()

    def joined(self, two_factor: Ints) -> Cycles:
        """Return the cycles of a 2-factor (rows of two nodes), joined as far as possible."""
        cycles = Cycles(cycle_neighbors(self._nodes, two_factor))
        while self._may_join and len(cycles.sizes) > 1 and self._join_once(cycles):
            cycles.renumber()
        return cycles

    def _join_once(self, cycles: Cycles) -> bool:
        """Join cycles in pairs, each at most once; return whether any were joined."""
        largest = max(range(len(cycles.sizes)), key=cycles.sizes.__getitem__)
        members: list[list[int]] = [[] for _ in cycles.sizes]
        for node, label in enumerate(cycles.labels):
            if label != largest:
                members[label].append(node)
        changed: set[int] = set()
        for label in sorted(range(len(cycles.sizes)), key=cycles.sizes.__getitem__):
            if label in changed or label == largest:
                continue
            exchange = self._find_exchange(cycles, members[label], changed)
            if exchange is not None:
                a, b, c, d = exchange
                changed |= {label, cycles.labels[c]}
                cycles.exchange(a, b, c, d)
        return bool(changed)

    def _find_exchange(
        self, cycles: Cycles, members: list[int], changed: set[int]
    ) -> tuple[int, int, int, int] | None:
        """Return nodes a, b, c, d: the edges a-b and c-d can be replaced by a-d and b-c.

        The edge a-b is of the cycle of the members, and c-d of another that is not yet changed.
        """
        labels, label = cycles.labels, cycles.labels[members[0]]
        for a in members:
            for b in (cycles.after[a], cycles.before[a]):
                if (a, b) in self._required:
                    continue
                for d in self.neighbors[a]:
                    if labels[d] == label or labels[d] in changed:
                        continue
                    for c in (cycles.after[d], cycles.before[d]):
                        if c in self._adjacent[b] and (c, d) not in self._required:
                            return a, b, c, d
        return None


class Cycles:
    """Cycles through all nodes: for each node the nodes ``after`` and ``before`` it.

    ``labels`` holds the number of the cycle of each node, ``sizes`` the number of nodes of each
    cycle.
    """

    def __init__(self, neighbors: Ints) -> None:
        """Begin with the two neighbors of each node on its cycle, as rows."""
        one, other = neighbors.T.tolist()
        self.after, self.before = [-1] * len(one), [-1] * len(one)
        for first in range(len(one)):
            previous, node = other[first], first
            while self.after[node] < 0:
                following = one[node] if one[node] != previous else other[node]
                self.after[node], self.before[node] = following, previous
                previous, node = node, following
        self.renumber()

    def renumber(self) -> None:
        """Number the cycles."""
        self.labels, self.sizes = [-1] * len(self.after), list[int]()
        for first in range(len(self.after)):
            node, size = first, 0
            while self.labels[node] < 0:
                self.labels[node] = len(self.sizes)
                size += 1
                node = self.after[node]
            if size:
                self.sizes.append(size)

    def exchange(self, a: int, b: int, c: int, d: int) -> None:
        """Replace the edges a-b and c-d of two cycles by a-d and b-c; the labels stay."""
        if self.after[a] != b:
            self._reverse(a)
        if self.after[c] != d:
            self._reverse(c)
        self.after[a], self.before[d] = d, a
        self.after[c], self.before[b] = b, c

    def _reverse(self, first: int) -> None:
        """Reverse the cycle of a node."""
        node = first
        while True:
            following = self.after[node]
            self.after[node], self.before[node] = self.before[node], following
            node = following
            if node == first:
                return

    def order(self) -> Ints:
        """Return the nodes of the cycle of node 0 in order."""
        order = [0]
        while (node := self.after[order[-1]]) != 0:
            order.append(node)
        return np.array(order)
