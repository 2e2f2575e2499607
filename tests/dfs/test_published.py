"""The figures that the textbook and the articles print, and an independent check's call counts."""

from collections.abc import Callable, Iterator

import pytest

from kt_cp import validate
from kt_cp.board.board import Board
from kt_cp.tour.validator import FaultKind
from kt_dfs import (
    Budget,
    Ending,
    Status,
    knight_graph,
    knight_tour,
    knight_tour_better,
    search,
    strategy,
    textbook,
)
from tests.published import articles
from tests.published import orders as published
from tests.published.claims import Row

SLOW = [articles.greedy]


@pytest.mark.parametrize(
    "section",
    [pytest.param(each, marks=pytest.mark.exhaustive) for each in SLOW]
    + [each for each in articles.SECTIONS if each not in SLOW],
)
def test_what_is_published_is_reproduced_where_right_and_refuted_where_wrong(
    section: Callable[[], Iterator[Row]],
) -> None:
    rows = list(section())
    assert rows
    assert [row for row in rows if not row.confirmed] == []


@pytest.mark.parametrize("order", published.VISIT_ORDERS, ids=lambda o: f"{o.program}-{o.start}")
def test_tours_of_the_exercise_are_those_of_the_methods(order: published.VisitOrder) -> None:
    function, method, rule = {
        "tour": (knight_tour, "dfs", textbook.unvisited),
        "better": (knight_tour_better, "warnsdorff", textbook.fewest_onward_moves),
    }[order.program]
    graph, named = knight_graph(order.size), strategy(method, order.size, order.size)
    assert function(graph, order.start).path == order.ids
    assert search(graph, order.start, named).path == order.ids
    path = [order.start]
    assert textbook.extend(textbook.knight_moves(order.size), path, rule)
    assert tuple(path) == order.ids


def test_the_printed_greedy_path_breaks_off_at_three_places() -> None:
    assert len(published.GREEDY_PATH) == 211
    report = validate(Board(8, 8), published.GREEDY_PATH)
    illegal = [fault.step for fault in report.faults if fault.kind is FaultKind.ILLEGAL_MOVE]
    assert illegal == [22, 26, 31]


def test_the_ordered_search_needs_no_backtracking_on_100x100_from_the_corner() -> None:
    outcome = search(knight_graph(100), 0, strategy("warnsdorff", 100, 100))
    assert (outcome.status, outcome.calls, outcome.backtracks) == (Status.FOUND, 10_000, 0)
    assert validate(Board(100, 100), outcome.path).valid


@pytest.mark.parametrize(("size", "start"), [(30, 0), (20, 21)])
def test_the_stable_order_drowns_in_backtracking_elsewhere(size: int, start: int) -> None:
    outcome = knight_tour_better(knight_graph(size), start, budget=Budget(calls=50_000))
    assert (outcome.status, outcome.ending) == (Status.UNKNOWN, Ending.OUT_OF_CALLS)
