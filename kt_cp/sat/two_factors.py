"""2-factors, sets of cycles that together visit every node of a graph once, by maximum flow.

In a bipartite graph, each node of the left color sends two units of flow and each node of the right
color receives two, with at most one unit along an edge: the edges in use form a 2-factor. The
depot of an open tour is split into two nodes: one on the right receives the surplus unit of each
end on the left, and one on the left supplies the missing unit of each end on the right.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask, both_directions, chunks, edge_keys, is_among
from kt_cp.graph_algorithms import bipartition, find_root, flow_between, strong_components
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import SECONDS_PER_EDGE, SECONDS_PER_SCANNED, Clock
from kt_cp.sat.edges import EdgeGraph, cycle_neighbors, cycles, edge_graph, propagate

# A node with this many times the neighbors of an average one is a hub.
_HUB = 8

# Nodes whose exchanges are listed together, which bounds the size of the arrays.
_CHUNK = 2**16

# How many places a random order may move an edge. An entirely random order leaves ten times as many
# cycles that no exchange of two edges joins.
_JITTER = 300


def two_factor(
    graph: EdgeGraph, clock: Clock | None = None, seed: int | None = None
) -> Ints | None:
    """Return the edges of a 2-factor; with a seed, of one that prefers edges in a random order.

    They are rows of two nodes, and none at all if there is no 2-factor. Returns None if the graph
    has an odd cycle, so that it is not bipartite. Raises `OutOfTimeError` if the flow would take
    longer than the clock allows.
    """
    if clock:
        clock.check(SECONDS_PER_EDGE * len(graph.edges))
    network = _network_of(graph)
    if network is None:
        return None
    need = network.need - np.bincount(
        network.arcs[graph.required].ravel(), minlength=len(network.need)
    )
    free = np.flatnonzero(~graph.required)
    if seed is not None:
        places = np.arange(len(free)) + _JITTER * np.random.default_rng(seed).random(len(free))
        free = free[np.argsort(places)]
    on_left = network.on_left
    value, flows, _ = flow_between(network.arcs[free], on_left, need.clip(0))
    is_met = value == need[on_left].sum() and value == need[~on_left].sum()
    if need.min() < 0 or not is_met:
        return graph.edges[:0]
    return graph.edges[np.append(free[flows > 0], np.flatnonzero(graph.required))]


class _Network(NamedTuple):
    """A graph as a network, in which flow goes from nodes on the left to the others.

    ``arcs`` has a row for each edge, whose first node is on the left, and ``need`` tells how many
    units each node sends or receives.
    """

    arcs: Ints
    on_left: Mask
    need: Ints


def _network_of(graph: EdgeGraph) -> _Network | None:
    """Return the network of a graph, or None if the graph is not bipartite."""
    if graph.is_split:
        on_left = np.arange(graph.node_count) < graph.node_count // 2
        return _Network(graph.edges, on_left, np.full(graph.node_count, 2))
    squares_on_left = _left_squares(graph)
    if squares_on_left is None:
        return None
    # The depot has two numbers: its own on the right, and the one after it on the left.
    depot = graph.depot
    on_left = np.append(squares_on_left, [False, True])
    arcs = np.where(on_left[graph.edges[:, :1]], graph.edges, graph.edges[:, ::-1])
    arcs[arcs[:, 0] == depot, 0] = depot + 1
    # Colors alternate: with equally many squares of both colors one end is on the left, with one
    # more on the left both are.
    ends_on_left = min(2, 1 + 2 * int(squares_on_left.sum()) - graph.square_count)
    of_depot = [0, 0] if graph.instance.closed else [ends_on_left, 2 - ends_on_left]
    return _Network(arcs, on_left, np.append(np.full(depot, 2), of_depot))


def _left_squares(graph: EdgeGraph) -> Mask | None:
    """Return a mask of the squares of the more frequent color, or None if there are no two colors.

    A graph that is not bipartite may become so when moves are forbidden.
    """
    whole = graph.instance.graph
    count = graph.square_count
    if whole.first_part is None:
        is_of_one_color = bipartition(count, graph.edges[graph.edges[:, 1] < count])
    else:
        is_of_one_color = whole.first_part[whole.vertices]
    if is_of_one_color is None:
        return None
    return is_of_one_color if 2 * is_of_one_color.sum() >= count else ~is_of_one_color


def tighten(graph: EdgeGraph, clock: Clock) -> EdgeGraph | None:
    """Return the graph without edges that are in no fractional 2-factor, or None without a tour.

    In a fractional 2-factor, the weights of the edges at each node, at most 1 each, have the sum 2.
    Twice the weights are a flow in the bipartite double cover, in which each node is two and each
    edge is two arcs. A maximum flow can be changed only within the strong components of its
    residual graph (Régin 1994, A filtering algorithm for constraints of difference in CSPs). Edges
    that are always used become required, and the consequences are propagated. Raises
    `OutOfTimeError`.
    """
    count = graph.node_count
    while True:
        clock.check(2 * SECONDS_PER_EDGE * len(graph.edges))
        free = np.flatnonzero(~graph.required)
        need = 2 - np.bincount(graph.edges[graph.required].ravel(), minlength=count)
        arcs = both_directions(graph.edges[free]) + np.array([0, count])
        value, flows, _ = flow_between(arcs, np.arange(2 * count) < count, np.tile(need, 2))
        if value < need.sum():
            return None
        used = flows > 0
        labels = strong_components(2 * count, np.where(used[:, None], arcs[:, ::-1], arcs))
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


def cycle_covers(
    instance: Instance, clock: Clock, seed: int, target_cycles: int
) -> Iterator[list[Ints]]:
    """Yield 2-factors, each as a list of cycles, joined until ``target_cycles`` remain if possible.

    Nothing is yielded if there is no 2-factor; otherwise the iterator is endless. A node is the
    index of a vertex in ``graph.vertices``, and the depot comes after them. Each cycle runs in a
    direction that the moves allow. Only constraints on ends and single moves are taken into
    account. Raises `OutOfTimeError`.

    >>> from kt_cp.board import Board
    >>> covers = cycle_covers(Instance(Board(8, 8), closed=True), Clock(), seed=0, target_cycles=2)
    >>> sorted(np.concatenate(next(covers)).tolist()) == list(range(64))
    True
    """
    candidates = [instance]
    if not instance.closed and not instance.ends:
        # A 2-factor of the squares alone: the depot fits between any two neighbors.
        candidates.insert(0, replace(instance, closed=True))
    # Splitting the nodes makes a graph with odd cycles bipartite; directed ones are always split.
    for candidate, split in itertools.product(candidates, (None, True)):
        clock.check(SECONDS_PER_EDGE * len(instance.graph))
        graph = propagate(edge_graph(candidate, split))
        edges = two_factor(graph, clock, seed) if graph else None
        if graph is not None and edges is not None and len(edges):
            break
    else:
        return
    while edges is not None:
        cover = CycleCover(graph, edges)
        cover.join(np.random.default_rng(seed), clock, target_cycles)
        found_cycles = [graph.form.from_depot(cycle) for cycle in cycles(cover.cycle_neighbors)]
        if candidate.closed and not instance.closed:
            found_cycles.sort(key=len)
            longest = found_cycles.pop()
            found_cycles.append(np.append(longest, graph.depot))  # between its first and its last
        yield found_cycles
        seed += 1
        edges = two_factor(graph, clock, seed)


# -- cycles ---------------------------------------------------------------------------------------


class CycleCover:
    """Cycles that together visit every node of a graph once, and that `join` merges.

    (A cover by paths is another thing: `kt_cp.methods.covers`.)

    For each node, ``cycle_neighbors`` holds its two neighbors on its cycle, ``neighbors`` its
    neighbors by any free edge (a row of `neighbor_rows`), ``place_of`` its index in ``order``, and
    ``label_of`` the number of its cycle. ``order`` lists the nodes of one cycle after the other,
    and ``sizes`` has the length of each cycle. `renumber` recomputes these after
    ``cycle_neighbors`` has changed.
    """

    def __init__(self, graph: EdgeGraph, edges: Ints) -> None:
        self._graph = graph
        self.neighbors = neighbor_rows(graph)
        self.use(edges)

    def use(self, edges: Ints) -> None:
        """Take the cycles that these edges of the graph form."""
        self.cycle_neighbors = cycle_neighbors(self._graph.node_count, edges)
        self.renumber()

    def renumber(self) -> None:
        """Number the nodes along the cycles."""
        found_cycles = cycles(self.cycle_neighbors)
        self.sizes = np.array([len(cycle) for cycle in found_cycles])
        self.order = np.concatenate(found_cycles)
        self.place_of = np.empty_like(self.order)
        self.place_of[self.order] = np.arange(len(self.order))
        self.label_of = np.empty_like(self.order)
        self.label_of[self.order] = np.repeat(np.arange(len(found_cycles)), self.sizes)

    def along(self, nodes: Ints, step: int) -> Ints:
        """Return the nodes that come ``step`` places after these on their cycles."""
        sizes = self.sizes[self.label_of[nodes]]
        first = np.cumsum(self.sizes)[self.label_of[nodes]] - sizes
        place_in_cycle = (self.place_of[nodes] - first + step) % sizes
        return np.asarray(self.order[first + place_in_cycle])

    @cached_property
    def _free_edges(self) -> Ints:
        """The numbers of the edges that are not required, ascending."""
        return np.sort(edge_keys(self._graph.edges[~self._graph.required], self._graph.node_count))

    def have_free_edge(self, one: Ints, other: Ints) -> Mask:
        """Return a mask of the pairs of nodes that are joined by an edge that is not required."""
        pairs = np.stack([np.minimum(one, other), np.maximum(one, other)], axis=1)
        return is_among(edge_keys(pairs, len(self.order)), self._free_edges)

    def join(self, rng: np.random.Generator, clock: Clock, target_cycles: int = 1) -> None:
        """Join cycles by exchanges of two edges, until that many are left or none can be joined.

        Raises `OutOfTimeError`.
        """
        while len(self.sizes) > target_cycles:
            clock.check(SECONDS_PER_SCANNED * len(self.order))
            cycles_before = len(self.sizes)
            self._join_once(rng, target_cycles)
            if len(self.sizes) == cycles_before:
                break

    def _join_once(self, rng: np.random.Generator, target_cycles: int) -> None:
        """Make the exchanges found now, but those whose cycles have been joined, and renumber."""
        count = len(self.sizes)
        roots = list(range(count))
        for a, b, c, d in self._exchanges(rng).tolist():
            if count <= target_cycles:
                break
            one, other = find_root(roots, self.label_of[a]), find_root(roots, self.label_of[c])
            are_edges_left = b in self.cycle_neighbors[a] and d in self.cycle_neighbors[c]
            if one != other and are_edges_left:
                roots[one] = other
                count -= 1
                for node, old, new in ((a, b, d), (b, a, c), (c, d, b), (d, c, a)):
                    side = 0 if self.cycle_neighbors[node, 0] == old else 1
                    self.cycle_neighbors[node, side] = new
        self.renumber()

    def borders(self) -> Ints:
        """Return the nodes with a neighbor on another cycle, except those of the largest cycle."""
        nodes = np.flatnonzero(self.label_of != self.sizes.argmax())
        return np.asarray(nodes[self._across(nodes).any(axis=1)])

    def _across(self, nodes: Ints) -> Mask:
        """Return a mask of the entries of the rows of ``neighbors`` that are on another cycle."""
        others = self.neighbors[nodes]
        return np.asarray((others >= 0) & (self.label_of[others] != self.label_of[nodes, None]))

    def _exchanges(self, rng: np.random.Generator) -> Ints:
        """Return exchanges as rows a, b, c, d, one for each pair of cycles that has any.

        An exchange replaces the edges a-b and c-d of two cycles by a-d and b-c, which joins them.
        The order is random, except that exchanges of the smallest cycles come first.
        """
        small = np.flatnonzero(self.label_of != self.sizes.argmax())
        parts = (small[first:last] for first, last in chunks(len(small), _CHUNK))
        exchanges = rng.permutation(np.concatenate([*map(self._exchanges_at, parts)]))
        pairs_of_cycles = np.sort(self.label_of[exchanges[:, [0, 2]]], axis=1)
        _, chosen = np.unique(edge_keys(pairs_of_cycles, len(self.sizes)), return_index=True)
        chosen.sort()
        smaller_size = self.sizes[pairs_of_cycles[chosen]].min(axis=1)
        return np.asarray(exchanges[chosen[np.argsort(smaller_size, kind="stable")]])

    def _exchanges_at(self, nodes: Ints) -> Ints:
        """Return all exchanges whose b is one of these nodes, as rows a, b, c, d."""
        rows, columns = np.nonzero(self._across(nodes))
        b, c = nodes[rows], self.neighbors[nodes][rows, columns]
        # Each edge b-c across makes four exchanges: a is one of two neighbors of b, and d of c.
        free_exchanges = []
        for side_of_b, side_of_c in itertools.product((0, 1), repeat=2):
            a, d = self.cycle_neighbors[b, side_of_b], self.cycle_neighbors[c, side_of_c]
            exchanges = np.stack([a, b, c, d], axis=1)[self.have_free_edge(a, d)]
            a, b_left, c_left, d = exchanges.T
            # The two edges that are removed must not be required either.
            is_free = self.have_free_edge(a, b_left) & self.have_free_edge(c_left, d)
            free_exchanges.append(exchanges[is_free])
        return np.concatenate(free_exchanges)


def neighbor_rows(graph: EdgeGraph) -> Ints:
    """Return a row for each node: its neighbors along edges that are not required, then -1.

    The rows of hubs, which have far more neighbors than others, have none: all rows would become as
    long as these. The depot is mostly one, as almost every square can be the end of a tour.
    """
    tails, heads = both_directions(graph.edges[~graph.required]).T
    degrees = np.bincount(tails, minlength=graph.node_count)
    is_hub = degrees > _HUB * max(degrees.mean(), 1)
    order = np.argsort(tails, kind="stable")
    order = order[~is_hub[tails[order]]]
    tails, heads = tails[order], heads[order]
    degrees[is_hub] = 0
    first = np.cumsum(degrees) - degrees
    rows = np.full((graph.node_count, degrees.max(initial=0)), -1)
    rows[tails, np.arange(len(tails)) - first[tails]] = heads
    return rows
