"""The variables of the circuit model: one Boolean per arc, and positions where they are needed."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Mask
from kt_cp.messages import InputError
from kt_cp.model.backend import Arcs, Model
from kt_cp.problem.instance import Instance
from kt_cp.problem.symmetry import TourMap
from kt_cp.problem.task import ARC, Clock
from kt_cp.problem.tour_graph import MAX_NUMBERED, TourGraph, needs_steps, reachable


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
        self.clock.check(ARC * len(arcs))
        orbits: npt.NDArray[np.integer] = np.arange(len(arcs))
        if self.symmetry is not None:
            arcs, orbits = self.symmetry.arc_orbits(arcs, self.graph.images(self.symmetry))
        count = int(orbits.max(initial=-1)) + 1
        self.arcs = Arcs(arcs, self.cp.new_literals(count)[orbits])

    def literals(self, arcs: npt.ArrayLike) -> list[int]:
        """Return the literals of those arcs, given as pairs of ids, that are in the graph."""
        literals: list[int] = self.arcs.literals_of(self.graph.nodes(arcs)).tolist()
        return literals


def add_position_variables(model: CircuitModel) -> list[int]:
    """Add a variable for the position of every vertex on the circuit, once, and return them all.

    Positions count from 0, for an open tour from its start, for a closed one from a square whose
    step is known (see `TourGraph.known_step`). Only positions that can be reached get a value, so
    that known steps are kept. Raises `InputError` for graphs of too many vertices.
    """
    if model.positions is None:
        _check_position_variables(model.instance)
        origin, origin_step = _origin(model)
        possible = _possible_positions(model, origin_step)
        positions = [model.cp.new_integer(np.flatnonzero(row)) for row in possible]
        _link_positions(model, positions, origin)
        model.positions = positions
    return model.positions


def _check_position_variables(instance: Instance) -> None:
    """Raise `InputError` for an instance whose positions are not modeled."""
    if instance.allows_partial:
        raise InputError("steps: only those of tours that visit every square are modeled")
    if len(instance.graph) > MAX_NUMBERED:
        raise InputError(f"step numbers can be given on boards of up to {MAX_NUMBERED:,} squares")


def _origin(model: CircuitModel) -> tuple[int, int]:
    """Return the node at which positions end and begin again, and the step of position 0."""
    if model.instance.closed:
        return model.graph.known_step
    return model.graph.depot, 1


def _possible_positions(model: CircuitModel, origin_step: int) -> Mask:
    """Return for each vertex, as rows, which positions it can have by the known steps.

    If some vertex has no position, or some position no vertex, a clause makes the model infeasible.
    """
    instance = model.instance
    count = len(instance.graph)
    if not needs_steps(instance):
        return np.ones((count, count), dtype=np.bool_)
    possible = np.roll(reachable(instance).T, 1 - origin_step, axis=1)
    if possible.any(axis=0).all() and possible.any(axis=1).all():
        return possible
    model.cp.add_clause([])
    return np.ones_like(possible)


def _link_positions(model: CircuitModel, positions: list[int], origin: int) -> None:
    """Ensure that an arc in use leads from a position to the next one, around from the origin."""
    cp, last = model.cp, len(positions) - 1
    arcs = zip(model.arcs.literals.tolist(), model.arcs.pairs.tolist(), strict=True)
    for used, (source, target) in arcs:
        model.clock.check()
        if target == origin:
            cp.add_linear([positions[source]], [1], last, last, only_if=used)
        elif source == model.graph.depot:
            cp.add_linear([positions[target]], [1], 0, 0, only_if=used)
        else:
            ends = [positions[target], positions[source]]
            cp.add_linear(ends, [1, -1], 1, 1, only_if=used)
