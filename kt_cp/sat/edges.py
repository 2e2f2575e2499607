"""A tour as a set of undirected edges, two at every node, and SAT solvers that choose them.

The nodes and edges of an `EdgeGraph` are those of a `kt_cp.problem.tour_graph.TourGraph` or, where
moves have a direction, of its split form. `propagate` removes edges that no tour can use.

`EdgeSolver` chooses edges by CaDiCaL: clauses say how many edges a node has. If a solution has
several components, a clause is added for each of them: some edge leaves it (Dantzig, Fulkerson and
Johnson 1954, Solution of a large-scale traveling-salesman problem). `ArcSolver` chooses directions
with the edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, both_directions, edges_among
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import adjacency, bipartition, component_labels
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
    def node_count(self) -> int:
        """The number of nodes."""
        return len(self.form)

    @property
    def depot(self) -> int:
        """The node of the depot (at which it is left), which only open tours have."""
        return self.form.depot

    @property
    def square_count(self) -> int:
        """The number of squares; unless nodes are split, they are the nodes before the depot."""
        return len(self.instance.graph)

    def undirected_requirements(self) -> list[Mask]:
        """Return for each move required in either direction a mask of its edges in a split graph.

        A tour uses exactly one of them. The list is empty if the nodes are not split.
        """
        if not isinstance(self.form, SplitGraph):
            return []
        return [
            edges_among(self.edges, choice, self.node_count)
            for choice in self.form.undirected_choices
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
    count = graph.node_count
    edges = graph.edges
    required = graph.required
    if graph.instance.closed and graph.square_count < FEWEST_CLOSED:
        return None
    while True:
        degrees = np.bincount(edges.ravel(), minlength=count)
        required = required | (degrees == 2)[edges].any(axis=1)
        used = np.bincount(edges[required].ravel(), minlength=count)
        labels = component_labels(count, edges[required])
        size = np.bincount(labels, minlength=count)
        required_inside = np.bincount(labels[edges[required][:, 0]], minlength=count)
        is_cycle = required_inside == size  # as many edges as nodes, at most two at each
        is_short = is_cycle & (size > 0) & (size < count)
        if degrees.min() < 2 or used.max() > 2 or is_short.any():
            return None
        low_label, high_label = labels[edges.T]
        closes_cycle = (low_label == high_label) & (size[low_label] < count)
        is_ruled_out = (used == 2)[edges].any(axis=1) | closes_cycle
        keep = required | ~is_ruled_out
        if keep.all():
            return replace(graph, edges=edges, required=required)
        edges, required = edges[keep], required[keep]


@dataclass(frozen=True)
class DirectedForm:
    """A directed graph that an undirected one was made of.

    Vertex ``i`` of the directed ``graph`` stands for ``paths[i]``: nodes of the undirected one in
    the order in which a tour passes them. Each arc joins the last node of a path to the first node
    of another one.
    """

    graph: Graph
    paths: list[list[int]]

    def expanded(self, tour: Squares) -> Nodes:
        """Return the cycle of the undirected graph for which a tour of the directed one stands."""
        return np.concatenate([self.paths[vertex] for vertex in tour.tolist()])


def directed_form(graph: EdgeGraph) -> DirectedForm | None:
    """Return the directed graph that an undirected one was made of, or None if there is none.

    The usual way to make an undirected graph of a directed one replaces each vertex by a path of
    three nodes: its first node has the edges of the arcs that enter the vertex, and its last node
    those of the arcs that leave it (R. Karp, Reducibility among combinatorial problems, 1972). A
    tour passes all of these paths in the same direction. A search that does not know this decides
    it anew at every node, which takes about ten times as long.

    The required edges of ``graph``, in which `propagate` has found all that follow
    from degrees, form paths. There is a directed form if every node is on one of the paths, and
    each path has a first and a last node, such that all other edges join a last to a first node.

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
    degrees = np.bincount(required.ravel(), minlength=graph.node_count)
    ends = np.flatnonzero(degrees == 1)
    if degrees.min() == 0 or len(ends) < 2 * FEWEST_CLOSED:
        return None
    path_of = component_labels(graph.node_count, required)
    ends_by_path = ends[np.argsort(path_of[ends], kind="stable")].reshape(-1, 2)
    is_last = bipartition(graph.node_count, np.concatenate([others, ends_by_path]))
    if is_last is None:
        return None
    firsts = ends[~is_last[ends]]
    vertex_of = np.empty(graph.node_count, dtype=np.int64)  # by the label of a path
    vertex_of[path_of[firsts]] = np.arange(len(firsts))
    arcs = np.where(is_last[others[:, :1]], others, others[:, ::-1])
    directed = Graph(range(len(firsts)), vertex_of[path_of[arcs]], directed=True)
    return DirectedForm(directed, _paths(required, firsts))


def _paths(edges: Ints, firsts: Ints) -> list[list[int]]:
    """Return the nodes of each path, in order, from its first node; edges form the paths."""
    neighbors = adjacency(edges)
    paths = list[list[int]]()
    for first in firsts.tolist():
        path = [first]
        before = -1
        while following := [node for node in neighbors[path[-1]] if node != before]:
            before = path[-1]
            path += following
        paths.append(path)
    return paths


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
    found_cycles: list[Ints] = []
    for first in range(len(one)):
        before, node = -1, first
        cycle: list[int] = []
        while not seen[node]:
            seen[node] = 1
            cycle.append(node)
            before, node = node, one[node] if one[node] != before else other[node]
        if cycle:
            found_cycles.append(np.array(cycle))
    return found_cycles


# -- solvers --------------------------------------------------------------------------------------


class EdgeSolver:
    """Chooses edges so that with the ``links`` each node has two; `cut` joins the cycles.

    A *cut* is a clause here: that some edge leaves a set of nodes.

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
        seed: int | None = None,
    ) -> None:
        self.node_count = nodes
        self.edges = edges
        self.links = links
        self.clock = clock
        groups = np.arange(len(edges)) if groups is None else groups
        count = max(int(groups.max(initial=-1)) + 1, 1)
        # A rotation keeps the numbers of neighbors close; otherwise the search is ten times slower.
        shift = 0 if seed is None else Random(seed).randrange(count)
        self.variables = 1 + (groups + shift) % count
        self.formula = Formula(count)
        self.cuts = 0
        edges_needed = 2 - np.bincount(links.ravel(), minlength=nodes)
        literals = grouped(self.variables, edges, nodes)
        began = clock.seconds
        for number, around in zip(edges_needed.tolist(), literals, strict=True):
            clock.check(FREEING_SHARE * (clock.seconds - began))
            self.formula.exactly(number, around)

    @staticmethod
    def of(graph: EdgeGraph, clock: Clock, seed: int, groups: Ints | None = None) -> EdgeSolver:
        """Return an `EdgeSolver` of a graph, never an `ArcSolver`; its links are what is required.

        Of the edges of a move that is required in either direction, it uses one.
        """
        free, links = graph.edges[~graph.required], graph.edges[graph.required]
        solver = EdgeSolver(graph.node_count, free, links, clock, groups, seed)
        for edges_of_move in graph.undirected_requirements():
            solver.use_exactly(1, graph.edges[edges_of_move])
        return solver

    def use_exactly(self, number: int, edges: Ints) -> None:
        """Add clauses: a solution uses ``number`` of these edges, which are rows of two nodes."""
        literals = self.variables[edges_among(self.edges, edges, self.node_count)]
        linked = edges_among(self.links, edges, self.node_count)
        self.formula.exactly(number - int(linked.sum()), literals.tolist())

    def solve(self, max_conflicts: float = np.inf) -> bool:
        """Return whether some choice connects all nodes: it is then the solution found last.

        Raises `OutOfTimeError`, and `OutOfConflictsError` after ``max_conflicts`` conflicts.
        """
        while is_found := self.formula.solve(self.clock, max_conflicts):
            labels = component_labels(self.node_count, self.two_factor())
            if not labels.any():
                break
            self.cut(labels)
        return is_found

    @property
    def used(self) -> Mask:
        """A mask of the edges of the solution found last."""
        return np.asarray(self.formula.values()[self.variables - 1])

    def two_factor(self) -> Ints:
        """Return the edges and links of the solution found last, as rows of two nodes."""
        return np.concatenate([self.edges[self.used], self.links])

    def cut(self, labels: Ints) -> None:
        """Add a clause for each set of nodes with the same label: some edge leaves it."""
        distinct, sets = np.unique(labels, return_inverse=True)
        ends = sets[self.edges]
        across = ends[:, 0] != ends[:, 1]
        self._use_one_of_each(across, ends[across], len(distinct))

    def _use_one_of_each(self, across: Mask, sets: Ints, count: int) -> None:
        """Add clauses: of the edges across that belong to each of ``count`` sets, one is used."""
        for crossing in grouped(self.variables[across], sets, count):
            self.clock.check()
            self.formula.add(sorted({*crossing}))
            self.cuts += 1


class ArcSolver(EdgeSolver):
    """Chooses arcs that form cycles through all nodes of a graph.

    The model of T. Soh, D. Le Berre, S. Roussel, M. Banbara, N. Tamura (Incremental SAT-based
    method with native Boolean cardinality handling for the Hamiltonian cycle problem, 2014) and T.
    Soh and others (SAT 2025). It has twice as many variables as there are undirected edges, yet on
    many sparse graphs it takes a hundredth of the time: a cut that is left in one direction is
    entered in the other, and a choice at one node determines the direction of whole paths.

    If the graph is not split, each of its edges is two arcs, and one of the two directions of each
    tour is ruled out. There are five kinds of numbers, each from 0 but the variables from 1:

    - nodes of ``graph``: the vertices or, if it is split, two for each: arcs leave ``vertex`` and
      enter ``vertex + vertex_count``;
    - edges: the rows of ``graph.edges``, pairs of nodes;
    - arcs: the rows of ``_arcs``, pairs of vertices; ``_edge_of_arc`` has the edge of each;
    - split edges: the rows of ``edges``, in the order of the arcs, but pairs of nodes of the split
      form; the links are its edges inside vertices;
    - variables of the formula: ``variables`` has that of each arc.
    """

    def __init__(self, graph: EdgeGraph, clock: Clock, seed: int) -> None:
        self.graph = graph
        self.vertex_count = count = graph.node_count // 2 if graph.is_split else graph.node_count
        halves = np.array([0, count])  # of vertex 0, where arcs leave it and where they enter it
        # The arcs as pairs of vertices, and the edge of each: first in the order of the edges, then
        # in that of a breadth-first search, which becomes the order of the variables.
        if graph.is_split:
            arcs = graph.edges - halves
            edge_of_arc = np.flatnonzero(arcs[:, 0] != arcs[:, 1])  # others are inside a vertex
            arcs = arcs[edge_of_arc]
        else:
            arcs = both_directions(graph.edges)
            edge_of_arc = np.tile(np.arange(len(graph.edges)), 2)
        order = np.lexsort(breadth_first_numbers(count, arcs, seed)[arcs].T[::-1])
        self._arcs = arcs[order]
        self._edge_of_arc = edge_of_arc[order]
        # The split edges, and the links inside vertices.
        inside = np.arange(count)[:, None] + halves
        super().__init__(2 * count, self._arcs + halves, inside, clock)
        # The variables of each edge, those of its arcs: an edge inside a vertex has none.
        by_edge = [*grouped(self.variables, self._edge_of_arc[:, None], len(graph.edges))]
        for edge in np.flatnonzero(graph.required).tolist():
            if by_edge[edge]:
                self.formula.add(by_edge[edge])
        for edges_of_move in graph.undirected_requirements():  # no edge is left: there is no tour
            edges_left = np.flatnonzero(edges_of_move).tolist()
            self.formula.add([variable for edge in edges_left for variable in by_edge[edge]])
        if count >= FEWEST_CLOSED:  # two nodes have only one cycle, forth and back
            self._forbid_returns()
            if not graph.is_split:
                self._keep_one_direction()

    def _forbid_returns(self) -> None:
        """Add clauses: of two opposite arcs at most one is used."""
        variable_of = dict(zip(map(tuple, self._arcs.tolist()), self.variables, strict=True))
        for (tail, head), arc in variable_of.items():
            opposite = variable_of.get((head, tail), 0)
            if arc < opposite:  # each pair once
                self.clock.check()
                self.formula.add([-int(arc), -int(opposite)])

    def _keep_one_direction(self) -> None:
        """Rule out one direction of each tour at a node with fewest neighbors.

        Of the two neighbors on the tour, the one before has the smaller number.
        """
        tails, heads = self._arcs.T
        node = np.bincount(tails, minlength=self.vertex_count).argmin()
        for entering in np.flatnonzero(heads == node):
            after = self.variables[(tails == node) & (heads > tails[entering])]
            self.formula.add([-int(self.variables[entering]), *after.tolist()])

    def two_factor(self) -> Ints:
        """Return the edges of the solution found last, as rows of two nodes of the graph."""
        is_used = np.array(self.graph.required)
        is_used[self._edge_of_arc[self.used]] = True
        return np.asarray(self.graph.edges[is_used])

    def cut(self, labels: Ints) -> None:
        """Add clauses for each set of nodes with the same label: arcs leave it and enter it.

        The two halves of a split node have the same label, so that those of the first are enough.
        """
        distinct, sets = np.unique(labels[: self.vertex_count], return_inverse=True)
        ends = sets[self._arcs]
        across = ends[:, 0] != ends[:, 1]
        for side in (ends[across, :1], ends[across, 1:]):
            self._use_one_of_each(across, side, len(distinct))

    def require_even_crossing(self, nodes: Sequence[int]) -> None:
        """Add clauses: arcs leave these nodes and enter them, an even number in all."""
        inside = np.zeros(self.vertex_count, dtype=np.bool_)
        inside[nodes] = True
        leaves, enters = inside[self._arcs].T
        leaving = self.variables[leaves & ~enters].tolist()
        entering = self.variables[~leaves & enters].tolist()
        self.formula.add(leaving)
        self.formula.add(entering)
        self.formula.add_parity(sorted(leaving + entering), is_odd=False)


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
    order = list[int]()
    is_reached = bytearray(nodes)
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
