"""The benchmarks: their tables, and settings that give the same answers."""

import numpy as np
import pytest

nx = pytest.importorskip("networkx")

from kt_cp import Board, Instance
from kt_cp.compare import Record, Run, RunStatus
from scripts import bench_shapes
from scripts.bench_ablation import SETTINGS, seconds
from scripts.bench_longest import by_bounds, by_enumeration
from scripts.bench_peers import METHODS, board_with_holes, table, where_others_win
from scripts.document import BENCHMARKS


def records(side: int, method: str, *times: float | None) -> list[Record]:
    return [
        Record(
            Run(method, f"{side}x{side}", "closed", None, seed, seed),
            side * side,
            RunStatus.UNKNOWN if time is None else RunStatus.FOUND,
            seconds=9.0,
            cpu_seconds=time or 0.0,
        )
        for seed, time in enumerate(times)
    ]


MADE_UP = [
    *(records(8, "auto", 0.2, 0.1, 0.3) + records(8, "choco", 0.04, None, 0.05)),
    *(records(16, "auto", 12.34) + records(16, "choco", None)),
]


def test_a_line_has_the_median_and_the_worst_of_each_method_and_others_may_win() -> None:
    rest = " | ".join("–" for _ in list(METHODS)[6:])
    assert list(table("closed", MADE_UP)) == [
        "| closed, n | " + " | ".join(METHODS) + " |",
        "|---" + "|--:" * len(METHODS) + "|",
        f"| 8 | 0.20 (0.30) | – | – | – | – | **0.050 (–)** | {rest} |",
        f"| 16 | **12.3 (12.3)** | – | – | – | – | – (–) | {rest} |",
    ]
    assert where_others_win("closed", MADE_UP) == "- closed: choco at 8 × 8"
    assert where_others_win("open", MADE_UP[-2:]) == "- open: none"


def test_a_method_that_is_not_run_or_has_no_answer_does_not_win() -> None:
    others = [*records(32, "choco", 0.5), *records(40, "choco", None)]
    assert where_others_win("open", others) == "- open: choco at 32 × 32"
    *_, row = table("open", others)
    assert "**" not in row
    assert where_others_win("open", records(8, "auto", 0.1)) == "- open: none"


def test_times_that_are_printed_alike_are_a_tie() -> None:
    alike = [*records(8, "auto", 0.00184), *records(8, "choco", 0.00176)]
    *_, row = table("open", alike)
    assert row.count("**0.0018 (0.0018)**") == 2
    assert where_others_win("open", alike) == "- open: none"


def test_a_size_that_is_not_planned_gets_each_shape_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_shapes, "_line", lambda tasks: f"{len(tasks)} x {tasks[0].side}")
    _, _, *rows = bench_shapes.table([70], ["disc"], ["closed"], seeds=0)
    assert rows == ["1 x 70"]


def test_a_shape_is_tidied_until_it_may_have_a_closed_tour() -> None:
    rng = np.random.default_rng(1)
    board = bench_shapes.tidy(bench_shapes.disc(20, rng), rng)
    assert board.dark(board.squares).sum() * 2 == len(board)
    assert all(len(board.neighbors(square)) >= 2 for square in board.squares.tolist())


def test_holes_keep_the_balance_of_colors_and_leave_two_neighbors() -> None:
    board = board_with_holes(12, seed=1)
    assert board.dark(board.squares).sum() * 2 == len(board) == 136
    assert all(len(board.neighbors(square)) >= 2 for square in board.squares.tolist())


def test_the_document_has_the_sections_that_scripts_write() -> None:
    text = BENCHMARKS.read_text(encoding="utf-8")
    assert text.count("<!-- begin ") == text.count("<!-- end ") >= 2


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_finds_a_tour_and_proves_that_there_is_none(setting: str) -> None:
    assert seconds(setting, Instance(Board(6, 6), closed=True), seed=0, limit=1) < 60
    if "hint" not in setting:
        assert seconds(setting, Instance(Board(4, 6), closed=True), seed=0, limit=1) < 60


def test_enumeration_has_the_longest_path_that_is_proven_and_no_bound_when_it_is_ended() -> None:
    graph = nx.gnm_random_graph(8, 10, seed=1)
    both = by_enumeration(graph, limit=60), by_bounds(graph, limit=60)
    assert both[0].vertices == both[1].vertices == both[0].bound == both[1].bound
    assert by_enumeration(graph, limit=0).bound is None
