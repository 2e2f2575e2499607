"""Pósa rotations, which change a Hamiltonian path by one edge, and random walks made of them.

A cycle without one of its edges is a path. To join the last node of the path with a node in its
middle, and to remove the edge behind that node, makes another path through the same nodes (L. Pósa,
Hamiltonian circuits in random graphs, 1976). Whenever an edge joins the two ends of the path, it
closes a cycle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Squares
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import Nodes
from kt_cp.sat.edges import EdgeGraph, by_node, edge_graph

PAUSE = 1000
"""Rotations between two pauses, in which the caller can look at the clock."""

MANY_NEIGHBORS = 16
"""If every node has at least this many neighbors, rotations find most cycles at once."""

# Rotations of a random walk for each node, and how many of its last tours are checked.
_WALK_ROTATIONS_PER_NODE, _LAST_TOURS = 100, 200

# Rotations for each node after which a search for a cycle gives up.
_MAX_ROTATIONS_PER_NODE = 3


def rotate_end(path: list[int], position: int) -> None:
    """Join the last node of a path with that at a position, and remove the edge behind the latter.

    >>> path = [0, 1, 2, 3, 4]
    >>> rotate_end(path, 1)
    >>> path
    [0, 1, 4, 3, 2]
    """
    path[position + 1 :] = path[:position:-1]


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

    def open(self, cycle: list[int]) -> list[int]:
        """Return a cycle as a path, by removing an edge, one that is not fixed if there is any."""
        for position, node in enumerate(cycle):
            before = cycle[position - 1]
            if not self.fixed[self.index[before, node]]:
                return cycle[position:] + cycle[:position]
        return cycle

    def rotate(
        self,
        path: list[int],
        steps: int,
        uniform: Callable[[], float],
        accept: Callable[[int, int, bool], bool],
    ) -> Iterator[tuple[list[int], int | None]]:
        """Try ``steps`` random rotations of a path; yield those paths that an edge closes.

        Each is yielded with the index of that edge, and it is changed in place by the next
        rotation. ``uniform`` returns numbers from 0 to 1. ``accept(old, new, must)`` is asked
        whether the edge ``new`` replaces the edge ``old``; if ``must``, it has to return True.
        Every `PAUSE` steps the path is yielded with None.
        """
        last = self.nodes - 1
        for step in range(steps):
            if step % PAUSE == 0:
                yield path, None
            if uniform() < 0.5:
                path.reverse()
            choices = self._choices[path[-1]]
            if not choices:
                continue
            node, new = choices[int(uniform() * len(choices))]
            position = path.index(node)
            if position == last - 1:  # the edge is in the path
                continue
            closes = position == 0
            if closes:
                yield path, new
                position = int(uniform() * last)  # the cycle is opened again somewhere
            old = self.index[path[position], path[position + 1]]
            if self.fixed[old] or not accept(old, new, closes):
                continue
            if closes:
                path = path[position + 1 :] + path[: position + 1]
            else:
                rotate_end(path, position)


def random_walk_tour(
    instance: Instance, tour: Squares, random: Random, clock: Clock | None = None
) -> Squares:
    """Return a tour met on a random walk of rotations that meets the constraints.

    If there is none but the tour itself, that is returned. Tours are ids in visiting order. Not all
    are equally likely, and the walk takes no account of given steps and symmetries, so few tours
    meet these. It ends early at the clock's limit.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> random_walk_tour(Instance.of("3x4", start="a3"), tour, Random(2)).tolist()
    [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]
    """
    graph = edge_graph(instance)
    rotations = RotationGraph(graph.nodes, graph.edges, graph.required.tolist())
    path = rotations.open(graph.form.cycle(tour).tolist())
    steps = _WALK_ROTATIONS_PER_NODE * graph.nodes
    cycles = deque[list[int]](maxlen=_LAST_TOURS)
    for rotated, closing_edge in rotations.rotate(path, steps, random.random, _accept_all):
        if closing_edge is not None:
            cycles.append([*rotated])
        elif clock is not None and not clock.remaining:
            break
    for cycle in reversed(cycles):
        other = graph.tour(np.array(cycle))
        if instance.satisfied_by(other):
            return other
    return tour


def _accept_all(old: int, new: int, must: bool) -> bool:
    """Accept every rotation."""
    return True


def cycle_by_rotations(graph: EdgeGraph, random: Random, clock: Clock) -> Nodes | None:
    """Return a cycle through all nodes of a graph, by extending and rotating a path, or None.

    It finds one if every node has many neighbors; that it finds none proves nothing (D. Angluin,
    L. Valiant, Fast probabilistic algorithms for Hamiltonian circuits and matchings,
    1979). Raises `OutOfTimeError`.

    >>> graph = edge_graph(Instance.of("6x6", closed=True))
    >>> cycle = cycle_by_rotations(graph, Random(1), Clock())
    >>> sorted(cycle.tolist()) == list(range(36))
    True
    """
    if graph.is_split or graph.required.any():
        return None
    arcs = np.concatenate([graph.edges, graph.edges[:, ::-1]])
    neighbors = list(by_node(arcs[:, 1], arcs[:, :1], graph.nodes))
    first = random.randrange(graph.nodes)
    path, unvisited = [first], set(range(graph.nodes)) - {first}
    for rotation in range(_MAX_ROTATIONS_PER_NODE * graph.nodes):
        if rotation % PAUSE == 0:
            clock.check()
        while candidates := unvisited.intersection(neighbors[path[-1]]):
            node = min(candidates, key=lambda each: len(neighbors[each]))
            unvisited.remove(node)
            path.append(node)
        if not unvisited and path[0] in neighbors[path[-1]]:
            return np.array(path)
        rotate_end(path, path.index(random.choice(neighbors[path[-1]])))
    return None
