"""The move orders of Squirrel and Cull, which break the ties of Warnsdorff's rule on m × m.

D. Squirrel and P. Cull, "A Warnsdorff-rule algorithm for knight's tours on square chessboards"
(1996), in the table of S. Ganzfried, "A simple algorithm for knight's tours" (2004). With them a
walk from the corner completes every m × m board from m = 5 to 200; m = 74 takes one order alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

# The moves 1 to 8, as (rows down, columns right).
_MOVES: Final = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))

# For each m mod 8 the orders of moves, which come into force one after the other.
_ORDERS: Final = (
    "34261578 87642135 51867342 51342678 21435678",
    "34261578 87642135 51324678 32481765",
    "34261578 87642135 54132678 52431678 85647123 15746823",
    "34625718 42681357 86512347 51867342 61825437 71642538",
    "34261578 87642135 51867342 51342678 86753421 78563421",
    "34261578 87642135 51324678 15234678",
    "34261578 87642135 54132678 52431678 85647123 12453678",
    "34625718 42681357 86512347 51867342 61825437 61357284",
)
_ORDER_ALONE: Final = "21345678"


def _turning_points(m: int) -> list[tuple[int, int]]:
    """Return the squares (row, column), from 1, after which the next order comes into force."""
    return [
        [(m - 1, m - 2), (2, 2), (m - 8, 1), (7, m - 3)],
        [(m - 1, m - 2), (2, 2), (m - 6, (m + 9) // 2)],
        [(6, 1), (3, 1), (m - 15, 4), (10, m - 2), (5, (m - 6) // 2)],
        [(m - 1, m - 2), (m - 6, m), (2, 5), (m - 10, 3), ((m + 1) // 2, m - 2)],
        [(m - 1, m - 2), (2, 2), (m - 8, 1), (10, m - 5), (13, (m + 2) // 2)],
        [(m - 1, m - 2), (2, 2), (m - 2, (m - 5) // 2 if m % 16 == 5 else (m - 13) // 2)],
        [(6, 1), (3, 1), (m - 10, 1), (10, m - 2), (3, (m + 8) // 2)],
        [(m - 1, m - 2), (m - 6, m), (2, 5), (m - 6, 3), ((m + 1) // 2, m - 2)],
    ][m % 8]


def squirrel_cull_order(
    rows: int, columns: int
) -> Callable[[dict[Any, list[Any]], list[Any]], list[Any]]:
    """Return the order of one walk by Warnsdorff's rule, with ties broken by the orders of moves.

    Boards that are not square or smaller than 5 × 5 are not in the table, and take one order alone.
    """
    is_tabled = rows == columns >= 5 and rows != 74
    orders = (_ORDERS[rows % 8] if is_tabled else _ORDER_ALONE).split()
    turning_points = _turning_points(rows) if is_tabled else []
    visited: set[Any] = set()
    passed = 0

    def order(graph: dict[Any, list[Any]], path: list[Any]) -> list[Any]:
        nonlocal passed
        if len(path) == 1:
            visited.clear()
            passed = 0
        visited.add(path[-1])
        row, column = divmod(path[-1], columns)
        passed += (row + 1, column + 1) in turning_points[passed : passed + 1]
        moves = [_MOVES[int(number) - 1] for number in orders[passed]]

        def rank(square: int) -> tuple[int, int]:
            move = square // columns - row, square % columns - column
            onward = sum(neighbor not in visited for neighbor in graph[square])
            return onward, moves.index(move) if move in moves else len(moves)

        return sorted((each for each in graph[path[-1]] if each not in visited), key=rank)

    return order
