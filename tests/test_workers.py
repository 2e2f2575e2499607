"""Worker processes, whose crashes become exceptions; and files on other systems."""

from __future__ import annotations

import faulthandler
import mmap
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from kt_cp import files, workers
from kt_cp.workers import (
    DeathError,
    Fork,
    MessageKind,
    OverMemoryError,
    OverTimeError,
    WorkerPool,
    is_worker,
    send_report,
)

# The libraries of the tests start threads, which a fork has not.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* multi-threaded:DeprecationWarning")


def double(number: int) -> int:
    return 2 * number


def count_to(number: int) -> str:
    for each in range(number):
        send_report(each)
    return "done"


def refuse(_: int) -> None:
    raise KeyError("memory")


def raise_what_no_pickle_holds(_: int) -> None:
    class LocalError(Exception):
        pass

    raise LocalError("only here")


def leave(code: int) -> None:
    sys.exit(code)


def print_and_die(_: int) -> None:
    os.write(1, b"on standard output\n")
    os.write(2, b"out of luck\n")
    os._exit(3)


def abort(_: int) -> None:
    faulthandler.disable()
    os.abort()


def sleep(seconds: int) -> None:
    time.sleep(seconds)


def take_memory(mebibytes: int) -> None:
    block = b"x" * (mebibytes << 20)
    time.sleep(60)
    del block


def hold_memory_until(mebibytes: int, release: Path) -> None:
    with mmap.mmap(-1, mebibytes << 20) as block:  # closing it returns the memory to the system
        block.write(b"x" * len(block))
        send_report("taken")
        while not release.exists():
            time.sleep(0.01)


def process_number(_: int) -> int:
    return os.getpid()


def is_in_a_worker(_: int) -> bool:
    return is_worker()


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool()
    yield pool
    pool.end()


def in_a_fork(function: Callable[[int], Any], argument: int, **limits: Any) -> Any:
    fork = Fork(function, argument)
    try:
        fork.limit(**limits)
        return fork.outcome().result()
    finally:
        fork.end()


@pytest.fixture(params=["interpreter", "fork"])
def call(request: pytest.FixtureRequest, pool: WorkerPool) -> Callable[..., Any]:
    return pool.call if request.param == "interpreter" else in_a_fork


def test_a_call_returns_what_the_function_returns(call: Callable[..., Any]) -> None:
    assert call(double, 21) == 42
    assert call(is_in_a_worker, 0) is True
    assert not is_worker()


def test_a_call_raises_what_the_function_raises(call: Callable[..., Any]) -> None:
    with pytest.raises(KeyError, match="memory") as told:
        call(refuse, 0)
    assert "in refuse" in "".join(told.value.__notes__)
    with pytest.raises(RuntimeError, match="LocalError: only here"):
        call(raise_what_no_pickle_holds, 0)


@pytest.mark.parametrize(
    ("function", "argument", "message"),
    [
        (leave, 5, r"\(exit code 5\)"),
        (print_and_die, 0, r"\(exit code 3\): out of luck"),
        (abort, 0, r"\(killed by SIGABRT\)"),
    ],
)
def test_a_death_is_an_exception(
    call: Callable[..., Any], function: Callable[[int], None], argument: int, message: str
) -> None:
    with pytest.raises(DeathError, match=message):
        call(function, argument)


def test_limits_end_a_worker(call: Callable[..., Any]) -> None:
    with pytest.raises(OverTimeError):
        call(sleep, 60, seconds=0.2)
    with pytest.raises(OverMemoryError):
        call(take_memory, 400, memory=300)
    assert call(double, 1) == 2


def test_a_limit_on_memory_is_not_passed_by_an_earlier_call(
    pool: WorkerPool, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    with pool.asking(hold_memory_until, 400, release) as worker:
        assert worker.receive().kind is MessageKind.REPORTED
        assert worker.peak_memory > 400
        release.touch()
        worker.outcome().result()
    assert pool.call(process_number, 0, memory=300) == worker.pid


def test_progress_is_told_in_order(pool: WorkerPool) -> None:
    told = list[int]()
    assert pool.call(count_to, 3, on_report=told.append) == "done"
    assert told == [0, 1, 2]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("MemoryError: no room", True),
        ("terminate called after throwing an instance of 'std::bad_alloc'", True),
        ("graal_create_isolate error", True),
        ("KeyError: 'memory'", False),
        ("ImportError: cannot import name 'releaseMemory' from 'mine'", False),
    ],
)
def test_a_death_is_for_lack_of_memory_only_where_its_last_line_says_so(
    printed: str, expected: bool
) -> None:
    assert DeathError(1, f"Traceback …\n{printed}\n\n").out_of_memory is expected


def hide_from_os(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take from ``os`` what Windows does not have of what the package uses."""
    for name in ("killpg", "getpgrp", "setpgid", "register_at_fork"):
        monkeypatch.delattr(os, name)


def test_workers_answer_and_end_without_process_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_from_os(monkeypatch)
    monkeypatch.setattr(workers.Fork, "context", multiprocessing.get_context("spawn"))
    fork = workers.Fork(double, 21)
    assert fork.outcome().result() == 42
    fork.end()
    assert not psutil.pid_exists(fork.pid)
    assert not Path(fork._output_file.name).exists()
    pool = WorkerPool()
    assert pool.call(double, 4) == 8
    [worker] = pool.idle
    pool.end()
    assert not psutil.pid_exists(worker.pid)


def test_a_file_is_replaced_after_it_is_closed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Windows refuses to rename a file that is open."""
    replace = Path.replace

    def as_on_windows(self: Path, target: Path) -> Path:
        opened = {Path(file.path) for file in psutil.Process().open_files()}
        assert self.resolve() not in opened
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", as_on_windows)
    for content in (b"old", b"new"):
        with files.write_atomically(tmp_path / "tour.txt") as file:
            file.write(content)
    assert (tmp_path / "tour.txt").read_bytes() == b"new"
