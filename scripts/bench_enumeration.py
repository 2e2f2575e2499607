"""Time the ways to count tours: by frontier, by enumeration with CP-SAT, and with clingo.

    pip install -e '.[bench]'
    python scripts/bench_enumeration.py --boards 5x8,6x6,5x5:open --repeat 3 --time-limit 60

Closed tours are counted as undirected cycles, open ones (`:open`) as directed paths. Each count is
a process of its own with one thread, which is ended at the time limit; the seconds are those of
the whole count after imports, model building and grounding included.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time

from rich.console import Console
from rich.table import Table

from kt_cp import Board, count_tours

BOARDS = "5x8,6x6,6x7,6x8,5x20,3x100,4x20:open,6x6:open"
WAYS = ("frontier", "enumerate", "clingo")

# Hamiltonian cycles and paths as the answer-set community writes them: one move out of and into
# every square, except the ends of a path, and every square reached from the first. Of a cycle one
# direction is kept at a corner, whose two moves are both forced.
COMMON = """
square(1..rows, 1..columns).
jump(1,2; 1,-2; -1,2; -1,-2; 2,1; 2,-1; -2,1; -2,-1).
edge(R,C, R+D,C+E) :- square(R,C), jump(D,E), square(R+D,C+E).
{ move(R,C,S,D) : edge(R,C,S,D) } = 1 :- square(R,C), not end(R,C).
{ move(R,C,S,D) : edge(R,C,S,D) } = 1 :- square(S,D), not start(S,D).
reached(S,D) :- reached(R,C), move(R,C,S,D).
:- square(R,C), not reached(R,C).
#show move/4.
"""
CLOSED = "#defined start/2. #defined end/2. reached(1,1). :- not move(1,1,2,3)."
OPEN = """
{ start(R,C) : square(R,C) } = 1.
{ end(R,C) : square(R,C) } = 1.
:- start(R,C), move(_,_,R,C).
:- end(R,C), move(R,C,_,_).
reached(R,C) :- start(R,C).
"""


def count_with_clingo(board: Board, closed: bool) -> int:
    """Count the tours of a full rectangle with clingo."""
    import clingo

    sides = ["-c", f"rows={board.rows}", "-c", f"columns={board.columns}"]
    control = clingo.Control(["-n", "0", *sides])
    control.add("base", [], COMMON + (CLOSED if closed else OPEN))
    control.ground()
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


def count_once(size: str, way: str) -> dict[str, float]:
    """Return the count of one way, its seconds, and the peak memory of this process in MiB."""
    name, _, kind = size.partition(":")
    board, closed = Board.parse(name), kind != "open"
    if way == "enumerate":
        count_tours("5x6", closed=True, method="enumerate")  # imports OR-tools
    elif way == "clingo":
        count_with_clingo(Board(3, 4), closed)
    begin = time.perf_counter()
    if way == "clingo":
        count = count_with_clingo(board, closed)
    else:
        count = count_tours(board, closed=closed, method=way).count
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"count": count, "seconds": seconds, "peak": peak}


def measure(size: str, way: str, repeat: int, time_limit: float) -> list[dict[str, float]]:
    """Count in processes of their own; the list is empty if the time limit ends one."""
    runs = []
    for _ in range(repeat):
        command = [sys.executable, __file__, "--boards", size, "--way", way]
        try:
            done = subprocess.run(command, capture_output=True, check=True, timeout=time_limit)
        except subprocess.TimeoutExpired:
            return []
        runs.append(json.loads(done.stdout))
    return runs


def main() -> None:
    """Print a table of medians, and the peak memory of the count by frontier."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", default=BOARDS)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--way", choices=WAYS, help="count one board one way, and print JSON")
    options = parser.parse_args()
    if options.way:
        print(json.dumps(count_once(options.boards, options.way)))
        return
    table = Table("board", "tours", *(f"{way} (s)" for way in WAYS), "frontier (MiB)")
    for size in options.boards.split(","):
        cells, counts, peak = [], set(), 0.0
        for way in WAYS:
            runs = measure(size, way, options.repeat, options.time_limit)
            counts |= {int(run["count"]) for run in runs}
            if way == "frontier":
                peak = max((run["peak"] for run in runs), default=0)
            seconds = [run["seconds"] for run in runs]
            cells.append(f"{statistics.median(seconds):.2f}" if runs else "over the limit")
        if len(counts) > 1:
            raise SystemExit(f"{size}: the counts differ: {', '.join(map(str, counts))}")
        table.add_row(size, ", ".join(map(str, counts)), *cells, f"{peak:.0f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
