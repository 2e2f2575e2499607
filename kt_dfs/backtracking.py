"""The one recursive search behind every method.

A *call* is one call of the recursive function, that is, one square entered; the start is the
first. A *backtrack* is a square left again because nothing led on from it to a tour.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from math import inf
from typing import Generic

from kt_dfs.graph import GRAY, WHITE, Graph, K, Vertex
from kt_dfs.outcome import UNLIMITED, Budget, Ending, Event, Observer, Outcome
from kt_dfs.recursion import recursion_room
from kt_dfs.strategies import Strategy, onward_moves


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
    """Look for a tour of the graph from a start, as the strategy says.

    `limit` is the textbook's, in moves: a path of limit + 1 squares is wanted. Without it the
    path must visit every vertex. `closed`: at least 3 squares, and an arc from the last to the
    first. The search writes on the graph: afterwards the squares of the path are gray and all
    others white. It is recursive, and takes care of the recursion limit itself.

    A cut is heeded only where it loses no tour: on a symmetric graph, when all vertices are to
    be visited. So `IMPOSSIBLE` is a proof, whatever the strategy: the tree was exhausted.

    Raises ValueError when the start is no vertex of the graph, or the limit is negative.

    >>> from kt_dfs.board import knight_graph
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


def knight_tour(
    graph: Graph[K],
    start: K,
    *,
    limit: int | None = None,
    closed: bool = False,
    budget: Budget = UNLIMITED,
    observer: Observer[K] | None = None,
) -> Outcome[K]:
    """Plain depth-first search, neighbors in the order of insertion.

    The textbook's `knightTour`; the rest is as in `search`.

    >>> from kt_dfs.board import knight_graph
    >>> knight_tour(knight_graph(5), 4).path[:6]
    (4, 7, 0, 11, 8, 1)
    """
    return search(
        graph, start, Strategy(), limit=limit, closed=closed, budget=budget, observer=observer
    )


def knight_tour_better(
    graph: Graph[K],
    start: K,
    *,
    limit: int | None = None,
    closed: bool = False,
    budget: Budget = UNLIMITED,
    observer: Observer[K] | None = None,
) -> Outcome[K]:
    """Depth-first search by Warnsdorff's rule: fewest unvisited onward moves first, stably.

    The textbook's `knightTourBetter`, whose `orderByAvail` is the ranking `onward_moves`; the
    rest is as in `search`.

    >>> from kt_dfs.board import knight_graph
    >>> knight_tour_better(knight_graph(8), 4).path[:6]
    (4, 14, 31, 46, 63, 53)
    """
    strategy = Strategy(rank=onward_moves)
    return search(
        graph, start, strategy, limit=limit, closed=closed, budget=budget, observer=observer
    )


class _Search(Generic[K]):
    """One run: the path, the counters, and the recursion."""

    def __init__(
        self,
        graph: Graph[K],
        start: Vertex[K],
        strategy: Strategy,
        limit: int,
        closed: bool,
        budget: Budget,
        observer: Observer[K] | None,
    ) -> None:
        self.graph = graph
        self.start = start
        self.limit = limit
        self.closed = closed
        self.observer = observer
        self.orders = strategy.orders
        self.arranged: list[dict[Vertex[K], list[Vertex[K]]]] = [{} for _ in strategy.orders]
        self.rank = strategy.rank
        self.backtracks = strategy.backtracks
        covering = limit >= len(graph) - 1
        sound = strategy.cut is not None and covering and graph.is_symmetric()
        self.cut = strategy.cut if sound else None
        self.max_calls = inf if budget.calls is None else budget.calls
        self.deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self.path: list[K] = []
        self.calls = self.backtracked = self.deepest = 0
        self.ending = Ending.EXHAUSTED  # unless something else ends the search first

    def run(self) -> Outcome[K]:
        for vertex in self.graph:
            vertex.color = WHITE
        with recursion_room(len(self.graph)):
            self.visit(self.start, self.limit, 0)
        return Outcome(
            self.ending,
            tuple(self.path),
            self.limit + 1,
            self.calls,
            self.backtracked,
            self.deepest,
        )

    def visit(self, vertex: Vertex[K], moves_left: int, phase: int) -> bool:
        """Extend the path by this square, and then by moves_left more if that can be done.

        True when the search is over, with a tour or without. (An exception would tell it too,
        but its traceback would hold a record of every level.)
        """
        if self.spent():
            return True
        self.enter(vertex)
        if moves_left == 0:
            if self.may_end_at(vertex):
                return self.end(Ending.COMPLETE)
        else:
            if self.orders and vertex.key == self.orders[phase].until:
                phase += 1
            for candidate in self.candidates(vertex, phase):
                if self.visit(candidate, moves_left - 1, phase):
                    return True
        if not self.backtracks:
            return self.end(Ending.STUCK)
        self.backtrack(vertex)
        return False

    def spent(self) -> bool:
        """Is the budget spent?"""
        if self.calls >= self.max_calls:
            return self.end(Ending.OUT_OF_CALLS)
        if self.deadline is not None and time.monotonic() > self.deadline:
            return self.end(Ending.OUT_OF_TIME)
        return False

    def end(self, ending: Ending) -> bool:
        self.ending = ending
        return True

    def enter(self, vertex: Vertex[K]) -> None:
        self.calls += 1
        vertex.color = GRAY
        self.path.append(vertex.key)
        self.deepest = max(self.deepest, len(self.path))
        if self.observer:
            self.observer(Event.VISIT, vertex.key)

    def backtrack(self, vertex: Vertex[K]) -> None:
        self.backtracked += 1
        vertex.color = WHITE
        self.path.pop()
        if self.observer:
            self.observer(Event.BACKTRACK, vertex.key)

    def may_end_at(self, vertex: Vertex[K]) -> bool:
        return not self.closed or (len(self.path) >= 3 and self.start in vertex.neighbors)

    def candidates(self, vertex: Vertex[K], phase: int) -> list[Vertex[K]]:
        """The unvisited neighbors, best first; none if the cut sees that no tour is left."""
        free = [v for v in self.neighbors(vertex, phase) if v.color == WHITE]
        if self.rank:
            free.sort(key=self.rank)
        if self.cut and self.cut(free, len(self.graph) - len(self.path)):
            return []
        return free

    def neighbors(self, vertex: Vertex[K], phase: int) -> Iterable[Vertex[K]]:
        """The neighbors in the order of moves that is in force."""
        if not self.orders:
            return vertex.neighbors
        arranged = self.arranged[phase]
        if vertex not in arranged:
            arranged[vertex] = self.orders[phase].arrange(vertex)
        return arranged[vertex]
