"""Families of cubic graphs without a Hamiltonian cycle."""

from typing import Any

import networkx as nx


def flower_snark(stars: int) -> Any:
    """Return Isaacs' flower snark, which has four vertices for each star.

    It has no Hamiltonian cycle if the number of stars is odd.
    """
    graph = nx.Graph()
    for star in range(stars):
        after = (star + 1) % stars
        graph.add_edges_from((("hub", star), (arm, star)) for arm in "abc")
        graph.add_edge(("a", star), ("a", after))
        left, right = ("c", "b") if after == 0 else ("b", "c")
        graph.add_edges_from([(("b", star), (left, after)), (("c", star), (right, after))])
    return graph


def generalized_petersen(count: int, step: int) -> Any:
    """Return the generalized Petersen graph: an outer cycle, and inner vertices joined by steps.

    With a ``step`` of 2 it has no Hamiltonian cycle if ``count`` is 5 modulo 6 (Alspach).
    """
    graph = nx.cycle_graph(count)
    for number in range(count):
        inner = count + number
        graph.add_edges_from([(number, inner), (inner, count + (number + step) % count)])
    return graph
