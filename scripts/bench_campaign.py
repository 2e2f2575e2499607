"""Measure how many runs a comparison does in a second, with preloading and without.

    python scripts/bench_campaign.py [--jobs 1]

The runs are those of two methods from every start of 5x5 and 6x6, which compute for milliseconds:
what is measured is how a run is started. Without preloading each run has a new host, which imports
the solver; with it one host has imported the solver for all runs.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

from kt_cp.compare import Settings, compare, settings_of
from kt_cp.compare.run.launch import end_hosts


class WithoutPreloading(ThreadPoolExecutor):
    """Ends the host after each run."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
        """Submit a function that does the run and then ends the host that did it."""

        def do_and_end() -> Any:
            try:
                return function(*arguments, **named)
            finally:
                end_hosts()

        return super().submit(do_and_end)


def campaign() -> Settings:
    """Return the settings of 122 short runs."""
    methods = "circuit,squirrel-cull"
    return settings_of(boards="5x5..6x6", kinds="open", starts="all", methods=methods)


def measure(settings: Settings, label: str, jobs: int, executor: Executor | None) -> None:
    """Do all runs and print what they took."""
    started = time.perf_counter()
    records = compare(settings, jobs=jobs, executor=executor).records
    seconds = time.perf_counter() - started
    computing = sum(record.seconds for record in records)
    startup = sum(record.startup or 0.0 for record in records)
    print(
        f"{label}: {len(records)} runs in {seconds:.1f} s, {len(records) / seconds:.1f} per second"
        f" (computing {computing:.2f} s, start-up of runs {startup:.2f} s)"
    )


def main() -> None:
    """Measure both ways."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=1, help="runs at once")
    jobs = parser.parse_args().jobs
    settings = campaign()
    measure(settings, "with preloading", jobs, None)
    with WithoutPreloading(jobs) as executor:
        measure(settings, "without preloading", jobs, executor)


if __name__ == "__main__":
    main()
