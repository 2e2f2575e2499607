"""A tour as a hint: where the search of the circuit model begins."""

from __future__ import annotations

import numpy as np

from kt_cp.board import Squares
from kt_cp.model.circuit import CircuitModel


def hint_path(model: CircuitModel, path: Squares) -> None:
    """Hint that a path, given as ids, is used; an open one from the depot and back to it."""
    nodes = model.nodes(path)
    if not model.instance.closed:
        nodes = np.concatenate([[model.depot], nodes, [model.depot]])
    pairs = np.stack([nodes[:-1], nodes[1:]], axis=1)
    literals = model.arcs.literals_of(pairs)
    model.cp.hint(literals if model.symmetry is None else np.unique(literals))
