"""A tour as a set of undirected edges: two at every node, and all of them in one cycle.

The nodes and edges are those of a `kt_cp.problem.tour_graph.TourGraph` or, where moves have a
direction, of its split form.

`EdgeSolver` chooses edges by CaDiCaL: clauses say how many edges a node has. If a solution has
several components, a clause is added for each of them: some edge leaves it (Dantzig, Fulkerson and
Johnson 1954, Solution of a large-scale traveling-salesman problem).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, both_directions, edges_among
from kt_cp.graph_algorithms import adjacency, component_labels
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import Nodes, SplitGraph, TourGraph
from kt_cp.sat.formula import Formula
from kt_cp.tour.validator import FEWEST_CLOSED

# Freeing CaDiCaL's clauses takes this fraction of the time of adding them, and cannot be
# interrupted: measured for 5,000 nodes with 100 edges each.
FREEING_SHARE = 0.4


@dataclass(frozen=True, eq=False)
class EdgeGraph:
    """The edges that a tour may use, as rows (lower node, higher node), and a mask of the required.

    The nodes are those of a `TourGraph` or, if moves have a direction, of its `SplitGraph`. There
    are no edges at all if one is both required and forbidden.
    """

    form: TourGraph | SplitGraph
    edges: Nodes
    required: Mask

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.form.instance

    @property
    def is_split(self) -> bool:
        """Whether each vertex is two nodes, at which it is left and entered."""
        return isinstance(self.form, SplitGraph)

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.form)

    @property
    def depot(self) -> int:
        """The node of the depot (at which it is left), which only open tours have."""
        return self.form.depot

    @property
    def depot_nodes(self) -> list[int]:
        """The nodes of the depot: none for a closed tour, and two if the nodes are split."""
        if self.instance.closed:
            return []
        if self.is_split:
            return [self.depot, self.depot + self.nodes // 2]
        return [self.depot]

    @property
    def squares(self) -> int:
        """The number of squares; unless nodes are split, they are the nodes before the depot."""
        return len(self.instance.graph)

    def undirected_requirements(self) -> list[Mask]:
        """Return for each move required in either direction a mask of its edges in a split graph.

        A tour uses exactly one of them. The list is empty if the nodes are not split.
        """
        if not isinstance(self.form, SplitGraph):
            return []
        return [
            edges_among(self.edges, choice, self.nodes) for choice in self.form.undirected_choices
        ]

    def tour(self, cycle: Nodes) -> Squares:
        """Return a Hamiltonian cycle as a tour: ids in visiting order."""
        return self.form.tour(cycle)


def edge_graph(instance: Instance, split: bool | None = None) -> EdgeGraph:
    """Return the graph of an instance; by default, its nodes are split if any move has a direction.

    Given steps are ignored, and in a split graph moves that are required in either direction too.

    >>> graph = edge_graph(Instance.of("3x4", start="a3"))
    >>> len(graph.edges), graph.edges[graph.required].tolist()
    (26, [[0, 12]])
    """
    whole = TourGraph(instance)
    is_split = instance.one_way if split is None else split
    form = whole.split if is_split else whole
    if form.is_contradictory:
        return EdgeGraph(form, form.edges[:0], form.required[:0])
    return EdgeGraph(form, form.edges, form.required)


def propagate(graph: EdgeGraph) -> EdgeGraph | None:
    """Return the graph without the edges that no tour can use, or None if there is no tour.

    Three rules are applied until nothing changes: the only two edges at a node are required; two
    required edges at a node rule out its other edges; an edge that would close a path of required
    edges to a subtour is ruled out.

    >>> propagate(edge_graph(Instance.of("3x4", closed=True))) is None
    True
    """
    nodes, edges, required = graph.nodes, graph.edges, graph.required
    if graph.instance.closed and graph.squares < FEWEST_CLOSED:
        return None
    while True:
        degrees = np.bincount(edges.ravel(), minlength=nodes)
        required = required | (degrees == 2)[edges].any(axis=1)
        used = np.bincount(edges[required].ravel(), minlength=nodes)
        labels = component_labels(nodes, edges[required])
        size = np.bincount(labels, minlength=nodes)
        required_inside = np.bincount(labels[edges[required][:, 0]], minlength=nodes)
        is_cycle = required_inside == size  # as many edges as nodes, at most two at each
        is_short = is_cycle & (size > 0) & (size < nodes)
        if degrees.min() < 2 or used.max() > 2 or is_short.any():
            return None
        low_label, high_label = labels[edges.T]
        closes_cycle = (low_label == high_label) & (size[low_label] < nodes)
        is_ruled_out = (used == 2)[edges].any(axis=1) | closes_cycle
        keep = required | ~is_ruled_out
        if keep.all():
            return replace(graph, edges=edges, required=required)
        edges, required = edges[keep], required[keep]


def cycle_neighbors(nodes: int, edges: Ints) -> Ints:
    """Return for each node its two neighbors, as rows; every node has exactly two edges."""
    tails, heads = both_directions(edges).T
    return np.asarray(heads[np.argsort(tails, kind="stable")].reshape(nodes, 2))


def cycles(neighbors: Ints) -> list[Ints]:
    """Return the nodes of each cycle in order, given the two neighbors of each node.

    >>> cycles(cycle_neighbors(3, np.array([[0, 1], [1, 2], [0, 2]])))
    [array([0, 1, 2])]
    """
    one, other = neighbors.T.tolist()
    seen = bytearray(len(one))
    found: list[Ints] = []
    for first in range(len(one)):
        before, node = -1, first
        cycle: list[int] = []
        while not seen[node]:
            seen[node] = 1
            cycle.append(node)
            before, node = node, one[node] if one[node] != before else other[node]
        if cycle:
            found.append(np.array(cycle))
    return found


class EdgeSolver:
    """Chooses edges so that with the ``links`` each node has two, and all nodes are connected.

    ``edges`` and ``links`` are rows of two nodes; all links are used. Edges of the same group are
    used together. ``variables`` holds the variable of each edge, and ``cuts`` is the number of
    clauses against components. Raises `OutOfTimeError` when the clock's limit is reached.
    """

    def __init__(
        self,
        nodes: int,
        edges: Ints,
        links: Ints,
        clock: Clock,
        groups: Ints | None = None,
        seed: int = 0,
    ) -> None:
        self.nodes, self.edges, self.links, self.clock = nodes, edges, links, clock
        groups = np.arange(len(edges)) if groups is None else groups
        count = max(int(groups.max(initial=-1)) + 1, 1)
        # A rotation keeps the numbers of neighbors close; otherwise the search is ten times slower.
        self.variables = 1 + (groups + Random(seed).randrange(count)) % count
        self.formula = Formula(count)
        self.cuts = 0
        wanted = 2 - np.bincount(links.ravel(), minlength=nodes)
        literals = grouped(self.variables, edges, nodes)
        began = clock.seconds
        for number, around in zip(wanted.tolist(), literals, strict=True):
            clock.check(FREEING_SHARE * (clock.seconds - began))
            self.formula.exactly(number, around)

    def use_exactly(self, number: int, edges: Ints) -> None:
        """Add clauses: a solution uses ``number`` of these edges, which are rows of two nodes."""
        literals = self.variables[edges_among(self.edges, edges, self.nodes)]
        linked = edges_among(self.links, edges, self.nodes)
        self.formula.exactly(number - int(linked.sum()), literals.tolist())

    @property
    def conflicts(self) -> int:
        """The number of conflicts until now."""
        return self.formula.conflicts

    def solve(self, max_conflicts: float = np.inf) -> Mask | None:
        """Return a mask of the edges in use, or None if no choice connects all nodes.

        Raises `OutOfTimeError`, and `OutOfConflictsError` after ``max_conflicts`` conflicts.
        """
        while (used := self.choose(max_conflicts)) is not None:
            labels = component_labels(self.nodes, np.concatenate([self.edges[used], self.links]))
            if not labels.any():
                break
            self.cut(labels)
        return used

    def choose(self, max_conflicts: float = np.inf) -> Mask | None:
        """Return a mask of edges with which each node has two, not necessarily connected.

        Returns None if there is no such choice. Raises `OutOfTimeError`, and `OutOfConflictsError`
        after ``max_conflicts`` conflicts.
        """
        if not self.formula.solve(self.clock, max_conflicts):
            return None
        return np.asarray(self.formula.values()[self.variables - 1])

    def two_factor(self) -> Ints:
        """Return the edges and links of the solution found last, as rows of two nodes."""
        used = self.formula.values()[self.variables - 1]
        return np.concatenate([self.edges[used], self.links])

    def cut(self, labels: Ints) -> None:
        """Add a clause for each set of nodes with the same label: some edge leaves it."""
        distinct, sets = np.unique(labels, return_inverse=True)
        ends = sets[self.edges]
        across = ends[:, 0] != ends[:, 1]
        for leaving in grouped(self.variables[across], ends[across], len(distinct)):
            self.clock.check()
            self.formula.add(sorted({*leaving}))
            self.cuts += 1


def grouped(values: Ints, groups: Ints, count: int) -> Iterator[list[int]]:
    """Yield for each of ``count`` groups, such as nodes, its values, such as those of its edges.

    ``groups`` has a row for each value: the numbers, from 0, of the groups to which it belongs.

    >>> list(grouped(np.array([7, 8]), np.array([[0, 1], [2, 1]]), 3))
    [[7], [7, 8], [8]]
    """
    group_of_each = groups.T.ravel()
    order = np.argsort(group_of_each, kind="stable")
    lasts = np.cumsum(np.bincount(group_of_each, minlength=count)).tolist()
    ordered = np.tile(values, groups.shape[1])[order].tolist()
    first = 0
    for last in lasts:
        yield ordered[first:last]
        first = last


def breadth_first_numbers(nodes: int, edges: Ints, seed: int = 0) -> Ints:
    """Return for each of ``nodes`` nodes the number at which a breadth-first search visits it.

    Numbers count from 0. ``edges`` are rows of two nodes. The search begins at a random node, and
    goes on from the lowest node that is not yet visited.

    A SAT solver takes variables in the order of their numbers as long as nothing distinguishes
    them. If the numbers of neighbors are far from each other it takes ten times as long. Its time
    has a heavy tail, so another start can find in a second what one did not find in a minute (C.
    Gomes, B. Selman, N. Crato, H. Kautz, Heavy-tailed phenomena in satisfiability, 2000).

    >>> breadth_first_numbers(4, np.array([[0, 3], [3, 1], [1, 2]]), seed=5).tolist()
    [3, 1, 0, 2]
    """
    neighbors = adjacency(edges)
    order, is_reached = list[int](), bytearray(nodes)
    for root in (Random(seed).randrange(nodes), *range(nodes)):
        if is_reached[root]:
            continue
        is_reached[root] = True
        queue = [root]
        for node in queue:  # which grows meanwhile
            for neighbor in neighbors.get(node, ()):
                if not is_reached[neighbor]:
                    is_reached[neighbor] = True
                    queue.append(neighbor)
        order += queue
    numbers = np.empty(nodes, dtype=np.int64)
    numbers[order] = np.arange(nodes)
    return numbers
