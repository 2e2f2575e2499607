"""A tour as a set of arcs: each node is left once and entered once, and all are in one cycle.

The model of T. Soh, D. Le Berre, S. Roussel, M. Banbara, N. Tamura (Incremental SAT-based method
with native Boolean cardinality handling for the Hamiltonian cycle problem, 2014) and T. Soh and
others (SAT 2025): if a solution has several components, clauses are added for each of them: some
arc leaves it, and some arc enters it.

It has twice as many variables as there are undirected edges, yet on many sparse graphs it takes a
hundredth of the time: a cut that is left in one direction is entered in the other, and a choice at
one node determines the direction of whole paths.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints, Mask, both_directions
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import adjacency, bipartition, component_labels
from kt_cp.problem.task import Clock
from kt_cp.sat.edges import FREEING_SHARE, EdgeGraph, breadth_first_numbers, grouped
from kt_cp.sat.formula import Formula
from kt_cp.tour.validator import FEWEST_CLOSED


class ArcSolver:
    """Chooses arcs that form cycles through all nodes; `cut` adds clauses that join the cycles.

    In a split graph each edge is one arc, and edges inside a vertex are always used. In any
    other graph an edge is two arcs, and one of the two directions of each tour is ruled out. Raises
    `OutOfTimeError` when the clock's limit is reached.
    """

    def __init__(self, graph: EdgeGraph, clock: Clock, seed: int) -> None:
        self.graph, self.clock, self.cuts = graph, clock, 0
        self.nodes = graph.nodes // 2 if graph.is_split else graph.nodes
        arcs, edge_of_arc = _arcs_of(graph)
        self.numbers = breadth_first_numbers(self.nodes, arcs, seed)
        order = np.lexsort(self.numbers[arcs].T[::-1])
        self.arcs, self._edge_of_arc = arcs[order], edge_of_arc[order]
        self.variables = np.arange(1, len(arcs) + 1)
        self.formula = Formula(len(arcs))
        self._use_each_node_once()
        self._require()
        if self.nodes >= FEWEST_CLOSED:  # two nodes have only one cycle, forth and back
            self._forbid_returns()
            if not graph.is_split:
                self._keep_one_direction()

    def _use_each_node_once(self) -> None:
        """Add clauses: each node is left once and entered once."""
        tails, heads = self.arcs.T
        leaving = list(grouped(self.variables, tails[:, None], self.nodes))
        entering = list(grouped(self.variables, heads[:, None], self.nodes))
        began = self.clock.seconds
        for node in np.argsort(self.numbers).tolist():
            self.clock.check(FREEING_SHARE * (self.clock.seconds - began))
            for arcs in (leaving[node], entering[node]):
                self.formula.add(arcs)
                if arcs:
                    self.formula.at_most_one(arcs)

    def _require(self) -> None:
        """Add clauses: each required edge is used, in one direction or the other."""
        arcs_of_edge = list(
            grouped(self.variables, self._edge_of_arc[:, None], len(self.graph.edges))
        )
        for edge in np.flatnonzero(self.graph.required).tolist():
            if arcs_of_edge[edge]:  # an edge inside a split node has none
                self.formula.add(arcs_of_edge[edge])
        for edges_of_move in self.graph.undirected_requirements():
            arcs = [arc for edge in np.flatnonzero(edges_of_move) for arc in arcs_of_edge[edge]]
            self.formula.add(arcs)

    def _forbid_returns(self) -> None:
        """Add clauses: of two opposite arcs at most one is used."""
        arc_of = {(tail, head): arc for arc, (tail, head) in enumerate(self.arcs.tolist(), start=1)}
        for (tail, head), arc in arc_of.items():
            opposite = arc_of.get((head, tail), 0)
            if arc < opposite:
                self.clock.check()
                self.formula.add([-arc, -opposite])

    def _keep_one_direction(self) -> None:
        """Rule out one direction of each tour at a node with fewest neighbors.

        Of the two neighbors on the tour, the one before has the smaller number.
        """
        tails, heads = self.arcs.T
        node = int(np.bincount(tails, minlength=self.nodes).argmin())
        is_leaving = tails == node
        for entering in np.flatnonzero(heads == node).tolist():
            is_after = is_leaving & (heads > tails[entering])
            after = self.variables[is_after].tolist()
            self.formula.add([-int(self.variables[entering]), *after])

    @property
    def conflicts(self) -> int:
        """The number of conflicts until now."""
        return self.formula.conflicts

    def two_factor(self) -> Ints:
        """Return the edges of the solution found last, as rows of two nodes of the graph."""
        used = self.formula.values()[: len(self.arcs)]
        is_used = np.zeros(len(self.graph.edges), dtype=np.bool_)
        is_used[self._edge_of_arc[used]] = True
        if self.graph.is_split:
            is_used |= self.graph.required
        return np.asarray(self.graph.edges[is_used])

    def cut(self, labels: Ints) -> None:
        """Add clauses for each set of nodes with the same label: arcs leave it and enter it.

        The two halves of a split node have the same label, so that those of the first are enough.
        """
        distinct, sets = np.unique(labels[: self.nodes], return_inverse=True)
        ends = sets[self.arcs]
        across = ends[:, 0] != ends[:, 1]
        for side in (ends[across, :1], ends[across, 1:]):
            for crossing in grouped(self.variables[across], side, len(distinct)):
                self.clock.check()
                self.formula.add(crossing)
                self.cuts += 1

    def require_even_crossing(self, inside: Mask) -> None:
        """Add clauses: arcs leave the nodes inside and enter them, an even number in all."""
        leaves, enters = inside[self.arcs].T
        leaving = self.variables[leaves & ~enters].tolist()
        entering = self.variables[~leaves & enters].tolist()
        self.formula.add(leaving)
        self.formula.add(entering)
        self.formula.add_parity(sorted(leaving + entering), is_odd=False)


def _arcs_of(graph: EdgeGraph) -> tuple[Ints, Ints]:
    """Return the arcs of a graph, as rows (from, to), and for each the index of its edge.

    In a split graph each edge is an arc, but for the edge inside a node. In any other, each edge is
    two arcs.
    """
    if graph.is_split:
        arcs = graph.edges - np.array([0, graph.nodes // 2])
        is_arc = arcs[:, 0] != arcs[:, 1]
        return arcs[is_arc], np.flatnonzero(is_arc)
    arcs = both_directions(graph.edges)
    return arcs, np.tile(np.arange(len(graph.edges)), 2)


@dataclass(frozen=True, eq=False)
class DirectedForm:
    """The directed graph that an undirected one was made of.

    Vertex ``i`` of the directed ``graph`` stands for ``paths[i]``, nodes of the undirected one in
    the order in which a tour passes them. Each arc joins the last node of a path to the first node
    of another one.
    """

    graph: Graph
    paths: list[list[int]]

    def cycle(self, vertices: Iterable[int]) -> Ints:
        """Return a Hamiltonian cycle of the directed graph as one of the undirected graph."""
        return np.array([node for vertex in vertices for node in self.paths[vertex]])


def directed_form(graph: EdgeGraph) -> DirectedForm | None:
    """Return the directed graph that an undirected one was made of, or None if there is none.

    The usual way to make an undirected graph of a directed one replaces each vertex by a path of
    three nodes: its first node has the edges of the arcs that enter the vertex, and its last node
    those of the arcs that leave it (R. Karp, Reducibility among combinatorial problems, 1972). A
    tour passes all of these paths in the same direction. A search that does not know this decides
    it anew at every node, which takes about ten times as long.

    The required edges of ``graph``, in which `kt_cp.sat.edges.propagate` has found all that follow
    from degrees, form paths. There is a directed form if every node is on one of the paths, and
    each path has a first and a last node, such that all other edges join a last to a first node.

    >>> from kt_cp.problem.instance import Instance
    >>> from kt_cp.sat.edges import edge_graph, propagate
    >>> edges = [(f"last {a}", f"first {b}") for a in range(4) for b in range(4) if a != b]
    >>> edges += [(f"first {a}", f"middle {a}") for a in range(4)]
    >>> edges += [(f"middle {a}", f"last {a}") for a in range(4)]
    >>> graph = propagate(edge_graph(Instance.of(edges, closed=True)))
    >>> directed_form(graph).graph.title
    'directed graph of 4 vertices and 12 arcs'
    """
    if graph.is_split:
        return None
    required, others = graph.edges[graph.required], graph.edges[~graph.required]
    degrees = np.bincount(required.ravel(), minlength=graph.nodes)
    ends = np.flatnonzero(degrees == 1)
    if degrees.min() == 0 or len(ends) < 2 * FEWEST_CLOSED:
        return None
    path_of = component_labels(graph.nodes, required)
    ends_by_path = ends[np.argsort(path_of[ends], kind="stable")].reshape(-1, 2)
    is_last = bipartition(graph.nodes, np.concatenate([others, ends_by_path]))
    if is_last is None:
        return None
    firsts = ends[~is_last[ends]]
    vertex_of = np.empty(graph.nodes, dtype=np.int64)  # by the label of a path
    vertex_of[path_of[firsts]] = np.arange(len(firsts))
    arcs = np.where(is_last[others[:, :1]], others, others[:, ::-1])
    directed = Graph(range(len(firsts)), vertex_of[path_of[arcs]], directed=True)
    return DirectedForm(directed, _paths(required, firsts))


def _paths(edges: Ints, firsts: Ints) -> list[list[int]]:
    """Return the nodes of each path, in order, from its first node; edges form the paths."""
    neighbors = adjacency(edges)
    paths = list[list[int]]()
    for first in firsts.tolist():
        path, before = [first], -1
        while following := [node for node in neighbors[path[-1]] if node != before]:
            before = path[-1]
            path += following
        paths.append(path)
    return paths
