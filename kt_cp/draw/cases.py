"""Proofs by a few cases: in each, forced moves end in a contradiction that can be seen.

Two rules force moves of a closed tour: a square with two possible moves needs both, and a square
with two used moves takes no other. A move that would close a cycle too early is excluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from kt_cp.graph import Graph
from kt_cp.problem.instance import Instance

Edge = tuple[int, int]

_MAX_EDGES = 80  # of an instance for which cases are sought
_MAX_CASES = 3
_MAX_SYMMETRIC = 30  # vertices of a graph whose symmetries are sought


@dataclass
class Case:
    """What follows from assumptions about moves: which are used, and which are excluded.

    ``assumed`` holds the moves on which the cases differ, and whether each is used. The moves in
    ``used`` are in the order in which they follow. ``cycle`` are the used moves that close a cycle
    too early, and ``crowded`` is a square with other than two moves; a contradiction has one of
    them.
    """

    assumed: tuple[tuple[Edge, bool], ...] = ()
    used: dict[Edge, None] = field(default_factory=dict)  # an ordered set
    excluded: set[Edge] = field(default_factory=set)
    cycle: list[Edge] = field(default_factory=list)
    crowded: int | None = None

    @property
    def is_contradictory(self) -> bool:
        """Whether the assumptions allow no tour."""
        return bool(self.cycle) or self.crowded is not None


@dataclass(frozen=True)
class CaseProof:
    """A proof that there is no closed tour: contradictory ``cases``, one of which would hold.

    The moves in ``common`` are used in every case. All cases assume that the edge ``omitted``, if
    any, is not used, since symmetries map any edge to any other, and a tour omits some edge.
    """

    cases: list[Case]
    common: frozenset[Edge]
    omitted: Edge | None = None


class _Moves:
    """The moves of an instance, at each square."""

    def __init__(self, instance: Instance) -> None:
        self.edges: list[Edge] = [(low, high) for low, high in instance.edges.tolist()]
        self.required = [(min(move[:2]), max(move[:2])) for move in instance.require]
        self.at: dict[int, list[Edge]] = {vertex: [] for vertex in instance.graph.vertices.tolist()}
        for edge in self.edges:
            for vertex in edge:
                self.at[vertex].append(edge)

    def start(self) -> Case:
        """Return all that follows without assumptions."""
        case = Case(used=dict.fromkeys(self.required))
        self._complete(case)
        return case

    def assume(self, known: Case, edge: Edge, *, is_used: bool) -> Case:
        """Return all that follows from a case and a further assumption."""
        case = Case((*known.assumed, (edge, is_used)), {**known.used}, {*known.excluded})
        if is_used:
            case.used[edge] = None
        else:
            case.excluded.add(edge)
        self._complete(case)
        return case

    def _complete(self, case: Case) -> None:
        """Apply the rules until they give nothing new, or a contradiction."""
        while not case.is_contradictory and self._extend(case):
            pass

    def _extend(self, case: Case) -> bool:
        """Apply the rules once; return whether anything new was found."""
        known = len(case.used) + len(case.excluded)
        for vertex, edges in self.at.items():
            used = [edge for edge in edges if edge in case.used]
            possible = [edge for edge in edges if edge not in case.excluded]
            if len(used) > 2 or len(possible) < 2:
                case.crowded = vertex
                return False
            if len(possible) == 2:
                case.used.update(dict.fromkeys(possible))
            elif len(used) == 2:
                case.excluded.update(edge for edge in edges if edge not in case.used)
        self._exclude_cycles(case)
        return len(case.used) + len(case.excluded) > known

    def _exclude_cycles(self, case: Case) -> None:
        """Exclude the moves that close a cycle too early; note a cycle of used moves."""
        for path in self._paths(case.used):
            if path[0] == path[-1] and len(path) <= len(self.at):
                case.cycle = [(min(pair), max(pair)) for pair in pairwise(path)]
            closing = (min(path[0], path[-1]), max(path[0], path[-1]))
            if 2 < len(path) < len(self.at) and closing not in case.used:
                case.excluded.add(closing)

    @staticmethod
    def _paths(used: Iterable[Edge]) -> Iterator[list[int]]:
        """Yield the paths of used moves; the last square of a cycle is its first one."""
        neighbors: dict[int, list[int]] = {}
        for low, high in used:
            neighbors.setdefault(low, []).append(high)
            neighbors.setdefault(high, []).append(low)
        seen: set[int] = set()
        by_degree = sorted(neighbors, key=lambda vertex: (len(neighbors[vertex]), vertex))
        for start in by_degree:  # the ends of paths come first
            if start in seen or len(neighbors[start]) > 2:
                continue
            path = [start]
            seen.add(start)
            while following := [each for each in neighbors[path[-1]] if each not in seen]:
                path.append(following[0])
                seen.add(following[0])
            if len(path) > 2 and path[0] in neighbors[path[-1]]:
                path.append(path[0])
            yield path


def few_cases(instance: Instance) -> CaseProof | None:
    """Return a proof by at most three cases that an instance has no closed tour, or None.

    None is also returned for open tours, for cycles that may leave vertices out, since such a cycle
    need not use two moves at each, and for more than 80 moves.
    """
    if not instance.closed or instance.allows_partial or len(instance.edges) > _MAX_EDGES:
        return None
    moves = _Moves(instance)
    start = moves.start()
    if cases := _split(moves, start, _MAX_CASES):
        return CaseProof(cases, frozenset(start.used))
    if instance.require or instance.forbid or not _are_edges_alike(instance.graph, moves.edges):
        return None
    omitted = moves.edges[0]
    start = moves.assume(start, omitted, is_used=False)
    if cases := _split(moves, start, _MAX_CASES):
        return CaseProof(cases, frozenset(start.used), omitted)
    return None


def _split(moves: _Moves, known: Case, most: int) -> list[Case]:
    """Return at most ``most`` contradictory cases that cover a case, or an empty list."""
    if known.is_contradictory:
        return [known]
    if most == 1:
        return []
    open_edges = [
        edge for edge in moves.edges if edge not in known.used and edge not in known.excluded
    ]
    failing: list[tuple[Case, Case]] = []  # with the opposite case
    for edge in open_edges:
        one, other = (moves.assume(known, edge, is_used=is_used) for is_used in (True, False))
        if one.is_contradictory and other.is_contradictory:
            return [one, other]
        if one.is_contradictory:
            failing.append((one, other))
        elif other.is_contradictory:
            failing.append((other, one))
    for case, opposite in failing:
        further = _split(moves, opposite, most - 1)
        if further:
            return [case, *further]
    return []


def _are_edges_alike(graph: Graph, edges: Sequence[Edge]) -> bool:
    """Return whether symmetries of a small graph map its first edge to any other.

    A closed tour must omit an edge, so there are more edges than vertices. False is returned for a
    board, which has no such symmetries, and for a graph that is not small.
    """
    if graph.has_places or not len(edges) > len(graph) <= _MAX_SYMMETRIC:
        return False
    import networkx as nx

    first, *others = (_with_marked_ends(edges, edge) for edge in edges)
    is_same = nx.isomorphism.categorical_node_match("is_end", False)
    return all(nx.is_isomorphic(first, other, node_match=is_same) for other in others)


def _with_marked_ends(edges: Sequence[Edge], edge: Edge) -> Any:
    """Return the graph of networkx with some edges, in which the ends of one edge are marked."""
    import networkx as nx

    graph = nx.Graph(edges)
    nx.set_node_attributes(graph, dict.fromkeys(edge, True), "is_end")
    return graph


def assumption_of(proof: CaseProof, case: Case, names: Sequence[str]) -> str:
    """Return what a case assumes in words, such as ``with c3-e2``; ``names`` are those by id."""
    phrases = [
        f"{'with' if is_used else 'without'} {names[low]}-{names[high]}"
        for (low, high), is_used in case.assumed
        if (low, high) != proof.omitted
    ]
    return " and ".join(phrases)
