"""What the runs come to: statistics, tables, and findings in sentences."""

import csv
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.compare import Log, Record, Run, RunStatus, Settings, settings_of
from kt_cp.compare.findings import list_findings, notes, warnings
from kt_cp.compare.report import page_html
from kt_cp.compare.results import Results, par2, quartiles
from kt_cp.compare.tables import Tone, all_tables, methods_table, table_lines
from tests.helpers.logs import made_up


def record(
    method: str,
    seconds: float,
    status: RunStatus = RunStatus.FOUND,
    *,
    board: str = "5x5",
    kind: str = "open",
    start: int | None = 0,
    cpu: float | None = None,
) -> Record:
    run = Run(method, board, kind, start, 0, 0)
    return Record(run, 25, status, seconds, seconds if cpu is None else cpu, 0.1)


def results_of(*records: Record, methods: str = "circuit,dfs,greedy") -> Results:
    boards = list(dict.fromkeys(record.run.board for record in records))
    return Results.of(Log(settings_of(boards=boards, methods=methods), {}, "abacus", records))


def test_par_2_counts_what_was_not_solved_twice() -> None:
    records = [
        record("dfs", 1.0),
        record("dfs", 2.0, RunStatus.IMPOSSIBLE),
        record("dfs", 5.0, RunStatus.UNKNOWN),
        record("dfs", 0.1, RunStatus.ERROR),
    ]
    assert par2(records, 5.0) == (1 + 2 + 10 + 10) / 4


@given(st.lists(st.floats(0, 100) | st.just(math.inf), min_size=1))
def test_a_quartile_is_a_value_that_so_many_do_not_exceed(values: list[float]) -> None:
    for share, value in zip((0.25, 0.5, 0.75), quartiles(values), strict=True):
        assert value in values
        assert sum(other <= value for other in values) >= share * len(values)
        assert sum(other < value for other in values) < share * len(values)


def test_what_a_method_does_not_support_counts_nowhere() -> None:
    records = [record("dfs", 1.0), record("dfs", 0.0, RunStatus.UNSUPPORTED, start=1)]
    lines = table_lines(methods_table(results_of(*records), "Open tours", records), 80)
    assert lines[-1].split() == ["dfs", "1", "1/1", "1", "0", "1", "n/a"]


def test_a_contradiction_is_the_first_finding_and_notes_tell_of_runs_still_to_do() -> None:
    results = results_of(record("dfs", 1), record("circuit", 1, RunStatus.IMPOSSIBLE))
    assert list_findings(results)[0].startswith(
        "CONTRADICTION: open 5x5 from 0 was solved, and proven"
    )
    text = "\n".join(notes(results))
    assert "Still to be done: 4 runs of these settings" in text
    assert warnings(results) == []


@pytest.mark.parametrize(("kind", "said"), [("open", False), ("closed", True)])
def test_closed_tours_contradict_each_other_whatever_the_start(kind: str, said: bool) -> None:
    proven = record("circuit", 1, RunStatus.IMPOSSIBLE, kind=kind, start=1)
    results = results_of(record("dfs", 1, kind=kind), proven)
    assert list_findings(results)[0].startswith(f"CONTRADICTION: {kind} 5x5 was") is said


STARVED = record("dfs", 1.0, RunStatus.UNKNOWN, cpu=0.5)


@pytest.mark.parametrize(
    ("records", "warned"),
    [
        # By processor time another one is the fastest, by more than a tenth and by 10 ms.
        ((record("dfs", 1.5, cpu=0.85), record("circuit", 1.2, cpu=1.9)), True),
        ((record("dfs", 1.1, cpu=1.05), record("circuit", 1.08)), False),
        ((record("dfs", 0.002, cpu=0.001), record("circuit", 0.0015)), False),
        # The same method is the fastest, however the seconds are counted.
        ((record("dfs", 3.0, cpu=2.0), record("circuit", 0.5, cpu=0.3)), False),
        # A busy machine kept it from an answer; but for this it gave up.
        ((replace(STARVED, timed_out=True), record("circuit", 0.1)), True),
        ((STARVED, record("circuit", 0.1)), False),
    ],
)
def test_a_busy_machine_is_warned_of_only_where_a_finding_depends_on_it(
    records: tuple[Record, ...], warned: bool
) -> None:
    shown = warnings(results_of(*records))
    assert bool(shown) is warned
    assert not warned or "the findings on open 5x5 may differ by processor time" in shown[0]


def test_what_failed_is_a_finding_with_its_reason() -> None:
    crash = replace(record("choco", 0, RunStatus.ERROR), reason="crashed (killed by SIGSEGV)")
    results = results_of(crash, record("dfs", 1), methods="choco,dfs")
    assert list_findings(results)[-1] == "choco failed in 1 run: crashed (killed by SIGSEGV)."


def test_the_summary_says_who_was_best_where_and_who_alone_had_an_answer() -> None:
    results = results_of(
        record("dfs", 0.1, board="5x5"),
        record("circuit", 0.2, board="5x5"),
        record("greedy", 0.1, RunStatus.UNKNOWN, board="5x5"),
        record("dfs", 1.0, RunStatus.UNKNOWN, board="4x4"),
        record("circuit", 0.3, RunStatus.IMPOSSIBLE, board="4x4"),
        record("dfs", 1.0, RunStatus.UNKNOWN, board="9x9"),
        record("circuit", 0.5, board="9x9"),
        record("circuit", 1.0, RunStatus.UNKNOWN, board="3x3"),
        record("greedy", 0.0, RunStatus.UNSUPPORTED, board="3x3"),
    )
    assert list_findings(results) == [
        "circuit (3 of 4 runs) answered most.",
        "circuit was the fastest on open 4x4 and open 9x9.",
        "dfs was the fastest on open 5x5.",
        "Only circuit found a tour: open 9x9.",
        "Only circuit proved that there is no tour: open 4x4.",
        "No method had an answer: open 3x3.",
    ]


def test_the_summary_names_a_few_of_many_boards() -> None:
    boards = [f"{side}x{side}" for side in range(4, 12)]
    results = results_of(
        *(record(m, s, board=b) for b in boards for m, s in (("dfs", 1), ("circuit", 2)))
    )
    assert list_findings(results) == [
        "dfs was the fastest on open 4x4, open 5x5, open 6x6 and 5 others."
    ]


@pytest.mark.parametrize("width", [80, 10_000])
def test_tables_fit_the_width_and_show_every_method(width: int) -> None:
    methods = "circuit,auto,cuts,dfs,greedy,warnsdorff,lexicographic,most-available"
    records = [record(method, 123.456) for method in methods.split(",") for _ in range(2)]
    tables = all_tables(results_of(*records, methods=methods))
    lines = [line for table in tables for line in table_lines(table, width)]
    assert max(map(len, lines)) <= width
    assert "".join(lines).count("123") == (1 + 1 + 3) * 8  # by method, by board, by size


def test_the_best_time_of_a_board_is_green_and_what_is_not_solved_red() -> None:
    records = [
        record("circuit", 2),
        record("dfs", 1),
        record("greedy", 0.5, RunStatus.UNKNOWN),
        *(record(method, 3, RunStatus.UNKNOWN, board="6x6") for method in ("circuit", "dfs")),
        record("greedy", 0, RunStatus.UNSUPPORTED, board="6x6"),
    ]
    by_method, by_board, _ = all_tables(results_of(*records))
    best, unsolved = Tone.BEST, Tone.UNSOLVED
    assert [[by_board.tones[row, column] for column in range(5)] for row in range(2)] == [
        [None, None, None, best, unsolved],
        [None, unsolved, unsolved, unsolved, None],
    ]
    assert by_method.tones == {(row, 5): unsolved for row in range(3)}


def test_colors_change_no_character_of_a_table() -> None:
    results = results_of(record("dfs", 1), record("circuit", 2, RunStatus.UNKNOWN))
    for table in all_tables(results):
        colored = table_lines(table, 80, colored=True)
        plain = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in colored]
        assert plain == table_lines(table, 80)
        assert ("\x1b[31m" in "".join(colored)) == bool(table.tones)


def test_a_spreadsheet_runs_no_cell_of_the_table() -> None:
    names = "=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(1)", "\t=1", "3x4"
    settings = Settings(dict.fromkeys(names, Board(3, 4)), kinds=("open",), starts=("a1",))
    records = tuple(replace(made_up(run), reason="=1+1") for run in settings.runs())
    rows = [*csv.DictReader(Log(settings, {}, "@home", records).to_csv().splitlines())]
    assert {row["board"] for row in rows} == {"3x4", *(f"'{name}" for name in names[:-1])}
    assert {row["reason"] for row in rows} == {"'=1+1"}
    assert all(float(row["seconds"]) > 0 for row in rows)  # numbers stay numbers


def test_a_spreadsheet_runs_no_counter_in_the_head_of_the_table() -> None:
    settings = Settings({"3x4": Board(3, 4)}, kinds=("open",), starts=("a1",))
    records = tuple(replace(made_up(run), counters={"=1+1": 7}) for run in settings.runs())
    rows = [*csv.DictReader(Log(settings, {}, "@home", records).to_csv().splitlines())]
    assert {row["'=1+1"] for row in rows} == {"7"}
    assert "=1+1" not in rows[0]


@pytest.mark.filterwarnings("error")
def test_runs_on_boards_of_one_size_are_plotted_without_a_warning() -> None:
    pytest.importorskip("matplotlib")
    from kt_cp.compare.plots import all_plots, render

    runs = [record("dfs", 0.005), record("dfs", 0.005, RunStatus.IMPOSSIBLE, kind="closed")]
    for plot in all_plots(results_of(*(replace(run, squares=12) for run in runs), methods="dfs")):
        assert render(plot.figure).startswith(b"<?xml")


def test_the_page_shows_the_warning_below_the_findings_and_the_fastest_in_bold() -> None:
    results = results_of(replace(STARVED, timed_out=True), record("circuit", 0.1))
    page = page_html(results)
    assert page.index('<ul class="findings">') < page.index('<p class="warning">')
    assert '<td class="number best">0.1</td>' in page


def test_only_several_runs_of_a_size_have_quartiles_in_the_tables_and_their_definitions() -> None:
    once = results_of(record("dfs", 0.1), record("circuit", 0.2))
    assert '"number quartile"' not in page_html(once)
    assert "<dt>Median</dt>" in page_html(once)
    twice = results_of(record("dfs", 0.1), record("dfs", 0.2))
    assert '<td class="number quartile">' in page_html(twice)
    assert "<dt>Q1, median, Q3</dt>" in page_html(twice)
