"""The table of the benchmark: medians, worst, ratios, and who was not run."""

from math import inf
from pathlib import Path

import pytest

from scripts.bench_table import WHOLE, Row, append, draw, gave_up, read_rows, tables
from scripts.peers import KINDS, OURS, Task, board_with_holes

LIMIT = 20.0


def rows(side: int, solver: str, *times: float) -> list[Row]:
    return [
        Row("closed", side, seed, solver, "1.0", "none" if time == inf else "found", time, LIMIT)
        for seed, time in enumerate(times)
    ]


@pytest.fixture
def made_up() -> list[Row]:
    small = [*rows(8, OURS, 0.2, 0.1, 0.3), *rows(8, "clingo", 0.4, 0.4, inf)]
    small += [*rows(8, "LKH", inf, inf), *rows(8, WHOLE, 1.0, 1.1, 1.2)]
    return [*small, *rows(16, OURS, 12.34), *rows(16, "clingo", 1.0)]


def test_what_is_saved_is_read(made_up: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "peers.csv"
    append(path, ["abacus, Monday", *made_up])
    append(path, ["abacus, Tuesday", *made_up[:1]])
    assert read_rows(path) == (["abacus, Monday", "abacus, Tuesday"], [*made_up, made_up[0]])


def test_a_line_has_median_and_worst_of_each_and_the_ratio_to_the_best_peer(
    made_up: list[Row],
) -> None:
    assert list(tables(["abacus"], made_up)) == [
        "abacus",
        "1.0; limit 20 s",
        "",
        f"| closed, n | {OURS} | clingo | LKH | ratio | {WHOLE} | seeds, tours |",
        "|---|---|---|---|---|---|---|",
        "| 8 | **0.20 (0.30)** | 0.40 (over 20) | over 20 | 0.50 (-) | 1.1 (1.2) | 3, 3 |",
        "| 16 | 12.3 (12.3) | **1.0 (1.0)** | - | 12.34 (12.34) | - | 1, 1 |",
    ]


def test_a_solver_gives_up_when_half_of_the_seeds_have_no_answer() -> None:
    assert gave_up([1.0, inf])
    assert not gave_up([1.0, 2.0, inf])
    assert not gave_up([inf], seeds=2)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_the_picture_names_every_solver(made_up: list[Row], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"peers.{suffix}"
    draw(made_up, path)
    assert path.stat().st_size > 1000


@pytest.mark.parametrize("kind", KINDS)
def test_all_solvers_get_the_same_boards_again(kind: str) -> None:
    one, same = Task(kind, 10, seed=3), Task(kind, 10, seed=3)
    assert (one.board, one.graph) == (same.board, same.graph)
    assert one.graph.nodes == {"closed": 100, "open": 101, "holes": 96}[kind]


def test_holes_keep_the_balance_of_colours_and_leave_two_neighbors() -> None:
    board = board_with_holes(12, seed=1)
    assert board.dark(board.squares).sum() * 2 == len(board) == 136
    assert all(len(board.neighbors(square)) >= 2 for square in board.squares.tolist())
