"""Chains: paths of nodes of degree 2, for each of which one node can stand."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import adjacency, component_labels


class Chains:
    """The chains of a graph, which its Hamiltonian cycles pass in one piece.

    A chain is a path of at least two nodes of degree 2, as long as possible; a graph that is a
    cycle has none. ``shortened`` are the edges of the graph in which only the lowest node of each
    chain is left.

    >>> chains = Chains(np.array([[0, 1], [1, 2], [2, 3], [0, 3], [3, 4], [4, 0]]))
    >>> chains.shortened.tolist()
    [[0, 1], [1, 3], [0, 3], [3, 4], [4, 0]]
    >>> chains.expanded([0, 1, 3, 4])
    [0, 1, 2, 3, 4]
    """

    def __init__(self, edges: Ints) -> None:
        """Find the chains of a graph, given its edges as rows of two nodes."""
        self.shortened = _without_chains(edges)
        # For the lowest node of each chain both directions of the chain, by the node before it.
        self._directions: dict[int, dict[int, list[int]]] = {}
        neighbors = adjacency(edges)
        for first, around in neighbors.items():
            if len(around) != 2:
                continue
            for before in around:
                if len(neighbors[before]) == 2:
                    continue  # the chain does not begin with this node
                chain = _chain_from(first, before, neighbors)
                if len(chain) > 1:
                    self._directions.setdefault(min(chain), {})[before] = chain

    def expanded(self, cycle: Sequence[int]) -> list[int]:
        """Return a Hamiltonian cycle of the graph, given one of the graph with shortened chains."""
        expanded = list[int]()
        for before, node in itertools.pairwise([cycle[-1], *cycle]):
            if node in self._directions:
                expanded += self._directions[node][before]
            else:
                expanded.append(node)
        return expanded


def _chain_from(first: int, before: int, neighbors: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the nodes of degree 2 from the ``first`` one on, away from the node before it."""
    chain = [first]
    last = before
    while True:
        [following] = [node for node in neighbors[chain[-1]] if node != last]
        if len(neighbors[following]) != 2:
            return chain
        last = chain[-1]
        chain.append(following)


def _without_chains(edges: Ints) -> Ints:
    """Return the edges of the graph in which only the lowest node of each chain is left."""
    degrees = np.bincount(edges.ravel())
    is_in_chain = (degrees[edges] == 2).all(axis=1)
    if is_in_chain.all():  # a cycle
        return edges
    lowest_nodes = component_labels(len(degrees), edges[is_in_chain])
    return np.asarray(lowest_nodes[edges[~is_in_chain]])
