"""Given steps: whether an instance has any, and which vertices can be reached at each step."""

from __future__ import annotations

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.problem.instance import Instance
from kt_cp.problem.tour_graph import Nodes, TourGraph

MAX_NUMBERED = 1_600
"""The most vertices of a graph with given steps: `reachable` needs the square of their number."""


def needs_steps(instance: Instance) -> bool:
    """Return whether steps other than those of the start and the end matter.

    They matter if there is an order of squares. A closed tour with a single given step can be
    rotated to meet it, so that one does not matter.
    """
    if instance.order:
        return True
    if instance.closed:
        return len(instance.steps) > 1
    return bool(instance.steps.keys() - {1, len(instance.graph)})


def reachable(instance: Instance, forward_only: bool = False) -> Mask:
    """Return an array of steps x vertices: whether a walk can be at a vertex at a step.

    A walk may visit a vertex several times, but a vertex with a known step only at that step. With
    ``forward_only``, only the known steps before a step are taken into account. Rows are steps,
    from 0; columns are the nodes of the vertices in the `TourGraph`.
    """
    graph = TourGraph(instance)
    indices = range(len(instance.graph))  # of the steps, from 0
    arcs = graph.nodes(instance.arcs)
    known_at = {step - 1: int(graph.nodes(vertex)) for step, vertex in instance.steps.items()}
    reached = _sweep(arcs, known_at, indices, instance.closed)
    if not forward_only:
        reached &= _sweep(arcs[:, ::-1], known_at, indices[::-1], instance.closed)
    return reached


def _sweep(arcs: Nodes, known_at: dict[int, int], indices: range, closed: bool) -> Mask:
    """Return which vertices are reached at each step, by a pass over the steps.

    ``indices`` are those of the steps, from 0, in the order of the pass; ``known_at`` has the known
    node at an index. For a closed tour a second pass carries the vertices reached at the last step
    over to the first. If no walk goes on from some step, the rows that were not passed stay True.
    """
    count = len(indices)
    sources, targets = arcs.T
    nodes = np.arange(count)
    is_free = ~np.isin(nodes, list(known_at.values()))
    reached = np.ones((count, count), dtype=np.bool_)
    here = np.ones(count, dtype=np.bool_)
    passes = (*indices, *indices) if closed else indices
    for index in passes:
        is_start_of_walk = index == indices[0] and not closed
        there = np.full(count, is_start_of_walk)
        there[targets[here[sources]]] = True
        is_allowed = is_free
        if index in known_at:
            is_allowed = nodes == known_at[index]
        here = there & is_allowed
        reached[index] = here
        if not here.any():
            break
    return reached
