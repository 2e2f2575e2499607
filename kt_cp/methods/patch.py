"""The method ``patch``: cycles through all squares by maximum flow, joined until one is left.

Maximum flow gives a 2-factor: cycles that together visit every square once. Exchanges of two edges
join most of them. Then, near the border of two cycles, CaDiCaL replaces the edges within a
*window*, so that the cycles through it become one (R. Karp, A patching algorithm for the
nonsymmetric traveling-salesman problem, 1979, for the idea of joining cycles).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kt_cp.arrays import Ints, Mask, unique, unique_rows
from kt_cp.methods.method import Answer, exhausted, found, gave_up, out_of_time, refuted
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import SECONDS_PER_EDGE, Clock, OutOfTimeError, Task
from kt_cp.proof.reasons import ReasonFinder
from kt_cp.proof.refutation import SLOW_REASONS, refute
from kt_cp.sat.edges import EdgeGraph, EdgeSolver, edge_graph, propagate
from kt_cp.sat.formula import OutOfConflictsError
from kt_cp.sat.two_factors import CycleCover, tighten, two_factor

# The nodes of the first windows, and the factor by which windows grow when a round joined nothing.
_FIRST_WINDOW = 60
_GROWTH = 1.5

# The most nodes of a window in each attempt. A new attempt begins with another 2-factor, which
# helps more often than large windows do; those are the last resort.
_LARGEST_WINDOWS = (150, 250, 250, 250, 8_000)

# The limits on CaDiCaL's conflicts: in search of a 2-factor of a graph with odd cycles, which could
# take very long, and for each node of a window.
_COVER_CONFLICTS = 20_000
_NODE_CONFLICTS = 10


def answer(task: Task) -> Answer:
    """Return a tour, or a reason why there is none."""
    if task.clock.remaining < SECONDS_PER_EDGE * len(task.instance.graph):
        return out_of_time(task.instance, task.clock)
    return patch_graph(edge_graph(task.instance), task.clock, task.seed, SLOW_REASONS)


def patch_graph(
    whole: EdgeGraph, clock: Clock, seed: int, reasons: Sequence[ReasonFinder] = ()
) -> Answer:
    """Return the answer with a tour that uses only edges of a graph, and all that it requires.

    If the first attempt finds no tour, the ``reasons`` why there is none are tried before the next.
    The counters are the number of cycles in the last 2-factor, and that of windows tried.
    """
    instance = whole.instance
    counters = {"cycles": 0, "windows": 0}
    try:
        graph = propagate(whole)
        for attempt, largest in enumerate(_LARGEST_WINDOWS):
            result = _attempt(instance, graph, largest, clock, seed + attempt, counters)
            if result.squares is not None:
                return result
            if attempt == 0:  # most instances with a tour need neither reasons nor tightening
                if reason := refute(instance, clock, reasons):
                    return refuted(reason)
                graph = tighten(graph, clock) if graph else None
            if result.is_final:
                return result
        return result
    except OutOfTimeError:
        return out_of_time(instance, clock, counters)
    except OutOfConflictsError:
        why = f"no 2-factor after {_COVER_CONFLICTS:,} conflicts of CaDiCaL"
        return gave_up(instance, why, counters)


def _attempt(
    instance: Instance,
    graph: EdgeGraph | None,
    largest: int,
    clock: Clock,
    seed: int,
    counters: dict[str, int],
) -> Answer:
    """Return the answer of one attempt, with windows of at most ``largest`` nodes.

    The graph is None if it has no 2-factor. Raises `OutOfTimeError` and `OutOfConflictsError`.
    """
    words = instance.graph.vocabulary
    if graph and graph.undirected_requirements():
        why = (
            f"{words.an_edge} is required in either direction where {words.edges} have a direction"
        )
        return gave_up(instance, why, counters)
    cover = _cycle_cover(graph, clock, seed) if graph else None
    if graph is None or cover is None:
        return exhausted(instance, f"no set of cycles covers the {words.graph}", counters)
    counters["cycles"] = len(cover.sizes)
    counters["windows"] += _join_cycles(cover, largest, clock, seed)
    if len(cover.sizes) == 1:
        return found(graph.tour(cover.order), counters)
    return gave_up(instance, f"{len(cover.sizes)} cycles are left", counters)


def _cycle_cover(graph: EdgeGraph, clock: Clock, seed: int) -> CycleCover | None:
    """Return a 2-factor: cycles that together visit all nodes; None if there is none.

    Raises `OutOfTimeError`, and `OutOfConflictsError` if none is found within the limit of
    conflicts.
    """
    edges = two_factor(graph, clock, seed)
    if edges is not None:
        clock.check()
        return CycleCover(graph, edges) if len(edges) else None
    solver = EdgeSolver.of(graph, clock, seed)
    is_found = solver.formula.solve(clock, _COVER_CONFLICTS)
    return CycleCover(graph, solver.two_factor()) if is_found else None


def _join_cycles(cover: CycleCover, largest: int, clock: Clock, seed: int) -> int:
    """Join cycles by exchanges of edges and then in windows; return the number of these.

    A window has at most ``largest`` nodes, or somewhat more in a huge graph. Raises
    `OutOfTimeError`.
    """
    rng = np.random.default_rng(seed)
    nodes = len(cover.order)
    windows = 0
    max_size = min(max(largest, 2 * math.isqrt(nodes)), _GROWTH * nodes)
    size = float(_FIRST_WINDOW)
    cover.join(rng, clock)
    while len(cover.sizes) > 1 and size < max_size:
        cycles_before = len(cover.sizes)
        is_changed = np.zeros(nodes, dtype=np.bool_)  # nodes whose edges this round replaced
        borders = rng.permutation(cover.borders())
        _, first_of_cycle = np.unique(cover.label_of[borders], return_index=True)
        for center in borders[first_of_cycle].tolist():
            if not is_changed[center]:
                windows += 1
                nearby = nodes_around(cover, center, int(size), is_changed)
                is_changed[join_in_window(cover, nearby, clock, seed)] = True
        cover.renumber()
        cover.join(rng, clock)
        if len(cover.sizes) >= cycles_before:
            size *= _GROWTH
    return windows


def nodes_around(cover: CycleCover, center: int, size: int, excluded: Mask) -> Ints:
    """Return the nodes nearest to ``center``, at least ``size`` if possible.

    Nodes where the mask ``excluded`` is True are left out. The others are found breadth first:
    whole rings of neighbors are added until there are enough.
    """
    ring = np.array([center])
    nodes = ring
    while len(ring) and len(nodes) < size:
        ring = unique(cover.neighbors[ring].ravel())
        ring = np.setdiff1d(ring[ring >= 0], nodes)
        ring = ring[~excluded[ring]]
        nodes = np.concatenate([nodes, ring])
    return nodes


def join_in_window(cover: CycleCover, nodes: Ints, clock: Clock, seed: int) -> Ints:
    """Replace the edges between some nodes so that the cycles through them become one.

    Between these nodes, what stays are links: a path through nodes outside, or a required edge.
    Cycles that consist of links only are left out. Return the nodes whose edges were replaced: none
    if no such choice is found within the limit of conflicts. Raises `OutOfTimeError`.
    """
    unchanged = nodes[:0]
    # Arrays with an entry for each of these nodes, in the order of their cycles. Entries are nodes
    # of the cover: the next one on the cycle is ``after`` and, in the window, ``following``.
    nodes = cover.order[np.sort(cover.place_of[nodes])]
    labels = cover.label_of[nodes]
    following = _next_in_cycle(nodes, labels)
    after = cover.along(nodes, 1)
    is_link = (after != following) | ~cover.have_free_edge(nodes, after)
    changeable = np.unique(labels[~is_link])  # the cycles with a free edge
    if len(changeable) < 2:
        return unchanged
    is_inside = np.isin(labels, changeable)
    is_link &= is_inside
    # The links, as nodes of the cover.
    tails, heads = nodes[is_link], following[is_link]
    # For the solver, rows of two indices in ``inside``: the nodes of the cover, ascending.
    inside = np.sort(nodes[is_inside])
    edges = _edges_between(cover, inside)
    links = np.searchsorted(inside, np.stack([tails, heads], axis=1))
    solver = EdgeSolver(len(inside), edges, links, clock, seed=seed)
    try:
        if not solver.solve(_NODE_CONFLICTS * len(inside)):
            return unchanged
    except OutOfConflictsError:
        return unchanged
    # The new edges, again as nodes of the cover. Every node is twice among the ends: once for each
    # link or edge at it. Its neighbor along a link is the next node on the cycle, perhaps outside.
    low, high = inside[edges[solver.used]].T
    ends = np.concatenate([tails, heads, low, high])
    neighbors = np.concatenate([after[is_link], cover.along(heads, -1), high, low])
    by_end = np.argsort(ends, kind="stable")
    cover.cycle_neighbors[inside] = neighbors[by_end].reshape(-1, 2)
    return inside


def _next_in_cycle(nodes: Ints, labels: Ints) -> Ints:
    """Return for each node the next one with the same label, and for the last of them the first.

    Nodes with the same label follow each other.
    """
    is_last = np.append(labels[1:] != labels[:-1], True)
    is_first = np.roll(is_last, 1)
    following = np.roll(nodes, -1)
    following[is_last] = nodes[is_first]
    return following


def _edges_between(cover: CycleCover, nodes: Ints) -> Ints:
    """Return the free edges between some ascending nodes, as rows of two indices of nodes."""
    near = cover.neighbors[nodes]
    tails, columns = np.nonzero(np.isin(near, nodes))
    heads = np.searchsorted(nodes, near[tails, columns])
    edges = np.sort(np.stack([tails, heads], axis=1), axis=1)
    return unique_rows(edges, len(nodes))
