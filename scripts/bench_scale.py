"""Compose larger and larger closed boards: seconds, memory, and how they grow with the squares.

``python -m scripts.bench_scale [SIDE ...]``. Each board is composed and validated by a process of
its own; its seconds are those of the search and of the validation, without imports. The fitted
exponent is that of seconds = c x squares^exponent.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from statistics import median

import numpy as np

from scripts.bench_startup import measure, origin

SIDES = (100, 300, 1_000, 3_000, 10_000)

_RUNS = 3  # of each side
_COMPOSE = "from kt_cp import solve; print(solve('{0}x{0}', closed=True, method='compose').seconds)"


def print_composing(sides: Sequence[int]) -> None:
    """Compose a closed board of each side, and print the table and the exponent."""
    print(origin("scripts.bench_scale"))
    print(f"{'squares':>12} {'seconds':>8} {'worst':>8} {'ns/square':>10} {'GiB':>6}")
    medians = []
    for side in sides:
        command = [sys.executable, "-c", _COMPOSE.format(side)]
        runs = [measure(command) for _ in range(_RUNS)]
        seconds = [float(run.output) for run in runs]
        medians.append(median(seconds))
        figures = f"{medians[-1]:8.3f} {max(seconds):8.3f} {medians[-1] / side**2 * 1e9:10.1f}"
        gibibytes = max(run.mebibytes for run in runs) / 1024
        print(f"{side**2:12,} {figures} {gibibytes:6.2f}")
    if len(sides) > 1:
        exponent = np.polyfit(np.log(np.square(sides)), np.log(medians), 1)[0]
        print(f"fitted exponent: {exponent:.3f}")


def main() -> None:
    """Print the table of the sides that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("side", type=int, nargs="*", default=SIDES)
    print_composing(parser.parse_args().side)


if __name__ == "__main__":
    main()
