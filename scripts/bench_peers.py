"""Seconds to a tour of n x n by every declarative way there is, ours and others.

    pip install -e '.[bench]'
    python -m scripts.bench_peers --write          # into docs/benchmarks.md
    python -m scripts.bench_peers --sides 8 16 --seeds 10 --limit 20

These are comparisons as ``kt compare`` makes them: each run is a process of its own with one
thread, which has imported what it needs and solved a small board before. A method that has no
answer to half of the runs on a board is not run on larger boards of that kind. Seconds are those of
the processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import inf, isnan
from typing import Any

import numpy as np
import pandas
from ortools.sat.python import cp_model

from kt_cp.board import Board
from kt_cp.compare import RunStatus, compare
from kt_cp.methods.method import Answer, exhausted, found, gave_up
from kt_cp.methods.peers import CircuitArcs
from kt_cp.problem.instance import Instance
from kt_cp.problem.task import Task
from scripts.bench_startup import ROOT, origin, write_section


def _circuit_arcs(instance: Instance) -> CircuitArcs:
    """Return the arcs of the circuit that an instance asks for."""
    problem = CircuitArcs(instance)
    assert not problem.has_no_tour
    return problem


def add_circuit(task: Task) -> Answer:
    """Answer by OR-tools' circuit constraint, with default parameters but for the workers."""
    instance = task.instance
    problem = _circuit_arcs(instance)
    model = cp_model.CpModel()
    arcs = {(tail, head): model.new_bool_var("") for tail, head in problem.arcs}
    model.add_circuit([(*arc, literal) for arc, literal in arcs.items()])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = task.workers
    solver.parameters.random_seed = task.seed
    solver.parameters.max_time_in_seconds = task.clock.remaining
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return exhausted(instance, "CP-SAT proved that there is none", {})
    if status == cp_model.UNKNOWN:
        return gave_up(instance, "no tour within the time limit")
    successors = dict(arc for arc, literal in arcs.items() if solver.boolean_value(literal))
    return found(problem.tour(successors))


def lkh(task: Task) -> Answer:
    """Answer by LKH: a shortest round trip, where a move costs 0 and any other step 1.

    It takes no seed and proves nothing.
    """
    import elkai

    problem = _circuit_arcs(task.instance)
    distances = np.ones((len(problem.graph),) * 2, dtype=np.int64)
    distances[tuple(np.array(problem.arcs).T)] = 0
    trip = elkai.DistanceMatrix(distances.tolist())
    for runs in (1, 10):  # LKH makes all its runs even when the first cannot be bettered
        order = trip.solve_tsp(runs)[:-1]
        following = order[1:] + order[:1]
        if not distances[order, following].any():
            return found(problem.tour(dict(zip(order, following, strict=True))))
    return gave_up(task.instance, "the shortest round trip has steps that are no moves")


SIDES = (8, 12, 16, 20, 24, 32, 40, 60, 100)
OURS = ("auto", "circuit", "cuts", "patch")
METHODS = {name: name for name in (*OURS, "clingo", "choco")} | {
    "add_circuit": add_circuit,
    "LKH": lkh,
}
KINDS = ("closed", "open", "holes")


def board_with_holes(side: int, seed: int) -> Board:
    """Make n*n/40 holes of each color, redrawn until every square has two neighbors.

    >>> len(board_with_holes(10, seed=0))
    96
    """
    rng = random.Random(1000 * side + seed)
    row, column = np.divmod(np.arange(side * side), side)
    colors = [np.flatnonzero((row + column) % 2 == color).tolist() for color in (0, 1)]
    holes_per_color = round(0.05 * side * side / 2)
    while True:
        holes = [hole for color in colors for hole in rng.sample(color, holes_per_color)]
        board = Board(side, side, holes)
        neighbors = np.bincount(board.arcs[:, 0], minlength=board.area)
        if neighbors[board.squares].min() >= 2:
            return board


def run_methods(kind: str, sides: Sequence[int], seeds: int, limit: float) -> Any:
    """Run the methods on larger and larger boards, as long as they have answers.

    Returns a data frame of the runs: the ``side`` of the board, the ``method`` and its ``seconds``
    of the processor, infinite without an answer.
    """
    methods = dict(METHODS)
    runs = pandas.DataFrame(columns=["side", "method", "seconds"])
    for side in sides:
        boards = {f"{side}x{side}": Board(side, side)}
        if kind == "holes":
            boards = {f"#{seed}": board_with_holes(side, seed) for seed in range(seeds)}
        log = compare(
            boards=boards,
            methods=methods,
            kinds="open" if kind == "open" else "closed",
            repeat=1 if kind == "holes" else seeds,
            time_limit=limit,
        )
        at_side = pandas.DataFrame(
            [
                (side, record.run.method, record.cpu_seconds if record.solved else inf)
                for record in log.records
                if record.status is not RunStatus.UNSUPPORTED
            ],
            columns=runs.columns,
        )
        runs = at_side if runs.empty else pandas.concat([runs, at_side])
        medians = at_side.groupby("method").seconds.median()
        methods = {name: each for name, each in methods.items() if medians.get(name, inf) < inf}
    return runs


def by_side(runs: Any, statistic: str) -> Any:
    """Return a statistic of the seconds, such as the median: a row per side, a column per method.

    A method that was not run has NaN.
    """
    pivot = runs.pivot_table("seconds", "side", "method", aggfunc=statistic)
    return pivot.reindex(columns=list(METHODS))


def table(kind: str, runs: Any) -> Iterator[str]:
    """Yield the lines of a Markdown table: median (worst) seconds of each method on each board.

    The fastest are bold; a dash stands for a method that was not run.
    """
    yield f"| {kind}, n | {' | '.join(METHODS)} |"
    yield "|---" + "|--:" * len(METHODS) + "|"
    medians, worst = by_side(runs, "median"), by_side(runs, "max")
    for side, times in medians.iterrows():
        best = format_seconds(times.min())
        cells = []
        for method, median in times.items():
            cell = f"{format_seconds(median)} ({format_seconds(worst.loc[side, method])})"
            is_best = median < inf and format_seconds(median) == best
            cells.append("–" if isnan(median) else f"**{cell}**" if is_best else cell)
        yield f"| {side} | {' | '.join(cells)} |"


def format_seconds(seconds: float) -> str:
    """Return seconds with two significant digits or one decimal, or a dash for no answer."""
    if seconds == inf:
        return "–"
    return f"{seconds:.1f}" if seconds >= 10 else f"{seconds:#.2g}"


def where_others_win(kind: str, runs: Any) -> str:
    """Return the sentence that says on which boards another solver is faster than ``auto``.

    Times that are printed alike are a tie.
    """
    wins: dict[str, list[str]] = {}
    for side, times in by_side(runs, "median").fillna(inf).iterrows():
        others = times.drop(list(OURS))
        is_tie = format_seconds(others.min()) == format_seconds(times.auto)
        if others.min() < times.auto and not is_tie:
            wins.setdefault(others.idxmin(), []).append(f"{side} × {side}")
    texts = [f"{name} at {', '.join(sides)}" for name, sides in wins.items()]
    return f"- {kind}: {'; '.join(texts) or 'none'}"


def section(runs: dict[str, Any], seeds: int, limit: float) -> Iterator[str]:
    """Yield the lines of a section: the origin, a summary, and a table for each kind."""
    packages = ("ortools", "python-sat", "clingo", "pychoco", "elkai")
    yield origin("scripts.bench_peers --write", packages)
    yield f"Processor seconds, median (worst) of {seeds} seeds; limit {limit:g} s."
    yield from ("", "Where another solver is faster than `auto`:", "")
    yield from (where_others_win(kind, of_kind) for kind, of_kind in runs.items())
    yield from ("", "<details><summary>Seconds of each solver</summary>")
    for kind, of_kind in runs.items():
        yield ""
        yield from table(kind, of_kind)
    yield from ("", "</details>")


def main() -> None:
    """Measure and print, and write the document if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sides", nargs="+", type=int, default=SIDES)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--limit", type=float, default=5.0, help="seconds for each run")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the document")
    arguments = parser.parse_args()
    runs = {}
    for kind in arguments.kinds:
        runs[kind] = run_methods(kind, sorted(arguments.sides), arguments.seeds, arguments.limit)
        print(*table(kind, runs[kind]), sep="\n", flush=True)
    lines = [*section(runs, arguments.seeds, arguments.limit)]
    print("", *lines, sep="\n")
    if arguments.write:
        write_section("bench_peers", lines, ROOT / "docs" / "benchmarks.md")


if __name__ == "__main__":
    main()
