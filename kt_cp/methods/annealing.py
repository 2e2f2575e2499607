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
from dataclasses import InitVar, dataclass, replace
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares
from kt_cp.methods.patch import patched
from kt_cp.problem.clock import Clock
from kt_cp.problem.constraints import Objective, Sense
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import EdgeGraph, edge_graph
from kt_cp.tour.feature_table import Feature, feature_named
from kt_cp.tour.validator import FEWEST_CLOSED


def counted_feature(objective: Objective) -> tuple[Feature, int]:
    """Return the feature that annealing counts, and 1 if less of it is better, or -1.

    A feature that has an opposite is improved by way of it: turns by the straight angles, and
    uncrossed moves, which do not follow from pairs of moves, by the crossings.
    """
    assert isinstance(objective.feature, str)
    feature = feature_named(objective.feature)
    is_less_better = objective.sense is Sense.MINIMIZE
    if feature.opposite is not None:
        feature, is_less_better = feature_named(feature.opposite), not is_less_better
    return feature, 1 if is_less_better else -1


class Energy:
    """What edges in use are worth, each by itself and some in pairs; less is better.

    Edges are given by the places of their ends; ``counts`` tells which of them count at all.
    ``worth`` holds for each edge by how much it changes the energy, with the others in use.
    """

    def __init__(self, ends: Ints, counts: Mask, objective: Objective) -> None:
        feature, self._sign = counted_feature(objective)
        numbers = np.flatnonzero(counts)
        self.worth = [0] * len(ends)
        for number in numbers[feature.counted_edges(ends[counts])].tolist():
            self.worth[number] = self._sign
        self._others: list[list[int]] = [[] for _ in ends]
        for one, other in numbers[feature.counted_pairs(ends[counts])].tolist():
            self._others[one].append(other)
            self._others[other].append(one)

    def add(self, edge: int) -> int:
        """Use an edge, and return by how much the energy changes."""
        for other in self._others[edge]:
            self.worth[other] += self._sign
        return self.worth[edge]

    def remove(self, edge: int) -> None:
        """Use an edge no longer."""
        for other in self._others[edge]:
            self.worth[other] -= self._sign

    def exchanged(self, old: int, new: int) -> int:
        """Return by how much the energy would change with a new edge in place of an old one."""
        return self.worth[new] - self.worth[old] - self._sign * (new in self._others[old])


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
        """Return a cycle as a path, without an edge that is not fixed, if there is any."""
        pairs = zip([cycle[-1], *cycle], cycle, strict=False)
        place = next((i for i, pair in enumerate(pairs) if not self.fixed[self.numbers[pair]]), 0)
        return cycle[place:] + cycle[:place]

    def walk(
        self,
        path: list[int],
        steps: int,
        random: Callable[[], float],
        accept: Callable[[int, int, bool], bool],
    ) -> Iterator[tuple[list[int], int | None]]:
        """Change a path in ``steps`` steps; yield each path that an edge closes, and that edge.

        ``accept`` is asked whether one edge gives way to another; told True, it has to be so. Now
        and then a path is yielded with None, whether there is such an edge or not.
        """
        fixed, near, numbers, last = self.fixed, self.near, self.numbers, self.nodes - 1
        for step in range(steps):
            if step % _SLICE == 0:
                yield path, None
            if random() < 0.5:
                path.reverse()
            if not (around := near[path[-1]]):
                continue
            node, new = around[int(random() * len(around))]
            place = path.index(node)
            if place == last - 1:
                continue
            if is_closed := place == 0:
                yield path, new
                place = int(random() * last)  # somewhere the cycle is opened again
            old = numbers[path[place], path[place + 1]]
            if fixed[old] or not accept(old, new, is_closed):
                continue
            if is_closed:
                path = path[place + 1 :] + path[: place + 1]
            else:
                path[place + 1 :] = path[:place:-1]


# Steps of a random walk for each node, and how many of the last tours are looked at.
_WALK, _LAST = 100, 200


def random_walk_tour(
    instance: Instance, tour: Squares, random: Random, clock: Clock | None = None
) -> Squares:
    """Return another tour that meets the constraints, or the same if a walk met no other.

    Not all tours are equally likely. Given steps and symmetries are kept by chance only. The walk
    ends early when the clock's limit is reached.

    >>> tour = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
    >>> random_walk_tour(Instance.of("3x4", start="a3"), tour, Random(2)).tolist()
    [0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]
    """
    graph = edge_graph(instance)
    cycle = graph.form.cycle(tour)
    ring = Ring(graph.nodes, graph.edges, graph.required.tolist())
    walk = ring.walk(
        ring.opened(cycle.tolist()), _WALK * graph.nodes, random.random, lambda *_: True
    )
    cycles = deque[list[int]](maxlen=_LAST)
    for path, closing_edge in walk:
        if closing_edge is not None:
            cycles.append([*path])
        elif clock is not None and not clock.remaining:
            break
    others = (graph.tour(np.array(cycle)) for cycle in reversed(cycles))
    return next((other for other in others if instance.satisfied_by(other)), tour)


# The first temperature and the last, where a crossing or an angle more costs 1, and the steps at
# each temperature, between two looks at the clock.
_HOT, _COLD, _SLICE = 1.5, 0.2, 1000

# Squares of a window, and the least and the most of its rows.
WINDOW, _SIDES = 100, (7, 13)

# Steps in a window at first. Each time that they are in vain they are doubled, and the window is
# chosen half as often; after as many steps as the second number it is left alone.
_STEPS, _MOST = 40_000, 2_500_000

# About how many seconds it takes for each node to patch a straight tour, or to count the faults of
# a tour. Neither can be interrupted everywhere.
_SECONDS = 5e-6


def straight_tours(graph: EdgeGraph, clock: Clock, seed: int) -> Iterator[Squares]:
    """Yield tours that run straight where they can: one for each slope of a move.

    Away from the border and from holes every move has the same slope; the rest is patched. Raises
    `OutOfTime`.
    """
    jumps, inside = graph.instance.board.piece.jumps, (graph.edges < graph.depot).all(axis=1)
    is_free = np.bincount(graph.edges[inside].ravel(), minlength=graph.nodes) == len(jumps)
    is_free[graph.edges[graph.required]] = False
    ends = _places(graph)[graph.edges]
    vectors = ends[:, 1] - ends[:, 0]
    for vector in [jump for jump in jumps if jump > (0, 0)]:
        clock.check(_SECONDS * graph.nodes)
        along = (vectors == vector).all(axis=1) | (vectors == np.negative(vector)).all(axis=1)
        required = graph.required | (along & is_free[graph.edges].all(axis=1))
        answer = patched(replace(graph, required=required), clock, seed)
        if answer.squares is not None:
            yield answer.squares


@dataclass
class Neighborhoods:
    """A tour, and the tours near it: ``offer`` is called with each better one that is found.

    The graph's nodes must not be split, and its instance has no constraints but on moves and ends.
    """

    graph: EdgeGraph
    tour: InitVar[Squares]
    objective: Objective
    clock: Clock
    seed: InitVar[int]
    offer: Callable[[Squares], None]

    def __post_init__(self, tour: Squares, seed: int) -> None:
        self.rng, self.places = Random(seed), _places(self.graph)
        self.cycle: Ints = self.graph.form.cycle(tour)

    def anneal(self) -> None:
        """Anneal windows, most often where the tour is worst, until all are in vain.

        On a small board the window is all of it. Raises `OutOfTime`.
        """
        steps = np.full(self.graph.nodes, _STEPS)
        worth = self._faults()
        while (chances := (steps < _MOST) * worth / steps).any():
            sums = np.cumsum(chances)
            center = int(np.searchsorted(sums, self.rng.random() * sums[-1], side="right"))
            window = self._window(center)
            if self._anneal(window, int(steps[center])):
                worth = self._faults()
                steps[window] = _STEPS
            else:
                steps[window] *= 2

    def _window(self, center: int) -> Mask:
        """Return which nodes are in a window about a node; the depot is in any."""
        if self.graph.depot <= WINDOW:
            return np.ones(self.graph.nodes, np.bool_)
        height = self.rng.randint(*_SIDES)
        size = np.array([height, WINDOW // height])
        first = self.places[center] - [self.rng.randrange(each) for each in size.tolist()]
        first = np.minimum(np.maximum(first, 0), self.places.max(axis=0) + 1 - size)
        inside = ((self.places >= first) & (self.places < first + size)).all(axis=1)
        inside[self.graph.depot :] = True
        return np.asarray(inside)

    def _faults(self) -> Ints:
        """Return for each node how much of what is not wanted the tour has there.

        Raises `OutOfTime`.
        """
        self.clock.check(_SECONDS * self.graph.nodes)
        edges = np.stack([self.cycle, np.roll(self.cycle, -1)], axis=1)
        edges = edges[(edges < self.graph.depot).all(axis=1)]
        feature, sign = counted_feature(self.objective)
        ends = self.places[edges]
        counted = np.append(edges[feature.counted_pairs(ends)], edges[feature.counted_edges(ends)])
        faults = np.bincount(counted, minlength=self.graph.nodes)
        faults = faults if sign > 0 else faults.max() - faults
        return faults if faults.any() else np.ones_like(faults)

    def _anneal(self, inside: Mask, steps: int) -> bool:
        """Anneal the part of the tour between some nodes, and return whether it got better.

        What the tour does outside is a run, which begins at a node inside; it becomes an edge from
        there to the next node inside.
        """
        cycle = np.roll(self.cycle, -int(inside[self.cycle].argmax()))
        runs = np.split(cycle, np.flatnonzero(inside[cycle])[1:])
        if len(runs) < FEWEST_CLOSED:
            return False
        ring, energy = self._ring(cycle, runs)
        path = ring.opened([*range(len(runs))])
        value = sum(energy.add(ring.numbers[pair]) for pair in itertools.pairwise(path))
        first = best = value + energy.worth[ring.numbers[path[-1], path[0]]]
        random, temperature = self.rng.random, _HOT

        def accept(old: int, new: int, must: bool) -> bool:
            nonlocal value
            change = energy.exchanged(old, new)
            if must or change <= 0 or random() < math.exp(-change / temperature):
                value += change
                energy.remove(old)
                energy.add(new)
                return True
            return False

        for order, closing in ring.walk(path, steps, random, accept):
            if closing is None:
                self.clock.check()
                temperature *= (_COLD / _HOT) ** (_SLICE / steps)
            elif value + energy.worth[closing] < best:
                best = value + energy.worth[closing]
                self.cycle = _along(runs, order)
                self.offer(self.graph.tour(self.cycle))
        return best < first

    def _ring(self, cycle: Ints, runs: list[Ints]) -> tuple[Ring, Energy]:
        """Return the graph of the nodes at which runs begin, and what its edges are worth."""
        graph, nodes = self.graph, np.array([run[0] for run in runs])
        number = np.full(graph.nodes, -1)
        number[nodes] = np.arange(len(nodes))
        is_inside = number >= 0
        is_long = np.array([len(run) > 1 for run in runs])
        links = np.sort(np.stack([nodes, np.roll(nodes, -1)], axis=1)[is_long], axis=1)
        within = is_inside[graph.edges].all(axis=1)
        within &= ~np.isin(graph.edges @ [graph.nodes, 1], links @ [graph.nodes, 1])
        # The edges of runs near these nodes are in use, and count with those that change.
        reach = 3 * np.abs(graph.instance.board.piece.jumps).max()
        squares = self.places[nodes[nodes < graph.depot]]
        low, high = squares.min(axis=0) - reach, squares.max(axis=0) + reach
        near = ((self.places >= low) & (self.places <= high)).all(axis=1)
        outer = np.stack([cycle, np.roll(cycle, -1)], axis=1)
        outer = outer[near[outer].any(axis=1) & ~is_inside[outer].all(axis=1)]
        edges = np.concatenate([graph.edges[within], links, outer])
        is_link = np.repeat([False, True, False], [within.sum(), len(links), len(outer)])
        counts = (edges < graph.depot).all(axis=1) & ~is_link
        energy = Energy(self.places[edges], counts, self.objective)
        inner = len(edges) - len(outer)
        for outside in range(inner, len(edges)):
            energy.add(outside)
        fixed = np.append(graph.required[within], np.ones(len(links), np.bool_))
        return Ring(len(nodes), number[edges[:inner]], fixed.tolist()), energy


def _along(runs: list[Ints], order: list[int]) -> Ints:
    """Return the cycle through runs whose first nodes are passed in this order.

    A run lies between its first node and that of the next run, and goes either way.
    """
    parts = []
    for one, other in itertools.pairwise([*order, order[0]]):
        parts.append(runs[one][:1])
        if other == (one + 1) % len(runs):
            parts.append(runs[one][1:])
        elif one == (other + 1) % len(runs):
            parts.append(runs[other][:0:-1])
    return np.concatenate(parts)


def _places(graph: EdgeGraph) -> Ints:
    """Return the place of each node; the depot has none."""
    board = graph.instance.board
    places = np.stack(np.divmod(board.squares, board.columns), axis=1)
    return np.concatenate([places, np.full((graph.nodes - len(places), 2), -1)])
