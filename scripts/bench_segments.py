"""Measure how long the search by segments takes to find the published longest paths and cycles.

    python scripts/bench_segments.py [--limit 60] [--seeds 3] [--only 8x8] [--write]

For each large board of the tables and each seed it replaces segments until the tour is as long as
the published one, or for ``--limit`` seconds of processor time. CP-SAT has no part in it.
``--write`` writes the table into docs/longest.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp.board import Board
from kt_cp.methods.segments import SegmentSearch
from kt_cp.problem.clock import Clock, OutOfTimeError
from kt_cp.problem.instance import Instance
from scripts.document import origin, print_lines, write_section
from scripts.longest_tables import DOCUMENT, TABLES, Table, board_cell, folded

# Smaller boards take less than a second.
_FEWEST_SQUARES = 48

# More steps than fit into any limit.
_STEPS = 10**9


@dataclass(frozen=True)
class Search:
    """The longest tour that a search has found, and the processor seconds until then."""

    value: int
    seconds: float


def search(published: Table, board: str, seed: int, limit: float) -> Search:
    """Replace segments until the published value is found, or for ``limit`` processor seconds."""
    begun = time.process_time()
    asked = Instance.of(board, closed=published.closed, **{published.kind: True})  # type: ignore[arg-type]
    instance = replace(asked, allows_partial=True)
    best = Search(0, 0.0)
    clock = Clock(is_interrupted=lambda: time.process_time() - begun > limit)
    try:
        for tour in SegmentSearch(instance, seed).longer_tours(_STEPS, clock=clock):
            best = Search(published.measure(len(tour)), time.process_time() - begun)
            if best.value >= published.values[board]:
                break
    except OutOfTimeError:
        pass
    return best


def lines(limit: float, seeds: int, only: str | None) -> Iterator[str]:
    """Yield a Markdown table for each sequence; a row has the searches of all seeds."""
    for published in TABLES:
        boards = [
            board
            for board in published.values
            if only in (None, board) and len(Board.parse(board)) >= _FEWEST_SQUARES
        ]
        if boards:
            yield from folded(published.caption, _table(published, boards, limit, seeds))


def _table(published: Table, boards: list[str], limit: float, seeds: int) -> Iterator[str]:
    """Yield the lines of the table of one sequence."""
    yield f"| board | published {published.unit} | found after processor s, by seed |"
    yield "|---|--:|---|"
    for board in boards:
        value = published.values[board]
        found = [search(published, board, seed, limit) for seed in range(seeds)]
        cells = [
            f"{each.seconds:.1f}" if each.value >= value else f"only {each.value}" for each in found
        ]
        yield f"| {board_cell(board)} | {value} | {', '.join(cells)} |"


def main() -> None:
    """Print the table, and write it into the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0, help="processor seconds of a search")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", metavar="BOARD", help="one board, such as 8x8")
    parser.add_argument("--write", action="store_true", help="write docs/longest.md")
    arguments = parser.parse_args()
    table = print_lines(lines(arguments.limit, arguments.seeds, arguments.only))
    if arguments.write:
        write_section("bench_segments", [origin("scripts/bench_segments.py"), "", *table], DOCUMENT)


if __name__ == "__main__":
    main()
