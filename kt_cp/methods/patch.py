"""The method ``patch``: cycles through all squares by maximum flow, joined until one is left.

Maximum flow gives a 2-factor: cycles that together visit every square once. Exchanges of two edges
join most of them. Then, near the border of two cycles, CaDiCaL replaces the edges within a
*window*, so that the cycles through it become one (R. Karp, A patching algorithm for the
nonsymmetric traveling-salesman problem, 1979, for the idea of joining cycles).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kt_cp.arrays import Ints, Mask, unique, unique_rows
from kt_cp.methods.answers import Answer, exhausted, found, gave_up, out_of_time, refuted
from kt_cp.problem.task import EDGE, Clock, OutOfTimeError, Task
from kt_cp.proof.reason import Find
from kt_cp.proof.reasons import SLOW_REASONS, refute
from kt_cp.sat.cycle_cover import CycleCover
from kt_cp.sat.edges import EdgeGraph, EdgeSolver, edge_graph, propagate
from kt_cp.sat.formula import OutOfConflictsError
from kt_cp.sat.two_factors import maximum_flow, tighten

# The nodes of the first windows, and the factor by which windows grow when a round joined nothing.
_FIRST_WINDOW, _GROWTH = 60, 1.5

# The most nodes of a window in each attempt. A new attempt begins with another 2-factor, which
# helps more often than large windows do; those are the last resort.
_LARGEST_WINDOWS = (150, 250, 250, 250, 8_000)

# The limits on CaDiCaL's conflicts: in search of a 2-factor of a graph with odd cycles, which could
# take very long, and for each node of a window.
_COVER_CONFLICTS, _NODE_CONFLICTS = 20_000, 10


def answer(task: Task) -> Answer:
    """Return a tour, or a reason why there is none."""
    if task.clock.remaining < EDGE * len(task.instance.graph):
        return out_of_time(task.instance, task.clock)
    return patch_graph(edge_graph(task.instance), task.clock, task.seed, SLOW_REASONS)


def patch_graph(given: EdgeGraph, clock: Clock, seed: int, reasons: Sequence[Find] = ()) -> Answer:
    """Return the answer with a tour that uses only edges of a graph, and all that it requires.

    If the first attempt finds no tour, the ``reasons`` why there is none are tried before the next.
    """
    search = _PatchSearch(given, clock, seed, reasons)
    try:
        return search.answer()
    except OutOfTimeError:
        return out_of_time(given.instance, clock, search.counters)
    except OutOfConflictsError:
        why = f"no 2-factor after {_COVER_CONFLICTS:,} conflicts of CaDiCaL"
        return gave_up(given.instance, why, search.counters)


class _PatchSearch:
    """A search for a tour by attempts: a 2-factor each, whose cycles are joined.

    The ``counters`` have the number of cycles in the last 2-factor, and that of windows tried.
    """

    def __init__(self, given: EdgeGraph, clock: Clock, seed: int, reasons: Sequence[Find]) -> None:
        self.given, self.clock, self.seed, self.reasons = given, clock, seed, reasons
        self.instance = given.instance
        self.counters = {"cycles": 0, "windows": 0}

    def answer(self) -> Answer:
        """Return a tour, a reason why there is none, or how many cycles are left.

        Raises `OutOfTimeError` and `OutOfConflictsError`.
        """
        graph = propagate(self.given)
        if graph is None:
            return self._reason() or self._no_two_factor()
        if graph.undirected_requirements():
            return self._reason() or self._undirected_requirement()
        for attempt in range(len(_LARGEST_WINDOWS)):
            if attempt == 1:  # most instances with a tour need neither reasons nor tightening
                reason = self._reason()
                if reason is not None:
                    return reason
                graph = tighten(graph, self.clock)
                if graph is None:
                    return self._no_two_factor()
            cover = self._joined_two_factor(graph, attempt)
            if cover is None:
                return self._reason() or self._no_two_factor()
            if _is_one_cycle(cover):
                return self._found(cover)
        assert cover is not None
        return gave_up(self.instance, f"{len(cover.sizes)} cycles are left", self.counters)

    def _joined_two_factor(self, graph: EdgeGraph, attempt: int) -> CycleCover | None:
        """Return the 2-factor of an attempt with as few cycles as can be joined, or None.

        None proves that the graph has no 2-factor. Raises `OutOfTimeError`, and
        `OutOfConflictsError` if none is found within the limit of conflicts.
        """
        cover = self._two_factor(graph, self.seed + attempt)
        if cover is not None:
            self.counters["cycles"] = len(cover.sizes)
            self._join_cycles(cover, _LARGEST_WINDOWS[attempt])
        return cover

    def _two_factor(self, graph: EdgeGraph, seed: int) -> CycleCover | None:
        """Return a 2-factor: cycles that together visit all nodes; None if there is none.

        Raises `OutOfTimeError`, and `OutOfConflictsError` if none is found within the limit of
        conflicts.
        """
        flow = maximum_flow(graph, self.clock, seed)
        if flow is not None:
            self.clock.check()
            return CycleCover(graph, flow.two_factor) if flow.complete else None
        free, links = graph.edges[~graph.required], graph.edges[graph.required]
        solver = EdgeSolver(graph.nodes, free, links, self.clock, seed=seed)
        used = solver.choose(_COVER_CONFLICTS)
        return None if used is None else CycleCover(graph, np.concatenate([free[used], links]))

    def _join_cycles(self, cover: CycleCover, largest: int) -> None:
        """Join cycles by exchanges of edges and then in windows, which are counted.

        A window has at most ``largest`` nodes, or somewhat more in a huge graph. Raises
        `OutOfTimeError`.
        """
        rng = np.random.default_rng(self.seed)
        nodes = len(cover.order)
        max_size = min(max(largest, 2 * math.isqrt(nodes)), _GROWTH * nodes)
        size = float(_FIRST_WINDOW)
        cover.join(rng, self.clock)
        while not _is_one_cycle(cover) and size < max_size:
            cycles_before = len(cover.sizes)
            is_changed = np.zeros(nodes, dtype=np.bool_)  # nodes whose edges this round replaced
            for center in _centers(cover, rng):
                if is_changed[center]:
                    continue
                self.counters["windows"] += 1
                nearby = nodes_around(cover, center, int(size), is_changed)
                is_changed[join_in_window(cover, nearby, self.clock, self.seed)] = True
            cover.renumber()
            cover.join(rng, self.clock)
            if len(cover.sizes) >= cycles_before:
                size *= _GROWTH

    def _found(self, cover: CycleCover) -> Answer:
        """Return the answer that the only cycle of a cover is a tour."""
        return found(self.given.tour(cover.order), self.counters)

    def _reason(self) -> Answer | None:
        """Return the answer that there is no tour if one of the reasons applies, or None."""
        reason = refute(self.instance, self.clock, self.reasons)
        return None if reason is None else refuted(reason)

    def _no_two_factor(self) -> Answer:
        """Return the answer that there is no tour, since there is no 2-factor."""
        words = self.instance.graph.vocabulary
        how = f"no set of cycles covers the {words.graph}"
        return exhausted(self.instance, how, self.counters)

    def _undirected_requirement(self) -> Answer:
        """Return the answer that an edge required in either direction is not supported here."""
        words = self.instance.graph.vocabulary
        required = f"{words.an_edge} is required in either direction"
        why = f"{required} where {words.edges} have a direction"
        return gave_up(self.instance, why, self.counters)


def _is_one_cycle(cover: CycleCover) -> bool:
    """Return whether all cycles of a cover are joined."""
    return len(cover.sizes) == 1


def _centers(cover: CycleCover, rng: np.random.Generator) -> list[int]:
    """Return a random node at the border of each cycle but the largest."""
    borders = rng.permutation(cover.borders())
    _, first_of_cycle = np.unique(cover.label_of[borders], return_index=True)
    centers: list[int] = borders[first_of_cycle].tolist()
    return centers


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

    Return the nodes whose edges were replaced: none if no such choice is found within the limit of
    conflicts. Raises `OutOfTimeError`.
    """
    unchanged = np.empty(0, dtype=nodes.dtype)
    window = _patch_window(cover, nodes)
    if window is None:
        return unchanged
    edges = _edges_between(cover, window.nodes)
    solver = EdgeSolver(len(window.nodes), edges, window.links, clock, seed=seed)
    try:
        used = solver.solve(_NODE_CONFLICTS * len(window.nodes))
    except OutOfConflictsError:
        return unchanged
    if used is None:
        return unchanged
    window.replace_edges(cover, edges[used])
    return window.nodes


@dataclass(frozen=True)
class _PatchWindow:
    """The nodes between which edges are replaced, and the links between them, which stay.

    ``nodes`` are ascending. A link stands for a part of a cycle that stays: a path through nodes
    outside, or a required edge. Link i leads from ``tails[i]`` to ``heads[i]``;
    ``after_tails[i]`` is the node after its tail along the cycle, and ``before_heads[i]`` the node
    before its head.
    """

    nodes: Ints
    tails: Ints
    heads: Ints
    after_tails: Ints
    before_heads: Ints

    @property
    def links(self) -> Ints:
        """The links as rows of two indices of nodes."""
        return np.searchsorted(self.nodes, np.stack([self.tails, self.heads], axis=1))

    def replace_edges(self, cover: CycleCover, edges: Ints) -> None:
        """Use these edges, rows of two indices of nodes, in place of those that are no links."""
        low, high = self.nodes[edges].T
        # Every node is twice among the ends: once for each link or edge at it.
        ends = np.concatenate([self.tails, self.heads, low, high])
        neighbors = np.concatenate([self.after_tails, self.before_heads, high, low])
        by_end = np.argsort(ends, kind="stable")
        cover.cycle_neighbors[self.nodes] = neighbors[by_end].reshape(-1, 2)


def _patch_window(cover: CycleCover, nodes: Ints) -> _PatchWindow | None:
    """Return the window of some nodes, or None unless it contains free edges of two cycles.

    Cycles that consist of links only are left out.
    """
    nodes = cover.order[np.sort(cover.place_of[nodes])]  # in the order of their cycles
    labels = cover.label_of[nodes]
    following = _next_in_cycle(nodes, labels)
    after = cover.along(nodes, 1)
    is_link = (after != following) | ~cover.have_free_edge(nodes, after)
    # The cycles with a free edge.
    changeable = np.unique(labels[~is_link])
    if len(changeable) < 2:
        return None
    is_inside = np.isin(labels, changeable)
    is_link &= is_inside
    tails, heads = nodes[is_link], following[is_link]
    inside = np.sort(nodes[is_inside])
    return _PatchWindow(inside, tails, heads, after[is_link], cover.along(heads, -1))


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
