"""The programs of the exercise: `python -m kt_dfs tour|better|dfs [--times]` < input.

`python -m kt_dfs run FILE` < input runs a program of your own that begins with `from graphs import
Graph, Vertex`, or with `from pythonds.graphs` or `from pythonds3.graphs`, as the textbook's do.

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
from kt_dfs.compat import run_program
from kt_dfs.graph import DFSGraph, Graph, knight_graph, parse_graph, parse_number

MAX_SIZE: Final = 300


class NoTourError(ValueError):
    """There is no tour, so that the exit code is 1 and not 2."""


def main() -> int:
    """Run the program that the command line names, and return the exit code."""
    program = " ".join(sys.argv[1:])
    if program in ("-h", "--help"):
        print(__doc__)
        return 0
    if sys.argv[1:2] == ["run"] and len(sys.argv) > 2:
        if not os.path.isfile(sys.argv[2]):
            print(f"kt_dfs: {sys.argv[2]}: there is no such file", file=sys.stderr)
            return 2
        run_program(sys.argv[2], sys.argv[3:])
        return 0
    try:
        if program not in PROGRAMS:
            raise ValueError("usage: python -m kt_dfs tour|better|dfs [--times]|run FILE < input")
        answer = PROGRAMS[program](sys.stdin.buffer.read().decode(errors="replace"))
        print(*answer, sep="\n", flush=True)
    except ValueError as error:
        print(f"kt_dfs: {error}", file=sys.stderr)
        return 1 if isinstance(error, NoTourError) else 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, such as head, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def tour(search: Callable[[Graph[int], int], Outcome[int]], text: str) -> tuple[int, ...]:
    """Return the ids of the tour that a search finds for the text ``size start``.

    Raises ValueError for any other text, and NoTourError if there is no tour.
    """
    words = text.split()
    expected = "expected board size and start, such as '5 4'"
    if len(words) != 2:
        raise ValueError(f"{expected}: two numbers, not {len(words)}")
    size, start = (parse_number(word, expected) for word in words)
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(f"board size {size}: it must be from 1 to {MAX_SIZE}")
    if start >= size * size:
        raise ValueError(f"start {start} is not on the board; squares are 0 to {size * size - 1}")
    path = search(knight_graph(size), start).path
    if not path:
        raise NoTourError(f"the {size}x{size} board has no open tour that starts at {start}")
    return path


def depth_first(text: str, with_times: bool = False) -> list[Any]:
    """Return the vertices of a graph in order of discovery, or the lines of a table with times."""
    graph = parse_graph(text)
    graph.dfs()
    return _table(graph) if with_times else [vertex.key for vertex in graph.order()]


def _table(graph: DFSGraph[Any]) -> list[str]:
    """Return the lines of a table: each vertex, its times, and the edges that leave it."""
    kinds = graph.edge_kinds()
    width = max([len("vertex"), *(len(str(vertex.key)) for vertex in graph)])
    rows = [f"{'vertex':{width}}  discovered, gray  finished, black  edges"]
    for vertex in graph.order():
        edges = [f"{v.key} {kinds[vertex.key, v.key].value}" for v in vertex.neighbors]
        row = f"{vertex.key!s:{width}}  {vertex.discovery:16}  {vertex.finish:15}  "
        rows.append((row + ", ".join(edges)).rstrip())
    return rows


PROGRAMS: Final[dict[str, Callable[[str], Sequence[Any]]]] = {
    "tour": partial(tour, knight_tour),
    "better": partial(tour, knight_tour_better),
    "dfs": depth_first,
    "dfs --times": partial(depth_first, with_times=True),
}

if __name__ == "__main__":
    sys.exit(main())
