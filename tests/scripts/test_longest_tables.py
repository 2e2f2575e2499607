"""The published tables of longest uncrossed and induced tours, recomputed and proven."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from scripts import longest_tables
from scripts.bench_segments import search
from scripts.longest_tables import DOCUMENT, TABLES, Row, Table, run, tables, wanted

SMALL = {"1x1", "2x2", "3x3", "3x4", "3x5", "3x6", "4x4", "4x5", "5x5"}
LARGER = {"3x7", "3x8", "3x9", "4x6", "4x7", "5x6", "6x6"}


def boards(names: set[str]) -> list[tuple[Table, str]]:
    return [(each, board) for each in TABLES for board in each.values if board in names]


@pytest.mark.parametrize(("published", "board"), boards(SMALL), ids=str)
def test_small_boards_have_the_published_value_proven(published: Table, board: str) -> None:
    row = run(published, board, limit=60, workers=1)
    assert (row.value, row.is_proven) == (published.values[board], True)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("published", "board"), boards(LARGER), ids=str)
def test_larger_boards_have_the_published_value_proven(published: Table, board: str) -> None:
    row = run(published, board, limit=600, workers=1)
    assert (row.value, row.is_proven) == (published.values[board], True)


ROW = Row("A157416", "8x8", 30, 34, 60.0, 2, processor_seconds=9.5, seconds=60.1)


def test_a_row_is_tried_again_only_with_a_higher_limit_and_until_it_is_proven() -> None:
    def is_wanted(row: Row, limit: float) -> bool:
        return ("A157416", "8x8") in {(each.name, board) for each, board in wanted([row], limit)}

    assert not is_wanted(ROW, 60.0)
    assert is_wanted(ROW, 61.0)
    assert not is_wanted(replace(ROW, value=32, bound=32), 1000.0)


def test_the_table_has_the_best_row_of_each_board() -> None:
    better = replace(ROW, value=32, bound=33)
    lines = list(tables([ROW, better]))
    assert lines[1] == "<summary>A157416, longest uncrossed cycles: 0 of 1 proven</summary>"
    assert lines[-4] == "| 8\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}8 | 32 | 32 | 33 | 9.50 |"


def test_a_run_that_finds_nothing_has_the_value_0_and_the_bound_of_all_squares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = SimpleNamespace(objective=None)
    monkeypatch.setattr(longest_tables, "longest_path", lambda *_, **__: nothing)
    [paths, *_] = TABLES
    row = run(paths, "8x8", limit=0.001, workers=1)
    assert (row.value, row.bound, row.is_proven) == (0, 63, False)


def test_a_board_that_is_not_in_the_tables_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["longest_tables.py", "--only", "99x99"])
    with pytest.raises(SystemExit, match="2"):
        longest_tables.main()
    assert "invalid choice: '99x99'" in capsys.readouterr().err


def test_the_document_has_the_sections_that_the_scripts_write() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert "<!-- begin longest_tables -->" in document
    assert "<!-- begin bench_segments -->" in document


def test_segments_alone_find_the_published_cycle_of_a_small_board() -> None:
    [cycles] = [each for each in TABLES if each.name == "A157416"]
    assert search(cycles, "5x5", seed=0, limit=60.0).value == 8
