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
from kt_cp.tour.validator import FEWEST_CLOSED


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

    Edges are given by the places of their ends; ``counts`` tells which of them count at all. `add`
    and `remove` change which are in use, and return by how much the energy changes.
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

    def add(self, edge: int) -> int:
        """Use an edge."""
        for other in self._others[edge]:
            self._pairs[other] += 1
        return self._own[edge] + self._sign * self._pairs[edge]

    def remove(self, edge: int) -> int:
        """Use an edge no longer."""
        for other in self._others[edge]:
            self._pairs[other] -= 1
        return -self._own[edge] - self._sign * self._pairs[edge]

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
        """Change a path in ``steps`` steps, and return it.

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
# each temperature, between two looks at the clock.
_HOT, _COLD, _SLICE = 1.5, 0.2, 1000


def anneal(
    ring: Ring,
    energy: Energy,
    cycle: list[int],
    steps: int,
    clock: Clock,
    rng: Random,
    offer: Callable[[list[int]], None],
) -> None:
    """Change a cycle in ``steps`` steps; offer each that is better than all before it.

    The energy knows the edges of the ring by the same numbers, and none of them is in use before.
    Raises `OutOfTime`.
    """
    path = ring.opened(cycle)
    if not path:
        return
    value = sum(energy.add(ring.numbers[pair]) for pair in itertools.pairwise(path))
    best = value + energy.add(closing := ring.numbers[path[-1], path[0]])
    energy.remove(closing)
    random, temperature = rng.random, _HOT

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
        closed = value + energy.add(new)
        energy.remove(new)
        if closed < best:
            best = closed
            offer(path)

    for _ in range(0, steps, _SLICE):
        clock.check()
        temperature *= (_COLD / _HOT) ** (_SLICE / steps)
        path = ring.walk(path, _SLICE, random, accept, meet)


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


# Steps per node in the first run on a whole board, and in the longest.
_FEWEST, _MOST = 500, 32_000

# How many of the longest runs may end without a better tour.
_IN_VAIN = 2

# The squares of a window, and the steps in it.
_WINDOW, _STEPS = 100, 40_000

# The least and the most rows of a window.
_SIDES = (7, 13)

# How much less a window in vain is worth the next time, and what is worth none.
_FADING, _FAINT = 0.6, 0.05

# About how many seconds it takes for each node to patch a straight tour, and to count the faults of
# one. Neither can be interrupted everywhere.
_PATCHING, _COUNTING = 3e-6, 5e-6


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


class Neighborhoods:
    """A tour, and the tours near it: ``offer`` is called with each better one that is found.

    The graph's nodes must not be split, and its instance has no constraints but on moves and ends.
    """

    def __init__(
        self,
        graph: EdgeGraph,
        tour: Squares,
        objective: Objective,
        clock: Clock,
        seed: int,
        offer: Callable[[Squares], None],
    ) -> None:
        self.graph, self.objective, self.clock, self.offer = graph, objective, clock, offer
        self.rng = Random(seed)
        self.cycle: Ints = np.searchsorted(graph.instance.board.squares, tour)
        if not graph.instance.closed:
            self.cycle = np.append(self.cycle, graph.depot)
        self.places = _places(graph)

    def anneal(self) -> None:
        """Anneal the whole tour, in ever longer runs, until the longest are in vain.

        Raises `OutOfTime`.
        """
        steps, in_vain = _FEWEST * self.graph.nodes, 0
        while in_vain < _IN_VAIN:
            is_better = self._anneal(np.ones(self.graph.nodes, np.bool_), steps)
            if steps < _MOST * self.graph.nodes:
                steps *= 2
            else:
                in_vain = 0 if is_better else in_vain + 1

    def sweep(self) -> None:
        """Anneal windows, most often where the tour is worst, until all are in vain.

        Raises `OutOfTime`.
        """
        worth = self._faults()
        fading = np.ones(len(worth))
        while (chances := worth * fading * (fading > _FAINT)).any():
            self.clock.check()
            sums = np.cumsum(chances)
            center = int(np.searchsorted(sums, self.rng.random() * sums[-1], side="right"))
            window = self._window(center)
            if self._anneal(window, _STEPS):
                worth = self._faults()
                fading[window] = 1
            else:
                fading[window] *= _FADING

    def _window(self, center: int) -> Mask:
        """Return which nodes are in a window about a node; the depot is in any."""
        height = self.rng.randint(*_SIDES)
        size = np.array([height, _WINDOW // height])
        first = self.places[center] - [self.rng.randrange(each) for each in size.tolist()]
        first = np.minimum(np.maximum(first, 0), self.places.max(axis=0) + 1 - size)
        inside = ((self.places >= first) & (self.places < first + size)).all(axis=1)
        inside[self.graph.depot :] = True
        return np.asarray(inside)

    def _faults(self) -> Ints:
        """Return for each node how much of what is not wanted the tour has there.

        Raises `OutOfTime`.
        """
        self.clock.check(_COUNTING * self.graph.nodes)
        edges = np.stack([self.cycle, np.roll(self.cycle, -1)], axis=1)
        edges = edges[(edges < self.graph.depot).all(axis=1)]
        feature, sign = counted_feature(self.objective)
        pairs, alone = (
            count(self.places[edges], feature) for count in (counted_pairs, counted_edges)
        )
        touched = np.concatenate([edges[pairs].ravel(), edges[alone].ravel()])
        counts = np.bincount(touched, minlength=self.graph.depot)
        faults = np.zeros(self.graph.nodes, np.int64)
        faults[: self.graph.depot] = counts if sign > 0 else counts.max() - counts
        return faults

    def _anneal(self, inside: Mask, steps: int) -> bool:
        """Anneal the part of the tour between some nodes, and return whether it got better."""
        cycle, joins = self._cut(inside)
        if joins.sum() < FEWEST_CLOSED:
            return False
        stretches = np.split(cycle, np.flatnonzero(joins)[:-1] + 1)
        by_end = {int(end): each for each in stretches for end in (each[0], each[-1])}
        path = [int(end) for each in stretches for end in dict.fromkeys((each[0], each[-1]))]
        nodes = np.sort(path)
        ends = [(each[0], each[-1]) for each in stretches if len(each) > 1]
        links = np.sort(np.array(ends, dtype=np.int64).reshape(-1, 2), axis=1)
        ring, energy = self._ring(nodes, links, cycle, joins)
        before = self.cycle

        def take(order: list[int]) -> None:
            self.cycle = _followed(nodes[order].tolist(), by_end)
            self.offer(self.graph.tour(self.cycle))

        inner = np.searchsorted(nodes, path).tolist()
        anneal(ring, energy, inner, steps, self.clock, self.rng, take)
        return self.cycle is not before

    def _cut(self, inside: Mask) -> tuple[Ints, Mask]:
        """Return the cycle from one stretch that is kept to the last, and where each ends."""
        following = np.roll(self.cycle, -1)
        joins = inside[self.cycle] & inside[following]
        if self.graph.required.any():
            keys = self.graph.edges[self.graph.required] @ [self.graph.nodes, 1]
            low, high = np.minimum(self.cycle, following), np.maximum(self.cycle, following)
            joins &= ~np.isin(low * self.graph.nodes + high, keys)
        shift = -int(joins.argmax()) - 1
        return np.roll(self.cycle, shift), np.roll(joins, shift)

    def _ring(self, nodes: Ints, links: Ints, cycle: Ints, joins: Mask) -> tuple[Ring, Energy]:
        """Return the edges between the ends of stretches, and what these and those near are worth.

        ``links`` are the ends of stretches, as rows, which are joined in every cycle.
        """
        graph = self.graph
        is_end = np.zeros(graph.nodes, np.bool_)
        is_end[nodes] = True
        free = graph.edges[is_end[graph.edges].all(axis=1) & ~graph.required]
        free = free[~np.isin(free @ [graph.nodes, 1], links @ [graph.nodes, 1])]
        reach = 3 * np.abs(graph.instance.board.piece.jumps).max()
        squares = self.places[nodes[nodes < graph.depot]]
        low, high = squares.min(axis=0) - reach, squares.max(axis=0) + reach
        near = ((self.places >= low) & (self.places <= high)).all(axis=1)
        kept = np.stack([cycle, np.roll(cycle, -1)], axis=1)[~joins]
        kept = kept[near[kept].any(axis=1)]
        edges = np.concatenate([free, links, kept])
        fixed = np.repeat([False, True, False], [len(free), len(links), len(kept)])
        energy = Energy(
            self.places[edges], (edges < graph.depot).all(axis=1) & ~fixed, self.objective
        )
        inner = len(free) + len(links)
        for number in range(inner, len(edges)):
            energy.add(number)
        return Ring(
            len(nodes), np.searchsorted(nodes, edges[:inner]), fixed[:inner].tolist()
        ), energy


def _places(graph: EdgeGraph) -> Ints:
    """Return the place of each node; the depot has none."""
    board = graph.instance.board
    places = np.stack(np.divmod(board.squares, board.columns), axis=1)
    return np.concatenate([places, np.full((graph.nodes - len(places), 2), -1)])


def _followed(path: list[int], by_end: dict[int, Ints]) -> Ints:
    """Return the cycle through stretches whose ends are passed in this order."""
    if len(by_end[path[0]]) > 1 and by_end[path[0]] is by_end[path[-1]]:
        path = path[1:] + path[:1]
    parts, place = [], 0
    while place < len(path):
        stretch = by_end[path[place]]
        parts.append(stretch if stretch[0] == path[place] else stretch[::-1])
        place += 1 + (len(stretch) > 1)
    return np.concatenate(parts)
