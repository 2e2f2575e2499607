"""Graphs that two vertices or two edges separate: each side is solved by itself."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.arrays import Ints
from kt_cp.graph import Graph
from kt_cp.methods import auto, circuit, regions
from kt_cp.methods.method import Answer, Function, exhausted
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.sat.edges import edge_graph, propagate
from kt_cp.tour.tour import Tour
from kt_dfs import Status
from tests.helpers.graphs import generalized_petersen
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances


@st.composite
def nearly_complete_graphs(draw: st.DrawFn) -> Ints:
    """The edges of a graph of a few vertices, in which only some pairs are not joined."""
    pairs = list(itertools.combinations(range(draw(st.integers(3, 5))), 2))
    missing = draw(st.sets(st.sampled_from(pairs), max_size=4))
    return np.array([pair for pair in pairs if pair not in missing] or pairs)


@st.composite
def separable_graphs(draw: st.DrawFn) -> Graph:
    """Two graphs that two edges join, or that share two vertices."""
    one, other = draw(nearly_complete_graphs()), draw(nearly_complete_graphs())
    count = int(one.max()) + 1
    at_one, at_other = (draw(st.permutations(range(edges.max() + 1)))[:2] for edges in (one, other))
    joined = np.concatenate([one, other + count])
    ends = np.array(at_other) + count
    if draw(st.booleans()):
        joined = np.concatenate([joined, np.stack([at_one, ends], axis=1)])
    else:
        names = np.arange(joined.max() + 1)
        names[ends] = at_one
        joined = names[joined]
    vertices, edges = np.unique(joined, return_inverse=True)
    return Graph(range(len(vertices)), edges.reshape(-1, 2))


def by_regions(instance: Instance, answer_region: Function) -> Answer:
    graph = propagate(edge_graph(instance))
    if graph is None:
        return exhausted(instance, "propagation")
    return regions.answer(Task(instance), graph, answer_region)


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
