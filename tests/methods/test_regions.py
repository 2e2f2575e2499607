"""Graphs that two vertices or two edges separate, and sets of vertices with small borders."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.graph import Graph
from kt_cp.methods import auto, circuit, regions
from kt_cp.methods.method import Answer, AnswerFunction, exhausted
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Task
from kt_cp.sat.edges import edge_graph, propagate
from kt_cp.tour.tour import Tour
from kt_dfs import Status
from tests.helpers.graphs import generalized_petersen
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances


@st.composite
def nearly_complete_graphs(draw: st.DrawFn) -> nx.Graph:
    """Graphs of a few vertices, in which only some pairs are not joined."""
    graph = nx.complete_graph(draw(st.integers(3, 5)))
    graph.remove_edges_from(draw(st.sets(st.sampled_from([*graph.edges]), max_size=4)))
    return graph


@st.composite
def separable_graphs(draw: st.DrawFn) -> Graph:
    """Two graphs that two edges join, or that share two vertices."""
    parts = draw(st.tuples(nearly_complete_graphs(), nearly_complete_graphs()))
    graph, first = nx.disjoint_union(*parts), len(parts[0])
    pairs = [draw(st.permutations(each))[:2] for each in (range(first), range(first, len(graph)))]
    is_shared = draw(st.booleans())
    for one, other in zip(*pairs, strict=True):
        if is_shared:
            graph = nx.contracted_nodes(graph, one, other, self_loops=False)
        else:
            graph.add_edge(one, other)
    return Graph.of(graph)


def by_regions(instance: Instance, answer_region: AnswerFunction) -> Answer:
    graph = propagate(edge_graph(instance))
    if graph is None:
        return exhausted(instance, "propagation")
    return regions.answer_by_regions(Task(instance), graph, answer_region)


@given(separable_graphs().map(lambda graph: Instance(graph, closed=True)) | graph_instances())
def test_a_graph_has_a_tour_just_where_all_of_its_regions_have_one(instance: Instance) -> None:
    assume(not instance.one_way and len(instance.graph) > 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regions, "_SMALLEST", 2)
        answer = by_regions(instance, circuit.answer)
    if answer.status is Status.UNKNOWN:  # nothing separates the graph
        assert "separate" in str(answer.explanation)
        return
    assert (answer.squares is not None) == any(True for _ in all_tours(instance))
    if answer.squares is not None:
        assert instance.satisfied_by(answer.squares)
        assert Tour.from_ids(instance.graph, answer.squares, instance.closed)


def ring_of(part: nx.Graph, copies: int) -> nx.Graph:
    """Copies of a graph in a ring: an edge of each is replaced by edges to the next copies."""
    first, last = next(iter(part.edges))
    ring = nx.disjoint_union_all([part] * copies)
    vertices = len(part)
    for copy in range(copies):
        ring.remove_edge(copy * vertices + first, copy * vertices + last)
        ring.add_edge(copy * vertices + last, (copy + 1) % copies * vertices + first)
    return ring


def test_each_region_of_a_ring_is_solved_by_itself() -> None:
    ring = Instance.of(ring_of(nx.random_regular_graph(3, 250, seed=1), 4), closed=True)
    answer = by_regions(ring, auto.answer)
    assert answer.squares is not None
    assert answer.counters == {"parts": 4}


def test_one_region_without_a_tour_is_enough() -> None:
    ring = Instance.of(ring_of(generalized_petersen(11, 2), 3), closed=True)
    answer = by_regions(ring, auto.answer)
    assert answer.status is Status.IMPOSSIBLE
    assert "no tour passes a part of" in str(answer.explanation)


def test_a_graph_that_is_not_connected_has_no_tour() -> None:
    apart = nx.disjoint_union(nx.complete_graph(80), nx.complete_graph(80))
    assert solve(apart, closed=True).status is Status.IMPOSSIBLE


@pytest.mark.parametrize("seed", range(5))
def test_sets_with_small_borders_are_disjoint_or_nested(seed: int) -> None:
    graph = nx.connected_caveman_graph(8, 10)
    edges = np.array(sorted(graph.edges))
    sets = [set(nodes) for nodes in regions.find_small_cuts(edges, Clock(), seed)]
    assert all(set(range(first, first + 10)) in sets for first in range(0, 80, 10))
    for one, other in itertools.combinations(sets, 2):
        assert not one & other or one <= other or other <= one
    for nodes in sets:
        outside = [node for each in nodes for node in graph[each] if node not in nodes]
        assert sum(min(2, outside.count(node)) for node in set(outside)) <= 12
