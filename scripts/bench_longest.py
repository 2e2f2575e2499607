"""Find longest paths of sparse random graphs: by enumeration, as by hand, and by bounds.

    python scripts/bench_longest.py [--limit 10] [--seed 1] [--write]

Enumeration goes through all simple paths by ``networkx.all_simple_paths`` and keeps the longest. It
is ended after as many seconds by the clock as `longest_path` has.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import networkx as nx

sys.path.insert(0, str(Path(__file__).parent.parent))

from kt_cp import longest_path
from scripts.document import origin, print_lines, write_section

SIZES = ((10, 20), (15, 30), (20, 40), (30, 60), (100, 150), (1000, 1250))
"""Numbers of vertices and edges."""


@dataclass(frozen=True)
class Longest:
    """The vertices of the longest path that was found, the bound if there is one, and seconds."""

    vertices: int
    bound: int | None
    processor_seconds: float

    def __str__(self) -> str:
        optimum = "optimal" if self.bound == self.vertices else f"bound {self.bound or '–'}"
        return f"{self.vertices}, {optimum} | {self.processor_seconds:.2f}"


def simple_paths(graph: nx.Graph) -> Iterator[list[int]]:
    """Yield all simple paths of a graph, in both directions, the single vertices first."""
    yield from ([vertex] for vertex in graph)
    for source in graph:
        yield from nx.all_simple_paths(graph, source, set(graph) - {source})


def by_enumeration(graph: nx.Graph, limit: float) -> Longest:
    """Return the longest of all simple paths, or of those up to a limit by the clock."""
    begun, end, longest = time.process_time(), time.perf_counter() + limit, 0
    for path in simple_paths(graph):
        longest = max(longest, len(path))
        if time.perf_counter() > end:
            return Longest(longest, None, time.process_time() - begun)
    return Longest(longest, longest, time.process_time() - begun)


def by_bounds(graph: nx.Graph, limit: float) -> Longest:
    """Return what `longest_path` finds and proves in a limit by the clock."""
    begun = time.process_time()
    objective = longest_path(graph, time_limit=limit).objective
    assert objective is not None
    assert objective.bound is not None
    seconds = time.process_time() - begun
    return Longest(round(objective.value), round(objective.bound), seconds)


def table(limit: float, seed: int) -> Iterator[str]:
    """Yield the lines of the table, for a time limit in seconds of each graph."""
    yield "| vertices | edges | enumeration | processor s | `longest_path` | processor s |"
    yield "|--:|--:|---|--:|---|--:|"
    for vertices, edges in SIZES:
        graph = nx.gnm_random_graph(vertices, edges, seed=seed)
        enumerated, proven = by_enumeration(graph, limit), by_bounds(graph, limit)
        yield f"| {vertices:,} | {edges:,} | {enumerated} | {proven} |"


def main() -> None:
    """Print the table, or write it into the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds for each graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    lines = print_lines(table(arguments.limit, arguments.seed))
    if arguments.write:
        command = f"scripts/bench_longest.py --limit {arguments.limit:g} --seed {arguments.seed}"
        write_section("bench_longest", [origin(command, ["networkx"]), "", *lines])


if __name__ == "__main__":
    main()
