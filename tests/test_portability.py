"""What differs between Linux, macOS and Windows is listed here, and each branch for it is tried.

The tests run on Linux. A use of something that another system lacks, or does otherwise, fails here
until it is listed with the way in which it is made safe.
"""

import ast
import multiprocessing
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from kt_cp import InputError, files, workers
from kt_cp.compare import log, runs
from kt_cp.worker_pool import WorkerPool
from tests.helpers.command import ROOT

PARTICULAR_MODULES = {
    "fcntl",
    "grp",
    "msvcrt",
    "posix",
    "pty",
    "pwd",
    "resource",
    "termios",
    "winreg",
}

# Functions and constants of `os` and `signal` that Windows does not have, or has otherwise.
PARTICULAR_NAMES = {
    "os": {
        *(
            "chown",
            "fchmod",
            "fork",
            "forkpty",
            "getpgrp",
            "getuid",
            "geteuid",
            "getloadavg",
            "kill",
        ),
        *("killpg", "mkfifo", "nice", "register_at_fork", "sched_getaffinity", "setpgid", "setsid"),
        *("rename", "replace", "symlink", "link", "wait", "waitpid", "O_NONBLOCK", "name", "uname"),
    },
    "signal": {*("SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGTERM", "SIGINT", "alarm", "pause")},
    "sys": {"platform"},
    "platform": {"system"},
}

# Each use, by module, and how it is made safe.
LISTED = {
    ("kt_cp/cli/__init__.py", "signal.SIGINT"): "every system has it",
    ("kt_cp/cli/__init__.py", "signal.SIGTERM"): "every system has it; Windows sends it to nobody",
    ("kt_cp/compare/runs.py", "import resource"): "Windows tells the peak through psutil",
    ("kt_cp/compare/runs.py", "sys.platform"): "macOS counts bytes where Linux counts KiB",
    ("kt_cp/compare/log.py", "'fcntl'"): "refused in one line, with what to use instead",
    ("kt_cp/compare/log.py", "'/proc/cpuinfo'"): "elsewhere platform.processor() names it",
    ("kt_cp/compare/log.py", "platform.system"): "every system has it",
    ("kt_cp/files.py", "Path.replace"): "the file is closed before it takes the old one's place",
    ("kt_cp/worker_process.py", "os.getpgrp"): "only where there is os.killpg",
    (
        "kt_cp/workers.py",
        "os.killpg",
    ): "where there is none, the process alone is ended",
    ("kt_cp/worker_pool.py", "os.register_at_fork"): "only where there is one",
    ("kt_cp/worker_process.py", "os.setpgid"): "only where there is one",
    ("kt_cp/workers.py", "'fork'"): "only on Linux; elsewhere processes are spawned",
    ("kt_cp/workers.py", "sys.platform"): "as above",
    ("kt_cp/worker_process.py", "signal.SIGINT"): "every system has it",
    ("kt_cp/worker_process.py", "os.killpg"): "as below",
    ("kt_cp/worker_process.py", "signal.SIGKILL"): "only where there is os.killpg",
    ("kt_cp/workers.py", "signal.SIGKILL"): "only where there is os.killpg",
}


def particular_uses(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (
                    f"import {name.name}" for name in names if name.name in PARTICULAR_MODULES
                )
            case ast.ImportFrom(module=str(module)) if module in PARTICULAR_MODULES:
                yield f"import {module}"
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                if name in PARTICULAR_NAMES.get(module, ()):
                    yield f"{module}.{name}"
            case ast.Constant(value=str(text)):
                if text in PARTICULAR_MODULES or text.startswith(("/dev/", "/proc/", "/tmp")):
                    yield repr(text)
                if text in ("fork", "forkserver"):
                    yield repr(text)
            case ast.Call(
                func=ast.Attribute(attr="replace" | "rename" as name), args=[_], keywords=[]
            ):
                yield f"Path.{name}"  # str.replace has two arguments


def sources() -> Iterator[tuple[str, ast.AST]]:
    for package in ("kt_cp", "kt_dfs"):
        for file in sorted((ROOT / package).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            yield file.relative_to(ROOT).as_posix(), tree


def test_every_use_of_what_differs_between_systems_is_listed() -> None:
    found = {(file, use) for file, tree in sources() for use in particular_uses(tree)}
    assert found == set(LISTED)


# Standard streams that were closed are opened again with the encoding that they would have had.
OF_THE_SYSTEM = {("kt_cp/cli/__init__.py", "open")}


def is_text_mode(mode: ast.expr | None) -> bool:
    return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and "b" not in mode.value


def text_opened_without_encoding(node: ast.AST) -> str | None:
    """Return the name of a call that reads or writes text as the system's locale has it."""
    match node:
        case ast.Call(keywords=words) if any(word.arg == "encoding" for word in words):
            return None
        case ast.Call(func=ast.Attribute(attr="read_text"), args=[]):
            return "read_text"
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")))):
            return None  # such as click's formatter of help, which writes no file
        case ast.Call(func=ast.Attribute(attr="write_text"), args=[_]):
            return "write_text"
        case ast.Call(func=ast.Attribute(attr="open"), args=[mode, *_]) if is_text_mode(mode):
            return "open"
        case ast.Call(func=ast.Name(id="open"), args=[_]):
            return "open"
        case ast.Call(func=ast.Name(id="open"), args=[_, mode, *_]) if is_text_mode(mode):
            return "open"
    return None


def test_text_files_name_their_encoding() -> None:
    found = {
        (file, name)
        for file, tree in sources()
        for node in ast.walk(tree)
        if (name := text_opened_without_encoding(node))
    }
    assert found == OF_THE_SYSTEM


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
