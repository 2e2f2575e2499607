"""The programs of the exercise: `python -m kt_dfs tour|better|dfs [--times]` < input.

`tour` and `better` read `size start` and print the ids of a knight's tour of the size × size
board in visiting order. `dfs` reads a graph, `count,tail head,tail head,…` or with names
`tail head,tail head,…`, and prints the vertices in the order of discovery; `dfs --times` adds the
times and the kinds of edges. The exit code is 0, 1 if there is no tour, and 2 if the input makes
no sense.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from kt_dfs.backtracking import Outcome, knight_tour, knight_tour_better
from kt_dfs.dfs import DFSGraph, InputError, parse_graph, two_numbers
from kt_dfs.digraph import Graph, knight_graph

MAX_SIZE: Final = 300
USAGE: Final = "usage: python -m kt_dfs tour|better|dfs [--times] < input"


class NoTourError(Exception):
    """There is no tour."""


def main() -> int:
    """Run the program named on the command line and return the exit code."""
    program = " ".join(sys.argv[1:])
    if program in ("-h", "--help"):
        print(__doc__)
        return 0
    try:
        if program not in PROGRAMS:
            raise InputError(USAGE)
        answer = PROGRAMS[program](sys.stdin.buffer.read().decode(errors="replace"))
        print(*answer, sep="\n", flush=True)
    except NoTourError as error:
        print(f"kt_dfs: {error}", file=sys.stderr)
        return 1
    except InputError as error:
        print(f"kt_dfs: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, such as head, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def tour(search: Callable[[Graph[int], int], Outcome[int]], text: str) -> tuple[int, ...]:
    """Return the ids of a tour found by that search; the text is `size start`."""
    size, start = two_numbers(text, "board size and start, such as '5 4'")
    if not 1 <= size <= MAX_SIZE:
        raise InputError(f"board size {size}: it must be from 1 to {MAX_SIZE}")
    if start >= size * size:
        last = size * size - 1
        raise InputError(
            f"start {start} is not on the {size}x{size} board; squares are 0 to {last}"
        )
    path = search(knight_graph(size), start).path
    if not path:
        raise NoTourError(f"the {size}x{size} board has no open tour that starts at {start}")
    return path


def discovery_order(text: str) -> list[Any]:
    """Return the vertices of a graph in the order of their discovery."""
    return [vertex.key for vertex in _searched(text).order()]


def times(text: str) -> list[str]:
    """Return a table: each vertex, when it turns gray and black, and the edges that leave it."""
    graph = _searched(text)
    kinds = graph.edge_kinds()
    width = max([len("vertex"), *(len(str(vertex.key)) for vertex in graph)])
    rows = [f"{'vertex':{width}}  discovered, gray  finished, black  edges"]
    for vertex in graph.order():
        edges = [f"{v.key} {kinds[vertex.key, v.key].value}" for v in vertex.neighbors]
        row = f"{vertex.key!s:{width}}  {vertex.discovery:16}  {vertex.finish:15}  "
        rows.append((row + ", ".join(edges)).rstrip())
    return rows


def _searched(text: str) -> DFSGraph[Any]:
    graph = parse_graph(text)
    graph.dfs()
    return graph


PROGRAMS: Final[dict[str, Callable[[str], Sequence[Any]]]] = {
    "tour": partial(tour, knight_tour),
    "better": partial(tour, knight_tour_better),
    "dfs": discovery_order,
    "dfs --times": times,
}

if __name__ == "__main__":
    sys.exit(main())
