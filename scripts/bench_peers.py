"""One closed n x n tour by every declarative solver there is for it, in one run on one machine.

Run as ``python scripts/bench_peers.py [--limit S] [--seeds N] [--out FILE.csv] [n ...]`` after
``pip install -e '.[bench]'``. Each peer gets the model that its own community would write, one
thread, and a process of its own that is ended at the limit. The clock runs in that process, after
imports, model building included. Prints medians and the worst of the seeds, and saves all times.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from multiprocessing.connection import Connection
from typing import Any

from kt_cp import Board, Tour, solve

Successors = dict[int, int]
Timed = tuple[float, Successors]

_CLINGO = """
1 { in(X,Y) : arc(X,Y) } 1 :- node(X).
1 { in(X,Y) : arc(X,Y) } 1 :- node(Y).
reached(0).
reached(Y) :- reached(X), in(X,Y).
:- node(X), not reached(X).
#show in/2.
"""


def by_kt(board: Board, seed: int) -> Timed:
    """Our circuit model."""
    import kt_cp.model.portfolio  # noqa: F401

    begin = time.perf_counter()
    tour = solve(board, closed=True, method="circuit", seed=seed).tour
    seconds = time.perf_counter() - begin
    assert tour is not None
    order = list(tour)
    return seconds, dict(zip(order, order[1:] + order[:1], strict=True))


def by_add_circuit(board: Board, seed: int) -> Timed:
    """OR-tools' circuit constraint with defaults but for the one worker."""
    from ortools.sat.python import cp_model

    arcs = board.arcs.tolist()
    begin = time.perf_counter()
    model = cp_model.CpModel()
    literals = [model.new_bool_var("") for _ in arcs]
    model.add_circuit([(a, b, lit) for (a, b), lit in zip(arcs, literals, strict=True)])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.solve(model)
    used = [arc for arc, lit in zip(arcs, literals, strict=True) if solver.boolean_value(lit)]
    return time.perf_counter() - begin, dict(used)


def by_clingo(board: Board, seed: int) -> Timed:
    """Answer sets: choice rules and reachability, over flat facts."""
    import clingo

    arcs = board.arcs.tolist()
    begin = time.perf_counter()
    control = clingo.Control(["1", f"--seed={seed}"])
    facts = [f"node(0..{board.area - 1})."] + [f"arc({a},{b})." for a, b in arcs]
    control.add("base", [], "\n".join(facts) + _CLINGO)
    control.ground([("base", [])])
    used: Successors = {}

    def keep(model: Any) -> None:
        used.update(
            (s.arguments[0].number, s.arguments[1].number) for s in model.symbols(shown=True)
        )

    control.solve(on_model=keep)
    return time.perf_counter() - begin, used


def by_choco(board: Board, seed: int) -> Timed:
    """Choco's circuit on successor variables, with its default search."""
    from pychoco.model import Model

    begin = time.perf_counter()
    model = Model()
    after = [model.intvar(list(board.neighbours(square))) for square in range(board.area)]
    model.circuit(after).post()
    model.get_solver().solve()
    return time.perf_counter() - begin, {i: var.get_value() for i, var in enumerate(after)}


def by_cpmpy(board: Board, seed: int) -> Timed:
    """CPMpy's Circuit on successor variables, solved by its default, OR-tools."""
    import cpmpy as cp

    begin = time.perf_counter()
    after = cp.intvar(0, board.area - 1, shape=board.area)
    model = cp.Model(cp.Circuit(after))
    for square in range(board.area):
        model += cp.InDomain(after[square], list(board.neighbours(square)))
    model.solve(solver="ortools", num_workers=1, random_seed=seed)
    return time.perf_counter() - begin, dict(enumerate(after.value().tolist()))


def by_lkh(board: Board, seed: int) -> Timed:
    """LKH (elkai): a shortest round trip where a move costs 0 and anything else 1."""
    import elkai
    import numpy as np

    begin = time.perf_counter()
    distances = np.ones((board.area, board.area), dtype=np.int64)
    distances[tuple(board.arcs.T)] = 0
    order = elkai.DistanceMatrix(distances.tolist()).solve_tsp()[:-1]
    return time.perf_counter() - begin, dict(zip(order, order[1:] + order[:1], strict=True))


PEERS: dict[str, tuple[str, Callable[[Board, int], Timed]]] = {
    "kt circuit": ("ortools", by_kt),
    "add_circuit": ("ortools", by_add_circuit),
    "clingo": ("clingo", by_clingo),
    "Choco": ("pychoco", by_choco),
    "CPMpy": ("cpmpy", by_cpmpy),
    "LKH": ("elkai", by_lkh),
}


def run(peer: str, side: int, seed: int, limit: float) -> float | None:
    """Give the seconds to a valid tour, None when there was none within the limit."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_report, args=(sender, peer, side, seed), daemon=True)
    process.start()
    sender.close()
    seconds = None
    try:
        if receiver.poll(limit + 5):  # imports are not part of the time
            seconds = receiver.recv()
    except EOFError:
        pass
    process.kill()
    process.join()
    return seconds if seconds is not None and seconds <= limit else None


def _report(sender: Connection, peer: str, side: int, seed: int) -> None:
    board = Board(side, side)
    seconds, after = PEERS[peer][1](board, seed)
    order = [0]
    while after[order[-1]] != 0 and len(order) < board.area:
        order.append(after[order[-1]])
    try:
        Tour(board, order, closed=True)
    except ValueError:
        sender.send(None)
    else:
        sender.send(seconds)


def main(sides: Sequence[int], seeds: int, limit: float, out: str) -> None:
    """Print a line for each board and solver, and save every time."""
    packages = sorted({package for package, _ in PEERS.values()})
    print(platform.machine(), f"Python {platform.python_version()}", end=" ")
    print(*(f"{package} {version(package)}" for package in packages), f"limit {limit:g} s")
    given_up: set[str] = set()
    with open(out, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["board", "solver", "seed", "seconds"])
        for side in sides:
            ours = float("nan")
            for peer in PEERS:
                if peer in given_up:
                    continue
                times = []
                for seed in range(seeds):
                    seconds = run(peer, side, seed, limit)
                    table.writerow(
                        [f"{side}x{side}", peer, seed, "" if seconds is None else seconds]
                    )
                    times.append(float("inf") if seconds is None else seconds)
                    if seconds is None and len(times) - times.count(float("inf")) == 0:
                        break  # the rest would only take longer
                median, worst = statistics.median(times), max(times)
                ours = median if peer == "kt circuit" else ours
                ratio = median / ours
                print(
                    f"{side:>4} {peer:<12} median {median:8.3f} s, worst {worst:8.3f} s,",
                    f"x {ratio:.1f}",
                    flush=True,
                )
                if median == float("inf"):
                    given_up.add(peer)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sides", nargs="*", type=int, default=[8, 16, 24, 32, 40, 60, 80, 100])
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", default="bench_peers.csv")
    options = parser.parse_args()
    main(options.sides, options.seeds, options.limit, options.out)
