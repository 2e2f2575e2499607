"""A search strategy as data: an order of moves, a ranking, a cut, backtracking or not.

The rankings by Warnsdorff's rule are in `kt_dfs.warnsdorff_tie_breaks`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kt_dfs.graph import WHITE, Vertex

Move = tuple[int, int]
"""A jump as (rows down, columns right)."""

Rank = Callable[[Vertex[Any]], Any]
"""Returns the sort key of a candidate: the least is tried first, ties in the order of moves."""

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

    Raises ValueError if the last order ends at a square, since no order would follow it.
    """

    orders: tuple[MoveOrder, ...] = ()
    rank: Rank | None = None
    cut: Cut | None = None
    backtracks: bool = True
    name: str = "strategy"

    def __post_init__(self) -> None:
        """Check that the last order stays in force."""
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
