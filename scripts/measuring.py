"""The harness of the benchmarks: what a process uses, and how figures get into a document."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
KT = (sys.executable, "-m", "kt_cp")
"""The command ``kt`` of a checkout."""


class Usage(NamedTuple):
    """What a process used, in seconds and MiB, its exit code and what it printed."""

    wall: float
    processor: float
    mebibytes: float
    code: int
    output: str


def measure(command: Sequence[str], folder: Path = ROOT, limit: float = 3600) -> Usage:
    """Run a command with the packages of a checkout; kill it after ``limit`` seconds of wall."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with tempfile.TemporaryFile("w+") as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.DEVNULL
        )
        timer = threading.Timer(limit, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        wall = time.perf_counter() - began
        output.seek(0)
        code = process.returncode = os.waitstatus_to_exitcode(status)
        return Usage(
            wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code, output.read()
        )


def origin(command: str, packages: Iterable[str] = ("ortools",)) -> str:
    """Return the sentence that says how, where, with what versions and when figures were made."""
    numbers = ", ".join(f"{name} {version(name)}" for name in packages)
    day = f"{datetime.date.today():%d %B %Y}".lstrip("0")
    machine = f"{os.cpu_count()} CPUs, {platform.system()}, Python {platform.python_version()}"
    return f"Measured with `python -m {command}` on {machine}, {numbers}, on {day}."


def write_section(name: str, lines: Iterable[str], document: Path) -> None:
    """Replace what stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->`` in a document.

    Raises `ValueError` if the document has no such section.
    """
    begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->\n"
    before, found_begin, rest = document.read_text("utf-8").partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"{document}: no section {name}")
    section = "\n".join(lines).strip("\n")
    document.write_text(f"{before}{begin}\n{section}\n\n{end}{after}", encoding="utf-8")
