"""Solve a graph by regions: sets of nodes that every tour passes in one piece.

Where the nodes outside a set that are adjacent to it are only two, a Hamiltonian cycle enters the
set from one of them, visits all of it, and leaves it to the other. So the region is a graph of its
own: the set, the two nodes, and a new node that stands for everything else and is adjacent to both.
In the rest, a new node in place of the set is adjacent to the two.

The sets are those with small borders that `kt_cp.sat.small_cuts` finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import NamedGraph
from kt_cp.graph_algorithms import divided_edges
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time
from kt_cp.methods.cuts import CutSearch
from kt_cp.methods.method import Function
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import OutOfTimeError
from kt_cp.proof.reason import ReasonKind
from kt_cp.sat.edges import EdgeGraph
from kt_dfs import Status

# The fewest nodes of a region, and of the rest: a smaller one costs more than it saves.
_SMALLEST = 12


@dataclass(frozen=True)
class Region:
    """A region as a graph of its own: ``edges`` between nodes with any numbers.

    In the rest, the node ``inside`` stands for the set; in the region, the node ``outside`` stands
    for everything that is neither in the set nor one of the two nodes next to it.
    """

    edges: Ints
    inside: int
    outside: int

    def expanded(self, rest: list[int], cycle: list[int]) -> list[int]:
        """Return a cycle of the rest with ``inside`` replaced by the region's own cycle."""
        place, own_place = rest.index(self.inside), cycle.index(self.outside)
        path = (
            cycle[own_place + 1 :] + cycle[:own_place]
        )  # from one node of the border to the other
        if path[0] != rest[place - 1]:
            path.reverse()
        return rest[:place] + path[1:-1] + rest[place + 1 :]


class Regions:
    """The regions into which sets with small borders divide a graph, each without the ones before.

    ``rest`` has the edges of what is left of the graph. A required edge becomes two, with a new
    node between them.

    >>> from kt_cp.problem.instance import Instance
    >>> from kt_cp.sat.edges import edge_graph
    >>> grid = [(a, a + 6) for a in range(12)] + [(a, a + 1) for a in range(17) if a % 6 < 5]
    >>> two_grids = grid + [(a + 18, b + 18) for a, b in grid] + [(0, 18), (5, 23)]
    >>> regions = Regions(edge_graph(Instance.of(two_grids, closed=True)), [range(18)])
    >>> [len(region.edges) for region in regions.regions], len(regions.rest)
    ([31], 31)
    """

    def __init__(self, graph: EdgeGraph, sets: Iterable[Sequence[int]]) -> None:
        degrees = np.bincount(graph.edges.ravel(), minlength=graph.nodes)
        is_divided = graph.required & (degrees[graph.edges] > 2).all(axis=1)
        dividing = graph.nodes + np.arange(np.count_nonzero(is_divided))
        self._node_count = graph.nodes
        self._next_node = graph.nodes + len(dividing)
        self._neighbors: dict[int, set[int]] = {}
        for low, high in divided_edges(graph.edges, is_divided, dividing).tolist():
            self._join(low, high)
        self._inside_of: dict[int, int] = {}  # for nodes in a region: the node in their place
        self.regions: list[Region] = []
        for nodes in sorted(sets, key=len):
            self._divide({self._place_of(node) for node in nodes})
        self.rest = self._edges_among(self._neighbors.keys())

    def _join(self, one: int, other: int) -> None:
        self._neighbors.setdefault(one, set()).add(other)
        self._neighbors.setdefault(other, set()).add(one)

    def _place_of(self, node: int) -> int:
        """Return the node that stands for a node by now."""
        while node in self._inside_of:
            node = self._inside_of[node]
        return node

    def _edges_among(self, nodes: Iterable[int]) -> Ints:
        inside = set(nodes)
        return np.array(
            [(a, b) for a in sorted(inside) for b in self._neighbors[a] if a < b and b in inside]
        )

    def _outer_border(self, nodes: set[int]) -> set[int]:
        return {other for node in nodes for other in self._neighbors[node]} - nodes

    def _divide(self, nodes: set[int]) -> None:
        """Take a set out of the graph, without its outermost nodes if these are the only two."""
        border = self._outer_border(nodes)
        if len(border) != 2:
            inner = (
                self._outer_border(self._neighbors.keys() - nodes) if len(border) < 20 else set()
            )
            if len(inner) != 2:
                return
            nodes, border = nodes - inner, inner
            if self._outer_border(nodes) != inner:
                return
        left = len(self._neighbors) - len(nodes) - 2
        if min(len(nodes), left) < _SMALLEST:
            return
        one, other = sorted(border)
        inside, outside = self._next_node, self._next_node + 1
        self._next_node += 2
        edges = [(a, b) for a in nodes for b in self._neighbors[a] if a < b or b in border]
        edges = [*edges, (one, outside), (other, outside)]
        self.regions.append(Region(np.array(edges), inside, outside))
        for node in nodes:
            self._inside_of[node] = inside
            del self._neighbors[node]
        for node in border:
            self._neighbors[node] -= nodes
            self._join(node, inside)

    def cycle(self, rest: list[int], cycles: Sequence[list[int]]) -> Ints:
        """Return a Hamiltonian cycle of the graph, given those of the rest and of each region."""
        for region, cycle in reversed(list(zip(self.regions, cycles, strict=True))):
            rest = region.expanded(rest, cycle)
        return np.array([node for node in rest if node < self._node_count])


def answer(search: CutSearch, answer_part: Function) -> Answer:
    """Answer by ``answer_part`` for the graph of each region, and for the rest; the smallest first.

    The answer is UNKNOWN if there are no regions, or if there is no answer for one.
    """
    task, graph = search.task, search.graph
    try:
        regions = None if graph is None else Regions(graph, search.small_cuts)
    except OutOfTimeError:
        return out_of_time(task.instance, task.clock)
    if regions is None or not regions.regions:
        return gave_up(task.instance, "no set of vertices has only two neighbors")
    parts = [*(region.edges for region in regions.regions), regions.rest]
    cycles: list[list[int]] = [[] for _ in parts]
    method = None
    for index in sorted(range(len(parts)), key=lambda index: len(parts[index])):
        names, edges = np.unique(parts[index], return_inverse=True)
        part = NamedGraph(range(len(names)), edges.reshape(-1, 2))
        result = answer_part(replace(task, instance=Instance(part, closed=True)))
        if result.squares is None:
            return replace(_without_part(search, result, len(names)), method=result.method)
        cycles[index] = names[result.squares].tolist()
        method = result.method  # of the largest part in the end
    assert graph is not None
    tour = graph.tour(regions.cycle(cycles[-1], cycles[:-1]))
    return replace(found(tour, {"parts": len(parts)}), method=method)


def _without_part(search: CutSearch, result: Answer, vertices: int) -> Answer:
    """Return the answer for the whole graph, given the answer for a part without a cycle."""
    instance, clock = search.task.instance, search.task.clock
    part = f"a part of {vertices:,} vertices that two vertices separate"
    if result.status is Status.IMPOSSIBLE:
        return exhausted(instance, f"no tour passes {part}")
    if result.reason_kind is ReasonKind.TIME_LIMIT:
        return out_of_time(instance, clock)
    return gave_up(instance, f"no answer for {part}")
