"""Reasons why there is no tour or no answer: a category, a sentence, and its squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares
from kt_cp.graph import MAX_NAMES, Graph
from kt_cp.problem.instance import Instance


class ReasonKind(StrEnum):
    """The categories of reasons: why there is no tour or, for the last three, no answer yet.

    ``exhausted`` means that a search went through all possibilities.
    """

    TOO_SMALL = "too-small"
    CONTRADICTION = "contradiction"
    COLORS = "colours"
    DEAD_END = "dead-end"
    ONE_WAY = "one-way"
    COMPONENTS = "components"
    SCHWENK = "schwenk"
    SYMMETRY = "symmetry"
    STEPS = "steps"
    FORCED_MOVES = "forced-moves"
    CUT = "cut"
    TWO_FACTOR = "two-factor"
    EXHAUSTED = "exhausted"
    GAVE_UP = "gave-up"
    TIME_LIMIT = "time-limit"

    COLOURS = "colours"  # the former name of `COLORS`, whose value programs read


@dataclass(frozen=True)
class Reason:
    """A sentence that explains an answer, and the squares that it names.

    ``text`` is a format string, whose fields are the keys of ``squares``; each of these maps to a
    group of ids. It must not contain other braces, so vertices of graphs, whose names may contain
    any signs, are always named as groups. Without ``squares`` it is the sentence itself. `str`
    lists the first dozen squares of a group, and `full` lists them all.

    >>> from kt_cp.board import Board
    >>> reason = Reason(ReasonKind.CUT, Board(8, 8), "without {cut} …", {"cut": (0, 63)})
    >>> str(reason)
    'without a8 and h1 …'
    """

    kind: ReasonKind
    graph: Graph
    text: str
    squares: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def about(
        cls, kind: ReasonKind, graph: Graph, text: str, **squares: int | Iterable[int]
    ) -> Reason:
        """Return a reason whose groups are keyword arguments: one square each, or several."""
        groups = {
            name: (group,) if isinstance(group, int) else tuple(map(int, group))
            for name, group in squares.items()
        }
        return cls(kind, graph, text, groups)

    def __str__(self) -> str:
        return self._sentence(MAX_NAMES)

    @property
    def full(self) -> str:
        """The sentence with every square listed."""
        return self._sentence(None)

    def _sentence(self, most: int | None) -> str:
        """Return the text with at most ``most`` names in each group (None: all)."""
        if not self.squares:
            return self.text
        names = {name: self.graph.list_names(each, most) for name, each in self.squares.items()}
        return self.text.format_map(names)


Find = Callable[[Instance], Reason | None]
"""A function that returns a reason why an instance has no tour, or None if it does not apply."""


def degrees_of(graph: Graph, edges: Squares) -> npt.NDArray[np.int64]:
    """Return for each id the number of edges at it."""
    return np.bincount(edges.ravel(), minlength=graph.area)
