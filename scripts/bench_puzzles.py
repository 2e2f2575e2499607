"""Measure how long puzzles with one solution take to make, and how many clues they show.

    python scripts/bench_puzzles.py [--seeds 10] [--write]

With ``--write`` the table replaces the section of docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, make_puzzle
from kt_cp.puzzles.clues import ClueKind
from scripts.document import origin, print_lines, write_section

CASES = [(6, False), (8, False), (8, True), (10, False)]


def measured(size: int, closed: bool, kind: ClueKind, seeds: int) -> str:
    """Return a row of the table: the sizes, and the median and the maximum of the times."""
    seconds, clues = [], []
    for seed in range(seeds):
        began = time.process_time()
        puzzle = make_puzzle(Board(size, size), closed=closed, clues=kind, seed=seed)
        seconds.append(time.process_time() - began)
        assert puzzle is not None
        clues.append(len(puzzle.givens) + len(puzzle.moves))
    name = f"{size}x{size} {'closed' if closed else 'open'}, {kind}"
    times = f"{statistics.median(seconds):.1f} | {max(seconds):.1f}"
    return f"| {name} | {times} | {statistics.median(clues):g} |"


def table(seeds: int) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| puzzle | CPU s (median) | CPU s (most) | clues (median) |"
    yield "|---|---|---|---|"
    for size, closed in CASES:
        for kind in (ClueKind.NUMBERS, ClueKind.MOVES):
            yield measured(size, closed, kind, seeds)


def main() -> None:
    """Measure, print, and write if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    make_puzzle("5x5")  # loads the packages
    lines = print_lines(table(arguments.seeds))
    if arguments.write:
        made = origin(f"scripts/bench_puzzles.py --seeds {arguments.seeds}", ["python-sat"])
        write_section("bench_puzzles", [made, "", *lines])


if __name__ == "__main__":
    main()
