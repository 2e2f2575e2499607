"""Measure how many runs a comparison does in a second, with preloading and without.

    python scripts/bench_campaign.py [--jobs 1] [--write]

The runs are those of two methods from every start of 5x5, which compute for milliseconds: what is
measured is how a run is started. A host (`kt_cp.compare.runs`) is a process that imports the solver
and forks itself for each run. With preloading, one host serves all runs; without, each run starts a
host of its own.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp.compare import compare, settings_of
from kt_cp.compare.runs import HOSTS
from scripts.document import origin, write_section

SETTINGS = settings_of(boards="5x5", kinds="open", starts="all", methods="circuit,greedy")


class WithoutPreloading(ThreadPoolExecutor):
    """An executor that ends the host after each run, so that the next run needs a new one."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Submit a function that does the run and then ends the host that did it."""

        def do_and_end() -> Any:
            try:
                return function(*arguments, **named)
            finally:
                HOSTS.end()

        return super().submit(do_and_end)


def measure(jobs: int, executor: Executor | None) -> tuple[str, ...]:
    """Do all runs; return how many, how many in a second, and what one took: cells of a table."""
    started = time.perf_counter()
    records = compare(SETTINGS, jobs=jobs, executor=executor).records
    seconds = time.perf_counter() - started
    computing = statistics.fmean(record.seconds for record in records)
    startup = statistics.fmean(record.startup or 0.0 for record in records)
    number = len(records)
    return str(number), f"{number / seconds:.1f}", f"{startup:.3f}", f"{computing:.3f}"


def main() -> None:
    """Measure both ways, print the table, and write it into the document if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=1, help="runs at once")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    with WithoutPreloading(arguments.jobs) as executor:
        rows = {"with": measure(arguments.jobs, None), "without": measure(arguments.jobs, executor)}
    lines = [
        origin("scripts/bench_campaign.py --write"),
        "",
        "| preloading | runs | runs per second | start-up of a run, s | computing, s |",
        "|---|---|---|---|---|",
        *(f"| {way} | {' | '.join(cells)} |" for way, cells in rows.items()),
    ]
    print(*lines, sep="\n")
    if arguments.write:
        write_section("bench_campaign", lines)


if __name__ == "__main__":
    main()
