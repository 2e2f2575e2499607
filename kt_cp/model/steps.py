"""Given step numbers, as constraints on the circuit model: one integer per square, its step.

An arc in use leads to the next step (Miller, Tucker and Zemlin 1960). What makes this fast are the
domains: only steps at which a walk through the givens can be at the square.
"""

from __future__ import annotations

import numpy as np

from kt_cp.errors import InputError
from kt_cp.model.arcs import Arcs
from kt_cp.model.backend import Model
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.problem.reachability import MAX_SQUARES, reachable


def add_steps(model: Model, arcs: Arcs, instance: Instance, clock: Clock) -> None:
    """Number the nodes along the circuit, and fix the known steps.

    ``arcs`` are the circuit's literals by pair of nodes. Raises `InputError` on boards of too many
    squares, and `OutOfTime` when the clock's limit is reached.
    """
    count = len(instance.board)
    if count > MAX_SQUARES:
        raise InputError(f"step numbers can be given on boards of up to {MAX_SQUARES:,} squares")
    possible = reachable(instance).T
    if not (possible.any(axis=0).all() and possible.any(axis=1).all()):
        model.add_clause([])
        return
    first, break_at = 0, count  # the node after which numbers begin anew: an open tour's depot
    if instance.closed:
        first = next(iter(instance.steps)) - 1
        break_at = int(possible[:, first].argmax())
    times = [model.new_integer(np.flatnonzero(row)) for row in np.roll(possible, -first, axis=1)]
    for used, (source, target) in zip(arcs.literals.tolist(), arcs.pairs.tolist(), strict=True):
        clock.check()
        if target == break_at:
            model.add_linear([times[source]], [1], count - 1, count - 1, only_if=used)
        elif source == count:
            model.add_linear([times[target]], [1], 0, 0, only_if=used)
        else:
            model.add_linear([times[target], times[source]], [1, -1], 1, 1, only_if=used)
