"""What a reason is: its kind, one sentence, and the squares that the sentence is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kt_cp.board import Board, as_board
from kt_cp.graph import MAX_NAMES, Graph


class ReasonKind(StrEnum):
    """The categories of reasons: why there is no tour or, for the last three, no answer yet.

    ``exhausted`` stands for a search that went through all possibilities.
    """

    TOO_SMALL = "too-small"
    CONTRADICTION = "contradiction"
    COLOURS = "colours"
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
    """Why a question has the answer it has, for people: a sentence about some squares.

    ``text`` names groups of ``squares`` in braces. `str` lists the first dozen squares of a group,
    and `full` lists them all. Further groups serve the picture of the reason only.

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

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    def __str__(self) -> str:
        return self._sentence(MAX_NAMES)

    @property
    def full(self) -> str:
        """The sentence with every square listed."""
        return self._sentence(None)

    def _sentence(self, most: int | None) -> str:
        named = {name: group for name, group in self.squares.items() if f"{{{name}}}" in self.text}
        return self.graph.words(self.text).format_map(
            {name: self.graph.list_names(group, most) for name, group in named.items()}
        )
