"""Measure how long the commands of ``kt`` take; the harness of all benchmarks is here, too.

``python -m scripts.bench_startup`` runs each command ten times, all in turn, and prints the median
and the worst seconds of wall and of processor time, and the ratio to importing NumPy.
``--other FOLDER`` pairs each run with the same command of another checkout, and prints the median
ratio of the processor times, this one over the other.
"""

from __future__ import annotations

import argparse
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
from statistics import median
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


def print_commands(runs: int, other: Path | None) -> None:
    """Measure the commands and print their table, beside another checkout if it is given."""
    with tempfile.TemporaryDirectory() as folder:
        tour = Path(folder, "tour.txt")
        tour.write_text(measure([*KT, "solve", "8x8", "--closed"]).output)
        # Keep bytecode, as an installed package does, whatever this environment says.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        commands = {
            "import numpy": (sys.executable, "-c", "import numpy"),
            "kt --help": (*KT, "--help"),
            "kt solve --help": (*KT, "solve", "--help"),
            "kt validate": (*KT, "validate", str(tour)),
            "kt solve 8x8 --closed": (*KT, "solve", "8x8", "--closed"),
            "kt count 6x8 --closed": (*KT, "count", "6x8", "--closed"),
            "kt count 7x8 --closed": (*KT, "count", "7x8", "--closed"),
        }
        checkouts = [ROOT] if other is None else [ROOT, other]
        used: dict[tuple[str, Path], list[Usage]] = {}
        for number in range(runs + 1):  # the first run fills the caches
            for name, command in commands.items():
                for checkout in checkouts:
                    usage = measure(command, checkout)
                    if number:
                        used.setdefault((name, checkout), []).append(usage)
    base = median(each.processor for each in used["import numpy", ROOT])
    print(f"{'command':25} {'wall':>7} {'worst':>7} {'CPU':>7} {'/ numpy':>7} {'/ other':>7}")
    for name in commands:
        ours = used[name, ROOT]
        walls = [each.wall for each in ours]
        processor = median(each.processor for each in ours)
        figures = [median(walls), max(walls), processor, processor / base]
        if other is not None:
            pairs = zip(ours, used[name, other], strict=True)
            figures.append(median(a.processor / b.processor for a, b in pairs))
        print(f"{name:25} " + " ".join(f"{figure:7.3f}" for figure in figures))


def main() -> None:
    """Print the table of the commands."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--other", type=Path, help="another checkout, to compare with")
    arguments = parser.parse_args()
    print_commands(arguments.runs, arguments.other)


if __name__ == "__main__":
    main()
