"""What is compared and what it comes to: settings, the file of runs, statistics."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp.board.board import Board
from kt_cp.compare import Log, Record, Run, RunStatus, read_log, settings_of
from kt_cp.compare.log import machine, open_log, versions
from kt_cp.compare.report import text_lines
from kt_cp.compare.results import Results
from kt_cp.compare.settings import named_boards
from kt_cp.messages import InputError

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
    expected = Log(SMALL, versions(), machine(), tuple(records), size=len(whole))
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
