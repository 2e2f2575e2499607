"""The words in which messages speak of a graph and its tours."""

from __future__ import annotations

from dataclasses import dataclass

from kt_cp.phrases import pluralize, with_article


@dataclass(frozen=True)
class Vocabulary:
    """The words for the parts of a graph and its tours in messages.

    >>> BOARD_WORDS.count_vertices(5), BOARD_WORDS.a_tour(closed=False)
    ('5 squares', 'an open tour')
    >>> GRAPH_WORDS.count_vertices(5), GRAPH_WORDS.a_tour(closed=False)
    ('5 vertices', 'a Hamiltonian path')
    """

    graph: str
    vertex: str
    vertices: str
    edge: str
    edges: str
    open_tour: str
    closed_tour: str
    dark: str
    light: str
    outside: str  # predicate of a name that stands for no vertex
    is_forced_to: str  # verb between a vertex and the neighbors that a tour must visit beside it

    def count_vertices(self, number: int) -> str:
        """Return a number of vertices, such as ``1 square``."""
        return pluralize(number, self.vertex, self.vertices)

    def count_edges(self, number: int) -> str:
        """Return a number of edges, such as ``2 moves``."""
        return pluralize(number, self.edge, self.edges)

    def tour(self, closed: bool) -> str:
        """Return what a tour is called, such as ``closed tour``."""
        return self.closed_tour if closed else self.open_tour

    def a_tour(self, closed: bool) -> str:
        """Return what a tour is called, with its article, such as ``an open tour``."""
        return with_article(self.tour(closed))

    def partial_tour(self, closed: bool) -> str:
        """Return what a tour that leaves vertices out is called: ``path`` or ``cycle``."""
        return "cycle" if closed else "path"

    @property
    def an_edge(self) -> str:
        """What an edge is called, with its article."""
        return with_article(self.edge)


BOARD_WORDS = Vocabulary(
    graph="board",
    vertex="square",
    vertices="squares",
    edge="move",
    edges="moves",
    open_tour="open tour",
    closed_tour="closed tour",
    dark="dark",
    light="light",
    outside="off the board",
    is_forced_to="is forced to move to",
)
GRAPH_WORDS = Vocabulary(
    graph="graph",
    vertex="vertex",
    vertices="vertices",
    edge="edge",
    edges="edges",
    open_tour="Hamiltonian path",
    closed_tour="Hamiltonian cycle",
    dark="black",
    light="white",
    outside="not in the graph",
    is_forced_to="must be next to",
)
