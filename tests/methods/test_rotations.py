"""Rotations of a path, and contracted cycles, whose runs are expanded in other orders."""

from itertools import pairwise
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.arrays import Ints, Mask
from kt_cp.graph import Graph
from kt_cp.methods.rotations import ContractedCycle, RotationGraph, cycle_by_rotations
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
    rotations = RotationGraph(graph.node_count, graph.edges, graph.required.tolist())
    path = rotations.open_cycle(graph.form.cycle(tour.squares).tolist())
    edges = {rotations.index[pair] for pair in pairwise(path)}

    def accepts(old: int, new: int, share: float) -> bool:
        return random.random() < 0.7

    def record(old: int, new: int) -> None:
        edges.remove(old)
        edges.add(new)

    for closing_edge in rotations.rotate(path, 500, random, Clock(), accepts, record):
        assert sorted(path) == list(range(graph.node_count))
        assert edges == {rotations.index[pair] for pair in pairwise(path)}
        assert rotations.index[path[-1], path[0]] == closing_edge
        assert fixed <= edges | {closing_edge}


def test_rotations_give_up_on_a_graph_without_a_cycle() -> None:
    petersen = edge_graph(Instance.of(Graph.of(nx.petersen_graph()), closed=True))
    assert cycle_by_rotations(petersen, Random(0), Clock()) is None


@pytest.mark.parametrize("closed", [False, True])
def test_dense_graphs_are_answered_before_any_model_is_stated(closed: bool) -> None:
    graph = Graph.of(nx.gnm_random_graph(600, 30_000, seed=1))
    result = solve(graph, closed=closed)
    assert (result.status, result.method) == (Status.FOUND, "cuts")
    assert result.counters["conflicts"] == 0


@st.composite
def cycles_and_regions(draw: st.DrawFn) -> tuple[Ints, Mask]:
    cycle = draw(st.permutations(range(draw(st.integers(3, 15)))))
    inside = draw(st.sets(st.sampled_from(cycle), min_size=3))
    return np.array(cycle), np.isin(np.arange(len(cycle)), [*inside])


def edges_of(cycle: list[int]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in pairwise([*cycle, cycle[0]])}


@given(cycles_and_regions(), st.randoms(use_true_random=False))
def test_a_part_reversed_between_links_leaves_the_edges_outside(
    given_cycle: tuple[Ints, Mask], random: Random
) -> None:
    cycle, is_inside = given_cycle
    contracted = ContractedCycle(cycle, is_inside)
    linked = {tail for tail, _ in contracted.links.tolist()}
    cuts = [run for run in range(1, len(contracted)) if run - 1 not in linked]
    assume(len(cuts) >= 2)
    first, last = sorted(random.sample(cuts, 2))
    order = list(range(len(contracted)))
    order[first:last] = reversed(order[first:last])
    changed = contracted.expand(order).tolist()
    assert sorted(changed) == sorted(cycle.tolist())
    outside = {edge for edge in edges_of(cycle.tolist()) if not is_inside[[*edge]].all()}
    assert outside <= edges_of(changed)
