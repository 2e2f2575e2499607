"""Reasons why there is no tour or no answer: a category, a sentence, and what it names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from kt_cp.arrays import Squares
from kt_cp.graph import Graph
from kt_cp.messages import join_words
from kt_cp.problem.instance import Instance

Edge = tuple[int, int]
"""A move in either direction: two ids, the lower first."""


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


@dataclass(frozen=True)
class Reason:
    """A sentence that explains an answer, with the squares and moves that it names.

    The sentence, its picture and its certificate come from the same values. ``template`` is a
    format string, whose fields are names of ``groups`` of ids or of groups of ``moves``, which are
    pairs of ids. It must not contain other braces, so vertices of graphs, whose names may contain
    any signs, are always named as groups. Without groups it is the sentence itself. A proof by
    ``cases`` has a reason for each of them: one would hold, and none can. `str` lists the first
    dozen of a group, and `full` lists all.

    >>> from kt_cp.board import Board
    >>> reason = Reason(ReasonKind.CUT, Board(8, 8), "without {cut} …", {"cut": (0, 63)})
    >>> str(reason)
    'without a8 and h1 …'
    """

    kind: ReasonKind
    graph: Graph
    template: str
    groups: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    moves: Mapping[str, tuple[Edge, ...]] = field(default_factory=dict)
    cases: tuple[Reason, ...] = ()

    @classmethod
    def about(
        cls, kind: ReasonKind, graph: Graph, template: str, **groups: int | Iterable[int]
    ) -> Reason:
        """Return a reason whose groups are keyword arguments: one square each, or several."""
        ids = {
            name: (group,) if isinstance(group, int) else tuple(map(int, group))
            for name, group in groups.items()
        }
        return cls(kind, graph, template, ids)

    def with_moves(self, **moves: Iterable[Iterable[int]]) -> Reason:
        """Return the reason with groups of moves, without those that are empty."""
        pairs = {
            name: tuple((int(low), int(high)) for low, high in each) for name, each in moves.items()
        }
        return replace(self, moves={name: each for name, each in pairs.items() if each})

    def __str__(self) -> str:
        return self.sentence(lambda _, ids: self.graph.list_names(ids))

    @property
    def full(self) -> str:
        """The sentence with everything listed."""
        return self.sentence(lambda _, ids: self.graph.list_names(ids, None))

    def sentence(self, describe: Callable[[str, tuple[int, ...]], str]) -> str:
        """Return the sentence; ``describe`` returns words for a group by its name and its ids."""
        sentence = self.template
        if self.groups or self.moves:
            names = {name: describe(name, ids) for name, ids in self.groups.items()}
            for name, edges in self.moves.items():
                listed = (f"{self.graph.name(low)}-{self.graph.name(high)}" for low, high in edges)
                names[name] = join_words([*listed])
            sentence = sentence.format_map(names)
        if not self.cases:
            return sentence
        return f"{sentence}: {'; '.join(case.sentence(describe) for case in self.cases)}"


Find = Callable[[Instance], Reason | None]
"""A function that returns a reason why an instance has no tour, or None if it does not apply."""


def edges_at(instance: Instance, squares: npt.ArrayLike) -> Squares:
    """Return the edges that a tour may use at some squares, as rows (lower id, higher id)."""
    edges = instance.edges
    return edges[np.isin(edges, squares).any(axis=1)]


def degrees_of(graph: Graph, edges: Squares) -> npt.NDArray[np.int64]:
    """Return for each id the number of edges at it."""
    return np.bincount(edges.ravel(), minlength=graph.area)
