"""The move orders of Squirrel and Cull, which break the ties of Warnsdorff's rule on m × m.

D. Squirrel and P. Cull, "A Warnsdorff-rule algorithm for knight's tours on square chessboards"
(1996), in the table of S. Ganzfried, "A simple algorithm for knight's tours" (2004). With them a
walk from the corner completes every m × m board from m = 5 to 200; m = 74 takes one order alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kt_dfs.strategies import Move, MoveOrder

_MOVES: Final[dict[str, Move]] = {
    "1": (-2, 1), "2": (-1, 2), "3": (1, 2), "4": (2, 1),
    "5": (2, -1), "6": (1, -2), "7": (-1, -2), "8": (-2, -1),
}  # fmt: skip

# For each m mod 8: orders of moves, each with the square (row, column), counted from 1, after
# which the next one is in force. The last order of each list stays in force.
_Until = Callable[[int], tuple[int, int]]
_TABLE: Final[tuple[tuple[tuple[str, _Until | None], ...], ...]] = (
    (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (7, m - 3)),
        ("21435678", None),
    ),
    (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 6, (m + 9) // 2)),
        ("32481765", None),
    ),
    (
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 15, 4)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (5, (m - 6) // 2)),
        ("15746823", None),
    ),
    (
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 10, 3)),
        ("61825437", lambda m: ((m + 1) // 2, m - 2)),
        ("71642538", None),
    ),
    (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51867342", lambda m: (m - 8, 1)),
        ("51342678", lambda m: (10, m - 5)),
        ("86753421", lambda m: (13, (m + 2) // 2)),
        ("78563421", None),
    ),
    (
        ("34261578", lambda m: (m - 1, m - 2)),
        ("87642135", lambda m: (2, 2)),
        ("51324678", lambda m: (m - 2, (m - 5) // 2 if m % 16 == 5 else (m - 13) // 2)),
        ("15234678", None),
    ),
    (
        ("34261578", lambda m: (6, 1)),
        ("87642135", lambda m: (3, 1)),
        ("54132678", lambda m: (m - 10, 1)),
        ("52431678", lambda m: (10, m - 2)),
        ("85647123", lambda m: (3, (m + 8) // 2)),
        ("12453678", None),
    ),
    (
        ("34625718", lambda m: (m - 1, m - 2)),
        ("42681357", lambda m: (m - 6, m)),
        ("86512347", lambda m: (2, 5)),
        ("51867342", lambda m: (m - 6, 3)),
        ("61825437", lambda m: ((m + 1) // 2, m - 2)),
        ("61357284", None),
    ),
)
_SINGLE_ORDER: Final = (("21345678", None),)


def move_orders(rows: int, columns: int) -> tuple[MoveOrder, ...]:
    """Return the orders for a board.

    Boards that are not square or smaller than 5 × 5 are not in the table; they get the single
    order 21345678, as m = 74 does.
    """
    tabled = rows == columns >= 5 and rows != 74
    return tuple(
        MoveOrder(
            tuple(_MOVES[number] for number in order),
            columns,
            until and _id_on_board(*until(rows), rows),
        )
        for order, until in (_TABLE[rows % 8] if tabled else _SINGLE_ORDER)
    )


def _id_on_board(row: int, column: int, size: int) -> int | None:
    """Return the id of a square counted from 1, or None where a small board has no such square."""
    inside = 1 <= row <= size and 1 <= column <= size
    return (row - 1) * size + column - 1 if inside else None
