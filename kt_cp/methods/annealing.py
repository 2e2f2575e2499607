"""Simulated annealing: improve a tour by random exchanges of single edges.

An exchange that makes the tour worse is accepted with a probability that falls as the temperature
does (S. Kirkpatrick, C. Gelatt, M. Vecchi, Optimization by simulated annealing, 1983). The
exchanges are the rotations of `kt_cp.methods.rotations`. Large boards are annealed in windows: the
part of the tour in a window changes, and all else stays.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import numpy as np

from kt_cp.arrays import Floats, Ints, Mask, Squares, coordinates, cycle_arcs, edges_among
from kt_cp.methods.contraction import ContractedCycle
from kt_cp.methods.patch import patch_graph
from kt_cp.methods.rotations import ROTATIONS_PER_PAUSE, RotationGraph, RotationRule
from kt_cp.problem.task import ARC, Clock, Objective, Sense
from kt_cp.sat.edges import EdgeGraph
from kt_cp.tour.features import Feature, feature_named
from kt_cp.tour.validator import FEWEST_CLOSED

# The first temperature and the last, in units of the energy: a crossing, or an angle.
_HOT, _COLD = 1.5, 0.2

WINDOW = 100
"""The squares of a window."""

# The fewest rows of a window, and the most.
_FEWEST_ROWS, _MOST_ROWS = 7, 13

# The first number of rotations of a window. After each attempt that improves nothing the number is
# doubled, and the window is chosen half as often. At the second number it is not chosen again.
_FIRST_ROTATIONS, _MAX_ROTATIONS = 40_000, 2_500_000


class CountedFeature(NamedTuple):
    """A feature that annealing counts; ``sign`` is 1 if less of it is better, otherwise -1."""

    feature: Feature
    sign: int


def counted_feature(objective: Objective) -> CountedFeature:
    """Return the feature that annealing counts for an objective.

    A feature that has an opposite is replaced by the opposite: turns by straight angles, and
    uncrossed moves, which cannot be counted by pairs of moves, by crossings.
    """
    assert isinstance(objective.feature, str)
    feature = feature_named(objective.feature)
    is_less_better = objective.sense is Sense.MINIMIZE
    if feature.opposite is not None:
        feature, is_less_better = feature_named(feature.opposite), not is_less_better
    return CountedFeature(feature, sign=1 if is_less_better else -1)


class Energy:
    """The energy of a set of edges: what annealing makes small.

    An edge counts by itself or together with others, as the feature of the objective says. An edge
    is the index of its row in ``ends``, which holds the rows and columns of both ends;
    ``is_counted`` is True for the edges that can count. ``value`` is the energy of the present set,
    which is empty at first. ``cost[edge]`` is the energy with an edge minus the energy without it,
    given the other edges of the set.
    """

    def __init__(self, ends: Ints, is_counted: Mask, objective: Objective) -> None:
        feature, self._sign = counted_feature(objective)
        counted = np.flatnonzero(is_counted)
        self.value = 0
        self.cost = [0] * len(ends)
        for edge in counted[feature.counted_edges(ends[is_counted])].tolist():
            self.cost[edge] = self._sign
        self._partners: list[list[int]] = [[] for _ in ends]
        for first, second in counted[feature.counted_pairs(ends[is_counted])].tolist():
            self._partners[first].append(second)
            self._partners[second].append(first)

    def add(self, edge: int) -> None:
        """Add an edge."""
        self.value += self.cost[edge]
        for partner in self._partners[edge]:
            self.cost[partner] += self._sign

    def remove(self, edge: int) -> None:
        """Remove an edge."""
        self.value -= self.cost[edge]
        for partner in self._partners[edge]:
            self.cost[partner] -= self._sign

    def with_edge(self, edge: int) -> int:
        """Return the value that the energy would have with one more edge."""
        return self.value + self.cost[edge]

    def change(self, old: int, new: int) -> int:
        """Return by how much the energy would rise if a new edge replaced an old one."""
        change = self.cost[new] - self.cost[old]
        if new in self._partners[old]:
            change -= self._sign
        return change


def straight_tours(graph: EdgeGraph, clock: Clock, seed: int) -> Iterator[Squares]:
    """Yield tours that run straight where they can: one for each slope of a move.

    Away from the border and from holes every move has the same slope; the rest is patched. Raises
    `OutOfTimeError`.
    """
    jumps = graph.instance.board.piece.jumps
    is_move = (graph.edges < graph.depot).all(axis=1)
    degrees = np.bincount(graph.edges[is_move].ravel(), minlength=graph.nodes)
    has_all_moves = degrees == len(jumps)
    has_all_moves[graph.edges[graph.required]] = False  # required edges may not run along the slope
    is_free = has_all_moves[graph.edges].all(axis=1)
    ends = _places(graph)[graph.edges]
    vectors = ends[:, 1] - ends[:, 0]
    for jump in jumps:
        if jump < (0, 0):  # the same slope as the jump back
            continue
        clock.check(ARC * graph.nodes)
        is_along = (vectors == jump).all(axis=1) | (vectors == np.negative(jump)).all(axis=1)
        required = graph.required | (is_along & is_free)
        answer = patch_graph(replace(graph, required=required), clock, seed)
        if answer.squares is not None:
            yield answer.squares


class Annealer:
    """Improves a tour: ``offer`` is called with each better one.

    The graph must not be split, and its instance has no constraints but on moves and ends.
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
        self.random = Random(seed)
        self.places = _places(graph)
        self.cycle: Ints = graph.form.cycle(tour)

    def anneal(self) -> None:
        """Anneal windows, most often where the tour is worst, until none improves.

        On a small board the window is all of it. Raises `OutOfTimeError`.
        """
        rotations_around = np.full(self.graph.nodes, _FIRST_ROTATIONS)
        badness = self._badness()
        while True:
            chances = np.where(rotations_around < _MAX_ROTATIONS, badness / rotations_around, 0)
            if not chances.any():
                return
            center = self._random_node(chances)
            window = self._window(center)
            if self._anneal_window(window, int(rotations_around[center])):
                badness = self._badness()
                rotations_around[window] = _FIRST_ROTATIONS
            else:
                rotations_around[window] *= 2

    def _random_node(self, chances: Floats) -> int:
        """Return a random node, each with a probability in proportion to its chance."""
        sums = np.cumsum(chances)
        return int(np.searchsorted(sums, self.random.random() * sums[-1], side="right"))

    def _window(self, center: int) -> Mask:
        """Return which nodes are in a random window around a node; the depot is in every window."""
        if self.graph.squares <= WINDOW:
            return np.ones(self.graph.nodes, np.bool_)
        rows = self.random.randint(_FEWEST_ROWS, _MOST_ROWS)
        sides = np.array([rows, WINDOW // rows])
        corner = self.places[center] - [self.random.randrange(side) for side in sides.tolist()]
        corner = np.minimum(np.maximum(corner, 0), self.places.max(axis=0) + 1 - sides)
        inside = ((self.places >= corner) & (self.places < corner + sides)).all(axis=1)
        inside[self.graph.depot :] = True
        return np.asarray(inside)

    def _badness(self) -> Ints:
        """Return for each node its part in the energy of the tour, or 1 for all if none has a part.

        Raises `OutOfTimeError`.
        """
        self.clock.check(ARC * self.graph.nodes)
        edges = cycle_arcs(self.cycle)
        edges = edges[(edges < self.graph.depot).all(axis=1)]
        feature, sign = counted_feature(self.objective)
        ends = self.places[edges]
        counted = np.append(edges[feature.counted_pairs(ends)], edges[feature.counted_edges(ends)])
        badness = np.bincount(counted, minlength=self.graph.nodes)
        if sign < 0:  # more is better, so a node is bad where little is counted
            badness = badness.max() - badness
        return badness if badness.any() else np.ones_like(badness)

    def _anneal_window(self, inside: Mask, rotations: int) -> bool:
        """Anneal the part of the tour between the nodes inside; return whether it got better."""
        if np.count_nonzero(inside) < FEWEST_CLOSED:
            return False
        window = _Window(self, inside)
        is_better = False
        for cycle in window.improvements(rotations):
            self.cycle, is_better = cycle, True
            self.offer(self.graph.tour(cycle))
        return is_better


@dataclass(frozen=True, eq=False)
class _WindowEdges:
    """The edges that matter to a window, as rows of two nodes.

    The window's graph and its energy number them in the order of the fields: ``within``, those
    between nodes of the window, of which some are required (``is_required``); the ``links``, each
    of which stands for a part of the tour outside; and ``nearby``, edges of the tour outside, which
    stay in use.
    """

    within: Ints
    is_required: Mask
    links: Ints
    nearby: Ints


class _Window:
    """The part of a tour between the nodes inside a region, which is annealed.

    The tour is contracted to these nodes. The window has a graph and an `Energy` of its own, whose
    edges are those between nodes inside and the links of the contracted cycle.
    """

    def __init__(self, annealer: Annealer, is_inside: Mask) -> None:
        self.annealer, self.is_inside = annealer, is_inside
        self.contracted = ContractedCycle(annealer.cycle, is_inside)

    def improvements(self, rotations: int) -> Iterator[Ints]:
        """Try rotations of the window, and yield each cycle that is better than all before."""
        edges = self._edges()
        graph, energy = self._rotation_graph(edges), self._energy(edges)
        annealer = self.annealer
        path = graph.open_cycle([*range(len(self.contracted))])
        for edge in itertools.pairwise(path):
            energy.add(graph.index[edge])
        best = energy.with_edge(graph.index[path[-1], path[0]])
        rule = _MetropolisRule(energy, rotations, annealer.random, annealer.clock)
        for found in graph.rotate(path, rotations, annealer.random.random, rule):
            value = energy.with_edge(found.closing_edge)
            if value < best:
                best = value
                yield self.contracted.expand(found.path)

    def _edges(self) -> _WindowEdges:
        """Return the edges that matter to the window."""
        graph = self.annealer.graph
        links = np.sort(self.contracted.inside[self.contracted.links], axis=1)
        is_link = edges_among(graph.edges, links, graph.nodes)
        is_within = self.is_inside[graph.edges].all(axis=1) & ~is_link
        return _WindowEdges(
            within=graph.edges[is_within],
            is_required=graph.required[is_within],
            links=links,
            nearby=self._edges_nearby(),
        )

    def _rotation_graph(self, edges: _WindowEdges) -> RotationGraph:
        """Return the window's graph, whose nodes have their numbers in the contracted cycle."""
        inside = self.contracted.inside
        number = np.empty(self.annealer.graph.nodes, dtype=np.int64)
        number[inside] = np.arange(len(inside))
        is_fixed = np.append(edges.is_required, np.ones(len(edges.links), np.bool_))
        rows = number[np.concatenate([edges.within, edges.links])]
        return RotationGraph(len(inside), rows, is_fixed.tolist())

    def _energy(self, edges: _WindowEdges) -> Energy:
        """Return the energy of the edges; links and edges at the depot do not count."""
        rows = np.concatenate([edges.within, edges.links, edges.nearby])
        first_link, first_nearby = len(edges.within), len(edges.within) + len(edges.links)
        is_counted: Mask = np.asarray((rows < self.annealer.graph.depot).all(axis=1))
        is_counted[first_link:first_nearby] = False
        energy = Energy(self.annealer.places[rows], is_counted, self.annealer.objective)
        for edge in range(first_nearby, len(rows)):
            energy.add(edge)
        return energy

    def _edges_nearby(self) -> Ints:
        """Return the tour's edges outside that may count together with edges of the window.

        Two edges that count together share a square or cross, so both are within a few jumps.
        """
        graph, places = self.annealer.graph, self.annealer.places
        reach = 3 * np.abs(graph.instance.board.piece.jumps).max()
        inside = self.contracted.inside
        squares = places[inside[inside < graph.depot]]
        low, high = squares.min(axis=0) - reach, squares.max(axis=0) + reach
        is_near = ((places >= low) & (places <= high)).all(axis=1)
        edges = cycle_arcs(self.contracted.cycle)
        return np.asarray(edges[is_near[edges].any(axis=1) & ~self.is_inside[edges].all(axis=1)])


class _MetropolisRule(RotationRule):
    """Accepts every rotation that does not make the tour worse, others with a falling probability.

    N. Metropolis et al., "Equation of state calculations by fast computing machines" (1953).
    """

    def __init__(self, energy: Energy, rotations: int, random: Random, clock: Clock) -> None:
        self.energy, self.uniform, self.clock = energy, random.random, clock
        self.cooling = (_COLD / _HOT) ** (ROTATIONS_PER_PAUSE / rotations)
        """The factor by which the temperature falls at each pause, to be cold in the end."""
        self.temperature = _HOT

    def accepts(self, old: int, new: int) -> bool:
        """Return whether to replace an edge by another one."""
        change = self.energy.change(old, new)
        return change <= 0 or self.uniform() < math.exp(-change / self.temperature)

    def record(self, old: int, new: int) -> None:
        """Replace an edge by another one in the energy."""
        self.energy.remove(old)
        self.energy.add(new)

    def pause(self) -> None:
        """Lower the temperature. Raises `OutOfTimeError`."""
        self.clock.check()
        self.temperature *= self.cooling


def _places(graph: EdgeGraph) -> Ints:
    """Return row and column of each node, as rows; those of the depot are -1."""
    board = graph.instance.board
    places = coordinates(board.squares, board.columns)
    return np.concatenate([places, np.full((graph.nodes - len(places), 2), -1)])
