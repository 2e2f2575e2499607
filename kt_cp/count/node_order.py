"""The order in which a count by frontier takes the nodes of a graph.

The nodes and edges are those of the `TourGraph` of an instance or, where moves have a direction, of
its split form, in which a direction is an edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kt_cp.arrays import Ints, Squares
from kt_cp.graph_algorithms import frontier_widths, low_width_orders
from kt_cp.problem.tour_graph import Nodes, SplitGraph, TourGraph

# A frontier that is one node wider has up to this many times as many states.
_STATES_PER_NODE = 5.0


@dataclass(frozen=True, eq=False)
class NodeOrder:
    """An order of the nodes of a tour graph, or of its split form; those of the depot come last.

    ``widths`` holds the number of nodes on the frontier after each node. In a split graph each
    square has two nodes, which follow one another.
    """

    form: TourGraph | SplitGraph
    nodes: list[int]
    widths: list[int]

    @classmethod
    def of(cls, form: TourGraph | SplitGraph, edges: Nodes, vertices: Nodes) -> NodeOrder:
        """Return the order of all nodes for an order of the squares.

        ``vertices`` are the squares, given as nodes of the tour graph; ``edges`` are the edges of
        the form that tours can use.
        """
        nodes = _with_all_nodes(form, vertices)
        widths = frontier_widths(edges, nodes.astype(np.int32))
        return cls(form, nodes.tolist(), widths.tolist())

    @property
    def is_split(self) -> bool:
        """Whether each square is two nodes."""
        return isinstance(self.form, SplitGraph)

    @cached_property
    def places(self) -> list[int]:
        """For each node its place in the order, from 0."""
        places: list[int] = np.argsort(self.nodes).tolist()
        return places

    def place_after(self, squares: int) -> int:
        """Return the place after the nodes of the first ``squares`` squares."""
        return 2 * squares if self.is_split else squares

    @cached_property
    def depot_place(self) -> int:
        """The place of the first node of the depot, after those of all squares."""
        return self.place_after(len(self.form.instance.graph))

    def is_beyond(self, node: int, stop: int) -> bool:
        """Return whether a node belongs to a square whose place is ``stop`` or later."""
        return stop <= self.places[node] < self.depot_place


def narrowest_order(form: TourGraph | SplitGraph, edges: Nodes) -> NodeOrder:
    """Return the order, of several candidates, with the fewest expected states."""
    whole = form.whole if isinstance(form, SplitGraph) else form
    orders = [NodeOrder.of(form, edges, vertices) for vertices in _vertex_orders(whole)]
    return min(orders, key=_weight)


def _weight(order: NodeOrder) -> float:
    """Return an estimate of the number of states, up to a factor."""
    widths: Ints = np.array(order.widths)
    return float((_STATES_PER_NODE ** widths.clip(0, 400)).sum())


def _vertex_orders(whole: TourGraph) -> Iterator[Nodes]:
    """Yield some orders of the nodes that are vertices.

    Squares of a board are taken by rows, columns and diagonals. For other graphs there is a greedy
    order from each of a few vertices: next comes the frontier vertex with the fewest neighbors off
    the frontier.
    """
    graph, edges = whole.instance.graph, whole.edges[~whole.at_depot]
    if not graph.has_places:
        nodes = np.arange(whole.vertex_count, dtype=np.int32)
        yield from low_width_orders(nodes, edges.astype(np.int32))
        return
    rows, columns = np.divmod(graph.vertices, graph.shape[1])
    orders: list[Nodes] = [
        np.lexsort((columns, rows)),
        np.lexsort((rows, columns)),
        there_and_back(rows, columns),
        there_and_back(columns, rows),
        np.lexsort((rows, rows + columns)),
        np.lexsort((rows, rows - columns)),
    ]
    yield from orders
    for order in orders:
        yield order[::-1]


def there_and_back(lines: Squares, places: Squares) -> Nodes:
    """Return an order of squares line by line: the even places, then the odd ones backwards.

    ``lines`` and ``places`` are, for each square, the number of its line and its place in it, from
    0. The even places of a line come in ascending order, the odd ones in descending order. For a
    knight this keeps the frontier one square narrower than taking squares from left to right,
    because neighbors in this order share a target two lines on.
    """
    last = places.max(initial=0)
    turns = np.where(places % 2 == 0, places, 2 * last - places)
    return np.lexsort((turns, lines))


def _with_all_nodes(form: TourGraph | SplitGraph, vertices: Nodes) -> Nodes:
    """Return an order of all nodes: the vertices, then the depot, each split in a split form.

    The node at which a vertex is entered comes directly before the one at which it is left.
    """
    if isinstance(form, SplitGraph):
        left = form.whole.with_depot(vertices)
        entered = left + len(form.whole)
        return np.stack([entered, left], axis=1).ravel()
    return form.with_depot(vertices)
