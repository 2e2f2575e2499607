"""Time the ways to count tours: by frontier, in memory and on disk, and with other programs.

    pip install -e '.[bench]'
    python scripts/bench_counting.py --boards 5x8,6x8,5x5:open --repeat 3 --time-limit 60

Closed tours are counted as undirected cycles, open ones (`:open`) as directed paths. Each count is
a process of its own, which is ended at the time limit; the seconds are those of the whole count
after imports, model building and grounding included. MiB are those of all processes together, and
of the files. The frontier is counted in five ways:

- `states`: states one by one;
- `tables`: tables of types and pairings;
- `plain`: the same without the mirror image of the board;
- `disk`: states on disk, with one process and a memory limit;
- `two jobs`: the same with two processes.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import psutil
from rich.console import Console
from rich.table import Table

from kt_cp import Board, count_tours
from kt_cp.count.cost import CountProgress
from kt_cp.count.disk import CountOnDisk
from kt_cp.count.frontier import count_in_memory
from kt_cp.count.plan import Plan
from kt_cp.problem.clock import Clock
from kt_cp.problem.instance import Instance

BOARDS = "5x8,6x6,6x7,6x8,5x20,3x100,4x20:open,6x6:open"
MEMORY = 8 * 2**30
CELLS = {"seconds": 2, "cpu": 2, "memory": 0, "disk": 0}  # columns, with digits after the point
WAYS = ("states", "tables", "plain", "disk", "two jobs", "enumerate", "clingo", "graphillion")

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


class CountFailedError(Exception):
    """A way of counting gave no number; the message says why."""


def count_with_clingo(board: Board, closed: bool) -> int:
    """Count the tours of a full rectangle with clingo."""
    import clingo

    sides = ["-c", f"rows={board.rows}", "-c", f"columns={board.columns}"]
    control = clingo.Control(["-n", "0", *sides])
    control.add("base", [], COMMON + (CLOSED if closed else OPEN))
    control.ground()
    with control.solve(yield_=True) as models:
        return sum(1 for _ in models)


def count_with_graphillion(board: Board, closed: bool) -> int:
    """Count the tours with graphillion, which keeps all of them in a decision diagram."""
    from graphillion import GraphSet

    edges = [(a + 1, b + 1) for a, b in board.arcs.tolist() if a < b]
    if not closed:  # a path is a cycle through a vertex that is joined to all others
        edges += [(a + 1, board.area + 1) for a in board.squares.tolist()]
    GraphSet.set_universe(edges)
    cycles = len(GraphSet.cycles(is_hamilton=True))
    return cycles if closed else 2 * cycles  # a path has two directions


def count_once(size: str, way: str, directory: str, memory: float) -> dict[str, float]:
    """Count the tours of a board one way; return the count, the seconds and the processor time.

    ``memory`` is the limit of counts on disk, in bytes.
    """
    name, _, kind = size.partition(":")
    board, closed = Board.parse(name), kind != "open"
    prepare(way, closed)
    plan = Plan(Instance.of(board, closed=closed))
    began, processor_time = time.perf_counter(), time.process_time()
    match way:
        case "states" | "tables" | "plain":
            plan.suits_tables = way != "states"
            count = count_in_memory(plan, Clock(None), MEMORY, CountProgress(plan.expected))
        case "disk" | "two jobs":
            jobs = 2 if way == "two jobs" else 1
            count = CountOnDisk(plan, directory).count(Clock(None), memory, jobs, None)
        case "enumerate":
            count = count_tours(board, closed=closed, method="enumerate").count
        case "clingo":
            count = count_with_clingo(board, closed)
        case _:
            count = count_with_graphillion(board, closed)
    seconds = time.perf_counter() - began
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor_time = time.process_time() - processor_time + children.ru_utime + children.ru_stime
    return {"count": count, "seconds": seconds, "cpu": processor_time}


def prepare(way: str, closed: bool) -> None:
    """Prepare a way of counting, so that its imports are not part of the time.

    For ``plain``, make the count ignore the mirror image of the board.
    """
    match way:
        case "plain":
            patch("kt_cp.count.plan.board_symmetries", return_value={}).start()
        case "enumerate":
            count_tours("5x6", closed=True, method="enumerate")
        case "clingo":
            count_with_clingo(Board(3, 4), closed)


def measure(size: str, way: str, options: argparse.Namespace) -> list[dict[str, float]]:
    """Count in processes of their own, and return the runs.

    Raises `CountFailedError` if one takes too long or ends without an answer.
    """
    runs = []
    for _ in range(options.repeat):
        with TemporaryDirectory() as directory:
            command = [sys.executable, __file__, "--boards", size, "--way", way]
            command += ["--directory", directory, "--memory-limit", str(options.memory_limit)]
            process = psutil.Popen(command, stdout=subprocess.PIPE)
            began, memory, disk = time.perf_counter(), 0, 0
            while process.poll() is None:
                memory = max(memory, memory_of(process))
                disk = max(disk, size_of(Path(directory)))
                if time.perf_counter() > began + options.time_limit:
                    process.kill()
                    process.wait()
                    raise CountFailedError(f"over {options.time_limit:.0f}")
                time.sleep(0.05)
            if process.returncode != 0:
                raise CountFailedError(f"failed with exit code {process.returncode}")
            run = json.loads(process.stdout.read())
            runs.append({**run, "memory": memory / 2**20, "disk": disk / 2**20})
    return runs


def memory_of(process: psutil.Process) -> int:
    """Return the bytes that a process and its children take."""
    taken = 0
    try:
        for each in [process, *process.children(recursive=True)]:
            taken += each.memory_info().rss
    except psutil.Error:
        pass  # it has just ended
    return taken


def size_of(directory: Path) -> int:
    """Return the bytes in the files of a directory."""
    taken = 0
    for file in directory.glob("**/*"):
        try:
            taken += file.stat().st_size
        except FileNotFoundError:
            continue
    return taken


def main() -> None:
    """Print for each board a table of the ways, with medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--boards", default=BOARDS)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--memory-limit", type=float, default=500, help="MiB, of counts on disk")
    parser.add_argument("--way", choices=WAYS, help="count one board one way, and print JSON")
    parser.add_argument("--directory", help="where --way keeps states")
    arguments = parser.parse_args()
    if arguments.way:
        memory = arguments.memory_limit * 2**20
        print(json.dumps(count_once(arguments.boards, arguments.way, arguments.directory, memory)))
        return
    table = Table("board", "way", "tours", "seconds", "CPU", "MiB", "MiB on disk")
    for size in arguments.boards.split(","):
        counts = set()
        for way in arguments.ways.split(","):
            try:
                runs = measure(size, way, arguments)
            except CountFailedError as error:
                table.add_row(size, way, "", str(error))
                continue
            counts |= {int(run["count"]) for run in runs}
            if len(counts) > 1:
                raise SystemExit(f"{size}: the counts differ: {', '.join(map(str, counts))}")
            middle = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
            cells = (f"{middle[key]:.{digits}f}" for key, digits in CELLS.items())
            table.add_row(size, way, f"{runs[0]['count']:,}", *cells)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
