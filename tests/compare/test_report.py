"""What the runs come to: statistics, findings in sentences, tables, plots and a page."""

import csv
import html
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.compare import Log, Record, Run, RunStatus, Settings, settings_of
from kt_cp.compare.report import all_plots, page_html, render, text_lines, write_plots
from kt_cp.compare.results import Results, quartiles
from tests.helpers.logs import NASTY, made_up, made_up_log, nasty_log
from tests.helpers.pages import Opener


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
    return Results(Log(settings_of(boards=boards, methods=methods), {}, "abacus", records))


def text(results: Results, width: int = 80, colored: bool = False) -> str:
    return "\n".join(text_lines(results, width, colored=colored))


@given(st.lists(st.floats(0, 100) | st.just(math.inf), min_size=1))
def test_a_quartile_is_a_value_that_so_many_do_not_exceed(values: list[float]) -> None:
    for share, value in zip((0.25, 0.5, 0.75), quartiles(values), strict=True):
        assert value in values
        assert sum(other <= value for other in values) >= share * len(values)
        assert sum(other < value for other in values) < share * len(values)


def test_par_2_counts_what_was_not_solved_twice_and_what_is_not_supported_nowhere() -> None:
    results = results_of(
        record("dfs", 0.5),
        record("dfs", 0.5, RunStatus.IMPOSSIBLE, start=1),
        record("dfs", 1, RunStatus.UNKNOWN, start=2),
        record("dfs", 0.1, RunStatus.ERROR, start=3),
        record("dfs", 0, RunStatus.UNSUPPORTED, start=4),
    )
    score = (0.5 + 0.5 + 2 + 2) / 4
    assert re.search(rf"dfs +{score} +2/4 +1 +1 +1 gave up, 1 error, 1 n/a", text(results, 200))


@pytest.mark.parametrize(("kind", "said"), [("open", False), ("closed", True)])
def test_a_tour_and_a_proof_contradict_each_other_closed_ones_whatever_the_start(
    kind: str, said: bool
) -> None:
    proven = record("circuit", 1, RunStatus.IMPOSSIBLE, kind=kind, start=1)
    results = results_of(record("dfs", 1, kind=kind), proven)
    assert [each.split(" was")[0] for each in results.contradictions] == [
        f"CONTRADICTION: {kind} 5x5"
    ] * said
    assert "Still to be done: 4 runs" in text(results)


STARVED = record("dfs", 1.0, RunStatus.UNKNOWN, cpu=0.5)


@pytest.mark.parametrize(
    ("records", "warned"),
    [
        # By processor time another one is the fastest, by more than a tenth and by 10 ms.
        ((record("dfs", 1.5, cpu=0.85), record("circuit", 1.2, cpu=1.9)), True),
        ((record("dfs", 1.1, cpu=1.05), record("circuit", 1.08)), False),
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
    shown = results_of(*records).warnings
    assert bool(shown) is warned
    assert not warned or "the findings on open 5x5 may differ by processor time" in shown[0]


def test_the_findings_say_who_was_best_where_and_who_alone_had_an_answer() -> None:
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
    assert results.findings == [
        "circuit (3 of 4 runs) answered most.",
        "circuit was the fastest on open 4x4 and open 9x9.",
        "dfs was the fastest on open 5x5.",
        "Only circuit answered open 4x4 and open 9x9.",
    ]


@pytest.mark.parametrize("width", [40, 80, 10_000])
def test_tables_fit_the_width_and_show_every_method(width: int) -> None:
    methods = "circuit,auto,cuts,dfs,greedy,warnsdorff,lexicographic,most-available"
    records = [record(method, 123.456) for method in methods.split(",") for _ in range(2)]
    lines = text_lines(results_of(*records, methods=methods), width)
    assert width < 80 or max(map(len, lines)) <= width
    assert "".join(lines).count("123") == (1 + 1 + 3) * 8  # by method, by board, by size


def test_a_spreadsheet_runs_no_cell_of_the_table() -> None:
    names = "=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(1)", "\t=1", "3x4"
    settings = Settings(dict.fromkeys(names, Board(3, 4)), kinds=("open",), starts=("a1",))
    records = tuple(
        replace(made_up(run), reason="=1+1", counters={"=1+1": 7}) for run in settings.runs()
    )
    rows = [*csv.DictReader(Log(settings, {}, "@home", records).to_csv().splitlines())]
    assert {row["board"] for row in rows} == {"3x4", *(f"'{name}" for name in names[:-1])}
    assert {row["reason"] for row in rows} == {"'=1+1"}
    assert {row["'=1+1"] for row in rows} == {"7"}
    assert "=1+1" not in rows[0]
    assert all(float(row["seconds"]) > 0 for row in rows)  # numbers stay numbers


def test_only_several_runs_of_a_size_have_quartiles() -> None:
    for repeat in (1, 4):
        settings = settings_of(boards="5x5", methods="circuit", kinds="open", repeat=repeat)
        results = Results(made_up_log(settings))
        *_, (_, figure) = all_plots(results)
        assert ("Q1, median, Q3" in text(results)) == (repeat > 1)
        assert bool(figure.axes[0].containers) == (repeat > 1)


# Plots and the page


@pytest.mark.exhaustive
def test_the_same_records_give_the_same_plots(tmp_path: Path) -> None:
    log = made_up_log(settings_of(boards="5x5", methods="circuit,dfs", kinds="open", repeat=4))
    paths = write_plots(Results(log), tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["cactus.svg", "time.svg"]
    again = write_plots(Results(log), tmp_path / "again")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in paths]


@pytest.mark.filterwarnings("error")
def test_runs_on_boards_of_one_size_are_plotted_without_a_warning() -> None:
    runs = [record("dfs", 0.005), record("dfs", 0.005, RunStatus.IMPOSSIBLE, kind="closed")]
    for _, figure in all_plots(results_of(*(replace(run, squares=12) for run in runs))):
        assert render(figure).startswith(b"<?xml")


def test_the_name_of_a_method_is_no_formula(tmp_path: Path) -> None:
    methods = dict.fromkeys(("a$^$b", "$x$", "<i>"), "dfs")
    settings = settings_of(boards="5x5", kinds="open", methods=methods)
    results = Results(made_up_log(settings))
    assert "<i>" not in page_html(results)
    for file in write_plots(results, tmp_path):
        assert "<!-- a$^$b -->" in file.read_text("utf-8")  # a comment beside its outlines


def test_the_page_stands_alone_and_user_text_does_no_harm() -> None:
    page = page_html(Results(nasty_log("open")))
    assert "<script" not in page
    assert "default-src 'none'" in page
    links = re.findall(r'(?:src|href)="([^",]*)', page)
    assert links == ["data:image/svg+xml;base64"] * 2
    shown = html.unescape(page)
    assert f"{NASTY}: 4x4, 15 squares" in shown
    assert "failed in" in shown
    assert "<b>why</b>" in shown
    assert "ortools 9" in shown


def test_the_page_is_no_wider_than_a_phone_and_axe_finds_nothing(opened: Opener) -> None:
    from tests.helpers.screens import PHONE, has_no_violation, use_screen, use_usual_screen

    page = opened(page_html(Results(nasty_log("open"))))
    use_screen(page, PHONE, dark=True)
    assert page.execute_script("return document.documentElement.scrollWidth") == PHONE
    has_no_violation(page)
    use_usual_screen(page)
