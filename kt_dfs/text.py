"""Reading numbers and graphs from text."""

from __future__ import annotations

import re
from typing import Any, Final

from kt_dfs.dfs import DFSGraph

MAX_VERTICES: Final = 1_000_000


class InputError(Exception):
    """The input is invalid; the message says what is wrong, where, and what would be right."""


def parse_graph(text: str) -> DFSGraph[Any]:
    """Return the directed graph of `count,tail head,tail head,…` or `tail head,tail head,…`.

    With a count the vertices are numbered from 0 and neighbors are taken in ascending order.
    Without it the vertices have names, and vertices and neighbors are taken as they come in the
    text. Raises InputError, with the place, for anything else.

    >>> [(tail.key, head.key) for tail, head in parse_graph("3,0 1,2 0").arcs()]
    [(0, 1), (2, 0)]
    >>> [vertex.key for vertex in parse_graph("A B,B C")]
    ['A', 'B', 'C']
    """
    first, *rest = text.split(",")
    if len(first.split()) > 1:
        return _named_graph([first, *rest])
    count = number(first.strip(), "the vertex count, before the first comma")
    if count > MAX_VERTICES:
        raise InputError(f"vertex count {count}: at most {MAX_VERTICES}")
    edges = [two_numbers(pair, f"edge {place}, 'from to'") for place, pair in enumerate(rest, 1)]
    for place, edge in enumerate(edges, 1):
        if max(edge) >= count:
            raise InputError(
                f"edge {place}, '{edge[0]} {edge[1]}': with {count} vertices they are numbered"
                f" from 0 to {count - 1}"
            )
    return DFSGraph.from_edges(count, edges)


def _named_graph(pairs: list[str]) -> DFSGraph[str]:
    graph = DFSGraph[str]()
    for place, pair in enumerate(pairs, 1):
        names = pair.split()
        if len(names) != 2:
            raise InputError(f"expected edge {place}, 'from to': two names, not {len(names)}")
        tail, head = names
        if not (tail + head).isprintable():
            raise InputError(f"edge {place}, {pair!a}: names are made of printable characters")
        graph.add_edge(tail, head)
    return graph


def two_numbers(text: str, what: str) -> tuple[int, int]:
    """Return the two numbers in the text."""
    words = text.split()
    if len(words) != 2:
        raise InputError(f"expected {what}: two numbers, not {len(words)}")
    return number(words[0], what), number(words[1], what)


def number(word: str, what: str) -> int:
    """Return the number, at least 0, that the word spells."""
    if not re.fullmatch("[0-9]{1,9}", word):
        raise InputError(f"expected {what}: {word[:20]!a} is not a number from 0 to 999999999")
    return int(word)
