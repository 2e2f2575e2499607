"""Change a tour: rotations of a path by one edge, and contraction of a cycle to a window.

A cycle without one of its edges is a path. Joining the last node of the path with a node in its
middle, and removing the edge after that node, gives another path through the same nodes (L. Pósa,
Hamiltonian circuits in random graphs, 1976). An edge that joins the two ends of the path closes a
cycle.

In a contracted cycle only the nodes inside a region may change. The cycle is cut into *runs*: a
node inside, followed by the nodes outside up to the next node inside. The contracted cycle has one
node for each run. A run of several nodes is a *link*: a fixed edge from its own node to that of the
next run. So any other cycle through the contracted nodes that keeps the links can be expanded to a
cycle through all nodes. If nodes inside may be left out, those that the cycle does not visit are
runs of one node each.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, both_directions, cycle_arcs
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.problem.tour_graph import Nodes
from kt_cp.sat.edges import EdgeGraph, edge_graph, grouped

# Rotations between two checks of the clock.
_TRIES_PER_CHECK = 1000

MANY_NEIGHBORS = 16
"""If every node has at least this many neighbors, rotations nearly always find a cycle quickly."""

# Rotations of a random walk for each node, and how many of its last tours are checked.
_WALK_ROTATIONS_PER_NODE = 100
_LAST_TOURS = 200

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


class RotationGraph:
    """A graph whose Hamiltonian paths are rotated.

    ``edges`` are rows of two nodes, and an edge is named by the index of its row. ``fixed`` tells
    which edges no rotation removes or adds.
    """

    def __init__(self, nodes: int, edges: Ints, fixed: list[bool]) -> None:
        self.nodes = nodes
        self.fixed = fixed
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
        self,
        path: list[int],
        rotations: int,
        random: Random,
        clock: Clock,
        accepts: Callable[[int, int, float], bool] = lambda old, new, share: True,
        record: Callable[[int, int], None] = lambda old, new: None,
    ) -> Iterator[int]:
        """Try random rotations of a Hamiltonian path, in place; yield each edge that closes it.

        ``rotations`` is the number of tries. ``accepts(old, new, share)`` returns whether an edge
        may replace another one when a share of the tries has been made; by default, it always may.
        A cycle is opened again at a random place, without asking. ``record(old, new)`` is called
        for each replacement. Raises `OutOfTimeError`.
        """
        uniform = random.random
        for number in range(rotations):
            if number % _TRIES_PER_CHECK == 0:
                clock.check()
                share = number / rotations
            if uniform() < 0.5:
                path.reverse()
            choices = self._choices[path[-1]]
            if not choices:
                continue
            node, new = choices[int(uniform() * len(choices))]
            if node == path[-2]:  # the edge is in the path
                continue
            is_closed = node == path[0]
            if is_closed:
                yield new
            position = int(uniform() * (self.nodes - 1)) if is_closed else path.index(node)
            old = self.index[path[position], path[position + 1]]
            if self.fixed[old]:
                continue
            if is_closed:
                path[:] = path[position + 1 :] + path[: position + 1]
            elif accepts(old, new, share):
                rotate_end(path, position)
            else:
                continue
            record(old, new)


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
    rotation_graph = RotationGraph(graph.node_count, graph.edges, graph.required.tolist())
    path = rotation_graph.open_cycle(graph.form.cycle(tour).tolist())
    rotations = _WALK_ROTATIONS_PER_NODE * graph.node_count
    last_cycles = deque[list[int]](maxlen=_LAST_TOURS)
    with suppress(OutOfTimeError):
        for _ in rotation_graph.rotate(path, rotations, random, clock or Clock()):
            last_cycles.append([*path])
    for cycle in reversed(last_cycles):
        other = graph.tour(np.array(cycle))
        if instance.satisfied_by(other):
            return other
    return tour


Choose = Callable[[list[int], set[int]], int]
"""A function that chooses the next node among some free nodes, given all free nodes."""


def grow_paths(
    neighbors: Mapping[int, Sequence[int]],
    random: Random,
    choose: Choose,
    first: int | None = None,
    may_rotate: bool = True,
) -> Iterator[list[int]]:
    """Yield paths that cannot be extended: a path is extended, rotated, and extended again.

    It begins at the node ``first``, or at a random one. Where it cannot be extended, a rotation
    makes another node the last one. Without rotations, which need edges that run both ways, the
    last node is removed and not visited again. The same list is changed and yielded again.
    """
    first = random.choice(list(neighbors)) if first is None else first
    path = [first]
    free = neighbors.keys() - {first}
    removed = set[int]()
    while path:
        while around := [each for each in neighbors[path[-1]] if each in free]:
            path.append(choose(around, free))
            free.remove(path[-1])
        yield path
        pivots = []
        if may_rotate:
            out_of_reach = removed.union(path[-2:])
            pivots = [each for each in neighbors[path[-1]] if each not in out_of_reach]
        if pivots:
            rotate_end(path, path.index(random.choice(pivots)))
        else:
            removed.add(path.pop())


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
    neighbors = dict(enumerate(grouped(arcs[:, 1], arcs[:, :1], graph.node_count)))

    def with_fewest_neighbors(around: list[int], free: set[int]) -> int:
        return min(around, key=lambda each: len(neighbors[each]))

    paths = grow_paths(neighbors, random, with_fewest_neighbors)
    for number, path in enumerate(
        itertools.islice(paths, _MAX_ROTATIONS_PER_NODE * graph.node_count)
    ):
        if number % _TRIES_PER_CHECK == 0:
            clock.check()
        if len(path) == graph.node_count and path[0] in neighbors[path[-1]]:
            return np.array(path)
    return None


# -- contraction ----------------------------------------------------------------------------------


class ContractedCycle:
    """A cycle without its nodes outside a region.

    ``cycle`` holds its nodes in order, and ``is_inside[node]`` tells which of all nodes are in the
    region, of the cycle at least three. The runs are numbered from 0 along the cycle, from the
    first node inside, and then come the nodes inside that are not on the cycle. ``inside`` has the
    first node of each run, and ``links`` the links, as rows of the numbers of two consecutive runs.
    The length is the number of runs of the cycle.

    >>> is_inside = np.array([True, False, False, True, True, True])
    >>> contracted = ContractedCycle(np.arange(6), is_inside)
    >>> contracted.inside, contracted.links
    (array([0, 3, 4, 5]), array([[0, 1]]))
    """

    def __init__(self, cycle: Ints, is_inside: Mask) -> None:
        first = int(is_inside[cycle].argmax())
        self.cycle = np.roll(cycle, -first)
        starts = np.flatnonzero(is_inside[self.cycle])
        is_left_out = np.array(is_inside)
        is_left_out[cycle] = False
        left_out = np.flatnonzero(is_left_out)
        self.inside = np.concatenate([self.cycle[starts], left_out])
        self._runs = [*np.split(self.cycle, starts[1:]), *left_out.reshape(-1, 1)]
        self._length = len(starts)
        self._number_of = np.full(len(is_inside), -1)
        self._number_of[self.inside] = np.arange(len(self.inside))
        lengths = np.diff(starts, append=len(cycle))
        self.links: Ints = cycle_arcs(np.arange(len(starts)))[lengths > 1]

    def __len__(self) -> int:
        """Return the number of runs of the cycle."""
        return self._length

    def within(self, edges: Ints) -> Ints:
        """Return the edges between nodes inside, as rows of the numbers of their runs."""
        numbers = self._number_of[edges]
        return numbers[(numbers >= 0).all(axis=-1)]

    def expand(self, order: Sequence[int]) -> Ints:
        """Return the cycle that visits the runs in another order, with the nodes outside.

        ``order`` lists runs by their numbers, and keeps the links: the two runs of a link are next
        to each other, in either direction. Runs of no link may be missing.

        >>> is_inside = np.array([True, False, False, True, True, True])
        >>> ContractedCycle(np.arange(6), is_inside).expand([1, 0, 2, 3])
        array([3, 2, 1, 0, 4, 5])
        >>> ContractedCycle(np.arange(5), is_inside).expand([1, 0, 3])  # 5 in place of 4
        array([3, 2, 1, 0, 5])
        """
        parts = []
        for run, next_run in itertools.pairwise([*order, order[0]]):
            parts.append(self._runs[run][:1])
            if next_run == (run + 1) % len(self):  # forward, through the nodes outside
                parts.append(self._runs[run][1:])
            elif run == (next_run + 1) % len(self):  # backward
                parts.append(self._runs[next_run][1:][::-1])
        return np.concatenate(parts)
