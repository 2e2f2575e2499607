"""The move orders of Squirrel and Cull, which break the ties of Warnsdorff's rule on m × m.

D. Squirrel and P. Cull, "A Warnsdorff-rule algorithm for knight's tours on square chessboards"
(1996), in the table of S. Ganzfried, "A simple algorithm for knight's tours" (2004). With them a
walk from the corner completes every m × m board from m = 5 to 200; m = 74 takes one order alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

_MOVES: Final = {
    "1": (-2, 1), "2": (-1, 2), "3": (1, 2), "4": (2, 1),
    "5": (2, -1), "6": (1, -2), "7": (-1, -2), "8": (-2, -1),
}  # fmt: skip

_Order = Callable[[dict[Any, list[Any]], list[Any]], list[Any]]

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


def squirrel_cull_order(
    rows: int, columns: int
) -> Callable[[dict[Any, list[Any]], list[Any]], list[Any]]:
    """Return the order of one walk by Warnsdorff's rule, with ties broken by the orders of moves.

    Boards that are not square or smaller than 5 × 5 are not in the table; they get the single
    order 21345678, as m = 74 does.
    """
    tabled = rows == columns >= 5 and rows != 74
    orders = _TABLE[rows % 8] if tabled else (("21345678", None),)
    visited: set[Any] = set()
    in_force = 0

    def order(graph: dict[Any, list[Any]], path: list[Any]) -> list[Any]:
        nonlocal in_force
        if len(path) == 1:
            visited.clear()
            in_force = 0
        visited.add(path[-1])
        row, column = divmod(path[-1], columns)
        until = orders[in_force][1]
        if until and (row + 1, column + 1) == until(rows):
            in_force += 1
        moves = [_MOVES[number] for number in orders[in_force][0]]

        def rank(square: int) -> tuple[int, int]:
            down, right = square // columns - row, square % columns - column
            onward = sum(neighbor not in visited for neighbor in graph[square])
            return onward, moves.index((down, right)) if (down, right) in moves else len(moves)

        return sorted((each for each in graph[path[-1]] if each not in visited), key=rank)

    return order
