"""Make a path or cycle longer by replacing one of its segments after the other.

A random segment is taken out, and a depth-first search of a few hundred nodes looks for another one
between the same squares, at most two moves longer; the last segment of a path may end on any
square. Segments that are as long are taken too, which changes what is free around the path. If
nothing has become longer for a while, the search restarts from a random part of the path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance
from kt_cp.tour.move_pairs import MovePairs, ends_of

# The most moves of a segment that is taken out, and the most moves that a replacement may add.
_LONGEST_SEGMENT, _MORE = 8, 2

# The share of the steps that replace the last segment of a path.
_LAST_SEGMENTS = 0.4

# The nodes of one search for a segment, and the steps without gain before a new beginning.
_NODES, _PATIENCE = 300, 2_000

# Larger graphs would take too much memory for the masks of edges that cross each other.
_MOST_VERTICES = 2_000


def can_replace_segments(instance: Instance) -> bool:
    """Return whether a path stays one of the instance when segments of it are replaced."""
    is_kept = all(
        bound.feature == "squares" or instance.has_no(bound.feature) for bound in instance.having
    )
    fixed = instance.require or instance.must_visit or instance.constrain
    has_end = instance.end is not None
    return is_kept and not fixed and not has_end and len(instance.graph) <= _MOST_VERTICES


@dataclass
class _Segment:
    """A segment that is looked for; ``inner`` are the squares of the longest one found so far.

    It has from ``least`` to ``most`` moves and leads to the ``target``, or to any square. The
    ``budget`` is the number of nodes that the search may still visit.
    """

    target: int | None
    least: int
    most: int
    budget: int = _NODES
    inner: list[int] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether a segment with the most moves is found."""
        return self.inner is not None and self.moves(self.inner) >= self.most

    def moves(self, inner: list[int]) -> int:
        """Return the number of moves of a segment with these squares between its ends."""
        return len(inner) + (0 if self.target is None else 1)

    def offer(self, inner: list[int]) -> None:
        """Keep these squares if they make a longer segment than those before."""
        is_longer = self.inner is None or len(inner) > len(self.inner)
        if is_longer and self.moves(inner) >= self.least:
            self.inner = list(inner)


@dataclass(frozen=True)
class _Kept:
    """The squares and the edges of what is left of a path, as the bits of two integers."""

    squares: int
    edges: int


class SegmentSearch:
    """A search for long paths or cycles of an instance, which may be uncrossed or induced.

    >>> from dataclasses import replace
    >>> instance = replace(Instance.of("4x4", uncrossed=True), allows_partial=True)
    >>> max(map(len, SegmentSearch(instance, seed=0).longer_tours(steps=500)))
    6
    """

    def __init__(self, instance: Instance, seed: int) -> None:
        self.instance, self.random = instance, Random(seed)
        self.is_induced = instance.has_no("chords")
        vertices = instance.graph.vertices.tolist()
        self.neighbors: dict[int, list[int]] = {vertex: [] for vertex in vertices}
        for source, target in instance.arcs.tolist():
            self.neighbors[source].append(target)
        self.adjacent_mask = dict.fromkeys(vertices, 0)  # a mask of the neighbors by any edge
        for source, target in instance.graph.arcs.tolist():
            self.adjacent_mask[source] |= 1 << target
            self.adjacent_mask[target] |= 1 << source
        self.edge_of: dict[tuple[int, int], int] = {}
        for number, (one, other) in enumerate(instance.edges.tolist()):
            self.edge_of[one, other] = self.edge_of[other, one] = number
        self.crossing_mask = [0] * len(
            instance.edges
        )  # for each edge a mask of those that it crosses
        if instance.has_no("crossings"):
            crossing = MovePairs(ends_of(instance.board, instance.edges)).crossing
            for one, other in crossing.tolist():
                self.crossing_mask[one] |= 1 << other
                self.crossing_mask[other] |= 1 << one

    def longer_tours(
        self, steps: int, tour: list[int] | None = None, clock: Clock | None = None
    ) -> Iterator[list[int]]:
        """Yield paths or cycles, each longer than the last, as ids in visiting order.

        The search begins with the given tour, if there is one. Raises `OutOfTimeError` at the
        clock's limit.
        """
        clock = clock or Clock()
        longest = 0 if tour is None else len(tour)
        idle = 0
        for _ in range(steps):
            clock.check()
            found = self._beginning() if tour is None else self._replaced(tour)
            if found is None:
                continue
            idle = 0 if tour is None or len(found) > len(tour) else idle + 1
            tour = found
            if len(tour) > longest:
                longest = len(tour)
                yield tour
            if idle > _PATIENCE:
                tour, idle = self._part_of(tour), 0

    def _beginning(self) -> list[int] | None:
        """Return the start or any square as a path, or a short cycle through it, if one is found.

        A cycle is made of a path of three squares and a segment that closes it.
        """
        start = self.instance.start
        path = [self.random.choice(list(self.neighbors)) if start is None else start]
        if not self.instance.closed:
            return path
        for _ in range(2):
            free = [each for each in self.neighbors[path[-1]] if each not in path]
            if not free:
                return None
            path.append(self.random.choice(free))
        return self._filled(path, [], _Segment(path[0], 1, _LONGEST_SEGMENT))

    def _part_of(self, tour: list[int]) -> list[int] | None:
        """Return a part of a path to begin with, or another short cycle, or the start again."""
        if self.instance.closed or self.instance.start is not None:
            return self._beginning()
        length = self.random.randint(1, max(1, len(tour) * 2 // 3))
        first = self.random.randrange(len(tour) - length + 1)
        return tour[first : first + length]

    def _replaced(self, tour: list[int]) -> list[int] | None:
        """Return the tour with another segment that is not shorter, or None if none is found."""
        moves = self.random.randint(1, _LONGEST_SEGMENT)
        if self.instance.closed:
            first = self.random.randrange(len(tour))
            moves = min(moves, len(tour) - 2)
            kept = (tour[first:] + tour[:first])[: len(tour) - moves + 1]
            return self._filled(kept, [], _Segment(kept[0], moves, moves + _MORE))
        may_reverse = self.instance.start is None and not self.instance.one_way
        if may_reverse and self.random.random() < 0.5:
            tour = tour[::-1]
        if len(tour) <= moves or self.random.random() < _LAST_SEGMENTS:
            kept = tour[: max(1, len(tour) - moves)]
            moves = len(tour) - len(kept)
            return self._filled(kept, [], _Segment(None, moves, moves + _MORE))
        first = self.random.randrange(len(tour) - moves)
        before, after = tour[: first + 1], tour[first + moves :]
        return self._filled(before, after, _Segment(after[0], moves, moves + _MORE))

    def _filled(self, before: list[int], after: list[int], wanted: _Segment) -> list[int] | None:
        """Return two parts of a tour with a segment between them, or None if none is found."""
        squares = edges = 0
        for part in (before, after):
            for square in part:
                squares |= 1 << square
            for edge in pairwise(part):
                edges |= 1 << self.edge_of[edge]
        self._extend(before[-1], [], _Kept(squares, edges), wanted)
        return None if wanted.inner is None else [*before, *wanted.inner, *after]

    def _extend(self, square: int, inner: list[int], used: _Kept, wanted: _Segment) -> None:
        """Extend a segment, depth first, until it has the most moves or the budget is spent."""
        wanted.budget -= 1
        target = wanted.target
        if target is None or self._allows(square, target, used):
            wanted.offer(inner)
        if wanted.moves(inner) >= wanted.most:
            if wanted.is_complete:
                wanted.budget = 0  # no segment is longer, so the search ends
            return
        if self.is_induced and target is not None and self.adjacent_mask[square] >> target & 1:
            return  # only the target can follow
        for each in self.random.sample(self.neighbors[square], len(self.neighbors[square])):
            if wanted.budget <= 0:
                return
            if used.squares >> each & 1 or not self._allows(square, each, used):
                continue
            if self.is_induced and self._has_chord(each, square, used, target):
                continue
            edge = self.edge_of[square, each]
            inner.append(each)
            self._extend(
                each, inner, _Kept(used.squares | 1 << each, used.edges | 1 << edge), wanted
            )
            inner.pop()

    def _allows(self, source: int, target: int, used: _Kept) -> bool:
        """Return whether a move leads from one square to the other and crosses no used edge."""
        if target not in self.neighbors[source]:
            return False
        edge = self.edge_of[source, target]
        return not (used.edges >> edge & 1 or used.edges & self.crossing_mask[edge])

    def _has_chord(self, square: int, source: int, used: _Kept, target: int | None) -> bool:
        """Return whether an edge joins a square to a used one other than its two neighbors."""
        neighbors = 1 << source
        if target is not None:
            neighbors |= 1 << target
        return bool(used.squares & self.adjacent_mask[square] & ~neighbors)
