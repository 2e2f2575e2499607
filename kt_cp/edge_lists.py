"""Text that lists the edges of a graph as two numbers a line, and cannot be a numbered board."""

from __future__ import annotations

import re

from kt_cp.graph_description import MAX_EDGES, refuse_either
from kt_cp.messages import InputError

_TWO_NUMBERS = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,9})\s*")


def numbered_edges(text: str) -> list[tuple[str, str]] | None:
    """Return the edges in a text of two numbers a line, or None if the text may be a board.

    It may be the map of a board with two columns if its numbers are steps of that board: from 1 to
    the number of squares, each at most once. Raises `InputError` for more than a million edges, and
    for a single line that may be both: two edges without a common end have no tour, but one has.

    >>> numbered_edges("1 2\\n2 3")
    [('1', '2'), ('2', '3')]
    >>> numbered_edges("1 2\\n4 3"), numbered_edges("8x8")
    (None, None)
    """
    edges: list[tuple[str, str]] = []
    for line in text.splitlines():
        match = _TWO_NUMBERS.fullmatch(line)
        if match is not None:
            edges.append((match[1], match[2]))
        elif line.strip():
            return None
        if len(edges) > MAX_EDGES:
            raise InputError(f"more than {MAX_EDGES:,} edges are refused")
    numbers = {int(number) for edge in edges for number in edge}
    squares = 2 * len(edges)
    is_board = len(numbers) == squares and numbers <= set(range(1, squares + 1))
    if not is_board:
        return edges
    if len(edges) == 1:
        ways = "a line '; kind: open' below it for steps, --graph edgelist or [(1, 2)] for an edge"
        refuse_either(repr(text.strip()), "the steps of a board or as an edge", ways)
    return None
