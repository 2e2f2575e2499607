"""Rotations of a path, which find a cycle wherever every vertex has many neighbors."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import Graph, Instance, Status, solve
from kt_cp.methods.rotations import cycle_by_rotations
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.sat.edges import edge_graph


@given(st.integers(3, 30), st.integers(2, 9), st.integers(0, 99))
def test_a_cycle_by_rotations_passes_every_vertex_once_along_edges(
    count: int, degree: int, seed: int
) -> None:
    graph = nx.watts_strogatz_graph(count, min(degree, count - 1), 0.5, seed=seed)
    if not graph.number_of_edges():
        return
    tour_graph = edge_graph(Instance.of(Graph.of(graph), closed=True))
    if min(dict(graph.degree).values()) == 0:
        return
    cycle = cycle_by_rotations(tour_graph, Random(seed), Clock())
    if cycle is not None:
        assert sorted(cycle.tolist()) == list(range(len(graph)))
        edges = {tuple(sorted(edge)) for edge in tour_graph.edges.tolist()}
        nodes = cycle.tolist()
        assert all(tuple(sorted((nodes[i - 1], nodes[i]))) in edges for i in range(len(nodes)))


def test_rotations_give_up_on_a_graph_without_a_cycle() -> None:
    petersen = edge_graph(Instance.of(Graph.of(nx.petersen_graph()), closed=True))
    assert cycle_by_rotations(petersen, Random(0), Clock()) is None


def test_rotations_leave_graphs_with_required_edges_alone() -> None:
    instance = Instance.of(Graph.of(nx.complete_graph(9)), closed=True, require=["0-5"])
    assert cycle_by_rotations(edge_graph(instance), Random(0), Clock()) is None


def test_rotations_stop_at_the_time_limit() -> None:
    graph = edge_graph(Instance.of(Graph.of(nx.complete_graph(9)), closed=True))
    with pytest.raises(OutOfTimeError):
        cycle_by_rotations(graph, Random(0), Clock(1e-9))


@pytest.mark.parametrize("closed", [False, True])
def test_dense_graphs_are_answered_before_any_model_is_stated(closed: bool) -> None:
    graph = Graph.of(nx.gnm_random_graph(600, 30_000, seed=1))
    result = solve(graph, closed=closed)
    assert (result.status, result.method) == (Status.FOUND, "cuts")
    assert result.counters["conflicts"] == 0
