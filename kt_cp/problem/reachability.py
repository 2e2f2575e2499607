"""Which squares walks between the known steps of a tour can reach, and when."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kt_cp.board import Mask
from kt_cp.problem.instance import Instance

# The answer has one entry per square and step.
MAX_SQUARES = 1_600


def needs_steps(instance: Instance) -> bool:
    """Tell whether the known steps say more than where the tour starts and ends.

    A closed tour with a single given can be written from the right square on.
    """
    steps = instance.steps
    if instance.closed:
        return len(steps) > 1
    return bool(steps.keys() - {1, len(instance.board)})


def reachable(instance: Instance) -> Mask:
    """Tell, as steps x squares, which squares walks between the known steps can reach when.

    Row t is step t + 1; columns are numbered as ``board.squares``.

    >>> from kt_cp.board import Board
    >>> reachable(Instance(Board(3, 4), start=0))[:4].sum(axis=1).tolist()
    [1, 2, 3, 5]
    """
    count = len(instance.board)
    back = _sweep(instance, np.s_[:, ::-1], range(count - 1, -1, -1))
    return reachable_forward(instance) & back


def reachable_forward(instance: Instance) -> Mask:
    """Do as `reachable` does, but look only at the known steps before a step, not after it."""
    return _sweep(instance, np.s_[:, :], range(len(instance.board)))


def _sweep(instance: Instance, direction: tuple[slice, slice], order: range) -> Mask:
    """Mark what can be reached, step by step in this order; twice round for a closed tour."""
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
