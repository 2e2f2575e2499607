"""Compose larger and larger closed boards: seconds, memory, and how time grows with squares.

Run as ``python scripts/bench_scale.py [SIDE ...]``. Every board is composed and validated in a
process of its own; the seconds are those of `solve`, after imports and with its tiles solved on the
way, of which validation is a part. The fitted exponent is that of time = c x squares^exponent.
"""

from __future__ import annotations

import multiprocessing
import platform
import resource
import sys
from importlib.metadata import version
from typing import NamedTuple

import numpy as np

SIDES = (100, 300, 1_000, 3_000, 10_000)
RUNS = 3


class Row(NamedTuple):
    """One board: best of some runs."""

    side: int
    seconds: float
    gibibytes: float


def measure(side: int) -> Row:
    """Compose and validate a closed tour of side x side."""
    import ortools.sat.python.cp_model  # noqa: F401 - not part of the time

    from kt_cp import Board, solve

    result = solve(Board(side, side), closed=True, method="compose")
    if result.tour is None:
        raise AssertionError(result.reason)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # Linux counts kibibytes
    return Row(side, result.seconds, peak)


def measure_apart(side: int) -> Row:
    """Measure in new processes, as memory is counted by process, and give the fastest run."""
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return min((pool.apply(measure, (side,)) for _ in range(RUNS)), key=lambda row: row.seconds)


def main(sides: list[int]) -> None:
    """Print the table and the exponent."""
    print(
        f"{platform.machine()}, Python {platform.python_version()}, OR-tools {version('ortools')}"
    )
    print(f"{'board':>13} {'squares':>12} {'seconds':>9} {'ns/square':>10} {'peak GiB':>9}")
    rows = []
    for side in sides:
        rows.append(row := measure_apart(side))
        squares, size = side**2, f"{side}x{side}"
        each = row.seconds / squares * 1e9
        print(f"{size:>13} {squares:12,} {row.seconds:9.3f} {each:10.1f} {row.gibibytes:9.2f}")
    if len(rows) > 1:
        logs = np.log([[row.side**2, row.seconds] for row in rows])
        exponent, _ = np.polyfit(logs[:, 0], logs[:, 1], 1)
        print(f"fitted exponent {exponent:.3f}")


if __name__ == "__main__":
    main([int(side) for side in sys.argv[1:]] or list(SIDES))
