"""Make a path or cycle longer by replacing one of its segments after the other.

A random segment is taken out, and a depth-first search of a few hundred nodes looks for another one
between the same squares, at most two moves longer; the last segment of a path may end on any
square. Segments that are as long are taken too, which changes what is free around the path. If
nothing has become longer for a while, the search restarts from a random part of the path, or from
one of the cycle that a short segment closes.

What a path takes is one integer, its mask: a bit for each square that it visits or, if the path is
induced, must not visit, and above them a bit for each edge that it uses or crosses. So one
operation tells whether a move is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from random import Random
from typing import NamedTuple

from kt_cp.problem.constraints import Bound
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.tour.features import MovePairs, ends_of
from kt_cp.tour.validator import FEWEST_CLOSED

# The most moves of a segment that is taken out, and the most moves that a replacement may add.
_MAX_SEGMENT_MOVES, _MAX_ADDED_MOVES = 8, 2

# The share of the steps that replace the last segment of a path.
_LAST_SEGMENT_SHARE = 0.4

# The most nodes of one search for a segment, and the steps without a longer tour before a restart.
_SEARCH_BUDGET, _PATIENCE = 300, 1_000

# After a restart at most this share of a path is left, and of a cycle a share between these two.
_MAX_SHARE_OF_PATH = 2 / 3
_SHARES_OF_CYCLE = 3 / 5, 4 / 5

# How many random parts of a cycle to try to close by a short segment before the search begins with
# a new cycle.
_CLOSING_ATTEMPTS = 20

# The search draws from this number of random orders of the moves from a square: making a new order
# for each node would take longer than trying its moves.
_ORDERS_PER_SQUARE = 16

# The most vertices: the masks of larger graphs would take too much memory.
_MAX_VERTICES = 2_000

_Pair = tuple[int, int]


def can_replace_segments(instance: Instance) -> bool:
    """Return whether no constraint but a bound on the squares can exclude a replaced segment.

    It is also False if the graph is too large.
    """
    fixed = instance.require or instance.must_visit or instance.symmetry or instance.constrain
    return (
        all(_is_met_by_segments(bound) for bound in instance.having)
        and not fixed
        and instance.last is None
        and len(instance.graph) <= _MAX_VERTICES
    )


def _is_met_by_segments(bound: Bound) -> bool:
    """Return whether a bound is one on the squares, or excludes crossings or chords.

    Segments with crossings or chords are excluded by masks.
    """
    if bound.feature in ("crossings", "chords"):
        return bound.limits[1] == 0
    return bound.feature == "squares"


class _Move(NamedTuple):
    """A move to a target: the mask of what must be free for it, and of what it takes."""

    target: int
    needs: int
    takes: int


@dataclass
class _Segment:
    """A segment that is looked for; ``inner`` are the squares of the longest one found so far.

    It has from ``least`` to ``most`` moves and leads to the ``target``, or to any square. The
    ``budget`` is the number of nodes that the search may still visit. The segment ``is_complete``
    if it has the most moves, which ends the search.
    """

    target: int | None
    least: int
    most: int
    budget: int = _SEARCH_BUDGET
    inner: list[int] | None = None
    is_complete: bool = False

    def length_with(self, inner: list[int]) -> int:
        """Return the number of moves of a segment with these squares between its ends."""
        return len(inner) + (0 if self.target is None else 1)

    def offer(self, inner: list[int]) -> None:
        """Keep these squares if they make a longer segment than those before."""
        is_longer = self.inner is None or len(inner) > len(self.inner)
        length = self.length_with(inner)
        if is_longer and length >= self.least:
            self.inner = list(inner)
            self.is_complete = length >= self.most


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
        self.neighbor_mask = _masks_of_neighbors(instance)
        bit_of_edge = _bits_of_edges(instance)
        self.mask_of_edge = _masks_of_edges(instance, bit_of_edge)
        self.bit_of_arc: dict[_Pair, int] = {}
        moves: dict[int, list[_Move]] = {square: [] for square in self.neighbor_mask}
        for source, target in instance.arcs.tolist():
            bit = bit_of_edge[source, target]
            self.bit_of_arc[source, target] = bit
            takes = self.mask_of_edge[source, target] | 1 << target
            if self.is_induced:  # a path that goes on does not return to a neighbor of the source
                takes |= self.neighbor_mask[source]
            moves[source].append(_Move(target, bit | 1 << target, takes))
        # For each square some orders of its moves, one of which is chosen at random each time.
        self.move_orders = {
            square: [self.random.sample(each, len(each)) for _ in range(_ORDERS_PER_SQUARE)]
            for square, each in moves.items()
        }

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
            before = tour
            tour = self._beginning() if before is None else self._replaced(before) or before
            if tour is None:
                continue
            is_longer = before is None or len(tour) > len(before)
            idle = 0 if is_longer else idle + 1
            if len(tour) > longest:
                longest = len(tour)
                yield tour
            if idle > _PATIENCE:
                tour, idle = self._part_of(tour), 0

    def _beginning(self) -> list[int] | None:
        """Return a path of one square, or for closed tours a short cycle; None if none is found.

        A cycle is made of a path of three squares and a segment that closes it.
        """
        start = self.instance.first
        path = [self.random.choice(list(self.move_orders)) if start is None else start]
        if not self.instance.closed:
            return path
        for _ in range(2):
            after = [
                each.target for each in self.move_orders[path[-1]][0] if each.target not in path
            ]
            if not after:
                return None
            path.append(self.random.choice(after))
        return self._closed(path, 1, _MAX_SEGMENT_MOVES)

    def _part_of(self, tour: list[int]) -> list[int] | None:
        """Return a random part of a path; that of a cycle is closed by a short segment.

        Return None if no segment is found.
        """
        if not self.instance.closed:
            length = self.random.randint(1, max(1, int(len(tour) * _MAX_SHARE_OF_PATH)))
            first = self.random.randrange(len(tour) - length + 1)
            if self.instance.first is not None:
                first = 0
            return tour[first : first + length]
        for _ in range(_CLOSING_ATTEMPTS):
            first = self.random.randrange(len(tour))
            share = self.random.uniform(*_SHARES_OF_CYCLE)
            length = max(FEWEST_CLOSED, int(len(tour) * share))
            part = (tour[first:] + tour[:first])[:length]
            closed = self._closed(part, 1, _MAX_SEGMENT_MOVES)
            if closed is not None:
                return closed
        return None

    def _replaced(self, tour: list[int]) -> list[int] | None:
        """Return the tour with another segment that is not shorter, or None if none is found."""
        length = self.random.randint(1, _MAX_SEGMENT_MOVES)
        if self.instance.closed:
            first = self.random.randrange(len(tour))
            length = min(length, len(tour) - 2)
            kept = (tour[first:] + tour[:first])[: len(tour) - length + 1]
            return self._closed(kept, length, length + _MAX_ADDED_MOVES)
        may_reverse = self.instance.first is None and not self.instance.one_way
        if may_reverse and self.random.random() < 0.5:
            tour = tour[::-1]
        if len(tour) <= length or self.random.random() < _LAST_SEGMENT_SHARE:
            kept = tour[: max(1, len(tour) - length)]
            length = len(tour) - len(kept)
            return self._continued(kept, length, length + _MAX_ADDED_MOVES)
        first = self.random.randrange(len(tour) - length)
        before, after = tour[: first + 1], tour[first + length :]
        return self._joined(before, after, _Segment(after[0], length, length + _MAX_ADDED_MOVES))

    def _closed(self, path: list[int], least: int, most: int) -> list[int] | None:
        """Return the cycle of a path and a segment of so many moves, or None if none is found."""
        return self._joined(path, [], _Segment(path[0], least, most))

    def _continued(self, path: list[int], least: int, most: int) -> list[int] | None:
        """Return a path with a segment of so many moves at its end, or None if none is found."""
        return self._joined(path, [], _Segment(None, least, most))

    def _joined(self, before: list[int], after: list[int], wanted: _Segment) -> list[int] | None:
        """Return two parts of a tour with a segment between them, or None if none is found."""
        taken = self._taken(before, after, wanted.target)
        self._extend(before[-1], [], taken, wanted)
        return None if wanted.inner is None else [*before, *wanted.inner, *after]

    def _taken(self, before: list[int], after: list[int], target: int | None) -> int:
        """Return the mask of what is taken by two parts of a tour, between which one is missing."""
        taken = 0
        for square in chain(before, after):
            taken |= 1 << square
            # The segment may touch the two squares that it joins, and no other.
            if self.is_induced and square not in (before[-1], target):
                taken |= self.neighbor_mask[square]
        for edge in chain(pairwise(before), pairwise(after)):
            taken |= self.mask_of_edge[edge]
        return taken

    def _extend(self, square: int, inner: list[int], taken: int, wanted: _Segment) -> None:
        """Extend a segment, depth first, until it is complete or the budget is spent."""
        wanted.budget -= 1
        target = wanted.target
        if target is None or self._leads_to(target, square, taken):
            wanted.offer(inner)
        if wanted.length_with(inner) >= wanted.most:
            return
        if self.is_induced and target is not None and self.neighbor_mask[square] >> target & 1:
            return  # only the target can follow
        order = int(self.random.random() * _ORDERS_PER_SQUARE)  # faster than `random.choice`
        moves = self.move_orders[square][order]
        for after, needs, takes in moves:
            if wanted.is_complete or wanted.budget <= 0:
                return
            if not taken & needs:
                inner.append(after)
                self._extend(after, inner, taken | takes, wanted)
                inner.pop()

    def _leads_to(self, target: int, square: int, taken: int) -> bool:
        """Return whether a move leads from a square to the target, and nothing is in its way."""
        bit = self.bit_of_arc.get((square, target))
        return bit is not None and not taken & bit


def _masks_of_neighbors(instance: Instance) -> dict[int, int]:
    """Return for each square a mask of its neighbors by any edge, also by a forbidden one."""
    masks = dict.fromkeys(instance.graph.vertices.tolist(), 0)
    for source, target in instance.graph.arcs.tolist():
        masks[source] |= 1 << target
        masks[target] |= 1 << source
    return masks


def _bits_of_edges(instance: Instance) -> dict[_Pair, int]:
    """Return the bit of each edge, in both directions. The bits of squares are lower."""
    bits: dict[_Pair, int] = {}
    for number, (one, other) in enumerate(instance.edges.tolist()):
        bits[one, other] = bits[other, one] = 1 << (instance.graph.area + number)
    return bits


def _masks_of_edges(instance: Instance, bit_of_edge: dict[_Pair, int]) -> dict[_Pair, int]:
    """Return a mask of what each edge takes, in both directions.

    It takes itself and, if no moves may cross, the edges that it crosses.
    """
    pairs = [(one, other) for one, other in instance.edges.tolist()]
    masks = [bit_of_edge[pair] for pair in pairs]
    if instance.has_no("crossings"):
        crossing = MovePairs(ends_of(instance.board, instance.edges)).crossing
        for first, second in crossing.tolist():
            masks[first] |= bit_of_edge[pairs[second]]
            masks[second] |= bit_of_edge[pairs[first]]
    mask_of_edge: dict[_Pair, int] = {}
    for (one, other), mask in zip(pairs, masks, strict=True):
        mask_of_edge[one, other] = mask_of_edge[other, one] = mask
    return mask_of_edge
