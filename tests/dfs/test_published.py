"""The programs of the exercise, and what is published about them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator

import pytest

from kt_cp import validate
from kt_cp.board import Board
from kt_dfs import (
    Budget,
    Ending,
    Status,
    knight_graph,
    knight_tour,
    knight_tour_better,
    search,
    strategy,
)
from kt_dfs.__main__ import main
from tests.published import articles
from tests.published import tours as published
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
    function, method = {
        "tour": (knight_tour, "dfs"),
        "better": (knight_tour_better, "warnsdorff"),
    }[order.program]
    graph = knight_graph(order.size)
    named = strategy(method, order.size, order.size)
    assert function(graph, order.start).path == order.ids
    assert search(graph, order.start, named).path == order.ids


def test_the_ordered_search_needs_no_backtracking_on_100x100_from_the_corner() -> None:
    outcome = search(knight_graph(100), 0, strategy("warnsdorff", 100, 100))
    assert (outcome.status, outcome.calls, outcome.backtracks) == (Status.FOUND, 10_000, 0)
    assert validate(Board(100, 100), outcome.path).valid


@pytest.mark.parametrize(("size", "start"), [(30, 0), (20, 21)])
def test_the_stable_order_drowns_in_backtracking_elsewhere(size: int, start: int) -> None:
    outcome = knight_tour_better(knight_graph(size), start, budget=Budget(calls=50_000))
    assert (outcome.status, outcome.ending) == (Status.UNKNOWN, Ending.OUT_OF_CALLS)


FIGURE = ",".join(" ".join(edge) for edge in published.FIGURE_EDGES)

Run = Callable[[str | bytes, str], tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a program on a text: exit code, output, and errors."""

    def run_program(text: str | bytes, arguments: str) -> tuple[int, str, str]:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "argv", ["kt_dfs", *arguments.split()])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return main(), *capsys.readouterr()

    return run_program


@pytest.mark.parametrize(
    ("program", "text", "order"),
    [
        ("tour", "1 0", (0,)),
        ("dfs", "Rome Oslo,Rome Bern,Oslo Rome,Lima Bern", ("Rome", "Oslo", "Bern", "Lima")),
    ],
)
def test_a_program_prints_one_id_or_name_per_line(
    program: str, text: str, order: tuple[object, ...], run: Run
) -> None:
    assert run(text, program) == (0, "".join(f"{each}\n" for each in order), "")


def test_the_figure_is_reproduced_with_its_times_colors_and_kinds_of_edges(run: Run) -> None:
    assert run(FIGURE, "dfs --times") == (
        0,
        "vertex  discovered, gray  finished, black  edges\n"
        "A                      1               12  B tree, D forward\n"
        "B                      2               11  C tree, D tree\n"
        "C                      3                4\n"
        "D                      5               10  E tree\n"
        "E                      6                9  B back, F tree\n"
        "F                      7                8  C cross\n",
        "",
    )


def test_a_board_without_a_tour_is_said_to_have_none_and_help_is_no_error(run: Run) -> None:
    error = "kt_dfs: the 4x4 board has no open tour that starts at 5\n"
    assert run("4 5", "tour") == (1, "", error)
    code, output, _ = run("", "--help")
    assert code == 0
    assert "python -m kt_dfs tour|better|dfs [--times]" in output


@pytest.mark.parametrize(
    ("program", "text", "says"),
    [
        ("tour", "", "two numbers, not 0"),
        ("tour", "5 -1", "'-1' is not a number"),
        ("tour", "٥ 4", "is not a number"),
        ("tour", "0 0", "must be from 1 to 300"),
        ("better", "5 25", "squares are 0 to 24"),
        ("dfs", "", "the vertex count"),
        ("dfs", "5,0 1,2", "edge 2, '2': give two ends, 'from to', not 1"),
        ("dfs", "5,0 5", "edge 1, '0 5': with 5 vertices they are numbered from 0 to 4"),
        ("dfs", "x,0 1", "'x' is not a number"),
        ("dfs", "999999999", "at most"),
        ("dfs", "A B,B C D", "edge 2, 'B C D': give two ends, 'from to', not 3"),
        ("dfs", "A \033[31mB", "names are made of printable characters"),
        ("tour", b"5 \xff\xfe", "is not a number"),
        ("path", "5 4", "usage: "),
    ],
)
def test_input_that_makes_no_sense_gets_one_line_and_exit_code_2(
    program: str, text: str | bytes, says: str, run: Run
) -> None:
    code, output, error = run(text, program)
    assert (code, output) == (2, "")
    assert error.startswith("kt_dfs: ")
    assert says in error
    assert error.count("\n") == 1
