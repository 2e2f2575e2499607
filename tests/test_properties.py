"""What every path and every depth-first search must satisfy: read this test first.

The judge below imports nothing of the package. Hypothesis draws boards, holes, ends and graphs.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp import solve
from kt_cp.board import Board
from kt_cp.problem.instance import Instance
from kt_dfs import METHODS, Budget, DFSGraph, Graph, Status, search, strategy

Place = tuple[int, int]
Edges = list[tuple[int, int]]


def is_tour(squares: set[Place], path: Sequence[Place], closed: bool) -> bool:
    """Judge a path: a knight's move at each step, every square visited, and none twice."""
    steps = list(zip(path, [*path[1:], *path[:1]] if closed else path[1:], strict=False))
    legal = all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in steps)
    return legal and len(path) == len(squares) and set(path) == squares


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, set[Place]]:
    """Draw a board of up to 6 x 7 with at most three holes, and its squares as places."""
    rows, columns = draw(st.integers(3, 6)), draw(st.integers(3, 7))
    holes = draw(st.sets(st.integers(0, rows * columns - 1), max_size=3))
    places = {divmod(square, columns) for square in set(range(rows * columns)) - holes}
    return Board(rows, columns, sorted(holes)), places


@given(drawn=boards(), closed=st.booleans(), data=st.data())
@pytest.mark.parametrize("method", ["circuit", "cuts", "patch"])
def test_every_path_of_the_model_is_legal_complete_and_visits_no_square_twice(
    method: str, drawn: tuple[Board, set[Place]], closed: bool, data: st.DataObject
) -> None:
    board, places = drawn
    start = data.draw(st.none() | st.sampled_from(board.vertices.tolist()))
    result = solve(Instance.of(board, closed=closed, start=start), method=method)
    if result.tour is not None:
        path = [divmod(square, board.columns) for square in result.tour]
        assert is_tour(places, path, closed)
        assert start in (None, result.tour.squares[0])


@given(drawn=boards(), closed=st.booleans(), data=st.data())
@pytest.mark.parametrize("method", METHODS)
def test_every_path_of_a_depth_first_search_is_legal_complete_and_visits_no_square_twice(
    method: str, drawn: tuple[Board, set[Place]], closed: bool, data: st.DataObject
) -> None:
    board, places = drawn
    moves = {square: board.neighbors(square) for square in board.vertices.tolist()}
    start = data.draw(st.sampled_from(sorted(moves)))
    way = strategy(method, board.rows, board.columns)
    graph = Graph[int].from_neighbors(moves)
    outcome = search(graph, start, way, closed=closed, budget=Budget(2_000))
    path = [divmod(square, board.columns) for square in outcome.path]
    if outcome.status is Status.FOUND:
        assert is_tour(places, path, closed)
        assert outcome.path[0] == start
    assert is_tour(set(path), path, closed=False), "also the path of a search that stopped"


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), edges_of(n))))
def test_discovery_and_finish_times_are_nested_or_disjoint(drawn: tuple[int, Edges]) -> None:
    vertices, edges = drawn
    graph = DFSGraph.from_edges(vertices, edges)
    graph.dfs()
    spans = [(vertex.discovery, vertex.finish) for vertex in graph]
    assert sorted(time for span in spans for time in span) == [*range(1, 2 * vertices + 1)]
    for opened, shut in spans:
        inside = [(a, b) for a, b in spans if opened < a < shut]
        assert all(b < shut for _, b in inside), "a vertex discovered inside is finished inside"


def edges_of(vertices: int) -> st.SearchStrategy[Edges]:
    """Draw the arcs of a directed graph."""
    vertex = st.integers(0, vertices - 1)
    return st.lists(st.tuples(vertex, vertex), max_size=3 * vertices)
