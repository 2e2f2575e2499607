"""The programs of the exercise: `python -m kt_dfs tour|better|dfs`, input on standard input.

`tour` and `better` read `size start` and print the ids of a knight's tour of the size × size
board in visiting order; `dfs` reads `count,tail head,tail head,…` and prints the vertices in the
order of their discovery. Exit code 0, 1 if there is no tour, 2 if the input makes no sense.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from kt_dfs.backtracking import knight_tour, knight_tour_better
from kt_dfs.board import knight_graph
from kt_dfs.graph import Graph
from kt_dfs.outcome import Outcome
from kt_dfs.text import InputError, parse_graph, two_numbers

MAX_SIZE: Final = 300
USAGE: Final = "usage: python -m kt_dfs tour|better|dfs < input"


class NoTourError(Exception):
    """There is no tour."""


def main() -> int:
    """Run the program named on the command line and give its exit code."""
    arguments = sys.argv[1:]
    if arguments in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    try:
        if len(arguments) != 1 or arguments[0] not in PROGRAMS:
            raise InputError(USAGE)
        answer = PROGRAMS[arguments[0]](sys.stdin.buffer.read().decode(errors="replace"))
        print(*answer, sep="\n", flush=True)
    except NoTourError as error:
        print(f"kt_dfs: {error}", file=sys.stderr)
        return 1
    except InputError as error:
        print(f"kt_dfs: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def tour(search: Callable[[Graph[int], int], Outcome[int]], text: str) -> tuple[int, ...]:
    """The ids of a tour by that search; the text is `size start`."""
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


def dfs(text: str) -> list[int]:
    """The vertices in the order of discovery; the text is `count,tail head,tail head,…`."""
    graph = parse_graph(text)
    graph.dfs()
    return [vertex.key for vertex in graph.order()]


PROGRAMS: Final[dict[str, Callable[[str], tuple[int, ...] | list[int]]]] = {
    "tour": partial(tour, knight_tour),
    "better": partial(tour, knight_tour_better),
    "dfs": dfs,
}

if __name__ == "__main__":
    sys.exit(main())
