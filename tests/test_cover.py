"""The fewest paths that visit every vertex once, against brute force, and their lower bound."""

from __future__ import annotations

import json
from functools import cache
from random import Random

import numpy as np
import pytest

from kt_cp import Board, InputError, path_cover, solve, validate_cover
from kt_cp.cover import CoverInterruptedError, CoverResult
from kt_cp.graph import Graph, NamedGraph
from kt_cp.methods.cover import SearchSettings, fewest_paths
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock
from kt_cp.proof.bounds import separator_of_cover
from tests.helpers.command import kt

nx = pytest.importorskip("networkx")

ATLAS = [each for each in nx.graph_atlas_g() if each.number_of_nodes() and nx.is_connected(each)]


def fewest(graph: Graph) -> int:
    """The fewest paths, by brute force: a vertex is added to the last path, or begins another."""

    @cache
    def more(left: frozenset[int], last: int) -> int:
        if not left:
            return 0
        numbers = []
        for vertex in left:
            begins = 0 if vertex in graph.neighbors(last) else 1
            numbers.append(begins + more(left - {vertex}, vertex))
        return min(numbers)

    vertices = frozenset(graph.vertices.tolist())
    return 1 + min(more(vertices - {vertex}, vertex) for vertex in vertices)


def proven(graph: Graph) -> CoverResult:
    result = path_cover(graph, workers=1)
    assert result.objective.optimal
    assert validate_cover(graph, result.paths)
    assert separator_of_cover(Instance(graph)).fewest_paths <= result.objective.value
    return result


def test_small_graphs_take_as_many_paths_as_by_brute_force() -> None:
    for drawn in ATLAS[::12]:
        graph = Graph.of(drawn)
        assert proven(graph).objective.value == fewest(graph), drawn.edges


@pytest.mark.exhaustive
def test_all_connected_graphs_of_seven_vertices_take_as_many_paths_as_by_brute_force() -> None:
    for drawn in ATLAS:
        graph = Graph.of(drawn)
        assert proven(graph).objective.value == fewest(graph), drawn.edges


def test_digraphs_and_boards_with_holes_take_as_many_paths_as_by_brute_force() -> None:
    random = Random(1)
    for _ in range(6):
        edges = [(a, b) for a in range(6) for b in range(6) if a != b and random.random() < 0.3]
        digraph = NamedGraph(range(6), edges, directed=True)
        assert proven(digraph).objective.value == fewest(digraph), edges
        board = Board(4, 4, sorted(random.sample(range(16), 8)))
        assert proven(board).objective.value == fewest(board), board.holes


@pytest.mark.parametrize(("size", "paths"), [("1x1", 1), ("2x2", 4), ("3x3", 2), ("4x4", 2)])
def test_small_boards_take_so_many_knights(size: str, paths: int) -> None:
    assert proven(Board.parse(size)).objective.value == paths


@pytest.mark.parametrize("size", ["3x4", "5x5", "5x6"])
def test_a_board_with_a_tour_takes_one_path(size: str) -> None:
    assert solve(size)
    assert proven(Board.parse(size)).objective.value == 1


def test_a_separator_proves_that_a_star_takes_a_path_less_than_it_has_leaves() -> None:
    result = path_cover([("hub", leaf) for leaf in range(5)])
    assert (result.objective.value, result.separator, result.components) == (4, ["hub"], 5)
    assert "without 1 vertex the graph is in 5 components" in result.summary


def test_a_time_limit_leaves_a_cover_and_a_bound() -> None:
    board = Board.parse("20x20")
    clock = Clock(1e-9)
    found = fewest_paths(board, 1, SearchSettings(clock))
    assert validate_cover(board, found.paths)
    assert 1 <= found.bound <= len(found.paths)


def test_ctrl_c_leaves_the_best_cover_and_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kt_cp.methods.cover.Solver.solve", interrupted)
    with pytest.raises(CoverInterruptedError) as caught:
        path_cover(Board(4, 4, [2, 3, 9, 12]))
    result = caught.value.result
    assert (result.objective.value, result.objective.bound) == (3, 2)
    assert result.report


def test_the_separator_leaves_as_many_components_as_it_says() -> None:
    result = path_cover("4x4")
    graph = Board.parse("4x4").to_networkx()
    graph.remove_nodes_from([Board.parse("4x4").vertex(name) for name in result.separator])
    assert nx.number_connected_components(graph) == result.components


@pytest.mark.parametrize(
    ("paths", "fault"),
    [
        ([[0, 5, 6, 1, 8, 3, 2, 7]], "b2 is not visited"),
        ([[0, 5, 6, 1, 8, 3, 2, 7], [4], [4]], "b2 is visited 2 times"),
        ([[0, 5, 6, 1, 8, 3, 2, 7, 4]], "b1 to b2 is not a knight's move"),
        ([[0, 5, 6, 1, 8, 3, 2, 7], [4], []], "a path is empty"),
    ],
)
def test_the_validator_says_what_is_wrong_with_a_cover(paths: list[list[int]], fault: str) -> None:
    report = validate_cover("3x3", paths)
    assert not report
    assert fault in report.faults


def test_the_validator_accepts_a_cover_and_refuses_squares_off_the_board() -> None:
    assert validate_cover("3x3", [[0, 5, 6, 1, 8, 3, 2, 7], [4]])
    with pytest.raises(InputError, match="e9"):
        validate_cover("3x3", [["e9"]])


def test_arcs_of_a_digraph_are_followed_in_their_direction() -> None:
    digraph = NamedGraph("abc", np.array([[1, 0], [2, 1]]), directed=True)
    assert proven(digraph).paths == [["c", "b", "a"]]
    assert not validate_cover(digraph, [["a", "b", "c"]])


def test_the_command_writes_a_path_on_each_line_and_the_number_last() -> None:
    told = kt("cover", "3x3")
    assert told.returncode == 0
    lines = told.stdout.splitlines()
    assert lines[:3] == ["; board: 3x3", "; kind: cover", "; path 1 of 2, 8 squares"]
    assert lines[-2:] == ["; path 2 of 2, 1 square", "b2"]
    assert told.stderr.endswith("; optimal: the board is in 2 components\n")
    answer = json.loads(kt("cover", "3x3", "--format", "json").stdout)
    assert answer["objective"]["value"] == answer["objective"]["bound"] == len(answer["paths"])
    assert kt("cover", "3x3", "--workers", "0").returncode == 2
