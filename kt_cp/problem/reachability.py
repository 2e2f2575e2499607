"""Which squares a walk that keeps to the given steps can reach, and at which steps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_cp.board import Mask
from kt_cp.problem.instance import Instance

# The result has an entry for each step and square.
MAX_SQUARES = 1_600


def needs_steps(instance: Instance) -> bool:
    """Return whether steps other than those of the start and the end are known.

    A closed tour with a single given can start at the square that makes it right.
    """
    steps = instance.steps
    if instance.closed:
        return len(steps) > 1
    return bool(steps.keys() - {1, len(instance.board)})


def reachable(instance: Instance) -> Mask:
    """Return an array of steps x squares: which squares can be reached at which steps.

    Row t is step t + 1, and columns are in the order of ``board.squares``. A walk may visit a
    square several times, but visits those with known steps at these steps only.

    >>> from kt_cp.board import Board
    >>> reachable(Instance(Board(3, 4), start=0))[:4].sum(axis=1).tolist()
    [1, 2, 3, 5]
    """
    count = len(instance.board)
    back = _sweep(instance, np.s_[:, ::-1], range(count - 1, -1, -1))
    return reachable_forward(instance) & back


def reachable_forward(instance: Instance) -> Mask:
    """Return the same as `reachable`, but regard only the known steps before each step."""
    return _sweep(instance, np.s_[:, :], range(len(instance.board)))


def _sweep(instance: Instance, direction: tuple[slice, slice], order: range) -> Mask:
    """Return what can be reached from step to step in this order, which a closed tour repeats."""
    squares = instance.board.squares
    sources, targets = np.searchsorted(squares, instance.arcs[direction]).T
    known = {step - 1: np.searchsorted(squares, at) for step, at in instance.steps.items()}
    free: npt.NDArray[np.bool_] = np.ones(len(squares), dtype=np.bool_)
    free[list(known.values())] = False
    reached = np.ones((len(squares), len(squares)), dtype=np.bool_)
    here = np.ones(len(squares), dtype=np.bool_)
    for step in (*order, *order) if instance.closed else order:
        there = np.zeros(len(squares), dtype=np.bool_)
        there[targets[here[sources]]] = True
        if step == order[0] and not instance.closed:
            there[:] = True
        here = there & free
        if step in known:
            here[:] = False
            here[known[step]] = there[known[step]]
        reached[step] = here
    return reached
