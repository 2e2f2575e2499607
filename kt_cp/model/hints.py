"""Walks of the reference as hints: the circuit model begins where Warnsdorff's rule left off."""

from __future__ import annotations

import random

import numpy as np

from kt_cp.clock import Clock
from kt_cp.cover import cover
from kt_cp.model.circuit import CircuitModel


def hint_walks(model: CircuitModel, clock: Clock, seed: int) -> None:
    """Hint which arcs walks by Warnsdorff's rule use; another seed, other walks.

    The first starts where the tour does, if that is known. Raises `OutOfTime` when the clock's
    limit is reached.
    """
    instance = model.instance
    start = instance.start
    if start is None:
        start = random.Random(seed).choice(instance.board.squares.tolist())
    walks = [
        np.searchsorted(instance.board.squares, walk) for walk in cover(instance, start, clock)
    ]
    if not instance.closed:
        walks[0] = np.append(model.depot, walks[0])
        walks[-1] = np.append(walks[-1], model.depot)
    pairs = np.concatenate([np.stack([walk[:-1], walk[1:]], axis=1) for walk in walks])
    arcs = model.arcs.indices_of(pairs).tolist()
    model.cp.proto.solution_hint.vars.extend(arcs)
    model.cp.proto.solution_hint.values.extend([1] * len(arcs))
