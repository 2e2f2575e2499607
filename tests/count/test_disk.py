"""Counting with the states in files: the same numbers, and again after whatever ended a count."""

import errno
import json
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from kt_cp.board import Board
from kt_cp.count import disk
from kt_cp.count.cost import MAX_WIDTH, OutOfMemoryError, ProgressLine
from kt_cp.count.counting import count_tours
from kt_cp.count.disk import CountOnDisk, CountStoppedError, Part, Processes
from kt_cp.count.plan import Plan, unsupported
from kt_cp.messages import InputError
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Clock, OutOfTimeError
from tests.helpers.command import ROOT, kt, python
from tests.helpers.oracle import tours_as_counted
from tests.helpers.strategies import instances

MIB = 2**20


def in_files(
    instance: Instance, directory: Path, jobs: int = 1, executor: Executor | None = None
) -> int:
    plan = Plan(instance)
    return CountOnDisk(plan, directory).count(Clock(None), 800 * MIB, jobs, executor)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("size", "closed", "number", "jobs"),
    [
        ("6x8", True, 55488142, 4),
        ("7x8", True, 34524432316, 2),
        ("5x22", True, 17414154188157170439208, 1),
    ],
)
def test_there_are_as_many_tours_in_200_mib_as_published(
    size: str, closed: bool, number: int, jobs: int, tmp_path: Path
) -> None:
    import psutil

    command = [sys.executable, "-m", "kt_cp", "count", size, "--spill", str(tmp_path)]
    command += ["--memory-limit", "200", "--jobs", str(jobs), "--method", "frontier"]
    if closed:
        command.append("--closed")
    most = 0
    with psutil.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        while process.poll() is None:
            taken = 0
            for each in [process, *process.children(recursive=True)]:
                try:
                    taken += each.memory_info().rss
                except psutil.Error:
                    continue
            most = max(most, taken)
            time.sleep(0.05)
        assert process.stdout.read().split()[0] == str(number).encode()
    assert most < 200 * MIB


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instance=instances())
def test_parts_have_as_many_tours_as_exhaustive_search_finds(
    instance: Instance, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(unsupported(instance) is None and Plan(instance).width <= MAX_WIDTH)
    expected = tours_as_counted(instance)
    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as executor:
        patch.setattr(disk, "_MIN_DIVIDED_BYTES", 0)
        directory = tmp_path_factory.mktemp("states")
        assert in_files(instance, directory, jobs=8, executor=executor) == len(expected)
        assert in_files(instance, directory) == len(expected)  # told at once


@pytest.mark.exhaustive
@pytest.mark.parametrize("jobs", [1, 3])
def test_smaller_and_fewer_parts_are_taken_where_the_memory_does_not_suffice(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def room(on_disk: CountOnDisk, memory: float, jobs: int, executor: Executor) -> float:
        return memory / jobs**5

    asked = Instance.of("6x6", closed=True)
    monkeypatch.setattr(disk, "_MIN_ROOM", 0)
    monkeypatch.setattr(CountOnDisk, "_room", room)
    with ThreadPoolExecutor(1) as executor:
        stored = CountOnDisk(Plan(asked), tmp_path)
        assert stored.count(Clock(None), MIB, jobs, executor) == 9862
        little = CountOnDisk(Plan(asked), tmp_path / "little")
        with pytest.raises(OutOfMemoryError, match="the memory limit was reached: frontier of 12"):
            little.count(Clock(None), 2000, jobs, executor)


@pytest.mark.exhaustive
def test_a_board_without_a_symmetry_takes_as_little_memory(tmp_path: Path) -> None:
    """Parts end after some steps where there are no mirror images to be merged."""
    asked = ("-m", "kt_cp", "count", "7x8", "--closed", "--forbid", "c3-d5")
    done = python(*asked, "--spill", tmp_path, "--memory-limit", "150")
    assert done.stdout.startswith("30046648569 "), done.stderr


def test_processes_share_the_work(tmp_path: Path) -> None:
    lines: list[str] = []
    count = count_tours(
        "6x6",
        closed=True,
        method="frontier",
        jobs=2,
        log=tmp_path / "layers",
        progress=lines.append,
    )
    assert (count.count, count.complete) == (9862, True)
    assert any("MiB in /" in line for line in lines)
    assert len((tmp_path / "layers").read_text().splitlines()) == 37


def test_what_is_expected_and_what_is_free_are_told_before_the_start(tmp_path: Path) -> None:
    plan, lines = Plan(Instance.of("8x8")), list[ProgressLine]()
    with pytest.raises(OutOfTimeError):
        CountOnDisk(plan, tmp_path).count(Clock(1e-6), 1000 * MIB, 1, None, lines.append)
    [line] = lines
    expected = "a frontier of 17 vertices, about 1,700,000,000 states, 24 min and 39 GiB in "
    assert line.is_forecast
    assert line.startswith(f"{expected}{tmp_path}, where ")
    assert line.endswith("iB are free")


def test_a_count_goes_on_where_a_time_limit_ended_it(tmp_path: Path) -> None:
    ends = 0
    for limit in range(1, 100):
        count = count_tours(
            "6x6", closed=True, method="frontier", spill=tmp_path, time_limit=0.1 * limit
        )
        if count.complete:
            break
        assert count.note == f"the time limit was reached; what is done is kept in {tmp_path}"
        ends += 1
    assert count.count == 9862
    assert ends > 0
    assert [file.name for file in tmp_path.iterdir()] == ["count.json"]


def test_a_count_that_is_killed_at_random_moments_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kt_cp", "count", "6x6", "--closed", "--method", "frontier"]
    command += ["--spill", str(tmp_path), "--jobs", "2"]
    moments, steps = random.Random(1), []
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
            try:
                process.wait(moments.uniform(0.5, 4))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        if (tmp_path / "count.json").exists():
            steps.append(json.loads((tmp_path / "count.json").read_text())["steps"])
    assert steps == sorted(steps)
    for _ in range(2):  # the second time it is known
        done = kt(*command[3:])
        assert (done.returncode, done.stdout.split()[0]) == (0, "9862")


@pytest.mark.exhaustive
def test_what_is_written_before_a_crash_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = Part.write, list[str]()

    def crash_now_and_then(part: Part) -> None:
        if len(written) % 7 == 6:
            written.append("")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(part)
        written.append(part.target)

    monkeypatch.setattr(Part, "write", crash_now_and_then)
    monkeypatch.setattr(disk, "_MIN_DIVIDED_BYTES", 0)
    instance, crashes, count = Instance.of("5x6", closed=True), 0, None
    while count is None:
        try:
            with ThreadPoolExecutor(1) as executor:
                count = in_files(instance, tmp_path, jobs=4, executor=executor)
        except CountStoppedError as full:
            said, crashes = str(full), crashes + 1
    files = [file for file in written if file]
    assert count == 8
    assert crashes > 2
    assert said.startswith(f"the disk of {tmp_path} is full; what is done is kept")
    assert len(files) == len(set(files))


def test_a_full_disk_is_one_line_and_exit_code_3(tmp_path: Path) -> None:
    program = (
        "import errno\n"
        "from kt_cp.count.disk import Part\n"
        "def full(*arguments):\n"
        "    raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "Part.write = full\n"
        "from kt_cp.cli import main\n"
        "main()\n"
    )
    done = python("-c", program, "count", "6x6", "--closed", "--spill", tmp_path)
    assert (done.returncode, done.stdout) == (
        3,
        "unknown number of undirected closed tours of 6x6\n",
    )
    assert f"the disk of {tmp_path} is full; what is done is kept" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_process_that_outlives_its_count_writes_nothing(tmp_path: Path) -> None:
    stored = CountOnDisk(Plan(Instance.of("5x6", closed=True)), tmp_path)
    [part] = stored.divide(Processes(1, 2**30, "old", ThreadPoolExecutor(1), Part.write))
    (tmp_path / "run").write_text("new")
    with pytest.raises(CountStoppedError, match="another process has taken it over"):
        part.write()
    assert [file.name for file in tmp_path.iterdir()] == ["run"]
    (tmp_path / "run").write_text("old")
    part.write()
    assert (tmp_path / part.target).exists()


def test_a_directory_belongs_to_one_count(tmp_path: Path) -> None:
    def count(size: str, **constraints: Any) -> int:
        return count_tours(size, spill=tmp_path / "a", method="frontier", **constraints).count

    assert count("5x6", closed=True) == 8
    other = "a: holds another count, of closed tours of 5x6, format 4 of .*; give another directory"
    for size, constraints in (("6x5", {}), ("5x6", {"closed": True, "forbid": ["a1-b3"]})):
        with pytest.raises(InputError, match=other):
            count(size, **constraints)
    (tmp_path / "a" / "count.json").write_text('{"identity": {}}')
    with pytest.raises(InputError, match=r"count.json is no state of a count"):
        count("5x6", closed=True)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"give a new or empty directory"):
        count_tours("5x6", spill=tmp_path)
    with pytest.raises(InputError, match=r"spill .*file: "):
        count_tours("5x6", spill=tmp_path / "file")


def test_what_files_are_not_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError,
        match="a frontier of 21 vertices is too wide for spill",
    ):
        count_tours(Board(10, 10), spill=tmp_path)
    with pytest.raises(InputError, match=r"^memory limit 20: give at least \d+ MiB$"):
        count_tours("6x6", closed=True, memory_limit=20, spill=tmp_path)
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(InputError, match="directory that all its"),
    ):
        count_tours("6x6", closed=True, executor=executor)
