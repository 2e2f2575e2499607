"""Seconds to decide whether graphs have a Hamiltonian cycle, ours and others'.

    pip install -e '.[bench]'
    python scripts/bench_graphs.py --write          # into docs/benchmarks.md
    python scripts/bench_graphs.py --limit 5 --only snark

Each run is a process of its own, which has imported what it needs and solved a triangle before; it
is killed some seconds after the limit. Seconds are those of its processor, which other work on the
machine changes little; the limit is one of the clock. LKH proves nothing.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import Board, Graph, Instance, check, solve
from kt_cp.methods.method import Answer, exhausted, found
from kt_cp.problem.clock import Clock
from kt_cp.problem.task import Task
from kt_cp.worker_process import become_worker
from scripts.document import origin, write_section
from scripts.peers import lkh


def flower_snark(stars: int) -> Any:
    """Return Isaacs' flower snark, which has four vertices for each star.

    It has no Hamiltonian cycle if the number of stars is odd.
    """
    graph = nx.Graph()
    for star in range(stars):
        after = (star + 1) % stars
        graph.add_edges_from((("hub", star), (arm, star)) for arm in "abc")
        graph.add_edge(("a", star), ("a", after))
        left, right = ("c", "b") if after == 0 else ("b", "c")
        graph.add_edges_from([(("b", star), (left, after)), (("c", star), (right, after))])
    return graph


def generalized_petersen(count: int, step: int) -> Any:
    """Return the generalized Petersen graph: an outer cycle, and inner vertices joined by steps.

    With a ``step`` of 2 it has no Hamiltonian cycle if ``count`` is 5 modulo 6 (Alspach).
    """
    graph = nx.cycle_graph(count)
    for number in range(count):
        inner = count + number
        graph.add_edges_from([(number, inner), (inner, count + (number + step) % count)])
    return graph


def sheehan(count: int) -> Any:
    """Return Sheehan's graph, maximal among those with a single Hamiltonian cycle.

    (J. Sheehan, Graphs with exactly one Hamiltonian circuit, Journal of Graph Theory 1, 1977.)
    """
    graph = nx.cycle_graph(range(1, count + 1))
    graph.add_edges_from((i, j) for i in range(2, count, 2) for j in range(i + 2, count + 1))
    shuffled = random.Random(0).sample(range(count), count)
    return nx.relabel_nodes(graph, dict(enumerate(shuffled, start=1)))


def de_bruijn(order: int) -> Any:
    """Return the de Bruijn digraph on binary words of this length."""
    size = 2**order
    return nx.DiGraph((word, (2 * word + bit) % size) for word in range(size) for bit in (0, 1))


def cayley(count: int) -> Any:
    """Return the graph of permutations in which neighbors differ by a swap of adjacent entries."""
    from itertools import permutations

    graph = nx.Graph()
    for each in permutations(range(count)):
        for i in range(count - 1):
            graph.add_edge(each, (*each[:i], each[i + 1], each[i], *each[i + 2 :]))
    return graph


def families() -> Iterator[tuple[str, Any]]:
    """Yield graphs with their names."""
    yield "Petersen graph", nx.petersen_graph()
    yield "Tutte's graph", nx.tutte_graph()
    yield from ((f"flower snark J{stars}", flower_snark(stars)) for stars in (5, 9, 15, 21, 51))
    for count in (11, 17, 29, 41):
        yield f"generalized Petersen ({count},2)", generalized_petersen(count, 2)
    yield from ((f"hypercube Q{n}", nx.hypercube_graph(n)) for n in (6, 10, 13))
    for n, k in ((6, 2), (7, 3), (9, 4)):
        yield f"Kneser graph K({n},{k})", nx.kneser_graph(n, k)
    yield from ((f"de Bruijn digraph B(2,{n})", de_bruijn(n)) for n in (6, 10))
    yield from ((f"Cayley graph of S{n}", cayley(n)) for n in (5, 6))
    yield from ((f"Sheehan's graph, {n}", sheehan(n)) for n in (20, 60))
    for count in (100, 1_000, 4_000, 10_000):
        yield f"random cubic, {count:,}", nx.random_regular_graph(3, count, seed=1)
    yield "random 4-regular, 4,000", nx.random_regular_graph(4, 4_000, seed=1)
    for factor in (0.9, 1.1):
        edges = int(factor * 100 * 5.5 / 2)
        yield f"random, 100 vertices, {edges} edges", nx.gnm_random_graph(100, edges, seed=3)
    yield "grid 51 × 50", nx.grid_2d_graph(51, 50)
    yield "grid 51 × 51", nx.grid_2d_graph(51, 51)
    yield "knight's graph 8 × 8", Board(8, 8).to_networkx()
    yield "knight's graph 40 × 40", Board(40, 40).to_networkx()


def backtracking(task: Task) -> Answer:
    """Answer as people do with networkx: extend a path, fewest continuations first."""
    graph = task.instance.graph.to_networkx()
    first = next(iter(graph))
    path, on_path = [first], {first}
    choices = [iter(sorted(graph[first], key=graph.degree))]
    while choices:
        task.clock.check()
        following = next((vertex for vertex in choices[-1] if vertex not in on_path), None)
        if following is None:
            choices.pop()
            on_path.discard(path.pop())
            continue
        path.append(following)
        on_path.add(following)
        if len(path) == len(graph) > 2 and graph.has_edge(following, first):
            return found(path)  # type: ignore[arg-type]

        def continuations(vertex: Any) -> int:
            return len([neighbor for neighbor in graph[vertex] if neighbor not in on_path])

        unvisited = [vertex for vertex in graph[following] if vertex not in on_path]
        choices.append(iter(sorted(unvisited, key=continuations)))
    return exhausted(task.instance, "every path from the first vertex was tried", {})


METHODS: dict[str, Any] = {
    "auto": "auto",
    "clingo": "clingo",
    "choco": "choco",
    "LKH": lkh,
    "networkx": backtracking,
}


class Outcome(NamedTuple):
    """The answer of a run, its processor seconds, and the method that answered."""

    answer: str
    seconds: float
    method: str = ""

    @property
    def is_decided(self) -> bool:
        """Whether there is a cycle, or a proof that there is none."""
        return self.answer in ("found", "impossible")


def _solve(graph: Any, method: Any, limit: float) -> Outcome:
    """Look for a Hamiltonian cycle, and return the outcome."""
    began = time.process_time()
    result = solve(graph, closed=True, method=method, time_limit=limit)
    return Outcome(result.status.value, time.process_time() - began, result.method)


def _certify(graph: Any, limit: float) -> Outcome:
    """Make and check a certificate; the answer is its number of steps, or a dash for none."""
    from kt_cp.proof.producer import NoCertificateError, make_certificate

    began = time.process_time()
    try:
        certificate = make_certificate(Instance.of(graph, closed=True), Clock(limit))
    except NoCertificateError:
        return Outcome("–", 0.0)
    assert check(certificate)
    steps = f"{len(certificate.steps)}"
    if steps == "1":
        steps += f" ({certificate.steps[0].rule.value})"
    return Outcome(steps, time.process_time() - began)


def _send_outcome(job: Callable[[], Outcome], warm_up: Callable[[], Any], pipe: Connection) -> None:
    """Do a job, once what it needs is imported, and send its outcome or the name of its error."""
    # As a worker this process starts no other: the time of clingo and Choco is its own.
    become_worker(lambda message: None)
    try:
        warm_up()
        pipe.send(job())
    except Exception as error:
        pipe.send(Outcome(type(error).__name__, 0.0))


def run(job: Callable[[], Outcome], warm_up: Callable[[], Any], limit: float) -> Outcome:
    """Do a job in a process that is killed some seconds after the limit; return the outcome."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_send_outcome, args=(job, warm_up, theirs))
    process.start()
    outcome = Outcome("unknown", limit)
    if ours.poll(limit + 5):
        outcome = ours.recv()
    process.kill()
    process.join()
    return outcome


def rows(limit: float, only: str) -> Iterator[list[str]]:
    """Yield a row of the table for each graph."""
    triangle = nx.cycle_graph(3)
    for name, graph in families():
        if only not in name:
            continue
        plain = Graph.of(graph)
        edges = len(plain.arcs) // (1 if plain.directed else 2)
        outcomes: dict[str, Outcome] = {}
        for label, method in METHODS.items():
            warm_up = partial(_solve, triangle, method, limit)
            outcomes[label] = run(partial(_solve, plain, method, limit), warm_up, limit)
        answers = {each.answer for each in outcomes.values() if each.is_decided}
        if len(answers) > 1:
            raise SystemExit(f"{name}: the methods disagree")
        ours = outcomes["auto"]
        answer = {"found": "cycle", "impossible": "none"}.get(ours.answer, "?")
        row = [name, f"{len(plain):,}", f"{edges:,}", answer, ours.method]
        row += [f"{each.seconds:.2f}" if each.is_decided else "–" for each in outcomes.values()]
        if ours.answer == "impossible":
            certified = run(partial(_certify, plain, limit), lambda: None, limit)
            row += [certified.answer, f"{certified.seconds:.2f}"]
        else:
            row += ["", ""]
        print(" | ".join(row), flush=True)
        yield row


HEAD = [
    "graph", "vertices", "edges", "answer", "by", *METHODS, "proof: steps", "s"
]  # fmt: skip


def main() -> None:
    """Print the table, and write it into the document if asked to."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--limit", type=float, default=10, help="seconds for each run")
    parser.add_argument("--only", default="", help="graphs whose name contains this")
    parser.add_argument("--write", action="store_true", help="write into docs/benchmarks.md")
    arguments = parser.parse_args()
    lines = ["| " + " | ".join(row) + " |" for row in rows(arguments.limit, arguments.only)]
    head = ["| " + " | ".join(HEAD) + " |", "|---|--:|--:|---|---|" + "--:|" * (len(HEAD) - 5)]
    if arguments.write:
        made = origin("scripts/bench_graphs.py", ["clingo", "pychoco", "elkai", "networkx"])
        write_section("bench_graphs", [*head, *lines, "", made])


if __name__ == "__main__":
    main()
