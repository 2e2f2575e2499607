"""Check on many puzzles that each level needs its own deductions, and no harder ones.

    python -m scripts.check_levels [--puzzles 500]

For each puzzle, hint after hint is followed until the tour is complete. A puzzle is printed if its
hints need easier or harder deductions than the level that its effort says. Puzzles that are not of
the level that was asked for, since no such puzzle was found, are counted.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
from collections import defaultdict
from typing import Any

from kt_cp import Level, make_puzzle
from kt_cp.puzzles.deduction import rounds
from kt_cp.puzzles.facts import Facts
from kt_cp.puzzles.puzzle import Puzzle

BOARDS: list[tuple[str, dict[str, Any]]] = [
    ("5x5", {}),
    ("5x6", {"closed": True}),
    ("6x6", {}),
    ("6x6", {"closed": True}),
    ("6x6", {"clues": "moves", "closed": True}),
]


def hardest_deduction(puzzle: Puzzle) -> Level | None:
    """Return the level of the hardest deduction up to the tour, or None if none leads there."""
    facts, hardest = Facts(puzzle.instance), Level.CHILDREN
    for found in rounds(facts, Level.HARD):
        if found.level > hardest:
            hardest = found.level
    return hardest if facts.is_complete else None


def main() -> int:
    """Make puzzles of all levels, print those that disagree and the efforts of each level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=500)
    arguments = parser.parse_args()
    wrong = missed = 0
    efforts = defaultdict[Level, list[int]](list)
    cases = itertools.cycle(itertools.product(BOARDS, Level))
    for seed, ((board, asked), level) in enumerate(itertools.islice(cases, arguments.puzzles)):
        puzzle = make_puzzle(board, difficulty=level, seed=seed, **asked)
        assert puzzle is not None
        assert puzzle.effort is not None
        needed = hardest_deduction(puzzle) or Level.MASTERS
        efforts[needed].append(puzzle.effort)
        if puzzle.level is not level:
            missed += 1
        if needed is not puzzle.level:
            wrong += 1
            print(f"{board} {asked} seed {seed}: {puzzle.level}, but its hints are {needed}")
            print(puzzle)
    for level, found in efforts.items():
        middle = statistics.median(found)
        print(
            f"{level}: {len(found)} puzzles, effort {min(found)} to {max(found)}, median {middle:g}"
        )
    print(f"{missed} of {arguments.puzzles} puzzles are of another level than asked for")
    print(f"{wrong} of {arguments.puzzles} puzzles disagree with their level")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
