"""Graphs in their usual drawings."""

import random
from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.draw.graph_layout import lay_out
from kt_cp.draw.output import picture_of
from kt_cp.graph import Graph

nx = pytest.importorskip("networkx")


def shuffled(graph: Any) -> Graph:
    """A graph of networkx with its vertices in a random order and under other names."""
    numbers = list(range(len(graph)))
    random.Random(7).shuffle(numbers)
    return Graph.of(nx.relabel_nodes(graph, dict(zip(graph, numbers, strict=True))))


def lengths(graph: Graph) -> list[float]:
    """The different lengths of the edges as drawn, to two decimals."""
    layout = lay_out(graph)
    ends = np.array([[layout[tail], layout[head]] for tail, head in graph.arcs.tolist()])
    found = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    return sorted({round(float(length), 2) for length in found})


@pytest.mark.parametrize(
    ("graph", "count"),
    [
        (nx.grid_2d_graph(3, 7), 1),
        (nx.ladder_graph(6), 1),
        (nx.petersen_graph(), 3),  # outer edges, spokes and the star
        (nx.circular_ladder_graph(9), 3),
        (nx.dodecahedral_graph(), 3),
        (nx.hypercube_graph(3), 2),
        (nx.hypercube_graph(4), 3),
        (nx.moebius_kantor_graph(), 3),
        (nx.circulant_graph(10, [1, 5]), 2),
        (nx.complete_graph(5), 2),
    ],
    ids=str,
)
def test_a_graph_of_a_family_has_edges_of_few_lengths(graph: Any, count: int) -> None:
    assert len(lengths(shuffled(graph))) == count


def test_a_cycle_of_another_graph_is_a_circle() -> None:
    tour = solve(shuffled(nx.random_regular_graph(4, 24, seed=3)), closed=True).tour
    assert tour is not None
    layout = lay_out(tour.graph, tour.squares.tolist())
    points = np.array([layout[vertex] for vertex in tour.squares.tolist()])
    assert np.allclose(np.linalg.norm(points, axis=1), 1)
    steps = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    assert np.allclose(steps, steps[0])
    assert "cycle" in picture_of(tour).caption
