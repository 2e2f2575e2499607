"""Undirected graphs that were made of directed ones are searched as these."""

from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.methods.cuts import CutSearch
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.sat.directions import directed_form
from kt_cp.sat.edges import edge_graph, propagate
from kt_dfs.backtracking import Status
from tests.helpers.oracle import all_tours


def undirected(directed: nx.DiGraph) -> nx.Graph:
    """Return the undirected graph in which each vertex is a path: entered, middle, left."""
    graph = nx.Graph()
    for vertex in directed:
        nx.add_path(graph, [(vertex, "entered"), (vertex, "middle"), (vertex, "left")])
    graph.add_edges_from(((one, "left"), (other, "entered")) for one, other in directed.edges)
    return graph


@st.composite
def directed_graphs(draw: st.DrawFn) -> nx.DiGraph:
    """Directed graphs of five or six vertices, each entered and left by at least one arc."""
    count = draw(st.integers(5, 6))
    vertices = range(count)
    graph = nx.DiGraph([(one, other) for one in vertices for other in vertices if one != other])
    removed = draw(st.lists(st.sampled_from(sorted(graph.edges)), unique=True, max_size=18))
    for one, other in removed:
        if graph.out_degree(one) > 1 and graph.in_degree(other) > 1:
            graph.remove_edge(one, other)
    return graph


@given(directed_graphs())
def test_the_undirected_graph_has_a_tour_just_when_the_directed_one_has(
    directed: nx.DiGraph,
) -> None:
    has_tour = any(True for _ in all_tours(Instance.of(directed, closed=True)))
    instance = Instance.of(undirected(directed), closed=True)
    answer = CutSearch(Task(instance)).run()
    assert answer.status is (Status.FOUND if has_tour else Status.IMPOSSIBLE)
    if answer.squares is not None:
        assert instance.satisfied_by(answer.squares)


def test_the_directed_form_has_the_vertices_and_arcs_of_the_directed_graph() -> None:
    directed = nx.circulant_graph(9, [1, 2, 4], create_using=nx.DiGraph)
    graph = propagate(edge_graph(Instance.of(undirected(directed), closed=True)))
    assert graph is not None
    form = directed_form(graph)
    assert form is not None
    assert len(form.graph) == 9
    assert len(form.graph.arcs) == directed.number_of_edges()
    cycle = form.cycle([0, 1, 2]).tolist()
    assert cycle == form.paths[0] + form.paths[1] + form.paths[2]
    edges = {frozenset(edge) for edge in graph.edges.tolist()}
    assert all(frozenset(pair) in edges for path in form.paths for pair in pairwise(path))


def test_a_graph_with_a_node_on_no_required_edge_has_no_directed_form() -> None:
    directed = nx.circulant_graph(9, [1, 2, 4], create_using=nx.DiGraph)
    graph = undirected(directed)
    graph.add_edges_from(("extra", (vertex, "left")) for vertex in range(9))
    reduced = propagate(edge_graph(Instance.of(graph, closed=True)))
    assert reduced is not None
    assert directed_form(reduced) is None


def test_a_graph_whose_paths_can_be_passed_in_both_directions_has_no_directed_form() -> None:
    cubic = nx.random_regular_graph(3, 20, seed=1)
    paths = nx.Graph()
    for one, other in nx.max_weight_matching(cubic):
        cubic.remove_edge(one, other)
        nx.add_path(paths, [one, (one, other), other])
    reduced = propagate(edge_graph(Instance.of(nx.compose(cubic, paths), closed=True)))
    assert reduced is not None
    assert directed_form(reduced) is None
