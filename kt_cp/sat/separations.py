"""Separations: parts of a graph that each of its Hamiltonian cycles passes in one piece.

Where two edges separate a graph, a Hamiltonian cycle uses both; where two nodes do, it passes the
nodes on either side in one piece. So each side is solved by itself, as a graph with one more node,
which stands for the other side and has two neighbors. `kt_cp.sat.cycle_space` finds such edges and
nodes.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph_algorithms import component_labels, divided_edges
from kt_cp.problem.task import Clock
from kt_cp.sat.chains import Chains
from kt_cp.sat.cycle_space import keys_of_separating_edges, random_keys, separating_nodes
from kt_cp.sat.edges import EdgeGraph

SMALLEST_SIDE = 20
"""The fewest edges on a side: the separation of a smaller one costs more than it saves."""

# How many divisions of a part are compared. The most balanced one is used.
_MAX_COMPARED = 8

# The work for a division by edges, and for one by nodes: each separation that is tried goes through
# all edges of the part. Where there are many separations, most cut off small sides.
_MAX_EDGES_TRIED = 2**20


@dataclass(frozen=True, eq=False)
class Part:
    """A graph whose Hamiltonian cycle is asked for.

    ``edges`` are rows of two nodes, which have any numbers, and ``keys`` their keys, by which
    `kt_cp.sat.cycle_space` finds separations.
    """

    edges: Ints
    keys: Ints

    @cached_property
    def nodes(self) -> Ints:
        """The numbers of the nodes, ascending."""
        return np.unique(self.edges)

    @cached_property
    def indexed_edges(self) -> Ints:
        """The edges as rows of two indices into ``nodes``."""
        return np.searchsorted(self.nodes, self.edges)


@dataclass(frozen=True, eq=False)
class _Piece:
    """A path that every Hamiltonian cycle passes in one piece.

    It is a Hamiltonian cycle of ``part`` without the node ``elsewhere``, which stands for all nodes
    outside the part, and without the nodes ``left_out``. The path begins after ``elsewhere``, with
    ``entry``. Both nodes of a separation belong to both sides, so one of the sides leaves them out.
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


@dataclass(frozen=True)
class _Division:
    """The division of a part into pieces and single nodes, given by their numbers.

    The ``sections`` are in the order in which every Hamiltonian cycle of the part passes them.
    """

    sections: tuple[_Piece | int, ...]

    @property
    def pieces(self) -> list[_Piece]:
        """The sections that are not single nodes."""
        return [section for section in self.sections if isinstance(section, _Piece)]

    @property
    def sizes(self) -> list[int]:
        """The numbers of edges of the pieces, in ascending order."""
        return sorted(len(piece.part.edges) for piece in self.pieces)

    @property
    def size_of_second_largest(self) -> int:
        """The number of edges of the second-largest piece, or 0 if there is only one."""
        return self.sizes[-2] if len(self.sizes) >= 2 else 0

    def is_worth_it(self, part: Part) -> bool:
        """Return whether two pieces have enough edges, and every piece has fewer than the part.

        Each piece has two new edges: beside a side of two edges, the other would be as large as
        the part.
        """
        return self.size_of_second_largest >= SMALLEST_SIDE and self.sizes[-1] < len(part.edges)

    def cycle(self, cycles: Mapping[Part, list[int]]) -> list[int]:
        """Return a Hamiltonian cycle of the part that is divided, given one for each piece."""
        cycle = list[int]()
        for section in self.sections:
            if isinstance(section, _Piece):
                cycle += section.path(cycles[section.part])
            else:
                cycle.append(section)
        return cycle


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
        self._node_count = graph.nodes
        self._new_nodes = itertools.count(graph.nodes)  # the numbers of nodes that are added
        self._clock, self._rng = clock, np.random.default_rng(seed)
        self._chains = Chains(self._with_required_edges_divided(graph))
        edges = self._chains.shortened
        self._divided: list[tuple[Part, _Division]] = []
        self.parts: list[Part] = []
        keys = random_keys(edges, self._rng)
        if keys is not None:
            self._whole = Part(edges, keys)
            self._divide(self._whole)

    def _with_required_edges_divided(self, graph: EdgeGraph) -> Ints:
        """Return the edges; a new node on each required edge makes sure that it is used."""
        degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
        is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
        new = [next(self._new_nodes) for _ in range(np.count_nonzero(is_divided))]
        return divided_edges(graph.edges, is_divided, np.array(new, dtype=np.int64))

    def _divide(self, whole: Part) -> None:
        """Divide a part, and what it is divided into, until no further division is found."""
        undivided = [whole]
        while undivided:
            self._clock.check()
            part = undivided.pop()
            division = self._best_division(part)
            if division is None:
                self.parts.append(part)
            else:
                self._divided.append((part, division))
                undivided += [piece.part for piece in division.pieces]

    def cycle(self, cycles: Mapping[Part, list[int]]) -> Ints:
        """Return a Hamiltonian cycle of the graph, given one for each of its ``parts``."""
        known = dict(cycles)
        for part, division in reversed(self._divided):
            known[part] = division.cycle(known)
        expanded = self._chains.expanded(known[self._whole])
        return np.array([node for node in expanded if node < self._node_count])

    def _best_division(self, part: Part) -> _Division | None:
        """Return the most balanced of some divisions of a part, or None if none is found."""
        # An edge with the key 0 is a bridge: there is no Hamiltonian cycle, as the search of the
        # part will find.
        if (part.keys == 0).any():
            return None
        found = list[_Division]()
        for division in self._sample_of_divisions(part):
            self._clock.check()
            if division is not None and division.is_worth_it(part):
                found.append(division)
            if len(found) == _MAX_COMPARED:
                break
        return max(found, key=lambda division: division.size_of_second_largest, default=None)

    def _sample_of_divisions(self, part: Part) -> Iterator[_Division | None]:
        """Yield the division at each of some separations, or None where there is none.

        Some separations by edges are chosen at random, and then as many by nodes at most.
        """
        edges, keys = part.indexed_edges, part.keys
        most = max(_MAX_COMPARED, _MAX_EDGES_TRIED // len(edges))
        for key in self._rng.permutation(keys_of_separating_edges(edges, keys))[:most]:
            yield self._division_at_edges(part, keys == key)
        for pair in self._rng.permutation(separating_nodes(edges, keys, self._rng))[:most].tolist():
            yield self._division_at_nodes(part, *pair)

    def _division_at_edges(self, part: Part, is_separating: Mask) -> _Division | None:
        """Return the division at some edges, any two of which separate the part.

        Returns None if they do not lie on a common cycle, or if a component that they leave has
        several nodes and would be entered and left at the same one.
        """
        edges = part.indexed_edges
        labels = component_labels(len(part.nodes), edges[~is_separating])
        crossings = _crossings(edges[is_separating].tolist(), labels.tolist())
        if crossings is None:
            return None
        sections = list[_Piece | int]()
        for entry, way_out in crossings:
            is_inside = ~is_separating & (labels[edges[:, 0]] == labels[entry])
            if entry != way_out:
                sections.append(self._piece(part, is_inside, entry, way_out))
            elif not is_inside.any():
                sections.append(int(part.nodes[entry]))
            else:
                return None
        return _Division(tuple(sections))

    def _division_at_nodes(self, part: Part, one: int, other: int) -> _Division | None:
        """Return the two pieces that two nodes separate; None unless they leave just two sides.

        The nodes are given as indices into those of the part.
        """
        edges = part.indexed_edges
        ends_at_pair = (edges == one) | (edges == other)
        labels = component_labels(len(part.nodes), edges[~ends_at_pair.any(axis=1)])
        sides = np.unique(np.delete(labels, [one, other]))
        if len(sides) != 2:
            return None
        on_one_side, on_other_side = (
            ((labels[edges] == side) & ~ends_at_pair).any(axis=1) for side in sides
        )
        pair = int(part.nodes[one]), int(part.nodes[other])
        here = self._piece(part, on_one_side, one, other)
        there = self._piece(part, on_other_side, other, one, left_out=pair)
        return _Division((here, there))

    def _piece(
        self,
        part: Part,
        is_inside: Mask,
        entry: int,
        way_out: int,
        left_out: tuple[int, ...] = (),
    ) -> _Piece:
        """Return the piece with some edges of a part, and a new node for everything elsewhere.

        The path of the piece begins at ``entry`` and ends at ``way_out``, which are indices into
        the nodes of the part. ``left_out`` has numbers of nodes.
        """
        elsewhere = next(self._new_nodes)
        first, last = int(part.nodes[entry]), int(part.nodes[way_out])
        edges, keys = part.edges[is_inside], part.keys[is_inside]
        # The keys of all edges at a node cancel.
        new_keys = [
            np.bitwise_xor.reduce(keys[(edges == node).any(axis=1)]) for node in (first, last)
        ]
        new_edges = [[first, elsewhere], [last, elsewhere]]
        part_of_piece = Part(np.concatenate([edges, new_edges]), np.concatenate([keys, new_keys]))
        return _Piece(part_of_piece, elsewhere, first, left_out)


class _Crossing(NamedTuple):
    """How a cycle crosses a component: the first and the last of its nodes there."""

    entry: int
    way_out: int


def _crossings(edges: list[list[int]], labels: list[int]) -> list[_Crossing] | None:
    """Return how a cycle through some edges crosses the components that the edges join.

    ``labels`` has the component of each node. The components come in the order of the cycle, from
    the second end of the first edge. Returns None if the edges do not lie on a common cycle.

    >>> _crossings([[0, 2], [3, 1]], [0, 0, 2, 2])
    [_Crossing(entry=2, way_out=3), _Crossing(entry=1, way_out=0)]
    """
    ends_in = defaultdict[int, list[tuple[int, int]]](list)  # (edge, side) by component
    for edge, pair in enumerate(edges):
        for side, node in enumerate(pair):
            ends_in[labels[node]].append((edge, side))
    crossings = list[_Crossing]()
    edge, side = 0, 1
    while not crossings or edge != 0:
        entry = edges[edge][side]
        others = [end for end in ends_in[labels[entry]] if end != (edge, side)]
        if len(others) != 1:
            return None
        [(edge, side)] = others
        crossings.append(_Crossing(entry, edges[edge][side]))
        side = 1 - side  # the cycle goes on along the edge to its other end
    return crossings if len(crossings) == len(edges) else None
