"""The plan of a count by frontier: the order of the nodes, their choices, and the expected cost.

`kt_cp.count.frontier` explains the terms. The nodes and edges are those of the `TourGraph` of an
instance or, where moves have a direction, of its split form, in which a direction is an edge.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb, factorial, prod

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.board.symmetry import board_symmetries
from kt_cp.count.memory import OutOfMemoryError
from kt_cp.graph_algorithms import adjacency, frontier_widths, low_width_orders
from kt_cp.problem.costs import FRONTIER_STATE
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.tour_graph import Nodes, SplitGraph, TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED

Choice = tuple[int, ...]
"""The positions of the later neighbors that a node chooses: none, one or two."""

_MOST_SWEPT = 100_000
"""The most vertices of a graph whose tours are counted."""

MAX_WIDTH = 17
"""The most nodes of a frontier in tables: 8 paths have 2,027,025 pairings."""

SOON = 3.0
"""Seconds: a count that is expected to take longer is reported, and a tour is sought before it."""

_MANY = 2**18  # expected states from which on tables are faster


@dataclass(frozen=True)
class Closing:
    """A choice that closes tours of the first ``prefix`` squares.

    The nodes at the positions ``untouched`` lie beyond the prefix.
    """

    prefix: int
    choice: Choice
    untouched: tuple[int, ...]


@dataclass(frozen=True)
class Due:
    """A node of the frontier that has ``left`` neighbors still to come, none or one.

    A node ``beyond`` the next prefix may remain untouched.
    """

    position: int
    left: int
    beyond: bool


@dataclass(frozen=True)
class FrontierStep:
    """A node of the order, and what it can choose among its later neighbors.

    ``vertices`` are the node itself and the frontier after it, in their order; elsewhere they are
    named by their positions among these. Those at ``entering`` are reached for the first time.
    ``closings`` are the choices by which a tour may be closed, and ``due`` the nodes that have to
    be touched or finished by now. For each node of the frontier before the step, in order,
    ``touched`` is the number of the step at which it is chosen or chooses next. For each node of
    the frontier after it, ``mirror`` is the place there of its image under a symmetry that keeps
    what has been processed; it is empty if there is none.
    """

    vertices: tuple[int, ...]
    entering: tuple[int, ...]
    choices: tuple[Choice, ...]
    closings: tuple[Closing, ...]
    due: tuple[Due, ...]
    touched: tuple[int, ...]
    mirror: tuple[int, ...]


def ends_joined(choice: Choice) -> tuple[int, int]:
    """Return the positions that a choice joins: two neighbors, or the node itself with one."""
    if len(choice) == 1:
        return 0, choice[0]
    one, other = choice
    return one, other


class Plan:
    """How to count the tours of an instance: the order of its nodes, those of the depot last.

    ``prefixes`` are numbers of squares: of an undirected instance without required moves, the tours
    of the first squares of an ``order`` are counted too. By default the order is a narrow one, and
    the tours of all squares are counted.

    What is expected is a rough estimate: the states after each node, the bytes of two layers in
    tables, of which two thirds are occupied, and the seconds that one process takes. A graph that
    is not dense has no more edges than a planar one, in which far fewer states occur; a split graph
    is not dense either. Where many states are expected, tables hold them better.
    """

    def __init__(
        self, instance: Instance, order: Nodes | None = None, prefixes: Sequence[int] = ()
    ) -> None:
        """Choose the order. The instance must be none that `unsupported` names."""
        self.instance, self.prefixes = instance, tuple(prefixes) or (len(instance.graph),)
        whole = TourGraph(instance)
        self.form: TourGraph | SplitGraph = whole.split if instance.one_way else whole
        edges, required = self.form.edges, self.form.edges[self.form.required]
        if self.form.is_contradictory:
            edges, required = edges[:0], required[:0]
        self.edges, self.required = np.unique(edges, axis=0), np.unique(required, axis=0)
        orders = _orders(instance, whole) if order is None else [order]
        orders = [_with_all_nodes(each, self.form) for each in orders]
        widths = [frontier_widths(self.edges, each.astype(np.int32)) for each in orders]
        best = min(range(len(orders)), key=lambda i: float((5.0 ** widths[i].clip(0, 400)).sum()))
        self.order: list[int] = orders[best].tolist()
        self.widths: list[int] = widths[best].tolist()
        self.width = max(self.widths)
        # how many nodes a square is, and the depot, whose nodes come last and are in every prefix
        self._nodes_each = 2 if isinstance(self.form, SplitGraph) else 1
        self._depots = len(self.order) - len(instance.graph) * self._nodes_each
        self._place = np.zeros(len(self.form), dtype=np.int64)
        self._place[self.order] = np.arange(len(self.order))
        self._expect()

    def _expect(self) -> None:
        """Estimate states, bytes and seconds."""
        is_split, graph = isinstance(self.form, SplitGraph), self.instance.graph
        done = [min(number, 2 * width) for number, width in enumerate(self.widths, 1)]
        conceivable = _conceivable_split if is_split else _conceivable
        self.expected_states = np.array([*map(conceivable, done, self.widths)]) / 9
        self.expected_bytes = self.expected_states.max() * 3 * 8
        self.expected_seconds = self.expected_states.sum() * FRONTIER_STATE
        planar = 3 * len(graph) - 6 if graph.sides is None else 2 * len(graph) - 4
        self.is_dense = not is_split and len(graph.arcs) // 2 > planar
        is_crowded = self.is_dense and self.expected_states.max() > _MANY
        self.suits_tables = bool(is_crowded and self.width <= MAX_WIDTH)

    def total(self, prefix: int, cycles: int) -> int:
        """Return the number of tours of a prefix, from that of the cycles that a count closes.

        Open tours count in both directions, where these are tours of the instance.
        """
        if self.instance.closed and prefix < FEWEST_CLOSED:
            return 0  # the nodes of two vertices are on a cycle of the split graph
        if prefix == 1:
            return 1
        if self.instance.free_ends == 2 and not self.instance.one_way:
            return 2 * cycles
        return cycles

    @cached_property
    def steps(self) -> list[FrontierStep]:
        """What each node can choose, in order."""
        place = self._place.tolist()
        neighbors = {node: list[int]() for node in self.order} | adjacency(self.edges)
        # the steps at which each node is chosen or chooses
        touches = {v: sorted(place[each] for each in [v, *neighbors[v]]) for v in self.order}
        images, kept = self._mirror()
        frontier, steps = list[int](), list[FrontierStep]()
        for number, node in enumerate(self.order):
            later = [other for other in neighbors[node] if place[other] > number]
            before, here = frontier, {node, *frontier, *later}
            vertices = sorted(here, key=place.__getitem__)
            frontier = vertices[1:]
            position = {v: at for at, v in enumerate(vertices)}
            choices = self._choices(node, later, position)
            left = {v: len(touches[v]) - bisect_right(touches[v], number) - 1 for v in later}
            nearest = self._nearest_end(number)
            due = [
                Due(position[v], few, self._is_beyond(v, nearest))
                for v, few in left.items()
                if few < 2
            ]
            mirror = list[int]()
            if kept[number]:
                mirror = [position[images[v]] - 1 for v in frontier]
            steps.append(
                FrontierStep(
                    vertices=tuple(vertices),
                    entering=tuple(sorted(position[v] for v in here.difference(before))),
                    choices=choices,
                    closings=tuple(self._closings(number, vertices, choices)),
                    due=tuple(due),
                    touched=tuple(touches[v][bisect_left(touches[v], number)] for v in before),
                    mirror=tuple(mirror),
                )
            )
        return steps

    def _choices(
        self, node: int, later: Sequence[int], position: Mapping[int, int]
    ) -> tuple[Choice, ...]:
        """Return the sets of up to two later neighbors, with those to which an edge is required."""
        forced = {position[v] for v in later if frozenset((node, v)) in self._required_pairs}
        positions = sorted(position[v] for v in later)
        return tuple(
            choice
            for size in (0, 1, 2)
            for choice in itertools.combinations(positions, size)
            if forced.issubset(choice)
        )

    @cached_property
    def _required_pairs(self) -> set[frozenset[int]]:
        """The pairs of nodes that a required edge joins."""
        return set(map(frozenset, self.required.tolist()))

    def frontier_after(self, number: int) -> list[int]:
        """Return the places in the order of the frontier after some steps, without the depot."""
        vertices = self.steps[number - 1].vertices[1:]
        places = self._place[list(vertices)].tolist()
        return [place for place in places if place < len(self.order) - self._depots]

    def _is_beyond(self, node: int, end: int) -> bool:
        """Return whether a node lies beyond the prefix of the first ``end`` nodes."""
        return end <= int(self._place[node]) < len(self.order) - self._depots

    def _nearest_end(self, number: int) -> int:
        """Return the number of nodes in the smallest prefix that a step does not complete."""
        ends = [size * self._nodes_each for size in self.prefixes]
        return min((end for end in ends if end > number), default=max(ends))

    @cached_property
    def _settled(self) -> int:
        """The first step after which it is known of all required edges whether they are chosen."""
        if not len(self.required):
            return -1
        return int(self._place[self.required].min(axis=1).max())

    def _closings(
        self, number: int, vertices: Sequence[int], choices: Sequence[Choice]
    ) -> list[Closing]:
        """Return the choices of a step that close tours of a prefix.

        For that, the node of the step and its frontier must contain all nodes of the prefix that
        are still to come, so that these can be finished.
        """
        closings = list[Closing]()
        if number < self._settled:
            return closings
        for prefix in self.prefixes:
            end = prefix * self._nodes_each
            to_come = end + self._depots - number
            if to_come < 0 or to_come > len(vertices):
                continue
            beyond = [at for at, node in enumerate(vertices) if self._is_beyond(node, end)]
            if 0 in beyond or len(vertices) - len(beyond) < to_come:
                continue
            closings += [
                Closing(prefix, choice, tuple(beyond))
                for choice in choices
                if choice and not set(choice).intersection(beyond)
            ]
        return closings

    def _mirror(self) -> tuple[list[int], Mask]:
        """Return a symmetry of all edges and of those required, and which beginnings it keeps.

        The symmetry is the image of each node; empty if there is none. The mask has for each step
        whether the nodes up to it are mapped onto themselves. The symmetry keeps all prefixes, and
        of several it is the one that keeps the most beginnings of the order. (Ends and forbidden
        moves need no attention: they are edges that are there or not.)
        """
        best = list[int]()
        kept: Mask = np.zeros(len(self.order), dtype=np.bool_)
        for found in board_symmetries(self.instance.graph).values():
            images = self.form.images(TourMap(found, reverse=False))
            is_symmetry = all(
                np.array_equal(np.unique(np.sort(images[edges], axis=1), axis=0), edges)
                for edges in (self.edges, self.required)
            )
            last = np.maximum.accumulate(self._place[images[self.order]])
            keeps = last == np.arange(len(last))
            keeps_prefixes = all(keeps[size * self._nodes_each - 1] for size in self.prefixes)
            is_identity = np.array_equal(images[self.order], self.order)
            if not is_symmetry or not keeps_prefixes or is_identity:
                continue
            if keeps.sum() > kept.sum():
                best, kept = images.tolist(), keeps
        return best, kept

    @property
    def expected(self) -> str:
        """What is expected, in words."""
        most = float(f"{self.expected_states.max():.2g}")
        if most >= 1e15:
            states = "more than 10^15 states"
        else:
            states = f"{'about' if self.is_dense else 'at most'} {most:,.0f} states"
        needs = f"{duration(self.expected_seconds)} and {self.expected_memory}"
        return f"a frontier of {self.width} vertices, {states}, {needs}"

    @property
    def expected_memory(self) -> str:
        """The memory that is expected, in words."""
        tebibytes = self.expected_bytes / 2**40
        if tebibytes >= 1e6:
            return "millions of TiB"
        if tebibytes >= 1:
            return f"{tebibytes:,.0f} TiB"
        return f"{self.expected_bytes / 2**20:,.0f} MiB"

    def check_memory(self, memory: float) -> None:
        """Raise `OutOfMemoryError` if it is known before a count that it needs more bytes."""
        if self.expected_bytes <= memory or not self.is_dense:
            return
        limit = f"of memory, but the limit is {memory / 2**20:,.0f}"
        if self.width <= MAX_WIDTH:
            onward = "--spill DIRECTORY keeps the states on disk, in about as much space"
        else:
            onward = f"--spill takes a frontier of at most {MAX_WIDTH} vertices"
        raise OutOfMemoryError(f"{self.expected} {limit}; {onward}")

    def out_of_memory(self, done: int, what: object) -> OutOfMemoryError:
        """Return the error with what is known of where it happened."""
        where = f"frontier of {self.width} squares, {done} of {len(self.order)} done"
        return OutOfMemoryError(f"the memory limit was reached: {where}, {what}")


@cache
def _conceivable(done: int, width: int) -> float:
    """Return the number of types and mates of a frontier after some nodes, at most 1e30.

    Every path passes through one of these nodes at least, and each has two edges at most.
    """
    if width > 40:
        return 1e30
    return float(
        sum(
            comb(width, ends) * prod(range(1, ends, 2)) * comb(width - ends, finished)
            for ends in range(0, min(width, 2 * done) + 1, 2)
            for finished in range(min(width - ends, done - ends // 2) + 1)
        )
    )


@cache
def _conceivable_split(done: int, width: int) -> float:
    """Return the number of types and mates of a frontier of a split graph, at most 1e30.

    Two nodes are about one vertex, which is untouched, finished, or the first or the last of a
    path: any first vertex can be paired with any last one.
    """
    vertices, passed = -(-width // 2), -(-done // 2)
    if vertices > 40:
        return 1e30
    return float(
        sum(
            comb(vertices, 2 * paths) * comb(2 * paths, paths) * factorial(paths)
            * 2 ** (vertices - 2 * paths)
            for paths in range(min(vertices // 2, passed) + 1)
        )
    )  # fmt: skip


def unsupported(instance: Instance) -> str | None:
    """Return the part of an instance that counting by frontier does not support, or None."""
    if instance.one_way and not all(move.directed for move in instance.require):
        return "moves in one direction only beside a move required in either direction"
    if instance.symmetry is not None:
        return "a symmetry"
    if instance.givens:
        return "given steps"
    if instance.having or instance.constrain:
        return "bounds on features, or custom constraints"
    if len(instance.graph) > _MOST_SWEPT:
        return f"more than {_MOST_SWEPT:,} {instance.graph.vocabulary.vertices}"
    return None


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it.

    >>> duration(5), duration(180), duration(8000), duration(1e6), duration(1e10), duration(1e20)
    ('5 s', '3 min', '2.2 h', '12 days', '317 years', 'millions of years')
    """
    hours = seconds / 3600
    days = hours / 24
    years = days / 365.25
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    if hours < 100:
        return f"{hours:.1f} h"
    if days < 1000:
        return f"{days:.0f} days"
    return f"{years:,.0f} years" if years < 1e6 else "millions of years"


def _orders(instance: Instance, whole: TourGraph) -> list[Nodes]:
    """Return some orders of the nodes that are vertices.

    Squares of a board are taken by rows, columns and diagonals. Other graphs are taken from a few
    vertices on: next comes a vertex of the frontier with the fewest neighbors that are not there.
    """
    graph, edges = instance.graph, whole.edges[~whole.at_depot]
    if not graph.has_places:
        nodes = np.arange(whole.depot, dtype=np.int32)
        return list[Nodes](low_width_orders(nodes, edges.astype(np.int32)))
    rows, columns = np.divmod(graph.vertices, graph.shape[1])
    keys = [(columns, rows), (rows, columns), (rows, rows + columns), (rows, rows - columns)]
    orders: list[Nodes] = [np.lexsort(key) for key in keys]
    return orders + [order[::-1] for order in orders]


def _with_all_nodes(order: Nodes, form: TourGraph | SplitGraph) -> Nodes:
    """Return an order of vertices with the depot after them, and each node split if the form is.

    At once after the node at which a vertex is entered comes the one at which it is left.
    """
    if isinstance(form, SplitGraph):
        count = len(form.whole)
        order = np.append(order, form.depot)[:count]
        return np.stack([order + count, order], axis=1).ravel()
    return np.append(order, form.depot)[: len(form)]
