"""A search strategy as data: an order of moves, a ranking, a cut, backtracking or not.

Below are Warnsdorff's rule and the published ways to break its ties, as rankings. The rule goes to
a square with the fewest onward moves: H. C. von Warnsdorff, *Des Rösselsprunges einfachste und
allgemeinste Lösung* (1823). One more way to break ties, by orders of moves that change at given
squares, is in `kt_dfs.squirrel_cull`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kt_dfs.digraph import WHITE, Vertex

Move = tuple[int, int]
"""A jump as (rows down, columns right)."""

Rank = Callable[[Vertex[Any]], Any]
"""Returns the sort key of a candidate: the least is tried first, ties in the order of moves."""

Order = Callable[[dict[Any, list[Any]], list[Any]], Iterable[Any]]
"""The textbook's form of a strategy: given the graph, a dictionary of each square's neighbors, and
the path so far, it returns the squares to go to, best first; see `kt_dfs.textbook`."""

Cut = Callable[[Sequence[Vertex[Any]], int], bool]
"""Returns whether no tour is left, given the candidates and the number of unvisited squares."""


@dataclass(frozen=True)
class MoveOrder:
    """An order of moves on a board with that many columns, in force until a square is entered.

    After the square `until` (None: never) the strategy's next order is in force.
    """

    moves: tuple[Move, ...]
    columns: int
    until: int | None = None

    def arrange(self, vertex: Vertex[Any]) -> list[Vertex[Any]]:
        """Return the neighbors of a square in this order; moves it does not list come last."""
        row, column = divmod(vertex.key, self.columns)
        place = {move: index for index, move in enumerate(self.moves)}

        def place_of(neighbor: Vertex[Any]) -> int:
            r, c = divmod(neighbor.key, self.columns)
            return place.get((r - row, c - column), len(place))

        return sorted(vertex.neighbors, key=place_of)


@dataclass(frozen=True)
class Strategy:
    """How a search chooses the next square.

    `orders` lists the orders of moves, each in force until its square; without any, neighbors
    are taken in the order in which the graph has them. `rank` sorts the candidates, stably. `cut`
    says when to give up a branch at once; `search` applies it only where no tour is lost. A
    strategy with `backtracks` False walks on until it is stuck: it can find a tour, but it can
    never prove that there is none. `name` is what logs and pictures call the strategy.

    An `order` as in the textbook takes the place of orders of moves, ranking and cut. If it leaves
    out a square that could be visited, the search proves nothing.

    Raises ValueError if the last order ends at a square, since no order would follow it.
    """

    orders: tuple[MoveOrder, ...] = ()
    rank: Rank | None = None
    cut: Cut | None = None
    backtracks: bool = True
    name: str = "strategy"
    order: Order | None = None

    def __post_init__(self) -> None:
        if self.orders and self.orders[-1].until is not None:
            raise ValueError(f"the last order of moves ends at {self.orders[-1].until}")


def degree(vertex: Vertex[Any]) -> int:
    """Return how many squares can be reached from here on the empty board, visited or not."""
    return len(vertex.neighbors)


def dead_end_ahead(candidates: Sequence[Vertex[Any]], unvisited: int) -> bool:
    """Return whether a candidate has no onward move while more than one square is unvisited.

    On a symmetric graph such a square can be entered only now, and the tour must end there. Going
    there leaves the other squares out, and going elsewhere leaves this one out: no tour of all
    squares, open or closed, is lost by backtracking. Where arcs are one-way the square may still
    be entered later, and where a path need not visit every vertex it may be left out.
    """
    return unvisited > 1 and not all(map(_can_go_on, candidates))


def _can_go_on(vertex: Vertex[Any]) -> bool:
    return any(neighbor.color == WHITE for neighbor in vertex.neighbors)


def onward_moves(vertex: Vertex[Any]) -> int:
    """Return how many unvisited squares can be reached from here; ties stay in the order of moves.

    The textbook's `orderByAvail` sorts by this number.
    """
    return [neighbor.color for neighbor in vertex.neighbors].count(WHITE)


def onward_moves_then_id(vertex: Vertex[Any]) -> tuple[int, Any]:
    """Rank by Warnsdorff's rule, ties by (row, column), which is the order of ids."""
    return onward_moves(vertex), vertex.key


def onward_moves_then_next_level(vertex: Vertex[Any]) -> tuple[int, int]:
    """Rank by Warnsdorff's rule, ties by the fewest onward moves of the squares that follow.

    Source: Ira Pohl, "A method for finding Hamilton paths and knight's tours",
    Communications of the ACM 10 (1967), 446-449, with one level of lookahead.
    """
    onward = [neighbor for neighbor in vertex.neighbors if neighbor.color == WHITE]
    return len(onward), sum(map(onward_moves, onward))


def onward_moves_then_far_from_center(rows: int, columns: int) -> Rank:
    """Return the ranking by Warnsdorff's rule, ties by the greatest distance from the center.

    Source: Arnd Roth, "The Problem of the Knight: A Fast and Simple Algorithm",
    MathSource 0202-127.
    """

    def rank(vertex: Vertex[Any]) -> tuple[int, int]:
        row, column = divmod(vertex.key, columns)
        distance = (2 * row - rows + 1) ** 2 + (2 * column - columns + 1) ** 2
        return onward_moves(vertex), -distance

    return rank


def most_onward_moves(vertex: Vertex[Any]) -> int:
    """Rank by the opposite of Warnsdorff's rule, most onward moves first, for comparison."""
    return -onward_moves(vertex)
