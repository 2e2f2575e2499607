"""Search strategies as data, and the published ones by name.

Warnsdorff's rule goes to a square with the fewest onward moves: H. C. von Warnsdorff, *Des
Rösselsprunges einfachste und allgemeinste Lösung* (1823). Below are the published ways to break its
ties: rankings, and orders of moves that change at given squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from kt_dfs.graph import WHITE, Vertex

Move = tuple[int, int]
"""A jump as (rows down, columns right)."""

Rank = Callable[[Vertex[Any]], Any]
"""Returns the sort key of a candidate: the least is tried first, ties in the order of moves."""

Order = Callable[[dict[Any, list[Any]], list[Any]], Iterable[Any]]
"""A function that chooses the next squares, the textbook's form of a strategy.

Given the graph, a dictionary of each square's neighbors, and the path so far, it returns the
squares to go to, best first; see `kt_dfs.textbook`. A `MoveOrder`, in contrast, only sorts."""

Cut = Callable[[Sequence[Vertex[Any]], int], bool]
"""Returns whether no tour is left, given the candidates and the number of unvisited squares."""


@dataclass(frozen=True)
class MoveOrder:
    """An order of moves on a board with this number of columns."""

    moves: tuple[Move, ...]
    columns: int

    def arrange(self, vertex: Vertex[Any]) -> list[Vertex[Any]]:
        """Return the neighbors of a square in this order; moves it does not list come last."""
        return sorted(vertex.neighbors, key=lambda other: self.index(vertex.key, other.key))

    def index(self, here: int, there: int) -> int:
        """Return the index of a move in this order; moves it does not list come last."""
        row, column = divmod(here, self.columns)
        to_row, to_column = divmod(there, self.columns)
        move = to_row - row, to_column - column
        return self.moves.index(move) if move in self.moves else len(self.moves)


@dataclass(frozen=True)
class Strategy:
    """How a search chooses the next square.

    Neighbors are taken in the order of ``moves``, or else as the graph has them; ``rank`` sorts
    them, stably. ``cut`` says when to give up a branch; `search` applies it only where no tour is
    lost. A strategy with ``backtracks`` False walks on until it is stuck, and never proves that
    there is no tour. An ``order`` as in the textbook takes the place of moves, ranking and cut. If
    it leaves out a square that could be visited, the search proves nothing.
    """

    moves: MoveOrder | None = None
    rank: Rank | None = None
    cut: Cut | None = None
    backtracks: bool = True
    name: str = "strategy"
    order: Order | None = None


def dead_end_ahead(candidates: Sequence[Vertex[Any]], unvisited: int) -> bool:
    """Return whether a candidate has no onward move while more than one square is unvisited.

    On a symmetric graph such a square can be entered only now, and the tour must end there. Going
    there leaves the other squares out, and going elsewhere leaves this one out: no tour of all
    squares, open or closed, is lost by backtracking.
    """
    return unvisited > 1 and not all(map(onward_moves, candidates))


def onward_moves(vertex: Vertex[Any]) -> int:
    """Return the number of unvisited neighbors, by which the textbook's ``orderByAvail`` sorts."""
    return [neighbor.color for neighbor in vertex.neighbors].count(WHITE)


def onward_moves_then_next_level(vertex: Vertex[Any]) -> tuple[int, int]:
    """Rank by Warnsdorff's rule, ties by the fewest onward moves of the squares that follow."""
    onward = [neighbor for neighbor in vertex.neighbors if neighbor.color == WHITE]
    return len(onward), sum(map(onward_moves, onward))


def onward_moves_then_far_from_center(rows: int, columns: int) -> Rank:
    """Return the ranking by Warnsdorff's rule, ties by the greatest distance from the center."""

    def rank(vertex: Vertex[Any]) -> tuple[int, int]:
        row, column = divmod(vertex.key, columns)
        distance = (2 * row - rows + 1) ** 2 + (2 * column - columns + 1) ** 2
        return onward_moves(vertex), -distance

    return rank


TEXTBOOK_MOVES: Final[tuple[Move, ...]] = (
    (-1, -2), (-1, 2), (-2, -1), (-2, 1), (1, -2), (1, 2), (2, -1), (2, 1),
)  # fmt: skip
"""The order of `kt_dfs.textbook`.

That file is not imported at the top of others, or ``python -m kt_dfs.textbook`` would warn.
"""

CLOCKWISE_MOVES: Final[tuple[Move, ...]] = (
    (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2),
)  # fmt: skip
"""The order of the 6×6 article: clockwise, beginning with two to the left and one up."""

GREEDY_MOVES: Final[tuple[Move, ...]] = (
    (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1),
)  # fmt: skip
"""The order in which the greedy walk breaks ties."""


# D. Squirrel and P. Cull, "A Warnsdorff-rule algorithm for knight's tours on square chessboards"
# (1996), in the table of S. Ganzfried, "A simple algorithm for knight's tours" (2004). The moves
# 1 to 8, as (rows down, columns right):
_NUMBERED_MOVES: Final = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))

# For each m mod 8 the orders of the numbered moves; each holds up to the next turning point.
_ORDERS_BY_REMAINDER: Final = (
    "34261578 87642135 51867342 51342678 21435678",
    "34261578 87642135 51324678 32481765",
    "34261578 87642135 54132678 52431678 85647123 15746823",
    "34625718 42681357 86512347 51867342 61825437 71642538",
    "34261578 87642135 51867342 51342678 86753421 78563421",
    "34261578 87642135 51324678 15234678",
    "34261578 87642135 54132678 52431678 85647123 12453678",
    "34625718 42681357 86512347 51867342 61825437 61357284",
)


def _turning_points(m: int) -> list[tuple[int, int]]:
    """Return the squares (row, column), from 1, after which the next order of moves holds."""
    middle_column = (m - 5) // 2 if m % 16 == 5 else (m - 13) // 2
    by_remainder = [  # of m divided by 8
        [(m - 1, m - 2), (2, 2), (m - 8, 1), (7, m - 3)],
        [(m - 1, m - 2), (2, 2), (m - 6, (m + 9) // 2)],
        [(6, 1), (3, 1), (m - 15, 4), (10, m - 2), (5, (m - 6) // 2)],
        [(m - 1, m - 2), (m - 6, m), (2, 5), (m - 10, 3), ((m + 1) // 2, m - 2)],
        [(m - 1, m - 2), (2, 2), (m - 8, 1), (10, m - 5), (13, (m + 2) // 2)],
        [(m - 1, m - 2), (2, 2), (m - 2, middle_column)],
        [(6, 1), (3, 1), (m - 10, 1), (10, m - 2), (3, (m + 8) // 2)],
        [(m - 1, m - 2), (m - 6, m), (2, 5), (m - 6, 3), ((m + 1) // 2, m - 2)],
    ]
    return by_remainder[m % 8]


class SquirrelCullOrder:
    """The order of one walk by Warnsdorff's rule, ties broken by Squirrel and Cull's orders.

    From the corner it completes every m × m board from m = 5 to 200. Boards that are not in the
    table, which are not square or smaller than 5 × 5, take one order alone, as m = 74 does.

    It is an `Order` that remembers the squares of its walk, so that a step takes the same time
    throughout. A path of one square begins another walk.
    """

    def __init__(self, rows: int, columns: int) -> None:
        is_tabled = rows == columns >= 5 and rows != 74
        orders = (_ORDERS_BY_REMAINDER[rows % 8] if is_tabled else "21345678").split()
        self.columns = columns
        self.tie_orders = [
            MoveOrder(tuple(_NUMBERED_MOVES[int(number) - 1] for number in order), columns)
            for order in orders
        ]
        self.turning_points = _turning_points(rows) if is_tabled else []
        self.visited: set[int] = set()
        self.passed = 0  # how many turning points the path has passed

    def __call__(self, graph: dict[int, list[int]], path: list[int]) -> list[int]:
        """Return the unvisited neighbors of the last square, best first."""
        if len(path) == 1:
            self.visited.clear()
            self.passed = 0
        here = path[-1]
        self.visited.add(here)
        row_and_column = here // self.columns + 1, here % self.columns + 1
        if [row_and_column] == self.turning_points[self.passed : self.passed + 1]:
            self.passed += 1

        def rank(square: int) -> tuple[int, int]:
            onward = sum(neighbor not in self.visited for neighbor in graph[square])
            return onward, self.tie_orders[self.passed].index(here, square)

        return sorted((each for each in graph[here] if each not in self.visited), key=rank)


@dataclass(frozen=True)
class Method:
    """A published method: a one-line summary, its source, and its strategy for rows × columns."""

    summary: str
    source: str
    build: Callable[[int, int], Strategy]


def _with_moves(
    moves: tuple[Move, ...], rank: Rank | None = None, backtracks: bool = True
) -> Callable[[int, int], Strategy]:
    """Return a function from rows and columns to the strategy with this order of moves."""
    return lambda rows, columns: Strategy(MoveOrder(moves, columns), rank, backtracks=backtracks)


_TEXTBOOK = "Miller and Ranum, Problem Solving with Algorithms and Data Structures using Python"

METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        "dfs": Method(
            "depth-first search, squares in the textbook's order of moves",
            f"{_TEXTBOOK}, knightTour",
            _with_moves(TEXTBOOK_MOVES),
        ),
        "warnsdorff": Method(
            "depth-first search, fewest onward moves first, ties in the textbook's order",
            f"H. C. von Warnsdorff (1823); {_TEXTBOOK}, orderByAvail",
            _with_moves(TEXTBOOK_MOVES, onward_moves),
        ),
        "lexicographic": Method(
            "fewest onward moves first, ties by row and column, dead ends cut off early",
            "the article on 8×8 that prints the lexicographic board",
            lambda *_: Strategy(rank=lambda v: (onward_moves(v), v.key), cut=dead_end_ahead),
        ),
        "static-degree": Method(
            "fewest moves on the empty board first, ties clockwise",
            "the article on 6×6, whose ordering counts visited squares too",
            _with_moves(CLOCKWISE_MOVES, lambda vertex: len(vertex.neighbors)),
        ),
        "greedy": Method(
            "Warnsdorff's rule alone, without backtracking: cannot prove anything",
            "H. C. von Warnsdorff (1823), as in the article on the greedy walk",
            _with_moves(GREEDY_MOVES, onward_moves, backtracks=False),
        ),
        "most-available": Method(
            "depth-first search, most onward moves first: for comparison with warnsdorff",
            f"{_TEXTBOOK}, where the reader is asked to compare",
            _with_moves(TEXTBOOK_MOVES, lambda vertex: -onward_moves(vertex)),
        ),
        "pohl": Method(
            "Warnsdorff's rule, ties by the rule applied to the squares that follow",
            "I. Pohl, A method for finding Hamilton paths and knight's tours, CACM 10 (1967)",
            _with_moves(TEXTBOOK_MOVES, onward_moves_then_next_level),
        ),
        "roth": Method(
            "Warnsdorff's rule, ties by the distance from the center, farthest first",
            "A. Roth, The Problem of the Knight: A Fast and Simple Algorithm, MathSource 0202-127",
            lambda rows, columns: Strategy(
                MoveOrder(TEXTBOOK_MOVES, columns), onward_moves_then_far_from_center(rows, columns)
            ),
        ),
        "squirrel-cull": Method(
            "a walk by Warnsdorff's rule whose order of ties changes at given squares",
            "D. Squirrel and P. Cull (1996), table as in S. Ganzfried (2004)",
            lambda *sides: Strategy(order=SquirrelCullOrder(*sides), backtracks=False),
        ),
    }
)
"""The methods by name, in the order in which they are worth reading."""


def strategy(name: str, rows: int, columns: int) -> Strategy:
    """Return the strategy of that name for rows × columns. Raises ValueError for unknown names."""
    if name not in METHODS:
        raise ValueError(f"no method {name!r}; there are {', '.join(METHODS)}")
    return replace(METHODS[name].build(rows, columns), name=name)
