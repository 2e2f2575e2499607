"""Graph algorithms: the same answers as those of networkx, or of plain counting."""

import itertools
from collections.abc import Iterable

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.arrays import Ints
from kt_cp.graph_algorithms import (
    adjacency,
    articulation_components,
    bipartition,
    component_labels,
    find_subtour,
    frontier_widths,
    low_width_orders,
    strong_components,
)

COUNTS = st.integers(1, 12)


def pairs_of(count: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Pairs of different ids below a count."""
    ids = st.integers(0, count - 1)
    return st.lists(st.tuples(ids, ids).filter(lambda pair: pair[0] != pair[1]))


def rows(pairs: Iterable[tuple[int, int]]) -> Ints:
    return np.array([*pairs], dtype=np.int32).reshape(-1, 2)


def sets_of(labels: Ints) -> set[frozenset[int]]:
    """The sets of ids that have the same label."""
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in labels}


def graph_of(count: int, edges: list[tuple[int, int]]) -> nx.Graph:
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(count))
    return graph


@given(COUNTS, st.data())
def test_components_are_labeled_by_their_lowest_id(count: int, data: st.DataObject) -> None:
    edges = data.draw(pairs_of(count))
    labels = component_labels(count, rows(edges))
    assert sets_of(labels) == {*map(frozenset, nx.connected_components(graph_of(count, edges)))}
    assert all(min(np.flatnonzero(labels == label)) == label for label in labels)


@given(COUNTS, st.data())
def test_a_bipartition_parts_the_ends_of_every_edge_unless_a_cycle_is_odd(
    count: int, data: st.DataObject
) -> None:
    edges = data.draw(pairs_of(count))
    parts = bipartition(count, rows(edges))
    assert (parts is not None) == nx.is_bipartite(graph_of(count, edges))
    if parts is not None:
        assert all(parts[one] != parts[other] for one, other in edges)


@given(COUNTS, st.data())
def test_articulation_vertices_leave_as_many_components_as_counting_finds(
    count: int, data: st.DataObject
) -> None:
    edges = data.draw(pairs_of(count))
    graph = graph_of(count, edges)
    expected = {}
    for vertex in nx.articulation_points(graph):
        component = nx.node_connected_component(graph, vertex) - {vertex}
        expected[vertex] = nx.number_connected_components(graph.subgraph(component))
    unique = {(min(edge), max(edge)) for edge in edges}
    assert articulation_components(adjacency(rows(unique))) == expected


@given(COUNTS, st.data())
def test_strong_components_are_those_of_networkx(count: int, data: st.DataObject) -> None:
    ids = st.integers(0, count - 1)
    arcs = data.draw(st.lists(st.tuples(ids, ids)))
    graph = nx.DiGraph(arcs)
    graph.add_nodes_from(range(count))
    parts = map(frozenset, nx.strongly_connected_components(graph))
    assert sets_of(strong_components(count, rows(arcs))) == {*parts}


@given(st.permutations(range(9)), st.sets(st.integers(1, 8)))
def test_a_subtour_is_a_cycle_among_paths_and_cycles_unless_it_is_a_tour(
    order: list[int], cuts: set[int]
) -> None:
    bounds = [0, *sorted(cuts), 9]
    parts = [order[first:last] for first, last in itertools.pairwise(bounds)]
    edges = [edge for part in parts for edge in itertools.pairwise(part)]
    assert find_subtour(9, rows(edges)) == []
    cycles = [part for part in parts if len(part) >= 3]
    edges += [(part[-1], part[0]) for part in cycles]
    found = find_subtour(9, rows(edges))
    if len(parts) == 1:
        assert found == []
    else:
        assert bool(found) == bool(cycles)
        assert not found or found in map(sorted, cycles)


@given(COUNTS, st.data())
def test_orders_visit_every_vertex_once_and_widths_count_the_frontier(
    count: int, data: st.DataObject
) -> None:
    edges = data.draw(pairs_of(count))
    vertices = np.arange(count, dtype=np.int32)
    orders = low_width_orders(vertices, rows(edges))
    assert orders
    graph = graph_of(count, edges)
    for order in orders:
        visited = order.tolist()
        assert sorted(visited) == [*range(count)]
        widths = frontier_widths(rows(edges), order).tolist()
        for place, width in enumerate(widths, start=1):
            done, later = visited[:place], visited[place:]
            assert width == sum(bool({*graph[vertex]} & {*done}) for vertex in later)
