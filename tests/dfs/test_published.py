"""The figures that the textbook and the articles print, and an independent check's call counts."""

from collections.abc import Sequence

import pytest

from kt_cp import Board, FaultKind, validate
from kt_dfs import (
    Budget,
    DFSGraph,
    Ending,
    MoveOrder,
    Outcome,
    Status,
    Strategy,
    knight_graph,
    knight_tour,
    knight_tour_better,
    search,
    strategy,
)
from kt_dfs.methods import CLOCKWISE_MOVES
from kt_dfs.strategies import Rank, degree, onward_moves
from scripts import published


def by_name(name: str, size: int, start: int) -> Outcome[int]:
    return search(knight_graph(size), start, strategy(name, size, size))


def clockwise(rank: Rank | None) -> Outcome[int]:
    orders = (MoveOrder(CLOCKWISE_MOVES, 6),)
    return search(knight_graph(6), published.CLOCKWISE_START, Strategy(orders, rank))


def steps_on_board(path: Sequence[int]) -> tuple[int, ...]:
    steps = {square: step for step, square in enumerate(path, start=1)}
    return tuple(steps[square] for square in range(len(path)))


@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_tours_of_the_exercise_are_reproduced_move_for_move(order: published.VisitOrder) -> None:
    by_program = {
        "tour": (knight_tour, "dfs"),
        "better": (knight_tour_better, "warnsdorff"),
    }
    function, method = by_program[order.program]
    assert function(knight_graph(order.size), order.start).path == order.ids
    assert by_name(method, order.size, order.start).path == order.ids


def test_a_path_in_the_figure_needs_a_limit_of_squares_less_one() -> None:
    graph = DFSGraph[str]()
    for tail, head in published.FIGURE_EDGES:
        graph.add_edge(tail, head)
    assert "".join(knight_tour(graph, "A", limit=5).path) == published.FIGURE_PATH
    as_printed = knight_tour(graph, "A", limit=published.FIGURE_LIMIT)
    assert as_printed.status is Status.IMPOSSIBLE


def test_the_times_in_the_figure_are_reproduced() -> None:
    graph = DFSGraph[str]()
    for tail, head in published.FIGURE_EDGES:
        graph.add_edge(tail, head)
    graph.dfs()
    assert {v.key: (v.discovery, v.finish) for v in graph} == published.FIGURE_TIMES


def test_the_lexicographic_board_is_reproduced_without_backtracking() -> None:
    outcome = by_name("lexicographic", 8, 0)
    assert steps_on_board(outcome.path) == published.LEXICOGRAPHIC_BOARD
    assert (outcome.calls, outcome.backtracks) == (published.LEXICOGRAPHIC_CALLS, 0)


def test_lexicographic_search_completes_8x8_from_every_square() -> None:
    outcomes = [by_name("lexicographic", 8, start) for start in range(64)]
    assert all(outcome.status is Status.FOUND for outcome in outcomes)
    assert max(outcome.calls for outcome in outcomes) == published.LEXICOGRAPHIC_WORST_CALLS


def test_lexicographic_search_survives_a_square_without_free_neighbors() -> None:
    assert by_name("lexicographic", 3, 4).status is Status.IMPOSSIBLE


def test_the_clockwise_board_takes_the_plain_search_83112_calls() -> None:
    outcome = clockwise(None)
    assert steps_on_board(outcome.path) == published.CLOCKWISE_BOARD
    assert outcome.calls == published.CLOCKWISE_CALLS


def test_the_ordering_on_the_empty_board_gives_another_board_than_printed() -> None:
    outcome = clockwise(degree)
    assert steps_on_board(outcome.path) == published.STATIC_BOARD != published.CLOCKWISE_BOARD
    assert outcome.calls == published.STATIC_CALLS
    assert by_name("static-degree", 6, published.CLOCKWISE_START) == outcome


def test_counting_unvisited_onward_moves_needs_one_call_per_square() -> None:
    assert clockwise(onward_moves).calls == published.CLOCKWISE_WARNSDORFF_CALLS


def test_the_printed_greedy_path_is_no_tour() -> None:
    assert len(published.GREEDY_PATH) == 211
    assert len(set(published.GREEDY_PATH)) == 58
    report = validate(Board(8, 8), published.GREEDY_PATH)
    assert not report.valid
    assert report.counts[FaultKind.MISSING] == 6
    illegal = [fault for fault in report.faults if fault.kind is FaultKind.ILLEGAL_MOVE]
    assert [(fault.step, fault.other_step) for fault in illegal] == [(22, 23), (26, 27), (31, 32)]


def test_the_greedy_walk_completes_8x8_from_the_corner() -> None:
    assert validate(Board(8, 8), by_name("greedy", 8, 0).path).valid


@pytest.mark.parametrize(
    ("size", "starts"),
    [
        pytest.param(*item, marks=[pytest.mark.exhaustive] if item[0] > 10 else [])
        for item in published.GREEDY_COMPLETE_STARTS.items()
    ],
)
def test_the_greedy_walk_completes_boards_from_so_many_starts(size: int, starts: int) -> None:
    graph, greedy = knight_graph(size), strategy("greedy", size, size)
    outcomes = [search(graph, start, greedy) for start in range(size * size)]
    assert sum(outcome.status is Status.FOUND for outcome in outcomes) == starts


def completed_by_squirrel_and_cull(size: int) -> bool:
    outcome = by_name("squirrel-cull", size, 0)
    return outcome.status is Status.FOUND and validate(Board(size, size), outcome.path).valid


def test_squirrel_and_cull_complete_small_boards_from_the_corner() -> None:
    assert all(completed_by_squirrel_and_cull(size) for size in range(5, 25))


def test_squirrel_and_cull_complete_74_by_the_single_order() -> None:
    assert completed_by_squirrel_and_cull(74)


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", [*range(25, 41), *range(193, 201)])
def test_squirrel_and_cull_complete_larger_boards(size: int) -> None:
    assert completed_by_squirrel_and_cull(size)


def test_the_ordered_search_needs_no_backtracking_on_100x100_from_the_corner() -> None:
    outcome = by_name("warnsdorff", 100, 0)
    assert (outcome.status, outcome.calls, outcome.backtracks) == (Status.FOUND, 10_000, 0)
    assert validate(Board(100, 100), outcome.path).valid


@pytest.mark.parametrize(("size", "start"), [(30, 0), (20, 21)])
def test_the_stable_order_drowns_in_backtracking_elsewhere(size: int, start: int) -> None:
    outcome = knight_tour_better(knight_graph(size), start, budget=Budget(calls=50_000))
    assert (outcome.status, outcome.ending) == (Status.UNKNOWN, Ending.OUT_OF_CALLS)
