"""Separations: parts of a graph that each of its Hamiltonian cycles passes in one piece.

Where two edges separate a graph, a Hamiltonian cycle uses both; where two nodes do, it passes the
nodes on either side in one piece. So each side is solved by itself, as a graph with one more node,
which stands for the other side and has two neighbors.

Separations are found by sampling the cycle space (D. Pritchard, R. Thurimella, Fast computation of
small cuts via cycle space sampling, 2011): edges get random keys such that the keys of all edges
across the border of a set of nodes cancel, which means that their exclusive or is 0. The key of a
set of edges is the exclusive or of their keys. So two edges separate the graph if they have the
same key; and two nodes do if a set of edges at the one has the same key as a set at the other.
Other keys agree only by chance, and each separation is verified before it is used.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints, Mask, is_among
from kt_cp.graph_algorithms import adjacency, component_labels
from kt_cp.problem.clock import Clock
from kt_cp.sat.edges import EdgeGraph

SMALLEST_SIDE = 20
"""The fewest edges on a side: the separation of a smaller one costs more than it saves."""

# How many divisions of a part are compared. The most balanced one is used.
_MAX_COMPARED = 8

# The work for a division by edges, and for one by nodes: each separation that is tried goes through
# all edges of the part. Where there are many separations, most cut off small sides.
_MAX_EDGES_TRIED = 2**20

# The most nodes with sets of edges of the same key that are paired, as each pair separates a part.
_MAX_NODES_OF_KEY = 16

# The most sets of edges of one node each whose keys are listed, for one part.
_MAX_SETS = 2**21


@dataclass(frozen=True, eq=False)
class Part:
    """A graph whose Hamiltonian cycle is asked for: rows of two nodes, and the keys of the edges.

    The nodes have any numbers.
    """

    edges: Ints
    keys: Ints

    @classmethod
    def of(cls, edges: Ints, rng: np.random.Generator) -> Part | None:
        """Return a part with random keys, or None if the graph is not connected.

        ``edges`` has nodes that are numbered from 0. An edge outside a spanning tree gets a random
        key, and an edge of the tree the key that makes those of the edges below it cancel.
        """
        around = defaultdict[int, list[tuple[int, int]]](list)
        for edge, (low, high) in enumerate(edges.tolist()):
            around[low].append((high, edge))
            around[high].append((low, edge))
        root = int(edges[0, 0])
        above = {root: (root, -1)}  # for each node the one above it in the tree, and their edge
        reached = [root]
        for node in reached:  # the list grows in the loop
            for neighbor, edge in around[node]:
                if neighbor not in above:
                    above[neighbor] = node, edge
                    reached.append(neighbor)
        if len(reached) < len(around):
            return None
        keys = rng.integers(1, 2**63 - 1, len(edges))
        keys[[above[node][1] for node in reached[1:]]] = 0
        # For each node the exclusive or of the keys at it so far, which the edge above it has to
        # cancel.
        key_at = np.zeros(edges.max() + 1, dtype=np.int64)
        for ends in edges.T:
            np.bitwise_xor.at(key_at, ends, keys)
        open_keys = key_at.tolist()
        for node in reversed(reached[1:]):
            parent, edge = above[node]
            keys[edge] = open_keys[node]
            open_keys[parent] ^= open_keys[node]
        return cls(edges, keys)


@dataclass(frozen=True, eq=False)
class _Piece:
    """A path that every Hamiltonian cycle contains: a cycle of ``part`` without some nodes.

    The node ``elsewhere`` stands for all nodes outside the part. The path begins after it, with
    ``entry``. Both nodes of a separation belong to both sides; ``left_out`` has them for the side
    whose path omits them.
    """

    part: Part
    elsewhere: int
    entry: int
    left_out: tuple[int, ...] = ()

    def path(self, cycle: list[int]) -> list[int]:
        """Return the path, given a Hamiltonian cycle of the part."""
        place = cycle.index(self.elsewhere)
        path = cycle[place + 1 :] + cycle[:place]
        if path[0] != self.entry:
            path.reverse()
        return [node for node in path if node not in self.left_out]


_Passage = list["_Piece | int"]
"""What a Hamiltonian cycle passes one after the other: pieces, and single nodes."""


class Separations:
    """The parts into which separations of two edges or two nodes divide a graph.

    ``parts`` are those for which no further division was found: the whole graph if none was. There
    are no parts if the graph is not connected. Of nodes of degree 2 in a row, one is kept. Raises
    `OutOfTimeError`.

    >>> from kt_cp.problem.instance import Instance
    >>> from kt_cp.sat.edges import edge_graph
    >>> two_grids = [(a, a + 6) for a in range(12)] + [(a, a + 1) for a in range(17) if a % 6 < 5]
    >>> two_grids += [(a + 18, b + 18) for a, b in two_grids] + [(0, 18), (5, 23)]
    >>> whole = edge_graph(Instance.of(two_grids, closed=True))
    >>> [len(part.edges) for part in Separations(whole, Clock()).parts]
    [29, 29]
    """

    def __init__(self, graph: EdgeGraph, clock: Clock, seed: int = 0) -> None:
        self._node_count = self._next_node = graph.nodes
        self._clock, self._rng = clock, np.random.default_rng(seed)
        edges = self._with_required_edges_divided(graph)
        self._chains = _chains(edges)
        self._whole = Part.of(_with_chains_shortened(edges), self._rng)
        self._divided: list[tuple[Part, _Passage]] = []
        self.parts: list[Part] = []
        if self._whole is not None:
            self._divide(self._whole)

    def _with_required_edges_divided(self, graph: EdgeGraph) -> Ints:
        """Return the edges; a new node on each required edge makes sure that it is used."""
        degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
        is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
        divided = graph.edges[is_divided]
        new = self._next_node + np.arange(len(divided))
        self._next_node += len(divided)
        halves = [np.stack([ends, new], axis=1) for ends in divided.T]
        return np.concatenate([graph.edges[~is_divided], *halves])

    def _divide(self, whole: Part) -> None:
        """Divide a part, and what it is divided into, until no further division is found."""
        undivided = [whole]
        while undivided:
            self._clock.check()
            part = undivided.pop()
            pieces = self._best_division(part)
            if pieces is None:
                self.parts.append(part)
            else:
                self._divided.append((part, pieces))
                undivided += [piece.part for piece in pieces if isinstance(piece, _Piece)]

    def cycle(self, cycles: Mapping[Part, list[int]]) -> Ints:
        """Return a Hamiltonian cycle of the graph, given one for each of the parts."""
        known = dict(cycles)
        for part, pieces in reversed(self._divided):
            cycle = list[int]()
            for piece in pieces:
                if isinstance(piece, _Piece):
                    cycle += piece.path(known[piece.part])
                else:
                    cycle.append(piece)
            known[part] = cycle
        assert self._whole is not None
        shortened = known[self._whole]
        with_chains = list[int]()
        for before, node in itertools.pairwise([shortened[-1], *shortened]):
            with_chains += self._chains[node][before] if node in self._chains else [node]
        return np.array([node for node in with_chains if node < self._node_count])

    def _best_division(self, part: Part) -> _Passage | None:
        """Return the pieces of the most balanced of some divisions, or None if none is found."""
        # An edge with the key 0 is a bridge: there is no Hamiltonian cycle, as the search of the
        # part will find.
        if (part.keys == 0).any():
            return None
        divisions = _Divisions(part, self._next_node)
        most_tried = max(_MAX_COMPARED, _MAX_EDGES_TRIED // len(part.edges))
        found = list[_Passage]()
        for pieces in divisions.sample(self._rng, most_tried):
            self._clock.check()
            if pieces is not None and _is_worth_it(part, pieces):
                found.append(pieces)
            if len(found) == _MAX_COMPARED:
                break
        self._next_node = divisions.next_node
        return max(found, key=_size_of_division, default=None)


def _is_worth_it(part: Part, pieces: _Passage) -> bool:
    """Return whether two pieces have enough edges, and every piece has fewer than the part.

    Each piece has two new edges: beside a side of two edges, the other would be as large as before.
    """
    return _size_of_division(pieces) >= SMALLEST_SIDE and _sizes(pieces)[-1] < len(part.edges)


def _size_of_division(pieces: _Passage) -> int:
    """Return the number of edges of the second-largest piece, or 0 if only one has edges."""
    sizes = _sizes(pieces)
    return sizes[-2] if len(sizes) >= 2 else 0


def _sizes(pieces: _Passage) -> list[int]:
    """Return the numbers of edges of pieces, in ascending order."""
    return sorted(len(piece.part.edges) for piece in pieces if isinstance(piece, _Piece))


def _chains(edges: Ints) -> dict[int, dict[int, list[int]]]:
    """Map the lowest node of each chain to the chain in both directions.

    A chain is a path of at least two nodes of degree 2. Each of its directions is mapped by the
    node before it. A graph that is a cycle has no chain.
    """
    neighbors = adjacency(edges)
    chains: dict[int, dict[int, list[int]]] = {}
    for first, others in neighbors.items():
        if len(others) != 2:
            continue
        for before in others:
            if len(neighbors[before]) == 2:
                continue
            chain = _chain_from(first, before, neighbors)
            if len(chain) > 1:
                chains.setdefault(min(chain), {})[before] = chain
    return chains


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


def _with_chains_shortened(edges: Ints) -> Ints:
    """Return the edges of the graph in which only the lowest node of each chain is left."""
    degrees = np.bincount(edges.ravel())
    is_inside = (degrees[edges] == 2).all(axis=1)
    if is_inside.all():
        return edges
    return np.asarray(component_labels(len(degrees), edges[is_inside])[edges[~is_inside]])


class _Divisions:
    """The ways to divide a part, each as the pieces that a Hamiltonian cycle passes in turn.

    New nodes are numbered from ``next_node``.
    """

    def __init__(self, part: Part, next_node: int) -> None:
        self.part, self.next_node = part, next_node
        self._node_numbers, ends = np.unique(part.edges, return_inverse=True)
        self._edges: Ints = ends.reshape(-1, 2)  # with nodes numbered from 0
        self._degrees = np.bincount(self._edges.ravel())

    def sample(self, rng: np.random.Generator, most: int) -> Iterator[_Passage | None]:
        """Yield the division at each of some separations, or None if there is none.

        At most ``most`` separations by edges are chosen at random, and then as many by nodes.
        """
        for key in rng.permutation(self._keys_of_edge_classes())[:most]:
            yield self._divide_at_edges(self.part.keys == key)
        for one, other in rng.permutation(self._node_pairs(rng))[:most].tolist():
            yield self._divide_at_nodes(one, other)

    # -- two edges --------------------------------------------------------------------------------

    def _keys_of_edge_classes(self) -> Ints:
        """Return the keys shared by several edges, a class. Any two of them separate the graph.

        Without its n edges, a class leaves n components. Those that are a single node are the nodes
        of degree 2 at these edges. Classes are left out unless two components are larger.
        """
        keys, classes, sizes = np.unique(self.part.keys, return_inverse=True, return_counts=True)
        # Some edge at each node. At a node of degree 2, both are in the same class.
        edge_at = np.empty(len(self._node_numbers), dtype=np.int64)
        for ends in self._edges.T:
            edge_at[ends] = np.arange(len(self._edges))
        singles = np.bincount(classes[edge_at[self._degrees == 2]], minlength=len(keys))
        return np.asarray(keys[sizes - singles >= 2])

    def _divide_at_edges(self, in_class: Mask) -> _Passage | None:
        """Return the pieces between consecutive edges of a class, in cyclic order.

        Returns None if the edges do not lie on a common cycle.
        """
        labels = component_labels(len(self._node_numbers), self._edges[~in_class])
        ways = _ways_through(self._edges[in_class].tolist(), labels.tolist())
        if ways is None:
            return None
        pieces = _Passage()
        for entry, way_out in ways:
            is_inside = ~in_class & (labels[self._edges[:, 0]] == labels[entry])
            piece = self._piece(is_inside, entry, way_out)
            if piece is None:
                return None
            pieces.append(piece)
        return pieces

    # -- two nodes --------------------------------------------------------------------------------

    def _node_pairs(self, rng: np.random.Generator) -> Ints:
        """Return rows of two nodes that separate the graph, where no two edges do.

        They do if a set of edges at the one has the same key as a set at the other. At least one of
        the sets has several edges: an edge alone has the same key at both of its ends.
        """
        nodes, keys = self._sets_of_edges()
        edge_keys = self.part.keys
        shared = _shared_keys(keys, edge_keys)
        nodes_by_key = defaultdict[int, set[int]](set)
        is_shared = is_among(keys, shared)
        for key, node in zip(keys[is_shared].tolist(), nodes[is_shared].tolist(), strict=True):
            nodes_by_key[key].add(node)
        is_shared = is_among(edge_keys, shared)
        edges = self._edges[is_shared].tolist()
        for key, ends in zip(edge_keys[is_shared].tolist(), edges, strict=True):
            nodes_by_key[key].update(ends)
        pairs = set[tuple[int, int]]()
        for with_key in nodes_by_key.values():
            chosen = rng.permutation(sorted(with_key))[:_MAX_NODES_OF_KEY]
            pairs.update(itertools.combinations(sorted(chosen.tolist()), 2))
        return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)

    def _sets_of_edges(self) -> tuple[Ints, Ints]:
        """Return sets of edges at one node: at least two edges, leaving out at least two.

        The first array has the node of each set, and the second its key. Of a set and its
        complement, which have the same key, one is returned. Nodes of high degree may be left out.
        """
        ends = self._edges.T.ravel()
        in_order = np.argsort(ends, kind="stable")
        keys = np.tile(self.part.keys, 2)[in_order]
        first = np.cumsum(self._degrees) - self._degrees
        all_owners: list[Ints] = [np.empty(0, dtype=np.int64)]
        all_keys: list[Ints] = [np.empty(0, dtype=np.int64)]
        count = 0
        for degree in np.unique(self._degrees[self._degrees > 3]).tolist():
            nodes = np.flatnonzero(self._degrees == degree)
            count += len(nodes) << (degree - 1)
            if count > _MAX_SETS:
                break
            edges = first[nodes, None] + np.arange(degree)
            sums, sizes = _keys_of_subsets(keys[edges])
            is_listed = (sizes >= 2) & (sizes <= degree - 2)
            all_owners.append(np.repeat(nodes, is_listed.sum()))
            all_keys.append(sums[:, is_listed].ravel())
        return np.concatenate(all_owners), np.concatenate(all_keys)

    def _divide_at_nodes(self, one: int, other: int) -> _Passage | None:
        """Return the two pieces that two nodes separate; None unless they leave just two sides."""
        ends_at_pair = (self._edges == one) | (self._edges == other)
        is_at_pair = ends_at_pair.any(axis=1)
        labels = component_labels(len(self._node_numbers), self._edges[~is_at_pair])
        sides = np.unique(np.delete(labels, [one, other]))
        if len(sides) != 2:
            return None
        on_one_side, on_other_side = (
            ((labels[self._edges] == side) & ~ends_at_pair).any(axis=1) for side in sides
        )
        here = self._piece(on_one_side, one, other)
        there = self._piece(on_other_side, other, one, (one, other))
        if here is None or there is None:
            return None
        return [here, there]

    # -- pieces -----------------------------------------------------------------------------------

    def _piece(
        self, is_inside: Mask, entry: int, way_out: int, left_out: tuple[int, ...] = ()
    ) -> _Piece | int | None:
        """Return the piece with these edges, or its node if it is a single one.

        Returns None if a piece of several nodes would be entered and left at the same node.
        """
        if entry == way_out:
            return None if is_inside.any() else int(self._node_numbers[entry])
        elsewhere = self.next_node
        self.next_node += 1
        first, last = self._node_numbers[[entry, way_out]].tolist()
        edges, keys = self.part.edges[is_inside], self.part.keys[is_inside]
        new_keys = [
            np.bitwise_xor.reduce(keys[(edges == node).any(axis=1)]) for node in (first, last)
        ]
        part = Part(
            np.concatenate([edges, [[first, elsewhere], [last, elsewhere]]]),
            np.concatenate([keys, new_keys]),
        )
        left_out_numbers = tuple(self._node_numbers[list(left_out)].tolist())
        return _Piece(part, elsewhere, first, left_out_numbers)


def _shared_keys(set_keys: Ints, edge_keys: Ints) -> Ints:
    """Return, in ascending order, keys that several sets have, or a set and an edge.

    >>> _shared_keys(np.array([7, 3, 5, 7]), np.array([1, 3, 1])).tolist()
    [3, 7]
    """
    in_order = np.sort(set_keys)
    of_several_sets = in_order[1:][in_order[1:] == in_order[:-1]]
    of_edges = edge_keys[is_among(edge_keys, in_order)]
    return np.sort(np.concatenate([of_several_sets, of_edges]))


def _keys_of_subsets(keys: Ints) -> tuple[Ints, Ints]:
    """Return the key of each set of edges at some nodes, and the number of its edges.

    Each row of ``keys`` has the keys of the edges at one node; the key of a set is their exclusive
    or. The keys of sets are in rows of the same nodes, and their sizes are those of the columns.
    Sets with the last edge are left out, since they are the complements of others.

    >>> _keys_of_subsets(np.array([[1, 2, 4]]))
    (array([[0, 1, 2, 3]]), array([0, 1, 1, 2]))
    """
    sums: Ints = np.zeros((len(keys), 1), dtype=np.int64)
    sizes: Ints = np.zeros(1, dtype=np.int64)
    for edge in keys.T[:-1]:
        sums = np.concatenate([sums, sums ^ edge[:, None]], axis=1)
        sizes = np.concatenate([sizes, sizes + 1])
    return sums, sizes


def _ways_through(edges: list[list[int]], labels: list[int]) -> list[tuple[int, int]] | None:
    """Return the entry and the way out of each component that a cycle through some edges passes.

    The edges join components; ``labels`` has the component of each node. The components come in the
    order of the cycle, from the second end of the first edge. Returns None if the edges do not lie
    on a common cycle.
    """
    ends_in = defaultdict[int, list[tuple[int, int]]](list)  # (edge, side) by component
    for edge, pair in enumerate(edges):
        for side, node in enumerate(pair):
            ends_in[labels[node]].append((edge, side))
    ways = list[tuple[int, int]]()
    edge, side = 0, 1
    while not ways or edge != 0:
        entry = edges[edge][side]
        others = [end for end in ends_in[labels[entry]] if end != (edge, side)]
        if len(others) != 1:
            return None
        [(edge, side)] = others
        ways.append((entry, edges[edge][side]))
        side = 1 - side
    return ways if len(ways) == len(edges) else None
