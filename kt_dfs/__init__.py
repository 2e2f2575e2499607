"""The reference: knight's tours by textbook depth-first search, standard library only.

The files, in the order of reading:

- ``textbook``: the textbook's two searches, on one page.
- ``graph``: graphs whose vertices have colors and times, and general depth-first search.
- ``strategies``: how a search chooses the next square; the published ways are in `METHODS`.
- ``backtracking``: `search`, which finds a tour of any graph by any `Strategy`, within limits.
- ``compat``: the classes of both editions of the textbook, for programs that use them.
- ``__main__``: the programs of the exercise.

>>> from kt_dfs import knight_graph, search, strategy
>>> outcome = search(knight_graph(5), 4, strategy("dfs", 5, 5))
>>> outcome.status.value, outcome.path[:4], outcome.calls
('found', (4, 7, 0, 11), 3441)
"""

from kt_dfs.backtracking import (
    Budget,
    Ending,
    Event,
    Observer,
    OrderError,
    Outcome,
    Status,
    knight_tour,
    knight_tour_better,
    search,
)
from kt_dfs.graph import DFSGraph, EdgeKind, Graph, Vertex, knight_graph
from kt_dfs.strategies import METHODS, MoveOrder, Strategy, strategy

__all__ = [
    "METHODS",
    "Budget",
    "DFSGraph",
    "EdgeKind",
    "Ending",
    "Event",
    "Graph",
    "MoveOrder",
    "Observer",
    "OrderError",
    "Outcome",
    "Status",
    "Strategy",
    "Vertex",
    "knight_graph",
    "knight_tour",
    "knight_tour_better",
    "search",
    "strategy",
]
