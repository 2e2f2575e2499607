"""``kt compare`` and ``kt report`` as a user runs them, and killed at any moment."""

import csv
import itertools
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import pytest

from kt_cp.compare import RunStatus, read_log
from kt_cp.methods.table import METHODS
from tests.helpers.command import ROOT, kt, on_a_terminal

QUICK = ("--boards", "3x4", "--methods", "dfs,warnsdorff,greedy", "--starts", "a1,c3")
ENDLESS = ("--boards", "8x8", "--methods", "dfs", "--time-limit", "100", "--jobs", "2")
ANSWERS = ("found", "impossible")
KEY = ("method", "board", "kind", "start", "seed", "repetition")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


def check_lines(lines: list[dict[str, Any]]) -> None:
    """See that every tour is validated, and that what is not solved reached the limit."""
    for line in lines:
        assert line["validated"] is (True if line["status"] == "found" else None)
        assert line["status"] in ANSWERS or line["timed_out"]


def answers(path: Path) -> Counter[tuple[Any, ...]]:
    return Counter((*(line[name] for name in KEY), line["status"]) for line in lines_of(path))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A small comparison: its log and what a report of it prints."""
    path = tmp_path_factory.mktemp("small") / "runs.jsonl"
    done = kt("compare", "--boards", "3x4,5x5", "--methods", "circuit,dfs,warnsdorff",
              "--time-limit", "0.3", "--out", path)  # fmt: skip
    assert done.returncode == 0
    *runs, last = done.stderr.splitlines()
    assert len(runs) == 12
    assert last == f"kt: wrote {path}"
    report = kt("report", path).stdout
    table, main, *_ = done.stdout.split("\n\n")
    assert len(table.splitlines()) == 2 + 4  # the heads, and a row for each board and kind
    assert set(done.stdout.splitlines()) <= set(report.splitlines())
    assert main.startswith("circuit (4 of 4 runs) answered most.\n")
    return path, report


def test_what_is_printed_can_be_recomputed_from_the_lines(small: tuple[Path, str]) -> None:
    path, printed = small
    lines, limit = lines_of(path), 0.3
    assert len(lines) == 12
    check_lines(lines)
    assert "\nEvery tour found passed the validator.\n" in printed
    by_method = printed[printed.index("Answers by method") : printed.index("Seconds and effort")]
    rows = re.findall(r"(circuit|dfs|warnsdorff) +(.*\S)", by_method)
    methods = itertools.product(("open", "closed"), ("circuit", "dfs", "warnsdorff"))
    for (kind, method), (name, cells) in zip(methods, rows, strict=True):
        runs = [line for line in lines if (line["kind"], line["method"]) == (kind, method)]
        found, none, unsolved = (
            sum(run["status"] == status for run in runs) for status in (*ANSWERS, "unknown")
        )
        times = [2 * limit if run["status"] == "unknown" else run["seconds"] for run in runs]
        counts = f"{found + none}/{len(runs)} {found} {none} {unsolved}"
        par2 = statistics.fmean(times)
        assert (name, " ".join(cells.replace("limit", "").split())) == (
            method,
            f"{par2:.3g} {counts}",
        )


def test_a_report_gives_the_same_tables_a_page_and_a_spreadsheet(
    small: tuple[Path, str], tmp_path: Path
) -> None:
    import pandas

    path, printed = small
    page, table = tmp_path / "report.html", tmp_path / "runs.csv"
    done = kt("report", path, "--html", page, "--csv", table)
    assert (done.returncode, done.stdout) == (0, printed)
    assert done.stderr == f"kt: wrote {table}\nkt: wrote {page}\n"
    text = page.read_text("utf-8")
    assert text.count("<img ") == 2
    assert re.search(r">5x5</td><td [^>]*>found</td><td [^>]*>\d", text)
    typed = "kt compare --boards 3x4,5x5 --methods circuit,dfs,warnsdorff --time-limit 0.3"
    assert f">{typed}</pre>" in text
    rows = list(csv.DictReader(table.open()))
    assert [row["method"] for row in rows] == [line["method"] for line in lines_of(path)]
    frame = read_log(path).to_frame()
    assert len(frame) == 12
    assert frame.groupby("method").seconds.max()["dfs"] >= 0.3
    columns = ["method", "status", "cpu_seconds", "calls"]
    pandas.testing.assert_frame_equal(pandas.read_csv(table)[columns], frame[columns])


def test_a_page_is_made_without_matplotlib(
    small: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = tmp_path / "page.html"
    assert kt("report", small[0], "--html", page).returncode == 0
    text = page.read_text("utf-8")
    assert text.count("<details open>") == 3
    assert "The plots need matplotlib: pip install 'knights-tours[plot]'" in text
    assert "<img " not in text


def test_names_and_reasons_may_hold_what_is_no_text_or_breaks_lines(tmp_path: Path) -> None:
    board, method = tmp_path / "\udcff.txt", tmp_path / "mine.py"
    board.write_text("....\n....\n....\n")
    method.write_text('def order(graph, path):\n    raise RuntimeError("a\\u2028b\\ud800")\n')
    log, page, table = (tmp_path / name for name in ("runs.jsonl", "page.html", "runs.csv"))
    done = kt("compare", "--boards", board, "--methods", f"{method}:order", "--kinds", "open",
              "--out", log, "--html", page)  # fmt: skip
    assert done.returncode == 0
    assert kt("report", log, "--csv", table).returncode == 0
    (row,) = csv.DictReader(table.read_text("utf-8").split("\n"))
    assert row["reason"].endswith("RuntimeError: a\u2028b\\ud800")


@pytest.mark.exhaustive
def test_a_comparison_of_all_methods_resumes(tmp_path: Path) -> None:
    path, board = tmp_path / "runs.jsonl", tmp_path / "board.txt"
    board.write_text("...\n.#.\n...\n")
    done = kt("compare", "--boards", board, "--methods", "all", "--kind", "closed",
              "--seed", "5", "--memory-limit", "2000", "--out", path)  # fmt: skip
    assert done.returncode == 0
    log = read_log(path)
    assert not log.missing
    # Tours are composed on full rectangles only; others make a tour better, or find reasons only.
    missing = {row.name for row in METHODS.values() if row.package and not find_spec(row.package)}
    wanted = dict.fromkeys(["compose", "anneal", *missing], RunStatus.UNSUPPORTED)
    wanted["refute"] = RunStatus.UNKNOWN
    for record in log.records:
        assert record.status is wanted.get(record.run.method, RunStatus.FOUND)
    assert "n/a" in done.stdout
    assert {record.run.seed for record in log.records} == {5}
    full = path.read_bytes()
    path.write_bytes(full[:-30])
    short = kt("report", path)
    assert short.stderr == f"kt: {path}: the last line is torn and was left out\n"
    assert "Still to be done: 1 run of these settings" in short.stdout
    again = kt("compare", "--resume", path)
    assert again.returncode == 0
    assert "its last line was torn, so that run was repeated" in again.stderr
    assert again.stderr.startswith(f"{len(log.records)}/{len(log.records)} ")
    assert path.read_bytes().splitlines()[:-1] == full.splitlines()[:-1]


@pytest.mark.parametrize(
    ("module", "option", "extra"),
    [("matplotlib", "--plots=x", "plot"), ("distributed", "--dask=tcp://host:1", "distributed")],
)
def test_what_an_extra_brings_is_asked_for_by_name(
    monkeypatch: pytest.MonkeyPatch, module: str, option: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = kt("compare", option)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"pip install 'knights-tours[{extra}]'\n")


# Killed


class Comparison:
    """``kt compare`` under way, as a process that can be killed."""

    def __init__(self, *arguments: str | Path) -> None:
        self.process = psutil.Popen(
            [sys.executable, "-m", "kt_cp", "compare", *map(str, arguments)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def family(self) -> list[psutil.Process]:
        """The process and all that descend from it: its children are hosts, theirs do the runs."""
        with suppress(psutil.NoSuchProcess):
            return [self.process, *self.process.children(recursive=True)]
        return []

    def runs(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            hosts = self.process.children()
            return [each for each in self.family()[1:] if each not in hosts]
        return []

    def wait_for_runs(self) -> None:
        deadline = time.monotonic() + 60
        while self.process.poll() is None and not self.runs():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def finish(self) -> int:
        _, errors = self.process.communicate(timeout=120)
        assert b"Traceback" not in errors, errors.decode()
        return int(self.process.returncode)


@pytest.mark.exhaustive
def test_killed_at_any_moments_and_resumed_no_record_is_lost_or_double(tmp_path: Path) -> None:
    undisturbed, path = tmp_path / "undisturbed.jsonl", tmp_path / "runs.jsonl"
    repeated = (*QUICK, "--repeat", "10", "--jobs", "2")
    assert kt("compare", *repeated, "--out", undisturbed).returncode == 0
    arguments: tuple[str | Path, ...] = (*repeated, "--out", path)
    kept = b""
    for _ in range(8):
        comparison = Comparison(*arguments)
        comparison.wait_for_runs()
        time.sleep(random.uniform(0, 0.15))
        processes, runs = comparison.family(), comparison.runs()
        random.shuffle(processes)
        for process in sorted(processes, key=runs.__contains__):  # killed alone, they leave records
            with suppress(psutil.NoSuchProcess):
                process.kill()
        comparison.finish()
        assert not psutil.wait_procs(processes, timeout=20)[1]
        assert path.read_bytes().startswith(kept)
        kept = path.read_bytes()
        kept = kept[: kept.rindex(b"\n") + 1]  # the rest of a torn line is written again
        arguments = ("--resume", path, "--jobs", "2")
    assert kt("compare", *arguments).returncode == 0
    assert answers(path) == answers(undisturbed)


def test_ctrl_c_keeps_what_is_written_ends_the_runs_and_exits_130(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    comparison = Comparison(*ENDLESS, "--out", path)
    comparison.wait_for_runs()
    processes = comparison.family()
    os.killpg(comparison.process.pid, signal.SIGINT)  # as a terminal does
    assert comparison.finish() == 130
    assert not psutil.wait_procs(processes, timeout=20)[1]
    assert read_log(path).missing == 2


def test_the_progress_line_says_what_is_running_and_how_many_are_done(tmp_path: Path) -> None:
    shown = on_a_terminal("compare", *QUICK, "--repeat", "6", "--out", str(tmp_path / "runs.jsonl"))
    text, _, _ = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown).partition("kt: wrote")
    assert max(map(len, re.split(r"[\r\n]+", text))) <= 80
    assert re.search(r"\b\d+/72\b", text)
