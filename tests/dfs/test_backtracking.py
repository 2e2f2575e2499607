"""What the searches promise: tours, proofs, budgets and counters; times and kinds of edges."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kt_cp import validate
from kt_cp.board import Board
from kt_dfs import (
    METHODS,
    Budget,
    DFSGraph,
    EdgeKind,
    Ending,
    Event,
    Graph,
    Status,
    Strategy,
    Vertex,
    knight_graph,
    knight_tour,
    search,
    strategy,
)
from kt_dfs.graph import GRAY
from kt_dfs.strategies import (
    onward_moves,
    onward_moves_then_next_level,
)
from tests.helpers.oracle import moves_along
from tests.helpers.strategies import boards

CAN_PROVE = [name for name in METHODS if strategy(name, 8, 8).backtracks]


def graph_of(board: Board) -> Graph[int]:
    return Graph.from_neighbors({s: board.neighbors(s) for s in board.squares.tolist()})


@st.composite
def boards_with_start(draw: st.DrawFn, max_squares: int = 64) -> tuple[Board, int]:
    board = draw(boards(max_side=8, max_squares=max_squares))
    return board, draw(st.sampled_from(board.squares.tolist()))


@given(
    boards_with_start(), st.sampled_from(list(METHODS)), st.booleans(), st.sampled_from([50, 2_000])
)
def test_a_stopped_walk_says_where_and_an_observer_sees_every_step(
    place: tuple[Board, int], name: str, closed: bool, calls: int
) -> None:
    board, start = place
    path: list[int] = []
    lengths = [0]
    backtracks = 0

    def replay(event: Event, square: int) -> None:
        nonlocal backtracks
        if event is Event.VISIT:
            path.append(square)
            lengths.append(len(path))
        else:
            assert path.pop() == square
            backtracks += 1

    plan = strategy(name, board.rows, board.columns)
    graph = graph_of(board)
    budget = Budget(calls=calls)
    outcome = search(graph, start, plan, closed=closed, budget=budget, observer=replay)
    assert outcome.path == tuple(path)
    counts = len(lengths) - 1, backtracks, max(lengths)
    assert (outcome.calls, outcome.backtracks, outcome.deepest) == counts
    if outcome.status is Status.IMPOSSIBLE:
        assert outcome.path == ()
        assert name in CAN_PROVE
    if outcome.ending is Ending.STUCK:
        assert set(board.neighbors(outcome.path[-1])) <= set(outcome.path)
        assert f"the walk stops at square {outcome.path[-1]} after {len(path)} " in outcome.reason
        is_whole = len(path) == len(board)
        assert ("no move leads back to the first" in outcome.reason) is is_whole


@example((2, {(0, 1), (1, 0)}), "dfs", True, 1)  # a closed tour has three squares at least
@example((3, {(0, 1), (1, 2), (2, 1)}), "dfs", True, 2)  # and an arc back to the first
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(
            st.just(n), st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)))
        )
    ),
    st.sampled_from(CAN_PROVE),
    st.booleans(),
    st.integers(0, 6),
)
def test_on_one_way_arcs_and_short_paths_every_search_agrees_with_trying_everything(
    arcs_of_n: tuple[int, set[tuple[int, int]]], name: str, closed: bool, limit: int
) -> None:
    n, arcs = arcs_of_n
    graph = Graph.from_neighbors({v: sorted(w for u, w in arcs if u == v) for v in range(n)})
    tours = {
        path
        for path in ((0, *rest) for rest in permutations(range(1, n), limit))
        if arcs.issuperset(moves_along(path, closed)) and not (closed and limit < 2)
    }
    outcome = search(graph, 0, strategy(name, 1, n), limit=limit, closed=closed)
    assert outcome.path in (tours or {()})
    assert outcome.status is (Status.FOUND if tours else Status.IMPOSSIBLE)


def test_the_dead_end_cut_gives_way_where_a_tour_would_be_lost_and_saves_calls_elsewhere() -> None:
    one_way = Graph.from_neighbors({0: [1, 2], 1: [2], 2: []})
    assert search(one_way, 0, strategy("lexicographic", 1, 3)).path == (0, 1, 2)
    fork = Graph.from_neighbors({0: [1, 2], 1: [0], 2: [0, 3], 3: [2]})
    assert search(fork, 0, strategy("lexicographic", 1, 4), limit=2).path == (0, 2, 3)
    graph = knight_graph(4)
    plan = strategy("lexicographic", 4, 4)
    with_cut, without = search(graph, 0, plan), search(graph, 0, replace(plan, cut=None))
    assert with_cut.status is without.status is Status.IMPOSSIBLE
    assert with_cut.calls < without.calls


def test_a_budget_of_calls_is_neither_a_tour_nor_a_proof() -> None:
    needed = knight_tour(knight_graph(5), 4).calls
    short = knight_tour(knight_graph(5), 4, budget=Budget(calls=needed - 1))
    assert (short.status, short.ending, short.calls) == (
        Status.UNKNOWN, Ending.OUT_OF_CALLS, needed - 1,
    )  # fmt: skip
    assert knight_tour(knight_graph(5), 4, budget=Budget(calls=needed)).status is Status.FOUND


@pytest.mark.parametrize("seconds", [0, 0.05])
def test_a_budget_of_seconds_ends_a_search_that_would_not_end(seconds: float) -> None:
    outcome = knight_tour(knight_graph(8), 0, budget=Budget(seconds=seconds))
    assert (outcome.status, outcome.ending) == (Status.UNKNOWN, Ending.OUT_OF_TIME)


def test_budgets_limits_and_starts_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="-1 calls"):
        Budget(calls=-1)
    with pytest.raises(ValueError, match="nan seconds"):
        Budget(seconds=float("nan"))
    with pytest.raises(ValueError, match="start 25 "):
        knight_tour(knight_graph(5), 25)
    with pytest.raises(ValueError, match="counts moves"):
        knight_tour(knight_graph(5), 0, limit=-1)
    with pytest.raises(ValueError, match="at least 1 row"):
        knight_graph(0)
    with pytest.raises(ValueError, match=r"no method 'knight'; there are dfs, "):
        strategy("knight", 8, 8)


@pytest.mark.exhaustive
def test_a_path_of_100000_squares_is_followed_to_its_end() -> None:
    line = Graph.from_neighbors({v: [v + 1] for v in range(99_999)} | {99_999: []})
    assert knight_tour(line, 0, budget=Budget(90_000)).deepest == 90_000


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


def test_pohl_breaks_ties_by_the_moves_of_the_next_level() -> None:
    graph = Graph.from_neighbors({0: [1, 2], 1: [3], 2: [4], 3: [5, 6], 4: [5], 5: [], 6: []})
    graph[0].color = GRAY
    assert onward_moves(graph[1]) == onward_moves(graph[2])
    assert onward_moves_then_next_level(graph[2]) < onward_moves_then_next_level(graph[1])


@st.composite
def explored(draw: st.DrawFn) -> tuple[DFSGraph[int], list[tuple[int, int]]]:
    count = draw(st.integers(1, 12))
    number = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(number, number), unique=True, max_size=40))
    graph = DFSGraph.from_edges(count, edges)
    graph.dfs()
    return graph, edges


def ancestors(vertex: Vertex[int]) -> list[Vertex[int]]:
    line = []
    above = vertex.pred
    while above is not None:
        line.append(above)
        above = above.pred
    return line


@given(explored())
def test_forest_and_kinds_of_edges_agree_with_the_times_and_with_networkx(
    case: tuple[DFSGraph[int], list[tuple[int, int]]],
) -> None:
    graph, edges = case
    for v, w in permutations(graph, 2):
        assert (v.discovery < w.discovery < w.finish < v.finish) == (v in ancestors(w))
    kinds = graph.edge_kinds()
    assert set(kinds) == set(edges)
    for (from_key, to_key), kind in kinds.items():
        tail, head = graph[from_key], graph[to_key]
        if head.pred is tail:
            assert kind is EdgeKind.TREE
        elif tail in ancestors(head):
            assert kind is EdgeKind.FORWARD
        elif tail is head or head in ancestors(tail):
            assert kind is EdgeKind.BACK
        else:
            assert kind is EdgeKind.CROSS
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(len(graph)))
    theirs.add_edges_from(sorted(edges))
    assert [v.key for v in graph.order()] == list(nx.dfs_preorder_nodes(theirs))
    assert [key for tree in graph.forest() for key in tree] == list(nx.dfs_preorder_nodes(theirs))
    tree_edges = {(v.pred.key, v.key) for v in graph if v.pred is not None}
    assert tree_edges == set(nx.dfs_edges(theirs))
