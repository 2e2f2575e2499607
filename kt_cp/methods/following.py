"""An instance as other solvers state it: for every square, which one may come after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kt_cp.board import Squares
from kt_cp.board.symmetry import Ints
from kt_cp.methods.answers import UnsupportedError
from kt_cp.model.edges import EdgeGraph, edge_graph
from kt_cp.problem.instance import Instance
from kt_cp.tour.validator import FEWEST_CLOSED

# Building a larger model would take longer than Ctrl-C and a time limit may wait.
_MOST_ARCS = 30_000


@dataclass(frozen=True, eq=False)
class Successors:
    """The arcs that one circuit through all nodes may use, as rows (from, to).

    The nodes are the squares in ascending order, and after them the depot of an open tour.
    ``required`` holds rows of arcs, one array for each required move: the circuit uses one of them.
    """

    graph: EdgeGraph
    arcs: Ints
    required: list[Ints]

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return self.graph.stops

    def tour(self, after: dict[int, int]) -> Squares:
        """Return the tour that a circuit is, given by the node after each node."""
        order = [0]
        while len(order) < self.nodes:
            order.append(after[order[-1]])
        nodes = np.array(order)
        return self.graph.tour(np.stack([nodes + self.nodes, nodes], axis=1).ravel())


def successors(instance: Instance, method: str) -> Successors | None:
    """Return the arcs of an instance, or None where a node has none, so that there is no tour.

    Raises `UnsupportedError`, in the name of a method, for boards that are too large.

    >>> from kt_cp.board import Board
    >>> problem = successors(Instance(Board(3, 4), start=0), "clingo")
    >>> problem and len(problem.arcs)  # 28 moves, 1 to the start, 12 ends
    41
    """
    if len(instance.arcs) > _MOST_ARCS:
        most = f"method {method} takes boards with at most {_MOST_ARCS:,} moves"
        raise UnsupportedError(f"{most}; this one has {len(instance.arcs):,}")
    if instance.closed and len(instance.board) < FEWEST_CLOSED:
        return None
    graph = edge_graph(instance, split=True)
    arcs: Ints = graph.edges - np.array([0, graph.stops])
    is_arc = arcs[:, 0] != arcs[:, 1]  # rather than the edge between a square's two nodes
    required = [arcs[[place]] for place in np.flatnonzero(graph.required & is_arc)]
    required += [arcs[mask] for mask in graph.either_way()]
    arcs = arcs[is_arc]
    if len(np.unique(arcs[:, 0])) < graph.stops or not all(map(len, required)):
        return None
    return Successors(graph, arcs, required)
