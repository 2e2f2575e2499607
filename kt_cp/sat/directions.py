"""Undirected graphs in which the directions of all edges follow from one of them.

The usual way to make an undirected graph of a directed one replaces each vertex by a path of three
nodes: its first node has the edges of the arcs that enter the vertex, and its last node those of
the arcs that leave it (R. Karp, Reducibility among combinatorial problems, 1972). A tour passes all
of these paths in the same direction. A search that does not know this decides it anew at every
node, which takes about ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints
from kt_cp.graph import NamedGraph
from kt_cp.graph_algorithms import adjacency, bipartition, component_labels
from kt_cp.sat.edges import EdgeGraph
from kt_cp.tour.validator import FEWEST_CLOSED


@dataclass(frozen=True, eq=False)
class DirectedForm:
    """The directed graph that an undirected one was made of.

    Vertex ``i`` of the directed ``graph`` stands for ``paths[i]``, nodes of the undirected one in
    the order in which a tour passes them. Each arc joins the last node of a path to the first node
    of another one.
    """

    graph: NamedGraph
    paths: list[list[int]]

    def cycle(self, vertices: Iterable[int]) -> Ints:
        """Return a Hamiltonian cycle of the directed graph as one of the undirected graph."""
        return np.array([node for vertex in vertices for node in self.paths[vertex]])


def directed_form(graph: EdgeGraph) -> DirectedForm | None:
    """Return the directed graph that an undirected one was made of, or None if there is none.

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
    directed = NamedGraph(range(len(firsts)), vertex_of[path_of[arcs]], directed=True)
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
