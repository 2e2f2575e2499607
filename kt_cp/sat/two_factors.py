"""2-factors, sets of cycles that together visit every node of a graph once, by maximum flow.

In a bipartite graph, each node of the left color sends two units of flow and each node of the right
color receives two, with at most one unit along an edge: the edges in use form a 2-factor. The
depot of an open tour is split into two nodes: one on the right receives the surplus unit of each
end on the left, and one on the left supplies the missing unit of each end on the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Ints, Mask, both_directions
from kt_cp.graph_algorithms import bipartition, strong_components
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import EDGE, Clock
from kt_cp.sat.cycle_cover import CycleCover
from kt_cp.sat.edges import EdgeGraph, cycle_neighbors, cycles, edge_graph, propagate

# How many places a random order may move an edge. An entirely random order leaves ten times as many
# cycles that no exchange of two edges joins.
_JITTER = 300


@dataclass(frozen=True, eq=False)
class Flow:
    """A maximum flow along the edges of a graph that are not required.

    ``arcs`` holds these edges as rows (left node, right node), and ``used`` is True for those that
    carry flow. Unless the nodes are split, the depot has two numbers: ``graph.depot`` on the right,
    and the number after it on the left. ``complete`` is True if every node has two edges that are
    used or required, so that the flow is a 2-factor.
    """

    graph: EdgeGraph
    arcs: Ints
    used: Mask
    complete: bool

    def edges(self, arcs: Ints) -> Ints:
        """Return arcs of the flow as edges of its graph."""
        if self.graph.is_split:
            return arcs
        return np.sort(np.minimum(arcs, self.graph.depot), axis=1)

    @property
    def two_factor(self) -> Ints:
        """The edges of the 2-factor. The flow must be complete."""
        graph = self.graph
        return np.concatenate([self.edges(self.arcs[self.used]), graph.edges[graph.required]])


def maximum_flow(
    graph: EdgeGraph, clock: Clock | None = None, seed: int | None = None
) -> Flow | None:
    """Return a maximum flow; with a seed, one that prefers edges in a random order.

    Returns None if the graph has an odd cycle, so that it is not bipartite. Raises `OutOfTimeError`
    if the flow would take longer than the clock allows.
    """
    if clock:
        clock.check(EDGE * len(graph.edges))
    if graph.is_split:
        on_left, arcs = np.arange(graph.nodes) < graph.nodes // 2, graph.edges
        need = np.full(graph.nodes, 2)
    else:
        left = _left_squares(graph)
        if left is None:
            return None
        depot = graph.depot
        on_left = np.append(left, [False, True])
        arcs = np.where(on_left[graph.edges[:, :1]], graph.edges, graph.edges[:, ::-1])
        arcs[arcs[:, 0] == depot, 0] = depot + 1
        # Colors alternate: with equally many squares of both colors one end is on the left, with
        # one more on the left both are.
        ends_on_left = min(2, 1 + 2 * int(left.sum()) - graph.squares)
        of_depot = [0, 0] if graph.instance.closed else [ends_on_left, 2 - ends_on_left]
        need = np.append(np.full(depot, 2), of_depot)
    need = need - np.bincount(arcs[graph.required].ravel(), minlength=len(need))
    arcs = arcs[~graph.required]
    if seed is not None:
        places = np.arange(len(arcs)) + _JITTER * np.random.default_rng(seed).random(len(arcs))
        arcs = arcs[np.argsort(places)]
    value, flows, _ = flow_between(arcs, on_left, need.clip(0))
    complete = value == need[on_left].sum() == need[~on_left].sum() and need.min() >= 0
    return Flow(graph, arcs, flows > 0, bool(complete))


def flow_between(arcs: Ints, on_left: Mask, capacity: Ints) -> tuple[int, Ints, Mask]:
    """Return a maximum flow from the nodes on the left to the others.

    ``arcs`` are rows (left node, right node); ``capacity`` is the flow that each node can send or
    receive, and each arc can carry 1. The result is the value of the flow, the flow along each arc,
    and a mask of the nodes on the source's side of a minimum cut.
    """
    from ortools.graph.python.max_flow import SimpleMaxFlow  # loaded only when used

    senders, receivers = np.flatnonzero(on_left), np.flatnonzero(~on_left)
    source, sink = len(capacity), len(capacity) + 1
    solver = SimpleMaxFlow()
    arc_indices = solver.add_arcs_with_capacity(*arcs.T, np.ones_like(arcs[:, 0]))
    solver.add_arcs_with_capacity(np.full_like(senders, source), senders, capacity[senders])
    solver.add_arcs_with_capacity(receivers, np.full_like(receivers, sink), capacity[receivers])
    solver.solve(source, sink)
    side = np.zeros(len(capacity) + 2, dtype=np.bool_)
    side[solver.get_source_side_min_cut()] = True
    return solver.optimal_flow(), solver.flows(arc_indices), side[: len(capacity)]


def tighten(graph: EdgeGraph, clock: Clock) -> EdgeGraph | None:
    """Return the graph without edges that are in no fractional 2-factor, or None without a tour.

    In a fractional 2-factor, the weights of the edges at each node, at most 1 each, have the sum 2.
    Twice the weights are a flow in the bipartite double cover, in which each node is two and each
    edge is two arcs. A maximum flow can be changed only within the strong components of its
    residual graph (Régin 1994, A filtering algorithm for constraints of difference in CSPs). Edges
    that are always used become required, and the consequences are propagated. Raises
    `OutOfTimeError`.
    """
    nodes = graph.nodes
    while True:
        clock.check(2 * EDGE * len(graph.edges))
        free = np.flatnonzero(~graph.required)
        need = 2 - np.bincount(graph.edges[graph.required].ravel(), minlength=nodes)
        arcs = both_directions(graph.edges[free]) + np.array([0, nodes])
        value, flows, _ = flow_between(arcs, np.arange(2 * nodes) < nodes, np.tile(need, 2))
        if value < need.sum():
            return None
        used = flows > 0
        labels = strong_components(2 * nodes, np.where(used[:, None], arcs[:, ::-1], arcs))
        is_fixed = labels[arcs[:, 0]] != labels[arcs[:, 1]]
        if not is_fixed.any():
            return graph
        edge_of_arc = np.tile(free, 2)
        never, always = np.zeros((2, len(graph.edges)), dtype=np.bool_)
        never[edge_of_arc[is_fixed & ~used]] = True
        always[edge_of_arc[is_fixed & used]] = True
        required = (graph.required | always)[~never]
        tight = propagate(replace(graph, edges=graph.edges[~never], required=required))
        if tight is None:
            return None
        graph = tight


def _left_squares(graph: EdgeGraph) -> Mask | None:
    """Return a mask of the squares of the more frequent color, or None if there are no two colors.

    A graph that is not bipartite may become so when moves are forbidden.
    """
    board, count = graph.instance.graph, graph.squares
    if board.sides is None:
        left = bipartition(count, graph.edges[graph.edges[:, 1] < count])
    else:
        left = board.sides[board.vertices]
    if left is None:
        return None
    return left if 2 * left.sum() >= count else ~left


def cycle_covers(
    instance: Instance, clock: Clock, seed: int, target_cycles: int | None = None
) -> Iterator[list[Ints]]:
    """Yield 2-factors, each as a list of cycles, joined until ``target_cycles`` remain if possible.

    If ``target_cycles`` is None the cycles are not joined. Nothing is yielded if there is no
    2-factor; otherwise the iterator is endless. A node is the index of a vertex in
    ``graph.vertices``, and the depot comes after them. Each cycle runs in a direction that the
    moves allow. Only constraints on ends and single moves are taken into account. Raises
    `OutOfTimeError`.

    >>> from kt_cp.board import Board
    >>> covers = cycle_covers(Instance(Board(8, 8), closed=True), Clock(), seed=0, target_cycles=2)
    >>> sorted(np.concatenate(next(covers)).tolist()) == list(range(64))
    True
    """
    flow = _first_flow(instance, clock, seed)
    while flow is not None:
        graph, edges = flow.graph, flow.two_factor
        pairs = cycle_neighbors(graph.nodes, edges)
        if target_cycles is not None:
            cover = CycleCover(graph, edges)
            cover.join(np.random.default_rng(seed), clock, target_cycles)
            pairs = cover.cycle_neighbors
        found = [graph.form.from_depot(cycle) for cycle in cycles(pairs)]
        if graph.instance.closed and not instance.closed:
            found.sort(key=len)
            found[-1] = np.append(found[-1], graph.depot)  # between the ends of the longest
        yield found
        seed += 1
        flow = maximum_flow(graph, clock, seed)


def _first_flow(instance: Instance, clock: Clock, seed: int) -> Flow | None:
    """Return a flow that is a 2-factor, or None if there is none.

    For an open tour with free ends, a 2-factor of the squares alone is tried first: the depot then
    fits between any two neighbors.
    """
    candidates = [instance]
    if not instance.closed and not instance.ends:
        candidates.insert(0, replace(instance, closed=True))
    for candidate in candidates:
        flow = _flow_of(candidate, clock, seed)
        if flow is not None and flow.complete:
            return flow
    return None


def _flow_of(instance: Instance, clock: Clock, seed: int) -> Flow | None:
    """Return a maximum flow of an instance, or None if propagation proves that there is no tour.

    If the graph has an odd cycle its nodes are split, which makes it bipartite.
    """
    only_directed: bool | None = None  # nodes are split if a move has a direction
    for split in (only_directed, True):
        clock.check(EDGE * len(instance.graph))
        graph = propagate(edge_graph(instance, split))
        flow = maximum_flow(graph, clock, seed) if graph else None
        if flow is not None:
            return flow
    return None
