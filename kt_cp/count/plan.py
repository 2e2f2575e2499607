"""The plan of a count by frontier: the order of the nodes, and what is chosen at each of them.

The nodes and edges are those of the `TourGraph` of an instance or, where moves have a direction, of
its split form, in which a direction is an edge and each square has two nodes.
`kt_cp.count.frontier` explains the terms.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kt_cp.arrays import Mask, Squares
from kt_cp.board.pieces import board_symmetries
from kt_cp.count.cost import ExpectedCost, OutOfMemoryError
from kt_cp.graph_algorithms import adjacency, frontier_widths, low_width_orders
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.tour_graph import Nodes, SplitGraph, TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED

# The largest number of vertices of a graph whose tours are counted.
_MAX_VERTICES = 100_000

# A frontier that is one node wider has up to this many times as many states.
_STATES_PER_NODE = 5.0

Choice = tuple[int, ...]
"""The positions of the later neighbors that a node chooses: none, one or two."""


# The types of the nodes on a frontier: untouched, finished, or the end of a path.
UNTOUCHED, FINISHED, END = 0, 1, 2


@dataclass(frozen=True)
class Closing:
    """A choice that closes tours of the first ``prefix`` squares.

    It does so from states whose nodes have these ``types``, by position, before it.
    """

    prefix: int
    choice: Choice
    types: tuple[int, ...]


@dataclass(frozen=True)
class FrontierStep:
    """A step of a count, not of a tour: a node of the order, and its choices of later neighbors.

    - ``vertices``: the node itself, then the frontier after the step, in their order. All other
      fields name them by their positions in this tuple.
    - ``entering``: the positions of the vertices that are reached for the first time.
    - ``choices``: the sets of later neighbors that the node can choose.
    - ``closings``: the choices by which a tour may be closed.
    - ``excluded``: pairs of a position and a type that the node there cannot have after the step,
      since too few of its neighbors are still to come.
    - ``next_touch``: for each node of the frontier before the step, the number of the step at
      which it next chooses or is chosen.
    - ``mirror``: for each node of the frontier after the step, the place there of its image under
      a symmetry that keeps the set of processed nodes; empty if there is none.

    In closed tours of 3x4, for example, a1 comes second, after a3, and its later neighbors are b3
    and c2. As c2 has no neighbors but a3 and a1, it is finished after the step.

    >>> step = Plan(Instance.of("3x4", closed=True)).steps[1]
    >>> step.vertices  # a1, then the frontier: b3, b1 and c2
    (8, 1, 9, 6)
    >>> step.choices  # nothing, b3, c2, or both
    ((), (1,), (3,), (1, 3))
    >>> step.excluded == ((3, END), (3, UNTOUCHED))  # for c2
    True
    >>> step.mirror  # upside down, b3 and b1 change places
    (1, 0, 2)
    """

    vertices: tuple[int, ...]
    entering: tuple[int, ...]
    choices: tuple[Choice, ...]
    closings: tuple[Closing, ...]
    excluded: tuple[tuple[int, int], ...]
    next_touch: tuple[int, ...]
    mirror: tuple[int, ...]


def ends_joined(choice: Choice) -> tuple[int, int]:
    """Return the positions that a choice joins: two neighbors, or the node itself with one."""
    if len(choice) == 2:
        return choice[0], choice[1]
    return 0, choice[0]


class Plan:
    """How to count the tours of an instance.

    ``form`` is its tour graph, or the split form of it where moves have a direction; ``edges`` are
    the edges that tours can use, and ``required`` those that all tours use, as rows of two nodes.
    ``nodes`` is the order of all nodes, the depot last; ``places`` has for each node its place in
    this order, which is also the number of its step, and ``widths`` has for each step the number of
    nodes on the frontier after it. States are kept in tables if ``suits_tables``, and otherwise one
    by one.
    """

    def __init__(
        self, instance: Instance, order: Nodes | None = None, prefixes: Sequence[int] = ()
    ) -> None:
        """Plan the count of an instance for which `unsupported` returns None.

        ``order`` is the order of the squares, given as nodes of the tour graph; by default it is
        that of several with the fewest expected states. ``prefixes`` are numbers of squares: for
        each, the tours of the graph of that many first squares are counted in the same sweep. That
        needs an undirected instance without required moves. By default only the tours of all
        squares are counted.
        """
        self.instance = instance
        self.prefixes = tuple(prefixes) or (len(instance.graph),)
        whole = TourGraph(instance)
        self.form: TourGraph | SplitGraph = whole.split if instance.one_way else whole
        edges, required = self.form.edges, self.form.edges[self.form.required]
        if self.form.is_contradictory:
            edges, required = edges[:0], required[:0]
        elif not (instance.one_way or prefixes):
            edges = edges[self._may_be_used(whole)]
        self.edges, self.required = np.unique(edges, axis=0), np.unique(required, axis=0)
        orders = [
            self._order_of_all(whole, each)
            for each in (_square_orders(whole) if order is None else [order])
        ]
        widths = [frontier_widths(self.edges, each) for each in orders]
        # The one with the fewest states: an estimate, up to a factor.
        weights = [(_STATES_PER_NODE ** each.clip(0, 400)).sum() for each in widths]
        best = int(np.argmin(weights))
        self.nodes: list[int] = orders[best].tolist()
        self.widths: list[int] = widths[best].tolist()
        self.places: list[int] = np.argsort(self.nodes).tolist()
        self.depot_place = self._place_after(len(instance.graph))
        self.expected = ExpectedCost.of(instance, self.widths)
        self.suits_tables = self.expected.suits_tables

    def _may_be_used(self, whole: TourGraph) -> Mask:
        """Return a mask of the edges without those at ends that the colors exclude.

        If there is one square more of one color of a bipartite graph, both ends have that color.
        """
        graph = self.instance.graph
        difference = 2 * graph.dark_count - len(graph)
        if self.instance.closed or graph.first_part is None or difference == 0:
            return np.ones(len(whole.edges), dtype=np.bool_)
        is_dark = graph.first_part[graph.vertices][whole.edges[:, 0]]
        return np.asarray(~whole.at_depot | whole.required | (is_dark == (difference > 0)))

    def _order_of_all(self, whole: TourGraph, squares: Nodes) -> Squares:
        """Return an order of all nodes for one of the squares.

        In a split form the node at which a square is entered comes directly before the one at which
        it is left.
        """
        nodes = whole.with_depot(squares)
        if self.instance.one_way:
            nodes = np.stack([nodes + len(whole), nodes], axis=1).ravel()
        return nodes.astype(np.int32)

    def _place_after(self, squares: int) -> int:
        """Return the place in the order after the nodes of the first ``squares`` squares."""
        return 2 * squares if self.instance.one_way else squares

    def _is_beyond(self, node: int, stop: int) -> bool:
        """Return whether a node belongs to a square whose place is ``stop`` or later."""
        return stop <= self.places[node] < self.depot_place

    @property
    def width(self) -> int:
        """The largest number of nodes on the frontier."""
        return max(self.widths)

    def total(self, prefix: int, cycles: int) -> int:
        """Return the number of tours of a prefix, given the number of cycles that are closed.

        Open tours count in both directions if both are tours of the instance.
        """
        if self.instance.closed and prefix < FEWEST_CLOSED:
            return 0  # the nodes of two vertices are on a cycle of the split graph
        if prefix == 1:
            return 1
        has_both = self.instance.free_end_count == 2 and not self.instance.one_way
        return 2 * cycles if has_both else cycles

    def out_of_memory(self, done: int, need: object) -> OutOfMemoryError:
        """Return the error that memory did not suffice for ``need`` after ``done`` nodes."""
        return OutOfMemoryError(
            f"the memory limit was reached: frontier of {self.width} squares, "
            f"{done} of {len(self.nodes)} done, {need}"
        )

    # -- steps ------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[FrontierStep]:
        """The step of each node, in order."""
        neighbors = {node: list[int]() for node in self.nodes} | adjacency(self.edges)
        required = set(map(frozenset, self.required.tolist()))
        # For each node the steps at which it is chosen or chooses, ascending.
        touches = {
            node: sorted(self.places[each] for each in [node, *others])
            for node, others in neighbors.items()
        }
        # No tour is closed before the last required edge is decided.
        first_places = np.array(self.places)[self.required].min(axis=1)
        last_required = first_places.max(initial=-1)
        steps: list[FrontierStep] = []
        frontier: list[int] = []
        for number, node in enumerate(self.nodes):
            later = {each for each in neighbors[node] if self.places[each] > number}
            vertices = sorted({node, *frontier, *later}, key=self.places.__getitem__)
            position = {vertex: at for at, vertex in enumerate(vertices)}
            choosable = sorted(position[each] for each in later)
            forced = {position[each] for each in later if frozenset((node, each)) in required}
            subsets = (itertools.combinations(choosable, size) for size in range(3))
            choices = [*filter(forced.issubset, itertools.chain.from_iterable(subsets))]
            closings = self._closings(number, vertices, choices) if number >= last_required else ()
            step = FrontierStep(
                vertices=tuple(vertices),
                entering=tuple(sorted(position[each] for each in {*vertices}.difference(frontier))),
                choices=tuple(choices),
                closings=tuple(closings),
                excluded=tuple(
                    (position[each], type_)
                    for each in later
                    for type_ in self._excluded_types(each, number, touches[each])
                ),
                next_touch=tuple(
                    touches[each][bisect_left(touches[each], number)] for each in frontier
                ),
                mirror=self._mirror_after(number, position),
            )
            steps.append(step)
            frontier = vertices[1:]
        return steps

    def _excluded_types(self, node: int, number: int, touches: Sequence[int]) -> Iterator[int]:
        """Yield the types that a later node cannot have after the step with this number.

        The ``touches`` are the steps of the node and of its neighbors, ascending. Its edges to come
        are those to neighbors whose steps are still to come. There are two rules:

        - without any edge to come, the node is not the end of a path;
        - with fewer than two, it is not untouched, unless it is beyond the next prefix, where nodes
          may stay without edges.
        """
        edges_to_come = len(touches) - bisect_right(touches, number) - 1  # one touch is its own
        if edges_to_come == 0:
            yield END
        next_stop = min(filter(number.__lt__, self._stops), default=self._stops[-1])
        if edges_to_come < 2 and not self._is_beyond(node, next_stop):
            yield UNTOUCHED

    @cached_property
    def _stops(self) -> list[int]:
        """The places after the nodes of each prefix, ascending."""
        return sorted(map(self._place_after, self.prefixes))

    def _closings(
        self, number: int, vertices: Sequence[int], choices: Sequence[Choice]
    ) -> Iterator[Closing]:
        """Yield the choices of a step that close tours of a prefix.

        For that, the node of the step and its frontier must contain all nodes of the prefix that
        are still to come, so that these can be finished, and the node must belong to the prefix.
        """
        for prefix in self.prefixes:
            stop = self._place_after(prefix)
            to_come = stop + len(self.nodes) - self.depot_place - number  # with the depot
            beyond = {at for at, node in enumerate(vertices) if self._is_beyond(node, stop)}
            if 0 <= to_come <= len(vertices) - len(beyond) and 0 not in beyond:
                for choice in filter(beyond.isdisjoint, filter(None, choices)):
                    types = [FINISHED] * len(vertices)
                    for at in {0, *beyond}:
                        types[at] = UNTOUCHED
                    for at in ends_joined(choice):
                        types[at] = END
                    yield Closing(prefix, choice, tuple(types))

    # -- symmetry ---------------------------------------------------------------------------------

    @cached_property
    def _mirror(self) -> tuple[list[int], Mask] | None:
        """The images of all nodes under a symmetry, and which beginnings of the order it keeps.

        It keeps the edges and the required edges, and with these the ends and forbidden moves. Of
        those that keep all prefixes it is the one that keeps the most beginnings; None if there is
        none.
        """
        symmetries = list[tuple[list[int], Mask]]()
        for board_images in board_symmetries(self.instance.graph).values():
            images = self.form.images(TourMap(board_images, reverse=False))
            is_symmetry = all(
                np.array_equal(np.unique(np.sort(images[edges], axis=1), axis=0), edges)
                for edges in (self.edges, self.required)
            )
            last_images = np.maximum.accumulate(np.array(self.places)[images[self.nodes]])
            keeps = np.asarray(last_images == np.arange(len(images)))
            is_identity = np.array_equal(images, np.arange(len(images)))
            if is_symmetry and not is_identity and all(keeps[stop - 1] for stop in self._stops):
                symmetries.append((images.tolist(), keeps))
        return max(symmetries, key=lambda each: int(each[1].sum()), default=None)

    def _mirror_after(self, number: int, position: dict[int, int]) -> tuple[int, ...]:
        """Return the field ``mirror`` of a step whose vertices have these positions.

        A place on the frontier is one less than the position, as the node of the step comes first.
        """
        if self._mirror is None:
            return ()
        images, keeps = self._mirror
        frontier = itertools.islice(position, 1, None)
        return tuple(position[images[node]] - 1 for node in frontier) if keeps[number] else ()


def unsupported(instance: Instance) -> str | None:
    """Return the part of an instance that counting by frontier does not support, or None."""
    if instance.one_way and not all(move.directed for move in instance.require):
        return "moves in one direction only beside a move required in either direction"
    if instance.symmetry is not None:
        return "a symmetry"
    if instance.givens:
        return "given steps"
    if instance.order:
        return "an order of squares"
    if instance.having or instance.constrain:
        return "bounds on features, or custom constraints"
    if len(instance.graph) > _MAX_VERTICES:
        return f"more than {_MAX_VERTICES:,} {instance.graph.vocabulary.vertices}"
    return None


def _square_orders(whole: TourGraph) -> Iterator[Nodes]:
    """Yield some orders of the nodes that are vertices.

    Squares of a board are taken by rows, columns and diagonals. For other graphs there is a greedy
    order from each of a few vertices: next comes the frontier vertex with the fewest neighbors off
    the frontier.
    """
    graph = whole.instance.graph
    edges = whole.edges[~whole.at_depot]
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
    yield from (order[::-1] for order in orders)


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
