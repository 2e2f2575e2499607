"""The one recursive search behind every method: depth first, with backtracking.

A *call* is one call of the recursive function, that is, one square entered, the start included. A
*backtrack* takes the last square off the path again, because nothing led on from it to a tour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Any, Final, Generic

from kt_dfs.digraph import GRAY, WHITE, Graph, K, Vertex, recursion_room
from kt_dfs.strategies import Order, Strategy, onward_moves


class Status(Enum):
    """The answer of a search."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


class Ending(Enum):
    """What ended a search."""

    COMPLETE = "complete"
    EXHAUSTED = "exhausted"
    STUCK = "stuck"
    LEFT_OUT = "left out"
    OUT_OF_CALLS = "out of calls"
    OUT_OF_TIME = "out of time"


class Event(Enum):
    """What an observer is told."""

    VISIT = "visit"
    BACKTRACK = "backtrack"


Observer = Callable[[Event, K], None]
"""Called at each visit and each backtrack, in order, with the event and the square."""


@dataclass(frozen=True)
class Budget:
    """The limits of a search; None is no limit. Raises ValueError for a negative one."""

    calls: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, amount in (("calls", self.calls), ("seconds", self.seconds)):
            if amount is not None and not amount >= 0:
                raise ValueError(f"a budget of {amount} {name} is invalid; it starts at 0")


UNLIMITED: Final = Budget()


@dataclass(frozen=True)
class Outcome(Generic[K]):
    """What a search found, and how much work it took.

    `path` is the tour if one was found, empty if the whole tree was searched, and otherwise the
    unfinished path when the search stopped. `wanted` is the number of squares of a tour here. The
    counters are `calls`, `backtracks`, and `deepest`, the length of the longest path.
    """

    ending: Ending
    path: tuple[K, ...]
    wanted: int
    calls: int
    backtracks: int
    deepest: int

    @property
    def status(self) -> Status:
        """Found, impossible from this start (the whole tree was searched), or unknown."""
        if self.ending is Ending.COMPLETE:
            return Status.FOUND
        return Status.IMPOSSIBLE if self.ending is Ending.EXHAUSTED else Status.UNKNOWN

    @property
    def reason(self) -> str:
        """What ended the search, in one sentence."""
        calls = f"{self.calls:,} call{'' if self.calls == 1 else 's'}"
        if self.ending is Ending.STUCK:
            if len(self.path) == self.wanted:
                return f"the walk visits all {self.wanted} squares but cannot return to the first"
            where = f"at square {self.path[-1]} after {len(self.path)} of {self.wanted} squares"
            return f"the walk stops {where}, and this method does not backtrack"
        return {
            Ending.COMPLETE: f"a tour was found after {calls}",
            Ending.EXHAUSTED: f"exhausted every path from the start, in {calls}",
            Ending.LEFT_OUT: f"exhausted in {calls}, but the strategy left out moves, "
            "so this proves nothing",
            Ending.OUT_OF_CALLS: f"the limit of calls was reached after {calls}",
            Ending.OUT_OF_TIME: f"the time limit was reached after {calls}",
        }[self.ending]


def search(
    graph: Graph[K],
    start: K,
    strategy: Strategy,
    *,
    limit: int | None = None,
    closed: bool = False,
    budget: Budget = UNLIMITED,
    observer: Observer[K] | None = None,
) -> Outcome[K]:
    """Search for a tour of the graph from a start, as the strategy says, and return the outcome.

    `limit` is the textbook's and counts moves: the path to be found has limit + 1 squares. Without
    it the path visits every vertex. With `closed` the path has at least 3 squares and an arc leads
    from its last square to its first. The observer is called at each visit and each backtrack.

    The search colors the vertices of the graph: afterwards those on the path are gray and all
    others white. It recurses as deep as the path is long, whatever the recursion limit.

    The outcome `IMPOSSIBLE` is a proof: the whole tree was searched. A cut of the strategy is
    applied only where it loses no tour, that is, on a symmetric graph all of whose vertices are
    to be visited. Raises ValueError if the start is no vertex or the limit is negative, and
    `OrderError` if the strategy's own order fails.

    >>> from kt_dfs.digraph import knight_graph
    >>> search(knight_graph(5), 0, Strategy(rank=onward_moves)).status
    <Status.FOUND: 'found'>
    """
    if start not in graph:
        raise ValueError(f"start {start!r} is not a square of the board")
    if limit is None:
        limit = len(graph) - 1
    elif limit < 0:
        raise ValueError(f"the limit counts moves and is at least 0, not {limit}")
    return _Search(graph, graph[start], strategy, limit, closed, budget, observer).run()


def knight_tour(graph: Graph[K], start: K, **options: Any) -> Outcome[K]:
    """Search depth first, neighbors in the order in which the graph has them.

    The textbook's `knightTour`; the options and the outcome are those of `search`.

    >>> from kt_dfs.digraph import knight_graph
    >>> knight_tour(knight_graph(5), 4).path[:6]
    (4, 7, 0, 11, 8, 1)
    """
    return search(graph, start, Strategy(), **options)


def knight_tour_better(graph: Graph[K], start: K, **options: Any) -> Outcome[K]:
    """Search depth first by Warnsdorff's rule: fewest unvisited onward moves first.

    The textbook's `knightTour` with `orderByAvail`; ties stay in the order of the graph. The
    options and the outcome are those of `search`.

    >>> from kt_dfs.digraph import knight_graph
    >>> knight_tour_better(knight_graph(8), 4).path[:6]
    (4, 14, 31, 46, 63, 53)
    """
    return search(graph, start, Strategy(rank=onward_moves), **options)


def line_of(error: Exception) -> int:
    """Return the number of the line in which an exception was raised."""
    place = error.__traceback__
    while place and place.tb_next:
        place = place.tb_next
    return place.tb_lineno if place else 0


class OrderError(ValueError):
    """A strategy's order failed, or returned what the path cannot go to."""


@dataclass
class _Search(Generic[K]):
    """One search: its arguments, the path, the counters, and the recursion."""

    graph: Graph[K]
    start: Vertex[K]
    strategy: Strategy
    limit: int
    closed: bool
    budget: Budget
    observer: Observer[K] | None

    def __post_init__(self) -> None:
        visits_all = self.limit >= len(self.graph) - 1
        sound = self.strategy.cut is not None and visits_all and self.graph.is_symmetric()
        self.cut = self.strategy.cut if sound else None
        self.arranged: dict[Vertex[K], list[Vertex[K]]] = {}
        self.max_calls = inf if self.budget.calls is None else self.budget.calls
        seconds = self.budget.seconds
        self.deadline = inf if seconds is None else time.monotonic() + seconds
        self.path: list[K] = []
        self.calls = self.backtracks = self.deepest = 0
        self.ending = Ending.EXHAUSTED  # unless something else ends the search first
        self.plain: dict[K, list[K]] = {}
        if self.strategy.order:
            self.plain = {v.key: [w.key for w in v.neighbors] for v in self.graph}

    def run(self) -> Outcome[K]:
        for vertex in self.graph:
            vertex.color = WHITE
        with recursion_room(len(self.graph)):
            self.visit(self.start, self.limit)
        path, wanted = tuple(self.path), self.limit + 1
        return Outcome(self.ending, path, wanted, self.calls, self.backtracks, self.deepest)

    def visit(self, vertex: Vertex[K], moves_left: int) -> bool:
        """Put this square on the path, then moves_left more.

        Returns True when the search is over, with a tour or without. (An exception could say so
        too, but its traceback would hold a record for every level.)
        """
        if self.calls >= self.max_calls:
            return self.end(Ending.OUT_OF_CALLS)
        if self.deadline < inf and time.monotonic() > self.deadline:
            return self.end(Ending.OUT_OF_TIME)
        self.calls += 1
        vertex.color = GRAY
        self.path.append(vertex.key)
        self.deepest = max(self.deepest, len(self.path))
        if self.observer:
            self.observer(Event.VISIT, vertex.key)
        if moves_left > 0:
            for candidate in self.candidates(vertex):
                if self.visit(candidate, moves_left - 1):
                    return True
        elif not self.closed or (len(self.path) >= 3 and self.start in vertex.neighbors):
            return self.end(Ending.COMPLETE)
        if not self.strategy.backtracks:
            return self.end(Ending.STUCK)
        self.backtracks += 1
        vertex.color = WHITE
        self.path.pop()
        if self.observer:
            self.observer(Event.BACKTRACK, vertex.key)
        return False

    def end(self, ending: Ending) -> bool:
        self.ending = ending
        return True

    def candidates(self, vertex: Vertex[K]) -> list[Vertex[K]]:
        """Return the unvisited neighbors, best first; none if the cut rules out every tour."""
        if self.strategy.order:
            return self.ordered(self.strategy.order, vertex)
        neighbors: Iterable[Vertex[K]] = vertex.neighbors
        if self.strategy.moves:
            if vertex not in self.arranged:
                self.arranged[vertex] = self.strategy.moves.arrange(vertex)
            neighbors = self.arranged[vertex]
        free = [v for v in neighbors if v.color == WHITE]
        if self.strategy.rank:
            free.sort(key=self.strategy.rank)
        if self.cut and self.cut(free, len(self.graph) - len(self.path)):
            return []
        return free

    def ordered(self, order: Order, vertex: Vertex[K]) -> list[Vertex[K]]:
        """Return the neighbors that an order of the textbook's form gives, after checking them."""
        try:
            keys = list(dict.fromkeys(order(self.plain, [*self.path])))
        except Exception as error:
            problem = f"line {line_of(error)}: {type(error).__name__}: {error}"
            raise OrderError(f"{self.strategy.name}: {problem}") from error
        free = {v.key: v for v in vertex.neighbors if v.color == WHITE}
        for key in keys:
            if key not in free:
                problem = f"returned {key!r} after {vertex.key!r}: return unvisited neighbors only"
                raise OrderError(f"{self.strategy.name} {problem}")
        if len(keys) < len(free):
            self.ending = Ending.LEFT_OUT  # unless something else ends the search
        return [free[key] for key in keys]
