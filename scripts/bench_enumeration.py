"""Time the enumeration of closed tours against clingo's, in turn, in one run.

    pip install -e '.[bench]'
    python scripts/bench_enumeration.py --boards 6x6,5x8 --repeat 5

Both count every undirected closed tour, one thread, in this process; what is timed is the whole
count, model building or grounding included, after imports.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import clingo
from rich.console import Console
from rich.table import Table

from kt_cp import Board, count_tours

# The Hamiltonian cycle as the answer-set community writes it: one move out of and into every
# square, every square reached from the first, and one direction of each tour kept at a corner,
# whose two moves are both forced.
PROGRAM = """
square(1..rows, 1..columns).
jump(1,2; 1,-2; -1,2; -1,-2; 2,1; 2,-1; -2,1; -2,-1).
edge(R,C, R+D,C+E) :- square(R,C), jump(D,E), square(R+D,C+E).
{ move(R,C,S,D) : edge(R,C,S,D) } = 1 :- square(R,C).
{ move(R,C,S,D) : edge(R,C,S,D) } = 1 :- square(S,D).
reached(1,1).
reached(S,D) :- reached(R,C), move(R,C,S,D).
:- square(R,C), not reached(R,C).
:- not move(1,1,2,3).
#show move/4.
"""


def count_with_clingo(board: Board) -> int:
    """Count the closed tours of a full rectangle with clingo."""
    sides = ["-c", f"rows={board.rows}", "-c", f"columns={board.columns}"]
    control = clingo.Control(["-n", "0", *sides])
    control.add("base", [], PROGRAM)
    control.ground()
    found = 0
    with control.solve(yield_=True) as models:
        for _ in models:
            found += 1
    return found


def count_with_circuit(board: Board) -> int:
    """Count the closed tours with this package."""
    return count_tours(board, closed=True).count


def timed(count: Callable[[Board], int], board: Board) -> tuple[int, float]:
    """Return the count and the seconds it took."""
    start = time.perf_counter()
    found = count(board)
    return found, time.perf_counter() - start


def main() -> None:
    """Time both in turn and print the medians, the worst and the ratio."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", default="6x6,5x8")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    table = Table("board", "closed tours", "circuit (s)", "worst", "clingo (s)", "worst", "ratio")
    count_tours(Board(5, 6), closed=True)  # imports OR-tools
    for size in options.boards.split(","):
        board = Board.parse(size)
        ours, theirs = [], []
        for _ in range(options.repeat):
            counted, seconds = timed(count_with_circuit, board)
            ours.append(seconds)
            checked, seconds = timed(count_with_clingo, board)
            theirs.append(seconds)
            if counted != checked:
                raise SystemExit(f"{size}: the circuit counts {counted}, clingo {checked}")
        medians = statistics.median(ours), statistics.median(theirs)
        figures = (medians[0], max(ours), medians[1], max(theirs), medians[0] / medians[1])
        table.add_row(size, str(counted), *(f"{figure:.2f}" for figure in figures))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
