"""The plan of a count by frontier: the order of the nodes, the steps, and the expected cost.

`kt_cp.count.frontier` explains the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from kt_cp.count.frontier_steps import FrontierStep, StepPlanner
from kt_cp.count.node_order import NodeOrder, narrowest_order
from kt_cp.count.resources import ExpectedCost, OutOfMemoryError
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import Nodes, SplitGraph, TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED

# The largest number of vertices of a graph whose tours are counted.
_MAX_VERTICES = 100_000


class Plan:
    """How to count the tours of an instance.

    ``form`` is its tour graph, or the split form of it where moves have a direction; ``edges`` are
    the edges that tours can use, and ``required`` those that all tours use, as rows of two nodes.
    States are kept in tables if ``suits_tables``, and otherwise one by one.
    """

    def __init__(
        self, instance: Instance, order: Nodes | None = None, prefixes: Sequence[int] = ()
    ) -> None:
        """Plan the count of an instance for which `unsupported` returns None.

        ``order`` is the order of the squares, given as nodes of the tour graph; by default it is
        the narrowest found. ``prefixes`` are numbers of squares: for each, the tours of the graph
        of that many first squares are counted in the same sweep. That needs an undirected instance
        without required moves. By default only the tours of all squares are counted.
        """
        self.instance, self.prefixes = instance, tuple(prefixes) or (len(instance.graph),)
        whole = TourGraph(instance)
        self.form: TourGraph | SplitGraph = whole.split if instance.one_way else whole
        edges, required = self.form.edges, self.form.edges[self.form.required]
        if self.form.is_contradictory:
            edges, required = edges[:0], required[:0]
        self.edges, self.required = np.unique(edges, axis=0), np.unique(required, axis=0)
        if order is None:
            self.order = narrowest_order(self.form, self.edges)
        else:
            self.order = NodeOrder.of(self.form, self.edges, order)
        self.expected = ExpectedCost.of(self.order)
        self.suits_tables = self.expected.suits_tables

    @property
    def width(self) -> int:
        """The largest number of nodes on the frontier."""
        return max(self.order.widths)

    @cached_property
    def steps(self) -> list[FrontierStep]:
        """The step of each node, in order."""
        return list(StepPlanner(self.order, self.edges, self.required, self.prefixes).steps())

    def frontier_after(self, number: int) -> list[int]:
        """Return the places in the order of the nodes on the frontier after ``number`` steps.

        The depot is left out.
        """
        frontier = self.steps[number - 1].vertices[1:]
        places = [self.order.places[node] for node in frontier]
        return [place for place in places if place < self.order.depot_place]

    def total(self, prefix: int, cycles: int) -> int:
        """Return the number of tours of a prefix, given the number of cycles that are closed.

        Open tours count in both directions if both are tours of the instance.
        """
        if self.instance.closed and prefix < FEWEST_CLOSED:
            return 0  # the nodes of two vertices are on a cycle of the split graph
        if prefix == 1:
            return 1
        if self.instance.free_end_count == 2 and not self.instance.one_way:
            return 2 * cycles
        return cycles

    def out_of_memory(self, done: int, need: object) -> OutOfMemoryError:
        """Return the error that memory did not suffice for ``need`` after ``done`` nodes."""
        where = f"frontier of {self.width} squares, {done} of {len(self.order.nodes)} done"
        return OutOfMemoryError(f"the memory limit was reached: {where}, {need}")


def unsupported(instance: Instance) -> str | None:
    """Return the part of an instance that counting by frontier does not support, or None."""
    if instance.one_way and not all(move.directed for move in instance.require):
        return "moves in one direction only beside a move required in either direction"
    if instance.symmetry is not None:
        return "a symmetry"
    if instance.givens:
        return "given steps"
    if instance.order:
        return "an order of squares"
    if instance.having or instance.constrain:
        return "bounds on features, or custom constraints"
    if len(instance.graph) > _MAX_VERTICES:
        return f"more than {_MAX_VERTICES:,} {instance.graph.vocabulary.vertices}"
    return None
