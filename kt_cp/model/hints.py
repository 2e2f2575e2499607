"""Walks of the reference as hints: the circuit model begins where Warnsdorff's rule left off."""

from __future__ import annotations

import numpy as np

from kt_cp.board import Squares
from kt_cp.model.circuit import CircuitModel


def hint_walks(model: CircuitModel, walks: list[Squares]) -> None:
    """Hint which arcs walks use, given as ids; an open tour begins with the first of them."""
    on_nodes = [model.nodes(walk) for walk in walks]
    if not model.instance.closed:
        on_nodes[0] = np.append(model.depot, on_nodes[0])
        on_nodes[-1] = np.append(on_nodes[-1], model.depot)
    pairs = np.concatenate([np.stack([nodes[:-1], nodes[1:]], axis=1) for nodes in on_nodes])
    model.cp.hint(model.arcs.literals_of(pairs))
