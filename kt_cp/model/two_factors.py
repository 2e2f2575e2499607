"""2-factors: sets of cycles through all nodes of a graph, by maximum flow.

Where every edge joins two squares of different colours, two units flow through each square, from
one colour to the other, and at most one unit along each edge. For an open tour, which ends on known
numbers of squares of either colour, the depot is two nodes: one takes what the ends on the left do
not need, and the other gives what those on the right do not get.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kt_cp.board import Mask
from kt_cp.board.symmetry import Ints
from kt_cp.graph import component_labels, strong_components
from kt_cp.model.edges import EdgeGraph, propagate
from kt_cp.problem.clock import Clock

# How far a random order moves an edge. An order that is altogether random leaves ten times as many
# cycles that no exchange of two edges joins.
_JITTER = 300


# About how many seconds a maximum flow, or its strong components, take for each edge. Neither can
# be stopped.
_SECONDS = 2e-6


@dataclass(frozen=True, eq=False)
class Flow:
    """A maximum flow along the edges of a graph that are not required.

    ``arcs`` holds these edges as rows (left node, right node), and ``used`` tells along which there
    is a flow. The depot is the node after the last square on the right, and the one after that on
    the left. ``need`` tells how many of these edges each node needs, ``complete`` whether each has
    them, and ``short`` which nodes on the left are on the source's side of the minimum cut.
    """

    arcs: Ints
    used: Mask
    need: Ints
    complete: bool
    short: Mask


def maximum_flow(
    graph: EdgeGraph, clock: Clock | None = None, seed: int | None = None
) -> Flow | None:
    """Return a maximum flow; with a seed, one that takes edges in a random order.

    None where some cycle is odd, so that two colours are not enough. Raises `OutOfTime` where it
    would take longer than the clock allows.
    """
    if clock:
        clock.check(_SECONDS * len(graph.edges))
    if graph.split:
        on_left = np.arange(graph.nodes) < graph.stops
        need = np.full(graph.nodes, 2)
        arcs = graph.edges
    elif (left := _left_squares(graph)) is not None:
        depot = graph.depot
        on_left = np.append(left, [False, True])
        arcs = np.where(on_left[graph.edges[:, :1]], graph.edges, graph.edges[:, ::-1])
        arcs[arcs[:, 0] == depot, 0] = depot + 1
        need = np.full(depot + 2, 2)
        ends_on_left = min(2, 1 + 2 * int(left.sum()) - depot)
        need[depot:] = (0, 0) if graph.instance.closed else (ends_on_left, 2 - ends_on_left)
    else:
        return None
    need = need - np.bincount(arcs[graph.required].ravel(), minlength=len(need))
    arcs = arcs[~graph.required]
    if seed is not None:
        places = np.arange(len(arcs)) + _JITTER * np.random.default_rng(seed).random(len(arcs))
        arcs = arcs[np.argsort(places)]
    value, flows, side = flow_between(arcs, on_left, need.clip(0))
    complete = value == need[on_left].sum() == need[~on_left].sum() and need.min() >= 0
    return Flow(arcs, flows > 0, need, bool(complete), side & on_left)


def flow_between(
    arcs: Ints, on_left: Mask, capacity: Ints, most: int = 1
) -> tuple[int, Ints, Mask]:
    """Return a maximum flow from the nodes on the left to the others, at most so much on each arc.

    ``arcs`` are rows (left node, right node); ``capacity`` is what each node gives or takes. The
    result is the value, the flow along each arc, and the source's side of the minimum cut.
    """
    from ortools.graph.python.max_flow import SimpleMaxFlow  # the help does without

    givers, takers = np.flatnonzero(on_left), np.flatnonzero(~on_left)
    source, sink = len(capacity), len(capacity) + 1
    solver = SimpleMaxFlow()
    moves = solver.add_arcs_with_capacity(*arcs.T, np.full(len(arcs), most))
    solver.add_arcs_with_capacity(np.full_like(givers, source), givers, capacity[givers])
    solver.add_arcs_with_capacity(takers, np.full_like(takers, sink), capacity[takers])
    solver.solve(source, sink)
    side = np.isin(np.arange(len(capacity)), solver.get_source_side_min_cut())
    return solver.optimal_flow(), solver.flows(moves), side


def two_factor(graph: EdgeGraph, flow: Flow) -> Ints:
    """Return the edges of the 2-factor that a complete flow is."""
    return np.concatenate([_edges(graph, flow.arcs[flow.used]), graph.edges[graph.required]])


def tighten(graph: EdgeGraph, clock: Clock | None = None) -> EdgeGraph | None:
    """Return the graph without the edges that are in no 2-factor, or None where no tour is left.

    Those that are in every 2-factor become required. A flow can be changed only along the cycles of
    its residual graph, within a strongly connected component (Régin 1994, A filtering algorithm for
    constraints of difference in CSPs). What follows is propagated. Graphs with odd cycles stay.
    Raises `OutOfTime` where a round would take longer than the clock allows.
    """
    while (flow := maximum_flow(graph, clock)) is not None:
        if not flow.complete:
            return None
        if clock:
            clock.check(_SECONDS * len(graph.edges))
        residual = np.where(flow.used[:, None], flow.arcs[:, ::-1], flow.arcs)
        labels = strong_components(len(flow.need), residual)
        fixed = labels[flow.arcs[:, 0]] != labels[flow.arcs[:, 1]]
        if not fixed.any():
            break
        keys = graph.edges @ [graph.nodes, 1]
        never, always = (
            np.isin(keys, _edges(graph, flow.arcs[fixed & used]) @ [graph.nodes, 1])
            for used in (~flow.used, flow.used)
        )
        required = (graph.required | always)[~never]
        tight = propagate(replace(graph, edges=graph.edges[~never], required=required))
        if tight is None:
            return None
        graph = tight
    return graph


def _edges(graph: EdgeGraph, arcs: Ints) -> Ints:
    """Return arcs of a flow as edges of its graph."""
    return arcs if graph.split else np.sort(np.minimum(arcs, graph.depot), axis=1)


def _left_squares(graph: EdgeGraph) -> Mask | None:
    """Return which squares are on the left: all of one colour, of which there are no fewer."""
    board, count = graph.instance.board, graph.depot
    left = board.dark(board.squares)
    if not board.changes_colour:
        # Each square stands on both sides; where a cycle is odd the two are connected.
        low, high = graph.edges[graph.edges[:, 1] < count].T
        both = np.stack([np.append(low, low + count), np.append(high + count, high)], axis=1)
        labels = component_labels(2 * count, both)
        if (labels[:count] == labels[count:]).any():
            return None
        left = labels[:count] < labels[count:]
    return left if 2 * left.sum() >= count else ~left
