"""A tour as a set of undirected edges: two at every node, and all of them in one cycle.

The nodes and edges are those of a `kt_cp.problem.tour_graph.TourGraph` or, where moves have a
direction, of its split form.

`EdgeSolver` chooses edges by CaDiCaL: clauses say how many edges a node has, and where a solution
falls into several components, a clause for each of them says that some edge leaves it (Dantzig,
Fulkerson and Johnson 1954, Solution of a large-scale traveling-salesman problem).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares
from kt_cp.graph_algorithms import component_labels
from kt_cp.problem.clock import Clock, OutOfTime
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import Nodes, SplitGraph, TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED

# About how many seconds the graph takes for each square, uninterrupted.
STATING = 2e-6

# Nodes with more edges than this get an encoding with additional variables.
_MANY = 12

# Conflicts of a SAT solver between two looks at the clock.
_SLICE = 1_000


@dataclass(frozen=True, eq=False)
class EdgeGraph:
    """The edges that a tour may use, as rows (lower node, higher node), and which it must use.

    Its nodes are those of a `TourGraph` or, where moves have a direction, of its `SplitGraph`.
    There are no edges where one is both required and forbidden.
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

    def either_way(self) -> list[Mask]:
        """Return the edges of each move that is required in either direction, if nodes are split.

        A tour uses just one edge of each.
        """
        if not isinstance(self.form, SplitGraph):
            return []
        key = np.array([self.nodes, 1])
        return [np.isin(self.edges @ key, choice @ key) for choice in self.form.choices]

    def tour(self, cycle: Nodes) -> Squares:
        """Return the tour that a cycle through all nodes is, as ids in the order asked for."""
        return self.form.tour(cycle)


def edge_graph(instance: Instance, split: bool | None = None) -> EdgeGraph:
    """Return the graph of an instance; its nodes are split if any move has a direction.

    Given steps are left out, and in a split graph moves that are required in either direction.

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
    """Return the graph without the edges that no tour can use, or None where no tour is left.

    As long as it changes something, two edges left at a node are required, two required ones rule
    out its others, and so is what would close a path of required edges too early.

    >>> propagate(edge_graph(Instance.of("3x4", closed=True))) is None
    True
    """
    nodes, edges, required = graph.nodes, graph.edges, graph.required
    if graph.instance.closed and graph.depot < FEWEST_CLOSED:
        return None
    while True:
        degrees = np.bincount(edges.ravel(), minlength=nodes)
        required = required | (degrees == 2)[edges].any(axis=1)
        used = np.bincount(edges[required].ravel(), minlength=nodes)
        labels = component_labels(nodes, edges[required])
        size = np.bincount(labels, minlength=nodes)
        is_cycle = np.bincount(labels[edges[required][:, 0]], minlength=nodes) == size
        is_short = is_cycle & (size > 0) & (size < nodes)
        if degrees.min() < 2 or used.max() > 2 or is_short.any():
            return None
        low, high = labels[edges.T]
        out = (used == 2)[edges].any(axis=1) | ((low == high) & (size[low] < nodes))
        keep = required | ~out
        if keep.all():
            return replace(graph, edges=edges, required=required)
        edges, required = edges[keep], required[keep]


def beside(nodes: int, edges: Ints) -> Ints:
    """Return for each node the two that edges join it with, where every node has two edges."""
    tails, heads = np.concatenate([edges, edges[:, ::-1]]).T
    return np.asarray(heads[np.argsort(tails, kind="stable")].reshape(nodes, 2))


def cycles(beside: Ints) -> list[Ints]:
    """Return the nodes of each cycle in order.

    >>> cycles(beside(3, np.array([[0, 1], [1, 2], [0, 2]])))
    [array([0, 1, 2])]
    """
    one, other = beside.T.tolist()
    seen, found = bytearray(len(one)), list[Ints]()
    for first in range(len(one)):
        before, node, cycle = -1, first, list[int]()
        while not seen[node]:
            seen[node] = 1
            cycle.append(node)
            before, node = node, one[node] if one[node] != before else other[node]
        if cycle:
            found.append(np.array(cycle))
    return found


def satisfiable(
    solver: Any, clock: Clock, assumptions: Sequence[int] = (), most: float = np.inf
) -> bool:
    """Return whether a SAT solver's clauses can be satisfied.

    Raises `OutOfTime` when the clock's limit is reached, or after ``most`` conflicts in all. The
    solver runs in a thread of its own: Ctrl-C would otherwise jump out of its middle.
    """
    while True:
        clock.check()
        left = most - solver.accum_stats()["conflicts"]
        if left <= 0:
            raise OutOfTime
        solver.conf_budget(int(min(left, _SLICE)))
        with ThreadPoolExecutor(max_workers=1) as thread:
            answer = thread.submit(solver.solve_limited, assumptions=assumptions).result()
        if answer is not None:
            return bool(answer)


# CaDiCaL takes this part of the time in which clauses were added to free them again, which cannot
# be interrupted: measured for 5,000 nodes with 100 edges each.
_FREEING = 0.4


class EdgeSolver:
    """Chooses edges so that with the ``links`` each node has two, and all nodes are connected.

    ``edges`` and ``links`` are rows of two nodes; links are in use anyway. Edges of the same group
    are used together. ``variables`` holds the variable of each edge, ``cuts`` counts the sets of
    nodes that were found apart. Raises `OutOfTime` when the clock's limit is reached.
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
        from pysat.solvers import Cadical195  # which the other methods do without

        self.nodes, self.edges, self.links, self.clock = nodes, edges, links, clock
        groups = np.arange(len(edges)) if groups is None else groups
        self._top = int(groups.max(initial=-1)) + 1
        count = max(self._top, 1)
        # The numbers of neighbors stay close: otherwise the search would take ten times as long.
        self.variables = 1 + (groups + Random(seed).randrange(count)) % count
        self._solver = Cadical195()
        self.cuts = 0
        wanted = 2 - np.bincount(links.ravel(), minlength=nodes)
        literals = _by_node(self.variables, edges, nodes)
        began = clock.seconds
        for number, around in zip(wanted.tolist(), literals, strict=True):
            clock.check(_FREEING * (clock.seconds - began))
            self.exactly(number, around)

    @property
    def conflicts(self) -> int:
        """The number of conflicts until now."""
        return int(self._solver.accum_stats()["conflicts"])

    def solve(self, most: float = np.inf) -> Mask | None:
        """Return which edges are used, or None where no choice connects all nodes.

        Raises `OutOfTime` after ``most`` conflicts, too.
        """
        while (used := self.choose(most)) is not None:
            labels = component_labels(self.nodes, np.concatenate([self.edges[used], self.links]))
            if not labels.any():
                break
            self._cut(labels)
        return used

    def choose(self, most: float = np.inf) -> Mask | None:
        """Do what `solve` does, but without a look at what is connected."""
        if not satisfiable(self._solver, self.clock, most=most):
            return None
        values = np.array(self._solver.get_model()) > 0
        return np.asarray(values[self.variables - 1])

    def _cut(self, labels: Ints) -> None:
        """Add for each set of nodes with the same label the clause that some edge leaves it."""
        names, sets = np.unique(labels, return_inverse=True)
        ends = sets[self.edges]
        across = ends[:, 0] != ends[:, 1]
        for leaving in _by_node(self.variables[across], ends[across], len(names)):
            self.clock.check()
            self._solver.add_clause(sorted({*leaving}))
            self.cuts += 1

    def exactly(self, number: int, literals: list[int]) -> None:
        """Add clauses: ``number`` of the literals are true; one that occurs twice counts twice."""
        count = len(literals)
        if not 0 <= number <= count:
            self._solver.add_clause([])
        elif count <= _MANY:
            unused = [-literal for literal in literals]
            for some in itertools.combinations(literals, count - number + 1):
                self._solver.add_clause(some)
            for some in itertools.combinations(unused, number + 1):
                self._solver.add_clause(some)
        else:
            from pysat.card import CardEnc  # which few boards need

            counter = CardEnc.equals(literals, number, self._top)
            self._top = max(self._top, counter.nv)
            self._solver.append_formula(counter.clauses)


def _by_node(variables: Ints, edges: Ints, nodes: int) -> Iterator[list[int]]:
    """Yield for each node the variables of its edges."""
    ends = edges.T.ravel()
    order = np.argsort(ends, kind="stable")
    lasts = np.cumsum(np.bincount(ends, minlength=nodes))
    return (each.tolist() for each in np.split(np.tile(variables, 2)[order], lasts[:-1]))
