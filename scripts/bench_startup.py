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
from typing import NamedTuple

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


class Row(NamedTuple):
    """A row of the table: its title, and its limit in seconds, if it has one."""

    title: str
    limit: float | None = None


class Times(NamedTuple):
    """The wall time and the processor time of a run, in seconds."""

    wall: float
    processor: float


def commands(path: str) -> dict[Row, tuple[str, ...]]:
    """Return the command of each row of the table but the last two."""
    return {
        Row("python -c pass"): (sys.executable, "-c", "pass"),
        Row("python -c 'import numpy'"): (sys.executable, "-c", "import numpy"),
        Row("clingo --version"): (sys.executable, "-m", "clingo", "--version"),
        Row("kt --help", 0.25): (*KT, "--help"),
        Row("kt solve --help", 0.25): (*KT, "solve", "--help"),
        Row("kt validate (8x8)", 0.25): (*KT, "validate", path),
        Row("kt solve 8x8 --closed", 0.35): (*KT, "solve", "8x8", "--closed"),
    }


# The rows of the two searches of `solve_twice`.
SEARCHES = (Row("solve 8x8, first"), Row("solve 8x8, second", 0.002))


def measure(command: tuple[str, ...]) -> Times:
    """Run a command, and return its times."""
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
    return Times(wall, usage.ru_utime + usage.ru_stime)


def solve_twice() -> list[Times]:
    """Solve closed 8x8 twice in a new process; return the times of each search."""
    done = subprocess.run([sys.executable, "-c", TWICE], stdout=subprocess.PIPE, check=True)
    return [Times(*map(float, line.split())) for line in done.stdout.splitlines()]


def times_by_row(runs: int) -> dict[Row, list[Times]]:
    """Return the times of each row of the table, in so many runs of all rows in turn."""
    times: dict[Row, list[Times]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tour.txt")
        tour = solve("8x8", closed=True).tour
        assert tour is not None
        path.write_text("\n".join(write_tour(tour, Notation.GRID)))
        # Keep bytecode, as an installed package does, whatever this environment says.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        rows = commands(str(path))
        for command in rows.values():
            measure(command)  # a first run fills the caches
        for _ in range(runs):
            for row, command in rows.items():
                times.setdefault(row, []).append(measure(command))
            for row, taken in zip(SEARCHES, solve_twice(), strict=True):
                times.setdefault(row, []).append(taken)
    return times


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    times = times_by_row(parser.parse_args().runs)
    print(f"{'command':25} {'median':>7} {'least':>7} {'CPU':>7} {'limit':>7}")
    for row, taken in times.items():
        walls = [each.wall for each in taken]
        processors = [each.processor for each in taken]
        figures = (statistics.median(walls), min(walls), statistics.median(processors))
        written = " ".join(f"{figure:7.4f}" for figure in figures)
        limit = "" if row.limit is None else f"{row.limit:7.3f}"
        print(f"{row.title:25} {written} {limit}".rstrip())


if __name__ == "__main__":
    main()
