"""The knight's graph of a board: squares are ids row * columns + column, from 0."""

from __future__ import annotations

from kt_dfs import textbook
from kt_dfs.graph import Graph

Move = tuple[int, int]
"""A jump as (rows down, columns right)."""


def square_id(row: int, column: int, columns: int) -> int:
    """Return the id of a square, as the textbook's `posToNodeId` does.

    >>> square_id(2, 1, columns=8)
    17
    """
    return row * columns + column


def knight_graph(size: int) -> Graph[int]:
    """Return the knight's graph of a size × size board, arcs in the textbook's order of moves.

    The textbook's `knightGraph`. Raises ValueError for a size below 1.

    >>> sum(len(vertex.neighbors) for vertex in knight_graph(8))
    336
    """
    if size < 1:
        raise ValueError(f"a board has at least 1 row, not {size}")
    return Graph.from_neighbors(textbook.knight_graph(size))
