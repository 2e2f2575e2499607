"""Measure how long whole processes of ``kt`` take, beside a bare Python, NumPy and clingo.

Prints the median and the minimum of ten runs of each command in seconds, as wall time and as the
processor time of the process, and the limits that the project sets itself. The last two rows are of
the first and the second `solve` inside a process, without its start.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kt_cp import Notation, solve, write_tour

KT = (sys.executable, "-m", "kt_cp")

TWICE = """
import time
from kt_cp import solve
for _ in range(2):
    wall, processor = time.perf_counter(), time.process_time()
    solve("8x8", closed=True)
    print(time.perf_counter() - wall, time.process_time() - processor)
"""


def commands(path: str) -> list[tuple[str, tuple[str, ...], float | None]]:
    """Return a title, the command and its limit in seconds (None: none) for each row."""
    return [
        ("python -c pass", (sys.executable, "-c", "pass"), None),
        ("python -c 'import numpy'", (sys.executable, "-c", "import numpy"), None),
        ("clingo --version", (sys.executable, "-m", "clingo", "--version"), None),
        ("kt --help", (*KT, "--help"), 0.25),
        ("kt solve --help", (*KT, "solve", "--help"), 0.25),
        ("kt validate (8x8)", (*KT, "validate", path), 0.25),
        ("kt solve 8x8 --closed", (*KT, "solve", "8x8", "--closed"), 0.35),
    ]


def measure(command: tuple[str, ...]) -> tuple[float, float]:
    """Run a command and return its wall time and its processor time, in seconds."""
    with open(os.devnull, "w") as nowhere:
        began = time.perf_counter()
        process = os.posix_spawn(
            command[0],
            command,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), number) for number in (1, 2)],
        )
        _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - began
    if status:
        raise SystemExit(f"{' '.join(command)}: exit code {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime


def solve_twice() -> list[tuple[float, float]]:
    """Solve closed 8x8 twice in a new process; return the wall and processor time of each."""
    done = subprocess.run([sys.executable, "-c", TWICE], stdout=subprocess.PIPE, check=True)
    first, second = done.stdout.splitlines()
    return [(float(wall), float(cpu)) for wall, cpu in (first.split(), second.split())]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tour.txt")
        tour = solve("8x8", closed=True).tour
        assert tour is not None
        path.write_text("\n".join(write_tour(tour, Notation.GRID)))
        rows = commands(str(path))
        # Keep bytecode, as an installed package does, whatever this environment says.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        for _, command, _ in rows:
            measure(command)  # a first run fills the caches
        times = [
            [*(measure(command) for _, command, _ in rows), *solve_twice()] for _ in range(runs)
        ]
    rows += [("solve 8x8, first", (), None), ("solve 8x8, second", (), 0.002)]
    print(f"{'command':25} {'median':>7} {'least':>7} {'CPU':>7} {'limit':>7}")
    for (title, _, limit), taken in zip(rows, zip(*times, strict=True), strict=True):
        walls, processors = zip(*taken, strict=True)
        figures = (statistics.median(walls), min(walls), statistics.median(processors))
        written = " ".join(f"{figure:7.4f}" for figure in figures)
        print(f"{title:25} {written} {'' if limit is None else f'{limit:7.3f}'}".rstrip())


if __name__ == "__main__":
    main()
