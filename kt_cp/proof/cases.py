"""Reasons by a few cases: in each, forced moves end in a contradiction that can be seen.

Two rules force moves of a closed tour: a square with two possible moves needs both, and a square
with two used moves takes no other. A move that would close a cycle too early is excluded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels, find_subtour
from kt_cp.problem.instance import Instance
from kt_cp.proof.reason import Edge, Reason, ReasonKind

_MAX_EDGES = 80  # of an instance for which cases are sought
_MAX_CASES = 3
_MAX_SYMMETRIC = 30  # vertices of a graph whose symmetries are sought


def few_cases(instance: Instance) -> Reason | None:
    """Return the reason that at most three cases, one of which would hold, are contradictory.

    The reason lists the ``cases``, each with a reason of its own. These have the groups of moves
    ``with`` and ``without`` (what the case assumes), ``forced`` (what follows, in order),
    ``contradiction`` (a cycle that closes too early, or the possible moves at the square of the
    group ``square``), and ``excluded`` (the other moves there). The moves ``forced`` of the whole
    reason are used in every case. All cases may assume that the move ``omitted`` is not used, if
    symmetries map any edge to any other, since a tour omits some edge. A single case is returned
    by itself.

    None is returned for open tours, for cycles that may leave vertices out, since such a cycle need
    not use two moves at each, and for more than 80 moves.

    >>> print(few_cases(Instance.of("3x8", closed=True, require=["b3-d2"])))
    d2 has fewer than two moves left, as its others lead to squares that have two, or close a \
cycle too early
    """
    if not instance.closed or instance.allows_partial or len(instance.edges) > _MAX_EDGES:
        return None
    moves = _Moves(instance)
    required = [(min(move[:2]), max(move[:2])) for move in instance.require]
    known = moves.follow(_Case(dict.fromkeys(required, True)))
    omitted: list[Edge] = []
    cases = _split(moves, known, _MAX_CASES)
    if not (cases or instance.require or instance.forbid):
        if not _are_edges_alike(instance.graph, moves.edges):
            return None
        omitted = moves.edges[:1]
        known = moves.follow(_Case({**known.known, omitted[0]: False}))
        cases = _split(moves, known, _MAX_CASES)
    if not cases:
        return None
    common = () if len(cases) == 1 else tuple(known.used)
    reasons = tuple(_reason_of(instance, moves, case, common) for case in cases)
    if not omitted and len(cases) == 1:
        return reasons[0]
    words = instance.graph.vocabulary
    template = f"in each of {len(cases)} cases, forced {words.edges} end in a contradiction"
    if omitted:
        alike = f"symmetries map any {words.edge} to any other, and a cycle omits some {words.edge}"
        template = f"{alike}: let it omit {{omitted}}" + (f"; {template}" if len(cases) > 1 else "")
    reason = Reason(ReasonKind.FORCED_MOVES, instance.graph, template, cases=reasons)
    return reason.with_moves(omitted=omitted, forced=common)


@dataclass
class _Case:
    """What follows from assumptions about moves: whether each known move is used, in order.

    ``assumed`` holds the moves on which the cases differ, and whether each is used. ``cycle`` lists
    the squares at which used moves close a cycle too early, and ``crowded`` is a square with
    other than two moves; a contradiction has one of them.
    """

    known: dict[Edge, bool]
    assumed: tuple[tuple[Edge, bool], ...] = ()
    cycle: list[int] = field(default_factory=list)
    crowded: int | None = None

    @property
    def used(self) -> list[Edge]:
        """The moves in use, in the order in which they follow."""
        return [edge for edge, is_used in self.known.items() if is_used]

    @property
    def is_contradictory(self) -> bool:
        return bool(self.cycle) or self.crowded is not None


class _Moves:
    """The moves of an instance, at each square."""

    def __init__(self, instance: Instance) -> None:
        self.area = instance.graph.area
        self.edges: list[Edge] = [(low, high) for low, high in instance.edges.tolist()]
        self.at: dict[int, list[Edge]] = {vertex: [] for vertex in instance.graph.vertices.tolist()}
        for edge in self.edges:
            for vertex in edge:
                self.at[vertex].append(edge)

    def assume(self, known: _Case, edge: Edge, is_used: bool) -> _Case:
        """Return all that follows from a case and a further assumption."""
        assumed = (*known.assumed, (edge, is_used))
        return self.follow(_Case({**known.known, edge: is_used}, assumed))

    def follow(self, case: _Case) -> _Case:
        """Apply the rules to a case until they give nothing new, or a contradiction; return it."""
        known, before = case.known, -1
        while not case.is_contradictory and len(known) > before:
            before = len(known)
            for vertex, edges in self.at.items():
                used = sum(known.get(edge, False) for edge in edges)
                possible = [edge for edge in edges if known.get(edge, True)]
                if used > 2 or len(possible) < 2:
                    case.crowded = vertex
                    return case
                if len(possible) == 2 or used == 2:
                    for edge in edges:
                        known.setdefault(edge, len(possible) == 2)
            used_edges = np.array(case.used, dtype=np.int64).reshape(-1, 2)
            cycle = find_subtour(self.area, used_edges)
            case.cycle = cycle if len(cycle) < len(self.at) else []
            if len(used_edges) < len(self.at) - 1:  # no path visits every square yet
                labels = component_labels(self.area, used_edges).tolist()
                for low, high in self.edges:
                    if labels[low] == labels[high]:
                        known.setdefault((low, high), False)
        return case


def _split(moves: _Moves, known: _Case, most: int) -> list[_Case]:
    """Return at most ``most`` contradictory cases that cover a case, or an empty list."""
    if known.is_contradictory:
        return [known]
    if most == 1:
        return []
    failing: list[tuple[_Case, _Case]] = []  # with the opposite case
    for edge in moves.edges:
        if edge not in known.known:
            both = [moves.assume(known, edge, is_used) for is_used in (True, False)]
            one, other = sorted(both, key=lambda case: not case.is_contradictory)
            if other.is_contradictory:
                return both
            if one.is_contradictory:
                failing.append((one, other))
    for case, opposite in failing:
        further = _split(moves, opposite, most - 1)
        if further:
            return [case, *further]
    return []


def _reason_of(instance: Instance, moves: _Moves, case: _Case, common: Sequence[Edge]) -> Reason:
    """Return the reason why a case is impossible, which begins with what it assumes."""
    words = instance.graph.vocabulary
    named = {
        "with": [edge for edge, is_used in case.assumed if is_used],
        "without": [edge for edge, is_used in case.assumed if not is_used],
    }
    assumed = " and ".join(f"{word} {{{word}}}" for word, edges in named.items() if edges)
    named["forced"] = [each for each in case.used if each not in (*common, *named["with"])]
    if case.crowded is None:
        groups = {"squares": tuple(case.cycle)}
        named["contradiction"] = [edge for edge in case.used if {*edge} <= {*case.cycle}]
        every = f"before every {words.vertex} is visited"
        why = f"forced {words.edges} at {{squares}} close a cycle {every}"
    else:
        groups = {"square": (case.crowded,)}
        around = moves.at[case.crowded]
        named["contradiction"] = [edge for edge in around if case.known.get(edge, True)]
        named["excluded"] = [edge for edge in around if not case.known.get(edge, True)]
        used = sum(case.known.get(edge, False) for edge in around)
        why = f"{{square}} would have {used} {words.edges}, and a tour uses two"
        if used <= 2:
            others = (
                f"its others lead to {words.vertices} that have two, or close a cycle too early"
            )
            why = f"{{square}} has fewer than two {words.edges} left, as {others}"
    template = f"{assumed}, {why}" if assumed else why
    reason = Reason(ReasonKind.FORCED_MOVES, instance.graph, template, groups)
    return reason.with_moves(**named)


def _are_edges_alike(graph: Graph, edges: Sequence[Edge]) -> bool:
    """Return whether symmetries of a small graph map its first edge to any other.

    A closed tour must omit an edge, so there are more edges than vertices. False is returned for a
    board, which has no such symmetries, and for a graph that is not small.
    """
    if graph.has_places or not len(edges) > len(graph) <= _MAX_SYMMETRIC:
        return False
    import networkx as nx

    def with_marked_ends(edge: Edge) -> Any:
        marked = nx.Graph(edges)
        nx.set_node_attributes(marked, dict.fromkeys(edge, True), "is_end")
        return marked

    first, *others = map(with_marked_ends, edges)
    is_same = nx.isomorphism.categorical_node_match("is_end", False)
    return all(nx.is_isomorphic(first, other, node_match=is_same) for other in others)
