"""2-factors: sets of cycles through all nodes of a graph, by maximum flow.

Where every edge joins two squares of different colors, two units flow through each square, from
one color to the other, and at most one unit along each edge. For an open tour, which ends on known
numbers of squares of either color, the depot is two nodes: one takes what the ends on the left do
not need, and the other gives what those on the right do not get.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Ints, Mask
from kt_cp.graph_algorithms import bipartition, strong_components
from kt_cp.problem.clock import Clock
from kt_cp.problem.costs import EDGE_GRAPH_VERTEX, EXCHANGE_NODE, FLOW_EDGE
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import EdgeGraph, beside, cycles, edge_graph, propagate

# How far a random order moves an edge. An order that is altogether random leaves ten times as many
# cycles that no exchange of two edges joins.
_JITTER = 300

# How many neighbors of a node are compared one by one.
_SHORT_ROW = 32

# Nodes looked at together, so that arrays stay small.
_CHUNK = 2**16


@dataclass(frozen=True, eq=False)
class Flow:
    """A maximum flow along the edges of a graph that are not required.

    ``arcs`` holds these edges as rows (left node, right node), and ``used`` tells along which there
    is a flow. Where nodes are not split, the depot on the left has the number after the depot.
    ``complete`` tells whether the edges in use and those that are required are two at each node.
    """

    graph: EdgeGraph
    arcs: Ints
    used: Mask
    complete: bool

    def edges(self, arcs: Ints) -> Ints:
        """Return arcs of the flow as edges of its graph."""
        return arcs if self.graph.is_split else np.sort(np.minimum(arcs, self.graph.depot), axis=1)

    @property
    def two_factor(self) -> Ints:
        """The edges of the 2-factor that a complete flow is."""
        graph = self.graph
        return np.concatenate([self.edges(self.arcs[self.used]), graph.edges[graph.required]])


def maximum_flow(
    graph: EdgeGraph, clock: Clock | None = None, seed: int | None = None
) -> Flow | None:
    """Return a maximum flow; with a seed, one that takes edges in a random order.

    None where some cycle is odd, so that two colors are not enough. Raises `OutOfTime` where it
    would take longer than the clock allows.
    """
    if clock:
        clock.check(FLOW_EDGE * len(graph.edges))
    if graph.is_split:
        on_left = np.arange(graph.nodes) < graph.nodes // 2
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
    value, flows, _ = flow_between(arcs, on_left, need.clip(0))
    complete = value == need[on_left].sum() == need[~on_left].sum() and need.min() >= 0
    return Flow(graph, arcs, flows > 0, bool(complete))


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


def tighten(graph: EdgeGraph, clock: Clock | None = None) -> EdgeGraph | None:
    """Return the graph without the edges that are in no 2-factor, or None where no tour is left.

    Those that are in every 2-factor become required, and what follows is propagated. A flow can be
    changed only within a strong component of its residual graph (Régin 1994, A filtering algorithm
    for constraints of difference in CSPs). Graphs with odd cycles stay. Raises `OutOfTime`.
    """
    while (flow := maximum_flow(graph, clock)) is not None:
        if not flow.complete:
            return None
        if clock:
            clock.check(FLOW_EDGE * len(graph.edges))
        residual = np.where(flow.used[:, None], flow.arcs[:, ::-1], flow.arcs)
        labels = strong_components(graph.nodes + 2, residual)
        fixed = labels[flow.arcs[:, 0]] != labels[flow.arcs[:, 1]]
        if not fixed.any():
            break
        never, always = (
            np.isin(graph.edges @ [graph.nodes, 1], flow.edges(flow.arcs[fixed]) @ [graph.nodes, 1])
            for fixed in (fixed & ~flow.used, fixed & flow.used)
        )
        required = (graph.required | always)[~never]
        tight = propagate(replace(graph, edges=graph.edges[~never], required=required))
        if tight is None:
            return None
        graph = tight
    return graph


def _left_squares(graph: EdgeGraph) -> Mask | None:
    """Return which squares are on the left: all of one color, of which there are no fewer."""
    board, count = graph.instance.graph, graph.depot
    if board.sides is None:  # forbidden moves may have left two sides
        left = bipartition(count, graph.edges[graph.edges[:, 1] < count])
    else:
        left = board.sides[board.vertices]
    return left if left is None or 2 * left.sum() >= count else ~left


class CycleCover:
    """Cycles through all nodes of a graph, which `join` makes fewer.

    ``beside`` holds the two nodes next to each, ``near`` its row of `neighbor_rows`, ``order`` the
    nodes along one cycle after the other, ``place`` where each node is in it, ``label`` the number
    of its cycle, and ``sizes`` how many nodes a cycle has; `number` brings these up to date.
    """

    def __init__(self, graph: EdgeGraph, edges: Ints) -> None:
        self.beside = beside(graph.nodes, edges)
        self.near = neighbor_rows(graph)
        self.number()
        self._key = np.array([graph.nodes, 1])  # edges times this are numbers of their own
        self._free_edges = graph.edges[~graph.required] @ self._key

    def number(self) -> None:
        """Number the nodes along the cycles."""
        found = cycles(self.beside)
        self.sizes = np.array([len(cycle) for cycle in found])
        self.order = np.concatenate(found)
        self.place = np.empty_like(self.order)
        self.place[self.order] = np.arange(len(self.order))
        self.label = np.empty_like(self.order)
        self.label[self.order] = np.repeat(np.arange(len(found)), self.sizes)

    def along(self, nodes: Ints, step: int) -> Ints:
        """Return the nodes ``step`` places further along the cycles."""
        sizes = self.sizes[self.label[nodes]]
        first = np.cumsum(self.sizes)[self.label[nodes]] - sizes
        return np.asarray(self.order[first + (self.place[nodes] - first + step) % sizes])

    def joined(self, one: Ints, other: Ints) -> Mask:
        """Return for pairs of nodes whether an edge that is not required joins them.

        Rows of neighbors are compared where they are short, as on boards; otherwise the pairs are
        searched for in the sorted list of all edges.
        """
        if self.near.shape[1] > _SHORT_ROW:
            pairs = np.sort(np.stack([one, other], axis=1), axis=1)
            return np.isin(pairs @ self._key, self._free_edges)
        there = (self.near[one] == other[:, None]).any(axis=1)
        back = (self.near[other] == one[:, None]).any(axis=1)
        return np.asarray(there | back)

    def join(self, rng: np.random.Generator, clock: Clock, left: int = 1) -> None:
        """Exchange edges as long as that joins two cycles, until ``left`` cycles are left.

        Raises `OutOfTime`.
        """
        joined = True
        while joined and len(self.sizes) > left:
            clock.check(EXCHANGE_NODE * len(self.order))
            joined, count = False, len(self.sizes)
            roots = list(range(count))
            for a, b, c, d in self._exchanges(rng).tolist():
                one, other = _root(roots, self.label[a]), _root(roots, self.label[c])
                is_there = b in self.beside[a] and d in self.beside[c]
                if one != other and is_there and count > left:
                    roots[one] = other
                    count -= 1
                    for node, old, new in ((a, b, d), (b, a, c), (c, d, b), (d, c, a)):
                        self.beside[node, int(self.beside[node, 0] != old)] = new
                    joined = True
            self.number()

    def borders(self) -> Ints:
        """Return the nodes next to another cycle, without those of the largest cycle."""
        nodes = np.flatnonzero(self.label != self.sizes.argmax())
        return np.asarray(nodes[self._across(nodes).any(axis=1)])

    def _across(self, nodes: Ints) -> Mask:
        """Return for nodes which of those near each are in another cycle."""
        others = self.near[nodes]
        return np.asarray((others >= 0) & (self.label[others] != self.label[nodes, None]))

    def _exchanges(self, rng: np.random.Generator) -> Ints:
        """Return exchanges a, b, c, d, one for each pair of cycles that has any.

        They are in random order, but those that join the smallest cycles come first.
        """
        found = [np.empty((0, 4), dtype=np.int64)]
        small = np.flatnonzero(self.label != self.sizes.argmax())
        for first in range(0, len(small), _CHUNK):
            nodes = small[first : first + _CHUNK]
            rows, columns = np.nonzero(self._across(nodes))
            b, c = nodes[rows], self.near[nodes][rows, columns]
            for a, d in ((self.beside[b, i], self.beside[c, j]) for i in (0, 1) for j in (0, 1)):
                good = self.joined(a, d)
                good[good] = self.joined(a[good], b[good]) & self.joined(c[good], d[good])
                found.append(np.stack([a, b, c, d], axis=1)[good])
        exchanges = rng.permutation(np.concatenate(found))
        pairs = np.sort(self.label[exchanges[:, [0, 2]]], axis=1) @ [len(self.sizes), 1]
        exchanges = exchanges[np.sort(np.unique(pairs, return_index=True)[1])]
        smaller = self.sizes[self.label[exchanges[:, [0, 2]]]].min(axis=1)
        return np.asarray(exchanges[np.argsort(smaller, kind="stable")])


def neighbor_rows(graph: EdgeGraph) -> Ints:
    """Return for each node but the depot a row of those that free edges join it to, and -1."""
    free = graph.edges[~graph.required]
    tails, heads = np.concatenate([free, free[:, ::-1]]).T
    tails, heads = tails[tails != graph.depot], heads[tails != graph.depot]
    order = np.argsort(tails, kind="stable")
    tails, heads = tails[order], heads[order]
    degrees = np.bincount(tails, minlength=graph.nodes)
    near = np.full((graph.nodes, degrees.max(initial=0)), -1)
    near[tails, np.arange(len(tails)) - (np.cumsum(degrees) - degrees)[tails]] = heads
    return near


def _root(roots: list[int], label: int) -> int:
    """Return the cycle that a cycle has become a part of (union-find with path halving)."""
    while roots[label] != label:
        roots[label] = label = roots[roots[label]]
    return label


def cycle_covers(
    instance: Instance, clock: Clock, seed: int, left: int | None = None
) -> Iterator[list[Ints]]:
    """Yield one set of cycles through all nodes after another, joined until ``left`` are left.

    Without ``left`` they are those of the 2-factors themselves: none where there is no 2-factor. A
    node is the place of a vertex in ``graph.vertices``, and the depot comes after them. Each cycle
    runs in a direction that the moves allow; constraints other than those on ends and single moves
    are not looked at. Raises `OutOfTime`.

    >>> from kt_cp.board import Board
    >>> covers = cycle_covers(Instance(Board(8, 8), closed=True), Clock(), seed=0, left=2)
    >>> sorted(np.concatenate(next(covers)).tolist()) == list(range(64))
    True
    """
    flow = _first_flow(instance, clock, seed)
    while flow is not None:
        graph, edges = flow.graph, flow.two_factor
        pairs = beside(graph.nodes, edges)
        if left is not None:
            cover = CycleCover(graph, edges)
            cover.join(np.random.default_rng(seed), clock, left)
            pairs = cover.beside
        found = [graph.form.along(cycle) for cycle in cycles(pairs)]
        if graph.instance.closed and not instance.closed:
            found.sort(key=len)
            found[-1] = np.append(found[-1], graph.depot)
        yield found
        seed += 1
        flow = maximum_flow(graph, clock, seed)


def _first_flow(instance: Instance, clock: Clock, seed: int) -> Flow | None:
    """Return a flow that is a 2-factor, if there is any.

    An open tour with free ends begins with cycles through the squares alone, if there are any: the
    depot then fits between any two neighbors. Where some cycle of the graph is odd, nodes are
    split, which makes it bipartite.
    """
    free = not instance.closed and not instance.ends
    for each in ([replace(instance, closed=True)] if free else []) + [instance]:
        for split in (None, True):
            clock.check(EDGE_GRAPH_VERTEX * len(instance.graph))
            graph = propagate(edge_graph(each, split))
            flow = maximum_flow(graph, clock, seed) if graph else None
            if flow is not None:
                break
        if flow and flow.complete:
            return flow
    return None
