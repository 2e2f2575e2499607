"""Pósa rotations, which change a Hamiltonian path by one edge, and random walks made of them.

A cycle without one of its edges is a path. Joining the last node of the path with a node in its
middle, and removing the edge after that node, gives another path through the same nodes (L. Pósa,
Hamiltonian circuits in random graphs, 1976). An edge that joins the two ends of the path closes a
cycle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Ints, Squares, both_directions
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import Nodes
from kt_cp.sat.edges import EdgeGraph, edge_graph, grouped

ROTATIONS_PER_PAUSE = 1000
"""Rotations between two calls of `RotationRule.pause`."""

MANY_NEIGHBORS = 16
"""If every node has at least this many neighbors, rotations nearly always find a cycle quickly."""

# Rotations of a random walk for each node, and how many of its last tours are checked.
_WALK_ROTATIONS_PER_NODE, _LAST_TOURS = 100, 200

# Rotations for each node after which a search for a cycle gives up.
_MAX_ROTATIONS_PER_NODE = 3


def rotate_end(path: list[int], position: int) -> None:
    """Join the last node of a path with that at a position, and remove the edge after the latter.

    >>> path = [0, 1, 2, 3, 4]
    >>> rotate_end(path, 1)
    >>> path
    [0, 1, 4, 3, 2]
    """
    path[position + 1 :] = path[:position:-1]


class RotationRule:
    """Decides which rotations a random walk makes: all, unless a subclass overrides `accepts`.

    Edges are given by their indices in the `RotationGraph`.
    """

    def accepts(self, old: int, new: int) -> bool:
        """Return whether the edge ``new`` may replace the edge ``old``."""
        return True

    def record(self, old: int, new: int) -> None:
        """Take note that the edge ``new`` replaces the edge ``old``."""

    def pause(self) -> None:
        """Do what is due every `ROTATIONS_PER_PAUSE` rotations. An exception ends the walk."""


class ClosedPath(NamedTuple):
    """A Hamiltonian cycle: a path, as nodes in order, and the index of the edge that closes it.

    The walk goes on to change the list of nodes in place.
    """

    path: list[int]
    closing_edge: int


class RotationGraph:
    """A graph whose Hamiltonian paths are rotated.

    ``edges`` are rows of two nodes, and an edge is named by the index of its row. ``fixed`` tells
    which edges no rotation removes or adds.
    """

    def __init__(self, nodes: int, edges: Ints, fixed: list[bool]) -> None:
        self.nodes, self.fixed = nodes, fixed
        self.index: dict[tuple[int, int], int] = {}
        """The index of an edge, by its nodes in either order."""
        self._choices: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        for number, (low, high) in enumerate(edges.tolist()):
            self.index[low, high] = self.index[high, low] = number
            if not fixed[number]:
                self._choices[low].append((high, number))
                self._choices[high].append((low, number))

    def open_cycle(self, cycle: list[int]) -> list[int]:
        """Return the path that is left of a cycle without one edge, if possible not a fixed one."""
        for position, node in enumerate(cycle):
            before = cycle[position - 1]
            if not self.fixed[self.index[before, node]]:
                return cycle[position:] + cycle[:position]
        return cycle

    def rotate(
        self, path: list[int], rotations: int, uniform: Callable[[], float], rule: RotationRule
    ) -> Iterator[ClosedPath]:
        """Try random rotations of a Hamiltonian path; yield the paths that an edge closes.

        ``rotations`` is the number of tries, and ``uniform`` returns random numbers from 0 to 1.
        The ``rule`` decides which rotations are made. A path that an edge closes is yielded, and
        then the cycle is opened again at a random place, without asking the rule.
        """
        for number in range(rotations):
            if number % ROTATIONS_PER_PAUSE == 0:
                rule.pause()
            if uniform() < 0.5:
                path.reverse()
            choices = self._choices[path[-1]]
            if not choices:
                continue
            node, new = choices[int(uniform() * len(choices))]
            if node == path[-2]:  # the edge is in the path
                continue
            if node == path[0]:
                yield ClosedPath(path, new)
                path = self._reopened(path, new, uniform, rule)
                continue
            position = path.index(node)
            old = self.index[node, path[position + 1]]
            if not self.fixed[old] and rule.accepts(old, new):
                rule.record(old, new)
                rotate_end(path, position)

    def _reopened(
        self, path: list[int], closing_edge: int, uniform: Callable[[], float], rule: RotationRule
    ) -> list[int]:
        """Return the path that is left of a closed path after removing a random edge of it.

        It is returned unchanged if that edge is fixed.
        """
        position = int(uniform() * (self.nodes - 1))
        old = self.index[path[position], path[position + 1]]
        if self.fixed[old]:
            return path
        rule.record(old, closing_edge)
        return path[position + 1 :] + path[: position + 1]


def random_walk_tour(
    instance: Instance, tour: Squares, random: Random, clock: Clock | None = None
) -> Squares:
    """Return one of the last tours of a random walk of rotations that meets the constraints.

    If none does, the given ``tour`` is returned. Tours are ids in visiting order. Not all are
    equally likely, and the walk takes no account of given steps and symmetries, so few tours meet
    these. It ends early at the clock's limit.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> random_walk_tour(Instance.of("3x4", start="a3"), tour, Random(2)).tolist()
    [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]
    """
    graph = edge_graph(instance)
    rotation_graph = RotationGraph(graph.nodes, graph.edges, graph.required.tolist())
    path = rotation_graph.open_cycle(graph.form.cycle(tour).tolist())
    rotations = _WALK_ROTATIONS_PER_NODE * graph.nodes
    rule = RotationRule() if clock is None else _UntilTimeLimit(clock)
    last_cycles = deque[list[int]](maxlen=_LAST_TOURS)
    with suppress(OutOfTimeError):
        for found in rotation_graph.rotate(path, rotations, random.random, rule):
            last_cycles.append([*found.path])
    for cycle in reversed(last_cycles):
        other = graph.tour(np.array(cycle))
        if instance.satisfied_by(other):
            return other
    return tour


class _UntilTimeLimit(RotationRule):
    """Accepts every rotation, and ends the walk at the limit of a clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def pause(self) -> None:
        """Raise `OutOfTimeError` if no time is left."""
        self.clock.check()


def cycle_by_rotations(graph: EdgeGraph, random: Random, clock: Clock) -> Nodes | None:
    """Return a cycle through all nodes of a graph, by extending and rotating a path, or None.

    It finds one if every node has many neighbors; None proves nothing (D. Angluin, L. Valiant,
    Fast probabilistic algorithms for Hamiltonian circuits and matchings, 1979). Split graphs and
    required edges are not supported: the result is None. Raises `OutOfTimeError`.

    >>> graph = edge_graph(Instance.of("6x6", closed=True))
    >>> cycle = cycle_by_rotations(graph, Random(1), Clock())
    >>> sorted(cycle.tolist()) == list(range(36))
    True
    """
    if graph.is_split or graph.required.any():
        return None
    arcs = both_directions(graph.edges)
    neighbors = list(grouped(arcs[:, 1], arcs[:, :1], graph.nodes))
    first = random.randrange(graph.nodes)
    path, unvisited = [first], set(range(graph.nodes)) - {first}
    for rotation in range(_MAX_ROTATIONS_PER_NODE * graph.nodes):
        if rotation % ROTATIONS_PER_PAUSE == 0:
            clock.check()
        while candidates := unvisited.intersection(neighbors[path[-1]]):
            node = min(candidates, key=lambda each: len(neighbors[each]))
            unvisited.remove(node)
            path.append(node)
        if not unvisited and path[0] in neighbors[path[-1]]:
            return np.array(path)
        rotate_end(path, path.index(random.choice(neighbors[path[-1]])))
    return None
