"""The two kinds of tours, open and closed: a mixin, and summaries in words."""

from __future__ import annotations

from kt_cp.board import Board, as_board
from kt_cp.graph import Graph

# The smallest number of squares of a closed tour: with two, it would use its only move twice.
FEWEST_CLOSED = 3


def partial_summary(graph: Graph, closed: bool, count: int) -> str:
    """Return a few words on a tour of ``count`` of the vertices of a graph.

    >>> partial_summary(Board(4, 4), False, 15)
    'path through 15 of 16 squares of 4x4'
    """
    words = graph.vocabulary
    place = f" of {graph.title}" if graph.has_places else ""
    total = words.count_vertices(len(graph))
    return f"{words.partial_tour(closed)} through {count:,} of {total}{place}"


class OpenOrClosed:
    """Mixin: a graph and the kind of tour."""

    graph: Graph
    closed: bool

    @property
    def board(self) -> Board:
        """The graph, if it is a board. Raises `InputError` for any other graph."""
        return as_board(self.graph)

    @property
    def kind(self) -> str:
        """``open`` or ``closed``."""
        return "closed" if self.closed else "open"

    @property
    def summary(self) -> str:
        """A few words, such as ``closed tour of 8x8, 64 squares``."""
        return f"{self.graph.vocabulary.tour(self.closed)} of {self.graph.summary}"
