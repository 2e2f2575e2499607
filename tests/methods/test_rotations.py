"""Cycles by rotations of a path."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.graph import Graph
from kt_cp.methods.rotations import cycle_by_rotations
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.sat.edges import edge_graph
from kt_cp.tour.tour import Tour
from kt_dfs import Status
from tests.helpers.strategies import graph_instances


@given(graph_instances(), st.integers(0, 99))
def test_a_cycle_by_rotations_is_a_tour(instance: Instance, seed: int) -> None:
    graph = edge_graph(instance)
    cycle = cycle_by_rotations(graph, Random(seed), Clock())
    if cycle is not None:
        tour = Tour.from_ids(instance.graph, graph.tour(cycle), instance.closed)
        assert instance.satisfied_by(tour.squares)


def test_rotations_give_up_on_a_graph_without_a_cycle() -> None:
    petersen = edge_graph(Instance.of(Graph.of(nx.petersen_graph()), closed=True))
    assert cycle_by_rotations(petersen, Random(0), Clock()) is None


@pytest.mark.parametrize("closed", [False, True])
def test_dense_graphs_are_answered_before_any_model_is_stated(closed: bool) -> None:
    graph = Graph.of(nx.gnm_random_graph(600, 30_000, seed=1))
    result = solve(graph, closed=closed)
    assert (result.status, result.method) == (Status.FOUND, "cuts")
    assert result.counters["conflicts"] == 0
