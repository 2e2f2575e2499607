"""The method ``patch``: cycles through all squares by maximum flow, joined until one is left."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints, Mask, unique
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time, refuted
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.costs import EDGE_GRAPH_VERTEX
from kt_cp.problem.task import Task
from kt_cp.proof.reasons import SLOW_REASONS, Find, refute
from kt_cp.sat.edges import EdgeGraph, EdgeSolver, edge_graph, propagate
from kt_cp.sat.two_factors import CycleCover, maximum_flow, tighten

# How many nodes a window has at first, and by what factor it grows when a round joined nothing.
_FIRST_WINDOW, _GROWTH = 60, 1.5

# How large windows may become in one attempt after the other. Another 2-factor, whose cycles lie in
# another way, helps more often than large windows, which are the last resort.
_LARGEST_WINDOWS = (150, 250, 250, 250, 8_000)

# Conflicts of CaDiCaL in search of a 2-factor of a graph with odd cycles, which may take for ever,
# and for each node of a window.
_COVER_CONFLICTS, _NODE_CONFLICTS = 20_000, 10


class _NoTwoFactorError(Exception):
    """No 2-factor was found soon, which proves nothing."""


def answer(task: Task) -> Answer:
    """Return a tour, or a reason why there is none."""
    if task.clock.remaining < EDGE_GRAPH_VERTEX * len(task.instance.graph):
        return out_of_time(task.instance, task.clock)
    return patched(edge_graph(task.instance), task.clock, task.seed, SLOW_REASONS)


def patched(given: EdgeGraph, clock: Clock, seed: int, reasons: Sequence[Find] = ()) -> Answer:
    """Return a tour that uses only edges of a graph, and those that it requires.

    Where the first attempt finds none, the reasons are tried before the next.
    """
    counters = {"cycles": 0, "windows": 0}
    try:
        return _patched(given, clock, seed, reasons, counters)
    except OutOfTimeError:
        return out_of_time(given.instance, clock, counters)
    except _NoTwoFactorError:
        why = f"no 2-factor after {_COVER_CONFLICTS:,} conflicts of CaDiCaL"
        return gave_up(given.instance, why, counters)


def _patched(
    given: EdgeGraph, clock: Clock, seed: int, reasons: Sequence[Find], counters: dict[str, int]
) -> Answer:
    instance, graph = given.instance, propagate(given)
    words = instance.graph.vocabulary
    if graph is not None and graph.either_way():
        reason = refute(instance, clock, reasons)
        if reason is not None:
            return refuted(reason)
        why = (
            f"{words.an_edge} is required in either direction where {words.edges} have a direction"
        )
        return gave_up(instance, why, counters)
    for attempt, largest in enumerate(_LARGEST_WINDOWS):
        cover = None if graph is None else _cover(graph, clock, seed + attempt)
        if graph is not None and cover is not None:
            counters["cycles"] = len(cover.sizes)
            counters["windows"] += _join(cover, largest, clock, seed)
            left = len(cover.sizes)
            if left == 1:
                return found(graph.tour(cover.order), counters)
        if attempt == 0:
            reason = refute(instance, clock, reasons)
            if reason is not None:
                return refuted(reason)
        if graph is None or cover is None:
            return exhausted(instance, f"no set of cycles covers the {words.graph}", counters)
        if attempt == 0:
            graph = tighten(graph, clock)
    return gave_up(instance, f"{left} cycles are left", counters)


def _cover(graph: EdgeGraph, clock: Clock, seed: int) -> CycleCover | None:
    """Return a 2-factor: cycles that together visit all nodes; None if there is none.

    Raises `OutOfTimeError`, and `_NoTwoFactorError` where it is given up.
    """
    flow = maximum_flow(graph, clock, seed)
    if flow is not None:
        clock.check()
        return CycleCover(graph, flow.two_factor) if flow.complete else None
    free, links = graph.edges[~graph.required], graph.edges[graph.required]
    try:
        used = EdgeSolver(graph.nodes, free, links, clock, seed=seed).choose(_COVER_CONFLICTS)
    except OutOfTimeError:
        clock.check()  # otherwise it was for the conflicts
        raise _NoTwoFactorError from None
    return None if used is None else CycleCover(graph, np.concatenate([free[used], links]))


def _join(cover: CycleCover, largest: int, clock: Clock, seed: int) -> int:
    """Join cycles by exchanges of edges and then in windows; return how many windows were tried."""
    rng = np.random.default_rng(seed)
    nodes = len(cover.order)
    limit = min(max(largest, 2 * math.isqrt(nodes)), _GROWTH * nodes)
    size, windows = float(_FIRST_WINDOW), 0
    cover.join(rng, clock)
    while len(cover.sizes) > 1 and size < limit:
        before = len(cover.sizes)
        taken = np.zeros(nodes, dtype=np.bool_)
        borders = rng.permutation(cover.borders())
        _, firsts = np.unique(cover.label[borders], return_index=True)
        for center in borders[firsts].tolist():
            if not taken[center]:
                windows += 1
                window = nodes_around(cover, center, int(size), taken)
                taken[rejoin(cover, window, clock, seed)] = True
        cover.number()
        cover.join(rng, clock)
        if len(cover.sizes) >= before:
            size *= _GROWTH
    return windows


def nodes_around(cover: CycleCover, center: int, size: int, taken: Mask) -> Ints:
    """Return at least ``size`` nodes near one, without those taken, if there are as many."""
    nodes = ring = np.array([center])
    while len(ring) and len(nodes) < size:
        ring = unique(cover.near[ring].ravel())
        ring = np.setdiff1d(ring[ring >= 0], nodes)
        ring = ring[~taken[ring]]
        nodes = np.concatenate([nodes, ring])
    return nodes


def rejoin(cover: CycleCover, nodes: Ints, clock: Clock, seed: int) -> Ints:
    """Choose edges between nodes anew so that the cycles through them become one.

    Returns the nodes that got other edges: empty if none is found within the limit. Raises
    `OutOfTimeError`.
    """
    # The nodes in the order of their cycles, what follows each in its cycle, and the next of them.
    nodes = cover.order[np.sort(cover.place[nodes])]
    labels, after = cover.label[nodes], cover.along(nodes, 1)
    is_last = np.append(labels[1:] != labels[:-1], True)
    is_first = np.append(True, is_last[:-1])
    following = np.append(nodes[1:], -1)
    following[is_last] = nodes[is_first]
    # A link stands for what a cycle does outside, and for an edge that is required. Cycles of links
    # alone cannot change.
    is_link = (after != following) | ~cover.joined(nodes, after)
    loose = np.unique(labels[~is_link])
    inside = np.sort(nodes[np.isin(labels, loose)])
    unchanged = inside[:0]
    if len(loose) < 2:
        return unchanged
    is_link &= np.isin(labels, loose)
    tails, heads = nodes[is_link], following[is_link]
    links = np.searchsorted(inside, np.stack([tails, heads], axis=1))
    edges = _edges_between(cover, inside)
    solver = EdgeSolver(len(inside), edges, links, clock, seed=seed)
    try:
        used = solver.solve(_NODE_CONFLICTS * len(inside))
    except OutOfTimeError:
        clock.check()  # otherwise it was for the conflicts
        return unchanged
    if used is None:
        return unchanged
    # Every node has two neighbors: by links, whose ends keep their neighbors outside, and by edges.
    low, high = inside[edges[used]].T
    ends = np.concatenate([tails, heads, low, high])
    neighbors = np.concatenate([after[is_link], cover.along(heads, -1), high, low])
    cover.beside[inside] = neighbors[np.argsort(ends, kind="stable")].reshape(-1, 2)
    return inside


def _edges_between(cover: CycleCover, nodes: Ints) -> Ints:
    """Return the edges between some nodes, which are ascending, as rows of their indices."""
    near = cover.near[nodes]
    tails, columns = np.nonzero(np.isin(near, nodes))
    heads = np.searchsorted(nodes, near[tails, columns])
    keys = unique(np.minimum(tails, heads) * len(nodes) + np.maximum(tails, heads))
    return np.stack(np.divmod(keys, len(nodes)), axis=1)
