"""Windows: join the cycles that run near a node by choosing the edges around it anew.

What the cycles do outside the window is kept: each of them is a number of links between nodes of
the window.
"""

from __future__ import annotations

import numpy as np

from kt_cp.board import Mask
from kt_cp.board.symmetry import Ints
from kt_cp.methods.patch.cover import CycleCover
from kt_cp.model.lazy_cuts import EdgeSolver
from kt_cp.problem.clock import Clock, OutOfTime

# Conflicts per node until a window is given up.
_MOST = 10


def nodes_around(cover: CycleCover, centre: int, size: int, taken: Mask) -> Ints:
    """Return at least so many nodes near one, without those taken."""
    nodes = ring = np.array([centre])
    while len(ring) and len(nodes) < size:
        ring = np.unique(cover.near[ring])
        ring = np.setdiff1d(ring[ring >= 0], nodes)
        ring = ring[~taken[ring]]
        nodes = np.concatenate([nodes, ring])
    return nodes


def rejoin(cover: CycleCover, nodes: Ints, clock: Clock, seed: int) -> Ints:
    """Choose edges between nodes anew so that the cycles through them become one.

    Returns the nodes that got other edges: none where there is no such choice, or none soon.
    """
    nodes = cover.order[np.sort(cover.place[nodes])]
    labels, after = cover.label[nodes], cover.along(nodes, 1)
    is_last = np.append(labels[1:] != labels[:-1], True)
    is_first = np.append(True, is_last[:-1])
    following = np.append(nodes[1:], -1)
    following[is_last] = nodes[is_first]
    # A link stands for what a cycle does outside, and for an edge that is required.
    is_link = (after != following) | ~cover.joined(nodes, after)
    loose = np.unique(labels[~is_link])
    inside = np.sort(nodes[np.isin(labels, loose)])
    if len(loose) < 2:
        return inside[:0]
    is_link &= np.isin(labels, loose)
    tails, heads = nodes[is_link], following[is_link]
    links = np.searchsorted(inside, np.stack([tails, heads], axis=1))
    edges = _edges_between(cover, inside)
    solver = EdgeSolver(len(inside), edges, links, clock, seed=seed)
    try:
        used = solver.solve(_MOST * len(inside))
    except OutOfTime:
        clock.check()
        used = None
    if used is None:
        return inside[:0]
    low, high = inside[edges[used]].T
    ends = np.concatenate([tails, heads, low, high])
    others = np.concatenate([after[is_link], cover.along(heads, -1), high, low])
    cover.mates[inside] = others[np.argsort(ends, kind="stable")].reshape(-1, 2)
    return inside


def _edges_between(cover: CycleCover, nodes: Ints) -> Ints:
    """Return the edges between some nodes, which are ascending, as rows of their indices."""
    near = cover.near[nodes]
    tails, columns = np.nonzero(np.isin(near, nodes))
    heads = np.searchsorted(nodes, near[tails, columns])
    keys = np.unique(np.minimum(tails, heads) * len(nodes) + np.maximum(tails, heads))
    return np.stack(np.divmod(keys, len(nodes)), axis=1)
