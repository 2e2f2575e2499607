"""Longest paths and cycles, against brute force and published tables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from kt_cp import (
    Board,
    InputError,
    Instance,
    Result,
    Status,
    Tour,
    longest_cycle,
    longest_path,
    solve,
    validate,
)
from kt_cp.graph import Graph, NamedGraph
from kt_cp.methods.walks import random_walks
from kt_cp.problem.constraints import Bound
from kt_cp.solving import SearchInterruptedError
from tests.helpers.oracle import simple_paths

nx = pytest.importorskip("networkx")


def names_of(result: Result) -> list[Any]:
    assert result.tour is not None
    return result.tour.names


def most_squares(graph: Graph, closed: bool) -> int:
    """The squares of a longest path or cycle, by brute force; 0 if there is no cycle."""
    paths: Iterable[list[int]] = simple_paths(graph)
    if closed:
        paths = (path for path in paths if len(path) > 2 and path[0] in graph.neighbors(path[-1]))
    return max(map(len, paths), default=0)


def value(graph: Graph, closed: bool) -> float:
    result = longest_path(graph, closed=closed, workers=1)
    if result.objective is None:
        assert result.status is Status.IMPOSSIBLE
        return 0
    assert result.objective.optimal
    assert result.tour is not None
    assert validate(graph, result.tour.names, closed, partial=True)
    return result.objective.value


ATLAS = [each for each in nx.graph_atlas_g() if each.number_of_nodes() and nx.is_connected(each)]


@pytest.mark.parametrize("closed", [False, True])
def test_of_small_graphs_is_that_of_brute_force(closed: bool) -> None:
    for drawn in ATLAS[::12]:
        graph = Graph.of(drawn)
        assert value(graph, closed) == most_squares(graph, closed), drawn.edges


@pytest.mark.exhaustive
@pytest.mark.parametrize("closed", [False, True])
def test_of_all_connected_graphs_of_seven_vertices_is_that_of_brute_force(closed: bool) -> None:
    for drawn in ATLAS:
        graph = Graph.of(drawn)
        assert value(graph, closed) == most_squares(graph, closed), drawn.edges


@pytest.mark.parametrize("closed", [False, True])
def test_of_digraphs_and_boards_with_holes_is_that_of_brute_force(closed: bool) -> None:
    random = Random(1)
    for _ in range(6):
        edges = [(a, b) for a in range(6) for b in range(6) if a != b and random.random() < 0.3]
        digraph = NamedGraph(range(6), edges, directed=True)
        assert value(digraph, closed) == most_squares(digraph, closed), edges
        board = Board(4, 4, sorted(random.sample(range(16), 5)))
        assert value(board, closed) == most_squares(board, closed), board.holes


@pytest.mark.parametrize("closed", [False, True])
def test_of_graphs_of_several_blocks_is_that_of_brute_force(closed: bool) -> None:
    for seed in range(8):
        graph = Graph.of(nx.gnm_random_graph(10, 11, seed))
        assert value(graph, closed) == most_squares(graph, closed), seed


def test_petersen_has_a_cycle_through_nine_vertices_and_a_path_through_ten() -> None:
    petersen = nx.petersen_graph()
    assert value(Graph.of(petersen), closed=True) == 9
    assert value(Graph.of(petersen), closed=False) == 10


def test_constraints_are_met() -> None:
    moves: Any = {"require": ["c2-a3"], "forbid": ["a1-b3"]}
    names = names_of(longest_path("4x4", visit=["d1"], start="a1", end="d4", **moves))
    assert (names[0], names[-1]) == ("a1", "d4")
    assert "d1" in names
    assert names_of(longest_cycle("3x3", start="c3"))[0] == "c3"


def test_a_path_of_more_squares_than_the_longest_is_impossible() -> None:
    assert longest_path("4x4", at_least=15)
    assert longest_path("4x4", at_least=16).status is Status.IMPOSSIBLE


def test_ctrl_c_leaves_the_longest_path_so_far_and_the_bound() -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SearchInterruptedError) as caught:
        longest_path("4x4", progress=interrupt)
    result = caught.value.result
    assert result.objective is not None
    assert len(names_of(result)) == result.objective.value
    assert result.objective.bound == 15


def test_bounds_on_the_cycles_of_a_board_are_even() -> None:
    objective = longest_cycle("5x5", uncrossed=True).objective
    assert objective is not None
    bounds = [each.bound for each in objective.trace]
    assert bounds
    assert all(bound is not None and bound % 2 == 0 for bound in bounds)


@pytest.mark.parametrize(
    ("bound", "closed"),
    [
        *[(each, False) for each in ("crossings<=1", "slope+2>=2", "uncrossed>=3", "crossings>=4")],
        *[(each, False) for each in ("turns<=3", "acute>=3", "angle-90=2", "chords<=1")],
        *[(each, True) for each in ("turns<=6", "acute>=4", "chords=0", "crossings<=4")],
    ],
)
def test_a_bound_on_a_feature_is_kept_as_by_brute_force(bound: str, closed: bool) -> None:
    board = Board(3, 4)
    kept = Bound.of(board, bound)
    tours = (Tour(board, path, closed, partial=True) for path in paths_of_3x4(closed))
    result = longest_path(board, closed=closed, having=bound, workers=1)
    assert result.tour is not None
    assert result.objective is not None
    assert kept.holds(result.tour)
    assert result.objective.value == max(len(each) for each in tours if kept.holds(each))


@cache
def paths_of_3x4(closed: bool) -> list[list[int]]:
    """Return the paths of 3x4 with two squares or more, or its cycles, each from one square."""
    board = Board(3, 4)
    paths = [path for path in simple_paths(board) if len(path) > 1]
    if not closed:
        return paths
    cycles = [path for path in paths if len(path) > 2 and path[0] in board.neighbors(path[-1])]
    return [cycle for cycle in cycles if cycle[0] == min(cycle)]


@pytest.mark.parametrize("bound", ["slope+2<=1", "crossings<=0", "turns<=1", "chords<=1"])
def test_where_no_move_is_possible_a_path_has_one_square(bound: str) -> None:
    assert len(names_of(longest_path("2x2", having=bound))) == 1


@pytest.mark.parametrize("asked", [{"uncrossed": True}, {"induced": True}])
def test_on_a_large_board_some_path_is_found_before_the_model_is_searched(asked: Any) -> None:
    instance = replace(Instance.of("50x50", **asked), allows_partial=True)
    found = [path for path in random_walks(instance, seed=0) if instance.satisfied_by(path)]
    assert max(map(len, found)) > 1


def test_a_function_adds_constraints() -> None:
    def no_corner(model: Any) -> None:
        model.cp.add(model.edge("a1", "b3") + model.edge("a1", "c2") == 0)

    assert "a1" not in names_of(longest_path("4x4", constrain=no_corner))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"givens": {"a1": 3}}, "given steps: only for tours that visit every square"),
        ({"at_least": 17}, "at_least 17: give 1 to 16"),
        ({"visit": ["e9"]}, "visit"),
    ],
)
def test_other_constraints_are_refused(asked: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        longest_path("4x4", **asked)


def test_a_partial_instance_is_refused_by_other_functions() -> None:
    with pytest.raises(InputError, match="give the board to longest_path"):
        solve(replace(Instance.of("4x4"), allows_partial=True))


def test_a_tour_of_all_squares_may_be_uncrossed_or_induced() -> None:
    assert names_of(solve([(1, 2), (2, 3)], induced=True)) == [1, 2, 3]
    assert not solve([(1, 2), (2, 3), (3, 1)], induced=True)
    assert not solve("3x4", uncrossed=True)


def test_a_picture_counts_the_squares_that_are_left_out() -> None:
    tour = Tour("4x4", [0, 6, 8, 1], partial=True)
    assert "left out: 12 squares" in str(tour.draw())


def test_the_validator_says_of_what_a_partial_tour_is_a_tour() -> None:
    tour = Tour("4x4", [0, 6, 8, 1], partial=True)
    assert tour.summary == "path through 4 of 16 squares of 4x4"
    assert validate("4x4", [0, 6, 8], partial=True).verdict.startswith("valid path through 3 of 16")
    assert not validate("4x4", [0, 6, 8])
    assert not validate("4x4", [], partial=True)
    assert not validate("4x4", [0, 1], partial=True)
