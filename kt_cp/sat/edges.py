"""A tour as a set of undirected edges: two at every node, and all of them in one cycle.

The nodes are the squares, numbered as ``board.squares``. An open tour is a closed one through one
node more, the depot, which is joined to every square that can be an end of the tour. Where moves
have a direction each node is split into one that the tour leaves and one that it enters, with an
edge between the two that is always used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.board.symmetry import Ints
from kt_cp.graph import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED

# About how many seconds the graph takes for each square. It cannot be interrupted.
STATING = 2e-6


@dataclass(frozen=True, eq=False)
class EdgeGraph:
    """The edges that a tour may use, as rows (lower node, higher node), and which it must use.

    Where nodes are ``split``, the node for leaving a vertex has the number that it has in the
    `TourGraph`, and the one for entering it is `stops` numbers above. There are no edges where the
    constraints are contradictory: an edge is both required and forbidden.
    """

    whole: TourGraph
    split: bool
    edges: Ints
    required: Mask
    is_contradictory: bool = False

    @property
    def instance(self) -> Instance:
        """The instance whose tours these are."""
        return self.whole.instance

    @property
    def depot(self) -> int:
        """The node after the last vertex; only open tours have it."""
        return self.whole.depot

    @property
    def stops(self) -> int:
        """The number of vertices, with the depot if there is one."""
        return len(self.whole)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self.stops * (1 + self.split)

    def images(self, way: TourMap) -> Ints:
        """Return the node onto which a symmetry maps each node."""
        images = self.whole.nodes(way.images[self.instance.graph.vertices])
        images = np.append(images, self.depot)[: self.stops]
        if self.split:
            halves = [images, images + self.stops]
            return np.concatenate(halves[::-1] if way.reverse else halves)
        return images

    def either_way(self) -> Iterator[Mask]:
        """Yield the edges of each move that is required in either direction, if nodes are split."""
        for move in self.instance.require if self.split else ():
            if not move.directed:
                tails, heads = self.whole.nodes(np.array(move.arcs())).T
                keys = tails * self.nodes + heads + self.stops
                yield np.isin(self.edges @ [self.nodes, 1], keys)

    def tour(self, cycle: Ints) -> Squares:
        """Return the tour that a cycle through all nodes is, as ids in the order asked for."""
        instance, vertices = self.instance, self.instance.graph.vertices
        if self.split:
            forth = self.stops in (cycle[0] - cycle[1], cycle[-1] - cycle[0])
            cycle = cycle[cycle < self.stops][:: 1 if forth else -1]
        if not instance.closed:
            tour = vertices[np.roll(cycle, -int(np.flatnonzero(cycle == self.depot)[0]))[1:]]
            is_reversed = instance.start == tour[-1] or instance.end == tour[0]
            return tour[::-1] if is_reversed and not self.split else tour
        tour = vertices[cycle]
        step, vertex = next(iter(instance.steps.items()), (1, instance.start))
        position = 0 if vertex is None else int(np.flatnonzero(tour == vertex)[0])
        return np.roll(tour, step - 1 - position)


def edge_graph(instance: Instance, split: bool | None = None) -> EdgeGraph:
    """Return the graph of an instance; its nodes are split if any move has a direction.

    Given steps are left out, and in a split graph moves that are required in either direction.

    >>> from kt_cp.board import Board
    >>> graph = edge_graph(Instance(Board(3, 4), start=0))
    >>> len(graph.edges), graph.edges[graph.required].tolist()
    (26, [[0, 12]])
    >>> edge_graph(Instance.of(Board(3, 4, holes=[5], piece="horse"))).nodes
    24
    """
    whole = TourGraph(instance)
    split = instance.one_way if split is None else split
    if not split:
        is_contradictory = whole.is_contradictory
        left = slice(0 if is_contradictory else None)
        return EdgeGraph(whole, split, whole.edges[left], whole.required[left], is_contradictory)
    wanted = [move[:2] for move in instance.require if move.directed]
    keys = whole.nodes(np.array(wanted, dtype=int).reshape(-1, 2)) @ [len(whole), 1]
    arcs, required = whole.arcs, np.isin(whole.arcs @ [len(whole), 1], keys)
    is_contradictory = required.sum() < len(keys)
    if is_contradictory:
        arcs, required = arcs[:0], required[:0]
    own = np.stack([np.arange(len(whole))] * 2, axis=1)
    edges = np.concatenate([arcs, own]) + np.array([0, len(whole)])
    required = np.append(required, np.ones(len(own), np.bool_))
    return EdgeGraph(whole, split, edges, required, bool(is_contradictory))


def propagate(graph: EdgeGraph) -> EdgeGraph | None:
    """Return the graph without the edges that no tour can use, or None where no tour is left.

    Two edges left at a node are required; two required edges at a node rule out its others; an edge
    that would close a path of required edges too early is ruled out. This is repeated as long as
    it changes something.

    >>> from kt_cp.board import Board
    >>> graph = propagate(edge_graph(Instance(Board(3, 10), closed=True)))
    >>> graph is not None and (len(graph.edges), int(graph.required.sum()))
    (46, 16)
    >>> propagate(edge_graph(Instance(Board(3, 4), closed=True))) is None
    True
    """
    nodes, edges, required = graph.nodes, graph.edges, graph.required
    if graph.instance.closed and graph.depot < FEWEST_CLOSED:
        return None
    while True:
        degrees = np.bincount(edges.ravel(), minlength=nodes)
        required = required | (degrees == 2)[edges].any(axis=1)
        used = np.bincount(edges[required].ravel(), minlength=nodes)
        labels = component_labels(nodes, edges[required])
        size = np.bincount(labels, minlength=nodes)
        is_cycle = np.bincount(labels[edges[required][:, 0]], minlength=nodes) == size
        is_short = is_cycle & (size > 0) & (size < nodes)
        if degrees.min() < 2 or used.max() > 2 or is_short.any():
            return None
        low, high = labels[edges.T]
        out = (used == 2)[edges].any(axis=1) | ((low == high) & (size[low] < nodes))
        keep = required | ~out
        if keep.all():
            return replace(graph, edges=edges, required=required)
        edges, required = edges[keep], required[keep]


def mates(nodes: int, edges: Ints) -> Ints:
    """Return for each node the two that edges join it with, where every node has two edges.

    >>> mates(3, np.array([[0, 1], [1, 2], [0, 2]])).tolist()
    [[1, 2], [2, 0], [1, 0]]
    """
    tails, heads = np.concatenate([edges, edges[:, ::-1]]).T
    return np.asarray(heads[np.argsort(tails, kind="stable")].reshape(nodes, 2))


def cycles(mates: Ints) -> list[Ints]:
    """Return the nodes of each cycle in order.

    >>> two = mates(6, np.array([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]]))
    >>> [cycle.tolist() for cycle in cycles(two)]
    [[0, 1, 2], [3, 4, 5]]
    """
    one, other = mates.T.tolist()
    seen = bytearray(len(one))
    order: list[int] = []
    starts: list[int] = []
    for first in range(len(one)):
        if not seen[first]:
            starts.append(len(order))
            before, node = -1, first
            while not seen[node]:
                seen[node] = 1
                order.append(node)
                before, node = node, one[node] if one[node] != before else other[node]
    return np.split(np.array(order), starts[1:])
