"""Time how soon known records of closed 8x8 tours are reached, and improve tours of 100x100.

    python scripts/bench_objectives.py --write     # writes the section of docs/benchmarks.md
    python scripts/bench_objectives.py --features straight,acute --seeds 5 --time-limit 120

Prints Markdown tables. For each extreme of D. E. Knuth's census: the median over the seeds of the
seconds until it was reached, how many seeds reached it, and the best bound that was proven. For a
tour of 100x100: its turns and crossings when it is composed, at first, and at the time limit.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import features, solve
from kt_cp.tour.features import CENSUS_8X8
from scripts.document import origin, print_lines, write_section

# What other features are by symmetry, such as another slope, or by definition.
ALIKE = ("angle-90", "slope+2", "slope-1/2", "slope-2")

# Some records take longer than the time limit of the others.
LONGER = {("minimize", "crossings"): 5, ("maximize", "crossings"): 3, ("maximize", "uncrossed"): 2}


def records(names: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield the extremes of some features as (feature, sense, value)."""
    for name in names:
        for sense, value in zip(("minimize", "maximize"), CENSUS_8X8[name], strict=True):
            if value is not None:
                yield name, sense, value


def row(feature: str, sense: str, record: int, seeds: int, limit: float, workers: int) -> str:
    """Return a row of the table of records: how soon each seed reaches and proves a record."""
    objective: dict[str, Any] = {sense: feature}
    limit *= LONGER.get((sense, feature), 1)
    reached, values, bounds, proven = [], [], [], []
    for seed in range(seeds):
        result = solve(
            "8x8", closed=True, seed=seed, time_limit=limit, workers=workers, **objective
        )
        best = result.objective
        if best is None:
            raise SystemExit(f"{feature}: {result.reason}")
        if best.value == record:
            reached.append(best.trace[-1].seconds)
        if best.optimal:
            proven.append(result.seconds)
        values.append(best.value)
        bounds.append(best.bound)
    known = [each for each in bounds if each is not None]
    best_of, tightest_of = (min, max) if sense == "minimize" else (max, min)
    best_value = best_of(values)
    best_bound = tightest_of(known) if known else "none"
    return (
        f"| {sense} {feature} | {record} | {best_value} | {_seconds(reached, seeds)} "
        f"| {best_bound} | {_seconds(proven, seeds)} | {limit:g} |"
    )


def large_row(size: int, feature: str, limit: float, workers: int) -> str:
    """Return a row of the table of a large board: how soon a feature of the tour improves."""
    board = f"{size}x{size}"
    composed = solve(board, closed=True).tour
    best = solve(board, closed=True, minimize=feature, time_limit=limit, workers=workers).objective
    if composed is None or best is None:
        raise SystemExit(f"{board}: no tour")
    start = features(composed)[feature]

    def reached(value: float) -> str:
        times = [each.seconds for each in best.trace if each.value < value]
        return f"{times[0]:.1f}" if times else "no"

    return (
        f"| {feature} | {start:,} | {reached(start / 2)} | {reached(15 * size)} "
        f"| {reached(10 * size)} | {best.value:,} | {best.value / size:.2f} n | {limit:g} |"
    )


def _seconds(times: list[float], seeds: int) -> str:
    """Return the median over all seeds, where those that are missing took longest."""
    if 2 * len(times) <= seeds:
        return "no" if not times else f"{len(times)} of {seeds} only"
    missing = [float("inf")] * (seeds - len(times))
    return f"{statistics.median_low([*times, *missing]):.1f} ({len(times)} of {seeds})"


def table(names: list[str], seeds: int, limit: float, workers: int, large: float) -> Iterator[str]:
    """Yield the lines of both tables."""
    yield "| 8x8, closed | record | best | seconds to reach | bound | seconds to prove | limit |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for record in records(names):
        yield row(*record, seeds, limit, workers)
    if large:
        yield ""
        columns = "composed | seconds to half | to 15 n | to 10 n | best | of n | limit"
        yield f"| least on 100x100, closed | {columns} |"
        yield "|---|--:|--:|--:|--:|--:|--:|--:|"
        for feature in ("turns", "crossings"):
            yield large_row(100, feature, large, workers)


def main() -> None:
    """Measure and print, or write into the document."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--features", default=",".join(each for each in CENSUS_8X8 if each not in ALIKE)
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=10, help="of most records")
    parser.add_argument("--large", type=float, default=60, help="time limit of 100x100; 0: without")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write into docs/benchmarks.md")
    arguments = parser.parse_args()
    names = arguments.features.split(",")
    if strange := set(names) - set(CENSUS_8X8):
        parser.error(f"{', '.join(sorted(strange))}: give some of {', '.join(CENSUS_8X8)}")
    lines = print_lines(
        table(names, arguments.seeds, arguments.time_limit, arguments.workers, arguments.large)
    )
    if arguments.write:
        limits = f"--time-limit {arguments.time_limit:g} --large {arguments.large:g}"
        asked = f"--seeds {arguments.seeds} {limits} --workers {arguments.workers}"
        source = origin(f"scripts/bench_objectives.py {asked}")
        write_section("bench_objectives", [source, "", *lines])


if __name__ == "__main__":
    main()
