"""Cycles that cover all nodes, and the exchanges of two edges that join them.

Two cycles become one when an edge a-b of the one and an edge c-d of the other make way for b-c and
a-d. This is patching (Karp 1979, A patching algorithm for the nonsymmetric traveling-salesman
problem), with undirected edges.
"""

from __future__ import annotations

import numpy as np

from kt_cp.board import Mask
from kt_cp.board.symmetry import Ints
from kt_cp.model.edges import EdgeGraph, cycles, mates
from kt_cp.problem.clock import Clock

# Nodes looked at together, so that arrays stay small.
_CHUNK = 2**16

# About how many seconds a round of exchanges takes for each node. It cannot be interrupted.
_SECONDS = 1e-6


class CycleCover:
    """Cycles through all nodes of a graph, which `join` makes fewer.

    ``mates`` holds the two nodes next to each, ``near`` in each row the nodes that an edge which is
    not required joins with it, and -1 where there are no more; the depot's row is empty. After
    `number`, ``order`` holds the nodes along one cycle after the other, ``place`` where each node
    is in it, ``label`` the number of its cycle, and ``sizes`` how many nodes a cycle has.
    """

    def __init__(self, graph: EdgeGraph, edges: Ints) -> None:
        """Begin with the edges of a 2-factor."""
        self.mates = mates(graph.nodes, edges)
        self.near = _near(graph)
        self.number()

    def number(self) -> None:
        """Number the nodes along the cycles."""
        found = cycles(self.mates)
        self.sizes = np.array([len(cycle) for cycle in found])
        self.order = np.concatenate(found)
        self.place = np.empty_like(self.order)
        self.place[self.order] = np.arange(len(self.order))
        self.label = np.empty_like(self.order)
        self.label[self.order] = np.repeat(np.arange(len(found)), self.sizes)

    def along(self, nodes: Ints, step: int) -> Ints:
        """Return the nodes so many places further along the cycles."""
        sizes = self.sizes[self.label[nodes]]
        first = (np.cumsum(self.sizes) - self.sizes)[self.label[nodes]]
        return np.asarray(self.order[first + (self.place[nodes] - first + step) % sizes])

    def joined(self, one: Ints, other: Ints) -> Mask:
        """Return for pairs of nodes whether an edge that is not required joins them."""
        there = (self.near[one] == other[:, None]).any(axis=1)
        back = (self.near[other] == one[:, None]).any(axis=1)
        return np.asarray(there | back)

    def replace(self, node: int, old: int, new: int) -> None:
        """Replace a neighbor of a node on its cycle."""
        self.mates[node, int(self.mates[node, 0] != old)] = new

    def join(self, rng: np.random.Generator, clock: Clock) -> None:
        """Exchange edges as long as that joins two cycles. Raises `OutOfTime`."""
        joined = True
        while joined and len(self.sizes) > 1:
            clock.check(_SECONDS * len(self.order))
            joined = False
            roots = list(range(len(self.sizes)))
            gone: set[tuple[int, int]] = set()
            for a, b, c, d in self._exchanges(rng).tolist():
                one, other = _root(roots, self.label[a]), _root(roots, self.label[c])
                edges = {(min(a, b), max(a, b)), (min(c, d), max(c, d))}
                if one != other and gone.isdisjoint(edges):
                    gone |= edges
                    roots[one] = other
                    for node, old, new in ((a, b, d), (b, a, c), (c, d, b), (d, c, a)):
                        self.replace(node, old, new)
                    joined = True
            self.number()

    def borders(self) -> Ints:
        """Return the nodes next to another cycle, without those of the largest cycle."""
        nodes = np.flatnonzero(self.label != self.sizes.argmax())
        others = self.near[nodes]
        across = (others >= 0) & (self.label[others] != self.label[nodes, None])
        return np.asarray(nodes[across.any(axis=1)])

    def _exchanges(self, rng: np.random.Generator) -> Ints:
        """Return exchanges a, b, c, d in random order, one for each pair of cycles that has any."""
        found = [np.empty((0, 4), dtype=np.int64)]
        small = np.flatnonzero(self.label != self.sizes.argmax())
        for first in range(0, len(small), _CHUNK):
            nodes = small[first : first + _CHUNK]
            others = self.near[nodes]
            across = (others >= 0) & (self.label[others] != self.label[nodes, None])
            rows, columns = np.nonzero(across)
            b, c = nodes[rows], others[rows, columns]
            for a, d in ((self.mates[b, i], self.mates[c, j]) for i in (0, 1) for j in (0, 1)):
                good = self.joined(a, d)
                good[good] = self.joined(a[good], b[good]) & self.joined(c[good], d[good])
                found.append(np.stack([a, b, c, d], axis=1)[good])
        exchanges = rng.permutation(np.concatenate(found))
        pairs = np.sort(self.label[exchanges[:, [0, 2]]], axis=1) @ [len(self.sizes), 1]
        return exchanges[np.sort(np.unique(pairs, return_index=True)[1])]


def _near(graph: EdgeGraph) -> Ints:
    free = graph.edges[~graph.required]
    tails, heads = np.concatenate([free, free[:, ::-1]]).T
    tails, heads = tails[tails != graph.depot], heads[tails != graph.depot]
    order = np.argsort(tails, kind="stable")
    tails, heads = tails[order], heads[order]
    degrees = np.bincount(tails, minlength=graph.nodes)
    near = np.full((graph.nodes, degrees.max(initial=0)), -1)
    near[tails, np.arange(len(tails)) - (np.cumsum(degrees) - degrees)[tails]] = heads
    return near


def _root(roots: list[int], label: int) -> int:
    """Return the cycle that a cycle has become a part of (union-find with path halving)."""
    while roots[label] != label:
        roots[label] = label = roots[roots[label]]
    return label
