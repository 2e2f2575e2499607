"""Undirected edges with subtour elimination: what may be left out, and which choices connect."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kt_cp import Board, NamedGraph
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from kt_cp.sat.cycle_cover import neighbor_rows
from kt_cp.sat.edges import EdgeSolver, cycle_neighbors, cycles, edge_graph, propagate
from kt_cp.sat.two_factors import tighten, tighten_fractionally
from tests.helpers.oracle import all_tours
from tests.helpers.strategies import graph_instances, graphs, instances


@given(instances() | graph_instances())
def test_propagation_and_tightening_keep_every_tour(instance: Instance) -> None:
    assume(len(instance.graph) > 1)
    graph = propagate(edge_graph(instance))
    graph = graph and tighten(graph)
    if graph is not None and not graph.is_split:
        graph = tighten_fractionally(graph, Clock())
    for tour in all_tours(instance):
        assert graph is not None
        path = [instance.graph.vertices.tolist().index(square) for square in tour]
        if not instance.closed:
            path.append(graph.depot)
        moves = zip(path, path[1:] + path[:1], strict=True)
        made = {
            (a, b + graph.nodes // 2) if graph.is_split else (min(a, b), max(a, b))
            for a, b in moves
        }
        made |= {(a, a + graph.nodes // 2) for a in path if graph.is_split}
        left, forced = ({*map(tuple, graph.edges[mask].tolist())} for mask in (..., graph.required))
        assert forced <= made <= left


@given(instances() | graph_instances())
def test_all_nodes_except_those_of_the_depot_have_a_row_of_neighbors(instance: Instance) -> None:
    graph = edge_graph(instance)
    depot: set[int] = set() if instance.closed else {graph.depot}
    if graph.is_split and not instance.closed:
        depot.add(graph.depot + graph.nodes // 2)
    expected: list[set[int]] = [set() for _ in range(graph.nodes)]
    for low, high in graph.edges[~graph.required].tolist():
        if low not in depot:
            expected[low].add(high)
        if high not in depot:
            expected[high].add(low)
    rows = neighbor_rows(graph)
    assert [set(row.tolist()) - {-1} for row in rows] == expected


@pytest.mark.parametrize("forbid", [[], ["a1>b3"]])
def test_rows_of_neighbors_are_as_wide_as_the_moves_of_a_square(forbid: list[str]) -> None:
    rows = neighbor_rows(edge_graph(Instance.of("20x20", forbid=forbid)))
    assert rows.shape[1] <= 9  # eight moves and the edge to the depot


@given(graphs(directed=False), st.booleans())
def test_edges_can_be_chosen_that_connect_all_nodes_just_where_there_is_a_tour(
    graph: NamedGraph, closed: bool
) -> None:
    assume(len(graph) >= 3)
    instance = Instance(graph, closed)
    edges = edge_graph(instance)
    used = EdgeSolver(edges.nodes, edges.edges, edges.edges[:0], Clock()).solve()
    assert (used is not None) == any(True for _ in all_tours(instance))
    if used is not None:
        (only,) = cycles(cycle_neighbors(edges.nodes, edges.edges[used]))
        assert sorted(only.tolist()) == [*range(edges.nodes)]


def test_the_time_limit_holds_in_the_middle_of_a_search() -> None:
    # Clauses alone do not see that the colors are unbalanced.
    graph = edge_graph(Instance(Board(9, 9), closed=True))
    with pytest.raises(OutOfTimeError):
        EdgeSolver(graph.nodes, graph.edges, graph.edges[:0], Clock(0.2)).solve()
