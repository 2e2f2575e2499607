"""Every published method by name, each a strategy made for a board of rows × columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from kt_dfs import squirrel_cull
from kt_dfs.strategies import (
    Move,
    MoveOrder,
    Rank,
    Strategy,
    dead_end_ahead,
    degree,
    most_onward_moves,
    onward_moves,
    onward_moves_then_far_from_center,
    onward_moves_then_id,
    onward_moves_then_next_level,
)
from kt_dfs.textbook import MOVES as TEXTBOOK_MOVES

CLOCKWISE_MOVES: Final[tuple[Move, ...]] = (
    (-1, -2), (-2, -1), (-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2),
)  # fmt: skip
"""The order of the 6×6 article: clockwise, beginning with two to the left and one up."""

GREEDY_MOVES: Final[tuple[Move, ...]] = (
    (2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1),
)  # fmt: skip
"""The order in which the greedy walk breaks ties."""

Build = Callable[[int, int], Strategy]
"""Makes a strategy for a board of rows × columns."""


@dataclass(frozen=True)
class Method:
    """A published method: a one-line summary, its source, and how to make its strategy."""

    summary: str
    source: str
    build: Build


def strategy(name: str, rows: int, columns: int) -> Strategy:
    """Return the strategy of that name for a board of rows × columns.

    Raises ValueError for a name that is not in `METHODS`.

    >>> strategy("greedy", 8, 8).backtracks
    False
    """
    if name not in METHODS:
        raise ValueError(f"no method {name!r}; there are {', '.join(METHODS)}")
    return replace(METHODS[name].build(rows, columns), name=name)


def _ordered(moves: tuple[Move, ...], rank: Rank | None = None, backtracks: bool = True) -> Build:
    return lambda rows, columns: Strategy((MoveOrder(moves, columns),), rank, None, backtracks)


_TEXTBOOK = "Miller and Ranum, Problem Solving with Algorithms and Data Structures using Python"

METHODS: Final[Mapping[str, Method]] = MappingProxyType(
    {
        "dfs": Method(
            "depth-first search, squares in the textbook's order of moves",
            f"{_TEXTBOOK}, knightTour",
            _ordered(TEXTBOOK_MOVES),
        ),
        "warnsdorff": Method(
            "depth-first search, fewest onward moves first, ties in the textbook's order",
            f"H. C. von Warnsdorff (1823); {_TEXTBOOK}, orderByAvail",
            _ordered(TEXTBOOK_MOVES, onward_moves),
        ),
        "lexicographic": Method(
            "fewest onward moves first, ties by row and column, dead ends cut off early",
            "the article on 8×8 that prints the lexicographic board",
            lambda rows, columns: Strategy(rank=onward_moves_then_id, cut=dead_end_ahead),
        ),
        "static-degree": Method(
            "fewest moves on the empty board first, ties clockwise",
            "the article on 6×6, whose ordering counts visited squares too",
            _ordered(CLOCKWISE_MOVES, degree),
        ),
        "greedy": Method(
            "Warnsdorff's rule alone, without backtracking: cannot prove anything",
            "H. C. von Warnsdorff (1823), as in the article on the greedy walk",
            _ordered(GREEDY_MOVES, onward_moves, backtracks=False),
        ),
        "most-available": Method(
            "depth-first search, most onward moves first: for comparison with warnsdorff",
            f"{_TEXTBOOK}, where the reader is asked to compare",
            _ordered(TEXTBOOK_MOVES, most_onward_moves),
        ),
        "pohl": Method(
            "Warnsdorff's rule, ties by the rule applied to the squares that follow",
            "I. Pohl, A method for finding Hamilton paths and knight's tours, CACM 10 (1967)",
            _ordered(TEXTBOOK_MOVES, onward_moves_then_next_level),
        ),
        "roth": Method(
            "Warnsdorff's rule, ties by the distance from the center, farthest first",
            "A. Roth, The Problem of the Knight: A Fast and Simple Algorithm, MathSource 0202-127",
            lambda rows, columns: Strategy(
                (MoveOrder(TEXTBOOK_MOVES, columns),),
                onward_moves_then_far_from_center(rows, columns),
            ),
        ),
        "squirrel-cull": Method(
            "a walk by Warnsdorff's rule whose order of ties changes at given squares",
            "D. Squirrel and P. Cull (1996), table as in S. Ganzfried (2004)",
            lambda rows, columns: Strategy(
                squirrel_cull.move_orders(rows, columns), onward_moves, backtracks=False
            ),
        ),
    }
)
"""The methods by name, in the order in which they are worth reading."""
