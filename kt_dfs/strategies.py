"""A search strategy as data: an order of moves, a ranking, a cut, backtracking or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kt_dfs.board import Move
from kt_dfs.graph import WHITE, Vertex

Rank = Callable[[Vertex[Any]], Any]
"""Gives a candidate its place: the least comes first, ties stay in the order of moves."""

Cut = Callable[[Sequence[Vertex[Any]], int], bool]
"""Given the candidates and the number of unvisited squares: is a tour out of reach?"""


@dataclass(frozen=True)
class MoveOrder:
    """An order of moves on a board with so many columns, in force until a square is reached.

    From the square `until` on (None: never) the next order of the strategy holds.
    """

    moves: tuple[Move, ...]
    columns: int
    until: int | None = None

    def arrange(self, vertex: Vertex[Any]) -> list[Vertex[Any]]:
        """The neighbors of a square in this order; jumps it does not name come last."""
        row, column = divmod(vertex.key, self.columns)
        place = {move: index for index, move in enumerate(self.moves)}

        def place_of(neighbor: Vertex[Any]) -> int:
            r, c = divmod(neighbor.key, self.columns)
            return place.get((r - row, c - column), len(place))

        return sorted(vertex.neighbors, key=place_of)


@dataclass(frozen=True)
class Strategy:
    """How a search chooses where to go next.

    `orders`: the orders of moves, one after the other; without any, neighbors are taken in
    the order in which the graph holds them. `rank`: sorts the candidates, stably. `cut`: when
    to give up a branch at once; it is asked only where it is sound (see `search`).
    `backtracks`: undo a move that led nowhere; a strategy that does not is a walk, which can
    find a tour but never prove that there is none.

    Raises ValueError if the last order ends at a square: nothing would follow it.
    """

    orders: tuple[MoveOrder, ...] = ()
    rank: Rank | None = None
    cut: Cut | None = None
    backtracks: bool = True

    def __post_init__(self) -> None:
        """Check that the last order holds to the end."""
        if self.orders and self.orders[-1].until is not None:
            raise ValueError(f"the last order of moves ends at {self.orders[-1].until}")


def onward_moves(vertex: Vertex[Any]) -> int:
    """How many unvisited squares can be reached from here: what Warnsdorff's rule counts.

    The textbook's `orderByAvail` sorts by it. Source: H. C. von Warnsdorff, *Des Rösselsprunges
    einfachste und allgemeinste Lösung* (1823).
    """
    return [neighbor.color for neighbor in vertex.neighbors].count(WHITE)


def most_onward_moves(vertex: Vertex[Any]) -> int:
    """Ranks the candidate with the most onward moves first: Warnsdorff's rule upside down."""
    return -onward_moves(vertex)


def degree(vertex: Vertex[Any]) -> int:
    """How many squares can be reached from here on the empty board, visited or not."""
    return len(vertex.neighbors)


def onward_moves_then_id(vertex: Vertex[Any]) -> tuple[int, Any]:
    """Warnsdorff's rule with ties by (row, column), which is the order of ids."""
    return onward_moves(vertex), vertex.key


def onward_moves_then_next_level(vertex: Vertex[Any]) -> tuple[int, int]:
    """Warnsdorff's rule; among ties the one whose own candidates have the fewest moves in all.

    Source: Ira Pohl, "A method for finding Hamilton paths and knight's tours",
    Communications of the ACM 10 (1967), 446-449, with one level of looking ahead.
    """
    onward = [neighbor for neighbor in vertex.neighbors if neighbor.color == WHITE]
    return len(onward), sum(map(onward_moves, onward))


def onward_moves_then_far_from_centre(rows: int, columns: int) -> Rank:
    """Warnsdorff's rule; among ties the one farthest from the centre of the board.

    Source: Arnd Roth, "The Problem of the Knight: A Fast and Simple Algorithm",
    MathSource 0202-127.
    """

    def rank(vertex: Vertex[Any]) -> tuple[int, int]:
        row, column = divmod(vertex.key, columns)
        distance = (2 * row - rows + 1) ** 2 + (2 * column - columns + 1) ** 2
        return onward_moves(vertex), -distance

    return rank


def dead_end_ahead(candidates: Sequence[Vertex[Any]], unvisited: int) -> bool:
    """Has a candidate no onward move, though more than one square is unvisited?

    On a symmetric graph such a square can be entered only now, and is then the last: whoever
    goes there leaves the other squares out, and whoever does not leaves this one out. So no
    tour of all squares is lost by giving up, open or closed. Where arcs are one-way the square
    may still be entered later, and where a path need not cover the graph it may be left out.
    """
    return unvisited > 1 and not all(map(_can_go_on, candidates))


def _can_go_on(vertex: Vertex[Any]) -> bool:
    return any(neighbor.color == WHITE for neighbor in vertex.neighbors)
