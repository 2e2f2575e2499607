"""``kt compare`` and ``kt report`` as a user runs them, killed at any moment, and on a cluster."""

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
from pathlib import Path
from typing import Any

import psutil
import pytest
from distributed import Client, LocalCluster

from kt_cp.board import Board
from kt_cp.compare import Progress, RunStatus, Settings, compare, read_log
from tests.helpers.command import ROOT, kt

QUICK = ("--boards", "3x4", "--methods", "dfs,warnsdorff,greedy", "--starts", "a1,c3")
ENDLESS = ("--boards", "8x8", "--methods", "dfs", "--time-limit", "100", "--jobs", "2")
KEY = ("method", "board", "kind", "start", "seed", "repetition")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def answers(path: Path) -> Counter[tuple[Any, ...]]:
    return Counter((*(line[name] for name in KEY), line["status"]) for line in lines_of(path))


@pytest.fixture(scope="module")
def default(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The default comparison: its file and what it printed."""
    path = tmp_path_factory.mktemp("default") / "runs.jsonl"
    done = kt("compare", "--out", str(path), "--jobs", "2")
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 24
    return path, done.stdout


def test_the_default_comparison_has_both_ways_and_every_tour_is_validated(
    default: tuple[Path, str],
) -> None:
    lines = lines_of(default[0])
    assert len(lines) == 24
    assert {line["method"] for line in lines} == {"circuit", "dfs", "warnsdorff"}
    for line in lines:
        assert line["validated"] is (True if line["status"] == "found" else None)
        assert line["status"] in ("found", "impossible") or line["timed_out"]
    known = {(line["board"], line["kind"]): line["status"] for line in lines
             if line["method"] == "circuit" and not line["timed_out"]}  # fmt: skip
    assert known[("5x5", "closed")] == "impossible"
    assert known[("8x8", "open")] == "found"


def test_the_figures_of_the_table_can_be_recomputed_from_the_lines(
    default: tuple[Path, str],
) -> None:
    path, table = default
    lines, limit = lines_of(path), 1.0
    best: dict[tuple[Any, ...], float] = {}
    for line in lines:
        if line["status"] != "unknown":
            instance = tuple(line[name] for name in KEY[1:])
            best[instance] = min(line["seconds"], best.get(instance, limit))
    for kind in ("open", "closed"):
        for method in ("circuit", "dfs", "warnsdorff"):
            runs = [line for line in lines if (line["kind"], line["method"]) == (kind, method)]
            solved = [line for line in runs if line["status"] != "unknown"]
            par2 = statistics.fmean([line["seconds"] for line in solved]
                                    + [2 * limit] * (len(runs) - len(solved)))  # fmt: skip
            times = [line["seconds"] for line in solved] + [float("inf")] * 4
            ratios = [time / best[tuple(line[name] for name in KEY[1:])]
                      for line in solved for time in [line["seconds"]]]  # fmt: skip
            rivals = sum((line["board"], kind) in {(key[0], key[1]) for key in best}
                         for line in runs)  # fmt: skip
            ratios += [float("inf")] * (rivals - len(solved))
            row = next(
                row.split() for row in table.splitlines() if row.split()[:2] == [kind, method]
            )
            row = [cell for cell in row if cell != "limit"]
            expected = [
                kind,
                method,
                f"{len(solved)}/{len(runs)}",
                str(sum(line["status"] == "found" for line in solved)),
                str(sum(line["status"] == "impossible" for line in solved)),
                str(len(runs) - len(solved)),
                written(par2),
                *(written(sorted(times)[place]) for place in (0, 1, 2)),
                written(statistics.median_low(ratios)),
            ]
            assert row == expected


def written(value: float) -> str:
    return "–" if value == float("inf") else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def test_a_report_gives_the_same_table_a_page_and_plots(
    default: tuple[Path, str], tmp_path: Path
) -> None:
    path, table = default
    page, figures = tmp_path / "report.html", tmp_path / "figures"
    done = kt("report", str(path), "--html", str(page), "--plots", str(figures),
              "--plot-format", "png")  # fmt: skip
    assert (done.returncode, done.stdout) == (0, table)
    assert {file.name for file in figures.iterdir()} == {
        f"{name}.png" for name in ("cactus", "profile", "time", "effort")
    }
    text = page.read_text()
    assert text.count("<svg") == 4
    for row in read_log(path).settings.boards:
        assert f"<td class=word>{row}</td>" in text
    assert "--time-limit 1" in text


def test_a_comparison_of_all_methods_resumes_and_draws(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    board = tmp_path / "board.txt"
    board.write_text("...\n.#.\n...\n")
    done = kt("compare", "--boards", str(board), "--methods", "all", "--kind", "closed",
              "--seed", "5", "--time-limit", "0.5", "--jobs", "2",
              "--memory-limit", "2000", "--out", str(path))  # fmt: skip
    assert done.returncode == 0
    log = read_log(path)
    assert not log.missing
    for record in log.records:  # tours are composed on full rectangles only
        composed = record.run.method == "compose"
        assert record.status is (RunStatus.UNSUPPORTED if composed else RunStatus.FOUND)
    assert "1 n/a" in done.stdout
    assert {record.run.seed for record in log.records} == {5}
    full = path.read_bytes()
    path.write_bytes(full[:-30])
    again = kt("compare", "--resume", str(path), "--plots", str(tmp_path / "figures"))
    assert again.returncode == 0
    assert "its last line was torn, so that run was repeated" in again.stderr
    assert again.stderr.startswith(f"{len(log.records)}/{len(log.records)} ")
    assert (tmp_path / "figures" / "cactus.svg").exists()
    assert path.read_bytes().splitlines()[:-1] == full.splitlines()[:-1]


def test_a_file_that_is_not_complete_is_reported_as_such(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    assert kt("compare", *QUICK, "--jobs", "2", "--out", str(path)).returncode == 0
    path.write_bytes(path.read_bytes()[:-30])
    done = kt("report", str(path))
    assert done.returncode == 0
    assert done.stderr == f"kt: {path}: the last line is torn and was left out\n"
    assert "1 run of these settings are still to be done" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "--boards", "5x"), "kt: board '5x': give both sides"),
        (("compare", "--boards", ","), "kt: boards: give at least one"),
        (("compare", "--boards", "nowhere.txt"), "kt: nowhere.txt: No such file or directory"),
        (("compare", "--boards", "8x8..5x5"), "kt: boards '8x8..5x5': the sides that differ"),
        (("compare", "--boards", "1x1..9999999x1"), "kt: boards '1x1..9999999x1': more than"),
        (("compare", "--methods", "dfs,magic"), "kt: method 'magic': give some of auto"),
        (("compare", "--kind", "half"), "kt: kind 'half': give open, closed or both"),
        (("compare", "--starts", "z9"), "kt: on 5x5: start: square 'z9' is off the board"),
        (("compare", "--repeat", "0"), "kt: repeat 0: give at least 1"),
        (("compare", "--repeat", "x"), "kt: Invalid value for '--repeat'"),
        (("compare", "--jobs", "0", "--out", "not-written"), "kt: jobs 0: give at least 1"),
        (("compare", "--time-limit", "0"), "kt: time limit 0.0: give a number of seconds"),
        (("compare", "--memory-limit", "-5"), "kt: memory limit -5.0: give a number of MiB"),
        (("compare", "--out", "/no/such/place"), "kt: --out /no/such/place: there is no directory"),
        (("compare", "--out", "README.md"), "kt: README.md: exists already"),
        (("compare", "--plots", "README.md"), "kt: --plots README.md: File exists"),
        (("compare", "--resume", "README.md"), "kt: README.md: line 1 is not the settings"),
        (("compare", "--resume", "nowhere"), "kt: nowhere: No such file or directory"),
        (
            ("compare", "--resume", "x", "--boards", "5x5", "--out", "y"),
            "kt: --resume takes the settings from its file: leave out --boards, --out",
        ),
        (("compare", "--dask", "nonsense://1"), "kt: --dask nonsense://1: no scheduler answers"),
        (
            ("compare", "--dask", "tls://127.0.0.1:1"),
            "kt: --dask tls://127.0.0.1:1: no scheduler answers",
        ),
        (("compare", "--boards", "10000x10000", "--starts", "all"), "kt: 600,000,000 runs: more"),
        (("report", "nowhere"), "kt: nowhere: No such file or directory"),
        (("report", "."), "kt: .: Is a directory"),
        (("report", "README.md"), "kt: README.md: line 1 is not the settings"),
        (("report", "README.md", "--html", "/no/page"), "kt: --html /no/page: there is no"),
        (("report",), "kt: Missing argument 'FILE'"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str
) -> None:
    done = kt(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == 1
    assert not (ROOT / "not-written").exists()


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("matplotlib", ("compare", "--plots", "figures"), "plot"),
        ("matplotlib", ("report", "runs.jsonl", "--html", "page.html"), "plot"),
        ("distributed", ("compare", "--dask", "tcp://localhost:1"), "distributed"),
    ],
)
def test_what_an_extra_brings_is_asked_for_by_name(
    module: str, arguments: tuple[str, ...], extra: str
) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; from kt_cp.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"pip install 'knights-tours[{extra}]'\n")


# Killed


class Comparison:
    """``kt compare`` under way, as a process that can be killed."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kt_cp", "compare", *arguments],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def runs(self) -> list[psutil.Process]:
        """The processes that have begun a run; others may be asking about the machine."""
        try:
            hosts = psutil.Process(self.process.pid).children()
            return [run for host in hosts for run in host.children()]
        except psutil.NoSuchProcess:
            return []

    def wait_for_a_run(self) -> None:
        deadline = time.monotonic() + 60
        while not self.runs() and self.process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def finish(self) -> int:
        _, errors = self.process.communicate(timeout=120)
        assert b"Traceback" not in errors, errors.decode()
        return self.process.returncode


def test_killed_at_five_moments_and_resumed_no_record_is_lost_or_double(tmp_path: Path) -> None:
    undisturbed, path = tmp_path / "undisturbed.jsonl", tmp_path / "runs.jsonl"
    assert kt("compare", *QUICK, "--jobs", "2", "--out", str(undisturbed)).returncode == 0
    arguments: tuple[str, ...] = (*QUICK, "--jobs", "2", "--out", str(path))
    for moment in random.sample(range(10), 5):
        comparison = Comparison(*arguments)
        comparison.wait_for_a_run()
        time.sleep(moment / 10)
        before = path.read_bytes()
        comparison.process.kill()
        comparison.finish()
        assert path.read_bytes().startswith(before)
        arguments = ("--resume", str(path), "--jobs", "2")
    assert kt("compare", *arguments).returncode == 0
    assert answers(path) == answers(undisturbed)


def test_a_killed_comparison_leaves_no_run_behind() -> None:
    comparison = Comparison(*ENDLESS)
    comparison.wait_for_a_run()
    time.sleep(2)
    runs = comparison.runs()
    assert len(runs) == 2
    comparison.process.kill()
    comparison.finish()
    assert not psutil.wait_procs(runs, timeout=20)[1]


def test_a_killed_run_is_one_error_and_costs_no_other_record(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    comparison = Comparison(*QUICK, "--jobs", "2", "--out", str(path))
    killed = 0
    while comparison.process.poll() is None and killed < 5:
        for run in comparison.runs()[:1]:
            with suppress(psutil.NoSuchProcess):  # it has just ended
                run.kill()
                killed += 1
            psutil.wait_procs([run], timeout=20)
    assert comparison.finish() == 0
    log = read_log(path)
    assert not log.missing
    errors = [record for record in log.records if record.status is RunStatus.ERROR]
    assert {record.reason for record in errors} == {"crashed (killed by SIGKILL)"}
    assert 1 <= len(errors) <= killed


def test_ctrl_c_keeps_what_is_written_ends_the_runs_and_exits_130(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    comparison = Comparison(*ENDLESS, "--out", str(path))
    comparison.wait_for_a_run()
    runs = comparison.runs()
    os.killpg(comparison.process.pid, signal.SIGINT)  # as a terminal does
    assert comparison.finish() == 130
    assert not psutil.wait_procs(runs, timeout=20)[1]
    assert read_log(path).missing == 2


# On a cluster


def test_a_cluster_gives_the_same_answers_and_loses_none_when_a_worker_dies(
    tmp_path: Path,
) -> None:
    boards = {"3x4": Board(3, 4), "4x4": Board(4, 4)}
    settings = Settings(boards, ("dfs", "greedy"), starts=("corner",), time_limit=20)
    here = {record.run: record.status for record in compare(settings, jobs=2).records}
    path = tmp_path / "runs.jsonl"
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        names = ",".join(boards)
        done = kt("compare", "--boards", names, "--methods", "dfs,greedy", "--starts",
                  "corner", "--time-limit", "20", "--out", str(path),
                  "--dask", cluster.scheduler_address)  # fmt: skip
        assert done.returncode == 0
        assert {record.run: record.status for record in read_log(path).records} == here
        victim = next(iter(client.run(os.getpid).values()))

        def kill_a_worker(progress: Progress) -> None:
            if progress.done >= 3 and psutil.pid_exists(victim):
                os.kill(victim, signal.SIGKILL)

        log = compare(settings, executor=client.get_executor(), observer=kill_a_worker)
    assert len(log.records) == len(here)
    assert {record.run: record.status for record in log.records} == here


def test_the_progress_bar_says_what_is_running_and_how_many_are_done(tmp_path: Path) -> None:
    import pty

    parent, child = pty.openpty()
    command = [sys.executable, "-m", "kt_cp", "compare", *QUICK, "--out", str(tmp_path / "r")]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=child,
                               env={**os.environ, "COLUMNS": "200", "TERM": "xterm"})  # fmt: skip
    os.close(child)
    shown = b""
    try:
        while block := os.read(parent, 4096):
            shown += block
    except OSError:
        pass  # the terminal is closed
    assert process.wait() == 0
    text = shown.decode()
    assert re.search(r"\b[1-9]\d?/12\b", text)
    assert re.search(r"(dfs|warnsdorff|greedy) 3x4 (open|closed) from", text)
