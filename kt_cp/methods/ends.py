"""Give a tour other ends by local changes.

Pósa rotations (see `kt_cp.methods.rotations`) move each end near the square that is asked for. Then
CaDiCaL chooses the moves between squares near the ends anew, and all other moves stay.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from random import Random

import numpy as np

from kt_cp.arrays import Ints, Squares
from kt_cp.board import Board
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.costs import MOVED_SQUARE
from kt_cp.problem.instance import Instance
from kt_cp.sat.edges import EdgeSolver, beside, cycles

# Moves are chosen anew between squares within this many rows and columns of an end, in one attempt
# after the other.
_DISTANCES = (3, 4, 6, 9)

# The limit on CaDiCaL's conflicts in an attempt, for each square.
_CONFLICTS = 100

# Rotations for each row or column that the end is away, and the share chosen at random.
_TRIES, _AT_RANDOM = 10, 0.05


def with_ends(instance: Instance, tour: Squares, clock: Clock, seed: int) -> Squares | None:
    """Return an open tour with the ends of the instance, or None if no change gives such a tour.

    ``tour`` holds the ids of any tour of the board, open or closed, in visiting order. The instance
    has no constraints but its ends. Raises `OutOfTimeError`.
    """
    for given in (tour, tour[::-1]):
        if instance.satisfied_by(given):
            return given
    clock.check(MOVED_SQUARE * len(tour))
    tour = _with_ends_nearby(instance, tour, Random(seed))
    for distance in _DISTANCES:
        clock.check(MOVED_SQUARE * len(tour))
        part = _EndRegion(instance, tour, distance)
        cycle = part.cycle(clock, seed)
        if cycle is not None:
            return part.tour_along(cycle)
    return None


def _with_ends_nearby(instance: Instance, tour: Squares, random: Random) -> Squares:
    """Return a tour whose ends are near those that the instance asks for, one or both."""
    board = instance.board
    for number, target in enumerate(instance.ends):
        start, end = int(tour[0]), int(tour[-1])
        if number == 1:  # the start is near the first end that is asked for
            is_start_better = False
        elif _color(board, start) != _color(board, end):  # rotations keep the color
            is_start_better = _color(board, start) == _color(board, target)
        else:
            is_start_better = _distance(board, start, target) < _distance(board, end, target)
        rotated = _Rotated(board, tour[::-1] if is_start_better else tour)
        rotated.move_near(target, _DISTANCES[0], random)
        tour = rotated.tour()[::-1]
    return tour


class _Segment:
    """Consecutive squares of the old tour, from one place in it to another, in either direction."""

    __slots__ = ("first", "last")

    def __init__(self, first: int, last: int) -> None:
        self.first, self.last = first, last


class _Rotated:
    """A tour of which one end moves by Pósa rotations, as a list of segments of the old tour.

    A rotation reverses the segments after a square, in time proportional to their number.
    """

    def __init__(self, board: Board, tour: Squares) -> None:
        self.board, self.old = board, tour
        self.place = np.empty(board.area, dtype=np.int32)
        self.place[tour] = np.arange(len(tour), dtype=np.int32)
        self.segments = [_Segment(0, len(tour) - 1)]
        self.lows = [0]
        self.by_low = {0: self.segments[0]}

    @property
    def end(self) -> int:
        """The square at the end that moves."""
        return int(self.old[self.segments[-1].last])

    def move_near(self, target: int, distance: int, random: Random) -> None:
        """Rotate until the end is within a distance of the target, or a limit is reached."""
        tries = _TRIES * (_distance(self.board, self.end, target) + distance)
        while tries > 0 and _distance(self.board, self.end, target) > distance:
            tries -= 1
            choices = []
            for pivot in self.board.neighbors(self.end):
                following = self._after(pivot)
                if following is not None and following != self.end:
                    away = _distance(self.board, following, target) + random.random()
                    choices.append((away, pivot))
            if not choices:
                return
            _, pivot = min(choices)
            if random.random() < _AT_RANDOM:
                _, pivot = random.choice(choices)
            self._rotate(pivot)

    def tour(self) -> Squares:
        """Return the squares in visiting order."""
        parts = []
        for segment in self.segments:
            if segment.first <= segment.last:
                parts.append(self.old[segment.first : segment.last + 1])
            else:
                parts.append(self.old[segment.last : segment.first + 1][::-1])
        return np.concatenate(parts)

    def _segment_of(self, place: int) -> _Segment:
        return self.by_low[self.lows[bisect_right(self.lows, place) - 1]]

    def _after(self, square: int) -> int | None:
        """Return the square that follows another one, or None for the end."""
        place = int(self.place[square])
        segment = self._segment_of(place)
        if place != segment.last:
            step = 1 if segment.first < segment.last else -1
            return int(self.old[place + step])
        index = self.segments.index(segment)
        if index + 1 == len(self.segments):
            return None
        return int(self.old[self.segments[index + 1].first])

    def _rotate(self, pivot: int) -> None:
        """Join the end with the pivot, and remove the move from there."""
        place = int(self.place[pivot])
        segment = self._segment_of(place)
        index = self.segments.index(segment)
        if place != segment.last:
            self._divide(segment, index, place)
        behind = self.segments[index + 1 :]
        for each in behind:
            each.first, each.last = each.last, each.first
        self.segments[index + 1 :] = behind[::-1]

    def _divide(self, segment: _Segment, index: int, place: int) -> None:
        """Divide a segment behind a place."""
        step = 1 if segment.first < segment.last else -1
        rest = _Segment(place + step, segment.last)
        segment.last = place
        self.segments.insert(index + 1, rest)
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

    They are numbered from 1 in the order of the tour, and 0 is the depot. The squares outside that
    the tour visits between two of them are a run, for which a link between the two stands.
    """

    def __init__(self, instance: Instance, tour: Squares, distance: int) -> None:
        self.instance, self.tour = instance, tour
        ends = {int(tour[0]), int(tour[-1]), *instance.ends}
        is_inside = np.zeros(instance.board.area, dtype=np.bool_)
        is_inside[_around(instance.board, ends, distance)] = True
        self.places = np.flatnonzero(is_inside[tour])
        """The place in the tour of each square inside."""
        self.has_run = np.diff(self.places) > 1
        """Whether a run follows each square inside but the last."""
        squares = tour[self.places].tolist()
        self.number = {square: number for number, square in enumerate(squares, start=1)}
        """The number of each square inside, in the order of the tour."""

    def cycle(self, clock: Clock, seed: int) -> Ints | None:
        """Return a cycle as the numbers of depot and squares in order, or None if none is found.

        Raises `OutOfTimeError`.
        """
        nodes, free, links = 1 + len(self.places), self._edges(), self._links()
        solver = EdgeSolver(nodes, free, links, clock, seed=seed)
        try:
            used = solver.solve(_CONFLICTS * nodes)
        except OutOfTimeError:
            clock.check()  # it passes if the limit was that of conflicts
            return None
        if used is None:
            return None
        [cycle] = cycles(beside(nodes, np.concatenate([free[used], links])))
        return cycle

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
        """Return the links that stand for runs, and those from the depot to the ends asked for."""
        before = np.flatnonzero(self.has_run) + 1
        links: list[list[int]] = np.stack([before, before + 1], axis=1).tolist()
        links += [[0, self.number[end]] for end in self.instance.ends]
        return np.array(links)

    def tour_along(self, cycle: Ints) -> Squares:
        """Return the tour that visits squares and runs in the order of a cycle."""
        depot = int(np.flatnonzero(cycle == 0)[0])
        order = np.roll(cycle, -depot)[1:].tolist()
        parts = []
        for number, following in itertools.zip_longest(order, order[1:]):
            place = self.places[number - 1]
            parts.append(self.tour[place : place + 1])
            if following == number + 1 and self.has_run[number - 1]:
                parts.append(self.tour[place + 1 : self.places[number]])
            elif following == number - 1 and self.has_run[number - 2]:
                parts.append(self.tour[self.places[number - 2] + 1 : place][::-1])
        tour = np.concatenate(parts)
        return tour if self.instance.satisfied_by(tour) else tour[::-1]


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
