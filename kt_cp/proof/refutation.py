"""Find the reason why an instance has no tour: `refute` tries all reasons, one after the other.

Reasons are for people. They are not complete: if none applies, only a search can decide. What a
program can check is a certificate: see `kt_cp.proof.producer`.

Beside the scans in `kt_cp.proof.reasons` and the separators there are proofs by a few cases: in
each, forced moves end in a contradiction that can be seen. Two rules force moves of a closed tour:
a square with two possible moves needs both, and a square with two used moves takes no other. A move
that would close a cycle too early is excluded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import numpy as np

from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.graph_algorithms import component_labels, find_subtour
from kt_cp.problem.constraints import Edge
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import SECONDS_IN_FLOWS, SECONDS_PER_SCANNED, Clock
from kt_cp.proof.reasons import (
    Reason,
    ReasonFinder,
    ReasonKind,
    colors,
    components,
    contradiction,
    degrees_of,
    forced_moves,
    low_degrees,
    misplaced_order,
    misplaced_steps,
    must_be_ends,
    no_symmetric_tour,
    one_way_squares,
    too_small,
)
from kt_cp.proof.separators import hidden_separator, too_few_moves, visible_separator

_MAX_EDGES = 80  # of an instance for which cases are sought
_MAX_CASES = 3
_MAX_SYMMETRIC = 30  # vertices of a graph whose symmetries are sought

# The most seconds that a search for a few cases, or a greedy one for separators, takes.
_SEARCH_SECONDS = 0.4


# -- a few cases ----------------------------------------------------------------------------------


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
    forced = moves.follow({(min(move[:2]), max(move[:2])): True for move in instance.require}, {})
    omitted: list[Edge] = []
    cases = _contradictory_cases(moves, forced, _MAX_CASES)
    if not (cases or instance.require or instance.forbid):
        if not _are_edges_alike(instance.graph, moves.edges):
            return None
        omitted = moves.edges[:1]
        forced = moves.follow({**forced.known_moves, omitted[0]: False}, {})
        cases = _contradictory_cases(moves, forced, _MAX_CASES)
    if not cases:
        return None
    common = () if len(cases) == 1 else tuple(forced.used)
    reasons = tuple(_reason_of(instance, moves, case, common) for case in cases)
    if not omitted and len(cases) == 1:
        return reasons[0]
    template = f"in each of {len(cases)} cases, forced $edges end in a contradiction"
    if omitted:
        alike = "symmetries map any $edge to any other, and a cycle omits some $edge"
        template = f"{alike}: let it omit {{omitted}}" + (f"; {template}" if len(cases) > 1 else "")
    moves_of_all = {"omitted": omitted, "forced": common}
    reason = Reason.of(ReasonKind.FORCED_MOVES, instance, template, moves_of_all)
    return replace(reason, cases=reasons)


@dataclass(frozen=True)
class _Case:
    """What follows from assumptions about moves: whether each known move is used, in order.

    ``assumed`` holds the moves on which the cases differ, and whether each is used. A contradictory
    case has a ``cycle`` of squares at which used moves close too early, or an ``unmet`` square with
    other than two moves.
    """

    known_moves: Mapping[Edge, bool]
    assumed: Mapping[Edge, bool]
    cycle: Sequence[int] = ()
    unmet: int | None = None

    @property
    def used(self) -> list[Edge]:
        """The moves in use, in the order in which they follow."""
        return [edge for edge, is_used in self.known_moves.items() if is_used]

    @property
    def is_contradictory(self) -> bool:
        return bool(self.cycle) or self.unmet is not None


class _Moves:
    """The moves of an instance, at each square."""

    def __init__(self, instance: Instance) -> None:
        self.area = instance.graph.area
        self.edges: list[Edge] = [(low, high) for low, high in instance.edges.tolist()]
        self.at: dict[int, list[Edge]] = {
            vertex: [edge for edge in self.edges if vertex in edge]
            for vertex in instance.graph.vertices.tolist()
        }

    def follow(self, given: Mapping[Edge, bool], assumed: Mapping[Edge, bool]) -> _Case:
        """Return all that follows from the given moves by the rules, up to a contradiction."""
        known_moves = {**given}
        before = -1
        while len(known_moves) > before:
            before = len(known_moves)
            for vertex, edges in self.at.items():
                used = sum(known_moves.get(edge, False) for edge in edges)
                possible = [edge for edge in edges if known_moves.get(edge, True)]
                if used > 2 or len(possible) < 2:
                    return _Case(known_moves, assumed, unmet=vertex)
                if len(possible) == 2 or used == 2:
                    for edge in edges:
                        known_moves.setdefault(edge, len(possible) == 2)
            used_edges = np.array(_Case(known_moves, assumed).used, dtype=np.int64).reshape(-1, 2)
            cycle = find_subtour(self.area, used_edges)
            if 0 < len(cycle) < len(self.at):
                return _Case(known_moves, assumed, cycle=cycle)
            if len(used_edges) < len(self.at) - 1:  # no path visits every square yet
                labels = component_labels(self.area, used_edges).tolist()
                for low, high in self.edges:
                    if labels[low] == labels[high]:
                        known_moves.setdefault((low, high), False)
        return _Case(known_moves, assumed)


def _contradictory_cases(moves: _Moves, case: _Case, most: int) -> list[_Case]:
    """Return at most ``most`` contradictory cases that cover a case, or an empty list.

    A move is used or not. If both lead to a contradiction, these are two cases; if only one does,
    the opposite is divided further.
    """
    if case.is_contradictory:
        return [case]
    if most == 1:
        return []
    failing: list[tuple[_Case, _Case]] = []  # with the opposite case
    for edge in moves.edges:
        if edge in case.known_moves:
            continue
        used, unused = (
            moves.follow({**case.known_moves, edge: is_used}, {**case.assumed, edge: is_used})
            for is_used in (True, False)
        )
        if used.is_contradictory and unused.is_contradictory:
            return [used, unused]
        if used.is_contradictory:
            failing.append((used, unused))
        elif unused.is_contradictory:
            failing.append((unused, used))
    for one, opposite in failing:
        if further := _contradictory_cases(moves, opposite, most - 1):
            return [one, *further]
    return []


def _reason_of(instance: Instance, moves: _Moves, case: _Case, common: Sequence[Edge]) -> Reason:
    """Return the reason why a case is impossible, which begins with what it assumes."""
    named = {
        word: [edge for edge, is_used in case.assumed.items() if is_used == (word == "with")]
        for word in ("with", "without")
    }
    assumed = " and ".join(f"{word} {{{word}}}" for word, edges in named.items() if edges)
    named["forced"] = [each for each in case.used if each not in (*common, *named["with"])]
    if case.unmet is None:
        groups = {"squares": case.cycle}
        named["contradiction"] = [edge for edge in case.used if {*edge} <= {*case.cycle}]
        why = "forced $edges at {squares} close a cycle before every $vertex is visited"
    else:
        groups = {"square": [case.unmet]}
        around = moves.at[case.unmet]
        named["contradiction"] = [edge for edge in around if case.known_moves.get(edge, True)]
        named["excluded"] = [edge for edge in around if not case.known_moves.get(edge, True)]
        used = sum(case.known_moves.get(edge, False) for edge in around)
        why = f"{{square}} would have {used} $edges, and a tour uses two"
        if used <= 2:
            others = "its others lead to $vertices that have two, or close a cycle too early"
            why = f"{{square}} has fewer than two $edges left, as {others}"
    template = f"{assumed}, {why}" if assumed else why
    return Reason.of(ReasonKind.FORCED_MOVES, instance, template, named, **groups)


def _are_edges_alike(graph: Graph, edges: Sequence[Edge]) -> bool:
    """Return whether symmetries of a small graph map its first edge to any other.

    A closed tour must omit an edge, so there are more edges than vertices. False is returned for a
    board, which has no such symmetries, for a graph that is not small, and without networkx.
    """
    if graph.has_places or len(graph) > _MAX_SYMMETRIC or len(edges) <= len(graph):
        return False
    if find_spec("networkx") is None:
        return False
    import networkx as nx

    def with_marked_ends(edge: Edge) -> Any:
        marked = nx.Graph(edges)
        nx.set_node_attributes(marked, dict.fromkeys(edge, True), "is_end")
        return marked

    first, *others = map(with_marked_ends, edges)
    is_same = nx.isomorphism.categorical_node_match("is_end", False)
    return all(nx.is_isomorphic(first, other, node_match=is_same) for other in others)


# -- reasons that rest on others ------------------------------------------------------------------


def schwenk(instance: Instance) -> Reason | None:
    """Return the reason that a full rectangle has no closed tour by Schwenk's theorem.

    A. J. Schwenk, Which Rectangular Chessboards Have a Knight's Tour?, Mathematics Magazine 64
    (1991): m x n, m ≤ n, has one unless m and n are odd; m is 1, 2 or 4; or m is 3 and n is 4, 6
    or 8.
    """
    if not (instance.closed and instance.graph.has_places):
        return None
    board = instance.board
    short, long = sorted(board.shape)
    if board != Board(board.rows, board.columns):
        return None
    reason = None
    if short % 2 and long % 2:
        case = "both sides are odd"
    elif short in (1, 2, 4):
        case = "one side is 1, 2 or 4"
    elif short == 3 and long in (4, 6, 8):
        case = "one side is 3 and the other 4, 6 or 8"
        reason = few_cases(instance)
    else:
        return None
    text = f"Schwenk's theorem (1991): no closed tour, as {case}"
    if reason is None:
        return Reason(ReasonKind.SCHWENK, board, text)
    return replace(reason, kind=ReasonKind.SCHWENK, template=f"{text}; {reason.template}")


def degree_one_ends(instance: Instance) -> Reason | None:
    """Return a reason that follows from vertices of degree one being ends of the tour, or None."""
    graph = instance.graph
    if instance.direction_matters or not instance.free_end_count or len(graph) == 1:
        return None
    has_degree_one = degrees_of(graph, instance.edges) == 1
    others = np.setdiff1d(np.flatnonzero(has_degree_one), instance.ends).tolist()
    if not 0 < len(others) <= instance.free_end_count:
        return None
    ends = [*instance.ends, *others]  # one or two
    end = ends[1] if len(ends) == 2 else None
    with_ends = Instance(graph, False, ends[0], end, instance.require, instance.forbid)
    for find in (colors, forced_moves, visible_separator):
        if reason := find(with_ends):
            template = f"{must_be_ends('degree_one', len(others))}; "
            forced = Reason.of(reason.kind, instance, template, degree_one=others)
            return replace(
                reason,
                template=forced.template + reason.template,
                groups={**forced.groups, **reason.groups},
            )
    return None


# Each of these scans the squares and moves, mostly in NumPy.
QUICK_REASONS: tuple[ReasonFinder, ...] = (
    too_small,
    contradiction,
    colors,
    low_degrees,
    one_way_squares,
    components,
    schwenk,
    no_symmetric_tour,
    misplaced_steps,
    misplaced_order,
    forced_moves,
)

# These compute maximum flows or search the graph, which often takes longer than finding a tour.
SLOW_REASONS: tuple[ReasonFinder, ...] = (
    degree_one_ends,
    visible_separator,
    too_few_moves,
    few_cases,
    hidden_separator,
)

REASONS = (*QUICK_REASONS, *SLOW_REASONS)

# The only reasons that apply to full rectangles with sides from 6 on; they need no list of moves.
RECTANGLE_REASONS = (too_small, colors, schwenk)


def refute(
    instance: Instance, clock: Clock | None = None, reasons: Sequence[ReasonFinder] = REASONS
) -> Reason | None:
    """Return the first reason that applies, or None if none does.

    A reason that may take longer than the clock has left is skipped.

    >>> from kt_cp.board import Board
    >>> print(refute(Instance(Board(4, 8), closed=True)))
    Schwenk's theorem (1991): no closed tour, as one side is 1, 2 or 4
    >>> print(refute(Instance(Board(9, 9), start=1)))
    moves alternate between 41 dark and 40 light squares, so an open tour starts and ends on dark; \
b9 is light
    >>> refute(Instance(Board(8, 8), closed=True)) is None
    True
    """
    for find in reasons:
        if clock is not None and clock.remaining <= _seconds(find, instance):
            continue
        reason = find(instance)
        if reason is not None:
            return reason
    return None


def _seconds(find: ReasonFinder, instance: Instance) -> float:
    """Return an upper estimate of the seconds a reason takes, as none can be interrupted."""
    if find in (few_cases, hidden_separator):
        return _SEARCH_SECONDS
    count = len(instance.graph)
    if find in SLOW_REASONS:
        return SECONDS_IN_FLOWS * count
    return SECONDS_PER_SCANNED * count
