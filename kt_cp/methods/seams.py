"""Hide the seams of a composed tour: exchange edges everywhere, then join what falls apart.

An exchange replaces the edges a-b and c-d of a tour by a-d and b-c. After any number of exchanges
there are still cycles that together visit every square, and `CycleCover.join` makes one of them.
"""

from __future__ import annotations

import numpy as np

from kt_cp.arrays import Ints, Squares, cycle_arcs
from kt_cp.board import Board
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.sat.cycle_cover import CycleCover
from kt_cp.sat.edges import edge_graph

MAX_SQUARES = 40_000
"""The most squares of a board whose seams are hidden, which takes half a second of processor time.

In a picture of a larger board a square has less than five pixels.
"""

# Rounds in which an exchange is tried at every square. After them the tiles of a composed tour can
# be seen neither in its line nor in the order of its squares.
_ROUNDS = 20


def without_seams(board: Board, squares: Squares, clock: Clock, seed: int) -> Squares:
    """Return a tour without the visible pattern of a composed one.

    ``squares`` is the composed tour, as ids in visiting order. The result is closed if the number
    of squares is even. It is the composed tour itself if the cycles could not be joined, or if time
    is short.
    """
    graph = edge_graph(Instance(board, closed=len(squares) % 2 == 0))
    nodes = squares if graph.instance.closed else np.append(squares, graph.depot)
    cover = CycleCover(graph, np.sort(cycle_arcs(nodes), axis=1))
    rng = np.random.default_rng(seed)
    for _ in range(_ROUNDS):
        cover.exchange(_disjoint(_random_exchanges(cover, rng), len(nodes)))
    cover.renumber()
    try:
        cover.join(rng, clock)
    except OutOfTimeError:
        return squares
    return graph.tour(cover.order) if len(cover.sizes) == 1 else squares


def _random_exchanges(cover: CycleCover, rng: np.random.Generator) -> Ints:
    """Return at most one exchange at each node b, as rows a, b, c, d in random order."""
    b = np.arange(len(cover.order))
    c = cover.neighbors[b, rng.integers(cover.neighbors.shape[1], size=len(b))]
    b, c = b[c >= 0], c[c >= 0]
    a = cover.cycle_neighbors[b, rng.integers(2, size=len(b))]
    d = cover.cycle_neighbors[c, rng.integers(2, size=len(c))]
    fits = (a != c) & (b != d) & (a != d) & cover.have_free_edge(a, d)
    a, b, c, d = a[fits], b[fits], c[fits], d[fits]
    are_new = ~cover.are_consecutive(b, c) & ~cover.are_consecutive(a, d)
    return rng.permutation(np.stack([a, b, c, d], axis=1)[are_new])


def _disjoint(exchanges: Ints, count: int) -> Ints:
    """Return the exchanges that share no node with an earlier one.

    Nodes are numbered below ``count``.
    """
    numbers = np.arange(len(exchanges))
    first = np.full(count, len(exchanges))
    np.minimum.at(first, exchanges.ravel(), np.repeat(numbers, 4))
    is_first = (first[exchanges] == numbers[:, None]).all(axis=1)
    return np.asarray(exchanges[is_first])
