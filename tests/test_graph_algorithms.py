"""Graph algorithms on arrays of edges, against networkx."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

nx = pytest.importorskip("networkx")

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import (
    adjacency,
    articulation_components,
    bipartition,
    blocks_of,
    find_subtour,
    frontier_widths,
    low_width_orders,
    most_on_cycle,
    most_on_path,
    strong_components,
)

VERTICES = 9


@st.composite
def edges(draw: st.DrawFn) -> Ints:
    """Draw different edges between some of nine vertices, as rows (lower id, higher id)."""
    pairs = list(itertools.combinations(range(VERTICES), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14))
    return np.array(chosen, dtype=np.int64).reshape(-1, 2)


def graph_of(pairs: Ints) -> Any:
    graph = nx.empty_graph(VERTICES)
    graph.add_edges_from(pairs.tolist())
    return graph


@given(edges())
def test_a_bipartition_exists_unless_some_cycle_is_odd(pairs: Ints) -> None:
    parts = bipartition(VERTICES, pairs)
    assert (parts is not None) == nx.is_bipartite(graph_of(pairs))
    if parts is not None:
        assert (parts[pairs[:, 0]] != parts[pairs[:, 1]]).all()


@given(edges())
def test_an_articulation_vertex_is_told_with_the_components_that_its_removal_leaves(
    pairs: Ints,
) -> None:
    graph = graph_of(pairs)
    expected = {}
    for vertex in nx.articulation_points(graph):
        component = nx.node_connected_component(graph, vertex) - {vertex}
        expected[vertex] = nx.number_connected_components(graph.subgraph(component))
    assert articulation_components(adjacency(pairs)) == expected


@given(edges())
def test_the_blocks_are_those_of_networkx(pairs: Ints) -> None:
    found = {frozenset({block.cut, *block.inner}) for block in blocks_of(adjacency(pairs))}
    expected = nx.biconnected_components(nx.Graph(pairs.tolist()))
    assert found == set(map(frozenset, expected))


@given(edges())
def test_strong_components_are_those_of_networkx(pairs: Ints) -> None:
    arcs = np.where(pairs[:, :1] % 2, pairs[:, ::-1], pairs)
    graph = nx.DiGraph(arcs.tolist())
    graph.add_nodes_from(range(VERTICES))
    labels = strong_components(VERTICES, arcs).tolist()
    found = {frozenset(v for v in graph if labels[v] == label) for label in labels}
    assert found == set(map(frozenset, nx.strongly_connected_components(graph)))


@given(st.permutations(range(VERTICES)), st.integers(0, VERTICES - 3))
def test_a_subtour_is_found_where_there_is_any(order: list[int], outside: int) -> None:
    path, cycle = order[:outside], order[outside:]
    pairs = np.array([*itertools.pairwise(path), *itertools.pairwise(cycle)])
    assert not find_subtour(VERTICES, pairs)
    closed = np.append(pairs, [[cycle[-1], cycle[0]]], axis=0)
    assert find_subtour(VERTICES, closed) == (sorted(cycle) if outside else [])


@given(edges())
def test_orders_hold_every_vertex_and_widths_count_their_frontiers(pairs: Ints) -> None:
    graph = graph_of(pairs)
    for order in low_width_orders(np.arange(VERTICES, dtype=np.int32), pairs):
        assert sorted(order.tolist()) == list(range(VERTICES))
        frontiers = []
        for count in range(1, VERTICES + 1):
            earlier = order[:count].tolist()
            near = set().union(*(graph[vertex] for vertex in earlier))
            frontiers.append(len(near - set(earlier)))
        assert frontier_widths(pairs, order).tolist() == frontiers


@given(edges())
def test_no_path_or_cycle_has_more_vertices_than_the_blocks_allow(pairs: Ints) -> None:
    graph = nx.Graph(pairs.tolist())
    around = adjacency(pairs)
    for source, target in itertools.islice(itertools.permutations(graph, 2), 12):
        for path in itertools.islice(nx.all_simple_paths(graph, source, target), 20):
            assert len(path) <= most_on_path(around)
            if len(path) > 2 and source in graph[target]:
                assert len(path) <= most_on_cycle(around)
