"""What is compared and what it comes to: settings, the file of runs, statistics."""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.compare import Log, Record, Run, RunStatus, Settings, read_log, settings_of
from kt_cp.compare.environment import machine, versions
from kt_cp.compare.findings import list_findings, notes
from kt_cp.compare.log_file import continued_log, new_log
from kt_cp.compare.results import Results
from kt_cp.compare.tables import all_tables, table_lines
from kt_cp.messages import InputError
from kt_dfs import strategy
from tests.helpers.command import kt

FOREIGN = Record(Run("greedy", "5x5", "open", 0, 0, 0), 25, RunStatus.FOUND, 1.0, 1.0)
SMALL = settings_of(boards="5x5", methods="dfs,warnsdorff", starts="0")


def test_every_method_meets_every_instance_exactly_once() -> None:
    boards = {"3x4": Board(3, 4), "ring": Board(3, 3, holes=[4])}
    settings = settings_of(boards=boards, methods="dfs,greedy", starts="all,0", repeat=2)
    runs = list(settings.runs())
    assert len(runs) == len(set(runs)) == (12 + 8) * 2 * 2 * 2
    instances = [{run[1:] for run in runs if run.method == each} for each in settings.methods]
    assert instances[0] == instances[1]


def test_the_order_of_runs_is_shuffled_by_the_seed_and_by_nothing_else() -> None:
    def order(seed: int) -> list[Run]:
        settings = settings_of(boards="5x5..8x8", starts="0", seed=seed)
        return [run._replace(seed=0) for run in settings.runs()]

    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


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
        ({"methods": ()}, "methods: give at least one"),
        ({"boards": {}}, "boards: give at least one"),
        ({"kinds": ("half",)}, "kind 'half': give open, closed or both"),
        ({"starts": ("h8",)}, "on 5x5: start: square 'h8' is off the board"),
        ({"starts": ("corners",)}, "on 5x5: start: 'corners' is not a square"),
        ({"piece": "pawn"}, "piece 'pawn': give a name"),
        ({"topology": "sphere"}, "topology 'sphere': give one of flat"),
        ({"repeat": "3"}, "repeat '3': give at least 1"),
        ({"repeat": 0}, "repeat 0: give at least 1"),
        ({"seed": -1}, "seed -1: give 0 to 2147483647"),
        ({"seed": 2**31 - 1, "repeat": 2}, "seed 2147483647: give 0 to 2147483646"),
        ({"time_limit": 0.0}, "time limit 0: give a number of seconds above 0"),
        ({"memory_limit": 0.5}, "memory limit 0.5: give at least 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        settings_of(**{"boards": "5x5", **values})  # type: ignore[arg-type]


# The file


def write_log(path: Path) -> list[Record]:
    made = [Record(run, 25, RunStatus.FOUND, 0.5, 0.1, versions=versions()) for run in SMALL.runs()]
    with new_log(path, SMALL) as (_, keep):
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
NUMBERS = ("-1", "NaN", "Infinity", "1e999", "true", '"1"', "null")


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


def test_a_log_tells_its_day_and_older_ones_need_not(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    write_log(path)
    assert read_log(path).date is not None
    header, *records = path.read_text().splitlines(keepends=True)
    path.write_text("".join([re.sub(', "date": "[^"]*"', "", header), *records]))
    assert read_log(path).date is None
    path.write_text("".join([header.replace('"date": "', '"date": "x'), *records]))
    with pytest.raises(InputError, match="line 1: not the settings of a comparison"):
        read_log(path)


@pytest.mark.parametrize("cut", [1, 2, 40, 150])
def test_a_torn_last_line_is_dropped_and_the_rest_stays(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "runs.jsonl"
    records = write_log(path)
    whole = path.read_bytes()
    expected = Log(SMALL, versions(), machine(), tuple(records), size=len(whole))
    assert replace(read_log(path), date=None) == expected
    path.write_bytes(path.read_bytes()[:-cut])
    log = read_log(path)
    assert (list(log.records), log.last_line_torn, log.missing) == (records[:-1], True, 1)
    with continued_log(path) as (_, keep):
        keep(records[-1])
    assert list(read_log(path).records) == records


def test_a_comparison_beyond_reason_is_refused_before_memory_is_spent() -> None:
    with pytest.raises(InputError, match="800,000,000 runs: more than 1,000,000 are refused"):
        settings_of(boards="10000x10000", starts="all")
    assert settings_of(boards="10000x10000", starts="0")


def test_control_characters_in_names_and_reasons_are_escaped(tmp_path: Path) -> None:
    nasty = "\x1b[2Jred\x07"
    settings = settings_of(boards={nasty: Board(5, 5)}, methods=("dfs",), kinds=("open",))
    path = tmp_path / "runs.jsonl"
    with new_log(path, settings) as (_, keep):
        run = next(settings.runs())
        reason = "terminal \x9b31m"
        keep(Record(run, 25, RunStatus.ERROR, 0.5, 0.1, reason=reason, versions=versions()))
    shown = kt("report", path).stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)
    assert r"\x1b[2Jred" in shown
    assert r"terminal \x9b31m" in shown


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=3,
)


@settings(deadline=None)
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
        results = Results.of(log)
        tables = [table_lines(table, 80) for table in all_tables(results)]
        shown = [*notes(results), *list_findings(results), *tables, log.to_csv()]
        message = f"{path}: line {len(shown)}: all can be shown"
    assert message.startswith(f"{path}: line ")


def test_versions_are_not_mixed_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    records = write_log(path)
    path.write_text(path.read_text("utf-8").replace(versions()["ortools"], "8.0", 1))
    message = r"made with ortools 8\.0, and 9\.\S+ is installed"
    with pytest.raises(InputError, match=message), continued_log(path):
        pass
    with new_log(tmp_path / "new.jsonl", SMALL) as (_, keep):
        foreign = {**records[0].as_dict(), "versions": {**versions(), "ortools": "8.0"}}
        with pytest.raises(InputError, match=r"a worker has 8\.0"):
            keep(Record.from_dict(foreign))


def test_a_log_is_begun_once_and_written_by_one_comparison_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    message = "another comparison is writing"
    with new_log(path, SMALL), pytest.raises(InputError, match=message), continued_log(path):
        pass
    with continued_log(path) as (log, _):
        assert log.missing == 4
    before, message = path.read_bytes(), "exists already; resume that comparison"
    with pytest.raises(InputError, match=message), new_log(path, SMALL):
        pass
    assert path.read_bytes() == before


def test_the_command_that_repeats_a_comparison_names_all_settings() -> None:
    settings = settings_of(
        boards="5x5..8x8", methods="circuit,dfs,warnsdorff", starts="a1", repeat=2, seed=3,
        time_limit=0.5, memory_limit=900,
    )  # fmt: skip
    assert " ".join(settings.command() or ()) == (
        "kt compare --boards=5x5,6x6,7x7,8x8 --methods=circuit,dfs,warnsdorff --kinds=open,closed"
        " --starts=a1 --repeat=2 --seed=3 --time-limit=0.5 --memory-limit=900"
    )


def test_the_command_names_the_piece_that_all_boards_have_and_files_that_exist(
    tmp_path: Path,
) -> None:
    file = tmp_path / "ring & co.txt"
    file.write_text("...\n.#.\n...\n")
    boards = ["5X6", "random:4x4:holes=2", str(file)]
    settings = settings_of(boards=boards, piece="zebra", methods="dfs")
    words = settings.command()
    assert words is not None
    assert f"--boards=5X6,random:4x4:holes=2:seed=0,{file}" in words
    assert "--piece=zebra" in words
    file.unlink()
    assert settings.command() is None


@pytest.mark.parametrize(
    "boards",
    [
        [Board(4, 4, holes=[5])],
        {"5x5": Board(5, 5, holes=[5])},
        {"random:5x5:holes=1": Board(3, 4)},
        {"random:5x5:gaps=1": Board(5, 5)},
        {"5x5": Board(5, 5), "6x6": Board(6, 6, piece="zebra")},
        {"-": Board(3, 4)},
        {"5x5..6x6": Board(5, 5)},
        {"5x5,6x6": Board(5, 5)},
    ],
)
def test_no_command_repeats_a_comparison_of_boards_that_it_cannot_name(boards: Any) -> None:
    assert settings_of(boards=boards, methods="dfs").command() is None


def test_no_command_repeats_a_comparison_of_custom_methods() -> None:
    assert settings_of(boards="5x5", methods={"mine": strategy("dfs", 5, 5)}).command() is None


def test_boards_of_any_kind_survive_the_file() -> None:
    odd = Board(5, 7, holes=[3, 11], piece="zebra", topology="torus")
    boards = {"8x8": Board(8, 8), "odd": odd}
    settings = settings_of(boards=boards, memory_limit=500, starts="all,a1")
    assert Settings.from_dict(json.loads(json.dumps(settings.as_dict()))) == settings


def test_a_data_frame_without_pandas_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="data frames need pandas: pip install pandas"):
        Log(SMALL, {}, "abacus", (FOREIGN,)).to_frame()
