"""The methods by name, and what each ranks first."""

import pytest

from kt_cp import validate
from kt_cp.board.board import Board
from kt_dfs import METHODS, Budget, MoveOrder, Status, Strategy, knight_graph, search, strategy
from kt_dfs.graph import GRAY, Graph
from kt_dfs.strategies import (
    dead_end_ahead,
    onward_moves,
    onward_moves_then_far_from_center,
    onward_moves_then_next_level,
)
from kt_dfs.textbook import MOVES as TEXTBOOK_MOVES


def test_every_method_of_the_design_is_there_with_a_line_and_a_source() -> None:
    assert set(METHODS) == {
        "dfs", "warnsdorff", "lexicographic", "static-degree", "greedy",
        "most-available", "pohl", "roth", "squirrel-cull",
    }  # fmt: skip
    for method in METHODS.values():
        assert 0 < len(method.summary) <= 90
        assert "\n" not in method.summary
        assert method.source
    walks = {name for name in METHODS if not strategy(name, 8, 8).backtracks}
    assert walks == {"greedy", "squirrel-cull"}


LARGE = pytest.mark.exhaustive


@pytest.mark.parametrize(
    "size", [*range(5, 25), 74, *(pytest.param(m, marks=LARGE) for m in (40, 193, 196, 199, 200))]
)
def test_squirrel_and_cull_complete_square_boards_from_the_corner(size: int) -> None:
    outcome = search(knight_graph(size), 0, strategy("squirrel-cull", size, size))
    assert outcome.status is Status.FOUND
    assert validate(Board(size, size), outcome.path).valid


def test_an_order_of_moves_does_not_depend_on_how_the_graph_was_built() -> None:
    graph = knight_graph(5)
    backwards = Graph.from_neighbors({v.key: [w.key for w in v.neighbors][::-1] for v in graph})
    assert search(backwards, 4, strategy("dfs", 5, 5)) == search(graph, 4, Strategy())


def test_moves_that_an_order_does_not_name_come_last_as_the_graph_has_them() -> None:
    graph = Graph.from_neighbors({0: [3, 24, 7, 1, 11]} | {v: [] for v in (24, 11, 7, 3, 1)})
    arranged = MoveOrder(TEXTBOOK_MOVES, columns=5).arrange(graph[0])
    assert [vertex.key for vertex in arranged] == [7, 11, 3, 24, 1]


def test_pohl_breaks_ties_by_the_moves_of_the_next_level() -> None:
    graph = Graph.from_neighbors({0: [1, 2], 1: [3], 2: [4], 3: [5, 6], 4: [5], 5: [], 6: []})
    graph[0].color = GRAY
    assert onward_moves(graph[1]) == onward_moves(graph[2])
    assert onward_moves_then_next_level(graph[2]) < onward_moves_then_next_level(graph[1])


def test_roth_breaks_ties_by_the_distance_from_the_center() -> None:
    rank = onward_moves_then_far_from_center(8, 8)
    graph = knight_graph(8)
    inner, outer = graph[18], graph[21 - 16]  # (2, 2) and (0, 5)
    assert rank(inner)[1] > rank(outer)[1]


def test_most_available_asks_for_the_opposite_of_warnsdorff() -> None:
    first = {}
    for name in ("warnsdorff", "most-available"):
        path = search(knight_graph(8), 4, strategy(name, 8, 8), budget=Budget(calls=2)).path
        first[name] = len(knight_graph(8)[path[1]].neighbors)
    assert first == {"warnsdorff": 4, "most-available": 8}


def test_a_dead_end_matters_only_while_other_squares_are_left() -> None:
    graph = Graph.from_neighbors({0: [1, 2], 1: [0], 2: [0]})
    graph[0].color = GRAY
    assert dead_end_ahead([graph[1], graph[2]], unvisited=2)
    assert not dead_end_ahead([graph[1]], unvisited=1)


def test_every_method_answers_on_boards_of_other_shapes() -> None:
    holed = Graph.from_neighbors({0: [6], 6: [0, 8], 8: [6]})
    board = Board(6, 7)
    whole = Graph.from_neighbors({v: board.neighbors(v) for v in board.vertices.tolist()})
    for name in METHODS:
        assert search(holed, 0, strategy(name, 2, 5)).status is Status.FOUND
        path = search(whole, 0, strategy(name, 6, 7), budget=Budget(calls=1_000)).path
        assert len(set(path)) == len(path) > 1
