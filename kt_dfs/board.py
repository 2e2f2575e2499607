"""The knight's graph of a board: squares are ids row * columns + column, from 0."""

from __future__ import annotations

from typing import Final

from kt_dfs.graph import Graph

Move = tuple[int, int]
"""A jump as (rows down, columns right)."""

TEXTBOOK_MOVES: Final[tuple[Move, ...]] = (
    (-1, -2), (-1, 2), (-2, -1), (-2, 1), (1, -2), (1, 2), (2, -1), (2, 1),
)  # fmt: skip
"""The knight's moves in the order of the textbook's `genLegalMoves`."""


def square_id(row: int, column: int, columns: int) -> int:
    """The id of a square. The textbook's `posToNodeId`.

    >>> square_id(2, 1, columns=8)
    17
    """
    return row * columns + column


def on_board(coordinate: int, size: int) -> bool:
    """Is this row or column on a board of that size? The textbook's `legalCoord`."""
    return 0 <= coordinate < size


def legal_moves(row: int, column: int, size: int) -> list[tuple[int, int]]:
    """The (row, column) of every square a knight can jump to from here on a size × size board.

    They come in the textbook's order of offsets. The textbook's `genLegalMoves`.

    >>> legal_moves(0, 4, 5)
    [(1, 2), (2, 3)]
    """
    targets = [(row + down, column + right) for down, right in TEXTBOOK_MOVES]
    return [(r, c) for r, c in targets if on_board(r, size) and on_board(c, size)]


def knight_graph(size: int) -> Graph[int]:
    """The knight's graph of a size × size board, arcs in the textbook's order of moves.

    The textbook's `knightGraph`. Raises ValueError for a size below 1.

    >>> sum(len(vertex.neighbors) for vertex in knight_graph(8))
    336
    """
    if size < 1:
        raise ValueError(f"a board has at least 1 row, not {size}")
    return Graph.from_neighbors(
        {
            square_id(row, column, size): [
                square_id(r, c, size) for r, c in legal_moves(row, column, size)
            ]
            for row in range(size)
            for column in range(size)
        }
    )
