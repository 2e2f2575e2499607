"""Open and closed tours: what is common to all that is about one of them."""

from __future__ import annotations

from kt_cp.board import Board, as_board
from kt_cp.graph import Graph

# The minimum length of a closed tour: one of two squares would use its only move twice.
FEWEST_CLOSED = 3


class OpenOrClosed:
    """Mixin: a graph and the kind of tour."""

    graph: Graph
    closed: bool

    @property
    def board(self) -> Board:
        """The graph, where it is a board. Raises `InputError` for a graph without places."""
        return as_board(self.graph)

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        return f"{self.graph.vocabulary.tour(self.closed)} of {self.graph.summary}"
