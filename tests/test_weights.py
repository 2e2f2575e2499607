"""The shortest tours: weights of edges as every source has them, judged by brute force."""

from __future__ import annotations

import itertools
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

FOUR = {("a", "b"): 1, ("b", "c"): 2, ("c", "d"): 3, ("d", "a"): 4, ("a", "c"): 9, ("b", "d"): 9}
"""A square, around which the shortest cycle has the length 10, and its diagonals."""

ROWS = [(*pair, weight) for pair, weight in FOUR.items()]
MATRIX = np.zeros((4, 4), dtype=int)
for (_one, _other), _weight in FOUR.items():
    MATRIX["abcd".index(_one), "abcd".index(_other)] = _weight
MATRIX += MATRIX.T


def weighted(kind: type[nx.Graph], rows: list[tuple[str, str, int]] = ROWS) -> Any:
    graph = kind()
    graph.add_weighted_edges_from(rows)
    return graph


def length(path: Any, closed: bool) -> float:
    return sum(itertools.starmap(math.dist, itertools.pairwise([*path, *path[:closed]])))


SOURCES: dict[str, Any] = {
    "networkx": weighted(nx.Graph),
    "multigraph": weighted(nx.MultiGraph),
    "arcs": weighted(nx.DiGraph, [*ROWS, *((b, a, weight) for a, b, weight in ROWS)]),
    "view": weighted(nx.Graph).edges(data=True),
    "rows": ROWS,
    "attributes": [(a, b, {"weight": weight}) for a, b, weight in ROWS],
    "matrix": MATRIX,
    "table": pd.DataFrame(ROWS, columns=["source", "target", "weight"]),
    "labelled": pd.DataFrame(MATRIX, index=[*"abcd"], columns=[*"abcd"]),
    "mapping": {
        a: {b: w for pair, w in FOUR.items() for b in pair if a in pair and b != a} for a in "abcd"
    },
    "mappings": nx.to_dict_of_dicts(weighted(nx.Graph)),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_the_weights_of_any_graph_are_an_objective(source: Any) -> None:
    result = solve(source, closed=True, minimize="weight")
    assert result.objective is not None
    assert (result.objective.value, result.objective.optimal) == (10, True)
    if not result.instance.graph.directed:
        most = solve(source, maximize="weight").objective
        assert most is not None
        assert most.value == 9 + 9 + 4


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_no_tour_is_shorter(closed: bool, seed: int) -> None:
    random = Random(seed)
    places = [(random.random() / 10**seed, random.random()) for _ in range(6)]
    graph = dict.fromkeys(places, places)
    function = hamiltonian_cycle if closed else hamiltonian_path
    with pytest.warns(UserWarning, match="ignored: 6 loops"):
        path = function(graph, weight=math.dist)
    assert path is not None
    shortest = min(length(each, closed) for each in itertools.permutations(places))
    assert length(path, closed) == pytest.approx(shortest, rel=1e-7)


def test_the_longest_path_by_weight_may_leave_vertices_out() -> None:
    rows = [(0, 1, 5), (1, 2, -3), (2, 3, 4), (1, 4, 1)]
    result = longest_path(rows, weight="weight")
    assert result.summary.endswith("weight 6, optimal")
    assert longest_path(rows, closed=True, weight="weight").reason is not None
    one_way = nx.DiGraph()
    one_way.add_weighted_edges_from(
        [(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 2, 7), (2, 1, 7), (1, 0, 7)]
    )
    assert longest_path(one_way, closed=True, weight="weight").summary.endswith(
        "weight 21, optimal"
    )


def test_weights_may_depend_on_the_direction() -> None:
    distances = np.array([[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]])
    result = solve(distances, closed=True, minimize="weight", start=0)
    assert result.tour is not None
    assert result.objective is not None
    assert (result.tour.names, result.objective.value) == ([0, 1, 2, 3], 4)


def test_the_moves_of_a_board_have_weights_by_a_function() -> None:
    result = solve("5x5", start="a1", minimize=lambda one, other: int("a1" < one < "c" < other))
    assert result.objective is not None
    assert result.objective.optimal
    assert str(result.objective.summary).startswith("weight ")


TSPLIB = """NAME: square
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: {}
{}
EOF
"""
PLACES = "NODE_COORD_SECTION\n1 0.0 0.0\n2 3.0 4.0\n3 3 0\n4 0 4"
EXPLICIT = "EDGE_WEIGHT_FORMAT: {}\nEDGE_WEIGHT_SECTION\n{}"


@pytest.mark.parametrize(
    ("kind", "rest", "length"),
    [
        ("EUC_2D", PLACES, 14),
        ("CEIL_2D", PLACES, 14),
        ("ATT", PLACES, 6),
        ("EXPLICIT", EXPLICIT.format("FULL_MATRIX", "0 1 9 4 1 0 2 9\n9 2 0 3\n4 9 3 0"), 10),
        ("EXPLICIT", EXPLICIT.format("UPPER_ROW", "1 9 4 2 9 3"), 10),
        ("EXPLICIT", EXPLICIT.format("LOWER_DIAG_ROW", "0 1 0 9 2 0 4 9 3 0"), 10),
    ],
)
def test_distances_of_tsplib(kind: str, rest: str, length: int, tmp_path: Path) -> None:
    file = tmp_path / "square.tsp"
    file.write_text(TSPLIB.format(kind, rest))
    done = run("solve", str(file), "--minimize", "weight")
    assert f"weight {length}, optimal" in done.stderr
    assert "ignored" not in done.stderr
    file.write_text(file.read_text().replace(" 4", "", 1))
    assert "line " in run("solve", str(file)).stderr


def test_the_distances_of_ulysses_are_those_of_the_earth(tmp_path: Path) -> None:
    places = "38.24 20.42 39.57 26.15 40.56 25.32 36.26 23.12 33.48 10.54 37.56 12.19 38.42 13.11 "
    places += "37.52 20.44 41.23 9.10 41.17 13.05 36.08 -5.21 38.47 15.13 38.15 15.35 37.51 15.17 "
    places += "35.49 14.32 39.36 19.56"
    words = places.split()
    rows = [f"{number} {words[2 * number - 2]} {words[2 * number - 1]}" for number in range(1, 17)]
    content = TSPLIB.replace("4", "16", 1).format("GEO", "\n".join(["NODE_COORD_SECTION", *rows]))
    file = tmp_path / "ulysses16.tsp"
    file.write_text(content)
    done = run("solve", str(file), "--minimize", "weight")
    assert "weight 6859, optimal" in done.stderr  # published with TSPLIB
    path = tmp_path / "path.txt"
    path.write_text(done.stdout)
    said = run("describe", str(path), "--board", str(file), "--closed").stdout
    assert "weight       6859  sum along the tour" in said


def test_a_third_column_and_attributes_of_a_file_are_weights(tmp_path: Path) -> None:
    file = tmp_path / "graph.edgelist"
    file.write_text("".join(f"{a} {b} {weight / 10}\n" for a, b, weight in ROWS))
    done = run("solve", str(file), "--closed", "--minimize", "weight")
    assert "weight 1, optimal" in done.stderr
    file = tmp_path / "graph.graphml"
    nx.write_graphml(weighted(nx.Graph), file)
    done = run("solve", str(file), "--closed", "--minimize", "weight")
    assert "weight 10, optimal" in done.stderr
    assert (
        "no edge has the attribute 'wait'" in run("solve", str(file), "--minimize", "wait").stderr
    )


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ([(0, 1), (1, 2)], "no edge has the attribute 'weight': give a function of two vertices"),
        ([(0, 1, 2), (1, 2)], "weight of 1-2: None is not a finite number"),
        ([(0, 1, math.nan), (1, 2, 1)], "weight of 0-1: nan is not a finite number"),
        ([(0, 1, 2), (1, 0, 3), (1, 2, 1)], "two edges 0-1 have different weights"),
        ("5x5", "feature 'weight': give one of turns"),
    ],
)
@pytest.mark.filterwarnings("ignore:ignored")
def test_unclear_weights_are_refused(graph: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(graph, minimize="weight")
