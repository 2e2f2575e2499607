"""The graph of an instance with its depot, in which every tour is a cycle through all nodes.

Solvers, proofs, counts and pictures work on a `TourGraph`. A solver that knows only edges works on
its `SplitGraph` if the direction of moves matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Mask, Squares, Tours, edge_keys, edges_among, rotated, unique
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap

# Nodes: one array of them, rows (from, to) or (lower, higher), or the rows of several cycles.
Nodes = npt.NDArray[np.integer]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


@dataclass(frozen=True)
class TourGraph:
    """The graph in which every tour of an instance is a cycle through all nodes.

    The nodes are numbers: those of the vertices count from 0 in the order of their ids. For an open
    tour there is one more node, the ``depot``: arcs lead from it to every possible start, and to it
    from every possible end. Its id is ``graph.area``, the number after the last id. Forbidden moves
    are not in the graph. A tour of a partial instance is a cycle through some nodes, including the
    depot if there is one. All arrays are read-only.

    >>> graph = TourGraph(Instance.of("3x4", start="a3"))
    >>> len(graph), graph.depot, len(graph.arcs), graph.edges[graph.required].tolist()
    (13, 12, 41, [[0, 12]])
    """

    instance: Instance

    @property
    def vertex_count(self) -> int:
        """The number of vertices, whose nodes come before the depot."""
        return len(self.instance.graph)

    @property
    def depot(self) -> int:
        """The node of the depot, after those of the vertices.

        Closed tours have no such node, so that comparing their nodes with it is always False.
        """
        return self.vertex_count

    @property
    def depot_id(self) -> int:
        """The id of the depot: the number after the last id."""
        return self.instance.graph.area

    def __len__(self) -> int:
        """Return the number of nodes, with the depot."""
        return self.vertex_count if self.instance.closed else self.vertex_count + 1

    # -- nodes and ids ----------------------------------------------------------------------------

    @cached_property
    def ids(self) -> Squares:
        """The id of every node, in ascending order; the depot's comes last."""
        vertices = self.instance.graph.vertices
        if self.instance.closed:
            return vertices
        return _frozen(np.append(vertices, np.int32(self.depot_id)))

    def vertices(self, nodes: npt.ArrayLike) -> Squares:
        """Return the ids of nodes, as an array of the same shape."""
        return np.asarray(self.ids[np.asarray(nodes)])

    def nodes(self, vertices: npt.ArrayLike) -> Nodes:
        """Return the nodes of vertices, given by their ids, as an array of the same shape."""
        graph = self.instance.graph
        ids = np.asarray(vertices, dtype=np.int64)
        if graph.area == len(graph):  # every id is a vertex
            return ids
        return np.searchsorted(graph.vertices, ids)

    def images(self, tour_map: TourMap) -> Nodes:
        """Return the image of each node under a symmetry of the board; the depot is fixed."""
        return self.with_depot(self.nodes(tour_map.images[self.instance.graph.vertices]))

    def with_depot(self, nodes: Nodes) -> Nodes:
        """Return nodes followed by that of the depot if there is one."""
        return nodes if self.instance.closed else np.append(nodes, self.depot)

    # -- arcs and edges ---------------------------------------------------------------------------

    @property
    def _ends(self) -> tuple[Nodes, Nodes]:
        """The nodes at which an open tour can start, and at which it can end."""
        anywhere = self.instance.graph.vertices
        first, last = self.instance.first, self.instance.last
        starts, ends = (anywhere if end is None else [end] for end in (first, last))
        return self.nodes(starts), self.nodes(ends)

    @cached_property
    def arcs(self) -> Nodes:
        """The arcs as rows (from, to): the moves that are not forbidden, then the depot's arcs."""
        arcs = self.nodes(self.instance.arcs)
        if not self.instance.closed:
            starts, ends = self._ends
            leaving = np.stack([np.full_like(starts, self.depot), starts], axis=1)
            entering = np.stack([ends, np.full_like(ends, self.depot)], axis=1)
            arcs = np.concatenate([arcs, leaving, entering])
        return _frozen(arcs)

    @cached_property
    def edges(self) -> Nodes:
        """The pairs of nodes that an arc joins, as rows (lower, higher), the depot's edges last.

        A single vertex is joined to the depot twice, since it is the start and the end.
        """
        edges = self.nodes(self.instance.edges)
        if not self.instance.closed:
            ends = np.concatenate(self._ends)
            if len(ends) > 2:  # two known ends are distinct, and a single vertex is joined twice
                ends = np.unique(ends)
            edges = np.concatenate([edges, np.stack([ends, np.full_like(ends, self.depot)], 1)])
        return _frozen(edges)

    @cached_property
    def at_depot(self) -> Mask:
        """A mask of the edges that join a vertex and the depot."""
        return _frozen(self.edges[:, 1] == self.depot)

    @cached_property
    def required_moves(self) -> tuple[Nodes, ...]:
        """For each required move its allowed arcs, of which a tour uses exactly one.

        A move in either direction has two arcs, fewer if directions are forbidden or not in the
        graph.
        """
        graph = self.instance.graph
        forbidden = self.instance.forbidden_arcs

        def is_allowed(arc: tuple[int, int]) -> bool:
            return arc[1] in graph.neighbors(arc[0]) and arc not in forbidden

        allowed = [[*filter(is_allowed, move.arcs())] for move in self.instance.require]
        return tuple(self.nodes(arcs).reshape(-1, 2) for arcs in allowed)

    @cached_property
    def required_pairs(self) -> Nodes:
        """The pairs of nodes that the constraints require to be edges, as rows, ascending.

        They are those of required moves and of given ends. A pair that is also forbidden is not
        among the ``edges``.
        """
        pairs = {tuple(sorted((move.source, move.target))) for move in self.instance.require}
        pairs |= {(end, self.depot_id) for end in self.instance.ends}
        return _frozen(self.nodes(sorted(pairs)).reshape(-1, 2))

    @cached_property
    def required(self) -> Mask:
        """A mask of the edges that the constraints require."""
        return _frozen(edges_among(self.edges, self.required_pairs, len(self)))

    @cached_property
    def forced(self) -> Mask:
        """A mask of the edges that are required, or at a node with exactly two edges."""
        is_tight = np.bincount(self.edges.ravel(), minlength=len(self)) == 2
        return _frozen(self.required | is_tight[self.edges].any(axis=1))

    @property
    def is_contradictory(self) -> bool:
        """Whether some edge is both required and forbidden."""
        required_edges = unique(edge_keys(self.edges[self.required], len(self)))
        return len(required_edges) < len(self.required_pairs)

    @cached_property
    def split(self) -> SplitGraph:
        """The split form, in which the direction of a move is an edge."""
        return SplitGraph(self)

    # -- tours and cycles -------------------------------------------------------------------------

    def cycle(self, tour: npt.ArrayLike) -> Nodes:
        """Return the nodes of a tour, given by its ids in visiting order; the depot comes last."""
        return self.with_depot(self.nodes(tour))

    def tour(self, cycle: Nodes) -> Squares:
        """Return the tour along a cycle, as ids in visiting order.

        The cycle goes through all nodes or, for a partial instance, through some of them. It is
        rotated to meet the start, the end and the steps of the instance if possible and, unless
        moves have a direction, reversed. The cycle of an open tour of all squares may lack the
        depot: it is then cut at a known node.

        >>> graph = TourGraph(Instance.of("3x4", end="a3"))
        >>> graph.tour(np.array([6, 0, 12, 5, 3, 10, 4, 2, 11, 9, 7, 1, 8])).tolist()
        [5, 3, 10, 4, 2, 11, 9, 7, 1, 8, 6, 0]
        """
        tour: Squares = self.tours(np.asarray(cycle)[None])[0]
        return tour

    def tours(self, cycles: Nodes) -> Tours:
        """Return the tours along several cycles, as rows; each is read as by `tour`."""
        instance = self.instance
        ends = ((0, instance.first), (-1, instance.last))
        known_vertices = {place: end for place, end in ends if end is not None}
        known_vertices |= {step - 1: vertex for step, vertex in instance.steps.items()}
        orders = self._from_first(cycles)
        if known_vertices and not instance.one_way:
            is_backwards = (
                orders[:, [*known_vertices]] != self.nodes([*known_vertices.values()])
            ).any(axis=1)
            if is_backwards.any():
                orders[is_backwards] = self._from_first(cycles[is_backwards, ::-1])
        return self.vertices(orders)

    def _from_first(self, cycles: Nodes) -> Nodes:
        """Return cycles cut at the depot, or rotated until the known node is at its step."""
        has_depot = (cycles[:1] == self.depot).any()
        node, step = (self.depot, 1) if has_depot else self.known_step
        width = cycles.shape[1]
        first = (cycles == node).argmax(axis=1)[:, None] - (step - 1)
        rows = np.arange(len(cycles))[:, None]
        orders = cycles[rows, (first + np.arange(width)) % width]
        return np.asarray(orders[:, 1:] if has_depot else orders)

    @property
    def known_step(self) -> tuple[int, int]:
        """A node with a known step, and that step, from 1; node 0 and step 1 if none is known."""
        first = [] if self.instance.first is None else [(1, self.instance.first)]
        for step, vertex in (*self.instance.steps.items(), *first):
            return int(self.nodes(vertex)), step
        return 0, 1

    def from_depot(self, cycle: Nodes) -> Nodes:
        """Return the nodes of a cycle through some nodes, the depot first if it is among them.

        Unless moves have a direction, the cycle is reversed if the given ends ask for that.
        """
        if self.depot not in cycle:
            return cycle
        cycle = rotated(cycle, self.depot)
        first, last = self.vertices(cycle[[1, -1]])
        is_backwards = self.instance.first == last or self.instance.last == first
        if is_backwards and not self.instance.one_way:
            return np.roll(cycle[::-1], 1)
        return cycle


@dataclass(frozen=True)
class SplitGraph:
    """The split form of a tour graph: a view of it, with edges only, which keeps directions.

    Every node of the tour graph becomes two, joined by a required edge: ``node``, at which a tour
    leaves it, and ``node + len(whole)``, at which a tour enters it. The other edges are the arcs,
    from the node that they leave to the one that they enter. A tour is a cycle through all nodes.
    The split form is bipartite.

    >>> graph = TourGraph(Instance.of("3x4", require=["a3>c2"])).split
    >>> len(graph), len(graph.edges), graph.edges[graph.required][0].tolist()
    (26, 65, [0, 19])
    """

    whole: TourGraph

    @property
    def instance(self) -> Instance:
        """The instance."""
        return self.whole.instance

    @property
    def depot(self) -> int:
        """The node at which an open tour leaves the depot."""
        return self.whole.depot

    def __len__(self) -> int:
        """Return the number of nodes, two for each node of the tour graph."""
        return 2 * len(self.whole)

    @cached_property
    def edges(self) -> Nodes:
        """The arcs of the tour graph, then the edge inside each of its nodes: rows of two nodes."""
        nodes = np.arange(len(self.whole))
        inside = np.stack([nodes, nodes], axis=1)
        entered = np.array([0, len(self.whole)])  # added to rows: the second node is entered
        return _frozen(np.concatenate([self.whole.arcs, inside]) + entered)

    @cached_property
    def required(self) -> Mask:
        """A mask of the edges required in one direction, and of those inside nodes."""
        required = np.ones(len(self.edges), dtype=np.bool_)
        required[: len(self.whole.arcs)] = False
        for edges in self._moves(directed=True):
            required |= edges_among(self.edges, edges, len(self))
        return _frozen(required)

    @property
    def is_contradictory(self) -> bool:
        """Whether some required move is forbidden."""
        return not all(map(len, self.whole.required_moves))

    @property
    def undirected_choices(self) -> list[Nodes]:
        """For each move required in either direction its edges; a tour uses exactly one."""
        return self._moves(directed=False)

    def _moves(self, directed: bool) -> list[Nodes]:
        """Return the edges of each required move that has a direction, or of each without one."""
        moves = zip(self.instance.require, self.whole.required_moves, strict=True)
        entered = np.array([0, len(self.whole)])
        return [arcs + entered for move, arcs in moves if move.directed == directed]

    def images(self, tour_map: TourMap) -> Nodes:
        """Return the image of each node; reversal exchanges entering and leaving."""
        images = self.whole.images(tour_map)
        entered = images + len(self.whole)
        return np.concatenate([entered, images] if tour_map.reverse else [images, entered])

    def cycle(self, tour: npt.ArrayLike) -> Nodes:
        """Return the nodes of a tour, given by its ids, in order: each is entered, then left."""
        cycle = self.whole.cycle(tour)
        return np.stack([cycle + len(self.whole), cycle], axis=1).ravel()

    def tour(self, cycle: Nodes) -> Squares:
        """Return the tour along a cycle through all nodes, as `TourGraph.tour` does."""
        return self.whole.tour(self.from_depot(cycle))

    def from_depot(self, cycle: Nodes) -> Nodes:
        """Return the nodes of the tour graph along a cycle through some nodes, in its direction.

        The depot comes first if it is among them.
        """
        count = len(self.whole)
        # Each node is entered at ``node + count`` and then left at ``node``, in cyclic order.
        first, second, last = cycle[[0, 1, -1]]
        is_forward = first == second + count or last == first + count
        merged = cycle[cycle < count]
        return self.whole.from_depot(merged if is_forward else merged[::-1])


def _frozen(array: _Array) -> _Array:
    """Make an array read-only."""
    array.flags.writeable = False
    return array


# -- steps ----------------------------------------------------------------------------------------

MAX_NUMBERED = 1_600
"""The most vertices of a graph with given steps: `reachable` needs the square of their number."""


def needs_steps(instance: Instance) -> bool:
    """Return whether steps other than those of the start and the end matter.

    They matter if there is an order of squares. A closed tour with a single given step can be
    rotated to meet it, so that one does not matter.
    """
    if instance.order:
        return True
    if instance.closed:
        return len(instance.steps) > 1
    return bool(instance.steps.keys() - {1, len(instance.graph)})


def reachable(instance: Instance, forward_only: bool = False) -> Mask:
    """Return an array of steps x vertices: whether a walk can be at a vertex at a step.

    A walk may visit a vertex several times, but a vertex with a known step only at that step. With
    ``forward_only``, only the known steps before a step are taken into account. Rows are steps,
    from 0; columns are the nodes of the vertices in the `TourGraph`.
    """
    graph = TourGraph(instance)
    count = len(instance.graph)
    arcs = graph.nodes(instance.arcs)
    known_nodes = graph.nodes([*instance.steps.values()])
    rows = np.array([*instance.steps], dtype=np.int64) - 1
    allowed = np.ones((count, count), dtype=np.bool_)
    allowed[rows] = allowed[:, known_nodes] = False
    allowed[rows, known_nodes] = True
    reached = _walked(arcs, allowed, instance.closed)
    if not forward_only:
        reached &= _walked(arcs[:, ::-1], allowed[::-1], instance.closed)[::-1]
    return reached


def _walked(arcs: Nodes, allowed: Mask, closed: bool) -> Mask:
    """Return where walks can be at each step, given where they are allowed to be.

    For a closed tour a second pass carries the vertices reached at the last step over to the first.
    If no walk goes on from some step, all that is allowed later is returned.
    """
    reached = allowed.copy()
    count = len(allowed)
    sources, targets = arcs.T
    indices = range(2 * count) if closed else range(1, count)
    for index in indices:
        there = np.zeros(count, dtype=np.bool_)
        there[targets[reached[(index - 1) % count][sources]]] = True
        reached[index % count] &= there
        if not reached[index % count].any():
            break
    return reached
