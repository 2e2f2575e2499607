"""What people hand over as a graph is read as it is meant, or refused with what to give instead."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kt_cp import solve
from kt_cp.board import Board, graph_of
from kt_cp.count.counting import count_tours
from kt_cp.graph import Graph
from kt_cp.graph_files import GraphFormat, parse_graphs
from kt_cp.messages import InputError
from kt_cp.notation.read import parse_path
from kt_cp.problem.instance import Instance
from kt_dfs import Status
from tests.helpers.command import kt

nx = pytest.importorskip("networkx")


K6 = nx.complete_graph(6)
WEIGHTED = nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 0}), ("c", "a", {})])
MULTI = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 0)])
DIRECTED = nx.DiGraph([(0, 1), (1, 2), (2, 0), (1, 0)])
GRID = nx.grid_2d_graph(2, 3)


def edges_of(graph: Graph) -> set[Any]:
    """Return the edges by name: frozensets, or pairs in a directed graph."""
    kind: Callable[[Any], Any] = tuple if graph.directed else frozenset
    return {kind(graph.label(vertex) for vertex in arc) for arc in graph.arcs.tolist()}


def read(value: Any) -> tuple[bool, set[Any], set[Any]]:
    graph = Graph.of(value)
    return graph.directed, {*map(graph.label, graph.vertices)}, edges_of(graph)


def expected(graph: Any) -> tuple[bool, set[Any], set[Any]]:
    kind = tuple if graph.is_directed() else frozenset
    edges = {kind(edge[:2]) for edge in graph.edges if edge[0] != edge[1]}
    return graph.is_directed(), set(graph), edges


@pytest.mark.parametrize("graph", [K6, WEIGHTED, MULTI, DIRECTED, GRID], ids=str)
@pytest.mark.parametrize(
    "hand_over",
    [
        lambda graph: graph,
        lambda graph: graph.copy(as_view=True),
        lambda graph: graph.edges,
        lambda graph: graph.edges(data=True),
        lambda graph: graph.edges.data(),
        lambda graph: graph.adj,
        lambda graph: nx.to_dict_of_lists(graph),
        lambda graph: {vertex: set(graph[vertex]) for vertex in graph},
        lambda graph: {vertex: graph.neighbors(vertex) for vertex in graph},
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_graphs_of_networkx_and_what_it_calls_edges_and_adjacency(
    graph: Any, hand_over: Callable[[Any], Any]
) -> None:
    assert read(hand_over(graph)) == expected(graph)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("graph", [K6, WEIGHTED, MULTI, GRID], ids=str)
@pytest.mark.parametrize(
    "hand_over",
    [
        lambda graph: list(graph.edges),
        lambda graph: iter(graph.edges(data=True)),
        lambda graph: [frozenset(edge[:2]) for edge in graph.edges],
        lambda graph: [(*edge[:2], 0.5) for edge in graph.edges],
        lambda graph: dict.fromkeys(edge[:2] for edge in graph.edges).keys(),
    ],
)
def test_lists_sets_and_iterators_of_edges(graph: Any, hand_over: Callable[[Any], Any]) -> None:
    assert read(hand_over(graph)) == expected(graph)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("graph", [K6, nx.path_graph(2), DIRECTED, nx.path_graph(4)], ids=str)
def test_matrices_are_read_with_the_vertices_0_1_2(graph: Any) -> None:
    named = expected(nx.convert_node_labels_to_integers(graph))
    matrix = nx.to_numpy_array(graph, weight=None)
    assert read(matrix) == read(matrix.astype(bool)) == named
    if len(graph) > 3:
        assert read(matrix.tolist()) == named
    if find_spec("scipy"):
        sparse = nx.to_scipy_sparse_array(graph, weight=None)
        assert read(sparse) == read(sparse.tocoo()) == read(sparse.tolil()) == named


@pytest.mark.skipif(find_spec("pandas") is None, reason="pandas is not installed")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_tables_of_pandas_are_matrices_with_labels_or_edges() -> None:
    import pandas as pd

    assert read(nx.to_pandas_adjacency(K6)) == expected(K6)
    assert read(nx.to_pandas_adjacency(nx.path_graph(["x", "y", "z"]))[["z", "x", "y"]]) == (
        expected(nx.path_graph(["x", "y", "z"]))
    )
    assert read(nx.to_pandas_edgelist(WEIGHTED)) == expected(WEIGHTED)
    assert read(pd.DataFrame(list(K6.edges))) == expected(K6)
    assert read(nx.to_pandas_edgelist(K6).itertuples(index=False)) == expected(K6)
    missing = pd.DataFrame({"source": ["a", "b"], "target": ["b", None]})
    for value, message in [
        (missing, "cannot be a vertex"),
        (pd.DataFrame([(0, 1), (1, 2)]), "can be read as an adjacency matrix or as edges"),
        (nx.to_pandas_edgelist(K6).itertuples(), "edge 1, .*Index"),
    ]:
        with pytest.raises(InputError, match=message):
            Graph.of(value)


class IgraphGraph:
    """What is used of ``igraph.Graph``."""

    def __init__(self, count: int, edges: list[tuple[int, int]], names: list[str] | None) -> None:
        self.edges, self.count = edges, count
        table = type("Table", (dict,), {"attributes": dict.keys})
        self.vs = table({"name": names} if names else {})
        self.es = table({"length": [*range(len(edges))]})

    def get_edgelist(self) -> list[tuple[int, int]]:
        return self.edges

    def vcount(self) -> int:
        return self.count

    def is_directed(self) -> bool:
        return False


def test_graphs_of_igraph() -> None:
    assert read(IgraphGraph(3, [(0, 1)], None)) == (False, {0, 1, 2}, {frozenset({0, 1})})
    assert read(IgraphGraph(2, [(0, 1)], ["a", "b"])) == (False, {"a", "b"}, {frozenset("ab")})
    with pytest.raises(InputError, match="two vertices have the same name"):
        Graph.of(IgraphGraph(2, [(0, 1)], ["a", "a"]))


REFUSED: dict[str, list[Any]] = {
    "matrix or edges": [
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
        [[0, 1], [1, 0]],
        np.array([[0, 1], [1, 2]]),
    ],
    "neighbors or edges": [[[1, 3], [0, 2], [1, 3], [0, 2]], [[1], [0, 2], [1]]],
    "entries that are not clear": [
        np.array([[0, -1], [-1, 0]]),
        np.array([[0, np.inf], [1, 0]]),
        np.array([[0, np.nan], [1, 0]]),
        np.ma.masked_less(np.eye(3)[::-1], 1),
    ],
    "no matrix": [np.arange(3), np.zeros((2, 2, 2)), np.array([["a", "b"], ["c", "d"]])],
    "no edges": [K6.nodes, K6.nodes(data="x"), K6.degree, nx.generate_adjlist(K6)],
    "attributes and places": [
        nx.circular_layout(K6),
        dict(K6.nodes),
        dict(K6.edges),
        dict(WEIGHTED.edges),
        nx.get_edge_attributes(WEIGHTED, "weight"),
        WEIGHTED.adj["a"],
        dict(K6.degree),
        nx.node_link_data(K6),
        {"nodes": [0, 1], "edges": [(0, 1)]},
        {0: (1, 2), 1: (0, 2)}.items(),
    ],
    "no pairs": [[(1, 2, "weight")], [{1, 2, 3}], [np.array(5)], [(1, 2, 3, 4)], K6.adjacency()],
    "no graph": [nx.Graph, np.int64(3), b"ab", 5, lambda: K6, [], nx.Graph()],
    "no names": [[(float("nan"), 1)], [(None, 1)], [([], 1)]],
}


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_can_be_read_in_two_ways_or_none_is_refused(kind: str) -> None:
    for value in REFUSED[kind]:
        with pytest.raises(InputError, match=r"give|write|cannot be|no name") as refused:
            Graph.of(value)
        assert "\n" not in str(refused.value)


def test_matrices_that_go_one_way_are_directed_and_said_to_be() -> None:
    with pytest.warns(UserWarning, match="directed graph") as told:
        assert Graph.of(np.array([[0, 1], [0, 0]])).directed
    assert told[0].filename == __file__


@pytest.mark.parametrize(
    "edges", [[[0, 5]], [[-1, 0]], [[0, 3]], [[0.5, 1]], [[0, 1, 2]], [0, 1], [["a", "b"]]]
)
def test_ids_that_are_no_vertices_are_refused(edges: Any) -> None:
    with pytest.raises(InputError, match="edge"):
        Graph("abc", np.array(edges))


TRIANGLE = "1 2\n2 3\n3 1\n"


def test_numbers_that_occur_twice_are_the_ends_of_edges() -> None:
    graph = graph_of(TRIANGLE)
    assert edges_of(graph) == {frozenset("12"), frozenset("23"), frozenset("31")}
    assert Instance.of(TRIANGLE, closed=True).graph == graph
    assert solve(TRIANGLE, closed=True).status is Status.FOUND
    assert count_tours(TRIANGLE, closed=True).count == 1


@pytest.mark.parametrize(
    "text", ["5 9", "0 1\n1 2", "1 2\n\n2 3\n", " 10\t20\r\n20\t30", "3 3\n3 4"]
)
@pytest.mark.filterwarnings("ignore:ignored. 1 loop")
def test_numbers_that_are_no_steps_of_so_small_a_board_are_edges(text: str) -> None:
    assert not isinstance(graph_of(text), Board)


@pytest.mark.parametrize("text", ["1 2\n3 4\n", "1 4\n. 3", "1 2 #\n5 3 4"])
def test_steps_of_a_board_are_read_as_a_map(text: str) -> None:
    assert isinstance(Instance.of(text).graph, Board)


@pytest.mark.parametrize("text", ["1 2\n2 3\n; kind: open", "1 2 3 4\n2 3 1 4"])
def test_a_map_with_a_note_or_more_columns_stays_a_map(text: str) -> None:
    with pytest.raises(InputError, match="step 2 is given twice"):
        Instance.of(text)


def test_a_piece_or_a_topology_asks_for_a_board() -> None:
    assert solve("1 2\n", piece="wazir").status is Status.FOUND
    with pytest.raises(InputError, match="step 2 is given twice"):
        Instance.of(TRIANGLE, piece="king")


@pytest.mark.parametrize("text", ["1 2", "2 1\n"])
def test_one_line_that_may_be_steps_or_an_edge_is_refused_with_both_ways(text: str) -> None:
    with pytest.raises(InputError, match=r"can be read as .* or as an edge: give .*edgelist"):
        solve(text)


def test_the_command_reads_edges_from_standard_input_and_says_so() -> None:
    done = kt("solve", "-", "--closed", stdin=TRIANGLE)
    assert done.stdout.split() == ["1", "2", "3"]
    assert "read as the edges of a graph of 3 vertices" in done.stderr
    assert kt("count", "-", "--closed", stdin=TRIANGLE).stdout.split()[0] == "1"
    done = kt("solve", "-", stdin="1 2\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


CYCLE_OF_5 = "1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n"
FROM_0 = "0 1\n1 2\n2 3\n3 4\n4 0\n0 2\n"


@pytest.mark.parametrize(
    ("text", "vertices", "edges"),
    [
        (f"5 6\n{CYCLE_OF_5}", 5, 6),
        (f"5\n{CYCLE_OF_5}", 5, 6),
        ("2\n0 1\n1 2\n", 3, 2),  # the number of edges
        (f"5 6\n{FROM_0}", 5, 6),
        ("5 6\n1 2 7\n2 3 1\n3 4 0.5\n4 5 2\n5 1 1\n1 3 9\n", 5, 6),
        ("7\n1 2\n2 3\n", 7, 2),  # four vertices have no edges
        ("# Nodes: 3 Edges: 3\n3 3\n1 2\n2 3\n3 1\n", 3, 3),
        ("3 3\n1 2\n2 1\n2 3\n3 2\n3 1\n1 3\n", 3, 3),  # each edge in both directions
        ("3 4\n4 1\n1 3\n", 3, 3),  # edges alone, as vertex 4 is none of three
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_first_line_that_counts_vertices_and_edges_is_a_head(
    text: str, vertices: int, edges: int
) -> None:
    graph = graph_of(text)
    assert (len(graph), len(edges_of(graph))) == (vertices, edges)
    [file] = parse_graphs(text.encode(), GraphFormat.EDGELIST)
    assert edges_of(file.graph) == edges_of(graph)


@pytest.mark.parametrize(
    "text",
    [
        "5 4\n1 2\n1 3\n1 4\n1 5\n",  # vertices 5 and 4 may be joined
        "5 4\n0 1\n1 2\n2 3\n3 4\n",  # vertex 5 may be one
        "5 3\n1 2\n2 3\n3 1\n",  # vertices 4 and 5 may have no edges
        f"5 9\n{CYCLE_OF_5}",  # a head whose edges are missing, or an edge
    ],
)
def test_a_first_line_that_may_be_an_edge_is_refused_with_both_ways(text: str) -> None:
    for read in (graph_of, lambda text: [*parse_graphs(text.encode(), GraphFormat.EDGELIST)]):
        with pytest.raises(
            InputError, match=r"as the numbers of .* or as an edge: give --head yes"
        ):
            read(text)
    [file] = parse_graphs(text.encode(), GraphFormat.EDGELIST, has_head=False)
    assert len(edges_of(file.graph)) == text.count("\n")
    if "9" not in text:
        [file] = parse_graphs(text.encode(), GraphFormat.EDGELIST, has_head=True)
        assert (len(file.graph), len(edges_of(file.graph))) == (5, text.count("\n") - 1)


@pytest.mark.parametrize(
    "text",
    ["4\n1 2\n2 9\n", f"6\n{CYCLE_OF_5}", "3\n1 2 4\n2 3\n", "3\n1 2\n2 2\n5 1\n", "5\n1 2\n2 x\n"],
)
def test_a_head_that_contradicts_its_edges_is_refused_with_the_line(text: str) -> None:
    with pytest.raises(InputError, match=r"line \d"):
        [*parse_graphs(text.encode(), GraphFormat.EDGELIST)]


def test_the_command_says_how_it_read_a_head_and_takes_it_from_an_option(tmp_path: Path) -> None:
    done = kt("solve", "-", "--closed", stdin=f"5 6\n{CYCLE_OF_5}")
    assert done.returncode == 0
    assert "the first line is the number of vertices and of edges, 5 and 6" in done.stderr
    assert kt("count", "-", "--closed", stdin=f"5 6\n{CYCLE_OF_5}").stdout.split()[0] == "1"
    star = "5 4\n1 2\n1 3\n1 4\n1 5\n"
    assert kt("solve", "-", stdin=star).returncode == 2
    assert kt("longest", "-", "--head", "no", stdin=star).stdout.split()[-1:] != []
    (tmp_path / "star").write_text(star)
    done = kt("cover", "star", "--graph", "edgelist", "--head", "yes", folder=tmp_path)
    assert "3 paths" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        "source,target,weight\na,b,1\nb,c,2\nc,a,3\n",
        "0 1 1\n1 0 1\n1 1 0\n",
        "0.0,1.0,1.0\n1.0,0.0,1.0\n1.0,1.0,0.0\n",
        json.dumps(nx.node_link_data(nx.cycle_graph(3))),  # "links" or "edges", by the version
        json.dumps(nx.adjacency_data(nx.cycle_graph(3))),
        json.dumps(solve(nx.cycle_graph(3), closed=True).as_dict()),
    ],
)
def test_the_command_reads_tables_matrices_and_json(text: str) -> None:
    done = kt("count", "-", "--closed", stdin=text)
    assert done.stdout.split()[0] == "1"
    assert "read as the edges of a graph of 3 vertices, and not as a board" in done.stderr


def test_files_of_networkx_and_scipy_are_read(tmp_path: Path) -> None:
    graph = nx.cycle_graph(["a", "b", "c", "d"])
    nx.write_adjlist(graph, tmp_path / "g.adjlist")
    nx.write_gexf(graph, tmp_path / "g.gexf")
    nx.write_pajek(graph, tmp_path / "g.net")
    scipy_io = pytest.importorskip("scipy.io")
    scipy_io.mmwrite(tmp_path / "g.mtx", nx.to_scipy_sparse_array(graph))
    for name in ("g.adjlist", "g.gexf", "g.net", "g.mtx"):
        assert kt("count", name, "--closed", folder=tmp_path).stdout.split()[0] == "1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\nb,c\nc,a\n", "these may be edges: give --graph edgelist, or a first line"),
        (b"1: 2 3\n2: 1 3\n3: 1 2\n", "these may be lists of neighbors: leave out the colons"),
        (b"0 1 2 3\n1 2 3\n2 3\n", "give --graph adjlist for lists of neighbors"),
        (b"\x93NUMPY\x01\x00", "this is a NumPy array: write a matrix as text"),
    ],
)
def test_a_graph_in_another_form_is_refused_with_what_would_be_right(
    content: bytes, message: str
) -> None:
    done = kt("solve", "-", stdin=content)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_concorde_numbers_vertices_from_0() -> None:
    cycle = Graph.of([(str(a), str(a % 5 + 1)) for a in range(1, 6)])
    assert parse_path("5\n0 1 2 3 4\n", cycle, closed=True).valid
