"""A run in a child process: whatever happens there is one record, and never the end of the rest."""

import sys
import time
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from pathlib import Path

import pytest

from kt_cp import Board, InputError
from kt_cp.compare import Progress, Record, RunStatus, Settings, compare, read_log, resume
from kt_cp.compare.run import launch
from kt_cp.compare.run.launch import execute
from kt_cp.compare.run.log_format import Run
from kt_cp.compare.run.settings import Task

BOARD = Board(5, 5)
READY = "import sys, time; sys.stdin.readline(); print('{\"startup\": 0.0}', flush=True); "
CHILD = "import time, kt_cp.compare.run.child as child; solve = child.solve\n"


def task(method: str = "warnsdorff", kind: str = "open", limit: float = 5.0) -> Task:
    return Task(Run(method, "5x5", kind, 0, 0, 0), BOARD, limit, None)


def run_instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the children run this code."""
    monkeypatch.setattr(launch, "COMMAND", [sys.executable, "-P", "-c", code])


def solve_instead(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Let the children solve by this body, but for the warm-up."""
    function = f"def other(board, **rest):\n    if len(board) != 25: return\n    {body}\n"
    run_instead(monkeypatch, f"{CHILD}{function}child.solve = other\nchild.main()")


@pytest.mark.parametrize(
    ("method", "kind", "status", "unit"),
    [
        ("warnsdorff", "open", RunStatus.FOUND, "calls"),
        ("circuit", "open", RunStatus.FOUND, "branches"),
        ("circuit", "closed", RunStatus.IMPOSSIBLE, "branches"),
    ],
)
def test_a_run_tells_its_answer_its_effort_and_its_memory(
    method: str, kind: str, status: RunStatus, unit: str
) -> None:
    record = execute(task(method, kind))
    assert (record.status, record.timed_out) == (status, False)
    assert record.validated is (True if status is RunStatus.FOUND else None)
    assert record.effort is not None
    assert record.effort[0] == unit
    assert 0 < record.seconds < 5
    assert record.startup is not None
    assert record.startup > record.seconds / 100
    assert record.memory is None or 5 < record.memory < 1000


def test_a_walk_that_stops_early_gave_up_and_did_not_time_out() -> None:
    record = execute(task("greedy", "closed"))
    assert (record.status, record.timed_out, record.gave_up) == (RunStatus.UNKNOWN, False, True)


def test_a_search_that_reaches_the_limit_timed_out() -> None:
    record = execute(task("dfs", "closed", limit=0.2))
    assert (record.status, record.timed_out, record.gave_up) == (RunStatus.UNKNOWN, True, False)
    assert record.counters["calls"] > 100


def test_a_run_beyond_its_memory_is_one_error() -> None:
    too_little = Task(task("circuit").run, BOARD, 5.0, memory_limit=8)
    record = execute(too_little)
    assert (record.status, record.reason) == (RunStatus.ERROR, "took more than 8 MiB of memory")


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("import ctypes; ctypes.string_at(0)", "error", "crashed (killed by SIGSEGV)"),
        ("import os; os.kill(os.getpid(), 9)", "error", "crashed (killed by SIGKILL)"),
        ("sys.exit(3)", "error", "crashed (exit code 3)"),
        ("sys.exit('out of luck')", "error", "crashed (exit code 1): out of luck"),
        (
            "block = b'x' * 400_000_000; time.sleep(60)",
            "error",
            "took more than 200 MiB of memory",
        ),
        (
            "time.sleep(60)",
            "unknown",
            "did not stop at the time limit of 0.5 s and was ended",
        ),
    ],
)
def test_a_child_that_misbehaves_is_one_record(
    monkeypatch: pytest.MonkeyPatch, code: str, status: str, reason: str
) -> None:
    monkeypatch.setattr(launch, "GRACE", 0.2)
    run_instead(monkeypatch, READY + code)
    record = execute(Task(task().run, BOARD, 0.5, memory_limit=200))
    assert (record.status, record.reason) == (status, reason)
    assert record.timed_out is (status == "unknown")
    assert record.seconds < 10


def test_a_child_that_cannot_start_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    run_instead(monkeypatch, "import no_such_module")
    record = execute(task())
    assert record.reason is not None
    assert record.reason.startswith("crashed (exit code 1): ModuleNotFoundError")
    monkeypatch.setattr(launch, "STARTUP_LIMIT", 0.3)
    run_instead(monkeypatch, "import time; time.sleep(60)")
    assert execute(task()).reason == "was not ready after 0.3 s"


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ("raise MemoryError('no room')", "error", "MemoryError: no room"),
        ("raise child.InputError('only closed tours')", "unsupported", "only closed tours"),
        (
            "time.sleep(1); return solve(board, **rest)",
            "unknown",
            "the time limit of 0.5 s was reached",
        ),
        (
            "import dataclasses; return dataclasses.replace(solve(board, **rest), tour=None)",
            "error",
            "the answer is no such tour",
        ),
        (
            "rest['start'] = 24; return solve(board, **rest)",
            "error",
            "the answer is no such tour",
        ),
        ("print('noise'); return solve(board, **rest)", "found", None),
    ],
)
def test_an_answer_is_judged_before_it_is_believed(
    monkeypatch: pytest.MonkeyPatch, body: str, status: str, reason: str | None
) -> None:
    solve_instead(monkeypatch, body)
    record = execute(task(limit=0.5))
    assert (record.status, record.reason) == (status, reason)


# The loop

SMALL = Settings({"3x4": Board(3, 4)}, ("dfs", "warnsdorff"), starts=("corner",), time_limit=5)
ANSWERS = {("open", "found"), ("closed", "impossible")}


def answers(records: tuple[Record, ...]) -> dict[Run, RunStatus]:
    return {record.run: record.status for record in records}


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_answers(pool: type[Executor]) -> None:
    with pool(2) as executor:  # type: ignore[call-arg]
        records = compare(SMALL, executor=executor).records
        executor.submit(int).result()  # it is still open
    assert answers(records) == answers(compare(SMALL).records)
    assert {(record.run.kind, record.status.value) for record in records} == ANSWERS


def test_observers_see_every_record_once_and_what_is_running(tmp_path: Path) -> None:
    seen: list[Progress] = []
    path = tmp_path / "runs.jsonl"
    log = compare(SMALL, out=path, jobs=2, observer=seen.append)
    assert [record for progress in seen for record in progress.new] == list(log.records)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert {progress.total for progress in seen} == {4}
    assert any(progress.running for progress in seen)
    assert read_log(path).records == log.records


def test_resuming_does_only_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    whole = compare(SMALL, out=path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    again: list[Progress] = []
    log = resume(path, observer=again.append)
    assert log.records[:2] == whole.records[:2]
    assert sum(len(progress.new) for progress in again) == 2
    assert answers(log.records) == answers(whole.records)
    assert resume(path).records == log.records


class Failing(ThreadPoolExecutor):
    """Loses the task of one method, as a cluster does with one that kills its workers."""

    def submit(self, fn, /, task, *rest):  # type: ignore[no-untyped-def,override]
        if task.run.method == "dfs":
            future: Future[Record] = Future()
            future.set_exception(OSError("the worker is lost"))
            return future
        return super().submit(fn, task, *rest)


def test_a_task_that_the_executor_loses_is_one_error() -> None:
    with Failing(1) as executor:
        records = compare(SMALL, executor=executor).records
    lost = [record for record in records if record.run.method == "dfs"]
    assert {record.reason for record in lost} == {"OSError: the worker is lost"}
    assert {(r.run.kind, r.status.value) for r in records if r not in lost} == ANSWERS


def test_an_executor_that_breaks_down_loses_nothing_that_is_done(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"

    def kill_workers(progress: Progress) -> None:
        if progress.done:
            for process in list(executor._processes.values()):
                process.kill()

    with ProcessPoolExecutor(1) as executor, pytest.raises(InputError, match="broke down"):
        compare(SMALL, out=path, executor=executor, observer=kill_workers)
    done = read_log(path).records
    assert 1 <= len(done) < 4
    log = resume(path)
    assert log.records[: len(done)] == done
    assert len(log.records) == 4


class Breaking(ThreadPoolExecutor):
    """Does the runs of one method, then breaks down; all of that is seen at once."""

    def submit(self, fn, /, task, *rest):  # type: ignore[no-untyped-def,override]
        future: Future[Record] = Future()
        if task.run.method == "dfs":
            future.set_result(fn(task))
        else:
            future.set_exception(BrokenExecutor())
        return future


def test_what_was_done_when_the_executor_broke_down_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with Breaking(1) as executor, pytest.raises(InputError, match="what is done is kept"):
        compare(SMALL, out=path, executor=executor)
    assert {record.run.method for record in read_log(path).records} == {"dfs"}
    assert read_log(path).missing == 2


def test_an_observer_that_raises_ends_the_children_at_once() -> None:
    slow = Settings({"8x8": Board(8, 8)}, ("dfs",), starts=("corner",), time_limit=100)

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        compare(slow, jobs=2, observer=stop)
    assert time.monotonic() - started < 20
    assert not launch._children
