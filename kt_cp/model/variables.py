"""The variables of the circuit model: a Boolean per arc, and edges and positions where needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Ints, Mask
from kt_cp.messages import InputError
from kt_cp.model.backend import Arcs, Linear, Model
from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.task import SECONDS_IN_FLOWS, SECONDS_PER_ARC, Clock
from kt_cp.problem.tour_graph import MAX_NUMBERED, TourGraph, needs_steps, reachable
from kt_cp.tour.validator import FEWEST_CLOSED


@dataclass
class CircuitModel:
    """A CP-SAT model of an instance, and what its variables mean.

    ``arcs`` holds the literal of every arc of the ``graph``. With a ``symmetry``, arcs that it maps
    onto each other share a literal, and arcs whose images are not all in the graph are left out.
    ``counts_from_first`` is set when `positions` are asked for although no step of a closed tour is
    known, so that they count from the first vertex. Raises `OutOfTimeError` where the arcs would
    take longer than the clock allows.

    >>> model = CircuitModel(Instance.of("3x4", start="a3"))
    >>> len(model.arcs.pairs)  # 28 moves, one arc out of the depot and 12 into it
    41
    """

    instance: Instance
    symmetry: TourMap | None = None
    clock: Clock = field(default_factory=Clock)
    cp: Model = field(default_factory=Model)
    counts_from_first: bool = False

    def __post_init__(self) -> None:
        self.graph = TourGraph(self.instance)
        arcs = self.graph.arcs
        self.clock.check(SECONDS_PER_ARC * len(arcs))
        if self.symmetry is None:
            self.arcs = Arcs(arcs, self.cp.new_literals(len(arcs)))
            return
        is_complete, orbits = self.symmetry.arc_orbits(self.graph.vertices(arcs))
        self.arcs = Arcs(arcs[is_complete], self._literals_by_orbit(orbits[is_complete]))

    def _literals_by_orbit(self, orbits: Ints) -> Ints:
        """Add a literal for each orbit, and return the literal of each of the given ``orbits``."""
        distinct, orbit_of = np.unique(orbits, return_inverse=True)
        return self.cp.new_literals(len(distinct))[orbit_of]

    def add_circuit(self) -> None:
        """Ensure that the arcs in use form one circuit through all nodes."""
        nodes = len(self.graph)
        is_short = self.instance.closed and nodes < FEWEST_CLOSED
        arcs_out = np.bincount(self.arcs.pairs[:, 0], minlength=nodes)
        if is_short or not arcs_out.all():  # CP-SAT's circuit ignores nodes without arcs
            self.cp.add_clause([])
        else:
            self.cp.add_circuit(self.arcs.pairs, self.arcs.literals)

    def bound_measure(self, bound: Bound) -> None:
        """Ensure that a bound on a measure is kept, which all tours do or none."""
        if not bound.allows(self.instance.measures[bound.feature]):
            self.cp.add_clause([])

    def literals_of_moves(self, arcs: npt.ArrayLike) -> list[int]:
        """Return the literals of those arcs, given as pairs of ids, that are in the graph."""
        literals: list[int] = self.arcs.literals_of(self.graph.nodes(arcs)).tolist()
        return literals

    @cached_property
    def edges(self) -> tuple[Ints, Ints]:
        """The edges, as rows (lower node, higher node), and the variable of each.

        Edges with the same two literals, as under a symmetry, share a variable: the sum of the two.
        Where a tour may have a single square, which is then joined to the depot twice, the edges at
        the depot are left out.
        """
        pairs, arc_literals = self.arcs.pairs, self.arcs.literals
        self.clock.check(2 * SECONDS_IN_FLOWS * len(pairs))
        if self.instance.allows_partial or len(self.instance.graph) == 1:
            is_move = (pairs != self.graph.depot).all(axis=1)
            pairs, arc_literals = pairs[is_move], arc_literals[is_move]
        edges, edge_of_arc = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
        literals = np.full((len(edges), 2), -1)  # of both arcs of each edge; -1 where there is none
        literals[edge_of_arc.ravel(), (pairs[:, 0] > pairs[:, 1]).astype(int)] = arc_literals
        sums, sum_of_edge = np.unique(np.sort(literals, axis=1), axis=0, return_inverse=True)
        used = self.cp.new_literals(len(sums))
        for variable, both in zip(used.tolist(), sums.tolist(), strict=True):
            terms = Counter({variable: -1})
            terms.update(literal for literal in both if literal >= 0)
            Linear(terms).bound(self.cp, 0, 0)
        return edges, used[sum_of_edge.ravel()]

    @cached_property
    def moves(self) -> tuple[Ints, Ints]:
        """The edges between two vertices, as rows of two nodes, and the variable of each."""
        edges, variables = self.edges
        is_move = edges[:, 1] != self.graph.depot
        return edges[is_move], variables[is_move]

    @cached_property
    def positions(self) -> list[int]:
        """The variables of the positions of the vertices on the circuit, added on first use.

        Positions count from 0, for an open tour from its start, for a closed one from a square
        whose step is known (see `TourGraph.known_step`). Only positions that can be reached get a
        value, so that known steps are kept. Raises `InputError` for partial tours and for graphs of
        too many vertices, and `OutOfTimeError`.
        """
        if self.instance.allows_partial:
            raise InputError("steps: only those of tours that visit every square are modeled")
        if len(self.instance.graph) > MAX_NUMBERED:
            raise InputError(
                f"step numbers can be given on boards of up to {MAX_NUMBERED:,} squares"
            )
        origin = self.graph.depot
        origin_step = 1
        if self.instance.closed:
            origin, origin_step = self.graph.known_step
            self.counts_from_first = self.instance.first is None and not self.instance.steps
        cp = self.cp
        possible = self._possible_positions(origin_step)
        positions = [cp.new_integer(np.flatnonzero(row)) for row in possible]
        last = len(positions) - 1
        arcs = zip(self.arcs.literals.tolist(), self.arcs.pairs.tolist(), strict=True)
        for used, (source, target) in arcs:  # around from the origin, each leads to the next one
            self.clock.check()
            if target == origin:
                cp.add_linear([positions[source]], [1], last, last, only_if=used)
            elif source == self.graph.depot:
                cp.add_linear([positions[target]], [1], 0, 0, only_if=used)
            else:
                ends = [positions[target], positions[source]]
                cp.add_linear(ends, [1, -1], 1, 1, only_if=used)
        self._link_positions_to_colors(positions)
        return positions

    def _possible_positions(self, origin_step: int) -> Mask:
        """Return for each vertex, as rows, which positions it can have.

        That depends on the known steps and, if every move changes the color, on the color at
        position 0. If some vertex has no position, or some position no vertex, a clause makes the
        model infeasible.
        """
        count = len(self.instance.graph)
        everywhere = possible = np.ones((count, count), dtype=np.bool_)
        if needs_steps(self.instance):
            possible = np.roll(reachable(self.instance).T, 1 - origin_step, axis=1)
        if self._first_is_dark is not None:
            is_odd = self._is_dark != self._first_is_dark
            possible = possible & (np.arange(count) % 2 == is_odd[:, None])
        if possible.any(axis=0).all() and possible.any(axis=1).all():
            return possible
        self.cp.add_clause([])
        return everywhere

    @cached_property
    def _is_dark(self) -> Mask:
        """For each vertex, whether it is dark."""
        return self.instance.graph.dark(self.instance.graph.vertices)

    @cached_property
    def _first_is_dark(self) -> bool | None:
        """Whether the vertex at position 0 is dark, or None if that is unknown."""
        instance = self.instance
        count = len(self.instance.graph)
        if instance.graph.first_part is None:
            return None
        if instance.closed:  # positions count from the known node
            return bool(self._is_dark[self.graph.known_step[0]])
        for step, vertex in instance.steps.items():  # at odd steps is the color of the first
            return bool(self._is_dark[self.graph.nodes(vertex)]) == (step % 2 == 1)
        # Both ends have the color of more vertices, if one color has more.
        return int(self._is_dark.sum()) * 2 > count if count % 2 else None

    def _link_positions_to_colors(self, positions: list[int]) -> None:
        """Ensure that the positions of a color are all even or all odd, if moves change the color.

        A position is 2q if the vertex has the color of the start, and otherwise 2q + 1. The circuit
        implies that, but clause learning alone takes very long to find it.
        """
        if self.instance.graph.first_part is None or self._first_is_dark is not None:
            return  # their domains have the color
        dark_first = self.cp.new_literal()
        halves = np.arange(len(positions) // 2)
        for position, is_dark in zip(positions, self._is_dark.tolist(), strict=True):
            half = self.cp.new_integer(halves)
            sign, constant = (1, 1) if is_dark else (-1, 0)
            self.cp.add_linear([position, half, dark_first], [1, -2, sign], constant, constant)
