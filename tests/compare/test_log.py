"""What is compared and what it comes to: settings, the file of runs, statistics."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kt_cp.compare import Log, Record, Run, RunStatus, read_log, settings_of
from kt_cp.compare.log import machine, open_log, versions
from kt_cp.compare.report import text_lines
from kt_cp.compare.results import Results
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


@settings(deadline=None, max_examples=40)
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
