"""What differs between Linux, macOS and Windows: each branch is tried on Linux."""

import multiprocessing
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from kt_cp import files, workers
from kt_cp.compare import log, runs
from kt_cp.messages import InputError
from kt_cp.workers import WorkerPool


def hide_from_os(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take from `os` what Windows does not have of what the package uses."""
    for name in ("killpg", "getpgrp", "setpgid", "register_at_fork"):
        monkeypatch.delattr(os, name)


def double(number: int) -> int:
    return 2 * number


def test_workers_answer_and_end_without_process_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_from_os(monkeypatch)
    monkeypatch.setattr(workers.Fork, "context", multiprocessing.get_context("spawn"))
    fork = workers.Fork(double, 21)
    assert fork.outcome().result() == 42
    fork.end()
    assert not psutil.pid_exists(fork.pid)
    assert not Path(fork._output_path).exists()
    pool = WorkerPool()
    assert pool.call(double, 4) == 8
    [worker] = pool.idle
    pool.end()
    assert not psutil.pid_exists(worker.pid)


def test_peak_memory_is_read_as_each_system_tells_it(monkeypatch: pytest.MonkeyPatch) -> None:
    here = runs._peak_memory()
    assert 10 < here < 100_000
    monkeypatch.setattr(sys, "platform", "darwin")
    assert runs._peak_memory() == pytest.approx(here / 1024, rel=0.5)
    windows = SimpleNamespace(memory_info=lambda: SimpleNamespace(peak_wset=300 * 2**20))
    monkeypatch.setattr(psutil, "Process", lambda: windows)
    assert runs._peak_memory() == 300


def test_logs_of_comparisons_need_a_lock_and_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    refusal = pytest.raises(InputError, match="files of comparisons need fcntl: use Linux or macOS")
    with refusal, log._locked(tmp_path / "log.jsonl", "ab"):
        pass


def test_a_processor_is_named_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", refuse)
    log.machine.cache_clear()
    assert log.machine().count(",") >= 2
    log.machine.cache_clear()


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
