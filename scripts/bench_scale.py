"""Compose larger and larger closed boards: seconds, calls, memory, and how they grow with squares.

Run as ``python scripts/bench_scale.py [SIDE ...]``. Every board is composed and validated in a
process of its own; the seconds are those of `solve` after imports, validation included: cold, with
its tiles solved on the way, and warm, with the tiles in memory. Calls are those of Python and C
functions in a warm run, which no other work on the machine changes. Each call handles a whole leg
of tiles or the whole board: the number of calls shows the work outside of NumPy. The work inside
NumPy is linear in the squares.
The fitted exponents are those of time or calls = c x squares^exponent.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import platform
import resource
import statistics
import sys
from importlib.metadata import version
from typing import NamedTuple

import numpy as np

SIDES = (100, 300, 1_000, 3_000, 10_000)
RUNS = 3


class Measurement(NamedTuple):
    """One board: seconds of the first and of the second run, calls of a third."""

    squares: int
    cold: float
    warm: float
    calls: int
    gibibytes: float


def measure(side: int) -> Measurement:
    """Compose and validate a closed tour of side x side three times."""
    import ortools.sat.python.cp_model  # noqa: F401 - not part of the time

    from kt_cp import Board, solve

    def seconds() -> float:
        result = solve(Board(side, side), closed=True, method="compose")
        if result.tour is None:
            raise AssertionError(result.reason)
        return result.seconds

    cold = seconds()
    warm = seconds()
    calls = itertools.count()

    def count_calls(frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            next(calls)

    sys.setprofile(count_calls)
    seconds()
    sys.setprofile(None)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # Linux counts kibibytes
    return Measurement(side**2, cold, warm, next(calls), peak)


def measure_in_subprocesses(side: int) -> Measurement:
    """Return the medians of several runs, each in a new process, whose memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        rows = [pool.apply(measure, (side,)) for _ in range(RUNS)]
    return Measurement._make(statistics.median_low(each) for each in zip(*rows, strict=True))


def main(sides: list[int]) -> None:
    """Print the table and the exponents."""
    print(
        f"{platform.machine()}, Python {platform.python_version()}, OR-tools {version('ortools')}"
    )
    print(f"{'squares':>12} {'cold s':>8} {'warm s':>8} {'ns/square':>10} {'calls':>7} {'GiB':>6}")
    rows: list[Measurement] = []
    for side in sides:
        row = measure_in_subprocesses(side)
        rows.append(row)
        nanoseconds_per_square = row.warm / row.squares * 1e9
        print(
            f"{row.squares:12,} {row.cold:8.3f} {row.warm:8.3f} {nanoseconds_per_square:10.1f} "
            f"{row.calls:7,} {row.gibibytes:6.2f}"
        )
    if len(rows) > 1:
        squares, *columns = np.log([row[:4] for row in rows]).T
        cold, warm, calls = (np.polyfit(squares, column, 1)[0] for column in columns)
        print(f"fitted exponents: cold {cold:.3f}, warm {warm:.3f}, calls {calls:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("side", type=int, nargs="*", default=list(SIDES))
    main(parser.parse_args().side)
