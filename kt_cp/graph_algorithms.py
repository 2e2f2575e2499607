"""Graph algorithms on arrays of edges: components, blocks, flows, orders of the vertices.

Vertices are ids from 0; edges are arrays with a row of two ids each. ``area`` is the number of ids,
the holes of a board included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, both_directions

# The neighbors of each vertex.
Adjacency = Mapping[int, Sequence[int]]


def adjacency(edges: Ints) -> dict[int, list[int]]:
    """Return the neighbors of every vertex that has any, for edges listed once.

    >>> adjacency(np.array([[0, 1], [1, 3]]))
    {0: [1], 1: [0, 3], 3: [1]}
    """
    neighbors: dict[int, list[int]] = {}
    for low, high in edges.tolist():
        neighbors.setdefault(low, []).append(high)
        neighbors.setdefault(high, []).append(low)
    return neighbors


def divided_edges(edges: Ints, is_divided: Mask, new: Ints) -> Ints:
    """Return the edges, rows of two ids, with a new vertex in the middle of some of them.

    ``new`` has the ids of the new vertices in the order of the edges that are divided.

    >>> divided_edges(np.array([[0, 1], [1, 2]]), np.array([True, False]), np.array([3])).tolist()
    [[1, 2], [0, 3], [1, 3]]
    """
    halves = [np.stack([ends, new], axis=1) for ends in edges[is_divided].T]
    return np.concatenate([edges[~is_divided], *halves])


# -- components ------------------------------------------------------------------------------------


def component_labels(area: int, edges: Ints) -> Ints:
    """Label each of ``area`` ids with the lowest id of its component; ``edges`` are pairs of ids.

    Hooking and pointer jumping (Shiloach and Vishkin 1982), a few rounds whatever the shape.

    >>> component_labels(5, np.array([[3, 1], [1, 4]], dtype=np.int32)).tolist()
    [0, 1, 2, 1, 1]
    """
    labels = np.arange(area)
    while True:
        ends = np.sort(labels[edges], axis=1)
        apart = ends[:, 0] != ends[:, 1]
        if not apart.any():
            return labels
        low, high = ends[apart].T
        np.minimum.at(labels, high, low)
        while not np.array_equal(labels, jumped := labels[labels]):
            labels = jumped


def find_root(parents: MutableSequence[int] | MutableMapping[int, int], label: int) -> int:
    """Return the root of the set that contains a label, and shorten the way to it.

    Sets are trees (union-find with path halving): each label has a parent, a root itself.

    >>> parents = [0, 0, 1, 2]
    >>> find_root(parents, 3), parents
    (0, [0, 0, 1, 1])
    """
    while parents[label] != label:
        grandparent = parents[parents[label]]
        parents[label] = grandparent
        label = grandparent
    return label


def find_subtour(area: int, edges: Ints) -> list[int]:
    """Return the ids on a cycle that does not visit all of ``area`` ids, or an empty list.

    At most two edges may meet at an id, so that every component is a path or a cycle.

    >>> find_subtour(5, np.array([[0, 1], [1, 3], [3, 0], [2, 4]]))
    [0, 1, 3]
    """
    labels = component_labels(area, edges)
    vertex_counts = np.bincount(labels, minlength=area)  # by the label of the component
    edge_counts = np.bincount(labels[edges[:, 0]], minlength=area)
    is_cycle = (edge_counts > 0) & (edge_counts == vertex_counts)
    subtours = np.flatnonzero(is_cycle & (vertex_counts < area))
    if not len(subtours):
        return []
    return np.flatnonzero(labels == subtours[0]).tolist()


def bipartition(area: int, edges: Ints) -> Mask | None:
    """Return for each of ``area`` ids whether it is in the first part; None if not bipartite.

    The bipartite double cover has two copies of every vertex, a first and a second one, and each
    edge joins a first copy with a second one. The two copies of a vertex are connected if and only
    if its component has an odd cycle.

    >>> bipartition(3, np.array([[0, 1], [1, 2]])).tolist()
    [True, False, True]
    >>> bipartition(3, np.array([[0, 1], [1, 2], [2, 0]])) is None
    True
    """
    cover = np.concatenate([edges + np.array([0, area]), edges + np.array([area, 0])])
    labels = component_labels(2 * area, cover)
    first, second = labels[:area], labels[area:]
    has_odd_cycle = (first == second).any()
    return None if has_odd_cycle else first < second


def strong_components(area: int, arcs: Ints) -> Ints:
    """Label each of ``area`` ids with an id of its strongly connected component.

    Depth-first search with low points (Tarjan 1972). ``arcs`` are rows (from, to).

    >>> strong_components(3, np.array([[0, 1], [1, 0], [1, 2]])).tolist()
    [0, 0, 2]
    """
    from kt_dfs.graph import recursion_room  # loaded only when used

    arcs = arcs[np.argsort(arcs[:, 0], kind="stable")]
    first = np.searchsorted(arcs[:, 0], np.arange(area + 1)).tolist()
    heads = arcs[:, 1].tolist()
    discovery: dict[int, int] = {}
    labels = [-1] * area
    waiting: list[int] = []  # the stack of ids without a label

    def visit(here: int) -> int:
        """Search from an id, and return its low point, as in `blocks_of`."""
        lowest = discovery[here] = len(discovery)
        waiting.append(here)
        for there in heads[first[here] : first[here + 1]]:
            if there not in discovery:
                lowest = min(lowest, visit(there))
            elif labels[there] < 0:
                lowest = min(lowest, discovery[there])
        if lowest == discovery[here]:
            for vertex in _pop_down_to(here, waiting):
                labels[vertex] = here
        return lowest

    with recursion_room(area):
        for root in range(area):
            if root not in discovery:
                visit(root)
    return np.array(labels)


# -- blocks ----------------------------------------------------------------------------------------


class Block(NamedTuple):
    """A block of a graph: an edge, or a maximal 2-connected part.

    The search entered the block at the vertex ``cut``; ``inner`` are its other vertices. Every
    vertex but the root of a search is an inner one of one block.
    """

    cut: int
    inner: list[int]


def blocks_of(graph: Adjacency) -> list[Block]:
    """Return the blocks of a graph; those below a block in the depth-first search precede it.

    With low points (Hopcroft and Tarjan 1973).

    >>> blocks_of({0: [1, 2, 3], 1: [0], 2: [0, 3], 3: [0, 2]})
    [Block(cut=0, inner=[1]), Block(cut=0, inner=[3, 2])]
    """
    from kt_dfs.graph import recursion_room  # loaded only when used

    blocks: list[Block] = []
    discovery: dict[int, int] = {}  # for each vertex its index in the order of discovery
    in_no_block: list[int] = []

    def visit(here: int) -> int:
        """Search from a vertex, and return its low point: the first that its subtree reaches."""
        lowest = discovery[here] = len(discovery)
        in_no_block.append(here)
        for there in graph[here]:
            if there in discovery:
                lowest = min(lowest, discovery[there])
                continue
            below = visit(there)
            lowest = min(lowest, below)
            if below >= discovery[here]:
                blocks.append(Block(here, _pop_down_to(there, in_no_block)))
        return lowest

    with recursion_room(len(graph)):
        for root in graph:
            if root not in discovery:
                visit(root)
    return blocks


def most_on_path(graph: Adjacency) -> int:
    """Return an upper bound on the vertices of a path: those of the largest chain of blocks.

    >>> most_on_path({0: [1, 2, 3, 4], 1: [0], 2: [0, 3], 3: [0, 2], 4: [0]})
    4
    """
    most = 1
    below = dict.fromkeys(graph, 0)  # how many vertices a path down from a vertex adds to it
    for block in blocks_of(graph):
        inner = len(block.inner)
        additions = sorted((below[vertex] for vertex in block.inner), reverse=True)
        within_block = 1 + inner + sum(additions[:2])
        through_cut = inner + additions[0]
        most = max(most, within_block, 1 + through_cut + below[block.cut])
        below[block.cut] = max(below[block.cut], through_cut)
    return most


def most_on_cycle(graph: Adjacency) -> int:
    """Return an upper bound on the vertices of a cycle: those of the largest block."""
    return max((1 + len(block.inner) for block in blocks_of(graph)), default=0)


def articulation_components(graph: Adjacency) -> dict[int, int]:
    """Return into how many components removing each articulation vertex splits its component.

    >>> articulation_components({0: [1, 2, 3], 1: [0], 2: [0, 3], 3: [0, 2]})
    {0: 2}
    """
    blocks = blocks_of(graph)
    parts = Counter(block.cut for block in blocks)
    parts.update(vertex for block in blocks for vertex in block.inner)  # the component above it
    return {vertex: count for vertex, count in parts.items() if count > 1}


def _pop_down_to(vertex: int, stack: list[int]) -> list[int]:
    """Remove and return the vertices of a stack from the top down to a vertex."""
    popped = [stack.pop()]
    while popped[-1] != vertex:
        popped.append(stack.pop())
    return popped


# -- flows -----------------------------------------------------------------------------------------


def flow_between(
    arcs: Ints, on_left: Mask, capacity: Ints, arc_capacity: int = 1
) -> tuple[int, Ints, Mask]:
    """Return a maximum flow from the nodes on the left to the others.

    ``arcs`` are rows (left node, right node); ``capacity`` is the flow that each node can send or
    receive, and ``arc_capacity`` what each arc can carry. The result is the value of the flow, the
    flow along each arc, and a mask of the nodes on the source's side of a minimum cut.
    """
    from ortools.graph.python.max_flow import SimpleMaxFlow  # loaded only when used

    senders, receivers = np.flatnonzero(on_left), np.flatnonzero(~on_left)
    source, sink = len(capacity), len(capacity) + 1
    solver = SimpleMaxFlow()
    arc_indices = solver.add_arcs_with_capacity(*arcs.T, np.full(len(arcs), arc_capacity))
    solver.add_arcs_with_capacity(np.full_like(senders, source), senders, capacity[senders])
    solver.add_arcs_with_capacity(receivers, np.full_like(receivers, sink), capacity[receivers])
    solver.solve(source, sink)
    side = np.zeros(len(capacity) + 2, dtype=np.bool_)
    side[solver.get_source_side_min_cut()] = True
    return solver.optimal_flow(), solver.flows(arc_indices), side[: len(capacity)]


# -- orders of the vertices ------------------------------------------------------------------------

# Limits of `low_width_orders`: how many orders it tries, and the vertices of all orders together.
_MAX_ORDERS = 20
_MAX_ORDERED_VERTICES = 20_000


def low_width_orders(vertices: Squares, edges: Ints) -> Iterator[Squares]:
    """Yield orders of the vertices, at least one, with a small frontier (a greedy heuristic).

    The frontier after a vertex holds the later vertices that are neighbors of earlier ones. Each
    order begins at another vertex of low degree, and continues with the vertex of the frontier that
    adds the fewest vertices to it; vertices without neighbors come last.
    """
    neighbors = adjacency(edges)
    isolated = [vertex for vertex in vertices.tolist() if vertex not in neighbors]
    by_degree = sorted(neighbors, key=lambda vertex: len(neighbors[vertex]))
    attempts = max(1, min(_MAX_ORDERS, _MAX_ORDERED_VERTICES // (len(by_degree) + 1)))
    for start in by_degree[:attempts]:
        yield np.array(_low_width_order(neighbors, start) + isolated, dtype=np.int32)
    if not by_degree:
        yield vertices


def _low_width_order(neighbors: Adjacency, start: int) -> list[int]:
    """Return an order of the vertices with neighbors that begins at ``start``."""
    order: list[int] = []
    frontier: list[int] = []
    # For each vertex its neighbors that are neither in the order nor on the frontier.
    unreached = {vertex: set(others) for vertex, others in neighbors.items()}

    def reach(vertex: int) -> None:
        """Put a vertex on the frontier."""
        frontier.append(vertex)
        for other in neighbors[vertex]:
            unreached[other].discard(vertex)

    while len(order) < len(neighbors):
        if not frontier:
            reach(start if not order else min(neighbors.keys() - set(order)))
        vertex = min(frontier, key=lambda each: len(unreached[each]))
        frontier.remove(vertex)
        order.append(vertex)
        for entering in sorted(unreached[vertex]):
            reach(entering)
    return order


def frontier_widths(edges: Ints, order: Squares) -> Ints:
    """Return how many vertices are on the frontier after each vertex of an order.

    See `low_width_orders`.
    """
    index = np.zeros(order.max() + 1, dtype=np.int64)
    index[order] = np.arange(len(order))
    first = np.arange(len(order))  # the index of the first among a vertex and its neighbors
    ends = index[edges]
    np.minimum.at(first, *both_directions(ends).T)
    entering = np.bincount(first, minlength=len(order))
    # With each step of the order, the vertices first reached enter, and one leaves.
    return np.cumsum(entering - 1)
