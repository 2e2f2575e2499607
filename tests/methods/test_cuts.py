"""Undirected edges with lazy cuts: tours and refutations where the circuit model takes long."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.graph import Graph
from kt_cp.methods.cuts import CutSearch
from kt_cp.problem.constraints import Move
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.sat.edges import directed_form, edge_graph, propagate
from kt_dfs import Status
from tests.helpers.oracle import all_tours


@pytest.mark.parametrize(
    ("board", "constraints"),
    [
        (Board(20, 20, piece="wazir"), {"closed": True}),
        (Board(20, 20, piece="wazir"), {"start": 0}),
        (Board(17, 18, piece="wazir", topology="cylinder"), {"closed": True}),
        (Board(17, 17, topology="torus"), {"symmetry": "half-turn"}),
        (Board(15, 18), {"closed": True, "symmetry": "half-turn-reverse"}),
        pytest.param(
            *(Board(20, 20), {"closed": True, "symmetry": "half-turn-same"}),
            marks=pytest.mark.exhaustive,
        ),
        (Board(14, 14), {"closed": True, "symmetry": "quarter-turn"}),
        (Board(24, 24), {"start": 0, "end": 1, "require": [(100, 149)]}),
    ],
)
def test_boards_that_are_hard_for_the_circuit_model_are_solved(
    board: Board, constraints: dict[str, object]
) -> None:
    result = solve(board, method="cuts", time_limit=20, **constraints)  # type: ignore[arg-type]
    assert result.status is Status.FOUND


@pytest.mark.parametrize("board", [Board(4, 20), Board(3, 8), Board(5, 4)])
def test_boards_without_a_closed_tour_are_exhausted(board: Board) -> None:
    result = solve(board, closed=True, method="cuts")
    assert (result.status, result.reason) == (
        Status.IMPOSSIBLE,
        "CaDiCaL proved that there is none",
    )


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


def test_a_graph_whose_paths_can_be_passed_in_both_directions_has_no_directed_form() -> None:
    cubic = nx.random_regular_graph(3, 20, seed=1)
    paths = nx.Graph()
    for one, other in nx.max_weight_matching(cubic):
        cubic.remove_edge(one, other)
        nx.add_path(paths, [one, (one, other), other])
    reduced = propagate(edge_graph(Instance.of(nx.compose(cubic, paths), closed=True)))
    assert reduced is not None
    assert directed_form(reduced) is None


def test_a_move_required_in_either_direction_that_no_tour_can_make_leaves_no_tour() -> None:
    arcs = [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 1)]
    graph = Graph(range(4), arcs, directed=True)
    asked = Instance(graph, start=0, require=(Move(0, 1),))
    assert solve(asked, method="cuts").status is Status.IMPOSSIBLE
    assert next(all_tours(asked), None) is None
