"""A tour as a set of undirected edges: two at every node, and all of them in one cycle.

The nodes are the squares, numbered as ``board.squares``. An open tour is a closed one through one
node more, the depot, which is joined to every square that can be an end of the tour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.board.symmetry import Ints
from kt_cp.problem.connectivity import component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.reachability import needs_steps


@dataclass(frozen=True, eq=False)
class EdgeGraph:
    """The edges that a tour may use, as rows of two nodes, and which of them it must use."""

    instance: Instance
    edges: Ints
    required: Mask

    @property
    def depot(self) -> int:
        """The node after the last square; only open tours have it."""
        return len(self.instance.board)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self.depot + (not self.instance.closed)


def is_undirected(instance: Instance) -> bool:
    """Tell whether a set of edges is all that an instance asks for: no direction and no step.

    A single given step of a closed tour is no obstacle, as it only says where writing begins.

    >>> from kt_cp.board import Board
    >>> board = Board(8, 8)
    >>> is_undirected(Instance(board, start=0)), is_undirected(Instance(board, givens={0: 2}))
    (True, False)
    """
    moves = (*instance.require, *instance.forbid)
    one_way = not instance.board.symmetric or any(move.directed for move in moves)
    return not one_way and not needs_steps(instance)


def edge_graph(instance: Instance) -> EdgeGraph:
    """Return the graph of an instance, the depot's edges included.

    Where a required move is forbidden, no move is left.

    >>> from kt_cp.board import Board
    >>> graph = edge_graph(Instance(Board(3, 4), start=0))
    >>> len(graph.edges), graph.edges[graph.required].tolist()
    (26, [[0, 12]])
    """
    squares = instance.board.squares
    edges = np.searchsorted(squares, instance.edges)
    keys = instance.edges.astype(np.int64) @ [instance.board.area, 1]
    wanted = {min(move[:2]) * instance.board.area + max(move[:2]) for move in instance.require}
    required = np.isin(keys, list(wanted))
    if required.sum() < len(wanted):  # a required move is forbidden, so that nothing is possible
        edges, required = edges[:0], required[:0]
    if not instance.closed:
        ends = np.searchsorted(squares, instance.ends)
        possible = np.arange(len(squares)) if len(ends) < 2 else ends
        depot = np.stack([possible, np.full_like(possible, len(squares))], axis=1)
        edges = np.concatenate([edges, depot])
        required = np.append(required, np.isin(possible, ends))
    return EdgeGraph(instance, edges, required)


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
    while True:
        degrees = np.bincount(edges.ravel(), minlength=nodes)
        required = required | (degrees == 2)[edges].any(axis=1)
        used = np.bincount(edges[required].ravel(), minlength=nodes)
        labels = component_labels(nodes, edges[required])
        size = np.bincount(labels, minlength=nodes)
        is_cycle = np.bincount(labels[edges[required][:, 0]], minlength=nodes) == size
        if (
            (degrees < 2).any()
            or (used > 2).any()
            or (is_cycle & (size > 0) & (size < nodes)).any()
        ):
            return None
        low, high = labels[edges.T]
        out = (used == 2)[edges].any(axis=1) | ((low == high) & (size[low] < nodes))
        keep = required | ~out
        if keep.all():
            return EdgeGraph(graph.instance, edges, required)
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


def tour_of(graph: EdgeGraph, cycle: Ints) -> Squares:
    """Return the tour that a cycle through all nodes is, as ids in the order that is asked for."""
    instance, squares = graph.instance, graph.instance.board.squares
    if not instance.closed:
        turned = np.roll(cycle, -int(np.flatnonzero(cycle == graph.depot)[0]))[1:]
        tour = squares[turned]
        return tour[::-1] if instance.start == tour[-1] or instance.end == tour[0] else tour
    tour = squares[cycle]
    step, square = next(iter(instance.steps.items()), (1, instance.start))
    place = 0 if square is None else int(np.flatnonzero(tour == square)[0])
    return np.roll(tour, step - 1 - place)
