"""Make a path or cycle longer within one window of its graph after the other.

A window has the nodes around a vertex that the tour leaves out, or around an end of a path. The
rest of the tour stays: it is contracted to links (`kt_cp.methods.contraction`). CP-SAT looks for
the cycle through the most nodes of the window that keeps the links. That is a large neighborhood
search (P. Shaw, Using constraint programming and local search methods to solve vehicle routing
problems, 1998). It proves nothing about the whole graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np

from kt_cp.arrays import Mask, Squares, both_directions
from kt_cp.graph_algorithms import adjacency
from kt_cp.methods.contraction import ContractedCycle
from kt_cp.model.window import Window, longest_in_window
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import MAX_SEED, Clock
from kt_cp.problem.tour_graph import Nodes, TourGraph

# The vertices of the first window. A window whose longest cycle is proven is followed by a larger
# one, and another by a smaller one, so that the size suits the graph. The largest has half of it.
_FIRST_SIZE, _MIN_SIZE, _MAX_SIZE = 60.0, 30.0, 300.0
_GROWTH, _SHRINKAGE = 1.02, 0.8

# The windows without a longer tour after which the search ends, for each vertex and at least.
_PATIENCE_PER_VERTEX, _MIN_PATIENCE = 0.1, 30

# The share of the windows of a path that are around one of its ends.
_END_SHARE = 0.2

# The fewest nodes of a tour in a window: with less, there is just one cycle.
_MIN_NODES = 3

# Smaller graphs are left to CP-SAT as a whole, and larger ones take too long for each window.
_MIN_VERTICES, _MAX_VERTICES = 150, 100_000


def can_use_windows(instance: Instance) -> bool:
    """Return whether a tour of a partial instance can be made longer within windows.

    What a constraint says of a move or a square must not depend on the rest of the tour, so only
    bounds on the fewest squares are supported, no symmetry and no functions of the caller.
    """
    is_kept = all(
        bound.feature == "squares" and bound.limits[1] is None for bound in instance.having
    )
    fits = _MIN_VERTICES <= len(instance.graph) <= _MAX_VERTICES
    return fits and is_kept and not instance.symmetry and not instance.constrain


class WindowSearch:
    """A search for longer tours of a partial instance, each from a tour before."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self.instance, self.random = instance, Random(seed)
        self.graph = graph = TourGraph(instance)
        self._must_visit = graph.nodes(sorted(instance.must_visit))
        self._neighbors = adjacency(graph.edges[~graph.at_depot])
        if instance.one_way:
            self._arcs, self._required = graph.arcs, list(graph.required_moves)
        else:
            self._arcs = both_directions(graph.edges)
            self._required = [np.stack([each, each[::-1]]) for each in graph.required_pairs]

    def longer_tours(self, tour: Squares, clock: Clock) -> Iterator[Squares]:
        """Yield tours, each longer than the last, as ids in visiting order.

        It ends if a tour visits all that it can reach, or if many windows in a row had no longer
        one. Raises `OutOfTimeError` at the clock's limit.
        """
        cycle = self.graph.cycle(tour)
        reachable = self._nodes_around(int(cycle[0]), len(self.graph))
        vertices = len(self.instance.graph)
        patience = max(_MIN_PATIENCE, _PATIENCE_PER_VERTEX * vertices)
        largest = min(_MAX_SIZE, vertices / 2)
        size, idle = _FIRST_SIZE, 0
        while idle < patience and len(cycle) < np.count_nonzero(reachable):
            clock.check()
            idle += 1
            is_inside = self._nodes_around(self._center(cycle, reachable), int(size))
            if np.count_nonzero(is_inside[cycle]) < _MIN_NODES:
                continue
            contracted = ContractedCycle(cycle, is_inside)
            found = longest_in_window(
                self._window(contracted, is_inside), self.random.randrange(MAX_SEED)
            )
            cycle = contracted.expand(found.order)
            if len(found.order) > len(contracted):
                idle = 0
                yield self.graph.partial_tour(cycle)
            size *= _GROWTH if found.is_longest else _SHRINKAGE
            size = min(max(size, _MIN_SIZE), largest)

    def _center(self, cycle: Nodes, reachable: Mask) -> int:
        """Return a random reachable node that is not on the cycle, or an end of the path."""
        if not self.instance.closed and self.random.random() < _END_SHARE:
            path = self.graph.from_depot(cycle)[1:]
            return int(self.random.choice([path[0], path[-1]]))
        is_left_out = np.array(reachable)
        is_left_out[cycle] = False
        return int(self.random.choice(np.flatnonzero(is_left_out)))

    def _nodes_around(self, center: int, size: int) -> Mask:
        """Return a mask of about ``size`` nodes around one, found breadth first, and the depot."""
        is_inside = np.zeros(len(self.graph), dtype=np.bool_)
        is_inside[self.graph.vertex_count :] = True
        is_inside[center] = True
        nearest = [center]
        for node in nearest:  # the list grows in the loop
            if len(nearest) >= size:
                break
            around = [each for each in self._neighbors.get(node, ()) if not is_inside[each]]
            is_inside[around] = True
            nearest += around
        return is_inside

    def _window(self, contracted: ContractedCycle, is_inside: Mask) -> Window:
        """Return the window of the nodes inside, whose numbers are those of the runs."""
        number_of = np.full(len(self.graph), -1)
        number_of[contracted.inside] = np.arange(len(contracted.inside))
        required = [number_of[each[is_inside[each].all(axis=1)]] for each in self._required]
        must_visit = number_of[self.graph.with_depot(self._must_visit)]
        return Window(
            node_count=len(contracted.inside),
            visited_count=len(contracted),
            arcs=number_of[self._arcs[is_inside[self._arcs].all(axis=1)]],
            links=contracted.links,
            is_one_way=self.instance.one_way,
            required=[each for each in required if len(each)],
            must_visit=must_visit[must_visit >= 0],
        )
