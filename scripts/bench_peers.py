"""Tours of n x n by every declarative solver there is for them, in one run on one machine.

    pip install -e '.[bench,plot]'
    python scripts/bench_peers.py 8 16 24 --kinds closed,open,holes --limit 20 --draw peers.svg
    python scripts/bench_peers.py --from bench_peers.csv --draw peers.svg     # without running

Every run is a process of its own, started anew and ended at the limit. The clock runs in it, after
imports, model building included. Each single time is added to the CSV file at once; what the file
already holds is not run again, so sizes can be run one after the other. A solver that has no answer
for two seeds and for half of those run is run no more, nor on the larger boards of that kind.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import subprocess
import sys
import time
from datetime import date
from importlib import import_module
from importlib.metadata import version
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import InvalidTourError
from kt_cp.compare.run.environment import machine
from scripts.bench_table import WHOLE, Row, append, draw, gave_up, read_rows, tables
from scripts.peers import KINDS, METHOD, PEERS, Task

ROOT = Path(__file__).parent.parent

Outcome = tuple[str, float]
NO_ANSWER: Outcome = ("none", inf)


def run_solver(task: Task, solver: str, limit: float) -> Outcome:
    """Return the answer, a tour being checked, and the seconds to it."""
    # Not forked from a server: that costs OR-tools a third more time, in page faults.
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_report, args=(sender, task, solver), daemon=True)
    process.start()
    sender.close()
    try:
        receiver.recv()  # imports are done
        answer, seconds = receiver.recv() if receiver.poll(limit) else NO_ANSWER
    except EOFError:
        answer, seconds = NO_ANSWER
    process.kill()
    process.join()
    return (answer, seconds) if seconds <= limit else NO_ANSWER


def _report(sender: Connection, task: Task, solver: str) -> None:
    peer = PEERS[solver]
    import_module(peer.module)
    _ = task.graph
    sender.send("ready")
    begin = time.perf_counter()
    order = peer.solve(task)
    seconds = time.perf_counter() - begin
    if not order:
        sender.send(("impossible", seconds) if order is None else NO_ANSWER)
        return
    try:
        task.tour(order)
    except InvalidTourError:
        sender.send(NO_ANSWER)
    else:
        sender.send(("found", seconds))


def run_command(task: Task, limit: float) -> Outcome:
    """Return the answer of ``kt solve`` and the seconds from its start to its end."""
    board = "-" if task.board.holes else task.board.size
    constraints = ["--closed"] if task.closed else []
    command = [sys.executable, "-m", "kt_cp", "solve", board, *constraints]
    command += ["--method", METHOD, "--seed", str(task.seed), "--out", os.devnull]
    begin = time.perf_counter()
    try:
        done = subprocess.run(
            command, input=str(task.board), text=True, capture_output=True, cwd=ROOT, timeout=limit
        )
    except subprocess.TimeoutExpired:
        return NO_ANSWER
    seconds = time.perf_counter() - begin
    return {0: "found", 1: "impossible"}[done.returncode], seconds


def run_all(
    kinds: list[str], sides: list[int], solvers: list[str], seeds: range, limit: float, out: Path
) -> None:
    """Run what the file does not hold, and add it. Ends the program when answers differ."""
    rows = read_rows(out)[1] if out.exists() else []
    today = f"{machine()}, Python {platform.python_version()}, {date.today()}"
    append(out, [today])
    for kind in kinds:
        for side in sorted(sides):
            for seed in seeds:
                for solver in solvers:
                    task = Task(kind, side, seed)
                    if _is_due(rows, task, solver):
                        rows.append(row := _run(task, solver, limit))
                        append(out, [row])
                        print(f"{kind:<6} {side:>3} {seed:>2} {solver:<24}", end=" ")
                        print(f"{row.answer:<10} {row.seconds:9.4f}", flush=True)
                _agree(rows, task)


def _is_due(rows: list[Row], task: Task, solver: str) -> bool:
    """Tell whether this has not been run, and its solver has not given up here or before."""
    mine = [row for row in rows if (row.kind, row.solver) == (task.kind, solver)]
    for side in {row.side for row in mine if row.side <= task.side}:
        times = [row.seconds for row in mine if row.side == side]
        if gave_up(times, seeds=1 if side < task.side else 2):
            return False
    return all((row.side, row.seed) != (task.side, task.seed) for row in mine)


def _run(task: Task, solver: str, limit: float) -> Row:
    package = PEERS[solver].package if solver in PEERS else "ortools"
    answer = run_solver(task, solver, limit) if solver in PEERS else run_command(task, limit)
    return Row(
        task.kind, task.side, task.seed, solver, f"{package} {version(package)}", *answer, limit
    )


def _agree(rows: list[Row], task: Task) -> None:
    """End the program if one solver found a tour where another says that there is none."""
    here = [row for row in rows if (row.kind, row.side, row.seed) == _key(task)]
    if len({row.answer for row in here} - {"none"}) > 1:
        answers = ", ".join(f"{row.solver}: {row.answer}" for row in here)
        raise SystemExit(f"the answers to {task} differ: {answers}")


def _key(task: Task) -> tuple[str, int, int]:
    return task.kind, task.side, task.seed


def main() -> None:
    """Run what is asked for, print the tables and draw the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sides", nargs="*", type=int, default=[*range(8, 33, 2), 40, 60, 80])
    parser.add_argument("--kinds", default=",".join(KINDS), help="with commas between")
    parser.add_argument("--solvers", default=",".join((*PEERS, WHOLE)), help="with commas between")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each run")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("bench_peers.csv"))
    parser.add_argument("--from", dest="source", type=Path, help="show this file, run nothing")
    parser.add_argument("--draw", type=Path, help="an SVG or PNG file")
    options = parser.parse_args()
    if options.source is None:
        seeds = range(options.first_seed, options.first_seed + options.seeds)
        kinds, solvers = options.kinds.split(","), options.solvers.split(",")
        run_all(kinds, options.sides, solvers, seeds, options.limit, options.out)
    remarks, rows = read_rows(options.source or options.out)
    print(*tables(remarks, rows), sep="\n")
    if options.draw is not None:
        draw(rows, options.draw)


if __name__ == "__main__":
    main()
