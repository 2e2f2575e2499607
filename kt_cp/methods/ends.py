"""Give a tour other ends by local changes.

Pósa rotations (see `kt_cp.methods.rotations`) move each end near the square that is asked for. Then
CaDiCaL chooses other moves between squares near the ends, and all other moves stay.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from dataclasses import dataclass
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Squares, rotated
from kt_cp.board import Board
from kt_cp.methods.contraction import ContractedCycle
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.sat.edges import EdgeSolver, cycle_neighbors, cycles
from kt_cp.sat.formula import OutOfConflictsError

# The seconds for each square of a tour in an attempt to move its ends.
_MOVED_SQUARE = 2e-8

# In one attempt after the other, moves are replaced between squares within this many rows and
# columns of an end.
_DISTANCES = (3, 4, 6, 9)

# The limit on CaDiCaL's conflicts in an attempt, for each square.
_CONFLICTS = 100

# Rotations for each row or column that the end is away, and the share chosen at random.
_ROTATIONS_PER_ROW, _RANDOM_SHARE = 10, 0.05


def with_ends(instance: Instance, tour: Squares, clock: Clock, seed: int) -> Squares | None:
    """Return an open tour with the ends of the instance, or None if no change gives such a tour.

    ``tour`` holds the ids of any tour of the board, open or closed, in visiting order. The instance
    has no constraints but its ends. Raises `OutOfTimeError`.
    """
    for given in (tour, tour[::-1]):
        if instance.satisfied_by(given):
            return given
    clock.check(_MOVED_SQUARE * len(tour))
    tour = _with_ends_nearby(instance, tour, Random(seed))
    for distance in _DISTANCES:
        clock.check(_MOVED_SQUARE * len(tour))
        region = _EndRegion(instance, tour, distance)
        changed = region.changed_tour(clock, seed)
        if changed is not None:
            return changed
    return None


def _with_ends_nearby(instance: Instance, tour: Squares, random: Random) -> Squares:
    """Return a tour whose ends are near those that the instance asks for, one or both."""
    board = instance.board
    if _is_start_better(board, tour, instance.ends[0]):
        tour = tour[::-1]
    for target in instance.ends:
        path = _RotatedPath(board, tour)
        path.move_near(target, _DISTANCES[0], random)
        tour = path.tour()[::-1]  # so that the other end is moved next
    return tour


def _is_start_better(board: Board, tour: Squares, target: int) -> bool:
    """Return whether the start of a tour can be moved to a square better than its end can."""
    start, end = int(tour[0]), int(tour[-1])
    if _color(board, start) != _color(board, end):  # rotations keep the color
        return _color(board, start) == _color(board, target)
    return _distance(board, start, target) < _distance(board, end, target)


@dataclass(slots=True, eq=False)
class _Segment:
    """Consecutive squares of the old tour, from one index in it to another, in either direction."""

    first: int
    last: int

    @property
    def direction(self) -> int:
        """1 if the squares are visited in the order of the old tour, and -1 if backward."""
        return 1 if self.first < self.last else -1


class _RotatedPath:
    """A tour of which one end moves by Pósa rotations, as a list of segments of the old tour.

    A rotation reverses the segments after a square, in time proportional to their number.
    """

    def __init__(self, board: Board, tour: Squares) -> None:
        self.board, self.old = board, tour
        self.old_index = np.empty(board.area, dtype=np.int32)
        """The index in the old tour of each square, by its id."""
        self.old_index[tour] = np.arange(len(tour), dtype=np.int32)
        self.segments = [_Segment(0, len(tour) - 1)]
        """The segments in visiting order."""
        self.lows = [0]
        """The lowest index of each segment, in ascending order."""
        self.by_low = {0: self.segments[0]}
        """The segment with each lowest index."""

    @property
    def end(self) -> int:
        """The square at the end that moves."""
        return int(self.old[self.segments[-1].last])

    def move_near(self, target: int, distance: int, random: Random) -> None:
        """Rotate until the end is within a distance of the target, or a limit is reached."""
        tries = _ROTATIONS_PER_ROW * (_distance(self.board, self.end, target) + distance)
        while tries > 0 and _distance(self.board, self.end, target) > distance:
            tries -= 1
            pivots = self._pivots(target, random)
            if not pivots:
                return
            is_random = random.random() < _RANDOM_SHARE
            _, pivot = random.choice(pivots) if is_random else min(pivots)
            self._rotate(pivot)

    def _pivots(self, target: int, random: Random) -> list[tuple[float, int]]:
        """Return the possible pivots, each with how far from the target the next end would be.

        A random part of less than 1 is added to each distance, so that equal ones are ordered.
        """
        pivots = []
        for pivot in self.board.neighbors(self.end):
            next_end = self._after(pivot)
            if next_end is not None and next_end != self.end:
                away = _distance(self.board, next_end, target) + random.random()
                pivots.append((away, pivot))
        return pivots

    def tour(self) -> Squares:
        """Return the squares in visiting order."""
        parts = []
        for segment in self.segments:
            if segment.first <= segment.last:
                parts.append(self.old[segment.first : segment.last + 1])
            else:
                parts.append(self.old[segment.last : segment.first + 1][::-1])
        return np.concatenate(parts)

    def _segment_of(self, old_index: int) -> _Segment:
        """Return the segment that contains an index in the old tour."""
        return self.by_low[self.lows[bisect_right(self.lows, old_index) - 1]]

    def _after(self, square: int) -> int | None:
        """Return the square that follows another one, or None for the end."""
        old_index = int(self.old_index[square])
        segment = self._segment_of(old_index)
        if old_index != segment.last:
            return int(self.old[old_index + segment.direction])
        position = self.segments.index(segment)
        if position + 1 == len(self.segments):
            return None
        return int(self.old[self.segments[position + 1].first])

    def _rotate(self, pivot: int) -> None:
        """Join the end with the pivot, and remove the move from there."""
        old_index = int(self.old_index[pivot])
        segment = self._segment_of(old_index)
        position = self.segments.index(segment)
        if old_index != segment.last:
            self._divide(segment, position, old_index)
        following = self.segments[position + 1 :]
        for each in following:
            each.first, each.last = each.last, each.first
        self.segments[position + 1 :] = following[::-1]

    def _divide(self, segment: _Segment, position: int, old_index: int) -> None:
        """Divide a segment, which is at a position in the list, after an index in the old tour."""
        rest = _Segment(old_index + segment.direction, segment.last)
        segment.last = old_index
        self.segments.insert(position + 1, rest)
        for each in (segment, rest):
            low = min(each.first, each.last)
            if low not in self.by_low:
                insort(self.lows, low)
            self.by_low[low] = each


def _color(board: Board, square: int) -> int:
    """Return 0 or 1 for the color of a square."""
    row, column = divmod(square, board.columns)
    return (row + column) % 2


def _distance(board: Board, square: int, other: int) -> int:
    """Return the distance of two squares in king's moves."""
    row, column = divmod(square, board.columns)
    other_row, other_column = divmod(other, board.columns)
    return max(abs(row - other_row), abs(column - other_column))


class _EndRegion:
    """The squares of a tour within a distance of the old and the new ends.

    The tour and the depot, which stands between its end and its start, are a cycle. The contracted
    cycle has the depot, whose number is 0, and the squares inside, numbered in visiting order.
    """

    def __init__(self, instance: Instance, tour: Squares, distance: int) -> None:
        self.instance = instance
        depot = instance.board.area
        ends = {int(tour[0]), int(tour[-1]), *instance.ends}
        is_inside = np.zeros(depot + 1, dtype=np.bool_)
        is_inside[_around(instance.board, ends, distance)] = True
        is_inside[depot] = True
        self.contracted = ContractedCycle(np.append(np.int32(depot), tour), is_inside)
        squares = self.contracted.inside[1:].tolist()
        self.number = {square: number for number, square in enumerate(squares, start=1)}
        """The number of each square inside."""

    def changed_tour(self, clock: Clock, seed: int) -> Squares | None:
        """Return a tour with the new ends that differs only inside, or None if none is found.

        Raises `OutOfTimeError`.
        """
        nodes, free, links = len(self.contracted), self._edges(), self._links()
        solver = EdgeSolver(nodes, free, links, clock, seed=seed)
        try:
            used = solver.solve(_CONFLICTS * nodes)
        except OutOfConflictsError:
            return None
        if used is None:
            return None
        [order] = cycles(cycle_neighbors(nodes, np.concatenate([free[used], links])))
        cycle = self.contracted.expand(order.tolist())
        tour = rotated(cycle, self.instance.board.area)[1:].astype(np.int32)
        return tour if self.instance.satisfied_by(tour) else tour[::-1]

    def _edges(self) -> Ints:
        """Return the moves between squares inside, and the edges to the depot from possible ends.

        Like the links, they are rows of two numbers.
        """
        edges = [
            [number, self.number[other]]
            for square, number in self.number.items()
            for other in self.instance.board.neighbors(square)
            if square < other and other in self.number
        ]
        if len(self.instance.ends) == 1:  # any square may be the other end
            [end] = self.instance.ends
            edges += [[0, number] for square, number in self.number.items() if square != end]
        return np.array(edges)

    def _links(self) -> Ints:
        """Return the links of the contracted cycle, and those of the depot with the new ends."""
        at_depot = [[0, self.number[end]] for end in self.instance.ends]
        return np.concatenate([self.contracted.links, np.array(at_depot)])


def _around(board: Board, squares: set[int], distance: int) -> Ints:
    """Return the squares within a distance, in king's moves, of some squares."""
    found = set[int]()
    for square in squares:
        row, column = divmod(square, board.columns)
        for other_row in range(max(0, row - distance), min(board.rows, row + distance + 1)):
            first = other_row * board.columns + max(0, column - distance)
            last = other_row * board.columns + min(board.columns - 1, column + distance)
            found.update(range(first, last + 1))
    return np.array(sorted(found))
