"""The one recursive search behind every method: depth first, with backtracking.

A *call* is one call of the recursive function, that is, one square entered, the start included. A
*backtrack* takes the last square off the path again, because nothing led on from it to a tour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from math import inf
from operator import attrgetter
from typing import Any, Final, Generic

from kt_dfs.graph import GRAY, WHITE, Graph, K, Vertex, recursion_room
from kt_dfs.strategies import Order, Strategy, onward_moves


class Status(Enum):
    """The answer of a search."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


class Ending(Enum):
    """Why a search ended; the value is a template for the sentence that says so."""

    COMPLETE = "a tour was found after {calls}"
    EXHAUSTED = "exhausted every path from the start, in {calls}"
    STUCK = "the walk stops {where}, and this method does not backtrack"
    LEFT_OUT = "exhausted in {calls}, but the strategy left out moves, so this proves nothing"
    OUT_OF_CALLS = "the limit of calls was reached after {calls}"
    OUT_OF_TIME = "the time limit was reached after {calls}"


class Event(Enum):
    """What an observer is called for."""

    VISIT = "visit"  # a square was put on the path
    BACKTRACK = "backtrack"  # the last square was taken off the path


Observer = Callable[[Event, K], None]
"""Called at each visit and each backtrack, in order, with the event and the square."""


@dataclass(frozen=True)
class Budget:
    """The limits of a search. Raises ValueError for a negative one."""

    calls: float = inf
    seconds: float = inf

    def __post_init__(self) -> None:
        for name, amount in (("calls", self.calls), ("seconds", self.seconds)):
            if not amount >= 0:  # nor is it NaN
                raise ValueError(f"a budget of {amount} {name} is invalid; it starts at 0")


UNLIMITED: Final = Budget()


@dataclass(frozen=True)
class Outcome(Generic[K]):
    """What a search found, and how much work it took.

    ``path`` is the tour if one was found, empty if the whole tree was searched, and otherwise the
    path when the search stopped. A tour has ``wanted`` squares, the longest path had ``deepest``.
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
        statuses = {Ending.COMPLETE: Status.FOUND, Ending.EXHAUSTED: Status.IMPOSSIBLE}
        return statuses.get(self.ending, Status.UNKNOWN)

    @property
    def reason(self) -> str:
        """What ended the search, in one sentence."""
        calls = "1 call" if self.calls == 1 else f"{self.calls:,} calls"
        number = len(self.path)
        last = self.path[-1] if self.path else None
        where = f"at square {last} after {number} of {self.wanted} squares"
        if number == self.wanted:
            where += ", from which no move leads back to the first"
        return self.ending.value.format(calls=calls, where=where)


class OrderError(ValueError):
    """A strategy's order failed, or returned what the path cannot go to."""


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

    ``limit`` is the textbook's and counts moves: the path to be found has limit + 1 squares.
    Without it the path visits every vertex. With ``closed`` the path has at least 3 squares and an
    arc leads from its last square to its first. Afterwards the vertices on the path are gray, all
    others white. The recursion is as deep as the path is long, whatever the recursion limit.

    The outcome ``IMPOSSIBLE`` is a proof. A cut is applied only where it loses no tour, that is, on
    a symmetric graph all of whose vertices are to be visited. Raises ValueError if the start is no
    vertex or the limit is negative, and `OrderError` if the strategy's own order fails.

    >>> from kt_dfs.graph import knight_graph
    >>> search(knight_graph(5), 0, Strategy(rank=onward_moves)).status
    <Status.FOUND: 'found'>
    """
    if start not in graph:
        raise ValueError(f"start {start!r} is not a square of the board")
    move_count = len(graph) - 1 if limit is None else limit
    if move_count < 0:
        raise ValueError(f"the limit counts moves and is at least 0, not {move_count}")
    for vertex in graph:
        vertex.color = WHITE
    with recursion_room(len(graph)):
        return _DepthFirstSearch(graph, strategy, move_count, closed, budget, observer).run(start)


class _DepthFirstSearch(Generic[K]):
    """A running search: the path so far, and how much work it took."""

    def __init__(
        self,
        graph: Graph[K],
        strategy: Strategy,
        move_count: int,
        closed: bool,
        budget: Budget,
        observer: Observer[K] | None,
    ) -> None:
        self.graph = graph
        self.strategy = strategy
        self.move_count = move_count
        self.closed = closed
        self.observer = observer
        self.max_calls = budget.calls
        self.deadline = time.monotonic() + budget.seconds
        self.path: list[K] = []
        self.calls = self.backtracks = self.deepest = 0
        self.left_out_moves = False
        self.in_order: Callable[[Vertex[K]], Iterable[Vertex[K]]] = attrgetter("neighbors")
        if strategy.moves:
            self.in_order = cache(strategy.moves.arrange)
        visits_all = move_count >= len(graph) - 1
        loses_no_tour = strategy.cut is not None and visits_all and graph.is_symmetric()
        self.cut = strategy.cut if loses_no_tour else None
        self.neighbor_keys: dict[K, list[K]] = {}  # of every vertex, for an order
        if strategy.order:
            self.neighbor_keys = {
                each.key: [other.key for other in each.neighbors] for each in graph
            }

    def run(self, start: K) -> Outcome[K]:
        """Search from this start, and return the outcome."""
        ending = self.visit(self.graph[start], self.move_count)
        if ending is None:
            ending = Ending.LEFT_OUT if self.left_out_moves else Ending.EXHAUSTED
        path = tuple(self.path)
        wanted = self.move_count + 1
        return Outcome(ending, path, wanted, self.calls, self.backtracks, self.deepest)

    def visit(self, vertex: Vertex[K], moves_left: int) -> Ending | None:
        """Put this square on the path, then ``moves_left`` more; return what ended the search.

        None means that nothing did: no such path was found, and the square was taken off again. (An
        exception could end the search too, but its traceback would hold a record for every level.)
        """
        if self.calls >= self.max_calls:
            return Ending.OUT_OF_CALLS
        if time.monotonic() > self.deadline:
            return Ending.OUT_OF_TIME
        self.enter(vertex)
        if moves_left == 0 and self.is_complete(vertex):
            return Ending.COMPLETE
        if moves_left > 0:
            candidates = self.candidates(vertex)
            for candidate in candidates:
                if ending := self.visit(candidate, moves_left - 1):
                    return ending
            if self.strategy.order and len(candidates) < onward_moves(vertex):
                self.left_out_moves = True
        if not self.strategy.backtracks:
            return Ending.STUCK
        self.leave(vertex)
        return None

    def enter(self, vertex: Vertex[K]) -> None:
        """Put a square on the path."""
        self.calls += 1
        vertex.color = GRAY
        self.path.append(vertex.key)
        self.deepest = max(self.deepest, len(self.path))
        if self.observer:
            self.observer(Event.VISIT, vertex.key)

    def is_complete(self, last: Vertex[K]) -> bool:
        """Return whether a path with all wanted squares is a tour of the wanted kind."""
        is_cycle = len(self.path) >= 3 and self.graph[self.path[0]] in last.neighbors
        return is_cycle or not self.closed

    def leave(self, vertex: Vertex[K]) -> None:
        """Take the last square off the path again."""
        self.backtracks += 1
        vertex.color = WHITE
        self.path.pop()
        if self.observer:
            self.observer(Event.BACKTRACK, vertex.key)

    def candidates(self, vertex: Vertex[K]) -> list[Vertex[K]]:
        """Return the unvisited neighbors of the last vertex to try, best first."""
        if self.strategy.order:
            return self.in_own_order(vertex, self.strategy.order)
        free = [neighbor for neighbor in self.in_order(vertex) if neighbor.color == WHITE]
        if self.strategy.rank:
            free.sort(key=self.strategy.rank)
        is_lost = self.cut and self.cut(free, len(self.graph) - len(self.path))
        return [] if is_lost else free

    def in_own_order(self, vertex: Vertex[K], order: Order) -> list[Vertex[K]]:
        """Return the vertices that the strategy's own order lists, without repetitions."""
        name = self.strategy.name
        try:
            returned = order(self.neighbor_keys, [*self.path])
            keys = dict.fromkeys(returned if isinstance(returned, Iterable) else [returned])
        except MemoryError:
            raise
        except Exception as error:
            raise OrderError(f"{name}: {type(error).__name__}: {error}") from error
        free = {each.key: each for each in vertex.neighbors if each.color == WHITE}
        for key in keys:
            if key not in free:
                raise OrderError(
                    f"{name} returned {key!r} after {vertex.key!r}: return unvisited neighbors only"
                )
        return [free[key] for key in keys]


def knight_tour(graph: Graph[K], start: K, **options: Any) -> Outcome[K]:
    """Search depth first, as `search` does, neighbors in the order in which the graph has them.

    The textbook's ``knightTour``.

    >>> from kt_dfs.graph import knight_graph
    >>> knight_tour(knight_graph(5), 4).path[:6]
    (4, 7, 0, 11, 8, 1)
    """
    return search(graph, start, Strategy(), **options)


def knight_tour_better(graph: Graph[K], start: K, **options: Any) -> Outcome[K]:
    """Search depth first by Warnsdorff's rule: fewest unvisited onward moves first.

    The textbook's ``knightTour`` with ``orderByAvail``; ties stay in the order of the graph.

    >>> from kt_dfs.graph import knight_graph
    >>> knight_tour_better(knight_graph(8), 4).path[:6]
    (4, 14, 31, 46, 63, 53)
    """
    return search(graph, start, Strategy(rank=onward_moves), **options)
