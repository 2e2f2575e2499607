"""Rotations of a path, which find a cycle wherever every vertex has many neighbors."""

from itertools import pairwise
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp import Graph, Instance, Status, solve
from kt_cp.methods.rotations import RotationGraph, RotationRule, cycle_by_rotations
from kt_cp.problem.task import Clock, OutOfTimeError
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


class RecordedEdges(RotationRule):
    """Refuses some rotations, and keeps the edges of the path."""

    def __init__(self, edges: set[int], random: Random) -> None:
        self.edges, self.random = edges, random

    def accepts(self, old: int, new: int) -> bool:
        return self.random.random() < 0.7

    def record(self, old: int, new: int) -> None:
        self.edges.remove(old)
        self.edges.add(new)


@settings(max_examples=10)
@given(st.booleans(), st.integers(0, 99))
def test_rotations_make_cycles_with_all_fixed_edges_and_record_every_exchange(
    closed: bool, seed: int
) -> None:
    random = Random(seed)
    tour = solve("5x6", closed=closed, require=["a1-b3", "d2-f1"]).tour
    assert tour is not None
    graph = edge_graph(Instance.of("5x6", closed=closed, require=["a1-b3", "d2-f1"]))
    fixed = {number for number, is_required in enumerate(graph.required) if is_required}
    rotations = RotationGraph(graph.nodes, graph.edges, graph.required.tolist())
    path = rotations.open_cycle(graph.form.cycle(tour.squares).tolist())
    rule = RecordedEdges({rotations.index[pair] for pair in pairwise(path)}, random)
    for found in rotations.rotate(path, 500, random.random, rule):
        assert sorted(found.path) == list(range(graph.nodes))
        assert rule.edges == {rotations.index[pair] for pair in pairwise(found.path)}
        assert rotations.index[found.path[-1], found.path[0]] == found.closing_edge
        assert fixed <= rule.edges | {found.closing_edge}


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
