"""The shortest tours: weights of edges from every source, judged by brute force."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from kt_cp import InputError, hamiltonian_cycle, hamiltonian_path, longest_path, solve
from tests.helpers.command import run

ROWS = [("a", "b", 1), ("b", "c", 2), ("c", "d", 3), ("d", "a", 4), ("a", "c", 9), ("b", "d", 9)]
"""A square, around which the shortest cycle has the length 10, and its diagonals."""

GRAPH = nx.Graph()
GRAPH.add_weighted_edges_from(ROWS)
SHORTEST = "weight 10, optimal"
MATRIX = nx.to_numpy_array(GRAPH)
SOURCES: dict[str, Any] = {
    "networkx": GRAPH,
    "multigraph": nx.MultiGraph(GRAPH),
    "arcs": nx.DiGraph(GRAPH),
    "view": GRAPH.edges(data=True),
    "rows": ROWS,
    "matrix": MATRIX,
    "table": pd.DataFrame(ROWS, columns=["source", "target", "weight"]),
    "labels": nx.to_pandas_adjacency(GRAPH),
    "mapping": {a: {b: data["weight"] for b, data in GRAPH[a].items()} for a in GRAPH},
    "mappings": nx.to_dict_of_dicts(GRAPH),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_the_weights_of_any_graph_are_an_objective(source: Any) -> None:
    assert SHORTEST in solve(source, closed=True, minimize="weight").summary
    assert "weight 22, optimal" in solve(source, maximize="weight").summary


def length(path: Any, closed: bool) -> float:
    return sum(itertools.starmap(math.dist, itertools.pairwise([*path, *path[:closed]])))


@pytest.mark.parametrize(
    ("function", "closed"), [(hamiltonian_cycle, True), (hamiltonian_path, False)]
)
@pytest.mark.parametrize("seed", range(3))
def test_no_tour_is_shorter(function: Any, closed: bool, seed: int) -> None:
    random = Random(seed)
    places = [(random.random() / 10**seed, random.random()) for _ in range(6)]
    path = function([*itertools.combinations(places, 2)], weight=math.dist)
    shortest = min(length(each, closed) for each in itertools.permutations(places))
    assert length(path, closed) == pytest.approx(shortest, rel=1e-7)


ONE_WAY = np.array([[0, 1, 7], [7, 0, 1], [1, 7, 0]])


def test_weights_may_depend_on_the_direction() -> None:
    assert "weight 3," in solve(ONE_WAY, closed=True, minimize="weight").summary
    assert "weight 21," in solve(ONE_WAY, closed=True, maximize="weight").summary


def test_the_longest_path_by_weight_may_leave_vertices_out() -> None:
    rows = [(0, 1, 5), (1, 2, -3), (2, 3, 4), (1, 4, 1)]
    assert longest_path(rows, weight="weight").summary.endswith("weight 6, optimal")
    assert "weight 21," in longest_path(ONE_WAY, closed=True, weight="weight").summary
    with pytest.raises(InputError, match="give an attribute of edges"):
        longest_path(rows, weight="weight", certificate=True)


TSPLIB = "TYPE: TSP\nDIMENSION: {}\nEDGE_WEIGHT_TYPE: {}\n{}\nEOF\n"
PLACES = "NODE_COORD_SECTION\n1 0.0 0.0\n2 3.0 4.0\n3 3 0\n4 0 4"
EXPLICIT = "EDGE_WEIGHT_FORMAT: {}\nEDGE_WEIGHT_SECTION\n{}"
ULYSSES = """NODE_COORD_SECTION
1 38.24 20.42\n2 39.57 26.15\n3 40.56 25.32\n4 36.26 23.12\n5 33.48 10.54\n6 37.56 12.19
7 38.42 13.11\n8 37.52 20.44\n9 41.23 9.10\n10 41.17 13.05\n11 36.08 -5.21\n12 38.47 15.13
13 38.15 15.35\n14 37.51 15.17\n15 35.49 14.32\n16 39.36 19.56"""  # the optimum is published


@pytest.mark.parametrize(
    ("count", "kind", "rest", "best"),
    [
        (4, "EUC_2D", PLACES, 14),
        (4, "CEIL_2D", PLACES, 14),
        (4, "ATT", PLACES, 6),
        (16, "GEO", ULYSSES, 6859),
        (4, "EXPLICIT", EXPLICIT.format("FULL_MATRIX", "0 1 9 4 1 0 2 9\n9 2 0 3\n4 9 3 0"), 10),
        (4, "EXPLICIT", EXPLICIT.format("UPPER_ROW", "1 9 4 2 9 3"), 10),
        (4, "EXPLICIT", EXPLICIT.format("LOWER_DIAG_ROW", "0 1 0 9 2 0 4 9 3 0"), 10),
    ],
)
def test_distances_of_tsplib(count: int, kind: str, rest: str, best: int, tmp_path: Path) -> None:
    file = tmp_path / "places.tsp"
    path = tmp_path / "path.txt"
    file.write_text(TSPLIB.format(count, kind, rest))
    done = run("solve", file, "--minimize", "weight", "--out", path)
    assert f"weight {best}, optimal" in done.stderr
    assert "ignored" not in done.stderr
    assert f" {best}  sum along" in run("describe", path, "--board", file, "--closed").stdout
    file.write_text(file.read_text().replace(" 4", "", 1))
    assert "line " in run("solve", file).stderr


def test_a_third_column_and_attributes_of_a_file_are_weights(tmp_path: Path) -> None:
    file = tmp_path / "graph.edgelist"
    file.write_text("".join(f"{a} {b} {weight / 10}\n" for a, b, weight in ROWS))
    assert "weight 1, optimal" in run("solve", file, "--closed", "--minimize", "weight").stderr
    file = tmp_path / "edges.txt"  # no map of a board with three columns, as 1 comes twice
    file.write_text("0 1 1\n1 2 1\n2 0 8\n")
    assert "weight 10, optimal" in run("solve", file, "--closed", "--minimize", "weight").stderr
    file.write_text("source,target,weight\n0,1,1\n1,2,1\n2,0,8\n")
    assert SHORTEST in run("solve", file, "--closed", "--minimize", "weight").stderr
    file.write_text(json.dumps(nx.node_link_data(GRAPH)))
    assert SHORTEST in run("solve", file, "--closed", "--minimize", "weight").stderr
    file = tmp_path / "graph.graphml"
    nx.write_graphml(GRAPH, file)
    assert SHORTEST in run("solve", file, "--closed", "--minimize", "weight").stderr


def test_the_attributes_that_networkx_writes_after_edges_are_read(tmp_path: Path) -> None:
    file = tmp_path / "graph.edgelist"
    solved = ("solve", file, "--closed", "--minimize", "weight")
    nx.write_edgelist(GRAPH, file)
    assert SHORTEST in run(*solved).stderr
    of_numpy = file.read_text().replace("1}", "np.float64(1.0)}")
    file.write_text(f"# written by networkx\n4 6\n{of_numpy}")
    assert SHORTEST in run(*solved).stderr
    file.write_text("a b {'weight': inches(1)}\nb c {}\nc a {'weight': 2} # two\n")
    done = run(*solved)
    assert "line 1: {'weight': inches(1)} is left out" in done.stderr
    file.write_text("a b\nb c\nc a\n")
    assert "in a file, a third column, GraphML or GML" in run(*solved).stderr


@pytest.mark.filterwarnings("ignore:ignored")
@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ([(0, 1), (1, 2)], "no edge has the attribute 'weight': give a function of two vertices"),
        ([(0, 1, {"wait": 2})], "no edge has the attribute 'weight': give one of wait"),
        ([(0, 1, 2), (1, 2)], "weight of 1-2: None is not a finite number"),
        ([(0, 1, math.nan), (1, 2, 1)], "weight of 0-1: nan is not a finite number"),
        ([(0, 1, 2), (1, 0, 3), (1, 2, 1)], "two edges 0-1 have different weights"),
        ("5x5", "feature 'weight': give one of turns"),
    ],
)
def test_unclear_weights_are_refused(graph: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(graph, minimize="weight")


@pytest.mark.parametrize(
    ("function", "given", "message"),
    [
        (solve, {"weight": "weight"}, "solve takes weights as minimize='weight' or maximize="),
        (solve, {"minimize": lambda u, v, d: d["weight"]}, "a function of 3 arguments: give one"),
        (hamiltonian_cycle, {"weight": lambda u, v, d: 1}, "a function of 3 arguments: give one"),
        (longest_path, {"weight": lambda u, v, d: 1}, "a function of 3 arguments: give one"),
        (hamiltonian_cycle, {"minimize": "weight"}, "give weight='weight'"),
        (hamiltonian_path, {"minimize": "weight"}, "give weight='weight'"),
        (hamiltonian_cycle, {"weight": {}}, "objective {}: give the name of a feature"),
    ],
)
def test_what_is_misplaced_around_weights_is_refused_with_what_to_give(
    function: Any, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        function(GRAPH, **given)
