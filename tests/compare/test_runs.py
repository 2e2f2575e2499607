"""Runs in processes of their own: whatever happens there is one record, not the end of others."""

import ctypes
import faulthandler
import json
import os
import pickle
import re
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from kt_cp.board import Board
from kt_cp.compare import Progress, Record, RunStatus, Settings, read_log, resume, runs, settings_of
from kt_cp.compare.log import versions
from kt_cp.compare.runs import compare
from kt_cp.compare.settings import Run, RunRequest, named_methods
from kt_cp.messages import InputError
from kt_cp.methods.method import Answer, found, gave_up
from kt_cp.methods.result import Result
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from kt_cp.solving import solve
from kt_dfs import Strategy
from tests.helpers.command import kt, python

BOARD = Board(5, 5)


def request(
    method: str = "warnsdorff",
    kind: str = "open",
    limit: float = 5.0,
    memory_limit: int | None = None,
) -> RunRequest:
    run = Run(method, "5x5", kind, 0, 0, 0)
    instance = Instance.of(BOARD, closed=kind == "closed", start=0)
    return RunRequest(run, instance, limit, memory_limit, pickle.dumps(method))


@pytest.fixture
def execute() -> Callable[[RunRequest], Record]:
    """Do a run as a host does, in a fork of this process."""
    return runs.run_in_fork


Execute = Callable[[RunRequest], Record]

# The libraries of the tests start threads; a host has none when it forks.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* multi-threaded:DeprecationWarning")


@pytest.mark.parametrize(
    ("method", "kind", "status", "unit"),
    [
        ("warnsdorff", "open", RunStatus.FOUND, "calls"),
        ("circuit", "open", RunStatus.FOUND, "branches"),
        ("circuit", "closed", RunStatus.IMPOSSIBLE, "branches"),
    ],
)
def test_a_run_tells_its_answer_its_effort_and_what_it_took(
    execute: Execute, method: str, kind: str, status: RunStatus, unit: str
) -> None:
    record = execute(request(method, kind))
    assert (record.status, record.timed_out) == (status, False)
    assert record.validated is (True if status is RunStatus.FOUND else None)
    assert record.effort is not None
    assert record.effort[0] == unit
    assert record.cpu_seconds > 0
    assert record.seconds > 0
    assert record.startup is not None
    assert record.memory is None or 5 < (record.startup_memory or 0) <= record.memory < 1000


def instead(monkeypatch: pytest.MonkeyPatch, body: Callable[..., Any]) -> None:
    """Let runs solve by this function, but for the warm-up."""

    def other(instance: Instance, **rest: Any) -> Any:
        return body(instance, **rest) if instance.board == BOARD else None

    monkeypatch.setattr(runs, "solve", other)


def sleep_idly(*_: object, **__: object) -> None:
    time.sleep(60)


def work_hard(*_: object, **__: object) -> None:
    while True:
        pass


def crash(*_: object, **__: object) -> None:
    faulthandler.disable()
    ctypes.string_at(0)


def kill_itself(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def exit_with_a_message(*_: object, **__: object) -> None:
    os.write(2, b"out of luck\n")
    os._exit(3)


def take_memory(*_: object, **__: object) -> None:
    block = b"x" * 600_000_000
    time.sleep(60)
    del block


def test_what_a_run_has_started_ends_with_it(
    execute: Execute, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    note = tmp_path / "pid"

    def start_another(*_: object, **__: object) -> None:
        other = subprocess.Popen(["sleep", "60"])
        note.write_text(str(other.pid))

    instead(monkeypatch, start_another)
    assert execute(request()).status is RunStatus.ERROR
    with suppress(psutil.NoSuchProcess):
        assert not psutil.wait_procs([psutil.Process(int(note.read_text("utf-8")))], timeout=5)[1]


def no_room(*_: object, **__: object) -> None:
    raise MemoryError("no room")


def only_closed(*_: object, **__: object) -> None:
    raise InputError("only closed tours")


def too_late(instance: Instance, **rest: Any) -> Result:
    time.sleep(0.6)
    return solve(instance, **rest)


def noise(instance: Instance, **rest: Any) -> Result:
    os.write(1, b"noise")
    return solve(instance, **rest)


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (crash, "error", "crashed (killed by SIGSEGV)"),
        (kill_itself, "error", "crashed (killed by SIGKILL)"),
        (exit_with_a_message, "error", "crashed (exit code 3): out of luck"),
        (take_memory, "error", "took more than 500 MiB of memory"),
        (sleep_idly, "unknown", "did not stop at the time limit of 0.5 s and was killed"),
        (work_hard, "unknown", "did not stop at the time limit of 0.5 s and was killed"),
        (no_room, "error", "MemoryError: no room"),
        (only_closed, "unsupported", "only closed tours"),
        (too_late, "unknown", "the time limit of 0.5 s was reached"),
        (noise, "found", None),
    ],
)
def test_whatever_a_run_does_it_is_one_record(
    execute: Execute, monkeypatch: pytest.MonkeyPatch, body: Any, status: str, reason: str | None
) -> None:
    monkeypatch.setattr(runs, "GRACE", 0.1 if body in (sleep_idly, work_hard) else 60)
    instead(monkeypatch, body)
    record = execute(request(limit=0.5 if status == "unknown" else 5.0, memory_limit=500))
    assert (record.status, record.reason) == (status, reason)
    assert record.timed_out is (status == "unknown")
    assert body is not work_hard or record.cpu_seconds > 0
    assert body is not sleep_idly or record.cpu_seconds < record.seconds


# Hosts


def test_a_host_that_cannot_start_makes_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs.HOSTS, "prepare", "no_such_module:preload")
    with pytest.raises(InputError, match=r"ended .exit code 1.: .*No module named"):
        runs.run_in_host(request())


# The campaign

SMALL = settings_of(boards="3x4", methods="dfs,warnsdorff", starts="0", time_limit=5)
ANSWERS = {("open", "found"), ("closed", "impossible")}


def fake(request: RunRequest) -> Record:
    """Answer as the methods do, without a process."""
    status = RunStatus.FOUND if request.run.kind == "open" else RunStatus.IMPOSSIBLE
    return Record(request.run, len(request.instance.board), status, 0.01, 0.01, versions=versions())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs be answered without a process, where the process is not the point."""
    monkeypatch.setattr("kt_cp.compare.runs.run_in_host", fake)


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_answers_and_stays_open(pool: Any) -> None:
    with pool(1) as executor:
        records = compare(SMALL, executor=executor).records
        executor.submit(int).result()
    assert {(record.run.kind, record.status.value) for record in records} == ANSWERS
    assert len(records) == 4


@pytest.mark.usefixtures("quick")
def test_observers_see_every_record_once_and_resuming_does_only_what_is_missing(
    tmp_path: Path,
) -> None:
    seen, again = list[Progress](), list[Progress]()
    path = tmp_path / "runs.jsonl"
    whole = compare(SMALL, out=path, jobs=2, observer=seen.append)
    assert [record for progress in seen for record in progress.new] == list(whole.records)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert {progress.total for progress in seen} == {4}
    assert read_log(path).records == whole.records
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    log = resume(path, observer=again.append)
    assert log.records[:2] == whole.records[:2]
    assert sum(len(progress.new) for progress in again) == 2
    assert {(r.run, r.status) for r in log.records} == {(r.run, r.status) for r in whole.records}
    assert resume(path).records == log.records


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("error", [OSError("the worker is lost"), BrokenExecutor()])
def test_what_an_executor_loses_is_repeated_and_what_is_done_is_kept(
    error: Exception, tmp_path: Path
) -> None:
    class Losing(ThreadPoolExecutor):
        """Loses the tasks of one method, alone or with the executor itself."""

        def submit(self, fn, /, task, *rest):  # type: ignore[no-untyped-def,override]
            future: Future[Record] = Future()
            if task.run.method == "dfs":
                future.set_exception(error)
            else:
                future.set_result(fn(task))
            return future

    path, seen = tmp_path / "runs.jsonl", list[Progress]()
    is_broken = isinstance(error, BrokenExecutor)
    told = pytest.raises(InputError, match="what is done is kept") if is_broken else nullcontext()
    with Losing(1) as executor, told:
        compare(SMALL, out=path, executor=executor, observer=seen.append)
    lost = {(run.method, reason) for progress in seen for run, reason in progress.lost}
    assert is_broken or lost == {("dfs", "OSError: the worker is lost")}
    assert {record.run.method for record in read_log(path).records} == {"warnsdorff"}
    assert len(resume(path).records) == 4


def test_a_system_without_room_for_a_process_ends_the_comparison_not_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_many(*_: object, **__: object) -> None:
        raise OSError(24, "Too many open files")

    path = tmp_path / "runs.jsonl"
    monkeypatch.setattr("subprocess.Popen.__init__", too_many)
    with pytest.raises(
        InputError, match=r"cannot start a process .Too many open files.; give fewer --jobs"
    ):
        compare(SMALL, out=path, jobs=2)
    assert read_log(path).missing == 4


# Custom methods

CORNER_FIRST = Strategy(rank=lambda vertex: -vertex.key, backtracks=False)


def by_heart(task: Task) -> Answer:
    """Know one tour, and no other."""
    instance = task.instance
    if instance.board.size == "3x4":
        return found(np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], dtype=np.int32))
    return gave_up(instance, "only 3x4 is known")


def by_error(task: Task) -> Answer:
    """Answer with squares that are no tour."""
    return found(np.arange(len(task.instance.board), dtype=np.int32))


@pytest.mark.exhaustive
def test_strategies_and_functions_are_compared_with_the_methods_of_the_table() -> None:
    methods = ["warnsdorff", CORNER_FIRST, by_heart, by_error]
    log = compare(boards="3x4,5x5", kinds="open", methods=methods)
    answers = {(r.run.method, r.run.board): (r.status.value, r.reason) for r in log.records}
    assert answers["warnsdorff", "5x5"] == ("found", None)
    assert answers["by_heart", "3x4"] == ("found", None)
    assert answers["by_heart", "5x5"] == ("unknown", "only 3x4 is known")
    assert answers["strategy", "5x5"][0] in ("found", "unknown")
    status, reason = answers["by_error", "5x5"]
    assert status == "error"
    assert re.search("not a tour.* a bug in method by_error$", str(reason))
    assert not log.settings.methods["strategy"].proves
    assert log.settings.methods["by_heart"].proves


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ([CORNER_FIRST, CORNER_FIRST], "method 'strategy': there are two; give names"),
        ({"dfs": CORNER_FIRST}, "method 'dfs': there are two"),
        ([7], "method 7: give a name"),
    ],
)
def test_what_is_no_method_of_its_own_is_refused(methods: Any, message: str) -> None:
    with pytest.raises((InputError, TypeError), match=message):
        named_methods(methods)


def test_a_log_names_own_methods_which_are_to_be_given_again() -> None:
    settings = settings_of(boards="3x4", kinds="open", methods=[by_heart])
    read = Settings.from_dict(json.loads(json.dumps(settings.as_dict())))
    assert read.methods["by_heart"].proves
    with pytest.raises(
        InputError, match="method 'by_heart': a log does not store it; give it again"
    ):
        read.request(next(read.runs()))


@pytest.mark.exhaustive
def test_a_script_needs_no_guard_and_may_define_methods_itself_or_import_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.py").write_text(
        "from kt_cp.methods.method import gave_up\n"
        "def imported(task):\n"
        "    return gave_up(task.instance, 'no idea')\n"
    )
    script = tmp_path / "script.py"
    script.write_text(
        "from kt_cp.compare import compare\n"
        "from mine import imported\n"
        "def defined(*asked):\n"
        "    return imported(*asked)\n"
        "log = compare(boards='3x4', kinds='open', methods=[imported, defined])\n"
        "print(sorted((r.run.method, r.reason) for r in log.records))\n"
    )
    assert python(script).stdout == "[('defined', 'no idea'), ('imported', 'no idea')]\n"


# On a cluster of this machine


@pytest.mark.parametrize("address", ["nonsense://1", "tls://127.0.0.1:1"])
def test_an_address_without_a_scheduler_is_refused_in_one_line(address: str) -> None:
    pytest.importorskip("distributed")
    done = kt("compare", "--dask", address)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"kt: Dask {address}: no scheduler answers")


@pytest.mark.exhaustive
def test_a_cluster_loses_no_record_when_a_worker_dies(tmp_path: Path) -> None:
    dask = pytest.importorskip("distributed")
    settings = settings_of(boards="3x4,4x4", methods="dfs,greedy", starts="0", time_limit=20)
    here = {record.run: record.status for record in compare(settings, jobs=2).records}
    path = tmp_path / "runs.jsonl"
    with (
        dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        dask.Client(cluster) as client,
    ):
        done = kt("compare", "--boards", "3x4,4x4", "--methods", "dfs,greedy", "--starts",
                  "0", "--time-limit", "20", "--out", path,
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
