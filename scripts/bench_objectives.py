"""Time how soon the known records of closed 8x8 tours are reached, and what bound is proven.

    python scripts/bench_objectives.py --features straight,acute --seeds 5 --time-limit 120

Prints a Markdown table: for each extreme of D. E. Knuth's census the median over the seeds of the
seconds until it was reached, how many seeds reached it, and the best bound that was proven.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from typing import Any

from kt_cp import solve
from kt_cp.tour.feature_table import CENSUS_8X8


def records(names: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield the extremes of some features as (feature, sense, value)."""
    for name in names:
        for sense, value in zip(("minimize", "maximize"), CENSUS_8X8[name], strict=True):
            if value is not None:
                yield name, sense, value


def row(feature: str, sense: str, record: int, seeds: int, limit: float, workers: int) -> str:
    """Return a row of the table."""
    asked: dict[str, Any] = {sense: feature}
    reached, values, bounds, proven = [], [], [], []
    for seed in range(seeds):
        result = solve("8x8", closed=True, seed=seed, time_limit=limit, workers=workers, **asked)
        best = result.objective
        if best is None:
            raise SystemExit(f"{feature}: {result.reason}")
        if best.value == record:
            reached.append(best.trace[-1].seconds)
        if best.optimal:
            proven.append(result.seconds)
        values.append(best.value)
        bounds.append(best.bound)
    choose = max if sense == "minimize" else min
    best_value = (min if sense == "minimize" else max)(values)
    bound = choose(each for each in bounds if each is not None)
    return (
        f"| {sense} {feature} | {record} | {best_value} | {_seconds(reached, seeds)} "
        f"| {bound} | {_seconds(proven, seeds)} |"
    )


def _seconds(times: list[float], seeds: int) -> str:
    """Return the median over all seeds, where those that are missing took longest."""
    if 2 * len(times) <= seeds:
        return f"not reached ({len(times)} of {seeds})"
    missing = [float("inf")] * (seeds - len(times))
    return f"{statistics.median_low([*times, *missing]):.1f} ({len(times)} of {seeds})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--features", default=",".join(CENSUS_8X8))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=120)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    print("| objective | record | best value | seconds to reach it | bound | seconds to prove it |")
    print("|---|---|---|---|---|---|")
    for record in records(chosen.features.split(",")):
        print(row(*record, chosen.seeds, chosen.time_limit, chosen.workers), flush=True)


if __name__ == "__main__":
    main()
