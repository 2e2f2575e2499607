"""Time how fast boards without a tour are answered: Schwenk's exceptions, and colors.

    python scripts/bench_impossible.py [--longest 40] [--pairs 20]

The seconds are those of `solve`, after a first call that imports. Of each group the number of
instances, the median, and the slowest with their boards.
"""

from __future__ import annotations

import argparse
import itertools
import platform
import random
import statistics
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, Status, solve
from kt_cp.compare.log import machine
from kt_cp.problem.constraints import Constraints

SLOWEST = 3


class Case(NamedTuple):
    """A full rectangle and constraints that no tour of it meets."""

    rows: int
    columns: int
    constraints: Constraints
    method: str = "auto"


def schwenk_exceptions(longest: int) -> Iterator[Case]:
    """Yield every m x n board without a closed tour, by Schwenk's theorem."""
    for rows, columns in itertools.combinations_with_replacement(range(1, longest + 1), 2):
        odd = rows % 2 and columns % 2
        if odd or rows in (1, 2, 4) or (rows, columns) in ((3, 4), (3, 6), (3, 8)):
            yield Case(rows, columns, {"closed": True})


def starts(longest: int) -> Iterator[Case]:
    """Yield every start on an odd board that has the color of fewer squares."""
    for rows, columns in rectangles(longest):
        for start in range(rows * columns):
            if rows % 2 and columns % 2 and is_odd(start, columns):
                yield Case(rows, columns, {"start": start})


def ends(longest: int, pairs: int) -> Iterator[Case]:
    """Yield pairs of start and end whose colors no tour has, some drawn for each board."""
    draw = random.Random(1)
    for rows, columns in rectangles(longest):
        left = pairs
        while left:
            start, end = draw.sample(range(rows * columns), 2)
            one, other = is_odd(start, columns), is_odd(end, columns)
            is_odd_board = rows % 2 == 1 and columns % 2 == 1
            colors_allow = not (one or other) if is_odd_board else one != other
            if not colors_allow:
                yield Case(rows, columns, {"start": start, "end": end})
                left -= 1


def four_rows(longest: int) -> Iterator[Case]:
    """Yield closed 4 x n for the circuit model alone, which knows no theorem."""
    for columns in range(5, longest + 1):
        yield Case(4, columns, {"closed": True}, "circuit")


def rectangles(longest: int) -> Iterator[tuple[int, int]]:
    """Yield the sides from 3 on, the rows never more than the columns."""
    yield from itertools.combinations_with_replacement(range(3, longest + 1), 2)


def is_odd(square: int, columns: int) -> bool:
    """Return whether a square has another color than the first one, which is a corner."""
    return sum(divmod(square, columns)) % 2 == 1


def seconds_of(case: Case) -> float:
    """Return the seconds until the answer, which has to be that there is no tour."""
    board = Board(case.rows, case.columns)  # anew, as it keeps what has been asked before
    result = solve(board, method=case.method, **case.constraints)
    if result.status is not Status.IMPOSSIBLE:
        raise SystemExit(f"{case}: {result.status}")
    return result.seconds


def show(name: str, cases: Iterable[Case]) -> None:
    """Print a line about a group, and its slowest cases."""
    timed = [(seconds_of(case), case) for case in cases]
    timed.sort(key=lambda each: -each[0])
    median = statistics.median(seconds for seconds, _ in timed)
    print(f"{name}: {len(timed):,} tried, median {median:.5f} s, worst {timed[0][0]:.5f} s")
    for seconds, case in timed[:SLOWEST]:
        print(f"    {seconds:.5f} s  {case.rows}x{case.columns} {case.constraints}")


def main() -> None:
    """Print all groups."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--longest", type=int, default=40, help="side, in squares")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of ends for each board")
    arguments = parser.parse_args()
    longest, packages = arguments.longest, f"OR-tools {version('ortools')}"
    print(f"{machine()}, Python {platform.python_version()}, {packages}, {date.today()}")
    for method in ("auto", "circuit"):
        solve(Board(4, 5), closed=True, method=method)  # imports
    show("closed, Schwenk's exceptions", schwenk_exceptions(longest))
    show("open, start of the wrong color", starts(longest))
    show("open, ends of the wrong colors", ends(longest, arguments.pairs))
    show("closed 4 x n, circuit model alone", four_rows(longest))


if __name__ == "__main__":
    main()
