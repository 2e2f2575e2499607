"""What is compared and what it comes to: settings, the log, statistics, plots and a page."""

import csv
import html
import io
import json
import math
import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp.board import Board
from kt_cp.compare import Log, Record, Run, RunStatus, Settings, read_log, settings_of
from kt_cp.compare.log import machine, open_log, versions
from kt_cp.compare.report import all_plots, page_html, render, text_lines, write_plots
from kt_cp.compare.results import Results, quartiles
from kt_cp.compare.settings import named_boards
from kt_cp.messages import InputError
from tests.helpers.pages import Opener

NASTY = "<script>$x_y & co.txt"
METHODS = ("circuit", "dfs", "auto")


def made_up(run: Run) -> Record:
    """Return an invented record of a run; over many runs every status occurs."""
    number = zlib.crc32(repr(run).encode()) % 7
    status = list(RunStatus)[number % 5]
    unit = {"circuit": "branches", "auto": "nothing"}.get(run.method, "calls")
    return Record(
        run,
        15 if run.board == NASTY else 25,
        status,
        seconds=10.0**-number,
        cpu_seconds=10.0**-number,
        startup=0.3,
        timed_out=status is RunStatus.UNKNOWN,
        validated=status is RunStatus.FOUND or None,
        reason="<b>why</b>",
        counters={unit: float(10**number - 1)},
    )


def made_up_log(settings: Settings) -> Log:
    """Return a log with an invented record of every run."""
    return Log(settings, {"ortools": "9"}, "abacus", tuple(map(made_up, settings.runs())))


def nasty_log(*kinds: str) -> Log:
    """Return an invented log of a board whose name is markup."""
    boards = {NASTY: Board(4, 4, holes=[5])}
    settings = settings_of(boards=boards, methods=METHODS, starts="a1,b1,c1,0", repeat=2)
    return made_up_log(replace(settings, kinds=kinds))


FOREIGN = Record(Run("greedy", "5x5", "open", 0, 0, 0), 25, RunStatus.FOUND, 1.0, 1.0)
SMALL = settings_of(boards="5x5", methods="dfs,warnsdorff", starts="0")


# The file


def write_log(path: Path) -> list[Record]:
    made = [Record(run, 25, RunStatus.FOUND, 0.5, 0.1, versions=versions()) for run in SMALL.runs()]
    with open_log(path, SMALL) as (_, keep):
        for record in made:
            keep(record)
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A log of all runs."""
    write_log(tmp_path / "runs.jsonl")
    return tmp_path / "runs.jsonl"


def replaced(before: str, after: str) -> Callable[[bytes], bytes]:
    return lambda log: log.replace(before.encode(), after.encode(), 1)


def inserted(line: bytes) -> Callable[[bytes], bytes]:
    return lambda log: log.replace(b"\n", b"\n" + line + b"\n", 1)


NO_SETTINGS = "line 1: not the settings of a comparison"
NO_RECORD = "line 2 is not the record of a run"
NUMBERS = ("-1", "Infinity", "true", '"1"')


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        *((inserted(line), NO_RECORD) for line in (b"\xff", b"[" * 200_000, b"[]", b"{}")),
        *((replaced('"seconds": 0.5', f'"seconds": {each}'), NO_RECORD) for each in NUMBERS),
        *((replaced('"squares": 25', f'"squares": {each}'), NO_RECORD) for each in NUMBERS),
        (inserted(json.dumps(FOREIGN.as_dict()).encode()), "is not a run of the settings"),
        (lambda log: log + log.splitlines(keepends=True)[1], r"line 6: .*, or is there twice"),
        (replaced('"rows": 5', '"rows": 6'), "line 2: .* is not a run of the settings in line 1"),
        (replaced('"repeat": 1', '"repeat": 1000000000'), "line 1: 4,000,000,000 runs: more than"),
        (
            replaced('"kt-compare": 4', '"kt-compare": 99'),
            "line 1: it was written by another version",
        ),
        *((lambda _, line=line: line, NO_SETTINGS) for line in (b"[" * 200_000 + b"\n", b"5 4\n")),
        (lambda _: b'{"kt-compare": 4}\n', NO_SETTINGS),
        (lambda log: log[:40], NO_SETTINGS),
        (lambda _: b"", NO_SETTINGS),
    ],
)
def test_a_damaged_log_is_refused_with_the_line(
    path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=message):
        read_log(path)


@pytest.mark.parametrize("cut", [1, 2, 40, 150])
def test_a_torn_last_line_is_dropped_and_the_rest_stays(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "runs.jsonl"
    records = write_log(path)
    whole = path.read_bytes()
    expected = Log(SMALL, versions(), machine(), tuple(records), complete_bytes=len(whole))
    assert replace(read_log(path), date=None) == expected
    path.write_bytes(path.read_bytes()[:-cut])
    log = read_log(path)
    assert (list(log.records), log.last_line_torn, log.missing) == (records[:-1], True, 1)
    with open_log(path) as (_, keep):
        keep(records[-1])
    assert list(read_log(path).records) == records


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=3,
)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2), st.integers(0, 99), JSON)
def test_a_file_with_any_value_changed_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    number: int,
    place: int,
    value: object,
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "runs.jsonl"
    write_log(path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    changed = lines[number] if number else lines[0]["settings"]
    changed[sorted(changed)[place % len(changed)]] = value
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    try:
        log = read_log(path)
    except InputError as error:
        message = str(error)
    else:
        shown = [*text_lines(Results(log), 80), log.to_csv()]
        message = f"{path}: line {len(shown)}: all can be shown"
    assert message.startswith(f"{path}: line ")


def test_versions_are_not_mixed_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    records = write_log(path)
    path.write_text(path.read_text("utf-8").replace(versions()["ortools"], "8.0", 1))
    message = r"made with ortools 8\.0, not 9\."
    with pytest.raises(InputError, match=message), open_log(path):
        pass
    with open_log(tmp_path / "new.jsonl", SMALL) as (_, keep):
        foreign = {**records[0].as_dict(), "versions": {**versions(), "ortools": "8.0"}}
        with pytest.raises(InputError, match=r"not 8\.0"):
            keep(Record.from_dict(foreign))


def test_a_log_is_begun_once_and_written_by_one_comparison_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    message = "another comparison is writing"
    with open_log(path, SMALL), pytest.raises(InputError, match=message), open_log(path):
        pass
    with open_log(path) as (log, _):
        assert log.missing == 4
    before, message = path.read_bytes(), "exists already; resume that comparison"
    with pytest.raises(InputError, match=message), open_log(path, SMALL):
        pass
    assert path.read_bytes() == before


# Settings: boards and methods as they are typed


def test_every_method_meets_every_instance_exactly_once() -> None:
    boards = {"3x4": Board(3, 4), "ring": Board(3, 3, holes=[4])}
    settings = settings_of(boards=boards, methods="dfs,greedy", starts="all,0", repeat=2)
    runs = list(settings.runs())
    assert len(runs) == len(set(runs)) == (12 + 8) * 2 * 2 * 2
    instances = [{run[1:] for run in runs if run.method == each} for each in settings.methods]
    assert instances[0] == instances[1]


def test_settings_are_read_as_they_are_typed() -> None:
    twice = settings_of(methods=("dfs", "circuit", "dfs"), kinds=("open", "open"))
    assert twice == settings_of(methods=("dfs", "circuit"), kinds=("open",))
    repeated = settings_of(repeat=3, seed=7)
    assert {(run.repetition, run.seed) for run in repeated.runs()} == {(0, 7), (1, 8), (2, 9)}
    ring = settings_of(boards={"ring": Board(3, 3, holes=[0, 4])}, starts=("any", "b3", "a1", "6"))
    assert ring.start_squares("ring") == [None, 1, 6]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"methods": ("magic",)}, "method 'magic': give one of auto, "),
        ({"boards": {}}, "boards: give at least one"),
        ({"kinds": ("half",)}, "kind 'half': give open, closed or both"),
        ({"starts": ("h8",)}, "on 5x5: start: square 'h8' is off the board"),
        ({"repeat": "3"}, "repeat '3': give at least 1"),
        ({"seed": 2**31 - 1, "repeat": 2}, "seed 2147483647: give 0 to 2147483646"),
        ({"time_limit": 0.0}, "time limit 0: give a number of seconds above 0"),
        ({"memory_limit": 0.5}, "memory limit 0.5: give at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        settings_of(**{"boards": "5x5", **values})  # type: ignore[arg-type]


def test_a_comparison_beyond_reason_is_refused_before_memory_is_spent() -> None:
    with pytest.raises(InputError, match="800,000,000 runs: more than 1,000,000 are refused"):
        settings_of(boards="10000x10000", starts="all")
    assert settings_of(boards="10000x10000", starts="0")


@pytest.mark.parametrize(
    ("starts", "count"), [("a1,b1", 2), ("any,a1", 2), ("any,all", 17), ("a4,0", 1), ("all,a1", 16)]
)
def test_the_limit_of_runs_counts_each_start_once(starts: str, count: int) -> None:
    repeated = partial(settings_of, boards="4x4", starts=starts, methods="dfs", kinds="open")
    repeat = 1_000_000 // count
    assert repeated(repeat=repeat)
    with pytest.raises(InputError, match="runs: more than 1,000,000 are refused"):
        repeated(repeat=repeat + 1)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["4x6..6x8"], ["4x6", "5x7", "6x8"]),
        (["3x4..3x6"], ["3x4", "3x5", "3x6"]),
        (
            ["random:5x5:seed=7:holes=3:count=2"],
            ["random:5x5:holes=3:seed=7", "random:5x5:holes=3:seed=8"],
        ),
    ],
)
def test_words_stand_for_boards_each_once(words: list[str], names: list[str]) -> None:
    assert list(named_boards(words)) == names
    assert named_boards(names) == named_boards(words)
    assert len(set(named_boards(words).values())) == len(names)


def test_maps_come_from_files_folders_patterns_and_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maps = {"b.txt": "..#\n...", "a.txt": "....", "c.map": "..\n.#", ".hidden": "?"}
    for name, text in maps.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    assert named_boards(["b.txt"]) == {"b.txt": Board(2, 3, [2])}
    assert list(named_boards(["*.txt"])) == ["a.txt", "b.txt"]
    assert list(named_boards([str(tmp_path)])) == [
        str(tmp_path / name) for name in ("a.txt", "b.txt", "c.map")
    ]
    assert list(named_boards(["."])) == ["a.txt", "b.txt", "c.map"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b".#")))
    assert named_boards(["-"]) == {"-": Board(1, 2, [1])}
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input: it is closed"):
        named_boards(["-"])


def test_piece_and_topology_are_those_of_every_board_or_of_the_map(tmp_path: Path) -> None:
    for board in named_boards(["4x4", "random:5x5:holes=2"], "zebra", "torus").values():
        assert (board.piece.name, board.topology) == ("zebra", "torus")
    assert settings_of(piece="camel").boards["5x5"] == Board(5, 5, piece="camel")
    file = tmp_path / "map.txt"
    file.write_text("...\n...\n; piece: wazir\n")
    settings = settings_of(boards=f"3x3,{file}")
    assert [board.piece.name for board in settings.boards.values()] == ["knight", "wazir"]
    with pytest.raises(InputError, match="piece knight: the map says wazir"):
        settings_of(boards=str(file), piece="knight")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("8x8..5x5", "the sides that differ must grow alike"),
        ("random:8x8:holes=64", "8x8 has room for 63 holes"),
        ("random:8x8:hole=6", "give random:8x8:holes=6:count=20:seed=1"),
        ("*.nothing", "there is no such file; give maps or sizes such as 8x8"),
        ("nowhere.txt", "nowhere.txt: No such file or directory; give a size such as 8x8 or"),
        ("bad.txt", "bad.txt: line 1, column 2: '!' is not '.'"),
        ("closed.txt", "closed.txt: the map has a constraint, kind; leave out its line"),
        ("steps.txt", "steps.txt: row 1, column 1: 1 is a step number; a board has only"),
    ],
)
def test_what_is_no_board_is_refused(
    word: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.txt").write_text(".!.")
    (tmp_path / "closed.txt").write_text("...\n; kind: closed\n")
    (tmp_path / "steps.txt").write_text("1 . .\n")
    with pytest.raises(InputError) as error:
        named_boards([word])
    assert message in str(error.value)


# What the runs come to: findings, tables, plots and a page


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
