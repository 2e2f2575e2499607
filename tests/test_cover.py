"""The fewest paths that visit every vertex once, against brute force, and their lower bound."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from kt_cp.board.board import Board
from kt_cp.graph import Graph, NamedGraph
from kt_cp.methods.longest import fewest_paths
from kt_cp.methods.result import CoverInterruptedError, CoverResult
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, Task
from kt_cp.proof.bounds import separator_of_cover
from kt_cp.solving import path_cover
from kt_cp.tour.tour import validate_cover

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


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_connected_graphs_take_as_many_paths_as_by_brute_force(every: int) -> None:
    for drawn in ATLAS[::every]:
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


@pytest.mark.parametrize(("size", "paths"), [("1x1", 1), ("2x2", 4), ("4x4", 2), ("5x5", 1)])
def test_small_boards_take_so_many_knights(size: str, paths: int) -> None:
    assert proven(Board.parse(size)).objective.value == paths


def test_a_time_limit_leaves_a_cover_and_a_bound() -> None:
    board = Board.parse("20x20")
    found = fewest_paths(Task(Instance(board), Clock(1e-9)), 1)
    assert validate_cover(board, found.paths)
    assert 1 <= found.bound <= len(found.paths)


def test_ctrl_c_leaves_the_best_cover_and_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kt_cp.methods.longest.Solver.solve", interrupted)
    with pytest.raises(CoverInterruptedError) as caught:
        path_cover(Board(4, 4, [2, 3, 9, 12]))
    result = caught.value.result
    assert (result.objective.value, result.objective.bound) == (3, 2)
    assert result.report


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
