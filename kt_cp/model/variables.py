"""The variables of the circuit model: one Boolean per arc, and positions where they are needed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kt_cp.errors import InputError
from kt_cp.model.backend import Arcs, Model
from kt_cp.problem.clock import Clock
from kt_cp.problem.costs import ADD_ARC
from kt_cp.problem.instance import Instance
from kt_cp.problem.steps import MAX_NUMBERED, needs_steps, reachable
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.tour_graph import TourGraph


@dataclass
class CircuitModel:
    """A CP-SAT model of an instance, and what its variables mean.

    ``arcs`` holds the literal of every arc of the ``graph``. With a ``symmetry``, arcs that it maps
    onto each other share a literal, and arcs whose images are not all in the graph are left out.
    ``positions`` are the variables that `add_position_variables` adds. Raises `OutOfTimeError`
    where the arcs would take longer than the clock allows.

    >>> model = CircuitModel(Instance.of("3x4", start="a3"))
    >>> len(model.arcs.pairs)  # 28 moves, one arc out of the depot and 12 into it
    41
    """

    instance: Instance
    symmetry: TourMap | None = None
    clock: Clock = field(default_factory=Clock)
    cp: Model = field(default_factory=Model)
    positions: list[int] | None = None

    def __post_init__(self) -> None:
        self.graph = TourGraph(self.instance)
        arcs = self.graph.arcs
        self.clock.check(ADD_ARC * len(arcs))
        orbits: npt.NDArray[np.integer] = np.arange(len(arcs))
        if self.symmetry is not None:
            arcs, orbits = self.symmetry.arc_orbits(arcs, self.graph.images(self.symmetry))
        count = int(orbits.max(initial=-1)) + 1
        self.arcs = Arcs(arcs, self.cp.new_literals(count)[orbits])

    def literals(self, arcs: npt.ArrayLike) -> list[int]:
        """Return the literals of arcs, given as pairs of ids: of those that are in the graph."""
        literals: list[int] = self.arcs.literals_of(self.graph.nodes(arcs)).tolist()
        return literals


def add_position_variables(model: CircuitModel) -> list[int]:
    """Add a variable for the position of every vertex on the circuit, once, and return them all.

    Positions count from 0, for an open tour from its start, for a closed one from a square whose
    step is known (see `TourGraph.known_step`). Only positions that can be reached get a value, so
    that known steps are kept. Raises `InputError` for graphs of too many vertices.
    """
    if model.positions is not None:
        return model.positions
    cp, graph, instance = model.cp, model.graph, model.instance
    if instance.allows_partial:
        raise InputError("steps: only those of tours that visit every square are modeled")
    count = len(instance.graph)
    if count > MAX_NUMBERED:
        raise InputError(f"step numbers can be given on boards of up to {MAX_NUMBERED:,} squares")
    origin, first = graph.depot, 0  # the node from which positions count, and its own step
    if instance.closed:
        origin, step = graph.known_step
        first = step - 1
    possible = np.ones((count, count), dtype=np.bool_)
    if needs_steps(instance):
        possible = np.roll(reachable(instance).T, -first, axis=1)
    if not (possible.any(axis=0).all() and possible.any(axis=1).all()):
        cp.add_clause([])
        possible[:] = True
    positions = [cp.new_integer(np.flatnonzero(row)) for row in possible]
    arcs = zip(model.arcs.literals.tolist(), model.arcs.pairs.tolist(), strict=True)
    for used, (source, target) in arcs:
        model.clock.check()
        if target == origin:
            cp.add_linear([positions[source]], [1], count - 1, count - 1, only_if=used)
        elif source == graph.depot:
            cp.add_linear([positions[target]], [1], 0, 0, only_if=used)
        else:
            ends = [positions[target], positions[source]]
            cp.add_linear(ends, [1, -1], 1, 1, only_if=used)
    model.positions = positions
    return positions
