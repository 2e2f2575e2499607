"""Given step numbers, as constraints on the circuit model.

One Boolean per square and step, for those only that a walk through the givens can reach: on 8x8
faster than one integer per square (0.4 to 0.8 s against up to 3 s).
"""

from __future__ import annotations

import numpy as np

from kt_cp.board.symmetry import Ints
from kt_cp.errors import InputError
from kt_cp.model.arcs import Arcs
from kt_cp.model.backend import Model
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.reachability import MAX_SQUARES, reachable

_NONE = np.iinfo(np.int32).max


def add_steps(model: Model, arcs: Arcs, instance: Instance, clock: Clock) -> None:
    """Number the nodes along the circuit, and fix the known steps.

    ``arcs`` are the circuit's literals by pair of nodes. Raises `InputError` on boards that are too
    large for a Boolean per square and step, and `OutOfTime` when the clock's limit is reached.
    """
    count = len(instance.board)
    if count > MAX_SQUARES:
        raise InputError(f"step numbers can be given on boards of up to {MAX_SQUARES:,} squares")
    possible = reachable(instance)
    at = np.full(possible.shape, _NONE, dtype=np.int32)  # rows are nodes, columns steps from 0
    at[possible] = model.new_literals(int(possible.sum()))
    at = at.T
    for literals in (*at, *at.T):
        model.add_exactly_one(literals[literals != _NONE].tolist())
    before, after = at, np.roll(at, -1, axis=1)
    if not instance.closed:
        before, after = at[:, :-1], at[:, 1:]
    for used, (source, target) in zip(arcs.literals.tolist(), arcs.pairs.tolist(), strict=True):
        clock.check()
        if source == count:
            _tie(model, used, at[target, 0])
        elif target == count:
            _tie(model, used, at[source, -1])
        else:
            _link(model, used, before[source], after[target])


def _link(model: Model, used: int, before: Ints, after: Ints) -> None:
    """Say that an arc in use leads from one step to the next."""
    for one, other in ((before, after), (after, before)):
        only, both = (one != _NONE) & (other == _NONE), (one != _NONE) & (other != _NONE)
        for literal in (~one[only]).tolist():
            model.add_clause([~used, literal])
        for pair in np.stack([~one[both], other[both]], axis=1).tolist():
            model.add_clause([~used, *pair])


def _tie(model: Model, used: int, at: int) -> None:
    """Say that an arc of the depot is used just when its node has the first or last step."""
    if at == _NONE:
        model.add_all([~used])
    else:
        model.add_clause([~used, int(at)])
        model.add_clause([used, ~int(at)])
