"""General depth-first search: times, forest, edge kinds, and depth."""

from itertools import permutations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from kt_dfs import DFSGraph, EdgeKind, Vertex


@st.composite
def explored(draw: st.DrawFn) -> tuple[DFSGraph[int], list[tuple[int, int]]]:
    count = draw(st.integers(1, 12))
    number = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(number, number), unique=True, max_size=40))
    graph = DFSGraph.from_edges(count, edges)
    graph.dfs()
    return graph, edges


def ancestors(vertex: Vertex[int]) -> list[Vertex[int]]:
    line = []
    above = vertex.pred
    while above is not None:
        line.append(above)
        above = above.pred
    return line


@given(explored())
def test_times_forest_and_kinds_of_edges_agree_with_each_other_and_with_networkx(
    case: tuple[DFSGraph[int], list[tuple[int, int]]],
) -> None:
    graph, edges = case
    times = sorted(time for v in graph for time in (v.discovery, v.finish))
    assert times == list(range(1, 2 * len(graph) + 1))
    assert {v.color for v in graph} == {"black"}
    for v, w in permutations(graph, 2):
        inside = v.discovery < w.discovery < w.finish < v.finish
        disjoint = v.finish < w.discovery or w.finish < v.discovery
        around = w.discovery < v.discovery < v.finish < w.finish
        assert inside + disjoint + around == 1
        assert inside == (v in ancestors(w))
    kinds = graph.edge_kinds()
    assert set(kinds) == set(edges)
    for (from_key, to_key), kind in kinds.items():
        tail, head = graph[from_key], graph[to_key]
        if head.pred is tail:
            assert kind is EdgeKind.TREE
        elif tail in ancestors(head):
            assert kind is EdgeKind.FORWARD
        elif tail is head or head in ancestors(tail):
            assert kind is EdgeKind.BACK
        else:
            assert kind is EdgeKind.CROSS
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(len(graph)))
    theirs.add_edges_from(sorted(edges))
    assert [v.key for v in graph.order()] == list(nx.dfs_preorder_nodes(theirs))
    assert [key for tree in graph.forest() for key in tree] == list(nx.dfs_preorder_nodes(theirs))
    tree_edges = {(v.pred.key, v.key) for v in graph if v.pred is not None}
    assert tree_edges == set(nx.dfs_edges(theirs))
