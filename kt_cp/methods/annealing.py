"""Simulated annealing: improve a tour by random exchanges of single edges.

An exchange that makes the tour worse is accepted with a probability that falls as the temperature
does (S. Kirkpatrick, C. Gelatt, M. Vecchi, Optimization by simulated annealing, 1983). The
exchanges are the rotations of `kt_cp.methods.rotations`. Large boards are annealed in windows: the
part of the tour in a window changes, and all else stays.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Mask, Squares, coordinates, cycle_arcs, edges_among
from kt_cp.methods.patch import patch_graph
from kt_cp.methods.rotations import ContractedCycle, RotationGraph
from kt_cp.problem.task import SECONDS_PER_ARC, Clock, Objective, Sense
from kt_cp.sat.edges import EdgeGraph
from kt_cp.tour.features import Feature, feature_named
from kt_cp.tour.validator import FEWEST_CLOSED

# The first temperature and the last, in units of the energy: a crossing, or an angle.
_HOT, _COLD = 1.5, 0.2

WINDOW_SQUARES = 100
"""The squares of a window."""

# The fewest rows of a window, and the most.
_FEWEST_ROWS, _MOST_ROWS = 7, 13

# The first number of rotations of a window. After each attempt that improves nothing the number is
# doubled, and the window is chosen half as often. At the second number it is not chosen again.
_FIRST_ROTATIONS = 40_000
_MAX_ROTATIONS = 2_500_000


def counted_feature(objective: Objective) -> tuple[Feature, int]:
    """Return the feature that annealing counts for an objective, and 1 if less of it is better.

    If more of it is better, the number is -1. A feature that has an opposite is replaced by the
    opposite: turns by straight angles, and uncrossed moves, which cannot be counted by pairs of
    moves, by crossings.
    """
    assert isinstance(objective.feature, str)
    feature = feature_named(objective.feature)
    is_less_better = objective.sense is Sense.MINIMIZE
    if feature.opposite is not None:
        feature = feature_named(feature.opposite)
        is_less_better = not is_less_better
    return feature, 1 if is_less_better else -1


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
        for first, second in counted[feature.determining_pairs(ends[is_counted])].tolist():
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

    def replace(self, old: int, new: int) -> None:
        """Replace an edge by another one."""
        self.remove(old)
        self.add(new)

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
    degrees = np.bincount(graph.edges[is_move].ravel(), minlength=graph.node_count)
    has_all_moves = degrees == len(jumps)
    has_all_moves[graph.edges[graph.required]] = False  # required edges may not run along the slope
    is_free = has_all_moves[graph.edges].all(axis=1)
    ends = _places(graph)[graph.edges]
    vectors = ends[:, 1] - ends[:, 0]
    for jump in jumps:
        if jump < (0, 0):  # the same slope as the jump back
            continue
        clock.check(SECONDS_PER_ARC * graph.node_count)
        is_along = (vectors == jump).all(axis=1) | (vectors == np.negative(jump)).all(axis=1)
        required = graph.required | (is_along & is_free)
        answer = patch_graph(replace(graph, required=required), clock, seed)
        if answer.squares is not None:
            yield answer.squares


class Annealer:
    """Improves a tour.

    The graph must not be split, and its instance has no constraints but on moves and ends.
    """

    def __init__(
        self, graph: EdgeGraph, tour: Squares, objective: Objective, clock: Clock, seed: int
    ) -> None:
        self.graph = graph
        self.objective = objective
        self.clock = clock
        self.random = Random(seed)
        self.places = _places(graph)
        self.cycle: Ints = graph.form.cycle(tour)

    def anneal(self) -> Iterator[Squares]:
        """Yield tours, each better than the last, until no window improves.

        On a small board the window is all of it. Raises `OutOfTimeError`.
        """
        rotations_around = np.full(self.graph.node_count, _FIRST_ROTATIONS)
        while (rotations_around < _MAX_ROTATIONS).any():
            chances = np.where(rotations_around < _MAX_ROTATIONS, 1 / rotations_around, 0)
            [center] = self.random.choices(range(self.graph.node_count), chances.tolist())
            window = self._window(center)
            before = self.cycle
            yield from self._anneal_window(window, int(rotations_around[center]))
            is_better = self.cycle is not before
            rotations_around[window] = (
                _FIRST_ROTATIONS if is_better else 2 * rotations_around[window]
            )

    def _window(self, center: int) -> Mask:
        """Return which nodes are in a random window around a node; the depot is in every window."""
        if self.graph.square_count <= WINDOW_SQUARES:
            return np.ones(self.graph.node_count, np.bool_)
        rows = self.random.randint(_FEWEST_ROWS, _MOST_ROWS)
        sides = np.array([rows, WINDOW_SQUARES // rows])
        corner = self.places[center] - [self.random.randrange(side) for side in sides.tolist()]
        corner = np.minimum(np.maximum(corner, 0), self.places.max(axis=0) + 1 - sides)
        inside = ((self.places >= corner) & (self.places < corner + sides)).all(axis=1)
        inside[self.graph.depot :] = True
        return np.asarray(inside)

    def _anneal_window(self, inside: Mask, rotations: int) -> Iterator[Squares]:
        """Anneal the part of the tour between the nodes inside, and yield better tours.

        The tour is contracted to these nodes: the window's edges are those between nodes inside and
        the links, each of which stands for a part of the tour outside.
        """
        if np.count_nonzero(inside) < FEWEST_CLOSED:
            return
        graph = self.graph
        contracted = ContractedCycle(self.cycle, inside)
        links = np.sort(contracted.inside[contracted.links], axis=1)
        is_within = inside[graph.edges].all(axis=1)
        is_within &= ~edges_among(graph.edges, links, graph.node_count)
        edges = np.concatenate([graph.edges[is_within], links])
        is_link = np.arange(len(edges)) >= len(edges) - len(links)
        is_fixed = is_link.copy()
        is_fixed[~is_link] = graph.required[is_within]
        window = RotationGraph(len(contracted), contracted.within(edges), is_fixed.tolist())
        energy = self._energy_of_window(inside, edges, is_link)
        path = window.open_cycle([*range(len(contracted))])
        for edge in itertools.pairwise(path):
            energy.add(window.index[edge])
        best = energy.with_edge(window.index[path[-1], path[0]])

        def accepts(old: int, new: int, share: float) -> bool:
            """Accept what does not make the tour worse, else with a falling probability."""
            change = energy.change(old, new)
            temperature = _HOT * (_COLD / _HOT) ** share
            return change <= 0 or self.random.random() < math.exp(-change / temperature)

        for closing_edge in window.rotate(
            path, rotations, self.random, self.clock, accepts, energy.replace
        ):
            value = energy.with_edge(closing_edge)
            if value < best:
                best = value
                self.cycle = contracted.expand(path)
                yield graph.tour(self.cycle)

    def _energy_of_window(self, inside: Mask, edges: Ints, is_link: Mask) -> Energy:
        """Return the energy of a window's edges, in which those of the tour outside are in use.

        Only edges outside that may count together with the window's are taken into account. Two
        edges that count together share a square or cross, so both are within a few jumps. Links and
        edges at the depot do not count.
        """
        graph = self.graph
        places = self.places
        reach = 3 * np.abs(graph.instance.board.piece.jumps).max()
        squares = places[: graph.depot][inside[: graph.depot]]
        low, high = squares.min(axis=0) - reach, squares.max(axis=0) + reach
        is_near = ((places >= low) & (places <= high)).all(axis=1)
        tour = cycle_arcs(self.cycle)
        nearby = tour[is_near[tour].any(axis=1) & ~inside[tour].all(axis=1)]
        rows = np.concatenate([edges, nearby])
        is_counted: Mask = np.asarray((rows < graph.depot).all(axis=1))
        is_counted[: len(edges)] &= ~is_link
        energy = Energy(places[rows], is_counted, self.objective)
        for edge in range(len(edges), len(rows)):
            energy.add(edge)
        return energy


def _places(graph: EdgeGraph) -> Ints:
    """Return row and column of each node, as rows; those of the depot are -1."""
    board = graph.instance.board
    places = coordinates(board.squares, board.columns)
    return np.concatenate([places, np.full((graph.node_count - len(places), 2), -1)])
