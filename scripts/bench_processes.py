"""Measure whole processes: the commands of ``kt``, or the composing of larger and larger boards.

``python -m scripts.bench_processes`` runs each command ten times, all in turn, and prints the
median and the worst seconds of wall and of processor time, and the ratio to importing NumPy.
``--other FOLDER`` pairs each run with the same command of another checkout, and prints the median
ratio of the processor times, this one over the other.

``--sides SIDE ...`` composes closed boards instead, and prints seconds and memory. The seconds are
those of the search and of the validation, without imports; the fitted exponent is that of
seconds = c x squares^exponent.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np

from scripts.measuring import KT, ROOT, Usage, measure, origin

SIDES = (100, 300, 1_000, 3_000, 10_000)
"""The sides of the boards that ``--sides`` composes by default."""

_COMPOSED = 3  # times that each is composed
_COMPOSE = "from kt_cp import solve; print(solve('{0}x{0}', closed=True, method='compose').seconds)"


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
        walls, processor = [each.wall for each in ours], median(each.processor for each in ours)
        figures = [median(walls), max(walls), processor, processor / base]
        if other is not None:
            pairs = zip(ours, used[name, other], strict=True)
            figures.append(median(a.processor / b.processor for a, b in pairs))
        print(f"{name:25} " + " ".join(f"{figure:7.3f}" for figure in figures))


def print_composing(sides: Sequence[int]) -> None:
    """Compose a closed board of each side, and print the table and the exponent."""
    print(origin("scripts.bench_processes --sides"))
    print(f"{'squares':>12} {'seconds':>8} {'worst':>8} {'ns/square':>10} {'GiB':>6}")
    medians = []
    for side in sides:
        command = [sys.executable, "-c", _COMPOSE.format(side)]
        runs = [measure(command) for _ in range(_COMPOSED)]
        seconds = [float(run.output) for run in runs]
        medians.append(median(seconds))
        figures = f"{medians[-1]:8.3f} {max(seconds):8.3f} {medians[-1] / side**2 * 1e9:10.1f}"
        gibibytes = max(run.mebibytes for run in runs) / 1024
        print(f"{side**2:12,} {figures} {gibibytes:6.2f}")
    if len(sides) > 1:
        exponent = np.polyfit(np.log(np.square(sides)), np.log(medians), 1)[0]
        print(f"fitted exponent: {exponent:.3f}")


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--other", type=Path, help="another checkout, to compare with")
    parser.add_argument("--sides", type=int, nargs="*", help="compose boards of these sides")
    asked = parser.parse_args()
    if asked.sides is None:
        print_commands(asked.runs, asked.other)
    else:
        print_composing(asked.sides or SIDES)


if __name__ == "__main__":
    main()
