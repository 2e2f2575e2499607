"""Count the tours of small graphs by a table over the sets of vertices that a path has visited.

For every set of vertices and every vertex in it, the table holds the number of paths from the start
that visit exactly this set and end at this vertex. The sets of one size are a layer, and each layer
is computed from the one before. The direction of moves and the steps of squares are easily taken
into account: the paths of that length end at the square, and no others do. After M. Held and R. M.
Karp, "A dynamic programming approach to sequencing problems", Journal of the Society for Industrial
and Applied Mathematics 10 (1962), and R. Bellman (1962), who minimize where this module adds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Mask
from kt_cp.count.digits import Words
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.problem.tour_graph import TourGraph
from kt_cp.tour.validator import FEWEST_CLOSED

MAX_VERTICES = 20
"""The numbers of paths of 20 vertices, at most 20!, fit into 64 bits; those of 21 may not."""


def unsupported_by_subsets(instance: Instance) -> str | None:
    """Return the part of an instance that a table over subsets does not support, or None."""
    if len(instance.graph) > MAX_VERTICES:
        return f"more than {MAX_VERTICES} vertices"
    if instance.symmetry is not None:
        return "a symmetry"
    if instance.order:
        return "an order of squares"
    if instance.having or instance.constrain:
        return "bounds on features, or custom constraints"
    if not all(move.directed for move in instance.require):
        return "moves required in either direction"
    return None


def count_by_subsets(instance: Instance, clock: Clock) -> int:
    """Return the number of tours: closed ones in one direction unless the direction matters.

    `unsupported_by_subsets` must return None for the instance. Raises `OutOfTimeError`.

    >>> count_by_subsets(Instance.of("3x4", start="a1", forbid=["c2>a1"]), Clock())
    2
    """
    if instance.closed and len(instance.graph) < FEWEST_CLOSED:
        return 0
    paths = _Paths.of(instance)
    vertices = len(paths.first)
    sets = np.arange(2**vertices, dtype=np.int64)  # each a mask of bits, one for each vertex
    sizes = np.bitwise_count(sets)
    row_of = np.empty(len(sets), dtype=np.int64)  # the row of each set in the table of its size
    layer = sets[sizes == 0]
    extended = paths.first[None]  # by set and next vertex: the paths that an arc extends to it
    for size in range(1, vertices + 1):
        clock.check()
        before, layer = layer, sets[sizes == size]
        row_of[layer] = np.arange(len(layer))
        counts = np.zeros((len(layer), vertices), dtype=np.uint64)
        for end in np.flatnonzero(paths.may_end[size - 1]).tolist():
            is_new = (before >> end) & 1 == 0
            with_end = before[is_new] | (1 << end)
            counts[row_of[with_end], end] = extended[is_new, end]
        extended = counts @ paths.arcs
    closed = int((counts[0] * paths.last).sum())
    counts_both_directions = instance.closed and not instance.direction_matters
    return closed // 2 if counts_both_directions else closed


@dataclass(frozen=True)
class _Paths:
    """The paths through all other nodes from a base node, the depot or a vertex, and back to it.

    - ``arcs``: the adjacency matrix of the other nodes, with entries 0 and 1.
    - ``first``: for each of these nodes, whether an arc leads to it from the base (1 or 0).
    - ``last``: for each of these nodes, whether an arc leads from it to the base (1 or 0).
    - ``may_end``: a row for each length, from 1: a mask of the nodes at which a path may end.
    """

    arcs: Words
    first: Words
    last: Words
    may_end: Mask

    @classmethod
    def of(cls, instance: Instance) -> _Paths:
        """Return the paths that are the tours of an instance."""
        whole = TourGraph(instance)
        matrix = _adjacency(whole)
        steps = {step: int(whole.nodes(vertex)) for step, vertex in instance.steps.items()}
        base, base_step = len(whole) - 1, 0  # the depot, or any vertex if no step is known
        if instance.closed and steps:
            base_step, base = next(iter(steps.items()))
        others = np.delete(np.arange(len(whole)), base)
        may_end = np.ones((len(others), len(whole)), dtype=np.bool_)
        for step, node in steps.items():
            if node != base:  # at its step, and only there
                row = (step - base_step) % len(whole) - 1
                may_end[:, node] = False
                may_end[row] = False
                may_end[row, node] = True
        return cls(
            arcs=matrix[np.ix_(others, others)],
            first=matrix[base, others],
            last=matrix[others, base],
            may_end=may_end[:, others],
        )


def _adjacency(whole: TourGraph) -> Words:
    """Return the adjacency matrix, without the arcs that required moves exclude."""
    matrix = np.zeros((len(whole), len(whole)), dtype=np.uint64)
    tails, heads = whole.arcs.T
    matrix[tails, heads] = 1
    for arcs in whole.required_moves:
        if not len(arcs):  # it is forbidden
            return np.zeros_like(matrix)
        [[tail, head]] = arcs.tolist()
        is_there = matrix[tail, head]
        matrix[tail] = 0
        matrix[:, head] = 0
        matrix[tail, head] = is_there
    return matrix
