"""Any graph: agreement with an exhaustive search, vertices by their own names, and graph files."""

import itertools
import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

nx = pytest.importorskip("networkx")

from kt_cp import solve, validate
from kt_cp.graph import Graph
from kt_cp.graph_files import GraphFormat, parse_graphs
from kt_cp.messages import InputError
from kt_cp.methods.result import NoAnswerError
from kt_cp.problem.instance import Instance
from kt_cp.proof.certificate import Certificate
from kt_cp.proof.checker import check
from kt_cp.proof.producer import make_certificate
from kt_cp.solving import hamiltonian_cycle, hamiltonian_path, longest_path
from kt_cp.tour.tour import Tour, validate_cover
from kt_dfs import Status
from tests.helpers.command import run
from tests.helpers.graphs import flower_snark, generalized_petersen
from tests.helpers.oracle import all_tours


def has_tour(instance: Instance) -> bool:
    return next(all_tours(instance), None) is not None


def judge(graph: Any, method: str, **asked: Any) -> None:
    """See that a method finds a tour just where there is one; whatever it proves is certified."""
    instance = Instance.of(graph, **asked)
    wanted = Status.FOUND if has_tour(instance) else Status.IMPOSSIBLE
    result = solve(graph, method=method, certificate=method == "auto", **asked)
    assert result.status is wanted, (graph.edges, asked)
    if result.tour is not None:
        names = result.tour.names
        assert validate(graph, names, instance.closed)
        assert (asked.get("start", names[0]), asked.get("end", names[-1])) == (names[0], names[-1])
    elif method == "auto" and graph.is_directed() and result.no_certificate:
        assert result.no_certificate == "there is a tour without the directions of moves"
    elif method == "auto":
        assert result.certificate is not None, result.no_certificate
        assert check(Certificate.parse("\n".join(result.certificate.lines())))


def atlas(largest: int) -> list[Any]:
    graphs = nx.graph_atlas_g()
    return [g for g in graphs if 0 < len(g) <= largest and nx.is_connected(g)]


def judge_all(graph: Any, methods: tuple[str, ...]) -> None:
    assert Graph.of(graph).to_networkx().adj == graph.adj
    for method in methods:
        judge(graph, method)
        judge(graph, method, closed=True)
        for start, end in itertools.islice(itertools.combinations(graph, 2), 4):
            ends = {"start": start} if method == "dfs" else {"start": start, "end": end}
            judge(graph, method, **ends)


@pytest.mark.parametrize("graph", atlas(5), ids=str)
def test_small_graphs_get_the_answers_of_an_exhaustive_search(graph: Any) -> None:
    judge_all(graph, ("auto", "circuit", "cuts", "dfs"))


@pytest.mark.exhaustive
def test_all_connected_graphs_of_up_to_seven_vertices() -> None:
    for graph in atlas(7):
        judge_all(graph, ("auto", "circuit", "cuts", "dfs"))


@pytest.mark.parametrize("seed", range(60))
def test_directed_graphs_get_the_answers_of_an_exhaustive_search(seed: int) -> None:
    graph = nx.gnp_random_graph(2 + seed % 5, 0.2 + seed % 3 / 5, seed, directed=True)
    judge_all(graph, ("auto", "circuit", "cuts", "dfs"))


NAMED = nx.Graph([("x y", (0, 1)), ((0, 1), 3.5), (3.5, "x y"), ("x y", -1), (-1, 3.5)])


def test_vertices_keep_their_names() -> None:
    result = solve(NAMED, closed=True, start=(0, 1), require=[(-1, "x y")], forbid=["x y-3.5"])
    assert result.tour is not None
    assert result.tour.names in ([(0, 1), "x y", -1, 3.5], [(0, 1), 3.5, -1, "x y"])
    assert pickle.loads(pickle.dumps(result.tour)) == result.tour
    assert Tour(NAMED, result.tour.names, closed=True) == result.tour
    reason = solve([("a", "b"), ("b", "c"), ("c", "a"), ("a", "leaf")], closed=True).reason
    assert reason == "leaf has only one edge, and a Hamiltonian cycle needs two at every vertex"


def test_none_is_a_proof_and_a_limit_is_not() -> None:
    assert hamiltonian_cycle(nx.petersen_graph()) is None
    assert hamiltonian_path(nx.star_graph(3)) is None
    assert hamiltonian_path([(1, 2), (2, 3)], start=3) == [3, 2, 1]
    assert hamiltonian_path([(1, 2), (2, 3)], end=3) == [1, 2, 3]
    assert list(longest_path([("a", "b"), ("b", "c")], source="c", workers=1).tour or []) == [
        "c",
        "b",
        "a",
    ]
    with pytest.raises(InputError, match="source and start mean the same"):
        hamiltonian_path([(1, 2), (2, 3)], 1, start=3)
    assert sorted(hamiltonian_path([(1, 2)]) or []) == [1, 2]
    assert hamiltonian_cycle([(1, 2)]) is None
    assert hamiltonian_path(nx.empty_graph(1)) == [0]
    with pytest.raises(NoAnswerError, match="unknown: ") as caught:
        hamiltonian_cycle(nx.petersen_graph(), time_limit=1e-6)
    assert caught.value.result.status is Status.UNKNOWN


PATH = nx.path_graph(4)


@pytest.mark.parametrize(
    ("graph", "asked", "message"),
    [
        (nx.Graph(), {}, "no vertices"),
        (PATH, {"having": "turns<=3"}, "feature turns is for boards only"),
        (PATH, {"symmetry": "half-turn"}, "symmetry half-turn is for boards only"),
        (PATH, {"piece": "zebra"}, "piece: is only for a board"),
        (PATH, {"start": "q"}, "start 'q' is not a vertex: the vertices are 0, 1, 2 and 1 more"),
        (PATH, {"require": [(0, 3)]}, "0-3 is not an edge"),
    ],
    ids=str,
)
def test_what_is_no_graph_or_for_boards_only_is_refused(
    graph: Any, asked: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        solve(graph, **asked)


def test_a_graph_equals_another_of_the_same_names_and_edges() -> None:
    one, same = Graph.of([("a", "b"), ("b", "c")]), Graph.of([("a", "b"), ("c", "b")])
    assert (one, hash(one)) == (same, hash(same))
    assert Instance(one) == Instance.of({"a": ["b"], "b": ["a", "c"], "c": ["b"]})
    assert one != Graph.of([("a", "b"), ("b", "d")])
    with pytest.raises(InputError, match="two vertices have the name 'a'"):
        Graph("aa", np.array([[0, 1]]))


ODD_HCP = """NAME  :  petersen
COMMENT: drawn in 1898
TYPE:HCP
DIMENSION   10
EDGE_DATA_FORMAT   : EDGE_LIST

EDGE_DATA_SECTION
 1 2 2 3
3 4 4
5 5 1 1 6 2 7 3 8 4 9 5 10
6 8 8 10 10 7 7 9 9 6
-1
"""


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (ODD_HCP, "hcp"),
        (ODD_HCP.replace("-1\n", ""), "hcp"),
        (ODD_HCP + "EOF\n", "hcp"),
        ("\n".join(nx.generate_edgelist(nx.petersen_graph())), "edgelist"),
        (nx.to_graph6_bytes(nx.petersen_graph()).decode(), "g6"),
        (nx.to_sparse6_bytes(nx.petersen_graph()).decode(), "s6"),
        ("\n".join(nx.generate_graphml(nx.petersen_graph())), "graphml"),
        ("\n".join(nx.generate_gml(nx.petersen_graph())), "gml"),
        (
            "c by hand\np edge 10 15\n"
            + "".join(f"e {a + 1} {b + 1}\nc\n" for a, b in nx.petersen_graph().edges),
            "col",
        ),
    ],
)
def test_graph_files_are_read(content: str, form: str) -> None:
    [file] = parse_graphs(content.encode(), GraphFormat(form))
    assert nx.is_isomorphic(file.graph.to_networkx(), nx.petersen_graph())


@pytest.mark.parametrize(
    ("content", "form", "message"),
    [
        (
            "TYPE : TSP\nDIMENSION : 3\nEDGE_DATA_SECTION\n",
            "hcp",
            "line 3: the header ends without",
        ),
        ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n3 4\n-1", "hcp", "line 4: '4' is no vertex"),
        ("DIMENSION : 3\nEDGE_DATA_SECTION\n1\n-1", "hcp", "line 3: the edge from 1 has no"),
        ("DIMENSION : 3\n1 2\n", "hcp", "line 2: '1 2' is no line of a header"),
        ("DIMENSION : 3\n", "hcp", "line 1: the header ends without EDGE_DATA_SECTION"),
        ("DIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\nFIXED_EDGES_SECTION", "hcp", "line 5: "),
        ("", "hcp", "line 1: "),
        ("e 1 2\n", "col", "line 1: the line 'p edge VERTICES EDGES' comes before"),
        ("p edge 2 1\ne 1 3\n", "col", "line 2: '3' is no vertex: they have the numbers 1 to 2"),
        ("c nothing\n", "col", "line 1: the line 'p edge VERTICES EDGES' is missing"),
        ("a b\nc\n", "edgelist", "line 2: 'c': give the two names of an edge"),
        ("", "edgelist", "the graph has no vertices"),
        ("\xff", "g6", "line 1: not a graph in the format g6"),
        (
            "Bw\n&B?_\n",
            "g6",
            "line 2: this is digraph6, which is not read: give directed",
        ),
        (
            "DIMENSION : 4\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 4\n3 2 4\n-1\n",
            "hcp",
            "line 4: the neighbors of 1 do not end with -1 in this line",
        ),
        (
            "DIMENSION : 4\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 4 -1\n3 2 4\n",
            "hcp",
            "line 5: the neighbors of 3 do not end with -1 in this line",
        ),
        (
            "DIMENSION : 4\nEDGE_DATA_SECTION\n1 2 3\n2 3 4\n-1\n",  # with weights
            "hcp",
            "line 3: an edge has three numbers",
        ),
        (
            "DIMENSION : 2\nNODE_COORD_SECTION\n1 0 0\n2 x 0\nEDGE_DATA_SECTION\n1 2\n-1\n",
            "hcp",
            "line 4: '2 x 0': coordinates are numbers",
        ),
        ("p edge 3 3\ne 1 2\ne 2 3\n", "col", "line 1: it says '3' edges, but 2 follow"),
        (">>graph6<<\n", "g6", "line 1: there is no graph"),
        ("<graphml", "graphml", "line 1: not a graph in the format graphml"),
        ("graph [\n  node [ id 0 label 1 ]\n  ?\n]", "gml", "line 3: not a graph"),
    ],
)
def test_bad_graph_files_are_refused_with_the_line(content: str, form: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        [*parse_graphs(content.encode("latin-1"), GraphFormat(form))]
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["a.dot", "a.gv", "a.d6"])
def test_a_graph_in_a_format_that_is_not_read_is_refused_by_its_name(name: str) -> None:
    done = run("solve", name)
    assert done.returncode == 2
    assert re.search("(DOT|TSPLIB .*|digraph6) is not read: write", done.stderr)


def test_a_head_of_graph6_may_have_a_line_of_its_own() -> None:
    graphs = [*parse_graphs(b">>graph6<<\nBw\nC~\n", GraphFormat.G6)]
    assert [len(file.graph) for file in graphs] == [3, 4]


def test_files_of_tsplib_state_a_cycle_or_a_path_and_fixed_edges() -> None:
    sections = "FIXED_EDGES_SECTION\n1 3\n-1\nEDGE_DATA_SECTION\n1 2 3 -1\n2 3 -1\n-1\nEOF\n"
    lists = f"TYPE : HPP\nDIMENSION : 3\nEDGE_DATA_FORMAT : ADJ_LIST\n{sections}"
    [path] = parse_graphs(lists.encode(), GraphFormat.HCP)
    assert (path.closed, path.require, path.graph.title) == (
        False,
        ((1, 3),),
        "graph of 3 vertices and 3 edges",
    )
    [cycle] = parse_graphs(ODD_HCP.encode(), GraphFormat.HCP)
    assert (cycle.closed, cycle.require) == (True, ())


def test_several_graphs_in_a_file_are_answered_one_after_the_other(tmp_path: Path) -> None:
    file = tmp_path / "several.g6"
    graphs = [nx.cycle_graph(5), nx.petersen_graph(), nx.complete_graph(4)]
    file.write_bytes(b"\n".join(map(nx.to_graph6_bytes, graphs)))
    done = run("solve", file, "--closed")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["status"] for each in answers] == ["found", "impossible", "found"]
    assert [len(each["graph"]["vertices"]) for each in answers] == [5, 10, 4]
    assert done.returncode == 1
    assert run("solve", file).returncode == 0
    assert "which only kt solve" in run("count", file).stderr
    assert "--draw cannot be used" in run("solve", file, "--draw", tmp_path / "x.svg").stderr
    file.write_bytes(file.read_bytes() + b"\n!\n")
    broken = run("solve", file)
    assert (broken.returncode, len(broken.stdout.splitlines())) == (2, 3)
    assert "line 7: not a graph in the format g6" in broken.stderr


def test_a_graph_file_is_solved_certified_and_checked_by_commands(tmp_path: Path) -> None:
    file, proof, tour = tmp_path / "p.hcp", tmp_path / "no.json", tmp_path / "tour"
    file.write_text(ODD_HCP)
    assert run("solve", file, "--certificate", proof).returncode == 1
    assert run("check", proof).stdout.startswith(
        "holds: a graph of 10 vertices and 15 edges has no"
    )
    assert run("solve", file, "--open", "--start", "7", "--out", tour).returncode == 0
    assert tour.read_text().startswith("7 ")
    assert run("validate", tour, "--board", file, "--open").returncode == 0
    solved = run("solve", file, "--end", "3", "--format", "json").stdout
    assert run("validate", "-", "--board", file, stdin=solved).returncode == 0
    assert run("count", "-", "--graph", "hcp", stdin=ODD_HCP).stdout.startswith("0 ")
    assert run("count", "-", "--open", "--graph", "hcp", stdin=ODD_HCP).stdout.startswith("240 ")
    assert run("puzzle", file).stderr == (
        "kt: kt puzzle is for boards only, and this is a graph of 10 vertices and 15 edges\n"
    )


@pytest.mark.parametrize(
    "graph",
    [nx.petersen_graph(), nx.tutte_graph(), *map(flower_snark, (5, 9, 15, 21))]
    + [generalized_petersen(count, 2) for count in (11, 17, 29, 41)],
    ids=str,
)
def test_famous_graphs_without_a_hamiltonian_cycle_are_certified(graph: Any) -> None:
    certificate = make_certificate(Instance.of(graph, closed=True))
    assert check(Certificate.parse("\n".join(certificate.lines())))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("degree", [3, 4, 5, 40])
def test_large_graphs_are_answered_by_subtour_elimination(degree: int, closed: bool) -> None:
    graph = nx.random_regular_graph(degree, 1200, seed=1)
    assert solve(graph, closed=closed).method == "cuts"


def test_a_set_of_vertices_is_no_path() -> None:
    graph = Graph.of([(0, 1), (1, 2)])
    with pytest.raises(InputError, match="give a list of vertices, as a set has no order"):
        validate(graph, {0, 1, 2})
    with pytest.raises(InputError, match="for each path, as a set has no order"):
        validate_cover(graph, [{0, 1, 2}])
    with pytest.raises(InputError, match="path 0: give a list of vertices for each path"):
        validate_cover(graph, [0, 1, 2])  # type: ignore[list-item]
