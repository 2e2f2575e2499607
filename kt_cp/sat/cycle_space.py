"""Two edges, or two nodes, that separate a graph, found by random keys of the edges.

This samples the cycle space (D. Pritchard, R. Thurimella, Fast computation of small cuts via cycle
space sampling, 2011). Edges get random keys such that the keys of all edges across the border of a
set of nodes cancel, which means that their exclusive or is 0. The key of a set of edges is the
exclusive or of their keys. So two edges separate the graph if they have the same key; and two nodes
do if a set of edges at the one has the same key as a set at the other.

Other keys agree only by chance, so what is found is verified where it is used. In all functions
``edges`` are rows of two nodes, which are numbered from 0.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, is_among

# Of the nodes that share a key, at most this number are paired.
_MAX_NODES_OF_KEY = 16

# At most this number of sets of edges, each at one node, have their keys listed.
_MAX_SETS = 2**21


class _TreeEdge(NamedTuple):
    """An edge of a spanning tree, with its number, and a node with the parent that it joins."""

    node: int
    parent: int
    number: int


def random_keys(edges: Ints, rng: np.random.Generator) -> Ints | None:
    """Return a random key for each edge such that the keys of the edges at each node cancel.

    Returns None if the graph is not connected.

    >>> path_and_triangle = np.array([[0, 1], [1, 2], [2, 3], [1, 3]])
    >>> keys = random_keys(path_and_triangle, np.random.default_rng(0))
    >>> int(keys[0]), bool(keys[1] == keys[2] == keys[3])
    (0, True)
    """
    tree = _spanning_tree(edges)
    if len(tree) + 1 < len(np.unique(edges)):
        return None
    keys = rng.integers(1, 2**63 - 1, len(edges))
    keys[[edge.number for edge in tree]] = 0
    key_at_node: Ints = np.zeros(edges.max() + 1, dtype=np.int64)
    for ends in edges.T:
        np.bitwise_xor.at(key_at_node, ends, keys)
    # From the leaves to the root: the edge to the parent cancels the other edges at the node.
    to_cancel = key_at_node.tolist()
    for node, parent, number in reversed(tree):
        keys[number] = to_cancel[node]
        to_cancel[parent] ^= to_cancel[node]
    return keys


def _spanning_tree(edges: Ints) -> list[_TreeEdge]:
    """Return the edges of a spanning tree of a component, found by breadth-first search."""
    around = defaultdict[int, list[tuple[int, int]]](list)  # by node, (neighbor, number of edge)
    for number, (low, high) in enumerate(edges.tolist()):
        around[low].append((high, number))
        around[high].append((low, number))
    root = int(edges[0, 0])
    tree = list[_TreeEdge]()
    reached = [root]
    is_reached = {root}
    for node in reached:  # the list grows in the loop
        for neighbor, number in around[node]:
            if neighbor not in is_reached:
                is_reached.add(neighbor)
                reached.append(neighbor)
                tree.append(_TreeEdge(neighbor, node, number))
    return tree


def keys_of_separating_edges(edges: Ints, keys: Ints) -> Ints:
    """Return the keys of several edges each, any two of which separate the graph.

    Without n edges of the same key, n components are left. Those that are a single node are the
    nodes of degree 2 at these edges. Keys are left out unless two components are larger.

    >>> square = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
    >>> two_squares = np.concatenate([square, square + 4, [[0, 4], [2, 6]]])
    >>> keys = random_keys(two_squares, np.random.default_rng(0))
    >>> keys_of_separating_edges(two_squares, keys) == keys[-1:]
    array([ True])
    """
    distinct_keys, classes, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    degrees = np.bincount(edges.ravel())
    # At a node of degree 2 both edges have the same key, so that either tells the class.
    edge_at_node: Ints = np.zeros(len(degrees), dtype=np.int64)
    for ends in edges.T:
        edge_at_node[ends] = np.arange(len(edges))
    single_nodes = np.bincount(classes[edge_at_node[degrees == 2]], minlength=len(sizes))
    return np.asarray(distinct_keys[sizes - single_nodes >= 2])


def separating_nodes(edges: Ints, keys: Ints, rng: np.random.Generator) -> Ints:
    """Return rows of two nodes, ascending, that separate the graph.

    A set of edges at the one has the same key as a set at the other. At least one of the sets has
    several edges: two edges of the same key are `keys_of_separating_edges`. Where many nodes have
    sets of one key, some of the nodes are chosen at random.
    """
    pairs = set[tuple[int, int]]()
    for nodes in _nodes_by_shared_key(edges, keys).values():
        chosen = rng.permutation(sorted(nodes))[:_MAX_NODES_OF_KEY]
        pairs.update(itertools.combinations(sorted(chosen.tolist()), 2))
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _nodes_by_shared_key(edges: Ints, keys: Ints) -> dict[int, set[int]]:
    """Map each key that several sets of edges have, or a set and an edge, to the nodes of these."""
    nodes_of_sets, keys_of_sets = _sets_of_edges(edges, keys)
    shared = _shared_keys(keys_of_sets, keys)
    # An edge alone is a set at both of its ends.
    all_nodes = np.concatenate([nodes_of_sets, *edges.T])
    all_keys = np.concatenate([keys_of_sets, keys, keys])
    is_shared = is_among(all_keys, shared)
    nodes_by_key = defaultdict[int, set[int]](set)
    for key, node in zip(all_keys[is_shared].tolist(), all_nodes[is_shared].tolist(), strict=True):
        nodes_by_key[key].add(node)
    return nodes_by_key


def _shared_keys(keys_of_sets: Ints, keys: Ints) -> Ints:
    """Return, in ascending order, keys that several sets have, or a set and an edge.

    >>> _shared_keys(np.array([7, 3, 5, 7]), np.array([1, 3, 1])).tolist()
    [3, 7]
    """
    ascending = np.sort(keys_of_sets)
    of_several_sets = ascending[1:][ascending[1:] == ascending[:-1]]
    of_set_and_edge = keys[is_among(keys, ascending)]
    return np.sort(np.concatenate([of_several_sets, of_set_and_edge]))


def _sets_of_edges(edges: Ints, keys: Ints) -> tuple[Ints, Ints]:
    """Return sets of edges at one node: at least two edges, leaving out at least two.

    The first array has the node of each set, and the second its key. Of a set and its complement,
    which have the same key, one is returned. Nodes of high degree may be left out.
    """
    ends = edges.T.ravel()
    degrees = np.bincount(ends)
    # The keys at node 0, then those at node 1 and so on, and where those of each node begin.
    keys_by_node = np.tile(keys, 2)[np.argsort(ends, kind="stable")]
    starts = np.cumsum(degrees) - degrees
    all_nodes: list[Ints] = [np.empty(0, dtype=np.int64)]
    all_keys: list[Ints] = [np.empty(0, dtype=np.int64)]
    count = 0
    for degree in np.unique(degrees[degrees > 3]).tolist():
        nodes = np.flatnonzero(degrees == degree)
        count += len(nodes) * 2 ** (degree - 1)
        if count > _MAX_SETS:
            break
        keys_at_nodes = keys_by_node[starts[nodes, None] + np.arange(degree)]
        keys_of_subsets, sizes = _keys_of_subsets(keys_at_nodes)
        is_listed = (sizes >= 2) & (sizes <= degree - 2)
        all_nodes.append(np.repeat(nodes, np.count_nonzero(is_listed)))
        all_keys.append(keys_of_subsets[:, is_listed].ravel())
    return np.concatenate(all_nodes), np.concatenate(all_keys)


def _keys_of_subsets(keys: Ints) -> tuple[Ints, Ints]:
    """Return the key of each set of edges at some nodes, and the number of its edges.

    Each row of ``keys`` has the keys of the edges at one node. The keys of sets are in rows of the
    same nodes, and their sizes are those of the columns. Sets with the last edge are left out,
    since they are the complements of others.

    >>> _keys_of_subsets(np.array([[1, 2, 4]]))
    (array([[0, 1, 2, 3]]), array([0, 1, 1, 2]))
    """
    keys_of_subsets: Ints = np.zeros((len(keys), 1), dtype=np.int64)
    sizes: Ints = np.zeros(1, dtype=np.int64)
    for key in keys.T[:-1]:  # of one edge at each node: each set is continued without and with it
        keys_of_subsets = np.concatenate([keys_of_subsets, keys_of_subsets ^ key[:, None]], axis=1)
        sizes = np.concatenate([sizes, sizes + 1])
    return keys_of_subsets, sizes
