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
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares
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

    For that, the nodes have these ``types`` before, by their positions.
    """

    prefix: int
    choice: Choice
    types: tuple[int, ...]


@dataclass(frozen=True)
class Due:
    """A node of the frontier that has at most one neighbor still to come.

    It must have two edges by now if no neighbor is still to come, and otherwise at least one. A
    node ``beyond`` the next prefix may also have none.
    """

    position: int
    neighbors_to_come: int
    beyond: bool


@dataclass(frozen=True)
class EndColors:
    """What the two colors of a bipartite graph imply for the ends of an open tour after a step.

    A move joins a dark and a light node, so the moves to come add equally many edges to both
    colors. Each edge by which one color needs more must be an end of the tour.

    ``signs`` has 1 for each dark node on the frontier, -1 for each light one, by their positions,
    and ``depot`` is that of the depot. ``excess`` is how many more edges the dark nodes still to
    come need than the light ones, if none of them has an edge yet.
    """

    signs: tuple[tuple[int, int], ...]
    depot: int
    excess: int


@dataclass(frozen=True)
class FrontierStep:
    """A step: a node of the order, and its choices among its later neighbors.

    - ``vertices``: the node itself, then the frontier after the step, in their order. All other
      fields name them by their positions in this tuple.
    - ``entering``: the positions of the vertices that are reached for the first time.
    - ``choices``: the sets of later neighbors that the node can choose.
    - ``closings``: the choices by which a tour may be closed.
    - ``due``: the nodes that have at most one neighbor still to come.
    - ``next_touch``: for each node of the frontier before the step, the number of the step at
      which it next chooses or is chosen.
    - ``mirror``: for each node of the frontier after the step, the place there of its image under
      a symmetry that keeps the set of processed nodes; empty if there is none.
    - ``colors``: those of an open tour of a bipartite graph, or None.
    """

    vertices: tuple[int, ...]
    entering: tuple[int, ...]
    choices: tuple[Choice, ...]
    closings: tuple[Closing, ...]
    due: tuple[Due, ...]
    next_touch: tuple[int, ...]
    mirror: tuple[int, ...]
    colors: EndColors | None


def ends_joined(choice: Choice) -> tuple[int, int]:
    """Return the positions that a choice joins: two neighbors, or the node itself with one."""
    if len(choice) == 1:
        return 0, choice[0]
    one, other = choice
    return one, other


class _Mirror(NamedTuple):
    """A symmetry of a graph: the image of each node.

    ``keeps`` tells for each step whether the set of nodes up to it is mapped onto itself.
    """

    images: list[int]
    keeps: Mask


class Plan:
    """How to count the tours of an instance.

    ``form`` is its tour graph, or the split form of it where moves have a direction; ``edges`` are
    the edges that tours can use, and ``required`` those that all tours use, as rows of two nodes.
    ``nodes`` is the order of all nodes, with those of the depot last, and ``widths`` the number of
    nodes on the frontier after each. States are kept in tables if ``suits_tables``, and otherwise
    one by one.
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
        self.instance, self.prefixes = instance, tuple(prefixes) or (len(instance.graph),)
        whole = TourGraph(instance)
        self.form: TourGraph | SplitGraph = whole.split if instance.one_way else whole
        edges, required = self.form.edges, self.form.edges[self.form.required]
        if self.form.is_contradictory:
            edges, required = edges[:0], required[:0]
        self.edges, self.required = np.unique(edges, axis=0), np.unique(required, axis=0)
        orders = _square_orders(whole) if order is None else [order]
        found = [self._with_all_nodes(whole, each) for each in orders]
        # The one with the fewest states: an estimate, up to a factor.
        weights = [(_STATES_PER_NODE ** widths.clip(0, 400)).sum() for _, widths in found]
        self.nodes, widths = found[int(np.argmin(weights))]
        self.widths: list[int] = widths.tolist()
        self.places: list[int] = np.argsort(self.nodes).tolist()
        self.depot_place = self._place_after(len(instance.graph))
        self.expected = ExpectedCost.of(instance, self.widths)
        self.suits_tables = self.expected.suits_tables

    def _with_all_nodes(self, whole: TourGraph, squares: Nodes) -> tuple[list[int], Ints]:
        """Return an order of all nodes for one of the squares, and the widths of its frontiers.

        In a split form the node at which a square is entered comes directly before the one at which
        it is left.
        """
        nodes = whole.with_depot(squares)
        if self.instance.one_way:
            nodes = np.stack([nodes + len(whole), nodes], axis=1).ravel()
        return nodes.tolist(), frontier_widths(self.edges, nodes.astype(np.int32))

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

    def frontier_after(self, number: int) -> list[int]:
        """Return the places in the order of the nodes on the frontier after ``number`` steps.

        The depot is left out.
        """
        places = [self.places[node] for node in self.steps[number - 1].vertices[1:]]
        return [place for place in places if place < self.depot_place]

    def total(self, prefix: int, cycles: int) -> int:
        """Return the number of tours of a prefix, given the number of cycles that are closed.

        Open tours count in both directions if both are tours of the instance.
        """
        if self.instance.closed and prefix < FEWEST_CLOSED:
            return 0  # the nodes of two vertices are on a cycle of the split graph
        if prefix == 1:
            return 1
        if self.instance.free_end_count == 2 and not self.instance.one_way:
            return 2 * cycles
        return cycles

    def out_of_memory(self, done: int, need: object) -> OutOfMemoryError:
        """Return the error that memory did not suffice for ``need`` after ``done`` nodes."""
        where = f"frontier of {self.width} squares, {done} of {len(self.nodes)} done"
        return OutOfMemoryError(f"the memory limit was reached: {where}, {need}")

    # -- steps ------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[FrontierStep]:
        """The step of each node, in order."""
        steps: list[FrontierStep] = []
        frontier: list[int] = []
        for number, node in enumerate(self.nodes):
            later = [each for each in self._neighbors[node] if self.places[each] > number]
            present = {node, *frontier, *later}
            vertices = sorted(present, key=self.places.__getitem__)
            position = {vertex: at for at, vertex in enumerate(vertices)}
            choices = self._choices(node, {position[vertex]: vertex for vertex in later})
            mirror: tuple[int, ...] = ()
            if self._mirror is not None and self._mirror.keeps[number]:
                images = self._mirror.images
                mirror = tuple(position[images[vertex]] - 1 for vertex in vertices[1:])
            step = FrontierStep(
                vertices=tuple(vertices),
                entering=tuple(sorted(position[each] for each in present.difference(frontier))),
                choices=choices,
                closings=tuple(self._closings(number, vertices, choices)),
                due=tuple(self._due(number, {vertex: position[vertex] for vertex in later})),
                next_touch=tuple(self._next_touch(vertex, number) for vertex in frontier),
                mirror=mirror,
                colors=self._end_colors(number, vertices),
            )
            steps.append(step)
            frontier = vertices[1:]
        return steps

    @cached_property
    def _neighbors(self) -> dict[int, list[int]]:
        """The neighbors of each node."""
        return {node: list[int]() for node in self.nodes} | adjacency(self.edges)

    @cached_property
    def _touches(self) -> dict[int, list[int]]:
        """For each node the steps at which it is chosen or chooses, ascending."""
        return {
            node: sorted(self.places[each] for each in [node, *neighbors])
            for node, neighbors in self._neighbors.items()
        }

    def _next_touch(self, node: int, number: int) -> int:
        """Return the step, ``number`` or a later one, at which a node is chosen or chooses next."""
        touches = self._touches[node]
        return touches[bisect_left(touches, number)]

    def _choices(self, node: int, later: dict[int, int]) -> tuple[Choice, ...]:
        """Return the sets of up to two positions of ``later`` neighbors with all required ones."""
        pairs = self._required_pairs
        forced = {at for at, vertex in later.items() if frozenset((node, vertex)) in pairs}
        sets = (itertools.combinations(sorted(later), size) for size in (0, 1, 2))
        return tuple(each for each in itertools.chain(*sets) if forced.issubset(each))

    @cached_property
    def _required_pairs(self) -> set[frozenset[int]]:
        """The pairs of nodes that a required edge joins."""
        return set(map(frozenset, self.required.tolist()))

    def _due(self, number: int, later: dict[int, int]) -> Iterator[Due]:
        """Yield the ``later`` nodes, whose positions are given, with at most one edge to come."""
        stops = [self._place_after(prefix) for prefix in self.prefixes]
        # Beyond the last stop there is only the depot, and that stop still tells what is beyond.
        next_stop = min((stop for stop in stops if stop > number), default=max(stops))
        for vertex, position in later.items():
            touches = self._touches[vertex]
            neighbors_to_come = len(touches) - bisect_right(touches, number) - 1  # without itself
            if neighbors_to_come < 2:
                yield Due(position, neighbors_to_come, self._is_beyond(vertex, next_stop))

    def _closings(
        self, number: int, vertices: Sequence[int], choices: Sequence[Choice]
    ) -> Iterator[Closing]:
        """Yield the choices of a step that close tours of a prefix.

        For that, the node of the step and its frontier must contain all nodes of the prefix that
        are still to come, so that these can be finished, and the node must belong to the prefix.
        """
        if number < self._last_required:
            return
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

    @cached_property
    def _last_required(self) -> int:
        """The step that decides the last required edge, or -1 without required edges."""
        places = self.places
        return max((min(places[a], places[b]) for a, b in self.required.tolist()), default=-1)

    # -- colors and symmetry ----------------------------------------------------------------------

    @cached_property
    def _color_signs(self) -> list[int]:
        """For each node 1 if it is dark, -1 if it is light, and 0 for the depot, the last one.

        It is empty if colors rule out no state: a closed tour has no ends to come, a sweep over
        several prefixes keeps the states of all of them, and in the split form other edges than
        moves join the nodes.
        """
        graph, is_split = self.instance.graph, self.instance.one_way
        if self.instance.closed or is_split or len(self.prefixes) > 1 or graph.sides is None:
            return []
        return [*np.where(graph.sides[graph.vertices], 1, -1).tolist(), 0]

    @cached_property
    def _excess_to_come(self) -> list[int]:
        """For each step how many more dark nodes than light ones come after it."""
        signs = [self._color_signs[node] for node in self.nodes]
        return [sum(signs) - done for done in itertools.accumulate(signs)]

    def _end_colors(self, number: int, vertices: Sequence[int]) -> EndColors | None:
        """Return the colors after a step, or None if they rule out no state."""
        signs = self._color_signs
        depot = len(signs) - 1
        if not signs or depot not in vertices:
            return None
        return EndColors(
            signs=tuple((at, signs[node]) for at, node in enumerate(vertices) if at),
            depot=vertices.index(depot),
            excess=2 * self._excess_to_come[number],
        )

    @cached_property
    def _mirror(self) -> _Mirror | None:
        """The symmetry that keeps all prefixes and the most beginnings of the order, or None.

        It keeps the edges and the required edges, and with these the ends and forbidden moves.
        """
        best = None
        places, edge_sets = np.array(self.places), (self.edges, self.required)
        for board_images in board_symmetries(self.instance.graph).values():
            images = self.form.images(TourMap(board_images, reverse=False))
            is_symmetry = not np.array_equal(images, np.arange(len(images))) and all(
                np.array_equal(np.unique(np.sort(images[edges], axis=1), axis=0), edges)
                for edges in edge_sets
            )
            if not is_symmetry:
                continue
            last_image = np.maximum.accumulate(places[images[self.nodes]])
            keeps = np.asarray(last_image == np.arange(len(last_image)))
            if not all(keeps[self._place_after(prefix) - 1] for prefix in self.prefixes):
                continue
            if best is None or keeps.sum() > best.keeps.sum():
                best = _Mirror(images.tolist(), keeps)
        return best


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
