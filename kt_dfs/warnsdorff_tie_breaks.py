"""Warnsdorff's rule and the published ways to break its ties, as rankings for a `Strategy`.

The rule goes to a square with the fewest onward moves: H. C. von Warnsdorff, *Des Rösselsprunges
einfachste und allgemeinste Lösung* (1823). One more way to break ties, by orders of moves that
change at given squares, is in `kt_dfs.squirrel_cull`.
"""

from __future__ import annotations

from typing import Any

from kt_dfs.graph import WHITE, Vertex
from kt_dfs.strategies import Rank


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
