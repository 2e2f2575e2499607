"""Proofs by a few cases: in each, forced moves end in a contradiction that can be seen.

Two rules force moves of a closed tour: a square with two possible moves needs both, and a square
with two used moves takes no other. A move that would close a cycle too early is excluded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kt_cp.problem.instance import Instance

Edge = tuple[int, int]

_MAX_EDGES = 80  # of an instance for which cases are sought
_MAX_CASES = 3


@dataclass
class Case:
    """What follows from assumptions about moves: which are used, and which are excluded.

    ``assumed`` holds the moves on which the cases differ, and whether each is used. ``cycle`` are
    the used moves that close a cycle too early, and ``crowded`` is a square with other than two
    moves; a contradiction has one of them.
    """

    assumed: tuple[tuple[Edge, bool], ...]
    used: set[Edge] = field(default_factory=set)
    excluded: set[Edge] = field(default_factory=set)
    cycle: list[Edge] = field(default_factory=list)
    crowded: int | None = None

    @property
    def is_contradictory(self) -> bool:
        """Whether the assumptions allow no tour."""
        return bool(self.cycle) or self.crowded is not None


class _Moves:
    """The moves of an instance, at each square."""

    def __init__(self, instance: Instance) -> None:
        self.edges: list[Edge] = [(low, high) for low, high in instance.edges.tolist()]
        self.required = [(min(move[:2]), max(move[:2])) for move in instance.require]
        self.at: dict[int, list[Edge]] = {vertex: [] for vertex in instance.graph.vertices.tolist()}
        for edge in self.edges:
            for vertex in edge:
                self.at[vertex].append(edge)

    def case(self, assumed: tuple[tuple[Edge, bool], ...]) -> Case:
        """Return all that follows from assumptions by the two rules."""
        case = Case(assumed)
        case.used.update(self.required)
        for edge, is_used in assumed:
            (case.used if is_used else case.excluded).add(edge)
        while not case.is_contradictory and self._extend(case):
            pass
        return case

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
                case.used.update(possible)
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
    def _paths(used: set[Edge]) -> Iterator[list[int]]:
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


def few_cases(instance: Instance) -> list[Case]:
    """Return cases, each contradictory, one of which holds in any closed tour of an instance.

    There are at most three. Return an empty list if no such cases are found, and for an open tour.
    """
    if not instance.closed or len(instance.edges) > _MAX_EDGES:
        return []
    return _split(_Moves(instance), (), _MAX_CASES)


def _split(moves: _Moves, assumed: tuple[tuple[Edge, bool], ...], most: int) -> list[Case]:
    """Return at most ``most`` contradictory cases that cover the assumptions, or an empty list."""
    whole = moves.case(assumed)
    if whole.is_contradictory:
        return [whole]
    open_edges = [
        edge for edge in moves.edges if edge not in whole.used and edge not in whole.excluded
    ]
    if most == 1:
        return []
    failing: list[tuple[Edge, bool, Case]] = []
    for edge in open_edges:
        both = [moves.case((*assumed, (edge, is_used))) for is_used in (True, False)]
        if all(case.is_contradictory for case in both):
            return both
        failing += [(edge, not case.assumed[-1][1], case) for case in both if case.is_contradictory]
    for edge, is_used, case in failing:
        further = _split(moves, (*assumed, (edge, is_used)), most - 1)
        if further:
            return [case, *further]
    return []


def assumption_of(case: Case, names: Sequence[str]) -> str:
    """Return what a case assumes in words, such as ``with c3-e2``; ``names`` are those by id."""
    phrases = [
        f"{'with' if is_used else 'without'} {names[low]}-{names[high]}"
        for (low, high), is_used in case.assumed
    ]
    return " and ".join(phrases)
