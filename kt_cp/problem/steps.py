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
    graph, steps = TourGraph(instance), range(len(instance.graph))
    arcs = graph.nodes(instance.arcs)
    known = {step - 1: int(graph.nodes(vertex)) for step, vertex in instance.steps.items()}
    reached = _sweep(arcs, known, steps, instance.closed)
    if not forward_only:
        reached &= _sweep(arcs[:, ::-1], known, steps[::-1], instance.closed)
    return reached


def _sweep(arcs: Nodes, known: dict[int, int], order: range, closed: bool) -> Mask:
    """Return which vertices are reached at each step, by a pass over the steps in this order.

    For a closed tour a second pass carries the vertices reached at the last step over to the first.
    """
    count = len(order)
    sources, targets = arcs.T
    nodes = np.arange(count)
    is_free = ~np.isin(nodes, list(known.values()))
    reached = np.ones((count, count), dtype=np.bool_)
    here = np.ones(count, dtype=np.bool_)
    passes = (*order, *order) if closed else order
    for step in passes:
        is_first = step == order[0] and not closed
        there = np.full(count, is_first)
        there[targets[here[sources]]] = True
        is_allowed = is_free
        if step in known:
            is_allowed = nodes == known[step]
        here = there & is_allowed
        reached[step] = here
        if not here.any():  # no walk goes on, and the other rows tell how far walks come
            break
    return reached
