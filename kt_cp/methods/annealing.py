"""Simulated annealing: a cycle through all nodes changes edge by edge, less and less at random.

One edge of the cycle is left out, so that it is a path. To join the path's end with a node in its
middle, and to remove the edge behind that node, makes another path (L. Pósa, Hamiltonian circuits
in random graphs, 1976). Whenever the two ends can be joined, there is a cycle to be looked at.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import numpy as np

from kt_cp.board import Mask, Squares
from kt_cp.board.symmetry import Ints
from kt_cp.methods.patch import patched
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Objective, Sense
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import EdgeGraph, edge_graph
from kt_cp.tour.feature_table import Feature, counted_edges, counted_pairs, feature_named


def counted_feature(objective: Objective) -> tuple[Feature, int]:
    """Return the feature that edges and pairs of edges make, and 1 if less of it is better, or -1.

    For turns these are the straight angles. Uncrossed moves no pair makes: to have more of them,
    crossings are made fewer.
    """
    assert isinstance(objective.feature, str)
    name = "crossings" if objective.feature == "uncrossed" else objective.feature
    is_opposite = objective.feature in ("turns", "uncrossed")
    is_less = (objective.sense is Sense.MINIMIZE) != is_opposite
    return feature_named(name), 1 if is_less else -1


class Energy:
    """What edges in use are worth, each by itself and some in pairs; less is better.

    Edges are given by the places of their ends; ``counts`` tells which of them count at all.
    """

    def __init__(self, ends: Ints, counts: Mask, objective: Objective) -> None:
        feature, self._sign = counted_feature(objective)
        numbers = np.flatnonzero(counts)
        self._own = [0] * len(ends)
        for number in numbers[counted_edges(ends[counts], feature)].tolist():
            self._own[number] = self._sign
        self._others: list[list[int]] = [[] for _ in ends]
        for one, other in numbers[counted_pairs(ends[counts], feature)].tolist():
            self._others[one].append(other)
            self._others[other].append(one)
        self._pairs = [0] * len(ends)  # for each edge, how many in use make a pair with it

    def gain(self, edge: int) -> int:
        """Return by how much the energy would change with one edge more."""
        return self._own[edge] + self._sign * self._pairs[edge]

    def add(self, edge: int) -> int:
        """Use an edge, and return by how much the energy changes."""
        for other in self._others[edge]:
            self._pairs[other] += 1
        return self.gain(edge)

    def remove(self, edge: int) -> None:
        """Use an edge no longer."""
        for other in self._others[edge]:
            self._pairs[other] -= 1

    def exchanged(self, old: int, new: int) -> int:
        """Return by how much the energy would change with a new edge in place of an old one."""
        pairs = self._pairs[new] - self._pairs[old] - (new in self._others[old])
        return self._own[new] - self._own[old] + self._sign * pairs


class Ring:
    """A graph whose cycles through all nodes are looked for.

    Edges are rows of two nodes; those that are ``fixed`` are in every cycle.
    """

    def __init__(self, nodes: int, edges: Ints, fixed: list[bool]) -> None:
        self.nodes, self.fixed = nodes, fixed
        self.near: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
        self.numbers: dict[tuple[int, int], int] = {}
        for number, (one, other) in enumerate(edges.tolist()):
            self.numbers[one, other] = self.numbers[other, one] = number
            if not fixed[number]:
                self.near[one].append((other, number))
                self.near[other].append((one, number))

    def opened(self, cycle: list[int]) -> list[int]:
        """Return a cycle as a path, without an edge that is not fixed; empty if there is none."""
        for place in range(self.nodes):
            if not self.fixed[self.numbers[cycle[place - 1], cycle[place]]]:
                return cycle[place:] + cycle[:place]
        return []

    def walk(
        self,
        path: list[int],
        steps: int,
        random: Callable[[], float],
        accept: Callable[[int, int, bool], bool],
        meet: Callable[[list[int], int], None],
    ) -> list[int]:
        """Change a path in so many steps, and return it.

        ``accept`` is asked whether one edge gives way to another; told True, it has to be so.
        ``meet`` is called with each path that an edge closes to a cycle, and with that edge.
        """
        fixed, near, numbers, last = self.fixed, self.near, self.numbers, self.nodes - 1
        for _ in range(steps):
            if random() < 0.5:
                path.reverse()
            if not (around := near[path[-1]]):
                continue
            node, new = around[int(random() * len(around))]
            place = path.index(node)
            if place == last - 1:
                continue
            if place == 0:
                meet(path, new)
                place = int(random() * last)  # somewhere the cycle is opened again
                old = numbers[path[place], path[place + 1]]
                if not fixed[old] and accept(old, new, True):
                    path = path[place + 1 :] + path[: place + 1]
                continue
            old = numbers[node, path[place + 1]]
            if not fixed[old] and accept(old, new, False):
                path[place + 1 :] = path[:place:-1]
        return path


# The first temperature and the last, where a crossing or an angle more costs 1, and the steps at
# each temperature, between two looks at the clock. What is straight already is not melted again.
HOT, WARM, _COLD, _SLICE = 1.5, 0.5, 0.2, 1000

# Steps per node in the first run, and in the longest, of which so many may be in vain.
_FEWEST, _MOST, _IN_VAIN = 500, 32_000, 2

# About how many seconds for each node it takes to patch a straight tour, and to list the pairs of
# edges. Neither can be interrupted everywhere.
_PATCHING, _LISTING = 3e-6, 3e-4


def anneal(
    graph: EdgeGraph,
    tour: Squares,
    objective: Objective,
    clock: Clock,
    seed: int,
    offer: Callable[[Squares], None],
    first: float = HOT,
) -> None:
    """Anneal a tour in ever longer runs, until the longest are in vain; offer each better one.

    Each run begins at the ``first`` temperature. The graph's nodes must not be split,
    and its instance has no constraints but on moves and ends.
    Raises `OutOfTime`.
    """
    clock.check(_LISTING * graph.nodes)
    ring = Ring(graph.nodes, graph.edges, graph.required.tolist())
    counts = np.asarray((graph.edges < graph.depot).all(axis=1))
    energy = Energy(_places(graph)[graph.edges], counts, objective)
    cycle: Ints = np.searchsorted(graph.instance.board.squares, tour)
    if not graph.instance.closed:
        cycle = np.append(cycle, graph.depot)
    best, rng, steps, in_vain = cycle.tolist(), Random(seed), _FEWEST * graph.nodes, 0

    def take(path: list[int]) -> None:
        nonlocal best
        best = [*path]
        offer(graph.tour(np.array(path)))

    while in_vain < _IN_VAIN and (path := ring.opened(best)):
        before = best
        _run(ring, energy, path, steps, clock, rng, take, first)
        if steps < _MOST * graph.nodes:
            steps *= 2
        else:
            in_vain = 0 if best is not before else in_vain + 1


def _run(
    ring: Ring,
    energy: Energy,
    path: list[int],
    steps: int,
    clock: Clock,
    rng: Random,
    offer: Callable[[list[int]], None],
    temperature: float,
) -> None:
    """Change a cycle, opened to a path, in so many steps; offer each better than all before it.

    None of the edges is in use before and after. Raises `OutOfTime`.
    """
    value = sum(energy.add(ring.numbers[pair]) for pair in itertools.pairwise(path))
    best = value + energy.gain(ring.numbers[path[-1], path[0]])
    random, cooling = rng.random, (_COLD / temperature) ** (_SLICE / steps)

    def accept(old: int, new: int, must: bool) -> bool:
        nonlocal value
        change = energy.exchanged(old, new)
        if must or change <= 0 or random() < math.exp(-change / temperature):
            value += change
            energy.remove(old)
            energy.add(new)
            return True
        return False

    def meet(path: list[int], new: int) -> None:
        nonlocal best
        if (closed := value + energy.gain(new)) < best:
            best = closed
            offer(path)

    for _ in range(0, steps, _SLICE):
        clock.check()
        temperature *= cooling
        path = ring.walk(path, _SLICE, random, accept, meet)
    for pair in itertools.pairwise(path):
        energy.remove(ring.numbers[pair])


def straight_tours(graph: EdgeGraph, clock: Clock, seed: int) -> Iterator[Squares]:
    """Yield tours that run straight where they can: one for each slope of a move.

    Away from the border and from holes every move has the same slope; the rest is patched. Raises
    `OutOfTime`.
    """
    board, inside = graph.instance.board, (graph.edges < graph.depot).all(axis=1)
    degrees = np.bincount(graph.edges[inside].ravel(), minlength=graph.nodes)
    is_free = degrees == len(board.piece.jumps)
    is_free[graph.edges[graph.required]] = False
    ends = _places(graph)[graph.edges]
    vectors = ends[:, 1] - ends[:, 0]
    for vector in [jump for jump in board.piece.jumps if jump > (0, 0)]:
        clock.check(_PATCHING * graph.nodes)
        along = (vectors == vector).all(axis=1) | (vectors == np.negative(vector)).all(axis=1)
        required = graph.required | (along & is_free[graph.edges].all(axis=1))
        answer = patched(replace(graph, required=required), clock, seed)
        if answer.squares is not None:
            yield answer.squares


def _places(graph: EdgeGraph) -> Ints:
    """Return the place of each node; the depot has none."""
    board = graph.instance.board
    places = np.stack(np.divmod(board.squares, board.columns), axis=1)
    return np.concatenate([places, np.full((graph.nodes - len(places), 2), -1)])


# Steps of a random walk for each node, and how many of the last tours are looked at.
_WALK, _LAST = 100, 200


def random_walk_tour(instance: Instance, tour: Squares, random: Random) -> Squares:
    """Return another tour that meets the constraints, or the same if a walk met no other.

    Not all tours are equally likely. Given steps and symmetries are kept by chance only.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> random_walk_tour(Instance.of("3x4", start="a3"), tour, Random(2)).tolist()
    [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]
    """
    graph = edge_graph(instance)
    cycle = np.searchsorted(instance.graph.vertices, tour)
    if not instance.closed:
        cycle = np.append(cycle, graph.depot)
    if graph.split:
        cycle = np.stack([cycle + graph.stops, cycle], axis=1).ravel()
    ring = Ring(graph.nodes, graph.edges, graph.required.tolist())
    last: deque[list[int]] = deque(maxlen=_LAST)
    if path := ring.opened(cycle.tolist()):
        ring.walk(
            path,
            _WALK * graph.nodes,
            random.random,
            lambda old, new, must: True,
            lambda path, new: last.append([*path]),
        )
    others = (graph.tour(np.array(each)) for each in reversed(last))
    return next((other for other in others if instance.satisfied_by(other)), tour)
